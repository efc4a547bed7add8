//! Facts about athletes, brands and agents, as deals, rules and messages need them: one reading of records that
//! `accounts` and `agents` write.
//!
//! It owns no table and writes nothing but lines of the audit trail. [`facts`] and [`partner`] tell who
//! somebody is; [`hold`] keeps an athlete as they are until the transaction ends; [`acts_for`] and [`officers`]
//! tell who may act or is to be told; [`looked_at`] puts an agent's look on the record. Everything above calls it.

mod acting;
mod age;
mod athlete;
mod brand;
mod looking;
mod words;

pub(crate) use acting::{acts_for, is_in_use, is_suspended, officers};
pub(crate) use age::{ADULT, is_minor, is_under, is_under_age};
pub(crate) use athlete::{AthleteFacts, facts, hold, users};
pub(crate) use brand::{PartnerFacts, partner, plan_fee};
pub(crate) use looking::{looked_at, party_looked_at};
pub use words::{ClassYear, Gender, UserStatus};
