//! Finding accounts of every kind by what a person knows of them. For the command line.

use serde::Serialize;

use super::member_kind::FoundAccount;
use super::store::finding as store;
use crate::error::Result;
use crate::kernel::{Email, PortalUserId, Text, UserId};
use crate::platform::Platform;

/// The maximum number of accounts in one answer.
pub const MOST_FOUND: usize = 50;

/// The number of accounts of each table that are read: one more shows that there are more.
const LIMIT: u64 = 51;

/// The accounts that were found.
#[derive(Clone, Debug, Serialize)]
pub struct FoundAccounts {
    /// At most [`MOST_FOUND`] accounts.
    pub accounts: Vec<FoundAccount>,
    /// Whether there are more.
    pub more: bool,
}

/// Finds accounts by id, by e-mail, or by a part of the name or of the e-mail. A number finds the
/// accounts with that id, and an address the accounts with that e-mail, by their indexes. Other
/// text finds first the accounts whose e-mail begins with it, by the same indexes, and only if
/// these are few all accounts that contain it: that reads the whole tables of accounts, so it is
/// for people at the command line only.
pub async fn find(platform: &Platform, text: &Text<1, 320>) -> Result<FoundAccounts> {
    let mut session = platform.db().read().await?;
    let text = text.trim();
    let mut found = Vec::new();
    if let Ok(number) = text.parse() {
        let (user, portal) = (UserId::new(number), PortalUserId::new(number));
        found = store::by_id(&mut session, user, portal).await?;
    } else if let Ok(email) = Email::new(text) {
        found = store::by_email(&mut session, &email).await?;
    }
    if found.is_empty() {
        found = store::beginning(&mut session, &text.to_lowercase(), LIMIT).await?;
        if found.len() <= MOST_FOUND {
            let others = store::containing(&mut session, text, LIMIT).await?;
            let new = |account: &FoundAccount| !found.contains(account);
            let new: Vec<_> = others.into_iter().filter(new).collect();
            found.extend(new);
        }
    }
    let more = found.len() > MOST_FOUND;
    found.truncate(MOST_FOUND);
    Ok(FoundAccounts { accounts: found, more })
}
