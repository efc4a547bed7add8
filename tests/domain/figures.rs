//! Figures: one list of payments and disclosed jobs, and its totals.

use chrono::{DateTime, TimeDelta, Utc};
use nil_core::auth::{Permission, PortalUser, Principal, Role};
use nil_core::kernel::{CollegeId, PortalUserId, SportId};
use nil_tests::{Deal, Person, World, both};
use serde_json::{Value, json};

pub const SUMMARY: &str = "compliance.transaction.summary";
pub const LIST: &str = "compliance.transaction.list";

/// A portal user without a row, which reading does not need.
pub fn officer(college: i64, sports: &[i64]) -> Principal {
    let who = PortalUser {
        id: PortalUserId::new(1).unwrap(),
        college_id: CollegeId::new(college).unwrap(),
        role: Role::Owner,
        sports: sports.iter().map(|id| SportId::new(*id).unwrap()).collect(),
        session: "test".into(),
    };
    Principal::Portal {
        id: who.id,
        college_id: who.college_id,
        role: who.role,
        sports: who.sports,
        session: who.session,
    }
}

pub async fn disclose(world: &World, athlete: &Person, over: Value) -> i64 {
    let mut deal = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading day",
        "category_id": 9, "amount_cents": 40_000, "compensation": "product", "signed_on": "2026-11-19",
        "description": "Two readings in the shop.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
            "complete_and_true"],
    });
    for (name, value) in over.as_object().unwrap() {
        deal[name] = value.clone();
    }
    let saved = world.call("core.disclosed_job.save", &athlete.principal, deal).await;
    saved.data()["id"].as_i64().unwrap()
}

/// A payment written without the operations: the triggers' rows must follow any writer.
pub struct Past {
    pub contract: i64,
    pub athlete: i64,
    pub college: i64,
    pub amount: i64,
    pub commission: i64,
    pub refunded: i64,
    pub status: &'static str,
    pub at: DateTime<Utc>,
}

pub async fn pay(world: &World, past: &Past) -> i64 {
    let at = past.at.to_rfc3339();
    let now = format!("'{at}'::timestamptz")
        .replace(if world.is_sqlite() { "::timestamptz" } else { "\0" }, "");
    let fee = past.amount / 10;
    let paid = match past.status {
        "pending" | "processing" | "failed" => "NULL".to_owned(),
        _ => now.clone(),
    };
    let number = world.number();
    world
        .id(&format!(
            "INSERT INTO payment (number, charge_id, partner_id, athlete_id, contract_id, college_id, \
             amount_cents, fee_cents, agent_commission_cents, total_cents, refunded_cents, \
             refunded_fee_cents, currency, status, paid_at, created_at, updated_at) \
             SELECT 'PAST-{number}', p.charge_id, p.partner_id, {athlete}, {contract}, {college}, \
             {amount}, {fee}, {commission}, {amount} + {fee}, {refunded}, 0, 'usd', '{status}', {paid}, \
             {now}, {now} FROM payment p ORDER BY p.id LIMIT 1 RETURNING id",
            athlete = past.athlete,
            contract = past.contract,
            college = past.college,
            amount = past.amount,
            commission = past.commission,
            refunded = past.refunded,
            status = past.status,
        ))
        .await
}

/// An athlete with a deal that is paid for, so that there is a charge and a contract.
pub async fn paid(world: &World, college: i64, name: &str, cents: i64) -> (Person, Deal) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete_of(name, college).await;
    let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
    world.pay(&partner, &athlete, &deal).await;
    (athlete, deal)
}

pub async fn asks(world: &World, name: &str, who: &Principal, input: Value) -> Value {
    world.call(name, who, input).await.data()
}

/// Count, athletes, gross, net, refunded, average, median.
pub fn totals(told: &Value) -> [i64; 7] {
    [
        "count",
        "athletes",
        "gross_cents",
        "net_cents",
        "refunded_cents",
        "average_cents",
        "median_cents",
    ]
    .map(|name| told[name].as_i64().unwrap())
}

