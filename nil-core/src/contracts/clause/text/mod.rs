//! The wording of the clauses.
//!
//! Clauses that depend on the terms have a function; the others are in [`fixed`]. User text is put
//! on one line before it is quoted, so that a field cannot add a paragraph to the contract.

mod fixed;
mod pay;

use super::Clause;
use crate::contracts::terms::{Terms, UsageTerms};
use crate::wording::{
    day, days, inline, label, listing, moment, optional_day, percent, sentence, state, territory,
    words,
};

/// A clause as its paragraphs.
pub(super) fn paragraphs(clause: Clause, terms: &Terms) -> Vec<String> {
    match clause {
        Clause::Parties => parties(terms),
        Clause::Dates => dates(terms),
        Clause::LicensedAttributes => licensed_attributes(terms),
        Clause::UsageRights => usage_rights(&terms.usage),
        Clause::Deliverables => deliverables(terms),
        Clause::Compensation => pay::compensation(terms),
        Clause::NotForPerformance => not_for_performance(terms),
        Clause::InstitutionMarks => institution_marks(terms),
        Clause::AfterEligibility => after_eligibility(terms),
        Clause::Exclusivity => exclusivity(terms),
        Clause::GuardianConsent => guardian_consent(terms),
        Clause::GoverningLaw => governing_law(terms),
        fixed => fixed::paragraphs(fixed),
    }
}

fn parties(terms: &Terms) -> Vec<String> {
    let seat = match (&terms.brand.hq_city, &terms.brand.hq_state) {
        (Some(city), Some(code)) => format!(", of {}, {}", inline(city), state(code)),
        (Some(place), None) | (None, Some(place)) => format!(", of {}", state(place)),
        (None, None) => String::new(),
    };
    let home = match (&terms.athlete.hometown_city, &terms.athlete.hometown_state) {
        (Some(city), Some(code)) => format!(" and at home in {}, {}", inline(city), state(code)),
        (Some(place), None) | (None, Some(place)) => format!(" and at home in {}", state(place)),
        (None, None) => String::new(),
    };
    let mut paragraphs = vec![
        format!(
            "This Agreement is made between {}{seat}, acting through {} (the “Brand”), and {}, a \
             student-athlete in {} at {} (the “Institution”){home} (the “Athlete”).",
            inline(&terms.brand.company),
            inline(&terms.brand.contact),
            inline(&terms.athlete.legal_name),
            inline(&terms.athlete.sport),
            inline(&terms.athlete.institution),
        ),
        match &terms.marketplace {
            Some(marketplace) => format!(
                "The Institution is not a party to this Agreement, and neither is {}, the \
                 marketplace through which it was concluded (the “Marketplace”).",
                inline(&marketplace.name)
            ),
            None => "The Institution is not a party to this Agreement, and neither is the \
                     marketplace through which it was concluded (the “Marketplace”)."
                .to_owned(),
        },
    ];
    paragraphs.extend(terms.agent.as_ref().map(|agent| {
        format!(
            "The Athlete is represented by {} of {} (the “Agent”). The Agent’s commission is {} of \
             what the Athlete is paid, is borne by the Athlete and is taken from the Athlete’s \
             share.",
            inline(&agent.name),
            inline(&agent.agency),
            percent(agent.commission_basis_points),
        )
    }));
    paragraphs
}

fn dates(terms: &Terms) -> Vec<String> {
    vec![
        format!(
            "The Brand signed this Agreement on {}. It takes effect on {} and its term ends at the \
             end of {}, unless it ends earlier under the clause on termination.",
            day(terms.dates.signed_on),
            optional_day(terms.dates.effective_on),
            optional_day(terms.dates.term_ends_on),
        ),
        "The due date of each Deliverable is stated in the schedule of Deliverables and falls \
         within the term. A day ends at 23:59:59 in the time zone of the Institution."
            .to_owned(),
        "Rights of use that this Agreement grants for a longer time outlast the term for that \
         time, and so do the duties that belong to them."
            .to_owned(),
    ]
}

fn licensed_attributes(terms: &Terms) -> Vec<String> {
    let attributes = listing(terms.licensed_attributes.iter().map(|code| words(code)));
    vec![
        format!(
            "The Athlete licenses to the Brand the following personal attributes, as they appear \
             in the Deliverables: {attributes} (the “Licensed Attributes”)."
        ),
        "The license is limited to what this Agreement describes. Any attribute that is not \
         listed, and any use that is not described, stays with the Athlete. In particular the \
         Brand may not produce or train a synthetic likeness or voice of the Athlete."
            .to_owned(),
    ]
}

fn usage_rights(usage: &UsageTerms) -> Vec<String> {
    let media = listing(usage.media.iter().map(|code| words(code)));
    let duration = match usage.days {
        Some(count) if !usage.perpetual => format!(
            "The Brand may begin a use at first publication and must end it {} later. Posts that \
             remain in an archive and are no longer promoted need not be removed.",
            days(count)
        ),
        _ => "The right of use is PERPETUAL: it has no end date. The Athlete has been shown this \
              before agreeing to it."
            .to_owned(),
    };
    let may = |allowed: bool| if allowed { "may" } else { "may not" };
    vec![
        format!(
            "The Brand may use the Deliverables and the Licensed Attributes in these media and no \
             others: {media}. The territory is {}; that something published there can be seen \
             elsewhere is no breach.",
            territory(&usage.territory)
        ),
        duration,
        format!(
            "The Brand {} run advertisements through the Athlete’s own account (allow-listing), \
             {} edit the Deliverables into derivative works beyond cropping and format, and {} \
             sublicense its rights.",
            may(usage.allow_listing),
            may(usage.derivative_works),
            may(usage.sublicensable),
        ),
    ]
}

