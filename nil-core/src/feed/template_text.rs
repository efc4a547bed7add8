//! The text of a template: text, `{{name}}`, and `{% if name %}` (decision 51). `template_reader`
//! reads it; filling it in visits each part once. There are no expressions, loops or variables.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::template_node::{Branch, Node};
use super::template_reader;

/// The maximum length of a filled-in text, in bytes.
const LONGEST: usize = 256 * 1024;

/// Stands for a value where only the operator's own words are looked at.
const VALUE: char = '\u{FFFC}';

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateText<'t>(Vec<Node<'t>>);

impl<'t> TemplateText<'t> {
    /// Reads a text; otherwise what is wrong with it, with the line.
    pub(super) fn read(text: &'t str) -> Result<Self, String> {
        template_reader::read(text).map(Self)
    }

    /// Replaces the names by values; a name without a value becomes empty.
    pub(super) fn fill(&self, values: &Map<String, Value>) -> Result<String, String> {
        let mut out = String::new();
        fill(&self.0, values, &mut out, &|value, out| match value {
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_string()),
        })?;
        Ok(out)
    }

    /// The operator's own words of the text that these values make, with a sign for each value.
    pub(super) fn own_words(&self, values: &Map<String, Value>) -> Result<String, String> {
        let mut out = String::new();
        fill(&self.0, values, &mut out, &|value, out| {
            if value.as_str() != Some("") {
                out.push(VALUE);
            }
        })?;
        Ok(out)
    }

    /// The operator's own words of all branches, one after the other.
    pub(super) fn all_words(&self) -> String {
        let word = |part: &Flat<'_>| match part {
            Flat::Text(text) => (*text).to_owned(),
            Flat::Name(_) => VALUE.to_string(),
            Flat::Edge => String::new(),
        };
        self.flat().iter().map(word).collect()
    }

    /// The names that it looks up.
    pub(super) fn names(&self) -> BTreeSet<&'t str> {
        let mut names = BTreeSet::new();
        collect(&self.0, &mut names);
        names
    }

    /// Whether it shows the value of a name, whatever the values are.
    pub(super) fn always_shows(&self, name: &str) -> bool {
        always_shows(&self.0, name)
    }

    /// Whether the name stands by itself everywhere: between spaces or line ends, apart from
    /// punctuation.
    pub(super) fn stands_alone(&self, name: &str) -> bool {
        let parts = self.flat();
        let free = |neighbour: Option<&Flat<'_>>, ends: fn(&str) -> bool| match neighbour {
            None => true,
            Some(Flat::Text(text)) => ends(text),
            Some(_) => false,
        };
        let before: fn(&str) -> bool =
            |text| text.trim_end_matches(['(', '<']).ends_with(char::is_whitespace);
        let after: fn(&str) -> bool = |text| {
            let rest = text.trim_start_matches([')', '>', '.', ',', ';', ':', '!', '?']);
            rest.is_empty() || rest.starts_with(char::is_whitespace)
        };
        parts.iter().enumerate().filter(|(_, part)| **part == Flat::Name(name)).all(|(at, _)| {
            let last = at.checked_sub(1).and_then(|at| parts.get(at));
            let next = parts.get(at + 1);
            // A text of punctuation alone is the end only where nothing follows it.
            let ends = match next {
                Some(Flat::Text(text)) => {
                    !text.trim_start_matches(is_closing).is_empty() || at + 2 == parts.len()
                }
                _ => true,
            };
            free(last, before) && free(next, after) && ends
        })
    }

    fn flat(&self) -> Vec<Flat<'t>> {
        let mut parts = Vec::new();
        flatten(&self.0, &mut parts);
        parts
    }
}

fn is_closing(sign: char) -> bool {
    ")>.,;:!?".contains(sign)
}

