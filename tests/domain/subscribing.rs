//! Operators offer plans, brands and agents subscribe to them, and the effects.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::payments;
use nil_tests::{DECLINED_CARD, Fault, GOOD_CARD, Person, World, both, trust};
use serde_json::{Value, json};

const SAVE: &str = "admin.subscription_plan.save";
const LIST: &str = "admin.subscription_plan.list";
const STATUS: &str = "admin.subscription_plan.set_status";
const PLANS: &str = "core.subscription.plans";
const SUBSCRIBE: &str = "core.subscription.subscribe";
const CANCEL: &str = "core.subscription.cancel";
const RESUME: &str = "core.subscription.resume";

/// The fee, in cents, on a new deal of 100 dollars.
async fn fee(world: &World, partner: &Person, athlete: &Person) -> i64 {
    let deal = world.approved_deal(partner, athlete, &[10_000]).await;
    let payment = world.pay(partner, athlete, &deal).await;
    payment["fee_cents"].as_i64().unwrap()
}

async fn own_fee(world: &World, partner: &Person, rate: &str) {
    let id = partner.id;
    let set = format!("UPDATE partner SET fee_basis_points = {rate} WHERE id = {id} RETURNING id");
    world.id(&set).await;
}

async fn plan_of(world: &World, partner: &Person) -> Value {
    let me = world.call("core.partner.me", &partner.principal, json!({})).await.data();
    me["subscription_plan_id"].clone()
}

