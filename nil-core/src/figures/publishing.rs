//! Statistics that an institution may publish: no athlete can be recognised in them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::filter::{Filter, Wanted};
use super::period::{self, Interval, Step};
use super::store;
use super::store::publishing::{self as sums, Cell as Sum, Key};
use super::store::total as totals;
use super::suppression::{ByAthlete, Verdict, verdict};
use crate::auth::PortalUser;
use crate::error::{Error, Result, codes};
use crate::export::{Column, Counter, ExportFormat, Table, send};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CategoryId, Cents, CollegeId, Date, SportId};
use crate::operation::{Cx, Download, Work};
use crate::storage::Session;
use crate::wording;

vocabulary! {
    /// How published statistics are divided.
    PublishedBy {
        /// By the athletes' sport.
        Sport = "sport",
        /// By the category of the job.
        Category = "category",
        /// By calendar month.
        Month = "month",
    }
}

/// The statistics to publish.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct PublishStatistics {
    /// The groups (default: by sport).
    pub by: Option<PublishedBy>,
    /// The academic year, named by the calendar year in which it begins on 1 July (default: the last one that is over).
    #[schemars(extend("examples" = [2024]))]
    pub academic_year: Option<i32>,
}

/// The figures of a group. Sums and medians are of gross amounts, rounded to two digits and whole five dollars.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PublishedGroup {
    /// The sport, the category, or the month as `2026-07`.
    pub name: String,
    /// The number of deals' payments, and of disclosed deals.
    pub deals: i64,
    /// The number of different athletes.
    pub athletes: i64,
    /// Their sum.
    pub gross_cents: Cents,
    /// Their median.
    pub median_cents: Cents,
}

/// Statistics of an academic year in which no athlete can be recognised.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PublishedStatistics {
    /// The institution.
    pub college_id: CollegeId,
    /// The first day of the academic year.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// The groups.
    pub by: PublishedBy,
    /// The fewest athletes that a figure stands for (k): the institution's setting `smallest_group`.
    pub smallest_group: i64,
    /// All groups together; null if they are too few athletes, or nearly one.
    pub all: Option<PublishedGroup>,
    /// The groups that can be shown; months in their order, others by name.
    pub groups: Vec<PublishedGroup>,
    /// How many groups with deals are left out: those of too few athletes or with one who is nearly all of it, and
    /// others without which these would follow from the total.
    pub suppressed: i64,
    /// The same in words, to be published with the figures.
    pub note: String,
}

/// Returns statistics of an academic year by sport, category or month, in which no athlete can be recognised: each figure
/// stands for as many athletes as the institution's `smallest_group` says or more, and figures left out do not follow
/// from those shown. 403 for users limited to certain sports: the figures are of the whole institution. 422 for a year
/// that is not over: figures of a growing period would give away what came in between. Recorded in the audit trail.
pub async fn statistics(
    cx: Cx<PortalUser>,
    input: PublishStatistics,
) -> Result<PublishedStatistics> {
    let mut work = cx.look().await?;
    let statistics = published(&cx, &mut work, input).await?;
    work.seen().await?;
    Ok(statistics)
}

/// Exports the same statistics as CSV: the groups, then all together, then how many groups are left out. Recorded in the
/// audit trail.
pub async fn export(cx: Cx<PortalUser>, input: PublishStatistics) -> Result<Download> {
    let mut work = cx.look().await?;
    let statistics = published(&cx, &mut work, input).await?;
    work.seen().await?;
    let name = format!("statistics-by-{}-{}", statistics.by, statistics.from.format("%Y"));
    let table = Published::of(statistics);
    Ok(send(cx.platform(), &name, ExportFormat::Csv, table, Counter::default()))
}

