//! People and companies: users of every kind, how they register and sign in.

pub(crate) mod acting;
mod agent;
pub mod agent_editing;
mod athlete;
pub mod directory;
pub mod editing;
mod fan;
pub mod following;
mod mail;
pub mod managing;
pub mod operator_passwords;
pub mod operators;
mod partner;
pub mod partners;
pub mod portal_managing;
pub mod portal_registering;
pub mod portal_signing_in;
pub mod portal_team;
mod portal_user;
pub mod profiles;
mod queueing;
pub mod recovering;
pub mod registering;
mod registration;
pub mod searching;
pub mod signing_in;
pub(crate) mod store;
pub mod tutorial;
mod user;
pub(crate) mod verifying;

pub use crate::kernel::UserKind;
pub(crate) use acting::{is_in_use, is_suspended};
pub use agent::{AgentCard, AgentProfile, Certification};
pub(crate) use athlete::is_under;
pub use athlete::{
    AthleteActivity, AthleteProfile, ClassYear, Gender, PayoutState, Readiness, Social,
    SocialNetwork,
};
pub use fan::{FanProfile, FollowedAthlete};
pub use partner::{AssociatedUniversity, PartnerProfile};
pub use portal_user::{PortalAccount, PortalLogIn, PortalUserEvent, PortalUserStatus};
pub use registration::{Progress, Step};
pub use user::{Account, LogIn, Profile, UserEvent, UserStatus};
