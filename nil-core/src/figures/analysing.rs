//! Activity by sport, payment type and category, and counts over time. Groups and steps without
//! activity are included, with zeros.

use std::collections::HashMap;

use chrono::{Days, Months};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filter::{Filtered, Wanted};
use super::period::{self, Interval};
use super::rollup::store::total as totals;
use super::rollup::sums::{Group, Sums};
use super::store::application as applications;
use super::{statistics, store};
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::jobs::Compensation;
use crate::kernel::{BasisPoints, CategoryId, Cents, Date, Nothing, SportId};
use crate::operation::Cx;

/// The maximum number of points of a series.
const POINTS: usize = 1_000;

/// The activity of a sport.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SportActivity {
    /// The sport; null for athletes without one.
    pub sport_id: Option<SportId>,
    /// Its name.
    pub sport: String,
    /// The number of transactions.
    pub activity: i64,
    /// What the athletes got, less their agents' commissions.
    pub earnings_cents: Cents,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// The number of different athletes.
    pub athletes: i64,
    /// Its share of the total gross amount.
    pub share_basis_points: BasisPoints,
}

/// The activity of a payment type.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PaymentTypeActivity {
    /// The kind of compensation.
    pub payment_type: Compensation,
    /// The number of transactions.
    pub activity: i64,
    /// What the athletes got, less their agents' commissions.
    pub earnings_cents: Cents,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// The number of different athletes.
    pub athletes: i64,
    /// Its share of the total gross amount.
    pub share_basis_points: BasisPoints,
}

/// The activity of a category.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CategoryActivity {
    /// The category of jobs.
    pub category_id: CategoryId,
    /// Its name.
    pub category: String,
    /// The number of transactions.
    pub activity: i64,
    /// What the athletes got, less their agents' commissions.
    pub earnings_cents: Cents,
    /// The total gross amount.
    pub gross_cents: Cents,
    /// The number of different athletes.
    pub athletes: i64,
    /// Its share of the total gross amount.
    pub share_basis_points: BasisPoints,
}

/// Indexes groups by their key, and returns their total gross amount.
fn keyed<K: Eq + std::hash::Hash + Copy>(groups: Vec<Group<K>>) -> (HashMap<K, Group<K>>, Cents) {
    let all = groups.iter().map(|group| group.sums.gross_cents).sum();
    let keyed = groups.into_iter().map(|group| (group.key, group));
    (keyed.collect(), all)
}

fn of<K: Eq + std::hash::Hash>(groups: &HashMap<K, Group<K>>, key: &K) -> (Sums, i64) {
    let group = groups.get(key);
    group.map_or_else(Default::default, |group| (group.sums, group.athletes))
}

/// Returns activity and earnings by sport: every active sport within the filter, busiest first.
pub async fn by_sport(cx: Cx<PortalUser>, input: Filtered<Nothing>) -> Result<Vec<SportActivity>> {
    let (mut session, wanted) = Wanted::summing(&cx, input.shared).await?;
    let (groups, all) = keyed(totals::by_sport(&mut session, &wanted).await?);
    let asked = |id: &SportId| {
        let among = |some: &[SportId]| some.is_empty() || some.contains(id);
        among(&wanted.sports) && among(&wanted.limited_to)
    };
    let sports = store::sports(&mut session).await?;
    let mut named: Vec<_> = sports
        .into_iter()
        .filter(|sport| asked(&sport.id))
        .map(|sport| (Some(sport.id), sport.name))
        .collect();
    for key in groups.keys() {
        if !named.iter().any(|(id, _)| id == key) {
            let name = match key {
                Some(id) => store::sport_name(&mut session, *id).await?,
                None => "No sport".into(),
            };
            named.push((*key, name));
        }
    }
    let mut rows: Vec<_> = named
        .into_iter()
        .map(|(sport_id, sport)| {
            let (sums, athletes) = of(&groups, &sport_id);
            SportActivity {
                sport_id,
                sport,
                activity: sums.count,
                earnings_cents: sums.net_cents,
                gross_cents: sums.gross_cents,
                athletes,
                share_basis_points: statistics::share(sums.gross_cents, all),
            }
        })
        .collect();
    rows.sort_by(|a, b| {
        let busiest = (b.gross_cents, b.activity).cmp(&(a.gross_cents, a.activity));
        busiest.then_with(|| a.sport.cmp(&b.sport))
    });
    Ok(rows)
}

/// Returns activity by kind of compensation: every kind, in the order of the API documents.
pub async fn by_payment_type(
    cx: Cx<PortalUser>,
    input: Filtered<Nothing>,
) -> Result<Vec<PaymentTypeActivity>> {
    let (mut session, wanted) = Wanted::summing(&cx, input.shared).await?;
    let (groups, all) = keyed(totals::by_payment_type(&mut session, &wanted).await?);
    let rows = Compensation::ALL.iter().map(|kind| {
        let (sums, athletes) = of(&groups, kind);
        PaymentTypeActivity {
            payment_type: *kind,
            activity: sums.count,
            earnings_cents: sums.net_cents,
            gross_cents: sums.gross_cents,
            athletes,
            share_basis_points: statistics::share(sums.gross_cents, all),
        }
    });
    Ok(rows.collect())
}

