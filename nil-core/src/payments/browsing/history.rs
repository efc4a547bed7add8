//! Payment histories and wallets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::Wanted;
use crate::auth::{Athlete, Partner, Payee};
use crate::error::Result;
use crate::kernel::{
    Cents, Date, Followed, FollowedPage, Limit, Listing, Many, Nothing, Text, Time, days,
};
use crate::operation::Cx;
use crate::payments::charges::payment::{Payment, PaymentStatus};
use crate::payments::ledger::{Account, LedgerEntry, Owner};
use crate::payments::payouts::hold;
use crate::payments::payouts::payout::HeldCommission;
use crate::payments::payouts::payout_settings::owner;
use crate::payments::store::{self, records::Sums};
use crate::storage::Session;

/// Selects payments.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct History {
    /// Only payments with these statuses.
    pub statuses: Option<Many<PaymentStatus, 0, 10>>,
    /// The first day, by UTC.
    pub from: Option<Date>,
    /// The last day, by UTC.
    pub to: Option<Date>,
    /// Part of a number, of a name or of a job's title.
    pub q: Option<Text<0, 100>>,
}

/// The totals of a list of payments, over those that were charged.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PaymentTotals {
    /// The totals.
    pub totals: TotalCents,
}

/// The sums of a list of payments.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TotalCents {
    /// What the athletes were paid, commissions included.
    pub amount_cents: Cents,
    /// The platform's fees.
    pub fee_cents: Cents,
    /// The agents' commissions.
    pub agent_commission_cents: Cents,
    /// What the cards were charged.
    pub total_cents: Cents,
    /// How much of the amounts was refunded.
    pub refunded_cents: Cents,
    /// The currency, `usd`.
    pub currency: &'static str,
}

impl From<Sums> for PaymentTotals {
    fn from(sums: Sums) -> Self {
        Self {
            totals: TotalCents {
                amount_cents: sums.amount_cents,
                fee_cents: sums.fee_cents,
                agent_commission_cents: sums.commission_cents,
                total_cents: sums.amount_cents + sums.fee_cents,
                refunded_cents: sums.refunded_cents,
                currency: "usd",
            },
        }
    }
}

/// The payments of the calling athlete, newest first, with totals.
pub async fn of_athlete(
    cx: Cx<Athlete>,
    input: Followed<History>,
) -> Result<Listing<Payment, PaymentTotals>> {
    let (input, place) = cx.place(input)?;
    let wanted = Wanted { athlete: Some(cx.caller.id), ..wanted(input)? };
    list(&mut cx.read().await?, &wanted, place).await
}

/// The payments of the calling brand, newest first, with totals.
pub async fn of_partner(
    cx: Cx<Partner>,
    input: Followed<History>,
) -> Result<Listing<Payment, PaymentTotals>> {
    let (input, place) = cx.place(input)?;
    let wanted = Wanted { partner: Some(cx.caller.id), ..wanted(input)? };
    list(&mut cx.read().await?, &wanted, place).await
}

fn wanted(input: History) -> Result<Wanted> {
    let (from, until) = days(input.from, input.to)?;
    Ok(Wanted {
        statuses: Many::or_none(input.statuses),
        from,
        until,
        q: input.q.as_deref().map(str::to_owned),
        ..Wanted::default()
    })
}

async fn list(
    session: &mut Session,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<Listing<Payment, PaymentTotals>> {
    let (page, sums) = store::records::page(session, wanted, place).await?;
    Ok(page.with(sums.into()))
}

/// A user's balances with the platform.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Wallet {
    /// The balance.
    pub balance_cents: Cents,
    /// How much of it can be paid out now. The rest is commission that waits, disputed, or not
    /// available at the processor yet.
    pub available_cents: Cents,
    /// How much of it waits because a cardholder's bank may take it back.
    pub disputed_cents: Cents,
    /// How much of it waits because the processor cannot pay it out yet: a card was charged a few
    /// days ago.
    pub funds_pending_cents: Cents,
    /// An agent's commission that waits because the athlete can still cancel the contract with the
    /// agent, the soonest to be free first. Empty for others.
    pub held: Vec<HeldCommission>,
    /// Money on its way to the bank, or waiting to be sent.
    pub under_way_cents: Cents,
    /// What the user owes back; deducted from later earnings.
    pub owed_back_cents: Cents,
    /// What has arrived at the bank so far.
    pub paid_out_cents: Cents,
    /// What was withheld for the tax office so far.
    pub withheld_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The latest movements, newest first.
    pub entries: Vec<LedgerEntry>,
}

