//! The account behind every user of the Core interface.

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Machine, Move};

vocabulary! {
    /// What kind of user an account is.
    UserKind {
        /// A college athlete.
        Athlete = "athlete",
        /// A brand.
        Partner = "partner",
        /// An athlete's agent.
        Agent = "agent",
        /// A fan.
        Fan = "fan",
    }
}

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
        (Self::Active, UserEvent::Suspend, Self::Suspended), // POST /athletes/save (operator)
        (Self::Suspended, UserEvent::Restore, Self::Active),
        (Self::Active, UserEvent::Deactivate, Self::Deactivated),
        (Self::Suspended, UserEvent::Deactivate, Self::Deactivated),
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }
}
