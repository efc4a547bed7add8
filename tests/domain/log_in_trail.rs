//! The audit trail names who logged in.

use nil_core::auth::{Permission, Principal};
use nil_tests::{PASSWORD, World, both};
use serde_json::{Value, json};

async fn entries(world: &World, action: &str) -> Vec<(String, String)> {
    let reader = world.operator(&[Permission::Reports]);
    let found = world.call("admin.audit.list", &reader, json!({ "action": action })).await.data();
    let pair = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap().to_owned();
        (text("operation"), text("actor"))
    };
    found.as_array().unwrap().iter().map(pair).collect()
}

async fn a_log_in_stands_in_the_trail_under_who_logged_in(world: World) {
    // So that accounts and records have different numbers.
    world.fan("Fran Field").await;
    let nobody = Principal::Anonymous;
    let log_in = |email: &str| json!({ "email": email, "password": PASSWORD });
    let mut expected = Vec::new();
    let people = [
        ("athlete", world.athlete("Zoe Okafor").await),
        ("partner", world.partner("Cedar Coffee").await),
        ("agent", world.agent("North Agency").await),
        ("fan", world.fan("Robin Hill").await),
    ];
    for (kind, person) in &people {
        world.call("core.auth.log_in", &nobody, log_in(&person.email)).await.data();
        expected.push(("core.auth.log_in".to_owned(), format!("{kind}:{}", person.id)));
    }
    let college = world.college().await;
    world.portal_user(college, "viewer").await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let team = world.call("compliance.portal_user.list", &owner, json!({})).await.data();
    for user in team.as_array().unwrap() {
        let input = log_in(user["email"].as_str().unwrap());
        world.call("compliance.auth.log_in", &nobody, input).await.data();
        expected.push(("compliance.auth.log_in".to_owned(), format!("portal_user:{}", user["id"])));
    }
    let Principal::Operator { id, .. } =
        world.new_operator("ops@nil.example", Permission::Jobs).await
    else {
        panic!("an operator")
    };
    world.call("admin.auth.log_in", &nobody, log_in("ops@nil.example")).await.data();
    expected.push(("admin.auth.log_in".to_owned(), format!("operator:{id}")));

    let mut logged_in = entries(&world, "logged_in").await;
    logged_in.sort();
    expected.sort();
    assert_eq!(logged_in, expected);
    let accepted = entries(&world, "invitation_accepted").await;
    assert_eq!(accepted.len(), 2);
    assert!(accepted.iter().all(|(_, actor)| actor.starts_with("portal_user:")), "{accepted:?}");
    // A wrong password proves nothing.
    let wrong = json!({ "email": people[0].1.email, "password": "not the password" });
    assert_eq!(world.call("core.auth.log_in", &nobody, wrong).await.status, 401);
    assert_eq!(entries(&world, "logged_in").await.len(), expected.len());
}
both!(a_log_in_stands_in_the_trail_under_who_logged_in);
