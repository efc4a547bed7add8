//! The rows of payouts.

use chrono::TimeDelta;
use sea_query::{Expr, ExprTrait as _, Func, Order, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{
    AgentId, AthleteId, Cents, Date, FollowedPage, Listing, Moved, PayoutId, Rested, Time,
};
use crate::payments::browsing::filter::{ExportedPayouts, PaymentSort};
use crate::payments::ledger::{Account, Owner};
use crate::payments::payouts::payout::{HoldReason, ListedPayout, Payout, PayoutStatus};
use crate::storage::{
    Among as _, Narrow as _, Selected as _, Session, advance, contains, insert, sorted, sql, update,
};

fn select() -> SelectStatement {
    Query::select().columns(Payout::COLUMNS.iter().copied()).from("payout").take()
}

/// The name of the payee: an athlete or an agency.
const NAMES: [&str; 2] = [
    "(SELECT t.display_name FROM athlete t WHERE t.id = payout.athlete_id)",
    "(SELECT g.agency_name FROM agent g WHERE g.id = payout.agent_id)",
];

/// How long after its arrival a payout is first checked for a bank return.
const FIRST_LOOK: TimeDelta = TimeDelta::days(1);

/// A payout.
pub async fn find(session: &mut Session, id: PayoutId) -> Result<Option<Payout>> {
    let query = select().and_where(Expr::col("id").eq(id.get())).take();
    session.first(query).await
}

/// A payout, locked until the transaction ends.
pub async fn locked(session: &mut Session, id: PayoutId) -> Result<Payout> {
    let query =
        select().and_where(Expr::col("id").eq(id.get())).lock(sea_query::LockType::Update).take();
    session.one(query).await
}

/// The payout of a wallet that is under way, if any; there is at most one.
pub async fn live(session: &mut Session, owner: Owner) -> Result<Option<Payout>> {
    let under_way =
        PayoutStatus::ALL.iter().filter(|status| status.under_way()).map(|status| status.as_str());
    let query = select()
        .and_where(Expr::col("wallet").eq(Account::Wallet(owner).to_string()))
        .and_where(Expr::col("status").among(under_way))
        .take();
    session.first(query).await
}

/// The payout that retries a failed one.
pub async fn retry_of(session: &mut Session, id: PayoutId) -> Result<Option<Payout>> {
    let query = select().and_where(Expr::col("retry_of").eq(id.get())).take();
    session.first(query).await
}

/// A payout to write.
pub struct NewPayout<'a> {
    pub owner: Owner,
    pub amount: Cents,
    pub holds: Vec<HoldReason>,
    pub again: Option<&'a Payout>,
    pub now: Time,
}

/// Writes a payout: on hold if there is a reason, otherwise pending.
pub async fn add(session: &mut Session, new: NewPayout<'_>) -> Result<Payout> {
    let athlete: Option<AthleteId> = match new.owner {
        Owner::Athlete(id) => Some(id),
        _ => None,
    };
    let agent: Option<AgentId> = match new.owner {
        Owner::Agent(id) => Some(id),
        _ => None,
    };
    let status = if new.holds.is_empty() { PayoutStatus::Pending } else { PayoutStatus::OnHold };
    session
        .one(
            insert("payout")
                .set("wallet", Account::Wallet(new.owner).to_string())
                .set("athlete_id", athlete)
                .set("agent_id", agent)
                .set("amount_cents", new.amount)
                .set("status", status)
                .set("attempt", new.again.map_or(1, |failed| failed.attempt + 1))
                .set("retry_of", new.again.map(|failed| failed.id))
                .set("hold_reasons", serde_json::json!(new.holds))
                .set("pending_since", new.holds.is_empty().then_some(new.now))
                .set("created_at", new.now)
                .set("updated_at", new.now)
                .returning(Payout::COLUMNS),
        )
        .await
}

/// The facts that come with a change of status.
#[derive(Debug, Default)]
pub struct Facts<'a> {
    pub transfer: Option<&'a str>,
    pub arrives_on: Option<Date>,
    pub failure: Option<&'a str>,
}

/// Changes a payout's status.
pub async fn change(
    session: &mut Session,
    id: PayoutId,
    moved: Moved<PayoutStatus>,
    facts: Facts<'_>,
    now: Time,
) -> Result<()> {
    let mut row = advance("payout", id, moved, now)
        .given("processor_transfer_id", facts.transfer)
        .given("arrives_on", facts.arrives_on)
        .given("failure_code", facts.failure);
    if moved.to() == PayoutStatus::Pending {
        row = row.set("pending_since", now);
    }
    let watched = moved.to() == PayoutStatus::Paid;
    row = row.set("watch_at", watched.then_some(now + FIRST_LOOK));
    if moved.from() == PayoutStatus::OnHold {
        row = row.set("hold_reasons", serde_json::json!([]));
    }
    session.change(row).await
}

