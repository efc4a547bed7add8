//! Athletes and brands edit their own records only.

use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::affiliate;

const EDIT: &str = "core.athlete.edit";

async fn own(world: &World, who: &Person) -> Value {
    world.call("core.auth.me", &who.principal, json!({})).await.data()
}

async fn an_athlete_edits_what_is_theirs(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let college = world.college().await;
    let edit = json!({
        "display_name": " Jo Miles ", "sport_id": 4, "university_id": college, "position": "Guard",
        "class_year": "graduate", "jersey_number": "07", "gender": "non_binary",
        "hometown_city": "Peoria", "hometown_state": "il", "bio": "Runs.",
        "tags": ["Surf", "surf ", "Vegan"], "min_rate_cents": 15_000, "available": false,
        "socials": [
            { "platform": "tiktok", "handle": "@jo", "followers": 10 },
            { "platform": "x", "handle": "jo", "followers": 20, "engagement_rate": 425 },
        ],
        "activities": [{ "activity": "autograph", "min_price_cents": 2_000, "price_shown": true }],
    });
    let answer = world.call(EDIT, &athlete.principal, edit).await;
    assert_eq!(answer.ignored, Vec::<String>::new());
    let record = answer.data();
    for (field, expected) in [
        ("display_name", json!("Jo Miles")),
        ("sport_id", json!(4)),
        ("university_id", json!(college)),
        ("position", json!("Guard")),
        ("class_year", json!("graduate")),
        ("jersey_number", json!("07")),
        ("gender", json!("non_binary")),
        ("hometown_city", json!("Peoria")),
        ("hometown_state", json!("IL")),
        ("bio", json!("Runs.")),
        ("tags", json!(["surf", "vegan"])),
        ("min_rate_cents", json!(15_000)),
        ("available", json!(false)),
        ("listed", json!(true)),
        (
            "activities",
            json!([{ "activity": "autograph", "min_price_cents": 2_000, "price_shown": true }]),
        ),
    ] {
        assert_eq!(record[field], expected, "{field}");
    }
    assert_eq!(record["socials"][0]["platform"], "x");
    assert_eq!(record["socials"][1]["handle"], "jo");
    // Omitted fields stay; null clears; an empty list removes all.
    let record = world.call(EDIT, &athlete.principal, json!({})).await.data();
    assert_eq!((&record["bio"], &record["tags"]), (&json!("Runs."), &json!(["surf", "vegan"])));
    let empty = json!({
        "position": null, "class_year": null, "jersey_number": null, "gender": null, "bio": null,
        "hometown_city": null, "hometown_state": null, "min_rate_cents": null, "tags": [],
        "socials": [], "activities": [],
    });
    let record = world.call(EDIT, &athlete.principal, empty.clone()).await.data();
    for (field, value) in empty.as_object().unwrap() {
        assert_eq!(&record[field], value, "{field}");
    }
    assert_eq!(record["display_name"], "Jo Miles");
    assert_eq!(own(&world, &athlete).await["profile"], record);
    let audited = "SELECT COUNT(*) FROM audit_entry WHERE operation = 'core.athlete.edit' \
             AND action = 'edited'";
    assert_eq!(world.id(audited).await, 3);
    world.search_rows_are_right().await;
}
both!(an_athlete_edits_what_is_theirs);

async fn what_is_not_theirs_has_nowhere_to_go(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let other = world.athlete("Robin Lake").await;
    let before = own(&world, &athlete).await;
    let others = own(&world, &other).await;
    let greedy = json!({
        "id": other.id, "athlete_id": other.id, "user_id": other.user_id, "agent_id": 1,
        "share_slug": "star", "date_of_birth": "1990-01-01", "photo_url": "https://evil.example/x.png",
        "status": "active", "email": "new@example.com", "email_verified_at": "2020-01-01T00:00:00Z",
        "payout_account": { "status": "enabled" }, "readiness": { "percent": 100 },
        "created_at": "2020-01-01T00:00:00Z", "first_name": "X", "phone": "+12175550000",
    });
    let answer = world.call(EDIT, &athlete.principal, greedy.clone()).await;
    assert_eq!(answer.ignored.len(), greedy.as_object().unwrap().len());
    let mut after = own(&world, &athlete).await;
    after["profile"]["updated_at"] = before["profile"]["updated_at"].clone();
    assert_eq!(after, before);
    assert_eq!(own(&world, &other).await, others);

    let partner = world.partner("Corner Bakery").await;
    let before = own(&world, &partner).await;
    let greedy = json!({
        "id": 99, "user_id": 99, "fee_basis_points": 0, "logo_url": "https://evil.example/x.png",
        "subscription_plan_id": 1, "universities": [1], "status": "active",
        "created_at": "2020-01-01T00:00:00Z",
    });
    let answer = world.call("core.partner.edit", &partner.principal, greedy.clone()).await;
    assert_eq!(answer.ignored.len(), greedy.as_object().unwrap().len());
    assert_eq!(own(&world, &partner).await["profile"], before["profile"]);
}
both!(what_is_not_theirs_has_nowhere_to_go);

