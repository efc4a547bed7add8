//! Counting together with other servers, and alone while the store of the counts does not answer:
//! requests are neither refused nor let through because of it.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::counts::{Counts, Key};
use super::redis::{Counted, Redis, Store};
use super::{Window, window};
use crate::error::Result;
use crate::keys::{MasterKey, Pseudonyms};
use crate::metering::{THROTTLE_FALLBACK, THROTTLE_STORE_ERRORS};

/// After an error, the store is left alone for so long: then one request asks it again, and the
/// others do not wait for it.
const PAUSE: Duration = Duration::from_millis(500);
/// How often the log says that the store does not answer.
const SAID_EVERY: Duration = Duration::from_mins(1);

/// The counts of several servers.
#[derive(Debug)]
pub(super) struct Shared {
    store: Store,
    names: Pseudonyms,
    /// How many seconds the store's clock is ahead of ours: the minutes are the store's, also while
    /// it does not answer.
    ahead: AtomicI64,
    is_down: AtomicBool,
    trouble: Mutex<Trouble>,
}

#[derive(Debug, Default)]
struct Trouble {
    /// When the store may be asked again.
    again_at: Option<Instant>,
    /// When the log said last that it does not answer.
    said_at: Option<Instant>,
    /// Whether the log has still to say that it answers again.
    to_end: bool,
}

/// A request to count.
pub(super) struct Asked {
    pub(super) limit: u32,
    /// The limit if this server counts alone.
    pub(super) alone: u32,
    /// Whose request it is: one or two.
    pub(super) keys: Vec<Key>,
    /// The seconds of our clock.
    pub(super) now: i64,
}

impl Shared {
    pub(super) fn new(redis: &Redis, key: &MasterKey) -> Result<Self> {
        Ok(Self {
            store: Store::new(redis.clone()),
            names: Pseudonyms::new(key)?,
            ahead: AtomicI64::new(0),
            is_down: AtomicBool::new(false),
            trouble: Mutex::default(),
        })
    }

    /// Counts a request in the store or, if it does not answer, here.
    pub(super) async fn count(&self, here: &Counts, asked: Asked) -> Option<Window> {
        let Asked { limit, alone, keys, now } = asked;
        let seconds = now.saturating_add(self.ahead.load(Ordering::Relaxed));
        let minute = seconds.div_euclid(60);
        if !self.may_ask() {
            return windows(alone, seconds, keys.into_iter().map(|key| here.add(key, seconds)));
        }
        let counted = |key: &Key| {
            let taken = here.take(key, minute);
            let more = taken.own.saturating_add(1);
            Counted { name: self.names.of(key.0, &key.1), known: taken.known, more }
        };
        let all: Vec<Counted> = keys.iter().map(counted).collect();
        match self.store.count(minute, &all).await {
            Ok(told) => {
                self.answered();
                self.ahead.store(told.seconds.saturating_sub(now), Ordering::Relaxed);
                let minute = told.seconds.div_euclid(60);
                for (key, count) in keys.into_iter().zip(&told.counts) {
                    here.hear(key, *count, minute);
                }
                windows(limit, told.seconds, told.counts.into_iter())
            }
            Err(why) => {
                self.failed(&why);
                // What was taken is given back, with this request.
                let both = keys.into_iter().zip(all);
                let counts = both.map(|(key, counted)| here.add_many(key, counted.more, minute));
                windows(alone, seconds, counts)
            }
        }
    }

    fn trouble(&self) -> MutexGuard<'_, Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this request asks the store.
    fn may_ask(&self) -> bool {
        if !self.is_down.load(Ordering::Relaxed) {
            return true;
        }
        let (now, mut trouble) = (Instant::now(), self.trouble());
        if trouble.again_at.is_some_and(|again| now < again) {
            return false;
        }
        trouble.again_at = Some(now + PAUSE);
        true
    }

    fn failed(&self, why: &str) {
        metrics::counter!(THROTTLE_STORE_ERRORS).increment(1);
        metrics::gauge!(THROTTLE_FALLBACK).set(1.0);
        let (now, mut trouble) = (Instant::now(), self.trouble());
        trouble.again_at = Some(now + PAUSE);
        if self.is_down.swap(true, Ordering::Relaxed) {
            self.store.give_up();
        }
        if trouble.said_at.is_some_and(|said| now < said + SAID_EVERY) {
            return;
        }
        trouble.said_at = Some(now);
        trouble.to_end = true;
        let redis = self.store.described();
        tracing::warn!(
            redis,
            why,
            "requests are counted by each server alone: Redis does not answer"
        );
    }

    fn answered(&self) {
        if !self.is_down.load(Ordering::Relaxed) {
            return;
        }
        metrics::gauge!(THROTTLE_FALLBACK).set(0.0);
        let mut trouble = self.trouble();
        trouble.again_at = None;
        self.is_down.store(false, Ordering::Relaxed);
        if std::mem::take(&mut trouble.to_end) {
            let redis = self.store.described();
            tracing::info!(redis, "requests are counted by all servers together again");
        }
    }
}

/// The window with the least room.
fn windows(limit: u32, seconds: i64, counts: impl Iterator<Item = u32>) -> Option<Window> {
    counts.map(|count| window(limit, count, seconds)).reduce(Window::tighter)
}
