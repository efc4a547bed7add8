//! Rules as owners give them, with their limits.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::configuring::SaveSettings;
use super::rule::{
    ApprovalRequirement, Change, DeadlineUnit, DealFlag, F1Policy, MarksPolicy, RuleKind,
    ThresholdScope,
};
use crate::error::{Error, Result};
use crate::kernel::Activity;
use crate::kernel::{Cents, Date, Many, SportId, Text};

/// Until when athletes have to disclose a deal, counted from its signing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedDeadline {
    /// What is counted.
    pub unit: DeadlineUnit,
    /// How many of them (1 to 720).
    pub value: i64,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// From which worth on a deal is looked at.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedThreshold {
    /// The least worth; 0 for every deal.
    pub amount_cents: Cents,
    /// What is added up.
    pub scope: ThresholdScope,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// Which disclosed deals need approval.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedApproval {
    /// Which of them.
    pub requirement: ApprovalRequirement,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// Whether payouts wait for the clearinghouse.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedHold {
    /// Whether they wait until every deal is cleared.
    pub until_cleared: bool,
    /// From which day on (default today); contracts executed before are not held.
    pub effective_on: Option<Date>,
}

/// Categories of jobs and of businesses; they replace the ones before as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedCategories {
    /// Slugs of categories of jobs or of businesses.
    pub categories: Many<Text<1, 80>, 0, 100>,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// A sponsor of the institution.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedSponsor {
    /// The company.
    pub sponsor: Text<1, 200>,
    /// The slug of the category of jobs or of businesses in which its rivals are excluded.
    pub category: Text<1, 80>,
    /// The first day; none for always.
    pub from: Option<Date>,
    /// The last day; none for always.
    pub until: Option<Date>,
    /// The sports it sponsors; none for all.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
}

/// The institution's sponsors; they replace the ones before as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedSponsors {
    /// One by one.
    pub sponsors: Many<WantedSponsor, 0, 200>,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// The institution's marks and facilities.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedMarks {
    /// Whether athletes may use them.
    pub policy: MarksPolicy,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// Days on which nothing may take place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedBlackout {
    /// What it is called.
    pub name: Text<1, 120>,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub until: Date,
    /// The sports it holds for; none for all.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// The activities it holds for; none for all.
    pub activities: Option<Many<Activity, 0, 20>>,
}

/// All of them; they replace the ones before as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedBlackouts {
    /// One by one.
    pub windows: Many<WantedBlackout, 0, 200>,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// What becomes of deals of students with an F-1 visa.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedF1 {
    /// What becomes of them.
    pub policy: F1Policy,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// How soon a contract with an agent has to be notified.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedNotice {
    /// Within how many hours of signing (1 to 720).
    pub hours: i64,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// What is flagged without anybody asking.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedFlags {
    /// The flags.
    pub flags: Many<DealFlag, 0, 6>,
    /// From which day on (default today).
    pub effective_on: Option<Date>,
}

