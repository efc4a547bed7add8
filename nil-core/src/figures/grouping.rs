//! Which sports and categories can be told in files for public records, so that nobody can be
//! recognised by them. Pure: who has what in, verdict out. One verdict holds for all files of a
//! request, because pseudonyms join them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::store::public_record::Member;
use crate::kernel::AthleteId;

/// A sport; none for athletes without one.
type Sport = Option<String>;
type Athletes = BTreeSet<AthleteId>;

/// What can be told of whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// The athletes whose sport can be told, with it.
    athletes: BTreeMap<AthleteId, Sport>,
    /// The categories that can be told with a sport.
    pairs: BTreeSet<(Sport, String)>,
}

impl Groups {
    /// Decides for all rows of all files together, if each group must stand for `least` athletes or
    /// more.
    pub(super) fn of(members: &[Member], least: i64) -> Self {
        let least = usize::try_from(least).unwrap_or(usize::MAX);
        let mut sports: BTreeMap<AthleteId, BTreeSet<&Sport>> = BTreeMap::new();
        for member in members {
            sports.entry(member.athlete_id).or_default().insert(&member.sport);
        }
        let mut groups: BTreeMap<&Sport, Athletes> = BTreeMap::new();
        let mut hidden = Athletes::new();
        for (athlete, sports) in sports {
            match sports.first() {
                Some(sport) if sports.len() == 1 => {
                    groups.entry(sport).or_default().insert(athlete);
                }
                // Who had two sports would be known by the pair of them.
                _ => {
                    hidden.insert(athlete);
                }
            }
        }
        let mut told = Self::default();
        for (sport, athletes) in shown(groups, hidden, least) {
            let mut categories: BTreeMap<&String, Athletes> = BTreeMap::new();
            for member in members.iter().filter(|member| athletes.contains(&member.athlete_id)) {
                categories.entry(&member.category).or_default().insert(member.athlete_id);
            }
            for (category, _) in shown(categories, Athletes::new(), least) {
                told.pairs.insert((sport.clone(), category.clone()));
            }
            told.athletes.extend(athletes.into_iter().map(|athlete| (athlete, sport.clone())));
        }
        told
    }

    /// The sport and the category in a row of an athlete, as far as they can be told.
    pub(super) fn told(
        &self,
        athlete: AthleteId,
        sport: Sport,
        category: String,
    ) -> (Option<String>, Option<String>) {
        if self.athletes.get(&athlete) != Some(&sport) {
            return (None, None);
        }
        let pair = (sport, category);
        let known = self.pairs.contains(&pair);
        (Some(pair.0.unwrap_or_else(|| "none".to_owned())), known.then_some(pair.1))
    }
}

/// The groups that are large enough. What is hidden must stand for as many athletes itself, or it
/// would be a group of a few: the smallest groups are hidden with it.
fn shown<K: Ord>(
    groups: BTreeMap<K, Athletes>,
    mut hidden: Athletes,
    least: usize,
) -> Vec<(K, Athletes)> {
    let mut shown: Vec<(K, Athletes)> = groups.into_iter().collect();
    shown.sort_by_key(|(_, athletes)| Reverse(athletes.len()));
    while let Some((_, smallest)) = shown.last() {
        let shows_through = !hidden.is_empty() && hidden.len() < least;
        if smallest.len() >= least && !shows_through {
            break;
        }
        if let Some((_, athletes)) = shown.pop() {
            hidden.extend(athletes);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn member(id: i64, sport: i64, category: i64) -> Member {
        Member {
            athlete_id: AthleteId::new(id).unwrap(),
            sport: (sport > 0).then(|| format!("Sport {sport}")),
            category: format!("Category {category}"),
        }
    }

    fn told(groups: &Groups, member: &Member) -> (Option<String>, Option<String>) {
        groups.told(member.athlete_id, member.sport.clone(), member.category.clone())
    }

    #[test]
    fn a_group_of_a_few_is_hidden_in_the_next_smallest() {
        // Six of one sport, five of another, two of a third.
        let members: Vec<_> = (1..=13)
            .map(|id| {
                member(
                    id,
                    if id < 7 {
                        1
                    } else if id < 12 {
                        2
                    } else {
                        3
                    },
                    1,
                )
            })
            .collect();
        let groups = Groups::of(&members, 5);
        assert_eq!(told(&groups, &members[0]).0.as_deref(), Some("Sport 1"));
        assert_eq!(told(&groups, &members[8]), (None, None));
        assert_eq!(told(&groups, &members[12]), (None, None));
        let without_few = Groups::of(&members[..11], 5);
        assert_eq!(told(&without_few, &members[8]).0.as_deref(), Some("Sport 2"));
    }

    proptest! {
        /// Whatever is told, and whatever is left over, stands for enough athletes; an athlete has
        /// one verdict.
        #[test]
        fn what_is_told_and_what_is_not_stand_for_enough(
            rows in prop::collection::vec((1i64..30, 0i64..5, 1i64..4), 0..80), least in 2i64..7,
        ) {
            let members: Vec<_> =
                rows.iter().map(|(id, sport, category)| member(*id, *sport, *category)).collect();
            let groups = Groups::of(&members, least);
            let mut by_sport: BTreeMap<Option<String>, Athletes> = BTreeMap::new();
            let mut by_pair: BTreeMap<_, Athletes> = BTreeMap::new();
            for member in &members {
                let (sport, category) = told(&groups, member);
                by_sport.entry(sport.clone()).or_default().insert(member.athlete_id);
                if sport.is_some() {
                    by_pair.entry((sport, category)).or_default().insert(member.athlete_id);
                }
            }
            let enough = usize::try_from(least).unwrap();
            let all: usize = by_sport.values().map(BTreeSet::len).sum();
            let athletes: Athletes = members.iter().map(|member| member.athlete_id).collect();
            prop_assert_eq!(all, athletes.len());
            for (sport, athletes) in &by_sport {
                let is_all = by_sport.len() == 1 && sport.is_none();
                prop_assert!(athletes.len() >= enough || is_all, "{sport:?}: {athletes:?}");
            }
            for (pair, athletes) in &by_pair {
                prop_assert!(athletes.len() >= enough, "{pair:?}: {athletes:?}");
            }
        }
    }
}
