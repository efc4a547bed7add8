//! Operators act as an account over real sockets: the token ends at once, and the whole catalog keeps to what it may do.

use nil_core::auth::Permission;
use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::throttle::Throttle;
use nil_tests::door::{Session, log_in_operator, request_for};
use nil_tests::{Engine, Frontend, Got, Listening, PASSWORD, Person, Server, World, every_stack};
use reqwest::Method;
use serde_json::{Value, json};

async fn admin(server: &Server, session: &Session, path: &str, input: &Value) -> Got {
    let request = server
        .request(Method::POST, path)
        .header("cookie", &session.cookie)
        .header("x-csrf-token", &session.csrf)
        .json(input);
    server.send(request).await
}

async fn started(server: &Server, session: &Session, whom: Value) -> (Value, String) {
    let mut input = json!({ "purpose": "support", "reason": "Case 4711" });
    input.as_object_mut().unwrap().extend(whom.as_object().unwrap().clone());
    let answer = admin(server, session, "/admin/impersonations/start", &input).await;
    assert_eq!(answer.status, 200, "{:#}", answer.json());
    let data = answer.json()["data"].clone();
    let token = data["access_token"].as_str().unwrap().to_owned();
    (data, token)
}

async fn a_token_and_its_stream_end_with_the_impersonation(server: Server) {
    let email = server.world.chief_operator().await;
    let session = log_in_operator(&server, email, PASSWORD).await;
    let brand = server.world.partner("Cedar Coffee").await;
    let user = json!({ "user_id": brand.user_id });
    let (began, token) = started(&server, &session, user.clone()).await;
    nil_core::worker::round(&server.world.platform).await.expect("a round");
    let me = |token: &str| server.request(Method::POST, "/api/me").bearer_auth(token);
    let seen = server.send(me(&token)).await.json();
    assert_eq!(seen["data"]["impersonation"]["id"], began["id"]);
    let logged_out = server.request(Method::POST, "/api/logout").bearer_auth(&token);
    assert_eq!(server.send(logged_out).await.code(), "impersonation_reads_only");
    let back_office = server.request(Method::GET, "/admin/impersonations").bearer_auth(&token);
    assert_eq!(server.send(back_office).await.status, 403);

    let ticket = server.request(Method::POST, "/api/events/ticket").bearer_auth(&token);
    let ticket = server.send(ticket).await.json()["data"]["ticket"].as_str().unwrap().to_owned();
    let (mut stream, _) = Listening::with_ticket(&server, &ticket, None).await.unwrap();
    let (mut own, _) = Listening::to(&server, &brand, None).await;
    server.tell(&brand, "one").await;
    assert_eq!(stream.next().await.data["title"], "one");
    let ended = json!({ "id": began["id"] });
    let ended = admin(&server, &session, "/admin/impersonations/end", &ended).await;
    assert_eq!(ended.json()["data"]["running"], false);
    assert_eq!(server.send(me(&token)).await.status, 401);
    assert_eq!(stream.rest().await, []);
    assert_eq!(Listening::with_ticket(&server, &ticket, None).await.err().unwrap().status, 401);
    assert_eq!(own.next().await.data["title"], "one", "the brand's own stream goes on");

    // The operator logs out: the token and what its stream would show end too.
    let (_, token) = started(&server, &session, user).await;
    nil_core::worker::round(&server.world.platform).await.expect("a round");
    let acting = Person { token: Some(token.clone()), ..brand.clone() };
    let (mut stream, _) = Listening::to(&server, &acting, None).await;
    let out = server.request(Method::GET, "/admin/logout").header("cookie", &session.cookie);
    assert_eq!(server.send(out).await.status, 200);
    assert_eq!(server.send(me(&token)).await.status, 401);
    server.tell(&brand, "two").await;
    assert_eq!(stream.rest().await, [], "nothing more is shown");
    assert_eq!(server.send(me(brand.token.as_deref().unwrap())).await.status, 200);
}
every_stack!(a_token_and_its_stream_end_with_the_impersonation);

/// The writes that operators may do as an account, with the permission they need; and the ticket of the stream, a
/// credential that is good for nothing else. Decision 26 lists them.
const ALLOWED: [&str; 7] = [
    "core.agent.edit",
    "core.athlete.edit",
    "core.events.ticket",
    "core.job.close",
    "core.job.reopen",
    "core.job.save",
    "core.partner.edit",
];

/// Whether a call with a token of an account is a call of that account: logging in and the like ignore it.
fn heeds_tokens(entry: &Entry) -> bool {
    let ignored = [Throttle::Login, Throttle::Registration, Throttle::Recovery];
    let is_for_services = ["service", "model_host", "registrant"].contains(&entry.callers[0]);
    let is_ignored = entry.is_open() && ignored.contains(&entry.throttle);
    !is_for_services && !is_ignored
}

async fn every_write_is_named_or_refused(frontend: Frontend, engine: Engine) {
    let server = Server::start(World::unthrottled(engine).await, frontend).await;
    let world = &server.world;
    world.new_operator("chief@nil.example", Permission::All).await;
    let hire = world.active(json!({})).await;
    let agent = world.agent("North Agency").await;
    let fan = world.fan("Casey Field").await;
    world.portal_user(1, "owner").await;
    let users = [("athlete", &hire.athlete), ("partner", &hire.partner), ("agent", &agent)];
    let users = users.into_iter().chain([("fan", &fan)]);
    let mut accounts: Vec<_> = users
        .map(|(kind, person)| (kind, Interface::Core, json!({ "user_id": person.user_id })))
        .collect();
    let owner = json!({ "portal_user_id": 1 });
    accounts.push(("portal_user", Interface::Compliance, owner));
    let (mut refused, mut allowed, mut wrong) = (0, Vec::new(), Vec::new());
    for (kind, interface, whom) in accounts {
        // One impersonation at a time: the one before ends.
        let session = log_in_operator(&server, "chief@nil.example", PASSWORD).await;
        let (_, token) = started(&server, &session, whom).await;
        let before = world.contents().await;
        for entry in catalog().of(interface) {
            let is_theirs = entry.is_open() || entry.callers.contains(&kind);
            if !is_theirs || !heeds_tokens(entry) || !(entry.writes() || entry.credentials) {
                continue;
            }
            if entry.impersonators.is_some() {
                allowed.push(entry.name);
                continue;
            }
            // A body that no operation could read is not read either.
            let mut request = request_for(&server, entry, json!({})).bearer_auth(&token);
            if entry.method.has_body() && !entry.takes_bytes() {
                request = request.header("content-type", "application/json").body("{ not JSON");
            }
            let got = server.send(request).await;
            refused += 1;
            if (got.status, got.code().as_str()) != (403, "impersonation_reads_only") {
                wrong.push(format!("{} as {kind}: {} {}", entry.name, got.status, got.code()));
            }
        }
        assert_eq!(world.contents().await, before, "nothing was written as {kind}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 80, "only {refused} were refused");
    allowed.sort_unstable();
    allowed.dedup();
    assert_eq!(allowed, ALLOWED);
}

mod every_write {
    use nil_tests::{Engine, Frontend};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn warp_sqlite() {
        super::every_write_is_named_or_refused(Frontend::Warp, Engine::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn poem_postgres() {
        super::every_write_is_named_or_refused(Frontend::Poem, Engine::Postgres).await;
    }
}
