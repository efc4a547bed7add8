//! Writes a contract's terms from the data at the time of the hire.

use chrono::Duration;
use chrono_tz::Tz;

use super::terms::{
    AgentParty, AthleteParty, BrandParty, CompensationKind, CompensationTerms, ExclusivityTerms,
    GuardianParty, JobTerms, MarketplaceTerms, MilestoneTerms, TermDates, Terms, UsageTerms,
};
use super::{clause, document};
use crate::backoffice::site::Letterhead;
use crate::document::fonts::Fonts;
use crate::error::{Result, codes};
use crate::jobs::{Compensation, Job, MediaKind, Milestone};
use crate::kernel::{BasisPoints, Cents, Date, Time, day_in, even_split, weighted_split};
use crate::people::{AthleteFacts, PartnerFacts, is_minor};

/// The licensed attributes unless the parties agree otherwise.
const ATTRIBUTES: [&str; 3] = ["name", "image", "likeness"];
const SCHEDULE: &str =
    "The Brand pays the amount of a Deliverable without delay once it has approved it.";
const CONDITION: &str = "An amount is owed when its Deliverable has been approved, and on no other \
                         condition.";

/// The data that the terms are written from.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) job: &'a Job,
    pub(crate) category: &'a str,
    pub(crate) exclusive_category: Option<&'a str>,
    pub(crate) partner: &'a PartnerFacts,
    pub(crate) athlete: &'a AthleteFacts,
    pub(crate) agreed: Cents,
    pub(crate) fee: BasisPoints,
    /// Who runs the site.
    pub(crate) site: Letterhead,
    pub(crate) at: Time,
    pub(crate) fonts: Fonts,
}

/// The terms without the number; 409 `contract_incomplete` naming the clauses that cannot be
/// written or printed.
pub(crate) fn terms(draft: &Draft<'_>) -> Result<Terms> {
    let terms = write(draft);
    let missing: Vec<&str> = clause::missing(&terms).iter().map(|c| c.title()).collect();
    if missing.is_empty() {
        document::check(&draft.fonts, &terms)?;
        return Ok(terms);
    }
    let what = missing.join("; ");
    Err(codes::CONTRACT_INCOMPLETE
        .saying(format!("The contract cannot be written; something is missing for: {what}.")))
}

fn write(draft: &Draft<'_>) -> Terms {
    let Draft { job, partner, athlete, .. } = draft;
    let signed_on = day_in(draft.at, athlete.zone());
    let shares = shares(job.amount_cents, &job.milestones, draft.agreed);
    let milestones = job.milestones.iter().zip(shares);
    Terms {
        // The number is drawn after all checks; until then a placeholder is needed.
        number: "NIL".into(),
        brand: BrandParty {
            company: partner.company_name.clone(),
            hq_city: partner.hq_city.clone(),
            hq_state: partner.hq_state.clone(),
            contact: partner.contact.clone(),
        },
        athlete: athlete_party(athlete, signed_on),
        agent: agent_party(athlete),
        job: JobTerms {
            title: job.title.clone(),
            description: job.description.clone(),
            category: draft.category.to_owned(),
            kind: job.kind.to_string(),
            business_purpose: job.business_purpose.clone(),
        },
        dates: dates(job, signed_on, athlete.zone()),
        milestones: milestones.map(|(m, share)| milestone(job, m, share)).collect(),
        compensation: CompensationTerms {
            kind: job.compensation.into(),
            agreed_amount_cents: draft.agreed.get(),
            product_description: job.product_description.clone(),
            product_value_cents: job.product_value_cents.map(Cents::get),
            commission_basis_points: job.commission_basis_points.map(BasisPoints::get),
            currency: "usd".into(),
            schedule: SCHEDULE.into(),
            condition: CONDITION.into(),
        },
        usage: usage(job),
        licensed_attributes: ATTRIBUTES.map(str::to_owned).to_vec(),
        exclusivity: job
            .exclusivity
            .zip(draft.exclusive_category)
            .map(|(e, category)| ExclusivityTerms { category: category.to_owned(), days: e.days }),
        marketplace: marketplace(draft.site.clone()),
        fee_basis_points: draft.fee.get(),
        governing_law: athlete
            .college_state
            .clone()
            .or_else(|| partner.hq_state.clone())
            .unwrap_or_default(),
        marks_consent: false,
    }
}

/// The marketplace as documents name it; none for a site without a name or an address.
pub(crate) fn marketplace(site: Letterhead) -> Option<MarketplaceTerms> {
    let Letterhead { name, support_email } = site.known()?;
    Some(MarketplaceTerms { name, support_email })
}

fn athlete_party(athlete: &AthleteFacts, signed_on: Date) -> AthleteParty {
    let minor = is_minor(athlete, signed_on);
    let guardian = athlete.guardian_name.clone().zip(athlete.guardian_consented_at);
    AthleteParty {
        legal_name: athlete.legal_name(),
        institution: athlete.college_name.clone().unwrap_or_default(),
        sport: athlete.sport_name.clone().unwrap_or_default(),
        institution_state: athlete.college_state.clone(),
        hometown_city: athlete.hometown_city.clone(),
        hometown_state: athlete.hometown_state.clone(),
        minor,
        guardian: guardian
            .filter(|_| minor)
            .map(|(name, consented_at)| GuardianParty { name, consented_at }),
    }
}

