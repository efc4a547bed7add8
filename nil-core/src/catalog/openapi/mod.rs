//! Generates the OpenAPI documents from the catalog, in 3.1 and rewritten in 3.0.

mod events;
mod example;
mod fields;
mod formats;
mod freshness;
mod named_schemas;
mod refusing;
mod request;
mod security;
mod version_3_0;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The generator of schemas from types.
pub use schemars::SchemaGenerator as Generator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::{Entry, Interface, Method, Needs, Section, Stops, catalog};
use crate::error::{Code, codes};
use crate::operation::{AnswerSchema, Gives};

/// The version of OpenAPI that a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 3.1: the whole description.
    Newest,
    /// 3.0, for generators of clients that do not read 3.1 yet. A body has one content type there.
    V3_0,
}

impl Version {
    /// A document, as [`document`] generates it, in this version.
    #[must_use]
    pub fn of(self, document: Value) -> Value {
        match self {
            Self::Newest => document,
            Self::V3_0 => version_3_0::rewritten(document),
        }
    }
}

/// Generates the document of one interface; `public_url` is the server's URL.
#[must_use]
pub fn document(interface: Interface, public_url: &str) -> Value {
    written(interface, catalog().of(interface), webhooks::requests(interface), public_url)
}

/// Generates the document of one operation alone, with only the schemas that it uses; `public_url`
/// is the server's URL. Two schemas that share a name are numbered among those of their document,
/// so a schema can have another number here.
#[must_use]
pub fn excerpt(entry: &Entry, public_url: &str) -> Value {
    written(entry.interface, std::iter::once(entry), Map::new(), public_url)
}

fn written<'a>(
    interface: Interface,
    entries: impl Iterator<Item = &'a Entry>,
    webhooks: Map<String, Value>,
    public_url: &str,
) -> Value {
    let mut schemas = Schemas::new();
    let mut paths: Map<String, Value> = Map::new();
    let mut sections: Vec<&Section> = Vec::new();
    for entry in entries {
        if !sections.contains(&entry.section) {
            sections.push(entry.section);
        }
        let path = paths.entry(entry.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = path {
            methods
                .insert(entry.method.as_str().to_ascii_lowercase(), operation(entry, &mut schemas));
        }
    }
    let refusals = refusing::examples(&paths);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": title(interface),
            "version": "1.0.0",
            "description": INTRODUCTION,
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" }
        },
        "servers": [{ "url": format!("{public_url}{}", interface.base()) }],
        "tags": sections.iter().map(|section| tag(section)).collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "schemas": schemas.into_definitions(),
            "examples": refusals,
            "securitySchemes": security::schemes(interface),
        }
    });
    if let Some(fields) = document.as_object_mut().filter(|_| !webhooks.is_empty()) {
        fields.insert("webhooks".into(), webhooks.into());
    }
    named_schemas::in_order(formats::known(document))
}

const INTRODUCTION: &str = "Successful answers stand in `data` of an envelope with `status` and \
`message`; lists add `pagination`. Errors carry a stable `code`, a sentence in `message`, messages \
per field in `errors` (422 only) and the `request_id`. Money is whole cents in fields ending in \
`_cents`; times are RFC 3339 in UTC. Every write accepts an `Idempotency-Key`. Operations marked \
`x-extension` go beyond the platform specification; those with `x-feature` belong to a part that a \
site can switch off (`GET /api/site_config` says which are on).";

/// The title of an interface's document.
#[must_use]
pub fn title(interface: Interface) -> &'static str {
    match interface {
        Interface::Core => "nil Core interface",
        Interface::Compliance => "nil Compliance interface",
        Interface::Admin => "nil Admin interface",
    }
}

fn tag(section: &Section) -> Value {
    json!({ "name": section.name, "description": section.about })
}

/// Inputs and answers have separate schemas, because different fields are optional.
struct Schemas {
    input: Generator,
    output: Generator,
}

impl Schemas {
    fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12()
                .with(|s| s.definitions_path = "/components/schemas".into())
        };
        Self {
            input: settings().into_generator(),
            output: settings().for_serialize().into_generator(),
        }
    }

    fn into_definitions(mut self) -> Map<String, Value> {
        let mut all = self.output.take_definitions(true);
        all.extend(self.input.take_definitions(true));
        all.insert("Error".into(), refusing::schema());
        all.extend(PAGINATION.clone());
        all
    }

    fn definitions(&self) -> Definitions<'_> {
        Definitions([&PAGINATION, self.input.definitions(), self.output.definitions()])
    }
}

/// The named schemas so far. For duplicate names the first one wins.
#[derive(Clone, Copy)]
struct Definitions<'a>([&'a Map<String, Value>; 3]);

impl<'a> Definitions<'a> {
    fn get(self, name: &str) -> Option<&'a Value> {
        self.0.iter().find_map(|definitions| definitions.get(name))
    }
}

static PAGINATION: LazyLock<Map<String, Value>> = LazyLock::new(pagination_schemas);

