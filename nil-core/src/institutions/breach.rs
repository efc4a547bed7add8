//! Checks a deal against an institution's rules. Pure functions: rules, athlete facts and deal
//! facts go in, breaches come out. A breach names the rule, the day it took effect, and a sentence
//! for users.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rule::{Categories, F1Policy, MarksPolicy, RuleKind, Sponsor};
use super::rules::Rules;
use super::visa_status::VisaStatus;
use crate::error::{Code, Result, codes};
use crate::kernel::{Activity, Date, SportId, same_company};

/// The moment of a check. It decides which rules apply:
///
/// | rule | publish | apply | hire | pay | disclose |
/// |---|---|---|---|---|---|
/// | prohibited categories | ✓ | ✓ | ✓ | ✓ | ✓ |
/// | restricted categories | ✓ | | without consent | | ✓ |
/// | sponsor conflicts, blackouts | ✓ | ✓ | ✓ | | sponsors |
/// | F-1 | | ✓ | ✓ | if blocked | ✓ |
/// | marks | | | | | ✓ |
///
/// Publishing and disclosing refuse nothing; their breaches are shown as warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A brand posts the job.
    Publish,
    /// The athlete applies.
    Apply,
    /// The brand hires.
    Hire,
    /// The brand pays for approved work.
    Pay,
    /// The athlete discloses a deal made elsewhere.
    Disclose,
}

/// A category by its slug and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// The slug, as rules use it.
    pub slug: String,
    /// The name shown to users.
    pub name: String,
}

/// An activity of the deal and its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undertaking {
    /// The activity.
    pub activity: Activity,
    /// The day by which it is due.
    pub on: Date,
}

/// The facts of a deal that rules look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealFacts {
    /// The job category of the deal and the business category of the payer.
    pub categories: Vec<Category>,
    /// The payer's name.
    pub payer: String,
    /// Its first day.
    pub from: Date,
    /// Its last day.
    pub until: Date,
    /// The planned activities.
    pub undertakings: Vec<Undertaking>,
    /// Whether it uses the institution's marks or facilities.
    pub uses_marks: bool,
    /// Whether the institution has consented to this athlete and this deal.
    pub consented: bool,
}

/// The facts of an athlete that rules look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonFacts {
    /// Their sports; empty if the job is not limited to certain sports.
    pub sports: Vec<SportId>,
    /// Their visa, if it is known.
    pub visa: Option<VisaStatus>,
}

/// A rule that a deal breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Breach {
    /// The rule.
    pub rule: RuleKind,
    /// The code that applying or hiring is refused with.
    pub code: String,
    /// The day the rule took effect.
    pub since: Date,
    /// A sentence for users; names the rule and its day.
    pub message: String,
    /// Whether it refuses the deal; otherwise it only warns.
    pub refuses: bool,
}

/// All breaches of the rules of `school` by a deal, the most severe first.
#[must_use]
pub fn breaches(
    rules: &Rules,
    school: &str,
    person: &PersonFacts,
    deal: &DealFacts,
    moment: Moment,
) -> Vec<Breach> {
    let found = [
        prohibited(rules, deal),
        visa(rules, person, moment),
        conflicts(rules, person, deal, moment),
        blackouts(rules, person, deal, moment),
        restricted(rules, deal, moment),
        marks(rules, deal, moment),
    ];
    let found = found.into_iter().flatten();
    found.map(|found| found.worded(school)).collect()
}

/// Refuses with the first refusing breach, and names all refusing breaches.
pub fn refuse(breaches: &[Breach]) -> Result<()> {
    let refusing: Vec<&Breach> = breaches.iter().filter(|breach| breach.refuses).collect();
    match refusing.first() {
        None => Ok(()),
        Some(first) => {
            let sentences: Vec<&str> = refusing.iter().map(|b| b.message.as_str()).collect();
            Err(first.refusal().saying(sentences.join(" ")))
        }
    }
}

impl Breach {
    /// The error code of the refusal.
    pub fn refusal(&self) -> Code {
        let code = FAMILIES.iter().find(|code| code.name == self.code);
        code.copied().unwrap_or(codes::INSTITUTION_RULE)
    }
}

/// The error codes of refusals by a rule.
pub(crate) const FAMILIES: &[Code] = &[
    codes::CATEGORY_PROHIBITED,
    codes::CATEGORY_RESTRICTED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
    codes::INSTITUTION_RULE,
];

struct Found {
    rule: RuleKind,
    code: Code,
    since: Date,
    refuses: bool,
    /// The predicate of the sentence; it follows the institution's name.
    says: String,
}

impl Found {
    fn worded(self, school: &str) -> Breach {
        let Self { rule, since, says, .. } = &self;
        Breach {
            message: format!("{school} {says} (rule `{rule}`, in force since {since})."),
            rule: self.rule,
            code: self.code.name.to_owned(),
            since: self.since,
            refuses: self.refuses,
        }
    }
}

