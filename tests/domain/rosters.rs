//! Rosters: operators manage them, everyone sees the published ones with listed athletes only.

use nil_core::accounts::suspension;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::UserId;
use nil_tests::{Answer, World, both};
use serde_json::{Value, json};

const NOBODY: &Principal = &Principal::Anonymous;

async fn call(world: &World, name: &str, input: Value) -> Answer {
    let operator = world.operator(&[Permission::Content]);
    let name = format!("admin.roster.{name}");
    world.call(&name, &operator, input).await
}

/// A roster of that title, and its id.
async fn roster(world: &World, title: &str) -> i64 {
    let saved = call(world, "save", json!({ "title": title })).await.data();
    saved["id"].as_i64().expect("an id")
}

async fn publish(world: &World, id: i64, published: bool) -> Value {
    let input = json!({ "roster_id": id, "published": published });
    call(world, "set_published", input).await.data()
}

/// The field of each item of a list.
fn each<'a>(list: &'a Value, field: &str) -> Vec<&'a Value> {
    let list = list.as_array().expect("a list").iter();
    list.map(|one| &one[field]).collect()
}

async fn public(world: &World, input: Value) -> Answer {
    world.call("core.roster.detail", NOBODY, input).await
}

async fn a_roster_is_seen_once_it_is_published(world: World) {
    let id = roster(&world, "Lakeshore Women’s Rowing").await;
    let athlete = world.athlete("Jordan Miles").await;
    let add = json!({ "roster_id": id, "athlete_ids": [athlete.id] });
    call(&world, "add_athletes", add).await.data();
    let kept = call(&world, "list", json!({ "status": "draft", "id": 0 })).await.data();
    assert_eq!(kept[0]["slug"], "lakeshore-womens-rowing");
    assert_eq!((&kept[0]["status"], &kept[0]["athletes"]), (&json!("draft"), &Value::Null));
    let at = json!({ "slug": "lakeshore-womens-rowing" });
    for (name, input) in [
        ("core.roster.detail", json!({ "roster_id": id })),
        ("core.roster.detail", at.clone()),
        ("core.roster.page", at.clone()),
        ("core.roster.page", json!({ "slug": "no/such..roster" })),
    ] {
        assert_eq!(world.call(name, NOBODY, input).await.code(), "not_found");
    }
    assert_eq!(world.call("core.roster.list", NOBODY, json!({})).await.data(), json!([]));

    let published = publish(&world, id, true).await;
    assert_eq!(published["status"], "published");
    let page = world.call("core.roster.page", NOBODY, at.clone()).await.data();
    assert!(page["url"].as_str().unwrap().ends_with("/api/roster/lakeshore-womens-rowing"));
    assert_eq!(page["athletes"][0]["display_name"], "Jordan Miles");
    assert_eq!(page["athletes"][0].get("user_id"), None, "public fields only");
    assert_eq!(page, public(&world, json!({ "roster_id": id })).await.data());
    assert_eq!(page, public(&world, at.clone()).await.data());
    for wrong in [json!({}), json!({ "roster_id": id, "slug": "lakeshore-womens-rowing" })] {
        assert!(public(&world, wrong).await.body["errors"]["roster_id"].is_array());
    }
    let list = world.call("core.roster.list", NOBODY, json!({ "q": "ROWING" })).await;
    assert_eq!(list.body["pagination"]["total"], 1);
    assert_eq!(list.body["data"][0]["athlete_count"], 1);
    let none = world.call("core.roster.list", NOBODY, json!({ "q": "tennis" })).await;
    assert_eq!(none.data(), json!([]));

    // Repeating it changes nothing, not even the date.
    world.pass(chrono::TimeDelta::days(1));
    assert_eq!(publish(&world, id, true).await, published);
    assert_eq!(publish(&world, id, false).await["published_at"], Value::Null);
    assert_eq!(world.call("core.roster.page", NOBODY, at).await.code(), "not_found");
}
both!(a_roster_is_seen_once_it_is_published);

