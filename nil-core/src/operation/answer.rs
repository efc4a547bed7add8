//! The return values of operations, and their conversion into replies.

use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::ser::SerializeMap;

use super::download::Download;
use super::events::EventStream;
use super::facts::{Facts, SessionCookie};
use crate::error::{Error, Result};
use crate::kernel::{Feed, Listing, Next};

/// A reply, ready for any frontend.
#[derive(Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Body,
    /// Fields of the input that the operation does not know.
    pub ignored: Vec<String>,
    /// The change to the session cookie.
    pub cookie: Option<SessionCookie>,
    /// The tag of what the call has stored, for the header `ETag`.
    pub tag: Option<String>,
    /// The age in seconds of data that were read from a replica, for the header `Nil-Data-Age`.
    pub data_age: Option<u64>,
    /// Whether it is the stored answer of an earlier request with the same key.
    pub replayed: bool,
}

impl Reply {
    #[doc(hidden)]
    pub fn json(status: u16, body: Vec<u8>) -> Self {
        Self {
            status,
            body: Body::Json(body),
            ignored: Vec::new(),
            cookie: None,
            tag: None,
            data_age: None,
            replayed: false,
        }
    }
}

/// The body of a reply.
#[derive(Debug)]
pub enum Body {
    /// A JSON document.
    Json(Vec<u8>),
    /// A file.
    File(Download),
    /// Events, as long as the caller listens.
    Events(EventStream),
    /// A redirect to this address.
    Redirect(String),
    /// An HTML page for people.
    Page(String),
}

/// The answer of a writing operation. Only [`Work::done`](super::Work::done) creates one, so it
/// exists only if its effects have been committed.
#[derive(Debug)]
pub struct Done<T> {
    pub(super) value: T,
    pub(super) body: Vec<u8>,
}

impl<T> Done<T> {
    /// The answer itself.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Done<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

/// The shape of an answer, for the OpenAPI document.
#[derive(Clone, Debug)]
pub enum AnswerSchema {
    /// A record (or null) in `data`.
    Data(Schema),
    /// A page: the schema of one item, and of the fields beside `pagination`.
    Page(Schema, Option<Schema>),
    /// A record in `data`, and the schema of the fields beside it.
    Beside(Schema, Schema),
    /// Some records of a feed: the schema of one, and of the fields beside `pagination`.
    Feed(Schema, Option<Schema>),
    /// A file.
    File,
    /// Server-sent events.
    Events,
    /// A redirect with 302, or a page about its target.
    Redirect,
    /// A record in `data`, or a file if the caller requests it.
    DataOrFile(Schema),
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// JSON in the envelope.
    Envelope,
    /// JSON without the envelope, as the specification requires.
    Bare,
    /// A file of this media type, `*/*` if it depends on the file; or a record in the envelope if
    /// the caller requests it.
    File(&'static str),
    /// A stream of events, which continues after the header `Last-Event-ID`: its value fills the
    /// input's `last_event_id`.
    Events,
    /// A redirect.
    Redirect,
}

impl Gives {
    const ANY_FILE: Self = Self::File("application/octet-stream");
}

/// A return type of operations.
#[diagnostic::on_unimplemented(
    message = "an operation cannot return `{Self}`",
    note = "return `Result<T>` with `T: Serialize + JsonSchema` from a read, `Result<Done<T>>` from \
            a write, `Result<Listing<T>>` for a page, `Result<Feed<T>>` for a feed, \
            `Result<Download>` for a file, `Result<EventStream>` for live events, \
            `Result<Redirect>` for another address"
)]
pub trait Answer: Send + 'static {
    /// Whether the operation commits changes.
    const WRITES: bool;
    /// Its kind, unless the operation's row sets another.
    const GIVES: Gives = Gives::Envelope;
    /// Its shape.
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema;
    /// The reply.
    fn reply(self, facts: &Facts) -> Result<Reply>;
}

impl<T: Serialize + JsonSchema + Send + 'static> Answer for T {
    const WRITES: bool = false;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::Data(generator.subschema_for::<T>())
    }
    fn reply(self, facts: &Facts) -> Result<Reply> {
        Ok(Reply::json(200, envelope(facts, &self)?))
    }
}

