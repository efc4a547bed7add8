//! Rosters: public, ordered lists of athletes, each with its own URL, such as a team or a
//! collective.
//!
//! Tables: `roster`, `roster_athlete`. A roster is a draft or published; there is no state machine.
//!
//! 1. [`admin`]: operators create rosters, add, order and remove athletes, and publish them.
//! 2. `positions` computes the positions.
//! 3. [`browsing`]: everyone reads published rosters; only listed, active athletes are shown.
//!
//! Called by the Admin and Core operations.

pub mod admin;
pub mod browsing;
mod positions;
mod roster;
mod store;

pub use roster::{
    NamedOwner, PublicRoster, Roster, RosterAthlete, RosterOwnerKind, RosterSort, RosterStatus,
};
