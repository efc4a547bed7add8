//! Forms that are made from the description of an input.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use maud::{Markup, html};
use nil_core::catalog::FieldGroup;

use super::describe::{Choice, Field, Kind};
use super::icons;
use super::picks::Picks;
use super::query::Query;
use super::texts::say;
use super::words;

/// The refusals of fields, by their dotted names.
pub(super) type Refusals = BTreeMap<String, Vec<String>>;

/// More choices than this stand in a list that unfolds.
const RADIOS: usize = 4;
/// More groups than this are not shown.
const MOST_GROUPS: usize = 50;

/// What a form is filled with.
pub(super) struct Filled<'f> {
    pub values: &'f Query,
    pub refusals: &'f Refusals,
    pub zone: Tz,
    /// The records that it offers.
    pub picks: &'f Picks,
    /// Whether it narrows a list: then nothing has to be filled in, and an empty choice is “any”.
    pub filters: bool,
}

impl Filled<'_> {
    fn first(&self, path: &str) -> &str {
        self.values.get(path).unwrap_or_default()
    }

    /// Whether a browser completes a field; a form of filters says it once for all.
    fn completion(&self) -> Option<&'static str> {
        (!self.filters).then_some("off")
    }

    fn has_below(&self, path: &str) -> bool {
        let start = format!("{path}.");
        self.values.0.iter().any(|(name, _)| name.starts_with(&start))
    }

    /// How many groups of a list there are to show.
    fn groups(&self, path: &str) -> usize {
        let start = format!("{path}.");
        let index =
            |name: &str| name.strip_prefix(&start)?.split('.').next()?.parse::<usize>().ok();
        let last = self.values.0.iter().filter_map(|(name, _)| index(name)).max();
        let shown = last.map_or(0, |last| last + 1);
        let asked = usize::from(self.values.get("more") == Some(path));
        (shown + asked).min(MOST_GROUPS)
    }

    fn none(&self) -> String {
        if self.filters { say!("any") } else { say!("leave-as-it-is") }
    }
}

/// All fields of a form.
pub(super) fn fields(all: &[Field], filled: &Filled<'_>) -> Markup {
    html! { @for field in all { (one(field, &field.name, field.required, filled)) } }
}

/// All fields of a form that has headings: what stands in no group comes first.
pub(super) fn grouped(all: &[Field], groups: &[FieldGroup], filled: &Filled<'_>) -> Markup {
    let is_in = |field: &Field, group: &FieldGroup| group.fields.contains(&field.name.as_str());
    let apart = all.iter().filter(|field| !groups.iter().any(|group| is_in(field, group)));
    html! {
        @for field in apart { (one(field, &field.name, field.required, filled)) }
        @for group in groups {
            h2 { (group.title) }
            @for field in all.iter().filter(|field| is_in(field, group)) {
                (one(field, &field.name, field.required, filled))
            }
        }
    }
}

