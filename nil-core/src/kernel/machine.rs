//! State machines as constant tables.
//!
//! A status changes only through its table: only `on` creates a [`Moved`], and the stores require a
//! `Moved` to write a status, guarding the UPDATE with the state that was read.

use std::fmt::Debug;

use super::vocabulary::Word;
use crate::error::{Error, codes};

/// One row of a machine: in this state, this event leads to that state.
pub type Move<M> = (M, <M as Machine>::Event, M);

/// A status enum with its table. The laws (no exit from a terminal state, one target per state and
/// event, every state reachable, no dead end) are tested for every machine in one place.
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
            // Its words are made only for whoever is refused.
            .ok_or_else(|| IllegalTransition {
                machine: Self::NAME,
                state: format!("{self:?}"),
                event: format!("{event:?}"),
                possible: Self::MOVES
                    .iter()
                    .filter(|(from, ..)| *from == self)
                    .map(|(_, on, _)| format!("{on:?}"))
                    .collect(),
            })
    }

    /// Whether `event` is possible now.
    fn can(self, event: Self::Event) -> bool {
        Self::MOVES.iter().any(|(from, on, _)| *from == self && *on == event)
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
    state: String,
    event: String,
    possible: Vec<String>,
}

/// Names the record, its state, what cannot happen to it and what can.
impl std::fmt::Display for IllegalTransition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let record = self.machine.replace('_', " ");
        let state = in_words(&self.state);
        let it = if self.machine.ends_with("user") { "They" } else { "It" };
        write!(f, "This {record} is {state} and cannot {} now.", happening(&self.event))?;
        let mut possible: Vec<_> = self.possible.iter().map(|event| happening(event)).collect();
        // "be cancelled or completed", not "be cancelled or be completed".
        possible.sort_by_key(|happening| !happening.starts_with("be "));
        for later in possible.iter_mut().skip(1) {
            if let Some(verb) = later.strip_prefix("be ") {
                *later = verb.to_owned();
            }
        }
        match possible.split_last() {
            None => write!(f, " That is final."),
            Some((only, [])) => write!(f, " {it} can {only}."),
            Some((last, others)) => write!(f, " {it} can {} or {last}.", others.join(", ")),
        }
    }
}

/// `ExtensionRequested` as `extension requested`.
fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for (at, letter) in name.char_indices() {
        if at > 0 && letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// What happens to a record by an event, after "can" and "cannot".
fn happening(event: &str) -> String {
    if let Some(known) = irregular(event) {
        return known.to_owned();
    }
    let verb = in_words(event);
    if verb.ends_with('e') { format!("be {verb}d") } else { format!("be {verb}ed") }
}

/// The events whose wording is not "be" and the regular participle.
pub(super) fn irregular(event: &str) -> Option<&'static str> {
    Some(match event {
        "AskChanges" => "be sent back for changes",
        "Submit" => "be submitted",
        "Deny" => "be denied",
        "CallOff" => "be called off",
        "Cancel" => "be cancelled",
        "RequireAction" => "wait for the cardholder",
        "RequestEdits" => "be sent back for edits",
        "RequestCancellation" => "be asked to be cancelled",
        "RequestExtension" => "be asked to be due later",
        "RestoreConfirmed" | "RestoreUnconfirmed" => "go on as before",
        "Keep" => "be kept",
        "Ask" => "be sent back with a question",
        "Take" => "be taken up",
        "Flag" => "be flagged",
        "Send" => "be sent",
        "HoldBack" => "be held back",
        "GiveUp" => "be given up",
        "Pay" => "be paid",
        "PutBack" => "be put back in the queue",
        "RefundAll" => "be refunded",
        "RefundPart" => "be refunded in part",
        "Restore" => "get back what was refunded",
        "RestorePart" => "get back part of what was refunded",
        "Win" => "be won",
        "Lose" => "be lost",
        "Apply" => "be applied",
        "InviteAgain" => "be invited again",
        "SetPassword" => "be given a password",
        "SignOn" => "sign on",
        "Withdraw" => "be withdrawn",
        "Begin" => "be begun",
        "Arrive" => "arrive",
        "Expire" => "expire",
        "Fail" => "fail",
        "Lapse" => "lapse",
        "Return" => "come back",
        "Vanish" => "vanish",
        "Succeed" => "succeed",
        _ => return None,
    })
}

impl std::error::Error for IllegalTransition {}

impl From<IllegalTransition> for Error {
    fn from(refusal: IllegalTransition) -> Self {
        codes::ILLEGAL_TRANSITION.saying(refusal.to_string())
    }
}
