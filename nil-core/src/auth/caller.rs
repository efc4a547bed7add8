//! The doors, as types. An operation takes `Cx<Partner>`; that is its permission.

use super::principal::{Permission, Principal, Role, Scope};
use crate::kernel::{
    AgentId, ApiKeyId, AthleteId, CollegeId, FanId, OperatorId, PartnerId, PortalUserId, Secret,
    SportId, UserId, UserKind,
};

/// Somebody an operation can be for.
pub trait Caller: Clone + Send + Sync + 'static {
    /// The kinds that get in, as the catalog and the documents word them.
    const KINDS: &'static [&'static str];

    /// Lets in or does not.
    fn admit(who: &Principal) -> Option<Self>;
}

/// Anybody, with or without a credential.
#[derive(Clone, Debug)]
pub struct Anyone(
    /// Who it is, if that is known.
    pub Principal,
);

impl Caller for Anyone {
    const KINDS: &'static [&'static str] = &["anyone"];
    fn admit(who: &Principal) -> Option<Self> {
        Some(Self(who.clone()))
    }
}

/// Any user of the Core interface, whatever their kind.
#[derive(Clone, Debug)]
pub struct User {
    /// The account.
    pub user_id: UserId,
    /// Its kind.
    pub kind: UserKind,
    /// The id of the record of that kind.
    pub profile_id: i64,
    /// The session's stored name.
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

/// Somebody money is paid out to: an athlete or an agent.
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

/// Somebody who can subscribe to a plan: a brand or an agent.
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
        /// Somebody in the middle of registering, known by their registration token.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            /// The account being made.
            pub user_id: UserId,
            /// What it will be.
            pub kind: UserKind,
            /// The token they carry from step to step.
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

/// A user of the Compliance interface. The role a row asks for is checked before the operation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortalUser {
    /// The portal user.
    pub id: PortalUserId,
    /// The institution; every query is scoped to it.
    pub college_id: CollegeId,
    /// The role.
    pub role: Role,
    /// The sports they are limited to; none means all.
    pub sports: Vec<SportId>,
    /// The session's stored name.
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

/// An operator. The permission a row asks for is checked before the operation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// The operator.
    pub id: OperatorId,
    /// What they may do.
    pub permissions: Vec<Permission>,
    /// The session's stored name.
    pub session: String,
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

/// An operator, also one who has logged in with a password that works once: for what ends a session or
/// sets a password, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSession {
    /// The operator.
    pub id: OperatorId,
    /// The session's stored name.
    pub session: String,
}

impl Caller for OperatorSession {
    const KINDS: &'static [&'static str] = Operator::KINDS;
    fn admit(who: &Principal) -> Option<Self> {
        match who {
            Principal::Operator { id, session, .. } | Principal::NewOperator { id, session } => {
                Some(Self { id: *id, session: session.clone() })
            }
            _ => None,
        }
    }
}

/// A service with an API key. The scope a row asks for is checked before the operation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// What the key may be used for.
    pub scopes: Vec<Scope>,
}

impl Service {
    /// The platform itself, as its worker and its doors call operations of their own: no key, no scope.
    pub(crate) const fn ourselves() -> Self {
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
/// token it shows. Over HTTP its requests are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelHost {
    /// The key.
    pub key: ApiKeyId,
    /// The athlete: everything the host sees is theirs.
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
