//! The texts of messages by channel, and one of them: the text, how it arrives, earlier texts.

use futures::future::{join, join3};
use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::{Error, Result};
use serde_json::{Map, Value, json};

use crate::console::call::{Page, Shown, one};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::list::{Column, List, PLAIN, column};
use crate::console::screens::{Form, Outcome};
use crate::console::table::rows_of;
use crate::console::texts::{self, key, say, tell};
use crate::console::{refusal, words};

/// The channels: their word, what people call them, and the operations about their templates.
const CHANNELS: [(&str, &str, &str, &str); 3] = [
    ("email", key!("email"), "email_template.list", "email_template.save"),
    ("sms", key!("text-message"), "sms_template.list", "sms_template.save"),
    ("in_app", key!("in-the-app"), "inapp_template.list", "inapp_template.save"),
];

const TABS: Option<(&str, &[(&str, &str)])> = Some((
    "channel",
    &[("", key!("email")), ("sms", key!("text-message")), ("in_app", key!("in-the-app"))],
));

const COLUMNS: &[Column] = &[
    column(key!("message"), "", |seen, row| {
        let name = words::word(row.text("event"));
        html! {
            (seen.to(&format!("/templates/{}", row.number("id")), &name))
            small.dim { (row.text("subject")) }
        }
    })
    .sorted("event"),
    column(key!("col-state"), "", |_, row| {
        html! {
            @if row.is_true("enabled") { span.chip.good { (say!("sent")) } }
            @else { span.chip.bad { (say!("not-sent")) } }
            @if row.part("problem").is_string() { " " span.chip.bad { (say!("has-a-fault")) } }
        }
    }),
    column(key!("text"), "p2", |_, row| {
        html! {
            @if row.is_true("is_default") { (say!("first-text")) } @else { (say!("version-of", version = row.number("version"))) }
        }
    }),
    column(key!("changed"), "w p3", |seen, row| seen.when(row, "updated_at")),
];

const EMAILS: List = List {
    title: key!("nav-templates"),
    operation: "email_template.list",
    usual: &[("status", "all"), ("id", "0"), ("per_page", "50"), ("sort", "event")],
    tabs: TABS,
    columns: COLUMNS,
    says: |seen| html! { (say!("of-this-channel", texts = seen.counted(key!("count-texts")))) },
    ..PLAIN
};

/// What the template was like when its text was shown.
const REVISION: &str = "revision";

static LISTS: [List; 3] = [
    EMAILS,
    List { operation: "sms_template.list", ..EMAILS },
    List { operation: "inapp_template.list", ..EMAILS },
];

pub(in crate::console::screens) async fn list(page: &Page<'_>) -> Result<Outcome> {
    let [emails, texts, in_app] = &LISTS;
    let list = match page.query.get("channel") {
        Some("sms") => texts,
        Some("in_app") => in_app,
        _ => emails,
    };
    Ok(list.get(page).await?.into())
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None, None).await?.into())
}

/// The templates of all channels.
async fn all(page: &Page<'_>) -> Vec<Value> {
    let all = || Map::from_iter([("status".into(), json!("all")), ("per_page".into(), json!(100))]);
    let every = || all().into_iter().chain([("id".to_owned(), json!(0))]).collect();
    let [(.., emails, _), (.., texts, _), (.., in_app, _)] = CHANNELS;
    let (emails, texts, in_app) =
        join3(page.part(emails, every()), page.part(texts, every()), page.part(in_app, all()))
            .await;
    [emails, texts, in_app].iter().flatten().flat_map(rows_of).cloned().collect()
}

