//! The agent behind an account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::registering::registration::Name;
use crate::kernel::{AgentId, CompanyName, Date, Many, Phone, Text, Time, UserId, WebUrl};
use crate::storage::FromRow;

/// A licence or registration an agent holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Certification {
    /// The body that issued it, such as a players' association or a state.
    pub body: Text<1, 120>,
    /// The licence or registration number.
    pub number: Text<1, 60>,
    /// Two-letter code of the state it is valid in.
    pub state: Option<Text<2, 2>>,
    /// The last day it is valid.
    pub expires_on: Option<Date>,
}

/// An athletes' agent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AgentProfile {
    /// The agent's id.
    pub id: AgentId,
    /// The account's id.
    pub user_id: UserId,
    /// The agency's name.
    pub agency_name: String,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// E-mail.
    pub email: Option<String>,
    /// Phone number, in E.164 form.
    pub phone: Option<String>,
    /// The agent's page on a professional network.
    pub network_profile_url: Option<String>,
    /// Licences and registrations.
    pub certifications: Vec<Certification>,
    /// When the platform's terms were accepted.
    pub terms_accepted_at: Option<Time>,
    /// The accepted version of the terms.
    pub terms_version: Option<i64>,
    /// Payout account status: `none`, `pending`, `restricted` or `enabled`.
    pub processor_account_status: String,
    /// How many athletes the agent currently represents.
    pub athlete_count: i64,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// The summary of an agent that athletes see.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct AgentCard {
    /// The agent's id.
    pub id: AgentId,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// The agency's name.
    pub agency_name: String,
    /// The agent's page on a professional network.
    pub network_profile_url: Option<String>,
    /// Licences and registrations.
    #[row(json)]
    pub certifications: Vec<Certification>,
}

/// The fields to change; omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditAgent {
    /// The agency's name.
    pub agency_name: Option<CompanyName<160>>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
    /// The agent's page on a professional network.
    pub network_profile_url: Option<WebUrl>,
    /// Licences and registrations; they replace the current ones.
    pub certifications: Option<Many<Certification, 0, 60>>,
}
