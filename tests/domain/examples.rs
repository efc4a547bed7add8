//! The examples of the OpenAPI documents work as they stand: each is sent to a platform with a
//! deal, by a caller whom the operation admits, and none is refused as an invalid input. A record
//! that is not there, or in another state, is fine.

use std::collections::BTreeMap;

use nil_core::accounts::UserKind;
use nil_core::auth::{Permission, Principal, Scope};
use nil_core::catalog::{Entry, catalog};
use nil_tests::conforming::documented;
use nil_tests::{Engine, World, trust};
use serde_json::{Map, Value, json};

const BODY: &str = "/requestBody/content/application~1json/example";

/// Refusals of inputs that name the caller's own things or what is stored, which no example can
/// know.
const OWN: &[&str] = &[
    "must name files that you may see",
    "must name files that you uploaded and that still exist",
    "is pending; only approved work is paid",
    "are not those that arrived: part 1 is missing",
    "is not your password",
    "cannot be named: the institution has no mail domains of its own",
    "has no header with names of columns such as Name, Class and Email",
    "is your own; change your password instead",
    "is your own; turn two-step log-in off instead",
    "cannot be changed: rules and addresses name the entry by it",
];

/// The documented request: the body's example, the path's fields, and the query's required ones.
/// None for an operation that takes bytes or a request signed by others, of which a document can
/// show no example.
pub(crate) fn example(entry: &Entry) -> Option<Value> {
    let operation = documented(entry);
    let mut fields = match operation.pointer(BODY) {
        Some(Value::Object(fields)) => fields.clone(),
        Some(other) => panic!("{}: a body is an object, not {other}", entry.name),
        None if entry.method.has_body() && operation["requestBody"].is_object() => return None,
        None => Map::new(),
    };
    let named: BTreeMap<&str, String> = entry.path_fields().into_iter().collect();
    for parameter in operation["parameters"].as_array().expect("parameters") {
        let name = parameter["name"].as_str().expect("a name");
        let field = match parameter["in"].as_str() {
            Some("path") => named.get(name).expect("the path's field").clone(),
            Some("query") if parameter["required"] == true => name.to_owned(),
            _ => continue,
        };
        fields.entry(field).or_insert_with(|| parameter["example"].clone());
    }
    Some(Value::Object(fields))
}

/// One caller of every kind, the parties of a deal first.
pub(crate) async fn callers(world: &World) -> Vec<Principal> {
    let hire = world.active(json!({})).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    let fan = world.fan("Casey Field").await;
    let mut all = vec![
        Principal::Anonymous,
        hire.athlete.principal.clone(),
        hire.partner.principal.clone(),
        agent.principal,
        fan.principal,
        world.portal_user(1, "owner").await.0,
        world.operator(&[Permission::All]),
        world.model_host(&hire.athlete),
    ];
    for scope in Scope::ALL {
        let host = world.host(*scope).await;
        all.push(Principal::Service { id: host.id, scopes: vec![*scope] });
    }
    for kind in UserKind::ALL {
        let (token, _) = world.start(kind.as_str(), "Sam Rivers").await;
        all.push(world.registrant(&token).await);
    }
    all
}

/// The first of these callers whom the operation admits.
pub(crate) fn admitted<'c>(entry: &Entry, callers: &'c [Principal]) -> &'c Principal {
    let caller = callers.iter().find(|caller| entry.admit(caller).is_ok());
    caller.unwrap_or_else(|| panic!("nobody may call {}", entry.name))
}

fn is_about_own_things(errors: &Value) -> bool {
    let mut messages = errors.as_object().expect("fields").values().flat_map(|field| {
        field.as_array().expect("messages").iter().map(|message| message.as_str().expect("text"))
    });
    messages.all(|message| OWN.contains(&message))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_taken_as_it_stands() {
    let world = World::unthrottled(Engine::Sqlite).await;
    let callers = callers(&world).await;
    let (mut sent, mut wrong, mut own) = (0, Vec::new(), Vec::new());
    for entry in catalog().iter() {
        let Some(input) = example(entry) else {
            continue;
        };
        let caller = admitted(entry, &callers);
        sent += 1;
        let answer = world.call(entry.name, caller, input.clone()).await;
        let invalid = answer.status == 422 && answer.code() == "validation_failed";
        if invalid && is_about_own_things(&answer.body["errors"]) {
            own.push(entry.name);
        } else if invalid {
            wrong.push(format!("{}: {}\n{input}", entry.name, answer.body["errors"]));
        }
        assert_ne!(answer.status, 500, "{}: {}", entry.name, answer.body);
    }
    assert!(sent > 200, "only {sent} examples were sent");
    assert!(own.len() <= 24, "{own:?}");
    assert!(wrong.is_empty(), "{} of {sent}:\n{}", wrong.len(), wrong.join("\n"));
    trust::tried("R2", "requests", sent);
}
