//! The amounts from which payers report: operators add those of later years.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::return_form::{ReturnForm, TaxThreshold};
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::kernel::{Amount, Nothing};
use crate::operation::{Cx, Done, Subject};
use crate::payments::store::{tax_filed, tax_threshold as store};

/// The amount of a year to add.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SaveThreshold {
    /// The form.
    pub form: ReturnForm,
    /// The first year it holds in.
    #[schemars(range(min = 2021, max = 2100), extend("examples" = [2027]))]
    pub from_year: i64,
    /// The lowest amount a year that a payer must report for a payee.
    pub threshold_cents: Amount,
}

/// Lists the amounts from which payers must report, by form and year (extension).
pub async fn list(cx: Cx<Operator>, _: Nothing) -> Result<Vec<TaxThreshold>> {
    let mut session = cx.read().await?;
    store::all(&mut session).await
}

/// Adds the amount from which payers must report on a form from a year on, or changes it
/// (extension). Repeating it changes nothing. Returns and backup withholding follow it from then
/// on; tax that was withheld before stays as it is. 409 `year_filed` if returns of that year or a
/// later one were filed, 422 for a year that is not from 2021 to 2100.
pub async fn save(cx: Cx<Operator>, input: SaveThreshold) -> Result<Done<TaxThreshold>> {
    if !(2021..=2100).contains(&input.from_year) {
        return Err(Error::invalid("from_year", "must be a year from 2021 to 2100"));
    }
    let mut work = cx.begin().await?;
    // Whoever files returns holds the same row.
    tax_filed::lock(&mut work).await?;
    let amount = input.threshold_cents.cents();
    let known = store::find(&mut work, input.form, input.from_year).await?;
    if let Some(known) = known.filter(|known| known.threshold_cents == amount) {
        return work.done(known).await;
    }
    if tax_filed::any_since(&mut work, input.from_year).await? {
        return Err(codes::YEAR_FILED.into());
    }
    let by = (cx.facts().actor.clone(), cx.now());
    let saved = store::save(&mut work, input.form, (input.from_year, amount), by).await?;
    let what = json!({ "form": saved.form, "from_year": saved.from_year,
        "threshold_cents": saved.threshold_cents });
    work.note_change(Subject::from(cx.caller.id), "tax_threshold_saved", None, what);
    work.done(saved).await
}
