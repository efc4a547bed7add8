//! The tool gateway over HTTP: both sides authenticate, every request counts once, and a host sees
//! one athlete only.

use std::path::Path;
use std::process::Command;

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::{Scope, api_key};
use nil_core::kernel::{Secret, UserId};
use nil_tests::{Engine, Frontend, Host, Server, World, both, every_stack};
use serde_json::json;

const DEALS: &str = "deals";

async fn a_host_sees_the_rows_of_the_athlete_whose_token_it_shows(server: Server) {
    let world = &server.world;
    let host = world.host(Scope::AiTools).await;
    let ours = world.active(json!({ "title": "Ours" })).await;
    let theirs = world.active(json!({ "title": "Theirs" })).await;
    for (hire, title, other) in [(&ours, "Ours", &theirs), (&theirs, "Theirs", &ours)] {
        let token = world.athlete_token(&hire.athlete).await;
        let got = host.send(&server, &host.request(world, DEALS, &token, "{}")).await;
        assert_eq!((got.status, got.header("x-interface-extension")), (200, "1"));
        let rows = got.json()["data"].clone();
        assert_eq!(rows.as_array().unwrap().len(), 1, "{rows}");
        assert_eq!((&rows[0]["title"], &rows[0]["job_id"]), (&json!(title), &json!(hire.job)));
        for tool in [DEALS, "deliverables", "payments", "contract-terms"] {
            let own = json!({ "job_id": hire.job }).to_string();
            let got = host.send(&server, &host.request(world, tool, &token, &own)).await;
            assert_eq!(got.status, 200, "{tool}: {:#}", got.json());
            let foreign = json!({ "job_id": other.job }).to_string();
            let got = host.send(&server, &host.request(world, tool, &token, &foreign)).await;
            assert_eq!((got.status, got.code().as_str()), (404, "not_found"), "{tool}");
        }
        let foreign = json!({ "job_id": other.job, "text": "May I?" }).to_string();
        let request = host.request(world, "draft-clarification", &token, &foreign);
        assert_eq!(host.send(&server, &request).await.status, 404);
    }
}
every_stack!(a_host_sees_the_rows_of_the_athlete_whose_token_it_shows);

async fn a_key_without_the_scope_or_none_stays_outside(server: Server) {
    let world = &server.world;
    let athlete = world.athlete("Zoe Okafor").await;
    let token = world.athlete_token(&athlete).await;
    let host = world.host(Scope::AiTools).await;
    let request = host.request(world, DEALS, &token, "{}");
    let stranger = Host { key: Secret::new("nil_unknown"), ..host.clone() };
    let got = server.send(stranger.build(&server, &request)).await;
    assert_eq!((got.status, got.code().as_str()), (401, "unauthenticated"));
    assert_eq!(got.header("x-signature"), "", "nothing is signed for strangers");
    let got = server.post("/api/ai-tools/deals", &json!({})).await;
    assert_eq!((got.status, got.code().as_str()), (401, "unauthenticated"));
    // The athlete's own session token is not an API key.
    let own = athlete.token.as_deref().unwrap();
    let own = server.request(reqwest::Method::POST, "/api/ai-tools/deals").bearer_auth(own);
    assert_eq!(server.send(own).await.status, 401);

    for scope in [Scope::Internal, Scope::Affiliate] {
        let other = world.host(scope).await;
        let request = other.request(world, DEALS, &token, "{}");
        let got = other.send(&server, &request).await;
        assert_eq!((got.status, got.code().as_str()), (403, "forbidden"), "{scope}");
    }
    api_key::revoke(&world.platform, host.id).await.unwrap();
    assert_eq!(server.send(host.build(&server, &request)).await.status, 401);
}
every_stack!(a_key_without_the_scope_or_none_stays_outside);