async fn show(page: &Page<'_>, typed: Option<&Query>, refused: Option<&Error>) -> Result<Shown> {
    let all = all(page).await;
    let template = find(&all, page.id())?;
    let typed = typed.map(|typed| refusal::renewed(typed, refused));
    let typed = typed.as_ref();
    let told = |name: &str| match typed {
        Some(typed) => typed.get(name).unwrap_or_default().to_owned(),
        None => template.text(name).to_owned(),
    };
    let (subject, body) = (told("subject"), told("body"));
    let mut draft = about(template);
    draft.insert("body".into(), body.as_str().into());
    if has_subject(template) {
        draft.insert("subject".into(), subject.as_str().into());
    }
    let earlier = one("id", page.id());
    let (preview, earlier) =
        join(page.part("template.preview", draft), page.part("template.versions", earlier)).await;
    let name = words::word(template.text("event"));
    let content = html! {
        (head(template, &name))
        (channels(page, &all, template))
        @if let Some(error) = refused {
            (refusal::note(&[], error))
            @if let Some(typed) = typed {
                (refusal::meanwhile(page, page.fields(save_of(template)), typed, error))
            }
        }
        @if page.query.get("sent").is_some() && refused.is_none() {
            section.note.good role="status" { h2 { (say!("a-test-is-on-its-way-to-you")) } }
        }
        div.half {
            (editor(page, template, (&subject, &body), typed, &told(REVISION)))
            @if let Some(preview) = &preview { (arrives(preview.part("data"))) }
        }
        @if let Some(earlier) = &earlier { (versions(page, rows_of(earlier))) }
    };
    let channel = template.text("channel");
    let list = if channel == "email" {
        "/templates".into()
    } else {
        format!("/templates?channel={channel}")
    };
    let mut shown = Shown::new(name, content).below(page.at(&list), say!("nav-templates"));
    shown.status = refused.map_or(200, |error| error.kind().status());
    Ok(shown)
}

fn find(all: &[Value], id: i64) -> Result<&Value> {
    let found = all.iter().find(|template| template.number("id") == id);
    found.ok_or_else(|| codes::NOT_FOUND.into())
}

/// The channel and the event of a template, by which operations know it.
fn about(template: &Value) -> Map<String, Value> {
    let known = |name: &str| (name.to_owned(), template.part(name).clone());
    Map::from_iter([known("channel"), known("event")])
}

fn has_subject(template: &Value) -> bool {
    template.text("channel") != "sms"
}

fn head(template: &Value, name: &str) -> Markup {
    html! {
        div.head { div {
            h1 { (name) }
            p {
                span.mono { (template.text("event")) } " · " (say!("version-small", version = template.number("version")))
                " "
                @if template.is_true("enabled") { span.chip.good { (say!("sent")) } }
                @else { span.chip.bad { (say!("not-sent")) } }
                @if template.is_true("is_default") { " " span.chip { (say!("first-text")) } }
            }
        } }
        @if let Some(problem) = template.part("problem").as_str() {
            section.note.bad {
                h2 { (say!("this-text-has-a-fault-so-the-first")) }
                p { (problem) }
            }
        }
    }
}

/// The same message on the other channels.
fn channels(page: &Page<'_>, all: &[Value], template: &Value) -> Markup {
    let of = |channel: &str| {
        let is = |one: &&Value| {
            one.text("channel") == channel && one.text("event") == template.text("event")
        };
        all.iter().find(is)
    };
    html! {
        ul.tabs { @for (channel, title, ..) in CHANNELS {
            @if let Some(one) = of(channel) {
                @let is_here = one.number("id") == page.id();
                li { a href=(page.at(&format!("/templates/{}", one.number("id"))))
                    aria-current=[is_here.then_some("page")] { (texts::plain(title)) } }
            }
        } }
    }
}

fn save_of(template: &Value) -> &'static str {
    let channel = template.text("channel");
    CHANNELS.iter().find(|(known, ..)| *known == channel).map_or("", |(.., save)| save)
}

