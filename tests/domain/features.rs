//! Features of the site: what begins stops while one is off, what is under way goes on, and every
//! server follows.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::catalog::{Entry, Feature, Stops, catalog};
use nil_core::payments;
use nil_tests::{Answer, Engine, Hire, PIXEL, World, a_job, both};
use serde_json::{Value, json};

use crate::examples::{callers, example};

const BASIC: &str = "admin.site.save_basic";
const NOBODY: Principal = Principal::Anonymous;

/// Switches features, and makes every server of the test follow.
async fn switch(world: &World, flags: Value) -> Value {
    let operator = world.operator(&[Permission::Site]);
    let saved = world.call(BASIC, &operator, json!({ "feature_flags": flags })).await.data();
    saved["feature_flags"].clone()
}

async fn turn(world: &World, feature: Feature, on: bool) {
    let flags = switch(world, json!({ feature.as_str(): on })).await;
    assert_eq!(flags[feature.as_str()], on);
}

/// Whether it was refused because of this feature.
#[track_caller]
fn is_off(answer: &Answer, feature: Feature) -> bool {
    if answer.status != 403 || answer.code() != "feature_off" {
        return false;
    }
    let message = answer.body["message"].as_str().unwrap();
    assert!(message.contains(&format!("`{feature}`")), "{message}");
    true
}

async fn an_operator_switches_features_one_by_one(world: World) {
    let site = async || {
        let site = world.call("core.public.site_config", &NOBODY, json!({})).await.data();
        site["feature_flags"].as_object().unwrap().clone()
    };
    let all: Vec<_> = site().await.into_iter().collect();
    assert_eq!(all.len(), Feature::ALL.len());
    for feature in Feature::ALL {
        assert!(all.contains(&(feature.as_str().to_owned(), json!(true))), "{feature}");
    }
    switch(&world, json!({ "services": false, "rosters": false })).await;
    let now = switch(&world, json!({ "rosters": true, "assistant": null })).await;
    assert_eq!(json!(site().await), now);
    let off: Vec<_> = site().await.into_iter().filter(|(_, on)| *on == false).collect();
    assert_eq!(off, [("services".to_owned(), json!(false))]);
    // Other settings leave the features alone.
    let operator = world.operator(&[Permission::Site]);
    let saved = world.call(BASIC, &operator, json!({ "name": "Lakeshore NIL" })).await.data();
    assert_eq!(saved["feature_flags"], now);
    for wrong in
        [json!({ "services": "no" }), json!([]), json!("services"), json!({ "services": 0 })]
    {
        let refused = world.call(BASIC, &operator, json!({ "feature_flags": wrong })).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"), "{wrong}");
    }
    let unknown = json!({ "feature_flags": { "fax": false } });
    let ignored = world.call(BASIC, &operator, unknown).await;
    assert_eq!(
        (ignored.status, &ignored.ignored[..]),
        (200, &["feature_flags.fax".to_owned()][..])
    );
    let stranger = world.operator(&[Permission::Content]);
    let refused = world.call(BASIC, &stranger, json!({ "feature_flags": {} })).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    // The trail says what was so before.
    let trail = json!({ "action": "changed", "subject_kind": "site" });
    let chief = world.operator(&[Permission::All]);
    let trail = world.call("admin.audit.list", &chief, trail).await.data();
    let switched: Vec<_> = trail
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let of = |side: &str| entry[side]["feature_flags"]["rosters"].clone();
            (of("before"), of("after"))
        })
        .filter(|(before, after)| before != after)
        .collect();
    let (yes, no) = (json!(true), json!(false));
    assert_eq!(switched, [(no.clone(), yes.clone()), (yes, no)]);
}
both!(an_operator_switches_features_one_by_one);

/// Calls of an operation: those that its row stops, and others.
fn calls(entry: &Entry) -> (Vec<Value>, Vec<Value>) {
    let usual = example(entry).unwrap_or_else(|| json!({}));
    let with = |field: &str, value: Value| {
        let mut input = usual.clone();
        input[field] = value;
        input
    };
    match entry.stops {
        Stops::Nothing => (vec![], vec![usual]),
        Stops::All => (vec![usual, json!({})], vec![]),
        Stops::New => {
            let mut new = usual.clone();
            new.as_object_mut().unwrap().remove("id");
            (vec![new, with("id", Value::Null), json!({})], vec![with("id", json!(1))])
        }
        Stops::With(field, value) => {
            (vec![with(field, json!(value))], vec![with(field, Value::Null), json!({ "id": 1 })])
        }
    }
}

