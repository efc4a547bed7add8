//! The rows of requests to the payment processor: one for each attempt of a charge, a refund or a
//! payout.

use chrono::TimeDelta;
use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use super::difference_record;
use crate::error::Result;
use crate::kernel::{ByAge, Cents, FollowedPage, Listing, Rested, Time};
use crate::payments::movement::request::ProcessorRequest;
use crate::ports::processor::{MoneyKind, ProcessorBooks, Request};
use crate::storage::{FromRow, Key, Selected as _, Session, contains, sorted, sql, update};

/// The longest pause between two looks at a movement.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(6);

/// The kind and the number of a movement's record, such as `charge` and 57.
pub type Record = (&'static str, i64);

/// What is moved, the same in each attempt.
#[derive(Clone, Debug, FromRow)]
pub struct What {
    pub amount_cents: Cents,
    pub currency: String,
    /// What the bank's statement shows of it.
    pub label: String,
    /// Whether a payout is to arrive within minutes.
    pub instant: bool,
}

/// The attempt of a movement that counts, which is the latest one.
#[derive(Clone, Debug, FromRow)]
pub struct Attempt {
    pub key: String,
    /// The number of the attempt, from 1.
    pub number: i64,
    #[row(flatten)]
    pub what: What,
    /// When this attempt can have been sent, at the earliest.
    pub since: Time,
    /// The processor answered, and nothing is known to have moved.
    pub spent: bool,
    /// When the first attempt can have been sent.
    pub first_since: Time,
}

impl Attempt {
    /// What is asked of the processor.
    pub fn request(&self, kind: MoneyKind) -> Request {
        Request {
            key: self.key.clone(),
            kind,
            amount: self.what.amount_cents,
            currency: self.what.currency.clone(),
            since: self.since,
            label: self.what.label.clone(),
            instant: self.what.instant,
        }
    }
}

/// Writes an attempt of a movement; returns its key. The key bears the mark of this installation,
/// so that no copy of the database asks under it.
async fn write(
    session: &mut Session,
    (kind, id): Record,
    number: i64,
    what: &What,
    now: Time,
) -> Result<String> {
    session
        .value(
            sql("INSERT INTO movement (key, kind, record_id, attempt, amount_cents, currency, \
                 label, instant, since, looked_at, next_look_at) \
                 SELECT i.mark || ':' || CAST($1 AS TEXT) || ':' || CAST($2 AS BIGINT) || ':' || \
                 CAST($3 AS BIGINT), $1, $2, $3, $4, $5, $6, $7, $8, $8, $8 FROM installation i \
                 RETURNING key")
            .bind(kind)
            .bind(id)
            .bind(number)
            .bind(what.amount_cents)
            .bind(what.currency.as_str())
            .bind(what.label.as_str())
            .bind(what.instant)
            .bind(now),
        )
        .await
}

/// Writes the first attempt of a movement, with its record.
pub async fn begin(session: &mut Session, of: Record, what: &What, now: Time) -> Result<()> {
    write(session, of, 1, what, now).await.map(|_| ())
}

/// The attempt of a movement that counts.
pub async fn current(session: &mut Session, (kind, id): Record) -> Result<Option<Attempt>> {
    session
        .first(
            sql("SELECT m.key, m.attempt AS number, m.amount_cents, m.currency, m.label, \
                 m.instant, m.since, m.spent, \
                 (SELECT MIN(f.since) FROM movement f \
                     WHERE f.kind = m.kind AND f.record_id = m.record_id) AS first_since \
                 FROM movement m WHERE m.kind = $1 AND m.record_id = $2 \
                 ORDER BY m.attempt DESC LIMIT 1")
            .bind(kind)
            .bind(id),
        )
        .await
}

/// The kind and number of the record whose request had this key.
pub async fn named(session: &mut Session, key: &str) -> Result<Option<(String, i64)>> {
    session.first(sql("SELECT kind, record_id FROM movement WHERE key = $1").bind(key)).await
}

/// The numbers of the records of a kind that are due to be asked about.
pub async fn due(session: &mut Session, kind: &'static str, rested: Rested) -> Result<Vec<i64>> {
    let rows: Vec<(i64,)> = session
        .all(
            sql("SELECT record_id FROM movement WHERE kind = $1 AND next_look_at IS NOT NULL \
                 AND (next_look_at <= $2 OR looked_at > $3) \
                 ORDER BY next_look_at, record_id LIMIT 100")
            .bind(kind)
            .bind(rested.until)
            .bind(rested.ahead),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Since when the oldest record of each kind has had no outcome.
pub async fn unsettled(session: &mut Session) -> Result<Vec<(String, Option<Time>)>> {
    const UNSETTLED: &str = "SELECT 'charge', MIN(updated_at) FROM charge \
        WHERE status = 'processing' \
        UNION ALL SELECT 'refund', MIN(updated_at) FROM refund WHERE status = 'pending' \
        UNION ALL SELECT 'payout', MIN(pending_since) FROM payout WHERE status = 'pending' \
        UNION ALL SELECT 'subscription_charge', MIN(updated_at) FROM subscription_charge \
        WHERE status = 'processing' \
        UNION ALL SELECT 'subscription_refund', MIN(updated_at) FROM subscription_refund \
        WHERE status = 'pending'";
    session.all(sql(UNSETTLED)).await
}

/// Requests whose outcome is unknown, and could be known.
fn open_requests() -> SelectStatement {
    Query::select()
        .columns(ProcessorRequest::COLUMNS.iter().map(|column| ("m", *column)))
        .from_as("movement", "m")
        .join_as(
            JoinType::InnerJoin,
            "movement_record",
            "r",
            Expr::col(("r", "kind"))
                .equals(("m", "kind"))
                .and(Expr::col(("r", "id")).equals(("m", "record_id"))),
        )
        .and_where(Expr::cust("m.next_look_at IS NOT NULL"))
        .and_where(Expr::cust("r.status IN ('processing', 'pending')"))
        .take()
}

/// A page of them.
pub async fn page(
    session: &mut Session,
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<ProcessorRequest>> {
    let mut rows = open_requests();
    rows.cond_where(contains([Expr::col(("m", "key"))], sift.words()));
    let keys = ["since", "key"].map(|name| Key::of(Expr::col(("m", name)), sift.order()));
    let mut listing: Listing<ProcessorRequest> = session.follow(sorted(rows, keys), place).await?;
    difference_record::add_to_requests(session, &mut listing.items).await?;
    Ok(listing)
}

/// The one with this key.
pub async fn open_request(session: &mut Session, key: &str) -> Result<Option<ProcessorRequest>> {
    let mut row = open_requests();
    row.and_where(Expr::col(("m", "key")).eq(key));
    let mut found: Option<ProcessorRequest> = session.first(row).await?;
    difference_record::add_to_requests(session, found.as_mut_slice()).await?;
    Ok(found)
}

/// Writes that an operator has decided about a request; false if it has an outcome.
pub async fn decide(
    session: &mut Session,
    key: &str,
    (by, note): (&str, &str),
    now: Time,
) -> Result<bool> {
    let decided = update("movement")
        .set("looked_at", now)
        .set("next_look_at", None::<Time>)
        .set("decided_by", by)
        .set("decided_at", now)
        .set("decision_note", note)
        .when("key", key)
        .and(Expr::col("next_look_at").is_not_null());
    Ok(session.run(decided).await? > 0)
}

/// Sets when a movement is asked about next, unless that is over: `None` ends it.
pub async fn look_at(
    session: &mut Session,
    (kind, id): Record,
    next: Option<Time>,
    now: Time,
) -> Result<()> {
    session
        .run(
            sql("UPDATE movement SET looked_at = $3, next_look_at = $4 \
                 WHERE kind = $1 AND record_id = $2 AND next_look_at IS NOT NULL")
            .bind(kind)
            .bind(id)
            .bind(now)
            .bind(next),
        )
        .await
        .map(|_| ())
}

/// Records that asking gave no outcome. The pause until the next time is as long as the time since
/// the first attempt, so that it doubles, up to six hours.
pub async fn put_off(session: &mut Session, of: &Attempt, spent: bool, now: Time) -> Result<()> {
    let pause = (now - of.first_since).clamp(TimeDelta::zero(), LONGEST_PAUSE);
    session
        .run(
            sql("UPDATE movement SET looked_at = $2, next_look_at = $3, spent = spent OR $4 \
                 WHERE key = $1 AND next_look_at IS NOT NULL")
            .bind(of.key.clone())
            .bind(now)
            .bind(now + pause)
            .bind(spent),
        )
        .await
        .map(|_| ())
}

/// Writes another attempt of a movement whose last one is spent. `None` if it has an outcome, or
/// another caller was first.
pub async fn again(
    session: &mut Session,
    of: Record,
    last: Attempt,
    now: Time,
) -> Result<Option<Attempt>> {
    let over = update("movement")
        .set("next_look_at", None::<Time>)
        .when("key", last.key.clone())
        .when("spent", true)
        .and(Expr::col("next_look_at").is_not_null());
    if session.run(over).await? == 0 {
        return Ok(None);
    }
    let number = last.number + 1;
    let key = write(session, of, number, &last.what, now).await?;
    Ok(Some(Attempt { key, number, since: now, spent: false, ..last }))
}

/// The installation's mark.
pub async fn mark(session: &mut Session) -> Result<String> {
    session.value(sql("SELECT mark FROM installation")).await
}

/// Replaces the installation's mark.
pub async fn renew_mark(session: &mut Session, mark: &str) -> Result<()> {
    session.run(update("installation").set("mark", mark).when("id", 1_i64)).await.map(|_| ())
}

/// Whose money the database holds, if that is settled: until the first payment it is not.
pub async fn books(session: &mut Session) -> Result<Option<ProcessorBooks>> {
    session.value(sql("SELECT books FROM installation WHERE id = 1")).await
}

/// Notes whose money the database holds, unless payments of another processor are in it.
pub async fn claim_books(session: &mut Session, own: ProcessorBooks) -> Result<()> {
    let claim = sql("UPDATE installation SET books = $1 WHERE id = 1 \
                     AND (books IS NULL OR NOT EXISTS (SELECT 1 FROM movement))");
    session.run(claim.bind(own)).await.map(|_| ())
}
