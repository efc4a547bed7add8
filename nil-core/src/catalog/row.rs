//! One row of the catalog: everything the platform knows about an operation.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use crate::auth::principal::{Permission, Principal, Role, Scope};
use crate::auth::throttle::Throttle;
use crate::auth::{Anyone, Caller, ModelHost};
use crate::error::{Code, Error, Result, codes};
use crate::kernel::{Interface, Method};
use crate::operation::{Answer, AnswerSchema, Call, Cx, Facts, Fields, Gives, Reply, Shape, read};
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

/// What an operation takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Fields. Those that nobody asked for are ignored and named.
    Fields,
    /// Fields and no others: where money moves.
    StrictFields,
    /// Fields with a file: a multipart form besides JSON, and larger bodies than usual.
    FileForm,
    /// Fields whose JSON may hold files in base64, and so be larger than usual.
    FilesInJson,
    /// The body as it comes, whatever its type, as far as the query admits. The body is the input's
    /// `content`, and the query holds the other fields.
    Bytes(Admits),
    /// The request as it came: the input's `body` is the raw body and its `signature` the header
    /// `Processor-Signature`, which the frontend lays there unread.
    Raw,
}

/// What a call of an operation changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// It commits something, and takes an `Idempotency-Key`.
    Writes,
    /// The same by GET, which refuses cross-site requests for that.
    WritesByGet,
}

/// How many bytes a query admits, or why none: asked before any of the body is read.
type Admits = fn(&Platform, &Fields) -> Result<usize>;

type Running = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;
type Run = Box<dyn Fn(Platform, Arc<Facts>, &Call) -> Running + Send + Sync>;

/// One operation, as every frontend sees it.
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
    /// What it takes.
    pub takes: Takes,
    /// What its answer is.
    pub gives: Gives,
    /// What a call of it changes.
    pub effect: Effect,
    /// Whether it goes beyond the specification.
    pub extension: bool,
    /// Whether its answer may carry a credential; such answers are never packed (decision 6).
    pub credentials: bool,
    /// Whether its specification has nothing but 422 for what would be 400, 404, 409 or 415.
    pub unprocessable: bool,
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

    /// Whether it commits something.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }

    /// Whether it commits something although it is a GET.
    #[must_use]
    pub fn writes_by_get(&self) -> bool {
        self.effect == Effect::WritesByGet
    }

    /// Whether unknown fields are refused.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        matches!(self.takes, Takes::StrictFields)
    }

    /// Whether it takes the body as it comes.
    #[must_use]
    pub const fn takes_bytes(&self) -> bool {
        matches!(self.takes, Takes::Bytes(_))
    }
}

/// What is said of a row besides its name, its address and its function.
impl Entry {
    /// The purpose, in the specification's own words.
    pub(super) const fn purpose(mut self, words: &'static str) -> Self {
        self.purpose = words;
        self
    }

    /// The throttle class (else `standard`).
    pub(super) const fn throttled(mut self, class: Throttle) -> Self {
        self.throttle = class;
        self
    }

    /// Its ids name records of the caller's own.
    pub(super) const fn owned(mut self) -> Self {
        self.owned = Owned::Caller;
        self
    }

    /// The codes it can give.
    pub(super) const fn errors(mut self, codes: &'static [Code]) -> Self {
        self.errors = codes;
        self
    }

    /// The `message` of a good answer.
    pub(super) const fn says(mut self, message: &'static str) -> Self {
        self.says = message;
        self
    }

    /// What it takes (else fields, of which unknown ones are ignored).
    pub(super) const fn takes(mut self, what: Takes) -> Self {
        self.takes = what;
        self
    }

    /// Unknown fields are refused.
    pub(super) const fn strict(self) -> Self {
        self.takes(Takes::StrictFields)
    }

    /// The media type of the file it answers (else `application/octet-stream`); `*/*` where that
    /// depends on the file.
    pub(super) const fn sends(mut self, media_type: &'static str) -> Self {
        self.gives = Gives::File(media_type);
        self
    }

    /// The specification fixes its answer without the envelope.
    pub(super) const fn bare(mut self) -> Self {
        self.gives = Gives::Bare;
        self
    }

    /// It writes by GET, and what it writes is of no use to another site: nothing is refused.
    pub(super) const fn harmless(mut self) -> Self {
        self.effect = Effect::Writes;
        self
    }

    /// It goes beyond the specification.
    pub(super) const fn extension(mut self) -> Self {
        self.extension = true;
        self
    }

    /// Its answer may carry a credential.
    pub(super) const fn credentials(mut self) -> Self {
        self.credentials = true;
        self
    }

    /// What its callers need besides.
    pub(super) const fn needing(mut self, needs: Needs) -> Self {
        self.needs = needs;
        self
    }
}

/// What an operation may take.
pub trait Input: DeserializeOwned + JsonSchema + Send + 'static {}
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for T {}

/// `POST /jobs` as method and path. A test holds that every row's text can be read.
fn address(text: &'static str) -> Option<(Method, &'static str)> {
    let (method, path) = text.split_once(' ')?;
    Some((Method::named(method)?, path))
}

/// Builds a row for an operation behind the door `C`; `at` is its method and its path.
pub(super) fn row<C, I, O, F, Fut>(name: &'static str, at: &'static str, operation: F) -> Entry
where
    C: Caller,
    I: Input,
    O: Answer,
    F: Fn(Cx<C>, I) -> Fut + Copy + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    let interface = name.split('.').next().and_then(Interface::named);
    let (method, path) = address(at).unwrap_or((Method::Get, ""));
    Entry {
        name,
        interface: interface.unwrap_or(Interface::Core),
        method,
        path,
        purpose: "",
        callers: C::KINDS,
        needs: Needs::Nothing,
        throttle: Throttle::Standard,
        owned: Owned::Nothing,
        errors: &[],
        says: "OK",
        takes: Takes::Fields,
        gives: O::GIVES,
        effect: match method {
            _ if !O::WRITES => Effect::Reads,
            Method::Get => Effect::WritesByGet,
            _ => Effect::Writes,
        },
        extension: false,
        credentials: false,
        unprocessable: false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    #[test]
    fn every_row_says_where_it_stands_and_what_it_is_for() {
        assert_eq!(address("PUT /x/{id}"), Some((Method::Put, "/x/{id}")));
        for wrong in ["PATCH /x", "put /x", "PUT", "/x"] {
            assert_eq!(address(wrong), None);
        }
        for entry in catalog().iter() {
            assert!(entry.path.starts_with('/'), "{}: no known method and path", entry.name);
            assert!(!entry.path.contains(' '), "{}: {}", entry.name, entry.path);
            assert!(!entry.purpose.is_empty(), "{} has no purpose", entry.name);
        }
    }

    #[test]
    fn what_a_row_says_of_its_answer_fits_the_answer() {
        for entry in catalog().iter() {
            let answer = (entry.output)(&mut SchemaGenerator::default());
            let fits = match answer {
                AnswerSchema::File | AnswerSchema::DataOrFile(_) => {
                    matches!(entry.gives, Gives::File(_))
                }
                AnswerSchema::Events => entry.gives == Gives::Events,
                AnswerSchema::Redirect => entry.gives == Gives::Redirect,
                AnswerSchema::Data(_) => matches!(entry.gives, Gives::Envelope | Gives::Bare),
                _ => entry.gives == Gives::Envelope,
            };
            assert!(fits, "{} gives {:?}", entry.name, entry.gives);
        }
    }
}
