//! The caller as authentication found them, before any operation has admitted them.

use std::net::IpAddr;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    ApiKeyId, AthleteId, CollegeId, OperatorId, PortalUserId, Secret, SportId, UserId, UserKind,
};

vocabulary! {
    /// A compliance role; each includes the ones before it.
    Role {
        /// Reads.
        Viewer = "viewer",
        /// Reads money and exports.
        Finance = "finance",
        /// Files and decides.
        Officer = "officer",
        /// Manages users and settings.
        Owner = "owner",
    }
}

vocabulary! {
    /// What an operator may do; `*` is everything.
    Permission {
        /// Accounts of every kind.
        Accounts = "accounts",
        /// Jobs and contracts.
        Jobs = "jobs",
        /// Payments, payouts, refunds, fees.
        Finance = "finance",
        /// Files, rosters, editorial content.
        Content = "content",
        /// Notifications, templates, announcements.
        Messaging = "messaging",
        /// Site configuration.
        Site = "site",
        /// Exports.
        Reports = "reports",
        /// Everything.
        All = "*",
    }
}

vocabulary! {
    /// What an API key may be used for.
    Scope {
        /// Internal and cron endpoints.
        Internal = "internal",
        /// The AI tool gateway.
        AiTools = "ai_tools",
        /// Affiliate conversions.
        Affiliate = "affiliate",
    }
}

/// Who is calling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// Nobody we know.
    Anonymous,
    /// Somebody in the middle of registering.
    Registrant {
        /// The account being made.
        user_id: UserId,
        /// What it will be.
        kind: UserKind,
        /// The token they carry from step to step; each step's answer repeats it.
        token: Secret,
    },
    /// A user of the Core interface.
    User {
        /// The account.
        user_id: UserId,
        /// Its kind.
        kind: UserKind,
        /// The id of the record of that kind: an athlete's, a partner's, …
        profile_id: i64,
        /// The session's stored name.
        session: String,
    },
    /// A user of the Compliance interface.
    Portal {
        /// The portal user.
        id: PortalUserId,
        /// The institution.
        college_id: CollegeId,
        /// The role.
        role: Role,
        /// The sports they are limited to; none means all.
        sports: Vec<SportId>,
        /// The session's stored name.
        session: String,
    },
    /// A browser of the Admin interface that has not logged in yet.
    Visitor {
        /// The session's stored name.
        session: String,
    },
    /// An operator.
    Operator {
        /// The operator.
        id: OperatorId,
        /// What they may do.
        permissions: Vec<Permission>,
        /// The session's stored name.
        session: String,
    },
    /// An operator who has logged in with a password that works once: they may set one of their own,
    /// and log out.
    NewOperator {
        /// The operator.
        id: OperatorId,
        /// The session's stored name.
        session: String,
    },
    /// A service with an API key.
    Service {
        /// The key.
        id: ApiKeyId,
        /// What it may be used for.
        scopes: Vec<Scope>,
    },
    /// A service with an API key of the scope `ai_tools` and the token of one athlete.
    ModelHost {
        /// The key.
        key: ApiKeyId,
        /// The athlete whose token it is.
        athlete_id: AthleteId,
        /// The athlete's account.
        user_id: UserId,
    },
}

impl Principal {
    /// How the audit trail words it.
    #[must_use]
    pub fn actor(&self) -> String {
        match self {
            Self::Anonymous | Self::Visitor { .. } => "anonymous".into(),
            Self::Registrant { user_id, kind, .. } => format!("new_{kind}:{user_id}"),
            Self::User { kind, profile_id, .. } => format!("{kind}:{profile_id}"),
            Self::Portal { id, .. } => format!("portal_user:{id}"),
            Self::Operator { id, .. } | Self::NewOperator { id, .. } => format!("operator:{id}"),
            Self::Service { id, .. } => format!("api_key:{id}"),
            // What a host does for one athlete, its keys of idempotency included, is nothing to the next.
            Self::ModelHost { key, athlete_id, .. } => {
                format!("api_key:{key}:athlete:{athlete_id}")
            }
        }
    }

    /// Whether no credential was presented, or none that counts as one.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        matches!(self, Self::Anonymous | Self::Visitor { .. })
    }

    /// The session, where there is one.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::User { session, .. }
            | Self::Portal { session, .. }
            | Self::Visitor { session }
            | Self::Operator { session, .. }
            | Self::NewOperator { session, .. } => Some(session),
            Self::Anonymous
            | Self::Registrant { .. }
            | Self::Service { .. }
            | Self::ModelHost { .. } => None,
        }
    }

    /// Whose `Idempotency-Key`s they are.
    pub(crate) fn key_owner(&self, address: Option<IpAddr>) -> String {
        match (self, address) {
            (Self::Anonymous | Self::Visitor { .. }, Some(address)) => format!("at:{address}"),
            _ => self.actor(),
        }
    }
}
