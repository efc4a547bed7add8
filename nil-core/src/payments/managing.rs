//! What operators see of payments, payouts and wallets.

use schemars::JsonSchema;
use serde::Deserialize;

use super::histories::{Totals, span};
use super::ledger::LedgerEntry;
use super::payment::{Payment, PaymentStatus};
use super::payout::{Payout, PayoutStatus};
use super::store::{self, records::Wanted};
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, ContractId, Date, Listing, PageNumber, Paging, PartnerId, PaymentId, PerPage, Text,
    UserId,
};
use crate::operation::Cx;

vocabulary! {
    /// How payments are ordered.
    PaymentSort {
        /// Oldest first.
        Oldest = "created_at",
        /// Newest first.
        Newest = "-created_at",
        /// Smallest amount first.
        Smallest = "amount_cents",
        /// Largest amount first.
        Largest = "-amount_cents",
    }
}

/// Which payments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListPayments {
    /// `all`, or a payment's status.
    pub status: Text<1, 40>,
    /// One payment, or `0` for all.
    pub id: i64,
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// The order (default newest first).
    pub sort: Option<PaymentSort>,
    /// Part of a number, of a name or of a job's title.
    pub q: Option<Text<0, 100>>,
    /// Only this brand's.
    pub partner_id: Option<PartnerId>,
    /// Only this athlete's.
    pub athlete_id: Option<AthleteId>,
    /// Only under this contract.
    pub contract_id: Option<ContractId>,
    /// The first day, by UTC.
    pub from: Option<Date>,
    /// The last day, by UTC.
    pub to: Option<Date>,
}

/// Which payouts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListPayouts {
    /// `all`, or a payout's status.
    pub status: Text<1, 40>,
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// Only this athlete's.
    pub athlete_id: Option<AthleteId>,
}

/// Whose wallet.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WalletHistory {
    /// The user.
    pub id: UserId,
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
}

/// The status of a path, where `all` is every one; 422 with the list for any other word.
pub(super) fn status<S: std::str::FromStr<Err = String>>(text: &str) -> Result<Option<S>> {
    match text {
        "all" => Ok(None),
        word => word
            .parse()
            .map(Some)
            .map_err(|message| Error::invalid("status", format!("{message}, or all"))),
    }
}

/// Lists payments, newest first, with totals. 422 for an unknown status, 404 for an unknown id.
pub async fn list(cx: Cx<Operator>, input: ListPayments) -> Result<Listing<Payment, Totals>> {
    let status: Option<PaymentStatus> = status(&input.status)?;
    let id = match input.id {
        0 => None,
        id => Some(PaymentId::new(id).ok_or(codes::NOT_FOUND)?),
    };
    let (from, until) = span(input.from, input.to)?;
    let sort = input.sort.unwrap_or(PaymentSort::Newest);
    let wanted = Wanted {
        id,
        charge: None,
        partner: input.partner_id,
        athlete: input.athlete_id,
        contract: input.contract_id,
        statuses: status.into_iter().collect(),
        from,
        until,
        q: input.q.as_deref().map(str::to_owned),
        ascending: matches!(sort, PaymentSort::Oldest | PaymentSort::Smallest),
        by_amount: matches!(sort, PaymentSort::Smallest | PaymentSort::Largest),
    };
    let paging = Paging::new(input.page, input.per_page);
    let mut session = cx.read().await?;
    let sums = store::records::sums(&mut session, &wanted).await?;
    if id.is_some() && sums.count == 0 {
        return Err(codes::NOT_FOUND.into());
    }
    let payments = store::records::page(&mut session, &wanted, paging).await?;
    Ok(Listing::new(payments, paging, sums.count).with(sums.into()))
}

/// Lists payouts of athletes and agents, newest first. 422 for an unknown status.
pub async fn list_payouts(cx: Cx<Operator>, input: ListPayouts) -> Result<Listing<Payout>> {
    let status: Option<PayoutStatus> = status(&input.status)?;
    let paging = Paging::new(input.page, input.per_page);
    let mut session = cx.read().await?;
    let (payouts, total) =
        store::payout::page(&mut session, status, input.athlete_id, paging).await?;
    Ok(Listing::new(payouts, paging, total))
}

/// The movements of a user's money, newest first: an athlete's or agent's wallet and what they owe
/// back, a brand's or agent's card. 404 for an unknown user.
pub async fn wallet_history(
    cx: Cx<Operator>,
    input: WalletHistory,
) -> Result<Listing<LedgerEntry>> {
    let mut session = cx.read().await?;
    let accounts: Vec<String> = store::account::ledger_of_user(&mut session, input.id)
        .await?
        .ok_or(codes::NOT_FOUND)?
        .iter()
        .map(ToString::to_string)
        .collect();
    let paging = Paging::new(input.page, input.per_page);
    if accounts.is_empty() {
        return Ok(Listing::new(Vec::new(), paging, 0));
    }
    let (entries, total) = store::ledger::entries(&mut session, &accounts, paging).await?;
    Ok(Listing::new(entries, paging, total))
}
