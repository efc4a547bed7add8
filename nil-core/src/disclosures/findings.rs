//! What the institution's rules say about a disclosure: what it breaks, its flags, its deadline,
//! and whether it needs approval.

use super::content::Content;
use super::disclosed_job::DisclosedJob;
use super::entrance;
use super::payor::Payor;
use super::store::account::Entry;
use super::store::disclosed_job::Findings;
use super::store::enrolment as enrolments;
use super::store::person::{self as people, Person};
use super::threshold;
use crate::error::{Error, Result};
use crate::institutions::{
    Approval, ApprovalRequirement, Breach, Category, Dated, DealFacts, DealFlag, Moment,
    PersonFacts, RuleKind, Rules, ThresholdScope, breaches, checking,
};
use crate::kernel::{AthleteId, Cents, CollegeId, Date, DisclosedJobId, Time};
use crate::operation::Work;
use crate::storage::Session;

/// Checks the content against the institution's rules as of the day of signing.
pub(super) async fn look(
    work: &mut Work,
    person: &Person,
    college: CollegeId,
    content: &Content,
    known_as: Option<DisclosedJobId>,
) -> Result<Findings> {
    let category = people::category(work, content.category_id).await?;
    let Some((slug, name)) = category else {
        return Err(Error::invalid("category_id", "is not a category of jobs"));
    };
    let rules = checking::rules_of(work, college, content.signed_on).await?;
    let now = work.now();
    let scope = rules.threshold.rule.scope;
    let compared = compared(work, (person.id, known_as), content, scope, now).await?;
    let category = Category { slug, name };
    let (breaches, flags) = check(&rules, person, category, content, compared.sum_cents);
    let entrance = enrolments::first_after(work, person.id, content.signed_on).await?;
    let deadline = (rules.deadline.rule, person.zone());
    let due_at = entrance::to_institution(content.signed_on, entrance, deadline)?;
    Ok(Findings { breaches, flags, due_at })
}

/// What a disclosure breaks, and its flags, if its threshold is compared with this sum.
pub(super) fn check(
    rules: &Rules,
    person: &Person,
    category: Category,
    content: &Content,
    sum: Cents,
) -> (Vec<Breach>, Vec<DealFlag>) {
    let until = content.ends_on.or(content.starts_on);
    let deal = DealFacts {
        categories: vec![category],
        payer: content.payer_name.clone(),
        from: content.starts_on.unwrap_or(content.signed_on),
        until: until.unwrap_or(content.signed_on),
        undertakings: Vec::new(),
        uses_marks: content.uses_marks,
        consented: false,
    };
    let facts = PersonFacts { sports: person.sport_id.into_iter().collect(), visa: person.visa };
    let school = person.college_name.as_deref().unwrap_or("The institution");
    let breaches = breaches(rules, school, &facts, &deal, Moment::Disclose);
    let over = sum >= rules.threshold.rule.amount_cents;
    let flags = flags(rules, person, content, &breaches, over);
    (breaches, flags)
}

/// What is compared with an institution's threshold.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    /// The sum, with the disclosure.
    pub(super) sum_cents: Cents,
    /// The deals that are added to the disclosure.
    pub(super) others: Vec<Entry>,
}

/// The sum that is compared with the institution's threshold: of the disclosure, stored as
/// `known_as` or new, and of the athlete's deals that the scope adds to it.
pub(super) async fn compared(
    session: &mut Session,
    (athlete, known_as): (AthleteId, Option<DisclosedJobId>),
    content: &Content,
    scope: ThresholdScope,
    now: Time,
) -> Result<Compared> {
    let payor = Payor::elsewhere(&content.payer_name, content.payer_parent.as_deref());
    let others = threshold::others(session, athlete, (scope, &payor), known_as, now).await?;
    let of_others: Cents = others.iter().map(|entry| entry.amount_cents).sum();
    Ok(Compared { sum_cents: of_others + content.amount_cents, others })
}

fn flags(
    rules: &Rules,
    person: &Person,
    content: &Content,
    breaches: &[Breach],
    over: bool,
) -> Vec<DealFlag> {
    let breaks = |rule| breaches.iter().any(|breach| breach.rule == rule);
    let age = person.date_of_birth.and_then(|born| content.signed_on.years_since(born));
    let applies = |flag: &DealFlag| match flag {
        // Whether it is late depends on the time; the stored flag means that lateness is flagged.
        DealFlag::Late => true,
        DealFlag::OverThreshold => over,
        DealFlag::ProhibitedCategory => breaks(RuleKind::ProhibitedCategories),
        DealFlag::ConflictSponsor => breaks(RuleKind::SponsorConflicts),
        DealFlag::AssociatedEntity => content.associated_entity,
        DealFlag::Minor => age.is_some_and(|age| age < 18),
    };
    let automatic = rules.automatic_flags.rule.flags.iter().copied();
    automatic.filter(|flag| applies(flag)).collect()
}

/// Whether an officer must review it, by the rules of the day on which it is submitted; a deal that
/// breaks a rule is always reviewed.
pub(super) async fn needs_approval(
    session: &mut Session,
    job: &DisclosedJob,
    on: Date,
    now: Time,
) -> Result<bool> {
    if job.breaches.iter().any(|breach| breach.refuses) {
        return Ok(true);
    }
    Ok(asked_approval(session, job, on, now).await?.is_some())
}

/// The rule that asks for an approval of the disclosed job, if it is submitted on this day; none if
/// the rule does not ask for it.
pub(super) async fn asked_approval(
    session: &mut Session,
    job: &DisclosedJob,
    on: Date,
    now: Time,
) -> Result<Option<Dated<Approval>>> {
    let rules = checking::rules_of(session, job.college_id, on).await?;
    let threshold = rules.threshold.rule;
    let content = Content::of(job);
    let sum = match rules.approval.rule.requirement {
        ApprovalRequirement::AboveThreshold => {
            let whose = (job.athlete_id, Some(job.id));
            compared(session, whose, &content, threshold.scope, now).await?.sum_cents
        }
        _ => content.amount_cents,
    };
    Ok(asks_approval(&rules, &content, sum).then_some(rules.approval))
}

/// Whether the rules ask for an approval of a disclosure whose threshold is compared with this sum.
pub(super) fn asks_approval(rules: &Rules, content: &Content, sum: Cents) -> bool {
    match rules.approval.rule.requirement {
        ApprovalRequirement::None => false,
        ApprovalRequirement::All => true,
        ApprovalRequirement::AssociatedOnly => content.associated_entity,
        ApprovalRequirement::AboveThreshold => sum >= rules.threshold.rule.amount_cents,
    }
}
