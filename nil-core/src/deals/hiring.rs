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
use crate::jobs::store::{application as applications, job as jobs};
use crate::jobs::{
    Application, ApplicationEvent, ApplicationStatus, Attribution, Job, JobStatus, dates,
    eligibility, places,
};
use crate::kernel::{ApplicationId, BasisPoints, Cents, JobId, Machine as _, Many, Moved, day_in};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::people::{AthleteFacts, PartnerFacts};
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
    let mut setting = Setting::load(&mut work, job).await?;
    let mut attribution = Attribution::default();
    if cx.platform().config().attribution {
        attribution.fbp = input.fbp.map(|id| id.0);
        attribution.fbc = input.fbc.map(|id| id.0);
    }
    let plan = plan(&mut work, &setting, input.id).await?;
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

impl Setting {
    pub(super) async fn load(work: &mut Work, job: Job) -> Result<Self> {
        let job = jobs::with_milestones(work, job).await?;
        let exclusive = job.exclusivity.map(|exclusivity| exclusivity.category_id);
        let (categories, now) = ((Some(job.category_id), exclusive), work.now());
        let people::DealingPartner { facts: partner, rates } =
            people::dealing_partner(work, job.partner_id, categories, now).await?;
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

    /// Sets the fee to a rate agreed on before.
    pub(super) fn at_rate(&mut self, fee: BasisPoints) {
        self.fee = fee;
    }
}

/// A hire that has passed all checks.
pub(super) struct Plan {
    application: ApplicationId,
    moved: Moved<ApplicationStatus>,
    athlete: AthleteFacts,
    agreed: Cents,
    shares: Vec<Cents>,
    terms: Terms,
}

/// Checks everything; writes nothing.
pub(super) async fn plan(work: &mut Work, setting: &Setting, id: ApplicationId) -> Result<Plan> {
    let job = &setting.job;
    let application = applications::lock_of_partner(work, id, job.partner_id).await?;
    if application.job_id != job.id {
        return Err(codes::NOT_FOUND.into());
    }
    let moved = application.status.on(ApplicationEvent::Hire)?;
    if !matches!(job.status, JobStatus::Open | JobStatus::Closed) {
        return Err(codes::JOB_NOT_OPEN.into());
    }
    if job.places_left() <= 0 {
        return Err(codes::JOB_FULL.into());
    }
    // Locks the athlete, so that everything checked below stays true: concurrent hires of this
    // athlete wait.
    people::lock(work, application.athlete_id).await?;
    let athlete = people::facts(work, application.athlete_id).await?.ok_or(codes::NOT_FOUND)?;
    eligibility::check(&job.eligibility, job.platforms(), &athlete)?;
    let today = day_in(work.now(), athlete.zone());
    dates::refuse_passed(job, today)?;
    eligibility::of_age_or_consented(&athlete, today)?;
    let now = work.now();
    let breaches = checking::of_job(work, &athlete, &job.posting(), Moment::Hire, now).await?;
    institutions::refuse(&breaches)?;
    exclusivity::check(work, job, athlete.id, today).await?;
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
        at: work.now(),
        fonts: work.platform().fonts(),
    })?;
    Ok(Plan {
        application: application.id,
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
    let agent = plan.athlete.agent_id;
    let application =
        applications::hire(work, plan.application, plan.moved, agent, attribution, now).await?;
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
    places::take(work, &mut setting.job, &setting.partner).await?;
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
