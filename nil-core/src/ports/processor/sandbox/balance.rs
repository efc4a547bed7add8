//! The sandbox's statement: a line for each change of the platform's balance, written with it.

use super::{Object, Sandbox, outage};
use crate::error::Error;
use crate::kernel::{Cents, Time};
use crate::ports::processor::statement::PAGE;
use crate::ports::processor::{LineKind, Outage, StatementLine, StatementPage};
use crate::storage::{FromRow, Session, insert, sql};

#[derive(FromRow)]
struct Line {
    id: String,
    at: Time,
    kind: LineKind,
    key: Option<String>,
    source: Option<String>,
    amount_cents: Cents,
    fee_cents: Cents,
    currency: String,
}

impl From<Line> for StatementLine {
    fn from(line: Line) -> Self {
        Self {
            id: line.id,
            at: line.at,
            kind: line.kind,
            key: line.key,
            source: line.source,
            amount: line.amount_cents,
            fee: line.fee_cents,
            currency: line.currency,
        }
    }
}

/// What a movement does to the balance when it is made; none if it fails at once.
fn made(object: &Object) -> Option<(LineKind, Cents)> {
    match (object.kind.as_str(), object.status.as_str()) {
        (_, "failed") => None,
        ("charge", _) => Some((LineKind::Charge, object.amount_cents)),
        ("refund", _) => Some((LineKind::Refund, -object.amount_cents)),
        _ => Some((LineKind::Payout, -object.amount_cents)),
    }
}

impl Sandbox {
    /// Writes the line of a movement that was made, if it changed the balance.
    pub(super) async fn book(&self, session: &mut Session, object: &Object) -> Result<(), Error> {
        let Some((kind, amount)) = made(object) else {
            return Ok(());
        };
        let id = format!("txn_{}", object.id);
        self.enter(session, (id, kind), object, (amount, object.fee_cents)).await
    }

    /// Writes the line of a payout that is back.
    pub(super) async fn book_back(
        &self,
        session: &mut Session,
        object: &Object,
    ) -> Result<(), Error> {
        let id = format!("txn_{}_back", object.id);
        let what = (id, LineKind::PayoutReturned);
        self.enter(session, what, object, (object.amount_cents, Cents::ZERO)).await
    }

    /// Writes the line of a refund that is back.
    pub(super) async fn book_refund_back(
        &self,
        session: &mut Session,
        object: &Object,
    ) -> Result<(), Error> {
        let what = (format!("txn_{}_back", object.id), LineKind::RefundFailed);
        self.enter(session, what, object, (object.amount_cents, Cents::ZERO)).await
    }

    /// Writes the line of a disputed charge that a bank took, or gave back.
    pub(super) async fn book_dispute(
        &self,
        session: &mut Session,
        (dispute, is_back): (&str, bool),
        (amount, fee): (Cents, Cents),
    ) -> Result<(), Error> {
        let (end, kind) =
            if is_back { ("_back", LineKind::DisputeReturned) } else { ("", LineKind::Dispute) };
        let line = insert("sandbox_line")
            .set("id", format!("txn_{dispute}{end}"))
            .set("at", self.clock.now())
            .set("kind", kind)
            .set("source", dispute)
            .set("amount_cents", if is_back { amount } else { -amount })
            .set("fee_cents", fee)
            .set("currency", "usd");
        session.run(line).await.map(|_| ())
    }

    async fn enter(
        &self,
        session: &mut Session,
        (id, kind): (String, LineKind),
        object: &Object,
        (amount, fee): (Cents, Cents),
    ) -> Result<(), Error> {
        let line = insert("sandbox_line")
            .set("id", id)
            .set("at", self.clock.now())
            .set("kind", kind)
            .set("key", object.idempotency_key.clone())
            .set("source", object.id.clone())
            .set("amount_cents", amount)
            .set("fee_cents", fee)
            .set("currency", object.currency.clone());
        session.run(line).await.map(|_| ())
    }

    /// A page of the statement, oldest lines first.
    pub(super) async fn lines(
        &self,
        (from, until): (Time, Time),
        after: &str,
    ) -> Result<StatementPage, Outage> {
        let mut session = self.db.read().await.map_err(outage)?;
        let rows: Vec<Line> = session
            .all(
                sql("SELECT l.id, l.at, l.kind, l.key, l.source, l.amount_cents, l.fee_cents, \
                     l.currency FROM sandbox_line l LEFT JOIN sandbox_line a ON a.id = $3 \
                     WHERE l.at >= $1 AND l.at < $2 \
                     AND ($3 = '' OR (l.at, l.id) > (a.at, a.id)) \
                     ORDER BY l.at, l.id LIMIT 100")
                .bind(from)
                .bind(until)
                .bind(after),
            )
            .await
            .map_err(outage)?;
        let next = rows.last().filter(|_| rows.len() >= PAGE).map(|line| line.id.clone());
        Ok(StatementPage { lines: rows.into_iter().map(Into::into).collect(), next })
    }
}
