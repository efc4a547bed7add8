//! The rows of accounts, found by what a person knows of them.

use sea_query::{Cond, Expr, ExprTrait as _, JoinType, Order, Query};

use crate::accounts::member_kind::FoundAccount;
use crate::accounts::{MemberKind, PortalUserStatus, UserStatus};
use crate::error::Result;
use crate::kernel::{Email, PortalUserId, Time, UserId, UserKind};
use crate::storage::{FromRow, Session, contains};

/// The name of a user of the Core interface.
const NAME: &str = "COALESCE(a.display_name, p.company_name, g.agency_name, \
    NULLIF(concat_ws(' ', u.first_name, u.last_name), ''))";

#[derive(Debug, FromRow)]
struct UserRow {
    id: UserId,
    kind: UserKind,
    name: Option<String>,
    email: Option<String>,
    status: UserStatus,
    created_at: Time,
}

#[derive(Debug, FromRow)]
struct PortalRow {
    id: PortalUserId,
    name: String,
    email: String,
    status: PortalUserStatus,
    created_at: Time,
    institution: String,
}

impl From<UserRow> for FoundAccount {
    fn from(row: UserRow) -> Self {
        Self {
            id: row.id.get(),
            kind: row.kind.into(),
            name: row.name,
            email: row.email,
            status: row.status.as_str(),
            since: row.created_at,
            institution: None,
        }
    }
}

impl From<PortalRow> for FoundAccount {
    fn from(row: PortalRow) -> Self {
        Self {
            id: row.id.get(),
            kind: MemberKind::PortalUser,
            name: Some(row.name),
            email: Some(row.email),
            status: row.status.as_str(),
            since: row.created_at,
            institution: Some(row.institution),
        }
    }
}

/// The users of the Core interface under these conditions, by id.
async fn users(session: &mut Session, which: Cond, limit: u64) -> Result<Vec<FoundAccount>> {
    let own = |table: &'static str| Expr::cust(format!("{table}.user_id = u.id"));
    let mut rows = Query::select();
    rows.columns(["id", "kind", "email", "status", "created_at"].map(|column| ("u", column)))
        .expr_as(Expr::cust(NAME), "name")
        .from_as("app_user", "u")
        .join_as(JoinType::LeftJoin, "athlete", "a", own("a"))
        .join_as(JoinType::LeftJoin, "partner", "p", own("p"))
        .join_as(JoinType::LeftJoin, "agent", "g", own("g"))
        .cond_where(which)
        .order_by(("u", "id"), Order::Asc)
        .limit(limit);
    let rows: Vec<UserRow> = session.all(rows).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The portal users under these conditions, by id.
async fn portal_users(session: &mut Session, which: Cond, limit: u64) -> Result<Vec<FoundAccount>> {
    let mut rows = Query::select();
    rows.columns(["id", "name", "email", "status", "created_at"].map(|column| ("u", column)))
        .expr_as(Expr::col(("c", "name")), "institution")
        .from_as("portal_user", "u")
        .join_as(JoinType::InnerJoin, "college", "c", Expr::cust("c.id = u.college_id"))
        .cond_where(which)
        .order_by(("u", "id"), Order::Asc)
        .limit(limit);
    let rows: Vec<PortalRow> = session.all(rows).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The users and the portal users under these conditions, by id, with at most `limit` of each.
async fn of_both(session: &mut Session, which: Cond, limit: u64) -> Result<Vec<FoundAccount>> {
    let mut found = users(session, which.clone(), limit).await?;
    found.extend(portal_users(session, which, limit).await?);
    Ok(found)
}

/// The accounts with these ids: one of each table at most.
pub async fn by_id(
    session: &mut Session,
    user: Option<UserId>,
    portal_user: Option<PortalUserId>,
) -> Result<Vec<FoundAccount>> {
    let is = |id: i64| Cond::all().add(Expr::col(("u", "id")).eq(id));
    let mut found = Vec::new();
    if let Some(id) = user {
        found = users(session, is(id.get()), 1).await?;
    }
    if let Some(id) = portal_user {
        found.extend(portal_users(session, is(id.get()), 1).await?);
    }
    Ok(found)
}

/// The accounts with this e-mail: one of each table at most.
pub async fn by_email(session: &mut Session, email: &Email) -> Result<Vec<FoundAccount>> {
    let is = Cond::all().add(Expr::col(("u", "email")).eq(email.clone()));
    of_both(session, is, 1).await
}

/// Accounts whose e-mail begins with this text, in small letters; by the index of e-mails.
pub async fn beginning(session: &mut Session, text: &str, limit: u64) -> Result<Vec<FoundAccount>> {
    let email = || Expr::col(("u", "email"));
    let behind = format!("{text}{}", char::MAX);
    let within = Cond::all().add(email().gte(text)).add(email().lt(behind));
    let mut found = of_both(session, within, limit).await?;
    // A database may sort letters otherwise than they are numbered.
    found.retain(|account| account.email.as_deref().is_some_and(|email| email.starts_with(text)));
    Ok(found)
}

/// Accounts with this text in the name or the e-mail: reads all accounts.
pub async fn containing(
    session: &mut Session,
    text: &str,
    limit: u64,
) -> Result<Vec<FoundAccount>> {
    let column = |column: &'static str| Expr::col(("u", column));
    let person = Expr::cust("concat_ws(' ', u.first_name, u.last_name)");
    let mut found =
        users(session, contains([column("email"), Expr::cust(NAME), person], Some(text)), limit)
            .await?;
    let texts = [column("email"), column("name")];
    found.extend(portal_users(session, contains(texts, Some(text)), limit).await?);
    Ok(found)
}
