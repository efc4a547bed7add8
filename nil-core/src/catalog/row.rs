//! One row of the catalog: everything the platform knows about an operation.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use schemars::{Schema, SchemaGenerator};

use super::acts::ActsOn;
use super::effect::{Effect, Freshness, Reuse};
use super::forms::{FieldGroup, RequiredWhen};
use super::section::Section;
use super::stops::Stops;
use super::titles::Confirm;
use super::zones::Zone;
use crate::auth::principal::{Permission, Principal, Role, Scope};
use crate::auth::{Anyone, Caller, ModelHost};
use crate::error::{Code, Result, codes};
use crate::kernel::{Feature, Interface, Method};
use crate::operation::{AnswerSchema, Call, Facts, Fields, Gives, Order, Reply, Shape};
use crate::platform::{Platform, Wording};
use crate::throttle::Throttle;

/// The right that a caller of the right kind needs in addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Nothing,
    /// This compliance role or a higher one.
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
                needed.is_in(permissions)
            }
            (Self::Scope(needed), Principal::Service { scopes, .. }) => scopes.contains(&needed),
            _ => false,
        }
    }
}

/// Whose records the ids in the input must name. Another owner's id gets the same response as an
/// unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned {
    /// The ids name records without an owner.
    Nothing,
    /// The caller's own record (or their institution's, or a deal they are party to).
    Caller,
}

/// The form of an operation's input.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Fields. Unknown ones are ignored and named in the response.
    Fields,
    /// Fields, in an urlencoded form as well: what the protocol of another program has. The Admin
    /// interface takes forms everywhere.
    FieldsOrForm,
    /// Fields; unknown ones are refused. For operations that move money.
    StrictFields,
    /// Fields with a file: a multipart form or JSON, with a higher size limit.
    FileForm,
    /// Fields in JSON that can hold files in base64, with a higher size limit.
    FilesInJson,
    /// The raw body of any media type, up to the size that the query admits. The body is the
    /// input's `content`; the query holds the other fields.
    Bytes(Admits),
    /// The raw body of any media type, up to the size that the query admits, for a body that is too
    /// large for memory: a server hands it on while it arrives (`Cx::body`), and other callers give
    /// `content`. The query holds the other fields. The operation writes to no table, so that
    /// nothing has to be repeated.
    Stream(Admits),
    /// The raw request of a service that signs it: the server puts the raw body into the input's
    /// `body` and the signature's header into `signature`, without parsing them.
    Raw(Signer),
}

/// Who signs a raw request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signer {
    /// The payment processor, in a header of its own.
    Processor,
    /// A mail service, by the Standard Webhooks specification: `webhook-id` and
    /// `webhook-timestamp` become the input's `report_id` and `sent_at`.
    MailService,
    /// A provider of text messages: the query's `message` becomes the input's.
    TextProvider,
}

/// The number of bytes a query admits, or the refusal; evaluated before the body is read.
type Admits = fn(&Platform, &Fields) -> Result<usize>;

pub(super) type Running = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;
pub(super) type Run = Box<dyn Fn(Platform, Arc<Facts>, &Call) -> Running + Send + Sync>;

