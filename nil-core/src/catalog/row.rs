//! One row of the catalog: everything the platform knows about an operation.
//!
//! The door is in the row and in the type: `partner(…)` takes only functions of `Cx<Partner>`, so an
//! operation registered behind the wrong door does not compile.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use crate::auth::principal::{Permission, Principal, Role, Scope};
use crate::auth::throttle::Throttle;
use crate::auth::{
    Agent, AnyRegistrant, Anyone, Athlete, Caller, Fan, ModelHost, NewAgent, NewAthlete, NewFan,
    NewPartner, Operator, OperatorSession, Partner, Party, Payee, PortalUser, Service, Subscriber,
    User,
};
use crate::error::{Code, Error, Result, codes};
use crate::kernel::{Interface, Method};
use crate::operation::{Answer, AnswerSchema, Call, Cx, Facts, Fields, Reply, Shape, read};
use crate::platform::Platform;

/// What a caller of the right kind needs besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing more.
    Nothing,
    /// At least this compliance role.
    Role(Role),
    /// This operator permission (or `*`).
    Permission(Permission),
    /// This scope of the API key.
    Scope(Scope),
}

impl Needs {
    fn met_by(self, who: &Principal) -> bool {
        match (self, who) {
            (Self::Nothing, _) => true,
            (Self::Role(least), Principal::Portal { role, .. }) => *role >= least,
            (Self::Permission(needed), Principal::Operator { permissions, .. }) => {
                permissions.contains(&needed) || permissions.contains(&Permission::All)
            }
            (Self::Scope(needed), Principal::Service { scopes, .. }) => scopes.contains(&needed),
            _ => false,
        }
    }
}

/// Whose record an id in the input has to be. Another owner's id answers like a missing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned {
    /// The ids name nothing that has an owner.
    Nothing,
    /// A record of the caller's own (or of their institution, or a deal they are party to).
    Caller,
}

/// How many bytes a query admits, or why none: asked before any of the body is read.
type Admits = fn(&Platform, &Fields) -> Result<usize>;

type Running = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;
type Run = Box<dyn Fn(Platform, Arc<Facts>, &Call) -> Running + Send + Sync>;

