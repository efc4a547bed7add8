//! Webhooks: who may have endpoints, and what they hear.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::Principal;
use nil_core::kernel::{Clock as _, UserId};
use nil_tests::receiver::{Receiver, receivers_nearby};
use nil_tests::{Engine, Person, World, both};
use serde_json::{Value, json};

use crate::delivery::work;

const LIST: &str = "core.webhook.list";
pub(crate) const SAVE: &str = "core.webhook.save";
pub(crate) const TEST: &str = "core.webhook.test";
const DELIVERIES: &str = "core.webhook.deliveries";

/// A platform whose webhooks reach receivers on this machine.
pub(crate) async fn nearby(engine: Engine) -> World {
    World::configured(engine, receivers_nearby).await
}

/// A new endpoint of a brand that hears these events.
pub(crate) async fn endpoint(world: &World, brand: &Person, url: &str, events: &[&str]) -> Value {
    let input = json!({ "url": url, "events": events });
    world.call(SAVE, &brand.principal, input).await.data()
}

fn secret(endpoint: &Value) -> &str {
    endpoint["secret"].as_str().expect("a secret")
}

/// The deliveries to an endpoint, newest first.
pub(crate) async fn deliveries(world: &World, who: &Principal, endpoint: &Value) -> Vec<Value> {
    let input = json!({ "webhook_id": endpoint["id"] });
    let listed = world.call(DELIVERIES, who, input).await.data();
    listed.as_array().unwrap().clone()
}

pub(crate) async fn seen(world: &World, who: &Principal) -> Value {
    world.call(LIST, who, json!({})).await.data()[0].clone()
}

pub(crate) async fn test_event(world: &World, brand: &Person, endpoint: &Value) -> Value {
    world.call(TEST, &brand.principal, json!({ "id": endpoint["id"] })).await.data()
}

