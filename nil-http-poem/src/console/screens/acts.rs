//! What can be done with a record, as a menu of links. Each act has a page of its own, which tells
//! what happens.

use maud::{Markup, html};

use crate::console::call::Page;
use crate::console::icons;
use crate::console::texts::say;

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
