//! What a filing says: the agent, the registration, the contract, the notices.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Date, Time};

vocabulary! {
    /// What the agent is to do for the athlete.
    FilingKind {
        /// Deals about name, image and likeness.
        Nil = "nil",
        /// A professional career in sport.
        Professional = "professional",
        /// Both.
        Both = "both",
    }
}

vocabulary! {
    /// What kind of business an agent runs.
    AgentForm {
        /// A person by themself.
        SoleProprietor = "sole_proprietor",
        /// A partnership.
        Partnership = "partnership",
        /// A limited liability company.
        Llc = "llc",
        /// A corporation.
        Corporation = "corporation",
        /// A body without profit.
        Nonprofit = "nonprofit",
        /// Anything else.
        Other = "other",
    }
}

/// The agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentOfRecord {
    /// The person's name.
    pub name: Option<String>,
    /// The name of the business.
    pub business: Option<String>,
    /// What kind of business it is.
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

/// Where the agent is registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Registration {
    /// The two-letter code of the state.
    pub state: Option<String>,
    /// The number of the registration.
    pub number: Option<String>,
    /// The first day of it.
    pub from: Option<Date>,
    /// The last day of it.
    pub until: Option<Date>,
}

/// The contract between agent and athlete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgencyContract {
    /// When the athlete signed it. Both clocks run from here.
    pub signed_at: Option<Time>,
    /// Its first day.
    pub from: Option<Date>,
    /// Its last day.
    pub until: Option<Date>,
    /// What the agent does for the athlete.
    pub services: Option<String>,
    /// What the athlete pays for that.
    pub consideration: Option<String>,
    /// How that is worked out.
    pub consideration_method: Option<String>,
    /// What others pay the agent in connection with it; none where nobody does.
    pub other_pay: Option<String>,
    /// The expenses the athlete reimburses; none where there are none.
    pub expenses: Option<String>,
    /// Who else is paid for bringing the contract about.
    pub persons_paid: Vec<String>,
}

/// Who told the institution, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notices {
    /// When the agent gave notice.
    pub agent_at: Option<Time>,
    /// When the athlete gave notice.
    pub athlete_at: Option<Time>,
    /// When the athlete next takes part in an event after signing.
    pub next_event_at: Option<Time>,
    /// The day the athlete enrolled, where the contract was signed before.
    pub enrolled_on: Option<Date>,
}

/// Everything a filing says. A draft may lack any of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Particulars {
    /// What the agent is to do for the athlete.
    pub kind: Option<FilingKind>,
    /// The agent.
    pub agent: AgentOfRecord,
    /// Where the agent is registered.
    pub registration: Registration,
    /// The codes of other states in which the agent is registered or has applied.
    pub other_states: Vec<String>,
    /// The contract.
    pub contract: AgencyContract,
    /// Whether the contract carries the warning that the law asks for.
    pub warning_notice_present: Option<bool>,
    /// When the athlete signed the separate acknowledgement.
    pub acknowledgement_signed_at: Option<Time>,
    /// When the guardian of an athlete under age signed.
    pub guardian_signed_at: Option<Time>,
    /// Who told the institution, and when.
    pub notices: Notices,
}
