//! Athlete agents' disclosure filings: an institution's records of athletes' contracts with agents.
//!
//! Tables: `athlete_agent_filing` and `athlete_agent_filing_version` (only ever added to, until a
//! filing is purged). State machine: `FilingStatus`, from draft over submitted to acknowledged,
//! returned, terminated or deleted.
//!
//! 1. [`submitting`]: an officer enters a filing, as a draft or submitted; `evidence` stores its
//!    documents.
//! 2. `content` checks it: `completeness` for consistency and completeness, `deadlines` for the
//!    deadlines.
//! 3. [`changing`] and `deciding`: every change or decision adds a version (`recording`).
//! 4. `notices` notifies officers; [`reminding`] (worker) reminds them of missing notices.
//! 5. [`responding`]: an athlete accepts an agent, and `drafting` makes the institution's draft;
//!    `enrolling` (worker) drafts one for an athlete who brings an agent along. [`noticing`]:
//!    athlete and agent give notice and see what is due; [`cancelling`]: the athlete cancels in
//!    time.
//! 6. `purging` (worker) removes a filing with its documents five years after it ended.
//! 7. [`browsing`] and [`downloading`]: officers read filings; reads are audited.
//!
//! The Compliance interface's operations call it, and athletes and agents; the worker calls
//! `reminding`, `enrolling` and `purging`.

mod agency_notice;
pub mod browsing;
pub mod cancelling;
pub mod changing;
mod completeness;
mod content;
mod deadlines;
pub mod deciding;
pub mod downloading;
mod drafting;
mod enrolling;
mod evidence;
mod filing;
mod filing_input;
mod filing_status;
mod notices;
pub mod noticing;
mod particulars;
mod purging;
mod recording;
mod reminding;
pub mod responding;
mod sharing;
mod store;
pub mod submitting;
mod version;

pub use agency_notice::{AgencyNotice, ListNotices};
pub use enrolling::enrol;
pub use evidence::{Evidence, NewDocument};
pub use filing::{Filing, FilingDocument, FilingSort, ListFilings};
pub use filing_input::{WantedAgent, WantedContract, WantedNotices, WantedRegistration};
pub use filing_status::{FilingEvent, FilingStatus};
pub use particulars::{
    AgencyContract, AgentForm, AgentOfRecord, FilingKind, Notices, Particulars, Registration,
};
pub use purging::purge;
pub use reminding::remind;
pub(crate) use sharing::may_see_part;
pub use version::{FilingAction, FilingVersion};
