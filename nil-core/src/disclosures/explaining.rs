//! Says why a disclosed job is marked: which rules apply to it, and how a threshold adds up.

use super::applied_rule::{AppliedRule, ReachedThreshold, SummedDeal};
use super::content::Content;
use super::disclosed_job::DisclosedJob;
use super::findings::{self, Compared};
use super::store::account::Entry;
use super::store::person::{self as people, Person};
use super::threshold;
use crate::error::Result;
use crate::institutions::{
    ApprovalRequirement, DealFlag, RuleKind, Rules, Threshold, ThresholdScope, checking,
};
use crate::kernel::{Cents, CollegeId, Date, Time, day_in};
use crate::storage::Session;
use crate::wording;

/// The rules that apply to a disclosed job: what it breaks, the institution's threshold, the
/// deadline, whom the deal is with, why it needs approval, and the clearinghouse's threshold. The
/// job has been completed for `now`.
pub(super) async fn rules_of(
    session: &mut Session,
    job: &DisclosedJob,
    now: Time,
) -> Result<Vec<AppliedRule>> {
    let person = people::find(session, job.athlete_id).await?;
    let rules = checking::rules_of(session, job.college_id, job.signed_on).await?;
    let flagged = |flag: DealFlag| job.flags.contains(&flag).then_some(flag);
    let mut applied = broken(job);
    let (whose, scope) = ((job.athlete_id, Some(job.id)), rules.threshold.rule.scope);
    let compared = findings::compared(session, whose, &Content::of(job), scope, now).await?;
    let over = flagged(DealFlag::OverThreshold);
    if over.is_some() || compared.sum_cents >= rules.threshold.rule.amount_cents {
        applied.push(of_threshold(job, &rules, compared, over));
    }
    if job.late {
        applied.push(of_deadline(job, &person, &rules, flagged(DealFlag::Late)));
    }
    let by_flag = |flag: Option<DealFlag>, message: &str| AppliedRule {
        rule: Some(RuleKind::AutomaticFlags),
        flag,
        since: rules.automatic_flags.effective_on,
        message: message.to_owned(),
        threshold: None,
    };
    if job.associated_entity {
        let message = "The athlete has stated that the payer is associated with the institution.";
        applied.push(by_flag(flagged(DealFlag::AssociatedEntity), message));
    }
    if let Some(minor) = flagged(DealFlag::Minor) {
        let message = "The athlete was under 18 when the deal was signed.";
        applied.push(by_flag(Some(minor), message));
    }
    applied.extend(of_approval(session, job, &person, now).await?);
    applied.extend(of_clearinghouse(session, job, now).await?);
    Ok(applied)
}

/// The rules that it breaks, as they were found when it was last changed.
fn broken(job: &DisclosedJob) -> Vec<AppliedRule> {
    let flag = |rule| match rule {
        RuleKind::ProhibitedCategories => Some(DealFlag::ProhibitedCategory),
        RuleKind::SponsorConflicts => Some(DealFlag::ConflictSponsor),
        _ => None,
    };
    let breaches = job.breaches.iter().map(|breach| AppliedRule {
        rule: Some(breach.rule),
        flag: flag(breach.rule).filter(|flag| job.flags.contains(flag)),
        since: breach.since,
        message: breach.message.clone(),
        threshold: None,
    });
    breaches.collect()
}

fn of_threshold(
    job: &DisclosedJob,
    rules: &Rules,
    compared: Compared,
    flag: Option<DealFlag>,
) -> AppliedRule {
    let Threshold { amount_cents: limit, scope, .. } = rules.threshold.rule;
    let sum = compared.sum_cents;
    let whose = match scope {
        ThresholdScope::Deal => "The deal comes",
        ThresholdScope::PayorGroup => "The athlete's deals with this payor group come",
        ThresholdScope::Athlete => "All deals of the athlete come",
    };
    let own = SummedDeal {
        disclosed_job_id: Some(job.id),
        contract_id: None,
        title: job.title.clone(),
        payer: job.payer_name.clone(),
        signed_on: job.signed_on,
        amount_cents: job.amount_cents,
    };
    let others = compared.others.into_iter().map(|entry| (entry.amount_cents, entry));
    AppliedRule {
        rule: Some(RuleKind::Threshold),
        flag,
        since: rules.threshold.effective_on,
        message: format!(
            "{whose} to {}; the institution's threshold is {}.",
            dollars(sum),
            dollars(limit)
        ),
        threshold: Some(reached(job.college_id, (limit, sum), Some(own), others)),
    }
}

