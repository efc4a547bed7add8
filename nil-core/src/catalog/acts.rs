//! Which records an operation acts on, by which field, and in which states. The states are read
//! off the record's machine.

use super::Entry;
use crate::kernel::{Machine, Word};

/// A kind of record that an operation acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActsOn {
    /// The kind, as `x-record` names it.
    pub record: &'static str,
    /// The field of the input that takes the record's id, or a list of ids.
    pub field: &'static str,
    /// The states in which it is possible; none if the state does not decide.
    pub when: Option<When>,
    /// The list that has its records, if others have records of the same kind that it does not
    /// take.
    pub list: Option<&'static str>,
}

/// The states of a record in which something is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// The name of the machine.
    pub machine: &'static str,
    /// The words of the states, in the order of the machine.
    pub states: Vec<&'static str>,
}

impl When {
    fn of<M: Machine>(holds: impl Fn(M) -> bool) -> Self {
        let states = M::STATES.iter().copied().filter(|state| holds(*state));
        Self { machine: M::NAME, states: states.map(Word::word).collect() }
    }
}

impl ActsOn {
    /// Whether it is possible with a record in this state; `None` if its state is not known.
    #[must_use]
    pub fn possible_in(&self, state: Option<&str>) -> bool {
        match (&self.when, state) {
            (Some(when), Some(state)) => when.states.contains(&state),
            _ => true,
        }
    }
}

/// What rows say about the records that they act on. A call about states is about the record that
/// was named last.
impl Entry {
    /// Declares that it acts on the record of this kind whose id is in this field.
    pub(super) fn acts_on(mut self, record: &'static str, field: &'static str) -> Self {
        self.acts.push(ActsOn { record, field, when: None, list: None });
        self
    }

    /// Declares that it makes one of these events happen: it is possible where one of them is.
    pub(super) fn when<M: Machine>(self, events: &[M::Event]) -> Self {
        self.only(When::of::<M>(|state| events.iter().any(|event| state.can(*event))))
    }

    /// Declares that it is possible in these states, although it does not move the record.
    pub(super) fn in_states<M: Machine>(self, states: &[M]) -> Self {
        self.only(When::of::<M>(|state| states.contains(&state)))
    }

    /// Declares that it is possible until the record is in a state without an exit.
    pub(super) fn until_over<M: Machine>(self) -> Self {
        self.only(When::of::<M>(|state| !M::TERMINAL.contains(&state)))
    }

    /// Declares that it takes the records of this list only.
    pub(super) fn in_list(mut self, list: &'static str) -> Self {
        if let Some(last) = self.acts.last_mut() {
            last.list = Some(list);
        }
        self
    }

    fn only(mut self, when: When) -> Self {
        if let Some(last) = self.acts.last_mut() {
            last.when = Some(when);
        }
        self
    }
}
