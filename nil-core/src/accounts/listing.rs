//! Operators list and export accounts. The filters, the orders and the queries are the same for
//! all kinds; a row of each is a [`Listed`].

use std::marker::PhantomData;

use super::listed::{ExportAccounts, Exported, ListAccounts, Listed};
use super::store::listing as store;
use crate::auth::Operator;
use crate::error::Result;
use crate::export::{Column, Report, Table};
use crate::kernel::{Followed, Listing};
use crate::operation::{Cx, Download};
use crate::storage::Session;

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

/// Exports records with their accounts as a spreadsheet, ordered by id. The export is recorded in
/// the audit trail.
pub(super) async fn xlsx<R: Exported>(cx: Cx<Operator>, input: ExportAccounts) -> Result<Download> {
    Export::<R>(input, PhantomData).xlsx(&cx).await
}

/// Exports records with their accounts as CSV, ordered by id. The export is recorded in the audit
/// trail.
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
