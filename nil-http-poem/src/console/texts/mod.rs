//! The words of the pages, in Project Fluent's files (decision 68): `assets/console/texts`.
//!
//! A page says a text by its key: `say!("key", count = n)` gives a text, `tell!` a sentence with
//! markup in it. The language is that of the request: whatever makes a part of a page is called
//! within [`in_language`], so that no function hands a language on.

#[cfg(test)]
mod checks;
mod files;
mod language;
mod pseudo;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use maud::{Markup, PreEscaped, Render as _};
use nil_core::error::codes;

pub(super) use language::{Language, chosen, keep};

tokio::task_local! {
    static LANGUAGE: Language;
}

/// Makes a page in a language.
pub(super) async fn in_language<T>(language: Language, page: impl Future<Output = T>) -> T {
    LANGUAGE.scope(language, page).await
}

/// The language of the page that is being made.
pub(super) fn language() -> Language {
    LANGUAGE.try_with(|language| *language).unwrap_or(Language::English)
}

/// A text by its key, with its variables: a `String`.
macro_rules! say {
    ($key:literal) => {
        $crate::console::texts::plain($key)
    };
    ($key:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::console::texts::with($key, &[$((stringify!($name), ($value).into())),+])
    };
}

/// A sentence by its key, with numbers, texts and markup as its variables: `Markup`.
macro_rules! tell {
    ($key:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::console::texts::marked($key, &[$((stringify!($name), ($value).into())),+])
    };
}

/// The key of a text that stands in a table: [`plain`] says it.
macro_rules! key {
    ($key:literal) => {
        $key
    };
}

pub(super) use {key, say, tell};

type Bundle = FluentBundle<FluentResource>;

static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::English, files::ENGLISH));
static SPANISH: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::Spanish, files::SPANISH));
static PSEUDO: LazyLock<Bundle> = LazyLock::new(|| {
    let mut bundle = bundle(Language::Pseudo, files::ENGLISH);
    bundle.set_transform(Some(pseudo::longer));
    bundle
});

/// The texts of a language. What is wrong with a file is found by `checks`, not while serving.
fn bundle(language: Language, files: &[&str]) -> Bundle {
    let mut bundle = Bundle::new_concurrent(language.rules().into_iter().collect());
    // The variables are names, amounts and days within a page that reads from left to right.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(|value, _| match value {
        FluentValue::Number(number) => Some(super::words::number(number.into())),
        _ => None,
    }));
    for file in files {
        let resource = match FluentResource::try_new((*file).to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        let _ = bundle.add_resource(resource);
    }
    bundle
}

fn found(bundle: &Bundle, key: &str, args: Option<&FluentArgs<'_>>) -> Option<String> {
    let message = bundle.get_message(key)?;
    let text = bundle.format_pattern(message.value()?, args, &mut Vec::new());
    Some(text.into_owned())
}

fn said(key: &str, args: Option<&FluentArgs<'_>>) -> String {
    let own = match language() {
        Language::English => None,
        Language::Spanish => found(&SPANISH, key, args),
        Language::Pseudo => found(&PSEUDO, key, args),
    };
    // A key without English cannot happen: `checks` compares the sources with the files.
    own.or_else(|| found(&ENGLISH, key, args)).unwrap_or_else(|| key.to_owned())
}

/// A text without variables.
pub(super) fn plain(key: &str) -> String {
    said(key, None)
}

/// A text with variables.
pub(super) fn with(key: &str, values: &[(&'static str, FluentValue<'_>)]) -> String {
    let args = values.iter().map(|(name, value)| (*name, value.clone())).collect();
    said(key, Some(&args))
}

/// How many records there are, by the key of their name; `unknown` if nobody has counted them.
pub(super) fn counted(key: &str, count: Option<i64>) -> String {
    with(key, &[("count", count.map_or_else(|| "unknown".into(), FluentValue::from))])
}

/// A variable of a sentence with markup.
pub(super) enum Piece {
    Value(FluentValue<'static>),
    Markup(Markup),
}

impl From<Markup> for Piece {
    fn from(markup: Markup) -> Self {
        Self::Markup(markup)
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::Value(text.into())
    }
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Self::Value(text.to_owned().into())
    }
}

impl From<i64> for Piece {
    fn from(number: i64) -> Self {
        Self::Value(number.into())
    }
}

impl From<usize> for Piece {
    fn from(number: usize) -> Self {
        Self::Value(number.into())
    }
}

/// What stands around the number of a piece until the sentence is escaped.
const MARKS: [char; 2] = ['\u{E000}', '\u{E001}'];

/// A sentence with markup: its text is escaped first, then each piece takes its place.
pub(super) fn marked(key: &str, pieces: &[(&'static str, Piece)]) -> Markup {
    let [start, end] = MARKS;
    let value = |(at, (name, piece)): (usize, &(&'static str, Piece))| {
        let value = match piece {
            Piece::Value(value) => value.clone(),
            Piece::Markup(_) => format!("{start}{at}{end}").into(),
        };
        (*name, value)
    };
    let args: FluentArgs<'_> = pieces.iter().enumerate().map(value).collect();
    let escaped = said(key, Some(&args)).render().into_string();
    let mut sentence = String::new();
    for (at, part) in escaped.split(start).enumerate() {
        let (number, rest) =
            if at == 0 { ("", part) } else { part.split_once(end).unwrap_or(("", part)) };
        let piece = number.parse().ok().and_then(|number: usize| pieces.get(number));
        if let Some((_, Piece::Markup(markup))) = piece {
            let _ = write!(sentence, "{}", markup.0);
        }
        sentence.push_str(rest);
    }
    PreEscaped(sentence)
}

/// A word of the catalog, such as the title of an operation. It is English there; a language may
/// have its own under a key that is made of the kind of word and its name, in `catalog.ftl`.
pub(super) fn of_catalog<'w>(kind: &str, name: &str, word: &'w str) -> Cow<'w, str> {
    match language() {
        Language::English => Cow::Borrowed(word),
        Language::Pseudo => pseudo::longer(word),
        Language::Spanish => {
            let key = format!("{kind}-{}", name.replace(['_', '.', ' '], "-").to_lowercase());
            found(&SPANISH, &key, None).map_or(Cow::Borrowed(word), Cow::Owned)
        }
    }
}

/// The title of an operation.
pub(super) fn title(entry: &nil_core::catalog::Entry) -> Cow<'static, str> {
    of_catalog("title", entry.name, entry.title)
}

/// What an operation's button says.
pub(super) fn verb(entry: &nil_core::catalog::Entry) -> Cow<'static, str> {
    of_catalog("verb", entry.name, entry.verb)
}

/// What happens and what stays, where a page tells it before an operation is done.
pub(super) fn confirm(entry: &nil_core::catalog::Entry) -> Option<[Cow<'static, str>; 2]> {
    let confirm = entry.confirm?;
    let happens = of_catalog("happens", entry.name, confirm.happens);
    Some([happens, of_catalog("stays", entry.name, confirm.stays)])
}

/// The message of a refusal. One that says more than its code stays as it is.
pub(super) fn message(error: &nil_core::Error) -> Cow<'_, str> {
    let is_bare = codes::ALL.iter().any(|code| error.is_bare(*code));
    match language() {
        Language::Spanish if !is_bare => Cow::Borrowed(error.message()),
        _ => of_catalog("error", error.code(), error.message()),
    }
}
