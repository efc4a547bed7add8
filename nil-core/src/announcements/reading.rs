//! Users and visitors read announcements.

use super::announcement::PublicAnnouncement;
use super::store::{announcement as store, people};
use crate::auth::{Anyone, Principal};
use crate::error::Result;
use crate::kernel::{Listing, Nothing, Paged};
use crate::operation::Cx;

/// Lists the current announcements for the caller, the latest first (payloads: Core *Public*).
/// Users see those whose audience they belong to today; visitors see those for everyone.
pub async fn list(cx: Cx<Anyone>, input: Paged<Nothing>) -> Result<Listing<PublicAnnouncement>> {
    let (Nothing {}, paging) = input.parts();
    let mut session = cx.read().await?;
    let member = match &cx.caller.0 {
        Principal::User { kind, profile_id, .. } => {
            Some(people::member(&mut session, *kind, *profile_id).await?)
        }
        _ => None,
    };
    let live = store::live(&mut session, cx.now()).await?;
    let theirs: Vec<_> = live
        .into_iter()
        .filter(|(_, audience)| match &member {
            Some(member) => audience.includes(member),
            None => audience.is_everybody(),
        })
        .map(|(id, _)| id)
        .collect();
    let total = i64::try_from(theirs.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
    let take = usize::try_from(paging.limit()).unwrap_or(usize::MAX);
    let ids: Vec<_> = theirs.into_iter().skip(skip).take(take).collect();
    let items = store::shown(&mut session, &ids).await?;
    Ok(Listing::new(items, paging, total))
}
