//! Service orders: what they freeze, when they are refused, and how they end.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::Machine as _;
use nil_core::orders::{OrderEvent, OrderStatus};
use nil_core::worker;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const SAVE: &str = "core.service_offer.save";
pub(crate) const PLACE: &str = "core.service_order.place";
pub(crate) const ACCEPT: &str = "core.service_order.accept";
const DECLINE: &str = "core.service_order.decline";
pub(crate) const CANCEL: &str = "core.service_order.cancel";
const DELIVER: &str = "core.service_order.deliver";
const RETURN: &str = "core.service_order.return";
const COMPLETE: &str = "core.service_order.complete";
const LIST: &str = "core.service_order.list";

/// Supplement promotion: a separate category.
const SUPPLEMENTS: i64 = 31;

async fn set_rules(world: &World, college: i64, rules: Value) {
    let owner = world.portal_user(college, "owner").await.0;
    let save = "compliance.college.save_settings";
    world.call(save, &owner, rules).await.data();
}

/// Leaves an order in this state; returns it.
async fn order_in(world: &World, state: OrderStatus, brand: &Person, athlete: &Person) -> i64 {
    let on = async |operation: &str, who: &Person, id: i64| {
        let answer = world.call(operation, &who.principal, json!({ "id": id }));
        answer.await.data();
        id
    };
    match state {
        OrderStatus::Ordered => world.order(brand, athlete).await,
        OrderStatus::Accepted => world.accepted_order(brand, athlete).await,
        OrderStatus::Delivered => world.delivered_order(brand, athlete).await,
        OrderStatus::Completed => {
            let id = world.delivered_order(brand, athlete).await;
            on(COMPLETE, brand, id).await
        }
        OrderStatus::Declined => on(DECLINE, athlete, world.order(brand, athlete).await).await,
        OrderStatus::Cancelled => on(CANCEL, brand, world.order(brand, athlete).await).await,
        OrderStatus::Expired => {
            let id = world.order(brand, athlete).await;
            world.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
            worker::round(&world.platform).await.expect("a round");
            id
        }
    }
}

async fn an_order_freezes_the_offer(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let offer = world.offer(&zoe, json!({})).await;
    let mut place = json!({
        "offer_id": offer["id"], "note": "Bring two balls.", "wanted_by": "2026-12-05",
        "business_purpose": "thanking our best customers", "expected_price_cents": 7_000,
    });
    let refused = world.call(PLACE, &brand.principal, place.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "price_changed"));
    place["expected_price_cents"] = json!(8_000);
    let order = world.call(PLACE, &brand.principal, place.clone()).await.data();
    assert_eq!(order["status"], "ordered");
    assert_eq!(
        (&order["price_cents"], &order["fee_cents"], &order["total_cents"]),
        (&json!(8_000), &json!(800), &json!(8_800))
    );
    assert_eq!(order["expires_at"], "2026-11-27T12:00:00Z");
    assert_eq!((&order["job_id"], &order["contract_id"]), (&Value::Null, &Value::Null));
    let again = world.call(PLACE, &brand.principal, place).await;
    assert_eq!((again.status, again.code()), (409, "order_pending"));

    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&zoe.email, "invitation.received").await.unwrap();
    assert!(
        mail.contains("$80.00") && mail.contains("November 27, 2026") && !mail.contains("{{"),
        "{mail}"
    );

    let dearer = json!({ "id": offer["id"], "price_cents": 99_900, "title": "Gold lesson" });
    world.call(SAVE, &zoe.principal, dearer).await.data();
    let fee =
        format!("UPDATE partner SET fee_basis_points = 5000 WHERE id = {} RETURNING id", brand.id);
    world.id(&fee).await;
    let accepted = world.call(ACCEPT, &zoe.principal, json!({ "id": order["id"] })).await.data();
    assert_eq!(accepted["status"], "accepted");
    assert_eq!(
        (&accepted["price_cents"], &accepted["due_on"]),
        (&json!(8_000), &json!("2026-12-05"))
    );
    let deal = world.deal(&zoe, accepted["job_id"].as_i64().unwrap()).await;
    let contract = &deal["contract"];
    assert_eq!(
        (&contract["id"], &contract["status"]),
        (&accepted["contract_id"], &json!("active"))
    );
    assert_eq!(
        (&contract["agreed_amount_cents"], &contract["fee_basis_points"]),
        (&json!(8_000), &json!(1_000))
    );
    assert_eq!(contract["terms"]["job"]["business_purpose"], "thanking our best customers");
    assert_eq!(
        (&deal["job"]["title"], &deal["job"]["status"]),
        (&json!("Shooting lesson"), &json!("closed"))
    );
    assert_eq!(deal["deliverables"][0]["instructions"], "Bring two balls.");
    // Other users do not find the job that was made of it.
    let other = world.athlete("Ida Novak").await;
    let apply = json!({ "job_id": accepted["job_id"] });
    assert_eq!(world.call("core.application.apply", &other.principal, apply).await.status, 404);
    world.books_are_right().await;
}
both!(an_order_freezes_the_offer);

