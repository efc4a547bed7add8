//! The same call once more: with its key, and without.

use crate::checks::answers::key;
use crate::client::Answer;
use crate::findings::Trouble;
use crate::trial::Trial;

const KEYS: &str = "contract, JSON: Idempotency-Key";

pub(crate) async fn check(trial: &mut Trial<'_>, first: &Answer) {
    if let Some(key) = key(trial) {
        let request = trial.keyed(trial.request(), key.clone());
        let outcome = trial.send(&request).await.and_then(|again| {
            let same = again.status == first.status && again.bytes == first.bytes;
            again.must(same, format!("the first answer again, byte for byte: {}", first.told()))
        });
        trial.note("the same key again", KEYS, outcome);
        if !trial.row.other.is_empty() {
            reused(trial, key).await;
        }
    }
    if trial.row.changes && !trial.row.ends {
        let outcome = twice(trial, first).await;
        trial.note("twice is once", "contract, authentication: GETs that change", outcome);
    }
    if let Some(status) = trial.row.again {
        let rule = trial.row.rule.as_deref().unwrap_or("model, state machines");
        let code = trial.row.again_code.as_deref();
        if status == 200 {
            let outcome = trial.send(&trial.request()).await;
            let outcome = outcome.and_then(|answer| answer.must(answer.status == 200, "200"));
            trial.note("once more", rule, outcome);
        } else {
            let request = trial.request();
            trial.refuses(("once more", rule), request, (status, code)).await;
        }
    }
}

/// A GET that changes something changes it once.
async fn twice(trial: &Trial<'_>, first: &Answer) -> Result<(), Trouble> {
    let again = trial.send(&trial.request()).await?;
    let same = again.json.pointer("/data/id") == first.json.pointer("/data/id");
    let once = again.status == 409 || (again.status == 200 && same);
    again.must(once, "the same record again, or 409")
}

async fn reused(trial: &mut Trial<'_>, key: String) {
    let mut input = trial.input.clone();
    match trial.values.fields(&trial.row.other) {
        Ok(other) => input.extend(other),
        Err(mistake) => {
            return trial.note("the key reused", KEYS, Err(Trouble::unprepared(mistake)));
        }
    }
    let request = trial.keyed(trial.request_of(&input), key);
    let refusal = (trial.status(409), Some("idempotency_key_reused"));
    trial.refuses(("the key reused", KEYS), request, refusal).await;
}

/// Credentials that the call has ended are worth nothing.
pub(crate) async fn check_ending(trial: &mut Trial<'_>) {
    if trial.row.ends {
        let request = trial.request();
        let rule = "specification 5; contract, authentication";
        trial.refuses(("the ended session", rule), request, (401, None)).await;
    }
}
