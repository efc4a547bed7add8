//! What is secret: the master key and the keys derived from it, tokens and their stored names, and the
//! hashing of passwords.

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
