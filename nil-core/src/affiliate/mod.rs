//! Affiliate links: an athlete on commission sends people to the brand's shop, the shop's sales are
//! reported here, and the commission on them is owed by the brand and paid like approved work.

mod conversion;
pub mod converting;
pub mod following;
mod leaving;
mod link;
pub mod linking;
mod store;
mod target;

pub use conversion::Conversion;
pub use link::AffiliateLink;
