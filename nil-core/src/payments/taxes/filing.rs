//! Operators file a year's information returns: what was filed is kept, and never changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::return_form::ReturnForm;
use super::{returns, year};
use crate::auth::Operator;
use crate::error::{Error, Result};
use crate::operation::{Cx, Done, Subject};
use crate::payments::store::tax_filed as store;

/// The year whose returns are filed.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct FileReturns {
    /// The tax year, which is over for every payer.
    #[schemars(range(min = 2021, max = 2100), extend("examples" = [2025]))]
    pub year: i64,
}

/// What was filed by one call.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FiledYear {
    /// The tax year.
    pub year: i64,
    /// Returns that were filed for the first time.
    pub filed: usize,
    /// Corrected returns: what was filed before says something else than what is reckoned now.
    pub corrected: usize,
    /// Returns that are due and cannot be filed. The export names them, and why.
    pub not_filed: usize,
}

/// Records a year's information returns as filed (extension): every return that is due and can be
/// filed, and a corrected return for each that was filed with another amount, number or name. What
/// was filed is kept: a later refund or bank return changes it nowhere, and the export goes on to
/// show it. Repeating it files only what has come since. 422 for a year that is not from 2021 to
/// 2100 or not over everywhere. It hands nothing to the tax office: upload the files of the export.
/// Not tax advice.
pub async fn file(cx: Cx<Operator>, input: FileReturns) -> Result<Done<FiledYear>> {
    year::check(input.year)?;
    let now = cx.now();
    if year::anywhere(input.year).is_none_or(|(_, until)| now < until) {
        return Err(Error::invalid("year", "must be over, everywhere"));
    }
    let mut work = cx.begin().await?;
    store::lock(&mut work).await?;
    let mut done = FiledYear { year: input.year, filed: 0, corrected: 0, not_filed: 0 };
    let by = cx.facts().actor.clone();
    for form in ReturnForm::ALL.iter().copied() {
        let mut last = None;
        let vault = cx.platform().vault();
        while let Some((payer, found)) =
            returns::of_payers_after(&mut work, vault, input.year, form, last).await?
        {
            last = Some(payer);
            let new: Vec<_> = found.iter().filter_map(returns::Standing::to_file).collect();
            let first = new.iter().filter(|one| one.version == 1).count();
            done.filed += first;
            done.corrected += new.len() - first;
            let open = found.iter().filter(|one| one.to_file().is_none());
            done.not_filed += open.filter(|one| one.open(true).is_some()).count();
            store::add(&mut work, (input.year, form), &new, (&by, now)).await?;
        }
    }
    let what = json!({ "year": done.year, "filed": done.filed, "corrected": done.corrected });
    let subject = Subject::from(cx.caller.id);
    work.note_change(subject, "information_returns_filed", None, what);
    work.done(done).await
}
