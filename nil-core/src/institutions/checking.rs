//! Loads the facts and checks deals against institutions' rules: when a job is posted, applied to
//! or hired for, and when approved work is paid.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use super::breach::{Breach, Category, DealFacts, Moment, PersonFacts, Undertaking, breaches};
use super::rule::{Change, F1Policy, RuleKind};
use super::rules::Rules;
use super::store::rule as store;
use super::visa_status::VisaStatus;
use crate::error::Result;
use crate::kernel::{
    Activity, AthleteId, CategoryId, CollegeId, ContractId, Date, JobId, LAST_ZONE, PartnerId,
    SportId, Time, day_in, zone_or_last,
};
use crate::people::AthleteFacts;
use crate::storage::{Asked, Session, Together};

/// The maximum number of refusals reported when a job is posted.
const TOLD: usize = 200;

/// A refusal: athletes of this institution cannot be hired for the job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SchoolRefusal {
    /// The institution; null for all institutions without a rule of their own on this.
    pub college_id: Option<CollegeId>,
    /// Its name.
    pub college: String,
    /// The rule.
    pub rule: RuleKind,
    /// The code that applying or hiring is refused with.
    pub code: String,
    /// The day the rule took effect.
    pub since: Date,
    /// A sentence for users.
    pub message: String,
}

/// The rules in force at an institution on a day.
pub async fn rules_of(session: &mut Session, college: CollegeId, day: Date) -> Result<Rules> {
    let own = store::of_college(session, college).await?;
    let own: Vec<Change> = own.into_iter().map(Change::from).collect();
    Rules::in_force(&own, day)
}

/// The rules in force for an athlete on a day: those of the institution, or the defaults without
/// one.
pub async fn rules_for(
    session: &mut Session,
    college: Option<CollegeId>,
    day: Date,
) -> Result<Rules> {
    match college {
        Some(college) => rules_of(session, college, day).await,
        None => Rules::in_force(&[], day),
    }
}

/// The rules that are checked when a job is posted.
const OF_POSTING: &[RuleKind] = &[
    RuleKind::ProhibitedCategories,
    RuleKind::RestrictedCategories,
    RuleKind::SponsorConflicts,
    RuleKind::Blackouts,
];

/// The rules that are checked when approved work is paid.
const OF_PAYMENTS: &[RuleKind] = &[RuleKind::ProhibitedCategories, RuleKind::F1];

/// All rule entries of institutions for some kinds of rule; other kinds are left out.
pub async fn histories(
    session: &mut Session,
    colleges: Option<&[CollegeId]>,
    kinds: &[RuleKind],
) -> Result<HashMap<CollegeId, Vec<Change>>> {
    let mut own: HashMap<CollegeId, Vec<Change>> = HashMap::new();
    for row in store::of_colleges(session, colleges, kinds).await? {
        own.entry(row.college_id).or_default().push(row.into());
    }
    Ok(own)
}

/// The facts about a job that the rules examine.
#[derive(Clone, Debug)]
pub struct Posting {
    /// The job.
    pub job: JobId,
    /// The first and the last day of the term, if the brand set them.
    pub term: (Option<Date>, Option<Date>),
    /// One for each milestone.
    pub undertakings: Vec<Undertaking>,
    /// The institutions whose athletes it addresses; none means all.
    pub colleges: Vec<CollegeId>,
    /// The states it addresses; none means all.
    pub states: Vec<String>,
    /// The sports it addresses; none means all.
    pub sports: Vec<SportId>,
}

/// The breaches of the athlete's institution's rules by this job at `now`. None for an athlete
/// without an institution, who cannot be hired anyway.
pub async fn of_job(
    session: &mut Session,
    athlete: &AthleteFacts,
    job: &Posting,
    moment: Moment,
    now: Time,
) -> Result<Vec<Breach>> {
    let checked = session.answer(|asked| Checked::ask(asked, athlete.id, job.job)).await?;
    checked.breaches(athlete, job, moment, now)
}

/// What a check of an athlete and a job needs besides the facts about both.
pub struct Checked {
    row: store::JobRow,
    own: Vec<Change>,
}

