//! `nil core|compliance|admin NOUN VERB --field …`: a command for every operation, with flags
//! generated from its input schema. Built only when needed: `nil serve` does not build them.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};
use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::kernel::{AMOUNT_FORMAT, RATE_FORMAT, Time};
use serde_json::{Map, Value};

use crate::args::Call;
use crate::describing;
use crate::failure::Failure;
use crate::show::Layout;
use crate::words::offered;

/// Flags that every call has; a field with such a name becomes `--field-NAME`.
const TAKEN: &[&str] = &[
    "as",
    "columns",
    "config",
    "data",
    "database",
    "help",
    "idempotency-key",
    "input",
    "json",
    "output",
    "password-stdin",
    "public-url",
    "token",
    "totp",
    "url",
    "version",
    "wide",
];

/// Adds the commands of the three interfaces to the grammar.
pub(crate) fn grow(command: Command) -> Command {
    command
        .mut_subcommand("core", |it| it.defer(core))
        .mut_subcommand("compliance", |it| it.defer(compliance))
        .mut_subcommand("admin", |it| it.defer(admin))
}

fn core(command: Command) -> Command {
    nouns(command, Interface::Core, verb)
}

fn compliance(command: Command) -> Command {
    nouns(command, Interface::Compliance, verb)
}

fn admin(command: Command) -> Command {
    nouns(command, Interface::Admin, verb)
}

/// The names of an interface's commands without their flags, for completion: quick to make.
pub(crate) fn names(interface: Interface) -> Command {
    nouns(Command::new(interface.as_str()), interface, |entry| {
        Command::new(words(entry).1).about(entry.purpose)
    })
}

/// The command of one operation, by its noun and verb.
pub(crate) fn named(interface: Interface, noun: &str, verb_word: &str) -> Option<Command> {
    entry_of(interface, noun, verb_word).map(verb)
}

fn entry_of(interface: Interface, noun: &str, verb: &str) -> Option<&'static Entry> {
    let named = |entry: &&Entry| words(entry) == (noun.to_owned(), verb.to_owned());
    catalog().of(interface).find(named)
}

/// The names of an operation's fields.
pub(crate) fn fields_of(entry: &Entry) -> Vec<String> {
    fields(entry).into_iter().map(|field| field.name).collect()
}

