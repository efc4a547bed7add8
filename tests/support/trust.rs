//! What the tests behind the rows of `docs/trust.md` have tried. The test run makes the page from
//! their notes.

use std::env::var_os;
use std::path::Path;

use serde_json::json;

use crate::long::is_long;

/// Notes that this row was tried so many times, in these things (`"kills"`), and held each time.
/// For the end of a test: one that fails notes nothing.
pub fn tried(row: &str, things: &str, count: usize) {
    note(row, json!({ "things": things, "count": count }));
}

/// Notes what was measured for this row, in words: `"p99 1.3 times as long"`.
pub fn measured(row: &str, figure: &str) {
    note(row, json!({ "figure": figure }));
}

fn note(row: &str, mut what: serde_json::Value) {
    let Some(folder) = var_os("NIL_TEST_TRUST") else { return };
    let thread = std::thread::current();
    let test = var_os("NEXTEST_TEST_NAME")
        .and_then(|name| name.into_string().ok())
        .or_else(|| thread.name().map(str::to_owned))
        .expect("a test has a name");
    what["row"] = json!(row);
    what["test"] = json!(test);
    what["long"] = json!(is_long());
    let digits: String = test.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let thing = what.get("things").and_then(|things| things.as_str()).unwrap_or("figure");
    let name = format!("{row}.{digits}.{}.json", thing.replace(' ', "-"));
    std::fs::create_dir_all(&folder).expect("a folder for notes");
    std::fs::write(Path::new(&folder).join(name), what.to_string()).expect("a note");
}
