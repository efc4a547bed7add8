//! `nil seed`'s world: the same rows for the same numbers, on both engines, and accounts that work.

use std::collections::BTreeMap;
use std::sync::Arc;

use nil_core::auth::Principal;
use nil_core::kernel::{Password, SeededRandom};
use nil_core::payments;
use nil_core::seed::{self, Size};
use nil_core::storage::sql;
use nil_tests::{Engine, PASSWORD, World, both};
use serde_json::json;

const SMALL: Size =
    Size { athletes: 60, brands: 12, jobs: 30, institutions: 5, transactions: 800, seed: 7 };

/// A world made with random bytes that repeat, so that salts do too.
async fn seeded(engine: Engine, size: Size) -> World {
    let world = World::configured(engine, |config| config.random = Arc::new(SeededRandom::new(1)));
    let world = world.await;
    let password = Password::new(PASSWORD).unwrap();
    let mut told: BTreeMap<&str, u64> = BTreeMap::new();
    let listener = &mut |name, rows| *told.entry(name).or_default() += rows;
    let log_ins = seed::fill(&world.platform, size, &password, listener).await.unwrap();
    assert_eq!(told.values().sum::<u64>(), size.rows());
    assert_eq!(told["transactions"], u64::from(size.transactions));
    assert_eq!(log_ins.len(), 4);
    world
}

async fn the_same_numbers_give_the_same_rows(engine: Engine) {
    let first = seeded(engine, SMALL).await.contents().await;
    assert!(first.values().filter(|rows| !rows.is_empty()).count() > 20);
    assert_eq!(first["college_transaction"].lines().count(), 800);
    let again = seeded(engine, SMALL).await.contents().await;
    // Each world has a secret key of its own, whose mark the site keeps.
    for (table, rows) in first.iter().filter(|(table, _)| *table != "site") {
        assert_eq!(again[table], *rows, "{table}");
    }
    let other = seeded(engine, Size { seed: 8, ..SMALL }).await.contents().await;
    for table in ["app_user", "athlete", "job", "disclosed_job", "college_transaction"] {
        assert_ne!(other[table], first[table], "{table}");
    }
}
both!(the_same_numbers_give_the_same_rows);

/// What a world shows that does not depend on how an engine writes values.
async fn shown(world: &World) -> Vec<String> {
    let mut session = world.platform.db().read().await.unwrap();
    let mut lines = Vec::new();
    for text in [
        "SELECT id || ' ' || display_name || ' ' || university_id || bio || min_rate_cents \
         FROM athlete ORDER BY id",
        "SELECT id || ' ' || company_name || about || hq_state || user_id FROM partner ORDER BY id",
        "SELECT id || ' ' || title || description || status || amount_cents FROM job ORDER BY id",
        "SELECT record_id || ' ' || status || payment_type || athlete_id || ' ' || gross_cents \
         FROM college_transaction ORDER BY record_id",
        "SELECT id || ' ' || payor || status || amount_cents FROM clearance ORDER BY id",
    ] {
        let rows: Vec<(String,)> = session.all(sql(text)).await.unwrap();
        lines.extend(rows.into_iter().map(|(line,)| line));
    }
    lines
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_and_postgres_hold_the_same_world() {
    let sqlite = shown(&seeded(Engine::Sqlite, SMALL).await).await;
    let postgres = shown(&seeded(Engine::Postgres, SMALL).await).await;
    assert_eq!(sqlite.len(), 60 + 12 + 30 + 800 + 800);
    assert_eq!(sqlite, postgres);
}

async fn the_world_is_sound_and_its_accounts_work(engine: Engine) {
    let world = seeded(engine, SMALL).await;
    let report = payments::verify(&world.platform).await.unwrap();
    assert_eq!(report.problems(), [""; 0]);
    world.search_rows_are_right().await;
    // Figures are right from the start, without a recount.
    let left = world.id("SELECT COUNT(*) AS id FROM college_transaction_change").await;
    assert_eq!(left, 0);
    let log_in = async |name: &str, email: &str| {
        let input = json!({ "email": email, "password": PASSWORD });
        world.call(name, &Principal::Anonymous, input).await.data()
    };
    for email in ["athlete1000007@seed.example", "partner1000003@seed.example"] {
        let token = log_in("core.auth.log_in", email).await["access_token"].clone();
        let caller = world.platform.authenticate_core(token.as_str().unwrap()).await.unwrap();
        let me = world.call("core.auth.me", &caller, json!({})).await.data();
        assert_eq!(me["email"], email);
        // New rows continue after those of the world.
        let college = world.college().await;
        assert!(college > 1_000_005, "{college}");
    }
    let token = log_in("compliance.auth.log_in", "officer1000002@seed.example").await;
    let officer = token["token"].as_str().unwrap();
    let officer = world.platform.authenticate_compliance(officer).await.unwrap();
    let totals = world.call("compliance.transaction.summary", &officer, json!({})).await.data();
    assert!(totals["totals"]["gross_cents"].as_i64().unwrap() > 0, "{totals}");
}
both!(the_world_is_sound_and_its_accounts_work);

/// All totals of an institution with more athletes than are added up at a time are right at the
/// end.
async fn a_large_institution_has_its_totals(engine: Engine) {
    let size = Size {
        athletes: 6_000,
        brands: 10,
        jobs: 10,
        institutions: 1,
        transactions: 6_000,
        seed: 3,
    };
    let world = seeded(engine, size).await;
    let left = world.id("SELECT COUNT(*) AS id FROM college_transaction_change").await;
    assert_eq!(left, 0);
    let kept = "SELECT CAST(SUM(count) AS BIGINT) AS id FROM college_total WHERE dimension = 'all'";
    let there = "SELECT COUNT(*) AS id FROM college_transaction WHERE counted";
    let (kept, there) = (world.id(kept).await, world.id(there).await);
    assert!(kept >= there && there > 3_000, "{kept} of {there}");
}
both!(a_large_institution_has_its_totals);

async fn a_database_in_use_is_refused(engine: Engine) {
    let world = World::on(engine).await;
    world.partner("Northfield").await;
    let password = Password::new(PASSWORD).unwrap();
    let refused = seed::fill(&world.platform, SMALL, &password, &mut |_, _| {}).await;
    assert_eq!(refused.unwrap_err().code(), "duplicate");
}
both!(a_database_in_use_is_refused);
