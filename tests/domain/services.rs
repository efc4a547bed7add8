//! Athletes offer services, brands order them, and an accepted order is a deal like every other.

use nil_core::auth::Principal;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const SAVE: &str = "core.service_offer.save";
const SEARCH: &str = "core.service_offer.search";
const PLACE: &str = "core.service_order.place";
const ACCEPT: &str = "core.service_order.accept";

async fn found(world: &World, who: &Person, wanted: Value) -> Vec<String> {
    let offers = world.call(SEARCH, &who.principal, wanted).await.data();
    let titles = offers.as_array().expect("a list").iter();
    titles.map(|offer| offer["title"].as_str().expect("a title").to_owned()).collect()
}

async fn set_listed(world: &World, athlete: &Person, listed: bool) {
    let id = athlete.id;
    let text = format!("UPDATE athlete SET listed = {listed} WHERE id = {id} RETURNING id");
    world.id(&text).await;
}

async fn consented(world: &World) {
    let rows = nil_core::notifications::outbox::list(&world.platform, 1_000).await;
    let rows = rows.expect("the outbox");
    let mail = rows.iter().find(|row| row.event == "guardian.consent");
    let to = &mail.expect("a mail").to;
    let token = world.link_for(to, "guardian.consent").await;
    let word = json!({ "token": token, "accept": true });
    let consent = "core.registration.guardian_consent";
    world.call(consent, &Principal::Anonymous, word).await.data();
}

async fn offers_are_made_changed_and_found(world: World) {
    let zoe = world.athlete("Zoe Okafor").await;
    let ida = world.athlete("Ida Novak").await;
    let brand = world.partner("Cedar Coffee").await;
    let fan = world.fan("Robin Hill").await;
    let lesson = world.offer(&zoe, json!({})).await;
    assert_eq!((&lesson["platform"], &lesson["active"]), (&json!("in_person"), &json!(true)));
    assert_eq!(lesson["athlete_name"], "Zoe Okafor");
    world.offer(&zoe, json!({
            "title": "Birthday shout-out", "description": "Thirty seconds on video, café corner",
            "kind": "video_shoutout", "price_cents": 2_500,
        })).await;
    world
        .offer(&ida, json!({ "title": "Team talk", "kind": "speaking", "price_cents": 40_000 }))
        .await;

    let all = ["Team talk", "Birthday shout-out", "Shooting lesson"];
    assert_eq!(found(&world, &fan, json!({})).await, all);
    let by_price = found(&world, &brand, json!({ "sort": "price" })).await;
    assert_eq!(by_price, ["Birthday shout-out", "Shooting lesson", "Team talk"]);
    for (wanted, titles) in [
        (json!({ "kinds": ["lesson", "speaking"] }), vec!["Team talk", "Shooting lesson"]),
        (json!({ "min_price_cents": 2_501, "max_price_cents": 8_000 }), vec!["Shooting lesson"]),
        (
            json!({ "university_ids": [lesson["university_id"]] }),
            vec!["Birthday shout-out", "Shooting lesson"],
        ),
        (
            json!({ "sport_ids": [lesson["sport_id"]], "sort": "-price", "per_page": 1 }),
            vec!["Team talk"],
        ),
        (json!({ "sport_ids": [2] }), vec![]),
        (json!({ "athlete_id": ida.id }), vec!["Team talk"]),
        (json!({ "q": "CAFE thirty" }), vec!["Birthday shout-out"]),
        (json!({ "q": "shoot", "kinds": ["lesson"] }), vec!["Shooting lesson"]),
    ] {
        assert_eq!(found(&world, &brand, wanted.clone()).await, titles, "{wanted}");
    }

    let change = json!({ "id": lesson["id"], "price_cents": 9_000, "active": false });
    let changed = world.call(SAVE, &zoe.principal, change).await.data();
    assert_eq!(
        (&changed["price_cents"], &changed["title"]),
        (&json!(9_000), &json!("Shooting lesson"))
    );
    assert_eq!(found(&world, &brand, json!({ "q": "shooting" })).await, [""; 0]);
    let own = world.call("core.service_offer.mine", &zoe.principal, json!({})).await.data();
    assert_eq!(own.as_array().unwrap().len(), 2, "what cannot be ordered included");
    let theirs =
        world.call(SAVE, &ida.principal, json!({ "id": lesson["id"], "active": true })).await;
    let nobodys = world.call(SAVE, &ida.principal, json!({ "id": 999, "active": true })).await;
    let id = lesson["id"].as_i64().unwrap();
    assert_eq!((theirs.status, theirs.masked("id", id)), (404, nobodys.masked("id", 999)));
}
both!(offers_are_made_changed_and_found);

async fn an_offer_says_everything_that_a_deal_needs(world: World) {
    let zoe = world.athlete("Zoe Okafor").await;
    let good = json!({ "title": "A", "description": "B", "kind": "lesson", "price_cents": 100 });
    for (field, value) in [
        ("title", Value::Null),
        ("description", Value::Null),
        ("kind", Value::Null),
        ("price_cents", Value::Null),
        ("price_cents", json!(0)),
        ("kind", json!("group_licensing")),
        ("delivery_days", json!(0)),
        ("delivery_days", json!(181)),
        ("title", json!("")),
    ] {
        let mut input = good.clone();
        input[field] = value;
        let refused = world.call(SAVE, &zoe.principal, input.clone()).await;
        assert_eq!(refused.status, 422, "{input}");
        assert!(refused.body["errors"][field].is_array(), "{input}: {}", refused.body);
    }
    let mut post = good.clone();
    post["kind"] = json!("social_post");
    let nowhere = world.call(SAVE, &zoe.principal, post.clone()).await;
    assert!(
        nowhere.status == 422 && nowhere.body["errors"]["platform"].is_array(),
        "{}",
        nowhere.body
    );
    post["platform"] = json!("in_person");
    assert_eq!(world.call(SAVE, &zoe.principal, post.clone()).await.status, 422);
    post["platform"] = json!("instagram");
    assert_eq!(world.call(SAVE, &zoe.principal, post).await.data()["platform"], "instagram");
    let brand = world.partner("Cedar Coffee").await;
    assert_eq!(world.call(SAVE, &brand.principal, good.clone()).await.status, 403);
    for _ in 0..99 {
        world.call(SAVE, &zoe.principal, good.clone()).await.data();
    }
    let refused = world.call(SAVE, &zoe.principal, good).await;
    assert_eq!((refused.status, refused.code()), (409, "too_many_offers"));
}
both!(an_offer_says_everything_that_a_deal_needs);