/// Returns the caller's wallet with its latest movements (extension).
pub async fn wallet(cx: Cx<Payee>, _: Nothing) -> Result<Wallet> {
    let owner = owner(cx.caller);
    let mut session = cx.read().await?;
    let ours = [Account::Wallet(owner), Account::Receivable(owner)].map(|of| of.to_string());
    let entries = store::ledger::newest(&mut session, &ours, Limit::default()).await?;
    let held = hold::commission(&mut session, owner, cx.now()).await?;
    let found = balances(&mut session, owner, cx.now()).await?;
    Ok(Wallet {
        balance_cents: found.balance_cents,
        available_cents: found.available_cents,
        disputed_cents: found.disputed_cents,
        funds_pending_cents: found.funds_pending_cents,
        held,
        under_way_cents: found.under_way_cents,
        owed_back_cents: found.owed_back_cents,
        paid_out_cents: found.paid_out_cents,
        withheld_cents: found.withheld_cents,
        currency: found.currency.into(),
        entries,
    })
}

/// What a user has earned and paid, and where the money is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Balances {
    /// What was earned so far, less refunds; 0 for a brand.
    pub earned_cents: Cents,
    /// The balance of the wallet.
    pub balance_cents: Cents,
    /// How much of it can be paid out now. The rest is disputed, or not available at the processor
    /// yet, or an agent's commission that waits because the athlete can still cancel the contract
    /// with the agent.
    pub available_cents: Cents,
    /// How much of it waits because a cardholder's bank may take it back.
    pub disputed_cents: Cents,
    /// How much of it waits because the processor cannot pay it out yet: a card was charged a few
    /// days ago.
    pub funds_pending_cents: Cents,
    /// Money on its way to the bank, or waiting to be sent.
    pub under_way_cents: Cents,
    /// What has arrived at the bank so far.
    pub paid_out_cents: Cents,
    /// What the user owes back; deducted from later earnings.
    pub owed_back_cents: Cents,
    /// What was withheld for the tax office so far.
    pub withheld_cents: Cents,
    /// What the user's cards were charged, less refunds; 0 for an athlete.
    pub charged_cents: Cents,
    /// The currency, `usd`.
    pub currency: &'static str,
}

/// The balances of a user, from the ledger's accounts: nothing is added up but payouts under way
/// and commission that waits.
pub async fn balances(session: &mut Session, owner: Owner, now: Time) -> Result<Balances> {
    let wallet = Account::Wallet(owner).to_string();
    let [receivable, bank, card, withheld] = [
        Account::Receivable(owner),
        Account::Bank(owner),
        Account::Card(owner),
        Account::Withheld(owner),
    ]
    .map(|account| account.to_string());
    let under_way_cents = store::account::under_way(session, &wallet).await?;
    let names = [wallet, receivable, bank, card, withheld];
    let found = store::ledger::balances(session, &names).await?;
    let [balance_cents, owed, paid_out_cents, card, withheld_cents] =
        names.map(|name| found.get(&name).copied().unwrap_or_default());
    let waits = hold::waiting(session, owner, now).await?;
    Ok(Balances {
        available_cents: (balance_cents - waits.all()).max(Cents::ZERO),
        disputed_cents: waits.disputed,
        funds_pending_cents: waits.funds,
        earned_cents: balance_cents + under_way_cents + paid_out_cents + withheld_cents + owed,
        balance_cents,
        under_way_cents,
        paid_out_cents,
        owed_back_cents: -owed,
        withheld_cents,
        charged_cents: -card,
        currency: "usd",
    })
}