async fn each_feature_stops_what_its_rows_say_and_nothing_else(engine: Engine) {
    let world = World::unthrottled(engine).await;
    let callers = callers(&world).await;
    let call = async |entry: &Entry, input: Value| {
        let caller = callers.iter().find(|caller| entry.admit(caller).is_ok());
        let caller = caller.unwrap_or_else(|| panic!("nobody may call {}", entry.name));
        world.call(entry.name, caller, input).await
    };
    let parts: Vec<&Entry> = catalog().iter().filter(|entry| entry.feature.is_some()).collect();
    let mut stopped = BTreeSet::new();
    for feature in Feature::ALL {
        turn(&world, *feature, false).await;
        let before = world.contents().await;
        for entry in parts.iter().filter(|entry| entry.feature == Some(*feature)) {
            for input in calls(entry).0 {
                let answer = call(entry, input.clone()).await;
                assert!(is_off(&answer, *feature), "{} {input}: {}", entry.name, answer.body);
                stopped.insert(entry.name);
            }
        }
        assert_eq!(world.contents().await, before, "{feature}: a refusal changes nothing");
        for entry in &parts {
            let (stop, go_on) = calls(entry);
            let own = entry.feature == Some(*feature);
            let inputs = if own { go_on } else { [stop, go_on].concat() };
            for input in inputs {
                let answer = call(entry, input.clone()).await;
                assert!(!is_off(&answer, *feature), "{} {input}", entry.name);
                assert_ne!(answer.status, 500, "{}: {}", entry.name, answer.body);
            }
        }
        turn(&world, *feature, true).await;
    }
    let rows = parts.iter().filter(|entry| entry.stops != Stops::Nothing).count();
    assert_eq!(stopped.len(), rows);
    assert!(rows > 25, "{rows}");
}
both!(each_feature_stops_what_its_rows_say_and_nothing_else);

async fn other_servers_follow_within_two_seconds_and_hardly_ask(world: World) {
    let other = world.replica().await;
    let search = async |at: &World| at.call("core.roster.list", &NOBODY, json!({})).await;
    assert_eq!(search(&other).await.status, 200);
    turn(&world, Feature::Rosters, false).await;
    assert!(is_off(&search(&world).await, Feature::Rosters), "its own server follows at once");
    assert_eq!(search(&other).await.status, 200, "it has just read the switches");
    world.pass(TimeDelta::seconds(2));
    assert!(is_off(&search(&other).await, Feature::Rosters));
    turn(&world, Feature::Rosters, true).await;
    world.pass(TimeDelta::seconds(2));
    let many = async {
        for _ in 0..10 {
            assert_eq!(search(&other).await.status, 200);
        }
    };
    let ((), watched) = other.platform.db().watched(many).await.unwrap();
    let of_site = |(said, _): &&(String, String)| said.contains("FROM site");
    assert_eq!(watched.plans.iter().filter(of_site).count(), 1, "{:?}", watched.plans);
}
both!(other_servers_follow_within_two_seconds_and_hardly_ask);

async fn an_ordered_service_is_delivered_paid_and_completed(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let offer = world.offer(&zoe, json!({})).await;
    let place = json!({ "offer_id": offer["id"] });
    let order = "core.service_order.place";
    let first = world.call_with_key(order, &brand.principal, place.clone(), Some("one")).await;
    let id = first.body["data"]["id"].clone();
    turn(&world, Feature::Services, false).await;

    // The answer to a call that has succeeded is not taken back.
    let again = world.call_with_key(order, &brand.principal, place.clone(), Some("one")).await;
    assert_eq!((again.status, again.bytes), (200, first.bytes));
    let another = world.call_with_key(order, &brand.principal, place.clone(), Some("two")).await;
    assert!(is_off(&another, Feature::Services));

    for (step, who) in [("accept", &zoe), ("deliver", &zoe), ("complete", &brand)] {
        let step = format!("core.service_order.{step}");
        world.call(&step, &who.principal, json!({ "id": id })).await.data();
    }
    assert_eq!(world.balance(&zoe).await, 8_000);
    let withdraw = json!({ "id": offer["id"], "active": false });
    let changed = world.call("core.service_offer.save", &zoe.principal, withdraw).await.data();
    assert_eq!(changed["active"], false);
    world.books_are_right().await;
    // The same key works when the feature is on again: a refusal is not kept.
    turn(&world, Feature::Services, true).await;
    let active = json!({ "id": offer["id"], "active": true });
    world.call("core.service_offer.save", &zoe.principal, active).await.data();
    world.call_with_key(order, &brand.principal, place, Some("two")).await.data();
}
both!(an_ordered_service_is_delivered_paid_and_completed);

async fn a_subscription_still_bills_and_is_cancelled(world: World) {
    let plan = world.plan(json!({})).await;
    let brand = world.paying_partner("Cedar Coffee").await;
    let late = world.paying_partner("Harbor Books").await;
    world.subscribe(&brand, &plan).await.data();
    turn(&world, Feature::Subscriptions, false).await;
    assert!(is_off(&world.subscribe(&late, &plan).await, Feature::Subscriptions));
    assert_eq!(world.charged().await, (4_900, 1));
    world.pass(TimeDelta::days(31));
    assert_eq!(payments::bill(&world.platform).await.unwrap().renewed, 1);
    assert_eq!(world.charged().await, (9_800, 2));
    let cancel = "core.subscription.cancel";
    world.call(cancel, &brand.principal, json!({})).await.data();
    assert_eq!(world.subscription(&brand).await["cancel_at_period_end"], true);
}
both!(a_subscription_still_bills_and_is_cancelled);

