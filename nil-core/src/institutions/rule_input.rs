//! The rules in owners' requests, with their limits.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::rule::{
    ApprovalRequirement, Change, DeadlineUnit, DealFlag, F1Policy, MarksPolicy, RuleKind,
    ThresholdScope,
};
use super::settings::Digest;
use crate::error::{Error, Result};
use crate::kernel::{Activity, Cents, Date, Email, Many, Revision, SportId, Text, WebUrl};

/// The deadline for athletes to disclose a deal, counted from its signing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedDeadline {
    /// The unit.
    pub unit: DeadlineUnit,
    /// The number of units (1 to 720).
    pub value: i64,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// The value threshold from which deals are reviewed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedThreshold {
    /// The lowest value that counts; 0 for every deal.
    pub amount_cents: Cents,
    /// The amounts that are added up.
    pub scope: ThresholdScope,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// Which disclosed deals need approval.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedApproval {
    /// The deals that need approval.
    pub requirement: ApprovalRequirement,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// Whether payouts wait for the clearinghouse.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedHold {
    /// Whether they wait until every deal is cleared.
    pub until_cleared: bool,
    /// The first day in force (default today); contracts executed earlier are not held.
    pub effective_on: Option<Date>,
}

/// Job categories and business categories; they replace the current list as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedCategories {
    /// Slugs of job categories or business categories.
    pub categories: Many<Text<1, 80>, 0, 100>,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// A sponsor of the institution.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedSponsor {
    /// The company.
    pub sponsor: Text<1, 200>,
    /// The slug of the job or business category in which its rivals are excluded.
    pub category: Text<1, 80>,
    /// The first day; omit it if unlimited.
    pub from: Option<Date>,
    /// The last day; omit it if unlimited.
    pub until: Option<Date>,
    /// The sports it sponsors; empty means all.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
}

/// The institution's sponsors; they replace the current list as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedSponsors {
    /// The sponsors.
    pub sponsors: Many<WantedSponsor, 0, 200>,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// The institution's marks and facilities.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedMarks {
    /// Whether athletes may use them.
    pub policy: MarksPolicy,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// Blackout days, on which no activity may take place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedBlackout {
    /// Its name.
    pub name: Text<1, 120>,
    /// The first day.
    pub from: Date,
    /// The last day.
    pub until: Date,
    /// The sports it applies to; empty means all.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// The activities it applies to; empty means all.
    pub activities: Option<Many<Activity, 0, 20>>,
}

/// The blackout windows; they replace the current list as a whole.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedBlackouts {
    /// The windows.
    pub windows: Many<WantedBlackout, 0, 200>,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// How deals of students with an F-1 visa are treated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedF1 {
    /// How they are treated.
    pub policy: F1Policy,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// Contracts with agents: the deadlines of the notice, and the athlete's right to cancel. Fields
/// left out are the platform's defaults.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedNotice {
    /// The maximum hours from signing to notice (1 to 720).
    pub hours: i64,
    /// The maximum days from enrolment to notice, for a contract signed before enrolment (1 to 90;
    /// default 10).
    pub enrolment_days: Option<i64>,
    /// The number of days after signing in which the athlete can cancel (1 to 90; default 14).
    pub cancel_days: Option<i64>,
    /// Whether money due to the agent waits until the athlete can no longer cancel (default true).
    pub transfers_wait: Option<bool>,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// The flags that are set automatically.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedFlags {
    /// The flags.
    pub flags: Many<DealFlag, 0, 6>,
    /// The first day in force (default today).
    pub effective_on: Option<Date>,
}

/// The requested entries, rule by rule, taking effect `today` if no day is given. Runs all checks
/// that need no database: 422 by field.
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
        asked.add(RuleKind::AgentNotice, agent_notice(rule)?, rule.effective_on)?;
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
    /// An entry for a past day would rewrite history.
    fn add(&mut self, kind: RuleKind, value: Value, effective_on: Option<Date>) -> Result<()> {
        let effective_on = effective_on.unwrap_or(self.today);
        if effective_on < self.today {
            let field = format!("{kind}.effective_on");
            let message = format!("must not be in the past (today is {})", self.today);
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

/// The fields that the owner gave: the others follow the platform's dated defaults.
fn agent_notice(rule: &WantedNotice) -> Result<Value> {
    within("agent_notice.hours", rule.hours)?;
    let mut value = Map::from_iter([("hours".to_owned(), json!(rule.hours))]);
    for (field, days) in
        [("enrolment_days", rule.enrolment_days), ("cancel_days", rule.cancel_days)]
    {
        let Some(days) = days else { continue };
        if !(1..=90).contains(&days) {
            return Err(Error::invalid(
                format!("agent_notice.{field}"),
                "must be between 1 and 90",
            ));
        }
        value.insert(field.to_owned(), json!(days));
    }
    if let Some(wait) = rule.transfers_wait {
        value.insert("transfers_wait".to_owned(), json!(wait));
    }
    Ok(value.into())
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

/// Settings to change; omitted fields keep their values. A rule takes effect on its `effective_on`,
/// which must not be in the past; earlier rules stay on record.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SaveSettings {
    /// The institution's IANA time zone, such as `America/Chicago`.
    pub time_zone: Option<Text<1, 60>>,
    /// How often notifications are sent.
    pub digest: Option<Digest>,
    /// The contact address of its compliance office, for athletes and brands.
    pub contact_email: Option<Email>,
    /// Its logo.
    pub logo_url: Option<WebUrl>,
    /// The fewest athletes that a figure given to the public stands for: 5 (the default) to 100.
    #[schemars(extend("examples" = [10]))]
    pub smallest_group: Option<i64>,
    /// The deadline for athletes to disclose a deal.
    pub deadline: Option<WantedDeadline>,
    /// The value threshold from which deals are reviewed.
    pub threshold: Option<WantedThreshold>,
    /// Which disclosed deals need approval.
    pub approval: Option<WantedApproval>,
    /// Whether payouts wait for the clearinghouse.
    pub hold_payouts: Option<WantedHold>,
    /// Prohibited categories.
    pub prohibited_categories: Option<WantedCategories>,
    /// Restricted categories: deals need the institution's consent.
    pub restricted_categories: Option<WantedCategories>,
    /// Sponsors whose rivals are excluded.
    pub sponsor_conflicts: Option<WantedSponsors>,
    /// Marks and facilities.
    pub marks: Option<WantedMarks>,
    /// Blackout days, on which no activity may take place.
    pub blackouts: Option<WantedBlackouts>,
    /// Students with an F-1 visa.
    pub f1: Option<WantedF1>,
    /// The deadline for notices of agents' contracts.
    pub agent_notice: Option<WantedNotice>,
    /// The flags that are set automatically.
    pub automatic_flags: Option<WantedFlags>,
    /// The revision that the caller has seen; 409 `state_changed` if the settings have another one.
    pub revision: Option<Revision>,
}
