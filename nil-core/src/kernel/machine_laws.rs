//! The laws of every state machine, for the test that walks all of them (`catalog/machines.rs`).

use super::Machine;
use super::machine::irregular;

/// No exit from a terminal state, one target per state and event, every state reachable, no dead
/// end.
///
/// # Panics
///
/// If a machine breaks one of them.
pub fn assert_laws<M: Machine>() {
    for (from, event, _) in M::MOVES {
        let word = format!("{event:?}");
        let is_one_word = word.chars().filter(|letter| letter.is_uppercase()).count() == 1;
        let is_regular = is_one_word && !word.ends_with('y');
        assert!(is_regular || irregular(&word).is_some(), "{}: {word} has no wording", M::NAME);
        assert!(!M::TERMINAL.contains(from), "{}: {from:?} is terminal", M::NAME);
        let targets = M::MOVES.iter().filter(|(f, e, _)| f == from && e == event);
        assert_eq!(targets.count(), 1, "{}: {from:?} on {event:?}", M::NAME);
    }
    for (from, _, to) in M::MOVES {
        assert!(M::STATES.contains(from) && M::STATES.contains(to));
    }
    let mut reached: Vec<M> = M::INITIAL.to_vec();
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        for (_, _, to) in M::MOVES.iter().filter(|(from, _, _)| *from == state) {
            if !reached.contains(to) {
                reached.push(*to);
            }
        }
        next += 1;
    }
    for state in M::STATES {
        assert!(reached.contains(state), "{}: {state:?} is never reached", M::NAME);
        let leads_on = M::MOVES.iter().any(|(from, _, _)| from == state);
        assert_ne!(
            leads_on,
            M::TERMINAL.contains(state),
            "{}: {state:?} is either terminal or leads on",
            M::NAME
        );
    }
}
