//! A day is the day where it counts: it begins and ends at the athlete's institution (Chicago
//! here), not in UTC. Of the instants here, 03:00 UTC is nine or ten in the evening before.

use nil_core::auth::{Permission, Principal};
use nil_core::kernel::PayoutId;
use nil_core::payments::sandbox;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const EVENING: &str = "2026-11-21T03:00:00Z";

async fn registrant(world: &World, team: bool) -> (Principal, String, String) {
    let college = world.college().await;
    let (token, email) = world.start("athlete", "Jordan Lake").await;
    if team {
        let team = json!({ "sport_id": 1, "university_id": college });
        world.step("core.registration.athlete_team", &token, team).await;
    }
    (world.registrant(&token).await, token, email)
}

fn names(answer: &nil_tests::Answer, field: &str) -> bool {
    answer.body["errors"].get(field).is_some()
}

async fn on_the_evening_before_the_birthday_a_guardian_is_named(world: World) {
    world.pass_until(EVENING);
    for team in [true, false] {
        let (registrant, ..) = registrant(&world, team).await;
        let alone = json!({ "date_of_birth": "2008-11-21" });
        let refused = world.call("core.registration.athlete_person", &registrant, alone).await;
        assert_eq!(refused.status, 422, "{team}: {}", refused.body);
        assert!(names(&refused, "guardian"), "{team}: {}", refused.body);
        let of_age = json!({ "date_of_birth": "2008-11-20" });
        let taken = world.call("core.registration.athlete_person", &registrant, of_age).await;
        assert_eq!(taken.status, 200, "{team}: {}", taken.body);
    }
    // The youngest are thirteen where they are.
    let (registrant, ..) = registrant(&world, true).await;
    let guardian = json!({ "name": "Robin Parent", "email": "robin@example.com" });
    let young = json!({ "date_of_birth": "2013-11-21", "guardian": guardian });
    let refused = world.call("core.registration.athlete_person", &registrant, young).await;
    assert!(names(&refused, "date_of_birth"), "{}", refused.body);
}
both!(on_the_evening_before_the_birthday_a_guardian_is_named);

/// Born on 1 June 2009.
async fn minor(world: &World) -> (Person, String) {
    let minor = world.minor("Zoe Okafor").await;
    let mut session = world.platform.db().read().await.unwrap();
    let address = nil_core::storage::sql("SELECT email FROM guardian");
    let guardian: String = session.value(address).await.unwrap();
    (minor, guardian)
}

async fn set_listed(world: &World, who: &Person) -> nil_tests::Answer {
    world.call("core.athlete.edit", &who.principal, json!({ "listed": true })).await
}

async fn on_the_evening_before_the_birthday_nobody_is_listed(world: World) {
    let (minor, _) = minor(&world).await;
    world.pass_until("2027-06-01T03:00:00Z");
    let refused = set_listed(&world, &minor).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(names(&refused, "listed"), "{}", refused.body);
    world.pass_until("2027-06-01T05:00:00Z");
    assert_eq!(set_listed(&world, &minor).await.status, 200);
}
both!(on_the_evening_before_the_birthday_nobody_is_listed);

async fn on_the_evening_before_the_birthday_the_guardian_reads_along(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let (minor, guardian) = minor(&world).await;
    world.pass_until("2027-06-01T03:00:00Z");
    let visit = json!({ "milestones": [{
        "title": "Visit", "platform": "in_person", "media_kind": "appearance", "due_on": "2027-06-20",
    }] });
    let job = world.open_job(&brand, visit).await;
    world.apply(&minor, job).await;
    let send = json!({ "user_id": minor.user_id, "text": "The last evening." });
    world.call("core.chat.send", &brand.principal, send).await.data();
    nil_core::worker::round(&world.platform).await.unwrap();
    let copy = world.mail(&guardian, "message.copied").await;
    assert!(copy.is_some_and(|copy| copy.contains("The last evening.")));
}
both!(on_the_evening_before_the_birthday_the_guardian_reads_along);

async fn offers_of_minors_need_consent_to_the_end_of_the_last_day(world: World) {
    let (minor, _) = minor(&world).await;
    world.offer(&minor, json!({})).await;
    world.script("UPDATE athlete SET listed = TRUE").await;
    let brand = world.partner("Cedar Coffee").await;
    let found = async || -> usize {
        let found =
            world.call("core.service_offer.search", &brand.principal, json!({})).await.data();
        found.as_array().unwrap().len()
    };
    world.pass_until("2027-06-01T03:00:00Z");
    assert_eq!(found().await, 0);
    // By then it is the first of June in all of the United States.
    world.pass_until("2027-06-01T10:00:00Z");
    assert_eq!(found().await, 1);
}
both!(offers_of_minors_need_consent_to_the_end_of_the_last_day);

async fn a_payment_counts_as_a_minors_by_the_day_at_the_institution(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    world.pass_until(EVENING);
    world.pay(&partner, &athlete, &deal).await;
    let flagged = "SELECT COUNT(*) FROM college_transaction WHERE minor = TRUE";
    for (born, minors) in [("2008-11-21", 1), ("2008-11-20", 0), ("2008-11-22", 1)] {
        world.script(&format!("UPDATE athlete SET date_of_birth = '{born}'")).await;
        assert_eq!(world.id(flagged).await, minors, "{born}");
    }
    world.figures_are_right().await;
}
both!(a_payment_counts_as_a_minors_by_the_day_at_the_institution);

async fn a_mail_about_a_payout_names_the_day_of_its_reader(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let payout = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
    let id = PayoutId::new(payout.data()["id"].as_i64().unwrap()).unwrap();
    world.pass_until("2026-11-23T03:00:00Z");
    assert!(sandbox::let_arrive(&world.platform, id).await.unwrap());
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "payout.paid").await.unwrap();
    assert!(mail.contains("2026-11-22"), "{mail}");
}
both!(a_mail_about_a_payout_names_the_day_of_its_reader);

async fn a_disclosed_deal_was_signed_at_most_a_year_from_today(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    world.pass_until(EVENING);
    let draft = |signed_on: &str| -> Value {
        json!({
            "payer_name": "Harbor Books", "payer_kind": "business", "title": "Readings",
            "category_id": 1, "amount_cents": 10_000, "signed_on": signed_on,
            "compensation": "product", "description": "Two readings in the shop.", "draft": true,
        })
    };
    let save = async |signed_on: &str| {
        let save = "core.disclosed_job.save";
        world.call(save, &athlete.principal, draft(signed_on)).await
    };
    let latest = save("2027-11-21").await;
    assert_eq!(latest.status, 200, "366 days from the twentieth: {}", latest.body);
    let refused = save("2027-11-22").await;
    assert!(names(&refused, "signed_on"), "{}", refused.body);
}
both!(a_disclosed_deal_was_signed_at_most_a_year_from_today);
