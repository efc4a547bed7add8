//! What counts on information returns, and the statements of payers and payees.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query};

use super::CHUNK;
use crate::error::{Result, codes};
use crate::kernel::{AgentId, AthleteId, Cents, PartnerId, PaymentId, Time};
use crate::payments::ledger::Owner;
use crate::payments::taxes;
use crate::payments::taxes::{ReturnForm, TaxForm};
use crate::storage::{Among as _, FromRow, Session, sql};

/// How many payers are read at once.
const AT_ONCE: u64 = 100;

/// A payer.
#[derive(Clone, Debug, FromRow)]
pub struct Payer {
    pub id: PartnerId,
    pub company_name: String,
    /// The state it has stated for taxes, or else in its profile.
    pub state: Option<String>,
}

/// The next brands, in the order of their ids.
pub async fn payers(session: &mut Session, after: Option<PartnerId>) -> Result<Vec<Payer>> {
    let form = Expr::cust("f.owner = 'partner:' || b.id AND f.replaced_at IS NULL");
    let query = Query::select()
        .expr(Expr::cust("b.id, b.company_name, COALESCE(f.state, b.hq_state) AS state"))
        .from_as("partner", "b")
        .join_as(JoinType::LeftJoin, "tax_form", "f", form)
        .and_where(Expr::col(("b", "id")).gt(after.map_or(0, PartnerId::get)))
        .order_by(("b", "id"), Order::Asc)
        .limit(AT_ONCE)
        .take();
    session.all(query).await
}

/// The state that a brand has stated for taxes, or else in its profile.
pub async fn state_of(session: &mut Session, partner: PartnerId) -> Result<Option<String>> {
    session
        .value(
            sql("SELECT COALESCE(f.state, b.hq_state) FROM partner b LEFT JOIN tax_form f \
                 ON f.owner = 'partner:' || b.id AND f.replaced_at IS NULL WHERE b.id = $1")
            .bind(partner),
        )
        .await
}

/// What a payer paid a payee in a year, on one form.
#[derive(Clone, Debug, FromRow)]
pub struct Paid {
    pub partner_id: PartnerId,
    pub athlete_id: Option<AthleteId>,
    pub agent_id: Option<AgentId>,
    pub payee_name: String,
    pub amount_cents: Cents,
    pub withheld_cents: Cents,
    /// Whether the payee is an athlete who has said that they need a visa.
    pub is_foreign: bool,
}

impl Paid {
    /// Who was paid.
    pub fn payee(&self) -> Result<Owner> {
        payee(self.athlete_id, self.agent_id)
    }
}

/// The payee of a row.
pub fn payee(athlete: Option<AthleteId>, agent: Option<AgentId>) -> Result<Owner> {
    let owner = athlete.map(Owner::Athlete).or(agent.map(Owner::Agent));
    owner.ok_or_else(|| codes::INTERNAL.into())
}

/// What these payers, in whose zone the year is this time span, paid on a form.
pub async fn paid(
    session: &mut Session,
    payers: &[PartnerId],
    form: ReturnForm,
    (from, until): (Time, Time),
) -> Result<Vec<Paid>> {
    let mut query = Query::select()
        .expr(Expr::cust(
            "v.partner_id, v.athlete_id, v.agent_id, \
             COALESCE(MIN(a.display_name), MIN(g.agency_name)) AS payee_name, \
             CAST(SUM(v.amount_cents) AS BIGINT) AS amount_cents, \
             CAST(SUM(v.withheld_cents) AS BIGINT) AS withheld_cents, \
             CASE WHEN MIN(w.athlete_id) IS NULL THEN FALSE ELSE TRUE END AS is_foreign",
        ))
        .from_as("reportable_payment", "v")
        .take();
    for (table, alias, column) in [("athlete", "a", "athlete_id"), ("agent", "g", "agent_id")] {
        let same = Expr::col((alias, "id")).equals(("v", column));
        query.join_as(JoinType::LeftJoin, table, alias, same);
    }
    let visa = Expr::cust("w.athlete_id = v.athlete_id AND w.status <> 'none'");
    query
        .join_as(JoinType::LeftJoin, "athlete_visa", "w", visa)
        .and_where(Expr::col(("v", "partner_id")).among(payers.iter().map(|id| id.get())))
        .and_where(Expr::col(("v", "form")).eq(form.as_str()))
        .and_where(Expr::col(("v", "at")).gte(from))
        .and_where(Expr::col(("v", "at")).lt(until))
        .and_where(Expr::col(("v", "seen_at")).lt(until))
        .group_by_columns([("v", "partner_id"), ("v", "athlete_id"), ("v", "agent_id")]);
    session.all(query).await
}

