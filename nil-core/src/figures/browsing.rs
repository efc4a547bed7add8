//! Lists of transactions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{Filtered, Wanted};
use super::store::transaction as store;
use super::transaction::{Transaction, TransactionSort};
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{Followed, Listing};
use crate::operation::Cx;

/// Selects transactions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListTransactions {
    /// The order (default: newest first).
    pub sort: Option<TransactionSort>,
}

/// Lists payments to athletes of the caller's institution on the platform, and the deals they
/// disclosed, newest first; callers limited to certain sports see only those.
pub async fn list(
    cx: Cx<PortalUser>,
    input: Followed<Filtered<ListTransactions>>,
) -> Result<Listing<Transaction>> {
    let (input, place) = cx.place(input)?;
    let (input, filter) = input.parts();
    let mut session = cx.read().await?;
    let wanted = Wanted::of(&cx, &mut session, filter).await?;
    let sort = input.sort.unwrap_or(TransactionSort::Newest);
    let page = store::page(&mut session, &wanted, sort, place).await?;
    Ok(page.map(Transaction::flagged))
}