async fn operators_offer_and_change_plans(world: World) {
    let operator = world.operator(&[Permission::Finance]);
    let growth = world.plan(json!({})).await;
    assert_eq!((&growth["active"], &growth["audience"]), (&json!(true), &json!("partner")));
    assert_eq!((&growth["currency"], &growth["features"][1]), (&json!("usd"), &json!("Reports")));
    let yearly = json!({ "name": "Agency", "audience": "agent", "interval": "year",
            "price_cents": 20_000, "fee_basis_points": null, "features": [], "active": false });
    let yearly = world.plan(yearly).await;
    let list = async |status: &str, id: &Value| {
        world.call(LIST, &operator, json!({ "status": status, "id": id })).await
    };
    let names = |answer: nil_tests::Answer| -> Vec<String> {
        let all = answer.data();
        let names = all.as_array().unwrap().iter();
        names.map(|plan| plan["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(list("all", &json!(0)).await), ["Agency", "Growth"]);
    assert_eq!(names(list("active", &json!(0)).await), ["Growth"]);
    assert_eq!(names(list("inactive", &json!(0)).await), ["Agency"]);
    assert_eq!(names(list("all", &yearly["id"]).await), ["Agency"]);
    assert_eq!(list("active", &yearly["id"]).await.code(), "not_found");
    assert_eq!(list("all", &json!(999)).await.code(), "not_found");
    assert_eq!(list("all", &json!(-1)).await.code(), "not_found");
    assert_eq!(list("gone", &json!(0)).await.status, 422);
    let found = json!({ "status": "all", "id": 0, "q": "GROW", "sort": "-price_cents" });
    assert_eq!(names(world.call(LIST, &operator, found).await), ["Growth"]);

    let mut change = json!({ "id": growth["id"], "name": "Growth+", "price_cents": 5_900,
            "interval": "year" });
    let changed = world.call(SAVE, &operator, change.clone()).await.data();
    assert_eq!((&changed["id"], &changed["name"]), (&growth["id"], &json!("Growth+")));
    assert_eq!(changed["fee_basis_points"], 500, "what is left out stays");
    assert_eq!(changed["features"], growth["features"]);
    change["fee_basis_points"] = Value::Null;
    let changed = world.call(SAVE, &operator, change.clone()).await.data();
    assert_eq!(changed["fee_basis_points"], Value::Null);
    change["audience"] = json!("agent");
    assert_eq!(world.call(SAVE, &operator, change.clone()).await.status, 422);
    change["id"] = json!(999);
    assert_eq!(world.call(SAVE, &operator, change).await.code(), "not_found");
    for (field, wrong) in [
        ("price_cents", json!(0)),
        ("interval", json!("week")),
        ("name", json!("")),
        ("fee_basis_points", json!(10_001)),
        ("fee_basis_points", json!(-1)),
    ] {
        let mut plan = json!({ "name": "X", "price_cents": 1, "interval": "month" });
        plan[field] = wrong;
        let refused = world.call(SAVE, &operator, plan).await;
        assert!(refused.body["errors"][field].is_array(), "{field}: {}", refused.body);
    }
    let fee = json!({ "name": "X", "price_cents": 1, "interval": "month", "audience": "agent",
            "fee_basis_points": 1 });
    let refused = world.call(SAVE, &operator, fee).await;
    assert!(refused.body["errors"]["fee_basis_points"].is_array(), "{}", refused.body);

    let off = json!({ "id": growth["id"], "active": false });
    assert_eq!(world.call(STATUS, &operator, off).await.data()["active"], false);
    let on = json!({ "id": yearly["id"], "active": true });
    assert_eq!(world.call(STATUS, &operator, on).await.data()["active"], true);
    let unknown = json!({ "id": 999, "active": true });
    assert_eq!(world.call(STATUS, &operator, unknown).await.code(), "not_found");
    let other = world.operator(&[Permission::Content]);
    assert_eq!(list("all", &json!(0)).await.status, 200);
    let list = world.call(LIST, &other, json!({ "status": "all", "id": 0 })).await;
    assert_eq!(list.code(), "forbidden");
    // Everyone sees the plans on offer, and only those.
    let nobody = Principal::Anonymous;
    let offered = world.call(PLANS, &nobody, json!({})).await.data();
    assert_eq!(offered.as_array().unwrap().len(), 1);
    assert_eq!(offered[0]["name"], "Agency");
    let none = world.call(PLANS, &nobody, json!({ "audience": "partner" })).await;
    assert_eq!(none.body["pagination"]["total"], 0);
}
both!(operators_offer_and_change_plans);

async fn a_brand_subscribes_and_is_billed(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let stranger = world.paying_partner("Acme Shoes").await;
    assert_eq!(world.subscription(&partner).await, Value::Null);
    assert_eq!(plan_of(&world, &partner).await, Value::Null);
    let subscription = world.subscribe(&partner, &plan).await.data();
    assert_eq!(subscription["status"], "active");
    assert_eq!(subscription["owner"], format!("partner:{}", partner.id));
    assert_eq!(subscription["price_cents"], 4_900);
    assert_eq!(subscription["period_starts_at"], "2026-11-20T12:00:00Z");
    assert_eq!(subscription["period_ends_at"], "2026-12-20T12:00:00Z");
    assert_eq!(subscription["next_charge_at"], subscription["period_ends_at"]);
    assert_eq!(world.subscription(&partner).await, subscription);
    assert_eq!(world.subscription(&stranger).await, Value::Null);
    assert_eq!(plan_of(&world, &partner).await, plan["id"]);
    assert_eq!(plan_of(&world, &stranger).await, Value::Null);
    assert_eq!(world.charged().await, (4_900, 1));

    let invoices = world.invoices(&partner).await;
    assert_eq!(invoices.len(), 1);
    let invoice = &invoices[0];
    assert_eq!((&invoice["kind"], &invoice["status"]), (&json!("subscription"), &json!("paid")));
    assert_eq!(invoice["period"], "2026-11-20/2026-12-20");
    assert_eq!(
        (&invoice["total_cents"], &invoice["number"]),
        (&json!(4_900), &json!("INV-2026-000001"))
    );
    assert_eq!(invoice["lines"][0]["description"], "Growth, 2026-11-20 to 2026-12-20");
    let which = json!({ "invoice_id": invoice["id"] });
    let pdf = world.call("core.partner.download_invoice", &partner.principal, which).await;
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    assert!(world.invoices(&stranger).await.is_empty());

    let operator = world.operator(&[Permission::Finance]);
    let history = json!({ "id": partner.user_id });
    let history = world.call("admin.payment.wallet_history", &operator, history).await.data();
    assert_eq!(history[0]["reason"], "subscription");
    assert_eq!(history[0]["amount_cents"], -4_900);
    let earned = "SELECT balance_cents FROM ledger_account WHERE name = 'platform:subscriptions'";
    assert_eq!(world.id(earned).await, 4_900);
    let in_use = json!({ "status": "active", "id": plan["id"] });
    let in_use = world.call(LIST, &operator, in_use).await.data();
    assert_eq!(in_use[0]["subscribers"], 1);
    world.books_are_right().await;
}
both!(a_brand_subscribes_and_is_billed);

async fn a_subscription_lowers_the_fee_of_hires_and_never_raises_it(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let before = world.approved_deal(&partner, &athlete, &[10_000]).await;
    assert_eq!(fee(&world, &partner, &athlete).await, 1_000);
    world.subscribe(&partner, &plan).await.data();
    assert_eq!(fee(&world, &partner, &athlete).await, 500);
    let old = world.pay(&partner, &athlete, &before).await;
    assert_eq!(old["fee_cents"], 1_000, "a hire keeps the fee of its day");
    // The operator's fee for this brand applies if it is lower.
    own_fee(&world, &partner, "300").await;
    assert_eq!(fee(&world, &partner, &athlete).await, 300);
    own_fee(&world, &partner, "800").await;
    assert_eq!(fee(&world, &partner, &athlete).await, 500);
    own_fee(&world, &partner, "NULL").await;
    // A job with a fee of its own keeps it.
    let job = world.open_job(&partner, json!({})).await;
    let jobs = world.operator(&[Permission::All]);
    let own = json!({ "job_id": job, "fee_basis_points": 700 });
    world.call("admin.job.update_fee", &jobs, own).await.data();
    let hire = world.hire(&partner, &athlete, job).await;
    let rate = format!("SELECT fee_basis_points FROM contract WHERE id = {}", hire.contract);
    assert_eq!(world.id(&rate).await, 700);
    // After cancellation it applies until the end of the paid period, whether the worker has run or
    // not.
    let during = world.approved_deal(&partner, &athlete, &[10_000]).await;
    world.call(CANCEL, &partner.principal, json!({})).await.data();
    assert_eq!(fee(&world, &partner, &athlete).await, 500);
    world.pass(TimeDelta::days(30));
    assert_eq!(fee(&world, &partner, &athlete).await, 1_000);
    let during = world.pay(&partner, &athlete, &during).await;
    assert_eq!(during["fee_cents"], 500);
    // A plan with a higher fee than usual has no effect; one without a fee changes none.
    let other = world.paying_partner("Acme Shoes").await;
    let dear = world.plan(json!({ "fee_basis_points": 2_000 })).await;
    world.subscribe(&other, &dear).await.data();
    assert_eq!(fee(&world, &other, &athlete).await, 1_000);
    let third = world.paying_partner("Harbor Books").await;
    let plain = world.plan(json!({ "fee_basis_points": null })).await;
    world.subscribe(&third, &plain).await.data();
    assert_eq!(fee(&world, &third, &athlete).await, 1_000);
    world.books_are_right().await;
}
both!(a_subscription_lowers_the_fee_of_hires_and_never_raises_it);

async fn what_cannot_be_subscribed_to_is_refused(world: World) {
    let plan = world.plan(json!({})).await;
    let agents = json!({ "audience": "agent", "fee_basis_points": null });
    let agents = world.plan(agents).await;
    let inactive = world.plan(json!({ "active": false })).await;
    let partner = world.partner("Cedar Coffee").await;
    let refused = world.subscribe(&partner, &plan).await;
    assert_eq!((refused.status, refused.code()), (409, "no_payment_method"));
    world.card(&partner, GOOD_CARD).await;
    for other in [&agents, &inactive, &json!({ "id": 999 })] {
        let refused = world.subscribe(&partner, other).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found"));
    }
    let athlete = world.athlete("Jordan Lake").await;
    assert_eq!(world.subscribe(&athlete, &plan).await.status, 403);
    let input = json!({ "plan_id": plan["id"] });
    let nobody = world.call(SUBSCRIBE, &Principal::Anonymous, input.clone()).await;
    assert_eq!(nobody.status, 401);
    let mut unknown = input;
    unknown["price_cents"] = json!(1);
    let unknown = world.call(SUBSCRIBE, &partner.principal, unknown).await;
    assert_eq!((unknown.status, unknown.code()), (422, "unknown_field"));
    for name in [CANCEL, RESUME] {
        let none = world.call(name, &partner.principal, json!({})).await;
        assert_eq!((none.status, none.code()), (409, "not_subscribed"), "{name}");
    }
    assert_eq!(world.charged().await, (0, 0));
    assert!(world.invoices(&partner).await.is_empty());
    world.subscribe(&partner, &plan).await.data();
    let other = world.plan(json!({ "name": "Scale" })).await;
    for plan in [&plan, &other] {
        let again = world.subscribe(&partner, plan).await;
        assert_eq!((again.status, again.code()), (409, "already_subscribed"));
    }
    assert_eq!(world.charged().await.1, 1);
}
both!(what_cannot_be_subscribed_to_is_refused);

async fn a_declined_card_leaves_no_subscription(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.partner("Cedar Coffee").await;
    world.card(&partner, DECLINED_CARD).await;
    let who = &partner.principal;
    let input = json!({ "plan_id": plan["id"] });
    let declined = world.call_with_key(SUBSCRIBE, who, input.clone(), Some("k")).await;
    assert_eq!((declined.status, declined.code()), (402, "card_declined"));
    let data = &declined.body["data"];
    assert_eq!((&data["status"], &data["end_reason"]), (&json!("ended"), &json!("declined")));
    assert_eq!(data["failure_code"], "card_declined");
    let again = world.call_with_key(SUBSCRIBE, who, input, Some("k")).await;
    assert_eq!((again.status, &again.body["data"]), (402, data), "tries nothing anew");
    assert_eq!(world.subscription(&partner).await, Value::Null);
    let invoices = world.invoices(&partner).await;
    assert_eq!((invoices.len(), &invoices[0]["status"]), (1, &json!("void")));
    world.books_are_right().await;
    let good = world.card(&partner, GOOD_CARD).await;
    let default = json!({ "payment_method_id": good["id"] });
    world.call("core.partner.set_default_payment_method", who, default).await.data();
    assert_eq!(world.subscribe(&partner, &plan).await.data()["status"], "active");
    assert_eq!(world.charged().await, (4_900, 1));
    world.books_are_right().await;
}
both!(a_declined_card_leaves_no_subscription);

async fn the_same_key_subscribes_once(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let input = json!({ "plan_id": plan["id"] });
    let who = &partner.principal;
    let first = world.call_with_key(SUBSCRIBE, who, input.clone(), Some("k")).await;
    let second = world.call_with_key(SUBSCRIBE, who, input, Some("k")).await;
    assert_eq!((first.status, &first.bytes), (200, &second.bytes));
    assert_eq!(world.charged().await, (4_900, 1));
}
both!(the_same_key_subscribes_once);

async fn a_hundred_calls_at_once_subscribe_once(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let calls = (0..100).map(|_| world.subscribe(&partner, &plan));
    let answers = futures::future::join_all(calls).await;
    let good = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(good, 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!((answer.status, answer.code()), (409, "already_subscribed"));
    }
    assert_eq!(world.charged().await, (4_900, 1));
    assert_eq!(world.invoices(&partner).await.len(), 1);
    world.books_are_right().await;
    trust::tried("R6", "calls at once", 100);
}
both!(a_hundred_calls_at_once_subscribe_once);

async fn a_silent_processor_leaves_it_pending_until_it_is_asked_again(world: World) {
    let plan = world.plan(json!({})).await;
    for fault in [Fault::Lost, Fault::Unanswered, Fault::KeyInUse] {
        let before = world.charged().await.1;
        let partner = world.paying_partner("Cedar Coffee").await;
        world.processor.next(&[fault]);
        let pending = world.subscribe(&partner, &plan).await.data();
        assert_eq!(pending["status"], "pending", "{fault:?}");
        assert_eq!(plan_of(&world, &partner).await, Value::Null);
        assert_eq!(world.subscribe(&partner, &plan).await.code(), "already_subscribed");
        for name in [CANCEL, RESUME] {
            let busy = world.call(name, &partner.principal, json!({})).await;
            assert_eq!((busy.status, busy.code()), (409, "payment_in_progress"));
        }
        world.books_are_right().await;
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().subscriptions, 0);
        world.pass(TimeDelta::seconds(11));
        assert_eq!(payments::reconcile(&world.platform).await.unwrap().subscriptions, 1);
        assert_eq!(world.subscription(&partner).await["status"], "active");
        assert_eq!(world.charged().await.1, before + 1, "{fault:?}");
        world.books_are_right().await;
    }
}
both!(a_silent_processor_leaves_it_pending_until_it_is_asked_again);

async fn a_crash_between_intent_and_word_loses_and_doubles_nothing(world: World) {
    let plan = world.plan(json!({})).await;
    for (card, status) in [(GOOD_CARD, 200), (DECLINED_CARD, 402)] {
        for fault in [Fault::DiesBefore, Fault::DiesAfter] {
            let partner = world.partner("Cedar Coffee").await;
            world.card(&partner, card).await;
            let input = json!({ "plan_id": plan["id"] });
            let who = &partner.principal;
            world.processor.next(&[fault]);
            let died = world.call_with_key(SUBSCRIBE, who, input.clone(), Some("k")).await;
            assert_eq!(died.status, 500);
            let running = world.call_with_key(SUBSCRIBE, who, input.clone(), Some("k")).await;
            assert_eq!(running.code(), "idempotency_in_progress");
            world.pass(TimeDelta::seconds(11));
            assert_eq!(payments::reconcile(&world.platform).await.unwrap().subscriptions, 1);
            let answer = world.call_with_key(SUBSCRIBE, who, input, Some("k")).await;
            assert_eq!(answer.status, status, "{}", answer.body);
            world.books_are_right().await;
        }
    }
    assert_eq!(world.charged().await, (9_800, 2));
}
both!(a_crash_between_intent_and_word_loses_and_doubles_nothing);

async fn agents_subscribe_to_plans_of_theirs(world: World) {
    let brands = world.plan(json!({})).await;
    let plan = json!({ "audience": "agent", "fee_basis_points": null, "interval": "year" });
    let plan = world.plan(plan).await;
    let agent = world.agent("North Agency").await;
    let card = json!({ "processor_token": GOOD_CARD });
    world.call("core.agent.add_payment_method", &agent.principal, card).await.data();
    assert_eq!(world.subscribe(&agent, &brands).await.code(), "not_found");
    let subscription = world.subscribe(&agent, &plan).await.data();
    assert_eq!(subscription["owner"], format!("agent:{}", agent.id));
    assert_eq!(subscription["period_ends_at"], "2027-11-20T12:00:00Z");
    let invoices = world.call("core.agent.invoices", &agent.principal, json!({})).await.data();
    assert_eq!(invoices[0]["status"], "paid");
    assert_eq!(invoices[0]["customer_name"], "North Agency");
    let url =
        format!("http://127.0.0.1:8080/api/agent/processor/invoices/{}/pdf", invoices[0]["id"]);
    assert_eq!(invoices[0]["pdf_url"], url);
    world.pass_until("2027-11-20T12:00:00Z");
    assert_eq!(payments::bill(&world.platform).await.unwrap().renewed, 1);
    assert_eq!(world.charged().await, (9_800, 2));
    world.books_are_right().await;
}
both!(agents_subscribe_to_plans_of_theirs);

async fn tampering_is_noticed(world: World) {
    let plan = world.plan(json!({})).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    world.subscribe(&partner, &plan).await.data();
    world.books_are_right().await;
    let once = "every period of a subscription is charged at most once";
    let follow = "every subscription's periods are consecutive";
    for (tamper, repair, check) in [
        (
            "UPDATE invoice SET status = 'open' RETURNING id",
            "UPDATE invoice SET status = 'paid' RETURNING id",
            once,
        ),
        (
            "UPDATE subscription_charge SET status = 'failed' RETURNING id",
            "UPDATE subscription_charge SET status = 'succeeded' RETURNING id",
            once,
        ),
        (
            "UPDATE subscription SET price_cents = 1 RETURNING id",
            "UPDATE subscription SET price_cents = 4900 RETURNING id",
            "every subscription has the terms of its last change of plan",
        ),
        (
            "UPDATE subscription_period SET price_cents = 1 RETURNING id",
            "UPDATE subscription_period SET price_cents = 4900 RETURNING id",
            once,
        ),
        (
            "UPDATE subscription SET period = 2 RETURNING id",
            "UPDATE subscription SET period = 1 RETURNING id",
            follow,
        ),
        (
            "UPDATE subscription SET status = 'pending' RETURNING id",
            "UPDATE subscription SET status = 'active' RETURNING id",
            follow,
        ),
        (
            "UPDATE ledger_transfer SET refers_to = 'invoice:77' \
             WHERE reason = 'subscription' RETURNING id",
            "UPDATE ledger_transfer SET refers_to = 'invoice:1' \
             WHERE reason = 'subscription' RETURNING id",
            "every transfer refers to an existing record",
        ),
        (
            "UPDATE subscription_charge SET total_cents = 1 RETURNING id",
            "UPDATE subscription_charge SET total_cents = 4900 RETURNING id",
            "every movement was requested, for its own amount",
        ),
    ] {
        world.id(tamper).await;
        let report = payments::verify(&world.platform).await.unwrap();
        let problems = report.problems();
        assert!(
            problems.iter().any(|problem| problem.starts_with(check)),
            "{tamper}: {problems:?}"
        );
        world.id(repair).await;
        world.books_are_right().await;
    }
}
both!(tampering_is_noticed);
