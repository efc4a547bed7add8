//! The parts that the form of a decision has, whatever is decided on.

use std::str::FromStr;

use maud::{Markup, html};

use crate::console::query::Query;
use crate::console::texts::{self, say};

/// One of the ways to decide: the word of the interface, and the keys of what people call it and
/// of what comes of it.
pub(super) type Way = (&'static str, &'static str, &'static str);

/// Whether a decision is possible with a record in a state, both as words of the interface: its
/// type asks the record's machine.
pub(super) fn is_possible<D: FromStr, S: FromStr>(
    decision: &str,
    state: &str,
    possible: fn(D, S) -> bool,
) -> bool {
    let both = decision.parse().ok().zip(state.parse().ok());
    both.is_some_and(|(decision, state)| possible(decision, state))
}

/// The ways to decide, under one name; what was typed before is chosen.
pub(super) fn ways(name: &str, ways: impl Iterator<Item = Way>, typed: &Query) -> Markup {
    html! {
        fieldset {
            legend.vh { (say!("decision")) }
            @for (word, called, about) in ways {
                label.choice {
                    input type="radio" name=(name) value=(word) required
                        checked[typed.get(name) == Some(word)];
                    span { (texts::plain(called)) small.dim { (texts::plain(about)) } }
                }
            }
        }
    }
}

/// Why it is decided so.
pub(super) struct Reason<'r> {
    pub name: &'r str,
    /// Keys of texts.
    pub label: &'r str,
    pub hint: &'r str,
    /// The most letters.
    pub most: u16,
}

impl Reason<'_> {
    /// The field, with what was typed before.
    pub(super) fn show(&self, typed: &Query) -> Markup {
        let name = self.name;
        html! {
            div.field {
                label for={ "f-" (name) } { (texts::plain(self.label)) }
                p.hint id={ (name) "-h" } { (texts::plain(self.hint)) }
                textarea id={ "f-" (name) } name=(name) maxlength=(self.most)
                    aria-describedby={ (name) "-h" } {
                    (typed.get(name).unwrap_or_default())
                }
            }
        }
    }
}
