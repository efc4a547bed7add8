//! Keys, tokens and passwords. This folder has no tables.
//!
//! `vault` derives all keys from the master key, seals columns, marks short secrets, and signs
//! texts; it also makes 256-bit tokens and the fingerprints under which they are stored. `token`
//! signs and reads the bearer tokens of sessions. `password` hashes and checks passwords on the
//! threads of `hashing`, which skips callers that no longer wait (`presence`). `webhook_secret`
//! signs what is sent to endpoints of webhooks.

mod hashing;
mod password;
mod presence;
mod token;
mod vault;
mod webhook_secret;

pub use password::{Hasher, is_common};
pub use presence::Presence;
pub use token::{Audience, Claims};
pub use vault::{MasterKey, Vault};
pub use vault::{fingerprint, new_token, unauthenticated};
pub use webhook_secret::WebhookSecret;
