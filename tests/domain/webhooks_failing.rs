//! Webhooks whose receivers do not answer as they should: what is tried again, and what ends.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use nil_tests::receiver::{Receiver, Reply, receivers_nearby};
use nil_tests::{Engine, World, both};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::delivery::work;
use crate::webhooks::{SAVE, TEST, deliveries, endpoint, nearby, seen, test_event};

async fn what_does_not_arrive_is_tried_for_three_days_and_can_be_replayed(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Cedar Coffee").await;
    let made = endpoint(&world, &brand, receiver.address(), &["payment.failed"]).await;
    receiver.next(std::iter::repeat_n(Reply::With(500, "x".repeat(5_000)), 10));
    test_event(&world, &brand, &made).await;
    let pauses =
        [5, 5 * 60, 30 * 60, 2 * 3_600, 5 * 3_600, 10 * 3_600, 14 * 3_600, 20 * 3_600, 24 * 3_600];
    for (tries, pause) in (1..).zip(pauses) {
        work(&world).await;
        work(&world).await;
        assert_eq!(receiver.heard().len(), tries, "not again before its time");
        let row = &deliveries(&world, &brand.principal, &made).await[0];
        assert_eq!((&row["status"], &row["attempts"]), (&json!("pending"), &json!(tries)));
        assert_eq!(row["answer_status"], 500);
        assert_eq!(row["answer"].as_str().unwrap().len(), 1_024, "the beginning of the answer");
        // A tenth sooner at the earliest.
        world.pass(TimeDelta::milliseconds(pause * 890));
        work(&world).await;
        assert_eq!(receiver.heard().len(), tries);
        world.pass(TimeDelta::milliseconds(pause * 220));
    }
    work(&world).await;
    let row = &deliveries(&world, &brand.principal, &made).await[0];
    assert_eq!((&row["status"], &row["attempts"]), (&json!("failed"), &json!(10)));
    assert_eq!(
        (&row["next_at"], &row["error"]),
        (&Value::Null, &json!("the receiver answered 500"))
    );
    assert!(!seen(&world, &brand.principal).await["failing_since"].is_null());
    world.pass(TimeDelta::hours(30));
    work(&world).await;
    let heard = receiver.heard();
    assert_eq!(heard.len(), 10);
    assert!(heard.iter().all(|one| one.id == heard[0].id && one.body == heard[0].body));
    assert!(heard.windows(2).all(|two| two[0].at < two[1].at), "each try has its own time");

    let replay = json!({ "id": row["id"] });
    world.call("core.webhook.replay", &brand.principal, replay.clone()).await.data();
    work(&world).await;
    let again = receiver.heard().pop().unwrap();
    assert_eq!((receiver.heard().len(), &again.id), (11, &heard[0].id));
    let row = &deliveries(&world, &brand.principal, &made).await[0];
    assert_eq!((&row["status"], &row["attempts"]), (&json!("delivered"), &json!(1)));
    assert_eq!(seen(&world, &brand.principal).await["failing_since"], Value::Null);
    let off = json!({ "id": made["id"], "enabled": false });
    world.call(SAVE, &brand.principal, off).await.data();
    let refused = world.call("core.webhook.replay", &brand.principal, replay).await;
    assert_eq!((refused.status, refused.code()), (409, "webhook_off"));
}
both!(what_does_not_arrive_is_tried_for_three_days_and_can_be_replayed);

async fn a_receiver_that_is_gone_is_sent_nothing_more(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Cedar Coffee").await;
    let made = endpoint(&world, &brand, receiver.address(), &["payment.failed"]).await;
    receiver.next([Reply::status(410)]);
    test_event(&world, &brand, &made).await;
    test_event(&world, &brand, &made).await;
    work(&world).await;
    work(&world).await;
    assert_eq!(receiver.heard().len(), 1);
    let now = seen(&world, &brand.principal).await;
    assert_eq!((&now["enabled"], &now["disabled_why"]), (&json!(false), &json!("gone")));
    let rows = deliveries(&world, &brand.principal, &made).await;
    assert!(rows.iter().all(|row| row["status"] == "failed"), "{rows:?}");
    assert_eq!(rows[1]["answer_status"], 410);
    let mail = world.mail(&brand.email, "webhook.disabled").await.expect("its owner is told");
    assert!(mail.contains(receiver.address()) && mail.contains("gone"), "{mail}");
    let refused = world.call(TEST, &brand.principal, json!({ "id": made["id"] })).await;
    assert_eq!((refused.status, refused.code()), (409, "webhook_off"));
    let on = json!({ "id": made["id"], "enabled": true });
    let on = world.call(SAVE, &brand.principal, on).await.data();
    assert_eq!((&on["enabled"], &on["disabled_why"]), (&json!(true), &Value::Null));
    test_event(&world, &brand, &made).await;
    work(&world).await;
    assert_eq!(receiver.heard().len(), 2);
}
both!(a_receiver_that_is_gone_is_sent_nothing_more);

