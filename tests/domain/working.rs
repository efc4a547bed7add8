//! The worker: its database queries, leases of tasks, and the isolation of failures.

use std::time::Duration;

use chrono::TimeDelta;
use nil_core::http::Shutdown;
use nil_core::worker::{self, Task};
use nil_tests::{World, both};

/// Tables that contain only rows of interest, and the steps of a recursion.
const SMALL: [&str; 4] = ["site", "audit_unsealed", "r", "reader"];

/// The lines of a plan that scan a whole table. A partial index contains only rows of interest, so
/// scanning it does not count.
fn whole_reads(plan: &str) -> Vec<String> {
    let lines: Vec<&str> = plan.lines().collect();
    let mut whole = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let after = |words: &str| line.split_once(words).map(|(_, rest)| rest);
        let table = |rest: &str| rest.split_whitespace().next().unwrap_or_default().to_owned();
        let of_sqlite = after("SCAN ").filter(|rest| {
            !["CONSTANT", "USING INDEX", "USING COVERING INDEX"]
                .iter()
                .any(|fine| rest.contains(fine))
        });
        let of_postgres = after("Seq Scan on ");
        if let Some(name) = of_sqlite.or(of_postgres).map(table)
            && !SMALL.contains(&name.as_str())
        {
            whole.push((*line).to_owned());
        }
        let by_index =
            ["Index Scan using ", "Index Only Scan using "].iter().find_map(|it| after(it));
        let next = lines.get(number + 1).copied().unwrap_or_default();
        if let Some(rest) = by_index
            && !next.contains("Index Cond")
            && !fits_one_page(rest)
            && !PARTIAL_OR_FIRST.iter().any(|fine| rest.starts_with(fine))
        {
            whole.push(format!("{line} / {next}"));
        }
    }
    whole
}

/// Whether a PostgreSQL plan reads one page of an index and one of its table. With so little data,
/// the planner may choose any index.
fn fits_one_page(plan: &str) -> bool {
    let cost = plan.split_once("cost=").and_then(|(_, rest)| {
        let (_, whole) = rest.split_once("..")?;
        whole.split_whitespace().next()?.parse::<f64>().ok()
    });
    cost.is_some_and(|cost| cost < 9.0)
}

/// Indexes that contain only rows of interest, or of which one row is read.
const PARTIAL_OR_FIRST: [&str; 7] = [
    "audit_unsealed_pkey",
    "announcement_untold",
    "outbox_pkey",
    "digest_item_by_reader",
    "worker_lease_pkey",
    "payout_failed",
    "payout_wallet_live_key",
];

#[test]
fn a_whole_read_is_seen_in_either_engines_words() {
    assert_eq!(whole_reads("SCAN outbox\nSEARCH job USING INDEX y (a=?)").len(), 1);
    assert_eq!(whole_reads("Limit\n  ->  Seq Scan on job  (cost=0.00..1.00)").len(), 1);
    assert_eq!(whole_reads("Index Scan using a_pkey on a  (cost)\n  Filter: (b = 1)").len(), 1);
    let small = "Index Scan using a_pkey on a  (cost=0.12..8.14 rows=1)\n  Filter: (b = 1)";
    assert_eq!(whole_reads(small).len(), 0);
    let large = "Index Scan using a_pkey on a  (cost=0.12..47.14 rows=1)\n  Filter: (b = 1)";
    assert_eq!(whole_reads(large).len(), 1);
    assert_eq!(whole_reads("Index Scan using a_x on a  (cost)\n  Index Cond: (b = 1)").len(), 0);
}

