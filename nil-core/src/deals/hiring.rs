//! Brands hire: application, contract, deliverables and place are written in one transaction.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Serialize};

use super::store::deliverable;
use crate::auth::Partner;
use crate::backoffice::site::Letterhead;
use crate::contracts::drafting::{self, Draft};
use crate::contracts::terms::Terms;
use crate::contracts::{Contract, exclusivity, making};
use crate::error::{Error, Kind, Result, codes};
use crate::feed::Concerned;
use crate::institutions::{self, Moment, checking};
use crate::jobs::inviting::Refused;
use crate::jobs::store::{application as applications, job as jobs, milestone};
use crate::jobs::{
    Application, ApplicationEvent, ApplicationStatus, Attribution, Job, JobStatus, Milestone,
    dates, eligibility, places,
};
use crate::kernel::{
    ApplicationId, BasisPoints, Cents, JobId, Machine as _, Many, Moved, Time, day_in,
};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::people::{AthleteFacts, DealingPartner, PartnerFacts};
use crate::storage::{Answers, Asked, Together};
use crate::{people, wording};

/// An id of an advertising network: text, a number, true or false; stored as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClickId(String);

impl<'de> Deserialize<'de> for ClickId {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Scalar;
        impl Visitor<'_> for Scalar {
            type Value = String;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text, a number, true or false")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
                Ok(text.to_owned())
            }
            fn visit_bool<E: de::Error>(self, yes: bool) -> Result<String, E> {
                Ok(yes.to_string())
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<String, E> {
                Ok(number.to_string())
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<String, E> {
                Ok(number.to_string())
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<String, E> {
                Ok(number.to_string())
            }
        }
        let text = from.deserialize_any(Scalar)?;
        if text.chars().count() > 255 || text.contains('\0') {
            return Err(de::Error::custom("must be at most 255 characters long"));
        }
        Ok(Self(text))
    }
}

impl JsonSchema for ClickId {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "ClickId".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "number", "boolean"], "maxLength": 255,
            "description": "id of an advertising network", "examples": ["fb.1.1700000000.42"]
        })
    }
}

/// The applicant to hire.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Hire {
    /// The application.
    pub id: ApplicationId,
    /// The advertising browser id; stored only if the platform is configured for it.
    pub fbp: Option<ClickId>,
    /// The advertising click id; stored only if the platform is configured for it.
    pub fbc: Option<ClickId>,
}

/// Several applicants of one job to hire.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct HireBulk {
    /// The job.
    pub job_id: JobId,
    /// The applications, at most 200.
    pub application_ids: Many<ApplicationId, 1, 200>,
    /// All or none (default false: each independently).
    pub atomic: Option<bool>,
}

/// An application with its new contract.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Hired {
    /// The application.
    #[serde(flatten)]
    pub application: Application,
    /// The contract; the athlete must confirm it by `expires_at`.
    pub contract: Contract,
}

/// The result of a bulk hire.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct HiredBulk {
    /// The athletes now hired.
    pub hired: Vec<Hired>,
    /// The applications that could not be hired, with reasons; `id` is the application's.
    pub refused: Vec<Refused>,
}

/// Hires an applicant and writes the contract. 409 with a separate code if the job is not open or
/// full, one of its due dates has passed, the athlete is not eligible, ready or of age without
/// consent, a rule of the athlete's institution forbids it (naming the rule and its date), another
/// contract excludes this one, or a clause cannot be written.
pub async fn hire(cx: Cx<Partner>, input: Hire) -> Result<Done<Hired>> {
    let mut work = cx.begin().await?;
    let job = jobs::lock_of_application(&mut work, input.id, cx.caller.id).await?;
    let mut attribution = Attribution::default();
    if cx.platform().config().attribution {
        attribution.fbp = input.fbp.map(|id| id.0);
        attribution.fbc = input.fbc.map(|id| id.0);
    }
    let (mut setting, plan) = prepare(&mut work, job, input.id, None).await?;
    let hired = hire_and_tell(&mut work, &mut setting, plan, &attribution).await?;
    work.done(hired).await
}

/// Hires several applicants of one job in one transaction: each independently, or all or none.
pub async fn hire_bulk(cx: Cx<Partner>, input: HireBulk) -> Result<Done<HiredBulk>> {
    let mut work = cx.begin().await?;
    let job = jobs::lock_of(&mut work, input.job_id, cx.caller.id).await?;
    let mut setting = Setting::load(&mut work, job).await?;
    let mut ids = input.application_ids.to_vec();
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    applications::lock_applicants(&mut work, input.job_id, &ids).await?;
    let mut answer = HiredBulk { hired: Vec::new(), refused: Vec::new() };
    for id in ids {
        match plan(&mut work, &setting, id).await {
            Ok(plan) => {
                let nothing = Attribution::default();
                let hired = hire_and_tell(&mut work, &mut setting, plan, &nothing).await?;
                answer.hired.push(hired);
            }
            // A plan writes nothing, so a refusal leaves nothing behind.
            Err(error) if is_refusal(&work, &error) => {
                let refused = Refused::new(id.get(), &error, ("application", id.get()));
                if input.atomic == Some(true) {
                    return Err(naming(refused));
                }
                answer.refused.push(refused);
            }
            Err(error) => return Err(error),
        }
    }
    work.done(answer).await
}

