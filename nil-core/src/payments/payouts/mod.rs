//! Money on its way from a wallet to a bank: accounts, payouts on request and by themselves, holds,
//! retries, returns.

pub(super) mod auto_payout;
pub(super) mod bank_return;
pub mod cancelling;
pub(super) mod hold;
pub mod paying_out;
pub(super) mod payout;
pub(super) mod payout_account;
pub mod payout_settings;
pub(super) mod retrying;
pub(super) mod settling_payouts;
