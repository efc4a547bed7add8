//! What a change of a rule would have done, and the form that saves it then.

use maud::{Markup, html};
use serde_json::Value;

use crate::console::call::Page;
use crate::console::cells::day;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::session::BESIDE;
use crate::console::words;

/// The effects of a change, in the order of the page: the field, and what people call the deals.
const EFFECTS: [(&str, &str); 3] = [
    ("reviewed", "Need a review by an officer"),
    ("refused", "Are refused by a rule"),
    ("marked", "Have a mark"),
];

/// The page between the form of a rule and its saving: what the change would have done, and the
/// same fields once more.
pub(super) fn show(page: &Page<'_>, title: &str, preview: &Value, sent: &Query) -> Markup {
    let looked_at = preview.part("looked_at");
    html! {
        section.panel id="preview" aria-labelledby="pv" {
            header { h2 id="pv" { "What this would have done: " (title.to_lowercase()) } }
            div.pad { p {
                "If it had been in force from " (day(preview, "from")) " to " (day(preview, "to"))
                ", for " (deals(looked_at.number("deals"))) " disclosed in that time. "
                b { "Nothing is saved yet." }
            } }
            (table(preview))
            form.pad method="post" action=(page.at("/rules")) {
                (page.hidden())
                @for (name, value) in sent.0.iter().filter(|(name, _)| is_own(name)) {
                    input type="hidden" name=(name) value=(value);
                }
                div.acts {
                    button.pri name="act" value="save" { "Save it" }
                    button name="act" value="edit" { "Change it again" }
                    a.btn href=(page.at("/rules")) { "Cancel" }
                }
            }
        }
    }
}

fn is_own(name: &str) -> bool {
    name != "act" && !BESIDE.contains(&name)
}

fn deals(count: i64) -> String {
    match count {
        1 => "1 deal".into(),
        many => format!("{} deals", words::number(many)),
    }
}

fn table(preview: &Value) -> Markup {
    let flags = preview.list("flags").iter().filter(|line| is_moved(line));
    let is_same = EFFECTS.iter().all(|(name, _)| !is_moved(preview.part(name)));
    html! {
        @if is_same {
            div.pad { p { "No deal would have been treated in another way." } }
        } @else {
            div.scroll role="region" aria-labelledby="pv" tabindex="0" { table {
                thead { tr {
                    th scope="col" { "Deals that…" }
                    th.n scope="col" { "Before" }
                    th.n scope="col" { "With it" }
                    th.n scope="col" { "More" }
                    th.n scope="col" { "Fewer" }
                } }
                tbody {
                    @for (name, title) in EFFECTS {
                        (row(title, preview.part(name)))
                    }
                    @for line in flags {
                        (row(&format!("Mark: {}", words::word(line.text("flag"))), line))
                    }
                }
            } }
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
