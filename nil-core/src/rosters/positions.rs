//! The positions of athletes on a roster.

use std::collections::HashSet;

use crate::kernel::AthleteId;

/// An athlete and their position; lower positions come first, gaps have no meaning.
pub(super) type Placed = (AthleteId, i64);

/// The positions that change when `named` are added to a roster: at the end, and those already on
/// it stay; or, with `position` (from 1), all of them together from there on. `current` must be in
/// order.
pub(super) fn changed_places(
    current: &[Placed],
    named: &[AthleteId],
    position: Option<usize>,
) -> Vec<Placed> {
    let mut seen = HashSet::new();
    let named = named.iter().copied().filter(|id| seen.insert(*id));
    let Some(position) = position else {
        let last = current.last().map_or(0, |(_, place)| *place);
        let there: HashSet<AthleteId> = current.iter().map(|(id, _)| *id).collect();
        let new = named.filter(|id| !there.contains(id));
        return new.zip(last + 1..).collect();
    };
    let named: Vec<AthleteId> = named.collect();
    let others = || current.iter().map(|(id, _)| *id).filter(|id| !named.contains(id));
    let before = position.saturating_sub(1);
    let order = others().take(before).chain(named.iter().copied()).chain(others().skip(before));
    let places = order.zip(1..);
    places.filter(|placed| !current.contains(placed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[i64]) -> Vec<AthleteId> {
        ids.iter().map(|id| AthleteId::new(*id).unwrap()).collect()
    }

    /// The order after a change.
    fn order(current: &[i64], named: &[i64], position: Option<usize>) -> Vec<i64> {
        // With gaps, as removed athletes leave them.
        let mut placed: Vec<Placed> = ids(current).into_iter().zip((2..).step_by(3)).collect();
        for (id, place) in changed_places(&placed, &ids(named), position) {
            placed.retain(|(other, _)| *other != id);
            placed.push((id, place));
        }
        placed.sort_by_key(|(_, place)| *place);
        let taken: HashSet<i64> = placed.iter().map(|(_, place)| *place).collect();
        assert_eq!(taken.len(), placed.len(), "two in one place");
        placed.iter().map(|(id, _)| id.get()).collect()
    }

    #[test]
    fn newcomers_stand_behind_and_nobody_stands_twice() {
        assert_eq!(order(&[], &[3, 1, 3], None), [3, 1]);
        assert_eq!(order(&[5, 6], &[6, 1], None), [5, 6, 1]);
        assert!(changed_places(&[(ids(&[5])[0], 7)], &ids(&[5]), None).is_empty());
    }

    #[test]
    fn with_a_position_all_of_them_move_there() {
        assert_eq!(order(&[1, 2, 3, 4], &[4, 9], Some(2)), [1, 4, 9, 2, 3]);
        assert_eq!(order(&[1, 2, 3], &[3], Some(1)), [3, 1, 2]);
        assert_eq!(order(&[1, 2, 3], &[1], Some(99)), [2, 3, 1]);
        assert_eq!(order(&[1, 2], &[1, 2], Some(1)), [1, 2]);
    }
}
