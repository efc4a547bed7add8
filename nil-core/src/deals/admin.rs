//! Operators view jobs, decide on pending ones, and remove athletes from them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::browsing as views;
use super::deal::Deal;
use super::ending;
use crate::accounts::partners::verifying;
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::feed::{Concerned, Published};
use crate::institutions::{SchoolRefusal, checking};
use crate::jobs::browsing::{self, Applicant, JobPosted};
use crate::jobs::inviting::{deadline_in_words, turn_down};
use crate::jobs::store::job::LockMode;
use crate::jobs::store::listing::{self as deals, Side, Wanted};
use crate::jobs::store::{application as applications, card, job as jobs};
use crate::jobs::{
    Application, ApplicationEvent, ApplicationStatus, Job, JobEvent, JobStatus, PartnerCard,
    UsualReason, places,
};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgeSort, AllOr, ApplicationId, AthleteId, BasisPoints, Combined, Followed, JobId, Listing,
    Machine as _, Many, Paging, PerPage, Revision, Sifted, Text, ZeroOr,
};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Revisable as _, Work};
use crate::people;
use crate::storage::first_of;

/// The jobs to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListJobs {
    /// `all` or a state.
    pub status: AllOr<JobStatus>,
    /// 0 for all, or the id of one job.
    pub id: ZeroOr<JobId>,
    /// Only jobs with an open manual review, or only the others.
    pub in_review: Option<bool>,
    /// Words of the title or the description; with them the best matches come first.
    pub q: Option<Text<0, 200>>,
    /// The order (default: the best match first; without words the newest).
    pub sort: Option<AgeSort>,
}

/// One job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ViewJob {
    /// The job.
    pub id: JobId,
}

/// A job as operators see it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobView {
    /// The job with the number of applications.
    #[serde(flatten)]
    pub job: JobPosted,
    /// The brand that posted it.
    pub partner: PartnerCard,
    /// The deals of all athletes who hold or held a place, newest first (at most 100).
    pub deals: Vec<Deal>,
    /// The institutions among the job's target universities that would refuse it today.
    pub refusing_institutions: Vec<SchoolRefusal>,
    /// The job's revision. Sent back with a change, it makes sure that nobody else has changed the
    /// job meanwhile.
    pub revision: Revision,
}

/// The applicants to list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PageOfApplicants {
    /// The job.
    pub id: JobId,
}

/// The deals of one athlete.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DealsOfAthlete {
    /// The athlete.
    pub id: AthleteId,
    /// `all` or a state.
    pub status: AllOr<ApplicationStatus>,
}

vocabulary! {
    /// An operator's decision about a pending job.
    JobDecision {
        /// It is approved.
        Open = "open",
        /// The brand must change something.
        ChangesRequested = "changes_requested",
        /// It is refused.
        Rejected = "rejected",
    }
}

/// A decision about a pending job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct DecideJob {
    /// The job.
    pub job_id: JobId,
    /// The decision.
    pub status: JobDecision,
    /// The reason in the operator's own words.
    pub reason: Option<Text<1, 2000>>,
    /// Usual reasons, which the brand reads before the operator's own words. Unless the decision is
    /// `open`, at least one of them or a `reason` is required.
    pub usual_reasons: Option<Many<UsualReason, 0, 5>>,
}

/// The athlete to remove from a job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RemoveAthlete {
    /// The application.
    pub application_id: ApplicationId,
    /// The reason; the athlete sees it.
    pub reason: Text<1, 2000>,
}

/// The platform's fee for one job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct UpdateFee {
    /// The job.
    pub job_id: JobId,
    /// The rate.
    pub fee_basis_points: Option<BasisPoints>,
    /// Whether there is no fee at all.
    #[schemars(extend("examples" = [null]))]
    pub waive: Option<bool>,
}

/// Jobs of every brand. 404 for an unknown id.
pub async fn list(cx: Cx<Operator>, input: Followed<ListJobs>) -> Result<Listing<JobPosted>> {
    let (input, place) = cx.place(input)?;
    let statuses: Vec<JobStatus> = input.status.one().into_iter().collect();
    let wanted = deals::WantedJobs {
        partner: None,
        id: input.id.one()?,
        statuses: &statuses,
        in_review: input.in_review,
        q: input.q.as_deref(),
        sort: input.sort,
    };
    let mut session = cx.read().await?;
    let page = deals::job_page(&mut session, wanted, place).await?;
    browsing::page_with_counts(&mut session, input.id.found(page)?).await
}