/// A threshold with the deals that the institution sees.
fn reached(
    college: CollegeId,
    (limit_cents, sum_cents): (Cents, Cents),
    own: Option<SummedDeal>,
    others: impl Iterator<Item = (Cents, Entry)>,
) -> ReachedThreshold {
    let (seen, unseen): (Vec<_>, Vec<_>) =
        others.partition(|(_, entry)| entry.college_id == college && !entry.is_draft);
    let summed = |(amount_cents, entry): (Cents, Entry)| SummedDeal {
        disclosed_job_id: entry.disclosed_job_id,
        contract_id: entry.contract_id,
        title: entry.title,
        payer: entry.payer_name,
        signed_on: entry.signed_on,
        amount_cents,
    };
    let mut deals: Vec<SummedDeal> = own.into_iter().chain(seen.into_iter().map(summed)).collect();
    deals.sort_by_key(|deal| (deal.signed_on, deal.contract_id, deal.disclosed_job_id));
    let unseen_cents = unseen.iter().map(|(amount, _)| *amount).sum();
    ReachedThreshold { limit_cents, sum_cents, deals, unseen_cents }
}

fn of_deadline(
    job: &DisclosedJob,
    person: &Person,
    rules: &Rules,
    flag: Option<DealFlag>,
) -> AppliedRule {
    let day = |at: Time| wording::day(day_in(at, person.zone()));
    let handed_in = job.first_submitted_at.map_or_else(
        || "It has not been disclosed yet.".to_owned(),
        |at| format!("It was disclosed on {}.", day(at)),
    );
    AppliedRule {
        rule: Some(RuleKind::Deadline),
        flag,
        since: rules.deadline.effective_on,
        message: format!(
            "The deal was signed on {} and had to be disclosed by {}. {handed_in}",
            wording::day(job.signed_on),
            day(job.due_at)
        ),
        threshold: None,
    }
}

/// Why an officer decides on it, by the rules of the day on which it was submitted.
async fn of_approval(
    session: &mut Session,
    job: &DisclosedJob,
    person: &Person,
    now: Time,
) -> Result<Option<AppliedRule>> {
    let day: Date = day_in(job.submitted_at.unwrap_or(now), person.zone());
    let asked = findings::asked_approval(session, job, day, now).await?;
    Ok(asked.map(|asked| AppliedRule {
        rule: Some(RuleKind::Approval),
        flag: None,
        since: asked.effective_on,
        message: match asked.rule.requirement {
            ApprovalRequirement::AboveThreshold => {
                "The institution approves each disclosed deal that reaches its threshold."
            }
            ApprovalRequirement::AssociatedOnly => {
                "The institution approves each disclosed deal with an associated entity."
            }
            ApprovalRequirement::All | ApprovalRequirement::None => {
                "The institution approves each disclosed deal."
            }
        }
        .to_owned(),
        threshold: None,
    }))
}

/// Why it must be submitted to the clearinghouse.
async fn of_clearinghouse(
    session: &mut Session,
    job: &DisclosedJob,
    now: Time,
) -> Result<Option<AppliedRule>> {
    let reported = threshold::reported_with(session, job.athlete_id, job.id, now).await?;
    Ok(reported.map(|reported| AppliedRule {
        rule: None,
        flag: None,
        since: reported.since,
        message: format!(
            "The athlete's deals with this payor group come to {}; the clearinghouse's threshold is {}.",
            dollars(reported.sum),
            dollars(reported.limit)
        ),
        threshold: Some(reached(
            job.college_id,
            (reported.limit, reported.sum),
            None,
            reported.deals.into_iter(),
        )),
    }))
}

fn dollars(amount: Cents) -> String {
    wording::money("usd", amount.get())
}
