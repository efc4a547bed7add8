//! How many mails strangers can have sent to an address. Whoever registers, recovers a password or
//! invites names an address that may be anybody's, so each address has an allowance, whatever the mails
//! are about and whichever server sends them.

use chrono::TimeDelta;

use super::store::allowance as store;
use crate::error::{Result, codes};
use crate::operation::Work;

/// How many mails go to an address within [`SOON`].
const AT_ONCE: i64 = 3;
/// How long the mails of a burst count.
const SOON: TimeDelta = TimeDelta::minutes(10);
/// How many mails go to an address in a day.
const A_DAY: i64 = 10;

/// Whether a mail may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a mail that may not go is refused, or left out where an answer would tell too much"]
pub(crate) enum Leave {
    /// It may, and is counted.
    Given,
    /// It may not, for so many seconds.
    Refused {
        /// Whole seconds, at least one.
        seconds: u64,
    },
}

impl Leave {
    /// 429 `too_many_mails` where the mail may not go.
    pub(crate) fn or_refuse(self) -> Result<()> {
        match self {
            Self::Given => Ok(()),
            Self::Refused { seconds } => {
                let refusal = crate::Error::from(codes::TOO_MANY_MAILS);
                Err(refusal.retry_after(seconds))
            }
        }
    }

    /// Whether the mail may go.
    pub(crate) fn is_given(self) -> bool {
        self == Self::Given
    }
}

/// Asks leave for one more mail to an address, and counts it if it is given. Whoever else asks for the
/// same address waits for this transaction; rolled back, nothing was counted.
pub(crate) async fn take(work: &mut Work, address: &str) -> Result<Leave> {
    let platform = work.platform().clone();
    if platform.throttles().are_off() {
        return Ok(Leave::Given);
    }
    let recipient = platform.vault().mark("mail_allowance", &inbox(address));
    let now = work.now();
    let ends = (now + SOON, now + TimeDelta::days(1));
    if store::count(work, &recipient, now, ends, (AT_ONCE, A_DAY)).await? {
        return Ok(Leave::Given);
    }
    let ends = store::ends(work, &recipient, now, (AT_ONCE, A_DAY)).await?;
    let seconds = (ends.unwrap_or(now) - now).num_seconds();
    let seconds = u64::try_from(seconds).unwrap_or_default().saturating_add(1);
    Ok(Leave::Refused { seconds })
}

/// Where mail to an address ends up: what stands behind a `+` is for the recipient's own sorting.
fn inbox(address: &str) -> String {
    let small = address.trim().to_lowercase();
    match small.rsplit_once('@') {
        Some((local, host)) => {
            let local = local.split('+').next().unwrap_or(local);
            format!("{local}@{host}")
        }
        None => small,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_inbox_has_one_allowance() {
        assert_eq!(inbox("Sam+1@Example.com"), inbox("sam+2@example.com"));
        assert_ne!(inbox("sam@example.com"), inbox("sam@example.org"));
        assert_eq!(inbox("portal_user:7"), "portal_user:7");
    }
}
