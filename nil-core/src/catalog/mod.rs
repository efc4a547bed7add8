//! The catalog: the one list of all operations. Routes, OpenAPI documents, the command line, the
//! endpoint list and the authorization tests are all generated from it.
//!
//! 1. `core`, `compliance` and `admin` hold the rows of each interface, written with the functions
//!    of `table`.
//! 2. `row` defines [`Entry`], with everything the platform knows about an operation, and `typed`
//!    builds one; `effect` says what a call leaves. `section` holds the sections that they stand
//!    under, `features` the parts that a site can switch off.
//! 3. `path` and `bodies` read paths and bodies; `refusals` and `refusing` hold error codes and
//!    statuses, `naming` says which record a 404 is about, `impersonating` what operators may do
//!    who act as an account, `titles`, `deeds` and `forms` the words of
//!    pages. `acts` says which records a row acts on and in which states, `columns` what a table of
//!    its list shows first, `zones` whose days it means.
//! 4. `dispatch` runs an operation for a call: it retries aborted transactions and replays stored
//!    answers.
//! 5. `records` says which list has the records of a kind.
//! 6. [`openapi`] and `markdown` render documents, `machines` has every state machine.

mod acts;
mod admin;
mod bodies;
mod columns;
mod compliance;
mod core;
mod deeds;
mod dispatch;
mod effect;
mod features;
mod forms;
mod freshness;
mod impersonating;
mod machines;
mod markdown;
mod naming;
pub mod openapi;
mod path;
mod records;
mod refusals;
mod refusing;
mod row;
mod section;
mod stops;
mod table;
mod titles;
mod two_step;
mod typed;
mod zones;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use crate::kernel::{Feature, Interface, Method};
pub use acts::{ActsOn, When};
pub use effect::{Effect, Freshness, Reuse};
pub use forms::{FieldGroup, LABELS, RequiredWhen, label};
pub use machines::{ListedMachine, MACHINES, state_diagrams};
pub use markdown::{endpoint_list, event_list};
pub use records::{RECORDS, RecordList};
pub use row::{Entry, Needs, Owned, Signer, Takes};
pub use section::Section;
pub use stops::Stops;
pub use titles::Confirm;
pub use typed::Input;
pub use zones::Zone;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut entries = core::entries();
    entries.extend(compliance::entries());
    entries.extend(admin::entries());
    let by_name = entries.iter().enumerate().map(|(at, entry)| (entry.name, at)).collect();
    // Of two rows with one function, the first one gives the name.
    let by_function =
        entries.iter().enumerate().rev().map(|(at, entry)| (entry.function, at)).collect();
    Catalog { entries, by_name, by_function }
});

/// All operations, in the order of the specification's tables.
#[derive(Debug)]
pub struct Catalog {
    entries: Vec<Entry>,
    by_name: HashMap<&'static str, usize>,
    by_function: HashMap<&'static str, usize>,
}

/// The global catalog.
#[must_use]
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

impl Catalog {
    /// Iterates over all operations.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The operations of one interface.
    pub fn of(&self, interface: Interface) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.interface == interface)
    }

    /// The operation with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name).and_then(|at| self.entries.get(*at))
    }

    /// The operation that is done by the function with this path, as `std::any::type_name` has it.
    #[must_use]
    pub fn doing(&self, function: &str) -> Option<&Entry> {
        self.by_function.get(function).and_then(|at| self.entries.get(*at))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::operation::Fields;

    /// Whether a schema is a date or a time, required or optional.
    fn is_date(schema: &Value) -> bool {
        let format = schema["format"].as_str().unwrap_or_default();
        matches!(format, "date" | "date-time")
            || schema["anyOf"].as_array().is_some_and(|any| any.iter().any(is_date))
    }

    #[test]
    fn a_year_that_nobody_means_is_refused_wherever_a_date_is_taken() {
        let mut dates = 0;
        for entry in catalog().iter() {
            let mut generator = schemars::SchemaGenerator::default();
            let schema = (entry.input)(&mut generator).to_value();
            let fields = schema["properties"].as_object().into_iter().flatten();
            for (name, schema) in fields.filter(|(_, schema)| is_date(schema)) {
                for wrong in ["+262142-12-31", "-9999-01-01", "-9999-01-01T00:00:00Z"] {
                    let body = json!({ name: wrong }).to_string();
                    let input = Fields::from_json(body.as_bytes()).unwrap();
                    let refused = entry.check(&input).unwrap_err();
                    assert!(refused.fields().contains_key(name), "{} {name}: {schema}", entry.name);
                    let pair = (name.clone(), wrong.to_owned());
                    let queried = Fields::from_pairs([pair]).unwrap();
                    assert!(entry.check(&queried).is_err(), "{} {name}", entry.name);
                    dates += 1;
                }
            }
        }
        assert!(dates > 100, "{dates}");
    }
}
