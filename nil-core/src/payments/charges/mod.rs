//! What brands pay: the work that a payment selects, its amounts, the charge of the card, and its outcome.

pub(crate) mod amount_owed;
pub(super) mod answering;
pub(crate) mod charging;
pub(super) mod commission;
pub(super) mod fee;
pub(super) mod order_payment;
pub mod paying;
pub(super) mod payment;
pub(crate) mod selection;
pub(super) mod settling;
