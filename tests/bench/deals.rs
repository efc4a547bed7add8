//! The most frequent work of deals' parties: messages, and bulk payments.

use std::time::{Duration, Instant};

use chrono::Days;
use futures::StreamExt as _;
use futures::future::join_all;
use futures::stream;
use nil_core::auth::{Anyone, Principal};
use nil_core::storage::insert;
use nil_core::{Cx, Done, Result};
use nil_tests::{GOOD_CARD, Person, World};
use serde_json::{Value, json};

use crate::asked::engines;
use crate::seeded::applied;

const TIME: Duration = Duration::from_secs(4);
const CALLERS: u64 = 32;
pub const ATHLETES: usize = 50;
pub const JOBS: usize = 20;
const ROUNDS: usize = 3;

pub async fn measure() {
    for (name, engine) in engines() {
        let world = World::unthrottled(engine).await;
        let partner = world.partner("Ridge Outfitters").await;
        world.card(&partner, GOOD_CARD).await;
        let mut athletes = Vec::new();
        for number in 0..ATHLETES {
            athletes.push(world.athlete(&format!("Zoe Number{number}")).await);
        }
        println!("{name}:");
        for round in 0..ROUNDS {
            let lines = approved(&world, &partner, &athletes).await;
            let paid = bulk(&world, &partner, lines).await;
            let limit = plain(&world, round).await;
            println!(
                "  bulk payment of {}: {:>6.1} ms, {:.1} x one commit of as many bare rows",
                ATHLETES * JOBS,
                paid.as_secs_f64() * 1_000.0,
                paid.as_secs_f64() / limit.as_secs_f64()
            );
        }
        let one = chat(&world, &partner, &athletes[..1]).await;
        let many = chat(&world, &partner, &athletes).await;
        let bare = inserts(&world).await;
        println!(
            "  chat messages per second: {one:.0} in one conversation, {many:.0} in {ATHLETES} at once, \
             {:.2} of durable inserts of a bare row ({bare:.0})",
            many / bare
        );
        let applications = applied(&world, &partner, &athletes).await;
        println!("  hires per second: {:.0}", hires(&world, &partner, applications).await);
        world.platform.close().await;
    }
}

/// Terms of a job for so many athletes, with work that is due later than today.
pub fn terms(world: &World, slots: usize) -> Value {
    let due_on = world.platform.now().date_naive() + Days::new(20);
    let reel =
        json!({ "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due_on });
    json!({ "slots": slots, "milestones": [reel] })
}

/// Confirmed deals with approved work, each unpaid: what a brand settles in one go.
pub async fn approved(world: &World, partner: &Person, athletes: &[Person]) -> Vec<Value> {
    let mut lines = Vec::new();
    for _ in 0..JOBS {
        let job = world.open_job(partner, terms(world, athletes.len())).await;
        for athlete in athletes {
            let hire = world.hire(partner, athlete, job).await;
            let confirm = json!({ "job_id": job });
            let name = "core.contract.confirm_availability";
            world.call(name, &athlete.principal, confirm).await.data();
            for deliverable in &hire.deliverables {
                world.approve(&hire, *deliverable).await;
            }
            lines.push(json!({ "athlete_id": athlete.id, "contract_id": hire.contract }));
        }
    }
    lines
}

async fn bulk(world: &World, partner: &Person, lines: Vec<Value>) -> Duration {
    let who = &partner.principal;
    let preview = json!({ "payments": lines });
    let summary = world.call("core.payment.bulk_summary", who, preview).await;
    let total = summary.data()["total_cents"].clone();
    let input = json!({ "payments": lines, "expected_total_cents": total });
    let started = Instant::now();
    world.call("core.payment.pay_bulk", who, input).await.data();
    started.elapsed()
}

/// That many bare rows in one durable commit.
pub async fn plain(world: &World, round: usize) -> Duration {
    let started = Instant::now();
    let anyone = Anyone(Principal::Anonymous);
    world.platform.call(anyone, rows, round).await.unwrap();
    started.elapsed()
}

async fn rows(cx: Cx<Anyone>, round: usize) -> Result<Done<()>> {
    let mut rows = insert("ledger_account");
    for number in 0..ATHLETES * JOBS {
        if number > 0 {
            rows = rows.row();
        }
        rows = rows.set("name", format!("bench:{round}:{number}")).set("balance_cents", 0_i64);
    }
    let mut work = cx.begin().await?;
    work.run(rows).await?;
    work.done(()).await
}

/// Single bare rows per second, each in a durable commit, several at a time.
async fn inserts(world: &World) -> f64 {
    let started = Instant::now();
    let callers = (0..CALLERS).map(|number| async move {
        let mut written = 0_u64;
        while started.elapsed() < TIME {
            let anyone = Anyone(Principal::Anonymous);
            world.platform.call(anyone, row, (number, written)).await.unwrap();
            written += 1;
        }
        written
    });
    let written: u64 = join_all(callers).await.into_iter().sum();
    written as f64 / started.elapsed().as_secs_f64()
}

async fn row(cx: Cx<Anyone>, (caller, number): (u64, u64)) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let name = format!("bare:{caller}:{number}");
    work.run(insert("ledger_account").set("name", name).set("balance_cents", 0_i64)).await?;
    work.done(()).await
}

/// Hires per second, several at a time, of applications that wait for no other one.
async fn hires(world: &World, partner: &Person, applications: Vec<i64>) -> f64 {
    let (started, count) = (Instant::now(), applications.len());
    let hires = applications.into_iter().map(|id| async move {
        let hire = json!({ "id": id });
        world.call("core.application.hire", &partner.principal, hire).await.data();
    });
    stream::iter(hires).buffer_unordered(8).collect::<()>().await;
    count as f64 / started.elapsed().as_secs_f64()
}

/// Messages per second that the brand and these athletes send, several at a time.
async fn chat(world: &World, partner: &Person, athletes: &[Person]) -> f64 {
    let started = Instant::now();
    let senders = (0..CALLERS).map(|number| async move {
        let mut sent = 0_u64;
        while started.elapsed() < TIME {
            let athlete = &athletes[(number + sent) as usize % athletes.len()];
            let (from, to) =
                if sent.is_multiple_of(2) { (partner, athlete) } else { (athlete, partner) };
            let message = json!({ "user_id": to.user_id, "text": "See you on Friday at noon." });
            world.call("core.chat.send", &from.principal, message).await.data();
            sent += 1;
        }
        sent
    });
    let sent: u64 = join_all(senders).await.into_iter().sum();
    sent as f64 / started.elapsed().as_secs_f64()
}
