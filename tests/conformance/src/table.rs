//! The table of checks: for each endpoint, who calls it with what and what must hold; and the
//! scenes, which make the records that the calls need. The files are in `table/`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

/// What is sent to an endpoint by whom, and what must come back.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that a row of the file may say")]
pub struct Row {
    /// The operation in `endpoints.tsv`.
    pub operation: String,
    /// The account that may call; `nobody` for none.
    #[serde(rename = "as", default = "nobody")]
    pub caller: String,
    /// The names in the path.
    #[serde(default)]
    pub path: Map<String, Value>,
    /// The fields of the body or the query.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// Whether the fields are sent as a multipart form, with this file as `content`.
    pub file: Option<String>,
    /// The status that is documented for this call.
    #[serde(default = "success")]
    pub status: u16,
    /// The code that goes with a status that is none of success.
    pub code: Option<String>,
    /// The shape of `data`; `[x]` is a page, `feed [x]` a feed.
    pub data: Option<String>,
    /// The shape of the whole body where it has no envelope, or of what stands beside `data`.
    pub body: Option<String>,
    /// The cookie that the answer sets.
    pub cookie: Option<String>,
    /// The media type of an answer that is a file.
    pub sends: Option<String>,
    /// What stands where in the answer: pointers and values.
    #[serde(default)]
    pub holds: BTreeMap<String, Value>,
    /// Values of scenes that must have been made, so that a list is not empty.
    #[serde(default)]
    pub needs: Vec<Value>,
    /// The account of another owner: one record is 404 to it, a list shares no record with its own.
    pub foreign: Option<String>,
    /// Fields with ids: an id that does not exist is 404.
    #[serde(default)]
    pub unknown: Vec<String>,
    /// Fields that name a record beside the one that the call is about: one that does not exist is
    /// 404, or 422 at the field.
    #[serde(default)]
    pub references: Vec<String>,
    /// Fields whose absence is 422.
    #[serde(default)]
    pub required: Vec<String>,
    /// Fields with a value that is 422.
    #[serde(default)]
    pub bad: BTreeMap<String, Value>,
    /// The status of the same call once more, after it succeeded: what the machine of the record
    /// says.
    pub again: Option<u16>,
    /// The code that goes with it.
    pub again_code: Option<String>,
    /// Whether it changes nothing although it is a POST.
    #[serde(default)]
    pub reads: bool,
    /// Whether it changes something although it is a GET.
    #[serde(default)]
    pub changes: bool,
    /// Whether `Idempotency-Key` is not tried, because the first call ends its own credentials.
    #[serde(default)]
    pub once: bool,
    /// Fields that make another request of it, which the same key must refuse.
    #[serde(default)]
    pub other: Map<String, Value>,
    /// Whether unknown fields are refused without being asked: money, lists of figures.
    #[serde(default)]
    pub strict: bool,
    /// Whether the payloads say another order than the newest record first.
    #[serde(default)]
    pub sorted: bool,
    /// Whether the credentials are worthless after it.
    #[serde(default)]
    pub ends: bool,
    /// Statuses for one that the contract names anew: the clarification send answers 422 for most.
    #[serde(default)]
    pub instead: BTreeMap<String, u16>,
    /// Other calls that are refused.
    #[serde(default)]
    pub refused: Vec<Refused>,
    /// Calls that see what the call has done.
    #[serde(default)]
    pub then: Vec<Then>,
    /// Where specification or contract say what the row checks, beside the endpoint's own line.
    pub rule: Option<String>,
}

/// A call that is refused.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The account that calls; the row's own if none is given.
    #[serde(rename = "as")]
    pub caller: Option<String>,
    /// What replaces names in the row's path.
    #[serde(default)]
    pub path: Map<String, Value>,
    /// What replaces fields of the row's input.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// The status.
    pub status: u16,
    /// The code, where the contract names one.
    pub code: Option<String>,
    /// Why it is refused.
    pub why: String,
}

