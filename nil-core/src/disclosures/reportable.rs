//! Which deals must be submitted to the clearinghouse. Pure: takes the deals of one athlete with
//! one group of companies, and returns the reportable ones, each with the last day for it.

use std::collections::BTreeMap;

use super::due::{ClearinghouseRule, School, rule_on};
use super::entrance::{Clock, Entrance, clock};
use crate::kernel::{Cents, ClearanceId, Date, business_days_after};

/// An amount that counts towards the threshold. A deal whose pay depends on sales has one for each
/// payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// Its clearance.
    pub(super) id: ClearanceId,
    /// The day both sides had agreed, or the day of the payment.
    pub(super) on: Date,
    /// The amount.
    pub(super) amount: Cents,
    /// The athlete's institution on that day.
    pub(super) school: School,
    /// The first enrolment after that day.
    pub(super) entrance: Option<Entrance>,
}

/// A deal that a rule applies to, with the rule and its clock.
type Clocked<'table> = (Counted, &'table ClearinghouseRule, Clock);

/// The deals that the rules apply to, in the order of time, and the one that crosses the threshold;
/// none as long as they do not reach it.
fn crossed<'table>(
    deals: &[Counted],
    table: &'table [ClearinghouseRule],
) -> Option<(Vec<Clocked<'table>>, Clocked<'table>)> {
    let with_clock = |deal: &Counted| {
        let rule = rule_on(table, deal.on)?;
        Some((*deal, rule, clock(deal.on, deal.school, deal.entrance, rule)?))
    };
    let mut ordered: Vec<_> = deals.iter().filter_map(with_clock).collect();
    ordered.sort_by_key(|(deal, ..)| (deal.on, deal.id));
    let mut sum = Cents::ZERO;
    let crossing = ordered.iter().find(|(deal, rule, _)| {
        sum += deal.amount;
        sum >= rule.threshold_cents
    });
    let crossing = crossing.copied()?;
    Some((ordered, crossing))
}

/// A threshold that deals have reached.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// The first day of the rule that says so.
    pub(super) since: Date,
    /// The threshold.
    pub(super) limit: Cents,
    /// The deals that are added up.
    pub(super) deals: Vec<Counted>,
}

/// The threshold that `deals` reach together, with those of them that the rules apply to; none if
/// they do not reach it.
pub(super) fn reached(deals: &[Counted], table: &[ClearinghouseRule]) -> Option<Reached> {
    let (ordered, (_, rule, _)) = crossed(deals, table)?;
    let deals = ordered.into_iter().map(|(deal, ..)| deal).collect();
    Some(Reached { since: rule.from_date, limit: rule.threshold_cents, deals })
}

