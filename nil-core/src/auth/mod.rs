//! Who is calling, what they may do, and the proof of it: sessions, one-time codes, API keys, signed
//! requests.

pub mod api_key;
pub mod athlete_token;
mod authenticate;
mod caller;
pub(crate) mod csrf;
pub(crate) mod one_time;
pub mod principal;
pub(crate) mod session;
pub mod signing;
mod vouch;

pub use crate::keys::{Audience, Claims, Hasher, MasterKey, Vault, is_common};
pub use crate::throttle;
pub use caller::{
    Agent, AnyRegistrant, Anyone, Athlete, Caller, Fan, ModelHost, NewAgent, NewAthlete, NewFan,
    NewPartner, Operator, OperatorSession, Partner, Party, Payee, PortalUser, Service, Subscriber,
    User,
};
pub use principal::{Permission, Principal, Role, Scope};
pub(crate) use session::is_open as session_is_open;