/// One operation, as every server and the command line see it.
pub struct Entry {
    /// `interface.noun.verb`: the OpenAPI operationId, the CLI command, the label in logs and
    /// metrics.
    pub name: &'static str,
    /// The path of the function that does it.
    pub function: &'static str,
    /// The interface.
    pub interface: Interface,
    /// The method.
    pub method: Method,
    /// The path under the interface's base, as the specification writes it.
    pub path: &'static str,
    /// The purpose; for specified operations in the specification's words.
    pub purpose: &'static str,
    /// The heading of its page; empty in the Core interface, which has no pages.
    pub title: &'static str,
    /// The words of the button that does it; empty if its page needs no button.
    pub verb: &'static str,
    /// What a page tells before it is done; none if it does not ask.
    pub confirm: Option<Confirm>,
    /// The section it stands under.
    pub section: &'static Section,
    /// The kinds of caller that are admitted.
    pub callers: &'static [&'static str],
    /// The right they need in addition.
    pub needs: Needs,
    /// The throttle class.
    pub throttle: Throttle,
    /// The fields that a new record needs, although a change may leave them out: a call without
    /// `id` makes one.
    pub new_needs: &'static [&'static str],
    /// When fields are required that otherwise can be left out.
    pub required_when: &'static [RequiredWhen],
    /// The groups of a long form; empty if it is not divided.
    pub groups: &'static [FieldGroup],
    /// The kinds of records that it acts on; empty if it makes a new one, or acts on none.
    pub acts: Vec<ActsOn>,
    /// The columns of its list, in order.
    pub columns: &'static [&'static str],
    /// The fields whose days are of another zone than those of its interface.
    pub zones: &'static [(&'static str, Zone)],
    /// Whose records its ids name.
    pub owned: Owned,
    /// The error codes besides the general ones.
    pub errors: &'static [Code],
    /// The `message` of a successful response.
    pub says: &'static str,
    /// The form of its input.
    pub takes: Takes,
    /// The form of its answer.
    pub gives: Gives,
    /// Whether it changes anything.
    pub effect: Effect,
    /// Whether clients may use an answer again.
    pub reuse: Reuse,
    /// Of what moment its answer is.
    pub freshness: Freshness,
    /// Whether it goes beyond the specification.
    pub extension: bool,
    /// The feature that it is part of.
    pub feature: Option<Feature>,
    /// Which of its calls stop while that feature is off.
    pub stops: Stops,
    /// Whether its answer can carry a credential; such responses are never compressed (decision 6).
    pub credentials: bool,
    /// The permission with which an operator who acts as the caller may call it; none: they never
    /// may (decision 52).
    pub impersonators: Option<Permission>,
    /// The parameter of its path that is a secret and alone opens it: requests are counted by it,
    /// and logs leave it out. Nothing follows it in the path.
    pub opened_by: Option<&'static str>,
    /// Whether its specification only has 422 in place of 400, 404, 409 and 415.
    pub unprocessable: bool,
    /// The schema of the input.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// The order in which the input's fields are declared; in the schema they are sorted.
    pub order: fn() -> Order,
    /// The schema of the answer.
    pub output: fn(&mut SchemaGenerator) -> AnswerSchema,
    pub(super) admits: fn(&Principal) -> bool,
    pub(super) reads: fn(&Fields) -> Result<Vec<String>>,
    pub(super) shape: OnceLock<Shape>,
    pub(crate) run: Run,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// Admits the caller, or refuses with 401 (not authenticated) or 403 (wrong kind, role or
    /// permission). An operator who acts as an account is admitted where the account is, to what
    /// they may do in its name.
    pub fn admit(&self, who: &Principal) -> Result<()> {
        let by = who.impersonator();
        let who = who.account();
        if (self.admits)(who) && self.needs.met_by(who) {
            self.admit_impersonator(by)
        } else if who.is_anonymous() {
            Err(codes::UNAUTHENTICATED.into())
        } else if let Principal::NewOperator { must, .. } = who {
            Err(must.refusal().into())
        } else {
            Err(codes::FORBIDDEN.saying(format!("This operation is for: {}.", self.doors())))
        }
    }

    /// The admitted callers in words: `partner`, `portal_user (officer)`, `operator (finance)`.
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

    /// Whether it admits everyone.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.callers == Anyone::KINDS
    }

    /// Whether requests and responses must be signed.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.callers == ModelHost::KINDS
    }

    /// The wording of its answers.
    pub(crate) fn wording(&self) -> Wording {
        Wording { says: self.says, bare: self.gives == Gives::Bare }
    }

    /// Whether it writes.
    #[must_use]
    pub fn writes(&self) -> bool {
        matches!(self.effect, Effect::Writes | Effect::WritesByGet)
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

    /// Whether it takes the raw body.
    #[must_use]
    pub const fn takes_bytes(&self) -> bool {
        matches!(self.takes, Takes::Bytes(_) | Takes::Stream(_))
    }

    /// Whose day a date in this field is, also inside objects.
    #[must_use]
    pub fn zone(&self, field: &str) -> Option<Zone> {
        let own = self.zones.iter().find(|(name, _)| *name == field);
        own.map(|(_, zone)| *zone).or(Zone::of(self.interface))
    }

    /// Whether its address alone admits the call: it is signed, and no cookie adds anything to it.
    #[must_use]
    pub fn is_signed_address(&self) -> bool {
        self.takes_bytes() && self.is_open()
    }
}

