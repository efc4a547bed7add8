//! State machines as constant tables.
//!
//! A status changes only through its table: only `on` creates a [`Moved`], and the stores require a `Moved` to write a
//! status, guarding the UPDATE with the state that was read.

use std::fmt::Debug;

use super::vocabulary::Word;
use crate::error::{Error, codes};

/// One row of a machine: in this state, this event leads to that state.
pub type Move<M> = (M, <M as Machine>::Event, M);

/// A status enum with its table. The laws (no exit from a terminal state, one target per state and event, every state
/// reachable, no dead end) are tested for every machine in one place.
pub trait Machine: Word + PartialEq + Eq + Debug + Sized + 'static {
    /// The events that can happen to it.
    type Event: Copy + PartialEq + Eq + Debug + 'static;
    /// The record's name in messages and diagrams.
    const NAME: &'static str;
    /// Every state.
    const STATES: &'static [Self];
    /// The states a record may be created in.
    const INITIAL: &'static [Self];
    /// The states without an exit.
    const TERMINAL: &'static [Self];
    /// The whole table.
    const MOVES: &'static [Move<Self>];

    /// The state after `event`, or a refusal: 409 `illegal_transition`.
    fn on(self, event: Self::Event) -> Result<Moved<Self>, IllegalTransition> {
        Self::MOVES
            .iter()
            .find(|(from, on, _)| *from == self && *on == event)
            .map(|(from, _, to)| Moved { from: *from, to: *to })
            .ok_or_else(|| IllegalTransition {
                machine: Self::NAME,
                state: self.word(),
                event: format!("{event:?}"),
            })
    }

    /// Whether `event` is possible now.
    fn can(self, event: Self::Event) -> bool {
        self.on(event).is_ok()
    }
}

/// A permitted change of status. Only [`Machine::on`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved<M> {
    from: M,
    to: M,
}

impl<M: Copy> Moved<M> {
    /// The state before the change; the UPDATE is guarded with it.
    #[must_use]
    pub fn from(&self) -> M {
        self.from
    }

    /// The state after the change.
    #[must_use]
    pub fn to(&self) -> M {
        self.to
    }
}

/// The record's state forbids the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalTransition {
    machine: &'static str,
    state: &'static str,
    event: String,
}

impl std::fmt::Display for IllegalTransition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut event = String::new();
        for (at, letter) in self.event.char_indices() {
            if at > 0 && letter.is_uppercase() {
                event.push('_');
            }
            event.extend(letter.to_lowercase());
        }
        write!(f, "A {} that is `{}` does not allow `{event}`.", self.machine, self.state)
    }
}

impl std::error::Error for IllegalTransition {}

impl From<IllegalTransition> for Error {
    fn from(refusal: IllegalTransition) -> Self {
        codes::ILLEGAL_TRANSITION.saying(refusal.to_string())
    }
}
