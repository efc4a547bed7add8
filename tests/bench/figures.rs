//! Figures over a million transactions of one institution: from kept totals, and from the
//! transactions.

use std::time::{Duration, Instant};

use nil_core::auth::{Principal, Role};
use nil_core::kernel::{CollegeId, PortalUserId};
use nil_core::worker;
use nil_tests::World;
use serde_json::{Value, json};

use crate::asked::engines;

const ROWS: u32 = 1_000_000;

pub async fn measure() {
    for (name, engine) in engines() {
        println!("{name}, {ROWS} transactions of an institution:");
        let world = World::unthrottled(engine).await;
        let college = world.college().await;
        let reader = reader(college);
        worker::round(&world.platform).await.unwrap();
        let inserted = timed(fill(&world, college)).await;
        let mut added = Duration::ZERO;
        let noted = "SELECT COUNT(*) FROM college_transaction_change";
        while world.id(noted).await > 0 {
            added += timed(worker::round(&world.platform)).await;
        }
        world.vacuum().await;
        let alone = World::unthrottled(engine).await;
        let on = if alone.is_sqlite() { "" } else { "ON college_transaction" };
        alone.script(&format!("DROP TRIGGER college_transaction_added {on}")).await;
        let bare = timed(fill(&alone, college)).await;
        println!(
            "  inserting them {:.1} s, {:.1} s without the trigger; adding them up {:.1} s",
            inserted.as_secs_f64(),
            bare.as_secs_f64(),
            added.as_secs_f64()
        );
        for (figure, input) in [
            ("compliance.transaction.summary", json!({})),
            ("compliance.transaction.summary", json!({ "from": "2025-01-01", "to": "2025-12-31" })),
            ("compliance.transaction.summary", json!({ "from": "2025-08-01", "to": "2025-08-31" })),
            ("compliance.transaction.summary", json!({ "preset": "this_year" })),
            ("compliance.analytics.by_sport", json!({})),
            ("compliance.analytics.by_sport", json!({ "from": "2025-01-01", "to": "2025-12-31" })),
            ("compliance.analytics.by_category", json!({})),
            ("compliance.analytics.by_payment_type", json!({})),
            ("compliance.transaction.top_teams", json!({})),
            ("compliance.transaction.top_athletes", json!({})),
            ("compliance.transaction.summary", json!({ "sport_ids": [1] })),
        ] {
            let mut recount = input.clone();
            recount["sources"] = json!(["platform", "disclosed"]);
            let kept = median(&world, &reader, figure, &input, 21).await;
            let recounted = median(&world, &reader, figure, &recount, 3).await;
            println!(
                "  {figure:<40} {input} {:.2} ms, recounted {:.0} ms",
                kept.as_secs_f64() * 1_000.0,
                recounted.as_secs_f64() * 1_000.0
            );
        }
        world.platform.close().await;
        alone.platform.close().await;
    }
}

fn reader(college: i64) -> Principal {
    Principal::Portal {
        id: PortalUserId::new(1).unwrap(),
        college_id: CollegeId::new(college).unwrap(),
        role: Role::Owner,
        sports: Vec::new(),
        session: "bench".into(),
    }
}

async fn timed<T>(work: impl Future<Output = T>) -> Duration {
    let started = Instant::now();
    work.await;
    started.elapsed()
}

async fn median(
    world: &World,
    reader: &Principal,
    figure: &str,
    input: &Value,
    times: usize,
) -> Duration {
    let mut took = Vec::new();
    for _ in 0..times {
        let started = Instant::now();
        world.call(figure, reader, input.clone()).await.data();
        took.push(started.elapsed());
    }
    took.sort_unstable();
    took[times / 2]
}

/// 10,000 athletes, some far busier than others, over five years; half of the amounts are round.
async fn fill(world: &World, college: i64) {
    let at = if world.is_sqlite() {
        "strftime('%Y-%m-%dT%H:%M:%S+00:00', 1625140800 + i * 165, 'unixepoch')"
    } else {
        "to_timestamp(1625140800 + i * 165)"
    };
    let script = format!(
        "INSERT INTO college_transaction \
         WITH RECURSIVE n (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS}), \
         r (i, a, b) AS (SELECT i, (i * 7919 + i / 10000) % 10000, (i * 104729 + i / 999) % 999983 FROM n) \
         SELECT {college}, {at}, CASE WHEN b % 4 = 0 THEN 'disclosed' ELSE 'platform' END, i, \
         1 + a * a / 10000, 1 + (a * a / 10000) % 24, 'female', 1 + b % 20, \
         CASE b % 3 WHEN 0 THEN 'cash' WHEN 1 THEN 'product' ELSE 'mixed' END, 'succeeded', (1 = 1), \
         CASE WHEN b % 2 = 0 THEN b % 40 * 25000 ELSE 500 + b % 500000 END, 50, 450, 0, NULL, (1 = 0), \
         (1 = 0), (1 = 0), (1 = 0), (1 = 0), NULL FROM r"
    );
    world.script(&script).await;
}
