//! Which keys are being answered by this process.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Result, codes};

/// The name of a key: whose it is, and its words.
type Name = (String, String);

/// Keys whose first request is running in this process. A courtesy: the guard is the primary key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running(Arc<Mutex<HashSet<Name>>>);

/// A key that is being answered. Dropping it lets the next request in.
#[derive(Debug)]
pub(crate) struct Claim(Running, Name);

impl Running {
    /// Claims a key; 409 `idempotency_in_progress` where a request with it is running.
    pub(crate) fn claim(&self, name: Name) -> Result<Claim> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if running.insert(name.clone()) {
            Ok(Claim(self.clone(), name))
        } else {
            Err(codes::IDEMPOTENCY_IN_PROGRESS.into())
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}
