//! The processor stops payouts to an account, and says why.

use nil_core::auth::Permission;
use nil_core::payments::{self, sandbox};
use nil_core::ports::processor::Restriction;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::real_processor::{receives, with_a_processor};

const TOLD: &str = "payout_account.restricted";

async fn account(world: &World, payee: &Person) -> Value {
    world.call("core.payout_account.status", &payee.principal, json!({})).await.data()
}

/// The processor stops payouts, or lets them go on, and its event says so.
async fn restrict(world: &World, payee: &Person, why: Option<Restriction>) {
    let owner = format!("athlete:{}", payee.id);
    assert!(sandbox::restrict(&world.platform, &owner, why).await.unwrap());
    let known = format!("payout_account WHERE owner = '{owner}'");
    let known = world.text("COALESCE(restriction, 'none')", &known).await;
    assert_eq!(known.as_deref(), Some(why.map_or("none", Restriction::as_str)));
}

async fn trigger(world: &World, payee: &Person) -> Value {
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": payee.id })).await.data()
}

async fn the_owner_learns_why_payouts_stop(world: World) {
    let athlete = world.earner(5_000).await;
    let owner = format!("athlete:{}", athlete.id);
    let unknown = sandbox::restrict(&world.platform, &owner, None).await;
    assert!(unknown.is_err(), "there is no account");
    let opened = world.call("core.payout_account.create", &athlete.principal, json!({})).await;
    let opened = opened.data();
    assert_eq!(
        (&opened["status"], &opened["restriction"]),
        (&json!("pending"), &json!("information_due"))
    );
    assert!(!sandbox::restrict(&world.platform, &owner, None).await.unwrap(), "not onboarded");
    world.can_receive(&athlete).await;
    assert_eq!(account(&world, &athlete).await["restriction"], Value::Null);
    assert_eq!(world.told(TOLD).await, 0, "a new account is no news");

    restrict(&world, &athlete, Some(Restriction::InformationDue)).await;
    let known = account(&world, &athlete).await;
    let seen = (&known["status"], &known["restriction"], &known["requirements_due"]);
    let due = json!(["individual.verification.document"]);
    assert_eq!(seen, (&json!("restricted"), &json!("information_due"), &due));
    let payout = trigger(&world, &athlete).await;
    assert_eq!(payout["status"], "on_hold");
    assert_eq!(payout["hold_reasons"], json!(["payouts_disabled"]));
    account(&world, &athlete).await;
    assert_eq!(world.told(TOLD).await, 1, "once, however often it is looked at");

    // Once the owner has told everything, the processor checks it; then the payout goes out.
    restrict(&world, &athlete, Some(Restriction::BeingVerified)).await;
    let known = account(&world, &athlete).await;
    assert_eq!(
        (&known["restriction"], &known["requirements_due"]),
        (&json!("being_verified"), &json!([]))
    );
    assert_eq!(world.told(TOLD).await, 2, "another reason");
    restrict(&world, &athlete, None).await;
    assert_eq!(trigger(&world, &athlete).await["status"], "in_transit");
    assert_eq!(world.told(TOLD).await, 2);

    restrict(&world, &athlete, Some(Restriction::Rejected)).await;
    assert_eq!(account(&world, &athlete).await["restriction"], "rejected");
    world.can_receive(&athlete).await;
    assert_eq!(account(&world, &athlete).await["restriction"], "rejected", "it is for good");
    world.books_are_right().await;
}
both!(the_owner_learns_why_payouts_stop);

async fn a_restriction_is_told_once_by_events_at_once(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let account = account(&world, &athlete).await["processor_account_id"].clone();
    let processor = world.processor.sandbox();
    let known = account.as_str().unwrap();
    assert!(processor.restrict(known, Some(Restriction::Paused)).await.unwrap());
    let status = "core.payout_account.status";
    let looks = (0..6).map(|_| world.call(status, &athlete.principal, json!({})));
    for answer in futures::future::join_all(looks).await {
        assert_eq!(answer.data()["restriction"], "paused");
    }
    assert_eq!(world.told(TOLD).await, 1);
}
both!(a_restriction_is_told_once_by_events_at_once);

async fn the_processor_behind_http_says_why(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let athlete = world.earner(5_000).await;
    receives(&world, &ledgered, &athlete).await;
    let known = account(&world, &athlete).await;
    let reference = known["processor_account_id"].as_str().unwrap().to_owned();
    ledgered.restrict(&reference, false);
    let known = account(&world, &athlete).await;
    assert_eq!(known["restriction"], "information_due");
    assert_eq!(known["requirements_due"], json!(["individual.verification.document"]), "each once");
    let deadline = json!({ "requirements": { "current_deadline": 1_797_000_000,
        "disabled_reason": "requirements.pending_verification" } });
    ledgered.change(&reference, &deadline);
    let known = account(&world, &athlete).await;
    assert_eq!(known["restriction"], "being_verified");
    assert_eq!(known["requirements_due_by"], "2026-12-11T14:40:00Z");
    assert_eq!(trigger(&world, &athlete).await["status"], "on_hold");
    ledgered.onboard(&reference);
    assert_eq!(trigger(&world, &athlete).await["status"], "in_transit");
    let payout = ledgered.all("po").remove(0);
    assert_eq!(
        (&payout["method"], &payout["statement_descriptor"]),
        (&json!("standard"), &json!("Payout 1"))
    );
    let charge = ledgered.all("pi").remove(0);
    let number = charge["statement_descriptor_suffix"].as_str().unwrap();
    assert!(number.starts_with("PAY-") && number.len() == 10, "{number}");
    world.books_are_right().await;
}
both!(the_processor_behind_http_says_why);

/// Whoever is paid out at once gets it within minutes, if the bank takes such payouts.
async fn a_payout_arrives_within_minutes_where_that_works(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    for (works, method, status) in [(true, "instant", "paid"), (false, "standard", "in_transit")] {
        let athlete = world.earner(5_000).await;
        let instant = json!({ "preference": "instant" });
        let set = "core.payout_account.set_preference";
        world.call(set, &athlete.principal, instant).await.data();
        receives(&world, &ledgered, &athlete).await;
        let known = account(&world, &athlete).await;
        let reference = known["processor_account_id"].as_str().unwrap();
        ledgered.change(reference, &json!({ "instant": works }));
        assert_eq!(payments::sweep_payouts(&world.platform).await.unwrap().paid_out, 1);
        let sent = ledgered.all("po").into_iter().find(|payout| payout["of"] == reference);
        let sent = sent.expect("a payout");
        assert_eq!((&sent["method"], &sent["amount"]), (&json!(method), &json!(5_000)));
        let id = sent["metadata"]["nil_key"].as_str().unwrap();
        let number: i64 = id.split(':').nth(2).unwrap().parse().unwrap();
        world.pass(chrono::TimeDelta::hours(2));
        payments::reconcile(&world.platform).await.unwrap();
        let now = world.text("status", &format!("payout WHERE id = {number}")).await;
        assert_eq!(now.as_deref(), Some(status), "{method}");
    }
    world.books_are_right().await;
}
both!(a_payout_arrives_within_minutes_where_that_works);
