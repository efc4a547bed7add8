//! All operations of a side that whoever is signed in may call, by section.

use maud::html;
use nil_core::catalog::{Entry, catalog};

use crate::console::call::{Page, Shown};
use crate::console::texts::{self, say};

pub(super) fn get(page: &Page<'_>) -> Shown {
    let asked = page.query.get("q").unwrap_or_default().to_lowercase();
    let fits = |entry: &&Entry| {
        let title = format!("{} {}", texts::title(entry), entry.purpose).to_lowercase();
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
        say!("all-operations"),
        html! {
            div.head { div {
                h1 { (say!("all-operations")) }
                p { (say!("operations-you-may-use", count = count)) }
            } }
            form.row method="get" role="search" aria-label=(say!("find-an-operation")) {
                label for="fo" { (say!("find-an-operation")) }
                input.w id="fo" type="search" name="q" data-filter="#ops li" autocomplete="off"
                    value=(page.query.get("q").unwrap_or_default());
                button { (say!("find")) }
            }
            div.cols id="ops" {
                @for (title, entries) in sections {
                    section.panel.pad {
                        h2 { (texts::of_catalog("section", title, title)) }
                        ul.plainlist {
                            @for entry in entries {
                                li {
                                    a href=(page.at(&format!("/op/{}", page.side.short(entry)))) {
                                        (texts::title(entry))
                                    }
                                    @if entry.writes() { " " small { (say!("changes")) } }
                                }
                            }
                        }
                    }
                }
            }
        },
    )
}
