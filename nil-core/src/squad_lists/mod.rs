//! Squad lists: an institution's own lists of the athletes of its teams, read from the files that
//! its systems export as rosters (decision 83).
//!
//! 1. [`importing`] reads a file and compares it with the list that is there: `sheet` makes rows of
//!    the file's bytes (`delimited`, `workbook`), `column` finds the columns, and `line` reads a
//!    row with `class_years`, `heights` and `hometowns`. `matching` says which member a row is
//!    about.
//! 2. [`browsing`] lists and removes members. A member is nobody's account: one with the verified
//!    e-mail of an athlete of the institution names that athlete, and that is all.
//!
//! Table: `squad_member`.

pub mod browsing;
mod class_years;
mod column;
mod delimited;
mod heights;
mod hometowns;
pub mod importing;
mod line;
mod matching;
mod member;
mod sheet;
mod store;
mod workbook;

pub use importing::{ImportedRow, RowOutcome, SquadCounts, SquadImport};
pub use member::{ListSquad, MemberFacts, MissingMember, SquadMember};
