//! Each side's view of the money: histories, wallets, tax totals, operators' and officers' lists.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal, Role};
use nil_core::kernel::{CollegeId, PortalUserId, SportId};
use nil_tests::{DECLINED_CARD, World, both};
use serde_json::{Value, json};

fn officer(college: i64, sports: &[i64]) -> Principal {
    Principal::Portal {
        id: PortalUserId::new(1).unwrap(),
        college_id: CollegeId::new(college).unwrap(),
        role: Role::Viewer,
        sports: sports.iter().map(|id| SportId::new(*id).unwrap()).collect(),
        session: "test".into(),
    }
}

async fn ids(world: &World, operation: &str, who: &Principal, input: Value) -> Vec<i64> {
    let rows = world.call(operation, who, input).await.data();
    let rows = rows.as_array().unwrap();
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

async fn both_sides_see_their_own_payments(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let other = world.paying_partner("Acme Shoes").await;
    let athlete = world.athlete("Jordan Lake").await;
    let mut all = Vec::new();
    for (brand, cents) in [(&partner, 1_000), (&other, 2_000), (&partner, 3_000)] {
        let deal = world.approved_deal(brand, &athlete, &[cents]).await;
        all.push(world.pay(brand, &athlete, &deal).await["id"].as_i64().unwrap());
        world.pass(TimeDelta::days(1));
    }
    let mine = "core.payment.history_of_athlete";
    let theirs = "core.payment.history_of_partner";
    assert_eq!(ids(&world, mine, &athlete.principal, json!({})).await, [all[2], all[1], all[0]]);
    assert_eq!(ids(&world, theirs, &partner.principal, json!({})).await, [all[2], all[0]]);
    let page = json!({ "page": 2, "per_page": 2 });
    assert_eq!(ids(&world, mine, &athlete.principal, page).await, [all[0]]);
    let day = json!({ "from": "2026-11-21", "to": "2026-11-21" });
    assert_eq!(ids(&world, mine, &athlete.principal, day).await, [all[1]]);
    let acme = json!({ "q": "acme" });
    assert_eq!(ids(&world, mine, &athlete.principal, acme).await, [all[1]]);
    let failed = json!({ "statuses": ["failed"] });
    assert!(ids(&world, mine, &athlete.principal, failed).await.is_empty());
    let list = world.call(theirs, &partner.principal, json!({})).await;
    assert_eq!(list.body["totals"]["amount_cents"], 4_000);
    assert_eq!(list.body["totals"]["total_cents"], 4_400);
    let backwards = json!({ "from": "2026-11-22", "to": "2026-11-21" });
    let backwards = world.call(mine, &athlete.principal, backwards).await;
    assert_eq!(backwards.status, 422);
    assert_eq!(world.call(mine, &partner.principal, json!({})).await.status, 403);
}
both!(both_sides_see_their_own_payments);

async fn a_wallet_shows_its_last_movements(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    for cents in [1_000, 2_000] {
        let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
        world.pay(&partner, &athlete, &deal).await;
    }
    let wallet = world.call("core.wallet.show", &athlete.principal, json!({})).await.data();
    assert_eq!(wallet["balance_cents"], 3_000);
    assert_eq!(wallet["entries"][0]["balance_after_cents"], 3_000);
    assert_eq!(wallet["entries"][1]["amount_cents"], 1_000);
    let operator = world.operator(&[Permission::Finance]);
    let history = "admin.payment.wallet_history";
    let of_athlete = world.call(history, &operator, json!({ "id": athlete.user_id })).await;
    assert_eq!(of_athlete.data(), wallet["entries"]);
    let of_partner = world.call(history, &operator, json!({ "id": partner.user_id })).await;
    assert_eq!(of_partner.data()[0]["balance_after_cents"], -3_300);
    let fan = world.fan("Fay Nn").await;
    let none = world.call(history, &operator, json!({ "id": fan.user_id })).await;
    assert_eq!(none.body["pagination"]["total"], 0);
    assert_eq!(world.call(history, &operator, json!({ "id": 999 })).await.status, 404);
}
both!(a_wallet_shows_its_last_movements);

async fn a_year_is_summed_up_by_payer(world: World) {
    let athlete = world.athlete("Jordan Lake").await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let other = world.paying_partner("Acme Shoes").await;
    for (brand, cents) in [(&partner, 150_000), (&other, 199_999), (&partner, 50_000)] {
        let deal = world.approved_deal(brand, &athlete, &[cents]).await;
        world.pay(brand, &athlete, &deal).await;
    }
    let year = "core.payment.tax_summary";
    let summary = world.call(year, &athlete.principal, json!({})).await.data();
    assert_eq!(summary["year"], 2026);
    assert_eq!(summary["threshold_cents"], 200_000);
    assert_eq!(summary["gross_cents"], 399_999);
    let payers = summary["payers"].as_array().unwrap();
    assert_eq!(payers[0]["company_name"], "Cedar Coffee");
    assert_eq!((&payers[0]["payments"], &payers[0]["reportable"]), (&json!(2), &json!(true)));
    assert_eq!(payers[1]["reportable"], false);
    let before = world.call(year, &athlete.principal, json!({ "year": 2025 })).await.data();
    assert_eq!((&before["gross_cents"], &before["threshold_cents"]), (&json!(0), &json!(60_000)));
    assert_eq!(world.call(year, &athlete.principal, json!({ "year": 1999 })).await.status, 422);
}
both!(a_year_is_summed_up_by_payer);

async fn operators_list_payments_and_payouts(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[5_000]).await;
    let paid = world.pay(&partner, &athlete, &deal).await["id"].as_i64().unwrap();
    let declined = world.partner("Acme Shoes").await;
    world.card(&declined, DECLINED_CARD).await;
    let deal = world.approved_deal(&declined, &athlete, &[9_000]).await;
    let wanted = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let pay = "core.payment.pay_with_saved_card";
    let failed = world.call(pay, &declined.principal, wanted).await.body["data"]["id"].as_i64();
    let failed = failed.unwrap();
    let operator = world.operator(&[Permission::Finance]);
    let list = "admin.payment.list";
    let all = json!({ "status": "all", "id": 0 });
    assert_eq!(ids(&world, list, &operator, all).await, [failed, paid]);
    let good = json!({ "status": "succeeded", "id": 0 });
    assert_eq!(ids(&world, list, &operator, good).await, [paid]);
    let largest = json!({ "status": "all", "id": 0, "sort": "amount_cents" });
    assert_eq!(ids(&world, list, &operator, largest).await, [paid, failed]);
    let one = json!({ "status": "all", "id": failed });
    assert_eq!(ids(&world, list, &operator, one).await, [failed]);
    let missing = json!({ "status": "all", "id": 99 });
    assert_eq!(world.call(list, &operator, missing).await.status, 404);
    let unknown = world.call(list, &operator, json!({ "status": "lost", "id": 0 })).await;
    assert_eq!(unknown.status, 422);
    assert!(unknown.body["errors"]["status"][0].as_str().unwrap().contains("refunded"));
    let payouts = "admin.payout.list";
    assert!(ids(&world, payouts, &operator, json!({ "status": "all" })).await.is_empty());
    let trigger = json!({ "id": athlete.id });
    world.call("admin.payout.trigger", &operator, trigger).await.data();
    let held = ids(&world, payouts, &operator, json!({ "status": "on_hold" })).await;
    assert_eq!(held.len(), 1);
    assert!(ids(&world, payouts, &operator, json!({ "status": "paid" })).await.is_empty());
    let others = world.operator(&[Permission::Accounts]);
    assert_eq!(world.call(payouts, &others, json!({ "status": "all" })).await.status, 403);
}
both!(operators_list_payments_and_payouts);

