//! Payments to the cent: an amount costs the same however it is split, and pays only for what is
//! named.

use nil_core::kernel::SeededRandom;
use nil_core::payments;
use nil_tests::{DECLINED_CARD, Deal, Draw as _, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const PAY: &str = "core.payment.pay_with_saved_card";
const BULK: &str = "core.payment.pay_bulk";
const SUMMARY: &str = "core.payment.bulk_summary";

fn line(athlete: &Person, deal: &Deal, more: Value) -> Value {
    let mut line = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let more = more.as_object().unwrap().clone();
    line.as_object_mut().unwrap().extend(more);
    line
}

fn part(athlete: &Person, deal: &Deal, cents: i64) -> Value {
    line(athlete, deal, json!({ "amount_cents": cents }))
}

/// The payments of a deal that have not failed: amount, fee and commission.
async fn taken(world: &World, deal: &Deal) -> [i64; 3] {
    let sum = async |column: &str| {
        let sum = format!(
            "SELECT CAST(COALESCE(SUM({column}), 0) AS BIGINT) FROM payment \
             WHERE contract_id = {} AND status <> 'failed'",
            deal.contract_id
        );
        world.id(&sum).await
    };
    [sum("amount_cents").await, sum("fee_cents").await, sum("agent_commission_cents").await]
}

/// `cents` at a rate, half to even.
fn share(cents: i64, rate: i64) -> i64 {
    let (whole, rest) = (cents * rate / 10_000, cents * rate % 10_000);
    whole + i64::from(rest > 5_000 || (rest == 5_000 && whole % 2 == 1))
}

/// Pays a line, alone or as a bulk payment, and compares the summary's total.
async fn pay(world: &World, partner: &Person, line: Value, bulk: bool) -> Value {
    let who = &partner.principal;
    if !bulk {
        return world.call(PAY, who, line).await.data();
    }
    let preview = json!({ "payments": [line] });
    let summary = world.call(SUMMARY, who, preview).await.data();
    let total = &summary["total_cents"];
    let input = json!({ "payments": [line], "expected_total_cents": total });
    let paid = world.call(BULK, who, input).await.data();
    assert_eq!(paid["fee_cents"], summary["fee_cents"]);
    assert_eq!(paid["payments"][0]["fee_cents"], summary["lines"][0]["fee_cents"]);
    paid["payments"][0].clone()
}

async fn small_payments_bear_the_fee_of_their_sum(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let agent = world.agent("North Agency").await;
    let through = Some((&agent, 900));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[200]).await;
    for at in 0..40 {
        pay(&world, &partner, part(&athlete, &deal, 5), at % 2 == 0).await;
    }
    assert_eq!(taken(&world, &deal).await, [200, 20, 18]);
    assert_eq!(world.balance(&agent).await, 18);
    world.books_are_right().await;
}
both!(small_payments_bear_the_fee_of_their_sum);

async fn any_split_into_payments_costs_the_same(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let agent = world.agent("North Agency").await;
    let random = SeededRandom::new(6);
    for round in 0..50 {
        let athlete = world.athlete("Jordan Lake").await;
        let (rate, cents) = (random.below(3_000), 1 + random.below(2_000));
        let through = Some((&agent, rate));
        let deal = world.approved_deal_through(&partner, &athlete, through, &[cents]).await;
        let mut left = cents;
        while left > 0 {
            let now = (1 + random.below(cents)).min(left);
            pay(&world, &partner, part(&athlete, &deal, now), random.below(2) == 0).await;
            left -= now;
        }
        let whole = [cents, share(cents, 1_000), share(cents, rate)];
        assert_eq!(taken(&world, &deal).await, whole, "round {round}: {cents} at {rate}");
    }
    world.books_are_right().await;
}
both!(any_split_into_payments_costs_the_same);

async fn payments_at_once_bear_the_fee_of_their_sum(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for _ in 0..10 {
        let deal = world.approved_deal(&partner, &athlete, &[24]).await;
        let calls = (0..6).map(|_| pay(&world, &partner, part(&athlete, &deal, 4), false));
        futures::future::join_all(calls).await;
        assert_eq!(taken(&world, &deal).await[..2], [24, 2]);
    }
    world.books_are_right().await;
}
both!(payments_at_once_bear_the_fee_of_their_sum);

