//! Facts about athletes, brands and agents. `accounts` and `agents` write these records; all domain
//! modules read them here.
//!
//! [`facts`] and [`partner`] describe an athlete and a brand, [`hold`] locks an athlete,
//! [`acts_for`] and [`officers`] tell who may act or must be notified, [`looked_at`] records an
//! agent's view in the audit trail, [`of_sports`] finds an institution's rows about athletes.
//!
//! No tables.

mod acting;
mod age;
mod athlete;
mod brand;
mod listed;
mod looking;
mod words;

pub use acting::{acts_for, is_in_use, is_suspended, lock_acting, officers};
pub use age::{ADULT, is_minor, is_under, is_under_age, today};
pub use athlete::{AthleteFacts, ask_facts, facts, lock, users};
pub use brand::{
    DealingPartner, PartnerFacts, ask_dealing_partner, dealing_partner, lock_active_partner,
    partner,
};
pub use listed::{of_sports, with_athletes};
pub use looking::{looked_at, party_looked_at};
pub use words::{ClassYear, Gender, UserStatus};