/// A call that sees what the row's call has done.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Then {
    /// The operation in `endpoints.tsv`.
    pub operation: String,
    /// The account that calls.
    #[serde(rename = "as")]
    pub caller: String,
    /// The names in the path.
    #[serde(default)]
    pub path: Map<String, Value>,
    /// The fields of the body or the query.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// The status.
    #[serde(default = "success")]
    pub status: u16,
    /// What stands where in the answer: pointers and values.
    #[serde(default)]
    pub holds: BTreeMap<String, Value>,
}

/// How a record comes to be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The scene that it continues.
    pub from: Option<String>,
    /// Values that are there from the beginning.
    #[serde(default)]
    pub values: Map<String, Value>,
    /// Its calls.
    #[serde(default)]
    pub step: Vec<Step>,
}

/// One call of a scene.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The operation in `endpoints.tsv`.
    #[serde(default)]
    pub operation: String,
    /// The path of a POST of Core or Compliance that goes beyond the specification; without it a
    /// server is not wrong, but cannot be checked further.
    pub extension: Option<String>,
    /// An address that takes bytes by PUT and answers their `ETag`, which is kept as `etag`.
    pub puts: Option<Value>,
    /// The address whose newest mail is read for a code or a link's token.
    pub mailed: Option<Value>,
    /// The account that calls.
    #[serde(rename = "as", default = "nobody")]
    pub caller: String,
    /// The names in the path.
    #[serde(default)]
    pub path: Map<String, Value>,
    /// The fields of the body or the query.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// What is kept of the answer: names and pointers.
    #[serde(default)]
    pub keep: BTreeMap<String, String>,
    /// What arrives a little later: the call is made for some seconds until it is there.
    #[serde(default)]
    pub until: BTreeMap<String, Value>,
}

fn nobody() -> String {
    "nobody".to_owned()
}

fn success() -> u16 {
    200
}

#[derive(Deserialize)]
struct Rows {
    row: Vec<Row>,
}

/// The whole table.
#[derive(Debug)]
pub struct Table {
    /// What is checked, in no order.
    pub rows: Vec<Row>,
    /// The scenes by name.
    pub scenes: BTreeMap<String, Scene>,
    /// The shapes of records by name.
    pub shapes: BTreeMap<String, String>,
}

const ROWS: [&str; 10] = [
    include_str!("../table/core_accounts.toml"),
    include_str!("../table/core_athletes.toml"),
    include_str!("../table/core_partners.toml"),
    include_str!("../table/core_jobs.toml"),
    include_str!("../table/core_chat.toml"),
    include_str!("../table/compliance.toml"),
    include_str!("../table/admin_accounts.toml"),
    include_str!("../table/admin_deals.toml"),
    include_str!("../table/admin_content.toml"),
    include_str!("../table/admin_site.toml"),
];

const SCENES: [&str; 3] = [
    include_str!("../table/scenes_accounts.toml"),
    include_str!("../table/scenes_deals.toml"),
    include_str!("../table/scenes_office.toml"),
];

static TABLE: LazyLock<Result<Table, String>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for text in ROWS {
        rows.extend(toml::from_str::<Rows>(text).map_err(|error| error.to_string())?.row);
    }
    let mut scenes = BTreeMap::new();
    for text in SCENES {
        let read: BTreeMap<String, Scene> =
            toml::from_str(text).map_err(|error| error.to_string())?;
        scenes.extend(read);
    }
    let shapes = toml::from_str(include_str!("../table/shapes.toml"));
    Ok(Table { rows, scenes, shapes: shapes.map_err(|error| error.to_string())? })
});

/// The table; the mistake in its files, if there is one.
pub fn table() -> Result<&'static Table, String> {
    TABLE.as_ref().map_err(Clone::clone)
}

impl Table {
    /// The row of an operation.
    #[must_use]
    pub fn row(&self, operation: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.operation == operation)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_endpoint_has_one_row() {
        let table = table().expect("the files are whole");
        let rows: BTreeSet<&str> = table.rows.iter().map(|row| row.operation.as_str()).collect();
        let all: BTreeSet<&str> = crate::all().iter().map(|endpoint| endpoint.operation).collect();
        assert_eq!(rows, all);
        assert_eq!((table.rows.len(), all.len()), (225, 225));
    }
}
