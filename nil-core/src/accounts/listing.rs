//! Operators list and export accounts. Each kind says what a row of its list is ([`Listed`]) and which columns its export
//! has ([`Exported`]); the filters, the orders and the queries are the same for all.

use std::marker::PhantomData;

use schemars::JsonSchema;
use sea_query::JoinType;
use serde::{Deserialize, Serialize};

use super::UserStatus;
use super::store::listing as store;
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Column, Report, Table};
use crate::kernel::{AllOr, Followed, Identity, Listing, NameSort, Text, ZeroOr};
use crate::operation::{Cx, Download};
use crate::storage::{Row, Session};

/// Selects accounts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(bound(deserialize = "AllOr<S>: Deserialize<'de>, ZeroOr<Id>: Deserialize<'de>"))]
pub struct ListAccounts<S, Id> {
    /// `all`, or an account status.
    pub status: AllOr<S>,
    /// 0 for all, or the one record's id.
    pub id: ZeroOr<Id>,
    /// Part of the name or of the account's e-mail.
    pub q: Option<Text<0, 100>>,
    /// The order (default: newest first).
    pub sort: Option<NameSort>,
}

/// Filters for an export of accounts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ExportAccounts {
    /// Only records whose account has this status.
    pub status: Option<UserStatus>,
    /// Part of the name or of the account's e-mail.
    pub q: Option<Text<0, 100>>,
}

/// A table beside the records: how it is joined, its name, its alias, and the condition.
pub type Beside = (JoinType, &'static str, &'static str, &'static str);

/// The table of accounts, beside records that belong to one.
pub const ACCOUNT: Beside = (JoinType::InnerJoin, "app_user", "u", "u.id = r.user_id");

/// A row of a list: a record `r` and its account.
pub trait Listed: Row + Serialize + Clone + Send + Sync + 'static {
    /// The record's id.
    type Id: Identity + Serialize + Send;
    /// The account's status.
    type Status: Copy + Serialize + Into<sea_query::Value> + Send + Sync;
    /// The table of the records.
    const TABLE: &'static str;
    /// What is read.
    const COLUMNS: &'static str;
    /// What is read beside the records.
    const BESIDE: &'static [Beside] = &[ACCOUNT];
    /// The alias of the table that has the status and the e-mail.
    const HOLDER: &'static str = "u";
    /// The column of the name.
    const NAME: &'static str;

    /// The record's id.
    fn id(&self) -> Self::Id;
}

/// A row that is also exported.
pub trait Exported: Listed<Status = UserStatus> {
    /// The beginning of the file's name.
    const FILE: &'static str;
    /// The name of the sheet in a spreadsheet.
    const SHEET: &'static str;
    /// The action in the audit trail.
    const ACTION: &'static str;
    /// The columns, from the left.
    const CELLS: &'static [Column<Self>];
}

/// The input of a list of these rows.
pub type List<R> = Followed<ListAccounts<<R as Listed>::Status, <R as Listed>::Id>>;

/// Lists records with their accounts. 404 for an unknown id.
pub async fn list<R: Listed>(cx: Cx<Operator>, input: List<R>) -> Result<Listing<R>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    input.id.found(store::page(&mut session, &input, place).await?)
}

/// The table of an export.
pub fn table<R: Exported>(input: ExportAccounts) -> impl Table {
    Export::<R>(input, PhantomData)
}

/// Exports records with their accounts as a spreadsheet, ordered by id. The export is recorded in the audit trail.
pub(super) async fn xlsx<R: Exported>(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    Export::<R>(input, PhantomData).xlsx(&cx).await
}

/// Exports records with their accounts as CSV, ordered by id. The export is recorded in the audit trail.
pub(super) async fn csv<R: Exported>(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    Export::<R>(input, PhantomData).csv(&cx).await
}

/// An export of rows of this kind.
struct Export<R>(ExportAccounts, PhantomData<fn() -> R>);

impl<R: Exported> Table for Export<R> {
    type Row = R;
    const SHEET: &'static str = R::SHEET;

    const COLUMNS: &'static [Column<R>] = R::CELLS;

    async fn next(&self, session: &mut Session, after: Option<&R>, most: u64) -> Result<Vec<R>> {
        store::after(session, &self.0, after.map(Listed::id), most).await
    }
}

impl<R: Exported> Report for Export<R> {
    const FILE: &'static str = R::FILE;
    const ACTION: &'static str = R::ACTION;
}
