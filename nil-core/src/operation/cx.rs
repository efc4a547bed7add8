//! The context of an operation: the platform, the admitted caller, the facts.

use std::sync::Arc;

use super::facts::Facts;
use super::work::Work;
use crate::error::Result;
use crate::kernel::Time;
use crate::platform::Platform;
use crate::ports::objects::Incoming;
use crate::storage::Session;

/// The context of one operation. The type of the caller is the permission: a function with
/// `Cx<Athlete>` can only be registered for athletes, and only athletes can call it.
#[derive(Clone, Debug)]
pub struct Cx<C> {
    /// The caller, who has been admitted.
    pub caller: C,
    platform: Platform,
    facts: Arc<Facts>,
}

impl<C> Cx<C> {
    #[doc(hidden)]
    pub fn new(caller: C, platform: Platform, facts: Arc<Facts>) -> Self {
        Self { caller, platform, facts }
    }

    /// The instant of the call.
    #[must_use]
    pub fn now(&self) -> Time {
        self.facts.now
    }

    /// The facts of the call.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The platform: configuration, ports, keys.
    #[must_use]
    pub fn platform(&self) -> &Platform {
        &self.platform
    }

    /// The stored hash of a new password.
    #[doc(hidden)]
    pub async fn hash(&self, password: &str) -> Result<String> {
        let (platform, caller) = (&self.platform, self.facts.caller.clone());
        let hash = platform.hasher().hash(password, platform.random(), caller);
        hash.await
    }

    /// Whether a password matches the stored one; false if none is stored.
    #[doc(hidden)]
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<bool> {
        let caller = self.facts.caller.clone();
        let verified = self.platform.hasher().verify(password, stored, caller);
        verified.await
    }

    /// The body of the call, if its row takes one while it arrives and a server has handed it on.
    /// It can be read once.
    #[doc(hidden)]
    pub fn body(&self) -> Option<Incoming> {
        self.facts.body.as_ref()?.take()
    }

    /// A connection for reading. It may lead to a replica if the operation's row declares it.
    #[doc(hidden)]
    pub async fn read(&self) -> Result<Session> {
        if self.facts.may_be_behind && self.platform.db().has_replica() {
            // Boxed: every operation's future holds this one's, and few databases have a replica.
            if let Some(session) = Box::pin(self.read_behind()).await {
                return Ok(session);
            }
        }
        self.read_now().await
    }

    /// A connection for reading what is so now, never to a replica.
    #[doc(hidden)]
    pub async fn read_now(&self) -> Result<Session> {
        self.platform.db().read().await
    }

    /// The same after a replica was read in vain: nothing of what it had is in the answer, which is
    /// therefore as new as the primary.
    #[doc(hidden)]
    pub async fn read_now_instead(&self) -> Result<Session> {
        self.facts.forget_behind();
        self.read_now().await
    }

    async fn read_behind(&self) -> Option<Session> {
        let accounts: Vec<&str> = self.facts.accounts().collect();
        let (session, age) = self.platform.db().read_behind(&accounts).await?;
        self.facts.mark_behind(age);
        Some(session)
    }

    /// Opens the transaction of a read that leaves audit rows; it ends with [`Work::finish_read`].
    /// The operation's row declares it with `audited`.
    #[doc(hidden)]
    pub async fn begin_audited_read(&self) -> Result<Work> {
        self.begin().await
    }

    /// Opens the transaction of a writing operation.
    #[doc(hidden)]
    pub async fn begin(&self) -> Result<Work> {
        let operation = self.facts.operation;
        debug_assert!(!self.facts.only_reads, "the row of {operation} says that it only reads");
        Work::begin(self.platform.clone(), self.facts.clone()).await
    }

    /// This call with another caller type, such as an athlete as any user.
    #[doc(hidden)]
    #[must_use]
    pub fn by<D>(&self, caller: D) -> Cx<D> {
        Cx { caller, platform: self.platform.clone(), facts: self.facts.clone() }
    }
}
