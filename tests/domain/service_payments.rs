//! Service orders are paid like every deal: once, whatever the processor does.

use chrono::TimeDelta;
use nil_core::marketplace;
use nil_core::payments;
use nil_core::worker;
use nil_tests::{DECLINED_CARD, Fault, GOOD_CARD, World, both};
use serde_json::{Value, json};

const COMPLETE: &str = "core.service_order.complete";

async fn charged(world: &World) -> i64 {
    let log = world.processor.sandbox().log().await.unwrap();
    let charges = log.iter().filter(|e| e.kind == "charge" && e.status == "succeeded");
    charges.map(|entry| entry.amount_cents.get()).sum()
}

async fn a_completed_order_is_in_everybodys_books(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let college = world.college().await;
    let zoe = world.athlete_of("Zoe Okafor", college).await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &zoe, 1_500).await;
    let id = world.delivered_order(&brand, &zoe).await;
    assert_eq!(charged(&world).await, 0, "nothing before it is completed");
    let done = world.call(COMPLETE, &brand.principal, json!({ "id": id })).await.data();
    assert_eq!((&done["id"], &done["status"]), (&json!(id), &json!("completed")));
    let payment = &done["payment"];
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(
        (&payment["amount_cents"], &payment["fee_cents"], &payment["agent_commission_cents"]),
        (&json!(8_000), &json!(800), &json!(1_200))
    );
    assert_eq!(payment["deliverable_ids"], json!([done["deliverable_id"]]));
    assert_eq!(charged(&world).await, 8_800);
    assert_eq!((world.balance(&zoe).await, world.balance(&agent).await), (6_800, 1_200));

    for (history, side) in
        [("core.payment.history_of_athlete", &zoe), ("core.payment.history_of_partner", &brand)]
    {
        let payments = world.call(history, &side.principal, json!({})).await.data();
        assert_eq!(
            (&payments[0]["id"], &payments[0]["job_title"]),
            (&payment["id"], &json!("Shooting lesson"))
        );
    }
    let taxes = world
        .call("core.payment.tax_summary", &zoe.principal, json!({ "year": 2026 }))
        .await
        .data();
    assert!(taxes.to_string().contains("8000"), "{taxes}");
    let officer = world.portal_user(college, "viewer").await.0;
    let seen = world.call("compliance.transaction.list", &officer, json!({})).await.data();
    assert_eq!((&seen[0]["id"], &seen[0]["category"]), (&payment["id"], &json!("Private Lesson")));
    assert_eq!((&seen[0]["gross_cents"], &seen[0]["net_cents"]), (&json!(8_000), &json!(6_800)));
    let job = world.job(&brand, done["job_id"].as_i64().unwrap()).await;
    assert_eq!(job["status"], "completed");

    let again = world.call(COMPLETE, &brand.principal, json!({ "id": id })).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    // An operator can refund it like every payment.
    let operator = world.operator(&[nil_core::auth::Permission::Finance]);
    let refund = json!({ "payment_id": payment["id"], "reason": "A kind word." });
    world.call("admin.payment.refund", &operator, refund).await.data();
    assert_eq!(world.balance(&zoe).await, 0);
    world.books_are_right().await;
}
both!(a_completed_order_is_in_everybodys_books);

async fn twenty_clicks_charge_once(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.delivered_order(&brand, &zoe).await;
    let order = world.order_as(&brand, id).await;
    let pay = json!({ "athlete_id": zoe.id, "contract_id": order["contract_id"] });
    let calls = (0..20).map(|at| match at % 4 {
        3 => world.call("core.payment.pay_with_saved_card", &brand.principal, pay.clone()),
        _ => world.call(COMPLETE, &brand.principal, json!({ "id": id })),
    });
    let answers = futures::future::join_all(calls).await;
    let paid = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(paid, 1, "{answers:?}");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert!(["nothing_owed", "illegal_transition"].contains(&answer.code()), "{answer:?}");
    }
    assert_eq!(charged(&world).await, 8_800);
    assert_eq!(world.order_as(&zoe, id).await["status"], "completed");
    world.books_are_right().await;
}
both!(twenty_clicks_charge_once);

