//! A client of identity providers that speak OpenID Connect: the code flow with PKCE, and messages
//! that end sessions (decision 81).
//!
//! `discovery` reads what a provider says of itself and its keys, and keeps both for a while.
//! `redeeming` exchanges a code for an ID token. `tokens` checks what a provider has signed: the
//! algorithms are a list of ours, never the token's word.

mod discovery;
mod redeeming;
mod tokens;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::outbound::{Limits, Outbound};
use crate::kernel::{Network, Secret};
pub use discovery::Described;
use discovery::Known;
pub use redeeming::{Asked, Redeemed};
pub use tokens::{LoggedOut, Person, log_out_issuer};

/// The largest answer of a provider, in bytes.
const LARGEST: usize = 64 * 1024;
/// The time limit of one request to a provider.
const DEADLINE: Duration = Duration::from_secs(10);
/// The number of providers that are kept in memory.
const MOST_KNOWN: usize = 1_000;

/// What the platform is at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The provider's address, as it names itself.
    pub issuer: String,
    /// The name of the platform there.
    pub id: String,
    /// Its secret there.
    pub secret: Secret,
}

/// Why a provider's word does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It does not answer, or not as the protocol has it.
    Down(String),
    /// It refused, or what it sent is not to be trusted.
    Refused(String),
}

impl Failure {
    /// The reason.
    #[must_use]
    pub fn why(&self) -> &str {
        match self {
            Self::Down(why) | Self::Refused(why) => why,
        }
    }

    fn down(why: impl Into<String>) -> Self {
        Self::Down(why.into())
    }

    fn refused(why: impl Into<String>) -> Self {
        Self::Refused(why.into())
    }
}

/// The client. Clones of the platform share it.
#[derive(Debug)]
pub struct Providers {
    outbound: Outbound,
    known: Mutex<HashMap<String, Arc<Known>>>,
}

impl Providers {
    /// A client that reaches the public internet, and these networks of the operator's own;
    /// otherwise the reason why there is none.
    pub fn reaching(own: Vec<Network>) -> Result<Self, String> {
        let outbound = Outbound::reaching(Limits { bytes: LARGEST, time: DEADLINE }, own)?;
        Ok(Self { outbound, known: Mutex::default() })
    }

    fn kept(&self, issuer: &str) -> Option<Arc<Known>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(issuer).cloned()
    }

    fn keep(&self, issuer: &str, found: Known) -> Arc<Known> {
        let found = Arc::new(found);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(issuer.to_owned(), Arc::clone(&found));
        found
    }
}
