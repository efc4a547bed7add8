//! The authenticated caller, before an operation has admitted them.

use std::net::IpAddr;

use crate::error::{Code, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    ApiKeyId, AthleteId, CollegeId, ImpersonationId, OperatorId, PortalUserId, Secret, SportId,
    Time, UserId, UserKind,
};

vocabulary! {
    /// A compliance role; each includes the roles before it.
    Role {
        /// Reads.
        Viewer = "viewer",
        /// Reads money and exports.
        Finance = "finance",
        /// Submits and decides.
        Officer = "officer",
        /// Manages users and settings.
        Owner = "owner",
    }
}

vocabulary! {
    /// The permissions of an operator; `*` means all.
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
    /// The scope of an API key.
    Scope {
        /// Internal and cron endpoints.
        Internal = "internal",
        /// The AI tool gateway.
        AiTools = "ai_tools",
        /// Affiliate conversions.
        Affiliate = "affiliate",
    }
}

/// What an operator must do before anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Must {
    /// Set their own password: they logged in with a one-time password.
    ChangePassword,
    /// Turn two-step log-in on: this platform requires it.
    SetUpTotp,
}

impl Must {
    /// The refusal of everything else.
    pub const fn refusal(self) -> Code {
        match self {
            Self::ChangePassword => codes::PASSWORD_CHANGE_REQUIRED,
            Self::SetUpTotp => codes::TOTP_SETUP_REQUIRED,
        }
    }
}

/// The caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Principal {
    /// An unknown caller.
    Anonymous,
    /// A caller in the middle of registering.
    Registrant {
        /// The account being created.
        user_id: UserId,
        /// Its kind.
        kind: UserKind,
        /// The token used for all steps; each step's answer repeats it.
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
        /// The stored name of the session.
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
        /// The sports they are limited to; empty means all.
        sports: Vec<SportId>,
        /// The stored name of the session.
        session: String,
    },
    /// A browser of the Admin interface that has not logged in yet.
    Visitor {
        /// The stored name of the session.
        session: String,
    },
    /// An operator.
    Operator {
        /// The operator.
        id: OperatorId,
        /// Their permissions.
        permissions: Vec<Permission>,
        /// The stored name of the session.
        session: String,
    },
    /// An operator who must do something before anything else: they may only do that, and log out.
    NewOperator {
        /// The operator.
        id: OperatorId,
        /// What they must do.
        must: Must,
        /// The stored name of the session.
        session: String,
    },
    /// An operator who acts as an account.
    Impersonated {
        /// The account: a user of the Core or of the Compliance interface.
        account: Box<Self>,
        /// The operator.
        by: Impersonator,
    },
    /// A service with an API key.
    Service {
        /// The key.
        id: ApiKeyId,
        /// The key's scopes.
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

impl Permission {
    /// Whether these permissions include it.
    #[must_use]
    pub fn is_in(self, permissions: &[Self]) -> bool {
        permissions.contains(&self) || permissions.contains(&Self::All)
    }
}

impl Principal {
    /// The account whose records the call is about: for an operator who acts as an account that
    /// account, for all others the caller.
    #[must_use]
    pub fn account(&self) -> &Self {
        match self {
            Self::Impersonated { account, .. } => account,
            own => own,
        }
    }

    /// The operator who acts as the account, if one does.
    #[must_use]
    pub fn impersonator(&self) -> Option<&Impersonator> {
        match self {
            Self::Impersonated { by, .. } => Some(by),
            _ => None,
        }
    }

    /// The caller in the words of the audit trail. An operator who acts as an account is the actor;
    /// the account stands beside.
    #[must_use]
    pub fn actor(&self) -> String {
        match self {
            Self::Anonymous | Self::Visitor { .. } => "anonymous".into(),
            Self::Registrant { user_id, kind, .. } => format!("new_{kind}:{user_id}"),
            Self::User { kind, profile_id, .. } => format!("{kind}:{profile_id}"),
            Self::Portal { id, .. } => format!("portal_user:{id}"),
            Self::Operator { id, .. } | Self::NewOperator { id, .. } => format!("operator:{id}"),
            Self::Impersonated { by, .. } => format!("operator:{}", by.operator_id),
            Self::Service { id, .. } => format!("api_key:{id}"),
            // A host's actions for one athlete, including its idempotency keys, are separate from
            // those for others.
            Self::ModelHost { key, athlete_id, .. } => {
                format!("api_key:{key}:athlete:{athlete_id}")
            }
        }
    }

    /// Whether no valid credential was presented.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        matches!(self, Self::Anonymous | Self::Visitor { .. })
    }

    /// The session, if there is one.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::User { session, .. }
            | Self::Portal { session, .. }
            | Self::Visitor { session }
            | Self::Operator { session, .. }
            | Self::NewOperator { session, .. } => Some(session),
            Self::Impersonated { account, .. } => account.session(),
            Self::Anonymous
            | Self::Registrant { .. }
            | Self::Service { .. }
            | Self::ModelHost { .. } => None,
        }
    }

    /// The owner of the caller's `Idempotency-Key`s.
    pub fn key_owner(&self, address: Option<IpAddr>) -> String {
        match (self, address) {
            (Self::Anonymous | Self::Visitor { .. }, Some(address)) => format!("at:{address}"),
            _ => self.named(),
        }
    }

    /// The caller with the account they act as, such as `operator:2:athlete:7`.
    pub fn named(&self) -> String {
        match self {
            Self::Impersonated { account, .. } => format!("{}:{}", self.actor(), account.actor()),
            _ => self.actor(),
        }
    }
}

/// An operator who acts as an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impersonator {
    /// The impersonation.
    pub id: ImpersonationId,
    /// The operator.
    pub operator_id: OperatorId,
    /// The operator's permissions.
    pub permissions: Vec<Permission>,
    /// When the impersonation ends at the latest.
    pub expires_at: Time,
}
