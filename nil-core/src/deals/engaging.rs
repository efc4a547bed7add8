//! Deals agreed on without an application: creates the job, hires the athlete and executes the
//! contract, all in the caller's transaction.

use super::confirming;
use super::hiring;
use super::store::deliverable;
use crate::error::{Error, Result, codes};
use crate::jobs::content::{Content, MilestoneContent};
use crate::jobs::store::application::{self as applications, NewApplication};
use crate::jobs::store::job as jobs;
use crate::jobs::{
    Activity, ApplicationSource, ApplicationStatus, Attribution, Compensation, Eligibility,
    JobKind, JobStatus, MediaKind, MediaPlatform, Visibility, eligibility,
};
use crate::kernel::{
    AthleteId, BasisPoints, CategoryId, Cents, ContractId, Date, DeliverableId, PartnerId,
};
use crate::operation::Work;
use crate::people::AthleteFacts;

/// The agreement: one piece of work, at one price.
pub(crate) struct Engagement {
    pub(crate) partner: PartnerId,
    pub(crate) athlete: AthleteId,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) category: CategoryId,
    pub(crate) kind: JobKind,
    pub(crate) activity: Activity,
    pub(crate) platform: MediaPlatform,
    pub(crate) media_kind: MediaKind,
    pub(crate) instructions: Option<String>,
    pub(crate) business_purpose: String,
    pub(crate) price: Cents,
    /// The fee rate frozen at the time of the agreement.
    pub(crate) fee: BasisPoints,
    pub(crate) due_on: Date,
}

impl Engagement {
    fn content(&self, work: &Work) -> Content {
        Content {
            title: self.title.clone(),
            description: self.description.clone(),
            kind: self.kind,
            amount_cents: self.price,
            // Only this athlete is hired; no other can apply, even if the contract is cancelled.
            application_deadline: Some(work.now()),
            visibility: Visibility::InviteOnly,
            business_purpose: self.business_purpose.clone(),
            milestones: vec![MilestoneContent {
                title: self.title.clone(),
                activity: self.activity,
                platform: self.platform,
                media_kind: self.media_kind,
                quantity: 1,
                due_on: self.due_on,
                instructions: self.instructions.clone(),
                hashtags: Vec::new(),
                disclosure_required: self.platform.publishes(),
                amount_cents: None,
            }],
            ..Content::blank(self.category, Compensation::Cash)
        }
    }
}

/// The result of an engagement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engaged {
    pub(crate) contract: ContractId,
    pub(crate) deliverable: DeliverableId,
}

/// Creates the deal, with all the refusals of a hire. The athlete is the caller, and the call is
/// their assent.
pub(crate) async fn engage(work: &mut Work, agreed: Engagement) -> Result<Engaged> {
    let now = work.now();
    let content = agreed.content(work);
    let job = jobs::add(work, agreed.partner, &content, JobStatus::Open, now).await?;
    work.note(job.id, "posted");
    let new = NewApplication {
        job: job.id,
        athlete: agreed.athlete,
        agent: None,
        source: ApplicationSource::Invited,
        pitch: None,
        proposed: None,
        status: ApplicationStatus::Applicant,
    };
    let application = applications::add(work, &new, now).await?;
    work.note(application.id, "applied");
    let (mut setting, plan) = hiring::prepare(work, job, application.id, Some(agreed.fee)).await?;
    let hired = hiring::carry_out(work, &mut setting, plan, &Attribution::default()).await?;
    let contract = hired.contract.id;
    confirming::execute(work, &hired.contract).await?;
    let made = deliverable::of_contracts(work, &[contract], now).await?;
    let made = made.first().ok_or(codes::INTERNAL)?;
    Ok(Engaged { contract, deliverable: made.id })
}

/// Refuses an athlete who could not be hired for one piece of work on this platform: account,
/// readiness, a minor without the guardian's consent.
pub(crate) fn check(athlete: &AthleteFacts, platform: MediaPlatform, today: Date) -> Result<()> {
    eligibility::check(&Eligibility::default(), [platform], athlete)?;
    eligibility::of_age_or_consented(athlete, today)
}

/// The requested category of jobs (422 if it does not exist), or the one with this slug.
pub(crate) async fn category(
    work: &mut Work,
    asked: Option<CategoryId>,
    slug: &str,
) -> Result<CategoryId> {
    let found = match asked {
        Some(id) => jobs::category_exists(work, id).await?.then_some(id),
        None => jobs::category_by_slug(work, slug).await?,
    };
    found.ok_or_else(|| Error::invalid("category_id", "must be a category of jobs"))
}
