//! Records that a form offers by name: what the list operation of their kind shows to whoever is
//! signed in. A field takes a number as well.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::join_all;
use nil_core::Result;
use nil_core::catalog::{Entry, RecordList};
use nil_core::error::Kind as Refused;
use serde_json::{Map, Value};

use super::call::{Page, value};
use super::describe::{self, Field, Kind};
use super::part::Part as _;
use super::query::Query;
use super::side::reads;

/// The most records of a kind that a form offers; the others are found by their name.
const OFFERED: i64 = 100;
/// The most kinds of one form.
const MOST_KINDS: usize = 8;

/// The records of one kind.
#[derive(Debug, Default)]
pub(super) struct Offer {
    pub records: Vec<(i64, String)>,
    /// Whether there are no others.
    pub is_complete: bool,
}

/// The records that a form offers, by kind.
#[derive(Debug, Default)]
pub(super) struct Picks(BTreeMap<String, Offer>);

impl Picks {
    pub(super) fn of(&self, kind: &str) -> Option<&Offer> {
        self.0.get(kind).filter(|offer| !offer.records.is_empty())
    }

    /// Adds the records of another form.
    pub(super) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// How a field shows the record that was chosen.
    pub(super) fn shown(&self, kind: &str, given: &str) -> String {
        let name = given.parse::<i64>().ok().and_then(|id| self.name(kind, id));
        name.map_or_else(|| given.to_owned(), |name| format!("{name} #{given}"))
    }

    /// The name of a record, if it is among those that are offered.
    pub(super) fn name(&self, kind: &str, id: i64) -> Option<&str> {
        let offer = self.0.get(kind)?;
        offer.records.iter().find(|(known, _)| *known == id).map(|(_, name)| name.as_str())
    }
}

/// What the record fields of a form offer.
pub(super) async fn of(page: &Page<'_>, fields: &[Field]) -> Picks {
    let mut kinds = BTreeSet::new();
    collect(fields, &mut kinds);
    let load = kinds.into_iter().take(MOST_KINDS).map(async |kind| {
        // A form without its offers is still a form.
        let offer = offer(page, kind, None).await.unwrap_or_default();
        (kind.to_owned(), offer)
    });
    Picks(join_all(load).await.into_iter().collect())
}

fn collect<'f>(fields: &'f [Field], kinds: &mut BTreeSet<&'f str>) {
    for field in fields {
        match &field.kind {
            // The record that the form itself is about is chosen before.
            Kind::Record(kind) if field.name != "id" => {
                kinds.insert(kind);
            }
            Kind::Several(one) => {
                if let Kind::Record(kind) = &**one {
                    kinds.insert(kind);
                }
            }
            Kind::Group(inner) | Kind::Groups(inner) => collect(inner, kinds),
            _ => {}
        }
    }
}

/// The records of a kind that a search finds, if its list can be searched.
pub(super) async fn search(page: &Page<'_>, kind: &str, words: &str) -> Vec<(i64, String)> {
    let mut rows = RecordList::of(page.side.interface, kind);
    let list = rows.find_map(|row| row.list.strip_prefix(page.side.prefix));
    let entry = list.and_then(|short| page.allowed(short));
    let searches =
        entry.is_some_and(|entry| describe::of(entry).fields.iter().any(|field| field.name == "q"));
    if !searches {
        return Vec::new();
    }
    offer(page, kind, Some(words)).await.unwrap_or_default().records
}

