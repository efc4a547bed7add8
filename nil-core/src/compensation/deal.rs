//! What is compared.

use super::store;
use crate::error::Result;
use crate::institutions::Division;
use crate::jobs::{Job, MediaPlatform};
use crate::kernel::{
    AgentId, AthleteId, CategoryId, Cents, CollegeId, ContractId, PartnerId, SportId, Time,
};
use crate::storage::{FromRow, Session};

/// The work whose price is asked for. What is not known is not compared.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// The category of the job.
    pub category: CategoryId,
    /// The one platform of all deliverables.
    pub platform: Option<MediaPlatform>,
    /// The number of pieces in all.
    pub pieces: Option<i64>,
}

impl Work {
    /// The work of a job whose milestones are loaded.
    pub fn of(job: &Job) -> Self {
        let mut platforms: Vec<_> = job.milestones.iter().map(|one| one.platform).collect();
        platforms.dedup();
        let platform = platforms.first().copied().filter(|_| platforms.len() == 1);
        let pieces = job.milestones.iter().map(|one| one.quantity).sum();
        Self { category: job.category_id, platform, pieces: (pieces > 0).then_some(pieces) }
    }
}

/// What is compared of the athlete.
#[derive(Clone, Copy, Debug, Default, FromRow)]
pub struct Person {
    pub(crate) division: Option<Division>,
    pub(crate) sport_id: Option<SportId>,
    pub(crate) followers: Option<i64>,
}

impl Person {
    /// An athlete as they are today.
    pub async fn of(session: &mut Session, athlete: AthleteId) -> Result<Self> {
        store::person(session, athlete).await
    }
}

/// A contract that was paid in full, as it was on the day it was executed.
#[derive(Clone, Debug, FromRow)]
pub(super) struct ComparableDeal {
    pub(super) contract_id: ContractId,
    pub(super) agreed_at: Time,
    pub(super) amount_cents: Cents,
    pub(super) athlete_id: AthleteId,
    pub(super) partner_id: PartnerId,
    /// The name of the brand's company.
    pub(super) company: String,
    pub(super) agent_id: Option<AgentId>,
    pub(super) college_id: Option<CollegeId>,
    pub(super) division: Option<Division>,
    pub(super) sport_id: Option<SportId>,
    pub(super) followers: i64,
    pub(super) platform: Option<MediaPlatform>,
    pub(super) pieces: i64,
}

/// Who asks, and so which deals they know already.
#[derive(Clone, Debug)]
pub enum Asker {
    /// An athlete.
    Athlete(AthleteId),
    /// A brand.
    Partner(PartnerId),
    /// An agent, for an athlete.
    Agent(AgentId, AthleteId),
    /// The packet of a deal, which the athlete, their agent and the institution's officers read: a deal that one of them
    /// knows does not count.
    Packet {
        /// The athlete of the deal.
        athlete: AthleteId,
        /// Their agent.
        agent: Option<AgentId>,
        /// Their institution.
        college: CollegeId,
    },
    /// An institution that asks about a deal: its portal shows its own athletes' deals. No sports means
    /// all.
    Institution {
        /// The institution.
        college: CollegeId,
        /// The sports that the portal user is limited to.
        sports: Vec<SportId>,
        /// The deal that is asked about.
        about: Option<ContractId>,
    },
}

impl Asker {
    /// Whether the deal is left out in any case: what a caller knows would let them compute what they do not know.
    pub(super) fn leaves_out(&self, deal: &ComparableDeal) -> bool {
        match self {
            Self::Athlete(id) => deal.athlete_id == *id,
            Self::Partner(id) => deal.partner_id == *id,
            Self::Agent(agent, athlete) => {
                deal.agent_id == Some(*agent) || deal.athlete_id == *athlete
            }
            Self::Packet { athlete, agent, college } => {
                deal.athlete_id == *athlete
                    || (agent.is_some() && deal.agent_id == *agent)
                    || deal.college_id == Some(*college)
            }
            Self::Institution { about, .. } => *about == Some(deal.contract_id),
        }
    }

    /// Whether the caller can see the deal itself.
    pub(super) fn sees(&self, deal: &ComparableDeal) -> bool {
        match self {
            Self::Institution { college, sports, .. } => {
                let sport = |own: SportId| sports.contains(&own);
                deal.college_id == Some(*college)
                    && (sports.is_empty() || deal.sport_id.is_some_and(sport))
            }
            _ => false,
        }
    }
}