fn named<'a>(categories: &Categories, deal: &'a DealFacts) -> Option<&'a Category> {
    let of_deal = deal.categories.iter();
    of_deal
        .filter(|own| categories.categories.contains(&own.slug))
        .min_by_key(|own| own.slug.as_str())
}

fn prohibited(rules: &Rules, deal: &DealFacts) -> Option<Found> {
    let dated = &rules.prohibited_categories;
    let category = named(&dated.rule, deal)?;
    Some(Found {
        rule: RuleKind::ProhibitedCategories,
        code: codes::CATEGORY_PROHIBITED,
        since: dated.effective_on,
        refuses: true,
        says: format!("prohibits deals in the category {}", category.name),
    })
}

fn restricted(rules: &Rules, deal: &DealFacts, moment: Moment) -> Option<Found> {
    if deal.consented || matches!(moment, Moment::Apply | Moment::Pay) {
        return None;
    }
    let dated = &rules.restricted_categories;
    let category = named(&dated.rule, deal)?;
    Some(Found {
        rule: RuleKind::RestrictedCategories,
        code: codes::CATEGORY_RESTRICTED,
        since: dated.effective_on,
        refuses: true,
        says: format!("has to consent to each deal in the category {}", category.name),
    })
}

fn concerns(sports: &[SportId], person: &PersonFacts) -> bool {
    sports.is_empty()
        || person.sports.is_empty()
        || person.sports.iter().any(|sport| sports.contains(sport))
}

fn conflicts(
    rules: &Rules,
    person: &PersonFacts,
    deal: &DealFacts,
    moment: Moment,
) -> Option<Found> {
    if moment == Moment::Pay {
        return None;
    }
    let dated = &rules.sponsor_conflicts;
    let rival = |sponsor: &&Sponsor| {
        let begun = sponsor.from.is_none_or(|from| from <= deal.until);
        let not_over = sponsor.until.is_none_or(|until| deal.from <= until);
        let same_field = deal.categories.iter().any(|c| c.slug == sponsor.category);
        begun
            && not_over
            && same_field
            && concerns(&sponsor.sport_ids, person)
            && !same_company(&sponsor.sponsor, &deal.payer)
    };
    let sponsor = dated.rule.sponsors.iter().find(rival)?;
    Some(Found {
        rule: RuleKind::SponsorConflicts,
        code: codes::SPONSOR_CONFLICT,
        since: dated.effective_on,
        refuses: true,
        says: format!("is under contract with {}, which excludes {}", sponsor.sponsor, deal.payer),
    })
}

fn blackouts(
    rules: &Rules,
    person: &PersonFacts,
    deal: &DealFacts,
    moment: Moment,
) -> Option<Found> {
    if moment == Moment::Pay {
        return None;
    }
    let dated = &rules.blackouts;
    let (window, act) = dated.rule.windows.iter().find_map(|window| {
        let falls_in = |act: &&Undertaking| {
            (window.from..=window.until).contains(&act.on)
                && (window.activities.is_empty() || window.activities.contains(&act.activity))
        };
        let act = deal.undertakings.iter().find(falls_in)?;
        concerns(&window.sport_ids, person).then_some((window, act))
    })?;
    Some(Found {
        rule: RuleKind::Blackouts,
        code: codes::BLACKOUT,
        since: dated.effective_on,
        refuses: true,
        says: format!(
            "allows no {} on {}: {}, {} to {}",
            act.activity, act.on, window.name, window.from, window.until
        ),
    })
}

fn visa(rules: &Rules, person: &PersonFacts, moment: Moment) -> Option<Found> {
    let dated = &rules.f1;
    let refuses = match (dated.rule.policy, moment) {
        (F1Policy::Allow, _) | (_, Moment::Publish) | (F1Policy::Warn, Moment::Pay) => return None,
        (F1Policy::Warn, _) => false,
        (F1Policy::Block, _) => true,
    };
    if person.visa != Some(VisaStatus::F1) {
        return None;
    }
    let says = if refuses {
        "allows no deals of students with an F-1 visa"
    } else {
        "warns students with an F-1 visa: paid work can cost the visa, so ask the international \
         office first"
    };
    Some(Found {
        rule: RuleKind::F1,
        code: codes::VISA_STATUS,
        since: dated.effective_on,
        refuses,
        says: says.into(),
    })
}

fn marks(rules: &Rules, deal: &DealFacts, moment: Moment) -> Option<Found> {
    let dated = &rules.marks;
    if moment != Moment::Disclose || !deal.uses_marks {
        return None;
    }
    let (refuses, says) = match dated.rule.policy {
        MarksPolicy::Allowed => return None,
        MarksPolicy::WithConsent if deal.consented => return None,
        MarksPolicy::WithConsent => (false, "has to consent to the use of its marks"),
        MarksPolicy::Forbidden => (true, "allows no use of its marks and facilities"),
    };
    Some(Found {
        rule: RuleKind::Marks,
        code: codes::INSTITUTION_RULE,
        since: dated.effective_on,
        refuses,
        says: says.into(),
    })
}
