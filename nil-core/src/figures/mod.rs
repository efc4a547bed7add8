//! Figures for institutions on their athletes' deals: transactions, totals over time, exports,
//! deadlines, and the audit trail of the institution's own users.
//!
//! It reads `college_transaction`, which database triggers maintain, the view `college_deadline`,
//! applications, contracts, disclosed jobs and the audit trail. It owns the tables of the `rollup`,
//! and the requests for public records with what was handed out (`public_records_request`,
//! `public_records_disclosure`).
//!
//! 1. [`Filter`] holds the common filters; `resolving` adds what the caller may see, and
//!    `store::filter` is the only place that turns them into SQL. Results never leave the caller's
//!    institution and the sports the caller is limited to.
//! 2. [`browsing`] and [`athletes`] list transactions and athletes; [`statistics`] and
//!    [`analysing`] add up.
//! 3. Without filters and for whole months they read the `rollup`: totals kept beside the rows.
//! 4. [`deadlines`] and [`trail`] list what is due and what users did; [`exporting`] writes it all
//!    to a ZIP.
//! 5. [`options`] lists the values for filters; [`comparing`] shows what deals comparable to a deal
//!    paid.
//! 6. What leaves the institution names nobody: [`publishing`] makes statistics (`suppression`
//!    chooses the groups), [`public_records`] answers requests with files that `redacting` takes
//!    names out of (`grouping` says which sports can stay).
//!
//! Called by the Compliance interface's operations.

pub mod analysing;
mod athlete;
pub mod athletes;
pub mod browsing;
pub mod comparing;
mod deadline;
pub mod deadlines;
pub mod exporting;
mod filter;
mod grouping;
pub mod options;
mod period;
pub mod public_records;
mod published;
pub mod publishing;
mod records_request;
mod redacting;
mod resolving;
pub(crate) mod rollup;
pub mod statistics;
mod store;
mod suppression;
mod tables;
mod tallying;
pub mod trail;
mod trail_entry;
mod transaction;

pub use athlete::{AthleteSort, AthleteTotals, CollegeAthlete};
pub use deadline::{AthleteDeadlines, Deadline, DeadlineKind};
pub use filter::{Filter, Filtered};
pub use period::{DatePreset, Interval};
pub use published::{PublishedBy, PublishedGroup, PublishedStatistics};
pub use records_request::{RecordsDisclosure, RecordsRequest};
pub(crate) use store::deadline::late;
pub use trail_entry::{ListTrail, TrailEntry};
pub use transaction::{Transaction, TransactionSort, TransactionSource, TransactionStatus};