impl<T: Serialize + JsonSchema + Send + 'static> Answer for Done<T> {
    const WRITES: bool = true;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::Data(generator.subschema_for::<T>())
    }
    fn reply(self, _: &Facts) -> Result<Reply> {
        Ok(Reply::json(200, self.body))
    }
}

impl<T, B> Answer for Listing<T, B>
where
    T: Serialize + JsonSchema + Send + 'static,
    B: Serialize + JsonSchema + Send + 'static,
{
    const WRITES: bool = false;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::Page(generator.subschema_for::<T>(), beside_of::<B>(generator))
    }
    fn reply(self, facts: &Facts) -> Result<Reply> {
        let next = self.pagination.next.as_ref();
        let body = listed(facts, &self.items, (&self.pagination, next), &self.beside)?;
        Ok(Reply::json(200, body))
    }
}

impl<T, B> Answer for Feed<T, B>
where
    T: Serialize + JsonSchema + Send + 'static,
    B: Serialize + JsonSchema + Send + 'static,
{
    const WRITES: bool = false;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::Feed(generator.subschema_for::<T>(), beside_of::<B>(generator))
    }
    fn reply(self, facts: &Facts) -> Result<Reply> {
        Ok(Reply::json(200, feed(facts, &self)?))
    }
}

/// A feed whose reading changes data, such as the read marks.
impl<T, B> Answer for Done<Feed<T, B>>
where
    T: Serialize + JsonSchema + Send + 'static,
    B: Serialize + JsonSchema + Send + 'static,
{
    const WRITES: bool = true;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        <Feed<T, B> as Answer>::schema(generator)
    }
    fn reply(self, _: &Facts) -> Result<Reply> {
        Ok(Reply::json(200, self.body))
    }
}

/// The schema of the fields beside `pagination`; none for `()`.
fn beside_of<B: JsonSchema + 'static>(generator: &mut SchemaGenerator) -> Option<Schema> {
    let nothing = std::any::TypeId::of::<B>() == std::any::TypeId::of::<()>();
    (!nothing).then(|| generator.subschema_for::<B>())
}

impl Answer for Download {
    const WRITES: bool = false;
    const GIVES: Gives = Gives::ANY_FILE;
    fn schema(_: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::File
    }
    fn reply(self, _: &Facts) -> Result<Reply> {
        let mut reply = Reply::json(200, Vec::new());
        reply.body = Body::File(self);
        Ok(reply)
    }
}

impl Answer for EventStream {
    const WRITES: bool = false;
    const GIVES: Gives = Gives::Events;
    fn schema(_: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::Events
    }
    fn reply(self, _: &Facts) -> Result<Reply> {
        let mut reply = Reply::json(200, Vec::new());
        reply.body = Body::Events(self);
        Ok(reply)
    }
}

/// A whole answer with additional fields: in JSON `data`, and next to it the fields of `beside`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Beside<T, B> {
    /// The requested data.
    pub data: T,
    /// A struct of additional fields.
    pub beside: B,
}

impl<T, B> Answer for Beside<T, B>
where
    T: Serialize + JsonSchema + Send + 'static,
    B: Serialize + JsonSchema + Send + 'static,
{
    const WRITES: bool = false;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        let data = generator.subschema_for::<T>();
        AnswerSchema::Beside(data, generator.subschema_for::<B>())
    }
    fn reply(self, facts: &Facts) -> Result<Reply> {
        Ok(Reply::json(200, beside(facts, &self)?))
    }
}

impl<T, B> Answer for Done<Beside<T, B>>
where
    T: Serialize + JsonSchema + Send + 'static,
    B: Serialize + JsonSchema + Send + 'static,
{
    const WRITES: bool = true;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        <Beside<T, B> as Answer>::schema(generator)
    }
    fn reply(self, _: &Facts) -> Result<Reply> {
        Ok(Reply::json(200, self.body))
    }
}

/// A redirect. It counts as a read: the counters it changes are not an answer that an idempotency
/// key could repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redirect {
    /// Redirects the caller to this absolute address.
    To(String),
    /// Shows the caller this HTML page, which names the target.
    Page(String),
}

