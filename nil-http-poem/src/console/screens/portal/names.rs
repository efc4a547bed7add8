//! Names beside the numbers of athletes, where an answer has only the numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::table::rows_of;

/// The field with the name, in the rows that get one.
const NAME: &str = "athlete_name";

/// An answer whose rows name their athletes: one read for all rows, none if they have the names.
pub(in crate::console::screens) async fn with_athletes(
    page: &Page<'_>,
    mut answer: Value,
) -> Value {
    let lacks = |row: &&Value| !row.part(NAME).is_string() && !row.part("athlete").is_string();
    let rows = rows_of(&answer).iter().filter(lacks);
    let ids: BTreeSet<i64> = rows.filter_map(|row| row.part("athlete_id").as_i64()).collect();
    if ids.is_empty() {
        return answer;
    }
    let asked = Map::from_iter([
        ("per_page".to_owned(), Value::from(ids.len())),
        ("athlete_ids".to_owned(), ids.into_iter().collect()),
    ]);
    let known = page.part("athlete.list", asked).await.unwrap_or_default();
    let name = |row: &Value| {
        let name = row.part("display_name").as_str()?.to_owned();
        Some((row.part("id").as_i64()?, name))
    };
    let names: BTreeMap<i64, String> = rows_of(&known).iter().filter_map(name).collect();
    let rows = answer.get_mut("data").and_then(Value::as_array_mut);
    for row in rows.into_iter().flatten().filter_map(Value::as_object_mut) {
        let id = row.get("athlete_id").and_then(Value::as_i64);
        if let Some(name) = id.and_then(|id| names.get(&id)) {
            row.entry(NAME).or_insert_with(|| name.as_str().into());
        }
    }
    answer
}