/// A text without its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flat<'t> {
    Text(&'t str),
    Name(&'t str),
    /// Where a branch begins or ends.
    Edge,
}

fn flatten<'t>(nodes: &[Node<'t>], parts: &mut Vec<Flat<'t>>) {
    for node in nodes {
        match node {
            Node::Text(text) => parts.push(Flat::Text(text)),
            Node::Name(name) => parts.push(Flat::Name(name)),
            Node::Choice(branches) => {
                for branch in branches {
                    parts.push(Flat::Edge);
                    flatten(&branch.then, parts);
                }
                parts.push(Flat::Edge);
            }
        }
    }
}

fn collect<'t>(nodes: &[Node<'t>], names: &mut BTreeSet<&'t str>) {
    for node in nodes {
        match node {
            Node::Text(_) => {}
            Node::Name(name) => drop(names.insert(name)),
            Node::Choice(branches) => {
                for branch in branches {
                    names.extend(branch.when.map(|when| when.name));
                    collect(&branch.then, names);
                }
            }
        }
    }
}

fn always_shows(nodes: &[Node<'_>], name: &str) -> bool {
    nodes.iter().any(|node| match node {
        Node::Text(_) => false,
        Node::Name(shown) => *shown == name,
        Node::Choice(branches) => {
            branches.iter().any(|branch| branch.when.is_none())
                && branches.iter().all(|branch| always_shows(&branch.then, name))
        }
    })
}

fn fill(
    nodes: &[Node<'_>],
    values: &Map<String, Value>,
    out: &mut String,
    show: &impl Fn(&Value, &mut String),
) -> Result<(), String> {
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(text),
            Node::Name(name) => {
                if let Some(value) = values.get(*name).filter(|value| !value.is_null()) {
                    show(value, out);
                }
            }
            Node::Choice(branches) => {
                let holds =
                    |branch: &&Branch<'_>| branch.when.is_none_or(|when| when.holds(values));
                if let Some(branch) = branches.iter().find(holds) {
                    fill(&branch.then, values, out, show)?;
                }
            }
        }
        if out.len() > LONGEST {
            return Err("makes too long a text".into());
        }
    }
    Ok(())
}

