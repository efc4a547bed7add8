//! The search page: records by their names, and operations by their words.

use futures::future::join_all;
use maud::html;
use nil_core::catalog::{Interface, RecordList, catalog};

use super::table_of::Screen;
use crate::console::call::{Page, Shown};
use crate::console::picks;
use crate::console::texts::{self, key, say};

/// The most records of one kind.
const SHOWN: usize = 10;

/// The kinds of records that can be found, with their headings.
const PORTAL: [(&str, &str); 3] = [
    ("athlete", key!("nav-athletes")),
    ("disclosed_job", key!("nav-deals")),
    ("clearance", key!("clearances-found")),
];
const CONSOLE: [(&str, &str); 7] = [
    ("athlete", key!("nav-athletes")),
    ("partner", key!("nav-brands")),
    ("agent", key!("nav-agents")),
    ("college", key!("nav-universities")),
    ("job", key!("jobs-found")),
    ("payment", key!("nav-payments")),
    ("dispute", key!("nav-disputes")),
];

pub(super) async fn get(page: &Page<'_>) -> Shown {
    let asked = page.query.get("q").unwrap_or_default();
    let kinds: &[(&str, &str)] = match page.side.interface {
        Interface::Compliance => &PORTAL,
        _ => &CONSOLE,
    };
    let kinds = kinds.iter().filter(|_| !asked.is_empty());
    let found = join_all(
        kinds.map(async |(kind, title)| (*kind, *title, picks::search(page, kind, asked).await)),
    );
    let found: Vec<_> = found.await.into_iter().filter(|(_, _, all)| !all.is_empty()).collect();
    let words = asked.to_lowercase();
    let fits = |text: &str| words.split_whitespace().all(|word| text.contains(word));
    let operations: Vec<_> = catalog()
        .of(page.side.interface)
        .filter(|entry| !entry.is_open() && entry.admit(&page.who).is_ok())
        .filter(|entry| {
            fits(
                &format!("{} {} {}", texts::title(entry), entry.purpose, entry.name).to_lowercase(),
            )
        })
        .collect();
    let nothing = found.is_empty() && operations.is_empty();
    Shown::new(
        say!("search"),
        html! {
            div.head { div { h1 { (say!("search")) } } }
            form.row method="get" role="search" aria-label=(say!("search")) {
                label for="sq" { (say!("records-and-operations")) }
                input.w id="sq" type="search" name="q" value=(asked) autocomplete="off" autofocus;
                button.pri { (say!("search")) }
            }
            @if !asked.is_empty() && nothing {
                section.panel { div.empty { h2 { (say!("none")) } p { (say!("nothing-has-this-name")) } } }
            }
            div.cols {
                @for (kind, title, records) in &found {
                    section.panel.pad {
                        h2 { (texts::plain(title)) }
                        ul.plainlist { @for (id, name) in records.iter().take(SHOWN) {
                            li {
                                @match address(page, kind, *id) {
                                    Some(address) => a href=(address) { (name) },
                                    None => (name),
                                }
                            }
                        } }
                        @if records.len() > SHOWN { p.dim { (say!("found-more", count = records.len() - SHOWN)) } }
                    }
                }
                @if !asked.is_empty() && !operations.is_empty() {
                    section.panel.pad {
                        h2 { (say!("operations")) }
                        ul.plainlist { @for entry in operations {
                            li { a href=(page.at(&format!("/op/{}", page.side.short(entry)))) {
                                (texts::title(entry))
                            } }
                        } }
                    }
                }
            }
        },
    )
}

/// The page of a record: its screen, the operation that shows it, or the list with it alone.
fn address(page: &Page<'_>, kind: &str, id: i64) -> Option<String> {
    let screen = Screen::of_record(page.side, kind);
    if let Some(screen) = screen.filter(|screen| page.allowed(screen.needs).is_some()) {
        return Some(page.at(&screen.path.replace("{id}", &id.to_string())));
    }
    let row = RecordList::of(page.side.interface, kind).next()?;
    let shown = row.shown_by.and_then(|name| name.strip_prefix(page.side.prefix));
    if let Some(short) = shown.filter(|short| page.allowed(short).is_some()) {
        return Some(page.at(&format!("/op/{short}?id={id}")));
    }
    let short = row.list.strip_prefix(page.side.prefix)?;
    let has = |name: &&str| page.fields(short).iter().any(|field| field.name == *name);
    let by = ["id", "athlete_ids"]
        .into_iter()
        .find(has)
        .filter(|by| *by == "id" || kind == "athlete")?;
    let at = Screen::of_list(page.side, short)
        .map_or_else(|| format!("/op/{short}"), |it| it.path.into());
    Some(page.at(&format!("{at}?{by}={id}")))
}