/// The schemas of the pagination beside lists, by name.
fn pagination_schemas() -> Map<String, Value> {
    let number = |description: &str| json!({ "type": "integer", "description": description });
    let page = json!({
        "type": "object", "description": "the position of a page in its list",
        "properties": {
            "page": number("this page, from 1"), "per_page": number("records per page"),
            "total": number("records in the whole list"), "pages": number("pages in the list")
        },
        "required": ["page", "per_page", "total", "pages"]
    });
    let feed = json!({
        "type": "object", "description": "how to continue a feed",
        "properties": {
            "limit": number("the maximum number of records in the answer"),
            "next_before_id": {
                "type": ["integer", "null"], "examples": [41],
                "description": "`before_id` for the records before these; null at the beginning"
            }
        },
        "required": ["limit", "next_before_id"]
    });
    Map::from_iter([("Pagination".into(), page), ("FeedPagination".into(), feed)])
}

fn operation(entry: &Entry, schemas: &mut Schemas) -> Value {
    let mut input = (entry.input)(&mut schemas.input).to_value();
    fields::mark(&mut input, entry, schemas.input.definitions_mut());
    let answer = (entry.output)(&mut schemas.output);
    let in_path = entry.path_fields();
    let mut operation = json!({
        "operationId": entry.name,
        "summary": entry.purpose,
        "description": description(entry, &input),
        "tags": [entry.section.name],
        "parameters": request::parameters(entry, &input, &in_path, schemas),
        "responses": responses(entry, &input, answer, schemas),
        "security": security::asked(entry),
        "x-callers": entry.callers,
        "x-throttle": entry.throttle,
    });
    if let Value::Object(told) = &mut operation {
        if entry.extension {
            told.insert("x-extension".into(), true.into());
        }
        if let Some(feature) = entry.feature {
            told.insert("x-feature".into(), feature.as_str().into());
        }
        told.extend(fields::told(entry));
        if entry.method.has_body() {
            told.insert("requestBody".into(), request::body(entry, input, &in_path, schemas));
        }
    }
    operation
}

fn description(entry: &Entry, input: &Value) -> String {
    let mut text = String::new();
    if let Some(about) = input.get("description").and_then(Value::as_str) {
        text.push_str(about);
        text.push_str("\n\n");
    }
    text.push_str("For: ");
    text.push_str(&entry.doors());
    text.push('.');
    if entry.is_strict() {
        text.push_str(" Unknown fields are refused.");
    }
    if entry.writes_by_get() {
        text.push_str(" Writes although it is a GET; refuses cross-site requests.");
    }
    if let Some(said) = entry.while_off() {
        text.push(' ');
        text.push_str(&said);
    }
    text
}

fn properties(input: &Value) -> Map<String, Value> {
    input.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn is_required(input: &Value, field: &str) -> bool {
    input
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|required| required.iter().any(|name| name == field))
}

/// What rows give that send files as they are stored; parts of such files can be requested.
const STORED: Gives = Gives::File("*/*");

fn responses(entry: &Entry, input: &Value, answer: AnswerSchema, schemas: &mut Schemas) -> Value {
    let mut all = Map::new();
    let status = if matches!(answer, AnswerSchema::Redirect) {
        let about = "A page that shows the destination with an ordinary link, because the server does \
            not vouch for it.";
        let page = json!({ "text/html": { "schema": { "type": "string" } } });
        all.insert("200".into(), json!({ "description": about, "content": page }));
        "302"
    } else {
        "200"
    };
    all.insert(status.into(), good(entry, input, answer, schemas));
    if entry.gives == STORED {
        let part = json!({ "*/*": { "schema": { "type": "string", "format": "binary" } } });
        let about = "The requested part of the file (`Content-Range` says which).";
        all.insert("206".into(), json!({ "description": about, "content": part }));
    }
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in general_codes(entry, input).into_iter().chain(entry.errors.iter().copied()) {
        let codes = by_status.entry(entry.status_of(code)).or_default();
        if !codes.iter().any(|known| known.name == code.name) {
            codes.push(code);
        }
    }
    for (status, codes) in by_status {
        let lines: Vec<String> =
            codes.iter().map(|code| format!("- `{}`: {}", code.name, code.sentence)).collect();
        all.insert(
            status.to_string(),
            json!({
                "description": lines.join("\n"),
                "content": { "application/json": {
                    "schema": { "$ref": "#/components/schemas/Error" },
                    "examples": refusing::references(&codes),
                } }
            }),
        );
    }
    Value::Object(all)
}

/// The kinds of callers that operators can act as.
const ACCOUNTS: [&str; 5] = ["athlete", "partner", "agent", "fan", "portal_user"];

