//! What a change of a rule would have done, and the form that saves it then.

use maud::{Markup, html};
use serde_json::Value;

use super::inbox::mark_chip;
use crate::console::call::Page;
use crate::console::cells::{cents, day};
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::session::BESIDE;
use crate::console::texts::{self, key, say, tell};
use crate::console::words;

/// The effects of a change, in the order of the page: the field, and what people call the deals.
const EFFECTS: [(&str, &str); 3] = [
    ("reviewed", key!("need-a-review-by-an-officer")),
    ("refused", key!("are-refused-by-a-rule")),
    ("marked", key!("have-a-mark")),
];

/// The page between the form of a rule and its saving: what the change would have done, and the
/// same fields once more.
pub(super) fn show(page: &Page<'_>, title: &str, preview: &Value, sent: &Query) -> Markup {
    let looked_at = preview.part("looked_at");
    html! {
        section.panel id="preview" aria-labelledby="pv" {
            header { h2 id="pv" { (say!("would-have-done", rule = title.to_lowercase())) } }
            div.pad { p {
                (tell!(
                    "had-it-been-in-force",
                    from = day(preview, "from"),
                    to = day(preview, "to"),
                    deals = say!("deals-of", count = looked_at.number("deals")),
                )) " "
                b { (say!("nothing-is-saved-yet")) }
            } }
            (table(preview))
            form.pad method="post" action=(page.at("/rules")) {
                (page.hidden())
                @for (name, value) in sent.0.iter().filter(|(name, _)| is_own(name)) {
                    input type="hidden" name=(name) value=(value);
                }
                div.acts {
                    button.pri name="act" value="save" { (say!("save-it")) }
                    button name="act" value="edit" { (say!("change-it-again")) }
                    a.btn href=(page.at("/rules")) { (say!("cancel")) }
                }
            }
            // Their links come after the buttons, so that the keyboard is at these at once.
            (examples(page, preview))
        }
    }
}

fn is_own(name: &str) -> bool {
    name != "act" && !BESIDE.contains(&name)
}

fn table(preview: &Value) -> Markup {
    let flags = preview.list("flags").iter().filter(|line| is_moved(line));
    let is_same = EFFECTS.iter().all(|(name, _)| !is_moved(preview.part(name)));
    html! {
        @if is_same {
            div.pad { p { (say!("no-deal-would-have-been-treated-in")) } }
        } @else {
            div.scroll role="region" aria-labelledby="pv" tabindex="0" { table {
                thead { tr {
                    th scope="col" { (say!("deals-that")) }
                    th.n scope="col" { (say!("before-it")) }
                    th.n scope="col" { (say!("with-it")) }
                    th.n scope="col" { (say!("more-than")) }
                    th.n scope="col" { (say!("fewer")) }
                } }
                tbody {
                    @for (name, title) in EFFECTS {
                        (row(&texts::plain(title), preview.part(name)))
                    }
                    @for line in flags {
                        @let mark = words::word(line.text("flag"));
                        (row(&say!("mark-of", mark = mark), line))
                    }
                }
            } }
        }
    }
}

/// Some of the deals that it makes a difference to, each with what it would be then.
fn examples(page: &Page<'_>, preview: &Value) -> Markup {
    let deals = preview.list("examples");
    html! {
        @if !preview.is_true("complete") {
            div.pad { p.dim { (say!("not-all-deals-were-looked-at")) } }
        }
        @if !deals.is_empty() {
            div.pad {
                h3 { (say!("such-as")) }
                ul.plainlist { @for deal in deals { li {
                    a href=(page.at(&format!("/deals/{}", deal.number("id")))) {
                        (deal.text("title"))
                    } ", " (cents(deal, "amount_cents")) " "
                    @for mark in deal.part("after").list("flags").iter().filter_map(Value::as_str) {
                        (mark_chip(mark)) " "
                    }
                    small.dim { (deal.text("payer_name")) ", " (day(deal, "signed_on")) }
                } } }
            }
        }
    }
}

/// Whether something applies to other deals than before.
fn is_moved(effect: &Value) -> bool {
    ["added", "removed"].iter().any(|side| effect.part(side).number("deals") > 0)
}

fn row(title: &str, effect: &Value) -> Markup {
    let tally = |side: &str| {
        let (deals, cents) = (effect.part(side).number("deals"), effect.part(side));
        html! { td.n {
            (words::number(deals))
            @if deals > 0 { small.dim { (words::money(cents.number("amount_cents"))) } }
        } }
    };
    html! { tr {
        th scope="row" { (title) }
        @for side in ["before", "after", "added", "removed"] { (tally(side)) }
    } }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_marks_that_move_are_named() {
        let tally = |deals: i64| json!({ "deals": deals, "amount_cents": deals * 100 });
        let effect = |added: i64| {
            json!({
                "before": tally(2), "after": tally(2 + added), "added": tally(added), "removed": tally(0),
            })
        };
        let with = |flag: &str, added: i64| {
            let mut line = effect(added);
            line["flag"] = flag.into();
            line
        };
        let preview = |added: i64| {
            json!({
                "marked": effect(added), "refused": effect(0), "reviewed": effect(0),
                "flags": [with("late", 0), with("over_threshold", added)],
            })
        };
        let moved = table(&preview(3)).into_string();
        assert!(moved.contains("Mark: Over threshold") && !moved.contains("Mark: Late"), "{moved}");
        assert!(table(&preview(0)).into_string().contains("No deal would have been"));
    }
}
