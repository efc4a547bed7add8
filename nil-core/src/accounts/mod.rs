//! Accounts of athletes, brands, agents and fans (Core), officers (Compliance) and operators (Admin).
//!
//! Tables: `app_user` with `athlete` (`athlete_social`, `athlete_activity`), `partner`, `agent`, `fan` and
//! `guardian`; `registration`, `portal_user`, `portal_registration`, `operator` (`operator_recovery_code`), `fan_follow`,
//! `tutorial_step`, and the log-in throttle (`login_turn`, `login_failure`, `known_log_in`). State machines: [`UserStatus`]
//! and [`PortalUserStatus`]. `impersonation` is shared with `auth`.
//!
//! 1. [`registering`]: a registration token carries the steps; the last step activates the account.
//! 2. [`signing_in`] and [`recovering`]: log-in, log-out, new passwords, e-mail verification.
//! 3. [`editing`], [`agent_editing`], [`follows`], [`tutorial`]: users change their own records.
//! 4. [`directory`], [`searching`], [`profiles`]: what visitors and users see of each other.
//! 5. `portal_*`: registration, invitation, log-in and team of an institution's portal.
//! 6. [`operator_signing_in`], [`two_step`], [`operator_sessions`]: operators log in.
//!    [`impersonating`]: they act as an account.
//! 7. [`listing`] ([`athletes`], [`partners`], [`agents`]), [`saving`], [`refreshing`], [`suspension`], [`operators`], [`finding`]: the
//!    Admin interface and the command line.
//!
//! The catalog's operations call these; other domains ask `acting` for permissions and `verifying` marks
//! brands.

mod agent;
pub mod agent_editing;
pub mod agents;
mod athlete;
pub mod athletes;
pub mod directory;
pub mod editing;
mod fan;
pub mod finding;
pub mod follows;
pub mod impersonating;
pub mod listing;
pub mod log_in_queue;
mod mail;
mod member_kind;
pub mod operator_passwords;
pub mod operator_saving;
pub mod operator_sessions;
pub mod operator_signing_in;
pub mod operators;
mod partner;
pub mod partners;
pub mod portal_admin;
pub mod portal_registering;
pub mod portal_signing_in;
pub mod portal_team;
mod portal_user;
pub mod profiles;
pub mod recovering;
pub mod refreshing;
pub mod registering;
mod registration;
pub mod saving;
pub mod searching;
pub mod signing_in;
pub(crate) mod store;
pub mod suspension;
pub mod tutorial;
pub mod two_step;
mod user;
pub mod verifying;

pub use crate::kernel::UserKind;
pub use crate::people::{ClassYear, Gender, UserStatus};
pub use agent::{AgentCard, AgentProfile, Certification};
pub use athlete::{AthleteActivity, AthleteProfile, PayoutState, Readiness, Social, SocialNetwork};
pub use fan::{FanProfile, FollowedAthlete};
pub use member_kind::MemberKind;
pub use partner::{AssociatedUniversity, PartnerProfile};
pub use portal_registering::PortalRegistration;
pub use portal_user::{PortalAccount, PortalLogIn, PortalUserEvent, PortalUserStatus};
pub use registration::{Progress, Step};
pub use user::{Account, AccountRecord, LogIn, Profile, UserEvent};
