//! Deals: what comes of an application, from the hire to the last payment. `jobs` and `contracts` keep their
//! nouns and know nothing of each other's course; what needs both happens here, in one transaction each.
//!
//! It owns the table `deliverable` with its machine, and the marks of reminders. In order:
//!
//! 1. `hiring` makes a contract of an application; `engaging` makes the whole deal of an accepted order.
//! 2. `confirming` executes the contract; `requesting` asks for a later date or the end, `amending` moves the date.
//! 3. `delivering` hands work in and decides on it, `reviewing` asks an operator, `escalating` does for silence.
//! 4. `settling` completes what is approved and paid; `ending` cancels, or lets lapse what nobody confirmed.
//!
//! `browsing` shows deals, `managing` shows jobs with them to operators, `reporting` adds the brand's up, and
//! `reminding` tells of dates. Applications, places, contracts and orders move with the deal (`turning`,
//! `jobs::places`, `orders::following`). `payments` calls `settling`, `marketplace` calls `engaging`.

mod amending;
pub mod browsing;
pub mod confirming;
mod deliverable;
pub mod delivering;
mod disclosure;
pub mod ending;
pub(crate) mod engaging;
mod escalating;
pub mod hiring;
pub mod managing;
mod proof;
mod reminding;
pub mod reporting;
pub mod requesting;
pub mod reviewing;
mod settling;
pub(crate) mod sharing;
mod store;
mod turning;

pub use deliverable::{Deliverable, DeliverableEvent, DeliverableStatus};
pub use disclosure::{DisclosureCheck, check_disclosure};
pub use ending::expire_unconfirmed;
pub use escalating::escalate_unanswered;
pub use reminding::{remind, remind_due_soon, remind_overdue};
pub(crate) use settling::complete_settled;