/// One operation, as every frontend sees it.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about a row")]
pub struct Entry {
    /// `interface.noun.verb`: the OpenAPI operationId, the CLI's word, the label in logs and metrics.
    pub name: &'static str,
    /// Which interface it belongs to.
    pub interface: Interface,
    /// The method.
    pub method: Method,
    /// The path under the interface's base, as the specification writes it.
    pub path: &'static str,
    /// The purpose, in the specification's own words.
    pub purpose: &'static str,
    /// The kinds of caller that get in.
    pub callers: &'static [&'static str],
    /// What they need besides.
    pub needs: Needs,
    /// How often they may ask.
    pub throttle: Throttle,
    /// Whose records its ids name.
    pub owned: Owned,
    /// The codes it can give besides the general ones.
    pub errors: &'static [Code],
    /// The `message` of a good answer.
    pub says: &'static str,
    /// The media type of the file it answers, where it answers one; `*/*` where that depends on the
    /// file.
    pub sends: &'static str,
    /// Whether it commits something; then it takes an `Idempotency-Key`.
    pub writes: bool,
    /// Whether it is one of the GETs that change something, and so refuses cross-site requests.
    pub mutates: bool,
    /// Whether it goes beyond the specification.
    pub extension: bool,
    /// Whether the specification fixes its answer without the envelope.
    pub bare: bool,
    /// Whether its answer may carry a credential; such answers are never packed (decision 6).
    pub credentials: bool,
    /// Whether unknown fields are refused: where money moves.
    pub strict: bool,
    /// Whether it takes the request as it came: the input's `body` is the raw body and its
    /// `signature` the header `Processor-Signature`, which the frontend lays there unread.
    pub raw: bool,
    /// Whether it answers a stream of events; the header `Last-Event-ID` fills its input's
    /// `last_event_id`.
    pub streams: bool,
    /// Whether its specification has nothing but 422 for what would be 400, 404, 409 or 415.
    pub unprocessable: bool,
    /// Whether it takes a file: a multipart form besides JSON, and larger bodies than usual.
    pub takes_file: bool,
    /// Where it takes the body as it comes, whatever its type: how many bytes the query admits. The body
    /// is the input's `content`, and the query holds the other fields.
    pub takes_bytes: Option<Admits>,
    /// Whether its JSON may hold files in base64, and so its body be larger than usual.
    pub carries_files: bool,
    /// The input's schema.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// The answer's schema.
    pub output: fn(&mut SchemaGenerator) -> AnswerSchema,
    admits: fn(&Principal) -> bool,
    reads: fn(&Fields) -> Result<Vec<String>>,
    pub(super) shape: OnceLock<Shape>,
    pub(crate) run: Run,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// Lets the caller in, or says 401 (nobody we know) or 403 (the wrong kind, role or permission).
    pub fn admit(&self, who: &Principal) -> Result<()> {
        if (self.admits)(who) && self.needs.met_by(who) {
            Ok(())
        } else if who.is_anonymous() {
            Err(codes::UNAUTHENTICATED.into())
        } else if matches!(who, Principal::NewOperator { .. }) {
            Err(codes::PASSWORD_CHANGE_REQUIRED.into())
        } else {
            Err(codes::FORBIDDEN.saying(format!("This is for: {}.", self.doors())))
        }
    }

    /// Reads an input as a call would and does nothing with it: the names of the fields that nobody
    /// asked for, or the 422 that a call would give before anything is looked up.
    pub fn check(&self, fields: &Fields) -> Result<Vec<String>> {
        (self.reads)(fields)
    }

    /// Who gets in, in words: `partner`, `portal_user (officer)`, `operator (finance)`.
    #[must_use]
    pub fn doors(&self) -> String {
        let kinds = self.callers.join(", ");
        match self.needs {
            Needs::Nothing => kinds,
            Needs::Role(role) => format!("{kinds} ({role} or above)"),
            Needs::Permission(permission) => format!("{kinds} ({permission})"),
            Needs::Scope(scope) => format!("{kinds} ({scope})"),
        }
    }

    /// Whether anybody gets in.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.callers == Anyone::KINDS
    }

    /// Whether requests have to be signed, and answers are.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.callers == ModelHost::KINDS
    }

    /// Sets the throttle class (else `standard`).
    #[must_use]
    pub const fn throttled(mut self, class: Throttle) -> Self {
        self.throttle = class;
        self
    }

    /// Its ids name records of the caller's own.
    #[must_use]
    pub const fn owned(mut self) -> Self {
        self.owned = Owned::Caller;
        self
    }

    /// The codes it can give.
    #[must_use]
    pub const fn errors(mut self, codes: &'static [Code]) -> Self {
        self.errors = codes;
        self
    }

    /// The `message` of a good answer.
    #[must_use]
    pub const fn says(mut self, message: &'static str) -> Self {
        self.says = message;
        self
    }

    /// The media type of the file it answers (else `application/octet-stream`).
    #[must_use]
    pub const fn sends(mut self, media_type: &'static str) -> Self {
        self.sends = media_type;
        self
    }

    /// It is a GET that changes something.
    #[must_use]
    pub const fn mutates(mut self) -> Self {
        self.mutates = true;
        self
    }

    /// It goes beyond the specification.
    #[must_use]
    pub const fn extension(mut self) -> Self {
        self.extension = true;
        self
    }

    /// Its answer has no envelope.
    #[must_use]
    pub const fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Its answer may carry a credential.
    #[must_use]
    pub const fn credentials(mut self) -> Self {
        self.credentials = true;
        self
    }

    /// Unknown fields are refused.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// It takes the raw body and its signature.
    #[must_use]
    pub const fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// It takes a file.
    #[must_use]
    pub const fn takes_file(mut self) -> Self {
        self.takes_file = true;
        self
    }

    /// It takes the body as it comes, as far as the query admits.
    #[must_use]
    pub const fn takes_bytes(mut self, admits: Admits) -> Self {
        self.takes_bytes = Some(admits);
        self
    }

    /// Its JSON may hold files in base64.
    #[must_use]
    pub const fn carries_files(mut self) -> Self {
        self.carries_files = true;
        self
    }

    const fn needing(mut self, needs: Needs) -> Self {
        self.needs = needs;
        self
    }
}

/// What an operation may take.
pub trait Input: DeserializeOwned + JsonSchema + Send + 'static {}
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for T {}

