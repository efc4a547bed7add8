//! Operators see their own exports, with the progress of those that are being made.

use super::report::{ListExports, OwnExport};
use super::store;
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{Combined, Listing, Sifted};
use crate::operation::Cx;

/// Lists the caller's exports in every state. `q` looks in kinds and file names. For operators with
/// the permission `reports`; nobody sees another operator's.
pub async fn list(cx: Cx<Operator>, input: Sifted<ListExports>) -> Result<Listing<OwnExport>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let page = store::page_of(&mut session, cx.caller.id, (&input, &sift), place).await?;
    page.try_map(|row| row.shown(cx.now()))
}
