//! Requests whose outcome the processor cannot tell: an operator finds out, and decides on record.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::payments;
use nil_tests::ledgered::Trouble;
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::real_processor::with_a_processor;

const LIST: &str = "admin.processor_request.list";
const DECIDE: &str = "admin.processor_request.decide";

async fn open(world: &World, finance: &Principal) -> Vec<Value> {
    let listed = world.call(LIST, finance, json!({})).await.data();
    listed.as_array().unwrap().clone()
}

fn decision(request: &Value, outcome: &str) -> Value {
    json!({ "key": request["key"], "outcome": outcome, "note": "The processor's support says so." })
}

async fn what_the_processor_cannot_tell_is_decided(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let finance = world.operator(&[Permission::Finance]);
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let first = world.approved_deal(&partner, &athlete, &[10_000]).await;
    let second = world.approved_deal(&partner, &athlete, &[7_000]).await;
    ledgered.next(&[Trouble::Resets]);
    assert_eq!(world.pay(&partner, &athlete, &first).await["status"], "processing");
    let charge = ledgered.all("pi")[0]["id"].clone();
    // Then the processor is not there any more.
    drop(ledgered);
    assert_eq!(world.pay(&partner, &athlete, &second).await["status"], "processing");
    let mut requests = open(&world, &finance).await;
    requests.reverse();
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert_eq!(
        (&requests[0]["kind"], &requests[0]["amount_cents"]),
        (&json!("charge"), &json!(11_000))
    );
    let record = json!({ "kind": "charge", "id": requests[0]["record_id"], "payment_id": 1,
        "athlete_id": null, "agent_id": null, "partner_id": partner.id });
    assert_eq!(requests[0]["record"], record);
    let early = world.call(DECIDE, &finance, decision(&requests[0], "failed")).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    world.pass(TimeDelta::hours(25));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().charges, 0);

    let nameless = world.call(DECIDE, &finance, decision(&requests[0], "succeeded")).await;
    assert_eq!(nameless.status, 422, "it needs the processor's id");
    let unknown = json!({ "key": "m:charge:99:1", "outcome": "failed", "note": "?" });
    assert_eq!(world.call(DECIDE, &finance, unknown).await.code(), "not_found");
    let mut made = decision(&requests[0], "succeeded");
    made["processor_reference"] = charge;
    made["fee_cents"] = json!(-1);
    assert_eq!(world.call(DECIDE, &finance, made.clone()).await.status, 422);
    made["fee_cents"] = json!(349);
    let decided = world.call(DECIDE, &finance, made.clone()).await.data();
    assert_eq!((&decided["outcome"], &decided["kind"]), (&json!("succeeded"), &json!("charge")));
    assert_eq!(world.balance(&athlete).await, 10_000);
    let again = world.call(DECIDE, &finance, made).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    world.call(DECIDE, &finance, decision(&requests[1], "failed")).await.data();
    assert_eq!(open(&world, &finance).await, Vec::<Value>::new());
    let states = "SELECT COUNT(*) FROM payment WHERE status = 'failed' \
        AND failure_code = 'decided_not_made'";
    assert_eq!(world.id(states).await, 1);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'decided'";
    assert_eq!(world.id(noted).await, 2);
    let decided = "SELECT COUNT(*) FROM movement WHERE decided_by LIKE 'operator:%' \
        AND decision_note IS NOT NULL AND next_look_at IS NULL";
    assert_eq!(world.id(decided).await, 2);
    // What was found not to have been made is owed as before.
    world.books_are_right().await;
}
both!(what_the_processor_cannot_tell_is_decided);

async fn what_the_processor_says_counts_more(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let finance = world.operator(&[Permission::Finance]);
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    ledgered.next(&[Trouble::Stalls]);
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "processing");
    world.pass(TimeDelta::hours(25));
    let requests = open(&world, &finance).await;
    let late = world.call(DECIDE, &finance, decision(&requests[0], "failed")).await;
    assert_eq!((late.status, late.code()), (409, "illegal_transition"));
    assert_eq!(world.balance(&athlete).await, 10_000, "it was made");
    world.books_are_right().await;
}
both!(what_the_processor_says_counts_more);
