//! Operators search the audit trail.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::dashboard::audit_log::{self, NewestEntries};
use nil_core::operation::chain;
use nil_core::worker;
use nil_tests::{World, both};
use serde_json::{Value, json};

async fn search(world: &World, who: &Principal, input: Value) -> (Vec<Value>, Value) {
    let found = world.call("admin.audit.list", who, input).await;
    assert_eq!(found.status, 200, "{}", found.body);
    let entries = found.body["data"].as_array().unwrap().clone();
    (entries, found.body["next_before_id"].clone())
}

async fn entries_are_found_by_who_did_what_to_which_record_and_when(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    world.pass(TimeDelta::days(3));
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let Principal::Operator { id, .. } = &me else { panic!() };
    let about = format!("WHERE subject_kind = 'user' AND subject_id = {}", brand.user_id);
    let known = world.id(&format!("SELECT COUNT(*) FROM audit_entry {about}")).await;
    assert!(known > 0);

    let record = json!({ "subject_kind": "user", "subject_id": brand.user_id });
    let (entries, next) = search(&world, &me, record).await;
    assert_eq!((i64::try_from(entries.len()).unwrap(), next), (known, Value::Null));
    let (mine, _) = search(&world, &me, json!({ "actor": format!("operator:{id}") })).await;
    assert_eq!(mine.len(), 1, "the search before this one");
    assert_eq!(mine[0]["action"], "audit_log_read");
    let (made, _) = search(&world, &me, json!({ "actor": "host", "action": "created" })).await;
    assert_eq!(made.len(), 1);
    assert_eq!(made[0]["operation"], "accounts::operators::make");

    for (from, to, some) in [
        ("2026-11-20", "2026-11-20", true),
        ("2026-11-21", "2026-11-22", false),
        ("2026-11-19", "2026-11-19", false),
        ("2026-11-23", "2026-11-23", true),
    ] {
        let days = json!({ "from": from, "to": to });
        let (entries, next) = search(&world, &me, days).await;
        assert_eq!((!entries.is_empty(), next), (some, Value::Null), "{from}");
        assert!(entries.iter().all(|entry| entry["at"].as_str().unwrap().starts_with(from)));
    }
    let backwards = json!({ "from": "2026-11-21", "to": "2026-11-20" });
    assert_eq!(world.call("admin.audit.list", &me, backwards).await.status, 422);
    let other = world.operator(&[Permission::Finance]);
    assert_eq!(world.call("admin.audit.list", &other, json!({})).await.status, 403);
}
both!(entries_are_found_by_who_did_what_to_which_record_and_when);

async fn a_search_stops_and_continues(world: World) {
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let first = world.id("SELECT MAX(id) FROM audit_entry").await;
    world
        .script(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000) \
             INSERT INTO audit_entry (at, actor, operation, subject_kind, subject_id, action, request_id) \
             SELECT (SELECT MAX(at) FROM audit_entry), 'platform', 'none', 'none', i, 'filled', 'none' \
             FROM n",
        )
        .await;
    let mut input = json!({ "action": "created" });
    let (mut calls, mut found) = (0, Vec::new());
    loop {
        let (entries, next) = search(&world, &me, input.clone()).await;
        found.extend(entries);
        calls += 1;
        if next.is_null() {
            break;
        }
        input["before_id"] = next;
    }
    assert_eq!((calls, found.len()), (3, 1), "20,000 entries at a time");
    assert_eq!(found[0]["id"], first);
    // The index of a record's entries leads there at once.
    let (entries, next) =
        search(&world, &me, json!({ "subject_kind": "none", "subject_id": 7 })).await;
    assert_eq!((entries.len(), next), (1, Value::Null));
    // Pages are of the entries that the search looked at, and it says that older ones remain.
    let ask = async |over: Value| {
        let mut input = json!({ "action": "filled", "per_page": 2 });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        world.call("admin.audit.list", &me, input).await.body
    };
    let page = ask(json!({})).await;
    let entries = page["data"].as_array().unwrap().clone();
    assert_eq!((entries.len(), &entries[0]["subject_id"]), (2, &json!(45_000)));
    let (total, pages) = (&page["pagination"]["total"], &page["pagination"]["pages"]);
    assert_eq!(pages.as_i64().unwrap(), (total.as_i64().unwrap() + 1) / 2);
    assert!((19_000..20_000).contains(&total.as_i64().unwrap()), "{total}");
    assert_eq!(page["total_is_exact"], false);
    assert_eq!(ask(json!({ "page": 3 })).await["data"][1]["subject_id"], 44_995);
    let next = &page["next_before_id"];
    let older = ask(json!({ "before_id": next, "page": 2 })).await;
    assert_eq!(
        (&older["pagination"]["page"], &older["pagination"]["total"]),
        (&json!(2), &json!(20_000))
    );
    assert!(older["data"][0]["id"].as_i64() < next.as_i64());
    // The other way round, of the same entries.
    let oldest = ask(json!({ "sort": "created_at" })).await;
    assert!(oldest["data"][0]["id"].as_i64() < oldest["data"][1]["id"].as_i64());
    assert_eq!(oldest["data"][0]["id"], oldest["next_before_id"]);
    let words = ask(json!({ "q": "NOBODY in particular" })).await;
    assert_eq!((&words["pagination"]["total"], &words["data"]), (&json!(0), &json!([])));
    let words = ask(json!({ "q": "Platform NONE filled" })).await;
    let found = words["pagination"]["total"].as_i64().unwrap();
    assert!((19_000..20_000).contains(&found), "{found}");
    // The command line goes on by itself.
    for (input, expected) in [
        (json!({ "action": "created" }), json!([first])),
        (json!({ "action": "filled", "limit": 2 }), json!([entries[0]["id"], entries[1]["id"]])),
    ] {
        let wanted: NewestEntries = serde_json::from_value(input).unwrap();
        let newest = audit_log::newest(&world.platform, wanted).await.unwrap();
        let ids: Vec<i64> = newest.iter().map(|entry| entry.id.get()).collect();
        assert_eq!(json!(ids), expected);
    }
}
both!(a_search_stops_and_continues);

async fn it_is_known_how_long_entries_wait_for_the_chain(world: World) {
    let waiting = async || chain::unsealed_for(&world.platform).await.unwrap();
    worker::round(&world.platform).await.unwrap();
    assert_eq!(waiting().await, 0);
    world.partner("Cedar Coffee").await;
    world.pass(TimeDelta::hours(1));
    assert_eq!(waiting().await, 3_600);
    // An entry that is newer does not matter.
    world.partner("Corner Bakery").await;
    assert_eq!(waiting().await, 3_600);
    worker::round(&world.platform).await.unwrap();
    assert_eq!(waiting().await, 0);
}
both!(it_is_known_how_long_entries_wait_for_the_chain);