/// The error codes that follow from the kind of operation.
fn general_codes(entry: &Entry, input: &Value) -> Vec<Code> {
    let mut general = vec![codes::VALIDATION_FAILED, codes::THROTTLED, codes::UNAVAILABLE];
    if entry.method.has_body() {
        general.extend([
            codes::MALFORMED_JSON,
            codes::BODY_TOO_LARGE,
            codes::UNSUPPORTED_MEDIA_TYPE,
        ]);
    }
    if !entry.is_open() {
        general.extend([codes::UNAUTHENTICATED, codes::FORBIDDEN]);
    }
    if entry.stops != Stops::Nothing {
        general.push(codes::FEATURE_OFF);
    }
    let is_for_accounts = entry.callers.iter().any(|kind| ACCOUNTS.contains(kind));
    if is_for_accounts {
        general.push(codes::IMPERSONATION_READS_ONLY);
    }
    if matches!(entry.needs, Needs::Permission(_)) {
        general.push(codes::PASSWORD_CHANGE_REQUIRED);
    }
    if entry.interface == Interface::Admin
        && entry.method != Method::Get
        && !entry.is_signed_address()
    {
        general.push(codes::CSRF_INVALID);
    }
    if entry.writes_by_get() {
        general.push(codes::CROSS_SITE);
    }
    if entry.is_strict() {
        general.push(codes::UNKNOWN_FIELD);
    }
    if properties(input).contains_key("revision") {
        general.push(codes::STATE_CHANGED);
    }
    let names_a_record = |field: &String| field == "id" || field == "ids" || field.ends_with("_id");
    if entry.owned == super::Owned::Caller
        || !entry.path_fields().is_empty()
        || properties(input).keys().any(names_a_record)
    {
        general.push(codes::NOT_FOUND);
    }
    if entry.gives == STORED {
        general.push(codes::RANGE_NOT_SATISFIABLE);
    }
    if entry.writes() {
        general.extend([codes::IDEMPOTENCY_KEY_REUSED, codes::IDEMPOTENCY_IN_PROGRESS]);
    }
    general
}

fn good(entry: &Entry, input: &Value, answer: AnswerSchema, schemas: &mut Schemas) -> Value {
    let mut content = Map::new();
    if let Gives::File(media_type) = entry.gives {
        let schema = if media_type.starts_with("text/") {
            json!({ "type": "string" })
        } else {
            json!({ "type": "string", "format": "binary" })
        };
        content.insert(media_type.into(), json!({ "schema": schema }));
    }
    let schema = match answer {
        AnswerSchema::File => return json!({ "description": entry.says, "content": content }),
        AnswerSchema::Events => return events::answer(&mut schemas.output),
        AnswerSchema::Redirect => {
            return json!({
                "description": entry.says,
                "headers": { "Location": {
                    "required": true, "description": "the URL to go to",
                    "schema": { "type": "string", "format": "uri" }
                } }
            });
        }
        AnswerSchema::Data(data) if entry.gives == Gives::Bare => data.to_value(),
        AnswerSchema::Data(data) | AnswerSchema::DataOrFile(data) => {
            envelope(entry, &data.to_value(), &[])
        }
        AnswerSchema::Beside(data, beside) => {
            let beside = example::resolve(beside.as_value(), schemas.definitions());
            let more: Vec<_> = properties(beside).into_iter().collect();
            envelope(entry, &data.to_value(), &more)
        }
        AnswerSchema::Page(item, beside) => {
            let mut page = several(entry, schemas, ("Pagination", &item), beside);
            if properties(input).contains_key("after") {
                followed(&mut page);
            }
            page
        }
        AnswerSchema::Feed(item, beside) => {
            several(entry, schemas, ("FeedPagination", &item), beside)
        }
    };
    let sample = example::of(&schema, schemas.definitions());
    let json = json!({ "schema": schema, "example": sample });
    content.insert("application/json".into(), json);
    freshness::of(entry, json!({ "description": entry.says, "content": content }))
}

/// Adds what continues a list that is followed by key.
fn followed(page: &mut Value) {
    let next = json!({
        "type": "string", "minLength": 1, "maxLength": 2000, "examples": ["c2VhbGVkIGJ5IHRoZSBzZXJ2ZXI"],
        "description": "`after` for the next page, with all other fields as they were; absent on the last page. It serves \
            this caller only. The pages that it leads to tell the `total` and `pages` of this page."
    });
    if let Some(fields) = page.get_mut("properties").and_then(Value::as_object_mut) {
        fields.insert("next".into(), next);
    }
}

/// A list with its pagination and the fields beside it.
fn several(
    entry: &Entry,
    schemas: &Schemas,
    (pagination, item): (&str, &schemars::Schema),
    beside: Option<schemars::Schema>,
) -> Value {
    let list = json!({ "type": "array", "items": item });
    let pagination = json!({ "$ref": format!("#/components/schemas/{pagination}") });
    let mut more = vec![("pagination".to_owned(), pagination)];
    if let Some(beside) = beside {
        let resolved = example::resolve(beside.as_value(), schemas.definitions());
        more.extend(properties(resolved));
    }
    envelope(entry, &list, &more)
}

fn envelope(entry: &Entry, data: &Value, more: &[(String, Value)]) -> Value {
    let mut properties = json!({
        "status": { "const": "success" },
        "message": { "type": "string", "examples": [entry.says] },
        "data": data,
    });
    let mut required = vec!["status".to_owned(), "message".into(), "data".into()];
    if let Value::Object(properties) = &mut properties {
        for (name, schema) in more {
            properties.insert(name.clone(), schema.clone());
            required.push(name.clone());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}
