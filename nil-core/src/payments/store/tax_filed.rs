//! The rows of returns as they were filed.

use sea_query::{Expr, ExprTrait as _, JoinType, Order, Query};

use super::tax_return::payee;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Cents, PartnerId, TaxFormId, Time};
use crate::payments::ledger::Owner;
use crate::payments::taxes::ReturnForm;
use crate::storage::{Among as _, FromRow, Session, insert, sql};

/// Holds off everybody else who files returns or changes amounts to report, until the transaction
/// ends.
pub async fn lock(session: &mut Session) -> Result<()> {
    session.lock("site", 1).await
}

/// Whether returns of a year were filed.
pub async fn any(session: &mut Session, year: i64) -> Result<bool> {
    session.exists(sql("SELECT year FROM tax_return WHERE year = $1 LIMIT 1").bind(year)).await
}

/// Whether returns of a year or a later one were filed.
pub async fn any_since(session: &mut Session, year: i64) -> Result<bool> {
    session.exists(sql("SELECT year FROM tax_return WHERE year >= $1 LIMIT 1").bind(year)).await
}

/// A version of a return as it was filed.
#[derive(Clone, Debug, FromRow)]
pub struct Filed {
    pub partner_id: PartnerId,
    pub athlete_id: Option<AthleteId>,
    pub agent_id: Option<AgentId>,
    pub payee_name: String,
    pub version: i64,
    pub amount_cents: Cents,
    pub withheld_cents: Cents,
    pub payer_form_id: TaxFormId,
    pub recipient_form_id: TaxFormId,
}

impl Filed {
    /// Who was paid.
    pub fn payee(&self) -> Result<Owner> {
        payee(self.athlete_id, self.agent_id)
    }

    /// The statements of the payer and the payee that stood on it.
    pub fn form_ids(&self) -> [TaxFormId; 2] {
        [self.payer_form_id, self.recipient_form_id]
    }
}

/// The returns of these payers that were filed, each version in order.
pub async fn of(
    session: &mut Session,
    payers: &[PartnerId],
    (year, form): (i64, ReturnForm),
) -> Result<Vec<Filed>> {
    let mut query = Query::select()
        .expr(Expr::cust(
            "r.partner_id, r.athlete_id, r.agent_id, \
             COALESCE(a.display_name, g.agency_name) AS payee_name, r.version, r.amount_cents, \
             r.withheld_cents, r.payer_form_id, r.recipient_form_id",
        ))
        .from_as("tax_return", "r")
        .take();
    for (table, alias, column) in [("athlete", "a", "athlete_id"), ("agent", "g", "agent_id")] {
        let same = Expr::col((alias, "id")).equals(("r", column));
        query.join_as(JoinType::LeftJoin, table, alias, same);
    }
    query
        .and_where(Expr::col(("r", "year")).eq(year))
        .and_where(Expr::col(("r", "form")).eq(form.as_str()))
        .and_where(Expr::col(("r", "partner_id")).among(payers.iter().map(|id| id.get())))
        .order_by(("r", "version"), Order::Asc);
    session.all(query).await
}

/// A version of a return to file.
#[derive(Clone, Debug)]
pub struct NewReturn {
    pub partner: PartnerId,
    pub payee: Owner,
    pub version: i64,
    pub amount: Cents,
    pub withheld: Cents,
    pub payer_form: TaxFormId,
    pub recipient_form: TaxFormId,
}

/// Files these returns.
pub async fn add(
    session: &mut Session,
    (year, form): (i64, ReturnForm),
    new: &[NewReturn],
    (by, now): (&str, Time),
) -> Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let mut rows = insert("tax_return");
    for one in new {
        let (athlete, agent): (Option<AthleteId>, Option<AgentId>) = match one.payee {
            Owner::Athlete(id) => (Some(id), None),
            Owner::Agent(id) => (None, Some(id)),
            Owner::Partner(_) => (None, None),
        };
        rows = rows
            .set("year", year)
            .set("form", form)
            .set("partner_id", one.partner)
            .set("payee", one.payee.to_string())
            .set("athlete_id", athlete)
            .set("agent_id", agent)
            .set("version", one.version)
            .set("amount_cents", one.amount)
            .set("withheld_cents", one.withheld)
            .set("payer_form_id", one.payer_form)
            .set("recipient_form_id", one.recipient_form)
            .set("filed_at", now)
            .set("filed_by", by.to_owned())
            .row();
    }
    session.run(rows).await.map(|_| ())
}