fn is_refusal(work: &Work, error: &Error) -> bool {
    !work.failed() && matches!(error.kind(), Kind::NotFound | Kind::Conflict)
}

/// The refusal, naming the application it concerns.
fn naming(refused: Refused) -> Error {
    let Refused { id, code, message } = refused;
    let sentence = format!("No athlete was hired. Application {id}: {message}");
    let code = codes::ALL.iter().find(|known| known.name == code);
    code.copied().unwrap_or(codes::ILLEGAL_TRANSITION).saying(sentence)
}

/// The data shared by all hires of a job. The job is locked.
pub(super) struct Setting {
    job: Job,
    partner: PartnerFacts,
    fee: BasisPoints,
    site: Letterhead,
    category: String,
    exclusive_category: Option<String>,
}

/// The statements for a [`Setting`].
struct SettingAsked {
    milestones: Asked<Vec<Milestone>>,
    partner: Asked<DealingPartner>,
}

impl Setting {
    async fn load(work: &mut Work, job: Job) -> Result<Self> {
        let mut asked = work.together();
        let of = Self::ask(&mut asked, &job, work.now());
        Self::read(of, job, &mut work.answers(asked).await?)
    }

    fn ask(asked: &mut Together, job: &Job, now: Time) -> SettingAsked {
        let exclusive = job.exclusivity.map(|exclusivity| exclusivity.category_id);
        let categories = (Some(job.category_id), exclusive);
        SettingAsked {
            milestones: milestone::ask_of_jobs(asked, &[job.id]),
            partner: people::ask_dealing_partner(asked, job.partner_id, categories, now),
        }
    }

    fn read(asked: SettingAsked, mut job: Job, answers: &mut Answers) -> Result<Self> {
        job.milestones = answers.of(asked.milestones)?;
        let DealingPartner { facts: partner, rates } = answers.of(asked.partner)?;
        Ok(Self {
            // A fee that an operator set for this job takes precedence.
            fee: job.fee_basis_points.unwrap_or_else(|| rates.usual(&partner)),
            job,
            partner,
            site: Letterhead { name: rates.site_name, support_email: rates.site_address },
            category: rates.category.ok_or_else(|| Error::internal("a job without a category"))?,
            exclusive_category: rates.exclusive_category,
        })
    }
}

/// A hire that has passed all checks.
pub(super) struct Plan {
    application: Application,
    moved: Moved<ApplicationStatus>,
    athlete: AthleteFacts,
    agreed: Cents,
    shares: Vec<Cents>,
    terms: Terms,
}

/// The statements for the checks of one hire.
struct ChecksAsked {
    athlete: Asked<Option<AthleteFacts>>,
    rules: Asked<checking::Checked>,
    promises: Asked<Vec<exclusivity::Promise>>,
}

impl ChecksAsked {
    fn of(asked: &mut Together, application: &Application, job: &Job) -> Self {
        let athlete = application.athlete_id;
        Self {
            athlete: people::ask_facts(asked, athlete),
            rules: checking::Checked::ask(asked, athlete, job.id),
            promises: exclusivity::ask(asked, athlete, job),
        }
    }
}

/// Locks the application and the athlete, reads everything at once, and checks it; writes nothing.
/// The job is locked. The fee is the usual one, unless a rate was agreed on before.
pub(super) async fn prepare(
    work: &mut Work,
    job: Job,
    id: ApplicationId,
    agreed: Option<BasisPoints>,
) -> Result<(Setting, Plan)> {
    let application = applications::lock_to_hire(work, id, job.id).await?;
    let mut asked = work.together();
    let setting = Setting::ask(&mut asked, &job, work.now());
    let checks = ChecksAsked::of(&mut asked, &application, &job);
    let mut answers = work.answers(asked).await?;
    let mut setting = Setting::read(setting, job, &mut answers)?;
    if let Some(fee) = agreed {
        setting.fee = fee;
    }
    let plan = check(work, &setting, application, checks, answers)?;
    Ok((setting, plan))
}

/// The same for one of several hires of a job.
async fn plan(work: &mut Work, setting: &Setting, id: ApplicationId) -> Result<Plan> {
    let application = applications::lock_to_hire(work, id, setting.job.id).await?;
    let mut asked = work.together();
    let checks = ChecksAsked::of(&mut asked, &application, &setting.job);
    let answers = work.answers(asked).await?;
    check(work, setting, application, checks, answers)
}