async fn payments_and_disclosed_jobs_stand_in_one_list(world: World) {
    let college = world.college().await;
    let (athlete, deal) = paid(&world, college, "Jordan Lake", 5_000).await;
    let disclosed = disclose(&world, &athlete, json!({})).await;
    disclose(&world, &athlete, json!({ "title": "Draft", "draft": true })).await;
    let who = officer(college, &[]);
    let rows = asks(&world, LIST, &who, json!({})).await;
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 2, "a draft is the athlete's own");
    assert_eq!(rows[0]["source"], "platform");
    assert_eq!(rows[0]["contract_id"], deal.contract_id);
    assert_eq!(rows[0]["job_id"], deal.job_id);
    assert_eq!(rows[0]["disclosed_job_id"], Value::Null);
    let row = &rows[1];
    assert_eq!(
        (&row["source"], &row["number"]),
        (&json!("disclosed"), &json!(format!("DISCLOSED-{disclosed}")))
    );
    assert_eq!((&row["payer"], &row["payment_type"]), (&json!("Harbor Books"), &json!("product")));
    assert_eq!(
        (&row["gross_cents"], &row["fee_cents"], &row["net_cents"]),
        (&json!(40_000), &json!(0), &json!(40_000))
    );
    assert_eq!(
        (&row["status"], &row["occurred_at"]),
        (&json!("approved"), &json!("2026-11-19T12:00:00Z"))
    );
    assert_eq!(row["disclosed_job_id"], disclosed);
    for (input, found) in [
        (json!({ "sources": ["disclosed"] }), 1),
        (json!({ "statuses": ["approved"] }), 1),
        (json!({ "statuses": ["succeeded", "approved"] }), 2),
        (json!({ "category_ids": [9] }), 1),
        (json!({ "from": "2026-11-19", "to": "2026-11-19" }), 1),
        (json!({ "preset": "last_month" }), 0),
        (json!({ "preset": "this_month" }), 2),
        (json!({ "preset": "today" }), 1),
        (json!({ "max_cents": 5_000 }), 1),
        (json!({ "q": "harbor" }), 1),
        (json!({ "q": "disclosed-" }), 1),
        (json!({ "q": "jordan" }), 2),
        (json!({ "flags": ["late"] }), 0),
    ] {
        let answer = world.call(LIST, &who, input.clone()).await;
        assert_eq!(answer.body["pagination"]["total"], found, "{input}");
        assert_eq!(answer.data().as_array().unwrap().len(), found, "{input}");
    }
    let greatest = asks(&world, LIST, &who, json!({ "sort": "-gross_cents" })).await;
    assert_eq!(greatest[0]["source"], "disclosed");
    let oldest = asks(&world, LIST, &who, json!({ "sort": "occurred_at" })).await;
    assert_eq!(oldest[0]["source"], "disclosed");
    for wrong in [
        json!({ "from": "2026-11-20", "to": "2026-11-19" }),
        json!({ "preset": "today", "from": "2026-11-20" }),
        json!({ "preset": "someday" }),
        json!({ "genders": ["unknown"] }),
        json!({ "statuses": ["draft"] }),
        json!({ "sort": "athlete" }),
    ] {
        assert_eq!(world.call(LIST, &who, wrong.clone()).await.status, 422, "{wrong}");
    }
    world.books_are_right().await;
}
both!(payments_and_disclosed_jobs_stand_in_one_list);

async fn flags_follow_the_clock_and_the_clearinghouse(world: World) {
    let college = world.college().await;
    let who = officer(college, &[]);
    let (athlete, _) = paid(&world, college, "Jordan Lake", 70_000).await;
    let flags = async |input: Value| -> Vec<Value> {
        let rows = asks(&world, LIST, &who, input).await;
        rows.as_array().unwrap().iter().map(|row| row["flags"].clone()).collect()
    };
    // More than 600 dollars of one payor: due at the clearinghouse.
    assert_eq!(flags(json!({})).await, [json!(["over_threshold"])]);
    assert!(flags(json!({ "flags": ["late"] })).await.is_empty());
    world.pass(TimeDelta::days(30));
    assert_eq!(flags(json!({ "flags": ["late"] })).await, [json!(["late", "over_threshold"])]);
    let clearances = asks(&world, "compliance.clearance.list", &who, json!({})).await;
    let handed_in = json!({ "id": clearances[0]["id"], "status": "submitted" });
    asks(&world, "compliance.clearance.record", &who, handed_in).await;
    // It was submitted late, and stays late.
    assert_eq!(flags(json!({ "flags": ["late"] })).await.len(), 1);
    let minor =
        format!("UPDATE athlete SET date_of_birth = '2008-11-21' WHERE id = {}", athlete.id);
    world.script(&minor).await;
    assert_eq!(flags(json!({ "flags": ["minor"] })).await.len(), 1);
    let of_age =
        format!("UPDATE athlete SET date_of_birth = '2008-11-20' WHERE id = {}", athlete.id);
    world.script(&of_age).await;
    assert!(flags(json!({ "flags": ["minor"] })).await.is_empty());
    disclose(&world, &athlete, json!({ "signed_on": "2026-10-01", "associated_entity": true }))
        .await;
    let disclosed = flags(json!({ "sources": ["disclosed"] })).await;
    assert!(disclosed[0].as_array().unwrap().contains(&json!("late")), "{disclosed:?}");
    assert!(
        disclosed[0].as_array().unwrap().contains(&json!("associated_entity")),
        "{disclosed:?}"
    );
    let list =
        asks(&world, "compliance.athlete.list", &who, json!({ "flags": ["associated_entity"] }))
            .await;
    assert_eq!(list[0]["totals"]["count"], 1);
    assert!(list[0]["flags"].as_array().unwrap().contains(&json!("late")));
    world.books_are_right().await;
}
both!(flags_follow_the_clock_and_the_clearinghouse);