/// What must be looked at again, before a refused form: each with a link to its field.
pub(super) fn summary(all: &[Field], refusals: &Refusals, message: &str) -> Markup {
    html! {
        section.note.bad role="alert" tabindex="-1" id="errors" {
            h2 { (message) }
            @if !refusals.is_empty() {
                ul {
                    @for (path, reasons) in refusals {
                        @for reason in reasons {
                            li { a href=(format!("#{}", id_of(path))) {
                                (label_at(all, path)) ": " (reason)
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// The label of the field at a dotted name.
pub(super) fn label_at(all: &[Field], path: &str) -> String {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let Some(field) = all.iter().find(|field| field.name == first) else {
        return words::field_label(first);
    };
    let inner = match &field.kind {
        Kind::Group(inner) => label_at(inner, rest),
        Kind::Groups(inner) => {
            let (at, rest) = rest.split_once('.').unwrap_or((rest, ""));
            let number = at.parse::<usize>().map_or(0, |at| at + 1);
            format!("{number}: {}", label_at(inner, rest))
        }
        _ => return field.label().into_owned(),
    };
    if rest.is_empty() { field.label().into_owned() } else { format!("{} {inner}", field.label()) }
}

fn id_of(path: &str) -> String {
    format!("f-{}", path.replace('.', "-"))
}

/// The lists that a form is filled with, as hidden fields: one of them that comes back empty was
/// emptied, while one that was empty before is left out.
pub(super) fn lists(all: &[Field], under: &str, filled: &Filled<'_>) -> Markup {
    let was = |path: &str| filled.values.all("had").any(|had| had == path);
    html! { @for field in all {
        @let path = format!("{under}{}", field.name);
        @match &field.kind {
            Kind::Group(inner) => (lists(inner, &format!("{path}."), filled)),
            Kind::Several(_) | Kind::Groups(_) if is_open(&path, filled) || was(&path) => {
                input type="hidden" name="had" value=(path);
            }
            _ => {}
        }
    } }
}

/// Whether a field stands in an entry of a list. The entry is dropped if it is left empty, so a
/// browser must not demand what it has.
fn is_in_entry(path: &str) -> bool {
    path.split('.').any(|part| part.parse::<usize>().is_ok())
}

pub(super) fn one(field: &Field, path: &str, needed: bool, filled: &Filled<'_>) -> Markup {
    let needed = needed && !filled.filters;
    match &field.kind {
        Kind::Group(inner) => html! {
            fieldset.panel.pad {
                legend { b { (field.label()) } @if !needed { (optional(filled)) } }
                p.hint { (field.hint()) }
                @for field in inner {
                    @let path = format!("{path}.{}", field.name);
                    (one(field, &path, needed && field.required, filled))
                }
            }
        },
        Kind::Groups(inner) => groups(field, inner, path, needed, filled),
        Kind::Revision => html! { input type="hidden" name=(path) value=(filled.first(path)); },
        Kind::Choice(choices) if needed && choices.len() <= RADIOS && !is_in_entry(path) => {
            boxes(field, path, choices, "radio", needed, filled)
        }
        Kind::Several(one) => match &**one {
            Kind::Choice(choices) => boxes(field, path, choices, "checkbox", needed, filled),
            _ => single(field, path, needed, filled),
        },
        _ => single(field, path, needed, filled),
    }
}

fn optional(filled: &Filled<'_>) -> Markup {
    html! { @if !filled.filters { " " span.opt { (say!("optional")) } } }
}

fn groups(field: &Field, inner: &[Field], path: &str, needed: bool, filled: &Filled<'_>) -> Markup {
    let shown = filled.groups(path).max(usize::from(needed));
    html! {
        fieldset.panel.pad {
            legend { b { (field.label()) } @if !needed { (optional(filled)) } }
            p.hint {
                (field.hint())
                @if shown > usize::from(needed) { " " (say!("empty-is-dropped")) }
            }
            @for at in 0..shown {
                fieldset.panel.pad {
                    legend { (field.label()) " " (at + 1) }
                    @for field in inner {
                        (one(field, &format!("{path}.{at}.{}", field.name), field.required, filled))
                    }
                }
            }
            p.acts {
                button.small name="more" value=(path) formnovalidate {
                    (icons::PLUS.show()) @if shown == 0 { (say!("add-one")) } @else { (say!("add-another")) }
                    span.vh { " " (say!("add-of", label = field.label())) }
                }
            }
        }
    }
}

/// A field with a label above, a hint below it and an error between hint and control.
fn single(field: &Field, path: &str, needed: bool, filled: &Filled<'_>) -> Markup {
    let id = id_of(path);
    let refused = filled.refusals.get(path).into_iter().flatten();
    let about = described_by(&id, is_told(field, filled), filled.refusals.contains_key(path));
    html! {
        div.field {
            label for=(id) { (field.label()) @if !needed { (optional(filled)) } }
            (hint(&id, field, filled))
            @for reason in refused {
                p.err id={ (id) "-e" } { span.vh { (say!("error")) " " } (reason) "." }
            }
            (control(field, path, needed && !is_in_entry(path), about.as_deref(), filled))
        }
    }
}

/// Whether a field has a hint. What a filter that takes several records says beside its label is
/// that it leaves only these.
fn is_told(field: &Field, filled: &Filled<'_>) -> bool {
    let is_plain = || field.hint.starts_with("Only ") && field.hint.contains(" these ");
    !(field.hint.is_empty() || filled.filters && is_plain())
}

fn hint(id: &str, field: &Field, filled: &Filled<'_>) -> Markup {
    let zone = matches!(field.kind, Kind::Moment).then(|| words::zone(filled.zone));
    html! {
        @if is_told(field, filled) {
            p.hint id={ (id) "-h" } { (field.hint()) @if let Some(zone) = zone { " " (zone) "." } }
        }
    }
}

fn described_by(id: &str, hint: bool, error: bool) -> Option<String> {
    let hint = hint.then(|| format!("{id}-h"));
    let error = error.then(|| format!("{id}-e"));
    let all: Vec<String> = hint.into_iter().chain(error).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn control(
    field: &Field,
    path: &str,
    needed: bool,
    about: Option<&str>,
    filled: &Filled<'_>,
) -> Markup {
    let (id, value) = (id_of(path), filled.first(path));
    let invalid = filled.refusals.contains_key(path).then_some("true");
    let off = filled.completion();
    let input = |kind: &str, class: &str, mode: Option<&str>, most: Option<u64>| {
        html! {
            input class=[(!class.is_empty()).then_some(class)] type=(kind) id=(id) name=(path)
                value=[(!value.is_empty()).then_some(value)] required[needed] inputmode=[mode]
                maxlength=[most] aria-describedby=[about] aria-invalid=[invalid]
                autocomplete=[off];
        }
    };
    match &field.kind {
        Kind::Text { most, long: true, .. } => html! {
            textarea id=(id) name=(path) required[needed] maxlength=[*most]
                aria-describedby=[about] aria-invalid=[invalid] { (value) }
        },
        Kind::Text { most, format, .. } => input(format, "w", None, *most),
        Kind::Revision => input("hidden", "", None, None),
        Kind::Password => html! {
            input.w type="password" id=(id) name=(path) required[needed] maxlength="128"
                aria-describedby=[about] aria-invalid=[invalid] autocomplete="off";
        },
        Kind::Whole { least, most } => html! {
            input.n type="number" id=(id) name=(path) value=(value) required[needed]
                min=[*least] max=[*most] aria-describedby=[about] aria-invalid=[invalid];
        },
        Kind::Record(kind) => record(kind, path, needed, about, filled),
        Kind::Cents => html! { span.unit { "$ " (input("text", "n", Some("decimal"), None)) } },
        Kind::Rate => html! { span.unit { (input("text", "n", Some("decimal"), None)) " %" } },
        Kind::Day => input("date", "w", None, None),
        Kind::Moment => input("datetime-local", "w", None, None),
        Kind::Truth => {
            let words = [("true", say!("yes")), ("false", say!("no"))];
            let options = words.map(|(value, word)| (value.to_owned(), word));
            select(path, value, needed, about, filled, options.into_iter())
        }
        Kind::Choice(choices) => {
            let options =
                choices.iter().map(|choice| (choice.value.clone(), words::word(&choice.value)));
            select(path, value, needed, about, filled, options)
        }
        Kind::Several(one) => {
            let kind = match &**one {
                Kind::Record(kind) => kind.as_str(),
                _ => "",
            };
            let all = filled.values.all(path).flat_map(|text| text.split(','));
            let all: Vec<String> = all.map(|given| filled.picks.shown(kind, given)).collect();
            html! {
                input.w type="text" id=(id) name=(path) value=(all.join(", ")) required[needed]
                    aria-describedby=[about] aria-invalid=[invalid] autocomplete=[off]
                    list=[filled.picks.of(kind).filter(|it| it.is_complete).map(|_| format!("{id}-l"))]
                    placeholder=(say!("one-after-the-other"));
                (offered(&id, kind, filled))
            }
        }
        Kind::Group(_) | Kind::Groups(_) | Kind::Other => html! {
            textarea.mono id=(id) name=(path) required[needed] aria-describedby=[about]
                aria-invalid=[invalid] placeholder="JSON" { (value) }
        },
    }
}

/// A choice that unfolds: the value of each option, and its words.
fn select(
    path: &str,
    chosen: &str,
    needed: bool,
    about: Option<&str>,
    filled: &Filled<'_>,
    options: impl Iterator<Item = (String, String)>,
) -> Markup {
    let invalid = filled.refusals.contains_key(path).then_some("true");
    html! {
        select id=(id_of(path)) name=(path) required[needed] aria-describedby=[about]
            aria-invalid=[invalid] {
            option value="" { (if needed { say!("choose") } else { filled.none() }) }
            @for (value, words) in options {
                option value=(value) selected[value == chosen] { (words) }
            }
        }
    }
}

/// A record: chosen from all of its kind if they are few, else by name or number.
fn record(
    kind: &str,
    path: &str,
    needed: bool,
    about: Option<&str>,
    filled: &Filled<'_>,
) -> Markup {
    let (id, value) = (id_of(path), filled.first(path));
    let invalid = filled.refusals.contains_key(path).then_some("true");
    let offer = filled.picks.of(kind);
    let all = offer.filter(|offer| offer.is_complete);
    let is_known = |value: &str| {
        let number = value.parse::<i64>().ok();
        value.is_empty() || number.is_some_and(|id| filled.picks.name(kind, id).is_some())
    };
    if let Some(all) = all.filter(|_| is_known(value)) {
        let options = all.records.iter().map(|(number, name)| (number.to_string(), name.clone()));
        return select(path, value, needed, about, filled, options);
    }
    html! {
        input.w type="text" id=(id) name=(path) value=(filled.picks.shown(kind, value))
            required[needed] maxlength="200" aria-describedby=[about] aria-invalid=[invalid]
            autocomplete=[filled.completion()] list=[all.map(|_| format!("{id}-l"))]
            placeholder=(if offer.is_some() { say!("name-or-number") } else { say!("number") });
        (offered(&id, kind, filled))
    }
}

/// The names that a browser offers while one types, if they are all there are.
fn offered(id: &str, kind: &str, filled: &Filled<'_>) -> Markup {
    html! {
        @if let Some(offer) = filled.picks.of(kind).filter(|offer| offer.is_complete) {
            datalist id={ (id) "-l" } {
                @for (number, name) in &offer.records { option value={ (name) " #" (number) } {} }
            }
        }
    }
}

/// Choices that all stand on the page.
fn boxes(
    field: &Field,
    path: &str,
    choices: &[Choice],
    kind: &str,
    needed: bool,
    filled: &Filled<'_>,
) -> Markup {
    let id = id_of(path);
    // A filter is tried at once: its words are enough, and the page is lighter.
    let is_told = !filled.filters;
    let about =
        described_by(&id, is_told && !field.hint.is_empty(), filled.refusals.contains_key(path));
    let is_chosen = |value: &str| filled.values.all(path).any(|given| given == value);
    html! {
        fieldset.field id=(id) aria-describedby=[about] {
            legend { (field.label()) @if !needed { (optional(filled)) } }
            @if is_told { (hint(&id, field, filled)) }
            @for reason in filled.refusals.get(path).into_iter().flatten() {
                p.err id={ (id) "-e" } { span.vh { (say!("error")) " " } (reason) "." }
            }
            @for choice in choices {
                label.choice {
                    input type=(kind) name=(path) value=(choice.value)
                        checked[is_chosen(&choice.value)] required[needed && kind == "radio"];
                    @if choice.tells_more() && is_told {
                        span { (words::word(&choice.value)) small { (choice.about()) } }
                    } @else { (words::word(&choice.value)) }
                }
            }
        }
    }
}

/// A field in the row of filters above a table.
pub(super) fn in_row(field: &Field, filled: &Filled<'_>) -> Markup {
    let grow = (field.name == "q").then_some("grow");
    // In a row one value of several is enough.
    let one = match &field.kind {
        Kind::Several(kind) => &Field { kind: (**kind).clone(), ..field.clone() },
        _ => field,
    };
    html! {
        label class=[grow] {
            (field.label())
            (control(one, &field.name, false, None, filled))
        }
    }
}

/// Whether something below this name was filled in.
pub(super) fn is_open(path: &str, filled: &Filled<'_>) -> bool {
    filled.values.get(path).is_some() || filled.has_below(path)
}
