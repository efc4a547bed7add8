//! The public list of colleges.

use super::college::ListColleges;
use super::{College, store};
use crate::auth::Anyone;
use crate::error::Result;
use crate::kernel::{Followed, Listing};
use crate::operation::Cx;

/// Lists the selectable colleges by name (contract: Core *Public*).
pub async fn list(cx: Cx<Anyone>, input: Followed<ListColleges>) -> Result<Listing<College>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::listed(&mut session, &input, place).await
}