async fn bad_orders_are_refused(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let offer = world.offer(&zoe, json!({})).await;
    let with = |field: &str, value: Value| {
        let mut place = json!({ "offer_id": offer["id"] });
        place[field] = value;
        place
    };
    for (field, value) in [
        ("wanted_by", json!("2026-11-19")),
        ("wanted_by", json!("2027-11-21")),
        ("category_id", json!(999)),
        ("note", json!("")),
        ("offer_id", json!(0)),
    ] {
        let refused = world.call(PLACE, &brand.principal, with(field, value)).await;
        assert!(
            refused.status == 422 && refused.body["errors"][field].is_array(),
            "{}",
            refused.body
        );
    }
    let place = json!({ "offer_id": offer["id"] });
    let typo = world.call(PLACE, &brand.principal, with("price_cents", json!(1))).await;
    assert_eq!((typo.status, typo.code()), (422, "unknown_field"));
    let cardless = world.call(PLACE, &brand.principal, place.clone()).await;
    assert_eq!((cardless.status, cardless.code()), (409, "no_payment_method"));
    for who in [&zoe.principal, &world.agent("North Agency").await.principal] {
        assert_eq!(world.call(PLACE, who, place.clone()).await.status, 403);
    }
    assert_eq!(world.call(PLACE, &Principal::Anonymous, place).await.status, 401);
}
both!(bad_orders_are_refused);

async fn a_schools_rule_refuses_by_name_at_order_and_at_acceptance(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let college = world.college().await;
    let zoe = world.athlete_of("Zoe Okafor", college).await;
    let offer = world.offer(&zoe, json!({})).await;
    set_rules(
        &world,
        college,
        json!({ "prohibited_categories": { "categories": ["supplement_promotion"] } }),
    )
    .await;
    let promoting = json!({ "offer_id": offer["id"], "category_id": SUPPLEMENTS });
    let refused = world.call(PLACE, &brand.principal, promoting).await;
    assert_eq!((refused.status, refused.code()), (409, "category_prohibited"));
    let why = refused.body["message"].as_str().unwrap();
    assert!(why.contains("rule `prohibited_categories`, in force since 2026-11-20"), "{why}");

    let order =
        world.call(PLACE, &brand.principal, json!({ "offer_id": offer["id"] })).await.data();
    set_rules(
        &world,
        college,
        json!({ "blackouts": { "windows": [
            { "name": "Finals", "from": "2026-11-20", "until": "2026-12-20" },
        ] } }),
    )
    .await;
    let refused = world.call(ACCEPT, &zoe.principal, json!({ "id": order["id"] })).await;
    assert_eq!((refused.status, refused.code()), (409, "blackout"));
    let id = order["id"].as_i64().unwrap();
    let still = world.order_as(&brand, id).await;
    assert_eq!((&still["status"], &still["contract_id"]), (&json!("ordered"), &Value::Null));
    assert_eq!(world.id("SELECT COUNT(*) FROM job").await, 0, "nothing was left behind");
    let later =
        json!({ "offer_id": world.offer(&zoe, json!({})).await["id"], "wanted_by": "2026-12-10" });
    let refused = world.call(PLACE, &brand.principal, later).await;
    assert_eq!((refused.status, refused.code()), (409, "blackout"));
}
both!(a_schools_rule_refuses_by_name_at_order_and_at_acceptance);