fn deliverables(terms: &Terms) -> Vec<String> {
    vec![
        format!(
            "The Athlete provides the services and content of the engagement “{}” that the \
             schedule below lists (each a “Deliverable”), each on the platform and in the format \
             stated, by its due date, and keeps what is published online, public and unarchived \
             for the live period stated.",
            inline(&terms.job.title),
        ),
        "The Athlete submits each Deliverable through the Marketplace with a link or other proof. \
         The Brand approves it or denies it with a reason that rests on this Agreement. After a \
         denial the Athlete may correct the Deliverable and submit it again."
            .to_owned(),
        "Instructions of the Brand may not require the Athlete to say anything that is untrue, \
         that is not the Athlete’s honest opinion, or that breaks the rules of the platform or of \
         the Institution."
            .to_owned(),
    ]
}

fn not_for_performance(terms: &Terms) -> Vec<String> {
    vec![
        format!(
            "The Brand’s business purpose is this: {} The compensation is given for the \
             Deliverables and the Licensed Attributes in pursuit of that purpose, and the parties \
             regard it as their fair value.",
            sentence(&terms.job.business_purpose),
        ),
        "No part of the compensation is pay for athletic performance, for participation or \
         achievement in a sport, for a place on a roster or for playing time, and none of it \
         depends on such a thing."
            .to_owned(),
    ]
}

fn institution_marks(terms: &Terms) -> Vec<String> {
    let institution = inline(&terms.athlete.institution);
    let rule = if terms.marks_consent {
        format!(
            "{institution} has agreed in writing to the use of its marks and facilities for the \
             Deliverables. That use stays within the Institution’s consent and ends with it."
        )
    } else {
        format!(
            "No Deliverable may show or use the names, logos, colors, uniforms, other marks or \
             facilities of {institution}, of its conference or of an athletic association, unless \
             their owner has first agreed in writing."
        )
    };
    vec![
        rule,
        "The Athlete may state truthfully which institution and team the Athlete belongs to, \
         where the law and the Institution’s rules allow it. Nothing in this Agreement suggests \
         that the Institution endorses the Brand."
            .to_owned(),
    ]
}

fn exclusivity(terms: &Terms) -> Vec<String> {
    let Some(exclusivity) = &terms.exclusivity else {
        return vec![
            "This Agreement is not exclusive. The Athlete may work for others, including \
             competitors of the Brand."
                .to_owned(),
        ];
    };
    vec![
        format!(
            "For {} from {} the Athlete does not advertise for a competitor of the Brand in this \
             category: {}",
            days(exclusivity.days),
            optional_day(terms.dates.effective_on),
            sentence(&exclusivity.category),
        ),
        "This does not reach contracts the Athlete disclosed before signing, team activities, or \
         apparel and equipment the Institution requires the Athlete to use. It ends at once when \
         this Agreement is terminated for any reason other than a breach by the Athlete."
            .to_owned(),
    ]
}

fn after_eligibility(terms: &Terms) -> Vec<String> {
    vec![
        "This Agreement grants nothing that begins after the Athlete’s collegiate eligibility has \
         ended. When the eligibility ends during the term, or the Athlete leaves the sport or \
         transfers, Deliverables already approved are paid and may be used as agreed."
            .to_owned(),
        format!(
            "Either party may then end this Agreement for the Deliverables that are still open by \
             giving notice within 30 days. {}",
            if terms.usage.perpetual {
                "The perpetual right of use covers only content that was approved before the \
                 eligibility ended."
            } else {
                "No right of use is extended because of it."
            }
        ),
    ]
}

fn guardian_consent(terms: &Terms) -> Vec<String> {
    let consent = terms.athlete.guardian.as_ref().map_or_else(
        || "The consent of the Athlete’s guardian has not been recorded.".to_owned(),
        |guardian| {
            format!(
                "The Athlete is under the age of majority. {}, the Athlete’s parent or legal \
                 guardian (the “Guardian”), has read these terms and consented to them on {}.",
                inline(&guardian.name),
                moment(guardian.consented_at, terms.dates.zone()),
            )
        },
    );
    vec![
        consent,
        "The Guardian receives a copy of this Agreement and of the messages exchanged under it, \
         and sees to it that money paid to the Athlete is kept for the Athlete’s benefit."
            .to_owned(),
    ]
}

fn governing_law(terms: &Terms) -> Vec<String> {
    vec![
        format!(
            "This Agreement is governed by the law of {}, without regard to its conflict-of-laws \
             rules. Laws of other states that protect student-athletes and may not be waived stay \
             in force.",
            label(&state(&terms.governing_law)),
        ),
        "Before going to court the parties try for 30 days after a written notice to settle the \
         matter between them. If a provision is void, the others stand."
            .to_owned(),
    ]
}
