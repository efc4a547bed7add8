//! The copy of the processor's statement, and our rows beside it.

use crate::error::Result;
use crate::kernel::{Cents, Date, Time};
use crate::payments::reconciliation::judging::{Entry, Missing};
use crate::ports::processor::StatementLine;
use crate::storage::{Session, insert, sql, update};

/// How many rows one page has.
pub const PAGE: usize = 500;

/// A span of time, with its end left out.
pub type Span = (Time, Time);

/// A value of the record of the request `m`: one column for each kind that has it.
macro_rules! of_record {
    ($($kind:literal $table:literal $column:literal),+) => {
        concat!(
            "CASE m.kind ",
            $("WHEN '", $kind, "' THEN (SELECT r.", $column, " FROM ", $table,
            " r WHERE r.id = m.record_id) ",)+
            "END"
        )
    };
}

macro_rules! status {
    () => {
        of_record!(
            "charge" "charge" "status",
            "subscription_charge" "subscription_charge" "status",
            "refund" "refund" "status",
            "subscription_refund" "subscription_refund" "status",
            "payout" "payout" "status"
        )
    };
}

/// Whether the request `m` has a later attempt.
macro_rules! given_up {
    () => {
        "EXISTS (SELECT 1 FROM movement n WHERE n.kind = m.kind AND n.record_id = m.record_id \
         AND n.attempt > m.attempt)"
    };
}

/// Writes lines as they were read. Lines that are there are overwritten.
pub async fn write(session: &mut Session, lines: &[StatementLine], read_at: Time) -> Result<()> {
    let rows = lines.iter().fold(insert("statement_line"), |rows, line| {
        rows.set("id", line.id.clone())
            .set("at", line.at)
            .set("kind", line.kind)
            .set("key", line.key.clone())
            .set("source", line.source.clone())
            .set("amount_cents", line.amount)
            .set("fee_cents", line.fee)
            .set("currency", line.currency.clone())
            .set("read_at", read_at)
            .row()
    });
    let columns =
        &["at", "kind", "key", "source", "amount_cents", "fee_cents", "currency", "read_at"];
    session.add(rows.or_update(&["id"], columns)).await
}

/// Removes the lines of a span that were not read again; returns how many.
pub async fn remove_unread(
    session: &mut Session,
    (from, until): Span,
    read_at: Time,
) -> Result<u64> {
    let unread = sql("DELETE FROM statement_line WHERE at >= $1 AND at < $2 AND read_at < $3");
    session.run(unread.bind(from).bind(until).bind(read_at)).await
}

/// The next lines after one and before an instant, each with what our rows say about its key.
pub async fn lines(
    session: &mut Session,
    until: Time,
    (at, id): (Time, &str),
) -> Result<Vec<Entry>> {
    const LINES: &str = concat!(
        "SELECT o.*, COALESCE((SELECT x.id FROM statement_line x WHERE x.key = o.key \
             AND x.kind = o.kind AND x.source = o.name ORDER BY x.at, x.id LIMIT 1), \
             (SELECT x.id FROM statement_line x WHERE x.key = o.key AND x.kind = o.kind \
             ORDER BY x.at, x.id LIMIT 1)) AS counts, \
         (SELECT MIN(x.at) FROM statement_line x WHERE x.key = o.key AND x.kind = CASE o.kind \
             WHEN 'charge' THEN 'charge_failed' WHEN 'refund' THEN 'refund_failed' \
             WHEN 'payout' THEN 'payout_returned' END) AS back_at, \
         CASE WHEN o.dispute_status IS NULL THEN 0 ELSE CAST(COALESCE((SELECT SUM(x.fee_cents) \
             FROM statement_line x WHERE x.source = o.source \
             AND x.kind IN ('dispute', 'dispute_returned')), 0) AS BIGINT) END \
             AS dispute_fee_cents \
         FROM (SELECT l.id AS line_id, l.at, l.kind, l.key, l.source, l.amount_cents, \
         l.fee_cents, l.currency, m.kind AS requested, m.amount_cents AS our_cents, \
         m.currency AS our_currency, ",
        status!(),
        " AS status, ",
        of_record!(
            "charge" "charge" "processor_charge_id",
            "subscription_charge" "subscription_charge" "processor_charge_id"
        ),
        " AS name, CAST(COALESCE((SELECT SUM(e.amount_cents) FROM ledger_transfer t \
             JOIN ledger_entry e ON e.transfer_id = t.id AND e.account = 'processor:costs' \
             WHERE t.reason = 'processor_cost' \
             AND t.refers_to = m.kind || ':' || m.record_id), 0) AS BIGINT) AS our_fee_cents, \
         CASE WHEN ",
        given_up!(),
        " THEN TRUE ELSE FALSE END AS given_up, q.status AS dispute_status, \
         q.amount_cents AS dispute_cents, COALESCE(q.fee_cents, 0) AS our_dispute_fee_cents \
         FROM statement_line l LEFT JOIN movement m ON m.key = l.key \
         LEFT JOIN dispute q ON q.processor_dispute_id = l.source \
             AND l.kind IN ('dispute', 'dispute_returned') \
         WHERE l.at < $1 AND (l.at, l.id) > ($2, $3) ORDER BY l.at, l.id LIMIT 500) o \
         ORDER BY o.at, o.line_id"
    );
    session.all(sql(LINES).bind(until).bind(at).bind(id)).await
}

/// The next requests after one and before an instant that have moved money here, and of which no
/// line tells.
pub async fn missing(
    session: &mut Session,
    until: Time,
    (since, key): (Time, &str),
) -> Result<Vec<Missing>> {
    const MISSING: &str = concat!(
        "SELECT o.* FROM (SELECT m.key, m.kind, m.since, m.amount_cents, m.currency, ",
        status!(),
        " AS status FROM movement m WHERE m.since < $1 AND (m.since, m.key) > ($2, $3) \
         AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.key = m.key) AND NOT ",
        given_up!(),
        " UNION ALL SELECT d.processor_dispute_id, 'dispute', d.opened_at, d.amount_cents, \
         d.currency, d.status FROM dispute d WHERE d.opened_at < $1 \
         AND (d.opened_at, d.processor_dispute_id) > ($2, $3) \
         AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.source = d.processor_dispute_id \
             AND l.kind IN ('dispute', 'dispute_returned')) \
         AND EXISTS (SELECT 1 FROM ledger_transfer t WHERE t.reason = 'dispute_opened' \
             AND t.refers_to = 'dispute:' || d.id)) o \
         WHERE o.kind = 'dispute' OR o.status IN ('succeeded', 'in_transit', 'paid') \
         ORDER BY o.since, o.key LIMIT 500"
    );
    session.all(sql(MISSING).bind(until).bind(since).bind(key)).await
}

/// The first day whose statement has not been compared yet; none before the first comparison.
pub async fn compared_until(session: &mut Session) -> Result<Option<Date>> {
    session.value(sql("SELECT compared_until FROM installation WHERE id = 1")).await
}

/// Notes up to which day the statement has been compared.
pub async fn compared(session: &mut Session, until: Date) -> Result<()> {
    let note = update("installation").set("compared_until", until).when("id", 1_i64);
    session.run(note).await.map(|_| ())
}

/// The sum of the lines of a span, and how many there are.
pub async fn sum(session: &mut Session, (from, until): Span) -> Result<(i64, Cents)> {
    let sum = sql("SELECT COUNT(*), CAST(COALESCE(SUM(amount_cents - fee_cents), 0) AS BIGINT) \
         FROM statement_line WHERE at >= $1 AND at < $2");
    session.one(sum.bind(from).bind(until)).await
}
