//! The requested content of a filing: each field is kept, cleared, or set.

use chrono::SubsecRound as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::particulars::{
    AgencyContract, AgentForm, AgentOfRecord, FilingKind, Notices, Particulars, Registration,
};
use crate::kernel::{Date, Edit, Email, Many, Phone, Text, Time, WebUrl};

/// Changes to the agent's data.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct WantedAgent {
    /// The agent's name.
    #[serde(default)]
    pub name: Edit<Text<1, 200>>,
    /// The name of the business.
    #[serde(default)]
    pub business: Edit<Text<1, 200>>,
    /// The legal form of the business.
    #[serde(default)]
    pub form: Edit<AgentForm>,
    /// Postal addresses.
    #[serde(default)]
    pub addresses: Edit<Many<Text<1, 400>, 0, 10>>,
    /// Phone numbers.
    #[serde(default)]
    pub phones: Edit<Many<Phone, 0, 10>>,
    /// E-mail addresses.
    #[serde(default)]
    pub emails: Edit<Many<Email, 0, 10>>,
    /// Web sites and pages of social networks.
    #[serde(default)]
    pub sites: Edit<Many<WebUrl, 0, 20>>,
}

/// Changes to the agent's registration.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct WantedRegistration {
    /// The two-letter code of the state.
    #[serde(default)]
    pub state: Edit<Text<2, 2>>,
    /// The registration number.
    #[serde(default)]
    pub number: Edit<Text<1, 100>>,
    /// The first day it is valid.
    #[serde(default)]
    pub from: Edit<Date>,
    /// The last day it is valid.
    #[serde(default)]
    pub until: Edit<Date>,
}

/// Changes to the contract.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct WantedContract {
    /// When the athlete signed it; both deadlines count from here.
    #[serde(default)]
    pub signed_at: Edit<Time>,
    /// Its first day.
    #[serde(default)]
    pub from: Edit<Date>,
    /// Its last day.
    #[serde(default)]
    pub until: Edit<Date>,
    /// What the agent does for the athlete.
    #[serde(default)]
    pub services: Edit<Text<1, 4000>>,
    /// What the athlete pays for the services.
    #[serde(default)]
    pub consideration: Edit<Text<1, 2000>>,
    /// How the payment is calculated.
    #[serde(default)]
    pub consideration_method: Edit<Text<1, 2000>>,
    /// What third parties pay the agent in connection with it.
    #[serde(default)]
    pub other_pay: Edit<Text<1, 2000>>,
    /// The expenses the athlete reimburses.
    #[serde(default)]
    pub expenses: Edit<Text<1, 2000>>,
    /// Other persons paid for bringing the contract about.
    #[serde(default)]
    pub persons_paid: Edit<Many<Text<1, 200>, 0, 50>>,
    /// When the athlete cancelled it within the time to cancel.
    #[serde(default)]
    #[schemars(extend("examples" = [null]))]
    pub cancelled_at: Edit<Time>,
}

/// Changes to the notices.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct WantedNotices {
    /// When the agent gave notice to the institution.
    #[serde(default)]
    pub agent_at: Edit<Time>,
    /// When the athlete gave notice to the institution.
    #[serde(default)]
    pub athlete_at: Edit<Time>,
    /// The athlete's next event after signing.
    #[serde(default)]
    pub next_event_at: Edit<Time>,
    /// The day the athlete enrolled, if the contract was signed before.
    #[serde(default)]
    pub enrolled_on: Edit<Date>,
}

/// Changes to the content of a filing. Omitted fields keep their values, `null` clears a field.
#[derive(Clone, Debug, Default)]
pub(super) struct WantedParticulars {
    /// The kind of work the agent does for the athlete.
    pub(super) kind: Edit<FilingKind>,
    /// The agent.
    pub(super) agent: Option<WantedAgent>,
    /// The agent's registration.
    pub(super) registration: Option<WantedRegistration>,
    /// Codes of other states in which the agent is registered or has applied.
    pub(super) other_states: Edit<Many<Text<2, 2>, 0, 60>>,
    /// The contract.
    pub(super) contract: Option<WantedContract>,
    /// Whether the contract contains the warning required by law.
    pub(super) warning_notice_present: Edit<bool>,
    /// When the athlete signed the separate acknowledgement.
    pub(super) acknowledgement_signed_at: Edit<Time>,
    /// When the guardian of a minor athlete signed.
    pub(super) guardian_signed_at: Edit<Time>,
    /// The notices to the institution.
    pub(super) notices: Option<WantedNotices>,
}

