//! Operators list payments, payouts and wallets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{PaymentFilter, PaymentSort};
use super::history::PaymentTotals;
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{
    AllOr, AthleteId, Combined, Date, Followed, Listing, PaymentId, Sifted, Text, UserId, ZeroOr,
    days,
};
use crate::operation::Cx;
use crate::payments::charges::payment::{Payment, PaymentStatus};
use crate::payments::ledger::LedgerEntry;
use crate::payments::movement::CONFIRMED_WITHIN;
use crate::payments::payouts::payout::{ListedPayout, PayoutStatus};
use crate::payments::store;

/// Selects payments.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListPayments {
    /// `all`, or a payment's status.
    pub status: AllOr<PaymentStatus>,
    /// One payment, or `0` for all.
    pub id: ZeroOr<PaymentId>,
    /// Only payments with a refund that the processor has not confirmed for a day, or only the
    /// others.
    pub refund_unconfirmed: Option<bool>,
    /// The order (default newest first).
    pub sort: Option<PaymentSort>,
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
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
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
    let mut wanted = filter.wanted(input.id.one()?, input.status.one(), input.sort)?;
    wanted.unconfirmed = input.refund_unconfirmed.map(|is| (is, cx.now() - CONFIRMED_WITHIN));
    let mut session = cx.read().await?;
    let (page, sums) = store::records::page(&mut session, &wanted, place).await?;
    Ok(input.id.found(page)?.with(sums.into()))
}

/// Lists payouts of athletes and agents. 422 for an unknown status, and for days in the wrong
/// order.
pub async fn list_payouts(
    cx: Cx<Operator>,
    input: Followed<ListPayouts>,
) -> Result<Listing<ListedPayout>> {
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

/// Lists the movements of a user's money, newest first: an athlete's or agent's wallet and
/// receivable, a brand's or agent's card. `q` looks in the reasons and in the records they refer
/// to. 404 for an unknown user.
pub async fn wallet_history(
    cx: Cx<Operator>,
    input: Sifted<WalletHistory>,
) -> Result<Listing<LedgerEntry>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let accounts: Vec<String> = store::account::ledger_of_user(&mut session, input.id)
        .await?
        .iter()
        .map(ToString::to_string)
        .collect();
    if accounts.is_empty() {
        return Ok(Listing::new(Vec::new(), place.numbered()?, 0));
    }
    store::ledger::entries(&mut session, &accounts, &sift, place).await
}