/// Checks everything.
fn check(
    work: &Work,
    setting: &Setting,
    application: Application,
    asked: ChecksAsked,
    mut answers: Answers,
) -> Result<Plan> {
    let (job, now) = (&setting.job, work.now());
    let moved = application.status.on(ApplicationEvent::Hire)?;
    if !matches!(job.status, JobStatus::Open | JobStatus::Closed) {
        return Err(codes::JOB_NOT_OPEN.into());
    }
    if job.places_left() <= 0 {
        return Err(codes::JOB_FULL.into());
    }
    let athlete = answers.of(asked.athlete)?.ok_or(codes::NOT_FOUND)?;
    eligibility::check(&job.eligibility, job.platforms(), &athlete)?;
    let today = day_in(now, athlete.zone());
    dates::refuse_passed(job, today)?;
    eligibility::of_age_or_consented(&athlete, today)?;
    let rules = answers.of(asked.rules)?;
    institutions::refuse(&rules.breaches(&athlete, &job.posting(), Moment::Hire, now)?)?;
    exclusivity::check(answers.of(asked.promises)?, job, today)?;
    let agreed = application.proposed_amount_cents.unwrap_or(job.amount_cents);
    let terms = drafting::terms(&Draft {
        job,
        category: &setting.category,
        exclusive_category: setting.exclusive_category.as_deref(),
        partner: &setting.partner,
        athlete: &athlete,
        agreed,
        fee: setting.fee,
        site: setting.site.clone(),
        at: now,
        fonts: work.platform().fonts(),
    })?;
    Ok(Plan {
        application,
        moved,
        shares: drafting::shares(job.amount_cents, &job.milestones, agreed),
        athlete,
        agreed,
        terms,
    })
}

/// Saves the hire and notifies everyone involved.
async fn hire_and_tell(
    work: &mut Work,
    setting: &mut Setting,
    plan: Plan,
    attribution: &Attribution,
) -> Result<Hired> {
    let athlete = plan.athlete.clone();
    let hired = carry_out(work, setting, plan, attribution).await?;
    tell(work, setting, &athlete, &hired.contract);
    Ok(hired)
}

/// Saves the hire.
pub(super) async fn carry_out(
    work: &mut Work,
    setting: &mut Setting,
    plan: Plan,
    attribution: &Attribution,
) -> Result<Hired> {
    let now = work.now();
    let application = Application {
        status: plan.moved.to(),
        agent_id: plan.athlete.agent_id,
        attribution: attribution.clone(),
        updated_at: now,
        ..plan.application
    };
    // First what has to be asked: the rest is written together.
    let place = places::hold(work, &setting.job, application.id).await?;
    let made = making::Made {
        application: &application,
        job: &setting.job,
        athlete: &plan.athlete,
        partner: &setting.partner,
        agreed: plan.agreed,
        fee: setting.fee,
    };
    let contract = making::make(work, &made, plan.terms).await?;
    let zone = plan.athlete.zone();
    let milestones = &setting.job.milestones;
    deliverable::add_all(work, &contract, milestones, &plan.shares, zone, now).await?;
    applications::hire(work, &application, plan.moved).await?;
    places::take(work, place, &mut setting.job, &setting.partner).await?;
    work.note(application.id, "hired");
    Ok(Hired { application, contract })
}

fn tell(work: &mut Work, setting: &Setting, athlete: &AthleteFacts, contract: &Contract) {
    let confirm_by = wording::moment(contract.expires_at, athlete.zone());
    let company = &setting.partner.company_name;
    work.send(
        Message::new(Event::AthleteHired, Recipient::User(athlete.user_id))
            .with("job_title", setting.job.title.clone())
            .with("company_name", company.clone())
            .with("amount", setting.job.offer(contract.agreed_amount_cents))
            .with("confirm_by", confirm_by.clone())
            .with("job_id", setting.job.id.get()),
    );
    let concerned = Concerned::Brand(contract.partner_id);
    work.publish(contract.publishes(Event::ContractGenerated, concerned));
    let others = [Some(athlete.user_id), Some(setting.partner.user_id), athlete.agent_user_id];
    for user in others.into_iter().flatten() {
        work.send(
            Message::new(Event::ContractGenerated, Recipient::User(user))
                .with("athlete_name", athlete.display_name.clone())
                .with("company_name", company.clone())
                .with("confirm_by", confirm_by.clone())
                .with("contract_number", contract.number.clone())
                .with("job_title", setting.job.title.clone())
                .with("job_id", setting.job.id.get())
                .with("contract_id", contract.id.get()),
        );
    }
}
