//! The rows of the amounts from which payers report.

use crate::error::Result;
use crate::kernel::{Cents, Time};
use crate::payments::taxes::{ReturnForm, TaxThreshold};
use crate::storage::{Session, insert, sql};

/// The amounts in force in a year, one for each form.
pub async fn in_force(session: &mut Session, year: i64) -> Result<Vec<TaxThreshold>> {
    session
        .all(
            sql("SELECT t.form, t.from_year, t.threshold_cents FROM tax_threshold t \
                 WHERE t.from_year = (SELECT MAX(o.from_year) FROM tax_threshold o \
                     WHERE o.form = t.form AND o.from_year <= $1)")
            .bind(year),
        )
        .await
}

/// All amounts, by form and year.
pub async fn all(session: &mut Session) -> Result<Vec<TaxThreshold>> {
    let all = "SELECT form, from_year, threshold_cents FROM tax_threshold ORDER BY form, from_year";
    session.all(sql(all)).await
}

/// The amount that holds for a form from exactly this year.
pub async fn find(
    session: &mut Session,
    form: ReturnForm,
    year: i64,
) -> Result<Option<TaxThreshold>> {
    let one = sql("SELECT form, from_year, threshold_cents FROM tax_threshold \
         WHERE form = $1 AND from_year = $2");
    session.first(one.bind(form).bind(year)).await
}

/// Writes an amount, or changes the one of the same form and year.
pub async fn save(
    session: &mut Session,
    form: ReturnForm,
    (year, threshold): (i64, Cents),
    (set_by, now): (String, Time),
) -> Result<TaxThreshold> {
    session
        .one(
            insert("tax_threshold")
                .set("form", form)
                .set("from_year", year)
                .set("threshold_cents", threshold)
                .set("set_by", set_by)
                .set("updated_at", now)
                .or_update(&["form", "from_year"], &["threshold_cents", "set_by", "updated_at"])
                .returning(&["form", "from_year", "threshold_cents"]),
        )
        .await
}