impl Answer for Redirect {
    const WRITES: bool = false;
    const GIVES: Gives = Gives::Redirect;
    fn schema(_: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::Redirect
    }
    fn reply(self, _: &Facts) -> Result<Reply> {
        let (status, body) = match self {
            Self::To(address) => (302, Body::Redirect(address)),
            Self::Page(html) => (200, Body::Page(html)),
        };
        let mut reply = Reply::json(status, Vec::new());
        reply.body = body;
        Ok(reply)
    }
}

/// A record, or a file instead if the caller requested it.
#[derive(Debug)]
pub enum RecordOrFile<T> {
    /// The record.
    Record(T),
    /// The file.
    File(Download),
}

impl<T: Serialize + JsonSchema + Send + 'static> Answer for RecordOrFile<T> {
    const WRITES: bool = false;
    const GIVES: Gives = Gives::ANY_FILE;
    fn schema(generator: &mut SchemaGenerator) -> AnswerSchema {
        AnswerSchema::DataOrFile(generator.subschema_for::<T>())
    }
    fn reply(self, facts: &Facts) -> Result<Reply> {
        match self {
            Self::Record(record) => record.reply(facts),
            Self::File(file) => file.reply(facts),
        }
    }
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    status: &'static str,
    message: &'static str,
    data: &'a T,
}

#[derive(Serialize)]
#[serde(bound = "T: Serialize, P: Serialize, B: Serialize")]
struct Page<'a, T, P, B> {
    status: &'static str,
    message: &'static str,
    data: &'a [T],
    pagination: &'a P,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'a Next>,
    #[serde(flatten, serialize_with = "fields_of")]
    beside: &'a B,
}

/// Writes a struct's fields next to `pagination`; `()` writes nothing.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference to the field")]
fn fields_of<B: Serialize, S: serde::Serializer>(beside: &&B, to: S) -> Result<S::Ok, S::Error> {
    match serde_json::to_value(beside).map_err(serde::ser::Error::custom)? {
        serde_json::Value::Object(fields) => {
            let mut map = to.serialize_map(Some(fields.len()))?;
            for (name, value) in &fields {
                map.serialize_entry(name, value)?;
            }
            map.end()
        }
        _ => to.serialize_map(Some(0))?.end(),
    }
}

/// The bytes of a list with its pagination and additional fields.
fn listed<T: Serialize, P: Serialize, B: Serialize>(
    facts: &Facts,
    data: &[T],
    (pagination, next): (&P, Option<&Next>),
    beside: &B,
) -> Result<Vec<u8>> {
    serde_json::to_vec(&Page {
        status: "success",
        message: facts.wording.says,
        data,
        pagination,
        next,
        beside,
    })
    .map_err(Error::internal)
}

#[derive(Serialize)]
#[serde(bound = "T: Serialize, B: Serialize")]
struct Accompanied<'a, T, B> {
    status: &'static str,
    message: &'static str,
    data: &'a T,
    #[serde(flatten, serialize_with = "fields_of")]
    beside: &'a B,
}

/// The bytes of an answer with additional fields.
pub(super) fn beside<T: Serialize, B: Serialize>(
    facts: &Facts,
    answer: &Beside<T, B>,
) -> Result<Vec<u8>> {
    serde_json::to_vec(&Accompanied {
        status: "success",
        message: facts.wording.says,
        data: &answer.data,
        beside: &answer.beside,
    })
    .map_err(Error::internal)
}

/// The bytes of a part of a feed.
pub(super) fn feed<T: Serialize, B: Serialize>(
    facts: &Facts,
    feed: &Feed<T, B>,
) -> Result<Vec<u8>> {
    listed(facts, &feed.items, (&feed.pagination, None), &feed.beside)
}

/// The bytes of a successful answer: in the envelope, unless the specification requires it bare.
pub(super) fn envelope<T: Serialize>(facts: &Facts, data: &T) -> Result<Vec<u8>> {
    if facts.wording.bare {
        return serde_json::to_vec(data).map_err(Error::internal);
    }
    serde_json::to_vec(&Envelope { status: "success", message: facts.wording.says, data })
        .map_err(Error::internal)
}
