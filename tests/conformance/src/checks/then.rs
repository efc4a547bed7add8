//! What a call has done can be seen: answered is not done.

use serde_json::Value;

use crate::client::Answer;
use crate::endpoints::named;
use crate::findings::Trouble;
use crate::table::Then;
use crate::trial::Trial;

/// Values of the answer are `$names`.
pub(crate) async fn check(trial: &mut Trial<'_>, first: &Answer) {
    if let Some(data) = first.json.get("data").and_then(Value::as_object) {
        trial.values.local.clone_from(data);
    }
    let rule = trial.row.rule.as_deref().unwrap_or("model, state machines");
    for call in &trial.row.then {
        let outcome = seen(trial, call).await;
        trial.note(format!("seen by {}", call.operation), rule, outcome);
    }
}

async fn seen(trial: &Trial<'_>, call: &Then) -> Result<(), Trouble> {
    let unknown = || Trouble::unprepared(format!("there is no operation `{}`", call.operation));
    let endpoint = named(&call.operation).ok_or_else(unknown)?;
    let path = trial.values.fields(&call.path).map_err(Trouble::unprepared)?;
    let input = trial.values.fields(&call.input).map_err(Trouble::unprepared)?;
    let proof = trial.suite.proof(&call.caller, &trial.values).await?;
    let answer = trial.suite.send(endpoint, proof, &path, &input).await?;
    answer.must(answer.status == call.status, call.status.to_string())?;
    for (pointer, expected) in &call.holds {
        let expected: Value = trial.values.fill(expected).map_err(Trouble::unprepared)?;
        let holds = answer.json.pointer(pointer).unwrap_or(&Value::Null) == &expected;
        answer.must(holds, format!("{pointer} = {expected}"))?;
    }
    Ok(())
}