async fn whoever_has_begun_to_register_can_finish(world: World) {
    let (token, email) = world.awaiting_code().await;
    turn(&world, Feature::PartnerRegistration, false).await;
    let otp = json!({ "otp": world.code_for(&email).await });
    let welcome = world.step("core.registration.partner_verify", &token, otp).await;
    assert!(welcome["access_token"].is_string());
    let start = json!({ "first_name": "Sam", "last_name": "Lee", "phone": "217 555 0123" });
    let late = world.call("core.registration.partner_start", &NOBODY, start.clone()).await;
    assert!(is_off(&late, Feature::PartnerRegistration));
    // The other kinds are switches of their own, and operators still open accounts.
    world.call("core.registration.agent_start", &NOBODY, start).await.data();
    let operator = world.operator(&[Permission::Accounts]);
    let partner = json!({ "email": "new@brand.example", "first_name": "Sam", "last_name": "Lee",
        "company_name": "Harbor Books" });
    let opened = world.call("admin.partner.save", &operator, partner).await;
    assert!(!is_off(&opened, Feature::PartnerRegistration), "{}", opened.body);
}
both!(whoever_has_begun_to_register_can_finish);

async fn an_upload_under_way_reaches_its_folder(world: World) {
    use base64::Engine as _;
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete.principal;
    let announced = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id, "name": "a.png",
        "size": PIXEL.len(), "mime": "image/png" });
    let create = "core.deal_folder.create_upload";
    let begun = world.call(create, me, announced.clone()).await.data();
    turn(&world, Feature::DealFolder, false).await;
    assert!(is_off(&world.call(create, me, announced).await, Feature::DealFolder));
    let (_, token) = begun["url"].as_str().unwrap().split_once("?token=").unwrap();
    let content = base64::engine::general_purpose::STANDARD.encode(PIXEL);
    let input = json!({ "token": token, "content": content });
    world.call("core.deal_folder.receive_upload", &NOBODY, input).await.data();
    let finish = json!({ "upload_id": begun["upload_id"] });
    let file = world.call("core.deal_folder.complete_upload", me, finish).await.data();
    let get = json!({ "id": file["id"] });
    world.call("core.deal_folder.download", me, get.clone()).await.data();
    world.call("core.deal_folder.remove", me, get).await.data();
}
both!(an_upload_under_way_reaches_its_folder);

/// Ten percent of sales, at most 500 dollars in all.
fn commission() -> Value {
    json!({
        "compensation": "commission", "amount_cents": 0, "commission_basis_points": 1_000,
        "product_value_cents": 50_000, "ends_on": "2026-12-31",
    })
}

async fn a_deal_on_commission_keeps_its_links(world: World) {
    let hire: Hire = world.active(commission()).await;
    turn(&world, Feature::AffiliateLinks, false).await;
    let brand = &hire.partner.principal;
    let save = async |job: Value| world.call("core.job.save", brand, job).await;
    assert!(is_off(&save(a_job(commission())).await, Feature::AffiliateLinks));
    let job = save(a_job(json!({}))).await.data();
    let changed = json!({ "id": job["id"], "compensation": "commission" });
    assert!(is_off(&save(changed).await, Feature::AffiliateLinks));
    let operator = world.operator(&[Permission::Jobs]);
    let mut for_brand = a_job(commission());
    for_brand["partner_id"] = json!(hire.partner.id);
    let refused = world.call("admin.job.save", &operator, for_brand).await;
    assert!(is_off(&refused, Feature::AffiliateLinks));
    // The contract under way earns through new links too.
    let website = json!({ "website": "https://ridge.example/" });
    world.call("core.partner.edit", brand, website).await.data();
    let link = json!({ "job_id": hire.job, "target_url": "https://ridge.example/vests" });
    let link = world.call("core.affiliate.save_link", &hire.athlete.principal, link).await.data();
    let followed = world.call("core.affiliate.follow", &NOBODY, json!({ "code": link["code"] }));
    assert!([200, 302].contains(&followed.await.status));
}
both!(a_deal_on_commission_keeps_its_links);

async fn a_draft_of_the_assistant_is_still_sent(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete.principal;
    let draft = json!({ "job_id": hire.job, "draft_text": "May I wear my jersey?" });
    let save = "core.assistant.save_clarification_draft";
    let stored = world.call(save, me, draft.clone()).await.data();
    let host = world.model_host(&hire.athlete);
    let deals = async || world.call("core.ai_tools.deals", &host, json!({})).await;
    deals().await.data();
    turn(&world, Feature::Assistant, false).await;
    assert!(is_off(&world.call(save, me, draft).await, Feature::Assistant));
    assert!(is_off(&deals().await, Feature::Assistant), "no model reads any more");
    let send = json!({ "id": stored["id"] });
    let sent = world.call("core.assistant.send_clarification", me, send).await.data();
    assert_eq!(sent["status"], "sent");
}
both!(a_draft_of_the_assistant_is_still_sent);
