//! Royalties: the brand accounts for its sales, and owes and pays the athlete's share of them.

use chrono::TimeDelta;
use nil_core::payments;
use nil_tests::{GOOD_CARD, Hire, World, both};
use serde_json::{Value, json};

const REPORT: &str = "core.affiliate.report_royalty";
const SALES: &str = "core.affiliate.sales";
const PAY: &str = "core.payment.pay_with_saved_card";

/// A royalty of 7.5 percent, at most 300 dollars, without any sum that is agreed.
fn terms() -> Value {
    json!({
        "compensation": "royalty", "amount_cents": 0, "commission_basis_points": 750,
        "product_value_cents": 30_000, "ends_on": "2026-12-31",
    })
}

async fn report(world: &World, hire: &Hire, month: &str, cents: i64) -> nil_tests::Answer {
    let input = json!({ "contract_id": hire.contract, "reference": month, "amount_cents": cents });
    world.call(REPORT, &hire.partner.principal, input).await
}

fn all_of(hire: &Hire) -> Value {
    json!({ "athlete_id": hire.athlete.id, "contract_id": hire.contract })
}

async fn a_royalty_is_accounted_for_owed_and_paid(world: World) {
    let hire = world.active(terms()).await;
    world.card(&hire.partner, GOOD_CARD).await;
    for deliverable in &hire.deliverables {
        world.approve(&hire, *deliverable).await;
    }
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(deal["contract"]["status"], "completed");
    let nothing = world.call(PAY, &hire.partner.principal, all_of(&hire)).await;
    assert_eq!(nothing.code(), "nothing_owed");

    let first = report(&world, &hire, "2026-11", 123_450).await.data();
    // 9,258.75 cents.
    assert_eq!((&first["commission_cents"], &first["paid_cents"]), (&json!(9_259), &json!(0)));
    assert_eq!(report(&world, &hire, "2026-11", 123_450).await.data(), first, "it counts once");
    let other = report(&world, &hire, "2026-11", 1).await;
    assert_eq!((other.status, other.code()), (409, "duplicate"));
    let listed = world.call(SALES, &hire.athlete.principal, json!({})).await.data();
    assert_eq!(listed, json!([first]), "the athlete sees it");
    let links = world.call("core.affiliate.links", &hire.athlete.principal, json!({})).await;
    assert_eq!(links.data(), json!([]), "it is no link");

    let paid = world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!((&paid["status"], &paid["amount_cents"]), (&json!("succeeded"), &json!(9_259)));
    assert_eq!(world.balance(&hire.athlete).await, 9_259);
    world.books_are_right().await;

    // The last month is accounted for after the term, and charged the next day; the maximum holds.
    world.pass(TimeDelta::days(50));
    assert_eq!(report(&world, &hire, "2026-12", 100_000).await.data()["commission_cents"], 7_500);
    world.pass(TimeDelta::days(1));
    assert_eq!(payments::settle_commission(&world.platform).await.unwrap(), 1);
    assert_eq!(world.balance(&hire.athlete).await, 16_759);
    let last = report(&world, &hire, "2027-01", 900_000).await.data();
    assert_eq!(last["commission_cents"], 30_000 - 16_759);
    world.books_are_right().await;
}
both!(a_royalty_is_accounted_for_owed_and_paid);

async fn only_the_brand_of_a_royalty_accounts_for_it(world: World) {
    let hire = world.hired(terms()).await;
    let early = report(&world, &hire, "1", 100).await;
    assert_eq!((early.status, early.code()), (409, "contract_not_active"));
    let cash = world.active(json!({})).await;
    let none = report(&world, &cash, "1", 100).await;
    assert_eq!((none.status, none.code()), (409, "not_on_commission"));
    let theirs = Hire { partner: cash.partner.clone(), ..hire.clone() };
    assert_eq!(report(&world, &theirs, "1", 100).await.status, 404);
    let input = json!({ "contract_id": hire.contract, "reference": "1", "amount_cents": 100 });
    assert_eq!(world.call(REPORT, &hire.athlete.principal, input).await.status, 403);
    assert_eq!(report(&world, &cash, "1", 0).await.status, 422);
    world.books_are_right().await;
}
both!(only_the_brand_of_a_royalty_accounts_for_it);

async fn reports_at_once_come_to_the_royalty_of_their_sum(world: World) {
    let hire = world.active(terms()).await;
    let months: Vec<String> = (0..6).map(|month| month.to_string()).collect();
    let calls = months.iter().map(|month| report(&world, &hire, month, 1_001));
    let mut earned = 0;
    for answer in futures::future::join_all(calls).await {
        earned += answer.data()["commission_cents"].as_i64().unwrap();
    }
    // 450.45 cents.
    assert_eq!(earned, 450);
    world.books_are_right().await;
}
both!(reports_at_once_come_to_the_royalty_of_their_sum);