async fn athletes_keep_their_order_and_stand_there_once(world: World) {
    let id = roster(&world, "Harbor Collective").await;
    let mut ids = Vec::new();
    for name in ["Ada One", "Bea Two", "Cai Three", "Dov Four"] {
        ids.push(world.athlete(name).await.id);
    }
    let [ada, bea, cai, dov] = ids[..] else { panic!() };
    let add = async |athletes: &[i64], position: Option<i64>| {
        let input = json!({ "roster_id": id, "athlete_ids": athletes, "position": position });
        call(&world, "add_athletes", input).await
    };
    let order = |roster: &Value| -> Vec<i64> {
        let ids = each(&roster["athletes"], "athlete_id").into_iter();
        ids.map(|id| id.as_i64().unwrap()).collect()
    };
    assert_eq!(order(&add(&[cai, ada], None).await.data()), [cai, ada]);
    let before = add(&[bea, cai, bea], None).await.data();
    assert_eq!(order(&before), [cai, ada, bea]);
    assert_eq!(add(&[ada, cai], None).await.data(), before, "adding twice changes nothing");
    let off = json!({ "roster_id": id, "athlete_ids": [ada, dov] });
    let left = call(&world, "remove_athletes", off.clone()).await.data();
    assert_eq!(order(&left), [cai, bea]);
    assert_eq!(call(&world, "remove_athletes", off).await.data(), left);
    assert_eq!(order(&add(&[dov, bea], Some(1)).await.data()), [dov, bea, cai]);
    assert_eq!(order(&add(&[ada], None).await.data()), [dov, bea, cai, ada]);
    publish(&world, id, true).await;
    let shown = public(&world, json!({ "roster_id": id })).await.data();
    assert_eq!(each(&shown["athletes"], "id"), [dov, bea, cai, ada].map(|id| json!(id)).each_ref());

    let unknown = add(&[ada, 999_999], None).await;
    assert!(unknown.body["errors"]["athlete_ids"][0].as_str().unwrap().contains("999999"));
    assert!(add(&[ada], Some(0)).await.body["errors"]["position"].is_array());
    assert_eq!(add(&[], None).await.status, 422);
    for name in ["add_athletes", "remove_athletes"] {
        let input = json!({ "roster_id": 999_999, "athlete_ids": [ada] });
        assert_eq!(call(&world, name, input).await.code(), "not_found");
    }
    let input = json!({ "roster_id": 999_999, "published": true });
    assert_eq!(call(&world, "set_published", input).await.code(), "not_found");
}
both!(athletes_keep_their_order_and_stand_there_once);

async fn who_is_not_listed_or_not_in_use_is_not_shown(world: World) {
    let id = roster(&world, "Club").await;
    let seen = world.athlete("Ada Seen").await;
    let minor = world.minor("Bea Young").await;
    let hidden = world.athlete("Cai Hidden").await;
    let barred = world.athlete("Dov Barred").await;
    world.call("core.athlete.edit", &hidden.principal, json!({ "listed": false })).await.data();
    suspension::suspend(&world.platform, UserId::new(barred.user_id).unwrap()).await.unwrap();
    let all = [minor.id, hidden.id, barred.id, seen.id];
    let add = json!({ "roster_id": id, "athlete_ids": all });
    let roster = call(&world, "add_athletes", add).await.data();
    assert_eq!(roster["athlete_count"], 4);
    let shown = each(&roster["athletes"], "shown");
    assert_eq!(shown, [false, false, false, true].map(|shown| json!(shown)).each_ref());
    publish(&world, id, true).await;
    let which = json!({ "roster_id": id });
    let page = public(&world, which.clone()).await.data();
    assert_eq!(each(&page["athletes"], "display_name"), ["Ada Seen"]);
    assert_eq!(page["athlete_count"], 1);
    // They reappear in their places as soon as they are listed again.
    suspension::restore(&world.platform, UserId::new(barred.user_id).unwrap()).await.unwrap();
    let page = public(&world, which).await.data();
    assert_eq!(each(&page["athletes"], "display_name"), ["Dov Barred", "Ada Seen"]);
}
both!(who_is_not_listed_or_not_in_use_is_not_shown);

async fn a_roster_belongs_to_a_college_or_a_brand_or_nobody(world: World) {
    let college = world.college().await;
    let brand = world.partner("Corner Bakery").await;
    let of_college = json!({ "title": "Rowing", "college_id": college });
    let saved = call(&world, "save", of_college).await.data();
    let id = saved["id"].as_i64().unwrap();
    assert_eq!(
        (&saved["owner"]["kind"], &saved["owner"]["id"]),
        (&json!("college"), &json!(college))
    );
    publish(&world, id, true).await;
    let of = |college: i64| json!({ "college_id": college });
    let list = async |input| world.call("core.roster.list", NOBODY, input).await.data();
    assert_eq!(list(of(college)).await[0]["id"], id);
    assert_eq!(list(of(999_999)).await, json!([]));

    let save = async |over: Value| {
        let mut input = json!({ "id": id, "title": "Rowing" });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        call(&world, "save", input).await
    };
    assert_eq!(save(json!({})).await.data()["owner"], saved["owner"], "left out, it stays");
    let owner = save(json!({ "partner_id": brand.id })).await.data()["owner"].clone();
    assert_eq!(owner, json!({ "kind": "partner", "id": brand.id, "name": "Corner Bakery" }));
    let seen = public(&world, json!({ "roster_id": id })).await.data();
    assert_eq!(seen["owner"], owner);
    world.call("core.partner.edit", &brand.principal, json!({ "listed": false })).await.data();
    let seen = public(&world, json!({ "roster_id": id })).await.data();
    assert_eq!(seen["owner"], Value::Null, "an unlisted brand is nobody's to see");
    assert_eq!(save(json!({ "partner_id": null })).await.data()["owner"], Value::Null);
    let both = save(json!({ "college_id": college, "partner_id": brand.id })).await;
    assert!(both.body["errors"]["partner_id"].is_array());
    for field in ["college_id", "partner_id"] {
        let unknown = save(json!({ field: 999_999 })).await;
        assert!(unknown.body["errors"][field].is_array(), "{}", unknown.body);
    }
}
both!(a_roster_belongs_to_a_college_or_a_brand_or_nobody);

