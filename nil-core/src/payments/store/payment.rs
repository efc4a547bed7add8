//! The rows of charges, payments and their shares.

use std::collections::HashMap;

use chrono::Offset as _;

use super::{CHUNK, commission};
use crate::error::{Error, Result};
use crate::jobs::Compensation;
use crate::kernel::{
    AgentId, AthleteId, Cents, ChargeId, ContractId, ConversionId, Machine as _, Moved, PartnerId,
    PaymentId, PaymentMethodId, ServiceOrderId, Time, UserId, zone_or_last,
};
use crate::payments::charges::amount_owed::{Earned, Line};
use crate::payments::charges::payment::{ChargeStatus, PaymentEvent, PaymentKind, PaymentStatus};
use crate::ports::processor::Outcome;
use crate::storage::{FromRow, Series, Session, Update, advance, insert, sql, update};

/// The numbers of payments.
const NUMBERS: Series = Series { name: "payment", prefix: "PAY" };

/// What every charge of a card has.
#[derive(Clone, Debug, FromRow)]
pub struct OfCard {
    pub status: ChargeStatus,
    /// The processor's id of the card.
    pub processor_ref: String,
    /// The processor's id of the charge, if it has said so.
    pub processor_charge_id: Option<String>,
}

impl OfCard {
    /// The processor's id of a charge that waits for its cardholder.
    pub fn waits_as(&self) -> Option<&str> {
        let waits = self.status == ChargeStatus::RequiresAction;
        self.processor_charge_id.as_deref().filter(|_| waits)
    }
}

/// A charge.
#[derive(Clone, Debug, FromRow)]
pub struct Charge {
    pub id: ChargeId,
    pub partner_id: PartnerId,
    pub kind: PaymentKind,
    pub total_cents: Cents,
    #[row(flatten)]
    pub of_card: OfCard,
    /// The service order whose completion requested it.
    pub service_order_id: Option<ServiceOrderId>,
}

const CHARGE: &str = "SELECT c.id, c.partner_id, c.kind, c.total_cents, c.status, \
    m.processor_ref, c.processor_charge_id, c.service_order_id FROM charge c \
    JOIN payment_method m ON m.id = c.payment_method_id WHERE c.id = $1";

/// A charge.
pub async fn charge(session: &mut Session, id: ChargeId) -> Result<Option<Charge>> {
    session.first(sql(CHARGE).bind(id)).await
}

/// A charge, locked until the transaction ends.
pub async fn locked_charge(session: &mut Session, id: ChargeId) -> Result<Charge> {
    session.one(sql(CHARGE).locking("FOR UPDATE OF c").bind(id)).await
}

/// The charge of one of a brand's payments.
pub async fn charge_of(
    session: &mut Session,
    partner: PartnerId,
    payment: PaymentId,
) -> Result<Option<ChargeId>> {
    session
        .value(
            sql("SELECT MAX(charge_id) FROM payment WHERE id = $1 AND partner_id = $2")
                .bind(payment)
                .bind(partner),
        )
        .await
}

/// A charge to write.
pub struct NewCharge {
    pub partner_id: PartnerId,
    pub method: PaymentMethodId,
    pub kind: PaymentKind,
    pub total: Cents,
    pub order: Option<ServiceOrderId>,
    pub now: Time,
}

/// Writes a charge with its payments and what each settles; returns the ids of the charge and the
/// payments.
pub async fn add_charge(
    session: &mut Session,
    new: NewCharge,
    lines: &[Line],
) -> Result<(ChargeId, Vec<(PaymentId, String)>)> {
    let (charge,): (ChargeId,) = session
        .one(
            insert("charge")
                .set("partner_id", new.partner_id)
                .set("payment_method_id", new.method)
                .set("kind", new.kind)
                .set("total_cents", new.total)
                .set("status", ChargeStatus::Processing)
                .set("service_order_id", new.order)
                .set("created_at", new.now)
                .set("updated_at", new.now)
                .returning(&["id"]),
        )
        .await?;
    let numbers = NUMBERS.draw_many(session, new.now, lines.len()).await?;
    let numbered: Vec<(String, &Line)> = numbers.zip(lines).collect();
    let mut ids = Vec::new();
    for chunk in numbered.chunks(CHUNK) {
        ids.extend(add_payments(session, charge, &new, chunk).await?);
    }
    let (mut rows, mut sales): (Vec<_>, Vec<(PaymentId, ConversionId, Cents)>) =
        (Vec::new(), Vec::new());
    for (id, (_, line)) in ids.iter().zip(&numbered) {
        for (earned, amount) in &line.shares {
            match earned {
                Earned::Deliverable(deliverable) => rows.push((*id, *deliverable, *amount)),
                Earned::Conversion(sale) => sales.push((*id, *sale, *amount)),
            }
        }
    }
    commission::add_shares(session, &sales).await?;
    for chunk in rows.chunks(4 * CHUNK) {
        let mut shares = insert("payment_share");
        for (payment, deliverable, amount) in chunk {
            shares = shares
                .set("payment_id", *payment)
                .set("deliverable_id", *deliverable)
                .set("amount_cents", *amount)
                .row();
        }
        session.run(shares).await?;
    }
    let numbers = numbered.into_iter().map(|(number, _)| number);
    Ok((charge, ids.into_iter().zip(numbers).collect()))
}

