//! Deals: the course of an application from hire to completion. `jobs` and `contracts` keep the
//! records; operations that need both are here, each in one transaction.
//!
//! Hiring (`hiring`) takes a place and creates the contract and its deliverables; an accepted
//! service order does the same through `engaging`. The athlete confirms (`confirming`). Athletes
//! submit work and brands decide on it (`delivering`, with `proof` and `disclosure` checks);
//! `reviewing` asks an operator for help. Athletes request a cancellation or a later date and
//! brands decide (`requesting`, `amending`); `escalating` passes unanswered requests to operators.
//! After each approval and payment, `settling` completes deals that are done and paid; `ending`
//! cancels contracts and expires unconfirmed ones. `transition` moves an application and its
//! deliverables with their contract.
//!
//! `browsing` lists deals, `admin` is the operators' view of jobs and their deals, `reporting`
//! lists work for the brand, `reminding` sends reminders. `payments` calls `settling`;
//! `marketplace` calls `engaging` and `delivering`.
//!
//! `watching` (worker) looks every day whether the posts of approved work are still up and
//! disclosed (`watch`); `watch_history` lists what was found.
//!
//! Tables: `deliverable`, `reminder`, `watched_post`, `post_check`. State machine:
//! [`DeliverableStatus`].

pub mod admin;
mod amending;
pub mod browsing;
pub mod confirming;
mod deal;
mod deliverable;
pub mod delivering;
mod disclosure;
pub mod ending;
pub(crate) mod engaging;
mod escalating;
pub mod hiring;
mod proof;
mod reminding;
mod report;
pub mod reporting;
pub mod requesting;
pub mod reviewing;
mod settling;
pub mod sharing;
mod store;
mod transition;
mod watch;
pub mod watch_history;
mod watching;

pub use deal::{Deal, DealPayment};
pub use deliverable::{Deliverable, DeliverableEvent, DeliverableStatus};
pub use disclosure::{DisclosureCheck, check_disclosure};
pub use ending::expire_unconfirmed;
pub use escalating::escalate_unanswered;
pub use reminding::{remind, remind_due_soon, remind_overdue};
pub use report::{ReportRow, ReportTotals};
pub(crate) use settling::complete_settled;
pub use watch::{PostCheck, PostOutcome, WatchedPost};
pub use watching::watch_posts;
