//! What brands pay. In the order of a payment: [`paying`] is the call, `selection` says what it
//! pays (`amount_owed`, `fee`), `charging` writes the charge, `payments::movement` asks the
//! processor, `settling` writes the outcome, and `answering` answers the call. If the card's bank
//! wants the cardholder to confirm it, [`confirming`] comes between.

pub(crate) mod amount_owed;
pub(super) mod answering;
pub(crate) mod charging;
pub(super) mod commission;
pub mod confirming;
pub(super) mod fee;
pub(super) mod order_payment;
pub mod paying;
pub(super) mod payment;
pub(crate) mod selection;
pub(super) mod settling;
