//! What the catalog says about an operation's input and answer, in the terms of forms and tables.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, RwLock};

use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Interface, RequiredWhen, Takes, Zone};
use nil_core::operation::{AnswerSchema, Order};
use serde_json::{Map, Value};

use super::part::Part as _;
use super::{texts, words};

/// Schemas nested deeper than this are shown as text.
const DEEPEST: usize = 5;
/// A longer text gets an area of several lines.
const LONG: u64 = 300;

/// One field of an input or of an answer.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    /// In English; a page shows `label()`.
    pub label: String,
    /// In English; a page shows `hint()`.
    pub hint: String,
    pub kind: Kind,
    pub required: bool,
}

/// What a field holds.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Text {
        most: Option<u64>,
        long: bool,
        format: &'static str,
    },
    Password,
    /// What the record was like when the form was filled with it; it goes along unseen.
    Revision,
    Whole {
        least: Option<i64>,
        most: Option<i64>,
    },
    /// An id of a record of this kind.
    Record(String),
    Cents,
    /// Hundredths of a percent.
    Rate,
    Truth,
    Day,
    Moment,
    Choice(Vec<Choice>),
    /// A list of single values.
    Several(Box<Kind>),
    Group(Vec<Field>),
    /// A list of groups.
    Groups(Vec<Field>),
    /// Anything else, as JSON.
    Other,
}

/// One of the words that a field takes.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub value: String,
    pub about: String,
}

impl Choice {
    /// What it means, in the language of the page.
    pub(super) fn about(&self) -> Cow<'_, str> {
        texts::of_catalog("about", &self.value, &self.about)
    }

    /// Whether what it means is more than its word.
    pub(super) fn tells_more(&self) -> bool {
        let about = self.about.trim_end_matches('.');
        !about.is_empty() && !about.eq_ignore_ascii_case(&words::plain_word(&self.value))
    }
}

/// An operation's input and answer.
#[derive(Debug)]
pub(super) struct Described {
    pub fields: Vec<Field>,
    pub answer: Answer,
    /// The file that comes with the form.
    pub file: Option<Field>,
}

/// An operation's answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// A list of such records.
    List(Vec<Field>),
    /// A record with these fields; none if there is nothing to show.
    Record(Vec<Field>),
    File,
}

/// The description of an operation. It is made once: the catalog never changes.
pub(super) fn of(entry: &'static Entry) -> &'static Described {
    static ALL: LazyLock<RwLock<HashMap<&'static str, &'static Described>>> =
        LazyLock::new(RwLock::default);
    let known = ALL.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(described) = known.get(entry.name) {
        return described;
    }
    drop(known);
    let mut all = ALL.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.entry(entry.name).or_insert_with(|| Box::leak(Box::new(describe(entry))))
}

fn describe(entry: &Entry) -> Described {
    let mut generator = Generator::default();
    let input = (entry.input)(&mut generator).to_value();
    let output = (entry.output)(&mut generator);
    let reader = Reader { definitions: generator.definitions() };
    let mut fields = reader.fields(&input, 0);
    arrange(&mut fields, &(entry.order)());
    tell_zones(&mut fields, entry);
    for rule in entry.required_when {
        if let Some(field) = fields.iter_mut().find(|field| field.name == rule.field) {
            field.hint = format!("{} {}", field.hint, required(rule));
        }
    }
    let takes_file = matches!(entry.takes, Takes::FileForm);
    let content = fields.iter().position(|field| field.name == "content");
    let content = content.filter(|_| takes_file || entry.takes_bytes());
    let file = content.map(|at| fields.remove(at)).filter(|_| takes_file);
    let mut answer = match output {
        AnswerSchema::Page(item, _) | AnswerSchema::Feed(item, _) => {
            Answer::List(reader.shown(item.as_value()))
        }
        AnswerSchema::File => Answer::File,
        AnswerSchema::DataOrFile(data)
        | AnswerSchema::Data(data)
        | AnswerSchema::Beside(data, _) => reader.answer(data.as_value()),
        _ => Answer::Record(Vec::new()),
    };
    if let Answer::List(columns) = &mut answer {
        let place = |field: &Field| entry.columns.iter().position(|name| field.name == *name);
        columns.sort_by_key(|field| place(field).unwrap_or(usize::MAX));
    }
    Described { fields, answer, file }
}

/// Puts fields in the order in which they are declared, also inside objects.
fn arrange(fields: &mut [Field], order: &Order) {
    let place = |field: &Field| order.names.iter().position(|name| field.name == *name);
    fields.sort_by_key(|field| place(field).unwrap_or(usize::MAX));
    for field in fields {
        if let (Some(order), Some(inner)) = (order.of(&field.name), field.kind.inner()) {
            arrange(inner, order);
        }
    }
}

/// Adds to the hint of a day whose day it is, where that is not the zone at the foot of the page:
/// the portal shows the institution's, the console the site's.
fn tell_zones(fields: &mut [Field], entry: &Entry) {
    for field in fields {
        if matches!(field.kind, Kind::Day) && entry.interface == Interface::Admin {
            let stop = if field.hint.ends_with(['.', '!', '?']) { "" } else { "." };
            match entry.zone(&field.name) {
                Some(Zone::Institution) => {
                    field.hint = format!("{}{stop} A day of the institution.", field.hint);
                }
                Some(Zone::Utc) => field.hint = format!("{}{stop} A day of UTC.", field.hint),
                None => {}
            }
        }
        if let Some(inner) = field.kind.inner() {
            tell_zones(inner, entry);
        }
    }
}

/// When a field is required, in words.
fn required(rule: &RequiredWhen) -> String {
    let other = words::label(rule.other);
    let values: Vec<String> = rule.values.iter().map(|value| words::plain_word(value)).collect();
    match values.as_slice() {
        [] => format!("Required without {other}."),
        values => format!("Required if {other} is {}.", values.join(" or ")),
    }
}

struct Reader<'d> {
    definitions: &'d Map<String, Value>,
}