async fn a_token_is_one_athletes_for_ten_minutes(server: Server) {
    let world = &server.world;
    let hire = world.active(json!({})).await;
    let other = world.athlete("Ida Novak").await;
    let host = world.host(Scope::AiTools).await;
    let token = world.athlete_token(&hire.athlete).await;
    let (id, rest) = token.split_once('.').unwrap();
    assert_eq!(id, hire.athlete.id.to_string());
    let (until, mark) = rest.split_once('.').unwrap();
    let later = until.parse::<i64>().unwrap() + 3_600;
    let foreign = world.athlete_token(&other).await;
    let foreign_mark = foreign.rsplit_once('.').unwrap().1;
    for wrong in [
        String::new(),
        "x".into(),
        format!("{}.{until}.{mark}", other.id),
        format!("{id}.{later}.{mark}"),
        format!("{id}.{until}.{foreign_mark}"),
        format!("{id}.{until}."),
        format!("{id}.{until}.{mark}0"),
        format!("0{token}"),
    ] {
        let got = host.send(&server, &host.request(world, DEALS, &wrong, "{}")).await;
        assert_eq!((got.status, got.code().as_str()), (401, "athlete_token_invalid"), "{wrong}");
    }
    world.pass(TimeDelta::seconds(599));
    let good = host.send(&server, &host.request(world, DEALS, &token, "{}")).await;
    assert_eq!(good.status, 200);
    world.pass(TimeDelta::seconds(1));
    let over = host.send(&server, &host.request(world, DEALS, &token, "{}")).await;
    assert_eq!((over.status, over.code().as_str()), (401, "athlete_token_invalid"));
}
every_stack!(a_token_is_one_athletes_for_ten_minutes);