async fn a_summary_compares_with_the_period_before(world: World) {
    let college = world.college().await;
    let who = officer(college, &[]);
    let none = asks(&world, SUMMARY, &who, json!({})).await;
    assert_eq!((totals(&none["totals"]), &none["by_month"]), ([0; 7], &json!([])));
    assert_eq!(none["previous"], Value::Null);
    let (athlete, deal) = paid(&world, college, "Jordan Lake", 101).await;
    for (amount, at) in [
        (200, "2026-11-19T12:00:00Z"),
        (400, "2026-11-15T05:59:59Z"),
        (800, "2026-11-08T06:00:00Z"),
    ] {
        let past = Past {
            contract: deal.contract_id,
            athlete: athlete.id,
            college,
            amount,
            commission: 0,
            refunded: 0,
            status: "succeeded",
            at: at.parse().unwrap(),
        };
        pay(&world, &past).await;
    }
    let week = json!({ "from": "2026-11-15", "to": "2026-11-21" });
    let week = asks(&world, SUMMARY, &who, week).await;
    // 301 cents of two: the average is 150.5, which goes to the even cent.
    assert_eq!(totals(&week["totals"]), [2, 1, 301, 301, 0, 150, 150]);
    let before = &week["previous"];
    assert_eq!((&before["from"], &before["to"]), (&json!("2026-11-08"), &json!("2026-11-14")));
    assert_eq!(totals(before), [2, 1, 1_200, 1_200, 0, 600, 600]);
    assert_eq!(before["gross_growth_basis_points"], -7_492);
    assert_eq!(before["count_growth_basis_points"], 0);
    let empty = json!({ "from": "2026-01-31", "to": "2026-03-01" });
    let empty = asks(&world, SUMMARY, &who, empty).await;
    let months: Vec<_> = empty["by_month"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["starts_on"].as_str().unwrap())
        .collect();
    assert_eq!(months, ["2026-01-01", "2026-02-01", "2026-03-01"]);
    assert_eq!(empty["previous"]["gross_growth_basis_points"], Value::Null);
    assert_eq!(
        (&empty["time_zone"], &empty["currency"]),
        (&json!("America/Chicago"), &json!("usd"))
    );
    let teams = asks(&world, "compliance.transaction.top_teams", &who, json!({ "limit": 1 })).await;
    assert_eq!(teams.as_array().unwrap().len(), 1);
    assert_eq!(
        (&teams[0]["team"], &teams[0]["share_basis_points"]),
        (&json!("Baseball"), &json!(10_000))
    );
    assert_eq!((&teams[0]["rank"], &teams[0]["count"]), (&json!(1), &json!(4)));
}
both!(a_summary_compares_with_the_period_before);

