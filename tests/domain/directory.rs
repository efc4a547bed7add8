//! The public view: directories and profiles.

use nil_core::accounts::suspension;
use nil_core::auth::Principal;
use nil_core::kernel::UserId;
use nil_tests::{World, both};
use serde_json::{Value, json};

const NOBODY: &Principal = &Principal::Anonymous;

async fn names(world: &World, operation: &str, input: Value, field: &str) -> Vec<String> {
    let found = world.call(operation, NOBODY, input).await.data();
    let found = found.as_array().expect("a page").iter();
    found.map(|one| one[field].as_str().expect("a name").to_owned()).collect()
}

async fn the_public_finds_listed_athletes_with_public_fields(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    world.minor("Jordan Young").await;
    let hidden = world.athlete("Jordan Hidden").await;
    let unlist = json!({ "listed": false });
    world.call("core.athlete.edit", &hidden.principal, unlist).await.data();
    for operation in ["core.public.search_athletes", "core.public.athlete_directory"] {
        let answer = world.call(operation, NOBODY, json!({ "q": "jordan" })).await;
        assert_eq!(answer.body["pagination"]["total"], 1);
        let found = answer.data();
        let mut fields: Vec<&String> = found[0].as_object().unwrap().keys().collect();
        fields.sort();
        let public = [
            "activities",
            "available",
            "bio",
            "class_year",
            "display_name",
            "gender",
            "hometown_city",
            "hometown_state",
            "id",
            "jersey_number",
            "min_rate_cents",
            "photo_url",
            "position",
            "share_slug",
            "socials",
            "sport_id",
            "tags",
            "university_id",
        ];
        assert_eq!(fields, public);
        assert_eq!(found[0]["display_name"], "Jordan Miles");
    }
    let by_filter =
        json!({ "sport_ids": [1], "platforms": ["instagram"], "min_followers": 12_000 });
    let found = names(&world, "core.public.athlete_directory", by_filter, "display_name").await;
    assert_eq!(found, ["Jordan Miles"]);
    // Callers with a relation to an unlisted athlete do not see more here.
    let found =
        world.call("core.public.athlete_directory", &hidden.principal, json!({})).await.data();
    assert_eq!(found.as_array().unwrap().len(), 1);
    let user = UserId::new(athlete.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.expect("a suspension");
    let found = names(&world, "core.public.search_athletes", json!({}), "display_name").await;
    assert!(found.is_empty());
}
both!(the_public_finds_listed_athletes_with_public_fields);

async fn the_public_finds_listed_brands(world: World) {
    let bakery = world.partner("Corner Bakery").await;
    let shop = world.partner("Ünder Gear").await;
    let hidden = world.partner("Hidden Brand").await;
    world.start("partner", "Early Brand").await;
    let brands = "core.public.brand_directory";
    let edit = "core.partner.edit";
    world.call(edit, &hidden.principal, json!({ "listed": false })).await.data();
    world.call(edit, &shop.principal, json!({
            "business_category_id": 2, "hq_state": "oh", "about": "Sells shoes near the corner.",
        })).await.data();
    for (input, expected) in [
        (json!({}), vec!["Ünder Gear", "Corner Bakery"]),
        (json!({ "sort": "-newest" }), vec!["Corner Bakery", "Ünder Gear"]),
        (json!({ "sort": "name" }), vec!["Corner Bakery", "Ünder Gear"]),
        (json!({ "sort": "-name" }), vec!["Ünder Gear", "Corner Bakery"]),
        (json!({ "q": "corner" }), vec!["Corner Bakery", "Ünder Gear"]),
        (json!({ "q": "under gea" }), vec!["Ünder Gear"]),
        (json!({ "business_category_ids": [2, 3] }), vec!["Ünder Gear"]),
        (json!({ "states": ["OH"] }), vec!["Ünder Gear"]),
        (json!({ "states": ["TX"] }), vec![]),
        (json!({ "per_page": 1, "page": 2 }), vec!["Corner Bakery"]),
        (json!({ "q": "hidden" }), vec![]),
    ] {
        assert_eq!(names(&world, brands, input.clone(), "company_name").await, expected, "{input}");
    }
    let found = world.call(brands, NOBODY, json!({ "q": "bakery" })).await.data();
    let mut fields: Vec<&String> = found[0].as_object().unwrap().keys().collect();
    fields.sort();
    let public = [
        "about",
        "business_category_id",
        "company_name",
        "hq_city",
        "hq_state",
        "id",
        "logo_url",
        "website",
    ];
    assert_eq!(fields, public);
    let user = UserId::new(bakery.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.expect("a suspension");
    assert_eq!(names(&world, brands, json!({}), "company_name").await, ["Ünder Gear"]);
    world.search_rows_are_right().await;
}
both!(the_public_finds_listed_brands);

async fn a_listed_athlete_has_a_public_page(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let minor = world.minor("Robin Young").await;
    let url = "core.public.athlete_share_url";
    let answer = world.call(url, NOBODY, json!({ "athlete_id": athlete.id })).await.data();
    let slug = format!("jordan-miles-{}", athlete.id);
    assert_eq!(answer["url"], format!("http://127.0.0.1:8080/api/a/{slug}"));
    let page = "core.public.athlete_profile";
    let seen = world.call(page, NOBODY, json!({ "share_slug": slug })).await.data();
    assert_eq!(seen["id"], athlete.id);
    assert_eq!(seen["statistics"]["deals_completed"], 0);
    assert!(seen.get("date_of_birth").is_none() && seen.get("contact").is_none());
    assert!(seen.get("user_id").is_none() && seen.get("readiness").is_none());

    let robins = format!("robin-young-{}", minor.id);
    assert_eq!(world.call(url, NOBODY, json!({ "athlete_id": minor.id })).await.status, 404);
    assert_eq!(
        world.call(url, &minor.principal, json!({ "athlete_id": minor.id })).await.status,
        404
    );
    assert_eq!(world.call(page, NOBODY, json!({ "share_slug": robins })).await.status, 404);
    for nobodys in ["nobody-9", "_1", "../x", "%"] {
        assert_eq!(world.call(page, NOBODY, json!({ "share_slug": nobodys })).await.status, 404);
    }
    let unlist = json!({ "listed": false });
    world.call("core.athlete.edit", &athlete.principal, unlist).await.data();
    assert_eq!(world.call(url, NOBODY, json!({ "athlete_id": athlete.id })).await.status, 404);
    assert_eq!(world.call(page, NOBODY, json!({ "share_slug": slug })).await.status, 404);
}
both!(a_listed_athlete_has_a_public_page);

async fn statistics_tell_what_was_done(world: World) {
    use chrono::TimeDelta;
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    // One deal with two deliverables, the first one late, the second one in time.
    let job = world.open_job(&partner, json!({ "category_id": 3, "slots": 1 })).await;
    let hire = world.hire(&partner, &athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
    let which = json!({ "athlete_id": athlete.id });
    let detail = async || {
        let seen = world.call("core.athlete.detail", &partner.principal, which.clone()).await;
        seen.data()["statistics"].clone()
    };
    world.pass(TimeDelta::days(25));
    world.approve(&hire, hire.deliverables[0]).await;
    let so_far = json!({ "deals_completed": 0, "on_time_rate": 0, "categories": [] });
    assert_eq!(detail().await, so_far);
    world.approve(&hire, hire.deliverables[1]).await;
    let pay = json!({ "athlete_id": athlete.id, "job_id": job });
    world.call("core.payment.pay_with_saved_card", &partner.principal, pay).await.data();
    let name = world.call("core.public.site_config", NOBODY, json!({})).await.data();
    let categories = name["job_categories"].as_array().unwrap().clone();
    let name = &categories.iter().find(|category| category["id"] == 3).unwrap()["name"];
    let all = json!({
        "deals_completed": 1, "on_time_rate": 5_000,
        "categories": [{ "category_id": 3, "name": name, "deals": 1 }],
    });
    assert_eq!(detail().await, all);
    let slug = json!({ "share_slug": format!("zoe-okafor-{}", athlete.id) });
    let page = world.call("core.public.athlete_profile", NOBODY, slug).await.data();
    assert_eq!(page["statistics"], all);
}
both!(statistics_tell_what_was_done);
