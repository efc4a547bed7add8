//! Owners see what a change of their institution's rules would have done.

use std::collections::btree_map::Entry as Entered;
use std::collections::{BTreeMap, HashMap};

use chrono::Months;

use super::content::Content;
use super::disclosed_job::DisclosedJob;
use super::entrance;
use super::findings;
use super::payor::Payor;
use super::rule_effect::{RuleVerdict, SettingsPreview};
use super::store::account::{self as accounts, Entry};
use super::store::disclosed_job as jobs;
use super::store::person::{self as people, Person};
use super::threshold;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::institutions::{
    Category, Change, DealFlag, RuleKind, Rules, SaveSettings, ThresholdScope, checking,
    configuring,
};
use crate::kernel::{AthleteId, CategoryId, Cents, Date, DisclosedJobId, Time, aside, day_in};
use crate::operation::Cx;

/// The time that is looked at.
const PERIOD: Months = Months::new(12);
/// The number of disclosed jobs read at once.
const AT_ONCE: u64 = 1_000;
/// How often: more deals than an institution has in twelve months.
const PARTS: usize = 20;

/// Says how many of the disclosed jobs of the last twelve months would have been marked, refused or
/// reviewed by changed rules and were not, and the other way round, with their sums and some of
/// them as examples. Takes what saving the settings takes and saves nothing; settings that are no
/// rules, and the first days of rules, make no difference. At most 20,000 deals are looked at. 422
/// as when the settings are saved. Owners who are limited to certain sports see what it does to
/// those.
pub async fn preview(cx: Cx<PortalUser>, input: SaveSettings) -> Result<SettingsPreview> {
    let (mut weighing, days) = begin(&cx, &input).await?;
    let mut last = None;
    for _ in 0..PARTS {
        let Some(part) = Part::read(&cx, days, last).await? else {
            return Ok(weighing.preview);
        };
        last = part.jobs.last().map(|job| job.id);
        // No transaction waits for it, and no request.
        weighing = aside(move || weighing.weigh(&part)).await??;
    }
    let mut session = cx.read().await?;
    let more = jobs::signed_within(&mut session, &cx.caller, days, last, 1).await?;
    weighing.preview.complete = more.is_empty();
    Ok(weighing.preview)
}

/// The rules before and after, and the first and the last day that is looked at.
async fn begin(cx: &Cx<PortalUser>, input: &SaveSettings) -> Result<(Weighing, (Date, Date))> {
    let (college, now) = (cx.caller.college_id, cx.now());
    let mut session = cx.read().await?;
    let (today, asked) = configuring::proposed(&mut session, college, input, now).await?;
    let own = checking::histories(&mut session, Some(&[college]), RuleKind::ALL).await?;
    let before = DatedRules::of(own.into_values().flatten().collect());
    let after = before.changed(asked);
    let categories = people::categories(&mut session).await?;
    let days = (today.checked_sub_months(PERIOD).unwrap_or(today), today);
    let preview = SettingsPreview::over(days);
    Ok((Weighing { before, after, categories, now, preview }, days))
}

/// Some of the disclosed jobs, with what rules look at.
#[derive(Debug)]
struct Part {
    jobs: Vec<DisclosedJob>,
    persons: HashMap<AthleteId, Person>,
    /// All deals of each athlete.
    entries: HashMap<AthleteId, Vec<Entry>>,
}

impl Part {
    /// The next ones; none after the last one.
    async fn read(
        cx: &Cx<PortalUser>,
        days: (Date, Date),
        last: Option<DisclosedJobId>,
    ) -> Result<Option<Self>> {
        let (college, mut session) = (cx.caller.college_id, cx.read().await?);
        let jobs = jobs::signed_within(&mut session, &cx.caller, days, last, AT_ONCE).await?;
        let Some(ids) = jobs.first().zip(jobs.last()).map(|(first, last)| (first.id, last.id))
        else {
            return Ok(None);
        };
        let persons = people::of_disclosed(&mut session, college, ids).await?;
        let entries = accounts::of_disclosed(&mut session, college, ids).await?;
        Ok(Some(Self { jobs, persons, entries }))
    }
}

