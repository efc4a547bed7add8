//! Operators list payments, payouts and wallets.

use schemars::JsonSchema;
use sea_query::Order;
use serde::{Deserialize, Serialize};

use super::history::PaymentTotals;
use super::ledger::LedgerEntry;
use super::payment::{Payment, PaymentStatus};
use super::payout::{Payout, PayoutStatus};
use super::store::{self, records::Wanted};
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::combined::shared;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AllOr, AthleteId, Combined, ContractId, Date, Followed, Listing, PartnerId, PaymentId, Sifted,
    Text, UserId, ZeroOr, days,
};
use crate::operation::Cx;

vocabulary! {
    /// The order of payments.
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

impl PaymentSort {
    /// The order of the amount or of the id.
    pub(super) const fn order(self) -> Order {
        match self {
            Self::Oldest | Self::Smallest => Order::Asc,
            Self::Newest | Self::Largest => Order::Desc,
        }
    }

    /// Whether the amount comes first.
    pub(super) const fn by_amount(self) -> bool {
        matches!(self, Self::Smallest | Self::Largest)
    }
}

/// Selects payments.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListPayments {
    /// `all`, or a payment's status.
    pub status: AllOr<PaymentStatus>,
    /// One payment, or `0` for all.
    pub id: ZeroOr<PaymentId>,
    /// The order (default newest first).
    pub sort: Option<PaymentSort>,
}

/// What narrows a list or an export of payments.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct PaymentFilter {
    /// Part of a number, of a name or of a job's title.
    pub q: Option<Text<0, 100>>,
    /// Only this brand's payments.
    pub partner_id: Option<PartnerId>,
    /// Only this athlete's payments.
    pub athlete_id: Option<AthleteId>,
    /// Only payments under this contract.
    pub contract_id: Option<ContractId>,
    /// The first day, by UTC.
    pub from: Option<Date>,
    /// The last day, by UTC.
    pub to: Option<Date>,
}

shared!(PaymentFilter { q, partner_id, athlete_id, contract_id, from, to });

impl PaymentFilter {
    /// The payments it selects. 422 for days in the wrong order.
    pub(super) fn wanted(
        self,
        id: Option<PaymentId>,
        status: Option<PaymentStatus>,
        sort: Option<PaymentSort>,
    ) -> Result<Wanted> {
        let (from, until) = days(self.from, self.to)?;
        Ok(Wanted {
            id,
            charge: None,
            partner: self.partner_id,
            athlete: self.athlete_id,
            contract: self.contract_id,
            statuses: status.into_iter().collect(),
            from,
            until,
            q: self.q.map(|q| q.to_string()),
            sort,
        })
    }
}

/// Selects payouts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListPayouts {
    /// `all`, or a payout's status.
    pub status: AllOr<PayoutStatus>,
    /// Only this athlete's payouts.
    pub athlete_id: Option<AthleteId>,
    /// Part of the name of the athlete or of the agency.
    pub q: Option<Text<0, 100>>,
    /// The first day, by UTC.
    #[schemars(extend("examples" = [null]))]
    pub from: Option<Date>,
    /// The last day, by UTC.
    #[schemars(extend("examples" = [null]))]
    pub to: Option<Date>,
    /// The order (default newest first).
    pub sort: Option<PaymentSort>,
}

/// Selects a user's wallet.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WalletHistory {
    /// The user.
    pub id: UserId,
}

/// Lists payments, newest first, with totals. 422 for an unknown status, 404 for an unknown id.
pub async fn list(
    cx: Cx<Operator>,
    input: Followed<Combined<PaymentFilter, ListPayments>>,
) -> Result<Listing<Payment, PaymentTotals>> {
    let (Combined { own: input, shared: filter }, place) = cx.place(input)?;
    let wanted = filter.wanted(input.id.one()?, input.status.one(), input.sort)?;
    let mut session = cx.read().await?;
    let (page, sums) = store::records::page(&mut session, &wanted, place).await?;
    Ok(input.id.found(page)?.with(sums.into()))
}

/// Lists payouts of athletes and agents. 422 for an unknown status, and for days in the wrong order.
pub async fn list_payouts(
    cx: Cx<Operator>,
    input: Followed<ListPayouts>,
) -> Result<Listing<Payout>> {
    let (input, place) = cx.place(input)?;
    let (from, until) = days(input.from, input.to)?;
    let wanted = store::payout::WantedPayouts {
        status: input.status.one(),
        athlete: input.athlete_id,
        from,
        until,
        q: input.q.as_deref(),
        sort: input.sort.unwrap_or(PaymentSort::Newest),
    };
    let mut session = cx.read().await?;
    store::payout::page(&mut session, &wanted, place).await
}

/// Lists the movements of a user's money, newest first: an athlete's or agent's wallet and receivable, a
/// brand's or agent's card. `q` looks in the reasons and in the records they refer to. 404 for an unknown user.
pub async fn wallet_history(
    cx: Cx<Operator>,
    input: Sifted<WalletHistory>,
) -> Result<Listing<LedgerEntry>> {
    let (Combined { own: input, shared: sift }, paging) = input.parts();
    let mut session = cx.read().await?;
    let accounts: Vec<String> = store::account::ledger_of_user(&mut session, input.id)
        .await?
        .iter()
        .map(ToString::to_string)
        .collect();
    if accounts.is_empty() {
        return Ok(Listing::new(Vec::new(), paging, 0));
    }
    store::ledger::entries(&mut session, &accounts, &sift, paging).await
}
