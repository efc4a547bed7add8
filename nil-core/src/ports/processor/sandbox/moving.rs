//! The sandbox's movements of money, each written once under its key.

use chrono::TimeDelta;

use super::confirming::CONFIRMED_WITHIN;
use super::{Bank, FUNDS, Sandbox, TRANSIT, known_card, short_hash};
use crate::error::Error;
use crate::kernel::{Cents, Time, utc_day};
use crate::ports::processor::{MoneyKind, Movement, Outcome, Request};
use crate::storage::{FromRow, Session, Statement, insert, sql};

/// What the sandbox keeps of a charge, in ten-thousandths and in cents, as processors usually do.
const FEE: (i64, Cents) = (290, Cents(30));

#[derive(FromRow)]
pub(super) struct Object {
    pub idempotency_key: String,
    pub id: String,
    pub kind: String,
    pub amount_cents: Cents,
    pub currency: String,
    pub fee_cents: Cents,
    pub status: String,
    pub failure_code: Option<String>,
    /// When its money can be paid out, if not at once.
    pub available_at: Option<Time>,
    pub created_at: Time,
}

impl Object {
    fn outcome(&self) -> Outcome {
        let id = self.id.clone();
        match (self.status.as_str(), &self.failure_code) {
            ("failed", reason) => {
                let why = reason.clone().unwrap_or_else(|| "failed".into());
                Outcome::Failed { id: Some(id), why }
            }
            ("in_transit", _) => {
                Outcome::InTransit { id, until: utc_day(self.created_at + TRANSIT) }
            }
            ("requires_action", _) => {
                Outcome::NeedsAction { id, until: self.created_at + CONFIRMED_WITHIN }
            }
            _ => Outcome::Succeeded { id, fee: self.fee_cents, available_at: self.available_at },
        }
    }

    pub(super) fn movement(self) -> Movement {
        Movement {
            outcome: self.outcome(),
            key: self.idempotency_key,
            kind: match self.kind.as_str() {
                "charge" => MoneyKind::Charge,
                "refund" => MoneyKind::Refund,
                _ => MoneyKind::Payout,
            },
            amount: self.amount_cents,
            currency: self.currency,
        }
    }
}

pub(super) const BY_KEY: &str = "SELECT idempotency_key, id, kind, amount_cents, currency, \
    fee_cents, status, failure_code, available_at, created_at FROM sandbox_object \
    WHERE idempotency_key = $1";
pub(super) const BY_ID: &str = "SELECT idempotency_key, id, kind, amount_cents, currency, \
    fee_cents, status, failure_code, available_at, created_at FROM sandbox_object WHERE id = $1";

/// What is decided about a request.
struct Decided {
    status: &'static str,
    /// Why it failed.
    failure: Option<&'static str>,
    /// After how long its money can be paid out, if not at once.
    available_after: Option<TimeDelta>,
}

impl Decided {
    const fn to(status: &'static str) -> Self {
        Self { status, failure: None, available_after: None }
    }

    const fn failed(why: &'static str) -> Self {
        Self { status: "failed", failure: Some(why), available_after: None }
    }
}

/// The word of a kind in the sandbox's tables, and the first letters of its ids.
const fn words(kind: MoneyKind) -> (&'static str, &'static str) {
    match kind {
        MoneyKind::Charge => ("charge", "ch"),
        MoneyKind::Refund => ("refund", "re"),
        MoneyKind::Payout => ("transfer", "tr"),
    }
}

impl Sandbox {
    /// Moves money once per key. The same key with another request gets what the first one moved,
    /// which is not what it asks for.
    async fn once(
        &self,
        request: &Request,
        reference: &str,
        decide: impl AsyncFnOnce(&mut Session) -> Result<Decided, Error>,
    ) -> Result<Movement, Error> {
        let mut session = self.db.begin().await?;
        let known: Option<Object> = session.first(sql(BY_KEY).bind(request.key.clone())).await?;
        if let Some(object) = known {
            return Ok(object.movement());
        }
        let Decided { status, failure, available_after } = decide(&mut session).await?;
        let now = self.clock.now();
        let available_at = available_after.map(|after| now + after);
        let (kind, prefix) = words(request.kind);
        let id = format!("{prefix}_{}", short_hash(&request.key));
        let fee = match (request.kind, status) {
            (MoneyKind::Charge, "succeeded") => fee_of(request.amount),
            _ => Cents::ZERO,
        };
        let object = Object {
            idempotency_key: request.key.clone(),
            id: id.clone(),
            kind: kind.into(),
            amount_cents: request.amount,
            currency: request.currency.clone(),
            fee_cents: fee,
            status: status.into(),
            failure_code: failure.map(Into::into),
            available_at,
            created_at: now,
        };
        session
            .run(
                insert("sandbox_object")
                    .set("idempotency_key", object.idempotency_key.clone())
                    .set("id", id.clone())
                    .set("kind", kind)
                    .set("reference", reference)
                    .set("amount_cents", request.amount)
                    .set("currency", request.currency.clone())
                    .set("fee_cents", fee)
                    .set("status", status)
                    .set("failure_code", failure)
                    .set("available_at", available_at)
                    .set("created_at", object.created_at),
            )
            .await?;
        self.book(&mut session, &object).await?;
        self.tell(&mut session, &format!("{kind}.{status}"), &id).await?;
        session.commit().await?;
        Ok(object.movement())
    }

