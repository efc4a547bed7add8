//! What institutions see of their athletes' deals: transactions, figures over time, exports, what is due,
//! and what their own people did.
//!
//! Everything is asked through one set of filters ([`Filter`]), which becomes SQL in one place
//! (`store::filter`), and stays within the caller's institution and the sports the caller is limited to.

pub mod analysing;
pub mod athletes;
pub mod browsing;
pub mod deadlines;
pub mod exporting;
mod filter;
pub mod options;
mod period;
mod store;
pub mod summing;
mod tables;
pub mod trail;
mod transaction;

pub use filter::{Filter, Filtered};
pub use period::{DatePreset, Interval};
pub use transaction::{Transaction, TransactionSource, TransactionStatus};
