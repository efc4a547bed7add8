//! The operators' dashboard: queues, the state of money and messages, and the last thirty days.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_tests::{World, a_job, both};
use serde_json::{Value, json};

const VIEW: &str = "admin.dashboard.view";

fn queue<'a>(view: &'a Value, kind: &str) -> &'a Value {
    let queues = view["queues"].as_array().unwrap();
    queues.iter().find(|queue| queue["kind"] == kind).unwrap()
}

async fn what_waits_is_counted_with_its_age(world: World) {
    let operator = world.operator(&[Permission::Finance]);
    let empty = world.call(VIEW, &operator, json!({})).await.data();
    let kinds: Vec<&str> = empty["queues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.len(), 12);
    assert!(empty["queues"].as_array().unwrap().iter().all(|one| one["count"] == 0));
    assert_eq!(queue(&empty, "jobs_pending")["oldest_at"], Value::Null);

    let brand = world.paying_partner("Ridge Outfitters").await;
    let first = world.call("core.job.save", &brand.principal, a_job(json!({}))).await.data();
    world.pass(TimeDelta::hours(3));
    world.call("core.job.save", &brand.principal, a_job(json!({}))).await.data();
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    // The athlete has no account to pay out to.
    world.call("admin.payout.trigger", &operator, json!({ "id": athlete.id })).await.data();

    let view = world.call(VIEW, &operator, json!({})).await.data();
    let jobs = queue(&view, "jobs_pending");
    assert_eq!((&jobs["count"], &jobs["oldest_at"]), (&json!(2), &first["updated_at"]));
    assert_eq!(queue(&view, "payouts_on_hold")["count"], 1);
    assert_eq!(queue(&view, "payouts_unconfirmed")["count"], 0);
    let in_status = |view: &Value, status: &str| {
        let all = view["jobs"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["status"] == status).unwrap()["count"].clone()
    };
    assert_eq!(in_status(&view, "pending"), 2);
    assert_eq!(view["jobs"].as_array().unwrap().len(), 8);
    assert!(view["outbox"][0]["count"].as_i64().unwrap() > 0);
    assert_eq!(view["outbox"][0]["channel"], "event");
    assert_eq!(view["books"]["fees_cents"], 500);
    assert_eq!(view["books"]["clearing_cents"], 5_000);
    assert_eq!(view["books"]["payouts_under_way_cents"], 5_000);
    assert!(view["outbox"][0]["overdue_seconds"].as_i64().unwrap() >= 3 * 3_600);
}
both!(what_waits_is_counted_with_its_age);

async fn reviews_and_registrations_for_portals_wait(world: World) {
    let operator = world.operator(&[Permission::Jobs]);
    let job = a_job(json!({}));
    let brand = world.partner("Ridge Outfitters").await;
    world.call("core.job.save", &brand.principal, job).await.data();
    let review = json!({
        "reason": "No answer.", "at": "2026-11-19T08:00:00Z", "status": "open",
        "asked_by": "partner:1", "athlete_id": null,
    });
    let review = format!("UPDATE job SET manual_review = '{review}' WHERE id = 1 RETURNING id");
    world.id(&review).await;
    let view = world.call(VIEW, &operator, json!({})).await.data();
    let reviews = queue(&view, "manual_reviews");
    assert_eq!(
        (&reviews["count"], &reviews["oldest_at"]),
        (&json!(1), &json!("2026-11-19T08:00:00Z"))
    );
    // The list shows exactly the queue's rows, or the others.
    let second = a_job(json!({ "title": "Another one" }));
    world.call("core.job.save", &brand.principal, second).await.data();
    for (in_review, ids) in
        [(json!(true), json!([1])), (json!(false), json!([2])), (Value::Null, json!([2, 1]))]
    {
        let listed = json!({ "status": "all", "id": 0, "in_review": in_review });
        let listed = world.call("admin.job.list", &operator, listed).await.data();
        let found: Value = listed.as_array().unwrap().iter().map(|job| job["id"].clone()).collect();
        assert_eq!(found, ids, "{in_review}");
    }
}
both!(reviews_and_registrations_for_portals_wait);

async fn the_list_of_payments_has_the_refunds_that_wait(world: World) {
    let money = world.operator(&[Permission::Finance]);
    let brand = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    let paid = world.pay(&brand, &athlete, &deal).await;
    let other = world.approved_deal(&brand, &athlete, &[5_000]).await;
    let other = world.pay(&brand, &athlete, &other).await;
    let refund = json!({ "payment_id": paid["id"], "amount_cents": 1_000, "reason": "Late." });
    world.call("admin.payment.refund", &money, refund).await.data();
    // The processor is silent.
    world.id("UPDATE refund SET status = 'pending' RETURNING id").await;
    for (hours, waiting) in [(0, 0), (25, 1)] {
        world.pass(TimeDelta::hours(hours));
        let view = world.call(VIEW, &money, json!({})).await.data();
        assert_eq!(queue(&view, "refunds_unconfirmed")["count"], waiting);
        let listed = json!({ "status": "all", "id": 0, "refund_unconfirmed": true });
        let listed = world.call("admin.payment.list", &money, listed).await.data();
        assert_eq!(listed.as_array().unwrap().len(), waiting, "{listed}");
        assert!(waiting == 0 || listed[0]["id"] == paid["id"]);
    }
    let rest = json!({ "status": "all", "id": 0, "refund_unconfirmed": false });
    let rest = world.call("admin.payment.list", &money, rest).await.data();
    assert_eq!((rest.as_array().unwrap().len(), &rest[0]["id"]), (1, &other["id"]));
}
both!(the_list_of_payments_has_the_refunds_that_wait);

async fn the_last_thirty_days_end_today(world: World) {
    let brand = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    world.pass(TimeDelta::days(29));
    world.fan("Fay Nn").await;
    let money = world.operator(&[Permission::Finance]);
    let view = world.call(VIEW, &money, json!({})).await.data();
    let days = view["days"].as_array().unwrap();
    assert_eq!(
        (days.len(), &days[0]["day"], &days[29]),
        (30, &json!("2026-11-20"), &view["today"])
    );
    let first = json!({
        "day": "2026-11-20", "athletes": 1, "partners": 1, "agents": 0, "fans": 0,
        "applications": 1, "hires": 1, "gross_cents": 5_000, "fee_cents": 500,
    });
    assert_eq!(days[0], first);
    assert_eq!(view["today"]["fans"], 1);
    assert!(days[1..29].iter().all(|day| day["gross_cents"] == 0 && day["athletes"] == 0));

    let content = world.operator(&[Permission::Content]);
    let view = world.call(VIEW, &content, json!({})).await.data();
    assert_eq!((&view["books"], &view["days"][0]["gross_cents"]), (&Value::Null, &Value::Null));
    assert_eq!(view["days"][0]["hires"], 1);
    world.pass(TimeDelta::days(1));
    let view = world.call(VIEW, &money, json!({})).await.data();
    assert_eq!(
        (&view["days"][0]["day"], &view["days"][0]["hires"]),
        (&json!("2026-11-21"), &json!(0))
    );
    assert_eq!(world.call(VIEW, &brand.principal, json!({})).await.status, 403);
}
both!(the_last_thirty_days_end_today);
