//! Limits the mails that users can trigger to an address. Registering, recovering a password and
//! inviting name an address that may belong to anyone, so each address has an allowance, for all
//! kinds of mails and all servers together.

use chrono::TimeDelta;

use super::store::allowance as store;
use crate::error::{Result, codes};
use crate::kernel::Wait;
use crate::operation::Work;

/// The maximum number of mails to an address in a burst.
const AT_ONCE: i64 = 3;
/// How long a burst and a day last.
const WAITS: (Wait, Wait) = (Wait::of(TimeDelta::minutes(10)), Wait::of(TimeDelta::days(1)));
/// The maximum number of mails to an address in a day.
const A_DAY: i64 = 10;

/// Whether a mail may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a refused mail is an error, or is skipped if an error would reveal too much"]
pub enum Leave {
    /// It may be sent, and is counted.
    Given,
    /// It may not be sent for this many seconds.
    Refused {
        /// Whole seconds, at least one.
        seconds: u64,
    },
}

impl Leave {
    /// Returns 429 `too_many_mails` if the mail may not be sent.
    pub fn or_refuse(self) -> Result<()> {
        match self {
            Self::Given => Ok(()),
            Self::Refused { seconds } => {
                let refusal = crate::Error::from(codes::TOO_MANY_MAILS);
                Err(refusal.retry_after(seconds))
            }
        }
    }

    /// Whether the mail may be sent.
    pub fn is_given(self) -> bool {
        self == Self::Given
    }
}

/// Requests permission for one more mail to an address, and counts it if granted. Concurrent
/// requests for the same address wait for this transaction; if it is rolled back, nothing is
/// counted.
pub async fn take(work: &mut Work, address: &str) -> Result<Leave> {
    let platform = work.platform().clone();
    if platform.throttles().are_off() {
        return Ok(Leave::Given);
    }
    let recipient = platform.vault().mark("mail_allowance", &inbox(address));
    let now = work.now();
    if store::count(work, &recipient, now, WAITS, (AT_ONCE, A_DAY)).await? {
        return Ok(Leave::Given);
    }
    let ends = store::ends(work, &recipient, now, WAITS, (AT_ONCE, A_DAY)).await?;
    let seconds = (ends.unwrap_or(now) - now).num_seconds();
    let seconds = u64::try_from(seconds).unwrap_or_default().saturating_add(1);
    Ok(Leave::Refused { seconds })
}

/// The mailbox of an address: the part after a `+` is only for the recipient's own sorting.
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
