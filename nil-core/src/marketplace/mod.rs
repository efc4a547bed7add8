//! The marketplace: services that athletes offer at their own price, and brands' orders of them.
//!
//! Athletes publish offers (`offering`), users search them (`searching`), and brands order
//! (`ordering`), which freezes price and fee rate. The athlete accepts or declines (`answering`);
//! unanswered orders expire (`expiring`). An accepted order *is* a deal: acceptance creates a job,
//! hires and executes the contract in one transaction (`deals::engaging`). From then on its work,
//! money, rules and disclosure are those of any deal, and the order follows its contract
//! (`orders::following`). The athlete delivers (`handing_over`); completing an order approves the
//! work and charges the card (`completing`), by the brand or after seven days by the worker.
//!
//! Table: `service_offer`. The record of an order and its state machine are in `orders`.

pub mod answering;
pub mod completing;
pub mod expiring;
pub mod handing_over;
pub mod listing;
mod offer;
pub mod offering;
pub mod ordering;
pub mod searching;
mod store;

pub use completing::conclude_unanswered;
pub use expiring::expire_unanswered;
pub use offer::{OfferSort, SaveOffer, SearchOffers};
