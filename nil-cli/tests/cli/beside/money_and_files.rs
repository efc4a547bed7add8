//! A bucket, and a payment processor.

use std::sync::Arc;

use nil_tests::bucket::Bucket;
use nil_tests::ledgered::{Ledgered, SIGNS};
use nil_tests::{Engine, Gate, World, both};
use serde_json::{Value, json};

use super::{BOTH, Silence, falls, until};
use crate::nil::Nil;
use crate::served::Served;

const REFUSED: (&str, &[&str]) = ("nil_http_requests_total", &["status=\"503\""]);

async fn without_the_bucket_files_are_refused(engine: Engine) {
    let mut world = World::in_real_time(engine).await;
    let bucket = Bucket::open().await;
    world.reopen(|config| config.objects = Some(Arc::new(bucket.store()))).await;
    let brand = world.partner("Cedar Coffee").await;
    let token = brand.token.as_deref().expect("a token");
    let file = world.file(&brand, "pixel.png").await;
    let gate = Gate::before(&bucket.endpoint);
    let mut nil = Nil::beside(&world);
    for (name, value) in bucket.environment() {
        nil = nil.with(name, &value);
    }
    let nil = nil
        .with("NIL_OBJECTS_PREFIX", "nil/tests")
        .with("NIL_OBJECTS_ENDPOINT", &gate.at(&bucket.endpoint));
    let served = Served::start(&nil, &[]);
    let read = || {
        let asked = served.client.get(format!("{}/api/files/{file}", served.core));
        let asked = asked.bearer_auth(token);
        async move { asked.send().await.unwrap().status().as_u16() }
    };
    for silence in BOTH {
        assert_eq!(read().await, 200);
        assert_eq!(nil.doctor("files").0, "good");
        falls(&gate, silence).await;
        let refused = served.figure(REFUSED.0, REFUSED.1).await;
        let reading = read();
        assert_eq!(served.status("/api/me", token).await, 200);
        assert_eq!(reading.await, 503, "{silence:?}");
        served.above(REFUSED.0, REFUSED.1, refused).await;
        if silence == Silence::Refuses {
            assert_eq!(nil.doctor("files").0, "bad");
        }
        gate.cut().await;
        gate.open().await;
    }
    assert_eq!(read().await, 200);
    until(&served, "/api/me", token, 200).await;
}
both!(without_the_bucket_files_are_refused);

async fn without_the_processor_payments_stay_processing(engine: Engine) {
    const UNSETTLED: (&str, &[&str]) = ("nil_processor_unsettled_seconds", &["kind=\"charge\""]);
    const UNKNOWN: (&str, &[&str]) =
        ("nil_processor_requests_total", &["answer=\"unknown\"", "kind=\"charge\""]);
    let mut world = World::in_real_time(engine).await;
    let ledgered = Ledgered::start(world.platform.config().clock.clone()).await;
    world.reopen(|config| config.processor = Some(Arc::new(ledgered.client()))).await;
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let token = brand.token.as_deref().expect("a token");
    let deal = world.approved_deal(&brand, &athlete, &[125_000, 50_000]).await;
    let url = format!("{}/v1", ledgered.address());
    let gate = Gate::before(&url);
    let nil = Nil::beside(&world)
        .with("NIL_PROCESSOR_KIND", "stripe")
        .with("NIL_PROCESSOR_URL", &gate.at(&url))
        .with("NIL_PROCESSOR_KEY", "sk_test_suites")
        .with("NIL_PROCESSOR_WEBHOOK_SECRETS", SIGNS)
        .with("NIL_PROCESSOR_DEADLINE_SECONDS", "2")
        .with("NIL_RECONCILE_AFTER_SECONDS", "1")
        .with("NIL_PUBLIC_URL", "https://nil.example");
    let served = Served::start(&nil, &[]);
    let pay = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    assert_eq!(nil.doctor("payment processor").0, "good");
    gate.cut().await;
    let paid = served.post("/api/submitProcessorPaymentsaved", token).json(&pay);
    let paid: Value = paid.send().await.unwrap().json().await.unwrap();
    assert_eq!(paid["data"]["status"], "processing", "{paid:#}");
    for silence in BOTH {
        falls(&gate, silence).await;
        served.above(UNKNOWN.0, UNKNOWN.1, 0.0).await;
        served.above(UNSETTLED.0, UNSETTLED.1, 2.0).await;
        assert_eq!(served.status("/api/me", token).await, 200);
        let (state, says) = nil.doctor("payment processor");
        assert_eq!(state, "bad", "{says}");
    }
    gate.open().await;
    served.none_of(UNSETTLED.0, UNSETTLED.1).await;
    assert_eq!(ledgered.moved("pi").len(), 1, "charged once");
    assert_eq!(nil.doctor("payment processor").0, "good");
    nil.run(&["verify"]).good();
}
both!(without_the_processor_payments_stay_processing);
