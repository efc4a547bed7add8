//! Chooses comparable deals: the narrowest set that is large enough.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Months;

use super::asker::Asker;
use super::deal::{ComparableDeal, Person, Work};
use crate::institutions::company_key;
use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;

/// The fewest deals of which anything is said.
pub(super) const DEALS: usize = 5;
/// The fewest brands that made them.
pub(super) const BRANDS: usize = 3;
/// The fewest athletes that have them.
pub(super) const ATHLETES: usize = 3;

/// The period that counts at first, in months.
pub(super) const RECENT: u32 = 12;
/// The longest period.
pub(super) const LONG: u32 = 36;

vocabulary! {
    /// What makes deals comparable besides their category, in the order in which it is dropped.
    Criterion {
        /// Made in the last 12 months; without it, in the last 36.
        Period = "period",
        /// The athlete's institution plays in the same division.
        Division = "division",
        /// The athlete plays the same sport.
        Sport = "sport",
        /// The athlete's number of followers is in the same range.
        Followers = "followers",
        /// The number of pieces is in the same range.
        Deliverables = "deliverables",
        /// All deliverables on the same platform.
        Platform = "platform",
    }
}

vocabulary! {
    /// A range of an athlete's followers on all platforms together.
    FollowerBand {
        /// Fewer than 1,000.
        Under1K = "under_1000",
        /// 1,000 to 4,999.
        From1K = "1000_to_4999",
        /// 5,000 to 19,999.
        From5K = "5000_to_19999",
        /// 20,000 to 99,999.
        From20K = "20000_to_99999",
        /// 100,000 to 499,999.
        From100K = "100000_to_499999",
        /// 500,000 and more.
        From500K = "500000_and_more",
    }
}

impl FollowerBand {
    pub(super) fn of(followers: i64) -> Self {
        match followers {
            ..1_000 => Self::Under1K,
            1_000..5_000 => Self::From1K,
            5_000..20_000 => Self::From5K,
            20_000..100_000 => Self::From20K,
            100_000..500_000 => Self::From100K,
            500_000.. => Self::From500K,
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Under1K => "fewer than 1,000 followers",
            Self::From1K => "1,000 to 4,999 followers",
            Self::From5K => "5,000 to 19,999 followers",
            Self::From20K => "20,000 to 99,999 followers",
            Self::From100K => "100,000 to 499,999 followers",
            Self::From500K => "500,000 followers or more",
        }
    }
}

vocabulary! {
    /// A range of the number of pieces of a deal.
    SizeBand {
        /// One piece.
        One = "1",
        /// Two or three.
        Few = "2_to_3",
        /// Four to nine.
        Several = "4_to_9",
        /// Ten or more.
        Many = "10_and_more",
    }
}

impl SizeBand {
    pub(super) fn of(pieces: i64) -> Self {
        match pieces {
            ..2 => Self::One,
            2..4 => Self::Few,
            4..10 => Self::Several,
            10.. => Self::Many,
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::One => "one piece",
            Self::Few => "two or three pieces",
            Self::Several => "four to nine pieces",
            Self::Many => "ten pieces or more",
        }
    }
}

/// A quartile.
#[derive(Clone, Copy, Debug)]
pub(super) enum Quarter {
    First,
    Median,
    Third,
}

impl Quarter {
    pub(super) const ALL: [Self; 3] = [Self::First, Self::Median, Self::Third];

    /// The places of the two sorted amounts that it lies between, mostly one; `None` without any
    /// amounts.
    pub(super) fn places(self, amounts: usize) -> Option<(usize, usize)> {
        let last = amounts.checked_sub(1)?;
        // The first amount that a quarter, or three quarters, of all do not exceed.
        let of = |quarters: usize| quarters.saturating_mul(amounts).div_ceil(4).saturating_sub(1);
        Some(match self {
            Self::First => (of(1), of(1)),
            Self::Median => (last / 2, last.div_ceil(2)),
            Self::Third => (of(3), of(3)),
        })
    }
}

/// The first instant that counts for a period of so many months.
pub(super) fn since(now: Time, months: u32) -> Time {
    now.checked_sub_months(Months::new(months)).unwrap_or(now)
}

/// What is asked for: the work, the athlete, and the instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sought {
    pub(super) work: Work,
    pub(super) person: Person,
    pub(super) now: Time,
}

impl Sought {
    /// Whether there is something to compare by a criterion.
    pub(super) fn asks_for(&self, criterion: Criterion) -> bool {
        match criterion {
            Criterion::Period => true,
            Criterion::Division => self.person.division.is_some(),
            Criterion::Sport => self.person.sport_id.is_some(),
            Criterion::Followers => self.person.followers.is_some(),
            Criterion::Deliverables => self.work.pieces.is_some(),
            Criterion::Platform => self.work.platform.is_some(),
        }
    }

