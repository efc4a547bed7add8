//! A page that is being made: who is signed in, and the operations it calls in their name.

use chrono_tz::Tz;
use maud::{Markup, html};
use nil_core::auth::Principal;
use nil_core::catalog::Entry;
use nil_core::error::codes;
use nil_core::http::{Desk, SentFile};
use nil_core::operation::{Body, Fields, Reply};
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::describe::{self, Field};
use super::kept::KeptAnswers;
use super::query::Query;
use super::reading;
use super::session;
use super::side::{Side, reads};
use super::views::Views;

/// Who is signed in, in the words of the pages.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub name: String,
    /// The institution, or the platform.
    pub house: String,
    /// The zone in which times are shown and typed.
    pub zone: Tz,
}

/// A page that is being made.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub desk: Desk<'a>,
    pub side: &'static Side,
    pub who: Principal,
    pub person: Person,
    /// The path below the side's base.
    pub path: &'a str,
    pub query: Query,
    pub views: Views,
    pub kept: &'a KeptAnswers,
}

/// What a screen shows.
pub(super) struct Shown {
    pub status: u16,
    pub title: String,
    /// The links above the heading: address and words.
    pub crumbs: Vec<(String, String)>,
    pub content: Markup,
}

impl Shown {
    pub(super) fn new(title: impl Into<String>, content: Markup) -> Self {
        Self { status: 200, title: title.into(), crumbs: Vec::new(), content }
    }

    pub(super) fn below(mut self, address: String, words: impl Into<String>) -> Self {
        self.crumbs.push((address, words.into()));
        self
    }
}

impl Page<'_> {
    /// The address of a page of this side.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{}{path}", self.desk.prefix(), self.side.base)
    }

    /// The address of this page with another view.
    pub(super) fn here(&self, query: &Query) -> String {
        format!("{}{}", self.at(self.path), query.address())
    }

    /// Where a change of language leads back to, below the side's base: the page of a form if this
    /// is what came of it.
    pub(super) fn back(&self) -> String {
        let path = match self.path.strip_prefix("/do/") {
            Some(short) => format!("/op/{short}"),
            None => self.path.to_owned(),
        };
        format!("{path}{}", self.query.address())
    }

    /// The operation of this short name, if whoever is signed in may call it.
    pub(super) fn allowed(&self, short: &str) -> Option<&'static Entry> {
        self.side.entry(short).filter(|entry| entry.admit(&self.who).is_ok())
    }

    /// The fields of an operation's input.
    pub(super) fn fields(&self, short: &str) -> &'static [Field] {
        self.side.entry(short).map_or(&[], |entry| &describe::of(entry).fields)
    }

    /// The part of a query or of a form that an operation takes.
    pub(super) fn input(&self, short: &str, sent: &Query) -> Result<Map<String, Value>> {
        let read = reading::read(self.fields(short), sent, self.person.zone);
        read.map_err(|refusals| reading::invalid(&refusals))
    }

    /// The number of the record that the page is about.
    pub(super) fn id(&self) -> i64 {
        self.path.split('/').find_map(|part| part.parse().ok()).unwrap_or_default()
    }

    /// The answer of an operation that only reads.
    pub(super) async fn read(&self, short: &str, filters: Map<String, Value>) -> Result<Value> {
        let entry = self.side.entry(short).filter(|entry| reads(entry));
        let entry = entry.ok_or_else(|| Error::internal(format!("{short} is not for reading")))?;
        value(self.perform(entry, filters, None).await?)
    }

    /// The same where a part of a screen is missing if the operation refuses or is not allowed.
    pub(super) async fn part(&self, short: &str, filters: Map<String, Value>) -> Option<Value> {
        self.allowed(short)?;
        self.read(short, filters).await.ok()
    }

    /// The answer that this session got to an operation a moment ago, if there is one.
    pub(super) fn known(&self, operation: &'static str) -> Option<Value> {
        self.kept.get(self.who.session()?, operation, self.desk.now())
    }

    /// Keeps an answer of an operation for a moment.
    pub(super) fn keep(&self, operation: &'static str, answer: Value) {
        if let Some(session) = self.who.session() {
            self.kept.put(session, operation, self.desk.now(), answer);
        }
    }

    /// The answer of an operation that only reads, unless there is one of a moment ago.
    pub(super) async fn read_kept(
        &self,
        operation: &'static str,
        filters: Map<String, Value>,
    ) -> Result<Value> {
        if let Some(answer) = self.known(operation).filter(|answer| !answer.is_null()) {
            return Ok(answer);
        }
        let answer = self.read(operation, filters).await?;
        self.keep(operation, answer.clone());
        Ok(answer)
    }

    /// What every form of a page has beside its own fields.
    pub(super) fn hidden(&self) -> Markup {
        self.hidden_with(None)
    }

    /// The same with the idempotency key of an earlier try.
    pub(super) fn hidden_with(&self, key: Option<&str>) -> Markup {
        let key = key.map_or_else(|| self.desk.new_key(), str::to_owned);
        html! {
            input type="hidden" name="form_token" value=(self.desk.form_token(&self.who).expose());
            input type="hidden" name="idempotency_key" value=(key);
            input type="hidden" name="as" value=(session::mark_of(self.desk, &self.who));
        }
    }

    /// Does an operation for a form, at most once however often it is sent.
    pub(super) async fn write(
        &self,
        short: &str,
        fields: Map<String, Value>,
        sent: &Query,
    ) -> Result<Value> {
        let entry = self.side.entry(short).ok_or_else(|| Error::from(codes::NOT_FOUND))?;
        let key = session::key_of(sent).filter(|_| entry.writes());
        value(self.perform(entry, fields, key).await?)
    }

    /// The same with the file that came with the form, under the name `content`.
    pub(super) async fn write_file(
        &self,
        short: &str,
        fields: Map<String, Value>,
        (file, sent): (SentFile, &Query),
    ) -> Result<Value> {
        let entry = self.side.entry(short).ok_or_else(|| Error::from(codes::NOT_FOUND))?;
        let key = session::key_of(sent).filter(|_| entry.writes());
        let mut fields = Fields::from_object(fields);
        file.fill(&mut fields);
        value(self.desk.perform(entry, &self.who, fields, key).await?)
    }

    /// Does an operation with these fields.
    pub(super) async fn perform(
        &self,
        entry: &'static Entry,
        fields: Map<String, Value>,
        key: Option<String>,
    ) -> Result<Reply> {
        self.desk.perform(entry, &self.who, Fields::from_object(fields), key).await
    }
}

/// An input with one field.
pub(super) fn one(name: &str, value: impl Into<Value>) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value.into())])
}

/// The JSON of a reply.
pub(super) fn value(reply: Reply) -> Result<Value> {
    match reply.body {
        Body::Json(bytes) => serde_json::from_slice(&bytes).map_err(Error::internal),
        _ => Err(codes::NOT_FOUND.into()),
    }
}
