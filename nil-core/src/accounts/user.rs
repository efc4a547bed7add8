//! The accounts of the Core interface's users.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{AgentProfile, AthleteProfile, FanProfile, PartnerProfile, UserStatus};
use crate::kernel::{Identity, Machine, Move, Secret, Time, UserId, UserKind};
use crate::operation::{Revisable, without};

/// An event in an account's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserEvent {
    /// The last registration step, with nothing missing.
    Finish,
    /// The registration expired unfinished.
    Lapse,
    /// An operator suspends the account.
    Suspend,
    /// An operator restores the account.
    Restore,
    /// The user or an operator closes the account.
    Deactivate,
}

impl Machine for UserStatus {
    type Event = UserEvent;
    const NAME: &'static str = "user";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Onboarding];
    const TERMINAL: &'static [Self] = &[Self::Deactivated];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Onboarding, UserEvent::Finish, Self::Active), // POST …/update-registration-step…
        // The worker (extension): personal data of unfinished registrations is not kept for ever.
        (Self::Onboarding, UserEvent::Lapse, Self::Deactivated),
        (Self::Active, UserEvent::Suspend, Self::Suspended), // POST /athletes/save (operator)
        (Self::Suspended, UserEvent::Restore, Self::Active),
        (Self::Active, UserEvent::Deactivate, Self::Deactivated),
        (Self::Suspended, UserEvent::Deactivate, Self::Deactivated),
    ];
}

/// The record behind an account, by kind of user.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Profile {
    /// An athlete's.
    Athlete(Box<AthleteProfile>),
    /// A brand's.
    Partner(PartnerProfile),
    /// An agent's.
    Agent(AgentProfile),
    /// A fan's.
    Fan(FanProfile),
}

/// An account with its profile, as its owner sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Account {
    /// The account's id.
    pub id: UserId,
    /// What kind of user it is.
    pub kind: UserKind,
    /// The e-mail to log in with.
    pub email: Option<String>,
    /// When that e-mail was verified.
    pub email_verified_at: Option<Time>,
    /// Phone number, in E.164 form.
    pub phone: Option<String>,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// The account's status.
    pub status: UserStatus,
    /// The first item the registration lacks; null once it is finished.
    pub onboarding_step: Option<String>,
    /// Time of the last login.
    pub last_login_at: Option<Time>,
    /// When registration began.
    pub created_at: Time,
    /// When the account was last changed.
    pub updated_at: Time,
    /// The record for its kind of user.
    pub profile: Profile,
}

/// A record and the account behind it, as operators see them: `id` is the record's, as in lists and
/// inputs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct AccountRecord {
    /// The record's id: the athlete's, the brand's or the agent's.
    #[schemars(range(min = 1), extend("examples" = [1]))]
    pub id: i64,
    /// The account's id.
    pub user_id: UserId,
    /// What kind of user it is.
    pub kind: UserKind,
    /// The e-mail to log in with.
    pub email: Option<String>,
    /// When that e-mail was verified.
    pub email_verified_at: Option<Time>,
    /// Phone number, in E.164 form.
    pub phone: Option<String>,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// The account's status.
    pub status: UserStatus,
    /// The first item the registration lacks; null once it is finished.
    pub onboarding_step: Option<String>,
    /// Time of the last login.
    pub last_login_at: Option<Time>,
    /// When registration began.
    pub created_at: Time,
    /// When the account was last changed.
    pub updated_at: Time,
    /// The record for its kind of user.
    pub profile: Profile,
}

impl AccountRecord {
    /// The record with this id, and its account.
    #[must_use]
    pub fn of(id: impl Identity, account: Account) -> Self {
        Self {
            id: id.number(),
            user_id: account.id,
            kind: account.kind,
            email: account.email,
            email_verified_at: account.email_verified_at,
            phone: account.phone,
            first_name: account.first_name,
            last_name: account.last_name,
            status: account.status,
            onboarding_step: account.onboarding_step,
            last_login_at: account.last_login_at,
            created_at: account.created_at,
            updated_at: account.updated_at,
            profile: account.profile,
        }
    }
}

impl Revisable for AccountRecord {
    /// What operators save: of every account, and of its profile.
    fn content(&self) -> Value {
        let own = [&self.email, &self.first_name, &self.last_name, &self.phone];
        json!([own, self.status, self.profile.content()])
    }
}

impl Profile {
    /// What people save of it.
    fn content(&self) -> Value {
        const OTHERS: [&str; 16] = [
            "id",
            "user_id",
            "photo_url",
            "logo_url",
            "share_slug",
            "readiness",
            "agent_id",
            "payout_account",
            "subscription_plan_id",
            "universities",
            "terms_accepted_at",
            "terms_version",
            "processor_account_status",
            "athlete_count",
            "created_at",
            "updated_at",
        ];
        let mut content = without(json!(self), &OTHERS);
        let socials = content.get_mut("socials").and_then(Value::as_array_mut);
        for social in socials.into_iter().flatten() {
            // These figures are fetched from time to time.
            let fetched = ["followers", "engagement_rate", "refreshed_at"];
            *social = without(social.take(), &fetched);
        }
        content
    }
}

/// The result of a log-in: the token and its account.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct LogIn {
    /// The bearer token.
    pub access_token: Secret,
    /// Always `Bearer`.
    pub token_type: &'static str,
    /// When the token expires.
    pub expires_at: Time,
    /// The account.
    pub user: Account,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_machine_keeps_the_laws() {
        assert_laws::<UserStatus>();
    }
}
