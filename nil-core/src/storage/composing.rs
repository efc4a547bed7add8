//! Statements that are made of other ones.

use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::Rendered;

/// A statement made of others, each with its own numbers of values from 1.
#[derive(Default)]
pub(super) struct Composed {
    text: String,
    values: Vec<sea_query::Value>,
}

impl Composed {
    /// Adds some text.
    pub(super) fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a statement, and counts its values on.
    pub(super) fn add(&mut self, part: Rendered) {
        renumber(part.text.as_str(), self.values.len(), &mut self.text);
        self.values.extend(part.values.0);
    }

    /// The statement.
    pub(super) fn rendered(self) -> Rendered {
        let text = AssertSqlSafe(self.text).into_sql_str();
        Rendered { text, values: sea_query::Values(self.values) }
    }
}

/// Adds a statement's text to another, with the numbers of its values moved by `offset`. What
/// stands in quotes stays as it is.
fn renumber(text: &str, offset: usize, into: &mut String) {
    let mut rest = text;
    let mut quoted_by = None;
    while let Some(at) = rest.find(['$', '\'', '"']) {
        let (before, found) = rest.split_at(at);
        into.push_str(before);
        let mut characters = found.chars();
        let mark = characters.next().unwrap_or_default();
        rest = characters.as_str();
        into.push(mark);
        match quoted_by {
            Some(quote) if quote == mark => quoted_by = None,
            Some(_) => {}
            None if mark != '$' => quoted_by = Some(mark),
            None => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let (number, after) = rest.split_at(end);
                match number.parse::<usize>() {
                    Ok(number) => into.push_str(&(number + offset).to_string()),
                    Err(_) => into.push_str(number),
                }
                rest = after;
            }
        }
    }
    into.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_on_outside_quotes() {
        let renumbered = |text| {
            let mut into = String::new();
            renumber(text, 9, &mut into);
            into
        };
        assert_eq!(renumbered("SELECT $1, $12"), "SELECT $10, $21");
        assert_eq!(renumbered("a ->> '$1' || $2"), "a ->> '$1' || $11");
        assert_eq!(renumbered("\"a$1\" = 'it''s $1' AND $1"), "\"a$1\" = 'it''s $1' AND $10");
        assert_eq!(renumbered("no value"), "no value");
    }
}
