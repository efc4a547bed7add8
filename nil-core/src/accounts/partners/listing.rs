//! Operators list and export brands.

use schemars::JsonSchema;
use sea_query::JoinType;
use serde::Serialize;

use crate::accounts::UserStatus;
use crate::accounts::listed::{ACCOUNT, Beside, ExportAccounts, Exported, Listed};
use crate::accounts::listing;
use crate::auth::Operator;
use crate::error::Result;
use crate::export::Column;
use crate::kernel::{BusinessCategoryId, PartnerId, Time, UserId};
use crate::operation::{Cx, Download};
use crate::storage::FromRow;

/// A brand with its account.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct PartnerAccount {
    /// The brand's id.
    pub id: PartnerId,
    /// The account's id.
    pub user_id: UserId,
    /// The company's name.
    pub company_name: String,
    /// What the company does.
    pub business_category_id: Option<BusinessCategoryId>,
    /// Its name.
    pub business_category: Option<String>,
    /// The first name of the account's holder.
    pub first_name: Option<String>,
    /// The last name of the account's holder.
    pub last_name: Option<String>,
    /// The account's e-mail; null if the account is closed.
    pub email: Option<String>,
    /// The account's status.
    pub status: UserStatus,
    /// City of the head office.
    pub hq_city: Option<String>,
    /// Two-letter state of the head office.
    pub hq_state: Option<String>,
    /// Whether public directories show it.
    pub listed: bool,
    /// How many jobs it has posted, in any status.
    pub jobs: i64,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Listed for PartnerAccount {
    type Id = PartnerId;
    type Status = UserStatus;
    const TABLE: &'static str = "partner";
    const COLUMNS: &'static str = "r.id, r.user_id, r.company_name, r.business_category_id, \
        k.name AS business_category, u.first_name, u.last_name, u.email, u.status, r.hq_city, r.hq_state, r.listed, \
        (SELECT COUNT(*) FROM job j WHERE j.partner_id = r.id) AS jobs, r.created_at, r.updated_at";
    const BESIDE: &'static [Beside] =
        &[ACCOUNT, (JoinType::LeftJoin, "business_category", "k", "k.id = r.business_category_id")];
    const NAME: &'static str = "company_name";

    fn id(&self) -> PartnerId {
        self.id
    }
}

impl Exported for PartnerAccount {
    const FILE: &'static str = "partners";
    const SHEET: &'static str = "Brands";
    const ACTION: &'static str = "partners_exported";
    const CELLS: &'static [Column<Self>] = &[
        Column("Brand ID", |row| row.id.get().into()),
        Column("Company", |row| (&row.company_name).into()),
        Column("Business", |row| (&row.business_category).into()),
        Column("First name", |row| (&row.first_name).into()),
        Column("Last name", |row| (&row.last_name).into()),
        Column("E-mail", |row| (&row.email).into()),
        Column("Account", |row| row.status.as_str().into()),
        Column("City", |row| (&row.hq_city).into()),
        Column("State", |row| (&row.hq_state).into()),
        Column("Listed", |row| row.listed.into()),
        Column("Jobs", |row| row.jobs.into()),
        Column("Joined", |row| row.created_at.into()),
    ];
}

/// Exports brands with their accounts as a spreadsheet, ordered by id. The export is recorded in
/// the audit trail.
pub async fn export_xlsx(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    listing::xlsx::<PartnerAccount>(cx, input).await
}