impl Reader<'_> {
    /// The schema behind a reference, or behind the one choice that is not null.
    fn plain<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let name = schema.get("$ref").and_then(Value::as_str);
        if let Some(found) =
            name.and_then(|name| self.definitions.get(name.rsplit('/').next().unwrap_or(name)))
        {
            return self.plain(found);
        }
        let choices = ["anyOf", "oneOf", "allOf"];
        let choices = choices.iter().find_map(|name| schema.get(name)?.as_array());
        let real = |choice: &&Value| choice.get("type") != Some(&"null".into());
        match choices.map(|choices| choices.iter().filter(real).collect::<Vec<_>>()).as_deref() {
            Some([one]) => self.plain(one),
            _ => schema,
        }
    }

    fn fields(&self, schema: &Value, depth: usize) -> Vec<Field> {
        let schema = self.plain(schema);
        let required: Vec<&str> = schema
            .part("required")
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let all = schema.part("properties").as_object().into_iter().flatten();
        let mut fields: Vec<Field> = all
            .map(|(name, schema)| self.field(name, schema, required.contains(&&**name), depth))
            .collect();
        // What is needed first, where the order of the declaration is not known.
        fields.sort_by_key(|field| !field.required);
        fields
    }

    fn field(&self, name: &str, schema: &Value, required: bool, depth: usize) -> Field {
        let about = |schema: &Value| schema.part("description").as_str().map(words::hint);
        let plain = self.plain(schema);
        let kind = self.kind(plain, depth);
        let hint = about(schema).or_else(|| about(plain)).unwrap_or_default();
        let hint = match kind {
            // Forms take dollars and percent where the interface takes cents and basis points.
            Kind::Cents => hint.replace(", in cents", ", in dollars"),
            Kind::Rate => hint.replace(", in basis points", ", in percent"),
            _ => hint,
        };
        Field { name: name.to_owned(), label: words::label(name), hint, kind, required }
    }

    fn kind(&self, schema: &Value, depth: usize) -> Kind {
        if let Some(choices) = choices(schema) {
            return Kind::Choice(choices);
        }
        if depth > DEEPEST {
            return Kind::Other;
        }
        let format = schema.part("format").as_str().unwrap_or_default();
        match kind_of(schema) {
            "string" => match format {
                "password" => Kind::Password,
                "revision" => Kind::Revision,
                "date" => Kind::Day,
                "date-time" => Kind::Moment,
                "email" => text(schema, "email"),
                "uri" => text(schema, "url"),
                _ => text(schema, "text"),
            },
            "integer" => whole(schema),
            "boolean" => Kind::Truth,
            "array" => {
                let item = self.plain(schema.part("items"));
                match kind_of(item) {
                    "object" if item.get("properties").is_some() => {
                        Kind::Groups(self.fields(item, depth + 1))
                    }
                    "object" | "array" | "" => Kind::Other,
                    _ => Kind::Several(Box::new(self.kind(item, depth + 1))),
                }
            }
            "object" if schema.get("properties").is_some() => {
                Kind::Group(self.fields(schema, depth + 1))
            }
            _ => Kind::Other,
        }
    }

    /// The fields of a record that people read.
    fn shown(&self, schema: &Value) -> Vec<Field> {
        let mut fields = self.fields(schema, 0);
        // A bearer token is for programs: in a page, scripts could read it.
        let is_shown = |field: &Field| !["access_token", "token_type"].contains(&&*field.name);
        fields.retain(|field| !matches!(field.kind, Kind::Revision) && is_shown(field));
        fields
    }

    fn answer(&self, schema: &Value) -> Answer {
        let plain = self.plain(schema);
        if kind_of(plain) == "array" {
            let item = self.plain(plain.part("items"));
            if item.get("properties").is_some() {
                return Answer::List(self.shown(item));
            }
        }
        Answer::Record(self.shown(plain))
    }
}

fn kind_of(schema: &Value) -> &str {
    match schema.part("type") {
        Value::String(kind) => kind,
        Value::Array(kinds) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.find(|kind| *kind != "null").unwrap_or_default()
        }
        _ => "",
    }
}