async fn five_days_of_failures_switch_an_endpoint_off(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let (email, _) = world.new_portal_user(college, "owner").await;
    let input = json!({ "url": receiver.address(), "events": ["contract.executed"] });
    let made = world.call("compliance.webhook.save", &owner, input).await.data();
    receiver.next(std::iter::repeat_n(Reply::status(503), 100));
    for _ in 0..5 {
        let test = json!({ "id": made["id"] });
        world.call("compliance.webhook.test", &owner, test).await.data();
        for _ in 0..8 {
            work(&world).await;
            world.pass(TimeDelta::hours(3));
        }
        let listed = world.call("compliance.webhook.list", &owner, json!({})).await.data();
        assert_eq!(listed[0]["enabled"], true);
        assert_eq!(listed[0]["failing_since"], "2026-11-20T12:00:00Z");
    }
    let before = receiver.heard().len();
    for _ in 0..8 {
        work(&world).await;
        world.pass(TimeDelta::hours(3));
    }
    work(&world).await;
    assert_eq!(receiver.heard().len(), before + 1);
    let listed = world.call("compliance.webhook.list", &owner, json!({})).await.data();
    assert_eq!(
        (&listed[0]["enabled"], &listed[0]["disabled_why"]),
        (&json!(false), &json!("failing"))
    );
    let mail = world.mail(&email, "webhook.disabled").await.expect("owners are told");
    assert!(mail.contains("five days"), "{mail}");
}
both!(five_days_of_failures_switch_an_endpoint_off);

async fn redirects_are_not_followed_and_slow_answers_not_waited_for(engine: Engine) {
    let world = World::configured(engine, |config| {
        receivers_nearby(config);
        config.webhook_deadline = Duration::from_millis(300);
    })
    .await;
    let (receiver, other) = (Receiver::start().await, Receiver::start().await);
    let brand = world.partner("Cedar Coffee").await;
    let made = endpoint(&world, &brand, receiver.address(), &["payment.failed"]).await;
    receiver.next([Reply::Elsewhere(other.address().to_owned())]);
    test_event(&world, &brand, &made).await;
    work(&world).await;
    let row = &deliveries(&world, &brand.principal, &made).await[0];
    assert_eq!((&row["status"], &row["answer_status"]), (&json!("pending"), &json!(307)));
    assert!(other.heard().is_empty());
    receiver.next([Reply::Stalls(Arc::new(Notify::new()))]);
    world.pass(TimeDelta::seconds(6));
    work(&world).await;
    let row = &deliveries(&world, &brand.principal, &made).await[0];
    assert_eq!((&row["attempts"], &row["answer_status"]), (&json!(2), &Value::Null));
    assert_eq!(row["error"], "no answer in time");
}
both!(redirects_are_not_followed_and_slow_answers_not_waited_for);

async fn a_slow_receiver_delays_no_other(engine: Engine) {
    let world = nearby(engine).await;
    let (slow, quick) = (Receiver::start().await, Receiver::start().await);
    let brand = world.partner("Cedar Coffee").await;
    let other = world.partner("Harbor Books").await;
    let made = endpoint(&world, &brand, slow.address(), &["payment.failed"]).await;
    let others = endpoint(&world, &other, quick.address(), &["payment.failed"]).await;
    let go = Arc::new(Notify::new());
    slow.next([Reply::Stalls(go.clone())]);
    test_event(&world, &brand, &made).await;
    test_event(&world, &brand, &made).await;
    let platform = world.platform.clone();
    let round = tokio::spawn(async move { nil_core::worker::round(&platform).await });
    slow.hears(1).await;
    // What comes while it stalls is sent as well.
    test_event(&world, &other, &others).await;
    quick.hears(1).await;
    assert_eq!(slow.heard().len(), 1, "its own wait for it");
    go.notify_one();
    round.await.unwrap().unwrap();
    assert_eq!(slow.heard().len(), 2);
}
both!(a_slow_receiver_delays_no_other);

async fn addresses_of_this_machine_are_refused_at_each_try(engine: Engine) {
    let mut world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Cedar Coffee").await;
    let made = endpoint(&world, &brand, receiver.address(), &["payment.failed"]).await;
    world.reopen(|config| config.webhook_networks.clear()).await;
    test_event(&world, &brand, &made).await;
    work(&world).await;
    assert!(receiver.heard().is_empty());
    let row = &deliveries(&world, &brand.principal, &made).await[0];
    assert_eq!((&row["attempts"], &row["answer_status"]), (&json!(1), &Value::Null));
    assert_eq!(row["error"], "only ordinary https addresses with a name are asked");
}
both!(addresses_of_this_machine_are_refused_at_each_try);

async fn an_endpoint_that_is_too_far_behind_is_switched_off(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.paying_partner("Ridge Outfitters").await;
    let made = endpoint(&world, &brand, receiver.address(), &["application.received"]).await;
    let id = made["id"].as_i64().unwrap();
    world
        .script(&format!(
            "INSERT INTO webhook_delivery (endpoint_id, message_id, event, body, status, attempts, \
             next_at, created_at) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
             WHERE i < 1000) SELECT {id}, 'msg_' || CAST(i AS TEXT), 'webhook.test', '{{}}', \
             'pending', 0, e.created_at, e.created_at FROM n JOIN webhook_endpoint e ON e.id = {id}"
        ))
        .await;
    let full = world.call(TEST, &brand.principal, json!({ "id": id })).await;
    assert_eq!((full.status, full.code()), (409, "webhook_full"));
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&brand, json!({})).await;
    world.apply(&athlete, job).await;
    work(&world).await;
    assert!(receiver.heard().is_empty());
    let now = seen(&world, &brand.principal).await;
    assert_eq!((&now["enabled"], &now["disabled_why"]), (&json!(false), &json!("overflow")));
    assert_eq!(world.told("webhook.disabled").await, 1);
    let left = "SELECT COUNT(*) FROM webhook_delivery WHERE status = 'pending'";
    assert_eq!(world.id(left).await, 0);
}
both!(an_endpoint_that_is_too_far_behind_is_switched_off);