async fn published(
    cx: &Cx<PortalUser>,
    work: &mut Work,
    input: PublishStatistics,
) -> Result<PublishedStatistics> {
    let wanted = of_everybody(cx, work).await?;
    let (from, to) = year(&wanted, input.academic_year)?;
    let wanted = wanted.within((from, to));
    let college = wanted.college;
    let least = sums::smallest_group(work, college).await?;
    let by = input.by.unwrap_or(PublishedBy::Sport);
    let what = json!({ "by": by, "from": from, "to": to, "smallest_group": least });
    work.note_change(college, "statistics_published", None, what);
    let (steps, _) = period::steps((from, to), Interval::Month, wanted.zone, 12);
    let named = named(work, &wanted, by, &steps).await?;
    let places: Vec<Option<i64>> = named.keys().map(|(_, key)| *key).collect();
    let mut by_athlete: BTreeMap<Option<i64>, ByAthlete> = BTreeMap::new();
    let mut deals: BTreeMap<Option<i64>, (i64, i64)> = BTreeMap::new();
    let key = Key { by, steps: &steps };
    for Sum { key, athlete_id, count, gross_cents } in sums::by_athlete(work, &wanted, key).await? {
        by_athlete.entry(key).or_default().insert(athlete_id, gross_cents.get());
        let whole = deals.entry(key).or_default();
        *whole = (whole.0 + count, whole.1.saturating_add(gross_cents.get()));
    }
    let groups: Vec<ByAthlete> =
        places.iter().filter_map(|key| by_athlete.get(key)).cloned().collect();
    let present: Vec<(&String, Option<i64>)> = named
        .iter()
        .filter(|((_, key), _)| by_athlete.contains_key(key))
        .map(|((_, key), name)| (name, *key))
        .collect();
    let medians = sums::medians(work, &wanted, key).await?;
    let hidden = match verdict(&groups, usize::try_from(least).unwrap_or(usize::MAX)) {
        Verdict::Nothing => None,
        Verdict::Without(hidden) => Some(hidden),
    };
    let mut shown = Vec::new();
    for (place, ((name, key), group)) in present.iter().zip(&groups).enumerate() {
        if hidden.as_ref().is_none_or(|hidden| hidden.contains(&place)) {
            continue;
        }
        let (count, gross) = deals.get(key).copied().unwrap_or_default();
        let median = medians.get(key).copied().unwrap_or_default();
        shown.push(rounded((*name).clone(), count, group, gross, median));
    }
    let all = match hidden {
        None => None,
        Some(_) => Some(together(work, &wanted, &groups, &deals).await?),
    };
    let suppressed = i64::try_from(groups.len() - shown.len()).map_err(Error::internal)?;
    let note = note(least, suppressed, all.is_some());
    Ok(PublishedStatistics {
        college_id: college,
        from,
        to,
        by,
        smallest_group: least,
        all,
        groups: shown,
        suppressed,
        note,
    })
}

/// The whole institution; 403 for a caller who is limited to certain sports.
pub(super) async fn of_everybody(cx: &Cx<PortalUser>, session: &mut Session) -> Result<Wanted> {
    if !cx.caller.sports.is_empty() {
        let message = "What is given to the public is of all sports; you are limited to some.";
        return Err(codes::FORBIDDEN.saying(message));
    }
    Wanted::of(cx, session, Filter::default()).await
}

/// The first and the last day of an academic year that is over.
fn year(wanted: &Wanted, asked: Option<i32>) -> Result<(Date, Date)> {
    let (from, to) = period::DatePreset::LastAcademicYear.days(wanted.today());
    let last = from.zip(to).ok_or_else(|| Error::internal("a year without days"))?;
    let Some(year) = asked else {
        return Ok(last);
    };
    let from = Date::from_ymd_opt(year, 7, 1);
    let to = Date::from_ymd_opt(year.saturating_add(1), 6, 30);
    let over = from.zip(to).filter(|(from, to)| *to <= last.1 && *from >= Date::default());
    over.ok_or_else(|| Error::invalid("academic_year", "must be a year that is over, from 1970"))
}

/// The names of all groups, in their order: the place or the name, and the key.
type Named = BTreeMap<(String, Option<i64>), String>;

