//! Differences as records: operators list and settle them.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::worker;
use nil_tests::{World, both};
use serde_json::{Value, json};

use super::compared;
use super::planting::moved;

const LIST: &str = "admin.processor_difference.list";
const VIEW: &str = "admin.processor_difference.view";
const SETTLE: &str = "admin.processor_difference.settle";

async fn listed(world: &World, input: Value) -> Vec<Value> {
    let finance = world.operator(&[Permission::Finance]);
    let list = world.call(LIST, &finance, input).await.data();
    list.as_array().cloned().expect("a list")
}

async fn charged(world: &World, cents: i64) {
    let script =
        format!("UPDATE sandbox_line SET amount_cents = {cents} WHERE key LIKE '%:charge:1:1'");
    world.script(&script).await;
    world.pass(TimeDelta::minutes(1));
}

async fn what_is_settled_is_not_reported_again(world: World) {
    moved(&world).await;
    let finance = world.operator(&[Permission::Finance]);
    let right = "SELECT amount_cents FROM sandbox_line WHERE key LIKE '%:charge:1:1'";
    let right = world.id(right).await;
    charged(&world, 12_210).await;
    assert_eq!(compared(&world).await.found, 1);
    let open = listed(&world, json!({ "status": "open" })).await;
    let one = &open[0];
    assert_eq!(open.len(), 1);
    assert_eq!(
        (&one["kind"], &one["ours_cents"], &one["theirs_cents"]),
        (&json!("amount"), &json!(right), &json!(12_210))
    );
    assert!(one["detail"].as_str().unwrap().ends_with(" here, $122.10 there."), "{one}");
    let dashboard = world.call("admin.dashboard.view", &finance, json!({})).await.data();
    let queues = dashboard["queues"].as_array().unwrap().iter();
    let queue = queues.clone().find(|queue| queue["kind"] == "processor_differences").unwrap();
    assert_eq!((&queue["count"], &queue["oldest_at"]), (&json!(1), &one["found_at"]));

    let record = json!({ "kind": "charge", "id": 1, "payment_id": 1, "athlete_id": null,
        "agent_id": null, "partner_id": 1 });
    assert_eq!(one["record"], record);
    let shown = world.call(VIEW, &finance, json!({ "id": one["id"] })).await.data();
    assert_eq!(&shown, one);
    assert_eq!(world.call(VIEW, &finance, json!({ "id": 999 })).await.status, 404);
    let settle = async |note: &str| {
        world.call(SETTLE, &finance, json!({ "id": one["id"], "note": note })).await
    };
    assert_eq!(settle("").await.status, 422);
    let settled = settle("The processor has mended it.").await.data();
    assert_eq!(
        (&settled["status"], &settled["note"]),
        (&json!("settled"), &json!("The processor has mended it."))
    );
    assert!(settled["settled_by"].as_str().unwrap().starts_with("operator:"), "{settled}");
    assert_eq!(settle("Once more.").await.code(), "illegal_transition");
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'processor_difference' \
        AND action = 'settled'";
    assert_eq!(world.id(noted).await, 1);

    world.pass(TimeDelta::minutes(1));
    let again = compared(&world).await;
    assert_eq!((again.found, again.gone, again.open), (0, 0, 0));
    // Another amount is another fact.
    charged(&world, 12_211).await;
    assert_eq!(compared(&world).await.found, 1);
    let open = listed(&world, json!({ "status": "open" })).await;
    assert_eq!((&open[0]["id"], &open[0]["note"]), (&one["id"], &Value::Null));
    // What is right again is gone, and back if it is found once more.
    charged(&world, right).await;
    assert_eq!(compared(&world).await.gone, 1);
    let gone = listed(&world, json!({ "status": "gone" })).await;
    assert!(gone.len() == 1 && gone[0]["gone_at"].is_string(), "{gone:?}");
    assert_eq!(settle("Gone.").await.code(), "illegal_transition");
    charged(&world, 12_210).await;
    assert_eq!(compared(&world).await.found, 1);
    // A settled one that is gone stays settled.
    settle("It is known.").await.data();
    charged(&world, right).await;
    assert_eq!(compared(&world).await.gone, 0);
    let all = listed(&world, json!({ "status": "all" })).await;
    assert!(all.len() == 1 && all[0]["status"] == "settled" && all[0]["gone_at"].is_string());
}
both!(what_is_settled_is_not_reported_again);

async fn differences_are_listed_by_kind_age_and_words(world: World) {
    moved(&world).await;
    world.script("UPDATE sandbox_line SET fee_cents = 7 WHERE key LIKE '%:charge:2:1'").await;
    charged(&world, 12_210).await;
    compared(&world).await;
    for (over, kinds) in [
        (json!({}), &["amount", "fee"][..]),
        (json!({ "kind": "fee" }), &["fee"]),
        (json!({ "kind": "twice" }), &[]),
        (json!({ "q": "122.10" }), &["amount"]),
        (json!({ "q": ":charge:2" }), &["fee"]),
        (json!({ "from": "2026-11-28" }), &[]),
        (json!({ "to": "2026-11-26" }), &[]),
        (json!({ "from": "2026-11-27", "to": "2026-11-27" }), &["amount", "fee"]),
    ] {
        let mut input = json!({ "status": "all" });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        let found = listed(&world, input).await;
        let mut found: Vec<&str> = found.iter().map(|one| one["kind"].as_str().unwrap()).collect();
        found.sort_unstable();
        assert_eq!(found, kinds, "{over}");
    }
    let nobody = world.operator(&[Permission::Content]);
    assert_eq!(world.call(LIST, &nobody, json!({ "status": "all" })).await.status, 403);
    let service = json!({ "task": "compare-statement" });
    let internal = world.host(nil_core::auth::Scope::Internal).await;
    let internal = nil_core::auth::Principal::Service {
        id: internal.id,
        scopes: vec![nil_core::auth::Scope::Internal],
    };
    world.pass(TimeDelta::days(1));
    let ran = world.call("core.internal.run_task", &internal, service).await.data();
    assert_eq!(ran["counts"]["found"], 0);
    assert!(ran["counts"]["lines"].as_i64().is_some());
    worker::round(&world.platform).await.unwrap();
}
both!(differences_are_listed_by_kind_age_and_words);

async fn differences_name_the_records_that_they_are_about(world: World) {
    moved(&world).await;
    world.script("UPDATE sandbox_line SET amount_cents = amount_cents + 1").await;
    compared(&world).await;
    let all = listed(&world, json!({ "status": "open", "per_page": 100 })).await;
    let of = |kind: &str, field: &str| {
        let mut ids: Vec<(i64, i64)> = all
            .iter()
            .map(|one| &one["record"])
            .filter(|record| record["kind"] == kind)
            .map(|record| (record["id"].as_i64().unwrap(), record[field].as_i64().unwrap()))
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    assert_eq!(of("charge", "payment_id"), [(1, 1), (2, 2), (3, 3)]);
    assert_eq!(of("refund", "payment_id"), [(1, 3)]);
    let athlete = world.id("SELECT MIN(id) FROM athlete").await;
    assert_eq!(of("payout", "athlete_id").first(), Some(&(1, athlete)));
    assert_eq!(of("subscription_charge", "partner_id").len(), 1);
    assert_eq!(of("subscription_refund", "partner_id").len(), 1);
    assert!(all.iter().all(|one| !one["record"].is_null()), "{all:?}");
}
both!(differences_name_the_records_that_they_are_about);
