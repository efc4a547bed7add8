//! A scriptable courier that remembers what it was handed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use nil_core::ports::courier::{Channel, Courier, Later, Letter, Outcome};
use tokio::sync::Notify;

/// The fate of one letter.
#[derive(Clone, Debug)]
pub enum Fate {
    /// It is delivered.
    Answer(Outcome),
    /// The letter is taken, and no answer ever comes: the caller dies waiting.
    Silence,
    /// The letter is delivered once this is notified.
    After(Arc<Notify>),
    /// The courier fails.
    Panic,
}

/// Delivers every letter, unless scripted otherwise.
#[derive(Debug, Default)]
pub struct Messenger {
    fates: Mutex<VecDeque<Fate>>,
    handed: Mutex<Vec<Letter>>,
    /// The only channel it carries; none means all.
    only: Option<Channel>,
    /// Signals every letter.
    pub bell: Notify,
}

impl Messenger {
    /// One for this channel alone.
    pub fn only(channel: Channel) -> Self {
        Self { only: Some(channel), ..Self::default() }
    }

    /// The fates of the next letters, one each.
    pub fn next(&self, fates: impl IntoIterator<Item = Fate>) {
        let mut queue = self.fates.lock().unwrap_or_else(PoisonError::into_inner);
        queue.clear();
        queue.extend(fates);
    }

    /// Every letter handed over, repeats included.
    pub fn handed(&self) -> Vec<Letter> {
        let handed = self.handed.lock().unwrap_or_else(PoisonError::into_inner);
        handed.clone()
    }

    /// How often each letter was handed over.
    pub fn times(&self) -> HashMap<i64, usize> {
        let mut times = HashMap::new();
        for letter in self.handed() {
            *times.entry(letter.id.get()).or_default() += 1;
        }
        times
    }
}

impl Courier for Messenger {
    fn carries(&self, channel: Channel) -> bool {
        self.only.is_none_or(|only| only == channel)
    }

    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a> {
        Box::pin(async move {
            let fate = {
                let mut queue = self.fates.lock().unwrap_or_else(PoisonError::into_inner);
                queue.pop_front()
            };
            self.handed.lock().unwrap_or_else(PoisonError::into_inner).push(letter.clone());
            self.bell.notify_one();
            match fate {
                None => Outcome::Sent,
                Some(Fate::Answer(outcome)) => outcome,
                Some(Fate::Silence) => std::future::pending().await,
                Some(Fate::After(sign)) => {
                    sign.notified().await;
                    Outcome::Sent
                }
                Some(Fate::Panic) => panic!("the courier breaks"),
            }
        })
    }
}
