//! The settings that are numbers: times and sizes, each within limits that make sense.

use std::time::Duration;

use chrono::TimeDelta;
use nil_core::Config;

use super::File;
use super::values::{env, within};
use crate::failure::Failure;

const A_MONTH_OF_HOURS: i64 = 31 * 24;
const MIB: usize = 1024 * 1024;

impl File {
    /// The settings that are times.
    pub(super) fn times(&mut self, config: &mut Config) -> Result<(), Failure> {
        let hours = |name, from_file, set: &mut TimeDelta| -> Result<(), Failure> {
            if let Some(hours) = within(name, from_file, 1..=A_MONTH_OF_HOURS)? {
                *set = TimeDelta::hours(hours);
            }
            Ok(())
        };
        hours("token_hours", self.token_hours, &mut config.token_lives)?;
        hours("contract_hours", self.contract_hours, &mut config.contract_open_for)?;
        hours("due_soon_hours", self.due_soon_hours, &mut config.due_soon)?;
        hours("closing_soon_hours", self.closing_soon_hours, &mut config.closing_soon)?;
        let after = within("reconcile_after_seconds", self.reconcile_after_seconds, 0..=3_600)?;
        if let Some(seconds) = after {
            config.reconcile_after = TimeDelta::seconds(seconds);
        }
        let deadline = self.processor_deadline_seconds;
        if let Some(seconds) = within("processor_deadline_seconds", deadline, 1..=300)? {
            config.processor_deadline = Duration::from_secs(seconds);
        }
        if let Some(hours) = env("NIL_QUIET_HOURS").or(self.quiet_hours.take()) {
            let wrong = |why| Failure::Usage(format!("quiet_hours: {why}"));
            config.quiet_hours = Some(hours.parse().map_err(wrong)?);
        }
        Ok(())
    }

    /// The settings that limit how much.
    pub(super) fn sizes(&self, config: &mut Config) -> Result<(), Failure> {
        if let Some(most) = within("streams_per_user", self.streams_per_user, 1..=1_000)? {
            config.streams_per_user = most;
        }
        if let Some(bytes) = within("body_limit_bytes", self.body_limit_bytes, 1_024..=64 * MIB)? {
            config.body_limit = bytes;
        }
        config.connections_per_address =
            within("connections_per_address", self.connections_per_address, 1..=1_000_000)?;
        if let Some(bytes) = within("upload_quota_bytes", self.upload_quota_bytes, 0..=i64::MAX)? {
            config.file_quota = bytes;
        }
        let open = self.open_uploads_quota_bytes;
        if let Some(bytes) = within("open_uploads_quota_bytes", open, 0..=i64::MAX)? {
            config.open_uploads_quota = bytes;
        }
        if let Some(hashes) = within("hashes_at_once", self.hashes_at_once, 1..=256)? {
            config.hashes_at_once = hashes;
        }
        Ok(())
    }
}
