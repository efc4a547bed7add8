//! Whose deals are added up for the clearinghouse: a payor and the companies that own it. A payor
//! of the platform is its account, whatever it is called; names say who is who only where one of
//! two deals was made off the platform. Pure.

use std::collections::BTreeSet;

use crate::institutions::company_key;
use crate::kernel::PartnerId;

/// The payor of a deal, with the names it goes by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Payor {
    /// The brand's account; none for a deal made off the platform.
    partner: Option<PartnerId>,
    /// Its names in one spelling: today's, and the one on the day of signing.
    names: BTreeSet<String>,
    /// The name of the company that owns it, in the same spelling.
    owner: Option<String>,
}

impl Payor {
    /// The payor of a contract of the platform, under these names.
    pub(super) fn on_platform(partner: PartnerId, names: [&str; 2], owner: Option<&str>) -> Self {
        Self { partner: Some(partner), ..Self::named(&names, owner) }
    }

    /// The payor of a deal made off the platform.
    pub(super) fn elsewhere(name: &str, owner: Option<&str>) -> Self {
        Self::named(&[name], owner)
    }

    fn named(names: &[&str], owner: Option<&str>) -> Self {
        let keys = names.iter().map(|name| company_key(name)).filter(|key| !key.is_empty());
        let owner = owner.map(company_key).filter(|key| !key.is_empty());
        Self { partner: None, names: keys.collect(), owner }
    }

    /// Whether both are the same payor, or one owns the other, or one company owns both.
    fn is_related(&self, other: &Self) -> bool {
        if self.partner.is_some() && self.partner == other.partner {
            return true;
        }
        let owns = |owner: &Self, owned: &Self| {
            owned.owner.as_ref().is_some_and(|name| owner.names.contains(name))
        };
        let have_one_owner = self.owner.is_some() && self.owner == other.owner;
        let are_accounts = self.partner.is_some() && other.partner.is_some();
        let are_namesakes = !are_accounts && !self.names.is_disjoint(&other.names);
        have_one_owner || are_namesakes || owns(self, other) || owns(other, self)
    }
}

/// Puts deals into groups by their payors: each group holds the places of its deals in `payors`, in
/// their order.
pub(super) fn groups(payors: &[Payor]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, payor) in payors.iter().enumerate() {
        let knows = |group: &Vec<usize>| {
            group.iter().filter_map(|known| payors.get(*known)).any(|known| known.is_related(payor))
        };
        let (related, mut others): (Vec<_>, Vec<_>) = groups.into_iter().partition(knows);
        let mut joined: Vec<usize> = related.into_iter().flatten().chain([place]).collect();
        joined.sort_unstable();
        others.push(joined);
        groups = others;
    }
    groups
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn brand(id: i64, names: [&str; 2], owner: Option<&str>) -> Payor {
        Payor::on_platform(PartnerId::new(id).unwrap(), names, owner)
    }

    fn sorted(payors: &[Payor]) -> Vec<Vec<usize>> {
        let mut groups = groups(payors);
        groups.sort();
        groups
    }

    #[test]
    fn an_account_is_one_payor_under_every_name_and_two_accounts_are_two() {
        let renamed = brand(1, ["Summit Gear", "Ridge Outfitters"], None);
        let before = brand(1, ["Ridge Outfitters", "Ridge Outfitters"], None);
        let namesake = brand(2, ["RIDGE OUTFITTERS, Inc.", "Ridge Outfitters"], None);
        assert_eq!(sorted(&[renamed.clone(), namesake.clone(), before]), [vec![0, 2], vec![1]]);
        // Off the platform the name may stand for either, so that it counts with both.
        let elsewhere = Payor::elsewhere("Ridge Outfitters LLC", None);
        assert_eq!(sorted(&[renamed, elsewhere, namesake]), [[0, 1, 2]]);
    }

    #[test]
    fn owners_bring_their_companies_together() {
        let grill = Payor::elsewhere("Lake Grill", Some("Great Meals Group"));
        let bare = Payor::elsewhere("lake grill", None);
        let sister = brand(3, ["Hill Grill", "Hill Grill"], Some("Great Meals Group, Inc."));
        let owner = brand(4, ["The Great Meals Group", "Great Meals"], None);
        let other = Payor::elsewhere("Dune Grill", Some("Dunes"));
        assert_eq!(sorted(&[bare, other, sister, owner, grill]), [vec![0, 2, 3, 4], vec![1]]);
        // Two without a name or an owner are not of one.
        assert_eq!(sorted(&[brand(5, ["", ""], None), brand(6, ["", ""], Some(""))]).len(), 2);
    }

    proptest! {
        /// Every deal is in one group, and the order of the deals makes no difference.
        #[test]
        fn groups_share_nothing_out(
            rows in prop::collection::vec((0i64..4, 0usize..4, 0usize..5), 0..9), turn in 0usize..9,
        ) {
            let names = ["Alder", "Birch", "Cedar", "Dogwood"];
            let mut payors: Vec<Payor> = rows.iter().map(|(id, name, owner)| {
                let (name, owner) = (names[*name], names.get(*owner).copied());
                match PartnerId::new(*id) {
                    Some(_) => brand(*id, [name, name], owner),
                    None => Payor::elsewhere(name, owner),
                }
            }).collect();
            let mut all: Vec<usize> = groups(&payors).into_iter().flatten().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..payors.len()).collect::<Vec<_>>());
            let mut sizes: Vec<usize> = groups(&payors).iter().map(Vec::len).collect();
            if !payors.is_empty() {
                let turn = turn % payors.len();
                payors.rotate_left(turn);
            }
            let mut turned: Vec<usize> = groups(&payors).iter().map(Vec::len).collect();
            sizes.sort_unstable();
            turned.sort_unstable();
            prop_assert_eq!(sizes, turned);
        }
    }
}
