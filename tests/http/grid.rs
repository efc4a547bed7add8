//! Authorization with real credentials over real sockets: every operation × eleven callers, on
//! every stack. (All kinds of caller, in process: `catalog/grid.rs`.)

use nil_core::auth::{Permission, Principal, Scope};
use nil_core::catalog::{Entry, Interface, catalog};
use nil_tests::door::{Session, log_in_operator, request_for};
use nil_tests::{Engine, Frontend, Got, PASSWORD, Server, World, trust};
use serde_json::json;

/// The operations of the back office for browsers that have no session yet: they need a form token.
const BEFORE_A_SESSION: [&str; 3] =
    ["admin.auth.log_in", "admin.sign_on.start", "admin.sign_on.finish"];

/// The credentials a caller sends.
enum Proof {
    Nothing,
    Token(String),
    Key(String),
    Session(Session),
}

struct Caller {
    name: &'static str,
    principal: Principal,
    /// Where the credentials are checked.
    interface: Interface,
    proof: Proof,
}

async fn callers(server: &Server) -> Vec<Caller> {
    let world = &server.world;
    let mut callers = vec![Caller {
        name: "nobody",
        principal: Principal::Anonymous,
        interface: Interface::Core,
        proof: Proof::Nothing,
    }];
    for (name, person) in [
        ("athlete", world.athlete("Jordan Lake").await),
        ("partner", world.partner("Cedar Coffee").await),
        ("agent", world.agent("North Agency").await),
        ("fan", world.fan("Casey Field").await),
    ] {
        callers.push(Caller {
            name,
            principal: person.principal,
            interface: Interface::Core,
            proof: Proof::Token(person.token.expect("a token")),
        });
    }
    let college = world.college().await;
    for name in ["viewer", "owner"] {
        let (principal, token) = world.portal_user(college, name).await;
        callers.push(Caller {
            name,
            principal,
            interface: Interface::Compliance,
            proof: Proof::Token(token),
        });
    }
    for (name, email, permission) in [
        ("operator (jobs)", "jobs@nil.example", Permission::Jobs),
        ("operator (*)", "chief@nil.example", Permission::All),
    ] {
        world.new_operator(email, permission).await;
        callers.push(Caller {
            name,
            principal: world.operator(&[permission]),
            interface: Interface::Admin,
            proof: Proof::Session(log_in_operator(server, email, PASSWORD).await),
        });
    }
    for (name, scope) in
        [("service (internal)", Scope::Internal), ("service (ai_tools)", Scope::AiTools)]
    {
        let host = world.host(scope).await;
        callers.push(Caller {
            name,
            principal: Principal::Service { id: host.id, scopes: vec![scope] },
            interface: Interface::Core,
            proof: Proof::Key(host.key.expose().to_owned()),
        });
    }
    callers
}

/// The expected status of the refusal; none if the caller is admitted.
fn refusal(entry: &Entry, caller: &Caller) -> Option<u16> {
    if entry.is_open() {
        return None;
    }
    let scopes = match &caller.principal {
        Principal::Service { scopes, .. } => Some(scopes),
        _ => None,
    };
    match (entry.callers, scopes) {
        // With the scope, the athlete's token is missing.
        (["model_host"], Some(scopes)) if scopes.contains(&Scope::AiTools) => return Some(401),
        (["model_host"], Some(_)) => return Some(403),
        (["service"], Some(_)) => {
            return entry.admit(&caller.principal).is_err().then_some(403);
        }
        // These need a different credential, and a key does not admit to anything else.
        (["registrant"] | ["service"] | ["model_host"], _) | (_, Some(_)) => return Some(401),
        (_, None) => {}
    }
    if entry.interface == caller.interface && !caller.principal.is_anonymous() {
        return entry.admit(&caller.principal).is_err().then_some(403);
    }
    // The back office recognizes users of the Core interface and refuses them with 403.
    let user = matches!(caller.principal, Principal::User { .. });
    Some(if user && entry.interface == Interface::Admin { 403 } else { 401 })
}

async fn ask(server: &Server, entry: &Entry, caller: &Caller) -> Got {
    let request = request_for(server, entry, json!({}));
    let request = match &caller.proof {
        Proof::Nothing => request,
        Proof::Token(token) => request.bearer_auth(token),
        Proof::Key(key) => request.header("x-api-key", key),
        Proof::Session(session) => {
            request.header("cookie", &session.cookie).header("x-csrf-token", &session.csrf)
        }
    };
    server.send(request).await
}

fn check(entry: &Entry, caller: &Caller, got: &Got) -> Result<(), String> {
    let wrong = |what: &str| {
        let said = String::from_utf8_lossy(&got.bytes);
        Err(format!("{} as {}: {what}: {} {said}", entry.name, caller.name, got.status))
    };
    if got.status == 200 {
        return match refusal(entry, caller) {
            None => Ok(()),
            Some(_) => wrong("was let in"),
        };
    }
    let body: serde_json::Value = match serde_json::from_slice(&got.bytes) {
        Ok(body) => body,
        Err(_) => return wrong("no JSON"),
    };
    let told = ["code", "message", "request_id"].iter().all(|name| body[name].is_string());
    if !told || body["status"] != "error" {
        return wrong("not the shape of an error");
    }
    match (refusal(entry, caller), got.status) {
        (Some(expected), status) if status == expected => {
            let keyed = matches!(caller.proof, Proof::Key(_));
            let code = match expected {
                401 if keyed && entry.is_signed() => "athlete_token_invalid",
                401 => "unauthenticated",
                _ => "forbidden",
            };
            if body["code"] == code { Ok(()) } else { wrong("another code") }
        }
        (Some(_), _) => wrong("another refusal"),
        // Not about the caller: the webhook's signature, and the back office's log-in without a
        // session.
        (None, 401) if body["code"] == "signature_invalid" => Ok(()),
        (None, 403) if body["code"] == "csrf_invalid" && BEFORE_A_SESSION.contains(&entry.name) => {
            Ok(())
        }
        // Nor is an answer of an identity provider that does not exist.
        (None, 401) if body["code"] == "sign_on_failed" => Ok(()),
        (None, 401 | 403 | 500..) => wrong("should have been let in"),
        (None, _) => Ok(()),
    }
}

async fn everybody_knocks_at_every_door(frontend: Frontend, engine: Engine) {
    let server = Server::start(World::unthrottled(engine).await, frontend).await;
    let (mut calls, mut wrong) = (0, Vec::new());
    for caller in callers(&server).await {
        // Logging out comes last, for callers who can.
        let mut entries: Vec<&Entry> = catalog().iter().collect();
        entries.sort_by_key(|entry| {
            entry.name.ends_with(".log_out") && refusal(entry, &caller).is_none()
        });
        for entry in entries {
            let got = ask(&server, entry, &caller).await;
            wrong.extend(check(entry, &caller, &got).err());
            calls += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    trust::tried("R1", "calls", calls);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn warp_sqlite() {
    everybody_knocks_at_every_door(Frontend::Warp, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poem_sqlite() {
    everybody_knocks_at_every_door(Frontend::Poem, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn warp_postgres() {
    everybody_knocks_at_every_door(Frontend::Warp, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poem_postgres() {
    everybody_knocks_at_every_door(Frontend::Poem, Engine::Postgres).await;
}