/// What is known so far.
#[derive(Debug)]
struct Weighing {
    before: DatedRules,
    after: DatedRules,
    categories: HashMap<CategoryId, (String, String)>,
    now: Time,
    preview: SettingsPreview,
}

impl Weighing {
    /// Holds both sides against some of the deals.
    fn weigh(mut self, part: &Part) -> Result<Self> {
        for job in &part.jobs {
            let Some(person) = part.persons.get(&job.athlete_id) else { continue };
            let Some((slug, name)) = self.categories.get(&job.category_id) else { continue };
            let deal = Deal {
                job,
                person,
                category: Category { slug: slug.clone(), name: name.clone() },
                entries: part.entries.get(&job.athlete_id).map_or(&[][..], Vec::as_slice),
                now: self.now,
            };
            let before = deal.verdict(&mut self.before)?;
            let after = deal.verdict(&mut self.after)?;
            self.preview.count(job, before, after);
        }
        Ok(self)
    }
}

/// An institution's entries for its rules, with the rules of the days that were asked for.
#[derive(Clone, Debug)]
struct DatedRules {
    own: Vec<Change>,
    by_day: BTreeMap<Date, Rules>,
}

impl DatedRules {
    fn of(own: Vec<Change>) -> Self {
        Self { own, by_day: BTreeMap::new() }
    }

    /// The same entries, but for those that are asked for: these have always been in force.
    fn changed(&self, asked: Vec<Change>) -> Self {
        let is_kept = |change: &&Change| asked.iter().all(|new| new.kind != change.kind);
        let mut own: Vec<Change> = self.own.iter().filter(is_kept).cloned().collect();
        own.extend(asked.into_iter().map(|new| Change { effective_on: Date::MIN, ..new }));
        Self::of(own)
    }

    fn on(&mut self, day: Date) -> Result<&Rules> {
        Ok(match self.by_day.entry(day) {
            Entered::Occupied(known) => known.into_mut(),
            Entered::Vacant(new) => new.insert(Rules::in_force(&self.own, day)?),
        })
    }
}

/// A disclosed job with what rules look at.
#[derive(Debug)]
struct Deal<'known> {
    job: &'known DisclosedJob,
    person: &'known Person,
    category: Category,
    /// All deals of the athlete.
    entries: &'known [Entry],
    now: Time,
}

impl Deal<'_> {
    fn verdict(&self, rules: &mut DatedRules) -> Result<RuleVerdict> {
        let (job, person) = (self.job, self.person);
        let content = Content::of(job);
        let signed = rules.on(job.signed_on)?;
        let sum = self.sum(&content, signed.threshold.rule.scope);
        let (breaches, flags) =
            findings::check(signed, person, self.category.clone(), &content, sum);
        let own = self.entries.iter().find(|entry| entry.disclosed_job_id == Some(job.id));
        let entrance = own.and_then(|entry| entry.entrance(job.signed_on));
        let deadline = (signed.deadline.rule, person.zone());
        let due_at = entrance::to_institution(job.signed_on, entrance, deadline)?;
        let late = due_at < job.first_submitted_at.unwrap_or(self.now);
        let submitted = rules.on(day_in(job.submitted_at.unwrap_or(self.now), person.zone()))?;
        let sum = self.sum(&content, submitted.threshold.rule.scope);
        let refused = breaches.iter().any(|breach| breach.refuses);
        Ok(RuleVerdict {
            flags: DealFlag::shown(flags, late),
            refused,
            reviewed: refused || findings::asks_approval(submitted, &content, sum),
        })
    }

    /// The sum that is compared with a threshold of this scope.
    fn sum(&self, content: &Content, scope: ThresholdScope) -> Cents {
        let payor = Payor::elsewhere(&content.payer_name, content.payer_parent.as_deref());
        let but = Some(self.job.id);
        let others = threshold::others_among(self.entries, (scope, &payor), but, self.now);
        let of_others: Cents = others.iter().map(|entry| entry.amount_cents).sum();
        of_others + content.amount_cents
    }
}