fn agent_party(athlete: &AthleteFacts) -> Option<AgentParty> {
    Some(AgentParty {
        agency: athlete.agency_name.clone()?,
        name: athlete.agent_name.clone()?,
        commission_basis_points: athlete.commission_basis_points?.get(),
    })
}

fn dates(job: &Job, signed_on: Date, zone: Tz) -> TermDates {
    let last_due = job.milestones.iter().map(|milestone| milestone.due_on).max();
    TermDates {
        signed_on,
        effective_on: Some(job.starts_on.unwrap_or(signed_on).max(signed_on)),
        term_ends_on: job.ends_on.max(last_due),
        time_zone: Some(zone.name().to_owned()),
    }
}

fn milestone(job: &Job, milestone: &Milestone, share: Cents) -> MilestoneTerms {
    let passing = matches!(milestone.media_kind, MediaKind::Story | MediaKind::Live);
    let stays = if passing { 1 } else { job.usage_rights.days.unwrap_or(90) };
    MilestoneTerms {
        title: milestone.title.clone(),
        activity: milestone.activity.to_string(),
        platform: milestone.platform.to_string(),
        media_kind: milestone.media_kind.to_string(),
        quantity: milestone.quantity,
        due_on: milestone.due_on,
        live_days: milestone.platform.publishes().then_some(stays),
        hashtags: milestone.hashtags.clone(),
        instructions: milestone.instructions.clone(),
        disclosure_required: milestone.disclosure_required,
        amount_cents: share.get(),
    }
}

fn usage(job: &Job) -> UsageTerms {
    let rights = &job.usage_rights;
    UsageTerms {
        media: rights.media.iter().map(ToString::to_string).collect(),
        territory: rights.territory.clone(),
        days: rights.days,
        perpetual: rights.perpetual,
        allow_listing: rights.allow_listing,
        derivative_works: rights.derivative_works,
        sublicensable: rights.sublicensable,
    }
}

impl From<Compensation> for CompensationKind {
    fn from(compensation: Compensation) -> Self {
        match compensation {
            Compensation::Cash => Self::Cash,
            Compensation::Product => Self::Product,
            Compensation::Service => Self::Service,
            Compensation::Mixed => Self::Mixed,
            Compensation::Royalty => Self::Royalty,
            Compensation::Commission => Self::Commission,
        }
    }
}

/// The price of each milestone: the given amounts, scaled if another total was agreed, or an even
/// split. Remaining cents go to the milestones due first.
pub(crate) fn shares(offered: Cents, milestones: &[Milestone], agreed: Cents) -> Vec<Cents> {
    let given: Option<Vec<Cents>> = milestones.iter().map(|m| m.amount_cents).collect();
    if let Some(given) = &given
        && agreed == offered
    {
        return given.clone();
    }
    let mut by_date: Vec<usize> = (0..milestones.len()).collect();
    by_date.sort_by_key(|at| milestones.get(*at).map(|milestone| milestone.due_on));
    let split = match &given {
        Some(given) => {
            let weights: Vec<Cents> =
                by_date.iter().filter_map(|at| given.get(*at)).copied().collect();
            weighted_split(agreed, &weights)
        }
        None => even_split(agreed, milestones.len()),
    };
    let mut shares = vec![Cents::ZERO; milestones.len()];
    for (at, share) in by_date.into_iter().zip(split) {
        if let Some(slot) = shares.get_mut(at) {
            *slot = share;
        }
    }
    shares
}

/// The last day of an exclusivity of `days` days.
pub(crate) fn exclusive_until(first: Date, days: i64) -> Date {
    Duration::try_days(days - 1)
        .and_then(|days| first.checked_add_signed(days))
        .unwrap_or(Date::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Activity, MediaPlatform};
    use crate::kernel::{JobId, MilestoneId};

    fn milestone(due: &str, amount: Option<i64>) -> Milestone {
        Milestone {
            id: MilestoneId::new(1).unwrap(),
            job_id: JobId::new(1).unwrap(),
            title: "Reel".into(),
            activity: Activity::SocialPost,
            platform: MediaPlatform::Instagram,
            media_kind: MediaKind::Reel,
            quantity: 1,
            due_on: due.parse().unwrap(),
            instructions: None,
            hashtags: Vec::new(),
            disclosure_required: true,
            amount_cents: amount.map(Cents),
        }
    }

    #[test]
    fn odd_cents_go_to_what_is_due_first() {
        let milestones = [
            milestone("2026-12-30", None),
            milestone("2026-12-10", None),
            milestone("2026-12-20", None),
        ];
        let shares = shares(Cents(10_001), &milestones, Cents(10_001));
        assert_eq!(shares, [Cents(3_333), Cents(3_334), Cents(3_334)]);
    }

    #[test]
    fn given_amounts_stand_and_are_scaled_after_a_proposal() {
        let milestones =
            [milestone("2026-12-10", Some(6_000)), milestone("2026-12-20", Some(3_000))];
        let as_given = shares(Cents(9_000), &milestones, Cents(9_000));
        assert_eq!(as_given, [Cents(6_000), Cents(3_000)]);
        let scaled = shares(Cents(9_000), &milestones, Cents(10_000));
        assert_eq!(scaled, [Cents(6_667), Cents(3_333)]);
    }

    #[test]
    fn an_exclusivity_of_one_day_ends_on_its_first() {
        let first: Date = "2026-11-20".parse().unwrap();
        assert_eq!(exclusive_until(first, 1), first);
        assert_eq!(exclusive_until(first, 30).to_string(), "2026-12-19");
    }
}