async fn a_declined_card_leaves_the_debt_and_another_card_pays_it(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    world.card(&brand, DECLINED_CARD).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.delivered_order(&brand, &zoe).await;
    let complete = json!({ "id": id });
    let declined =
        world.call_with_key(COMPLETE, &brand.principal, complete.clone(), Some("k")).await;
    assert_eq!((declined.status, declined.code()), (402, "card_declined"));
    assert_eq!(declined.body["data"]["status"], "failed");
    assert_eq!(world.order_as(&zoe, id).await["status"], "delivered");
    let back = json!({ "id": id, "note": "Never mind." });
    let approved = world.call("core.service_order.return", &brand.principal, back).await;
    assert_eq!((approved.status, approved.code()), (409, "illegal_transition"), "it is approved");
    let same = world.call_with_key(COMPLETE, &brand.principal, complete.clone(), Some("k")).await;
    assert_eq!(same.body["data"]["id"], declined.body["data"]["id"]);
    let card = world.card(&brand, GOOD_CARD).await;
    let default = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.set_default_payment_method", &brand.principal, default).await.data();
    let done = world.call(COMPLETE, &brand.principal, complete).await.data();
    assert_eq!(done["status"], "completed");
    assert_ne!(
        done["payment"]["id"], declined.body["data"]["id"],
        "a new attempt is a new payment"
    );
    assert_eq!(world.balance(&zoe).await, 8_000);
    world.books_are_right().await;
}
both!(a_declined_card_leaves_the_debt_and_another_card_pays_it);

async fn without_a_card_nothing_is_approved(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    let card = world.card(&brand, GOOD_CARD).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.delivered_order(&brand, &zoe).await;
    let which = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.remove_payment_method", &brand.principal, which).await.data();
    let refused = world.call(COMPLETE, &brand.principal, json!({ "id": id })).await;
    assert_eq!((refused.status, refused.code()), (409, "no_payment_method"));
    let back = json!({ "id": id, "note": "Once more." });
    world.call("core.service_order.return", &brand.principal, back).await.data();
    assert_eq!(world.order_as(&zoe, id).await["status"], "accepted");
}
both!(without_a_card_nothing_is_approved);

async fn a_crash_between_intent_and_word_completes_the_order_once(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    for fault in [Fault::DiesBefore, Fault::DiesAfter] {
        let id = world.delivered_order(&brand, &zoe).await;
        let input = json!({ "id": id });
        let key = format!("{fault:?}");
        world.processor.next(&[fault]);
        let died = world.call_with_key(COMPLETE, &brand.principal, input.clone(), Some(&key)).await;
        assert_eq!(died.status, 500);
        assert_eq!(world.order_as(&zoe, id).await["status"], "delivered");
        let running =
            world.call_with_key(COMPLETE, &brand.principal, input.clone(), Some(&key)).await;
        assert_eq!(running.code(), "idempotency_in_progress");
        let other = world.call(COMPLETE, &brand.principal, input.clone()).await;
        assert_eq!((other.status, other.code()), (409, "nothing_owed"));
        world.books_are_right().await;
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
        let answer = world.call_with_key(COMPLETE, &brand.principal, input, Some(&key)).await;
        assert_eq!(answer.body["message"], "Order completed");
        let answer = answer.data();
        assert_eq!((&answer["id"], &answer["status"]), (&json!(id), &json!("completed")));
        assert_eq!(answer["payment"]["status"], "succeeded");
        world.books_are_right().await;
    }
    assert_eq!(charged(&world).await, 17_600);
    assert_eq!(world.balance(&zoe).await, 16_000);
}
both!(a_crash_between_intent_and_word_completes_the_order_once);

async fn a_silent_processor_leaves_the_order_delivered_until_it_is_asked_again(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.delivered_order(&brand, &zoe).await;
    world.processor.next(&[Fault::Unanswered]);
    let waiting = world.call(COMPLETE, &brand.principal, json!({ "id": id })).await.data();
    assert_eq!(
        (&waiting["status"], &waiting["payment"]["status"]),
        (&json!("delivered"), &json!("processing"))
    );
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    assert_eq!(world.order_as(&zoe, id).await["status"], "completed");
    assert_eq!(charged(&world).await, 8_800);
    world.books_are_right().await;
}
both!(a_silent_processor_leaves_the_order_delivered_until_it_is_asked_again);

async fn a_crash_before_a_decline_is_answered_with_the_decline(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    world.card(&brand, DECLINED_CARD).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let input = json!({ "id": world.delivered_order(&brand, &zoe).await });
    world.processor.next(&[Fault::DiesAfter]);
    let died = world.call_with_key(COMPLETE, &brand.principal, input.clone(), Some("k")).await;
    assert_eq!(died.status, 500);
    world.pass(TimeDelta::seconds(11));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 1);
    let answer = world.call_with_key(COMPLETE, &brand.principal, input, Some("k")).await;
    assert_eq!((answer.status, answer.code()), (402, "card_declined"));
    assert_eq!(answer.body["data"]["status"], "failed");
    world.books_are_right().await;
}
both!(a_crash_before_a_decline_is_answered_with_the_decline);

