//! Accounts as operators list and export them: each kind says what a row of its list is
//! ([`Listed`]) and which columns its export has ([`Exported`]).

use schemars::JsonSchema;
use sea_query::JoinType;
use serde::{Deserialize, Serialize};

use super::UserStatus;
use crate::export::Column;
use crate::kernel::{AllOr, Identity, NameSort, Text, ZeroOr};
use crate::storage::Row;

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