async fn applications_are_counted_in_the_institutions_own_days(world: World) {
    let college = world.college().await;
    let who = officer(college, &[]);
    let name = "compliance.analytics.applications_over_time";
    let partner = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&partner, json!({ "slots": 4 })).await;
    let other = world.open_job(&partner, json!({ "title": "Another", "slots": 4 })).await;
    let first = world.athlete_of("Ana Reyes", college).await;
    let second = world.athlete_of("Bea Stone", college).await;
    let invited = world.athlete_of("Cia Wood", college).await;
    let stranger = world.athlete("Dot Hill").await;
    let invite = json!({ "job_id": job, "athlete_ids": [invited.id] });
    world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    // 20 November, noon UTC: six in the morning in Chicago.
    world.hire(&partner, &first, job).await;
    world.apply(&first, other).await;
    world.apply(&stranger, job).await;
    world.pass(TimeDelta::hours(18) - TimeDelta::seconds(1));
    world.apply(&second, job).await;
    let point = |starts_on: &str, counts: [i64; 3]| {
        json!({
            "starts_on": starts_on, "athletes": counts[0], "applications": counts[1], "hires": counts[2],
        })
    };
    let days = json!({ "interval": "day", "from": "2026-11-19", "to": "2026-11-21" });
    let series = asks(&world, name, &who, days.clone()).await;
    assert_eq!(
        series["points"],
        json!([
            point("2026-11-19", [0, 0, 0]),
            point("2026-11-20", [2, 3, 1]),
            point("2026-11-21", [0, 0, 0]),
        ])
    );
    world.pass(TimeDelta::seconds(1));
    world.apply(&second, other).await;
    // An accepted invitation counts on the day it was made.
    let accept = json!({ "job_id": job, "accept": true });
    world.call("core.application.respond_invitation", &invited.principal, accept).await.data();
    let series = asks(&world, name, &who, days).await;
    assert_eq!(series["points"][1], point("2026-11-20", [3, 4, 1]));
    assert_eq!(series["points"][2], point("2026-11-21", [1, 1, 0]));
    let weeks = asks(&world, name, &who, json!({ "interval": "week" })).await;
    assert_eq!(weeks["points"].as_array().unwrap().len(), 12);
    assert_eq!(weeks["points"][11], point("2026-11-16", [3, 5, 1]));
    let months = asks(&world, name, &who, json!({})).await;
    assert_eq!(
        (months["points"].as_array().unwrap().len(), &months["from"]),
        (12, &json!("2025-12-01"))
    );
    assert_eq!(months["points"][11], point("2026-11-01", [3, 5, 1]));
    for (narrowed, right) in [
        (json!({ "sources": ["disclosed"] }), [0, 0, 0]),
        (json!({ "athlete_ids": [first.id] }), [1, 2, 1]),
        (json!({ "category_ids": [2] }), [0, 0, 0]),
        (json!({ "sport_ids": [2] }), [0, 0, 0]),
        (json!({ "min_cents": 50_001 }), [0, 0, 0]),
    ] {
        let series = asks(&world, name, &who, narrowed.clone()).await;
        assert_eq!(series["points"][11], point("2026-11-01", right), "{narrowed}");
    }
    let long = json!({ "interval": "day", "from": "2020-01-01", "to": "2026-01-01" });
    let long = world.call(name, &who, long).await;
    assert!(long.body["errors"]["interval"].is_array(), "{}", long.body);
    let future = json!({ "from": "2027-01-01" });
    assert!(world.call(name, &who, future).await.body["errors"]["from"].is_array());
}
both!(applications_are_counted_in_the_institutions_own_days);

async fn what_the_filters_can_be_set_to(world: World) {
    let college = world.college().await;
    let (who, limited) = (officer(college, &[]), officer(college, &[1]));
    let dates = asks(&world, "compliance.filter.dates", &who, json!({})).await;
    let of = |value: &str| {
        dates.as_array().unwrap().iter().find(|one| one["value"] == value).unwrap().clone()
    };
    assert_eq!(
        of("this_month"),
        json!({
            "value": "this_month", "label": "This month", "from": "2026-11-01", "to": "2026-11-20",
        })
    );
    assert_eq!(of("all_time")["from"], Value::Null);
    let sports = asks(&world, "compliance.filter.sports", &who, json!({})).await;
    assert!(sports.as_array().unwrap().len() > 20);
    let own = asks(&world, "compliance.filter.sports", &limited, json!({})).await;
    assert_eq!(own, json!([{ "value": 1, "label": "Baseball" }]));
    let filter = "compliance.filter.categories";
    let categories = asks(&world, filter, &limited, json!({})).await;
    let form = world.call("core.public.site_config", &Principal::Anonymous, json!({})).await.data();
    let form = form["job_categories"].as_array().unwrap().iter();
    let form: Vec<_> =
        form.map(|one| json!({ "value": one["id"], "label": one["name"] })).collect();
    assert_eq!(categories, json!(form));
    // Deals keep a category that cannot be chosen any more.
    let gone = json!({ "id": form[0]["value"], "active": false });
    let operator = world.operator(&[Permission::Site]);
    world.call("admin.category.save_job", &operator, gone).await.data();
    assert_eq!(asks(&world, filter, &who, json!({})).await, categories);
    let genders = asks(&world, "compliance.filter.genders", &who, json!({})).await;
    assert_eq!(genders[2], json!({ "value": "non_binary", "label": "Non-binary" }));
    let roles = asks(&world, "compliance.filter.roles", &Principal::Anonymous, json!({})).await;
    let words: Vec<_> =
        roles.as_array().unwrap().iter().map(|role| role["value"].as_str().unwrap()).collect();
    assert_eq!(words, ["viewer", "finance", "officer", "owner"]);
}
both!(what_the_filters_can_be_set_to);