fn nouns(
    mut command: Command,
    interface: Interface,
    verb: fn(&'static Entry) -> Command,
) -> Command {
    let mut nouns: Vec<(String, Vec<&'static Entry>)> = Vec::new();
    for entry in catalog().of(interface) {
        let (noun, _) = words(entry);
        match nouns.iter_mut().find(|(known, _)| *known == noun) {
            Some((_, entries)) => entries.push(entry),
            None => nouns.push((noun, vec![entry])),
        }
    }
    for (noun, entries) in nouns {
        let verbs: Vec<String> = entries.iter().map(|entry| words(entry).1).collect();
        let about = format!("{}.", verbs.join(", "));
        let it = Command::new(noun)
            .about(about)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(entries.into_iter().map(verb));
        command = command.subcommand(it);
    }
    command.subcommand_required(true).arg_required_else_help(true).disable_help_subcommand(true)
}

/// Noun and verb as typed: `core.job.save` is `job save`.
fn words(entry: &Entry) -> (String, String) {
    let mut parts = entry.name.split('.').skip(1);
    let mut word = || parts.next().unwrap_or_default().replace('_', "-");
    (word(), word())
}

fn verb(entry: &'static Entry) -> Command {
    let mut about = format!("{}\n\nFor: {}.", entry.purpose, entry.doors());
    if !entry.errors.is_empty() {
        about.push_str("\n\nSpecific errors:");
        for code in entry.errors {
            let _ = write!(about, "\n  {}: {}", code.name, code.sentence);
        }
    }
    let command = Command::new(words(entry).1).args(fields(entry).iter().map(Field::flag));
    <Common as clap::Args>::augment_args(command).about(entry.purpose).long_about(about)
}

/// The arguments of every call besides its fields.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Call")]
struct Common {
    /// Call an operation as this account. KIND is athlete, partner, agent, fan, portal or operator.
    #[arg(id = "call.as", long = "as", value_name = "KIND:EMAIL")]
    caller: Option<String>,
    /// A JSON object to start from; flags replace its fields: JSON, @FILE, or - for standard input.
    #[arg(id = "call.input", long = "input", value_name = "JSON|@FILE|-")]
    input: Option<String>,
    /// Call over HTTP: the interface's base address, such as <http://127.0.0.1:8080/api>.
    #[arg(id = "call.url", long = "url", value_name = "BASE")]
    url: Option<String>,
    /// The bearer token for a call over HTTP [default: the value of `NIL_TOKEN`].
    #[arg(id = "call.token", long = "token", value_name = "TOKEN", requires = "call.url")]
    token: Option<String>,
    /// Read the password of the operator named with `--as` from standard input, to log in to Admin
    /// over HTTP [default: the value of `NIL_PASSWORD`].
    #[arg(id = "call.password_stdin", long = "password-stdin", requires_all = ["call.url", "call.as"])]
    password_stdin: bool,
    /// The code of that operator's authenticator app.
    #[arg(id = "call.totp", long = "totp", value_name = "CODE", requires_all = ["call.url", "call.as"])]
    totp: Option<String>,
    /// The idempotency key: a write with the same key happens only once.
    #[arg(id = "call.key", long = "idempotency-key", value_name = "KEY")]
    idempotency_key: Option<String>,
    /// Where to save a returned file; - for standard output.
    #[arg(id = "call.output", long = "output", value_name = "FILE")]
    output: Option<String>,
    #[command(flatten)]
    layout: Layout,
}

/// A field of an input.
struct Field {
    name: String,
    kind: Kind,
    about: String,
    /// What the help calls a value.
    value_name: &'static str,
    /// The words that are accepted, if only certain ones are.
    words: Vec<String>,
}

/// How a flag's value is parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Truth,
    Json,
    List(Item),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Text,
    Number,
    Json,
}

fn fields(entry: &Entry) -> Vec<Field> {
    let mut generator = Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    let definitions = generator.take_definitions(true);
    let required = |name: &str| {
        let all = schema.get("required").and_then(Value::as_array);
        all.is_some_and(|all| all.iter().any(|field| field == name))
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    (entry.order)()
        .names
        .into_iter()
        .filter_map(|name| Some((name, properties?.get(name)?)))
        .map(|(name, schema)| {
            let schema = resolve(schema, &definitions);
            let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            // The lines of the text in the code are not those of the help.
            let mut about = about.replace('\n', " ");
            let kind = kind(schema, &definitions);
            // What is said of a list's items is said of the list.
            let item = schema.get("items").map_or(schema, |item| resolve(item, &definitions));
            let (value_name, form) = form(name, kind, item);
            if let Some(form) = form {
                let _ = write!(about, " [{form}]");
            }
            let words = describing::words_of(item).unwrap_or_default();
            let words = words.into_iter().map(str::to_owned).collect();
            if let Some(parts) = parts_of(schema, &definitions) {
                let _ = write!(about, " {{{parts}}}");
            }
            if required(name) {
                about.push_str(" (required)");
            }
            Field { name: name.to_owned(), kind, about, value_name, words }
        })
        .collect()
}

/// Follows a reference, even in a choice between it and `null`.
fn resolve<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    let inner = schema
        .get("anyOf")
        .and_then(Value::as_array)
        .and_then(|either| {
            let null = |it: &&Value| it.get("type").is_some_and(|kind| kind == "null");
            either.iter().find(|it| !null(it))
        })
        .unwrap_or(schema);
    inner
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|path| definitions.get(path.rsplit('/').next()?))
        .unwrap_or(inner)
}

/// What the help calls a value of a field, and an example where the form is not evident.
fn form(name: &str, kind: Kind, schema: &Value) -> (&'static str, Option<String>) {
    let said = |text: &str| Some(text.to_owned());
    let format = schema.get("format").and_then(Value::as_str);
    let is_id = name == "id" || name.ends_with("_id") || name.ends_with("_ids");
    match kind {
        Kind::Truth => ("true|false", None),
        Kind::Json | Kind::List(Item::Json) => ("JSON", None),
        Kind::Number | Kind::List(Item::Number) if is_id => ("ID", None),
        Kind::Number | Kind::List(Item::Number) => match format {
            Some(AMOUNT_FORMAT) => ("CENTS", said("in cents: 50000 is $500.00")),
            Some(RATE_FORMAT) => ("BASIS_POINTS", said("hundredths of a percent: 1500 is 15 %")),
            _ => ("NUMBER", None),
        },
        Kind::Text | Kind::List(Item::Text) if schema.get("enum").is_some() => ("WORD", None),
        Kind::Text | Kind::List(Item::Text) => match (format, example(schema)) {
            (Some("date"), _) => ("DATE", said("such as 2026-11-21")),
            (Some("date-time"), _) => ("TIME", said("such as 2026-11-21T18:00:00Z")),
            (Some("email"), _) => ("EMAIL", None),
            (Some("uri"), _) => ("URL", None),
            (_, Some(example)) if example.parse::<Time>().is_ok() => {
                ("DATE|TIME", said("such as 2026-11-21 or 2026-11-21T18:00:00Z"))
            }
            (_, Some(example)) => ("TEXT", Some(format!("such as {example}"))),
            _ => ("TEXT", None),
        },
    }
}

