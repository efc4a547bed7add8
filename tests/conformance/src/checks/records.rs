//! Records that the caller does not find: none with that id, another owner's; and calls that the
//! row says are refused.

use serde_json::{Map, Value, json};

use crate::checks::inputs::names_it;
use crate::findings::Trouble;
use crate::trial::{Trial, with};

/// An id that no record has.
const NOWHERE: u64 = 9_000_000_000_001;
const IDS: &str = "contract, JSON: ids";
const OWNERS: &str = "contract, status codes: another owner";

pub(crate) async fn check(trial: &mut Trial<'_>) {
    for field in &trial.row.unknown {
        let nowhere = json!(NOWHERE);
        let on_path = trial.path.contains_key(field);
        let (path, input) = if on_path {
            (with(&trial.path, field, nowhere), trial.input.clone())
        } else {
            (trial.path.clone(), with(&trial.input, field, nowhere))
        };
        let status = trial.status(404);
        let request = trial.request_with(trial.proof.clone(), &path, &input);
        trial.refuses((format!("a {field} that nobody has"), IDS), request, (status, None)).await;
        if on_path {
            let path = with(&trial.path, field, json!("abc"));
            let request = trial.request_with(trial.proof.clone(), &path, &trial.input);
            trial.refuses((format!("{field} = abc"), IDS), request, (status, None)).await;
        }
    }
    for field in &trial.row.references {
        let request = trial.request_of(&with(&trial.input, field, json!(NOWHERE)));
        let outcome = trial.send(&request).await.and_then(|answer| match answer.status {
            404 => answer.must_refuse(404, None),
            _ => names_it(&answer, field),
        });
        trial.note(format!("a {field} that nobody has"), IDS, outcome);
    }
    if let Some(part) = &trial.row.foreign
        && !is_list(trial.row.data.as_deref())
    {
        let check = format!("another's record, called by {part}");
        match trial.suite.proof(part, &trial.values).await {
            Ok(proof) => {
                let request = trial.request_with(proof, &trial.path, &trial.input);
                let status = trial.status(404);
                trial.refuses((check, OWNERS), request, (status, None)).await;
            }
            Err(trouble) => trial.note(check, OWNERS, Err(trouble)),
        }
    }
    refused(trial).await;
}

pub(crate) fn is_list(data: Option<&str>) -> bool {
    data.is_some_and(|data| data.starts_with('[') || data.starts_with("feed "))
}

async fn refused(trial: &mut Trial<'_>) {
    let rule = trial.row.rule.as_deref().unwrap_or("model, state machines; payloads");
    for call in &trial.row.refused {
        let proof = match &call.caller {
            Some(caller) => trial.suite.proof(caller, &trial.values).await,
            None => Ok(trial.proof.clone()),
        };
        let filled = |over: &Map<String, Value>, fields: &Map<String, Value>| {
            let over = trial.values.fields(over).map_err(Trouble::unprepared)?;
            let mut fields = fields.clone();
            fields.extend(over);
            Ok::<_, Trouble>(fields)
        };
        let asked = filled(&call.path, &trial.path)
            .and_then(|path| Ok((path, filled(&call.input, &trial.input)?)))
            .and_then(|(path, input)| Ok(trial.request_with(proof?, &path, &input)));
        match asked {
            Ok(request) => {
                let refusal = (call.status, call.code.as_deref());
                trial.refuses((call.why.clone(), rule), request, refusal).await;
            }
            Err(trouble) => trial.note(call.why.clone(), rule, Err(trouble)),
        }
    }
}
