//! What is compared.

use crate::institutions::Division;
use crate::jobs::{Job, MediaPlatform};
use crate::kernel::{
    AgentId, AthleteId, CategoryId, Cents, CollegeId, ContractId, PartnerId, SportId, Time,
};
use crate::storage::FromRow;

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
