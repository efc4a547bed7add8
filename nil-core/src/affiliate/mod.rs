//! Affiliate links: an athlete on commission shares a link to the brand's shop, the shop reports
//! the sales, and the brand owes the commission on them.
//!
//! Tables: `affiliate_link`, `affiliate_conversion`. There are no state machines.
//!
//! 1. [`linking`]: the athlete creates a link; `target` checks that it leads to the brand's
//!    website.
//! 2. [`redirect`]: a visitor's click is counted and redirected, or `interstitial` shows the
//!    destination first.
//! 3. [`converting`]: the shop's service reports a sale, on which the contract's commission is
//!    owed.
//! 4. [`royalty`]: the brand accounts for its sales under a royalty, which is then owed like
//!    commission (decision 42).
//! 5. Payments charges and pays the commission like approved work.
//!
//! Called by the Core interface's operations.

mod conversion;
pub mod converting;
mod interstitial;
mod link;
pub mod linking;
pub mod redirect;
pub mod royalty;
mod store;
mod target;

pub use conversion::Conversion;
pub use link::AffiliateLink;