/// Builds a row for an operation behind the door `C`.
fn row<C, I, O, F, Fut>(
    name: &'static str,
    method: Method,
    path: &'static str,
    purpose: &'static str,
    operation: F,
) -> Entry
where
    C: Caller,
    I: Input,
    O: Answer,
    F: Fn(Cx<C>, I) -> Fut + Copy + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    let interface = name.split('.').next().and_then(Interface::named);
    Entry {
        name,
        interface: interface.unwrap_or(Interface::Core),
        method,
        path,
        purpose,
        callers: C::KINDS,
        needs: Needs::Nothing,
        throttle: Throttle::Standard,
        owned: Owned::Nothing,
        errors: &[],
        says: "OK",
        sends: "application/octet-stream",
        writes: O::WRITES,
        mutates: false,
        extension: false,
        bare: false,
        credentials: false,
        strict: false,
        raw: false,
        streams: O::STREAMS,
        unprocessable: false,
        takes_file: false,
        takes_bytes: None,
        carries_files: false,
        input: |generator| I::json_schema(generator),
        output: O::schema,
        admits: |who| C::admit(who).is_some(),
        reads: |fields| read::<I>(fields).map(|(_, ignored)| ignored),
        shape: OnceLock::new(),
        run: Box::new(move |platform, facts, call| {
            let begun = begin::<C, I>(&platform, &facts, call);
            Box::pin(async move {
                let (cx, input, ignored) = begun?;
                let output = operation(cx, input).await?;
                let mut reply = output.reply(&facts)?;
                reply.ignored = ignored;
                reply.cookie = facts.cookie();
                Ok(reply)
            })
        }),
    }
}

/// Admits the caller and reads the input.
fn begin<C: Caller, I: Input>(
    platform: &Platform,
    facts: &Arc<Facts>,
    call: &Call,
) -> Result<(Cx<C>, I, Vec<String>)> {
    let caller = C::admit(&call.principal).ok_or_else(|| Error::from(codes::FORBIDDEN))?;
    let (input, ignored) = read::<I>(&call.fields)?;
    if call.strict && !ignored.is_empty() {
        let error = Error::from(codes::UNKNOWN_FIELD);
        return Err(ignored
            .into_iter()
            .fold(error, |error, field| error.at(field, "does not exist here")));
    }
    Ok((Cx::new(caller, platform.clone(), facts.clone()), input, ignored))
}

macro_rules! doors {
    ($($(#[$meta:meta])* $door:ident($caller:ty $(, $need:ident: $kind:ty => $needs:expr)?);)+) => {$(
        $(#[$meta])*
        pub(super) fn $door<I, O, F, Fut>(
            $($need: $kind,)?
            name: &'static str,
            method: Method,
            path: &'static str,
            purpose: &'static str,
            operation: F,
        ) -> Entry
        where
            I: Input,
            O: Answer,
            F: Fn(Cx<$caller>, I) -> Fut + Copy + Send + Sync + 'static,
            Fut: Future<Output = Result<O>> + Send + 'static,
        {
            row::<$caller, I, O, F, Fut>(name, method, path, purpose, operation)
                $(.needing($needs($need)))?
        }
    )+};
}

doors! {
    /// For anybody.
    anyone(Anyone);
    /// For any user of the Core interface.
    user(User);
    /// For athletes.
    athlete(Athlete);
    /// For brand partners.
    partner(Partner);
    /// For agents.
    agent(Agent);
    /// For fans.
    fan(Fan);
    /// For athletes, partners and agents.
    party(Party);
    /// For athletes and agents.
    payee(Payee);
    /// For partners and agents.
    subscriber(Subscriber);
    /// For an athlete's registration.
    new_athlete(NewAthlete);
    /// For a brand's registration.
    new_partner(NewPartner);
    /// For an agent's registration.
    new_agent(NewAgent);
    /// For a fan's registration.
    new_fan(NewFan);
    /// For a registration of any kind.
    registrant(AnyRegistrant);
    /// For portal users of at least this role.
    portal(PortalUser, role: Role => Needs::Role);
    /// For every operator, one who has to replace a one-time password first included.
    operator_session(OperatorSession);
    /// For operators with this permission.
    operator(Operator, permission: Permission => Needs::Permission);
    /// For services whose API key has this scope.
    service(Service, scope: Scope => Needs::Scope);
    /// For model hosts, for one athlete each; over HTTP the request has to be signed.
    model_host(ModelHost);
}