/// Records that asking about a payout gave no outcome.
pub async fn touch(session: &mut Session, id: PayoutId, now: Time) -> Result<()> {
    session.run(update("payout").set("updated_at", now).when("id", id)).await.map(|_| ())
}

/// Arrived payouts that are due for a check for a bank return.
pub async fn watched(session: &mut Session, now: Time) -> Result<Vec<Payout>> {
    let query = select()
        .and_where(Expr::col("watch_at").lte(now))
        .order_by("watch_at", Order::Asc)
        .order_by("id", Order::Asc)
        .limit(100)
        .take();
    session.all(query).await
}

/// Sets the next check of an arrived payout; `None` ends the checks.
pub async fn watch(session: &mut Session, id: PayoutId, next: Option<Time>) -> Result<()> {
    let row =
        update("payout").set("watch_at", next).when("id", id).when("status", PayoutStatus::Paid);
    session.run(row).await.map(|_| ())
}

/// Payouts on hold that have rested since the last check.
pub async fn held(session: &mut Session, rested: Rested) -> Result<Vec<Payout>> {
    let query = select()
        // A literal, so that the database can use the partial index.
        .and_where(Expr::cust("status = 'on_hold'"))
        .and_where(
            Expr::col("updated_at").lte(rested.until).or(Expr::col("updated_at").gt(rested.ahead)),
        )
        .order_by("updated_at", Order::Asc)
        .order_by("id", Order::Asc)
        .limit(100)
        .take();
    session.all(query).await
}

/// Payouts to retry: failed after `from` and by `until`, in fewer than `attempts` attempts, without
/// a later payout of their wallet, and with the money still there. Payouts that were never sent are
/// excluded. The least recently checked comes first.
pub async fn to_try_again(
    session: &mut Session,
    from: Time,
    until: Time,
    attempts: i64,
) -> Result<Vec<Payout>> {
    session
        .all(
            sql("SELECT p.id, p.athlete_id, p.agent_id, p.amount_cents, p.status, \
                 p.attempt, p.retry_of, p.hold_reasons, p.failure_code, p.processor_transfer_id, \
                 p.arrives_on, p.created_at, p.updated_at FROM payout p \
                 JOIN ledger_account l ON l.name = p.wallet \
                 WHERE p.status = 'failed' AND COALESCE(p.looked_at, p.updated_at) > $1 \
                 AND p.updated_at > $1 AND p.updated_at <= $2 AND p.attempt < $3 \
                 AND p.pending_since IS NOT NULL \
                 AND l.balance_cents >= p.amount_cents \
                 AND NOT EXISTS (SELECT 1 FROM payout later \
                     WHERE later.wallet = p.wallet AND later.id > p.id) \
                 ORDER BY COALESCE(p.looked_at, p.updated_at), p.id LIMIT 100")
            .bind(from)
            .bind(until)
            .bind(attempts),
        )
        .await
}

/// Records that a failed payout could not be retried, so that others come first in the next round.
pub async fn looked_at(session: &mut Session, id: PayoutId, now: Time) -> Result<()> {
    session.run(update("payout").set("looked_at", now).when("id", id)).await.map(|_| ())
}

/// The payouts to list.
#[derive(Clone, Copy, Debug)]
pub struct WantedPayouts<'a> {
    pub status: Option<PayoutStatus>,
    pub athlete: Option<AthleteId>,
    pub from: Option<Time>,
    pub until: Option<Time>,
    /// Part of the payee's name.
    pub q: Option<&'a str>,
    pub sort: PaymentSort,
}

/// A page of payouts.
pub async fn page(
    session: &mut Session,
    wanted: &WantedPayouts<'_>,
    place: FollowedPage,
) -> Result<Listing<ListedPayout>> {
    let mut rows = select();
    rows.expr_as(Func::coalesce(NAMES.map(Expr::cust)), "payee_name")
        .only("status", wanted.status)
        .only("athlete_id", wanted.athlete)
        .only_from("created_at", wanted.from)
        .only_before("created_at", wanted.until)
        .cond_where(contains(NAMES.map(Expr::cust), wanted.q));
    session.follow(sorted(rows, wanted.sort.keys(Expr::col)), place).await
}

/// The next payouts of an export, in the order of their ids; empty after the last one.
pub async fn after(
    session: &mut Session,
    wanted: &ExportedPayouts,
    last: Option<PayoutId>,
    most: u64,
) -> Result<Vec<Payout>> {
    let mut rows = select();
    rows.only("status", wanted.status)
        .only("athlete_id", wanted.athlete)
        .only_from("created_at", wanted.from)
        .only_before("created_at", wanted.until)
        .behind([("payout", "id")], Order::Asc, last.map(|last| [last.get().into()]))
        .limit(most);
    session.all(rows).await
}
