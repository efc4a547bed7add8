//! Totals, averages and medians; rankings of athletes and teams.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{Filtered, Wanted};
use super::period::{self, Interval};
use super::rollup::month::Month;
use super::rollup::store::total::{self as totals, Ranked};
use super::rollup::sums::{Group, MonthGroup, Overall, Sums};
use super::transaction::TransactionSource;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{
    AthleteId, BasisPoints, Cents, Date, Nothing, PerPage, RATE_FORMAT, SportId, proportion,
};
use crate::operation::Cx;

/// The maximum number of months in a summary; the newest are kept.
const MONTHS: usize = 240;

/// The totals of some transactions. Averages and medians are of gross amounts, in whole cents;
/// halves are rounded to the even cent.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Figures {
    /// The number of transactions.
    pub count: i64,
    /// The number of different athletes.
    pub athletes: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// The total of the platform's fees.
    pub fee_cents: Cents,
    /// What the athletes get, less their agents' commissions.
    pub net_cents: Cents,
    /// How much of the gross was refunded.
    pub refunded_cents: Cents,
    /// The average gross amount.
    pub average_cents: Cents,
    /// The median gross amount.
    pub median_cents: Cents,
}

/// The totals of a month. Averages and medians are those of [`Figures`].
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct MonthFigures {
    /// The first day of the month, in the institution's time zone.
    pub starts_on: Date,
    /// The number of transactions.
    pub count: i64,
    /// The number of different athletes.
    pub athletes: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// The total of the platform's fees.
    pub fee_cents: Cents,
    /// What the athletes get, less their agents' commissions.
    pub net_cents: Cents,
    /// How much of the gross was refunded.
    pub refunded_cents: Cents,
    /// The average gross amount.
    pub average_cents: Cents,
    /// The median gross amount.
    pub median_cents: Cents,
}

/// The totals of one source of deals.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SourceFigures {
    /// The source.
    pub source: TransactionSource,
    /// The number of transactions.
    pub count: i64,
    /// The number of different athletes.
    pub athletes: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// The total of the platform's fees.
    pub fee_cents: Cents,
    /// What the athletes get, less their agents' commissions.
    pub net_cents: Cents,
    /// How much of the gross was refunded.
    pub refunded_cents: Cents,
    /// Their share of the total gross amount.
    pub share_basis_points: BasisPoints,
}

/// The totals of the previous period.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PreviousFigures {
    /// Its first day.
    pub from: Date,
    /// Its last day, the day before the period begins.
    pub to: Date,
    /// The totals.
    #[serde(flatten)]
    pub figures: Figures,
    /// The growth of the gross amount since then, in basis points (−10,000 is down to nothing);
    /// null if it was 0.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub gross_growth_basis_points: Option<i64>,
    /// The growth of the number of transactions since then, in basis points; null if it was 0.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub count_growth_basis_points: Option<i64>,
}

/// A summary of transactions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Summary {
    /// The first day counted; null if unlimited.
    pub from: Option<Date>,
    /// The last day counted; null if unlimited.
    pub to: Option<Date>,
    /// The institution's time zone, which defines days and months.
    #[schemars(extend("examples" = ["America/Chicago"]))]
    pub time_zone: String,
    /// The currency, `usd`.
    #[schemars(extend("examples" = ["usd"]))]
    pub currency: &'static str,
    /// The totals of all transactions.
    pub totals: Figures,
    /// All months without gaps, the newest 240 of them. Without `from`, from the first month with a
    /// transaction; without `to`, to the current month or the last one with a transaction.
    pub by_month: Vec<MonthFigures>,
    /// Totals by source; always both sources.
    pub by_source: Vec<SourceFigures>,
    /// The previous period of equal length; null without `from`. Without `to`, the period ends
    /// today.
    pub previous: Option<PreviousFigures>,
}

