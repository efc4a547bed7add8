//! The parts of a template as they were read.

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node<'t> {
    Text(&'t str),
    Name(&'t str),
    /// The first branch whose condition holds; the last one may have none.
    Choice(Vec<Branch<'t>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branch<'t> {
    pub(super) when: Option<Condition<'t>>,
    pub(super) then: Vec<Node<'t>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition<'t> {
    pub(super) name: &'t str,
    /// The text that the value is compared with; none asks whether there is a value.
    pub(super) text: Option<&'t str>,
    pub(super) negated: bool,
}

impl Condition<'_> {
    pub(super) fn holds(&self, values: &Map<String, Value>) -> bool {
        let value = values.get(self.name).unwrap_or(&Value::Null);
        let holds = match (self.text, value) {
            (Some(wanted), Value::String(text)) => text == wanted,
            (_, Value::Null) | (Some(_), Value::Array(_) | Value::Object(_)) => false,
            (Some(wanted), Value::Bool(yes)) => wanted == if *yes { "true" } else { "false" },
            (Some(wanted), Value::Number(number)) => wanted == number.to_string().as_str(),
            (None, Value::Bool(yes)) => *yes,
            (None, Value::Number(number)) => number.as_f64() != Some(0.0),
            (None, Value::String(text)) => !text.is_empty(),
            (None, Value::Array(list)) => !list.is_empty(),
            (None, Value::Object(fields)) => !fields.is_empty(),
        };
        holds != self.negated
    }
}