impl Checked {
    /// Asks for it.
    pub fn ask(asked: &mut Together, athlete: AthleteId, job: JobId) -> Asked<Self> {
        store::job(asked, job, Some(athlete)).then(|(row, own)| Self { row, own })
    }

    /// The breaches, as [`of_job`] explains.
    pub fn breaches(
        self,
        athlete: &AthleteFacts,
        job: &Posting,
        moment: Moment,
        now: Time,
    ) -> Result<Vec<Breach>> {
        let Some(home) = Home::of(athlete, now) else { return Ok(Vec::new()) };
        let visa = self.row.visa;
        home.breaches(&self.own, visa, &deal(job, self.row, home.today), moment)
    }
}

/// An athlete at their institution, today.
struct Home<'a> {
    athlete: &'a AthleteFacts,
    school: &'a str,
    today: Date,
}

impl<'a> Home<'a> {
    /// None for an athlete without an institution.
    fn of(athlete: &'a AthleteFacts, now: Time) -> Option<Self> {
        let school = athlete.college_id.and(athlete.college_name.as_deref())?;
        Some(Self { athlete, school, today: day_in(now, athlete.zone()) })
    }

    /// The breaches of the institution's rules, of which these are the entries.
    fn breaches(
        &self,
        own: &[Change],
        visa: Option<VisaStatus>,
        deal: &DealFacts,
        moment: Moment,
    ) -> Result<Vec<Breach>> {
        let rules = Rules::in_force(own, self.today)?;
        let person = PersonFacts { sports: self.athlete.sport_id.into_iter().collect(), visa };
        Ok(breaches(&rules, self.school, &person, deal, moment))
    }
}

/// A planned deal: one activity that a brand wants from an athlete.
pub struct Prospect {
    /// The brand.
    pub partner: PartnerId,
    /// The category of the brand's job.
    pub category: CategoryId,
    /// What the athlete does.
    pub activity: Activity,
    /// The day when it is due.
    pub due_on: Date,
}

/// The breaches of the athlete's institution's rules by a deal that has no job yet, as in
/// [`of_job`]. Institutions consent to jobs, so no consent applies here.
pub async fn of_prospect(
    session: &mut Session,
    athlete: &AthleteFacts,
    prospect: &Prospect,
    moment: Moment,
    now: Time,
) -> Result<Vec<Breach>> {
    let Some(home) = Home::of(athlete, now) else { return Ok(Vec::new()) };
    let planned = (prospect.partner, prospect.category);
    let (row, own) = store::prospect(session, planned, athlete.id).await?;
    let undertaking = Undertaking { activity: prospect.activity, on: prospect.due_on };
    let deal = DealFacts {
        categories: categories(
            (row.job_slug, row.job_category),
            row.business_slug.zip(row.business_category),
        ),
        payer: row.company_name,
        from: home.today,
        until: prospect.due_on.max(home.today),
        undertakings: vec![undertaking],
        uses_marks: false,
        consented: row.consented,
    };
    home.breaches(&own, row.visa, &deal, moment)
}

fn deal(job: &Posting, row: store::JobRow, today: Date) -> DealFacts {
    let last_due = job.undertakings.iter().map(|undertaking| undertaking.on).max();
    let (starts_on, ends_on) = job.term;
    let from = starts_on.unwrap_or(today).max(today);
    DealFacts {
        categories: categories(
            (row.job_slug, row.job_category),
            row.business_slug.zip(row.business_category),
        ),
        payer: row.company_name,
        from,
        until: ends_on.or(last_due).unwrap_or(from).max(from),
        undertakings: job.undertakings.clone(),
        uses_marks: false,
        consented: row.consented,
    }
}

fn categories(job: (String, String), business: Option<(String, String)>) -> Vec<Category> {
    let both = std::iter::once(job).chain(business);
    both.map(|(slug, name)| Category { slug, name }).collect()
}