/// Summarizes transactions of the institution's athletes: by month, by source, and compared with
/// the previous period.
pub async fn summary(cx: Cx<PortalUser>, input: Filtered<Nothing>) -> Result<Summary> {
    let (mut session, wanted) = Wanted::summing(&cx, input.shared).await?;
    let overall = totals::overall(&mut session, &wanted).await?;
    let now = figures(&overall);
    let previous = match wanted.from {
        Some(from) => period::before((from, wanted.to.unwrap_or(wanted.today()).max(from))),
        None => None,
    };
    let previous = match previous {
        Some(days) => {
            let before = wanted.within(days);
            let overall = totals::overall(&mut session, &before).await?;
            let then = figures(&overall);
            Some(PreviousFigures {
                from: days.0,
                to: days.1,
                figures: then,
                gross_growth_basis_points: growth(then.gross_cents.get(), now.gross_cents.get()),
                count_growth_basis_points: growth(then.count, now.count),
            })
        }
        None => None,
    };
    Ok(Summary {
        from: wanted.from,
        to: wanted.to,
        time_zone: wanted.zone.name().to_owned(),
        currency: "usd",
        by_source: by_source(&overall.sources, now.gross_cents),
        by_month: by_month(&wanted, overall.months),
        totals: now,
        previous,
    })
}

fn figures(overall: &Overall) -> Figures {
    let mut sums = Sums::default();
    for source in &overall.sources {
        sums += source.sums;
    }
    Figures {
        count: sums.count,
        athletes: overall.athletes,
        gross_cents: sums.gross_cents,
        fee_cents: sums.fee_cents,
        net_cents: sums.net_cents,
        refunded_cents: sums.refunded_cents,
        average_cents: proportion(sums.gross_cents, 1, sums.count),
        median_cents: median(&overall.middle),
    }
}

/// The median from the middle amounts: the mean of two, halves rounded to the even cent.
fn median(middle: &[Cents]) -> Cents {
    let count = i64::try_from(middle.len()).unwrap_or_default();
    proportion(middle.iter().copied().sum(), 1, count)
}

fn growth(then: i64, now: i64) -> Option<i64> {
    (then != 0).then(|| proportion(Cents(now.saturating_sub(then)), 10_000, then).get())
}

fn by_source(sources: &[Group<TransactionSource>], all: Cents) -> Vec<SourceFigures> {
    let of = |source: &TransactionSource| {
        let group = sources.iter().find(|group| group.key == *source);
        let sums = group.map_or_else(Sums::default, |group| group.sums);
        SourceFigures {
            source: *source,
            count: sums.count,
            athletes: group.map_or(0, |group| group.athletes),
            gross_cents: sums.gross_cents,
            fee_cents: sums.fee_cents,
            net_cents: sums.net_cents,
            refunded_cents: sums.refunded_cents,
            share_basis_points: share(sums.gross_cents, all),
        }
    };
    TransactionSource::ALL.iter().map(of).collect()
}

/// A part's share of a whole, in basis points; 0 if the whole is 0.
pub(super) fn share(part: Cents, whole: Cents) -> BasisPoints {
    let share = proportion(Cents(10_000), part.get(), whole.get()).get();
    BasisPoints::new(share).unwrap_or_default()
}

fn by_month(wanted: &Wanted, groups: Vec<MonthGroup>) -> Vec<MonthFigures> {
    let (from, to) = match (wanted.from, wanted.to) {
        (Some(from), Some(to)) => (from, to),
        (from, to) => {
            let days = || groups.iter().filter_map(|month| month.group.key.first_day());
            let today = wanted.today();
            let Some(first) = from.or_else(|| days().min()) else {
                return Vec::new();
            };
            let last = days().max().map_or(today, |last| last.max(today));
            (first, to.unwrap_or(last).max(first))
        }
    };
    let (steps, _) = period::steps((from, to), Interval::Month, wanted.zone, MONTHS);
    let found: HashMap<Month, MonthGroup> =
        groups.into_iter().map(|month| (month.group.key, month)).collect();
    let months = steps.iter().map(|step| {
        let found = found.get(&Month::of_day(step.starts_on));
        let sums = found.map_or_else(Sums::default, |month| month.group.sums);
        MonthFigures {
            starts_on: step.starts_on,
            count: sums.count,
            athletes: found.map_or(0, |month| month.group.athletes),
            gross_cents: sums.gross_cents,
            fee_cents: sums.fee_cents,
            net_cents: sums.net_cents,
            refunded_cents: sums.refunded_cents,
            average_cents: proportion(sums.gross_cents, 1, sums.count),
            median_cents: found.map_or(Cents(0), |month| median(&month.middle)),
        }
    });
    months.collect()
}

/// The size of a ranking.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct Rank {
    /// The number of rows, from the top.
    pub limit: Option<PerPage>,
}

