//! The processor's statement beside our rows: whatever happened in a year, nothing differs; and
//! whatever is changed behind the platform's back is found and named.

mod behind_http;
mod disputed;
mod planting;
mod settling;

use chrono::{Days, TimeDelta};
use nil_core::auth::Permission;
use nil_core::kernel::{Date, SeededRandom, utc_day};
use nil_core::payments::{self, Comparison, ProcessorDifference, sandbox};
use nil_core::{kernel::PayoutId, worker};
use nil_tests::{DECLINED_CARD, Draw, Fault, Person, World, both};
use serde_json::{Value, json};

/// The first day of every world.
fn first_day() -> Date {
    "2026-11-18".parse().unwrap()
}

/// Compares all days so far, the present one included.
async fn compared(world: &World) -> Comparison {
    let today = utc_day(world.platform.now());
    payments::compare(&world.platform, Some(first_day()), Some(today)).await.unwrap()
}

/// What is open, each as its kind and what it is about.
fn named(compared: &Comparison) -> Vec<(String, String)> {
    assert_eq!(compared.open, i64::try_from(compared.oldest.len()).unwrap());
    let about = |one: &ProcessorDifference| one.key.clone().or(one.line_id.clone());
    let all = compared.oldest.iter();
    all.map(|one| (one.kind.to_string(), about(one).expect("a key or a line"))).collect()
}

async fn pay(
    world: &World,
    partner: &Person,
    athlete: &Person,
    contract: i64,
    cents: i64,
) -> Value {
    let input = json!({ "athlete_id": athlete.id, "contract_id": contract,
        "amount_cents": cents });
    let pay = "core.payment.pay_with_saved_card";
    let answer = world.call(pay, &partner.principal, input).await;
    if answer.status == 200 { answer.data() } else { Value::Null }
}

async fn a_year_of_money_gives_no_difference(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let deal = world.approved_deal(&partner, &athlete, &[100_000_000]).await;
    let plan = world.plan(json!({})).await;
    let other = world.plan(json!({ "name": "Scale", "price_cents": 9_900 })).await;
    let subscriber = world.paying_partner("Harbor Books").await;
    world.subscribe(&subscriber, &plan).await.data();
    let poor = world.partner("Late Lamps").await;
    world.card(&poor, DECLINED_CARD).await;
    world.subscribe(&poor, &plan).await;
    let draw = SeededRandom::new(38);
    let mut paid: Vec<Value> = Vec::new();
    let faults = [
        Fault::None,
        Fault::Lost,
        Fault::Unanswered,
        Fault::FailsBefore,
        Fault::FailsAfter,
        Fault::NotNow,
        Fault::Forbidden,
    ];
    for round in 0..120 {
        if draw.below(3) == 0 {
            world.processor.next(&[faults[draw.below(faults.len())]]);
        }
        match draw.below(5) {
            0 | 1 => {
                let cents = 10_000 + draw.below(5_000_i64);
                let payment = pay(&world, &partner, &athlete, deal.contract_id, cents).await;
                paid.extend(Some(payment).filter(|payment| !payment.is_null()));
            }
            2 if !paid.is_empty() => {
                let input = json!({ "payment_id": paid[draw.below(paid.len())]["id"],
                    "amount_cents": 100, "reason": "Part", "allow_negative_balance": true });
                world.call("admin.payment.refund", &finance, input).await;
            }
            3 => {
                let input = json!({ "id": athlete.id });
                let sent = world.call("admin.payout.trigger", &finance, input).await;
                let sent = Some(sent).filter(|sent| sent.status == 200).map(|sent| sent.data());
                if let Some(sent) = sent.filter(|sent| sent["status"] == "in_transit")
                    && draw.below(3) == 0
                {
                    let id = PayoutId::new(sent["id"].as_i64().unwrap()).unwrap();
                    world.pass(TimeDelta::days(draw.below(4_i64)));
                    assert!(sandbox::return_payout(&world.platform, id).await.unwrap());
                }
            }
            _ => {
                let wanted = if round % 2 == 0 { &plan } else { &other };
                if world.preview_change(&subscriber, wanted).await.status == 200 {
                    world.change_plan(&subscriber, wanted).await;
                }
            }
        }
        world.pass(TimeDelta::hours(20 + draw.below(100_i64)));
        let round = worker::round(&world.platform).await.unwrap();
        assert!(round.failed.is_empty(), "{:?}", round.failed);
        assert_eq!(round.statement.found, 0, "{:?}", compared(&world).await.oldest);
    }
    // What has no outcome yet comes to one.
    for _ in 0..12 {
        world.pass(TimeDelta::hours(12));
        worker::round(&world.platform).await.unwrap();
    }
    let all = compared(&world).await;
    assert_eq!((all.open, all.found), (0, 0), "{:?}", all.oldest);
    assert!(all.lines > 70, "{}", all.lines);
    let differences = "SELECT COUNT(*) FROM processor_difference";
    assert_eq!(world.id(differences).await, 0, "none came and went");
    for kind in ["charge", "refund", "payout", "payout_returned"] {
        let lines = format!("SELECT COUNT(*) FROM statement_line WHERE kind = '{kind}'");
        assert!(world.id(&lines).await > 3, "{kind}");
    }
    // The balance that the statement comes to is that of the ledger's accounts.
    let ours = "SELECT CAST(SUM(CASE WHEN r.kind IN ('charge', 'subscription_charge') \
        THEN r.amount_cents ELSE -r.amount_cents END) AS BIGINT) - (SELECT balance_cents \
        FROM ledger_account WHERE name = 'processor:costs') FROM movement_record r \
        WHERE r.status IN ('succeeded', 'in_transit', 'paid')";
    assert_eq!(world.id(ours).await, all.net_cents.get());
    world.books_are_right().await;
}
both!(a_year_of_money_gives_no_difference);

async fn the_worker_compares_each_day_once_and_catches_up(world: World) {
    let round = async || worker::round(&world.platform).await.unwrap().statement;
    let until = async || world.text("compared_until", "installation").await.unwrap();
    world.earner(5_000).await;
    assert_eq!((round().await.lines, until().await), (0, "2026-11-20".to_owned()));
    world.pass_until("2026-11-21T00:59:00Z");
    assert_eq!((round().await.lines, until().await), (0, "2026-11-20".to_owned()));
    world.pass_until("2026-11-21T01:00:01Z");
    assert_eq!((round().await.lines, until().await), (1, "2026-11-21".to_owned()));
    world.pass(TimeDelta::minutes(2));
    assert_eq!(round().await.lines, 0, "it was compared");
    // What was unknown on a day without a worker is found all the same, once.
    world.earner(5_000).await;
    world.script("UPDATE sandbox_line SET fee_cents = 1 WHERE key LIKE '%:charge:2:1'").await;
    world.pass(TimeDelta::days(60));
    let caught_up = round().await;
    assert_eq!((caught_up.lines, caught_up.found), (2, 1), "{caught_up:?}");
    let today = utc_day(world.platform.now());
    assert_eq!(until().await, today.to_string());
    world.pass(TimeDelta::days(1));
    assert_eq!(round().await.found, 0);
    // A clock that was ahead stops nothing.
    let ahead = today.checked_add_days(Days::new(300)).unwrap();
    world.script(&format!("UPDATE installation SET compared_until = '{ahead}'")).await;
    world.pass(TimeDelta::minutes(2));
    round().await;
    let tomorrow = today.checked_add_days(Days::new(1)).unwrap();
    assert_eq!(until().await, tomorrow.to_string());
}
both!(the_worker_compares_each_day_once_and_catches_up);
