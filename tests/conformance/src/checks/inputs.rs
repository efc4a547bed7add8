//! Inputs that are refused: unknown fields, missing ones, values that cannot be.

use serde_json::{Map, Value, json};

use crate::client::{Answer, Request};
use crate::findings::Trouble;
use crate::trial::{Trial, with};

/// A field that no endpoint has.
const UNKNOWN: &str = "conformance_unknown";
const FIELDS: &str = "contract, JSON: unknown fields";
const VALUES: &str = "contract, status codes; payloads";

pub(crate) async fn check(trial: &mut Trial<'_>) {
    let unknown = with(&trial.input, UNKNOWN, json!("1"));
    if trial.row.file.is_none() {
        let mut request = trial.request_of(&unknown);
        request.headers.push(("prefer", "handling=strict".into()));
        names(trial, ("an unknown field, asked to be strict", FIELDS), request, UNKNOWN).await;
    }
    if trial.row.strict {
        let request = trial.request_of(&unknown);
        names(trial, ("an unknown field where it is refused", FIELDS), request, UNKNOWN).await;
    } else if trial.reads() && trial.row.status == 200 && trial.row.sends.is_none() {
        let outcome = trial.send(&trial.request_of(&unknown)).await.and_then(|answer| {
            let named = answer.header("x-ignored-fields").contains(UNKNOWN);
            answer.must(answer.status == 200 && named, "200 with the field in X-Ignored-Fields")
        });
        trial.note("an unknown field", FIELDS, outcome);
    }
    for field in &trial.row.required {
        let mut input = trial.input.clone();
        input.remove(field);
        let request = trial.request_of(&input);
        names(trial, (&format!("without {field}"), VALUES), request, field).await;
    }
    let bad: Result<Map<String, Value>, _> = trial
        .row
        .bad
        .iter()
        .map(|(f, v)| Ok::<_, String>((f.clone(), trial.values.fill(v)?)))
        .collect();
    for (field, value) in bad.unwrap_or_default() {
        let check = format!("{field} = {value}");
        let request = trial.request_of(&with(&trial.input, &field, value));
        names(trial, (&check, VALUES), request, &field).await;
    }
}

/// Notes whether a request is refused with 422, naming a field.
async fn names(trial: &mut Trial<'_>, (check, rule): (&str, &str), request: Request, field: &str) {
    let outcome = trial.send(&request).await.and_then(|answer| names_it(&answer, field));
    trial.note(check, rule, outcome);
}

/// Fails unless it is a 422 that names a field.
pub(crate) fn names_it(answer: &Answer, field: &str) -> Result<(), Trouble> {
    answer.must_refuse(422, None)?;
    let named = answer.json.get("errors").and_then(Value::as_object).is_some_and(|errors| {
        errors.iter().any(|(name, told)| {
            let texts = told.as_array().is_some_and(|told| told.iter().all(Value::is_string));
            texts && (name == field || name.starts_with(&format!("{field}.")))
        })
    });
    answer.must(named, format!("422 with texts at errors.{field}"))
}
