//! The dispatcher: retries, idempotent replays and panics, for all operations.

use std::collections::HashSet;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest::{Context, SHA256};
use futures::FutureExt as _;

use super::answer::Reply;
use super::facts::{Facts, Key, Presence};
use super::fields::Fields;
use crate::auth::principal::Principal;
use crate::auth::{Caller, idempotency};
use crate::catalog::Entry;
use crate::error::{Error, Kind, Result, codes};
use crate::operation::{Cx, Gives, Work};
use crate::platform::Platform;

/// The number of attempts before the caller gets a 503.
const ATTEMPTS: u32 = 12;

/// One call of one operation, as a frontend or the CLI makes it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The caller.
    pub principal: Principal,
    /// The input.
    pub fields: Fields,
    /// The `Idempotency-Key`, if one was given.
    pub key: Option<String>,
    /// Whether unknown fields are refused even where they would otherwise be ignored.
    pub strict: bool,
    /// The caller's network address.
    pub address: Option<IpAddr>,
    /// Links the answer to the log; set by the frontend.
    pub request_id: String,
}

impl Call {
    fn key_for(&self, entry: &Entry) -> Option<Key> {
        let words = self.key.clone().filter(|_| entry.writes())?;
        let mut print = Context::new(&SHA256);
        print.update(entry.name.as_bytes());
        print.update(&[0]);
        print.update(&self.fields.canonical());
        let print = hex::encode(print.finish());
        Some(Key { caller: self.principal.key_owner(self.address), words, print })
    }

    fn facts(&self, platform: &Platform, entry: &Entry, key: Option<Key>) -> Facts {
        let mut facts = Facts::new(
            entry.name,
            platform.now(),
            self.address,
            self.request_id.clone(),
            self.principal.actor(),
        );
        facts.says = entry.says;
        facts.bare = entry.gives == Gives::Bare;
        facts.key = key;
        facts
    }
}

/// Keys whose first request is running in this process. This only saves work: the primary key is the guard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running(Arc<Mutex<HashSet<(String, String)>>>);

struct Claim(Running, (String, String));