/// What is asked for, rule by rule, taking effect `today` where no day is given. Everything that can
/// be told without looking anything up is checked: 422 by field.
pub(super) fn changes(input: &SaveSettings, today: Date) -> Result<Vec<Change>> {
    let mut asked = Asked { today, changes: Vec::new() };
    if let Some(rule) = &input.deadline {
        within("deadline.value", rule.value)?;
        let value = json!({ "unit": rule.unit, "value": rule.value });
        asked.add(RuleKind::Deadline, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.threshold {
        if !(0..=1_000_000_000).contains(&rule.amount_cents.get()) {
            let message = "must be between 0 and 1000000000 cents";
            return Err(Error::invalid("threshold.amount_cents", message));
        }
        let value = json!({ "amount_cents": rule.amount_cents, "scope": rule.scope });
        asked.add(RuleKind::Threshold, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.approval {
        let value = json!({ "requirement": rule.requirement });
        asked.add(RuleKind::Approval, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.hold_payouts {
        let value = json!({ "until_cleared": rule.until_cleared });
        asked.add(RuleKind::HoldPayouts, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.prohibited_categories {
        let value = categories(rule);
        asked.add(RuleKind::ProhibitedCategories, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.restricted_categories {
        let value = categories(rule);
        asked.add(RuleKind::RestrictedCategories, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.sponsor_conflicts {
        let value = sponsors(rule)?;
        asked.add(RuleKind::SponsorConflicts, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.marks {
        let value = json!({ "policy": rule.policy });
        asked.add(RuleKind::Marks, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.blackouts {
        let value = blackouts(rule)?;
        asked.add(RuleKind::Blackouts, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.f1 {
        let value = json!({ "policy": rule.policy });
        asked.add(RuleKind::F1, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.agent_notice {
        within("agent_notice.hours", rule.hours)?;
        let value = json!({ "hours": rule.hours });
        asked.add(RuleKind::AgentNotice, value, rule.effective_on)?;
    }
    if let Some(rule) = &input.automatic_flags {
        let mut flags = rule.flags.to_vec();
        flags.sort_unstable();
        flags.dedup();
        let value = json!({ "flags": flags });
        asked.add(RuleKind::AutomaticFlags, value, rule.effective_on)?;
    }
    Ok(asked.changes)
}

struct Asked {
    today: Date,
    changes: Vec<Change>,
}

impl Asked {
    /// What was said about a day that is over would rewrite history.
    fn add(&mut self, kind: RuleKind, value: Value, effective_on: Option<Date>) -> Result<()> {
        let effective_on = effective_on.unwrap_or(self.today);
        if effective_on < self.today {
            let field = format!("{kind}.effective_on");
            let message = format!("must not lie in the past (today is {})", self.today);
            return Err(Error::invalid(field, message));
        }
        self.changes.push(Change { kind, effective_on, value });
        Ok(())
    }
}

fn within(field: &str, number: i64) -> Result<()> {
    if (1..=720).contains(&number) {
        return Ok(());
    }
    Err(Error::invalid(field, "must be between 1 and 720"))
}

fn categories(rule: &WantedCategories) -> Value {
    let mut slugs: Vec<&str> = rule.categories.iter().map(|slug| slug.trim()).collect();
    slugs.sort_unstable();
    slugs.dedup();
    json!({ "categories": slugs })
}

fn sports(given: Option<&Many<SportId, 0, 100>>) -> &[SportId] {
    given.map_or(&[], |given| given)
}

fn sponsors(rule: &WantedSponsors) -> Result<Value> {
    let mut all = Vec::with_capacity(rule.sponsors.len());
    for (at, sponsor) in rule.sponsors.iter().enumerate() {
        if sponsor.from.zip(sponsor.until).is_some_and(|(a, b)| b < a) {
            let field = format!("sponsor_conflicts.sponsors.{at}.until");
            return Err(Error::invalid(field, "must not be before `from`"));
        }
        all.push(json!({
            "sponsor": sponsor.sponsor.trim(), "category": sponsor.category.trim(),
            "from": sponsor.from, "until": sponsor.until,
            "sport_ids": sports(sponsor.sport_ids.as_ref()),
        }));
    }
    Ok(json!({ "sponsors": all }))
}

fn blackouts(rule: &WantedBlackouts) -> Result<Value> {
    let mut all = Vec::with_capacity(rule.windows.len());
    for (at, window) in rule.windows.iter().enumerate() {
        if window.until < window.from {
            let field = format!("blackouts.windows.{at}.until");
            return Err(Error::invalid(field, "must not be before `from`"));
        }
        all.push(json!({
            "name": window.name.trim(), "from": window.from, "until": window.until,
            "sport_ids": sports(window.sport_ids.as_ref()),
            "activities": window.activities.as_deref().unwrap_or_default(),
        }));
    }
    Ok(json!({ "windows": all }))
}