async fn an_athlete_who_is_suspended_has_no_host_any_more(server: Server) {
    let world = &server.world;
    let athlete = world.athlete("Zoe Okafor").await;
    let host = world.host(Scope::AiTools).await;
    let token = world.athlete_token(&athlete).await;
    let user = UserId::new(athlete.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
    let got = host.send(&server, &host.request(world, DEALS, &token, "{}")).await;
    assert_eq!((got.status, got.code().as_str()), (401, "athlete_token_invalid"));
}
every_stack!(an_athlete_who_is_suspended_has_no_host_any_more);

async fn a_request_is_taken_once_on_whichever_server(server: Server) {
    let world = &server.world;
    let athlete = world.athlete("Zoe Okafor").await;
    let host = world.host(Scope::AiTools).await;
    let token = world.athlete_token(&athlete).await;
    let request = host.request(world, DEALS, &token, "{}");
    assert_eq!(host.send(&server, &request).await.status, 200);
    let replica = Server::start(world.replica().await, Frontend::Warp).await;
    for server in [&server, &replica] {
        let again = host.send(server, &request).await;
        assert_eq!((again.status, again.code().as_str()), (401, "request_replayed"));
    }
    // Of many concurrent requests, one succeeds.
    let request = host.request(world, DEALS, &token, "{}");
    let all = (0..16).map(|n| host.send(if n % 2 == 0 { &server } else { &replica }, &request));
    let all = futures::future::join_all(all).await;
    assert_eq!(all.iter().filter(|got| got.status == 200).count(), 1);
    // Nonces are scoped to a key: another host may use the same one.
    let other = world.host(Scope::AiTools).await;
    let mut same = request.clone();
    other.sign(&mut same);
    assert_eq!(other.send(&server, &same).await.status, 200);
}
every_stack!(a_request_is_taken_once_on_whichever_server);

async fn nonces_are_remembered_until_their_request_is_stale(server: Server) {
    let world = &server.world;
    let athlete = world.athlete("Zoe Okafor").await;
    let host = world.host(Scope::AiTools).await;
    // A request dated in the near future stays valid longest.
    let token = world.athlete_token(&athlete).await;
    let mut request = host.request(world, DEALS, &token, "{}");
    request.timestamp = (world.platform.now().timestamp() + 300).to_string();
    host.sign(&mut request);
    assert_eq!(host.send(&server, &request).await.status, 200);
    world.pass(TimeDelta::seconds(590));
    nil_core::worker::round(&world.platform).await.unwrap();
    let again = host.send(&server, &request).await;
    assert_eq!(again.code(), "request_replayed");
    world.pass(TimeDelta::seconds(311));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(world.contents().await["used_nonce"], "");
}
every_stack!(nonces_are_remembered_until_their_request_is_stale);

async fn stale_and_tampered_requests_are_refused_and_use_nothing_up(server: Server) {
    let world = &server.world;
    let hire = world.active(json!({})).await;
    let other = world.athlete("Ida Novak").await;
    let host = world.host(Scope::AiTools).await;
    let token = world.athlete_token(&hire.athlete).await;
    let now = world.platform.now().timestamp();
    for (away, status) in [(301, 401), (-301, 401), (300, 200), (-300, 200)] {
        let mut request = host.request(world, DEALS, &token, "{}");
        request.timestamp = (now + away).to_string();
        host.sign(&mut request);
        let got = host.send(&server, &request).await;
        assert_eq!(got.status, status, "{away}");
        if status == 401 {
            assert_eq!(got.code(), "request_stale");
        }
    }
    let right = host.request(world, DEALS, &token, "{}");
    let mut bent = Vec::new();
    for bend in 0..9 {
        let mut request = right.clone();
        match bend {
            0 => request.body = json!({ "job_id": hire.job }).to_string(),
            1 => request.body = "{} ".into(),
            2 => request.path = "/api/ai-tools/payments".into(),
            3 => request.path.push_str("?x=1"),
            4 => request.timestamp = (now + 1).to_string(),
            5 => request.nonce = format!("{}x", request.nonce),
            6 => request.token = world.athlete_token(&other).await,
            7 => request.signature.clear(),
            _ => request.signature = "0".repeat(64),
        }
        bent.push(request);
    }
    // Signed with the key itself, or by another host.
    let mut request = right.clone();
    Host { signing: host.key.clone(), ..host.clone() }.sign(&mut request);
    bent.push(request.clone());
    world.host(Scope::AiTools).await.sign(&mut request);
    bent.push(request);
    for (number, request) in bent.iter().enumerate() {
        let got = host.send(&server, request).await;
        assert_eq!((got.status, got.code().as_str()), (401, "signature_invalid"), "{number}");
    }
    assert_eq!(host.send(&server, &right).await.status, 200, "the nonce was still good");
    for nonce in ["", "short", "0123456789abcde!"] {
        let mut request = right.clone();
        request.nonce = nonce.into();
        host.sign(&mut request);
        assert_eq!(host.send(&server, &request).await.code(), "signature_invalid", "{nonce:?}");
    }
    for missing in ["x-timestamp", "x-nonce", "x-signature"] {
        let request = host.request(world, DEALS, &token, "{}");
        let mut built = host.build(&server, &request).build().unwrap();
        built.headers_mut().remove(missing);
        let got = server.client.execute(built).await.unwrap();
        assert_eq!(got.status(), 401, "{missing}");
    }
}
every_stack!(stale_and_tampered_requests_are_refused_and_use_nothing_up);

async fn what_is_wrong_with_a_good_hosts_request_is_said_as_everywhere(server: Server) {
    let world = &server.world;
    let athlete = world.athlete("Zoe Okafor").await;
    let host = world.host(Scope::AiTools).await;
    let token = world.athlete_token(&athlete).await;
    for (tool, body, status, code) in [
        (DEALS, "{", 400, "malformed_json"),
        (DEALS, "{\"job_id\":0}", 422, "validation_failed"),
        ("contract-terms", "{}", 422, "validation_failed"),
        ("draft-clarification", "{\"job_id\":1,\"text\":\" \"}", 422, "validation_failed"),
        ("draft-clarification", "{\"job_id\":999,\"text\":\"May I?\"}", 404, "not_found"),
    ] {
        let got = host.send(&server, &host.request(world, tool, &token, body)).await;
        assert_eq!((got.status, got.code().as_str()), (status, code), "{tool} {body}");
    }
    // Large enough to be compressed otherwise; the signed bytes are the sent bytes.
    let hire = world.active(json!({})).await;
    let token = world.athlete_token(&hire.athlete).await;
    let terms = json!({ "job_id": hire.job }).to_string();
    let request = host.request(world, "contract-terms", &token, &terms);
    let packed = host.build(&server, &request).header("accept-encoding", "gzip");
    let got = server.send(packed).await;
    assert!(got.bytes.len() > 1_024 && got.header("content-encoding").is_empty());
    assert!(host.has_signed(&got, &request.nonce));
}
every_stack!(what_is_wrong_with_a_good_hosts_request_is_said_as_everywhere);

async fn a_proposed_question_is_a_pending_draft_that_the_athlete_sends(server: Server) {
    let world = &server.world;
    let hire = world.hired(json!({})).await;
    let other = world.hired(json!({})).await;
    let host = world.host(Scope::AiTools).await;
    let token = world.athlete_token(&hire.athlete).await;
    let body = json!({ "job_id": hire.job, "text": " May I wear my jersey? " }).to_string();
    let ask = async |token: &str, body: &str| {
        let request = host.request(world, "draft-clarification", token, body);
        let keyed = host.build(&server, &request).header("idempotency-key", "once");
        server.send(keyed).await
    };
    let first = ask(&token, &body).await;
    assert_eq!(first.status, 200, "{:#}", first.json());
    let draft = first.json()["data"].clone();
    assert_eq!(
        (&draft["status"], &draft["draft_text"]),
        (&json!("pending"), &json!("May I wear my jersey?"))
    );
    assert_eq!(
        (&draft["athlete_id"], &draft["brand_id"]),
        (&json!(hire.athlete.id), &json!(hire.partner.id))
    );
    let again = ask(&token, &body).await;
    assert_eq!((again.bytes == first.bytes, again.header("idempotent-replayed")), (true, "true"));
    // The same key for another athlete is a different key.
    let foreign = world.athlete_token(&other.athlete).await;
    assert_eq!(ask(&foreign, &body).await.code(), "not_found");
    // The same question without the key is stored once.
    let request = host.request(world, "draft-clarification", &token, &body);
    let same = host.send(&server, &request).await;
    assert_eq!(same.json()["data"]["id"], draft["id"]);
    let drafts = "/api/athlete/ai-athlete-assistant/clarification-drafts";
    let own = hire.athlete.token.as_deref().unwrap();
    let listed = server.request(reqwest::Method::GET, drafts).bearer_auth(own);
    let listed = server.send(listed).await.json();
    assert_eq!(
        (&listed["pagination"]["total"], &listed["data"][0]["id"]),
        (&json!(1), &draft["id"])
    );
    let send = server.request(reqwest::Method::POST, &format!("{drafts}/{}/send", draft["id"]));
    assert_eq!(server.send(send.bearer_auth(own)).await.status, 200);
}
every_stack!(a_proposed_question_is_a_pending_draft_that_the_athlete_sends);

async fn an_athlete_hands_a_host_a_token(server: Server) {
    let world = &server.world;
    let hire = world.active(json!({})).await;
    let host = world.host(Scope::AiTools).await;
    let path = "/api/athlete/ai-athlete-assistant/token";
    let ask = |token: &str| server.request(reqwest::Method::POST, path).bearer_auth(token);
    let got = server.send(ask(hire.athlete.token.as_deref().unwrap())).await;
    let handed = got.json()["data"].clone();
    assert_eq!(handed["expires_at"], "2026-11-20T12:10:00Z");
    let token = handed["athlete_token"].as_str().unwrap();
    let deals = host.send(&server, &host.request(world, DEALS, token, "{}")).await;
    assert_eq!(deals.json()["data"][0]["job_id"], hire.job);
    let partner = server.send(ask(hire.partner.token.as_deref().unwrap())).await;
    assert_eq!(partner.status, 403);
}
every_stack!(an_athlete_hands_a_host_a_token);

/// Runs the example of `docs/ai-tools.md` against a server on the real clock.
async fn the_documented_example_works(engine: Engine) {
    let server = Server::start(World::in_real_time(engine).await, Frontend::Warp).await;
    let world = &server.world;
    let host = world.host(Scope::AiTools).await;
    let athlete = world.athlete("Zoe Okafor").await;
    let partner = world.partner("Cedar Coffee").await;
    let job = json!({
        "application_deadline": "2099-01-01T12:00:00Z",
        "milestones": [{ "title": "Reel", "platform": "instagram", "media_kind": "reel",
            "due_on": "2099-01-02" }],
    });
    let job = world.open_job(&partner, job).await;
    world.apply(&athlete, job).await;
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ai-tools.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let (_, example) = page.split_once("```sh\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    let run = |signing: &str, token: &str| {
        let mut shell = Command::new("bash");
        shell
            .args(["-euo", "pipefail", "-c", example])
            .env("NIL_URL", format!("http://{}", server.address))
            .env("NIL_API_KEY", host.key.expose())
            .env("NIL_SIGNING_SECRET", signing)
            .env("NIL_ATHLETE_TOKEN", token)
            .env("TMPDIR", &world.platform.config().data);
        tokio::task::spawn_blocking(move || shell.output().expect("bash"))
    };
    let token = world.athlete_token(&athlete).await;
    let good = run(host.signing.expose(), &token).await.unwrap();
    assert!(good.status.success(), "{good:?}");
    let answer: serde_json::Value = serde_json::from_slice(&good.stdout).expect("an answer");
    assert_eq!(answer["data"][0]["job_id"], job, "{answer}");
    let wrong = run("0000", &token).await.unwrap();
    assert!(!wrong.status.success(), "with another secret the answer proves nothing");
}

both!(the_documented_example_works);