async fn officers_see_their_own_institutions_athletes(world: World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let ours = world.college().await;
    let theirs = world.college().await;
    let mut paid = Vec::new();
    for (college, cents) in [(ours, 1_000), (theirs, 2_000), (ours, 3_000)] {
        let athlete = world.athlete_of("Jordan Lake", college).await;
        let agent = world.agent("North Agency").await;
        let through = Some((&agent, 1_000));
        let deal = world.approved_deal_through(&partner, &athlete, through, &[cents]).await;
        paid.push(world.pay(&partner, &athlete, &deal).await["id"].as_i64().unwrap());
    }
    let list = "compliance.transaction.list";
    let who = officer(ours, &[]);
    assert_eq!(ids(&world, list, &who, json!({})).await, [paid[2], paid[0]]);
    assert_eq!(ids(&world, list, &officer(theirs, &[]), json!({})).await, [paid[1]]);
    assert_eq!(ids(&world, list, &officer(ours, &[1]), json!({})).await.len(), 2);
    assert!(ids(&world, list, &officer(ours, &[2]), json!({})).await.is_empty());
    let rows = world.call(list, &who, json!({ "min_cents": 2_000 })).await.data();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["gross_cents"], 3_000);
    assert_eq!(rows[0]["fee_cents"], 300);
    assert_eq!(rows[0]["net_cents"], 2_700);
    assert_eq!(rows[0]["source"], "platform");
    assert_eq!(rows[0]["payer"], "Cedar Coffee");
    assert!(rows[0].get("date_of_birth").is_none());
    for nothing in [
        json!({ "sources": ["disclosed"] }),
        json!({ "to": "2026-11-19" }),
        json!({ "from": "2026-11-21" }),
        json!({ "genders": ["male"] }),
        json!({ "statuses": ["refunded"] }),
        json!({ "category_ids": [2] }),
        json!({ "q": "nobody" }),
    ] {
        assert!(ids(&world, list, &who, nothing.clone()).await.is_empty(), "{nothing}");
    }
    let day = json!({ "from": "2026-11-20", "to": "2026-11-20", "sport_ids": [1] });
    assert_eq!(ids(&world, list, &who, day).await.len(), 2);
}
both!(officers_see_their_own_institutions_athletes);