async fn payments_that_failed_bear_no_fee(world: World) {
    let partner = world.partner("Cedar Coffee").await;
    let bad = world.card(&partner, DECLINED_CARD).await;
    let good = world.card(&partner, GOOD_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[20]).await;
    let who = &partner.principal;
    for cents in [4, 6, 9] {
        let declined = world.call(PAY, who, part(&athlete, &deal, cents)).await;
        assert_eq!(declined.code(), "card_declined");
    }
    assert_ne!(bad["id"], good["id"]);
    let chosen = json!({ "payment_method_id": good["id"] });
    world.call("core.partner.set_default_payment_method", who, chosen).await.data();
    let fees: Vec<Value> = [
        pay(&world, &partner, part(&athlete, &deal, 4), false).await,
        pay(&world, &partner, part(&athlete, &deal, 4), true).await,
        pay(&world, &partner, part(&athlete, &deal, 12), false).await,
    ]
    .iter()
    .map(|payment| payment["fee_cents"].clone())
    .collect();
    assert_eq!(fees, [0, 1, 1]);
    world.books_are_right().await;
}
both!(payments_that_failed_bear_no_fee);

async fn a_contract_stands_once_in_a_bulk_payment(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100, 200]).await;
    let only = |at: usize| json!({ "deliverable_ids": [deal.deliverable_ids[at]] });
    let first = line(&athlete, &deal, only(0));
    let mut second = line(&athlete, &deal, only(1));
    second.as_object_mut().unwrap().remove("contract_id");
    second["job_id"] = json!(deal.job_id);
    let who = &partner.principal;
    let lines = json!([first, second]);
    let input = json!({ "payments": lines, "expected_total_cents": 330 });
    for (operation, input) in [(BULK, input), (SUMMARY, json!({ "payments": lines }))] {
        let refused = world.call(operation, who, input).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"));
        let errors = refused.body["errors"].as_object().unwrap();
        assert_eq!(errors.keys().collect::<Vec<_>>(), ["payments.1.contract_id"]);
        let said = errors["payments.1.contract_id"][0].as_str().unwrap();
        assert!(said.contains("payments.0") && said.contains("make one line"), "{said}");
    }
    let merged = line(&athlete, &deal, json!({ "deliverable_ids": deal.deliverable_ids }));
    let paid = pay(&world, &partner, merged, true).await;
    assert_eq!(paid["amount_cents"], 300);
}
both!(a_contract_stands_once_in_a_bulk_payment);

async fn only_approved_work_of_the_contract_can_be_named(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let other = world.paying_partner("Acme Shoes").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[100, 200]).await;
    let sister = world.approved_deal(&partner, &athlete, &[300]).await;
    let foreign = world.approved_deal(&other, &athlete, &[400]).await;
    let denied = deal.deliverable_ids[1];
    world
        .id(&format!(
            "UPDATE deliverable SET status = 'denied' WHERE id = {denied} \
            RETURNING id"
        ))
        .await;
    let ids = [
        deal.deliverable_ids[0],
        999_999,
        foreign.deliverable_ids[0],
        sister.deliverable_ids[0],
        denied,
    ];
    let wanted = line(&athlete, &deal, json!({ "deliverable_ids": ids }));
    let who = &partner.principal;
    let lines = json!([line(&athlete, &sister, json!({})), wanted]);
    let bulk = json!({ "payments": lines, "expected_total_cents": 440 });
    let preview = json!({ "payments": lines });
    for (operation, input, before) in
        [(PAY, wanted, ""), (BULK, bulk, "payments.1."), (SUMMARY, preview, "payments.1.")]
    {
        let refused = world.call(operation, who, input).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"), "{operation}");
        let errors = refused.body["errors"].as_object().unwrap();
        assert_eq!(errors.len(), 4, "{errors:?}");
        for (at, said) in [
            (1, "is not known".to_owned()),
            (2, "is not known".to_owned()),
            (3, format!("belongs to contract {}", sister.contract_id)),
            (4, "is denied; only approved work is paid".to_owned()),
        ] {
            let message = &errors[&format!("{before}deliverable_ids.{at}")][0];
            assert_eq!(message, &said);
        }
    }
    assert_eq!(taken(&world, &deal).await[0], 0);
}
both!(only_approved_work_of_the_contract_can_be_named);

