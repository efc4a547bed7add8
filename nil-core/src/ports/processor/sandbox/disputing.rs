//! Disputes of the sandbox: what banks do there is said by `nil sandbox dispute`, by the
//! demonstration and by tests.

use chrono::TimeDelta;

use super::{Sandbox, short_hash};
use crate::error::Error;
use crate::kernel::{Cents, Time};
use crate::ports::processor::{Dispute, DisputeKind, DisputeState, Verdict};
use crate::storage::{FromRow, Session, insert, sql};

/// What the sandbox keeps of a chargeback. It gives it back if the dispute is won.
const FEE: Cents = Cents(1_500);
/// How long evidence can be handed in.
const ANSWERED_WITHIN: TimeDelta = TimeDelta::days(14);

#[derive(FromRow)]
pub(super) struct Row {
    id: String,
    charge: String,
    kind: DisputeKind,
    status: DisputeState,
    reason: String,
    amount_cents: Cents,
    fee_cents: Cents,
    evidence_due_at: Time,
    created_at: Time,
}

impl From<Row> for Dispute {
    fn from(row: Row) -> Self {
        Self {
            reference: row.id,
            state: row.status,
            charge: row.charge,
            kind: row.kind,
            reason: row.reason,
            amount: row.amount_cents,
            currency: "usd".into(),
            fee: row.fee_cents,
            evidence_due_at: Some(row.evidence_due_at),
            opened_at: row.created_at,
        }
    }
}

const DISPUTE: &str = "SELECT id, charge, kind, status, reason, amount_cents, fee_cents, \
    evidence_due_at, created_at FROM sandbox_dispute WHERE id = $1";
const SINCE: &str = "SELECT id, charge, kind, status, reason, amount_cents, fee_cents, \
    evidence_due_at, created_at FROM sandbox_dispute WHERE created_at >= $1 ORDER BY created_at, id";

impl Sandbox {
    /// A bank begins a dispute of a charge, of all of it unless an amount is given. Returns its id;
    /// none if there is no such charge or not so much of it.
    pub async fn open_dispute(
        &self,
        charge: &str,
        kind: DisputeKind,
        amount: Option<Cents>,
    ) -> Result<Option<String>, Error> {
        let mut session = self.db.begin().await?;
        let charged: Option<(Cents,)> = session
            .first(
                sql("SELECT amount_cents FROM sandbox_object WHERE id = $1 AND kind = 'charge' \
                     AND status = 'succeeded'")
                .bind(charge),
            )
            .await?;
        let Some((charged,)) = charged else { return Ok(None) };
        let left = match kind {
            DisputeKind::EarlyWarning => charged,
            _ => charged - Self::gone_of(&mut session, charge).await?,
        };
        let amount = amount.unwrap_or(left);
        if amount > left || !amount.is_positive() {
            return Ok(None);
        }
        let before: i64 = session
            .value(sql("SELECT COUNT(*) FROM sandbox_dispute WHERE charge = $1").bind(charge))
            .await?;
        let prefix = if kind == DisputeKind::EarlyWarning { "issfr" } else { "du" };
        let id = format!("{prefix}_{}", short_hash(&format!("{charge} {before}")));
        let (state, fee) = match kind {
            DisputeKind::Chargeback => (DisputeState::NeedsResponse, FEE),
            DisputeKind::EarlyWarning | DisputeKind::Inquiry => {
                (DisputeState::Warning, Cents::ZERO)
            }
        };
        let now = self.clock.now();
        session
            .run(
                insert("sandbox_dispute")
                    .set("id", id.clone())
                    .set("charge", charge)
                    .set("kind", kind)
                    .set("status", state)
                    .set("reason", "fraudulent")
                    .set("amount_cents", amount)
                    .set("fee_cents", fee)
                    .set("evidence_due_at", now + ANSWERED_WITHIN)
                    .set("created_at", now),
            )
            .await?;
        if kind == DisputeKind::Chargeback {
            self.book_dispute(&mut session, (&id, false), (amount, fee)).await?;
        }
        self.tell(&mut session, &format!("dispute.{state}"), &id).await?;
        session.commit().await?;
        Ok(Some(id))
    }

    /// A dispute goes on: an inquiry becomes a chargeback, or one is decided. Returns whether that
    /// can follow from where it is.
    pub async fn turn_dispute(&self, id: &str, to: DisputeState) -> Result<bool, Error> {
        let mut session = self.db.begin().await?;
        let turned = self.turned(&mut session, id, to).await?;
        session.commit().await?;
        Ok(turned)
    }

