//! A person takes a copy of their data along: one ZIP file that opens in a browser.
//!
//! [`taking`] writes the archive: `index.html` without scripts or addresses of other servers, the
//! same data as JSON for each area, the contracts as PDF, and the files the person has uploaded.
//! `area` describes an area of the data; `areas`, `deal_areas` and `record_areas` have those of
//! accounts, of deals and of what goes with both. `coverage` tells why some personal tables have
//! none, `page` writes the HTML. `store` reads the rows, a page at a time.
//!
//! No tables. The Core interface's operations call it.

mod area;
mod areas;
#[cfg(test)]
mod coverage;
mod deal_areas;
mod page;
mod record_areas;
mod store;
pub mod taking;
