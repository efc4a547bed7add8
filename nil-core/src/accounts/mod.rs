//! People and companies: users of every kind, how they register and sign in.

pub(crate) mod acting;
mod agent;
mod athlete;
mod fan;
pub mod following;
mod mail;
pub mod managing;
pub mod operators;
mod partner;
pub mod portal_managing;
pub mod portal_signing_in;
mod portal_user;
pub mod profiles;
pub mod recovering;
pub mod registering;
mod registration;
pub mod signing_in;
pub(crate) mod store;
mod user;

pub use agent::{AgentProfile, Certification};
pub use athlete::{
    AthleteProfile, ClassYear, Gender, PayoutState, Readiness, Social, SocialNetwork,
};
pub use fan::{FanProfile, FollowedAthlete};
pub use partner::PartnerProfile;
pub use portal_user::{PortalAccount, PortalLogIn, PortalUserEvent, PortalUserStatus};
pub use registration::{Progress, Step};
pub use user::{Account, LogIn, Profile, UserEvent, UserKind, UserStatus};
