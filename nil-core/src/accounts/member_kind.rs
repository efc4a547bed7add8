//! The kinds of accounts, those of the compliance portal included.

use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Time, UserKind};

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

/// An account, with what tells it from others and nothing more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundAccount {
    /// Its id. Users of the Core interface and portal users are numbered separately.
    pub id: i64,
    /// What kind of account it is.
    pub kind: MemberKind,
    /// The athlete's, the company's, the agency's or the person's name; none before the
    /// registration gets that far.
    pub name: Option<String>,
    /// The e-mail to log in with.
    pub email: Option<String>,
    /// Its status.
    pub status: &'static str,
    /// When it was created.
    pub since: Time,
    /// The institution of a portal user.
    pub institution: Option<String>,
}
