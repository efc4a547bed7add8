//! Authentication and authorisation.
//!
//! `authenticate` turns a credential into a [`Principal`] (`principal`, with roles, permissions and
//! scopes): the bearer tokens and cookies of stored sessions (`session`), API keys (`api_key`), and
//! tokens of athletes for model hosts (`athlete_token`, with signed requests in `signing`).
//! `vouching` acts as an account for a host without its credential, `impersonation` for an
//! operator. `caller` defines the doors: the types that decide who may call an operation.
//! `one_time` issues codes and links, and `csrf` protects the Admin interface, `totp` checks the
//! codes of authenticator apps. The keys, tokens and passwords themselves are in `keys`, request
//! limits in [`throttle`].
//!
//! Tables: `session`, `impersonation` (with `accounts`), `one_time_code`, `link_token`, `api_key`.

pub mod api_key;
pub mod athlete_token;
mod authenticate;
mod caller;
pub mod csrf;
pub mod impersonation;
pub mod one_time;
pub mod operator_hours;
pub mod principal;
pub mod session;
pub mod signing;
pub mod stream_ticket;
pub mod totp;
mod vouching;

pub use crate::keys::{Audience, Claims, Hasher, MasterKey, Vault, is_common};
pub use crate::throttle;
pub use caller::{
    Agent, AnyRegistrant, Anyone, Athlete, Caller, Fan, ModelHost, NewAgent, NewAthlete, NewFan,
    NewPartner, Operator, OperatorSession, Partner, Party, Payee, PortalUser, Service, Subscriber,
    User,
};
pub use principal::{Impersonator, Must, Permission, Principal, Role, Scope};
pub use session::is_open as session_is_open;