async fn named(
    session: &mut Session,
    wanted: &Wanted,
    by: PublishedBy,
    steps: &[Step],
) -> Result<Named> {
    let mut named = Named::new();
    match by {
        PublishedBy::Month => {
            for (place, step) in (0_i64..).zip(steps) {
                let name = step.starts_on.format("%Y-%m").to_string();
                named.insert((name.clone(), Some(place)), name);
            }
        }
        PublishedBy::Sport => {
            for group in totals::by_sport(session, wanted).await? {
                let name = match group.key {
                    Some(id) => store::sport_name(session, id).await?,
                    None => "No sport".to_owned(),
                };
                named.insert((name.clone(), group.key.map(SportId::get)), name);
            }
        }
        PublishedBy::Category => {
            for store::Category { id, name, .. } in store::categories(session).await? {
                named.insert((name.clone(), Some(CategoryId::get(id))), name);
            }
        }
    }
    Ok(named)
}

fn rounded(
    name: String,
    deals: i64,
    athletes: &ByAthlete,
    gross: i64,
    median: Cents,
) -> PublishedGroup {
    PublishedGroup {
        name,
        deals,
        athletes: i64::try_from(athletes.len()).unwrap_or(i64::MAX),
        gross_cents: Cents(gross).rounded(),
        median_cents: median.rounded(),
    }
}

async fn together(
    session: &mut Session,
    wanted: &Wanted,
    groups: &[ByAthlete],
    deals: &BTreeMap<Option<i64>, (i64, i64)>,
) -> Result<PublishedGroup> {
    let mut athletes = ByAthlete::new();
    for group in groups {
        athletes.extend(group);
    }
    let count = deals.values().map(|(count, _)| count).sum();
    let gross = deals.values().map(|(_, gross)| gross).sum();
    let middle = totals::middle(session, wanted, count).await?;
    let size = i64::try_from(middle.len().max(1)).map_err(Error::internal)?;
    let median = Cents(middle.iter().map(|cents| cents.get() / size).sum());
    Ok(rounded("All".to_owned(), count, &athletes, gross, median))
}

fn note(least: i64, suppressed: i64, any: bool) -> String {
    let rule = format!(
        "Every figure stands for at least {least} athletes; sums and medians are rounded. Payments on the platform and \
         deals disclosed to the institution are counted, without those that were rejected, withdrawn or failed."
    );
    if !any {
        return format!(
            "The figures of this year stand for too few athletes to be published. {rule}"
        );
    }
    let groups = match suppressed {
        0 => "No group is left out.".to_owned(),
        1 => "1 group is left out".to_owned(),
        many => format!("{many} groups are left out"),
    };
    let why = if suppressed == 0 {
        ""
    } else {
        ", because it would show too few athletes or let others be computed; it is part of the total."
    };
    format!("{groups}{why} {rule}")
}

/// Published statistics as a table.
#[derive(Clone, Debug)]
struct Published(Vec<Line>);

/// A line of the table: a group, or a remark.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    group: Option<PublishedGroup>,
}

impl Published {
    fn of(statistics: PublishedStatistics) -> Self {
        let line = |group: PublishedGroup| Line { name: group.name.clone(), group: Some(group) };
        let mut lines: Vec<Line> = statistics.groups.into_iter().map(line).collect();
        lines.extend(statistics.all.map(line));
        let days = (wording::day(statistics.from), wording::day(statistics.to));
        let note = format!("{} to {}. {}", days.0, days.1, statistics.note);
        lines.push(Line { name: note, group: None });
        Self(lines)
    }
}

impl Table for Published {
    type Row = Line;

    const COLUMNS: &'static [Column<Line>] = &[
        Column("Group", |line| (&line.name).into()),
        Column("Deals", |line| line.group.as_ref().map(|group| group.deals).into()),
        Column("Athletes", |line| line.group.as_ref().map(|group| group.athletes).into()),
        Column("Sum", |line| line.group.as_ref().map(|group| group.gross_cents).into()),
        Column("Median", |line| line.group.as_ref().map(|group| group.median_cents).into()),
        Column("Currency", |line| line.group.as_ref().map(|_| "usd").into()),
    ];

    async fn next(&self, _: &mut Session, after: Option<&Line>, _: u64) -> Result<Vec<Line>> {
        Ok(if after.is_some() { Vec::new() } else { self.0.clone() })
    }
}
