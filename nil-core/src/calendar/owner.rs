//! Whose a calendar is.

use crate::auth::{Athlete, PortalUser};
use crate::config::Config;
use crate::kernel::{AthleteId, Interface, PortalUserId, Secret};
use crate::operation::Subject;

/// Whose a calendar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Athlete(AthleteId),
    Officer(PortalUserId),
}

impl From<&Athlete> for Owner {
    fn from(athlete: &Athlete) -> Self {
        Self::Athlete(athlete.id)
    }
}

impl From<&PortalUser> for Owner {
    fn from(officer: &PortalUser) -> Self {
        Self::Officer(officer.id)
    }
}

impl Owner {
    /// The column of feeds that names the owner, with their id.
    pub(super) const fn column(self) -> (&'static str, i64) {
        match self {
            Self::Athlete(id) => ("athlete_id", id.get()),
            Self::Officer(id) => ("portal_user_id", id.get()),
        }
    }

    /// The owner in the audit trail.
    pub(super) fn subject(self) -> Subject {
        match self {
            Self::Athlete(id) => id.into(),
            Self::Officer(id) => id.into(),
        }
    }

    /// The address of the calendar behind this secret, on the server that the owner uses.
    pub(super) fn address(self, config: &Config, secret: &Secret) -> Secret {
        let (for_officers, interface) = match self {
            Self::Athlete(_) => (false, Interface::Core),
            Self::Officer(_) => (true, Interface::Compliance),
        };
        let server = config.server_url(for_officers);
        let base = interface.base();
        Secret::new(format!("{server}{base}/calendar/{}.ics", secret.expose()))
    }
}
