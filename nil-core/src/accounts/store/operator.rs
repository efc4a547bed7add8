//! The rows of operators.

use serde_json::json;

use crate::accounts::operators::OperatorAccount;
use crate::auth::Permission;
use crate::error::Result;
use crate::kernel::{Email, OperatorId, Time};
use crate::storage::{Session, insert, sql, update};

const COLUMNS: &[&str] = &[
    "id",
    "email",
    "name",
    "permissions",
    "active",
    "last_login_at",
    "created_at",
    "updated_at",
];

/// An operator to make.
#[derive(Clone, Debug)]
pub(in crate::accounts) struct NewOperator {
    pub email: Email,
    pub name: String,
    pub permissions: Vec<Permission>,
    pub hash: String,
}

/// Makes an operator; 409 `email_taken` where the e-mail belongs to one.
pub(in crate::accounts) async fn add(
    session: &mut Session,
    new: NewOperator,
    now: Time,
) -> Result<OperatorAccount> {
    session
        .one(
            insert("operator")
                .set("email", new.email)
                .set("name", new.name)
                .set("password_hash", new.hash)
                .set("permissions", json!(new.permissions))
                .set("active", true)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(COLUMNS),
        )
        .await
}

/// Id and password of the active operator with this e-mail.
pub(in crate::accounts) async fn by_email(
    session: &mut Session,
    email: &Email,
) -> Result<Option<(OperatorId, String)>> {
    session
        .first(
            sql("SELECT id, password_hash FROM operator WHERE email = $1 AND active")
                .bind(email.clone()),
        )
        .await
}

/// Notes a log-in; `None` where the operator is no longer active with that password.
pub(in crate::accounts) async fn note_login(
    session: &mut Session,
    id: OperatorId,
    hash: &str,
    now: Time,
) -> Result<Option<OperatorAccount>> {
    session
        .first(
            update("operator")
                .set("last_login_at", now)
                .when("id", id)
                .when("password_hash", hash)
                .when("active", true)
                .returning(COLUMNS),
        )
        .await
}

/// The operator's id by e-mail, active or not.
pub(in crate::accounts) async fn id_of(
    session: &mut Session,
    email: &Email,
) -> Result<Option<OperatorId>> {
    let found: Option<(OperatorId,)> = session
        .first(sql("SELECT id FROM operator WHERE email = $1").bind(email.clone()))
        .await?;
    Ok(found.map(|(id,)| id))
}

/// Every operator, active or not, held until the end of the transaction: of two who are switched off at
/// once, the second one sees that the first is. There are few.
pub(in crate::accounts) async fn hold_all(session: &mut Session) -> Result<Vec<OperatorAccount>> {
    const ALL: &str = "SELECT id, email, name, permissions, active, last_login_at, created_at, \
        updated_at FROM operator ORDER BY id";
    const ALL_LOCKED: &str = "SELECT id, email, name, permissions, active, last_login_at, \
        created_at, updated_at FROM operator ORDER BY id FOR UPDATE";
    session.all(sql(ALL).locking(ALL_LOCKED)).await
}

/// Switches an operator off or on.
pub(in crate::accounts) async fn set_active(
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
                .returning(COLUMNS),
        )
        .await
}

/// Whether there is an operator.
pub(crate) async fn any(session: &mut Session) -> Result<bool> {
    let found: Option<(i64,)> = session
        .first(sql("SELECT id FROM operator LIMIT 1"))
        .await?;
    Ok(found.is_some())
}
