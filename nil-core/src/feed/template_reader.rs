//! Reads the text of a template. What that costs is known before: its bytes, parts and depth are
//! limited.

use super::template_node::{Branch, Condition, Node};

/// The largest text that is read, in bytes: 20,000 characters of four.
const MOST_BYTES: usize = 80_000;
/// The number of names, tags and pieces of text.
const MOST_PARTS: usize = 200;
/// How deep conditions stand in each other.
const DEEPEST: usize = 8;

/// A part of a text, as it stands there.
enum Part<'t> {
    Text(&'t str),
    Name(&'t str),
    Tag(Tag<'t>),
}

#[derive(Clone, Copy, Debug)]
enum Tag<'t> {
    If(Condition<'t>),
    Elif(Condition<'t>),
    Else,
    Endif,
}

/// Reads a text; otherwise what is wrong with it, with the line.
pub(super) fn read(text: &str) -> Result<Vec<Node<'_>>, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("must have at most {MOST_BYTES} bytes"));
    }
    let mut reader = Reader { whole: text, rest: text, parts: 0 };
    match reader.nodes(0)? {
        (nodes, None) => Ok(nodes),
        (_, Some(_)) => Err(reader.wrong("has an `elif`, `else` or `endif` without an `if`")),
    }
}

struct Reader<'t> {
    whole: &'t str,
    rest: &'t str,
    parts: usize,
}

impl<'t> Reader<'t> {
    /// Reads up to the end, or to a tag that does not begin a condition.
    fn nodes(&mut self, depth: usize) -> Result<(Vec<Node<'t>>, Option<Tag<'t>>), String> {
        let mut nodes = Vec::new();
        while let Some(part) = self.part()? {
            match part {
                Part::Text(text) => nodes.push(Node::Text(text)),
                Part::Name(name) => nodes.push(Node::Name(name)),
                Part::Tag(Tag::If(_)) if depth == DEEPEST => {
                    let wrong = format!("must have at most {DEEPEST} conditions in each other");
                    return Err(self.wrong(&wrong));
                }
                Part::Tag(Tag::If(condition)) => nodes.push(self.choice(condition, depth + 1)?),
                Part::Tag(tag) => return Ok((nodes, Some(tag))),
            }
        }
        Ok((nodes, None))
    }

    /// Reads the branches of a condition, up to its `endif`.
    fn choice(&mut self, first: Condition<'t>, depth: usize) -> Result<Node<'t>, String> {
        let mut branches = Vec::new();
        let mut when = Some(first);
        loop {
            let is_last = when.is_none();
            let (then, end) = self.nodes(depth)?;
            branches.push(Branch { when, then });
            when = match end {
                Some(Tag::Endif) => return Ok(Node::Choice(branches)),
                Some(Tag::Elif(condition)) if !is_last => Some(condition),
                Some(Tag::Else) if !is_last => None,
                Some(_) => return Err(self.wrong("has a branch after the `else`")),
                None => return Err(self.wrong("has an `if` without an `endif`")),
            };
        }
    }

    fn part(&mut self) -> Result<Option<Part<'t>>, String> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(
                self.wrong(&format!("must have at most {MOST_PARTS} names, tags and texts"))
            );
        }
        if let Some(rest) = self.rest.strip_prefix("{{") {
            let (inner, rest) = rest.split_once("}}").ok_or_else(|| self.open("{{"))?;
            let name = name(inner.trim()).ok_or_else(|| self.takes(inner))?;
            self.rest = rest;
            return Ok(Some(Part::Name(name)));
        }
        if let Some(rest) = self.rest.strip_prefix("{%") {
            let (inner, rest) = rest.split_once("%}").ok_or_else(|| self.open("{%"))?;
            let tag = tag(inner.trim()).ok_or_else(|| self.takes(inner))?;
            // A tag on a line of its own leaves no empty line.
            let rest =
                rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
            self.rest = rest;
            return Ok(Some(Part::Tag(tag)));
        }
        if self.rest.starts_with("{#") {
            return Err(self.wrong("has a comment; templates take none"));
        }
        let end = self.rest.match_indices('{').map(|(at, _)| at).find(|at| {
            let next = self.rest.get(at + 1..).and_then(|rest| rest.chars().next());
            next.is_some_and(|next| "{%#".contains(next))
        });
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        Ok(Some(Part::Text(text)))
    }

    fn takes(&self, inner: &str) -> String {
        let mut shown: String = inner.trim().chars().take(40).collect();
        if shown.len() < inner.trim().len() {
            shown.push('…');
        }
        self.wrong(&format!(
            "has `{shown}`: templates take `{{{{name}}}}`, `{{% if name %}}`, `{{% if not name %}}` and \
             `{{% if name == 'text' %}}`, with `elif`, `else` and `endif`"
        ))
    }

    fn open(&self, sign: &str) -> String {
        self.wrong(&format!("has a `{sign}` that is not closed"))
    }

    /// A mistake where the reader is.
    fn wrong(&self, what: &str) -> String {
        let read = self.whole.len() - self.rest.len();
        let before = self.whole.get(..read).unwrap_or_default();
        format!("line {}: {what}", before.matches('\n').count() + 1)
    }
}

fn name(text: &str) -> Option<&str> {
    let fine = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.len() <= 60;
    fine.then_some(text)
}

fn tag(text: &str) -> Option<Tag<'_>> {
    match text.split_once(char::is_whitespace) {
        None if text == "else" => Some(Tag::Else),
        None if text == "endif" => Some(Tag::Endif),
        Some(("if", rest)) => condition(rest.trim()).map(Tag::If),
        Some(("elif", rest)) => condition(rest.trim()).map(Tag::Elif),
        _ => None,
    }
}

fn condition(text: &str) -> Option<Condition<'_>> {
    if let Some(rest) = text.strip_prefix("not ") {
        return Some(Condition { name: name(rest.trim())?, text: None, negated: true });
    }
    for (sign, negated) in [("==", false), ("!=", true)] {
        if let Some((left, right)) = text.split_once(sign) {
            let text = Some(quoted(right.trim())?);
            return Some(Condition { name: name(left.trim())?, text, negated });
        }
    }
    Some(Condition { name: name(text)?, text: None, negated: false })
}

/// A text in quotation marks, without any inside.
fn quoted(text: &str) -> Option<&str> {
    let inside = |mark| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    inside('\'').or_else(|| inside('"')).filter(|text| !text.contains(['\'', '"', '\\']))
}