async fn a_brands_silence_completes_what_was_delivered(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let broke = world.partner("Harbor Books").await;
    world.card(&broke, DECLINED_CARD).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let paid = world.delivered_order(&brand, &zoe).await;
    let owed = world.delivered_order(&broke, &zoe).await;
    let open = world.accepted_order(&brand, &zoe).await;
    world.pass(TimeDelta::days(7));
    assert_eq!(
        marketplace::conclude_unanswered(&world.platform).await.unwrap(),
        0,
        "to the second"
    );
    world.pass(TimeDelta::seconds(1));
    let (one, two) = tokio::join!(
        marketplace::conclude_unanswered(&world.platform),
        marketplace::conclude_unanswered(&world.platform),
    );
    assert_eq!(one.unwrap() + two.unwrap(), 2);
    assert_eq!(world.order_as(&zoe, paid).await["status"], "completed");
    let approved = world.order_as(&zoe, owed).await;
    assert_eq!(approved["status"], "delivered");
    assert_eq!(world.order_as(&zoe, open).await["status"], "accepted");
    assert_eq!(charged(&world).await, 8_800);
    // One attempt only: what is owed waits for the brand.
    assert_eq!(worker::round(&world.platform).await.unwrap().orders_concluded, 0);
    let history = "core.payment.history_of_partner";
    let tried = world.call(history, &broke.principal, json!({})).await.data();
    assert_eq!(tried.as_array().unwrap().len(), 1);
    assert_eq!(tried[0]["status"], "failed");
    let deal = world.deal(&zoe, approved["job_id"].as_i64().unwrap()).await;
    assert_eq!(deal["deliverables"][0]["status"], "approved");
    world.books_are_right().await;
}
both!(a_brands_silence_completes_what_was_delivered);

async fn silence_without_a_card_leaves_the_debt(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    let card = world.card(&brand, GOOD_CARD).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.delivered_order(&brand, &zoe).await;
    let which = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.remove_payment_method", &brand.principal, which).await.data();
    world.pass(TimeDelta::days(8));
    assert_eq!(worker::round(&world.platform).await.unwrap().orders_concluded, 1);
    let order = world.order_as(&zoe, id).await;
    assert_eq!(order["status"], "delivered");
    world.card(&brand, GOOD_CARD).await;
    let done = world.call(COMPLETE, &brand.principal, json!({ "id": id })).await.data();
    assert_eq!(done["status"], "completed");
    world.books_are_right().await;
}
both!(silence_without_a_card_leaves_the_debt);

async fn a_suspended_brands_card_is_not_charged_by_silence(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.delivered_order(&brand, &zoe).await;
    let user = nil_core::kernel::UserId::new(brand.user_id).unwrap();
    nil_core::accounts::suspension::suspend(&world.platform, user).await.unwrap();
    world.pass(TimeDelta::days(8));
    assert_eq!(marketplace::conclude_unanswered(&world.platform).await.unwrap(), 1);
    assert_eq!((charged(&world).await, world.balance(&zoe).await), (0, 0));
    // The work counts as approved, and what is owed for it stays owed.
    let order = world.order_as(&zoe, id).await;
    let deal = world.deal(&zoe, order["job_id"].as_i64().unwrap()).await;
    assert_eq!(deal["deliverables"][0]["status"], "approved");
    nil_core::accounts::suspension::restore(&world.platform, user).await.unwrap();
    let done = world.call(COMPLETE, &brand.principal, json!({ "id": id })).await.data();
    assert_eq!((&done["status"], charged(&world).await), (&json!("completed"), 8_800));
    world.books_are_right().await;
}
both!(a_suspended_brands_card_is_not_charged_by_silence);

async fn what_is_published_has_to_be_proved_and_a_caption_is_checked(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let offer = world.offer(&zoe, json!({ "kind": "social_post", "platform": "instagram" })).await;
    let place = json!({ "offer_id": offer["id"] });
    let order = world.call("core.service_order.place", &brand.principal, place).await.data();
    let id = json!({ "id": order["id"] });
    let accepted = world.call("core.service_order.accept", &zoe.principal, id.clone()).await.data();
    let deliver = "core.service_order.deliver";
    let unproved = world.call(deliver, &zoe.principal, id).await;
    assert!(
        unproved.status == 422 && unproved.body["errors"]["post_urls"].is_array(),
        "{}",
        unproved.body
    );
    let elsewhere = json!({ "id": order["id"], "post_urls": ["https://example.com/p/1"] });
    assert_eq!(world.call(deliver, &zoe.principal, elsewhere).await.status, 422);
    let post = json!({
        "id": order["id"], "post_urls": ["https://www.instagram.com/p/1/"], "caption": "Good coffee #ad",
    });
    assert_eq!(world.call(deliver, &zoe.principal, post).await.data()["status"], "delivered");
    let deal = world.deal(&zoe, accepted["job_id"].as_i64().unwrap()).await;
    assert_ne!(deal["deliverables"][0]["disclosure_check"], Value::Null);
}
both!(what_is_published_has_to_be_proved_and_a_caption_is_checked);
