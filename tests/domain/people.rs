//! The visibility of records, and fans who follow athletes.

use nil_core::auth::Principal;
use nil_tests::{World, both};
use serde_json::{Value, json};

async fn strangers_see_an_athlete_without_contact_and_birth_date(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let which = json!({ "athlete_id": athlete.id });
    let detail = "core.athlete.detail";
    let own = world.call(detail, &athlete.principal, which.clone()).await.data();
    assert_eq!(own["date_of_birth"], "2005-03-14");
    assert_eq!(own["contact"], json!({ "email": athlete.email, "phone": "+12175550123" }));
    for stranger in [
        world.partner("Corner Bakery").await,
        world.agent("Summit Sports").await,
        world.fan("Casey Field").await,
        world.athlete("Robin Lake").await,
    ] {
        let seen = world.call(detail, &stranger.principal, which.clone()).await.data();
        assert_eq!(seen["display_name"], "Jordan Miles");
        for hidden in ["date_of_birth", "contact", "payout_account"] {
            assert_eq!(seen[hidden], Value::Null, "{hidden}");
        }
        let none = json!({ "deals_completed": 0, "on_time_rate": null, "categories": [] });
        assert_eq!(seen["statistics"], none);
    }
    assert_eq!(world.call(detail, &Principal::Anonymous, which).await.status, 401);
}
both!(strangers_see_an_athlete_without_contact_and_birth_date);

async fn an_unlisted_athlete_is_not_there_for_strangers(world: World) {
    let minor = world.minor("Robin Young").await;
    let partner = world.partner("Corner Bakery").await;
    let which = json!({ "athlete_id": minor.id });
    let detail = "core.athlete.detail";
    let hidden = world.call(detail, &partner.principal, which.clone()).await;
    let missing = world.call(detail, &partner.principal, json!({ "athlete_id": 999 })).await;
    assert_eq!((hidden.status, hidden.code()), (404, "not_found"));
    assert_eq!(hidden.masked("athlete_id", minor.id), missing.masked("athlete_id", 999));
    world.call(detail, &minor.principal, which).await.data();
    // Nor is one who has not finished registering.
    world.start("athlete", "Sam Early").await;
    let early = json!({ "athlete_id": minor.id + 1 });
    assert_eq!(world.call(detail, &partner.principal, early).await.status, 404);
}
both!(an_unlisted_athlete_is_not_there_for_strangers);

async fn everybody_sees_their_own_record(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let record = world.call("core.partner.me", &partner.principal, json!({})).await.data();
    assert_eq!(record["company_name"], "Corner Bakery");
    assert_eq!(record["listed"], true);
    let agent = world.agent("Summit Sports").await;
    let record = world.call("core.agent.me", &agent.principal, json!({})).await.data();
    assert_eq!(record["agency_name"], "Summit Sports");
    assert_eq!(record["athlete_count"], 0);
    assert_eq!(record["processor_account_status"], "none");
    assert_eq!(world.call("core.partner.me", &agent.principal, json!({})).await.status, 403);
}
both!(everybody_sees_their_own_record);

async fn fans_follow_listed_athletes(world: World) {
    let fan = world.fan("Casey Field").await;
    let athlete = world.athlete("Jordan Miles").await;
    let minor = world.minor("Robin Young").await;
    let which = json!({ "athlete_id": athlete.id });
    for _ in 0..2 {
        let record =
            world.call("core.fan.follow_athlete", &fan.principal, which.clone()).await.data();
        assert_eq!(record["followed_athletes"][0]["display_name"], "Jordan Miles");
        assert_eq!(record["followed_athletes"].as_array().unwrap().len(), 1);
    }
    let hidden = json!({ "athlete_id": minor.id });
    assert_eq!(world.call("core.fan.follow_athlete", &fan.principal, hidden).await.status, 404);
    world.call("core.fan.unfollow_athlete", &fan.principal, which.clone()).await.data();
    let me = world.call("core.fan.me", &fan.principal, json!({})).await.data();
    assert_eq!(me["followed_athletes"], json!([]));
    assert_eq!(world.call("core.fan.follow_athlete", &athlete.principal, which).await.status, 403);
}
both!(fans_follow_listed_athletes);

async fn the_site_tells_what_a_form_needs(world: World) {
    let site = world.call("core.public.site_config", &Principal::Anonymous, json!({})).await.data();
    assert_eq!(site["currency"], "usd");
    assert_eq!(site["fee_basis_points"], 1_000);
    assert_eq!(site["legal_versions"]["terms"], 1);
    for list in ["sports", "job_categories", "business_categories"] {
        assert!(site[list].as_array().unwrap().len() > 10, "{list}");
        assert!(site[list][0]["slug"].is_string());
    }
}
both!(the_site_tells_what_a_form_needs);
