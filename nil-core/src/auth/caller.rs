//! The doors, as types: an operation that takes `Cx<Partner>` can only be called by partners.

use super::principal::{Permission, Principal, Role, Scope};
use crate::error::{Result, codes};
use crate::kernel::{
    AgentId, ApiKeyId, AthleteId, CollegeId, FanId, OperatorId, PartnerId, PortalUserId, Secret,
    SportId, UserId, UserKind,
};

/// A kind of caller that an operation can accept.
pub trait Caller: Clone + Send + Sync + 'static {
    /// The accepted kinds, as named in the catalog and the documents.
    const KINDS: &'static [&'static str];

    /// Admits the principal, or not.
    fn admit(who: &Principal) -> Option<Self>;
}

/// Any caller, with or without a credential.
#[derive(Clone, Debug)]
pub struct Anyone(
    /// The principal, if known.
    pub Principal,
);

impl Caller for Anyone {
    const KINDS: &'static [&'static str] = &["anyone"];
    fn admit(who: &Principal) -> Option<Self> {
        Some(Self(who.clone()))
    }
}

/// Any user of the Core interface, of any kind.
#[derive(Clone, Debug)]
pub struct User {
    /// The account.
    pub user_id: UserId,
    /// Its kind.
    pub kind: UserKind,
    /// The id of the record of that kind.
    pub profile_id: i64,
    /// The stored name of the session.
    pub session: String,
}

impl Caller for User {
    const KINDS: &'static [&'static str] = &["athlete", "partner", "agent", "fan"];
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::User { user_id, kind, profile_id, session } => Some(Self {
                user_id: *user_id,
                kind: *kind,
                profile_id: *profile_id,
                session: session.clone(),
            }),
            _ => None,
        }
    }
}

macro_rules! kinds_of_user {
    ($($name:ident($id:ident) = $kind:ident $word:literal,)+) => {$(
        #[doc = concat!("A caller of the kind `", $word, "`.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            /// The account.
            pub user_id: UserId,
            #[doc = concat!("The ", $word, "'s own id.")]
            pub id: $id,
        }

        impl Caller for $name {
            const KINDS: &'static [&'static str] = &[$word];
            fn admit(who: &Principal) -> Option<Self> {
                match who {
                    Principal::User { user_id, kind: UserKind::$kind, profile_id, .. } => {
                        Some(Self { user_id: *user_id, id: $id::new(*profile_id)? })
                    }
                    _ => None,
                }
            }
        }
    )+};
}

kinds_of_user! {
    Athlete(AthleteId) = Athlete "athlete",
    Partner(PartnerId) = Partner "partner",
    Agent(AgentId) = Agent "agent",
    Fan(FanId) = Fan "fan",
}

/// A party to deals: an athlete, a partner or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// An athlete.
    Athlete(Athlete),
    /// A brand.
    Partner(Partner),
    /// An agent.
    Agent(Agent),
}

impl Caller for Party {
    const KINDS: &'static [&'static str] = &["athlete", "partner", "agent"];
    fn admit(who: &Principal) -> Option<Self> {
        Athlete::admit(who)
            .map(Self::Athlete)
            .or_else(|| Partner::admit(who).map(Self::Partner))
            .or_else(|| Agent::admit(who).map(Self::Agent))
    }
}

/// A recipient of payouts: an athlete or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payee {
    /// An athlete.
    Athlete(Athlete),
    /// An agent.
    Agent(Agent),
}

impl Caller for Payee {
    const KINDS: &'static [&'static str] = &["athlete", "agent"];
    fn admit(who: &Principal) -> Option<Self> {
        Athlete::admit(who).map(Self::Athlete).or_else(|| Agent::admit(who).map(Self::Agent))
    }
}

/// A possible subscriber to a plan: a brand or an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscriber {
    /// A brand.
    Partner(Partner),
    /// An agent.
    Agent(Agent),
}

impl Caller for Subscriber {
    const KINDS: &'static [&'static str] = &["partner", "agent"];
    fn admit(who: &Principal) -> Option<Self> {
        Partner::admit(who).map(Self::Partner).or_else(|| Agent::admit(who).map(Self::Agent))
    }
}

