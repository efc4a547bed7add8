//! What can be done with a record, as a menu of links. Each act has a page of its own, which tells
//! what happens.

use maud::{Markup, html};
use nil_core::catalog::Entry;

use crate::console::call::Page;
use crate::console::icons;
use crate::console::texts::{self, say};

/// Something that can be done with a record.
pub(super) struct Act {
    needs: &'static str,
    path: String,
    words: String,
    is_dangerous: bool,
}

pub(super) fn act(needs: &'static str, path: String, words: impl Into<String>) -> Act {
    Act { needs, path, words: words.into(), is_dangerous: false }
}

impl Act {
    pub(super) fn dangerous(mut self) -> Self {
        self.is_dangerous = true;
        self
    }
}

/// A menu of what can be done; nothing if nothing of it is allowed.
pub(super) fn menu(page: &Page<'_>, acts: &[Act], icon: icons::Icon, name: &str) -> Markup {
    let allowed = || acts.iter().filter(|act| page.allowed(act.needs).is_some());
    html! {
        @if allowed().next().is_some() {
            details.menu {
                summary.btn.quiet.small { (icon.show()) span.vh { (say!("actions-for", name = name)) } }
                div { @for act in allowed() {
                    a class=[act.is_dangerous.then_some("danger")] href=(page.at(&act.path)) {
                        (act.words)
                    }
                } }
            }
        }
    }
}

/// What an operation does and what stays, told before it is done; nothing if it is harmless.
pub(super) fn warning(entry: &Entry) -> Markup {
    html! { @if let Some([happens, stays]) = texts::confirm(entry) {
        section.note.warn {
            h2 { (happens) }
            p { (stays) }
        }
    } }
}