async fn add_payments(
    session: &mut Session,
    charge: ChargeId,
    new: &NewCharge,
    lines: &[(String, &Line)],
) -> Result<Vec<PaymentId>> {
    let status = PaymentStatus::Pending.on(PaymentEvent::Charge)?.to();
    let mut rows = insert("payment");
    for (number, line) in lines {
        rows = rows
            .set("number", number.clone())
            .set("charge_id", charge)
            .set("partner_id", new.partner_id)
            .set("athlete_id", line.contract.athlete_id)
            .set("contract_id", line.contract.id)
            .set("college_id", line.contract.college_id)
            .set("utc_offset", utc_offset(new.now, line.contract.time_zone.as_deref()))
            .set("agent_id", line.contract.agent_id)
            .set("amount_cents", line.cents.amount)
            .set("fee_cents", line.cents.fee)
            .set("agent_commission_cents", line.cents.commission)
            .set("total_cents", line.cents.total())
            .set("refunded_cents", Cents::ZERO)
            .set("refunded_fee_cents", Cents::ZERO)
            .set("currency", "usd")
            .set("status", status)
            .set("on_totals", true)
            .set("created_at", new.now)
            .set("updated_at", new.now)
            .row();
    }
    let written: Vec<(PaymentId, String)> = session.all(rows.returning(&["id", "number"])).await?;
    let ids: HashMap<String, PaymentId> =
        written.into_iter().map(|(id, number)| (number, id)).collect();
    lines
        .iter()
        .map(|(number, _)| ids.get(number).copied())
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| Error::internal("a payment was not written"))
}

/// How far the clocks of a zone are from UTC, in seconds: the database's views count days by it.
fn utc_offset(at: Time, zone: Option<&str>) -> i64 {
    let local = at.with_timezone(&zone_or_last(zone));
    i64::from(local.offset().fix().local_minus_utc())
}

/// What the processor says of a charge that has another status.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said<'a> {
    /// The charge's reference; none if there is no such charge.
    pub name: Option<&'a str>,
    /// Why it failed.
    pub failure: Option<&'a str>,
    /// Until when the cardholder can confirm it.
    pub confirm_until: Option<Time>,
}

impl<'a> From<&'a Outcome> for Said<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Succeeded { id, .. } | Outcome::InTransit { id, .. } => {
                Self { name: Some(id), ..Self::default() }
            }
            Outcome::NeedsAction { id, until } => {
                Self { name: Some(id), confirm_until: Some(*until), ..Self::default() }
            }
            Outcome::Failed { id, why } => {
                Self { name: id.as_deref(), failure: Some(why), ..Self::default() }
            }
        }
    }
}

impl Said<'_> {
    /// Writes it with the status.
    pub fn set(&self, change: Update) -> Update {
        change
            .set("processor_charge_id", self.name)
            .set("failure_code", self.failure)
            .set("confirm_until", self.confirm_until)
    }
}

/// Changes a charge's status.
pub async fn change_charge(
    session: &mut Session,
    id: ChargeId,
    moved: Moved<ChargeStatus>,
    said: &Outcome,
    now: Time,
) -> Result<()> {
    session.change(Said::from(said).set(advance("charge", id, moved, now))).await
}

/// What is known of the payments of a charge when it ends.
pub struct Known<'a> {
    /// Why it failed.
    pub failure: Option<&'a str>,
    /// When the processor can pay its money out, unless it can already.
    pub funds_at: Option<Time>,
}

/// Changes the status of all payments of a charge.
pub async fn change_payments(
    session: &mut Session,
    charge: ChargeId,
    moved: Moved<PaymentStatus>,
    known: Known<'_>,
    now: Time,
) -> Result<()> {
    let paid_at = (moved.to() == PaymentStatus::Succeeded).then_some(now);
    session
        .change(
            update("payment")
                .change(moved)
                .set("failure_code", known.failure)
                .set("paid_at", paid_at)
                .set("funds_at", known.funds_at)
                .set("updated_at", now)
                .when("charge_id", charge),
        )
        .await
}

/// What is needed to book a payment and to notify its parties.
#[derive(Clone, Debug, FromRow)]
pub struct Booked {
    pub id: PaymentId,
    pub number: String,
    pub contract_id: ContractId,
    pub athlete_id: AthleteId,
    pub agent_id: Option<AgentId>,
    pub amount_cents: Cents,
    pub fee_cents: Cents,
    pub agent_commission_cents: Cents,
    pub athlete_user_id: UserId,
    pub athlete_name: String,
    pub partner_user_id: UserId,
    pub company_name: String,
    pub job_title: String,
    pub compensation: Compensation,
}

/// The payments of a charge, to be booked.
pub async fn of_charge(session: &mut Session, charge: ChargeId) -> Result<Vec<Booked>> {
    session
        .all(
            sql("SELECT p.id, p.number, p.contract_id, p.athlete_id, p.agent_id, p.amount_cents, \
                 p.fee_cents, p.agent_commission_cents, a.user_id AS athlete_user_id, \
                 a.display_name AS athlete_name, b.user_id AS partner_user_id, b.company_name, \
                 j.title AS job_title, j.compensation FROM payment p \
                 JOIN athlete a ON a.id = p.athlete_id \
                 JOIN partner b ON b.id = p.partner_id JOIN contract c ON c.id = p.contract_id \
                 JOIN job j ON j.id = c.job_id WHERE p.charge_id = $1 ORDER BY p.id")
            .bind(charge),
        )
        .await
}
