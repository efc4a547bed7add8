//! The sentence of a 404: which record the caller has named.

use super::row::Entry;
use crate::error::{Error, codes};
use crate::operation::Fields;

/// The longest value that is repeated.
const LONGEST: usize = 60;

impl Entry {
    /// Names the fields and values of the input in a `not_found` that says nothing more. The caller
    /// knows only what they have sent: another's record and one that does not exist read the same.
    pub(super) fn named(&self, error: Error, fields: &Fields) -> Error {
        if !error.is_bare(codes::NOT_FOUND) {
            return error;
        }
        let mut named: Vec<_> = fields.ids().filter(|(_, value)| value.len() <= LONGEST).collect();
        named.sort_unstable();
        let message = match &*named {
            [] => return error,
            [(field, value)] => {
                let record = self.record(field);
                format!("There is no {record} {value} that you may see (`{field}`).")
            }
            several => {
                let told = several.iter().map(|(field, value)| format!("`{field}` {value}"));
                let told: Vec<_> = told.collect();
                format!("There is no such record that you may see: {}.", told.join(", "))
            }
        };
        codes::NOT_FOUND.saying(message).because(error)
    }

    /// What an id field names: `job_id` a job; `id` the noun of the operation's name.
    fn record(&self, field: &str) -> String {
        let noun = match field.strip_suffix("_id") {
            Some("parent") => "folder",
            Some(noun) => noun,
            None => self.name.split('.').nth(1).unwrap_or("record"),
        };
        noun.replace('_', " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    fn told(operation: &str, input: &str) -> String {
        let fields = Fields::from_json(input.as_bytes()).unwrap();
        let entry = catalog().named(operation).unwrap();
        entry.named(codes::NOT_FOUND.into(), &fields).message().to_owned()
    }

    #[test]
    fn a_record_is_named_by_its_field() {
        let one = told("core.job.detail", r#"{ "job_id": 77, "text": "x" }"#);
        assert_eq!(one, "There is no job 77 that you may see (`job_id`).");
        let own = told("admin.athlete.view", r#"{ "id": "12" }"#);
        assert_eq!(own, "There is no athlete 12 that you may see (`id`).");
        let two = told("core.job.detail", r#"{ "job_id": 77, "athlete_id": 9 }"#);
        assert_eq!(two, "There is no such record that you may see: `athlete_id` 9, `job_id` 77.");
        let none = told("core.job.detail", r#"{ "slug": "a" }"#);
        assert_eq!(none, codes::NOT_FOUND.sentence);
    }

    #[test]
    fn a_better_sentence_is_kept() {
        let better = codes::NOT_FOUND.saying("There is no plan of that name.");
        let fields = Fields::from_json(br#"{ "id": 1 }"#).unwrap();
        let entry = catalog().named("core.job.detail").unwrap();
        assert_eq!(entry.named(better, &fields).message(), "There is no plan of that name.");
    }
}
