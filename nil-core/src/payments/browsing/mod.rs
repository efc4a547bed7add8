//! What payers, payees and operators read of payments, payouts and wallets.

pub mod admin;
pub mod exporting;
pub mod filter;
pub mod history;
pub mod revenue;
pub mod revenue_line;
