//! Transactions, one by one.

use super::filter::{Wanted, filtered};
use super::store::transaction as store;
use super::transaction::Transaction;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Listing, PageNumber, Paging, PerPage, Text};
use crate::operation::Cx;

vocabulary! {
    /// The order of transactions.
    TransactionSort {
        /// Newest first.
        Newest = "-occurred_at",
        /// Oldest first.
        Oldest = "occurred_at",
        /// Greatest amounts first.
        Greatest = "-gross_cents",
        /// Least amounts first.
        Least = "gross_cents",
    }
}

filtered! {
    /// Which transactions.
    ListTransactions {
        /// The page, from 1.
        page: Option<PageNumber>,
        /// Records per page.
        per_page: Option<PerPage>,
        /// The order (default: newest first).
        sort: Option<TransactionSort>,
        /// Part of the number, the athlete's or the payer's name.
        q: Option<Text<0, 100>>,
    }
}

/// Lists what athletes of the caller's institution were paid on the platform, and the deals they disclosed,
/// newest first; a caller who is limited to certain sports sees those.
pub async fn list(cx: Cx<PortalUser>, input: ListTransactions) -> Result<Listing<Transaction>> {
    let paging = Paging::new(input.page, input.per_page);
    let mut session = cx.read().await?;
    let wanted = Wanted::of(&cx, &mut session, input.filter()).await?;
    let words = input.q.as_deref().map(str::trim).unwrap_or_default();
    let sort = input.sort.unwrap_or(TransactionSort::Newest);
    let (rows, total) = store::page(&mut session, &wanted, words, sort, paging).await?;
    let rows = rows.into_iter().map(Transaction::flagged).collect();
    Ok(Listing::new(rows, paging, total))
}
