//! The first page of a side: what waits.

use nil_core::Result;

use super::{Outcome, generated};
use crate::console::call::Page;

pub(super) async fn get(page: &Page<'_>) -> Result<Outcome> {
    let first = page.side.sections.first().and_then(|section| section.places.first());
    generated::get(page, first.map_or("", |place| place.needs)).await
}