async fn wrong_values_change_nothing(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let before = own(&world, &athlete).await;
    let social =
        |followers: i64| json!([{ "platform": "x", "handle": "a", "followers": followers }]);
    for (field, input) in [
        ("display_name", json!({ "display_name": "  " })),
        ("display_name", json!({ "display_name": "x".repeat(161) })),
        ("sport_id", json!({ "sport_id": 9_999 })),
        ("university_id", json!({ "university_id": 9_999 })),
        ("hometown_state", json!({ "hometown_state": "ZZ" })),
        ("class_year", json!({ "class_year": "old" })),
        ("min_rate_cents", json!({ "min_rate_cents": -1 })),
        ("min_rate_cents", json!({ "min_rate_cents": 100_000_001 })),
        ("socials.0.followers", json!({ "socials": social(-1), "bio": "New." })),
        ("socials.1.platform", json!({ "socials": [social(1)[0], social(2)[0]] })),
        (
            "activities.1.activity",
            json!({ "activities": [{ "activity": "lesson" }, { "activity": "lesson" }] }),
        ),
        (
            "activities.0.min_price_cents",
            json!({ "activities": [{ "activity": "lesson", "min_price_cents": -5 }] }),
        ),
        ("tags", json!({ "tags": vec!["x"; 21] })),
        ("tags.0", json!({ "tags": [" "] })),
    ] {
        let refused = world.call(EDIT, &athlete.principal, input.clone()).await;
        assert_eq!(refused.status, 422, "{input}");
        assert!(refused.body["errors"].get(field).is_some(), "{input}: {}", refused.body);
    }
    assert_eq!(own(&world, &athlete).await, before);
    let partner = world.partner("Corner Bakery").await;
    for (field, input) in [
        ("company_name", json!({ "company_name": "" })),
        ("business_category_id", json!({ "business_category_id": 9_999 })),
        ("website", json!({ "website": "javascript:alert(1)" })),
        ("hq_state", json!({ "hq_state": "ZZ" })),
    ] {
        let refused = world.call("core.partner.edit", &partner.principal, input.clone()).await;
        assert!(refused.body["errors"].get(field).is_some(), "{input}: {}", refused.body);
    }
    for (operation, who) in [(EDIT, &partner), ("core.partner.edit", &athlete)] {
        assert_eq!(world.call(operation, &who.principal, json!({})).await.status, 403);
    }
}
both!(wrong_values_change_nothing);

async fn a_minor_is_not_listed_before_the_birthday(world: World) {
    let minor = world.minor("Robin Young").await;
    let list = json!({ "listed": true, "bio": "Hello." });
    let refused = world.call(EDIT, &minor.principal, list.clone()).await;
    assert_eq!(refused.status, 422);
    assert!(refused.body["errors"].get("listed").is_some());
    let record = world.call(EDIT, &minor.principal, json!({ "listed": false })).await.data();
    assert_eq!((&record["listed"], &record["bio"]), (&json!(false), &Value::Null));
    // Born on 1 June 2009.
    world.pass(chrono::TimeDelta::days(192));
    assert_eq!(world.call(EDIT, &minor.principal, list.clone()).await.status, 422);
    world.pass(chrono::TimeDelta::days(1));
    assert_eq!(world.call(EDIT, &minor.principal, list).await.data()["listed"], true);
    world.search_rows_are_right().await;
}
both!(a_minor_is_not_listed_before_the_birthday);

