//! Secrets: the keys derived from the master key, tokens and passwords.
//!
//! [`Vault`] derives all keys from the [`MasterKey`], seals columns and marks short secrets (`vault`). `token` signs and
//! reads bearer tokens. [`Hasher`] checks passwords (`password`) on threads of its own (`hashing`), and skips callers who
//! no longer wait ([`Presence`]).

mod hashing;
mod password;
mod presence;
mod token;
mod vault;

pub use password::{Hasher, is_common};
pub use presence::Presence;
pub use token::{Audience, Claims};
pub use vault::{MasterKey, Vault};
pub(crate) use vault::{fingerprint, new_token, unauthenticated};
