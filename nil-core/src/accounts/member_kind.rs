//! The kinds of accounts, those of the compliance portal included.

use crate::kernel::UserKind;
use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// A kind of account of a user.
    MemberKind {
        /// Athletes.
        Athlete = "athlete",
        /// Brand partners.
        Partner = "partner",
        /// Agents.
        Agent = "agent",
        /// Fans.
        Fan = "fan",
        /// Users of the compliance portal, who are notified by mail.
        PortalUser = "portal_user",
    }
}

impl From<UserKind> for MemberKind {
    fn from(kind: UserKind) -> Self {
        match kind {
            UserKind::Athlete => Self::Athlete,
            UserKind::Partner => Self::Partner,
            UserKind::Agent => Self::Agent,
            UserKind::Fan => Self::Fan,
        }
    }
}
