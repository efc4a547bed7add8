//! The rows of requests for tax forms.

use sea_query::{Expr, ExprTrait as _, JoinType, Query};

use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, ByAge, FollowedPage, Listing, TaxFormRequestId, Time};
use crate::payments::ledger::Owner;
use crate::payments::taxes::{AskReason, ListTaxRequests, TaxFormRequest, TaxRequestStatus};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{FromRow, Key, Narrow as _, Session, contains, sorted, sql};

/// Writes that a payee is asked for this reason, in a row of the payee and the year.
macro_rules! asked_for {
    ($column:literal) => {
        concat!(
            "INSERT INTO tax_form_request (owner, athlete_id, agent_id, year, look_at, ",
            $column,
            ", asked_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6, $6, $6) \
             ON CONFLICT (owner, year) DO UPDATE SET ",
            $column,
            " = excluded.",
            $column,
            ", asked_at = excluded.asked_at, updated_at = excluded.updated_at \
             WHERE tax_form_request.",
            $column,
            " IS NULL RETURNING id"
        )
    };
}

/// Records that a payee is asked; `None` if that was done for this reason and year before.
/// `look_at` is kept if there is a row.
pub async fn ask(
    session: &mut Session,
    owner: Owner,
    year: i64,
    reason: AskReason,
    (look_at, now): (Option<Time>, Time),
) -> Result<Option<TaxFormRequestId>> {
    let statement = match reason {
        AskReason::NearThreshold => asked_for!("near_threshold_at"),
        AskReason::PayoutHeld => asked_for!("payout_held_at"),
        AskReason::TaxWithheld => asked_for!("tax_withheld_at"),
        AskReason::ReturnsDue => asked_for!("returns_due_at"),
    };
    let (athlete, agent): (Option<AthleteId>, Option<AgentId>) = match owner {
        Owner::Athlete(id) => (Some(id), None),
        Owner::Agent(id) => (None, Some(id)),
        Owner::Partner(_) => return Ok(None),
    };
    let asked: Option<(TaxFormRequestId,)> = session
        .first(
            sql(statement)
                .bind(owner.to_string())
                .bind(athlete)
                .bind(agent)
                .bind(year)
                .bind(look_at)
                .bind(now),
        )
        .await?;
    Ok(asked.map(|(id,)| id))
}

/// Whether a payee need not be asked for a form whose lack holds a payout: it is there, or they
/// were asked.
pub async fn hold_is_known(session: &mut Session, owner: Owner, year: i64) -> Result<bool> {
    let known = sql("SELECT id FROM tax_form WHERE owner = $1 AND replaced_at IS NULL UNION ALL \
         SELECT id FROM tax_form_request WHERE owner = $1 AND year = $2 \
         AND payout_held_at IS NOT NULL");
    session.exists(known.bind(owner.to_string()).bind(year)).await
}

/// Whether a payee need not be asked for a form because of their earnings: it is there, or they
/// were asked for it this year.
pub async fn need_is_known(session: &mut Session, owner: Owner, year: i64) -> Result<bool> {
    let known = sql("SELECT id FROM tax_form WHERE owner = $1 AND replaced_at IS NULL UNION ALL \
         SELECT id FROM tax_form_request WHERE owner = $1 AND year = $2 AND asked_at IS NOT NULL");
    session.exists(known.bind(owner.to_string()).bind(year)).await
}

/// A payee's form has come in: nothing is looked for any more.
pub async fn answer(session: &mut Session, owner: Owner, now: Time) -> Result<()> {
    session
        .run(
            sql("UPDATE tax_form_request SET answered_at = $2, look_at = NULL, updated_at = $2 \
                 WHERE owner = $1 AND answered_at IS NULL")
            .bind(owner.to_string())
            .bind(now),
        )
        .await
        .map(|_| ())
}

/// Requests to be looked at by now.
pub async fn due(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<TaxFormRequestId>> {
    const DUE: &str = due_ids!("tax_form_request", "look_at", "look_at <= $1");
    due::ids(session, DUE, now, behind).await
}

/// Whose request it is, and of which year.
#[derive(Clone, Debug, FromRow)]
pub struct Asked {
    pub owner: String,
    pub year: i64,
    pub look_at: Option<Time>,
}

/// A request.
pub async fn find(session: &mut Session, id: TaxFormRequestId) -> Result<Option<Asked>> {
    let asked = sql("SELECT owner, year, look_at FROM tax_form_request WHERE id = $1");
    session.first(asked.bind(id)).await
}

/// Records that the worker has looked.
pub async fn looked(session: &mut Session, id: TaxFormRequestId, now: Time) -> Result<()> {
    let looked = sql("UPDATE tax_form_request SET look_at = NULL, updated_at = $2 WHERE id = $1");
    session.run(looked.bind(id).bind(now)).await.map(|_| ())
}

/// A page of requests that were sent.
pub async fn page(
    session: &mut Session,
    wanted: &ListTaxRequests,
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<TaxFormRequest>> {
    let mut rows = Query::select()
        .expr(Expr::cust(
            "r.id, r.owner, r.year, COALESCE(a.display_name, g.agency_name) AS name, \
             CASE WHEN v.athlete_id IS NULL THEN FALSE ELSE TRUE END AS is_foreign, \
             r.near_threshold_at, r.payout_held_at, r.tax_withheld_at, r.returns_due_at, \
             r.asked_at, r.answered_at",
        ))
        .from_as("tax_form_request", "r")
        .take();
    for (table, alias, column) in [("athlete", "a", "athlete_id"), ("agent", "g", "agent_id")] {
        let same = Expr::col((alias, "id")).equals(("r", column));
        rows.join_as(JoinType::LeftJoin, table, alias, same);
    }
    let visa = Expr::cust("v.athlete_id = r.athlete_id AND v.status <> 'none'");
    rows.join_as(JoinType::LeftJoin, "athlete_visa", "v", visa)
        .and_where(Expr::cust("r.asked_at IS NOT NULL"))
        .only(("r", "year"), wanted.year)
        .cond_where(contains(
            [Expr::cust("COALESCE(a.display_name, g.agency_name)")],
            sift.words(),
        ));
    match wanted.status.one() {
        // Literals, so that the database can use the partial index.
        Some(TaxRequestStatus::Missing) => {
            rows.and_where(Expr::cust("r.answered_at IS NULL"));
        }
        Some(TaxRequestStatus::Answered) => {
            rows.and_where(Expr::cust("r.answered_at IS NOT NULL"));
        }
        None => {}
    }
    session.follow(sorted(rows, [Key::of(Expr::col(("r", "id")), sift.order())]), place).await
}
