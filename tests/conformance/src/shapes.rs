//! Shapes of answers, in a small language: `id, title, amount_cents?, status: open|closed,
//! tags: [text], agent: {name, phone?}, milestones: [milestone]`.
//!
//! `=open` is that word alone. `?` allows null, `??` allows a field to be absent. A field without
//! a type has the type of its name, as the contract says: `…_id` is an id, `…_cents` an amount.
//! Fields that a shape does not name are allowed: outputs may grow.

use std::collections::BTreeMap;

use serde_json::Value;

/// A shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Anything, also nothing.
    Any,
    /// Null.
    Null,
    /// A text.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// An integer from 1.
    Id,
    /// True or false.
    Bool,
    /// A day.
    Date,
    /// A moment, in UTC.
    Time,
    /// An object whose fields nobody names.
    Object,
    /// One of these words.
    OneOf(Vec<String>),
    /// A list.
    List(Box<Shape>),
    /// A record with at least these fields.
    Fields(Vec<Field>),
    /// The shape of that name.
    Named(String),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    name: String,
    nullable: bool,
    absent: bool,
    shape: Shape,
}

/// Reads a shape.
pub fn parse(text: &str) -> Result<Shape, String> {
    let mut reader = Reader { rest: text.trim() };
    let shape = if text.trim_start().starts_with(['[', '{']) {
        reader.shape()?
    } else {
        reader.fields()?
    };
    reader.rest = reader.rest.trim_start();
    if reader.rest.is_empty() { Ok(shape) } else { Err(format!("`{}` is too much", reader.rest)) }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn takes(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Result<String, String> {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_-./+ ".contains(c));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if word.trim().is_empty() {
            return Err(format!("a name is missing before `{}`", self.rest));
        }
        self.rest = rest;
        Ok(word.trim().to_owned())
    }

    /// Fields up to a brace or the end; one word alone is a shape of that name.
    fn fields(&mut self) -> Result<Shape, String> {
        let mut fields = Vec::new();
        loop {
            let name = self.word()?;
            let nullable = self.takes("?");
            let absent = nullable && self.takes("?");
            let shape = if self.takes(":") { self.shape()? } else { by_name(&name) };
            fields.push(Field { name, nullable, absent, shape });
            if !self.takes(",") {
                return Ok(Shape::Fields(fields));
            }
        }
    }

    fn shape(&mut self) -> Result<Shape, String> {
        if self.takes("[") {
            let inner = self.shape()?;
            return self.closed("]", Shape::List(Box::new(inner)));
        }
        if self.takes("{") {
            let fields = self.fields()?;
            return self.closed("}", fields);
        }
        if self.takes("=") {
            return Ok(Shape::OneOf(vec![self.word()?]));
        }
        let word = self.word()?;
        if !self.takes("|") {
            return Ok(by_word(word));
        }
        let mut words = vec![word, self.word()?];
        while self.takes("|") {
            words.push(self.word()?);
        }
        Ok(Shape::OneOf(words))
    }

    fn closed(&mut self, sign: &str, shape: Shape) -> Result<Shape, String> {
        if self.takes(sign) {
            Ok(shape)
        } else {
            Err(format!("no `{sign}` before `{}`", self.rest))
        }
    }
}

fn by_word(word: String) -> Shape {
    match word.as_str() {
        "any" => Shape::Any,
        "null" => Shape::Null,
        "text" => Shape::Text,
        "int" => Shape::Int,
        "number" => Shape::Number,
        "id" => Shape::Id,
        "bool" => Shape::Bool,
        "date" => Shape::Date,
        "time" => Shape::Time,
        "object" => Shape::Object,
        _ => Shape::Named(word),
    }
}

/// The type that the contract gives to names.
fn by_name(name: &str) -> Shape {
    let ends = |end: &str| name.ends_with(end);
    if name == "id" || ends("_id") {
        Shape::Id
    } else if ends("_ids") {
        Shape::List(Box::new(Shape::Id))
    } else if ends("_cents") || ends("_basis_points") || ends("_count") {
        Shape::Int
    } else if ends("_on") {
        Shape::Date
    } else if name == "at" || ends("_at") {
        Shape::Time
    } else if name.starts_with("is_") {
        Shape::Bool
    } else {
        Shape::Text
    }
}

/// What the shapes of a table are.
#[derive(Debug, Default)]
pub struct Shapes(BTreeMap<String, Shape>);

impl Shapes {
    /// Reads all shapes of a table.
    pub fn read(texts: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut shapes = BTreeMap::new();
        for (name, text) in texts {
            let shape = parse(text).map_err(|error| format!("shape {name}: {error}"))?;
            shapes.insert(name.clone(), shape);
        }
        Ok(Self(shapes))
    }

    /// The shape that a row writes: a name, fields, or a list of either.
    pub fn written(&self, text: &str) -> Result<Shape, String> {
        if self.0.contains_key(text) {
            return Ok(Shape::Named(text.to_owned()));
        }
        match by_word(text.to_owned()) {
            Shape::Named(_) => parse(text),
            known => Ok(known),
        }
    }

