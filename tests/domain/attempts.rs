//! Requests to the processor: their keys, attempts and pauses, and what is said under a key that is
//! not what was asked for.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments;
use nil_core::ports::processor::{Answer, Holder, MoneyKind, Outcome, Processor as _, Request};
use nil_tests::{Deal, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

async fn deal(world: &World, cents: i64) -> (Person, Person, Deal) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
    (partner, athlete, deal)
}

async fn reconciled(world: &World) -> payments::Reconciled {
    payments::reconcile(&world.platform).await.unwrap()
}

/// The keys of the charges that the processor knows.
async fn charged(world: &World) -> Vec<String> {
    let log = world.processor.sandbox().log().await.unwrap();
    log.into_iter().filter(|entry| entry.kind == "charge").map(|entry| entry.key).collect()
}

async fn a_restored_database_asks_under_keys_of_its_own(world: World) {
    let (partner, athlete, one) = deal(&world, 1_000).await;
    assert_eq!(world.pay(&partner, &athlete, &one).await["status"], "succeeded");
    let before = charged(&world).await;
    assert!(before[0].ends_with(":charge:1:1"), "{before:?}");
    payments::renew_mark(&world.platform).await.unwrap();
    let another = world.approved_deal(&partner, &athlete, &[1_000]).await;
    world.pay(&partner, &athlete, &another).await;
    let keys = charged(&world).await;
    let marks: Vec<&str> = keys.iter().filter_map(|key| Some(key.split_once(':')?.0)).collect();
    assert_eq!(marks.len(), 2);
    assert_ne!(marks[0], marks[1]);
    world.books_are_right().await;
}
both!(a_restored_database_asks_under_keys_of_its_own);

async fn an_error_of_the_processor_leads_to_one_movement_under_one_key(world: World) {
    let first = [Fault::FailsBefore, Fault::FailsAfter, Fault::NotNow, Fault::Forbidden];
    for (round, fault) in first.into_iter().enumerate() {
        let (partner, athlete, deal) = deal(&world, 1_000).await;
        world.processor.next(&[fault]);
        let payment = world.pay(&partner, &athlete, &deal).await;
        assert_eq!(payment["status"], "processing", "{fault:?}");
        world.pass(TimeDelta::seconds(11));
        assert_eq!(reconciled(&world).await.charges, 1, "{fault:?}");
        let keys = charged(&world).await;
        assert_eq!(keys.len(), round + 1, "{fault:?}: {keys:?}");
        // Money that had moved is found under the first key; else there is a second one.
        let attempt = if fault == Fault::FailsAfter { 1 } else { 2 };
        let key = format!(":charge:{}:{attempt}", round + 1);
        assert!(keys.iter().any(|known| known.ends_with(&key)), "{fault:?}: {keys:?}");
        assert_eq!(world.balance(&athlete).await, 1_000);
        world.books_are_right().await;
    }
}
both!(an_error_of_the_processor_leads_to_one_movement_under_one_key);

async fn a_charge_that_is_never_made_fails_after_a_day(world: World) {
    let (partner, athlete, deal) = deal(&world, 1_000).await;
    world.processor.next(&[Fault::Forbidden; 40]);
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "processing");
    let mut hours = 0;
    while reconciled(&world).await.charges == 0 {
        world.pass(TimeDelta::hours(1));
        hours += 1;
        assert!(hours < 48, "it is given up");
    }
    assert!((23..=30).contains(&hours), "{hours}");
    let list = "core.payment.history_of_partner";
    let payments = world.call(list, &partner.principal, json!({})).await.data();
    assert_eq!(payments[0]["failure_code"], "not_made");
    assert_eq!((charged(&world).await.len(), world.balance(&athlete).await), (0, 0));
    world.books_are_right().await;
}
both!(a_charge_that_is_never_made_fails_after_a_day);

async fn the_pauses_between_two_looks_grow(world: World) {
    for fault in [Fault::Lost, Fault::NotNow] {
        let (partner, athlete, deal) = deal(&world, 1_000).await;
        world.processor.next(&[fault; 60]);
        assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "processing");
        let mut looks = Vec::new();
        let mut left = world.processor.left();
        for second in 1..=600 {
            world.pass(TimeDelta::seconds(1));
            reconciled(&world).await;
            if world.processor.left() < left {
                left = world.processor.left();
                looks.push(second);
            }
        }
        // Also if each look is an attempt of its own.
        assert_eq!(looks, [10, 30, 70, 150, 310], "{fault:?}");
        world.processor.next(&[]);
        world.pass(TimeDelta::minutes(11));
        assert_eq!(reconciled(&world).await.charges, 1);
    }
    world.books_are_right().await;
}
both!(the_pauses_between_two_looks_grow);

