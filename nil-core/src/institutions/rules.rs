//! The rules that are in force for an institution on a day.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::rule::{
    AgentNotice, Approval, AutomaticFlags, Blackouts, Categories, Change, DisclosureDeadline, F1,
    HoldPayouts, Marks, RuleKind, SponsorConflicts, Threshold,
};
use super::standard;
use crate::error::{Error, Result, codes};
use crate::kernel::Date;

/// A rule with the day it took effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Dated{T}")]
#[non_exhaustive]
pub struct Dated<T> {
    /// The rule.
    #[serde(flatten)]
    pub rule: T,
    /// The day it took effect, in the institution's time zone.
    pub effective_on: Date,
}

/// All rules in force on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The deadline for athletes to disclose a deal.
    pub deadline: Dated<DisclosureDeadline>,
    /// The value threshold from which deals are reviewed.
    pub threshold: Dated<Threshold>,
    /// Which disclosed deals need approval.
    pub approval: Dated<Approval>,
    /// Whether payouts wait for the clearinghouse.
    pub hold_payouts: Dated<HoldPayouts>,
    /// Prohibited categories.
    pub prohibited_categories: Dated<Categories>,
    /// Restricted categories: deals need the institution's consent.
    pub restricted_categories: Dated<Categories>,
    /// Sponsors whose rivals are excluded.
    pub sponsor_conflicts: Dated<SponsorConflicts>,
    /// Marks and facilities.
    pub marks: Dated<Marks>,
    /// Blackout days, on which no activity may take place.
    pub blackouts: Dated<Blackouts>,
    /// Students with an F-1 visa.
    pub f1: Dated<F1>,
    /// The deadline for notices of agents' contracts.
    pub agent_notice: Dated<AgentNotice>,
    /// The flags that are set automatically.
    pub automatic_flags: Dated<AutomaticFlags>,
}

impl Rules {
    /// The rules on `day` for an institution with the entries `own`, oldest first. Its own entries
    /// take precedence over defaults; of several the one that took effect last wins, of the same
    /// day the later one.
    pub fn in_force(own: &[Change], day: Date) -> Result<Self> {
        let standard = standard::rules()?;
        Ok(Self {
            deadline: read(own, standard, RuleKind::Deadline, day)?,
            threshold: read(own, standard, RuleKind::Threshold, day)?,
            approval: read(own, standard, RuleKind::Approval, day)?,
            hold_payouts: read(own, standard, RuleKind::HoldPayouts, day)?,
            prohibited_categories: read(own, standard, RuleKind::ProhibitedCategories, day)?,
            restricted_categories: read(own, standard, RuleKind::RestrictedCategories, day)?,
            sponsor_conflicts: read(own, standard, RuleKind::SponsorConflicts, day)?,
            marks: read(own, standard, RuleKind::Marks, day)?,
            blackouts: read(own, standard, RuleKind::Blackouts, day)?,
            f1: read(own, standard, RuleKind::F1, day)?,
            agent_notice: read(own, standard, RuleKind::AgentNotice, day)?,
            automatic_flags: read(own, standard, RuleKind::AutomaticFlags, day)?,
        })
    }
}

fn read<T: DeserializeOwned>(
    own: &[Change],
    standard: &[Change],
    kind: RuleKind,
    day: Date,
) -> Result<Dated<T>> {
    let default = latest(standard, kind, day)
        // Before the first default of a kind took effect, that default applies.
        .or_else(|| standard.iter().find(|change| change.kind == kind))
        .ok_or(codes::INTERNAL)?;
    let (value, effective_on) = match latest(own, kind, day) {
        Some(entry) => (completed(&entry.value, &default.value), entry.effective_on),
        None => (default.value.clone(), default.effective_on),
    };
    Ok(Dated { rule: serde_json::from_value(value).map_err(Error::internal)?, effective_on })
}

/// An institution's entry; the fields that it does not name are those of the default.
fn completed(entry: &Value, default: &Value) -> Value {
    let mut value = default.clone();
    match (&mut value, entry) {
        (Value::Object(all), Value::Object(named)) => {
            all.extend(named.iter().map(|(field, value)| (field.clone(), value.clone())));
            value
        }
        _ => entry.clone(),
    }
}

/// The entry in force on `day`: of equal days the last one.
pub(super) fn latest(changes: &[Change], kind: RuleKind, day: Date) -> Option<&Change> {
    changes
        .iter()
        .filter(|change| change.kind == kind && change.effective_on <= day)
        .max_by_key(|change| change.effective_on)
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
