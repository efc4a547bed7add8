//! A page that is being made: who is signed in, and the operations it calls in their name.

use chrono_tz::Tz;
use maud::Markup;
use nil_core::auth::Principal;
use nil_core::catalog::Entry;
use nil_core::error::codes;
use nil_core::http::Desk;
use nil_core::operation::{Body, Fields, Reply};
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use super::query::Query;
use super::side::{Side, reads};

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

    /// The operation of this short name, if whoever is signed in may call it.
    pub(super) fn allowed(&self, short: &str) -> Option<&'static Entry> {
        self.side.entry(short).filter(|entry| entry.admit(&self.who).is_ok())
    }

    /// The answer of an operation that only reads.
    pub(super) async fn read(&self, short: &str, filters: Map<String, Value>) -> Result<Value> {
        let entry = self.side.entry(short).filter(|entry| reads(entry));
        let entry = entry.ok_or_else(|| Error::internal(format!("{short} is not for reading")))?;
        value(self.perform(entry, filters, None).await?)
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

/// The JSON of a reply.
pub(super) fn value(reply: Reply) -> Result<Value> {
    match reply.body {
        Body::Json(bytes) => serde_json::from_slice(&bytes).map_err(Error::internal),
        _ => Err(codes::NOT_FOUND.into()),
    }
}