/// The reportable deals among `deals` with the last day for each: all that the rules apply to, as
/// soon as together they reach the threshold. The deal that crosses it makes the earlier ones
/// reportable, whose clock runs from its signing; the clock of later deals runs from their own
/// signing. Earlier deals of entrants have the entrants' time at least.
pub(super) fn reportable(
    deals: &[Counted],
    table: &[ClearinghouseRule],
) -> BTreeMap<ClearanceId, Date> {
    let Some((ordered, (crossed, crossing_rule, crossing_clock))) = crossed(deals, table) else {
        return BTreeMap::new();
    };
    let mut last_days = BTreeMap::new();
    for (deal, rule, own) in ordered {
        let running = if deal.on < crossed.on {
            business_days_after(crossed.on, crossing_rule.business_days)
        } else {
            business_days_after(deal.on, rule.business_days)
        };
        let last = match (own, crossing_clock) {
            (Clock::Signing, _) => running,
            (Clock::Until(last), Clock::Until(_)) => last,
            (Clock::Until(last), Clock::Signing) => last.max(running),
        };
        // Of the payments of one deal the first one counts.
        last_days.entry(deal.id).or_insert(last);
    }
    last_days
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::disclosures::EntryKind;
    use crate::institutions::Division;

    const fn school(division: Division) -> School {
        School { division, takes_part: true }
    }

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn table() -> Vec<ClearinghouseRule> {
        let rule = |from: &str, cents| ClearinghouseRule {
            from_date: day(from),
            threshold_cents: Cents(cents),
            business_days: 5,
            large_gift_cents: Cents(5_000_000),
            divisions: vec![Division::D1],
            attestation_days: 5,
            entrant_days: 14,
            entrants_from: day("2025-07-01"),
        };
        vec![rule("2025-06-07", 60_000), rule("2030-01-01", 100_000)]
    }

    fn deal(id: i64, on: &str, cents: i64) -> Counted {
        Counted {
            id: ClearanceId::new(id).unwrap(),
            on: day(on),
            amount: Cents(cents),
            school: school(Division::D1),
            entrance: None,
        }
    }

    /// The deal of somebody who enrols on 20 August 2026.
    fn of_entrant(kind: EntryKind, from: &str, deal: Counted) -> Counted {
        let entrance = Entrance {
            kind,
            school: school(Division::D1),
            enrolled_on: day("2026-08-20"),
            counts_from: Some(day(from)),
            first_contest_on: None,
        };
        Counted { entrance: Some(entrance), ..deal }
    }

    fn clocks(deals: &[Counted]) -> Vec<(i64, String)> {
        let all = reportable(deals, &table()).into_iter();
        all.map(|(id, last)| (id.get(), last.to_string())).collect()
    }

    #[test]
    fn six_hundred_dollars_are_the_line() {
        assert!(clocks(&[deal(1, "2026-11-20", 59_999)]).is_empty());
        assert_eq!(clocks(&[deal(1, "2026-11-20", 60_000)]), [(1, "2026-11-30".to_owned())]);
    }

    #[test]
    fn the_deal_that_crosses_the_line_brings_the_earlier_ones_along() {
        let deals = [
            deal(3, "2026-11-25", 100),
            deal(1, "2026-09-01", 20_000),
            deal(2, "2026-11-20", 40_000),
        ];
        let crossed = "2026-11-30".to_owned();
        assert_eq!(
            clocks(&deals),
            [(1, crossed.clone()), (2, crossed), (3, "2026-12-03".to_owned())]
        );
    }

    #[test]
    fn deals_older_than_the_clearinghouse_count_for_nothing() {
        let deals = [deal(1, "2025-06-06", 500_000), deal(2, "2026-01-10", 100)];
        assert!(clocks(&deals).is_empty());
    }

    #[test]
    fn deals_of_a_division_that_does_not_report_count_for_nothing() {
        let elsewhere = Counted { school: school(Division::D2), ..deal(1, "2026-11-20", 59_000) };
        assert!(clocks(&[elsewhere, deal(2, "2026-11-21", 1_000)]).is_empty());
        let all = [elsewhere, deal(2, "2026-11-21", 60_000)];
        assert_eq!(clocks(&all), [(2, "2026-11-30".to_owned())]);
    }

    #[test]
    fn deals_signed_while_the_institution_takes_no_part_count_for_nothing() {
        let away = School { division: Division::D1, takes_part: false };
        let not_then = Counted { school: away, ..deal(1, "2026-11-20", 59_000) };
        assert!(clocks(&[not_then, deal(2, "2026-11-21", 1_000)]).is_empty());
        // It had left when the athlete came.
        let mut entrant =
            of_entrant(EntryKind::HighSchool, "2024-08-12", deal(3, "2026-08-03", 60_000));
        entrant.entrance.as_mut().unwrap().school = away;
        entrant.school = away;
        assert!(clocks(&[entrant]).is_empty());
    }

    #[test]
    fn entrants_have_fourteen_days_for_what_they_signed_since_then() {
        let deals = [
            of_entrant(EntryKind::JuniorCollege, "2026-02-01", deal(1, "2026-01-31", 500_000)),
            of_entrant(EntryKind::JuniorCollege, "2026-02-01", deal(2, "2026-02-01", 30_000)),
            of_entrant(EntryKind::JuniorCollege, "2026-02-01", deal(3, "2026-08-03", 30_000)),
        ];
        let last = "2026-09-03".to_owned();
        assert_eq!(clocks(&deals), [(2, last.clone()), (3, last.clone())]);
        // Crossed only after enrolment: five business days, but the fourteen days at least.
        let later = |on, wanted: &str| {
            let all = [deals[1], deal(4, on, 30_000)];
            assert_eq!(clocks(&all)[0], (2, wanted.to_owned()), "{on}");
        };
        later("2026-08-24", "2026-09-03");
        later("2026-11-20", "2026-11-30");
        // From the portal on, as everybody.
        let portal =
            of_entrant(EntryKind::OtherDivision, "2026-05-01", deal(5, "2026-05-01", 60_000));
        assert_eq!(clocks(&[portal]), [(5, "2026-05-08".to_owned())]);
        let before = Counted { on: day("2026-04-30"), ..portal };
        assert!(clocks(&[before]).is_empty());
        // Who came to a division that does not report is no entrant.
        let mut elsewhere = deals[2];
        elsewhere.entrance.as_mut().unwrap().school = school(Division::D3);
        elsewhere.amount = Cents(60_000);
        assert_eq!(clocks(&[elsewhere]), [(3, "2026-08-10".to_owned())]);
    }

    #[test]
    fn what_is_received_counts_on_its_day() {
        let deals = [deal(1, "2026-11-02", 35_000), deal(1, "2026-11-20", 25_000)];
        assert_eq!(clocks(&deals), [(1, "2026-11-30".to_owned())]);
        // Over the line already: from the first payment on.
        let deals =
            [deal(2, "2026-10-01", 90_000), deal(1, "2026-11-20", 100), deal(1, "2026-12-20", 100)];
        assert_eq!(clocks(&deals)[0], (1, "2026-11-30".to_owned()));
    }

    #[test]
    fn the_threshold_of_the_day_is_what_counts() {
        let deals = [deal(1, "2029-12-01", 30_000), deal(2, "2030-02-01", 40_000)];
        assert!(clocks(&deals).is_empty());
        let deals = [deal(1, "2029-12-01", 30_000), deal(2, "2029-12-31", 30_000)];
        assert_eq!(clocks(&deals).len(), 2);
    }

    proptest! {
        #[test]
        fn it_is_all_or_nothing_and_more_money_never_frees_a_deal(
            deals in prop::collection::vec((0u64..1_500, 1i64..50_000), 1..12),
            more in 0i64..100_000,
        ) {
            let table = vec![table()[0].clone()];
            let on = |days| day("2025-06-07") + chrono::Days::new(days);
            let mut counted: Vec<Counted> = (1..).zip(&deals).map(|(id, (days, cents))| Counted {
                id: ClearanceId::new(id).unwrap(), on: on(*days), amount: Cents(*cents),
                school: school(Division::D1), entrance: None,
            }).collect();
            let sum: i64 = deals.iter().map(|(_, cents)| cents).sum();
            let found = reportable(&counted, &table);
            prop_assert_eq!(found.len(), if sum >= 60_000 { counted.len() } else { 0 });
            for deal in &counted {
                if let Some(last) = found.get(&deal.id) {
                    prop_assert!(*last > deal.on);
                }
            }
            counted[0].amount += Cents(more);
            prop_assert!(reportable(&counted, &table).len() >= found.len());
            // The input order makes no difference.
            let straight = reportable(&counted, &table);
            counted.reverse();
            prop_assert_eq!(straight, reportable(&counted, &table));
        }
    }
}