async fn other_peoples_orders_do_not_exist(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let rival = world.paying_partner("Harbor Books").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let ida = world.athlete("Ida Novak").await;
    for state in [OrderStatus::Ordered, OrderStatus::Accepted, OrderStatus::Delivered] {
        let id = order_in(&world, state, &brand, &zoe).await;
        for (operation, stranger) in [
            (ACCEPT, &ida),
            (DECLINE, &ida),
            (DELIVER, &ida),
            (CANCEL, &rival),
            (RETURN, &rival),
            (COMPLETE, &rival),
        ] {
            let with = |id: i64| match operation {
                RETURN => json!({ "id": id, "note": "Again." }),
                _ => json!({ "id": id }),
            };
            let theirs = world.call(operation, &stranger.principal, with(id)).await;
            let nobodys = world.call(operation, &stranger.principal, with(999_999)).await;
            let masked = nobodys.masked("id", 999_999);
            assert_eq!((theirs.status, theirs.masked("id", id)), (404, masked), "{operation}");
        }
        assert_eq!(world.order_as(&zoe, id).await["status"], state.as_str());
    }
    for stranger in [&ida, &rival] {
        let list = world.call(LIST, &stranger.principal, json!({})).await.data();
        assert_eq!(list, json!([]));
    }
    let accepted = json!({ "statuses": ["accepted", "delivered"] });
    let some = world.call(LIST, &brand.principal, accepted).await.data();
    assert_eq!(some.as_array().unwrap().len(), 2);
}
both!(other_peoples_orders_do_not_exist);

async fn an_agent_sees_the_orders_of_whom_they_represent(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let agent = world.agent("North Agency").await;
    world.order(&brand, &zoe).await;
    assert_eq!(world.call(LIST, &agent.principal, json!({})).await.data(), json!([]));
    world.represent(&agent, &zoe, 1_000).await;
    let seen = world.call(LIST, &agent.principal, json!({})).await.data();
    assert_eq!(seen.as_array().unwrap().len(), 1);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'service_orders_seen' \
                     AND on_behalf_of LIKE 'athlete:%'";
    assert_eq!(world.id(noted).await, 1);
}
both!(an_agent_sees_the_orders_of_whom_they_represent);

async fn every_operation_in_every_state_does_what_the_table_says(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    for state in OrderStatus::STATES {
        for (operation, event, who) in [
            (ACCEPT, OrderEvent::Accept, &zoe),
            (DECLINE, OrderEvent::Decline, &zoe),
            (CANCEL, OrderEvent::Cancel, &brand),
            (DELIVER, OrderEvent::Deliver, &zoe),
            (RETURN, OrderEvent::Return, &brand),
            (COMPLETE, OrderEvent::Complete, &brand),
        ] {
            let id = order_in(&world, *state, &brand, &zoe).await;
            assert_eq!(world.order_as(&zoe, id).await["status"], state.as_str());
            let input = match operation {
                RETURN => json!({ "id": id, "note": "Once more, slower." }),
                _ => json!({ "id": id }),
            };
            let answer = world.call(operation, &who.principal, input).await;
            let becomes = match state.on(event) {
                Ok(moved) => {
                    assert_eq!(answer.status, 200, "{state} {operation}: {}", answer.body);
                    moved.to()
                }
                Err(_) => {
                    let said = (answer.status, answer.code());
                    assert_eq!(said, (409, "illegal_transition"), "{state} {operation}");
                    *state
                }
            };
            assert_eq!(
                world.order_as(&brand, id).await["status"],
                becomes.as_str(),
                "{state} {operation}"
            );
        }
    }
    world.books_are_right().await;
}
both!(every_operation_in_every_state_does_what_the_table_says);

async fn the_operations_of_deals_move_the_order_too(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.accepted_order(&brand, &zoe).await;
    let order = world.order_as(&brand, id).await;
    let deliverable = &order["deliverable_id"];
    let submit = json!({ "deliverable_id": deliverable, "post_url": "https://example.com/lesson" });
    world.call("core.deliverable.submit", &zoe.principal, submit).await.data();
    let delivered = world.order_as(&brand, id).await;
    assert_eq!(
        (&delivered["status"], &delivered["review_by"]),
        (&json!("delivered"), &json!("2026-11-27T12:00:00Z"))
    );
    let deny = json!({ "milestones_athlete_rel": deliverable, "note": "Longer, please." });
    world.call("core.deliverable.deny", &brand.principal, deny).await.data();
    let back = world.order_as(&brand, id).await;
    assert_eq!((&back["status"], &back["review_by"]), (&json!("accepted"), &Value::Null));
    world.call(DELIVER, &zoe.principal, json!({ "id": id })).await.data();
    let approve = json!({ "deliverable_id": deliverable, "status": "approved" });
    world.call("core.deliverable.change_status", &brand.principal, approve).await.data();
    assert_eq!(world.order_as(&brand, id).await["status"], "delivered", "not paid yet");
    let pay = json!({ "athlete_id": zoe.id, "contract_id": order["contract_id"] });
    world.call("core.payment.pay_with_saved_card", &brand.principal, pay).await.data();
    let done = world.order_as(&zoe, id).await;
    assert_eq!(
        (&done["status"], &done["ended_at"]),
        (&json!("completed"), &json!("2026-11-20T12:00:00Z"))
    );
    world.books_are_right().await;
}
both!(the_operations_of_deals_move_the_order_too);