async fn the_college_stays_while_a_contract_is_open(world: World) {
    let hire = world.hired(json!({})).await;
    let college = world.college().await;
    let transfer = json!({ "university_id": college });
    let refused = world.call(EDIT, &hire.athlete.principal, transfer.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    let own = own(&world, &hire.athlete).await["profile"]["university_id"].clone();
    // Naming the same college is not a change.
    let same = json!({ "university_id": own, "bio": "Same place." });
    assert_eq!(world.call(EDIT, &hire.athlete.principal, same).await.data()["bio"], "Same place.");
    world.pass(chrono::TimeDelta::days(4));
    nil_core::worker::round(&world.platform).await.expect("a round");
    let moved = world.call(EDIT, &hire.athlete.principal, transfer).await.data();
    assert_eq!(moved["university_id"], college);
}
both!(the_college_stays_while_a_contract_is_open);

async fn a_brand_edits_what_is_its_own(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let edit = json!({
        "company_name": "Corner Café", "business_category_id": 3, "website": "https://cafe.example/",
        "about": "Bread.", "hq_city": "Peoria", "hq_state": "il", "listed": false,
    });
    let record = world.call("core.partner.edit", &partner.principal, edit).await.data();
    for (field, expected) in [
        ("company_name", json!("Corner Café")),
        ("business_category_id", json!(3)),
        ("website", json!("https://cafe.example/")),
        ("about", json!("Bread.")),
        ("hq_city", json!("Peoria")),
        ("hq_state", json!("IL")),
        ("listed", json!(false)),
        ("universities", json!([])),
        ("fee_basis_points", Value::Null),
    ] {
        assert_eq!(record[field], expected, "{field}");
    }
    let clear = json!({ "website": null, "about": null, "hq_city": null, "hq_state": null });
    let record = world.call("core.partner.edit", &partner.principal, clear.clone()).await.data();
    for field in clear.as_object().unwrap().keys() {
        assert_eq!(record[field], Value::Null, "{field}");
    }
    let college = world.college().await;
    world.script(&format!(
            "INSERT INTO partner_university (partner_id, university_id, created_at) VALUES ({}, {college}, \
             '2026-11-20T12:00:00+00:00')", partner.id
        )).await;
    let record = world.call("core.partner.me", &partner.principal, json!({})).await.data();
    assert_eq!(record["universities"][0]["id"], college);
    world.search_rows_are_right().await;
}
both!(a_brand_edits_what_is_its_own);

async fn the_same_edit_twice_is_one_edit(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let edit = json!({ "bio": "Once.", "tags": ["one"] });
    let first = world.call_with_key(EDIT, &athlete.principal, edit.clone(), Some("k")).await;
    world.call(EDIT, &athlete.principal, json!({ "bio": "Later." })).await.data();
    let again = world.call_with_key(EDIT, &athlete.principal, edit, Some("k")).await;
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(own(&world, &athlete).await["profile"]["bio"], "Later.");
}
both!(the_same_edit_twice_is_one_edit);

/// After any concurrent changes to an athlete, the search reflects the final state.
async fn changes_at_once_leave_the_search_right(world: World) {
    use nil_core::accounts::suspension;
    use nil_core::kernel::UserId;
    let college = world.college().await;
    let mut people = Vec::new();
    for name in ["Jordan Miles", "Robin Lake", "Zoe Okafor"] {
        people.push(world.athlete_of(name, college).await);
    }
    let operator = world.operator(&[nil_core::auth::Permission::Accounts]);
    for round in 0..8 {
        let edits = people.iter().flat_map(|athlete| (0..3).map(move |at| (athlete, at)));
        let edits = edits.map(async |(athlete, at)| {
            let input = json!({
                "bio": format!("Round {round} edit {at}."), "tags": [format!("t{at}")],
                "socials": [{ "platform": "x", "handle": "a", "followers": round * 10 + at }],
            });
            world.call(EDIT, &athlete.principal, input).await.status
        });
        let renamed = json!({
            "id": college, "name": format!("College of round {round}"), "division": "D1",
            "state": if round % 2 == 0 { "OH" } else { "IL" }, "time_zone": "America/Chicago",
        });
        let renaming = async { world.call("admin.college.save", &operator, renamed).await.status };
        let barring = async {
            let user = UserId::new(people[0].user_id).unwrap();
            suspension::suspend(&world.platform, user).await.expect("a suspension");
            suspension::restore(&world.platform, user).await.expect("a restoration");
            200
        };
        let (edited, others) = futures::join!(futures::future::join_all(edits), async {
            futures::join!(renaming, barring)
        },);
        assert!(edited.iter().all(|status| *status == 200), "{edited:?}");
        assert_eq!(others, (200, 200));
        world.search_rows_are_right().await;
    }
}
both!(changes_at_once_leave_the_search_right);

async fn another_website_is_not_verified(world: World) {
    let hire = affiliate::on_commission(&world).await;
    let verified =
        async || world.id("SELECT COUNT(*) FROM partner WHERE verified_at IS NOT NULL").await;
    let edit = async |input: Value| {
        world.call("core.partner.edit", &hire.partner.principal, input).await.data();
    };
    edit(json!({ "about": "Vests.", "website": "http://WWW.ridge.example/vests?new" })).await;
    assert_eq!(verified().await, 1, "the site is the same");
    edit(json!({ "about": "Vests and coats." })).await;
    assert_eq!(verified().await, 1);
    edit(json!({ "website": "https://ridge.example.evil.test/" })).await;
    assert_eq!(verified().await, 0);
    affiliate::name_website(&world, &hire).await;
    assert_eq!(verified().await, 1);
    edit(json!({ "website": null })).await;
    assert_eq!(verified().await, 0);
}
both!(another_website_is_not_verified);