/// The records of a kind, those that a search finds if there is one.
async fn offer(page: &Page<'_>, kind: &str, search: Option<&str>) -> Result<Offer> {
    let interface = page.side.interface;
    let listed = RecordList::of(interface, kind).find_map(|row| {
        let short = row.list.strip_prefix(page.side.prefix)?;
        Some((row, page.allowed(short).filter(|entry| reads(entry))?))
    });
    let Some((row, entry)) = listed else { return Ok(Offer::default()) };
    let asked = asked(entry, |name| match (name, search) {
        ("per_page", _) => Some(OFFERED.into()),
        ("q", Some(search)) => Some(search.into()),
        _ => None,
    });
    let answer = value(page.perform(entry, asked, None).await?)?;
    let rows = super::table::rows_of(&answer);
    let record = |row_of: &Value| {
        let id = row_of.part(row.id).as_i64()?;
        Some((id, row_of.part(row.label).as_str()?.to_owned()))
    };
    let next = answer.part("next").is_string();
    let pages = answer.part("pagination").part("pages").as_i64().unwrap_or(1);
    Ok(Offer {
        records: rows.iter().filter_map(record).collect(),
        is_complete: !next && pages <= 1,
    })
}

/// The input of a list of records: what is given of its fields, and all records in whatever else it
/// needs.
fn asked(entry: &'static Entry, given: impl Fn(&str) -> Option<Value>) -> Map<String, Value> {
    let fields = describe::of(entry).fields.iter().filter_map(|field| {
        let all = || match field.kind {
            _ if !field.required => None,
            Kind::Record(_) | Kind::Whole { .. } => Some(0.into()),
            _ => Some("all".into()),
        };
        Some((field.name.clone(), given(&field.name).or_else(all)?))
    });
    fields.collect()
}

/// The row of a record in the list of its kind that has it.
pub(super) async fn row(page: &Page<'_>, kind: &str, id: i64) -> Result<Option<Value>> {
    for list in RecordList::of(page.side.interface, kind).filter(|list| list.id == "id") {
        let short = list.list.strip_prefix(page.side.prefix);
        let entry = short.and_then(|short| page.allowed(short)).filter(|entry| reads(entry));
        let takes_id =
            |entry: &&'static Entry| describe::of(entry).fields.iter().any(|it| it.name == "id");
        let Some(entry) = entry.filter(takes_id) else { continue };
        let asked = asked(entry, |name| (name == "id").then(|| id.into()));
        match page.perform(entry, asked, None).await {
            Ok(reply) => return Ok(super::table::rows_of(&value(reply)?).first().cloned()),
            // Of several lists with such records, another one has it; or there is none.
            Err(error) if error.kind() == Refused::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The fields of a form with names in place of numbers resolved, where one record has the name.
/// What no record or several have is left for the reader to refuse.
pub(super) async fn resolved(page: &Page<'_>, fields: &[Field], sent: &Query) -> Query {
    let mut resolved = sent.clone();
    for field in fields {
        let kind = match &field.kind {
            Kind::Record(kind) => kind,
            Kind::Several(one) => match &**one {
                Kind::Record(kind) => kind,
                _ => continue,
            },
            _ => continue,
        };
        let several = matches!(field.kind, Kind::Several(_));
        for (name, text) in &mut resolved.0 {
            if *name != field.name || text.is_empty() {
                continue;
            }
            let mut parts = Vec::new();
            for part in text.split(',').take(if several { usize::MAX } else { 1 }) {
                parts.push(match number(part) {
                    Some(number) => number.to_string(),
                    None => found(page, kind, part.trim()).await.unwrap_or_else(|| part.to_owned()),
                });
            }
            *text = parts.join(",");
        }
    }
    resolved
}

/// The number of the one record with this name.
async fn found(page: &Page<'_>, kind: &str, name: &str) -> Option<String> {
    let offer = offer(page, kind, Some(name)).await.ok()?;
    let is_named = |(_, known): &&(i64, String)| known.to_lowercase() == name.to_lowercase();
    let mut all = offer.records.iter().filter(is_named);
    let first = all.next()?;
    all.next().is_none().then(|| first.0.to_string())
}

/// The number in `12`, `#12` or `Jordan Rivera #12`.
pub(super) fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    text.rsplit_once('#').map_or(text, |(_, number)| number).parse().ok()
}
