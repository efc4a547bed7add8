//! What a change of an institution's rules would have done to its disclosed jobs.

use schemars::JsonSchema;
use serde::Serialize;

use super::disclosed_job::DisclosedJob;
use crate::institutions::DealFlag;
use crate::kernel::{Cents, Date, DisclosedJobId};

/// A number of deals and their value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DealTally {
    /// How many.
    pub deals: i64,
    /// Their value together.
    pub amount_cents: Cents,
}

impl DealTally {
    pub(super) fn add(&mut self, amount: Cents) {
        self.deals += 1;
        self.amount_cents += amount;
    }
}

/// The deals that something applies to, by the rules as they were and as they would have been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleEffect {
    /// By the rules as they were.
    pub before: DealTally,
    /// By the changed rules.
    pub after: DealTally,
    /// Those that it applies to only by the changed rules.
    pub added: DealTally,
    /// Those that it applies to only by the rules as they were.
    pub removed: DealTally,
}

impl RuleEffect {
    /// Counts a deal of this value, to which it applies before and after or not.
    pub(super) fn count(&mut self, amount: Cents, [before, after]: [bool; 2]) {
        for (applies, tally) in [
            (before, &mut self.before),
            (after, &mut self.after),
            (after && !before, &mut self.added),
            (before && !after, &mut self.removed),
        ] {
            if applies {
                tally.add(amount);
            }
        }
    }
}

/// The deals with a flag.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct FlagEffect {
    /// The flag.
    pub flag: DealFlag,
    /// The deals that have it.
    #[serde(flatten)]
    pub effect: RuleEffect,
}

/// What rules say of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleVerdict {
    /// Its flags.
    pub flags: Vec<DealFlag>,
    /// Whether a rule refuses it.
    pub refused: bool,
    /// Whether an officer has to review it.
    pub reviewed: bool,
}

/// A deal that the changed rules judge otherwise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ChangedDeal {
    /// The disclosed job.
    pub id: DisclosedJobId,
    /// What is done.
    pub title: String,
    /// Who pays.
    pub payer_name: String,
    /// Its value.
    pub amount_cents: Cents,
    /// When it was signed.
    pub signed_on: Date,
    /// What the rules as they were say of it.
    pub before: RuleVerdict,
    /// What the changed rules say of it.
    pub after: RuleVerdict,
}

/// What changed rules would have done to the disclosed jobs of twelve months, if they had been in
/// force all the time. Both sides are computed from the deals as they are now, so that they differ
/// by the rules alone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SettingsPreview {
    /// The first day of signing.
    pub from: Date,
    /// The last day of signing: today.
    pub to: Date,
    /// The disclosed jobs that were looked at: those that were submitted and not withdrawn.
    pub looked_at: DealTally,
    /// Deals with a flag.
    pub marked: RuleEffect,
    /// Deals by their flags, one line for each flag.
    pub flags: Vec<FlagEffect>,
    /// Deals that a rule refuses.
    pub refused: RuleEffect,
    /// Deals that an officer has to review.
    pub reviewed: RuleEffect,
    /// Examples: the first ten deals that the changed rules judge otherwise.
    pub examples: Vec<ChangedDeal>,
    /// Whether all deals of these months were looked at; 20,000 are at most.
    pub complete: bool,
}

/// The most examples.
const EXAMPLES: usize = 10;

impl SettingsPreview {
    /// A preview without deals.
    pub(super) fn over((from, to): (Date, Date)) -> Self {
        let effect = RuleEffect::default();
        let flags = DealFlag::ALL.iter().map(|flag| FlagEffect { flag: *flag, effect });
        Self {
            from,
            to,
            looked_at: DealTally::default(),
            marked: effect,
            flags: flags.collect(),
            refused: effect,
            reviewed: effect,
            examples: Vec::new(),
            complete: true,
        }
    }

    /// Counts a deal by what the rules say of it before and after.
    pub(super) fn count(&mut self, job: &DisclosedJob, before: RuleVerdict, after: RuleVerdict) {
        self.add(job.amount_cents, [&before, &after]);
        if before != after && self.examples.len() < EXAMPLES {
            self.examples.push(ChangedDeal {
                id: job.id,
                title: job.title.clone(),
                payer_name: job.payer_name.clone(),
                amount_cents: job.amount_cents,
                signed_on: job.signed_on,
                before,
                after,
            });
        }
    }

    fn add(&mut self, amount: Cents, verdicts: [&RuleVerdict; 2]) {
        let both = |applies: &dyn Fn(&RuleVerdict) -> bool| verdicts.map(applies);
        self.looked_at.add(amount);
        self.marked.count(amount, both(&|verdict| !verdict.flags.is_empty()));
        self.refused.count(amount, both(&|verdict| verdict.refused));
        self.reviewed.count(amount, both(&|verdict| verdict.reviewed));
        for line in &mut self.flags {
            let flag = line.flag;
            line.effect.count(amount, both(&|verdict| verdict.flags.contains(&flag)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_is_counted_on_both_sides() {
        let today = "2026-11-20".parse().unwrap();
        let mut preview = SettingsPreview::over((today, today));
        let verdict = |flags: &[DealFlag], reviewed| RuleVerdict {
            flags: flags.to_vec(),
            refused: false,
            reviewed,
        };
        let plain = verdict(&[], false);
        let over = verdict(&[DealFlag::OverThreshold], true);
        preview.add(Cents(100), [&plain, &over]);
        preview.add(Cents(20), [&over, &over]);
        preview.add(Cents(3), [&over, &plain]);
        let tally = |deals, cents| DealTally { deals, amount_cents: Cents(cents) };
        let expected = RuleEffect {
            before: tally(2, 23),
            after: tally(2, 120),
            added: tally(1, 100),
            removed: tally(1, 3),
        };
        assert_eq!((preview.marked, preview.reviewed), (expected, expected));
        assert_eq!(preview.looked_at, tally(3, 123));
        assert_eq!(preview.refused, RuleEffect::default());
        let line = preview.flags.iter().find(|line| line.flag == DealFlag::OverThreshold).unwrap();
        assert_eq!(line.effect, expected);
    }
}