/// An athlete in a ranking.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RankedAthlete {
    /// The rank, from 1. Equal totals are ordered by count, then by id.
    pub rank: i64,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The display name.
    pub athlete: String,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// The number of transactions.
    pub count: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// What the athlete gets, less an agent's commission.
    pub net_cents: Cents,
    /// Their share of the gross amount of all athletes, shown or not.
    pub share_basis_points: BasisPoints,
}

/// A team in a ranking.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RankedTeam {
    /// The rank, from 1. Equal totals are ordered by count, then by id.
    pub rank: i64,
    /// The sport; null for athletes without one.
    pub sport_id: Option<SportId>,
    /// Its name.
    pub team: String,
    /// The number of different athletes.
    pub athletes: i64,
    /// The number of transactions.
    pub count: i64,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// What the athletes get, less their agents' commissions.
    pub net_cents: Cents,
    /// Its share of the gross amount of all teams, shown or not.
    pub share_basis_points: BasisPoints,
}

/// Ranks the athletes of the institution by gross amount, highest first.
pub async fn top_athletes(cx: Cx<PortalUser>, input: Filtered<Rank>) -> Result<Vec<RankedAthlete>> {
    let (input, filter) = input.parts();
    let (mut session, wanted) = Wanted::summing(&cx, filter).await?;
    let all = totals::gross(&mut session, &wanted).await?;
    let found = totals::top_athletes(&mut session, &wanted, most(input)).await?;
    let ranked = (1_i64..).zip(found).map(|(rank, row): (_, Ranked<AthleteId>)| RankedAthlete {
        rank,
        athlete_id: row.group.key,
        athlete: row.name.unwrap_or_default(),
        sport_id: row.sport_id,
        sport: row.sport,
        count: row.group.sums.count,
        gross_cents: row.group.sums.gross_cents,
        net_cents: row.group.sums.net_cents,
        share_basis_points: share(row.group.sums.gross_cents, all),
    });
    Ok(ranked.collect())
}

/// Ranks the teams of the institution by gross amount, highest first. A team is a sport: men's and
/// women's teams are separate sports.
pub async fn top_teams(cx: Cx<PortalUser>, input: Filtered<Rank>) -> Result<Vec<RankedTeam>> {
    let (input, filter) = input.parts();
    let (mut session, wanted) = Wanted::summing(&cx, filter).await?;
    let all = totals::gross(&mut session, &wanted).await?;
    let found = totals::top_teams(&mut session, &wanted, most(input)).await?;
    let ranked = (1_i64..).zip(found).map(|(rank, row): (_, Ranked<Option<SportId>>)| RankedTeam {
        rank,
        sport_id: row.sport_id,
        team: row.name.unwrap_or_else(|| "No team".into()),
        athletes: row.group.athletes,
        count: row.group.sums.count,
        gross_cents: row.group.sums.gross_cents,
        net_cents: row.group.sums.net_cents,
        share_basis_points: share(row.group.sums.gross_cents, all),
    });
    Ok(ranked.collect())
}

fn most(input: Rank) -> u64 {
    input.limit.unwrap_or_default().get().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shares_and_growth_are_whole_basis_points() {
        assert_eq!(share(Cents(1), Cents(3)).get(), 3_333);
        assert_eq!(share(Cents(0), Cents(0)).get(), 0);
        assert_eq!(growth(0, 5), None);
        assert_eq!(growth(200, 100), Some(-5_000));
        assert_eq!(growth(100, 350), Some(25_000));
    }

    #[test]
    fn a_median_of_two_is_their_mean_and_halves_go_to_the_even_cent() {
        assert_eq!(median(&[]), Cents(0));
        assert_eq!(median(&[Cents(7)]), Cents(7));
        assert_eq!(median(&[Cents(2), Cents(3)]), Cents(2));
        assert_eq!(median(&[Cents(3), Cents(4)]), Cents(4));
    }

    proptest! {
        #[test]
        fn shares_never_come_to_more_than_everything_but_for_rounding(
            parts in prop::collection::vec(0i64..1_000_000_000, 1..40),
        ) {
            let whole: Cents = parts.iter().copied().map(Cents).sum();
            let sum: i64 = parts.iter().map(|part| share(Cents(*part), whole).get()).sum();
            let slack = i64::try_from(parts.len()).unwrap();
            prop_assert!(whole == Cents(0) || (sum - 10_000).abs() <= slack);
        }
    }
}
