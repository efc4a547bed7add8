//! The cost of a worker round without work, on a database with a long history.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use nil_core::auth::{Anyone, Principal};
use nil_core::operation::Subject;
use nil_core::{Cx, Done, Result, worker};
use nil_tests::World;

use crate::asked::engines;

const ROWS: u32 = 1_000_000;
const ROUNDS: usize = 50;

pub async fn measure() {
    println!("A round with nothing to do, by sealed audit entries and delivered messages:");
    for (name, engine) in engines() {
        let world = World::unthrottled(engine).await;
        worker::round(&world.platform).await.unwrap();
        let few = rounds(&world).await;
        fill(&world).await;
        let many = rounds(&world).await;
        let (watched, alone) = (watched(&world).await, writes(&world, false).await);
        let beside = writes(&world, true).await;
        println!(
            "  {name:<10} a few {:>5.1} ms, {ROWS} of each {:>5.1} ms ({:.1} x), {watched} turns of the writer; \
             a write {:.2} ms, {:.2} ms beside such rounds ({:.1} x)",
            millis(few),
            millis(many),
            many.as_secs_f64() / few.as_secs_f64(),
            millis(alone),
            millis(beside),
            beside.as_secs_f64() / alone.as_secs_f64()
        );
        world.platform.close().await;
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The median of some rounds in which every task is due.
async fn rounds(world: &World) -> Duration {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        world.pass(TimeDelta::minutes(1));
        let started = Instant::now();
        let round = worker::round(&world.platform).await.unwrap();
        times.push(started.elapsed());
        assert_eq!((round.failed, round.sealed, round.messages), (vec![], 0, 0));
    }
    times.sort_unstable();
    times[ROUNDS / 2]
}

async fn watched(world: &World) -> usize {
    world.pass(TimeDelta::minutes(1));
    let round = worker::round(&world.platform);
    let (round, watched) = world.platform.db().watched(round).await.unwrap();
    round.unwrap();
    watched.transactions
}

/// The median of some writes, with or without concurrent rounds.
async fn writes(world: &World, beside: bool) -> Duration {
    let over = Arc::new(AtomicBool::new(!beside));
    let rounds = {
        let (platform, over) = (world.platform.clone(), over.clone());
        tokio::spawn(async move {
            while !over.load(Ordering::Relaxed) {
                worker::round(&platform).await.unwrap();
            }
        })
    };
    let mut times = Vec::new();
    for _ in 0..500 {
        let anyone = Anyone(Principal::Anonymous);
        let started = Instant::now();
        world.platform.call(anyone, write, ()).await.unwrap();
        times.push(started.elapsed());
    }
    over.store(true, Ordering::Relaxed);
    rounds.await.unwrap();
    times.sort_unstable();
    times[times.len() / 2]
}

async fn write(cx: Cx<Anyone>, (): ()) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let subject = Subject { kind: "bench", id: 1 };
    work.note(subject, "written");
    work.done(()).await
}

/// A long history: sealed entries, and delivered messages.
async fn fill(world: &World) {
    let last = 1_000_000 + ROWS;
    let numbers = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1000001 UNION ALL SELECT i + 1 FROM n WHERE i < {last})"
    );
    let now = "'2026-11-20T12:00:00+00:00'::timestamptz";
    for statement in [
        format!(
            "INSERT INTO audit_entry (id, at, actor, operation, subject_kind, subject_id, action, \
             request_id) {numbers} SELECT i, {now}, 'operator:1', 'core.job.save', 'job', i % 5000, \
             'changed', 'request-' || i FROM n"
        ),
        format!(
            "INSERT INTO audit_seal (position, audit_id, hash) {numbers} SELECT i, i, 'none' FROM n"
        ),
        "DELETE FROM audit_unsealed".to_owned(),
        format!(
            "INSERT INTO outbox (id, channel, recipient, address, event, subject, body, data, status, \
             attempts, next_at, created_at) {numbers} SELECT i, 'email', 'user:' || (i % 5000), \
             'somebody@example.com', 'job.approved', 'A job', 'It is open.', '{{}}'::jsonb, 'sent', 1, \
             {now}, {now} FROM n"
        ),
    ] {
        world.script(&statement).await;
    }
    world.vacuum().await;
}