/// A text in the form that a schema describes.
fn example(schema: &Value) -> Option<&str> {
    schema.get("examples")?.as_array()?.first()?.as_str()
}

/// The fields of an object, or of the objects in a list.
fn parts_of(schema: &Value, definitions: &Map<String, Value>) -> Option<String> {
    let items = schema.get("items").map(|it| resolve(it, definitions));
    let properties = items.unwrap_or(schema).get("properties")?.as_object()?;
    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
    Some(names.join(", "))
}

fn is(schema: &Value, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == wanted,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        _ => schema.get("enum").is_some() && wanted == "string",
    }
}

fn kind(schema: &Value, definitions: &Map<String, Value>) -> Kind {
    if is(schema, "array") {
        let item = schema.get("items").map(|it| resolve(it, definitions));
        return Kind::List(match item {
            Some(item) if is(item, "integer") => Item::Number,
            Some(item) if is(item, "string") => Item::Text,
            _ => Item::Json,
        });
    }
    // Text first: a value that may be text or a number is kept as typed.
    if is(schema, "string") {
        Kind::Text
    } else if is(schema, "integer") || is(schema, "number") {
        Kind::Number
    } else if is(schema, "boolean") {
        Kind::Truth
    } else {
        Kind::Json
    }
}

impl Field {
    fn long(&self) -> String {
        let long = self.name.replace('_', "-");
        if TAKEN.contains(&long.as_str()) { format!("field-{long}") } else { long }
    }

    fn flag(&self) -> Arg {
        let flag = Arg::new(self.name.clone())
            .long(self.long())
            .help(self.about.clone())
            .help_heading("Fields");
        let flag = flag.value_name(self.value_name);
        let flag = match self.kind {
            Kind::Text | Kind::Json => flag,
            Kind::Number => flag.allow_negative_numbers(true),
            Kind::Truth => flag.num_args(0..=1).require_equals(true).default_missing_value("true"),
            Kind::List(Item::Json) => flag.action(ArgAction::Append),
            Kind::List(_) => flag.value_delimiter(',').action(ArgAction::Append),
        };
        if self.words.is_empty() { flag } else { flag.value_parser(offered(&self.words)) }
    }

    /// The value as JSON. A value that does not parse stays text, so that the operation names the
    /// field.
    fn value(&self, matches: &ArgMatches) -> Option<Value> {
        let given: Vec<&String> = matches.get_many(&self.name)?.collect();
        let read = |text: &String, is_text: bool| {
            let text = || Value::String(text.clone());
            if is_text {
                return text();
            }
            text().as_str().and_then(|it| serde_json::from_str(it).ok()).unwrap_or_else(text)
        };
        match self.kind {
            Kind::List(item) => {
                let items = given.iter().map(|it| read(it, item == Item::Text));
                Some(Value::Array(items.collect()))
            }
            kind => given.last().map(|it| read(it, kind == Kind::Text)),
        }
    }
}

/// Turns the arguments of a generated command into a call.
pub(crate) fn call(interface: Interface, matches: &ArgMatches) -> Result<Call, Failure> {
    let unknown = || Failure::Usage("there is no such operation; see `nil ops`".into());
    let (noun, matches) = matches.subcommand().ok_or_else(unknown)?;
    let (verb, matches) = matches.subcommand().ok_or_else(unknown)?;
    let entry = entry_of(interface, noun, verb).ok_or_else(unknown)?;
    let common = <Common as clap::FromArgMatches>::from_arg_matches(matches)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let mut call = Call {
        name: entry.name.to_owned(),
        caller: common.caller,
        input: common.input,
        fields: Vec::new(),
        url: common.url,
        token: common.token,
        password_stdin: common.password_stdin,
        totp: common.totp,
        idempotency_key: common.idempotency_key,
        output: common.output,
        layout: common.layout,
    };
    let mut input = call.object()?;
    for field in fields(entry) {
        if let Some(value) = field.value(matches) {
            input.insert(field.name, value);
        }
    }
    call.input = Some(Value::Object(input).to_string());
    Ok(call)
}
