//! The search page: operations by their words.

use crate::console::call::{Page, Shown};

pub(super) fn get(page: &Page<'_>) -> Shown {
    super::all::get(page)
}
