//! The rows of payout accounts.

use chrono_tz::Tz;

use crate::error::Result;
use crate::kernel::{AgentId, Cents, Time, UserId};
use crate::payments::PayoutAccount;
use crate::payments::ledger::{Account, Owner};
use crate::payments::payouts::payout::HeldCommission;
use crate::payments::payouts::payout_account::PayoutPreference;
use crate::storage::{FromRow, Selected as _, Session, insert, sql, update};

macro_rules! account {
    ($column:literal) => {
        concat!(
            "SELECT id, owner, processor_account_id, kind, charges_enabled, payouts_enabled, \
             requirements_due, requirements_due_by, restriction, status, preference, created_at, \
             updated_at FROM payout_account WHERE ",
            $column,
            " = $1"
        )
    };
}
const OF_OWNER: &str = account!("owner");

/// The account of an owner.
pub async fn of_owner(session: &mut Session, owner: &str) -> Result<Option<PayoutAccount>> {
    session.first(sql(OF_OWNER).bind(owner)).await
}

/// The account of an owner, locked until the transaction ends.
pub async fn held(session: &mut Session, owner: &str) -> Result<Option<PayoutAccount>> {
    session.first(sql(OF_OWNER).locking("FOR UPDATE").bind(owner)).await
}

/// The account with this processor id.
pub async fn named(session: &mut Session, reference: &str) -> Result<Option<PayoutAccount>> {
    session.first(sql(account!("processor_account_id")).bind(reference)).await
}

/// Inserts or updates an account. The preference of an existing one is kept.
pub async fn save(
    session: &mut Session,
    account: &PayoutAccount,
    now: Time,
) -> Result<PayoutAccount> {
    let saved = session
        .one(
            insert("payout_account")
                .set("owner", account.owner.clone())
                .set("processor_account_id", account.processor_account_id.clone())
                .set("kind", account.kind)
                .set("charges_enabled", account.charges_enabled)
                .set("payouts_enabled", account.payouts_enabled)
                .set("requirements_due", account.requirements_due.clone())
                .set("requirements_due_by", account.requirements_due_by)
                .set("restriction", account.restriction)
                .set("status", account.status)
                .set("preference", account.preference)
                .set("created_at", now)
                .set("updated_at", now)
                .or_update(
                    &["owner"],
                    &[
                        "processor_account_id",
                        "kind",
                        "charges_enabled",
                        "payouts_enabled",
                        "requirements_due",
                        "requirements_due_by",
                        "restriction",
                        "status",
                        "updated_at",
                    ],
                )
                .returning(PayoutAccount::COLUMNS),
        )
        .await?;
    wake(session, account.owner.clone(), now).await?;
    Ok(saved)
}

/// Sets when an owner's wallet is paid out, whether or not an account was opened.
pub async fn prefer(
    session: &mut Session,
    owner: String,
    preference: PayoutPreference,
    now: Time,
) -> Result<PayoutAccount> {
    let none = PayoutAccount::none(owner.clone());
    let saved = session
        .one(
            insert("payout_account")
                .set("owner", none.owner)
                .set("charges_enabled", false)
                .set("payouts_enabled", false)
                .set("requirements_due", none.requirements_due)
                .set("status", none.status)
                .set("preference", preference)
                .set("created_at", now)
                .set("updated_at", now)
                .or_update(&["owner"], &["preference", "updated_at"])
                .returning(PayoutAccount::COLUMNS),
        )
        .await?;
    wake(session, owner, now).await?;
    Ok(saved)
}

/// An account whose wallet is due for a payout check.
#[derive(Debug, FromRow)]
#[expect(clippy::struct_excessive_bools, reason = "a row of answers to independent questions")]
pub struct Due {
    pub owner: String,
    pub woken: i64,
    /// How many checks in a row could not pay it out.
    pub misses: i64,
    pub preference: PayoutPreference,
    pub payouts_enabled: bool,
    pub balance_cents: Cents,
    /// Whether a payout of the wallet is under way.
    pub under_way: bool,
    /// Whether a payout of it was created since the start of the day.
    pub paid_today: bool,
    /// Whether a payout of it failed recently.
    pub refused: bool,
}

