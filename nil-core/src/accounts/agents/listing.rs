//! Operators list and export agents.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::UserStatus;
use crate::accounts::listed::{ExportAccounts, Exported, Listed};
use crate::accounts::listing;
use crate::auth::Operator;
use crate::error::Result;
use crate::export::Column;
use crate::kernel::{AgentId, Time, UserId};
use crate::operation::{Cx, Download};
use crate::storage::FromRow;

/// An agent with the account.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AgentAccount {
    /// The agent's id.
    pub id: AgentId,
    /// The account's id.
    pub user_id: UserId,
    /// The agency's name.
    pub agency_name: String,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// The account's e-mail; null if the account is closed.
    pub email: Option<String>,
    /// When that e-mail was verified.
    pub email_verified_at: Option<Time>,
    /// Phone number, in E.164 form.
    pub phone: Option<String>,
    /// The account's status.
    pub status: UserStatus,
    /// The accepted version of the terms for agents.
    pub terms_version: Option<i64>,
    /// How many athletes the agent currently represents.
    pub athletes: i64,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Listed for AgentAccount {
    type Id = AgentId;
    type Status = UserStatus;
    const TABLE: &'static str = "agent";
    const COLUMNS: &'static str = "r.id, r.user_id, r.agency_name, u.first_name, u.last_name, u.email, \
        u.email_verified_at, u.phone, u.status, r.terms_version, (SELECT COUNT(*) \
        FROM representation g WHERE g.agent_id = r.id AND g.status = 'active') AS athletes, \
        r.created_at, r.updated_at";
    const NAME: &'static str = "agency_name";

    fn id(&self) -> AgentId {
        self.id
    }
}

impl Exported for AgentAccount {
    const FILE: &'static str = "agents";
    const SHEET: &'static str = "Agents";
    const ACTION: &'static str = "agents_exported";
    const CELLS: &'static [Column<Self>] = &[
        Column("Agent ID", |row| row.id.get().into()),
        Column("Agency", |row| (&row.agency_name).into()),
        Column("First name", |row| (&row.first_name).into()),
        Column("Last name", |row| (&row.last_name).into()),
        Column("E-mail", |row| (&row.email).into()),
        Column("Phone", |row| (&row.phone).into()),
        Column("Account", |row| row.status.as_str().into()),
        Column("Terms accepted", |row| row.terms_version.into()),
        Column("Athletes", |row| row.athletes.into()),
        Column("Joined", |row| row.created_at.into()),
    ];
}

/// Exports agents with their accounts as a spreadsheet, ordered by id. The export is recorded in
/// the audit trail.
pub async fn export_xlsx(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    listing::xlsx::<AgentAccount>(cx, input).await
}
