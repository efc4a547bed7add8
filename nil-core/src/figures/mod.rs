//! Figures for institutions on their athletes' deals: transactions, totals over time, exports, deadlines, and
//! the audit trail of the institution's own users.
//!
//! It reads `college_transaction`, which database triggers maintain, the view `college_deadline`, applications,
//! contracts, disclosed jobs and the audit trail. It owns the tables of totals (`college_total`, `college_athletes`,
//! `college_amount`, `college_kept`), the changes that triggers note for them (`college_transaction_change`), and the
//! requests for public records with what was handed out (`public_records_request`, `public_records_disclosure`).
//!
//! 1. [`Filter`] holds the common filters; `store::filter` is the only place that turns them into SQL.
//!    Results never leave the caller's institution and the sports the caller is limited to.
//! 2. [`browsing`] and [`athletes`] list transactions and athletes; [`statistics`] and [`analysing`] add up.
//!    Without filters and for whole months they read kept totals (`month` says when, `store::kept` reads them).
//! 3. `keeping` adds noted changes to the totals, by the arithmetic of `kept`.
//! 4. [`deadlines`] and [`trail`] list what is due and what users did; [`exporting`] writes it all to a ZIP.
//! 5. [`options`] lists the values for filters; [`comparing`] shows what deals comparable to a deal paid.
//! 6. What leaves the institution names nobody: [`publishing`] makes statistics (`suppression` chooses the groups),
//!    [`public_records`] answers requests with files that `redacting` takes names out of (`grouping` says which sports can stay).
//!
//! Called by the Compliance interface's operations.

pub mod analysing;
pub mod athletes;
pub mod browsing;
pub mod comparing;
pub mod deadlines;
pub mod exporting;
mod filter;
mod grouping;
pub(crate) mod keeping;
mod kept;
mod month;
pub mod options;
mod period;
pub mod public_records;
pub mod publishing;
mod redacting;
pub mod statistics;
mod store;
mod suppression;
mod tables;
mod tally;
pub mod trail;
mod transaction;

pub use filter::{Filter, Filtered};
pub use period::{DatePreset, Interval};
pub use transaction::{Transaction, TransactionSource, TransactionStatus};
