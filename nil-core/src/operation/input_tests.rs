use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::kernel::{Date, JobId, Many, Text, Time};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Line {
    job_id: JobId,
    note: Option<Text<1, 3>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Sample {
    id: i64,
    flag: Option<bool>,
    tags: Option<Vec<String>>,
    lines: Option<Many<Line, 1, 2>>,
}

fn object(value: Value) -> Fields {
    match value {
        Value::Object(map) => Fields::from_object(map),
        _ => panic!("an object"),
    }
}

fn wrong(value: Value) -> Vec<String> {
    let error = read::<Sample>(&object(value)).unwrap_err();
    error.fields().keys().cloned().collect()
}

#[test]
fn text_is_coerced_only_where_it_came_as_text() {
    let fields = Fields::from_pairs(
        [("id", "7"), ("flag", "on"), ("tags", "a,b")].map(|(n, v)| (n.into(), v.into())),
    )
    .unwrap();
    let (sample, _) = read::<Sample>(&fields).unwrap();
    assert_eq!((sample.id, sample.flag), (7, Some(true)));
    assert_eq!(sample.tags.unwrap(), ["a", "b"]);
    assert!(sample.lines.is_none());
    assert_eq!(wrong(json!({ "id": "7" })), ["id"]);
    let many = [("id", "7".to_owned()), ("tags", "a,".repeat(MOST_PAIRS + 1))];
    let many = Fields::from_pairs(many.map(|(name, value)| (name.into(), value))).unwrap();
    assert!(read::<Sample>(&many).is_err());
}

#[test]
fn every_wrong_field_is_named_with_its_path() {
    let input = json!({
        "id": 1.5, "flag": "yes", "lines": [{ "note": "long" }, { "job_id": 0 }, {}]
    });
    assert_eq!(wrong(input), ["flag", "id", "lines"]);
    let input = json!({ "id": 1, "lines": [{ "note": "long" }, { "job_id": 0 }] });
    assert_eq!(wrong(input), ["lines.0.job_id", "lines.0.note", "lines.1.job_id"]);
}

#[test]
fn years_that_nobody_means_are_refused_by_field() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Dated {
        days: Many<Option<Date>, 0, 3>,
        at: Option<Time>,
        name: Option<Text<1, 40>>,
    }
    let wrong = |value: Value| {
        let error = read::<Dated>(&object(value)).unwrap_err();
        let field = |(name, said): (&String, &Vec<String>)| (name.clone(), said.join("; "));
        error.fields().iter().map(field).collect::<Vec<_>>()
    };
    for day in ["+262142-12-31", "-9999-01-01", "1899-12-31"] {
        let expected = ("days.1".to_owned(), YEARS.to_owned());
        assert_eq!(wrong(json!({ "days": [null, day] })), [expected]);
    }
    for at in ["+262142-12-31T00:00:00Z", "9999-12-31T23:59:59-10:00"] {
        let expected = ("at".to_owned(), YEARS.to_owned());
        assert_eq!(wrong(json!({ "days": [], "at": at })), [expected]);
    }
    let right = json!({ "days": ["1900-01-01", "9999-12-31"], "name": "-9999-01-01" });
    let (dated, _) = read::<Dated>(&object(right)).unwrap();
    assert!(dated.at.is_none() && dated.name.is_some() && dated.days.into_vec().len() == 2);
}

#[test]
fn lists_are_no_objects_at_any_depth() {
    assert_eq!(wrong(json!({ "id": 1, "lines": [[1, null]] })), ["lines.0"]);
    assert!(Fields::from_json(b"[1]").is_err());
}

#[test]
fn what_nobody_asked_for_is_named() {
    let input = json!({ "id": 1, "x": 1, "lines": [{ "job_id": 1, "y": {} }] });
    let (sample, unknown) = read::<Sample>(&object(input)).unwrap();
    let lines = sample.lines.unwrap().into_vec();
    assert_eq!((lines[0].job_id.get(), &lines[0].note), (1, &None));
    assert_eq!(unknown, ["lines.0.y", "x"]);
}
