//! The idempotency keys that this process is answering.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Result, codes};

/// The name of a key: its owner and its text.
type Name = (String, String);

/// Keys whose first request is running in this process. This only saves work: the primary key is
/// the guard.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<HashSet<Name>>>);

/// A key that is being answered. Dropping it admits the next request with the key.
#[derive(Debug)]
pub struct Claim(Running, Name);

impl Running {
    /// Claims a key; 409 `idempotency_in_progress` if a request with the key is running.
    pub fn claim(&self, name: Name) -> Result<Claim> {
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
