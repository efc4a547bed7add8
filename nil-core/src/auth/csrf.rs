//! CSRF tokens of the Admin interface: bound to the session, and valid until it ends.

use crate::kernel::{Random, Secret};
use crate::keys::{Vault, new_token};

/// A new token for a session. Nothing is stored: the token is a nonce and its keyed mark.
pub fn issue(vault: &Vault, random: &dyn Random, session: &str) -> Secret {
    let token = new_token(random);
    let nonce = token.expose().get(..32).unwrap_or_default().to_owned();
    let mark = vault.mark(&context(session), &nonce);
    Secret::new(format!("{nonce}{mark}"))
}

/// Whether the token was issued to this session.
pub fn holds(vault: &Vault, session: &str, token: &str) -> bool {
    token
        .split_at_checked(32)
        .is_some_and(|(nonce, mark)| vault.is_mark(&context(session), nonce, mark))
}

fn context(session: &str) -> String {
    format!("csrf:{session}")
}
