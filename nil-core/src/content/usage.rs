//! The kinds of records that files are part of, and who looks at them.

use crate::auth::{Party, PortalUser, User};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, CollegeId, FanId, PartnerId, SportId, UserKind};

vocabulary! {
    /// The kinds of records a file can be part of. "Agent" means the athlete's current agent; after
    /// the representation ends they see none of these files, no matter when they were submitted.
    FileUse {
        /// Submitted work: visible to both parties, the athlete's agent and the institution's
        /// officers.
        Deliverable = "deliverable",
        /// A deal made off the platform: visible to the athlete, their agent and, after submission,
        /// the institution's officers.
        DisclosedJob = "disclosed_job",
        /// A chat message: visible to both sides of the conversation.
        Message = "message",
        /// A file in a deal's folder: visible to both parties, the athlete's agent, and the
        /// institution's officers once the contract is executed.
        DealFile = "deal_file",
        /// An athlete's picture: public, at its own address.
        Photo = "athlete_photo",
        /// A brand's logo: public, at its own address.
        Logo = "partner_logo",
        /// An athlete agent's filing: visible to the institution's portal users.
        Filing = "filing",
        /// The site's logo: public, at its own address.
        SiteLogo = "site_logo",
        /// The site's icon: public, at its own address.
        SiteFavicon = "site_favicon",
    }
}

/// The viewer of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// An athlete.
    Athlete(AthleteId),
    /// A brand.
    Partner(PartnerId),
    /// An agent.
    Agent(AgentId),
    /// A fan.
    Fan(FanId),
    /// A user of an institution's portal, limited to certain sports if any are given.
    College(CollegeId, Vec<SportId>),
}

impl Viewer {
    /// This user; none if the account has no record of its kind.
    #[must_use]
    pub fn of_user(user: &User) -> Option<Self> {
        let id = user.profile_id;
        match user.kind {
            UserKind::Athlete => AthleteId::new(id).map(Self::Athlete),
            UserKind::Partner => PartnerId::new(id).map(Self::Partner),
            UserKind::Agent => AgentId::new(id).map(Self::Agent),
            UserKind::Fan => FanId::new(id).map(Self::Fan),
        }
    }

    /// This party.
    #[must_use]
    pub fn of_party(party: &Party) -> Self {
        match party {
            Party::Athlete(athlete) => Self::Athlete(athlete.id),
            Party::Partner(partner) => Self::Partner(partner.id),
            Party::Agent(agent) => Self::Agent(agent.id),
        }
    }

    /// This user of a portal.
    #[must_use]
    pub fn of_portal(user: &PortalUser) -> Self {
        Self::College(user.college_id, user.sports.clone())
    }
}
