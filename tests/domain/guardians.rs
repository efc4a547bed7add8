//! Minors: no contract and no payment before a guardian has consented.

use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_tests::{World, both};
use serde_json::{Value, json};

const CONSENT: &str = "core.registration.guardian_consent";

/// The latest link that a guardian was mailed.
async fn link(world: &World) -> String {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let mail = rows.iter().find(|row| row.event == "guardian.consent").expect("a mail");
    world.link_for(&mail.to, "guardian.consent").await
}

async fn decide(world: &World, accept: bool) -> Value {
    let word = json!({ "token": link(world).await, "accept": accept });
    world.call(CONSENT, &Principal::Anonymous, word).await.data()
}

fn visit() -> Value {
    json!({ "amount_cents": 20_000, "milestones": [{ "title": "Visit", "platform": "in_person",
        "media_kind": "appearance", "due_on": "2026-12-20" }] })
}

async fn a_minors_deal_waits_for_the_guardian(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let minor = world.minor("Ana Young").await;
    let job = world.open_job(&partner, visit()).await;
    // An application is not binding.
    let application = world.apply(&minor, job).await;
    let hire = json!({ "id": application });
    let refused = world.call("core.application.hire", &partner.principal, hire.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "guardian_consent_missing"));
    let bulk = json!({ "job_id": job, "application_ids": [application] });
    let each = world.call("core.application.hire_bulk", &partner.principal, bulk).await.data();
    assert_eq!(each["refused"][0]["code"], "guardian_consent_missing");

    assert_eq!(decide(&world, false).await["accepted"], false);
    let refused = world.call("core.application.hire", &partner.principal, hire.clone()).await;
    assert_eq!(refused.code(), "guardian_consent_missing");

    // The guardian is asked again and changes their mind.
    world.call("core.athlete.ask_guardian", &minor.principal, json!({})).await.data();
    assert_eq!(decide(&world, true).await["accepted"], true);
    let hired = world.call("core.application.hire", &partner.principal, hire).await.data();
    let terms = &hired["contract"]["terms"]["athlete"];
    assert_eq!(terms["minor"], true);
    assert_eq!(terms["guardian"]["name"], "Robin Parent");

    let which = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &minor.principal, which).await.data();
    let deal = world.deal(&minor, job).await;
    let deliverable = deal["deliverables"][0]["id"].clone();
    let work = json!({ "deliverable_id": deliverable, "post_url": "https://a.example/p" });
    world.call("core.deliverable.submit", &minor.principal, work).await.data();
    let approve = json!({ "deliverable_id": deliverable, "status": "approved" });
    world.call("core.deliverable.change_status", &partner.principal, approve).await.data();
    let pay = json!({ "athlete_id": minor.id, "job_id": job });
    let paid = world.call("core.payment.pay_with_saved_card", &partner.principal, pay).await.data();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(world.deal(&minor, job).await["contract"]["status"], "completed");
}
both!(a_minors_deal_waits_for_the_guardian);

async fn a_link_speaks_once(world: World) {
    world.minor("Ana Young").await;
    let token = link(&world).await;
    let word = json!({ "token": token, "accept": false });
    world.call(CONSENT, &Principal::Anonymous, word.clone()).await.data();
    let mut other = word;
    other["accept"] = json!(true);
    let again = world.call(CONSENT, &Principal::Anonymous, other).await;
    assert_eq!((again.status, again.code()), (422, "token_invalid"));
}
both!(a_link_speaks_once);
