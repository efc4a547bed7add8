//! The rows of cards, charges, payments, payouts, refunds, payout accounts, invoices, subscriptions
//! and the ledger.

pub(super) mod account;
pub(super) mod commission;
pub(super) mod difference;
pub(super) mod difference_record;
pub(super) mod dispute;
pub(super) mod dispute_list;
pub(super) mod disputed_deal;
pub(super) mod earnings;
pub(super) mod evidence;
pub(super) mod giving_back;
pub(super) mod invoice;
pub(super) mod ledger;
pub(super) mod method;
pub(super) mod movement;
pub(super) mod owed;
pub(super) mod payment;
pub(super) mod payout;
pub(super) mod plan;
pub(super) mod records;
pub(super) mod refund;
pub(super) mod revenue;
pub(super) mod statement;
pub(super) mod subscription;
pub(super) mod subscription_change;
pub(super) mod subscription_charge;
pub(super) mod subscription_refund;
pub(super) mod tax_filed;
pub(super) mod tax_form;
pub(super) mod tax_payment;
pub(super) mod tax_request;
pub(super) mod tax_return;
pub(super) mod tax_threshold;

/// How many rows one statement writes or names; databases limit the number of bound values.
pub(super) const CHUNK: usize = 500;