/// The accounts due by `now`, the longest overdue first, with what was paid out of their wallets
/// since `day` and what failed after `rested`.
pub async fn due(session: &mut Session, now: Time, day: Time, rested: Time) -> Result<Vec<Due>> {
    session
        .all(
            sql("SELECT a.owner, a.woken, a.misses, a.preference, a.payouts_enabled, \
                 COALESCE(l.balance_cents, 0) AS balance_cents, \
                 EXISTS (SELECT 1 FROM payout p WHERE p.wallet = a.owner || ':wallet' \
                     AND p.status IN ('on_hold', 'pending', 'in_transit')) AS under_way, \
                 EXISTS (SELECT 1 FROM payout p WHERE p.wallet = a.owner || ':wallet' \
                     AND p.created_at >= $2) AS paid_today, \
                 EXISTS (SELECT 1 FROM payout p WHERE p.wallet = a.owner || ':wallet' \
                     AND p.status = 'failed' AND p.pending_since IS NOT NULL \
                     AND p.updated_at > $3) AS refused \
                 FROM payout_account a \
                 LEFT JOIN ledger_account l ON l.name = a.owner || ':wallet' \
                 WHERE a.look_at <= $1 ORDER BY a.look_at, a.id LIMIT 500")
            .bind(now)
            .bind(day)
            .bind(rested),
        )
        .await
}

/// Sets the next check, if any, unless the wallet has become due since it was read.
pub async fn look_again(
    session: &mut Session,
    due: &Due,
    (at, misses): (Option<Time>, i64),
    now: Time,
) -> Result<()> {
    session
        .run(
            update("payout_account")
                .set("look_at", at)
                .set("looked_at", now)
                .set("misses", misses)
                .when("owner", due.owner.clone())
                .when("woken", due.woken),
        )
        .await
        .map(|_| ())
}

/// Makes a wallet due for a payout check.
pub async fn wake(session: &mut Session, owner: String, now: Time) -> Result<()> {
    session
        .run(
            update("payout_account")
                .set("look_at", now)
                .add("woken", 1_i64)
                .set("misses", 0_i64)
                .when("owner", owner),
        )
        .await
        .map(|_| ())
}

/// What the agent has of commission under representations that the athlete can still cancel, where
/// the institution's rule lets the money wait for that: by the end of the wait, the soonest first.
/// What refunds took back is left out.
pub async fn held_commission(
    session: &mut Session,
    agent: AgentId,
    now: Time,
) -> Result<Vec<HeldCommission>> {
    session
        .all(
            sql("SELECT w.waits_until, CAST(SUM(p.agent_commission_cents - COALESCE((SELECT \
                 SUM(f.commission_cents) FROM refund f WHERE f.payment_id = p.id \
                 AND f.status <> 'failed'), 0)) AS BIGINT) AS amount_cents \
                 FROM (SELECT c.id, MAX(r.transfers_wait_until) AS waits_until \
                     FROM representation r JOIN contract c ON c.athlete_id = r.athlete_id \
                     AND c.agent_id = r.agent_id AND c.generated_at >= r.accepted_at \
                     WHERE r.agent_id = $1 AND r.transfers_wait_until >= $2 \
                     AND (r.end_reason IS NULL OR r.end_reason <> 'cancelled_in_time') \
                     GROUP BY c.id) w \
                 JOIN payment p ON p.contract_id = w.id WHERE p.agent_commission_cents > 0 \
                 AND p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                 GROUP BY w.waits_until ORDER BY w.waits_until")
            .bind(agent)
            .bind(now),
        )
        .await
}

