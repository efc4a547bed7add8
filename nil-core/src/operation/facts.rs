//! The facts of one attempt at one call: when, from where, by whom, under which key.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::kernel::{Secret, Time};
use crate::keys::Presence;
use crate::platform::Wording;

/// What the operation, its audit rows and its stored answer need to know of the call.
#[derive(Debug)]
pub struct Facts {
    /// The operation's name, such as `core.application.hire`.
    pub operation: &'static str,
    /// When the call came in; every row it writes carries this instant.
    pub now: Time,
    /// The caller's network address, where there is one.
    pub address: Option<IpAddr>,
    /// Ties the answer, the log and the audit trail together.
    pub request_id: String,
    /// Who is calling, as the audit trail words it: `partner:7`, `operator:1`, `anonymous`.
    pub actor: String,
    pub(crate) wording: Wording,
    pub(crate) key: Option<Key>,
    pub(crate) caller: Presence,
    /// Something of this attempt has been committed: it is never run again.
    committed: AtomicBool,
    /// The key's row is there already, without an answer (see `Work::intent`).
    claimed: AtomicBool,
    /// What the claimed keys wait for, such as `payout:7`: whoever ends it answers every one of them.
    about: OnceLock<String>,
    /// Somebody else has answered the call's key meanwhile; that answer is the answer.
    overtaken: AtomicBool,
    cookie: Mutex<Option<SessionCookie>>,
}

/// An `Idempotency-Key` with what it is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// Whose key it is; two callers may use the same words.
    pub caller: String,
    /// The words.
    pub words: String,
    /// SHA-256 of operation and input: the same key with another request is refused.
    pub print: String,
}

impl Key {
    /// Whose key it is, and its words.
    pub(crate) fn name(&self) -> (String, String) {
        (self.caller.clone(), self.words.clone())
    }
}

/// What is to happen with the browser's session cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionCookie {
    /// A new session.
    Set(Secret),
    /// The session is over.
    Clear,
}

impl Facts {
    pub(crate) fn new(
        operation: &'static str,
        now: Time,
        address: Option<IpAddr>,
        request_id: String,
        actor: String,
    ) -> Self {
        Self {
            operation,
            now,
            address,
            request_id,
            actor,
            wording: Wording::default(),
            key: None,
            caller: Presence::default(),
            committed: AtomicBool::new(false),
            claimed: AtomicBool::new(false),
            about: OnceLock::new(),
            overtaken: AtomicBool::new(false),
            cookie: Mutex::new(None),
        }
    }

    pub(crate) fn committed(&self) -> bool {
        self.committed.load(Ordering::SeqCst)
    }

    pub(super) fn mark_committed(&self) {
        self.committed.store(true, Ordering::SeqCst);
    }

    pub(super) fn claimed(&self) -> bool {
        self.claimed.load(Ordering::SeqCst)
    }

    /// The keys are claimed; with a record, everybody's whose calls wait for that one.
    pub(super) fn mark_claimed(&self, about: Option<String>) {
        self.claimed.store(true, Ordering::SeqCst);
        if let Some(about) = about {
            // A call waits for one record.
            let _ = self.about.set(about);
        }
    }

    pub(super) fn about(&self) -> Option<&str> {
        self.about.get().map(String::as_str)
    }

    pub(crate) fn overtaken(&self) -> bool {
        self.overtaken.load(Ordering::SeqCst)
    }

    pub(super) fn mark_overtaken(&self) {
        self.overtaken.store(true, Ordering::SeqCst);
    }

    pub(crate) fn set_cookie(&self, cookie: SessionCookie) {
        *self.cookie.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(cookie);
    }

    pub(crate) fn cookie(&self) -> Option<SessionCookie> {
        self.cookie.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}
