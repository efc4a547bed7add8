//! Whether an account exists is told by no answer to a log-in or a forgotten password: neither its
//! status, its body, its headers nor, behind `NIL_LONG`, its time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use nil_tests::{Got, Server, every_stack, is_long, or_long, trust};
use serde_json::{Value, json};

const PAIRS: usize = 20;
/// How often times are compared behind `NIL_LONG`.
const TIMED: usize = 1_000;
const ADDRESSES: [&str; 2] = ["/api/login", "/api/forget-password"];

/// What an answer shows, without what differs from one answer to the next in any case.
fn shown(got: &Got) -> (u16, Value, BTreeMap<String, String>) {
    let mut body = got.json();
    if let Some(fields) = body.as_object_mut() {
        fields.remove("request_id");
    }
    let headers = got.headers.iter().filter(|(name, _)| {
        !["date", "x-request-id", "ratelimit-remaining", "ratelimit-reset"].contains(&name.as_str())
    });
    let headers =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (got.status, body, headers.collect())
}

async fn asked(server: &Server, address: &str, email: &str) -> (Got, Duration) {
    let begun = Instant::now();
    let input = json!({ "email": email, "password": "no password of theirs" });
    let got = server.post(address, &input).await;
    (got, begun.elapsed())
}

/// How often a value of the one is greater than one of the other: a half if nothing tells them
/// apart.
fn greater(one: &[Duration], other: &[Duration]) -> f64 {
    let mut wins = 0.0;
    for a in one {
        for b in other {
            wins += if a > b {
                1.0
            } else if a == b {
                0.5
            } else {
                0.0
            };
        }
    }
    wins / (one.len() * other.len()) as f64
}

async fn no_answer_tells_whether_an_account_exists(server: Server) {
    let world = &server.world;
    let brand = world.partner("Cedar Coffee").await;
    let forget_attempts = "DELETE FROM login_failure; DELETE FROM mail_allowance";
    let long = is_long();
    let (mut pairs, mut areas) = (0, Vec::new());
    for address in ADDRESSES {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for number in 0..or_long(PAIRS, TIMED) {
            world.script(forget_attempts).await;
            let stranger = format!("nobody{number}@nowhere.example");
            // Whoever is first has a colder database.
            let (theirs, nobodys) = if number % 2 == 0 {
                let theirs = asked(&server, address, &brand.email).await;
                (theirs, asked(&server, address, &stranger).await)
            } else {
                let nobodys = asked(&server, address, &stranger).await;
                (asked(&server, address, &brand.email).await, nobodys)
            };
            assert_eq!(shown(&theirs.0), shown(&nobodys.0), "{address}");
            known.push(theirs.1);
            unknown.push(nobodys.1);
        }
        pairs += known.len();
        if long {
            let told = greater(&known, &unknown);
            assert!((0.45..0.55).contains(&told), "{address}: {told}");
            areas.push(format!("{address}: AUC {told:.3}"));
        }
    }
    trust::tried("A7", "pairs", pairs);
    if long {
        trust::measured("A7", &areas.join(", "));
    }
}
every_stack!(no_answer_tells_whether_an_account_exists);