async fn an_endpoint_is_its_owners_and_its_secret_is_shown_once(engine: Engine) {
    let world = nearby(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let other = world.partner("Harbor Books").await;
    let url = "https://hooks.cedar.example/nil";
    let made = endpoint(&world, &brand, url, &["payment.failed", "contract.executed"]).await;
    assert!(secret(&made).starts_with("whsec_"), "{made}");
    // In the order of the documents, whatever the order of the input.
    assert_eq!(made["events"], json!(["contract.executed", "payment.failed"]));
    let listed = seen(&world, &brand.principal).await;
    assert_eq!((&listed["url"], &listed["secret"]), (&json!(url), &Value::Null));
    let dump = world.contents().await;
    assert!(!dump["webhook_endpoint"].contains(secret(&made)));

    let id = json!({ "id": made["id"] });
    let sent = test_event(&world, &brand, &made).await;
    for (name, input) in [
        (SAVE, json!({ "id": made["id"], "enabled": false })),
        ("core.webhook.remove", id.clone()),
        ("core.webhook.rotate_secret", id.clone()),
        (TEST, id.clone()),
        (DELIVERIES, json!({ "webhook_id": made["id"] })),
        ("core.webhook.replay", json!({ "id": sent["id"] })),
    ] {
        let refused = world.call(name, &other.principal, input.clone()).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found"), "{name}");
        let athlete = world.athlete("Jordan Lake").await;
        assert_eq!(world.call(name, &athlete.principal, input).await.status, 403, "{name}");
    }
    assert_eq!(world.call(LIST, &other.principal, json!({})).await.data(), json!([]));

    for wrong in [
        json!({ "url": url }),
        json!({ "events": ["payment.failed"] }),
        json!({ "url": url, "events": [] }),
        json!({ "url": url, "events": ["otp.sent"] }),
        json!({ "url": url, "events": ["disclosure.submitted"] }),
        json!({ "url": "http://hooks.cedar.example/nil", "events": ["payment.failed"] }),
        json!({ "url": "https://hooks.cedar.example:8443/", "events": ["payment.failed"] }),
        json!({ "url": "https://10.0.0.5/", "events": ["payment.failed"] }),
        json!({ "url": url, "events": ["payment.failed"], "secret": "whsec_own" }),
    ] {
        let refused = world.call(SAVE, &brand.principal, wrong.clone()).await;
        assert_eq!(refused.status, 422, "{wrong}");
    }
    for _ in 1..10 {
        endpoint(&world, &brand, url, &["payment.failed"]).await;
    }
    let eleventh = json!({ "url": url, "events": ["payment.failed"] });
    let eleventh = world.call(SAVE, &brand.principal, eleventh).await;
    assert_eq!((eleventh.status, eleventh.code()), (409, "too_many_webhooks"));
    assert_eq!(world.call("core.webhook.remove", &brand.principal, id).await.status, 200);
    assert_eq!(
        world.call(LIST, &brand.principal, json!({})).await.data().as_array().unwrap().len(),
        9
    );
}
both!(an_endpoint_is_its_owners_and_its_secret_is_shown_once);

async fn events_are_heard_signed_by_those_who_want_them(engine: Engine) {
    let world = nearby(engine).await;
    let (all, some) = (Receiver::start().await, Receiver::start().await);
    let brand = world.paying_partner("Ridge Outfitters").await;
    let events =
        ["contract.generated", "contract.executed", "deliverable.submitted", "payment.succeeded"];
    let made = endpoint(&world, &brand, all.address(), &events).await;
    endpoint(&world, &brand, some.address(), &["contract.executed"]).await;
    let off = endpoint(&world, &brand, some.address(), &["contract.executed"]).await;
    let switch = json!({ "id": off["id"], "enabled": false });
    assert_eq!(world.call(SAVE, &brand.principal, switch).await.data()["enabled"], false);
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&brand, json!({ "slots": 1 })).await;
    let hire = world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    for deliverable in &hire.deliverables {
        world.approve(&hire, *deliverable).await;
    }
    let pay = json!({ "athlete_id": athlete.id, "contract_id": hire.contract });
    world.call("core.payment.pay_with_saved_card", &brand.principal, pay).await.data();
    assert!(all.heard().is_empty(), "the worker sends");
    work(&world).await;
    assert_eq!(
        all.events(),
        [
            "contract.generated",
            "contract.executed",
            "deliverable.submitted",
            "deliverable.submitted",
            "payment.succeeded"
        ]
    );
    let heard = all.heard();
    assert!(heard.iter().all(|one| one.is_signed_with(secret(&made)) && one.path == "/hook"));
    assert_eq!(heard[1].at, world.clock.now().timestamp());
    assert_eq!(
        heard[1].json(),
        json!({
            "type": "contract.executed", "timestamp": "2026-11-20T12:00:00Z",
            "data": {
                "contract_id": hire.contract, "job_id": job, "athlete_id": athlete.id,
                "status": "active", "amount_cents": 50_000
            }
        })
    );
    // Neither names nor titles are in what is sent.
    for one in &heard {
        assert!(!one.body.contains("Zoe") && !one.body.contains("trail"), "{}", one.body);
    }
    assert_eq!(some.events(), ["contract.executed"], "the other endpoint is off");
    assert!(!some.heard()[0].is_signed_with(secret(&made)));
    let delivered = deliveries(&world, &brand.principal, &made).await;
    assert_eq!(delivered.len(), 5);
    assert!(delivered.iter().all(|one| one["status"] == "delivered" && one["attempts"] == 1));
    work(&world).await;
    assert_eq!(all.heard().len(), 5, "each is sent once");
}
both!(events_are_heard_signed_by_those_who_want_them);

async fn an_institution_hears_of_its_own_athletes(engine: Engine) {
    let world = nearby(engine).await;
    let (own, another) = (Receiver::start().await, Receiver::start().await);
    let (college, elsewhere) = (world.college().await, world.college().await);
    let (owner, _) = world.portal_user(college, "owner").await;
    let (stranger, _) = world.portal_user(elsewhere, "owner").await;
    let save = "compliance.webhook.save";
    let events = json!(["contract.executed", "contract.cancelled", "payment.succeeded"]);
    let input = |at: &Receiver| json!({ "url": at.address(), "events": events });
    let made = world.call(save, &owner, input(&own)).await.data();
    world.call(save, &stranger, input(&another)).await.data();
    let id = json!({ "id": made["id"] });
    for (name, input) in [
        (save, json!({ "id": made["id"], "enabled": false })),
        ("compliance.webhook.remove", id.clone()),
        ("compliance.webhook.rotate_secret", id.clone()),
        ("compliance.webhook.test", id.clone()),
        ("compliance.webhook.deliveries", json!({ "webhook_id": made["id"] })),
    ] {
        let refused = world.call(name, &stranger, input.clone()).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found"), "{name}");
        let (officer, _) = world.portal_user(college, "officer").await;
        assert_eq!(world.call(name, &officer, input).await.status, 403, "{name}");
    }
    let brands = json!({ "url": own.address(), "events": ["payment.failed"] });
    assert_eq!(world.call(save, &owner, brands).await.status, 422);
    // An owner who sees some sports only would hear of the others.
    let Principal::Portal { id, college_id, role, session, .. } = owner.clone() else {
        panic!("an owner")
    };
    let sports = vec![nil_core::kernel::SportId::new(1).unwrap()];
    let limited = Principal::Portal { id, college_id, role, sports, session };
    let refused = world.call("compliance.webhook.list", &limited, json!({})).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));

    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = world.open_job(&brand, json!({ "slots": 3 })).await;
    let hire = world.hire(&brand, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    work(&world).await;
    assert_eq!(own.events(), ["contract.executed"]);
    assert_eq!(own.heard()[0].json()["data"]["contract_id"], hire.contract);
    assert!(another.heard().is_empty());
}
both!(an_institution_hears_of_its_own_athletes);

