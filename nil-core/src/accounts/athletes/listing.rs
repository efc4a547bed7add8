//! Operators list and export athletes.

use schemars::JsonSchema;
use sea_query::JoinType;
use serde::Serialize;

use crate::accounts::listed::{ACCOUNT, Beside, ExportAccounts, Exported, Listed};
use crate::accounts::listing;
use crate::accounts::{ClassYear, UserStatus};
use crate::auth::Operator;
use crate::error::Result;
use crate::export::Column;
use crate::kernel::{AgentId, AthleteId, CollegeId, SportId, Time, UserId};
use crate::operation::{Cx, Download};
use crate::storage::FromRow;

/// An athlete with the account. Birth date and contact data of the family are only in the athlete's
/// details.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AthleteAccount {
    /// The athlete's id.
    pub id: AthleteId,
    /// The account's id.
    pub user_id: UserId,
    /// The name brands see.
    pub display_name: String,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// The account's e-mail; null if the account is closed.
    pub email: Option<String>,
    /// When that e-mail was verified.
    pub email_verified_at: Option<Time>,
    /// The account's status.
    pub status: UserStatus,
    /// The sport.
    pub sport_id: Option<SportId>,
    /// Its name.
    pub sport: Option<String>,
    /// The college.
    pub university_id: Option<CollegeId>,
    /// Its name.
    pub university: Option<String>,
    /// Year of study.
    pub class_year: Option<ClassYear>,
    /// The agent who represents the athlete.
    pub agent_id: Option<AgentId>,
    /// Whether the athlete currently accepts deals.
    pub available: bool,
    /// Whether public directories show the athlete.
    pub listed: bool,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Listed for AthleteAccount {
    type Id = AthleteId;
    type Status = UserStatus;
    const TABLE: &'static str = "athlete";
    const COLUMNS: &'static str = "r.id, r.user_id, r.display_name, u.first_name, u.last_name, u.email, \
        u.email_verified_at, u.status, r.sport_id, s.name AS sport, r.university_id, \
        c.name AS university, r.class_year, (SELECT g.agent_id FROM representation g \
        WHERE g.athlete_id = r.id AND g.status = 'active') AS agent_id, r.available, r.listed, \
        r.created_at, r.updated_at";
    const BESIDE: &'static [Beside] = &[
        ACCOUNT,
        (JoinType::LeftJoin, "sport", "s", "s.id = r.sport_id"),
        (JoinType::LeftJoin, "college", "c", "c.id = r.university_id"),
    ];
    const NAME: &'static str = "display_name";

    fn id(&self) -> AthleteId {
        self.id
    }
}

impl Exported for AthleteAccount {
    const FILE: &'static str = "athletes";
    const SHEET: &'static str = "Athletes";
    const ACTION: &'static str = "athletes_exported";
    const CELLS: &'static [Column<Self>] = &[
        Column("Athlete ID", |row| row.id.get().into()),
        Column("Name", |row| (&row.display_name).into()),
        Column("First name", |row| (&row.first_name).into()),
        Column("Last name", |row| (&row.last_name).into()),
        Column("E-mail", |row| (&row.email).into()),
        Column("Account", |row| row.status.as_str().into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("University", |row| (&row.university).into()),
        Column("Class year", |row| row.class_year.map(ClassYear::as_str).into()),
        Column("Agent ID", |row| row.agent_id.map(AgentId::get).into()),
        Column("Available", |row| row.available.into()),
        Column("Listed", |row| row.listed.into()),
        Column("Joined", |row| row.created_at.into()),
    ];
}

/// Exports athletes with their accounts as a spreadsheet, ordered by id. The export is recorded in
/// the audit trail.
pub async fn export_xlsx(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    listing::xlsx::<AthleteAccount>(cx, input).await
}

/// Exports athletes with their accounts as CSV, ordered by id. The export is recorded in the audit
/// trail.
pub async fn export_csv(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    listing::csv::<AthleteAccount>(cx, input).await
}
