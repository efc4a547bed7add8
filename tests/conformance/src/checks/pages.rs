//! Pages and feeds: their sizes, their counts, and whose records they hold.

use std::collections::BTreeSet;

use chrono::DateTime;
use serde_json::{Value, json};

use crate::checks::records::is_list;
use crate::client::Answer;
use crate::findings::Trouble;
use crate::trial::{Trial, with};

const PAGES: &str = "contract, JSON: lists";
const OWNERS: &str = "contract, status codes: another owner";

pub(crate) async fn check(trial: &mut Trial<'_>, answer: &Answer) {
    let data = trial.row.data.as_deref().unwrap_or_default();
    if data.starts_with("feed ") {
        feed(trial).await;
    } else if data.starts_with('[') && answer.json.get("pagination").is_some() {
        pages(trial, answer).await;
    } else if data.starts_with('[') && trial.row.body.is_none() {
        let outcome = answer.must(false, "`pagination` beside a list");
        trial.note("pages", PAGES, outcome);
    }
    if is_list(trial.row.data.as_deref())
        && let Some(part) = &trial.row.foreign
    {
        let check = format!("the list of {part}");
        let outcome = apart(trial, part, answer).await;
        trial.note(check, OWNERS, outcome);
    }
}

/// The counts beside a page: which one, how long, how many records and pages.
fn counts(answer: &Answer) -> Result<[u64; 4], Trouble> {
    let count = |name: &str| {
        let found = answer.json.pointer(&format!("/pagination/{name}")).and_then(Value::as_u64);
        found.ok_or_else(|| answer.instead_of(format!("a number at pagination.{name}")))
    };
    Ok([count("page")?, count("per_page")?, count("total")?, count("pages")?])
}

fn ids(answer: &Answer) -> Vec<&Value> {
    let rows = answer.json.get("data").and_then(Value::as_array);
    rows.into_iter().flatten().filter_map(|row| row.get("id")).collect()
}

fn length(answer: &Answer) -> u64 {
    let rows = answer.json.get("data").and_then(Value::as_array).map_or(0, Vec::len);
    u64::try_from(rows).unwrap_or(u64::MAX)
}

/// Records stand newest first where neither the caller nor the payloads say otherwise.
fn newest_first(trial: &Trial<'_>, answer: &Answer) -> Option<Result<(), Trouble>> {
    if trial.row.sorted || trial.input.contains_key("sort") {
        return None;
    }
    let rows = answer.json.get("data").and_then(Value::as_array)?;
    let at = |row: &Value| row.get("created_at").and_then(Value::as_str).map(str::to_owned);
    let times: Vec<_> = rows.iter().map(at).collect::<Option<Vec<_>>>()?;
    let moments: Vec<_> = times.iter().flat_map(|t| DateTime::parse_from_rfc3339(t)).collect();
    Some(answer.must(moments.is_sorted_by(|a, b| a >= b), "the newest record first"))
}

async fn pages(trial: &mut Trial<'_>, answer: &Answer) {
    if let Some(outcome) = newest_first(trial, answer) {
        trial.note("order", PAGES, outcome);
    }
    let whole = counts(answer).and_then(|[page, per_page, total, pages]| {
        answer.must((page, per_page) == (1, 20), "page 1 of 20 a page")?;
        let right = pages == total.div_ceil(20) || (total == 0 && pages <= 1);
        answer.must(right, format!("as many pages as {total} records fill"))?;
        answer.must(length(answer) == total.min(20), format!("the first of {total} records"))
    });
    trial.note("pages", PAGES, whole);
    let one = with(&trial.input, "per_page", json!(1));
    let first = trial.send(&trial.request_of(&one)).await;
    let second = trial.send(&trial.request_of(&with(&one, "page", json!(2)))).await;
    let outcome = first.and_then(|first| {
        let [page, per_page, total, pages] = counts(&first)?;
        first.must((page, per_page) == (1, 1), "page 1 of 1 a page")?;
        first.must(pages == total, "as many pages as records")?;
        first.must(length(&first) == total.min(1), "one record on a page of one")?;
        let second = second?;
        let [page, per_page, total, _] = counts(&second)?;
        second.must((page, per_page) == (2, 1), "page 2 of 1 a page")?;
        second.must(length(&second) == total.saturating_sub(1).min(1), "the second record")?;
        let apart = ids(&first).iter().all(|id| !ids(&second).contains(id));
        second.must(apart, "another record than on the first page")
    });
    trial.note("pages of one", PAGES, outcome);
    for (check, field, value) in
        [("a page of 101", "per_page", 101), ("page 0", "page", 0), ("a page of 0", "per_page", 0)]
    {
        let request = trial.request_of(&with(&trial.input, field, json!(value)));
        trial.refuses((check, PAGES), request, (422, None)).await;
    }
}

async fn feed(trial: &mut Trial<'_>) {
    let one = trial.send(&trial.request_of(&with(&trial.input, "limit", json!(1)))).await;
    let outcome = one.and_then(|one| {
        let limit = one.json.pointer("/pagination/limit");
        one.must(limit == Some(&json!(1)), "pagination.limit = 1")?;
        let next = one.json.pointer("/pagination/next_before_id");
        one.must(next.is_some(), "pagination.next_before_id")?;
        one.must(length(&one) <= 1, "at most one record")
    });
    trial.note("a feed of one", "contract, JSON: feeds", outcome);
    let request = trial.request_of(&with(&trial.input, "limit", json!(201)));
    trial.refuses(("a feed of 201", "contract, JSON: feeds"), request, (422, None)).await;
}

/// Two owners' lists have no record in common.
async fn apart(trial: &Trial<'_>, part: &str, mine: &Answer) -> Result<(), Trouble> {
    let proof = trial.suite.proof(part, &trial.values).await?;
    let request = trial.request_with(proof, &trial.path, &trial.input);
    let theirs = trial.send(&request).await?;
    theirs.must(theirs.status == 200, "200")?;
    let texts =
        |answer: &Answer| ids(answer).iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let common: Vec<String> = texts(mine).intersection(&texts(&theirs)).cloned().collect();
    theirs.must(common.is_empty(), format!("no record of another owner, such as {common:?}"))
}
