//! What is left to settle of one person, read by one statement.

use std::sync::LazyLock;

use crate::error::Result;
use crate::kernel::Cents;
use crate::payments::ledger::{Account, Owner};
use crate::storage::{FromRow, Session, sql};

/// The numbers and amounts.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Remaining {
    pub contracts: i64,
    pub orders: i64,
    pub owed_cents: Cents,
    pub payments: i64,
    pub refunds: i64,
    pub disputes: i64,
    pub subscription: i64,
    pub payouts: i64,
    pub wallet_cents: Cents,
    pub owed_back_cents: Cents,
}

/// The statement for the contracts that name the owner in this column. Only athletes and brands
/// have orders, only brands and agents subscribe, and only brands are charged. Early warnings do
/// not count: nobody decides them.
fn text(whose: &str, orders: &str, subscribed: &str, charges: &str, disputes: &[&str]) -> String {
    const UNDECIDED: &str = "d.kind <> 'early_warning' \
        AND d.status IN ('warning', 'needs_response', 'under_review')";
    let disputes: Vec<String> = disputes
        .iter()
        .map(|of| format!("(SELECT COUNT(*) FROM dispute d {of} AND {UNDECIDED})"))
        .collect();
    let disputes = disputes.join(" + ");
    // What contracts earned in a table, less what payments that have not failed settled of it.
    let unpaid = |table: &str, amount: &str, shares: &str, named: &str, which: &str| {
        format!(
            "(SELECT COALESCE(SUM(w.{amount}), 0) FROM {table} w \
             JOIN contract c ON c.id = w.contract_id WHERE c.{whose} = $1 {which}) \
             - (SELECT COALESCE(SUM(s.amount_cents), 0) FROM {table} w \
             JOIN contract c ON c.id = w.contract_id JOIN {shares} s ON s.{named} = w.id \
             JOIN payment p ON p.id = s.payment_id \
             WHERE c.{whose} = $1 AND p.status <> 'failed' {which})"
        )
    };
    let approved = "AND w.status = 'approved'";
    let work = unpaid("deliverable", "amount_cents", "payment_share", "deliverable_id", approved);
    let conversion = "affiliate_conversion";
    let commission =
        unpaid(conversion, "commission_cents", "commission_share", "conversion_id", "");
    let paid =
        format!("FROM payment p JOIN contract c ON c.id = p.contract_id WHERE c.{whose} = $1");
    format!(
        "SELECT (SELECT COUNT(*) FROM contract c WHERE c.{whose} = $1 \
         AND c.status IN ('generated', 'active')) AS contracts, \
         {orders} AS orders, CAST({work} + {commission} AS BIGINT) AS owed_cents, \
         (SELECT COUNT(*) {paid} AND p.status IN ('pending', 'processing')) + {charges} AS payments, \
         (SELECT COUNT(*) FROM refund r JOIN payment p ON p.id = r.payment_id \
         JOIN contract c ON c.id = p.contract_id WHERE c.{whose} = $1 AND r.status = 'pending') \
         AS refunds, {disputes} AS disputes, {subscribed} AS subscription, \
         (SELECT COUNT(*) FROM payout o WHERE o.wallet = $2 \
         AND o.status IN ('on_hold', 'pending', 'in_transit')) AS payouts, \
         COALESCE((SELECT balance_cents FROM ledger_account WHERE name = $2), 0) AS wallet_cents, \
         COALESCE((SELECT -balance_cents FROM ledger_account WHERE name = $3), 0) \
         AS owed_back_cents"
    )
}

/// Disputes of cards of a brand.
const OF_BRAND: &str = "WHERE d.partner_id = $1";
/// Disputes of cards of an agent, for a subscription.
const OF_AGENT: &str = "WHERE d.agent_id = $1";
/// Disputes of payments to an athlete.
const TO_ATHLETE: &str = "WHERE EXISTS (SELECT 1 FROM dispute_share s \
    WHERE s.dispute_id = d.id AND s.athlete_id = $1)";
/// Disputes of payments with commission for an agent.
const TO_AGENT: &str = "WHERE EXISTS (SELECT 1 FROM dispute_share s \
    WHERE s.dispute_id = d.id AND s.agent_id = $1)";

const OPEN: &str = "status IN ('ordered', 'accepted', 'delivered')";

static ATHLETE: LazyLock<String> = LazyLock::new(|| {
    let orders = format!("(SELECT COUNT(*) FROM service_order WHERE athlete_id = $1 AND {OPEN})");
    text("athlete_id", &orders, "CAST(0 AS BIGINT)", "0", &[TO_ATHLETE])
});

static PARTNER: LazyLock<String> = LazyLock::new(|| {
    let orders = format!("(SELECT COUNT(*) FROM service_order WHERE partner_id = $1 AND {OPEN})");
    let charges = "(SELECT COUNT(*) FROM charge WHERE partner_id = $1 \
        AND status IN ('processing', 'requires_action'))";
    text("partner_id", &orders, &subscribed("partner_id"), charges, &[OF_BRAND])
});

static AGENT: LazyLock<String> = LazyLock::new(|| {
    let disputes = [OF_AGENT, TO_AGENT];
    text("agent_id", "CAST(0 AS BIGINT)", &subscribed("agent_id"), "0", &disputes)
});

fn subscribed(whose: &str) -> String {
    format!(
        "(SELECT COUNT(*) FROM subscription_charge h \
         JOIN subscription_period q ON q.id = h.period_id \
         JOIN subscription s ON s.id = q.subscription_id \
         WHERE s.{whose} = $1 AND (h.status IN ('processing', 'requires_action') \
         OR EXISTS (SELECT 1 \
         FROM subscription_refund r WHERE r.charge_id = h.id AND r.status = 'pending')))"
    )
}

/// What is left of this owner's.
pub async fn of(session: &mut Session, owner: Owner) -> Result<Remaining> {
    let (text, id): (&'static str, i64) = match owner {
        Owner::Athlete(id) => (&ATHLETE, id.get()),
        Owner::Partner(id) => (&PARTNER, id.get()),
        Owner::Agent(id) => (&AGENT, id.get()),
    };
    let wallet = Account::Wallet(owner).to_string();
    let receivable = Account::Receivable(owner).to_string();
    session.one(sql(text).bind(id).bind(wallet).bind(receivable)).await
}
