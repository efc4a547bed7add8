//! Signed addresses that need no log-in: they open one file for a while, show a picture while it is part of a profile,
//! or accept the bytes of one upload. The signed text of each kind has its own prefix, so that none can be used as
//! another.

use chrono::{SubsecRound as _, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{FileId, Interface, Time};
use crate::platform::Platform;

/// How long such an address is valid.
const GOOD_FOR: TimeDelta = TimeDelta::minutes(15);

/// An address that opens a file until it expires, without a log-in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Link {
    /// The address, with the host.
    #[schemars(extend("examples" = ["https://nil.example/api/files/signed?token=12.1795172580.5d41"]))]
    pub url: String,
    /// When it stops working.
    pub expires_at: Time,
}

/// An address for the file.
#[must_use]
pub fn link(platform: &Platform, file: FileId, now: Time) -> Link {
    let expires_at = now + GOOD_FOR;
    let promise = format!("{file}.{}", expires_at.timestamp());
    let signature = platform.vault().sign_text(&promise);
    let base = base(platform);
    Link {
        // In the query string, which is never logged.
        url: format!("{base}/files/signed?token={promise}.{signature}"),
        expires_at,
    }
}

/// The base address of the Core interface.
fn base(platform: &Platform) -> String {
    let server = platform.config().public_url.trim_end_matches('/');
    format!("{server}{}", Interface::Core.base())
}

/// The file that a token opens; none if it was not issued here or has expired.
pub(super) fn opened(platform: &Platform, token: &str, now: Time) -> Option<FileId> {
    let (promise, signature) = token.rsplit_once('.')?;
    if !platform.vault().is_signature(promise, signature) {
        return None;
    }
    let (file, expires) = promise.split_once('.')?;
    let expires: i64 = expires.parse().ok()?;
    (now.timestamp() < expires).then(|| file.parse().ok().and_then(FileId::new)).flatten()
}

/// The public address of a picture. It is always the same, and reveals nothing about the addresses of other pictures.
pub fn picture_url(platform: &Platform, file: FileId) -> String {
    let signature = platform.vault().sign_text(&format!("picture.{file}"));
    format!("{}/pictures/{file}-{signature}", base(platform))
}

/// The picture that a token identifies; none if it was not issued here.
pub(super) fn picture(platform: &Platform, token: &str) -> Option<FileId> {
    let (file, signature) = token.split_once('-')?;
    let signed = platform.vault().is_signature(&format!("picture.{file}"), signature);
    signed.then(|| file.parse().ok().and_then(FileId::new)).flatten()
}

/// A signed upload: its id, its size and its expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The upload.
    pub upload: i64,
    /// Its size in bytes.
    pub size: i64,
    /// When the address stops working.
    pub expires_at: Time,
}

impl Slot {
    /// The address under `path` of the Core interface that accepts this upload.
    pub fn url(&self, platform: &Platform, path: &str) -> String {
        let token = sealed(platform, "upload", &[self.upload, self.size], self.expires_at);
        format!("{}{path}?token={token}", base(platform))
    }

    /// The upload that a token accepts; none if it was not issued here or has expired.
    pub fn opened(platform: &Platform, token: &str, now: Time) -> Option<Self> {
        let ([upload, size], expires_at) = unsealed(platform, "upload", token, now)?;
        Some(Self { upload, size, expires_at })
    }
}

/// A token that admits to what these numbers name until it expires, for addresses of this kind only.
pub(crate) fn sealed(platform: &Platform, kind: &str, numbers: &[i64], expires_at: Time) -> String {
    let mut promise = kind.to_owned();
    for number in numbers.iter().copied().chain([expires_at.timestamp()]) {
        promise.push('.');
        promise.push_str(&number.to_string());
    }
    let signature = platform.vault().sign_text(&promise);
    format!("{promise}.{signature}")
}

/// The numbers of a token, and when it expires; none if it was not issued here for this kind, or has expired.
pub(crate) fn unsealed<const N: usize>(
    platform: &Platform,
    kind: &str,
    token: &str,
    now: Time,
) -> Option<([i64; N], Time)> {
    let (promise, signature) = token.rsplit_once('.')?;
    if !platform.vault().is_signature(promise, signature) {
        return None;
    }
    let mut parts = promise.strip_prefix(kind)?.strip_prefix('.')?.split('.');
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = parts.next()?.parse().ok()?;
    }
    let expires_at = Time::from_timestamp(parts.next()?.parse().ok()?, 0)?;
    (parts.next().is_none() && now < expires_at).then_some((numbers, expires_at))
}

/// When an address that is good for so long stops working. It says so to the second.
pub fn expiry(now: Time, good_for: TimeDelta) -> Time {
    (now + good_for).trunc_subsecs(0)
}

/// An address of the back office with such a token.
pub(crate) fn back_office_url(platform: &Platform, path: &str, token: &str) -> String {
    let server = platform.config().server_url(true);
    format!("{server}{}{path}?token={token}", Interface::Admin.base())
}
