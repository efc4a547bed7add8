//! The laws every machine keeps, as a test helper.

use crate::kernel::Machine;

/// No way out of a terminal state, one target per state and event, every state reachable, no dead end.
pub(crate) fn assert_laws<M: Machine>() {
    for (at, (from, event, _)) in M::MOVES.iter().enumerate() {
        assert!(!M::TERMINAL.contains(from), "{} leaves {from:?}", M::NAME);
        let again = M::MOVES.iter().skip(at + 1);
        assert!(
            !again.clone().any(|(f, e, _)| f == from && e == event),
            "{} has two targets for {event:?} in {from:?}",
            M::NAME
        );
    }
    let mut reached = M::INITIAL.to_vec();
    while let Some((_, _, to)) = M::MOVES
        .iter()
        .find(|(from, _, to)| reached.contains(from) && !reached.contains(to))
    {
        reached.push(*to);
    }
    for state in M::STATES {
        assert!(
            reached.contains(state),
            "{} cannot reach {state:?}",
            M::NAME
        );
        let leaves = M::MOVES.iter().any(|(from, ..)| from == state);
        assert_ne!(
            leaves,
            M::TERMINAL.contains(state),
            "{}: {state:?}",
            M::NAME
        );
    }
}