/// The institutions that would refuse the job, among those whose athletes it addresses.
pub async fn of_posting(
    session: &mut Session,
    job: &Posting,
    now: Time,
) -> Result<Vec<SchoolRefusal>> {
    let named = (!job.colleges.is_empty()).then_some(job.colleges.as_slice());
    let own = histories(session, named, OF_POSTING).await?;
    let ids: Vec<CollegeId> = match named {
        Some(named) => named.to_vec(),
        None => own.keys().copied().collect(),
    };
    let schools = store::schools(session, &ids).await?;
    let (row, _) = session.answer(|asked| store::job(asked, job.job, None)).await?;
    let person = PersonFacts { sports: job.sports.clone(), visa: None };
    let mut told = Vec::new();
    if named.is_none() {
        let today = day_in(now, LAST_ZONE);
        let deal = deal(job, row.clone(), today);
        let rules = Rules::in_force(&[], today)?;
        let name = "Every institution without a rule of its own";
        let found = breaches(&rules, name, &person, &deal, Moment::Publish);
        told.extend(found.into_iter().map(|breach| told_of(None, name, breach)));
    }
    let eligible =
        |school: &&store::School| job.states.is_empty() || job.states.contains(&school.state);
    for school in schools.iter().filter(eligible) {
        let today = school.day(now);
        let rules = Rules::in_force(own.get(&school.id).map_or(&[][..], Vec::as_slice), today)?;
        let deal = deal(job, row.clone(), today);
        let found = breaches(&rules, &school.name, &person, &deal, Moment::Publish);
        let said = |breach| told_of(Some(school.id), &school.name, breach);
        told.extend(found.into_iter().map(said));
    }
    told.truncate(TOLD);
    Ok(told)
}

fn told_of(college_id: Option<CollegeId>, college: &str, breach: Breach) -> SchoolRefusal {
    SchoolRefusal {
        college_id,
        college: college.to_owned(),
        rule: breach.rule,
        code: breach.code,
        since: breach.since,
        message: breach.message,
    }
}

/// Which of these contracts may not be paid at `now`, with the breach. A payment is refused only by
/// a rule that was in force at hiring and is still in force today: a later rule never blocks owed
/// money, and a withdrawn rule refuses nothing.
pub async fn of_payments(
    session: &mut Session,
    contracts: &[ContractId],
    now: Time,
) -> Result<BTreeMap<ContractId, Breach>> {
    let rows = store::contracts(session, contracts).await?;
    let mut colleges: Vec<CollegeId> = rows.iter().map(|row| row.college_id).collect();
    colleges.sort_unstable();
    colleges.dedup();
    let said = store::of_colleges(session, Some(&colleges), OF_PAYMENTS).await?;
    let mut refused = BTreeMap::new();
    for row in rows {
        let own = said.iter().filter(|said| said.college_id == row.college_id);
        let then = own.clone().filter(|said| said.created_at <= row.generated_at);
        let then: Vec<Change> = then.cloned().map(Change::from).collect();
        let own: Vec<Change> = own.cloned().map(Change::from).collect();
        let zone = zone_or_last(Some(&row.time_zone));
        let hired_on = day_in(row.generated_at, zone);
        let today = day_in(now, zone);
        let mut rules = Rules::in_force(&then, hired_on)?;
        let current = Rules::in_force(&own, today)?;
        let still = &current.prohibited_categories.rule.categories;
        let prohibited = &mut rules.prohibited_categories.rule.categories;
        prohibited.retain(|slug| still.contains(slug));
        if current.f1.rule.policy != F1Policy::Block {
            rules.f1.rule = current.f1.rule;
        }
        if let Some(breach) = refusal(&row, &rules, hired_on) {
            refused.insert(row.id, breach);
        }
    }
    Ok(refused)
}

/// The breach with which these rules refuse the payment of a contract.
fn refusal(row: &store::ContractRow, rules: &Rules, hired_on: Date) -> Option<Breach> {
    let person = PersonFacts { sports: row.sport_id.into_iter().collect(), visa: row.visa };
    let business = row.business_slug.clone().zip(row.business_category.clone());
    let deal = DealFacts {
        categories: categories((row.job_slug.clone(), row.job_category.clone()), business),
        payer: row.company_name.clone(),
        from: hired_on,
        until: hired_on,
        undertakings: Vec::new(),
        uses_marks: false,
        consented: false,
    };
    let found = breaches(rules, &row.college, &person, &deal, Moment::Pay);
    found.into_iter().find(|breach| breach.refuses)
}
