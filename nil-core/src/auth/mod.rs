//! Who is calling, what they may do, and the proof of it: passwords, tokens, sessions, one-time
//! codes, API keys, throttles, idempotency keys, and the audit trail of what was done.

pub mod api_key;
pub mod athlete_token;
pub mod audit;
mod authenticate;
mod caller;
pub(crate) mod csrf;
mod hashing;
pub mod idempotency;
pub(crate) mod one_time;
mod password;
pub mod principal;
pub(crate) mod session;
pub mod signing;
pub mod throttle;
mod token;
pub(crate) mod vault;
mod vouch;

pub use caller::{
    Agent, AnyRegistrant, Anyone, Athlete, Caller, Fan, ModelHost, NewAgent, NewAthlete, NewFan,
    NewPartner, Operator, OperatorSession, Partner, Party, Payee, PortalUser, Service, Subscriber,
    User,
};
pub use password::{Hasher, is_common};
pub use principal::{Permission, Principal, Role, Scope};
pub(crate) use session::is_open as session_is_open;
pub use token::{Audience, Claims};
pub use vault::{MasterKey, Vault};