fn put<T>(field: &mut Option<T>, wanted: Edit<T>) {
    if let Some(value) = wanted.change() {
        *field = value;
    }
}

fn put_text<const MIN: usize, const MAX: usize>(
    field: &mut Option<String>,
    wanted: Edit<Text<MIN, MAX>>,
) {
    if let Some(value) = wanted.change() {
        *field = value.map(|text| text.trim().to_owned());
    }
}

/// With microsecond precision, as both databases store it.
fn put_time(field: &mut Option<Time>, wanted: Edit<Time>) {
    if let Some(value) = wanted.change() {
        *field = value.map(|at| at.trunc_subsecs(6));
    }
}

fn put_all<T, const MOST: usize>(
    field: &mut Vec<String>,
    wanted: Edit<Many<T, 0, MOST>>,
    text: impl Fn(T) -> String,
) {
    if let Some(value) = wanted.change() {
        let all = value.map(Many::into_vec).unwrap_or_default();
        *field = all.into_iter().map(text).collect();
    }
}

fn put_code(field: &mut Option<String>, wanted: Edit<Text<2, 2>>) {
    if let Some(value) = wanted.change() {
        *field = value.map(|code| code.to_uppercase());
    }
}

impl WantedParticulars {
    /// Applies the changes to `particulars`.
    pub(super) fn apply(self, particulars: &mut Particulars) {
        put(&mut particulars.kind, self.kind);
        if let Some(agent) = self.agent {
            agent.apply(&mut particulars.agent);
        }
        if let Some(registration) = self.registration {
            registration.apply(&mut particulars.registration);
        }
        put_all(&mut particulars.other_states, self.other_states, |code| code.to_uppercase());
        particulars.other_states.sort_unstable();
        particulars.other_states.dedup();
        if let Some(contract) = self.contract {
            contract.apply(&mut particulars.contract);
        }
        put(&mut particulars.warning_notice_present, self.warning_notice_present);
        put_time(&mut particulars.acknowledgement_signed_at, self.acknowledgement_signed_at);
        put_time(&mut particulars.guardian_signed_at, self.guardian_signed_at);
        if let Some(notices) = self.notices {
            notices.apply(&mut particulars.notices);
        }
    }

    /// Whether there are no changes.
    pub(super) fn is_empty(&self) -> bool {
        let kept = self.kind == Edit::Keep
            && self.other_states == Edit::Keep
            && self.warning_notice_present == Edit::Keep
            && self.acknowledgement_signed_at == Edit::Keep
            && self.guardian_signed_at == Edit::Keep;
        let sections = self.agent.is_some()
            || self.registration.is_some()
            || self.contract.is_some()
            || self.notices.is_some();
        kept && !sections
    }
}

impl WantedAgent {
    fn apply(self, agent: &mut AgentOfRecord) {
        put_text(&mut agent.name, self.name);
        put_text(&mut agent.business, self.business);
        put(&mut agent.form, self.form);
        put_all(&mut agent.addresses, self.addresses, |text| text.trim().to_owned());
        put_all(&mut agent.phones, self.phones, |phone| phone.to_string());
        put_all(&mut agent.emails, self.emails, |email| email.to_string());
        put_all(&mut agent.sites, self.sites, |site| site.to_string());
    }
}

impl WantedRegistration {
    fn apply(self, registration: &mut Registration) {
        put_code(&mut registration.state, self.state);
        put_text(&mut registration.number, self.number);
        put(&mut registration.from, self.from);
        put(&mut registration.until, self.until);
    }
}

impl WantedContract {
    fn apply(self, contract: &mut AgencyContract) {
        put_time(&mut contract.signed_at, self.signed_at);
        put(&mut contract.from, self.from);
        put(&mut contract.until, self.until);
        put_text(&mut contract.services, self.services);
        put_text(&mut contract.consideration, self.consideration);
        put_text(&mut contract.consideration_method, self.consideration_method);
        put_text(&mut contract.other_pay, self.other_pay);
        put_text(&mut contract.expenses, self.expenses);
        put_all(&mut contract.persons_paid, self.persons_paid, |name| name.trim().to_owned());
        put_time(&mut contract.cancelled_at, self.cancelled_at);
    }
}

impl WantedNotices {
    fn apply(self, notices: &mut Notices) {
        put_time(&mut notices.agent_at, self.agent_at);
        put_time(&mut notices.athlete_at, self.athlete_at);
        put_time(&mut notices.next_event_at, self.next_event_at);
        put(&mut notices.enrolled_on, self.enrolled_on);
    }
}
