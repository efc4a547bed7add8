//! Operators create colleges; everyone can find them.

use nil_core::auth::{Permission, Principal};
use nil_tests::{World, both};
use serde_json::json;

fn lakeshore() -> serde_json::Value {
    json!({
        "name": "Lakeshore State University", "short_name": "Lakeshore State",
        "conference": "Great Plains", "division": "D1", "state": "il",
        "time_zone": "America/Chicago", "email_domains": ["lakeshore.example"]
    })
}

async fn an_operator_enters_a_college_and_anybody_finds_it(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let mut saved = world.call("admin.college.save", &operator, lakeshore()).await.data();
    assert_eq!(saved["slug"], "lakeshore-state-university");
    assert_eq!(saved["state"], "IL");

    let found = world
        .call("core.public.colleges", &Principal::Anonymous, json!({ "q": "lakeshore" }))
        .await;
    assert_eq!(found.body["pagination"]["total"], 1);
    // Only operators edit it.
    assert!(saved.as_object_mut().unwrap().remove("revision").is_some());
    assert_eq!(found.data()[0], saved);
}
both!(an_operator_enters_a_college_and_anybody_finds_it);

async fn a_change_keeps_what_is_left_out(world: World) {
    let operator = world.operator(&[Permission::All]);
    let saved = world.call("admin.college.save", &operator, lakeshore()).await.data();
    let mut input = lakeshore();
    input["id"] = saved["id"].clone();
    input["name"] = json!("Lakeshore University");
    input.as_object_mut().unwrap().remove("conference");
    let changed = world.call("admin.college.save", &operator, input).await.data();
    assert_eq!(changed["name"], "Lakeshore University");
    assert_eq!(changed["conference"], "Great Plains");
    assert_eq!(changed["slug"], saved["slug"]);
}
both!(a_change_keeps_what_is_left_out);

async fn bad_colleges_are_refused_by_field(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    for (field, value) in [
        ("time_zone", json!("Chicago")),
        ("state", json!("ZZ")),
        ("division", json!("D9")),
        ("name", json!(" ")),
        ("id", json!(0)),
    ] {
        let mut input = lakeshore();
        input[field] = value;
        let answer = world.call("admin.college.save", &operator, input).await;
        assert_eq!((answer.status, answer.code()), (422, "validation_failed"));
        assert!(answer.body["errors"][field].is_array(), "{}", answer.body);
    }
    let mut missing = lakeshore();
    missing["id"] = json!(99);
    assert_eq!(world.call("admin.college.save", &operator, missing).await.status, 404);
}
both!(bad_colleges_are_refused_by_field);

async fn a_slug_is_taken_once(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    world.call("admin.college.save", &operator, lakeshore()).await.data();
    let again = world.call("admin.college.save", &operator, lakeshore()).await;
    assert_eq!((again.status, again.code()), (409, "duplicate"));
}
both!(a_slug_is_taken_once);

async fn only_operators_with_the_permission_get_in(world: World) {
    let finance = world.operator(&[Permission::Finance]);
    assert_eq!(world.call("admin.college.save", &finance, lakeshore()).await.status, 403);
    let nobody = Principal::Anonymous;
    assert_eq!(world.call("admin.college.save", &nobody, lakeshore()).await.status, 401);
}
both!(only_operators_with_the_permission_get_in);

async fn the_same_key_gives_the_same_bytes(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let save = "admin.college.save";
    let first = world.call_with_key(save, &operator, lakeshore(), Some("k1")).await;
    let again = world.call_with_key(save, &operator, lakeshore(), Some("k1")).await;
    assert_eq!(first.bytes, again.bytes);
    let mut other = lakeshore();
    other["name"] = json!("Another");
    let reused = world.call_with_key(save, &operator, other, Some("k1")).await;
    assert_eq!((reused.status, reused.code()), (409, "idempotency_key_reused"));
}
both!(the_same_key_gives_the_same_bytes);
