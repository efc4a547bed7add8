//! Operators see their own exports, with the progress of those that are being made.

use super::report::{ListExports, OwnExport};
use super::store;
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{Followed, Listing};
use crate::operation::Cx;

/// Lists the caller's exports in every state. For operators with the permission `reports`; nobody
/// sees another operator's.
pub async fn list(cx: Cx<Operator>, input: Followed<ListExports>) -> Result<Listing<OwnExport>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let page = store::page_of(&mut session, cx.caller.id, &input, place).await?;
    page.try_map(|row| row.shown(cx.now()))
}