/// One movement that counts on returns.
#[derive(Clone, Debug, FromRow)]
pub struct Movement {
    pub payment_id: Option<PaymentId>,
    pub partner_id: PartnerId,
    pub company_name: String,
    pub state: Option<String>,
    pub at: Time,
    pub seen_at: Time,
    pub form: ReturnForm,
    pub kind: String,
    pub amount_cents: Cents,
    pub withheld_cents: Cents,
    pub commission_cents: Cents,
}

impl Movement {
    fn zone(&self) -> Tz {
        taxes::year::zone_of(self.state.as_deref())
    }

    /// The year it belongs to, where the payer is.
    pub fn year(&self) -> i64 {
        taxes::year::year_in(self.at, self.zone())
    }

    /// Whether it was made in the year it belongs to: what comes later changes no year that is
    /// over.
    pub fn counts(&self) -> bool {
        taxes::year::year_in(self.seen_at, self.zone()) == self.year()
    }
}

/// All movements of a payee in a time span.
pub async fn movements(
    session: &mut Session,
    owner: Owner,
    (from, until): (Time, Time),
) -> Result<Vec<Movement>> {
    let (column, id) = match owner {
        Owner::Athlete(id) => ("athlete_id", id.get()),
        Owner::Agent(id) => ("agent_id", id.get()),
        Owner::Partner(_) => return Ok(Vec::new()),
    };
    let partner = Expr::col(("b", "id")).equals(("v", "partner_id"));
    let form = Expr::cust("f.owner = 'partner:' || v.partner_id AND f.replaced_at IS NULL");
    let query = Query::select()
        .expr(Expr::cust(
            "v.payment_id, v.partner_id, b.company_name, COALESCE(f.state, b.hq_state) AS state, \
             v.at, v.seen_at, v.form, v.kind, v.amount_cents, v.withheld_cents, v.commission_cents",
        ))
        .from_as("reportable_payment", "v")
        .join_as(JoinType::InnerJoin, "partner", "b", partner)
        .join_as(JoinType::LeftJoin, "tax_form", "f", form)
        .and_where(Expr::col(("v", column)).eq(id))
        .and_where(Expr::col(("v", "at")).gte(from))
        .and_where(Expr::col(("v", "at")).lt(until))
        .order_by(("v", "partner_id"), Order::Asc)
        .take();
    session.all(query).await
}

/// A statement with its sealed number.
#[derive(Clone, Debug, FromRow)]
pub struct Sealed {
    #[row(flatten)]
    pub form: TaxForm,
    pub tin_sealed: Vec<u8>,
}

const SEALED: &str = "id, owner, version, classification, first_name, last_name, business_name, \
    street, street2, city, state, postal_code, phone, tin_kind, tin_last4, statement_version, \
    signature, certified_at, tin_sealed";

/// The current statements of these owners, by owner.
pub async fn forms(
    session: &mut Session,
    owners: BTreeSet<Owner>,
) -> Result<BTreeMap<Owner, Sealed>> {
    let owners: Vec<Owner> = owners.into_iter().collect();
    let mut all = BTreeMap::new();
    for some in owners.chunks(CHUNK) {
        let query = Query::select()
            .expr(Expr::cust(SEALED))
            .from("tax_form")
            .and_where(Expr::col("owner").among(some.iter().map(Owner::to_string)))
            .and_where(Expr::cust("replaced_at IS NULL"))
            .take();
        let rows: Vec<Sealed> = session.all(query).await?;
        for row in rows {
            all.insert(Owner::named(&row.form.owner).ok_or(codes::INTERNAL)?, row);
        }
    }
    Ok(all)
}

/// The statements with these ids, replaced ones too, by id.
pub async fn forms_by_id(
    session: &mut Session,
    ids: BTreeSet<i64>,
) -> Result<BTreeMap<i64, Sealed>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    let mut all = BTreeMap::new();
    for some in ids.chunks(CHUNK) {
        let query = Query::select()
            .expr(Expr::cust(SEALED))
            .from("tax_form")
            .and_where(Expr::col("id").among(some.iter().copied()))
            .take();
        let rows: Vec<Sealed> = session.all(query).await?;
        all.extend(rows.into_iter().map(|row| (row.form.id.get(), row)));
    }
    Ok(all)
}