/// The deals of one athlete in every state or in one, newest first. `q` looks in the titles of the
/// jobs. 404 for an unknown athlete.
pub async fn of_athlete(cx: Cx<Operator>, input: Sifted<DealsOfAthlete>) -> Result<Listing<Deal>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    people::facts(&mut session, input.id).await?.ok_or(codes::NOT_FOUND)?;
    let statuses = input.status.one().into_iter().collect();
    let (side, wanted) = (Side::Athlete(input.id), Wanted { statuses, sift, ..Wanted::default() });
    let (found, place) = deals::follow(&mut session, &side, &wanted, place).await?.split();
    let items = views::assemble(&mut session, found, Some(&side), cx.now()).await?;
    Ok(place.of(items))
}

/// One job with its brand and its deals.
pub async fn view(cx: Cx<Operator>, input: ViewJob) -> Result<JobView> {
    let mut session = cx.read().await?;
    let job = jobs::find(&mut session, input.id).await?;
    let partner_id = job.partner_id;
    let partner = card::partners(&mut session, &[partner_id]).await?.into_iter().next();
    let wanted = Wanted { statuses: ENGAGED.to_vec(), job: Some(job.id), ..Wanted::default() };
    let side = Side::Partner(partner_id);
    let paging = Paging::first(PerPage::MOST);
    let found = deals::page(&mut session, &side, &wanted, paging).await?;
    let deals = views::assemble(&mut session, found.items, Some(&side), cx.now()).await?;
    let job = jobs::with_milestones(&mut session, job).await?;
    let refusing_institutions =
        checking::of_posting(&mut session, &job.posting(), cx.now()).await?;
    let revision = job.revision();
    let job = browsing::with_counts(&mut session, vec![job]).await?;
    Ok(JobView {
        job: first_of(job)?,
        partner: partner.ok_or_else(|| Error::internal("a job without its brand"))?,
        deals,
        refusing_institutions,
        revision,
    })
}

/// The states with a contract, past or present.
pub(super) const ENGAGED: &[ApplicationStatus] = &[
    ApplicationStatus::Hired,
    ApplicationStatus::Confirmed,
    ApplicationStatus::ExtensionRequested,
    ApplicationStatus::CancellationRequested,
    ApplicationStatus::Completed,
    ApplicationStatus::Cancelled,
];

/// All athletes who applied or were invited, newest first. `q` looks in their names.
pub async fn applicants(
    cx: Cx<Operator>,
    input: Sifted<PageOfApplicants>,
) -> Result<Listing<Applicant>> {
    applicants_in(&cx, input, Vec::new()).await
}

/// All athletes who hold a place, newest first. `q` looks in their names.
pub async fn hired(
    cx: Cx<Operator>,
    input: Sifted<PageOfApplicants>,
) -> Result<Listing<Applicant>> {
    applicants_in(&cx, input, ApplicationStatus::HIRED.to_vec()).await
}

async fn applicants_in(
    cx: &Cx<Operator>,
    input: Sifted<PageOfApplicants>,
    statuses: Vec<ApplicationStatus>,
) -> Result<Listing<Applicant>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let job = jobs::find(&mut session, input.id).await?;
    let wanted = Wanted { statuses, job: Some(job.id), sift, ..Wanted::default() };
    browsing::list_applicants(&mut session, job.partner_id, &wanted, place).await
}