async fn another_movement_under_our_key_settles_nothing(world: World) {
    let (partner, athlete, deal) = deal(&world, 1_000).await;
    world.processor.next(&[Fault::Other]);
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "processing", "one cent less than was asked for");
    assert_eq!(world.balance(&athlete).await, 0);
    // Somebody's charge of another amount stands at the processor under our next key.
    world.pass(TimeDelta::seconds(11));
    assert_eq!(reconciled(&world).await.charges, 1);
    assert_eq!(world.balance(&athlete).await, 1_000);
    let mark = charged(&world).await[0].split_once(':').unwrap().0.to_owned();
    let request = Request {
        key: format!("{mark}:charge:2:1"),
        kind: MoneyKind::Charge,
        amount: nil_core::kernel::Cents(12_210),
        currency: "usd".into(),
        since: world.platform.now(),
        label: String::new(),
        instant: false,
    };
    let sandbox = world.processor.sandbox();
    let stranger = Holder { installation: mark, name: "partner:999".into() };
    let card = sandbox.save_card(&stranger, GOOD_CARD).await.unwrap().unwrap();
    let strange = sandbox.charge(&request, &card.reference).await.unwrap();
    let Answer::Taken(strange) = strange else { panic!("{strange:?}") };
    assert!(matches!(strange.outcome, Outcome::Succeeded { .. }));
    let deal = world.approved_deal(&partner, &athlete, &[109_890]).await;
    let payment = world.pay(&partner, &athlete, &deal).await;
    assert_eq!(payment["status"], "processing");
    for _ in 0..3 {
        world.pass(TimeDelta::hours(7));
        assert_eq!(reconciled(&world).await.charges, 0);
    }
    assert_eq!(world.balance(&athlete).await, 1_000);
    // The webhook does not believe it, either.
    payments::sandbox::deliver_events(&world.platform).await.unwrap();
    assert_eq!(world.balance(&athlete).await, 1_000);
    let problems = payments::verify(&world.platform).await.unwrap().problems();
    assert!(
        problems.iter().any(|problem| problem.contains("is $1,208.79 here and $122.10 there")),
        "{problems:?}"
    );
}
both!(another_movement_under_our_key_settles_nothing);

async fn a_payout_waits_for_money_that_is_not_available_yet(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    world.processor.next(&[Fault::NotNow; 4]);
    let payout = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
    assert_eq!(payout.data()["status"], "pending");
    for _ in 0..3 {
        world.pass(TimeDelta::hours(12));
        assert_eq!(reconciled(&world).await.payouts, 0);
        assert_eq!(world.balance(&athlete).await, 0, "it is on its way");
    }
    world.pass(TimeDelta::hours(12));
    assert_eq!(reconciled(&world).await.payouts, 1);
    let log = world.processor.sandbox().log().await.unwrap();
    let sent: Vec<_> = log.iter().filter(|entry| entry.kind == "transfer").collect();
    assert!(sent.len() == 1 && sent[0].key.ends_with(":payout:1:5"), "{sent:?}");
    world.books_are_right().await;
}
both!(a_payout_waits_for_money_that_is_not_available_yet);

async fn a_payout_that_is_late_is_asked_about_every_hour(world: World) {
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let sent = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
    assert_eq!(sent.data()["status"], "in_transit");
    let rests = "SELECT COUNT(*) FROM movement WHERE kind = 'payout' AND next_look_at > looked_at";
    // It arrives at noon of its day.
    for hours in [37, 1, 1] {
        world.pass(TimeDelta::hours(hours));
        assert_eq!(reconciled(&world).await.payouts, 0);
        assert_eq!(world.id(rests).await, 1);
    }
    world.pass(TimeDelta::hours(10));
    assert_eq!(reconciled(&world).await.payouts, 1);
    world.books_are_right().await;
}
both!(a_payout_that_is_late_is_asked_about_every_hour);

async fn saved(world: &World, partner: &Person) -> Value {
    let input = json!({ "processor_token": GOOD_CARD });
    world.call("core.partner.add_payment_method", &partner.principal, input).await.data()
}

async fn a_removed_card_is_forgotten_at_the_processor(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let card = saved(&world, &partner).await;
    let reference = card["processor_ref"].as_str().unwrap();
    let try_it = async |key: &str| {
        let request = Request {
            key: key.into(),
            kind: MoneyKind::Charge,
            amount: nil_core::kernel::Cents(100),
            currency: "usd".into(),
            since: world.platform.now(),
            label: String::new(),
            instant: false,
        };
        match world.processor.sandbox().charge(&request, reference).await.unwrap() {
            Answer::Taken(taken) => matches!(taken.outcome, Outcome::Succeeded { .. }),
            refused => panic!("{refused:?}"),
        }
    };
    reconciled(&world).await;
    assert!(try_it("a stranger's 1").await, "the second copy is forgotten, and not the first");
    let one = json!({ "payment_method_id": card["id"] });
    world.call("core.partner.remove_payment_method", &partner.principal, one).await.data();
    let again = saved(&world, &partner).await;
    reconciled(&world).await;
    assert!(!try_it("a stranger's 2").await);
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    assert_ne!(again["processor_ref"], card["processor_ref"]);
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "succeeded");
}
both!(a_removed_card_is_forgotten_at_the_processor);
