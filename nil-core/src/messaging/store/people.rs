//! The participants of conversations, and who may write to whom.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use crate::accounts::{UserKind, UserStatus};
use crate::auth::User;
use crate::error::Result;
use crate::kernel::{ConversationId, Date, JobId, UserId};
use crate::storage::{Among as _, FromRow, Narrow as _, Session, scalar};

/// A user who writes or is written to.
#[derive(Clone, Debug, FromRow)]
pub struct Person {
    pub user_id: UserId,
    pub kind: UserKind,
    pub status: UserStatus,
    pub name: String,
    pub picture_url: Option<String>,
    pub date_of_birth: Option<Date>,
    /// An athlete's institution's.
    pub time_zone: Option<String>,
    pub guardian_name: Option<String>,
    pub guardian_email: Option<String>,
}

/// The display name of a user; for `app_user` joined with the records of all kinds.
pub(super) const NAME: &str = "COALESCE(athlete.display_name, partner.company_name, \
    agent.agency_name, NULLIF(TRIM(COALESCE(app_user.first_name, '') || ' ' || \
    COALESCE(app_user.last_name, '')), ''), 'Somebody')";

/// Accounts joined with the records of all kinds.
fn accounts() -> SelectStatement {
    let mut query = Query::select();
    query.from("app_user");
    for table in ["athlete", "partner", "agent"] {
        query.join(
            JoinType::LeftJoin,
            table,
            Expr::col((table, "user_id")).equals(("app_user", "id")),
        );
    }
    query
}

/// These users; unknown ids are left out.
pub async fn people(session: &mut Session, ids: &[UserId]) -> Result<Vec<Person>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session.all(select(ids)).await
}

fn select(ids: &[UserId]) -> SelectStatement {
    let mut query = accounts();
    query
        .expr_as(Expr::col(("app_user", "id")), "user_id")
        .column(("app_user", "kind"))
        .column(("app_user", "status"))
        .expr_as(Expr::cust(NAME), "name")
        .expr_as(Expr::cust("COALESCE(athlete.photo_url, partner.logo_url)"), "picture_url")
        .column(("athlete", "date_of_birth"))
        .column(("college", "time_zone"))
        .expr_as(Expr::col(("guardian", "name")), "guardian_name")
        .expr_as(Expr::col(("guardian", "email")), "guardian_email")
        .join(
            JoinType::LeftJoin,
            "guardian",
            Expr::col(("guardian", "athlete_id")).equals(("athlete", "id")),
        )
        .join(
            JoinType::LeftJoin,
            "college",
            Expr::col(("college", "id")).equals(("athlete", "university_id")),
        )
        .and_where(Expr::col(("app_user", "id")).among(ids.iter().map(|id| id.get())));
    query
}

/// A user, and whether the caller may write to them.
#[derive(Clone, Debug, FromRow)]
pub struct Known {
    #[row(flatten)]
    pub person: Person,
    pub related: bool,
    /// The conversation of the topic.
    pub conversation_id: Option<ConversationId>,
}

/// These users, and which of them the caller may write to (model: *Conversation*), about this job
/// if one is given; and the conversation with this topic, if it exists. Unknown ids are left out.
pub async fn known(
    session: &mut Session,
    caller: &User,
    users: &[UserId],
    job: Option<JobId>,
    topic: Option<String>,
) -> Result<Vec<Known>> {
    let own = caller.profile_id;
    let id_of = |table: &'static str| Expr::col((table, "id"));
    let related = match caller.kind {
        UserKind::Athlete => Expr::exists(deal(Expr::val(own), id_of("partner"), job))
            .or(Expr::exists(represented(id_of("agent"), Expr::val(own), job))),
        UserKind::Partner => Expr::exists(deal(id_of("athlete"), Expr::val(own), job))
            .or(Expr::exists(agency(id_of("agent"), Expr::val(own), job))),
        UserKind::Agent => Expr::exists(represented(Expr::val(own), id_of("athlete"), job))
            .or(Expr::exists(agency(Expr::val(own), id_of("partner"), job))),
        // Fans only read.
        UserKind::Fan => Expr::val(false),
    };
    let topic = topic.map(|topic| {
        let mut found = Query::select();
        found.column("id").from("conversation").and_where(Expr::col("topic").eq(topic));
        scalar(found)
    });
    let mut query = select(users);
    query
        .expr_as(Expr::case(related, Expr::val(true)).finally(Expr::val(false)), "related")
        .expr_as(topic.unwrap_or_else(|| Expr::cust("NULL")), "conversation_id");
    session.all(query).await
}

/// Applications of an athlete for a brand's jobs, in any status.
fn deal(athlete: Expr, partner: Expr, job: Option<JobId>) -> SelectStatement {
    Query::select()
        .expr(Expr::cust("1"))
        .from("application")
        .join(
            JoinType::InnerJoin,
            "job",
            Expr::col(("job", "id")).equals(("application", "job_id")),
        )
        .and_where(Expr::col(("application", "athlete_id")).eq(athlete))
        .and_where(Expr::col(("job", "partner_id")).eq(partner))
        .only(("application", "job_id"), job)
        .take()
}

/// An agent's active representations of an athlete; for a job only if the athlete has applied.
fn represented(agent: Expr, athlete: Expr, job: Option<JobId>) -> SelectStatement {
    let mut query = Query::select()
        .expr(Expr::cust("1"))
        .from("representation")
        .and_where(Expr::col(("representation", "agent_id")).eq(agent))
        .and_where(Expr::col(("representation", "athlete_id")).eq(athlete))
        .and_where(Expr::col(("representation", "status")).eq("active"))
        .take();
    if job.is_some() {
        applied(&mut query);
        query.only(("application", "job_id"), job);
    }
    query
}

/// Applications for a brand's jobs by athletes of an agent.
fn agency(agent: Expr, partner: Expr, job: Option<JobId>) -> SelectStatement {
    let mut query = Query::select()
        .expr(Expr::cust("1"))
        .from("representation")
        .and_where(Expr::col(("representation", "agent_id")).eq(agent))
        .and_where(Expr::col(("representation", "status")).eq("active"))
        .take();
    applied(&mut query);
    query
        .join(
            JoinType::InnerJoin,
            "job",
            Expr::col(("job", "id")).equals(("application", "job_id")),
        )
        .and_where(Expr::col(("job", "partner_id")).eq(partner))
        .only(("application", "job_id"), job);
    query
}

fn applied(query: &mut SelectStatement) {
    query.join(
        JoinType::InnerJoin,
        "application",
        Expr::col(("application", "athlete_id")).equals(("representation", "athlete_id")),
    );
}
