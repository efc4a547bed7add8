//! Institutions that take part in what the clearinghouse asks of their division, and those that do
//! not.

use std::sync::Arc;

use nil_core::auth::Permission;
use nil_core::disclosures::weigh_again;
use nil_core::storage::sql;
use nil_tests::{Answer, Engine, Person, World, both};
use serde_json::{Value, json};

use crate::affiliate::commission;
use crate::clearing::own;
use crate::disclosing::disclose;
use crate::payor_groups::college_in;
use crate::prospects::ENROL;

async fn save(world: &World, college: i64, over: Value) -> Answer {
    let operator = world.operator(&[Permission::Accounts]);
    let mut change = json!({
        "id": college, "name": format!("River College {college}"), "division": "D1",
        "state": "IL", "time_zone": "America/Chicago",
    });
    for (name, value) in over.as_object().unwrap() {
        change[name] = value.clone();
    }
    world.call("admin.college.save", &operator, change).await
}

/// Changes the institution, and lets the worker add up again; returns how many athletes it looked
/// at.
async fn change(world: &World, college: i64, over: Value) -> usize {
    save(world, college, over).await.data();
    weigh_again(&world.platform).await.unwrap()
}

async fn state(world: &World, athlete: &Person) -> Value {
    let all = own(world, &athlete.principal).await;
    assert_eq!(all.len(), 1);
    json!([all[0]["status"], all[0]["due_at"]])
}

async fn deals_are_due_only_if_signed_while_the_institution_takes_part(world: World) {
    let college = college_in(&world, "D1").await;
    let away = json!({ "participation": [{ "from": "2025-07-01", "takes_part": false }] });
    assert_eq!(change(&world, college, away).await, 0);
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
    let nothing = json!(["not_required", null]);
    let due = json!(["due", "2026-12-01T05:59:59Z"]);
    assert_eq!(state(&world, &athlete).await, nothing);
    // The deal is of 20 November.
    for (changes, wanted) in [
        (
            json!([{ "from": "2026-11-20", "takes_part": true },
            { "from": "2025-07-01", "takes_part": false }]),
            &due,
        ),
        (
            json!([{ "from": "2025-07-01", "takes_part": false },
            { "from": "2026-11-21", "takes_part": true }]),
            &nothing,
        ),
        (json!([{ "from": "2026-11-21", "takes_part": false }]), &due),
        (json!([{ "from": "2026-11-20", "takes_part": false }]), &nothing),
        (json!([]), &due),
    ] {
        let over = json!({ "participation": changes });
        assert_eq!(change(&world, college, over).await, 1, "{changes}");
        assert_eq!(state(&world, &athlete).await, *wanted, "{changes}");
    }
    // What is left out stays, and what stays needs no look.
    assert_eq!(change(&world, college, json!({ "conference": "Lake" })).await, 0);
}
both!(deals_are_due_only_if_signed_while_the_institution_takes_part);

/// The list says what holds, the earliest first, and a day is named once.
async fn an_institutions_participation_is_dated(world: World) {
    let college = college_in(&world, "D1").await;
    let changes = json!([{ "from": "2026-07-01", "takes_part": true },
        { "from": "2025-07-01", "takes_part": false }]);
    let saved = save(&world, college, json!({ "participation": changes })).await.data();
    assert_eq!(saved["participation"], json!([changes[1], changes[0]]));
    let kept = save(&world, college, json!({})).await.data();
    assert_eq!(kept["participation"], saved["participation"]);
    let twice = json!([{ "from": "2026-07-01", "takes_part": true },
        { "from": "2026-07-01", "takes_part": false }]);
    let refused = save(&world, college, json!({ "participation": twice })).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body["errors"]["participation"].is_array(), "{}", refused.body);
}
both!(an_institutions_participation_is_dated);

/// Who changes an institution while an athlete is enrolling there has the athlete weighed again:
/// whoever comes second sees what the first has written.
#[tokio::test(flavor = "multi_thread")]
async fn an_institution_does_not_change_beside_an_enrolment_postgres() {
    let world = World::on(Engine::Postgres).await;
    let small = college_in(&world, "D2").await;
    let large = college_in(&world, "D1").await;
    let athlete = world.athlete_of("Zoe Okafor", small).await;
    disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
    let edit = json!({ "university_id": large });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    let mut operator = world.platform.db().read().await.unwrap();
    operator.run(sql("BEGIN")).await.unwrap();
    let away = "UPDATE college SET participation = \
        '[{\"from\": \"2025-07-01\", \"takes_part\": false}]' WHERE id = $1";
    operator.run(sql(away).bind(large)).await.unwrap();
    let portal = json!({
        "kind": "other_division", "enrolled_on": "2026-11-23", "counts_from": "2026-05-01",
    });
    let holder: i32 = operator.value(sql("SELECT pg_backend_pid()")).await.unwrap();
    let world = Arc::new(world);
    let (own, who) = (world.clone(), athlete.principal.clone());
    let enrols = tokio::spawn(async move { own.call(ENROL, &who, portal).await });
    let mut other = world.platform.db().read().await.unwrap();
    let waits = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
        AND $1 = ANY(pg_blocking_pids(pid))";
    while !enrols.is_finished() && other.value::<i64>(sql(waits).bind(holder)).await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    operator.run(sql("COMMIT")).await.unwrap();
    enrols.await.unwrap().data();
    weigh_again(&world.platform).await.unwrap();
    assert_eq!(state(&world, &athlete).await, json!(["not_required", null]));
}

/// Whether and when a deal is due follows the institution's division and time zone, and how the
/// site counts contingent pay.
async fn what_decides_beside_deals_is_followed_at_once(world: World) {
    let college = college_in(&world, "D1").await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;
    for (over, wanted) in [
        (json!({ "division": "NAIA" }), json!(["not_required", null])),
        (json!({ "division": "D1" }), json!(["due", "2026-12-01T05:59:59Z"])),
        (json!({ "time_zone": "America/Denver" }), json!(["due", "2026-12-01T06:59:59Z"])),
    ] {
        assert_eq!(change(&world, college, over.clone()).await, 1, "{over}");
        assert_eq!(state(&world, &athlete).await, wanted, "{over}");
    }

    let brand = world.partner("Ridge Outfitters").await;
    let other = world.athlete("Kai Lum").await;
    let mut share = commission();
    share["product_value_cents"] = json!(60_000);
    let job = world.open_job(&brand, share).await;
    world.hire(&brand, &other, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &other.principal, confirm).await.data();
    let operator = world.operator(&[Permission::Site]);
    for (reading, wanted) in [
        ("maximum", json!(["due", "2026-12-01T05:59:59Z"])),
        ("received", json!(["not_required", null])),
    ] {
        let input = json!({ "contingent_pay": reading });
        world.call("admin.site.save_basic", &operator, input).await.data();
        assert_eq!(weigh_again(&world.platform).await.unwrap(), 1, "{reading}");
        assert_eq!(state(&world, &other).await, wanted, "{reading}");
    }
}
both!(what_decides_beside_deals_is_followed_at_once);