async fn an_address_is_one_rosters(world: World) {
    let first = roster(&world, "Rowing").await;
    let second = roster(&world, "Sailing").await;
    let available = async |slug: &str, id: Option<i64>| {
        let input = json!({ "slug": slug, "roster_id": id });
        call(&world, "check_url", input).await.data()["available"].clone()
    };
    assert_eq!(available("rowing", None).await, false);
    assert_eq!(available("rowing", Some(second)).await, false);
    assert_eq!(available("rowing", Some(first)).await, true);
    assert_eq!(available("row-ing", None).await, true);
    for slug in ["Rowing", "a/b", "..", "a--b", ""] {
        let wrong = call(&world, "check_url", json!({ "slug": slug })).await;
        assert!(wrong.body["errors"]["slug"].is_array(), "{slug}");
    }
    assert_eq!(call(&world, "save", json!({ "title": "Rowing!" })).await.code(), "duplicate");
    let take = json!({ "id": second, "title": "Sailing", "slug": "rowing" });
    assert_eq!(call(&world, "save", take).await.code(), "duplicate");
    let renamed = json!({ "id": first, "title": "Rowing and Sailing" });
    assert_eq!(call(&world, "save", renamed).await.data()["slug"], "rowing");
    let unknown = json!({ "id": 999_999, "title": "x" });
    assert_eq!(call(&world, "save", unknown).await.code(), "not_found");
}
both!(an_address_is_one_rosters);

async fn operators_list_rosters_by_status_words_and_order(world: World) {
    for title in ["Beta", "alpha", "Gamma"] {
        roster(&world, title).await;
    }
    let list = async |status: &str, id: i64, over: Value| {
        let mut input = json!({ "status": status, "id": id });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        call(&world, "list", input).await
    };
    let all = list("all", 0, json!({ "sort": "title", "per_page": 2 })).await;
    assert_eq!(each(&all.body["data"], "title"), ["alpha", "Beta"]);
    assert_eq!(all.body["pagination"]["total"], 3);
    let newest = list("all", 0, json!({})).await.data();
    assert_eq!(each(&newest, "title"), ["Gamma", "alpha", "Beta"]);
    assert_eq!(each(&list("all", 0, json!({ "q": "MM" })).await.data(), "title"), ["Gamma"]);
    let id = newest[0]["id"].as_i64().unwrap();
    assert_eq!(list("all", id, json!({})).await.data()[0]["athletes"], json!([]));
    assert_eq!(list("published", 0, json!({})).await.data(), json!([]));
    assert_eq!(list("published", id, json!({})).await.code(), "not_found");
    assert_eq!(list("all", 999_999, json!({})).await.code(), "not_found");
    assert_eq!(list("all", -1, json!({})).await.code(), "not_found");
    let unknown = list("open", 0, json!({})).await;
    let words = unknown.body["errors"]["status"][0].as_str().unwrap();
    assert!(words.contains("published") && words.contains("all"), "{words}");
    let other = world.operator(&[Permission::Messaging]);
    let other = world.call("admin.roster.list", &other, json!({ "status": "all", "id": 0 })).await;
    assert_eq!(other.code(), "forbidden");
}
both!(operators_list_rosters_by_status_words_and_order);

async fn two_operators_at_once_put_everybody_in_a_place_of_their_own(world: World) {
    let id = roster(&world, "Rowing").await;
    let ada = world.athlete("Ada One").await.id;
    let bea = world.athlete("Bea Two").await.id;
    let add = |athletes: Vec<i64>| {
        let input = json!({ "roster_id": id, "athlete_ids": athletes });
        call(&world, "add_athletes", input)
    };
    let (one, other, third) =
        tokio::join!(add(vec![ada, bea]), add(vec![bea, ada]), add(vec![ada]));
    for answer in [one, other, third] {
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let places = "SELECT COUNT(DISTINCT place) * 100 + COUNT(*) FROM roster_athlete";
    assert_eq!(world.id(places).await, 202);
}
both!(two_operators_at_once_put_everybody_in_a_place_of_their_own);
