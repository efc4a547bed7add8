//! The dispatcher: retries, idempotent replays and panics, for all operations.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use tracing::Instrument as _;

use super::effect::Effect;
use super::row::Entry;
use crate::auth::impersonation;
use crate::error::{Error, Kind, Result, codes};
use crate::keys::Presence;
use crate::operation::{ATTEMPTS, Call, Facts, Key, Reply, Work, back_off, idempotency};
use crate::platform::Platform;

/// The call's idempotency key, if it has one and the operation accepts keys.
fn key_for(call: &Call, platform: &Platform, entry: &Entry) -> Option<Key> {
    let words = call.key.clone().filter(|_| entry.writes())?;
    let mut print = Context::new(&SHA256);
    print.update(entry.name.as_bytes());
    print.update(&[0]);
    print.update(&call.fields.canonical());
    // Keyed, because an input may hold what can be guessed, such as a taxpayer number: a dump of
    // the database must not tell whether a guess is right.
    let prints = platform.vault().marks("request", &hex::encode(print.finish()));
    Some(Key { caller: call.principal.key_owner(call.address), words, prints })
}

fn facts_of(call: &Call, platform: &Platform, entry: &Entry, key: Option<Key>) -> Facts {
    let mut facts = Facts::new(
        entry.name,
        platform.now(),
        call.address,
        call.request_id.clone(),
        call.principal.actor(),
    )
    .of(&call.principal);
    facts.wording = entry.wording();
    facts.key = key;
    facts.body.clone_from(&call.fields.streamed);
    facts.only_reads = entry.effect == Effect::Reads;
    facts
}

impl Entry {
    /// Runs the operation for an authenticated caller: admits, reads the input, runs, replays,
    /// retries. A writing operation continues when the caller hangs up.
    pub fn answer<'p>(
        &'static self,
        platform: &'p Platform,
        call: Call,
    ) -> BoxFuture<'p, Result<Reply>> {
        // Boxed: a future that another package awaits as it is, is compiled there again.
        Box::pin(self.answered(platform, call))
    }

    async fn answered(&'static self, platform: &Platform, call: Call) -> Result<Reply> {
        let answered = if self.writes() {
            let platform = platform.clone();
            // Dropped with this future, when the caller hangs up.
            let (_here, caller) = Presence::new();
            let run = async move {
                let answered = self.attempt_all(&platform, &call, caller).await;
                answered.map_err(|error| self.named(error, &call.fields))
            };
            tokio::spawn(run.in_current_span())
                .await
                .unwrap_or_else(|panic| Err(Error::internal(panic)))
        } else {
            let caller = Presence::default();
            let answered = self.attempt_all(platform, &call, caller).await;
            answered.map_err(|error| self.named(error, &call.fields))
        };
        answered.map_err(|error| self.refusal(error))
    }

    async fn attempt_all(
        &'static self,
        platform: &Platform,
        call: &Call,
        caller: Presence,
    ) -> Result<Reply> {
        let key = key_for(call, platform, self);
        let mut is_on_record = false;
        let mut may_be_behind = self.reads_behind();
        let _running = key.as_ref().map(|key| platform.running().claim(key.name())).transpose()?;
        for attempt in 0..ATTEMPTS {
            // The first attempt does not look the key up: its primary key detects the repeat at the
            // end.
            if attempt > 0
                && let Some(reply) = replay(platform, key.as_ref()).await?
            {
                return Ok(reply);
            }
            let _lane = platform.lane(attempt).await;
            let mut facts = facts_of(call, platform, self, key.clone());
            facts.caller = caller.clone();
            facts.may_be_behind = may_be_behind;
            let facts = Arc::new(facts);
            let run = async {
                self.check_feature(platform, Some(&call.fields)).await?;
                if !self.lacking(&call.fields).is_empty() {
                    self.admit(&call.principal)?;
                    self.check(&call.fields)?;
                }
                if !is_on_record && call.principal.impersonator().is_some() {
                    Box::pin(self.put_on_record(platform, call)).await?;
                    is_on_record = true;
                }
                (self.run)(platform.clone(), facts.clone(), call).await
            };
            let error = match AssertUnwindSafe(run).catch_unwind().await {
                Ok(Ok(reply)) if !facts.overtaken() => return Ok(reply),
                // If another request has answered the key first, its answer is returned.
                Ok(Ok(reply)) => return Ok(replay(platform, key.as_ref()).await?.unwrap_or(reply)),
                Ok(Err(error)) => error,
                // The transaction was dropped with the future, so it was rolled back.
                Err(_) => return Err(Error::internal("the operation panicked")),
            };
            if facts.behind().is_some() {
                // What the replica refuses or cannot answer is asked of the primary.
                if matches!(error.kind(), Kind::Again | Kind::Unavailable | Kind::Internal) {
                    platform.db().replica_failed(&error);
                }
                may_be_behind = false;
                continue;
            }
            if facts.committed() {
                let first =
                    if facts.overtaken() { replay(platform, key.as_ref()).await? } else { None };
                return first.ok_or(error);
            }
            if error.kind() == Kind::Again {
                back_off(platform, attempt).await;
                continue;
            }
            if self.writes() {
                // A refusal may depend on other transactions of the same batch: return it when that
                // batch is durable, and decide again if it was rolled back.
                match platform.db().settled().await {
                    Err(undone) if undone.kind() == Kind::Again => continue,
                    other => other?,
                }
                // Was it refused because of the effects of the same key, committed by an earlier
                // request?
                if let Some(reply) = replay(platform, key.as_ref()).await? {
                    return Ok(reply);
                }
                match self.keep_refusal(platform, call, key.as_ref(), error).await {
                    // Another request with the same key was faster; its answer is returned.
                    Err(overtaken) if overtaken.kind() == Kind::Again => {
                        back_off(platform, attempt).await;
                        continue;
                    }
                    kept => return Err(kept?),
                }
            }
            return Err(error);
        }
        Err(codes::UNAVAILABLE.saying("The record is too busy just now. Please try again."))
    }

    /// Counts a call of an operator who acts as an account, and names both in the audit trail,
    /// before it runs: what cannot be put on record is not shown. 401 if the impersonation has
    /// ended meanwhile.
    async fn put_on_record(&'static self, platform: &Platform, call: &Call) -> Result<()> {
        let facts = Arc::new(facts_of(call, platform, self, None));
        let Some(id) = facts.impersonator.as_ref().map(|by| by.id) else {
            return Ok(());
        };
        let mut work = Work::begin(platform.clone(), facts).await?;
        impersonation::count_call(&mut work, id).await?;
        work.note(id, "called");
        work.finish_read().await
    }

    /// Stores a conflict under its key before it is returned: the same request must not succeed
    /// under that key after the record's state has changed. The operation has written nothing, so
    /// this is a separate transaction. Other refusals are not stored; the call can be corrected and
    /// repeated under the same key.
    async fn keep_refusal(
        &'static self,
        platform: &Platform,
        call: &Call,
        key: Option<&Key>,
        error: Error,
    ) -> Result<Error> {
        let error = self.refusal(error);
        let Some(key) = key.filter(|_| error.kind() == Kind::Conflict) else {
            return Ok(error);
        };
        let facts = Arc::new(facts_of(call, platform, self, Some(key.clone())));
        let work = Work::begin(platform.clone(), facts).await?;
        work.refused(error).await
    }
}

async fn replay(platform: &Platform, key: Option<&Key>) -> Result<Option<Reply>> {
    let Some(key) = key else { return Ok(None) };
    idempotency::replay(platform, key).await
}
