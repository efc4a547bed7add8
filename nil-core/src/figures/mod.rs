//! Figures for institutions on their athletes' deals: transactions, totals over time, exports, deadlines, and
//! the audit trail of the institution's own users.
//!
//! Read-only. It owns no tables: it reads `college_transaction`, which database triggers maintain, the view
//! `college_deadline`, applications, contracts, disclosed jobs and the audit trail.
//!
//! 1. [`Filter`] holds the common filters; `store::filter` is the only place that turns them into SQL.
//!    Results never leave the caller's institution and the sports the caller is limited to.
//! 2. [`browsing`] and [`athletes`] list transactions and athletes; [`statistics`] and [`analysing`] add up.
//! 3. [`deadlines`] and [`trail`] list what is due and what users did; [`exporting`] writes it all to a ZIP.
//! 4. [`options`] lists the values for filters.
//!
//! Called by the Compliance interface's operations.

pub mod analysing;
pub mod athletes;
pub mod browsing;
pub mod deadlines;
pub mod exporting;
mod filter;
pub mod options;
mod period;
pub mod statistics;
mod store;
mod tables;
pub mod trail;
mod transaction;

pub use filter::{Filter, Filtered};
pub use period::{DatePreset, Interval};
pub use transaction::{Transaction, TransactionSource, TransactionStatus};
