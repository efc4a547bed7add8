//! Owners see what a change of their institution's rules would have done.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Entered;

use chrono::Months;

use super::content::Content;
use super::disclosed_job::DisclosedJob;
use super::entrance;
use super::findings;
use super::payor::Payor;
use super::rule_effect::{SettingsPreview, Verdict};
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
use crate::kernel::{Cents, Date, Time, day_in};
use crate::operation::Cx;

/// The time that is looked at.
const PERIOD: Months = Months::new(12);
/// The number of disclosed jobs read at once.
const AT_ONCE: u64 = 200;

/// Says how many of the disclosed jobs of the last twelve months would have been marked, refused or
/// reviewed by changed rules and were not, and the other way round, with their sums. Takes what
/// saving the settings takes and saves nothing; settings that are no rules, and the first days of
/// rules, make no difference. 422 as when the settings are saved. Owners who are limited to certain
/// sports see what it does to those.
pub async fn preview(cx: Cx<PortalUser>, input: SaveSettings) -> Result<SettingsPreview> {
    let (college, now) = (cx.caller.college_id, cx.now());
    let mut session = cx.read().await?;
    let (today, asked) = configuring::proposed(&mut session, college, &input, now).await?;
    let own = checking::histories(&mut session, Some(&[college]), RuleKind::ALL).await?;
    let mut before = DatedRules::of(own.into_values().flatten().collect());
    let mut after = before.changed(asked);
    let categories = people::categories(&mut session).await?;
    let days = (today.checked_sub_months(PERIOD).unwrap_or(today), today);
    let mut preview = SettingsPreview::over(days);
    let mut last = None;
    loop {
        let part = jobs::signed_within(&mut session, &cx.caller, days, last, AT_ONCE).await?;
        let (Some(first), Some(end)) = (part.first(), part.last()) else {
            return Ok(preview);
        };
        let ids = (first.id, end.id);
        last = Some(end.id);
        let persons = people::of_disclosed(&mut session, college, ids).await?;
        let entries = accounts::of_disclosed(&mut session, college, ids).await?;
        for job in &part {
            let Some(person) = persons.get(&job.athlete_id) else { continue };
            let Some((slug, name)) = categories.get(&job.category_id) else { continue };
            let deal = Deal {
                job,
                person,
                category: Category { slug: slug.clone(), name: name.clone() },
                entries: entries.get(&job.athlete_id).map_or(&[][..], Vec::as_slice),
                now,
            };
            let verdicts = [deal.verdict(&mut before)?, deal.verdict(&mut after)?];
            preview.count(job.amount_cents, &verdicts);
        }
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
    fn verdict(&self, rules: &mut DatedRules) -> Result<Verdict> {
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
        let is_refused = breaches.iter().any(|breach| breach.refuses);
        Ok(Verdict {
            flags: DealFlag::shown(flags, late),
            is_refused,
            is_reviewed: is_refused || findings::asks_approval(submitted, &content, sum),
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
