//! All operations of a side that whoever is signed in may call, by section.

use maud::html;
use nil_core::catalog::{Entry, catalog};

use crate::console::call::{Page, Shown};

pub(super) fn get(page: &Page<'_>) -> Shown {
    let asked = page.query.get("q").unwrap_or_default().to_lowercase();
    let fits = |entry: &&Entry| {
        let title = format!("{} {}", entry.title, entry.purpose).to_lowercase();
        asked.split_whitespace().all(|word| title.contains(word) || entry.name.contains(word))
    };
    let mut sections: Vec<(&str, Vec<&Entry>)> = Vec::new();
    let mut count = 0;
    for entry in catalog().of(page.side.interface) {
        if entry.is_open() || entry.admit(&page.who).is_err() || !fits(&entry) {
            continue;
        }
        count += 1;
        let title = entry.section.name;
        match sections.iter_mut().find(|(known, _)| *known == title) {
            Some((_, entries)) => entries.push(entry),
            None => sections.push((title, vec![entry])),
        }
    }
    Shown::new(
        "All operations",
        html! {
            div.head { div {
                h1 { "All operations" }
                p { (count) " operations that you may use." }
            } }
            form.row method="get" role="search" aria-label="Find an operation" {
                label for="fo" { "Find an operation" }
                input.w id="fo" type="search" name="q" data-filter="#ops li" autocomplete="off"
                    value=(page.query.get("q").unwrap_or_default());
                button { "Find" }
            }
            div.cols id="ops" {
                @for (title, entries) in sections {
                    section.panel.pad {
                        h2 { (title) }
                        ul.plainlist {
                            @for entry in entries {
                                li {
                                    a href=(page.at(&format!("/op/{}", page.side.short(entry)))) {
                                        (entry.title)
                                    }
                                    @if entry.writes() { " " small { "changes" } }
                                }
                            }
                        }
                    }
                }
            }
        },
    )
}
