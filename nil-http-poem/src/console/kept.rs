//! Answers that a page keeps for a moment: an operation that may be called five times a minute must
//! not lock its own page out when somebody loads it again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;
use nil_core::kernel::Time;
use serde_json::Value;

/// How long an answer is kept.
const LIVES: TimeDelta = TimeDelta::seconds(15);
/// The most answers at once; then the oldest makes room.
const MOST: usize = 256;

/// An answer and when it was given, by session and operation.
type ByCaller = HashMap<(String, &'static str), (Time, Value)>;

/// Answers by session and operation.
#[derive(Debug, Default)]
pub(super) struct KeptAnswers(Mutex<ByCaller>);

impl KeptAnswers {
    /// The answer that this session got a moment ago.
    pub(super) fn get(&self, session: &str, operation: &'static str, now: Time) -> Option<Value> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, answer) = all.get(&(session.to_owned(), operation))?;
        (now - *at < LIVES).then(|| answer.clone())
    }

    pub(super) fn put(&self, session: &str, operation: &'static str, now: Time, answer: Value) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.retain(|_, (at, _)| now - *at < LIVES);
        }
        let oldest = || all.iter().min_by_key(|(_, (at, _))| *at).map(|(key, _)| key.clone());
        if let Some(oldest) = (all.len() >= MOST).then(oldest).flatten() {
            all.remove(&oldest);
        }
        all.insert((session.to_owned(), operation), (now, answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_for_a_moment_and_for_its_session() {
        let (kept, now) = (KeptAnswers::default(), Time::from_timestamp(1_800_000_000, 0).unwrap());
        kept.put("a", "one", now, Value::from(1));
        assert_eq!(kept.get("a", "one", now + TimeDelta::seconds(14)), Some(Value::from(1)));
        assert_eq!(kept.get("a", "one", now + TimeDelta::seconds(15)), None);
        assert_eq!(kept.get("b", "one", now), None);
        assert_eq!(kept.get("a", "two", now), None);
        for at in 0..MOST {
            let at = i64::try_from(at).unwrap();
            let then = now + TimeDelta::milliseconds(at + 1);
            kept.put(&at.to_string(), "one", then, Value::Null);
        }
        assert_eq!(kept.get("a", "one", now), None, "the oldest has made room");
        assert!(kept.get("0", "one", now).is_some());
    }
}