    /// What is wrong with a value, with its place.
    #[must_use]
    pub fn mistakes(&self, shape: &Shape, value: &Value) -> Vec<String> {
        let mut mistakes = Vec::new();
        self.look(shape, value, "data", &mut mistakes);
        mistakes
    }

    fn look(&self, shape: &Shape, value: &Value, at: &str, mistakes: &mut Vec<String>) {
        let fits = match shape {
            Shape::Any => true,
            Shape::Null => value.is_null(),
            Shape::Text => value.is_string(),
            Shape::Int => value.is_i64() || value.is_u64(),
            Shape::Number => value.is_number(),
            Shape::Id => value.as_u64().is_some_and(|id| id >= 1),
            Shape::Bool => value.is_boolean(),
            Shape::Date => value.as_str().is_some_and(is_date),
            Shape::Time => value.as_str().is_some_and(is_time),
            Shape::Object => value.is_object(),
            Shape::OneOf(words) => {
                value.as_str().is_some_and(|text| words.iter().any(|w| w == text))
            }
            Shape::List(inner) => match value.as_array() {
                Some(items) => {
                    for (place, item) in items.iter().enumerate() {
                        self.look(inner, item, &format!("{at}[{place}]"), mistakes);
                    }
                    true
                }
                None => false,
            },
            Shape::Fields(fields) => {
                for field in fields.iter().filter(|_| value.is_object()) {
                    self.look_at_field(field, value, at, mistakes);
                }
                value.is_object()
            }
            Shape::Named(name) => {
                if let Some(shape) = self.0.get(name) {
                    return self.look(shape, value, at, mistakes);
                }
                return mistakes.push(format!("the table has no shape `{name}`"));
            }
        };
        if !fits {
            mistakes.push(format!("{at} is {}, not {}", short(value), words(shape)));
        }
    }

    fn look_at_field(&self, field: &Field, value: &Value, at: &str, mistakes: &mut Vec<String>) {
        let at = format!("{at}.{}", field.name);
        match value.get(&field.name) {
            None if field.absent => {}
            None => mistakes.push(format!("{at} is missing")),
            Some(Value::Null) if field.nullable => {}
            Some(value) => self.look(&field.shape, value, &at, mistakes),
        }
    }
}

/// What the contract says of names and their types, wherever they stand in an answer.
#[must_use]
pub fn misnamed(value: &Value) -> Vec<String> {
    let mut mistakes = Vec::new();
    walk(value, "", &mut mistakes);
    mistakes
}

fn walk(value: &Value, at: &str, mistakes: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, at, mistakes)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let at = format!("{at}.{name}");
                let typed = ["_cents", "_on", "_at", "_ids", "_basis_points"];
                if !value.is_null() && typed.iter().any(|end| name.ends_with(end)) {
                    let shape = by_name(name);
                    let amounts = value.is_object() || value.is_array();
                    if !(amounts && matches!(shape, Shape::Int)) {
                        Shapes::default().look(&shape, value, &at, mistakes);
                    }
                }
                walk(value, &at, mistakes);
            }
        }
        _ => {}
    }
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<chrono::NaiveDate>().is_ok()
}

/// A moment as the contract writes it: RFC 3339 in UTC.
fn is_time(text: &str) -> bool {
    text.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

/// A value in few words.
#[must_use]
pub fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", text.split_at(end).0),
        None => text,
    }
}

fn words(shape: &Shape) -> String {
    match shape {
        Shape::Any => "anything".into(),
        Shape::Null => "null".into(),
        Shape::Text => "a text".into(),
        Shape::Int => "an integer".into(),
        Shape::Number => "a number".into(),
        Shape::Id => "an integer from 1".into(),
        Shape::Bool => "true or false".into(),
        Shape::Date => "a date as YYYY-MM-DD".into(),
        Shape::Time => "a time as RFC 3339 in UTC".into(),
        Shape::Object | Shape::Fields(_) => "an object".into(),
        Shape::OneOf(words) => format!("one of {}", words.join(", ")),
        Shape::List(_) => "a list".into(),
        Shape::Named(name) => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mistakes(shape: &str, value: &Value) -> Vec<String> {
        Shapes::default().mistakes(&parse(shape).unwrap(), value)
    }

    #[test]
    fn a_record_must_have_its_fields() {
        let shape = "id, amount_cents?, due_on, tags: [text], status: open|closed, note??: text";
        let good = json!({ "id": 1, "amount_cents": null, "due_on": "2026-11-20", "tags": [],
            "status": "open", "more": true });
        assert!(mistakes(shape, &good).is_empty());
        let bad = json!({ "id": 0, "amount_cents": 1.0, "due_on": "20.11.2026", "tags": [1],
            "status": "shut", "note": 7 });
        assert_eq!(mistakes(shape, &bad).len(), 6);
        assert_eq!(mistakes(shape, &json!({})).len(), 5);
    }

    #[test]
    fn names_have_types_everywhere() {
        let bad = json!({ "deep": [{ "fee_cents": 1.5, "sent_at": "2026-11-20 12:00" }] });
        assert_eq!(misnamed(&bad).len(), 2);
        assert!(misnamed(&json!({ "paid_at": "2026-11-20T12:00:00Z", "fee_cents": 3 })).is_empty());
    }
}
