//! Operators with all permissions list, make and change operators.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::impersonating;
use super::operator::{
    ListOperators, ListedOperator, OneTime, OperatorAccount, WhichOperator, is_chief, keep_a_chief,
    may_see_accounts,
};
use super::passwords::{give, new_password};
use crate::accounts::store::operator::{self as store, NewOperator};
use crate::auth::{Audience, Operator, Permission, session};
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::{Email, Listing, Many, OperatorId, Paged, Revision, Secret, Text};
use crate::operation::{Cx, Done, Revisable, Revised, Work};

/// An operator to make (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveOperator {
    /// The operator to change; omit it to make a new one.
    #[schemars(extend("examples" = [null]))]
    pub id: Option<OperatorId>,
    /// The e-mail to log in with; required for a new operator, and never changed.
    #[schemars(extend("examples" = ["ada@nil.example"]))]
    pub email: Option<Email>,
    /// Full name; required for a new operator.
    pub name: Option<Text<1, 160>>,
    /// All permissions; required for a new operator.
    pub permissions: Option<Many<Permission, 1, 8>>,
    /// Whether the operator may log in (default for a new one: yes).
    pub active: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the operator has another one.
    pub revision: Option<Revision>,
}

/// A saved operator.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SavedOperator {
    /// The operator.
    #[serde(flatten)]
    pub operator: OperatorAccount,
    /// A new operator's one-time password, shown here only: give it to them in person or by
    /// telephone. They choose their own at the first log-in. Null for a changed operator.
    pub one_time_password: Option<Secret>,
}

/// Lists operators, by name. For operators with all permissions.
pub async fn list(
    cx: Cx<Operator>,
    input: Paged<ListOperators>,
) -> Result<Listing<Revised<ListedOperator>>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    Ok(store::page(&mut session, &input, paging).await?.map(Revised::from))
}

/// Makes an operator with a one-time password, or changes one. For operators with all permissions.
/// Fewer permissions apply from the operator's next request on, and `active: false` ends their
/// sessions at once, on every server. 404 for an unknown operator, 409 `email_taken`, 409
/// `last_operator` if no active operator with all permissions would remain.
pub async fn save(cx: Cx<Operator>, input: SaveOperator) -> Result<Done<Revised<SavedOperator>>> {
    match input.id {
        Some(id) => change(cx, id, input).await,
        None => make(cx, input).await,
    }
}

async fn make(cx: Cx<Operator>, input: SaveOperator) -> Result<Done<Revised<SavedOperator>>> {
    let mut wrong = Wrong::default();
    wrong.needs("email", input.email.is_some());
    wrong.needs("name", input.name.is_some());
    wrong.needs("permissions", input.permissions.is_some());
    if input.active == Some(false) {
        wrong.add("active", "must be true for a new operator");
    }
    wrong.refuse()?;
    let (Some(email), Some(name), Some(permissions)) = (input.email, input.name, input.permissions)
    else {
        return Err(codes::VALIDATION_FAILED.into());
    };
    let password = new_password(cx.platform());
    let new = NewOperator {
        email,
        name: name.into_string(),
        permissions: permissions.into_vec(),
        hash: cx.hash(password.expose()).await?,
        one_time: Some(OneTime::Unused),
    };
    let mut work = cx.begin().await?;
    lock_all(&mut work, cx.caller.id).await?;
    let operator = store::add(&mut work, new, cx.now()).await?;
    work.note_change(operator.id, "created", None, operator.content());
    work.done(SavedOperator { operator, one_time_password: Some(password) }.into()).await
}

async fn change(
    cx: Cx<Operator>,
    id: OperatorId,
    input: SaveOperator,
) -> Result<Done<Revised<SavedOperator>>> {
    let mut work = cx.begin().await?;
    let all = lock_all(&mut work, cx.caller.id).await?;
    let before = all.iter().find(|operator| operator.id == id).ok_or(codes::NOT_FOUND)?;
    work.as_seen(id, before, input.revision.as_ref()).await?;
    let mut wrong = Wrong::default();
    if input.email.is_some_and(|email| *email != *before.email) {
        wrong.add("email", "cannot be changed");
    }
    wrong.refuse()?;
    let mut wanted = before.clone();
    if let Some(name) = input.name {
        wanted.name = name.into_string();
    }
    if let Some(permissions) = input.permissions {
        wanted.permissions = json!(permissions);
    }
    wanted.active = input.active.unwrap_or(before.active);
    keep_a_chief(&all, &wanted)?;
    if wanted.content() == before.content() {
        let operator = before.clone();
        return work.done(SavedOperator { operator, one_time_password: None }.into()).await;
    }
    let operator = store::change(&mut work, &wanted, cx.now()).await?;
    if before.active && !operator.active {
        session::end_all(&mut work, Audience::Admin, id.get()).await?;
    }
    if !(operator.active && may_see_accounts(&operator)) {
        impersonating::end_all_of(&mut work, id).await?;
    }
    work.note_change(id, "changed", before.content(), operator.content());
    work.done(SavedOperator { operator, one_time_password: None }.into()).await
}

/// Gives another operator a one-time password and turns their two-step log-in off: for a lost
/// password or a lost authenticator app. Their sessions end at once. For operators with all
/// permissions. 404 for an unknown operator, 422 for the caller (use `/change-password`).
pub async fn reset_log_in(
    cx: Cx<Operator>,
    input: WhichOperator,
) -> Result<Done<Revised<SavedOperator>>> {
    let id = input.id;
    if id == cx.caller.id {
        return Err(Error::invalid("id", "is your own; change your password instead"));
    }
    let password = new_password(cx.platform());
    let hash = cx.hash(password.expose()).await?;
    let mut work = cx.begin().await?;
    let all = lock_all(&mut work, cx.caller.id).await?;
    all.iter().find(|operator| operator.id == id).ok_or(codes::NOT_FOUND)?;
    let operator = give(&mut work, id, &hash, true).await?;
    work.done(SavedOperator { operator, one_time_password: Some(password) }.into()).await
}

/// All operators, locked; 403 if the caller has lost their permissions since the request was
/// admitted.
async fn lock_all(work: &mut Work, caller: OperatorId) -> Result<Vec<OperatorAccount>> {
    let all = store::lock_all(work).await?;
    let caller = all.iter().find(|operator| operator.id == caller);
    if caller.is_some_and(|caller| !is_chief(caller)) {
        return Err(codes::FORBIDDEN.into());
    }
    Ok(all)
}

/// What the audit trail keeps of an operator.
impl Revisable for OperatorAccount {
    fn content(&self) -> Value {
        json!({ "name": self.name, "permissions": self.permissions, "active": self.active })
    }
}

impl Revisable for ListedOperator {
    fn content(&self) -> Value {
        self.operator.content()
    }
}

impl Revisable for SavedOperator {
    fn content(&self) -> Value {
        self.operator.content()
    }
}