    async fn turned(
        &self,
        session: &mut Session,
        id: &str,
        to: DisputeState,
    ) -> Result<bool, Error> {
        let known: Option<Row> = session.first(sql(DISPUTE).bind(id)).await?;
        let Some(known) = known else { return Ok(false) };
        if !follows(known.status, to)
            || known.kind == DisputeKind::EarlyWarning && to != DisputeState::Withdrawn
        {
            return Ok(false);
        }
        let (kind, fee) = match to {
            DisputeState::NeedsResponse => (DisputeKind::Chargeback, FEE),
            DisputeState::Won => (known.kind, Cents::ZERO),
            _ => (known.kind, known.fee_cents),
        };
        session
            .run(
                sql("UPDATE sandbox_dispute SET status = $2, kind = $3, fee_cents = $4 \
                     WHERE id = $1")
                .bind(id)
                .bind(to)
                .bind(kind)
                .bind(fee),
            )
            .await?;
        let had_taken = known.kind == DisputeKind::Chargeback;
        match to {
            DisputeState::NeedsResponse => {
                self.book_dispute(session, (id, false), (known.amount_cents, fee)).await?;
            }
            DisputeState::Won | DisputeState::Withdrawn if had_taken => {
                let back = (known.amount_cents, fee - known.fee_cents);
                self.book_dispute(session, (id, true), back).await?;
            }
            _ => {}
        }
        self.tell(session, &format!("dispute.{to}"), id).await?;
        Ok(true)
    }

    /// Hands evidence in, or accepts a dispute.
    pub(super) async fn conclude(&self, id: &str, to: DisputeState) -> Result<Verdict, Error> {
        let mut session = self.db.begin().await?;
        let known: Option<Row> = session.first(sql(DISPUTE).bind(id)).await?;
        let Some(known) = known else { return Ok(Err("no such dispute".into())) };
        if known.status == to {
            return Ok(Ok(known.into()));
        }
        if to == DisputeState::UnderReview && known.evidence_due_at < self.clock.now() {
            return Ok(Err("evidence is no longer taken".into()));
        }
        if !self.turned(&mut session, id, to).await? {
            return Ok(Err(format!("the dispute is `{}`", known.status)));
        }
        let after: Row = session.one(sql(DISPUTE).bind(id)).await?;
        session.commit().await?;
        Ok(Ok(after.into()))
    }

    pub(super) async fn look_at_dispute(&self, id: &str) -> Result<Option<Dispute>, Error> {
        let mut session = self.db.read().await?;
        let known: Option<Row> = session.first(sql(DISPUTE).bind(id)).await?;
        Ok(known.map(Into::into))
    }

    pub(super) async fn disputes_since(&self, since: Time) -> Result<Vec<Dispute>, Error> {
        let mut session = self.db.read().await?;
        let known: Vec<Row> = session.all(sql(SINCE).bind(since)).await?;
        Ok(known.into_iter().map(Into::into).collect())
    }

    /// How much of a charge went back, or may: refunds, and disputes that are not won.
    async fn gone_of(session: &mut Session, charge: &str) -> Result<Cents, Error> {
        session
            .value(
                sql("SELECT CAST(COALESCE((SELECT SUM(amount_cents) FROM sandbox_object \
                     WHERE reference = $1 AND kind = 'refund' AND status = 'succeeded'), 0) \
                     + COALESCE((SELECT SUM(amount_cents) FROM sandbox_dispute WHERE charge = $1 \
                     AND kind <> 'early_warning' AND status NOT IN ('won', 'withdrawn')), 0) \
                     AS BIGINT)")
                .bind(charge),
            )
            .await
    }

    /// How much of a charge its banks have taken.
    pub(super) async fn taken_of(session: &mut Session, charge: &str) -> Result<Cents, Error> {
        session
            .value(
                sql("SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM sandbox_dispute \
                     WHERE charge = $1 AND status IN ('needs_response', 'under_review', 'lost')")
                .bind(charge),
            )
            .await
    }
}

/// What can follow at a bank.
fn follows(from: DisputeState, to: DisputeState) -> bool {
    use DisputeState::{Lost, NeedsResponse, UnderReview, Warning, Withdrawn, Won};
    match from {
        Warning => matches!(to, NeedsResponse | Withdrawn),
        NeedsResponse => matches!(to, UnderReview | Won | Lost | Withdrawn),
        UnderReview => matches!(to, Won | Lost | Withdrawn),
        // The network may decide for the merchant afterwards.
        Lost => to == Won,
        Won | Withdrawn => false,
    }
}
