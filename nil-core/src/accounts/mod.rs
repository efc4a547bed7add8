//! Accounts of athletes, brands, agents and fans (Core), officers (Compliance) and operators
//! (Admin).
//!
//! Tables: `app_user` with `athlete` (`athlete_social`, `athlete_activity`), `partner`, `agent`,
//! `fan` and `guardian`; `registration`, `portal_user` (`portal_recovery_code`),
//! `portal_registration`, `operator` (`operator_recovery_code`), `fan_follow`, `tutorial_step`,
//! the log-in throttle (`login_turn`, `login_failure`, `known_log_in`), and the tables of sign-on.
//! State machines: [`UserStatus`] and [`PortalUserStatus`]. `impersonation` is shared with `auth`.
//!
//! 1. [`registering`]: a registration token carries the steps; the last step activates the account.
//! 2. [`signing_in`]: log-in, log-out, new passwords, e-mail verification, one's own sessions.
//! 3. [`athletes`], [`partners`], [`agents`], [`fans`]: what an account of each kind has, and how
//!    its user changes it.
//! 4. [`profiles`]: what visitors and users see of each other, and the first steps of new users.
//! 5. [`portal`]: registration, invitation, log-in and team of an institution's portal.
//! 6. [`operators`]: their log-in, their own accounts, and how they act as an account.
//! 7. [`two_step`]: the second step of portal users' and operators' log-in.
//! 8. [`sign_on`]: officers and operators come through an identity provider.
//! 9. [`listing`], [`finding`], [`saving`], [`suspension`]: the Admin interface and the command
//!    line.
//!
//! The catalog's operations call these; other domains ask `acting` for permissions, and
//! `partners::verifying` marks brands.

pub mod agents;
pub mod athletes;
mod edit_note;
pub mod fans;
pub mod finding;
pub mod listed;
pub mod listing;
mod mail;
mod member_kind;
pub mod operators;
mod own_session;
pub mod partners;
pub mod portal;
pub mod profiles;
pub mod registering;
pub mod saving;
pub mod sign_on;
pub mod signing_in;
pub(crate) mod store;
pub mod suspension;
pub mod two_step;
mod user;

pub use crate::kernel::UserKind;
pub use crate::people::{ClassYear, Gender, UserStatus};
pub use agents::agent::{AgentCard, AgentProfile, Certification, EditAgent};
pub use athletes::athlete::{
    AthleteActivity, AthleteProfile, PayoutState, Readiness, Social, SocialNetwork, WhichAthlete,
};
pub use fans::fan::{FanProfile, FollowedAthlete};
pub use member_kind::{FoundAccount, MemberKind};
pub use own_session::{EndSessions, EndedSessions, OwnSession, PortalSession};
pub use partners::partner::{AssociatedUniversity, Association, EditPartner, PartnerProfile};
pub use portal::portal_user::{
    PortalAccount, PortalLogIn, PortalRegistration, PortalUserEvent, PortalUserStatus,
};
pub use registering::registration::{Progress, Step};
pub use user::{Account, AccountRecord, LogIn, Profile, UserEvent};
