//! Statistics that an institution may publish: no athlete can be recognised in them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::filter::{Filter, Wanted};
use super::period::{self, Interval, Step};
use super::published::{PublishedBy, PublishedGroup, PublishedStatistics};
use super::store;
use super::store::publishing::{self as sums, Counted, Key};
use super::suppression::{ByAthlete, Verdict, verdict};
use crate::auth::PortalUser;
use crate::error::{Error, Result, codes};
use crate::export::{Column, Counter, ExportFormat, Table, send};
use crate::kernel::{CategoryId, Cents, Date, SportId};
use crate::operation::{Cx, Download, Work};
use crate::storage::Session;
use crate::wording;

/// The statistics to publish.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct PublishStatistics {
    /// The groups (default: by sport).
    pub by: Option<PublishedBy>,
    /// The academic year, named by the calendar year in which it begins on 1 July (default: the
    /// last one that is over).
    #[schemars(extend("examples" = [2024]))]
    pub academic_year: Option<i32>,
}

/// The file of statistics.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ExportStatistics {
    /// The groups (default: by sport).
    pub by: Option<PublishedBy>,
    /// The academic year, named by the calendar year in which it begins on 1 July (default: the
    /// last one that is over).
    #[schemars(extend("examples" = [2024]))]
    pub academic_year: Option<i32>,
    /// The format of the file (default `csv`).
    pub format: Option<ExportFormat>,
}

/// Returns statistics of an academic year by sport, category or month, in which no athlete can be
/// recognised: each figure stands for as many athletes as the institution's `smallest_group` says
/// or more, and figures left out do not follow from those shown. 403 for users limited to certain
/// sports: the figures are of the whole institution. 422 for a year that is not over: figures of a
/// growing period would give away what came in between. Recorded in the audit trail.
pub async fn statistics(
    cx: Cx<PortalUser>,
    input: PublishStatistics,
) -> Result<PublishedStatistics> {
    let mut work = cx.begin_audited_read().await?;
    let statistics = published(&cx, &mut work, input).await?;
    work.finish_read().await?;
    Ok(statistics)
}

/// Exports the same statistics as CSV or as a spreadsheet: the groups, then all together, then how
/// many groups are left out. Recorded in the audit trail.
pub async fn export(cx: Cx<PortalUser>, input: ExportStatistics) -> Result<Download> {
    let ExportStatistics { by, academic_year, format } = input;
    let mut work = cx.begin_audited_read().await?;
    let which = PublishStatistics { by, academic_year };
    let statistics = published(&cx, &mut work, which).await?;
    work.finish_read().await?;
    let name = format!("statistics-by-{}-{}", statistics.by, statistics.from.format("%Y"));
    let table = Published::of(statistics);
    Ok(send(cx.platform(), &name, format.unwrap_or(ExportFormat::Csv), table, Counter::default()))
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
    let key = Key { by, steps: &steps };
    let mut groups: BTreeMap<Option<i64>, Group> = BTreeMap::new();
    for one in sums::counted_by(work, &wanted, key).await? {
        groups.entry(one.key).or_default().add(one);
    }
    let mut named: Vec<(String, Group)> = Vec::new();
    for (key, group) in groups {
        named.push((name(work, by, key, &steps).await?, group));
    }
    named.sort_by(|(one, _), (other, _)| one.cmp(other));
    let athletes: Vec<ByAthlete> = named.iter().map(|(_, group)| group.athletes.clone()).collect();
    let (all, shown) = match verdict(&athletes, usize::try_from(least).unwrap_or(usize::MAX)) {
        Verdict::Nothing => (None, Vec::new()),
        Verdict::Without(hidden) => {
            let mut all = Group::default();
            let mut shown = Vec::new();
            for (place, (name, group)) in named.into_iter().enumerate() {
                all.merge(&group);
                if !hidden.contains(&place) {
                    shown.push(group.rounded(name));
                }
            }
            (Some(all.rounded("All".to_owned())), shown)
        }
    };
    let suppressed = i64::try_from(athletes.len() - shown.len()).map_err(Error::internal)?;
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

/// The transactions of a group.
#[derive(Clone, Debug, Default)]
struct Group {
    athletes: ByAthlete,
    amounts: Vec<Cents>,
}

impl Group {
    fn add(&mut self, one: Counted) {
        let sum = self.athletes.entry(one.athlete_id).or_default();
        *sum = sum.saturating_add(one.gross_cents.get());
        self.amounts.push(one.gross_cents);
    }

    fn merge(&mut self, other: &Self) {
        for (athlete, cents) in &other.athletes {
            let sum = self.athletes.entry(*athlete).or_default();
            *sum = sum.saturating_add(*cents);
        }
        self.amounts.extend_from_slice(&other.amounts);
    }

    fn rounded(mut self, name: String) -> PublishedGroup {
        self.amounts.sort_unstable();
        let at = |place: usize| self.amounts.get(place).copied().unwrap_or_default();
        let last = self.amounts.len().saturating_sub(1);
        let (low, high) = (at(last / 2), at(last.div_ceil(2)));
        let median = if low == high { low } else { Cents(low.get() / 2 + high.get() / 2) };
        PublishedGroup {
            name,
            deals: i64::try_from(self.amounts.len()).unwrap_or(i64::MAX),
            athletes: i64::try_from(self.athletes.len()).unwrap_or(i64::MAX),
            gross_cents: self.amounts.iter().copied().sum::<Cents>().rounded(),
            median_cents: median.rounded(),
        }
    }
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

/// The name of a group.
async fn name(
    session: &mut Session,
    by: PublishedBy,
    key: Option<i64>,
    steps: &[Step],
) -> Result<String> {
    let unknown = || Error::internal("a group without a name");
    match by {
        PublishedBy::Month => {
            let place = key.and_then(|key| usize::try_from(key).ok());
            let step = place.and_then(|place| steps.get(place)).ok_or_else(unknown)?;
            Ok(step.starts_on.format("%Y-%m").to_string())
        }
        PublishedBy::Sport => match key {
            Some(id) => store::sport_name(session, SportId::new(id).ok_or_else(unknown)?).await,
            None => Ok("No sport".to_owned()),
        },
        PublishedBy::Category => {
            let id = key.and_then(CategoryId::new).ok_or_else(unknown)?;
            store::category_name(session, id).await
        }
    }
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
    const SHEET: &'static str = "Statistics";

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