impl DecideJob {
    /// The usual reasons and the operator's own words, a line each.
    fn in_words(&self) -> Option<String> {
        let usual = self.usual_reasons.iter().flat_map(|reasons| reasons.iter());
        let usual = usual.map(|reason| reason.sentence());
        let own = self.reason.as_deref().map(str::trim);
        let lines: Vec<&str> = usual.chain(own).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Approves a pending job, asks for changes, or refuses it; the brand is notified.
pub async fn decide_pending(cx: Cx<Operator>, input: DecideJob) -> Result<Done<Job>> {
    let reason = input.in_words();
    if input.status != JobDecision::Open && reason.is_none() {
        return Err(Error::invalid("reason", "is required unless the job is opened"));
    }
    let mut work = cx.begin().await?;
    let job = held(&mut work, input.job_id).await?;
    let event = match input.status {
        JobDecision::Open => JobEvent::Approve,
        JobDecision::ChangesRequested => JobEvent::AskChanges,
        JobDecision::Rejected => JobEvent::Refuse,
    };
    let moved = job.status.on(event)?;
    jobs::decide(&mut work, job.id, moved, reason.clone(), cx.now()).await?;
    work.note(job.id, moved.to().as_str());
    if moved.to() == JobStatus::Open {
        verifying::verify(&mut work, job.partner_id, cx.now()).await?;
    }
    let partner = people::partner(&mut work, job.partner_id).await?;
    let published = match input.status {
        JobDecision::Open => Event::JobApproved,
        JobDecision::ChangesRequested | JobDecision::Rejected => Event::JobRefused,
    };
    let published = Published::new(published, Concerned::Brand(job.partner_id)).with(job.id);
    work.publish(published.saying("status", moved.to().as_str()));
    let to = Recipient::User(partner.user_id);
    let message = if moved.to() == JobStatus::Open {
        Message::new(Event::JobApproved, to)
            .with("deadline", deadline_in_words(&job, chrono_tz::UTC))
    } else {
        Message::new(Event::JobRefused, to).with("reason", reason.unwrap_or_default())
    };
    work.send(message.with("job_title", job.title.clone()).with("job_id", job.id.get()));
    let job = again(&mut work, job.id).await?;
    work.done(job).await
}

/// Removes an athlete from a job, in any state: cancels the contract, rejects the applicant, or
/// lets the invitation expire.
pub async fn remove_athlete(cx: Cx<Operator>, input: RemoveAthlete) -> Result<Done<Application>> {
    let mut work = cx.begin().await?;
    let reason = input.reason.trim().to_owned();
    let application = deals::application(&mut work, input.application_id).await?;
    let contract = ending::lock_of_application(&mut work, application.id).await?;
    if let Some(contract) = contract {
        ending::call_off(&mut work, &contract, &reason).await?;
    } else {
        let job = held(&mut work, application.job_id).await?;
        let application =
            applications::lock(&mut work, application.id).await?.ok_or(codes::NOT_FOUND)?;
        if application.status == ApplicationStatus::Invited {
            let moved = application.status.on(ApplicationEvent::Expire)?;
            let now = cx.now();
            applications::change(&mut work, application.id, moved, Some(reason), now).await?;
            work.note(application.id, "expired");
        } else {
            turn_down(&mut work, &job, &application, Some(reason)).await?;
        }
        places::complete_if_over(&mut work, &job).await?;
    }
    let application = deals::application(&mut work, application.id).await?;
    work.done(application).await
}

/// Sets the platform's fee for a job, or waives it; existing contracts keep theirs.
pub async fn update_fee(cx: Cx<Operator>, input: UpdateFee) -> Result<Done<Job>> {
    let fee = match (input.fee_basis_points, input.waive) {
        (None, Some(true)) => BasisPoints::new(0),
        (Some(fee), None | Some(false)) => Some(fee),
        (Some(_), Some(true)) => {
            return Err(Error::invalid("waive", "cannot be combined with fee_basis_points"));
        }
        (None, _) => return Err(Error::invalid("fee_basis_points", "is required")),
    };
    let mut work = cx.begin().await?;
    let job = held(&mut work, input.job_id).await?;
    jobs::set_fee(&mut work, job.id, fee, cx.now()).await?;
    work.note_change(
        job.id,
        "fee_changed",
        serde_json::json!({ "fee_basis_points": job.fee_basis_points }),
        serde_json::json!({ "fee_basis_points": fee }),
    );
    let job = again(&mut work, job.id).await?;
    work.done(job).await
}

/// The job, locked.
pub(super) async fn held(work: &mut Work, id: JobId) -> Result<Job> {
    jobs::lock(work, id, LockMode::Alone).await?.ok_or_else(|| codes::NOT_FOUND.into())
}

async fn again(work: &mut Work, id: JobId) -> Result<Job> {
    let job = jobs::find(work, id).await?;
    jobs::with_milestones(work, job).await
}
