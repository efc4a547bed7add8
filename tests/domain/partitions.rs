//! The tables of PostgreSQL that are divided into ranges of ids: rows go on across ranges, ranges
//! are made in time, and nothing fails when none was.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use futures::future::join_all;
use nil_core::storage::partitions::{self, IDS, Room};
use nil_core::storage::sql;
use nil_core::worker;
use nil_tests::{Engine, World};
use serde_json::{Value, json};

use crate::chat::{read, send, start};

const DIVIDED: [&str; 4] = ["audit_entry", "ledger_entry", "message", "outbox"];

async fn room(world: &World, table: &str) -> Room {
    let rooms = partitions::rooms_of(world.platform.db()).await.unwrap();
    assert_eq!(rooms.iter().map(|room| &*room.table).collect::<Vec<_>>(), DIVIDED);
    rooms.into_iter().find(|room| room.table == table).unwrap()
}

/// The ranges of a table with their bounds, in the order of their names.
async fn ranges(world: &World, table: &str) -> Vec<(String, String)> {
    let all = sql("SELECT p.relname::text, pg_get_expr(p.relpartbound, p.oid) FROM pg_inherits i \
        JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = $1::text::regclass ORDER BY 1")
    .bind(table);
    world.platform.db().read().await.unwrap().all(all).await.unwrap()
}

/// Gives the next row of a table the id after this one.
async fn go_on_from(world: &World, table: &'static str, last: i64) {
    let mut session = world.platform.db().begin().await.unwrap();
    let set =
        sql("SELECT setval(pg_get_serial_sequence($1::text, 'id'), $2)").bind(table).bind(last);
    assert_eq!(session.value::<i64>(set).await.unwrap(), last);
    session.commit().await.unwrap();
}

async fn keep(world: &World) {
    partitions::keep(world.platform.db()).await.unwrap();
}

#[tokio::test]
async fn a_range_is_made_before_ids_reach_it() {
    let world = World::on(Engine::Postgres).await;
    for table in DIVIDED {
        let first = room(&world, table).await;
        assert_eq!(first.end, IDS);
        go_on_from(&world, table, IDS / 2).await;
    }
    worker::round(&world.platform).await.unwrap();
    for table in DIVIDED {
        assert_eq!(room(&world, table).await.end, 2 * IDS, "{table}");
        let next = format!("FOR VALUES FROM ('{IDS}') TO ('{}')", 2 * IDS);
        let bounds: Vec<_> = ranges(&world, table).await;
        assert!(bounds.contains(&(format!("{table}_{IDS}"), next)), "{bounds:?}");
    }
    // Nothing is made twice.
    world.pass(TimeDelta::minutes(11));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(ranges(&world, "message").await.len(), 3);
}

#[tokio::test]
async fn a_conversation_goes_on_across_ranges_and_the_rest() {
    let world = World::on(Engine::Postgres).await;
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let mut number = 0;
    let mut say = async |times: usize| {
        for _ in 0..times {
            number += 1;
            send(&world, &hire.partner, &talk, &number.to_string()).await;
        }
    };
    say(3).await;
    // Across a border, with a range behind it.
    go_on_from(&world, "message", IDS - 2).await;
    keep(&world).await;
    say(3).await;
    // Beyond all ranges, and again with a range.
    go_on_from(&world, "message", 2 * IDS + 5).await;
    say(2).await;
    assert_eq!(room(&world, "message").await.left(), 0);
    keep(&world).await;
    let next = room(&world, "message").await;
    assert_eq!((next.last, next.end), (2 * IDS + 7, 4 * IDS));
    say(1).await;
    go_on_from(&world, "message", 3 * IDS - 2).await;
    say(2).await;
    let rest = "SELECT COUNT(*) FROM message_rest";
    assert_eq!(world.id(rest).await, 4, "ids that nobody had made a range for");
    let unread = "SELECT COUNT(*) FROM message WHERE read_at IS NULL";
    assert_eq!(world.id(unread).await, 11);
    read(&world, &hire.athlete, &talk).await;
    assert_eq!(world.id(unread).await, 0);

    let mut seen = Vec::new();
    let mut before = Value::Null;
    loop {
        let asked = json!({ "conversation_id": talk["id"], "limit": 4, "before_id": before });
        let answer = world.call("core.chat.messages", &hire.athlete.principal, asked).await;
        before = answer.body["pagination"]["next_before_id"].clone();
        let data = answer.data();
        seen.extend(
            data.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()),
        );
        if before.is_null() {
            break;
        }
    }
    let expected: Vec<String> = (1..=11).rev().map(|number| number.to_string()).collect();
    assert_eq!(seen, expected);
}

