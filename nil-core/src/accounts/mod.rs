//! People and companies: users of every kind, how they register and sign in.

mod agent;
mod athlete;
mod fan;
mod mail;
mod partner;
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
pub use registration::{Progress, Step};
pub use user::{Account, LogIn, Profile, UserEvent, UserKind, UserStatus};
