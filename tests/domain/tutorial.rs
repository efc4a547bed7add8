//! The first steps of each kind of account.

use nil_core::auth::Principal;
use nil_tests::{GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const SHOW: &str = "core.tutorial.show";
const COMPLETE: &str = "core.tutorial.complete_step";

/// The steps of a user, with who completed them.
async fn steps(world: &World, who: &Person) -> Vec<(String, Value)> {
    let shown = world.call(SHOW, &who.principal, json!({})).await.data();
    let steps = shown["steps"].as_array().unwrap();
    let pair = |step: &Value| (step["step"].as_str().unwrap().to_owned(), step["done_by"].clone());
    steps.iter().map(pair).collect()
}

async fn done(world: &World, who: &Person) -> Vec<String> {
    let steps = steps(world, who).await;
    let done = steps.into_iter().filter(|(_, by)| !by.is_null());
    done.map(|(step, _)| step).collect()
}

async fn what_the_platform_sees_is_done_by_itself(world: World) {
    let hire = world.hired(json!({})).await;
    let (athlete, partner) = (&hire.athlete, &hire.partner);
    assert_eq!(
        done(&world, athlete).await,
        ["complete_profile", "add_social_account", "apply_to_first_job"],
    );
    world.can_receive(athlete).await;
    assert!(done(&world, athlete).await.contains(&"set_up_payouts".to_owned()));
    assert_eq!(done(&world, partner).await, ["post_first_job", "hire_first_athlete"]);
    world.card(partner, GOOD_CARD).await;
    let profile = json!({ "website": "https://ridge.example/", "about": "Vests." });
    world.call("core.partner.edit", &partner.principal, profile).await.data();
    assert_eq!(done(&world, partner).await.len(), 4);

    let agent = world.agent("North Agency").await;
    let before = done(&world, &agent).await;
    assert!(!before.contains(&"accept_terms".to_owned()));
    world.accept_terms(&agent).await;
    world.invite(&agent, athlete, 500).await;
    let after = done(&world, &agent).await;
    for step in ["accept_terms", "invite_first_athlete"] {
        assert!(after.contains(&step.to_owned()), "{after:?}");
    }
    let fan = world.fan("Robin Hill").await;
    let follow = json!({ "athlete_id": athlete.id });
    let edited = world.call("core.athlete.edit", &athlete.principal, json!({ "listed": true }));
    edited.await.data();
    world.call("core.fan.follow_athlete", &fan.principal, follow).await.data();
    assert!(done(&world, &fan).await.contains(&"follow_first_athlete".to_owned()));
}
both!(what_the_platform_sees_is_done_by_itself);

async fn an_invitation_is_no_application(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    let invite = json!({ "job_id": job, "athlete_ids": [athlete.id] });
    world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    assert!(!done(&world, &athlete).await.contains(&"apply_to_first_job".to_owned()));
}
both!(an_invitation_is_no_application);

async fn steps_are_ticked_off_once(world: World) {
    let fan = world.fan("Robin Hill").await;
    let tick = |step: &str| json!({ "step": step });
    let first = world.call(COMPLETE, &fan.principal, tick("take_tour")).await.data();
    assert_eq!(
        (&first["steps"][0]["done"], &first["steps"][0]["done_by"]),
        (&json!(true), &json!("caller"))
    );
    world.pass(chrono::TimeDelta::minutes(5));
    let again = world.call(COMPLETE, &fan.principal, tick("take_tour")).await.data();
    assert_eq!(again, first);
    let all = world.call(COMPLETE, &fan.principal, tick("follow_first_athlete")).await.data();
    assert_eq!((&all["done"], &all["is_complete"]), (&json!(3), &json!(true)));
    let other = world.fan("Sam Hill").await;
    assert_eq!(done(&world, &other).await, ["complete_profile"], "another's ticks are another's");
}
both!(steps_are_ticked_off_once);

async fn steps_of_others_and_unknown_ones_are_refused(world: World) {
    let fan = world.fan("Robin Hill").await;
    for step in ["save_card", "fly"] {
        let refused = world.call(COMPLETE, &fan.principal, json!({ "step": step })).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"]["step"].is_array(), "{}", refused.body);
    }
    assert_eq!(world.call(SHOW, &Principal::Anonymous, json!({})).await.status, 401);
}
both!(steps_of_others_and_unknown_ones_are_refused);
