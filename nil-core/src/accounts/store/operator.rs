//! The rows of operators.

use sea_query::{Expr, Query};

use crate::accounts::operators::operator::{
    ListOperators, ListedOperator, OneTime, OperatorAccount,
};
use crate::auth::Permission;
use crate::error::Result;
use crate::kernel::{Email, Listing, NameSort, OperatorId, Paging, Time};
use crate::storage::{
    FromRow, Narrow as _, Selected as _, Session, Stored, contains, insert, sql, update,
};

/// An operator to make.
#[derive(Clone, Debug, Stored)]
pub struct NewOperator {
    pub email: Email,
    pub name: String,
    #[row(json)]
    pub permissions: Vec<Permission>,
    #[row(rename = "password_hash")]
    pub hash: String,
    #[row(rename = "one_time_password")]
    pub one_time: Option<OneTime>,
}

/// Makes an operator; 409 `email_taken` if the e-mail belongs to one.
pub async fn add(session: &mut Session, new: NewOperator, now: Time) -> Result<OperatorAccount> {
    session
        .one(
            insert("operator")
                .with(new.columns())
                .set("active", true)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(OperatorAccount::COLUMNS),
        )
        .await
}

/// What a log-in needs to know of an operator.
#[derive(Clone, Debug, FromRow)]
pub struct Credentials {
    pub id: OperatorId,
    pub password_hash: String,
    pub one_time_password: Option<OneTime>,
}

/// Id and password of the active operator with this e-mail.
pub async fn by_email(session: &mut Session, email: &Email) -> Result<Option<Credentials>> {
    session
        .first(
            sql("SELECT id, password_hash, one_time_password FROM operator \
                 WHERE email = $1 AND active")
            .bind(email.clone()),
        )
        .await
}

/// Sets the operator's own password.
pub async fn change_password(
    session: &mut Session,
    id: OperatorId,
    hash: &str,
    now: Time,
) -> Result<OperatorAccount> {
    session
        .one(
            update("operator")
                .set("password_hash", hash)
                .set("one_time_password", None::<OneTime>)
                .set("updated_at", now)
                .when("id", id)
                .returning(OperatorAccount::COLUMNS),
        )
        .await
}

/// Sets a one-time password.
pub async fn reset_password(
    session: &mut Session,
    id: OperatorId,
    hash: &str,
    now: Time,
) -> Result<OperatorAccount> {
    session
        .one(
            update("operator")
                .set("password_hash", hash)
                .set("one_time_password", OneTime::Unused)
                .set("updated_at", now)
                .when("id", id)
                .returning(OperatorAccount::COLUMNS),
        )
        .await
}

/// Records a log-in, and the use of a one-time password. `None` if the operator is no longer active
/// with that password, or the one-time password has been used.
pub async fn note_login(
    session: &mut Session,
    id: OperatorId,
    hash: &str,
    once: Option<OneTime>,
    now: Time,
) -> Result<Option<OperatorAccount>> {
    let mut row = update("operator")
        .set("last_login_at", now)
        .when("id", id)
        .when("password_hash", hash)
        .when("active", true);
    if let Some(unused) = once {
        row = row.set("one_time_password", OneTime::Used).when("one_time_password", unused);
    }
    session.first(row.returning(OperatorAccount::COLUMNS)).await
}

/// The operator's id by e-mail, active or not.
pub async fn id_of(session: &mut Session, email: &Email) -> Result<Option<OperatorId>> {
    let found: Option<(OperatorId,)> =
        session.first(sql("SELECT id FROM operator WHERE email = $1").bind(email.clone())).await?;
    Ok(found.map(|(id,)| id))
}

/// Every operator, active or not, locked until the end of the transaction, so that concurrent
/// requests cannot disable the last one. There are few.
pub async fn lock_all(session: &mut Session) -> Result<Vec<OperatorAccount>> {
    const ALL: &str = "SELECT id, email, name, permissions, active, totp_on_at, last_login_at, \
        created_at, updated_at FROM operator ORDER BY id";
    session.all(sql(ALL).locking("FOR UPDATE")).await
}

/// Every operator, active or not.
pub async fn list(session: &mut Session) -> Result<Vec<ListedOperator>> {
    const ALL: &str = "SELECT id, email, name, permissions, active, totp_on_at, last_login_at, \
        created_at, updated_at, one_time_password FROM operator ORDER BY id";
    session.all(sql(ALL)).await
}

/// A page of operators.
pub async fn page(
    session: &mut Session,
    wanted: &ListOperators,
    paging: Paging,
) -> Result<Listing<ListedOperator>> {
    let mut rows = Query::select();
    rows.columns(OperatorAccount::COLUMNS.iter().copied())
        .column("one_time_password")
        .from("operator")
        .only("active", wanted.active)
        .cond_where(contains(["name", "email"].map(Expr::col), wanted.q.as_deref()))
        .in_order(wanted.sort.unwrap_or(NameSort::NameUp), Expr::col("name"), Expr::col("id"));
    session.page(rows, paging).await
}

/// Changes an operator's name and permissions, and whether they may log in.
pub async fn change(
    session: &mut Session,
    operator: &OperatorAccount,
    now: Time,
) -> Result<OperatorAccount> {
    session
        .one(
            update("operator")
                .set("name", operator.name.clone())
                .set("permissions", operator.permissions.clone())
                .set("active", operator.active)
                .set("updated_at", now)
                .when("id", operator.id)
                .returning(OperatorAccount::COLUMNS),
        )
        .await
}

/// Disables or enables an operator.
pub async fn set_active(
    session: &mut Session,
    id: OperatorId,
    active: bool,
    now: Time,
) -> Result<OperatorAccount> {
    session
        .one(
            update("operator")
                .set("active", active)
                .set("updated_at", now)
                .when("id", id)
                .returning(OperatorAccount::COLUMNS),
        )
        .await
}

/// Whether there is an operator.
pub(crate) async fn any(session: &mut Session) -> Result<bool> {
    session.exists(sql("SELECT id FROM operator LIMIT 1")).await
}
