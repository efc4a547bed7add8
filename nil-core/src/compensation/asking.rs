//! Athletes, agents and brands ask what comparable deals paid.

use schemars::JsonSchema;
use serde::Deserialize;

use super::asker::Asker;
use super::deal::{Person, Work};
use super::range::{CompensationRange, Question, of};
use crate::auth::{Partner, Party, Payee};
use crate::error::{Error, Result, codes};
use crate::institutions::Division;
use crate::jobs::{MediaPlatform, browsing};
use crate::kernel::{AthleteId, CategoryId, Cents, JobId, SportId};
use crate::operation::Cx;
use crate::people;

/// The most pieces or followers that can be asked about.
const MOST: i64 = 1_000_000_000;

/// The deal to compare: a job, or a kind of work.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompareForAthlete {
    /// The athlete; required from agents, who must represent them.
    #[schemars(extend("examples" = [null]))]
    pub athlete_id: Option<AthleteId>,
    /// A job that is offered to the athlete or that they can apply to; give either this or
    /// `category_id`.
    #[schemars(extend("examples" = [null]))]
    pub job_id: Option<JobId>,
    /// A category of jobs, for an offer that is no job.
    pub category_id: Option<CategoryId>,
    /// The platform of all deliverables; with `category_id` only.
    pub platform: Option<MediaPlatform>,
    /// The number of pieces in all; with `category_id` only.
    #[schemars(extend("examples" = [2]))]
    pub deliverables: Option<i64>,
    /// An amount to compare, cash and the fair value of goods (default: the job's).
    pub amount_cents: Option<Cents>,
}

/// The job that a brand plans.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CompareForBrand {
    /// The category of the job.
    pub category_id: CategoryId,
    /// The platform of all deliverables.
    pub platform: Option<MediaPlatform>,
    /// The number of pieces in all.
    #[schemars(extend("examples" = [2]))]
    pub deliverables: Option<i64>,
    /// The sport of the athletes wanted.
    pub sport_id: Option<SportId>,
    /// The division of their institutions.
    pub division: Option<Division>,
    /// The number of followers wanted.
    #[schemars(extend("examples" = [12_000]))]
    pub followers: Option<i64>,
    /// An amount to compare, cash and the fair value of goods.
    pub amount_cents: Option<Cents>,
}

/// Returns what comparable deals of other athletes paid, for a job or a kind of work. The athlete's
/// own deals do not count, and for an agent none that the agent took part in. 404 for a job that
/// the caller cannot see and for an athlete whom the agent does not represent; 422 unless exactly
/// one of `job_id` and `category_id` is given.
pub async fn for_athlete(cx: Cx<Payee>, input: CompareForAthlete) -> Result<CompensationRange> {
    let mut session = cx.read().await?;
    let (party, athlete, asker) = match cx.caller {
        Payee::Athlete(own) => {
            if input.athlete_id.is_some_and(|id| id != own.id) {
                return Err(codes::NOT_FOUND.into());
            }
            (Party::Athlete(own), own.id, Asker::Athlete(own.id))
        }
        Payee::Agent(agent) => {
            let required = || Error::invalid("athlete_id", "is required");
            let athlete = input.athlete_id.ok_or_else(required)?;
            if !people::acts_for(&mut session, agent.id, athlete).await? {
                return Err(codes::NOT_FOUND.into());
            }
            (Party::Agent(agent), athlete, Asker::Agent(agent.id, athlete))
        }
    };
    let (work, usual) = match (input.job_id, input.category_id) {
        (Some(job), None) => {
            if input.platform.is_some() || input.deliverables.is_some() {
                let message = "cannot be combined with `platform` or `deliverables`";
                return Err(Error::invalid("job_id", message));
            }
            let job = browsing::seen_by(&mut session, &party, job).await?;
            let worth = job.amount_cents + job.product_value_cents.unwrap_or_default();
            // A share of sales has no amount that could be compared.
            let usual = (!job.compensation.is_share_of_sales()).then_some(worth);
            (Work::of(&job), usual)
        }
        (None, Some(category)) => {
            let pieces = bounded("deliverables", input.deliverables, 1)?;
            (Work { category, platform: input.platform, pieces }, None)
        }
        _ => return Err(Error::invalid("job_id", "or `category_id` is required, not both")),
    };
    let amount = positive(input.amount_cents)?.or(usual);
    let person = Person::of(&mut session, athlete).await?;
    let question = Question { work, person, amount, asker };
    of(&mut session, &question, cx.now()).await
}

/// Returns what comparable deals of other brands paid, for a job that is planned. The brand's own
/// deals do not count. 404 for an unknown category.
pub async fn for_brand(cx: Cx<Partner>, input: CompareForBrand) -> Result<CompensationRange> {
    let work = Work {
        category: input.category_id,
        platform: input.platform,
        pieces: bounded("deliverables", input.deliverables, 1)?,
    };
    let person = Person {
        division: input.division,
        sport_id: input.sport_id,
        followers: bounded("followers", input.followers, 0)?,
    };
    let amount = positive(input.amount_cents)?;
    let question = Question { work, person, amount, asker: Asker::Partner(cx.caller.id) };
    let mut session = cx.read().await?;
    of(&mut session, &question, cx.now()).await
}

fn bounded(field: &'static str, value: Option<i64>, least: i64) -> Result<Option<i64>> {
    match value {
        Some(value) if !(least..=MOST).contains(&value) => {
            Err(Error::invalid(field, format!("must be between {least} and {MOST}")))
        }
        value => Ok(value),
    }
}

fn positive(amount: Option<Cents>) -> Result<Option<Cents>> {
    match amount {
        Some(amount) if !amount.is_positive() => {
            Err(Error::invalid("amount_cents", "must be 1 or more"))
        }
        amount => Ok(amount),
    }
}