impl Running {
    fn claim(&self, key: &Key) -> Result<Claim> {
        let name = (key.caller.clone(), key.words.clone());
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

impl Platform {
    /// Runs an operation for an authenticated caller: admits, reads the input, runs, replays, retries. A writing
    /// operation continues when the caller hangs up.
    pub async fn answer(&self, entry: &'static Entry, call: Call) -> Result<Reply> {
        let answered = if entry.writes() {
            let platform = self.clone();
            // Dropped with this future, when the caller hangs up.
            let (_here, caller) = Presence::new();
            tokio::spawn(async move { platform.attempt_all(entry, &call, caller).await })
                .await
                .unwrap_or_else(|panic| Err(Error::internal(panic)))
        } else {
            let caller = Presence::default();
            self.attempt_all(entry, &call, caller).await
        };
        answered.map_err(|error| entry.refusal(error))
    }

    async fn attempt_all(
        &self,
        entry: &'static Entry,
        call: &Call,
        caller: Presence,
    ) -> Result<Reply> {
        let key = call.key_for(entry);
        let _running = key.as_ref().map(|key| self.running().claim(key)).transpose()?;
        for attempt in 0..ATTEMPTS {
            // The first attempt does not look the key up: its primary key detects the repeat at the end.
            if attempt > 0
                && let Some(reply) = replay(self, key.as_ref()).await?
            {
                return Ok(reply);
            }
            let _lane = self.lane(attempt).await;
            let mut facts = call.facts(self, entry, key.clone());
            facts.caller = caller.clone();
            let facts = Arc::new(facts);
            let run = (entry.run)(self.clone(), facts.clone(), call);
            let error = match AssertUnwindSafe(run).catch_unwind().await {
                Ok(Ok(reply)) if !facts.overtaken() => return Ok(reply),
                // If another request has answered the key first, its answer is returned.
                Ok(Ok(reply)) => return Ok(replay(self, key.as_ref()).await?.unwrap_or(reply)),
                Ok(Err(error)) => error,
                // The transaction was dropped with the future, so it was rolled back.
                Err(_) => return Err(Error::internal("the operation panicked")),
            };
            if facts.committed() {
                let first =
                    if facts.overtaken() { replay(self, key.as_ref()).await? } else { None };
                return first.ok_or(error);
            }
            if error.kind() == Kind::Again {
                back_off(self, attempt).await;
                continue;
            }
            if entry.writes() {
                // A refusal may depend on other transactions of the same batch: return it when that batch is durable,
                // and decide again if it was rolled back.
                match self.db().settled().await {
                    Err(undone) if undone.kind() == Kind::Again => continue,
                    other => other?,
                }
                // Was it refused because of the effects of the same key, committed by an earlier request?
                if let Some(reply) = replay(self, key.as_ref()).await? {
                    return Ok(reply);
                }
                match self.keep_refusal(entry, call, key.as_ref(), error).await {
                    // Another request with the same key was faster; its answer is returned.
                    Err(overtaken) if overtaken.kind() == Kind::Again => {
                        back_off(self, attempt).await;
                        continue;
                    }
                    kept => return Err(kept?),
                }
            }
            return Err(error);
        }
        Err(codes::UNAVAILABLE.saying("The record is too busy just now. Please try again."))
    }
}

impl Platform {
    /// After two aborts, attempts run one at a time: many transactions that lock the same rows in opposite order would
    /// otherwise abort each other for minutes. Two of them cannot both be in here, so each wave of new attempts leaves
    /// fewer behind.
    async fn lane(&self, attempt: u32) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        if attempt < 2 { None } else { Some(self.single_file().lock().await) }
    }
}

impl Platform {
    /// Stores a conflict under its key before it is returned: the same request must not succeed under that key after
    /// the record's state has changed. The operation has written nothing, so this is a separate transaction. Other
    /// refusals are not stored; the call can be corrected and repeated under the same key.
    async fn keep_refusal(
        &self,
        entry: &'static Entry,
        call: &Call,
        key: Option<&Key>,
        error: Error,
    ) -> Result<Error> {
        let error = entry.refusal(error);
        let Some(key) = key.filter(|_| error.kind() == Kind::Conflict) else {
            return Ok(error);
        };
        let facts = Arc::new(call.facts(self, entry, Some(key.clone())));
        let work = Work::begin(self.clone(), facts).await?;
        work.refused(error).await
    }
}

async fn replay(platform: &Platform, key: Option<&Key>) -> Result<Option<Reply>> {
    let Some(key) = key else { return Ok(None) };
    idempotency::replay(platform, key).await
}

/// Waits longer each time, by an amount that differs between callers.
async fn back_off(platform: &Platform, attempt: u32) {
    let most = 2_u64.saturating_pow(attempt.min(8)).saturating_mul(2);
    let millis = 1 + platform.draw() % most;
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

/// Runs a typed operation for a Rust caller, with the same retries; `input` is cloned per attempt.
pub(crate) async fn run_typed<C, I, O, F, Fut>(
    platform: &Platform,
    caller: C,
    actor: String,
    operation: F,
    input: I,
) -> Result<O>
where
    C: Caller,
    I: Clone,
    F: Fn(Cx<C>, I) -> Fut,
    Fut: Future<Output = Result<O>>,
{
    for attempt in 0..ATTEMPTS {
        let _lane = platform.lane(attempt).await;
        let facts = Arc::new(Facts::new(
            std::any::type_name::<F>(),
            platform.now(),
            None,
            platform.new_request_id(),
            actor.clone(),
        ));
        let cx = Cx::new(caller.clone(), platform.clone(), facts.clone());
        match operation(cx, input.clone()).await {
            Err(error) if error.kind() == Kind::Again && !facts.committed() => {
                back_off(platform, attempt).await;
            }
            Err(error) if !facts.committed() => match platform.db().settled().await {
                Err(undone) if undone.kind() == Kind::Again => {}
                _ => return Err(error),
            },
            outcome => return outcome,
        }
    }
    Err(codes::UNAVAILABLE.into())
}