/// A whole deal whose rows lie on both sides of each border: what counts them finds them all.
#[tokio::test]
async fn books_and_trail_hold_across_ranges() {
    let world = World::on(Engine::Postgres).await;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000, 2_500]).await;
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "succeeded");
    for table in DIVIDED {
        go_on_from(&world, table, IDS - 3).await;
    }
    keep(&world).await;
    worker::round(&world.platform).await.unwrap();
    let later = world.approved_deal(&partner, &athlete, &[4_000]).await;
    assert_eq!(world.pay(&partner, &athlete, &later).await["status"], "succeeded");
    worker::round(&world.platform).await.unwrap();
    for table in ["audit_entry", "ledger_entry", "outbox"] {
        assert!(world.id(&format!("SELECT COUNT(*) FROM {table}_{IDS}")).await > 0, "{table}");
    }
    world.books_are_right().await;
    assert_eq!(world.id("SELECT COUNT(*) FROM audit_unsealed").await, 0);
    let unlinked = "SELECT COUNT(*) FROM audit_entry e WHERE NOT EXISTS \
        (SELECT 1 FROM audit_seal s WHERE s.audit_id = e.id)";
    assert_eq!(world.id(unlinked).await, 0);
    // A copy has ranges for all of them, whatever its engine was before.
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let copy = world.copied_to(engine).await.copied_to(Engine::Postgres).await;
        copy.books_are_right().await;
        // No message was sent, so a copy by SQLite does not know of the ids.
        for table in ["audit_entry", "ledger_entry", "outbox"] {
            let last = room(&world, table).await.last;
            let there = room(&copy, table).await;
            assert!(there.last >= last - 1 && there.left() > 0, "{there:?}");
        }
        assert_eq!(copy.id("SELECT COUNT(*) FROM audit_entry_rest").await, 0);
        let entries = "SELECT COUNT(*) FROM audit_entry";
        assert_eq!(copy.id(entries).await, world.id(entries).await);
    }
}

/// Messages that left are removed after a month; then whole ranges are empty.
#[tokio::test]
async fn an_empty_range_of_the_outbox_is_dropped() {
    let world = World::on(Engine::Postgres).await;
    world.athlete("Jordan Lake").await;
    worker::round(&world.platform).await.unwrap();
    assert!(world.id("SELECT COUNT(*) FROM outbox_first").await > 0);
    go_on_from(&world, "outbox", IDS + 10).await;
    world.athlete("Mia Hill").await;
    world.pass(TimeDelta::days(32));
    worker::round(&world.platform).await.unwrap();
    world.pass(TimeDelta::minutes(11));
    worker::round(&world.platform).await.unwrap();
    let names: Vec<String> =
        ranges(&world, "outbox").await.into_iter().map(|(name, _)| name).collect();
    assert!(!names.contains(&"outbox_first".to_owned()), "{names:?}");
    assert!(names.contains(&"outbox_rest".to_owned()), "{names:?}");
    // The others hold what must stay, empty or not.
    for table in ["audit_entry", "ledger_entry", "message"] {
        let first = format!("{table}_first");
        assert!(ranges(&world, table).await.iter().any(|(name, _)| *name == first), "{table}");
    }
    // New messages go where there is room.
    world.athlete("Sam Reed").await;
    worker::round(&world.platform).await.unwrap();
}

#[tokio::test]
async fn what_others_hold_is_left_for_the_next_time() {
    let world = World::on(Engine::Postgres).await;
    go_on_from(&world, "message", IDS - 5).await;
    let mut reading = world.platform.db().begin().await.unwrap();
    let rows: i64 = reading.value(sql("SELECT COUNT(*) FROM message")).await.unwrap();
    assert_eq!(rows, 0);
    let begun = Instant::now();
    keep(&world).await;
    assert!(begun.elapsed() < Duration::from_secs(30), "it gives up its wait");
    assert_eq!(room(&world, "message").await.end, IDS);
    drop(reading);
    keep(&world).await;
    assert_eq!(room(&world, "message").await.end, 2 * IDS);
}

#[tokio::test]
async fn several_at_once_make_one_range() {
    let world = World::on(Engine::Postgres).await;
    go_on_from(&world, "ledger_entry", IDS - 5).await;
    let others = [world.replica().await, world.replica().await, world.replica().await];
    join_all(others.iter().map(keep)).await;
    keep(&world).await;
    assert_eq!(ranges(&world, "ledger_entry").await.len(), 3);
}

/// An index or a check that a later version adds reaches every range, and ranges are alike.
#[tokio::test]
async fn each_range_has_what_its_table_has() {
    let world = World::on(Engine::Postgres).await;
    for table in DIVIDED {
        go_on_from(&world, table, IDS - 5).await;
    }
    keep(&world).await;
    let counted = |of: &str| {
        format!(
            "SELECT (SELECT COUNT(*) FROM pg_index WHERE indrelid = '{of}'::regclass) * 10000 \
             + (SELECT COUNT(*) FROM pg_constraint WHERE conrelid = '{of}'::regclass AND contype = 'c') * 100 \
             + (SELECT COUNT(*) FROM pg_constraint WHERE conrelid = '{of}'::regclass AND contype = 'f')"
        )
    };
    for table in DIVIDED {
        let whole = world.id(&counted(table)).await;
        assert!(whole > 10_000, "{table}: {whole}");
        for (range, _) in ranges(&world, table).await {
            assert_eq!(world.id(&counted(&range)).await, whole, "{range}");
        }
    }
}
