//! What people send to keep their accounts safe stands in no log, however much is logged:
//! passwords, tokens, codes, links, cookies and e-mail addresses, in requests that succeed and that
//! fail.

use nil_tests::{Engine, PASSWORD, World, both, or_long, trust};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

const EMAIL: &str = "ada.vale@quiet.example";
const WRONG: &str = "not the password at all";

async fn post(served: &Served, path: &str, body: &Value) -> Value {
    let answer = served.client.post(format!("{}/api/{path}", served.core)).json(body);
    answer.send().await.unwrap().json().await.unwrap()
}

/// The text of the newest mail of this event.
fn mail(nil: &Nil, event: &str) -> String {
    let rows: Vec<Value> =
        serde_json::from_slice(&nil.run(&["outbox", "list", "--json"]).stdout).unwrap();
    let row = rows.iter().find(|row| row["event"] == event && row["to"] == EMAIL);
    row.unwrap_or_else(|| panic!("no {event} in {rows:?}"))["body"].as_str().unwrap().to_owned()
}

async fn no_secret_stands_in_a_log(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world).with("NIL_LOG", "trace").with("NIL_THROTTLE", "off");
    let served = Served::start(&nil, &[]);
    let mut secrets = vec![PASSWORD.to_owned(), WRONG.into(), EMAIL.into()];

    let begun = post(&served, "agent/register-new", &json!({})).await;
    let token = begun["data"]["registration_token"].as_str().unwrap().to_owned();
    let step = async |number: &str, mut body: Value| {
        body["registration_token"] = json!(token);
        post(&served, &format!("agent/update-registration-step{number}"), &body).await
    };
    step("2", json!({ "email": EMAIL, "password": PASSWORD })).await;
    step("3", json!({
        "agency_name": "Quiet", "first_name": "Ada", "last_name": "Vale", "phone": "+13125550100",
    }))
    .await;
    step("4", json!({ "network_profile_url": "https://network.example/ada" })).await;
    let words = mail(&nil, "otp.sent");
    let code = words.split(|c: char| !c.is_ascii_digit()).find(|word| word.len() == 6).unwrap();
    assert_eq!(step("7", json!({ "otp": "x".repeat(6) })).await["code"], "validation_failed");
    let finished = step("7", json!({ "otp": code })).await;
    let bearer = finished["data"]["access_token"].as_str().unwrap().to_owned();
    secrets.extend([token.clone(), code.to_owned(), bearer.clone()]);

    // Bodies that cannot be read, and credentials where they do not belong.
    let spoilt = format!("{{\"email\": \"{EMAIL}\", \"password\": \"{WRONG}\"");
    let login = format!("{}/api/login", served.core);
    served
        .client
        .post(&login)
        .header("content-type", "application/json")
        .body(spoilt)
        .send()
        .await
        .unwrap();
    post(&served, "login", &json!({ "email": EMAIL, "password": WRONG })).await;
    post(&served, "login", &json!({ "email": EMAIL, "password": { "a": WRONG } })).await;
    let session = post(&served, "login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    secrets.push(session["access_token"].as_str().unwrap().to_owned());
    for address in [
        format!("{}/api/subscriptions/plans?token={bearer}&password={WRONG}", served.core),
        format!("{}/api/{bearer}", served.core),
    ] {
        served.client.get(address).send().await.unwrap();
    }
    post(&served, "forget-password", &json!({ "email": EMAIL })).await;
    let words = mail(&nil, "password.reset");
    let link = words.split(|c: char| c.is_whitespace()).find(|word| word.contains("://")).unwrap();
    let link = link.rsplit(['=', '/']).next().unwrap();
    assert!(link.len() > 20, "{link}");
    secrets.push(link.to_owned());
    served
        .client
        .get(format!("{}/reset-password/{link}?token={link}", served.core))
        .send()
        .await
        .unwrap();

    // Many more, each with a password and a token of its own.
    for number in 0..or_long(5, 600) {
        let wrong = format!("{WRONG} {number}");
        post(&served, "login", &json!({ "email": EMAIL, "password": wrong })).await;
        let session =
            post(&served, "login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
        secrets.push(session["access_token"].as_str().unwrap().to_owned());
    }

    // The back office: a session's cookie and its form token.
    world.new_operator("quiet@nil.example", nil_core::auth::Permission::All).await;
    let csrf = format!("{}/admin/updateCsrfToken", served.back_office);
    let visit = served.client.get(csrf).send().await.unwrap();
    let cookie =
        visit.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let visit: Value = visit.json().await.unwrap();
    let form = visit["data"]["csrf_token"].as_str().unwrap().to_owned();
    let entered = served
        .client
        .post(format!("{}/admin/check-login", served.back_office))
        .header("cookie", &cookie)
        .header("x-csrf-token", &form)
        .json(&json!({ "email": "quiet@nil.example", "password": PASSWORD }))
        .send()
        .await
        .unwrap();
    assert_eq!(entered.status(), 200);
    let inside = entered.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap();
    let value = |cookie: &str| cookie.split_once('=').unwrap().1.to_owned();
    secrets.extend([value(&cookie), value(inside), form, "quiet@nil.example".into()]);

    let log = served.log();
    let lines = log.lines().count();
    for secret in &secrets {
        let told = log.lines().find(|line| line.contains(secret.as_str()));
        assert!(told.is_none(), "{secret} stands in {told:?}");
    }
    assert!(lines > 10, "{log}");
    trust::tried("A16", "lines", lines);
    trust::tried("A16", "secrets", secrets.len());
}
both!(no_secret_stands_in_a_log);
