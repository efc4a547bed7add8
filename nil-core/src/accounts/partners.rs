//! Operators list and export brands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::UserStatus;
use super::store::partner as store;
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Column, Table, send_xlsx};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AllOr, BusinessCategoryId, Listing, Paged, PartnerId, Text, Time, UserId, ZeroOr,
};
use crate::operation::{Cx, Download};
use crate::storage::Session;

vocabulary! {
    /// The order in which operators list brands.
    PartnerSort {
        /// Newest first.
        Newest = "-created_at",
        /// Oldest first.
        Oldest = "created_at",
        /// By name, A to Z.
        NameUp = "company_name",
        /// By name, Z to A.
        NameDown = "-company_name",
    }
}

/// Selects brands.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListPartners {
    /// `all`, or an account status.
    pub status: AllOr<UserStatus>,
    /// 0 for all, or the one brand's id.
    pub id: ZeroOr<PartnerId>,
    /// Part of the company's name or of the account's e-mail.
    pub q: Option<Text<0, 100>>,
    /// The order (default: newest first).
    pub sort: Option<PartnerSort>,
}

/// Filters for an export of brands.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportPartners {
    /// Only brands whose account has this status.
    pub status: Option<UserStatus>,
    /// Part of the company's name or of the account's e-mail.
    pub q: Option<Text<0, 100>>,
}

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

/// Lists brands with their accounts. 404 for an unknown id.
pub async fn list(cx: Cx<Operator>, input: Paged<ListPartners>) -> Result<Listing<PartnerAccount>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    input.id.found(store::page(&mut session, &input, paging).await?)
}

/// Exports brands with their accounts as a spreadsheet, ordered by id. The export is recorded in the audit
/// trail.
pub async fn export(cx: Cx<Operator>, input: ExportPartners) -> Result<Download> {
    let mut work = cx.look().await?;
    work.note(cx.caller.id, "partners_exported");
    work.seen().await?;
    let name = format!("partners-{}.xlsx", cx.now().format("%Y-%m-%d"));
    Ok(send_xlsx(cx.platform(), name, input))
}

impl Table for ExportPartners {
    type Row = PartnerAccount;

    const COLUMNS: &'static [Column<PartnerAccount>] = &[
        Column("Partner", |row| row.id.get().into()),
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

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&PartnerAccount>,
        most: u64,
    ) -> Result<Vec<PartnerAccount>> {
        store::after(session, self, after.map(|row| row.id), most).await
    }
}
