//! Cells that the lists of the portal share.

use maud::{Markup, html};
use serde_json::Value;

use super::inbox::mark_chip;
use crate::console::call::Page;
use crate::console::part::Part as _;

/// The marks of a row.
pub(super) fn marks(row: &Value) -> Markup {
    let marks = row.list("flags").iter().filter_map(Value::as_str);
    html! { @for mark in marks { (mark_chip(mark)) " " } }
}

/// A link to the athlete of a row.
pub(super) fn athlete(page: &Page<'_>, row: &Value) -> Markup {
    let id = row.part("athlete_id");
    html! { a href=(page.at(&format!("/athletes/{id}"))) { (row.text("athlete_name")) } }
}