async fn an_idle_round_takes_no_turn_of_the_writer_and_reads_no_table_whole(world: World) {
    world.populate(200, 50, 50).await;
    let brand = world.paying_partner("Northfield").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[1_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    worker::round(&world.platform).await.unwrap();
    world.vacuum().await;
    // Every task is due again, and none has anything to do.
    world.pass(TimeDelta::hours(1));
    worker::round(&world.platform).await.unwrap();
    worker::round(&world.platform).await.unwrap();
    world.pass(TimeDelta::minutes(11));
    let round = worker::round(&world.platform);
    let (round, watched) = world.platform.db().watched(round).await.unwrap();
    assert_eq!(round.unwrap().failed, []);
    assert!(watched.plans.len() > 20, "{}", watched.plans.len());
    for (statement, plan) in &watched.plans {
        // Hourly; it reads the sales with unpaid commission.
        if statement.contains("FROM affiliate_conversion v") {
            continue;
        }
        // On PostgreSQL join strategies depend on table sizes, so those are checked on SQLite.
        let joins = [" JOIN ", "EXISTS"].iter().any(|word| statement.contains(word));
        if joins && !world.is_sqlite() {
            continue;
        }
        let whole = whole_reads(plan);
        assert!(whole.is_empty(), "{whole:?} in\n{statement}\n{plan}");
    }
    assert_eq!(watched.transactions, 0, "{:#?}", watched.plans);
}
both!(an_idle_round_takes_no_turn_of_the_writer_and_reads_no_table_whole);

async fn a_long_trail_is_sealed_from_its_open_end(world: World) {
    world.college().await;
    worker::round(&world.platform).await.unwrap();
    world.college().await;
    let seals = worker::round(&world.platform);
    let (round, watched) = world.platform.db().watched(seals).await.unwrap();
    assert!(round.unwrap().sealed > 0);
    let sealing: Vec<_> = watched
        .plans
        .iter()
        .filter(|(statement, _)| statement.contains("audit_"))
        .filter(|(statement, _)| !statement.starts_with("INSERT"))
        .collect();
    assert!(sealing.len() >= 3, "{sealing:#?}");
    for (statement, plan) in sealing {
        let whole: Vec<_> = plan
            .lines()
            .filter(|line| line.contains("SCAN a") && !line.contains("audit_unsealed"))
            .filter(|line| !line.contains("SCAN audit_seal"))
            .filter(|line| !line.contains("SCAN u"))
            .collect();
        assert!(whole.is_empty(), "{statement}\n{plan}");
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM audit_unsealed").await, 0);
    let mut session = world.platform.db().read().await.unwrap();
    assert_eq!(
        nil_core::operation::chain::verify_chain(&mut session).await.unwrap().broken_at,
        None
    );
}
both!(a_long_trail_is_sealed_from_its_open_end);

async fn what_is_kept_for_nobody_goes_by_and_by(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    world.tell(&brand, "News").await;
    worker::round(&world.platform).await.unwrap();
    world.script("UPDATE outbox SET status = 'sent' WHERE status = 'pending'").await;
    let newest = world.id("SELECT MAX(id) FROM outbox").await;
    for table in ["login_failure", "reminder"] {
        let row = if table == "reminder" {
            "INSERT INTO reminder (event, subject_id, due_at, created_at) \
                 SELECT 'deliverable.overdue', n.id, n.created_at, n.created_at FROM app_user n"
        } else {
            "INSERT INTO login_failure (account, at) SELECT 'somebody', n.created_at FROM app_user n"
        };
        world.script(row).await;
    }
    let left = async |table: &str| world.id(&format!("SELECT COUNT(*) FROM {table}")).await;
    assert!(left("outbox").await > 2 && left("session").await > 0);
    world.pass(TimeDelta::days(29));
    worker::round(&world.platform).await.unwrap();
    assert!(left("outbox").await > 2, "for thirty days");
    assert!(left("reminder").await > 0, "for sixty days");
    assert_eq!((left("login_failure").await, left("session").await), (0, 0));
    world.pass(TimeDelta::days(2));
    let round = worker::round(&world.platform).await.unwrap();
    assert!(round.pruned > 1, "{round:?}");
    assert_eq!(world.id("SELECT MAX(id) FROM outbox").await, newest, "no id is given twice");
    assert_eq!(left("outbox").await, 1);
    world.pass(TimeDelta::days(30));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(left("reminder").await, 0);
    let again = async { worker::round(&world.platform).await.unwrap().pruned };
    world.pass(TimeDelta::minutes(2));
    let (pruned, watched) = world.platform.db().watched(again).await.unwrap();
    assert_eq!((pruned, watched.transactions), (0, 0), "one old row opens no turn");
}
both!(what_is_kept_for_nobody_goes_by_and_by);

async fn a_task_that_fails_is_named_and_keeps_no_other_from_its_work(world: World) {
    let brand = world.partner("Cedar Coffee").await;
    worker::round(&world.platform).await.unwrap();
    world.pass(TimeDelta::hours(2));
    // The very first task cannot do anything any more.
    world.script("ALTER TABLE contract RENAME TO contract_away").await;
    world.tell(&brand, "News").await;
    world.college().await;
    let round = worker::round(&world.platform).await.unwrap();
    assert!(round.failed.contains(&Task::Contracts), "{round:?}");
    assert!(
        !round.failed.contains(&Task::Events) && !round.failed.contains(&Task::Trail),
        "{round:?}"
    );
    assert!(round.messages > 0 && round.sealed > 0, "{round:?}");
    world.script("ALTER TABLE contract_away RENAME TO contract").await;
    let round = worker::round(&world.platform).await.unwrap();
    assert_eq!(round.failed, [], "what failed is tried in the next round");
}
both!(a_task_that_fails_is_named_and_keeps_no_other_from_its_work);

async fn one_of_many_workers_holds_each_task_and_gives_it_back(world: World) {
    let holders = "SELECT COUNT(DISTINCT holder) FROM worker_lease";
    let tasks = "SELECT COUNT(*) FROM worker_lease";
    let mut workers = Vec::new();
    for _ in 0..3 {
        let (stop, shutdown) = Shutdown::new();
        let platform = world.replica().await.platform;
        workers.push((stop, tokio::spawn(worker::run(platform, shutdown))));
    }
    // Messages and queued exports are claimed row by row and have no lease.
    let leased = Task::ALL.iter().filter(|task| task.is_leased()).count();
    let leased = i64::try_from(leased).unwrap();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(20);
    while world.id(tasks).await < leased {
        assert!(tokio::time::Instant::now() < deadline, "nobody takes the tasks");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(world.id(tasks).await, leased);
    assert!(world.id(holders).await <= 3);
    for (stop, worker) in workers {
        stop.send(true).unwrap();
        worker.await.unwrap();
    }
    assert_eq!(world.id(tasks).await, 0, "whoever stops leaves nothing behind");
}
both!(one_of_many_workers_holds_each_task_and_gives_it_back);
