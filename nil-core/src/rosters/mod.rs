//! Rosters: public, ordered lists of athletes, each with an address of its own: a team, a collective.

pub mod browsing;
pub mod managing;
mod placing;
mod roster;
mod store;

pub use roster::{PublicRoster, Roster, RosterAthlete, RosterOwner, RosterOwnerKind, RosterStatus};
