//! What brands pay: the work that a payment selects, its amounts, the charge of the card, and its outcome.

pub(super) mod amount_owed;
pub(super) mod commission;
pub(super) mod fee;
pub(super) mod order_payment;
pub mod paying;
pub(super) mod payment;
mod selection;
pub(super) mod settling;
