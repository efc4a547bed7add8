//! The content of a filing: agent, registration, contract, notices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Date, Time};

vocabulary! {
    /// The kind of work the agent does for the athlete.
    FilingKind {
        /// Deals about name, image and likeness.
        Nil = "nil",
        /// A professional sports career.
        Professional = "professional",
        /// Both.
        Both = "both",
    }
}

vocabulary! {
    /// The legal form of an agent's business.
    AgentForm {
        /// A sole proprietor.
        SoleProprietor = "sole_proprietor",
        /// A partnership.
        Partnership = "partnership",
        /// A limited liability company.
        Llc = "llc",
        /// A corporation.
        Corporation = "corporation",
        /// A non-profit organization.
        Nonprofit = "nonprofit",
        /// Any other.
        Other = "other",
    }
}

/// The agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AgentOfRecord {
    /// The agent's name.
    pub name: Option<String>,
    /// The name of the business.
    pub business: Option<String>,
    /// The legal form of the business.
    pub form: Option<AgentForm>,
    /// Postal addresses.
    pub addresses: Vec<String>,
    /// Phone numbers.
    pub phones: Vec<String>,
    /// E-mail addresses.
    pub emails: Vec<String>,
    /// Web sites and pages of social networks.
    pub sites: Vec<String>,
}

/// The agent's registration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Registration {
    /// The two-letter code of the state.
    pub state: Option<String>,
    /// The registration number.
    pub number: Option<String>,
    /// The first day it is valid.
    pub from: Option<Date>,
    /// The last day it is valid.
    pub until: Option<Date>,
}

/// The contract between agent and athlete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AgencyContract {
    /// When the athlete signed it. Both deadlines count from here.
    pub signed_at: Option<Time>,
    /// Its first day.
    pub from: Option<Date>,
    /// Its last day.
    pub until: Option<Date>,
    /// What the agent does for the athlete.
    pub services: Option<String>,
    /// What the athlete pays for the services.
    pub consideration: Option<String>,
    /// How the payment is calculated.
    pub consideration_method: Option<String>,
    /// What third parties pay the agent in connection with it; null if nothing.
    pub other_pay: Option<String>,
    /// The expenses the athlete reimburses; null if none.
    pub expenses: Option<String>,
    /// Other persons paid for bringing the contract about.
    pub persons_paid: Vec<String>,
    /// When the athlete cancelled it within the time to cancel; null if not.
    pub cancelled_at: Option<Time>,
}

/// The notices to the institution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Notices {
    /// When the agent gave notice.
    pub agent_at: Option<Time>,
    /// When the athlete gave notice.
    pub athlete_at: Option<Time>,
    /// The athlete's next event after signing.
    pub next_event_at: Option<Time>,
    /// The day the athlete enrolled, if the contract was signed before.
    pub enrolled_on: Option<Date>,
}

/// The whole content of a filing. A draft may lack any of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Particulars {
    /// The kind of work the agent does for the athlete.
    pub kind: Option<FilingKind>,
    /// The agent.
    pub agent: AgentOfRecord,
    /// The agent's registration.
    pub registration: Registration,
    /// Codes of other states in which the agent is registered or has applied.
    pub other_states: Vec<String>,
    /// The contract.
    pub contract: AgencyContract,
    /// Whether the contract contains the warning required by law.
    pub warning_notice_present: Option<bool>,
    /// When the athlete signed the separate acknowledgement.
    pub acknowledgement_signed_at: Option<Time>,
    /// When the guardian of a minor athlete signed.
    pub guardian_signed_at: Option<Time>,
    /// The notices to the institution.
    pub notices: Notices,
}

/// A party of a contract between an athlete and an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The agent.
    Agent,
    /// The athlete.
    Athlete,
}
