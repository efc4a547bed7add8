//! Limits are kept. They are tried after everything else, because they shut the caller out.

use crate::client::{Answer, Proof, Sent};
use crate::endpoints::Endpoint;
use crate::findings::{Findings, Trouble};
use crate::suite::Suite;
use crate::table::Row;
use crate::values::Values;

const LIMITS: &str = "specification 7 and 8; contract, throttles";

/// The longest limit that is tried.
const MOST: u32 = 20;

pub(crate) async fn check(
    suite: &Suite,
    endpoint: &'static Endpoint,
    row: &Row,
    into: &mut Findings,
) {
    if matches!(endpoint.class, "standard" | "public") {
        return;
    }
    into.note("the limit", LIMITS, kept(suite, endpoint, row).await);
}

async fn kept(suite: &Suite, endpoint: &Endpoint, row: &Row) -> Result<(), Trouble> {
    // Without a token, a step of a registration counts for the address.
    let proof = if endpoint.class == "dashboard" {
        suite.proof(&row.caller, &Values::default()).await?
    } else {
        Proof::Nothing
    };
    let mut request = suite.request(endpoint, proof, &row.path, &row.input);
    request.patient = false;
    if endpoint.has_body() {
        // What a registration's step is refused for without its token; else what changes nothing.
        let body = if endpoint.is_open() { "[]" } else { "{}" };
        request.sent = Sent::Raw("application/json".into(), body.into());
    }
    if suite.client.is_forwarded() {
        request.headers.push(("x-forwarded-for", suite.client.address()));
    }
    let mut last: Option<Answer> = None;
    for _ in 0..=MOST {
        let answer = suite.client.send(&request).await?;
        if answer.status == 429 {
            let wait = answer.header("retry-after").parse::<u32>().is_ok_and(|wait| wait >= 1);
            answer.must(wait, "seconds in Retry-After")?;
            return answer.must_refuse(429, None);
        }
        last = Some(answer);
    }
    let expected = format!("429 after at most {MOST} requests in a minute");
    Err(last.map_or_else(|| Trouble::unprepared("no request"), |last| last.instead_of(expected)))
}
