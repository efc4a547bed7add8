//! People register: steps in any order, a code, and what is refused.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_tests::{PASSWORD, on_both_databases};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;

on_both_databases! {
    async fn people_of_every_kind_register_and_are_logged_in(world) {
        for (kind, person) in [
            ("athlete", world.athlete("Jordan Miles").await),
            ("partner", world.partner("Corner Bakery").await),
            ("agent", world.agent("Summit Sports").await),
            ("fan", world.fan("Casey Field").await),
        ] {
            let me = world.call("core.auth.me", &person.principal, json!({})).await.data();
            assert_eq!(me["kind"], kind);
            assert_eq!(me["status"], "active");
            assert_eq!(me["email"], person.email);
            assert_eq!(me["onboarding_step"], Value::Null);
            assert_eq!(me["email_verified_at"].is_null(), kind == "fan");
            assert_eq!(me["profile"]["id"], person.id);
        }
    }

    async fn a_new_athlete_is_listed_available_and_ready(world) {
        let athlete = world.athlete("Jordan Miles").await;
        let profile = world.call("core.auth.me", &athlete.principal, json!({})).await.data()["profile"].clone();
        assert_eq!(profile["display_name"], "Jordan Miles");
        assert_eq!(profile["listed"], true);
        assert_eq!(profile["available"], true);
        assert_eq!(profile["share_slug"], format!("jordan-miles-{}", athlete.id));
        assert_eq!(profile["readiness"], json!({ "percent": 100, "missing": [] }));
        assert_eq!(profile["socials"][0]["handle"], "lake");
        assert_eq!(profile["payout_account"]["status"], "none");
    }

    async fn a_minor_is_not_listed_and_the_guardian_consents_by_a_link(world) {
        let minor = world.minor("Robin Young").await;
        let profile = world.call("core.auth.me", &minor.principal, json!({})).await.data()["profile"].clone();
        assert_eq!(profile["listed"], false);
        assert_eq!(profile["readiness"]["missing"], json!(["guardian_consent"]));
        let rows = outbox::list(&world.platform, 100).await.unwrap();
        let guardian = rows.iter().find(|row| row.event == "guardian.consent").unwrap();
        let token = world.link_for(&guardian.to, "guardian.consent").await;
        let consent = json!({ "token": token, "accept": true });
        let answer = world.call("core.registration.guardian_consent", &NOBODY, consent.clone()).await;
        assert_eq!(answer.data(), json!({ "athlete_id": minor.id, "accepted": true }));
        let again = world.call("core.registration.guardian_consent", &NOBODY, consent).await;
        assert_eq!((again.status, again.code()), (422, "token_invalid"));
        let me = world.call("core.auth.me", &minor.principal, json!({})).await.data();
        assert_eq!(me["profile"]["readiness"]["percent"], 100);
    }
}