async fn a_cancelled_contract_takes_order_and_job_along(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    for state in [OrderStatus::Accepted, OrderStatus::Delivered] {
        let id = order_in(&world, state, &brand, &zoe).await;
        let order = world.order_as(&brand, id).await;
        let cancel = json!({ "contract_id": order["contract_id"], "reason": "Injury." });
        let operator = world.operator(&[Permission::Jobs]);
        world.call("admin.job.cancel_contract", &operator, cancel).await.data();
        assert_eq!(world.order_as(&zoe, id).await["status"], "cancelled");
        let job = world.job(&brand, order["job_id"].as_i64().unwrap()).await;
        assert_eq!((&job["status"], &job["filled"]), (&json!("cancelled"), &json!(0)));
    }
    // The athlete requests and the brand agrees, as in every deal.
    let id = world.accepted_order(&brand, &zoe).await;
    let job = world.order_as(&brand, id).await["job_id"].clone();
    let ask = json!({ "job_id": job, "reason": "Finals week." });
    world.call("core.contract.not_available", &zoe.principal, ask).await.data();
    let agree = json!({ "job_id": job, "athlete_id": zoe.id, "kind": "CC" });
    world.call("core.contract.accept_request", &brand.principal, agree).await.data();
    assert_eq!(world.order_as(&zoe, id).await["status"], "cancelled");
    world.books_are_right().await;
}
both!(a_cancelled_contract_takes_order_and_job_along);

async fn unanswered_orders_expire_once(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = world.order(&brand, &zoe).await;
    let place =
        json!({ "offer_id": world.offer(&zoe, json!({})).await["id"], "wanted_by": "2026-11-21" });
    let soon = world.call(PLACE, &brand.principal, place).await.data();
    assert_eq!(soon["expires_at"], "2026-11-22T05:59:59Z", "the end of that day in Chicago");
    world.pass(TimeDelta::days(7));
    let late = world.call(ACCEPT, &zoe.principal, json!({ "id": soon["id"] })).await;
    assert_eq!((late.status, late.code()), (409, "illegal_transition"));
    assert_eq!(worker::round(&world.platform).await.unwrap().orders_expired, 1);
    assert_eq!(world.order_as(&zoe, id).await["status"], "ordered", "to the second");
    world.pass(TimeDelta::seconds(1));
    assert_eq!(worker::round(&world.platform).await.unwrap().orders_expired, 0, "once a minute");
    let (one, two) = tokio::join!(
        nil_core::marketplace::expire_unanswered(&world.platform),
        nil_core::marketplace::expire_unanswered(&world.platform),
    );
    assert_eq!(one.unwrap() + two.unwrap(), 1);
    assert_eq!(world.order_as(&zoe, id).await["status"], "expired");
    // The brand can order it again.
    let offer = world.order_as(&brand, id).await["offer_id"].clone();
    world.call(PLACE, &brand.principal, json!({ "offer_id": offer })).await.data();
}
both!(unanswered_orders_expire_once);

async fn an_order_stands_while_its_brand_is_there_and_can_pay(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    let card = world.card(&brand, nil_tests::GOOD_CARD).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let id = json!({ "id": world.order(&brand, &zoe).await });
    let which = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.remove_payment_method", &brand.principal, which).await.data();
    let refused = world.call(ACCEPT, &zoe.principal, id.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "no_payment_method"));
    world.card(&brand, nil_tests::GOOD_CARD).await;
    for (status, answered) in [("suspended", 409), ("active", 200)] {
        let set = format!(
            "UPDATE app_user SET status = '{status}' WHERE id = {} RETURNING id",
            brand.user_id
        );
        world.id(&set).await;
        let answer = world.call(ACCEPT, &zoe.principal, id.clone()).await;
        assert_eq!(answer.status, answered, "{}", answer.body);
    }
}
both!(an_order_stands_while_its_brand_is_there_and_can_pay);