fn whole(schema: &Value) -> Kind {
    if let Some(record) = schema["x-record"].as_str() {
        return Kind::Record(record.to_owned());
    }
    match schema.part("format").as_str() {
        Some("cents") => return Kind::Cents,
        Some("basis-points") => return Kind::Rate,
        _ => {}
    }
    Kind::Whole { least: schema.part("minimum").as_i64(), most: schema.part("maximum").as_i64() }
}

fn text(schema: &Value, format: &'static str) -> Kind {
    let most = schema.part("maxLength").as_u64();
    let long = format == "text" && most.is_some_and(|most| most > LONG);
    Kind::Text { most, long, format }
}

/// The words that a schema takes, with what each means.
fn choices(schema: &Value) -> Option<Vec<Choice>> {
    let all = schema.part("enum").as_array()?;
    let words = schema["x-words"].as_str().unwrap_or_default();
    let about = |word: &str| {
        let start = format!("- `{word}`:");
        let line = words.lines().find_map(|line| line.strip_prefix(&*start));
        line.map(|line| line.trim().replace('`', "")).unwrap_or_default()
    };
    let words = all.iter().filter_map(Value::as_str);
    Some(words.map(|word| Choice { value: word.to_owned(), about: about(word) }).collect())
}

impl Kind {
    /// The fields of the object, or of each object of the list.
    fn inner(&mut self) -> Option<&mut Vec<Field>> {
        match self {
            Self::Group(inner) | Self::Groups(inner) => Some(inner),
            _ => None,
        }
    }
}

impl Field {
    /// Its label in the language of the page.
    pub(super) fn label(&self) -> Cow<'_, str> {
        texts::of_catalog("label", &self.name, &self.label)
    }

    /// Its hint in the language of the page.
    pub(super) fn hint(&self) -> Cow<'_, str> {
        texts::of_catalog("hint", &self.name, &self.hint)
    }

    /// Whether a value of it stands in one cell of a table.
    pub(super) fn is_single(&self) -> bool {
        !matches!(self.kind, Kind::Group(_) | Kind::Groups(_) | Kind::Other)
    }

    /// Whether its values stand at the right of their column.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Cents | Kind::Rate | Kind::Whole { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nil_core::catalog::catalog;

    fn entry(name: &str) -> &'static Entry {
        catalog().named(name).unwrap()
    }

    #[test]
    fn an_input_is_described_as_its_form_shows_it() {
        let job = of(entry("admin.job.save"));
        let field = |name: &str| job.fields.iter().find(|field| field.name == name).unwrap();
        assert!(matches!(field("amount_cents").kind, Kind::Cents));
        assert!(matches!(field("ends_on").kind, Kind::Day));
        assert!(matches!(&field("compensation").kind, Kind::Choice(all) if all.len() > 4));
        assert!(matches!(&field("eligibility").kind, Kind::Group(all) if !all.is_empty()));
        assert!(matches!(&field("milestones").kind, Kind::Groups(all) if !all.is_empty()));
        let Kind::Choice(choices) = &field("compensation").kind else { panic!() };
        assert!(choices.iter().all(|choice| !choice.value.contains(' ')));
    }

    #[test]
    fn amounts_and_rates_are_hinted_in_the_units_that_forms_take() {
        for operation in catalog().of(Interface::Admin).chain(catalog().of(Interface::Compliance)) {
            for field in &of(operation).fields {
                let unit = match field.kind {
                    Kind::Cents => "in cents",
                    Kind::Rate => "in basis points",
                    _ => continue,
                };
                let place = format!("{} {}", operation.name, field.name);
                assert!(!field.hint.contains(unit), "{place}: {}", field.hint);
            }
        }
        let least = &of(entry("admin.site.save_basic")).fields;
        let least = least.iter().find(|field| field.hint.contains("in dollars")).unwrap();
        assert!(matches!(least.kind, Kind::Cents), "{}", least.name);
    }

    #[test]
    fn fields_inside_objects_stand_as_they_are_declared_and_tell_whose_day_they_mean() {
        let job = of(entry("admin.job.save"));
        let field = |name: &str| job.fields.iter().find(|field| field.name == name).unwrap();
        let Kind::Groups(milestones) = &field("milestones").kind else { panic!() };
        let names: Vec<_> = milestones.iter().map(|field| &*field.name).collect();
        let order = (entry("admin.job.save").order)();
        assert_eq!(names, order.of("milestones").unwrap().names);
        let due = milestones.iter().find(|field| field.name == "due_on").unwrap();
        assert!(due.hint.ends_with(". A day of the institution."), "{}", due.hint);
        let payments = of(entry("admin.payment.list"));
        let from = payments.fields.iter().find(|field| field.name == "from").unwrap();
        assert!(from.hint.ends_with(". A day of UTC."), "{}", from.hint);
    }

    #[test]
    fn every_operation_of_a_side_can_be_described() {
        let mut lists = 0;
        for interface in [Interface::Compliance, Interface::Admin] {
            for entry in catalog().of(interface) {
                let described = of(entry);
                lists += u32::from(matches!(described.answer, Answer::List(_)));
                for field in &described.fields {
                    assert!(!field.label.is_empty() && !field.hint.is_empty(), "{}", entry.name);
                }
            }
        }
        assert!(lists > 50, "{lists}");
    }
}