async fn who_is_not_shown_cannot_be_ordered_from(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete("Zoe Okafor").await;
    let offer = world.offer(&zoe, json!({})).await;
    let place = json!({ "offer_id": offer["id"] });
    let nobodys = world.call(PLACE, &brand.principal, json!({ "offer_id": 999 })).await;
    set_listed(&world, &zoe, false).await;
    assert!(found(&world, &brand, json!({})).await.is_empty());
    let hidden = world.call(PLACE, &brand.principal, place.clone()).await;
    let id = offer["id"].as_i64().unwrap();
    let nobodys = nobodys.masked("offer_id", 999);
    assert_eq!((hidden.status, hidden.masked("offer_id", id)), (404, nobodys));
    set_listed(&world, &zoe, true).await;
    let inactive = json!({ "id": offer["id"], "active": false });
    world.call(SAVE, &zoe.principal, inactive).await.data();
    assert_eq!(world.call(PLACE, &brand.principal, place.clone()).await.status, 404);
    let active = json!({ "id": offer["id"], "active": true });
    world.call(SAVE, &zoe.principal, active).await.data();
    let suspend =
        format!("UPDATE app_user SET status = 'suspended' WHERE id = {} RETURNING id", zoe.user_id);
    world.id(&suspend).await;
    assert!(found(&world, &brand, json!({})).await.is_empty());
    assert_eq!(world.call(PLACE, &brand.principal, place).await.status, 404);
}
both!(who_is_not_shown_cannot_be_ordered_from);

async fn offers_are_found_by_what_is_true_of_their_athletes(world: World) {
    let zoe = world.athlete("Zoe Okafor").await;
    let ana = world.minor("Ana Young").await;
    for athlete in [&zoe, &ana] {
        world.offer(athlete, json!({})).await;
    }
    let right = async |what: &str| {
        let wrong = "SELECT COUNT(*) FROM service_offer o LEFT JOIN service_findable v \
                ON v.athlete_id = o.athlete_id WHERE o.born_on IS DISTINCT FROM v.born_on \
                OR (v.athlete_id IS NOT NULL AND (o.sport_id IS DISTINCT FROM v.sport_id \
                OR o.university_id IS DISTINCT FROM v.university_id))";
        assert_eq!(world.id(wrong).await, 0, "{what}");
    };
    right("made").await;
    for (what, text) in [
        (
            "transfer",
            format!(
                "UPDATE athlete SET sport_id = 2, university_id = NULL WHERE id = {} RETURNING id",
                zoe.id
            ),
        ),
        ("listing", format!("UPDATE athlete SET listed = TRUE WHERE id = {} RETURNING id", ana.id)),
        (
            "consent",
            format!(
                "UPDATE guardian SET consented_at = '2026-11-20T12:00:00+00:00' WHERE athlete_id = {} RETURNING athlete_id",
                ana.id
            ),
        ),
        (
            "suspension",
            format!(
                "UPDATE app_user SET status = 'suspended' WHERE id = {} RETURNING id",
                zoe.user_id
            ),
        ),
    ] {
        world.id(&text).await;
        right(what).await;
    }
    let brand = world.partner("Cedar Coffee").await;
    assert_eq!(found(&world, &brand, json!({})).await.len(), 1);
    let restored =
        format!("UPDATE app_user SET status = 'active' WHERE id = {} RETURNING id", zoe.user_id);
    world.id(&restored).await;
    right("restored").await;
    assert_eq!(found(&world, &brand, json!({ "sport_ids": [2] })).await.len(), 1);
}
both!(offers_are_found_by_what_is_true_of_their_athletes);

async fn a_minor_is_ordered_from_with_the_guardians_consent_only(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let ana = world.minor("Ana Young").await;
    let offer = world.offer(&ana, json!({})).await;
    let place = json!({ "offer_id": offer["id"] });
    assert_eq!(world.call(PLACE, &brand.principal, place.clone()).await.status, 404, "unlisted");
    set_listed(&world, &ana, true).await;
    assert!(found(&world, &brand, json!({})).await.is_empty());
    let refused = world.call(PLACE, &brand.principal, place.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "guardian_consent_missing"));
    consented(&world).await;
    assert_eq!(found(&world, &brand, json!({})).await, ["Shooting lesson"]);
    let order = world.call(PLACE, &brand.principal, place).await.data();
    // The conditions of the order must also hold at acceptance.
    let withdrawn = format!(
        "UPDATE guardian SET consented_at = NULL WHERE athlete_id = {} RETURNING athlete_id",
        ana.id
    );
    world.id(&withdrawn).await;
    let accept = json!({ "id": order["id"] });
    let refused = world.call(ACCEPT, &ana.principal, accept).await;
    assert_eq!((refused.status, refused.code()), (409, "guardian_consent_missing"));
    assert_eq!(world.order_as(&ana, order["id"].as_i64().unwrap()).await["status"], "ordered");
}
both!(a_minor_is_ordered_from_with_the_guardians_consent_only);