/// The optional properties of a row.
impl Entry {
    /// Sets the purpose; for specified operations in the specification's words.
    pub(super) const fn purpose(mut self, words: &'static str) -> Self {
        self.purpose = words;
        self
    }

    /// Puts it under a section other than that of its group.
    pub(super) const fn under(mut self, section: &'static Section) -> Self {
        self.section = section;
        self
    }

    /// Sets the throttle class (default `standard`).
    pub(super) const fn throttled(mut self, class: Throttle) -> Self {
        self.throttle = class;
        self
    }

    /// Sets the fields that a new record needs and a change may leave out.
    pub(super) const fn new_needs(mut self, fields: &'static [&'static str]) -> Self {
        self.new_needs = fields;
        self
    }

    /// Declares that its ids name the caller's own records.
    pub(super) const fn owned(mut self) -> Self {
        self.owned = Owned::Caller;
        self
    }

    /// Sets the error codes besides the general ones.
    pub(super) const fn errors(mut self, codes: &'static [Code]) -> Self {
        self.errors = codes;
        self
    }

    /// Sets the `message` of a successful response.
    pub(super) const fn says(mut self, message: &'static str) -> Self {
        self.says = message;
        self
    }

    /// Sets the form of the input (default: fields, unknown ones ignored).
    pub(super) const fn takes(mut self, what: Takes) -> Self {
        self.takes = what;
        self
    }

    /// Refuses unknown fields.
    pub(super) const fn strict(self) -> Self {
        self.takes(Takes::StrictFields)
    }

    /// Sets the media type of the returned file (default `application/octet-stream`); `*/*` if it
    /// depends on the file.
    pub(super) const fn sends(mut self, media_type: &'static str) -> Self {
        self.gives = Gives::File(media_type);
        self
    }

    /// Returns the answer without the envelope, as the specification requires.
    pub(super) const fn bare(mut self) -> Self {
        self.gives = Gives::Bare;
        self
    }

    /// Takes its fields from a form as well, which the protocol of another program has.
    pub(super) const fn by_form(mut self) -> Self {
        self.takes = Takes::FieldsOrForm;
        self
    }

    /// Declares that its writes by GET are harmless: cross-site requests are not refused.
    pub(super) const fn harmless(mut self) -> Self {
        self.effect = Effect::Writes;
        self
    }

    /// Declares that it reads on the record, through `Cx::begin_audited_read`.
    pub(super) const fn audited(mut self) -> Self {
        self.effect = Effect::ReadsOnRecord;
        self
    }

    /// Declares that clients ask for it again and again: its answer is tagged.
    pub(super) const fn revalidated(mut self) -> Self {
        self.reuse = Reuse::IfUnchanged;
        self
    }

    /// Marks it as an extension of the specification.
    pub(super) const fn extension(mut self) -> Self {
        self.extension = true;
        self
    }

    /// Declares that its answer can carry a credential.
    pub(super) const fn credentials(mut self) -> Self {
        self.credentials = true;
        self
    }

    /// Declares that these fields, also inside objects, mean days of another zone than those of its
    /// interface.
    pub(super) const fn zones(mut self, fields: &'static [(&'static str, Zone)]) -> Self {
        self.zones = fields;
        self
    }

    /// Declares that this parameter, at the end of its path, is a secret that alone opens it.
    pub(super) const fn opened_by(mut self, parameter: &'static str) -> Self {
        self.opened_by = Some(parameter);
        self
    }

    /// Sets the right that callers need in addition.
    pub(super) const fn needing(mut self, needs: Needs) -> Self {
        self.needs = needs;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;
    use crate::catalog::section::UNSORTED;

    #[test]
    fn every_row_says_where_it_stands_and_what_it_is_for() {
        for entry in catalog().iter() {
            assert!(entry.path.starts_with('/'), "{}: no known method and path", entry.name);
            assert!(!entry.path.contains(' '), "{}: {}", entry.name, entry.path);
            assert!(!entry.purpose.is_empty(), "{} has no purpose", entry.name);
            assert_ne!(entry.section, &UNSORTED, "{} stands under no section", entry.name);
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