async fn a_bulk_payment_of_the_largest_amounts_can_be_expected(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let most = 1_000_000_000;
    let mut lines = Vec::new();
    for _ in 0..2 {
        let deal = world.approved_deal(&partner, &athlete, &[most]).await;
        lines.push(line(&athlete, &deal, json!({})));
    }
    let who = &partner.principal;
    let input = json!({ "payments": lines, "expected_total_cents": 2_200_000_000_i64 });
    let paid = world.call(BULK, who, input).await.data();
    assert_eq!(paid["total_cents"], 2_200_000_000_i64);
    let more = json!({ "payments": lines, "expected_total_cents": 4_000_000_000_001_i64 });
    let more = world.call(BULK, who, more).await;
    let said = more.body["errors"]["expected_total_cents"][0].as_str().unwrap();
    assert!(said.contains("4000000000000"), "{said}");
    world.books_are_right().await;
}
both!(a_bulk_payment_of_the_largest_amounts_can_be_expected);

async fn a_large_bulk_payment_goes_through_in_few_statements(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[2_005]).await;
    let count = 600;
    copy(&world, &deal, count - 1).await;
    let lines: Vec<Value> = (0..count)
        .map(|at| {
            json!({
                "athlete_id": athlete.id, "contract_id": deal.contract_id + 1_000 * at,
            })
        })
        .collect();
    // Half to even on each contract: 200.
    let input = json!({ "payments": lines, "expected_total_cents": 2_205 * count });
    let bulk = world.call(BULK, &partner.principal, input).await.data();
    assert_eq!(bulk["payments"].as_array().unwrap().len(), 600);
    assert_eq!(world.balance(&athlete).await, 2_005 * count);
    world.books_are_right().await;
}
both!(a_large_bulk_payment_goes_through_in_few_statements);

async fn fees_and_commission_off_their_rates_are_noticed(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let agent = world.agent("North Agency").await;
    let through = Some((&agent, 1_000));
    let deal = world.approved_deal_through(&partner, &athlete, through, &[20]).await;
    for _ in 0..4 {
        pay(&world, &partner, part(&athlete, &deal, 5), false).await;
    }
    world.books_are_right().await;
    let rates = "UPDATE contract SET fee_basis_points = FEE, commission_basis_points = COMMISSION \
            RETURNING id";
    let set = async |fee: i64, commission: i64| {
        let rates = rates.replace("FEE", &fee.to_string());
        world.id(&rates.replace("COMMISSION", &commission.to_string())).await;
    };
    let found = async || payments::verify(&world.platform).await.unwrap().problems();
    for (fee, commission) in [(1_400, 1_000), (1_000, 700)] {
        set(fee, commission).await;
        assert_eq!(
            found().await,
            [format!(
                "every contract's fee and commission match its rates and payments: \
                 contract:{} took 2 cents of fee at {fee} basis points and 2 cents of commission \
                 at {commission} on 20 cents paid",
                deal.contract_id
            )]
        );
    }
    // Within the tolerance for payments that were rounded one by one.
    world.id("UPDATE payment SET on_totals = (1 = 0) RETURNING id").await;
    assert_eq!(found().await, Vec::<String>::new());
    set(5_000, 1_000).await;
    assert_eq!(found().await.len(), 1);
}
both!(fees_and_commission_off_their_rates_are_noticed);

/// This many more deals like this one, with ids 1,000 apart.
async fn copy(world: &World, deal: &Deal, count: i64) {
    let columns = world.columns().await;
    let shifted = ["id", "job_id", "milestone_id", "application_id", "contract_id"];
    for table in ["job", "milestone", "application", "contract", "deliverable"] {
        let of_table = columns.iter().filter(|column| column.table == table);
        let (names, values): (Vec<_>, Vec<_>) = of_table
            .map(|column| {
                let name = column.name.as_str();
                let value = match name {
                    "number" => "t.number || '-' || n.i".to_owned(),
                    name if shifted.contains(&name) => format!("t.{name} + 1000 * n.i"),
                    name => format!("t.{name}"),
                };
                (name, value)
            })
            .unzip();
        let which = match table {
            "job" => format!("t.id = {}", deal.job_id),
            "contract" => format!("t.id = {}", deal.contract_id),
            "deliverable" => format!("t.contract_id = {}", deal.contract_id),
            _ => format!("t.job_id = {}", deal.job_id),
        };
        let statement = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
             INSERT INTO {table} ({}) SELECT {} FROM {table} t, n WHERE {which} RETURNING id",
            names.join(", "),
            values.join(", ")
        );
        world.id(&statement).await;
    }
}