fn editor(
    page: &Page<'_>,
    template: &Value,
    (subject, body): (&str, &str),
    typed: Option<&Query>,
    seen: &str,
) -> Markup {
    let is_sent = match typed {
        Some(typed) => typed.get("enabled").is_some(),
        None => template.is_true("enabled"),
    };
    let variables = template.list("variables").iter().filter_map(Value::as_str);
    let reset = Query::default()
        .with("channel", Some(template.text("channel")))
        .with("event", Some(template.text("event")));
    let tests =
        template.text("channel") == "email" && page.allowed("email_template.test").is_some();
    html! {
        form.panel.pad method="post" action=(page.at(page.path)) aria-labelledby="task" {
            h2.vh id="task" { (say!("text")) }
            (page.hidden())
            input type="hidden" name=(REVISION) value=(seen);
            @if has_subject(template) {
                div.field {
                    label for="f-subject" { (say!("subject")) }
                    p.hint id="subject-h" { (say!("plain-text-without-secrets")) }
                    input id="f-subject" name="subject" maxlength="200" value=(subject)
                        aria-describedby="subject-h";
                }
            }
            div.field {
                label for="f-body" { (say!("text")) }
                p.hint id="body-h" {
                    (say!("plain-text-names-in-double-braces"))
                }
                textarea.mono id="f-body" name="body" rows="14" maxlength="20000"
                    aria-describedby="body-h" { "\n" (body) }
            }
            p.hint {
                (say!("may-be-used")) " "
                @for variable in variables { code { "{{" (variable) "}}" } " " }
            }
            label.choice {
                input type="checkbox" name="enabled" value="true" checked[is_sent];
                span { (say!("messages-of-this-kind-are-sent")) }
            }
            div.acts {
                @if page.allowed(save_of(template)).is_some() {
                    button.pri name="act" value="save" {
                        (say!("save-as-version", version = template.number("version") + 1))
                    }
                }
                button name="act" value="show" { (say!("show")) }
                @if tests { button name="act" value="test" { (say!("send-the-saved-text-to-me")) } }
                @if page.allowed("template.reset").is_some() && !template.is_true("is_default") {
                    a.btn href=(page.at(&format!("/op/template.reset{}", reset.address()))) {
                        (say!("back-to-the-first-text"))
                    }
                }
            }
        }
    }
}

fn arrives(preview: &Value) -> Markup {
    html! {
        section.panel aria-labelledby="pv" {
            header { h2 id="pv" { (say!("how-it-arrives")) } small { (say!("with-sample-values")) } }
            @if let Some(problem) = preview.part("problem").as_str() {
                p.pad.bad { (problem) }
            }
            div.doc { article.sheet {
                @if let Some(subject) = preview.part("subject").as_str() { h3 { (subject) } hr; }
                @for paragraph in preview.text("body").split("\n\n") {
                    p { @for (at, line) in paragraph.lines().enumerate() {
                        @if at > 0 { br; }
                        (line)
                    } }
                }
            } }
        }
    }
}

fn versions(page: &Page<'_>, earlier: &[Value]) -> Markup {
    html! {
        @if !earlier.is_empty() {
            section.panel.pad {
                h2 { (say!("earlier-texts")) }
                @for version in earlier {
                    details.more {
                        summary {
                            (say!("version-of", version = version.number("version")))
                            @if let Some(at) = version.moment("replaced_at") {
                                ", " (tell!("replaced-at", at = words::moment(at, page.person.zone)))
                            }
                        }
                        @if let Some(subject) = version.part("subject").as_str() { p { b { (subject) } } }
                        pre { (version.text("body")) }
                    }
                }
            }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    if sent.get("act") == Some("show") {
        return Ok(show(page, Some(&sent), None).await?.into());
    }
    let all = all(page).await;
    let template = find(&all, page.id())?;
    let mut input = Map::from_iter([("event".to_owned(), template.part("event").clone())]);
    let (operation, then) = if sent.get("act") == Some("test") {
        ("email_template.test", "?sent=1")
    } else {
        input.insert("enabled".into(), sent.get("enabled").is_some().into());
        input.insert("body".into(), plain(sent.get("body").unwrap_or_default()).into());
        if has_subject(template) {
            input.insert("subject".into(), sent.get("subject").unwrap_or_default().into());
        }
        input.extend(sent.get(REVISION).map(|seen| (REVISION.to_owned(), seen.into())));
        (save_of(template), "")
    };
    match page.write(operation, input, &sent).await {
        Ok(_) => Ok(Outcome::to(&format!("{}{then}", page.at(page.path)))),
        Err(error) => Ok(show(page, Some(&sent), Some(&error)).await?.into()),
    }
}

/// A text of several lines as it was typed: browsers send two signs for the end of a line.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}