async fn a_suspended_brand_hears_nothing(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Harbor Surf").await;
    let made = endpoint(&world, &brand, receiver.address(), &["application.received"]).await;
    let job = world.open_job(&brand, json!({ "slots": 3 })).await;
    let apply = async |name: &str| world.apply(&world.athlete(name).await, job).await;
    // One event waits when the account is suspended, and one happens after it.
    apply("Ivy Tran").await;
    let user = UserId::new(brand.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
    apply("Noa Ferris").await;
    work(&world).await;
    assert_eq!(receiver.events(), [""; 0]);
    suspension::restore(&world.platform, user).await.unwrap();
    work(&world).await;
    assert_eq!(receiver.events(), [""; 0], "nothing of it is sent later");
    let rows = deliveries(&world, &brand.principal, &made).await;
    assert_eq!(rows.len(), 1, "what happened meanwhile is not for it: {rows:?}");
    assert_eq!(
        (&rows[0]["status"], &rows[0]["error"]),
        (&json!("failed"), &json!("the account is not in use"))
    );
    apply("Mae Lindqvist").await;
    work(&world).await;
    assert_eq!(receiver.events(), ["application.received"]);
}
both!(a_suspended_brand_hears_nothing);

async fn both_secrets_sign_for_a_day(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Cedar Coffee").await;
    let made = endpoint(&world, &brand, receiver.address(), &["payment.failed"]).await;
    let id = json!({ "id": made["id"] });
    let rotated = world.call("core.webhook.rotate_secret", &brand.principal, id).await.data();
    assert_ne!(secret(&made), secret(&rotated));
    assert_eq!(rotated["old_secret_until"], "2026-11-21T12:00:00Z");
    test_event(&world, &brand, &made).await;
    work(&world).await;
    let heard = receiver.heard().pop().unwrap();
    assert_eq!(heard.signatures.len(), 2);
    assert!(heard.is_signed_with(secret(&made)) && heard.is_signed_with(secret(&rotated)));
    world.pass(TimeDelta::hours(24));
    test_event(&world, &brand, &made).await;
    work(&world).await;
    let heard = receiver.heard().pop().unwrap();
    assert_eq!((heard.event().as_str(), heard.signatures.len()), ("webhook.test", 1));
    assert!(!heard.is_signed_with(secret(&made)) && heard.is_signed_with(secret(&rotated)));
}
both!(both_secrets_sign_for_a_day);

async fn new_endpoints_can_be_switched_off_for_a_site(engine: Engine) {
    let world = nearby(engine).await;
    let receiver = Receiver::start().await;
    let brand = world.partner("Cedar Coffee").await;
    let made = endpoint(&world, &brand, receiver.address(), &["application.received"]).await;
    let operator = world.operator(&[nil_core::auth::Permission::Site]);
    let off = json!({ "feature_flags": { "webhooks": false } });
    world.call("admin.site.save_basic", &operator, off).await.data();
    let input = json!({ "url": receiver.address(), "events": ["payment.failed"] });
    let refused = world.call(SAVE, &brand.principal, input).await;
    assert_eq!((refused.status, refused.code()), (403, "feature_off"));
    let changed = json!({ "id": made["id"], "description": "Till" });
    assert_eq!(world.call(SAVE, &brand.principal, changed).await.data()["description"], "Till");
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&brand, json!({})).await;
    world.apply(&athlete, job).await;
    work(&world).await;
    assert_eq!(receiver.events(), ["application.received"]);
}
both!(new_endpoints_can_be_switched_off_for_a_site);
