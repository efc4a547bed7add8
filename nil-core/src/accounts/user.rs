//! The account behind every user of the Core interface.

use schemars::JsonSchema;
use serde::Serialize;

use super::{AgentProfile, AthleteProfile, FanProfile, PartnerProfile};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Machine, Move, Secret, Time, UserId, UserKind};

vocabulary! {
    /// The state of an account.
    UserStatus {
        /// Registering.
        Onboarding = "onboarding",
        /// In use.
        Active = "active",
        /// Barred by an operator.
        Suspended = "suspended",
        /// Closed; personal data erased, money records kept.
        Deactivated = "deactivated",
    }
}

/// What can happen to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserEvent {
    /// The last registration step, with nothing missing.
    Finish,
    /// Nobody finished the registration in time.
    Lapse,
    /// An operator bars it.
    Suspend,
    /// An operator lets it back in.
    Restore,
    /// The user or an operator closes it.
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
        // The worker (extension): what was never finished says nothing of anybody for ever.
        (Self::Onboarding, UserEvent::Lapse, Self::Deactivated),
        (Self::Active, UserEvent::Suspend, Self::Suspended), // POST /athletes/save (operator)
        (Self::Suspended, UserEvent::Restore, Self::Active),
        (Self::Active, UserEvent::Deactivate, Self::Deactivated),
        (Self::Suspended, UserEvent::Deactivate, Self::Deactivated),
    ];
}

/// The record behind an account, of its own kind.
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
pub struct Account {
    /// The account's id.
    pub id: UserId,
    /// What kind of user it is.
    pub kind: UserKind,
    /// The e-mail it logs in with.
    pub email: Option<String>,
    /// When that e-mail was shown to be the user's.
    pub email_verified_at: Option<Time>,
    /// Phone number, in E.164 form.
    pub phone: Option<String>,
    /// First name.
    pub first_name: Option<String>,
    /// Last name.
    pub last_name: Option<String>,
    /// The state of the account.
    pub status: UserStatus,
    /// The first thing registration still misses; null once it is finished.
    pub onboarding_step: Option<String>,
    /// When somebody last logged in.
    pub last_login_at: Option<Time>,
    /// When registration began.
    pub created_at: Time,
    /// When the account was last changed.
    pub updated_at: Time,
    /// The record of its kind.
    pub profile: Profile,
}

/// A fresh login: the token, and whose it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LogIn {
    /// The bearer token.
    pub access_token: Secret,
    /// Always `Bearer`.
    pub token_type: &'static str,
    /// When the token stops working by itself.
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