macro_rules! registrants {
    ($($name:ident = $($kind:ident)|+,)+) => {$(
        /// A caller in the middle of registering, identified by their registration token.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            /// The account being created.
            pub user_id: UserId,
            /// Its kind.
            pub kind: UserKind,
            /// The token used for all steps.
            pub token: Secret,
        }

        impl Caller for $name {
            const KINDS: &'static [&'static str] = &["registrant"];
            fn admit(who: &Principal) -> Option<Self> {
                match who {
                    Principal::Registrant { user_id, kind, token }
                        if matches!(kind, $(UserKind::$kind)|+) =>
                    {
                        Some(Self { user_id: *user_id, kind: *kind, token: token.clone() })
                    }
                    _ => None,
                }
            }
        }
    )+};
}

registrants! {
    NewAthlete = Athlete,
    NewPartner = Partner,
    NewAgent = Agent,
    NewFan = Fan,
    AnyRegistrant = Athlete | Partner | Agent | Fan,
}

macro_rules! registrants_of_one_kind {
    ($($name:ident),+) => {$(
        impl From<$name> for AnyRegistrant {
            fn from(caller: $name) -> Self {
                Self { user_id: caller.user_id, kind: caller.kind, token: caller.token }
            }
        }
    )+};
}

registrants_of_one_kind!(NewAthlete, NewPartner, NewAgent, NewFan);

/// A user of the Compliance interface. The row's required role is checked before the operation
/// runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortalUser {
    /// The portal user.
    pub id: PortalUserId,
    /// The institution; every query is limited to it.
    pub college_id: CollegeId,
    /// The role.
    pub role: Role,
    /// The sports they are limited to; empty means all.
    pub sports: Vec<SportId>,
    /// The stored name of the session.
    pub session: String,
}

impl Caller for PortalUser {
    const KINDS: &'static [&'static str] = &["portal_user"];
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::Portal { id, college_id, role, sports, session } => Some(Self {
                id: *id,
                college_id: *college_id,
                role: *role,
                sports: sports.clone(),
                session: session.clone(),
            }),
            _ => None,
        }
    }
}

/// An operator. The row's required permission is checked before the operation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The operator.
    pub id: OperatorId,
    /// Their permissions.
    pub permissions: Vec<Permission>,
    /// The stored name of the session.
    pub session: String,
}

impl Operator {
    /// Whether they have this permission.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        permission.is_in(&self.permissions)
    }

    /// Refuses with this sentence an operator who lacks the permission: 403.
    pub fn require(&self, permission: Permission, why: &'static str) -> Result<()> {
        if self.may(permission) { Ok(()) } else { Err(codes::FORBIDDEN.saying(why)) }
    }
}

impl Caller for Operator {
    const KINDS: &'static [&'static str] = &["operator"];
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::Operator { id, permissions, session } => {
                Some(Self { id: *id, permissions: permissions.clone(), session: session.clone() })
            }
            _ => None,
        }
    }
}

/// An operator, even one who must set a password or turn two-step log-in on first: only for the
/// operations that do so or end a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSession {
    /// The operator.
    pub id: OperatorId,
    /// The stored name of the session.
    pub session: String,
}

impl Caller for OperatorSession {
    const KINDS: &'static [&'static str] = Operator::KINDS;
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::Operator { id, session, .. }
            | Principal::NewOperator { id, session, .. } => {
                Some(Self { id: *id, session: session.clone() })
            }
            _ => None,
        }
    }
}

/// A service with an API key. The row's required scope is checked before the operation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// The key's scopes.
    pub scopes: Vec<Scope>,
}

impl Service {
    /// The platform itself, when its worker and its servers call operations: no key, no scope.
    pub const fn ourselves() -> Self {
        Self { scopes: Vec::new() }
    }
}

impl Caller for Service {
    const KINDS: &'static [&'static str] = &["service"];
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::Service { scopes, .. } => Some(Self { scopes: scopes.clone() }),
            _ => None,
        }
    }
}

/// A service that runs a model, with an API key of the scope `ai_tools`, for the one athlete whose
/// token it sends. Over HTTP its requests are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelHost {
    /// The key.
    pub key: ApiKeyId,
    /// The athlete; the host sees only this athlete's records.
    pub athlete: Athlete,
}

impl Caller for ModelHost {
    const KINDS: &'static [&'static str] = &["model_host"];
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::ModelHost { key, athlete_id, user_id } => {
                Some(Self { key: *key, athlete: Athlete { user_id: *user_id, id: *athlete_id } })
            }
            _ => None,
        }
    }
}