/// Whether words contain an address of the web or of a mailbox, or what a mail program makes a link
/// of.
pub(super) fn has_address(words: &str) -> bool {
    let words = words.to_lowercase().replace(['．', '。', '｡', '․', '﹒'], ".");
    let words = words.replace(['／', '⁄', '∕'], "/").replace(['：', '∶'], ":").replace('＠', "@");
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == VALUE;
    let is_name = |at: usize| {
        let before = words.get(..at).and_then(|before| before.chars().next_back());
        let after = words.get(at + 1..).unwrap_or_default();
        let end = after.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(after.len());
        let label = after.get(..end).unwrap_or_default();
        let is_number = label.chars().all(|c| c.is_ascii_digit());
        before.is_some_and(is_part) && label.chars().count() > 1 && !is_number
    };
    let signs = ["//", "www.", "mailto:", "tel:", "@"];
    signs.iter().any(|sign| words.contains(sign))
        || words.match_indices('.').any(|(at, _)| is_name(at))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(text: &str, from: &Value) -> Result<String, String> {
        TemplateText::read(text)?.fill(from.as_object().unwrap())
    }

    #[test]
    fn names_are_replaced_and_values_never_read() {
        let data = json!({ "name": "{{code}}", "code": "482913", "absent": null, "n": 12 });
        let text = "Hi {{name}}, {{ code }}{{gone}}{{absent}} {n} }} {{n}}!\n";
        assert_eq!(filled(text, &data).unwrap(), "Hi {{code}}, 482913 {n} }} 12!\n");
    }

    #[test]
    fn conditions_choose_by_presence_and_by_text() {
        let choose =
            "{% if a %}A{% elif b == 'x' %}\nB{% elif c != \"y\" %}C{% else %}D{% endif %}.";
        for (data, said) in [
            (json!({ "a": "1" }), "A."),
            (json!({ "a": true, "b": "x" }), "A."),
            (json!({ "a": "", "b": "x" }), "B."),
            (json!({ "a": 0, "b": "z" }), "C."),
            (json!({ "a": false, "c": "y" }), "D."),
            (json!({ "c": null }), "C."),
        ] {
            assert_eq!(filled(choose, &data).unwrap(), said, "{data}");
        }
        let not = "{% if not a %}No{% if b %} but {{b}}{% endif %}{% endif %}";
        assert_eq!(filled(not, &json!({ "b": "yes" })).unwrap(), "No but yes");
        assert_eq!(filled(not, &json!({ "a": "x" })).unwrap(), "");
    }

    #[test]
    fn a_text_is_limited_before_and_while_it_is_read() {
        let deep =
            |depth| format!("{}x{}", "{% if a %}".repeat(depth), "{% endif %}".repeat(depth));
        assert!(TemplateText::read(&deep(8)).is_ok());
        for (text, wrong) in [
            (deep(9), "in each other"),
            ("{{a}}".repeat(201), "at most 200"),
            ("x".repeat(80_001), "bytes"),
            ("\n{{a".to_owned(), "line 2: has a `{{` that is not closed"),
            ("{% if a %}".to_owned(), "without an `endif`"),
            ("{% endif %}".to_owned(), "without an `if`"),
            ("{% if a %}{% else %}{% else %}{% endif %}".to_owned(), "after the `else`"),
            ("{# a #}".to_owned(), "comment"),
            ("{{ a.b }}".to_owned(), "`a.b`"),
            ("{% for a in b %}{% endfor %}".to_owned(), "`for a in b`"),
            ("{% if a == b %}{% endif %}".to_owned(), "`if a == b`"),
            ("{{- a -}}".to_owned(), "`- a -`"),
        ] {
            let said = TemplateText::read(&text).unwrap_err();
            assert!(said.contains(wrong), "{said}");
        }
        assert!(TemplateText::read(&"{{a}}".repeat(200)).is_ok());
        let long = filled(&"{{a}}".repeat(200), &json!({ "a": "x".repeat(2_000) })).unwrap_err();
        assert!(long.contains("too long"), "{long}");
    }

    #[test]
    fn what_a_text_always_shows_is_told_by_its_branches() {
        for (text, always) in [
            ("{{url}}", true),
            ("{% if a %}{{url}}{% endif %}", false),
            ("{% if a %}{{url}}{% else %}See {{url}}{% endif %}", true),
            ("{% if a %}{{url}}{% elif b %}{{url}}{% endif %}", false),
            ("{% if url %}yes{% else %}no{% endif %}", false),
        ] {
            assert_eq!(TemplateText::read(text).unwrap().always_shows("url"), always, "{text}");
        }
    }

    #[test]
    fn a_secret_stands_alone() {
        for (text, alone) in [
            ("{{url}}", true),
            ("Here:\n\n{{url}}\n\nBye", true),
            ("Your code is {{url}}. It works.", true),
            ("(see <{{url}}>).", true),
            ("x?t={{url}}", false),
            ("{{url}}.evil.test", false),
            ("{{url}}.{{a}}", false),
            ("{{url}}.{% if a %}test{% endif %}", false),
            ("{{a}}{{url}}", false),
            ("x{% if a %}{{url}}{% else %} {{url}} {% endif %}", false),
        ] {
            assert_eq!(TemplateText::read(text).unwrap().stands_alone("url"), alone, "{text}");
        }
    }

    #[test]
    fn addresses_are_found_in_the_operators_words() {
        for words in [
            "https://evil.test",
            "go to evil.test/x",
            "EVIL。TEST",
            "www.x",
            "a@b",
            "\u{FFFC}.com",
            "evil．test",
            "http:／／x",
            "203.0.113.7.example",
        ] {
            assert!(has_address(words), "{words}");
        }
        for words in
            ["Hi \u{FFFC}, do it. Now.", "For 10.50 dollars", "e.g. a", "No. 7", "\u{FFFC}."]
        {
            assert!(!has_address(words), "{words}");
        }
    }
}