/// Returns activity by job category: every active category within the filter, busiest first.
pub async fn by_category(
    cx: Cx<PortalUser>,
    input: Filtered<Nothing>,
) -> Result<Vec<CategoryActivity>> {
    let (mut session, wanted) = Wanted::summing(&cx, input.shared).await?;
    let (groups, all) = keyed(totals::by_category(&mut session, &wanted).await?);
    let asked = |id: &CategoryId| wanted.categories.is_empty() || wanted.categories.contains(id);
    let categories = store::categories(&mut session).await?;
    let shown = categories.into_iter().filter(|category| {
        groups.contains_key(&category.id) || category.active && asked(&category.id)
    });
    let mut rows: Vec<_> = shown
        .map(|category| {
            let (sums, athletes) = of(&groups, &category.id);
            CategoryActivity {
                category_id: category.id,
                category: category.name,
                activity: sums.count,
                earnings_cents: sums.net_cents,
                gross_cents: sums.gross_cents,
                athletes,
                share_basis_points: statistics::share(sums.gross_cents, all),
            }
        })
        .collect();
    rows.sort_by(|a, b| {
        let busiest = (b.gross_cents, b.activity).cmp(&(a.gross_cents, a.activity));
        busiest.then_with(|| a.category.cmp(&b.category))
    });
    Ok(rows)
}

/// The steps of an application series.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct CountApplications {
    /// The length of a step (default: `month`).
    pub interval: Option<Interval>,
}

/// One step of a series.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ApplicationPoint {
    /// The first day of the step: the day itself, a Monday, or the first of a month. The first and
    /// the last step are cut off at the ends of the period.
    pub starts_on: Date,
    /// How many different athletes applied.
    pub athletes: i64,
    /// How many applications were made; an invitation counts once it was accepted.
    pub applications: i64,
    /// How many athletes were hired.
    pub hires: i64,
}

/// Counts over time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ApplicationSeries {
    /// The length of a step.
    pub interval: Interval,
    /// The first day counted.
    pub from: Date,
    /// The last day counted.
    pub to: Date,
    /// The institution's time zone, which defines days.
    #[schemars(extend("examples" = ["America/Chicago"]))]
    pub time_zone: String,
    /// All steps without gaps, oldest first.
    pub points: Vec<ApplicationPoint>,
}

/// Returns how many athletes applied, how many applications they made and how many were hired, over
/// time. Without `from`, the last thirty days, twelve weeks or twelve months, in whole steps;
/// without `to`, until today. 422 for more than 1,000 steps. `statuses` and `flags` belong to
/// transactions and have no effect here; `sources` without `platform` gives zeros; `min_cents` and
/// `max_cents` apply to the amount the athlete proposed, or else the job's.
pub async fn applications_over_time(
    cx: Cx<PortalUser>,
    input: Filtered<CountApplications>,
) -> Result<ApplicationSeries> {
    let (input, filter) = input.parts();
    let mut session = cx.read().await?;
    let wanted = Wanted::of(&cx, &mut session, filter).await?;
    let interval = input.interval.unwrap_or(Interval::Month);
    let to = wanted.to.unwrap_or(wanted.today());
    let usual = match interval {
        Interval::Day => to.checked_sub_days(Days::new(29)),
        Interval::Week => to.checked_sub_days(Days::new(7 * 11)),
        Interval::Month => to.checked_sub_months(Months::new(11)),
    };
    let usual = usual.map(|day| interval.first(day));
    let from = wanted.from.or(usual).unwrap_or(to);
    if to < from {
        return Err(Error::invalid("from", "must not be in the future"));
    }
    let (steps, more) = period::steps((from, to), interval, wanted.zone, POINTS);
    if more {
        let many = format!("gives more than {POINTS} steps; choose a longer interval");
        return Err(Error::invalid("interval", many));
    }
    let applied = applications::applied(&mut session, &wanted, &steps).await?;
    let hired = applications::hired(&mut session, &wanted, &steps).await?;
    let points = (0_i64..).zip(&steps).map(|(place, step)| {
        let (applications, athletes) = applied.get(&place).copied().unwrap_or_default();
        ApplicationPoint {
            starts_on: step.starts_on,
            athletes,
            applications,
            hires: hired.get(&place).copied().unwrap_or_default(),
        }
    });
    Ok(ApplicationSeries {
        interval,
        from,
        to,
        time_zone: wanted.zone.name().to_owned(),
        points: points.collect(),
    })
}
