//! Three servers on one PostgreSQL: a session that ends at one of them has ended at all of them
//! when that one answers, whichever interface it is of and however it ends.

use futures::future::join_all;
use nil_core::auth::{Permission, Principal};
use nil_core::catalog::catalog;
use nil_tests::{Engine, PASSWORD, World, trust};
use reqwest::Method;
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

/// An interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Core,
    Compliance,
    Admin,
}

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    LogOut,
    NewPassword,
    Suspension,
}

/// What a browser keeps of a session: a bearer token, or a cookie and the token of its forms.
#[derive(Clone, Debug)]
struct Session {
    at: At,
    secret: String,
    csrf: String,
}

/// A call of an operation at a server, in a session if there is one; the status and the answer.
async fn call(server: &Served, name: &str, who: Option<&Session>, input: Value) -> (u16, Value) {
    let entry = catalog().named(name).unwrap_or_else(|| panic!("no {name}"));
    let Value::Object(mut fields) = input else { panic!("an input is an object") };
    let path = entry.fill_path(&mut fields).expect("every field of the path");
    let base = if name.starts_with("core.") { &server.core } else { &server.back_office };
    let address = format!("{base}{}{path}", entry.interface.base());
    let method = Method::from_bytes(entry.method.as_str().as_bytes()).expect("a method");
    let mut request = server.client.request(method, address);
    match who {
        Some(Session { at: At::Admin, secret, csrf }) => {
            request = request.header("cookie", secret).header("x-csrf-token", csrf);
        }
        Some(session) => request = request.bearer_auth(&session.secret),
        None => {}
    }
    if entry.method.has_body() {
        request = request.json(&fields);
    }
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// The same, which must succeed; returns the answer.
async fn done(server: &Served, name: &str, who: Option<&Session>, input: Value) -> Value {
    let (status, answer) = call(server, name, who, input).await;
    assert_eq!(status, 200, "{name}: {answer}");
    answer
}

/// An account at an interface, and who may shut it out.
struct Account {
    at: At,
    email: String,
    id: i64,
    above: Session,
}

impl Account {
    async fn new(world: &World, at: At, chief: &Session) -> Self {
        match at {
            At::Core => {
                let athlete = world.athlete("Jordan Lake").await;
                Self { at, email: athlete.email, id: athlete.id, above: chief.clone() }
            }
            At::Compliance => {
                let college = world.college().await;
                let (_, secret) = world.portal_user(college, "owner").await;
                let (email, token) = world.new_portal_user(college, "viewer").await;
                let who = world.platform.authenticate_compliance(&token).await.unwrap();
                let Principal::Portal { id, .. } = who else { panic!("a portal user") };
                let above = Session { at, secret, csrf: String::new() };
                Self { at, email, id: id.get(), above }
            }
            At::Admin => {
                let email = format!("operator-{}@nil.example", world.number());
                let who = world.new_operator(&email, Permission::Accounts).await;
                let Principal::Operator { id, .. } = who else { panic!("an operator") };
                Self { at, email, id: id.get(), above: chief.clone() }
            }
        }
    }

    /// Logs in at a server.
    async fn log_in(&self, server: &Served) -> Session {
        log_in(server, self.at, &self.email).await
    }

    /// Ends sessions at a server.
    async fn end(&self, world: &World, server: &Served, how: End, session: &Session) {
        let id = self.id;
        match (how, self.at) {
            (End::LogOut, at) => {
                let name = match at {
                    At::Core => "core.auth.log_out",
                    At::Compliance => "compliance.auth.log_out",
                    At::Admin => "admin.auth.log_out",
                };
                done(server, name, Some(session), json!({})).await;
            }
            (End::NewPassword, At::Admin) => {
                let name = "admin.operator.reset_log_in";
                done(server, name, Some(&self.above), json!({ "id": id })).await;
            }
            (End::NewPassword, at) => {
                let [forget, renew] = if at == At::Core {
                    ["core.auth.forget_password", "core.auth.confirm_password_reset"]
                } else {
                    ["compliance.auth.forgot_password", "compliance.auth.change_password"]
                };
                done(server, forget, None, json!({ "email": self.email })).await;
                let token = world.link_for(&self.email, "password.reset").await;
                let new = json!({ "token": token, "password": "another long passphrase" });
                done(server, renew, None, new).await;
            }
            (End::Suspension, at) => {
                let (name, input) = match at {
                    At::Core => ("admin.athlete.save", json!({ "id": id, "status": "suspended" })),
                    At::Compliance => {
                        ("compliance.portal_user.change", json!({ "id": id, "status": "disabled" }))
                    }
                    At::Admin => ("admin.operator.save", json!({ "id": id, "active": false })),
                };
                done(server, name, Some(&self.above), input).await;
            }
        }
    }
}

async fn log_in(server: &Served, at: At, email: &str) -> Session {
    let input = json!({ "email": email, "password": PASSWORD });
    let (secret, csrf) = match at {
        At::Core => (server.log_in(email, PASSWORD).await, String::new()),
        At::Compliance => {
            let answer = done(server, "compliance.auth.log_in", None, input).await;
            (answer["token"].as_str().expect("a token").to_owned(), String::new())
        }
        At::Admin => {
            let (status, answer, cookie) = server.visit_as_operator(email, PASSWORD).await;
            assert_eq!(status, 200, "{answer}");
            (cookie, answer["data"]["csrf_token"].as_str().expect("a token").to_owned())
        }
    };
    Session { at, secret, csrf }
}

/// The statuses of a read in each of these sessions at each server, all at once.
async fn statuses(servers: &[Served], sessions: &[Session]) -> Vec<Vec<u16>> {
    let asked =
        sessions.iter().map(|session| {
            let name = match session.at {
                At::Core => "core.auth.me",
                At::Compliance => "compliance.session.list",
                At::Admin => "admin.impersonation.list",
            };
            join_all(servers.iter().map(move |server| async move {
                call(server, name, Some(session), json!({})).await.0
            }))
        });
    join_all(asked).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ends_at_one_server_has_ended_at_all_postgres() {
    let world = World::in_real_time(Engine::Postgres).await;
    let chief = world.chief_operator().await;
    let folders = [(); 3].map(|()| Nil::beside(&world).with("NIL_THROTTLE", "off"));
    let servers = folders.each_ref().map(|nil| Served::start(nil, &[]));
    let chief = log_in(&servers[0], At::Admin, chief).await;
    let (mut turn, mut ended) = (0, 0);
    for at in [At::Core, At::Compliance, At::Admin] {
        for how in [End::LogOut, End::NewPassword, End::Suspension] {
            let account = Account::new(&world, at, &chief).await;
            let bystander = Account::new(&world, at, &chief).await.log_in(&servers[0]).await;
            let mut sessions = Vec::new();
            for server in &servers {
                sessions.push(account.log_in(server).await);
            }
            assert_eq!(statuses(&servers, &sessions).await, [[200; 3]; 3], "{at:?}");
            account.end(&world, &servers[turn % 3], how, &sessions[0]).await;
            let expected = if how == End::LogOut { [401, 200, 200] } else { [401; 3] };
            let expected = expected.map(|status| [status; 3]);
            assert_eq!(statuses(&servers, &sessions).await, expected, "{at:?}: {how:?}");
            assert_eq!(statuses(&servers, &[bystander]).await, [[200; 3]], "{at:?}: {how:?}");
            ended += if how == End::LogOut { 1 } else { sessions.len() };
            turn += 1;
        }
    }
    trust::tried("R9", "ended sessions", ended);
}
