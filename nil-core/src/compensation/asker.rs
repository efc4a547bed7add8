//! Who asks what comparable deals paid, and so which deals they know already.

use super::deal::ComparableDeal;
use crate::kernel::{AgentId, AthleteId, CollegeId, ContractId, PartnerId, SportId};

/// Who asks, and so which deals they know already.
#[derive(Clone, Debug)]
pub enum Asker {
    /// An athlete.
    Athlete(AthleteId),
    /// A brand.
    Partner(PartnerId),
    /// An agent, for an athlete.
    Agent(AgentId, AthleteId),
    /// The packet of a deal, which the athlete, their agent and the institution's officers read: a
    /// deal that one of them knows does not count.
    Packet {
        /// The athlete of the deal.
        athlete: AthleteId,
        /// Their agent.
        agent: Option<AgentId>,
        /// Their institution.
        college: CollegeId,
    },
    /// An institution that asks about a deal: its portal shows its own athletes' deals. No sports
    /// means all.
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
    /// Whether the deal is left out in any case: what a caller knows would let them compute what
    /// they do not know.
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
