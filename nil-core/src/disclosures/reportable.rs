//! Which deals must be submitted to the clearinghouse. Pure: takes the deals of one athlete with one group of
//! companies, and returns the reportable ones, each with the day its clock runs from.

use std::collections::BTreeMap;

use super::due::{ClearinghouseRule, rule_on};
use crate::institutions::Division;
use crate::kernel::{Cents, ClearanceId, Date};

/// A deal that counts towards the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// Its clearance.
    pub(super) id: ClearanceId,
    /// The day both sides had agreed.
    pub(super) signed_on: Date,
    /// The total value.
    pub(super) amount: Cents,
    /// The division of the athlete's institution.
    pub(super) division: Division,
}

/// The reportable deals among `deals`: all that the rules apply to, as soon as together they reach the threshold. The deal that crosses
/// it makes the earlier ones reportable, whose clock runs from its signing; the clock of later deals runs from their
/// own signing.
pub(super) fn reportable<'t>(
    deals: &[Counted],
    table: &'t [ClearinghouseRule],
) -> BTreeMap<ClearanceId, (Date, &'t ClearinghouseRule)> {
    let rule_of = |deal: &Counted| {
        rule_on(table, deal.signed_on).filter(|rule| rule.applies_to(deal.division))
    };
    let mut ordered: Vec<(&Counted, &ClearinghouseRule)> =
        deals.iter().filter_map(|deal| Some((deal, rule_of(deal)?))).collect();
    ordered.sort_by_key(|(deal, _)| (deal.signed_on, deal.id));
    let mut sum = Cents::ZERO;
    let crossing = ordered.iter().find_map(|(deal, rule)| {
        sum += deal.amount;
        (sum >= rule.threshold_cents).then_some((deal.signed_on, *rule))
    });
    let Some((crossed_on, crossing_rule)) = crossing else {
        return BTreeMap::new();
    };
    ordered
        .into_iter()
        .map(|(deal, rule)| {
            let clock = if deal.signed_on < crossed_on {
                (crossed_on, crossing_rule)
            } else {
                (deal.signed_on, rule)
            };
            (deal.id, clock)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        };
        vec![rule("2025-06-07", 60_000), rule("2030-01-01", 100_000)]
    }

    fn deal(id: i64, on: &str, cents: i64) -> Counted {
        Counted {
            id: ClearanceId::new(id).unwrap(),
            signed_on: day(on),
            amount: Cents(cents),
            division: Division::D1,
        }
    }

    fn clocks(deals: &[Counted]) -> Vec<(i64, String)> {
        let all = reportable(deals, &table()).into_iter();
        all.map(|(id, (from, _))| (id.get(), from.to_string())).collect()
    }

    #[test]
    fn six_hundred_dollars_are_the_line() {
        assert!(clocks(&[deal(1, "2026-11-20", 59_999)]).is_empty());
        assert_eq!(clocks(&[deal(1, "2026-11-20", 60_000)]), [(1, "2026-11-20".to_owned())]);
    }

    #[test]
    fn the_deal_that_crosses_the_line_brings_the_earlier_ones_along() {
        let deals = [
            deal(3, "2026-11-25", 100),
            deal(1, "2026-09-01", 20_000),
            deal(2, "2026-11-20", 40_000),
        ];
        let crossed = "2026-11-20".to_owned();
        assert_eq!(
            clocks(&deals),
            [(1, crossed.clone()), (2, crossed), (3, "2026-11-25".to_owned())]
        );
    }

    #[test]
    fn deals_older_than_the_clearinghouse_count_for_nothing() {
        let deals = [deal(1, "2025-06-06", 500_000), deal(2, "2026-01-10", 100)];
        assert!(clocks(&deals).is_empty());
    }

    #[test]
    fn deals_of_a_division_that_does_not_report_count_for_nothing() {
        let elsewhere = Counted { division: Division::D2, ..deal(1, "2026-11-20", 59_000) };
        assert!(clocks(&[elsewhere, deal(2, "2026-11-21", 1_000)]).is_empty());
        let all = [elsewhere, deal(2, "2026-11-21", 60_000)];
        assert_eq!(clocks(&all), [(2, "2026-11-21".to_owned())]);
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
                id: ClearanceId::new(id).unwrap(), signed_on: on(*days), amount: Cents(*cents),
                division: Division::D1,
            }).collect();
            let sum: i64 = deals.iter().map(|(_, cents)| cents).sum();
            let found = reportable(&counted, &table);
            prop_assert_eq!(found.len(), if sum >= 60_000 { counted.len() } else { 0 });
            for deal in &counted {
                if let Some((from, _)) = found.get(&deal.id) {
                    prop_assert!(*from >= deal.signed_on);
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