/// What cards were charged for an owner, but the processor cannot pay out yet, less refunds; and
/// when the first part of it can be. Read from an index of such payments alone.
pub async fn pending_funds(
    session: &mut Session,
    owner: Owner,
    now: Time,
) -> Result<(Cents, Option<Time>)> {
    macro_rules! of {
        ($payee:literal, $amount:literal, $refunded:literal) => {
            concat!(
                "SELECT CAST(COALESCE(SUM(",
                $amount,
                " - COALESCE((SELECT SUM(",
                $refunded,
                ") FROM refund f WHERE f.payment_id = p.id AND f.status <> 'failed'), 0)), 0) \
                 AS BIGINT), MIN(p.funds_at) FROM payment p WHERE p.",
                $payee,
                " = $1 AND p.funds_at > $2 \
                 AND p.status IN ('succeeded', 'partially_refunded', 'refunded')"
            )
        };
    }
    let (text, id) = match owner {
        Owner::Athlete(id) => (
            of!(
                "athlete_id",
                "p.amount_cents - p.agent_commission_cents",
                "f.amount_cents - f.commission_cents"
            ),
            id.get(),
        ),
        Owner::Agent(id) => {
            (of!("agent_id", "p.agent_commission_cents", "f.commission_cents"), id.get())
        }
        Owner::Partner(_) => return Ok((Cents::ZERO, None)),
    };
    session.one(sql(text).bind(id).bind(now)).await
}

/// The user behind an owner; `None` if there is no such athlete, agent or brand.
pub async fn user_of(session: &mut Session, owner: Owner) -> Result<Option<UserId>> {
    let statement = match owner {
        Owner::Athlete(id) => sql("SELECT user_id FROM athlete WHERE id = $1").bind(id),
        Owner::Partner(id) => sql("SELECT user_id FROM partner WHERE id = $1").bind(id),
        Owner::Agent(id) => sql("SELECT user_id FROM agent WHERE id = $1").bind(id),
    };
    let found: Option<(UserId,)> = session.first(statement).await?;
    Ok(found.map(|(user,)| user))
}

/// The time zone of the institution behind an owner, if it is an athlete of one.
pub async fn zone_of(session: &mut Session, owner: Owner) -> Result<Option<Tz>> {
    let Owner::Athlete(id) = owner else { return Ok(None) };
    let zone: Option<(String,)> = session
        .first(
            sql("SELECT c.time_zone FROM athlete a JOIN college c ON c.id = a.university_id \
                 WHERE a.id = $1")
            .bind(id),
        )
        .await?;
    Ok(zone.and_then(|(zone,)| zone.parse().ok()))
}

/// The amount under way to an owner's bank.
pub async fn under_way(session: &mut Session, wallet: &str) -> Result<Cents> {
    session
        .value(
            sql("SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM payout \
                 WHERE wallet = $1 AND status IN ('on_hold', 'pending', 'in_transit')")
            .bind(wallet),
        )
        .await
}

/// The ledger accounts of a user, empty if users of that kind have no money
/// on the platform.
pub async fn ledger_of_user(session: &mut Session, user: UserId) -> Result<Vec<Account>> {
    let owner: Option<String> = session
        .value(
            sql("SELECT CASE WHEN a.id IS NOT NULL THEN 'athlete:' || a.id \
                 WHEN b.id IS NOT NULL THEN 'partner:' || b.id \
                 WHEN g.id IS NOT NULL THEN 'agent:' || g.id END \
                 FROM app_user u LEFT JOIN athlete a ON a.user_id = u.id \
                 LEFT JOIN partner b ON b.user_id = u.id LEFT JOIN agent g ON g.user_id = u.id \
                 WHERE u.id = $1")
            .bind(user),
        )
        .await?;
    Ok(match owner.as_deref().and_then(Owner::named) {
        Some(owner @ Owner::Partner(_)) => vec![Account::Card(owner)],
        Some(owner @ Owner::Agent(_)) => {
            vec![Account::Wallet(owner), Account::Receivable(owner), Account::Card(owner)]
        }
        Some(owner) => vec![Account::Wallet(owner), Account::Receivable(owner)],
        None => Vec::new(),
    })
}
