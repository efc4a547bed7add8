//! The sandbox's statement: a line for each change of the platform's balance, written with it.

use super::{Object, Sandbox, outage, short_hash};
use crate::error::Error;
use crate::kernel::{Cents, Time};
use crate::ports::processor::statement::PAGE;
use crate::ports::processor::{LineKind, Outage, StatementLine, StatementPage};
use crate::storage::{FromRow, Session, Stored, insert, sql};

#[derive(FromRow, Stored)]
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

/// What a movement does to the balance when it is made; none if it fails at once, or
/// waits for the cardholder.
fn made(object: &Object) -> Option<(LineKind, Cents)> {
    match (object.kind.as_str(), object.status.as_str()) {
        (_, "failed" | "requires_action") => None,
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
        let line = self.line_of(object, (id, kind), (amount, object.fee_cents));
        enter(session, &line).await
    }

    /// Writes the line of a payout or a refund that is back.
    pub(super) async fn book_back(
        &self,
        session: &mut Session,
        object: &Object,
    ) -> Result<(), Error> {
        let kind = match object.kind.as_str() {
            "refund" => LineKind::RefundFailed,
            _ => LineKind::PayoutReturned,
        };
        let id = format!("txn_{}_back", object.id);
        let line = self.line_of(object, (id, kind), (object.amount_cents, Cents::ZERO));
        enter(session, &line).await
    }

    /// Writes the line of a disputed charge that a bank took, or gave back.
    pub(super) async fn book_dispute(
        &self,
        session: &mut Session,
        (dispute, is_back): (&str, bool),
        (amount, fee_cents): (Cents, Cents),
    ) -> Result<(), Error> {
        let (end, kind, amount_cents) = if is_back {
            ("_back", LineKind::DisputeReturned, amount)
        } else {
            ("", LineKind::Dispute, -amount)
        };
        let line = Line {
            id: format!("txn_{dispute}{end}"),
            at: self.clock.now(),
            kind,
            key: None,
            source: Some(dispute.into()),
            amount_cents,
            fee_cents,
            currency: "usd".into(),
        };
        enter(session, &line).await
    }

    /// Writes the line of a charge that somebody made in the processor's own console: it has no key
    /// of ours.
    pub async fn charge_by_hand(&self, amount_cents: Cents) -> Result<(), Error> {
        let mut session = self.db.begin().await?;
        let at = self.clock.now();
        let name = short_hash(&format!("by hand {at} {amount_cents}"));
        let line = Line {
            id: format!("txn_{name}"),
            at,
            kind: LineKind::Charge,
            key: None,
            source: Some(format!("ch_{name}")),
            amount_cents,
            fee_cents: Cents::ZERO,
            currency: "usd".into(),
        };
        enter(&mut session, &line).await?;
        session.commit().await
    }

    fn line_of(
        &self,
        object: &Object,
        (id, kind): (String, LineKind),
        (amount_cents, fee_cents): (Cents, Cents),
    ) -> Line {
        Line {
            id,
            at: self.clock.now(),
            kind,
            key: Some(object.idempotency_key.clone()),
            source: Some(object.id.clone()),
            amount_cents,
            fee_cents,
            currency: object.currency.clone(),
        }
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

async fn enter(session: &mut Session, line: &Line) -> Result<(), Error> {
    session.run(insert("sandbox_line").with(line.columns())).await.map(|_| ())
}
