//! Which groups of a published table are left out, so that nobody can be recognised in it. Pure:
//! sums in, verdict out.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::AthleteId;

/// The share of the greatest athlete's sum that all athletes but the two greatest must reach
/// together, as one part of so many: otherwise the second greatest could compute the greatest one's
/// sum too exactly.
const REST: i128 = 10;

/// The sums of a group by athlete.
pub(super) type ByAthlete = BTreeMap<AthleteId, i64>;

/// Which groups can be published beside the total of all.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not even the total can be.
    Nothing,
    /// The total, and all groups but those in these places. What the total and the shown groups
    /// leave over stands for enough athletes itself.
    Without(BTreeSet<usize>),
}

/// Decides which groups can be published, if each figure must stand for `least` athletes or more.
pub(super) fn verdict(groups: &[ByAthlete], least: usize) -> Verdict {
    let all: BTreeSet<usize> = (0..groups.len()).collect();
    if !is_safe(&together(groups, &all), least) {
        return Verdict::Nothing;
    }
    let small = groups.iter().enumerate().filter(|(_, group)| !is_safe(group, least));
    let mut hidden: BTreeSet<usize> = small.map(|(place, _)| place).collect();
    // The smallest groups are hidden with the others until nothing follows from the total.
    let mut shown: Vec<usize> = all.difference(&hidden).copied().collect();
    shown.sort_by_key(|place| {
        let size = groups.get(*place).map(|group| (group.len(), sum_of(group)));
        std::cmp::Reverse((size, *place))
    });
    while !hidden.is_empty() && !is_safe(&together(groups, &hidden), least) {
        match shown.pop() {
            Some(place) => hidden.insert(place),
            None => break,
        };
    }
    Verdict::Without(hidden)
}

/// The sum of a group.
fn sum_of(group: &ByAthlete) -> i128 {
    group.values().map(|cents| i128::from(*cents)).sum()
}

/// Some groups as one.
fn together(groups: &[ByAthlete], places: &BTreeSet<usize>) -> ByAthlete {
    let mut all = ByAthlete::new();
    for group in places.iter().filter_map(|place| groups.get(*place)) {
        for (athlete, sum) in group {
            let whole = all.entry(*athlete).or_default();
            *whole = whole.saturating_add(*sum);
        }
    }
    all
}

/// Whether a group's figures give no athlete away: there are enough, and none of them is nearly all
/// of it.
fn is_safe(group: &ByAthlete, least: usize) -> bool {
    let mut sums: Vec<i128> = group.values().map(|sum| i128::from(*sum).abs()).collect();
    sums.sort_unstable();
    let greatest = sums.pop().unwrap_or_default();
    sums.pop();
    let rest: i128 = sums.iter().sum();
    group.len() >= least && rest * REST >= greatest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn group(sums: &[(i64, i64)]) -> ByAthlete {
        sums.iter().map(|(id, sum)| (AthleteId::new(*id).unwrap(), *sum)).collect()
    }

    fn of(athletes: std::ops::Range<i64>, cents: i64) -> ByAthlete {
        group(&athletes.map(|id| (id, cents)).collect::<Vec<_>>())
    }

    fn without(places: &[usize]) -> Verdict {
        Verdict::Without(places.iter().copied().collect())
    }

    #[test]
    fn large_groups_are_shown() {
        assert_eq!(verdict(&[of(1..6, 100), of(6..20, 100)], 5), without(&[]));
        assert_eq!(verdict(&[of(1..6, 100), of(6..20, 100)], 6), without(&[0, 1]));
    }

    #[test]
    fn a_second_group_is_hidden_if_the_first_would_follow_from_the_total() {
        let groups = [of(1..3, 100), of(3..23, 100), of(23..30, 100)];
        assert_eq!(verdict(&groups, 5), without(&[0, 2]));
    }

    #[test]
    fn two_small_groups_are_not_enough_if_they_are_one_person_each() {
        let groups = [of(1..2, 100), of(2..3, 100), of(3..13, 100), of(13..40, 100)];
        assert_eq!(verdict(&groups, 5), without(&[0, 1, 2]));
        // Three and two are five.
        let groups = [of(1..4, 100), of(4..6, 100), of(6..16, 100)];
        assert_eq!(verdict(&groups, 5), without(&[0, 1]));
    }

    #[test]
    fn the_same_athletes_in_several_groups_count_once() {
        let groups = [of(1..4, 100), of(1..4, 100), of(1..20, 100), of(1..40, 100)];
        assert_eq!(verdict(&groups, 5), without(&[0, 1, 2]));
    }

    #[test]
    fn a_group_that_is_nearly_one_athlete_is_hidden() {
        let mut star = of(1..9, 1_000);
        star.insert(AthleteId::new(99).unwrap(), 10_000_000);
        assert_eq!(verdict(&[star.clone(), of(20..40, 1_000)], 5), Verdict::Nothing);
        let rich = of(20..40, 1_000_000);
        assert_eq!(verdict(&[star, rich], 5), without(&[0, 1]));
    }

    #[test]
    fn of_few_athletes_nothing_is_said() {
        assert_eq!(verdict(&[of(1..3, 100), of(1..5, 100)], 5), Verdict::Nothing);
        assert_eq!(verdict(&[], 5), Verdict::Nothing);
    }

    proptest! {
        #[test]
        fn nothing_small_is_shown_or_follows_from_what_is(
            groups in prop::collection::vec(
                prop::collection::btree_map(1i64..40, 1i64..100_000, 0..25), 0..8),
            least in 5usize..12,
        ) {
            let groups: Vec<ByAthlete> = groups.into_iter()
                .map(|sums| group(&sums.into_iter().collect::<Vec<_>>())).collect();
            match verdict(&groups, least) {
                Verdict::Nothing => {
                    let all = (0..groups.len()).collect();
                    prop_assert!(!is_safe(&together(&groups, &all), least));
                }
                Verdict::Without(hidden) => {
                    for (place, group) in groups.iter().enumerate() {
                        prop_assert!(hidden.contains(&place) || is_safe(group, least));
                    }
                    // The total less what is shown.
                    let rest = together(&groups, &hidden);
                    prop_assert!(hidden.is_empty() || is_safe(&rest, least));
                    prop_assert!(hidden.len() != 1 || is_safe(&groups[*hidden.first().unwrap()], least));
                }
            }
        }
    }
}