    fn meets(&self, deal: &ComparableDeal, criterion: Criterion) -> bool {
        match criterion {
            Criterion::Period => deal.agreed_at >= since(self.now, RECENT),
            Criterion::Division => deal.division == self.person.division,
            Criterion::Sport => deal.sport_id == self.person.sport_id,
            Criterion::Followers => {
                self.person.followers.map(FollowerBand::of)
                    == Some(FollowerBand::of(deal.followers))
            }
            Criterion::Deliverables => {
                self.work.pieces.map(SizeBand::of) == Some(SizeBand::of(deal.pieces))
            }
            Criterion::Platform => deal.platform == self.work.platform,
        }
    }
}

/// The comparable deals, and the criteria that were dropped to find them.
#[derive(Debug)]
pub(super) struct Chosen<'a> {
    /// Empty if there are not enough by any criteria.
    pub(super) deals: Vec<&'a ComparableDeal>,
    pub(super) dropped: Vec<Criterion>,
}

/// Drops one criterion after the other until there are enough deals.
pub(super) fn choose<'a>(
    deals: &'a [ComparableDeal],
    sought: &Sought,
    asker: &Asker,
) -> Chosen<'a> {
    let known: Vec<&ComparableDeal> = deals.iter().filter(|deal| !asker.leaves_out(deal)).collect();
    let mut held: Vec<Criterion> = Criterion::ALL.to_vec();
    held.retain(|criterion| sought.asks_for(*criterion));
    let mut dropped = Vec::new();
    loop {
        let meets = |deal: &&&ComparableDeal| held.iter().all(|one| sought.meets(deal, *one));
        let comparable = known.iter().filter(meets).copied().collect();
        if let Some(deals) = shown(comparable, asker) {
            return Chosen { deals, dropped };
        }
        if held.is_empty() {
            return Chosen { deals: Vec::new(), dropped };
        }
        dropped.push(held.remove(0));
    }
}

/// The deals that can be shown to the caller, if any can. Who can see some of the deals knows the
/// rest from the figures of all: the rest must be enough by itself, or is left out.
fn shown<'a>(
    comparable: Vec<&'a ComparableDeal>,
    asker: &Asker,
) -> Option<Vec<&'a ComparableDeal>> {
    let (own, others): (Vec<_>, Vec<_>) = comparable.iter().partition(|deal| asker.sees(deal));
    if are_enough(&others) {
        return Some(comparable);
    }
    are_enough(&own).then_some(own)
}

/// Whether there are enough deals for figures that give none away: of enough brands and athletes,
/// none of which has more than half of them, and no brand has more than half of those on one side
/// of a quartile.
fn are_enough(deals: &[&ComparableDeal]) -> bool {
    let mut athletes: BTreeMap<_, usize> = BTreeMap::new();
    let mut accounts = BTreeSet::new();
    for deal in deals {
        accounts.insert(deal.partner_id);
        *athletes.entry(deal.athlete_id).or_default() += 1;
    }
    let most = athletes.values().max().copied().unwrap_or_default();
    deals.len() >= DEALS
        && accounts.len() >= BRANDS
        && athletes.len() >= ATHLETES
        && most <= deals.len() / 2
        && brands(deals).len() >= BRANDS
        && !is_of_one_brand(deals)
        && !leans_on_a_brand(deals)
}

/// The number of deals by brand. Accounts with names of one company are one.
fn brands(deals: &[&ComparableDeal]) -> BTreeMap<String, usize> {
    let mut brands = BTreeMap::new();
    for deal in deals {
        *brands.entry(company_key(&deal.company)).or_default() += 1;
    }
    brands
}

/// Whether one brand has more than half of these deals.
fn is_of_one_brand(deals: &[&ComparableDeal]) -> bool {
    brands(deals).values().any(|own| *own > deals.len() / 2)
}

/// Whether one brand has more than half of the deals up to a quartile or from it on: it could
/// choose them so that the quartile is the amount of somebody else.
fn leans_on_a_brand(deals: &[&ComparableDeal]) -> bool {
    let mut sorted = deals.to_vec();
    sorted.sort_by_key(|deal| (deal.amount_cents, deal.contract_id));
    let sides = Quarter::ALL.iter().filter_map(|quarter| quarter.places(sorted.len()));
    sides
        .flat_map(|(low, high)| [sorted.get(..=low), sorted.get(high..)])
        .flatten()
        .any(is_of_one_brand)
}
