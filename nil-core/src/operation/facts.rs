//! The facts of one attempt of one call: time, address, caller, idempotency key.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::streamed::Streamed;
use crate::auth::{Impersonator, Principal};
use crate::kernel::{Secret, Time};
use crate::keys::Presence;
use crate::platform::Wording;

/// The data about the call that the operation, its audit rows and its stored answer need.
#[derive(Debug)]
pub struct Facts {
    /// The operation's name, such as `core.application.hire`.
    pub operation: &'static str,
    /// When the call arrived; every row it writes has this instant.
    pub now: Time,
    /// The caller's network address, if known.
    pub address: Option<IpAddr>,
    /// Links the answer, the log and the audit trail.
    pub request_id: String,
    /// The caller in the words of the audit trail: `partner:7`, `operator:1`, `anonymous`.
    pub actor: String,
    /// The operator who acts as the account, if one does; the actor is then the operator.
    pub impersonator: Option<Impersonator>,
    /// The account that the operator acts as, in the words of the audit trail.
    pub acting_as: Option<String>,
    #[doc(hidden)]
    pub wording: Wording,
    #[doc(hidden)]
    pub key: Option<Key>,
    #[doc(hidden)]
    pub caller: Presence,
    /// Its row declares that it writes nothing, not even an audit row.
    pub only_reads: bool,
    /// It may read data that are a little behind, from a replica.
    #[doc(hidden)]
    pub may_be_behind: bool,
    /// One more than the age in seconds of what it has read from a replica; 0 if nothing.
    behind: AtomicU64,
    /// Part of this attempt has been committed: it is never retried.
    committed: AtomicBool,
    /// The key's row already exists, without an answer (see `Work::intent`).
    claimed: AtomicBool,
    /// The record that the claimed keys wait for, such as `payout:7`: ending it answers all of
    /// them.
    about: OnceLock<String>,
    /// Another request has answered the call's key meanwhile; that answer is returned.
    overtaken: AtomicBool,
    cookie: Mutex<Option<SessionCookie>>,
    /// The body, if it is handed on while it arrives.
    pub body: Option<Arc<Streamed>>,
    /// The tag of what the call has stored, for a header of the answer.
    tag: OnceLock<String>,
}

/// An `Idempotency-Key` with its owner and its request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The owner; two callers may use the same key.
    pub caller: String,
    /// The text of the key.
    pub words: String,
    /// The keyed marks of operation and input, under each secret key, the own one first: the same
    /// key with another request is refused.
    pub prints: Vec<String>,
}

impl Key {
    /// The mark that is stored.
    pub fn print(&self) -> &str {
        self.prints.first().map_or("", String::as_str)
    }

    /// The key's owner and text.
    pub fn name(&self) -> (String, String) {
        (self.caller.clone(), self.words.clone())
    }
}

/// The change to the browser's session cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionCookie {
    /// A new session.
    Set(Secret),
    /// The session has ended.
    Clear,
}

impl Facts {
    #[doc(hidden)]
    pub fn new(
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
            impersonator: None,
            acting_as: None,
            wording: Wording::default(),
            key: None,
            caller: Presence::default(),
            only_reads: false,
            may_be_behind: false,
            behind: AtomicU64::new(0),
            committed: AtomicBool::new(false),
            claimed: AtomicBool::new(false),
            about: OnceLock::new(),
            overtaken: AtomicBool::new(false),
            cookie: Mutex::new(None),
            body: None,
            tag: OnceLock::new(),
        }
    }

    /// These facts with the operator who acts as this caller's account, if one does.
    #[must_use]
    pub fn of(mut self, caller: &Principal) -> Self {
        self.impersonator = caller.impersonator().cloned();
        self.acting_as = self.impersonator.as_ref().map(|_| caller.account().actor());
        self
    }

    #[doc(hidden)]
    pub fn committed(&self) -> bool {
        self.committed.load(Ordering::SeqCst)
    }

    pub(super) fn mark_committed(&self) {
        self.committed.store(true, Ordering::SeqCst);
    }

    /// The accounts whose own writes the call must see.
    pub(super) fn accounts(&self) -> impl Iterator<Item = &str> {
        let own = Some(self.actor.as_str()).filter(|actor| *actor != "anonymous");
        own.into_iter().chain(self.acting_as.as_deref())
    }

    pub(super) fn mark_behind(&self, age: Duration) {
        self.behind.fetch_max(age.as_secs().saturating_add(1), Ordering::SeqCst);
    }

    pub(super) fn forget_behind(&self) {
        self.behind.store(0, Ordering::SeqCst);
    }

    /// The age in seconds of what the call has read from a replica.
    #[doc(hidden)]
    pub fn behind(&self) -> Option<u64> {
        self.behind.load(Ordering::SeqCst).checked_sub(1)
    }

    pub(super) fn claimed(&self) -> bool {
        self.claimed.load(Ordering::SeqCst)
    }

    /// Marks the keys as claimed; with a record, all keys whose calls wait for it.
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

    #[doc(hidden)]
    pub fn overtaken(&self) -> bool {
        self.overtaken.load(Ordering::SeqCst)
    }

    pub(super) fn mark_overtaken(&self) {
        self.overtaken.store(true, Ordering::SeqCst);
    }

    /// Says the tag of what the call has stored.
    pub fn set_tag(&self, tag: String) {
        // A call stores one thing.
        let _ = self.tag.set(tag);
    }

    #[doc(hidden)]
    pub fn tag(&self) -> Option<String> {
        self.tag.get().cloned()
    }

    #[doc(hidden)]
    pub fn set_cookie(&self, cookie: SessionCookie) {
        *self.cookie.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(cookie);
    }

    #[doc(hidden)]
    pub fn cookie(&self) -> Option<SessionCookie> {
        self.cookie.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}
