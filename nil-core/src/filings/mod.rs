//! Athlete agents' disclosure filings: what an institution holds about an athlete's contract with an
//! agent, from the first draft to its end, with every version there has been.

pub mod browsing;
pub mod changing;
mod clocks;
mod content;
pub mod deciding;
pub mod downloading;
mod evidence;
mod filing;
mod particulars;
mod recording;
mod reminding;
mod sharing;
mod store;
pub mod submitting;
mod telling;
mod version;
mod wanted;
mod weighing;

pub use evidence::{Evidence, NewDocument};
pub use filing::{Filing, FilingDocument, FilingEvent, FilingStatus};
pub use particulars::{
    AgencyContract, AgentForm, AgentOfRecord, FilingKind, Notices, Particulars, Registration,
};
pub use reminding::remind;
pub(crate) use sharing::may_see;
pub use version::{FilingAction, FilingVersion};
pub use wanted::{WantedAgent, WantedContract, WantedNotices, WantedRegistration};