    pub(super) async fn charge_card(
        &self,
        request: &Request,
        card: &str,
    ) -> Result<Movement, Error> {
        self.once(request, card, async |session| {
            let number: Option<(String,)> = session
                .first(
                    sql("SELECT number FROM sandbox_card WHERE id = $1 AND NOT forgotten")
                        .bind(card),
                )
                .await?;
            Ok(match number.and_then(|(number,)| known_card(&number)) {
                None => Decided::failed("no_such_card"),
                Some((_, _, Bank::Declines(reason))) => Decided::failed(reason),
                Some((_, _, Bank::Asks)) => Decided::to("requires_action"),
                Some((_, _, Bank::Pays)) => Decided::to("succeeded"),
                Some((_, _, Bank::PaysLater)) => {
                    Decided { available_after: Some(FUNDS), ..Decided::to("succeeded") }
                }
            })
        })
        .await
    }

    pub(super) async fn refund_charge(
        &self,
        request: &Request,
        charge: &str,
    ) -> Result<Movement, Error> {
        self.once(request, charge, async |session| {
            let charged: Option<(Cents,)> = session
                .first(
                    sql("SELECT amount_cents FROM sandbox_object WHERE id = $1 \
                         AND kind = 'charge' AND status = 'succeeded'")
                    .bind(charge),
                )
                .await?;
            let refunded: Cents = session
                .value(
                    sql("SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) \
                         FROM sandbox_object WHERE reference = $1 AND kind = 'refund' \
                         AND status = 'succeeded'")
                    .bind(charge),
                )
                .await?;
            let taken = Self::taken_of(session, charge).await?;
            Ok(match charged {
                None => Decided::failed("no_such_charge"),
                Some((charged,))
                    if taken.is_positive() && refunded + taken + request.amount > charged =>
                {
                    Decided::failed("charge_disputed")
                }
                Some((charged,)) if refunded + request.amount > charged => {
                    Decided::failed("more_than_charged")
                }
                Some(_) => Decided::to("succeeded"),
            })
        })
        .await
    }

    pub(super) async fn send(&self, request: &Request, account: &str) -> Result<Movement, Error> {
        self.once(request, account, async |session| {
            let account = Self::known_account(session, account).await?;
            Ok(if account.is_some_and(|account| account.payouts_enabled) {
                Decided::to("in_transit")
            } else {
                Decided::failed("account_cannot_receive")
            })
        })
        .await
    }

    pub(super) async fn look(&self, which: impl Statement) -> Result<Option<Movement>, Error> {
        let now = self.clock.now();
        let mut session = self.db.begin().await?;
        let object: Option<Object> = session.first(which).await?;
        let Some(mut object) = object else {
            return Ok(None);
        };
        if object.status == "in_transit" && object.created_at + TRANSIT <= now {
            object.status = "paid".into();
            session
                .run(
                    sql("UPDATE sandbox_object SET status = 'paid' \
                         WHERE id = $1 AND status = 'in_transit'")
                    .bind(object.id.clone()),
                )
                .await?;
            self.tell(&mut session, "transfer.paid", &object.id).await?;
            session.commit().await?;
        } else if object.status == "requires_action" && object.created_at + CONFIRMED_WITHIN <= now
        {
            self.decide(&mut session, &mut object, Some("authentication_required")).await?;
            session.commit().await?;
        }
        Ok(Some(object.movement()))
    }
}

/// What the sandbox keeps of a charge, rounded half up.
pub(super) fn fee_of(amount: Cents) -> Cents {
    let (share, fixed) = FEE;
    Cents((amount.get() * share + 5_000) / 10_000) + fixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fee_is_a_share_and_thirty_cents() {
        for (amount, fee) in [(100, 33), (10_000, 320), (109_890, 3_217), (50, 31)] {
            assert_eq!(fee_of(Cents(amount)), Cents(fee), "{amount}");
        }
    }
}
