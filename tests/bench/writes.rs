//! Durable operations per second: a few rows or many, an audit row among them, and one commit that
//! waits for the disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nil_core::auth::{Anyone, MasterKey, Principal};
use nil_core::kernel::SystemRandom;
use nil_core::operation::Subject;
use nil_core::storage::{Location, insert};
use nil_core::{Config, Cx, Done, Platform, Result};
use nil_tests::database::Database;

const TIME: Duration = Duration::from_secs(4);

/// This many statements, including the audit row.
#[derive(Clone, Copy)]
pub struct Size(pub u64);

async fn write(cx: Cx<Anyone>, (size, number): (Size, u64)) -> Result<Done<u64>> {
    let mut work = cx.begin().await?;
    for row in 1..size.0 {
        let account = insert("ledger_account")
            .set("name", format!("{row}:{number}"))
            .set("balance_cents", 0_i64);
        work.run(account).await?;
    }
    work.note(Subject { kind: "bench", id: 1 }, "written");
    work.done(number).await
}

pub async fn per_second(
    platform: &Platform,
    size: Size,
    callers: usize,
    next: &Arc<AtomicU64>,
) -> f64 {
    let started = Instant::now();
    let done = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let (platform, next, done) = (platform.clone(), next.clone(), done.clone());
            tokio::spawn(async move {
                while started.elapsed() < TIME {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let anyone = Anyone(Principal::Anonymous);
                    platform.call(anyone, write, (size, number)).await.unwrap();
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}

pub async fn measure() {
    println!("Durable operations per second (1 commit each), and against 1 caller:");
    // On disk, not in memory: the sync is what is measured.
    let folder = tempfile::tempdir_in(".").unwrap();
    let mut places = vec![("SQLite", Location::Sqlite(folder.path().join("nil.db")))];
    let mut database = None;
    if std::env::var("NIL_TEST_POSTGRES").is_ok() {
        let created = database.insert(Database::create().await);
        places.push(("PostgreSQL", Location::Postgres(created.url.clone())));
    }
    for (engine, location) in places {
        let config = Config::new(location, MasterKey::generate(&SystemRandom));
        let platform = nil_core::open(config).await.unwrap();
        let next = Arc::new(AtomicU64::new(0));
        for size in [Size(3), Size(15)] {
            let one = per_second(&platform, size, 1, &next).await;
            print!("  {engine:<10} {:>2} statements: 1 caller {one:>6.0}", size.0);
            for callers in [8, 32, 128] {
                let rate = per_second(&platform, size, callers, &next).await;
                print!("   {callers} callers {rate:>6.0} ({:.1} x)", rate / one);
            }
            println!();
        }
        platform.close().await;
    }
}
