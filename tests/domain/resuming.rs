//! Copies that break off and are gone on with: the result is that of a copy in one go, whatever
//! happened in between, and until then nobody opens the other database.

use std::collections::BTreeMap;

use nil_core::Error;
use nil_core::error::codes;
use nil_core::keeping::{self, Copied, Manner, Step};
use nil_core::payments;
use nil_core::storage::moving::{self, Bounds, Copying, Pages, Tally, Target};
use nil_core::storage::partitions::IDS;
use nil_core::storage::{Db, Dialect, sql};
use nil_tests::{Engine, Unused, World, both};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::keeping::used;

const BOTH: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// Whether a copy breaks off at a step.
type Place = fn(Step<'_>) -> bool;

/// Every page is a transaction of its own.
const PAGE_BY_PAGE: Bounds = Bounds { rows: 1, bytes: 1 };

fn manner(bounds: Bounds) -> Manner {
    Manner { replaces: true, bounds }
}

/// Copies, and breaks off at the first step for which this holds.
async fn broken_off(
    world: &World,
    to: &Unused,
    bounds: Bounds,
    mut at: impl FnMut(Step<'_>) -> bool + Send,
) -> Error {
    let target = Target::open(&to.location()).await.unwrap();
    let copied = keeping::copy(&world.platform, &target, manner(bounds), &mut |step| {
        if at(step) { Err(codes::STATE_CHANGED.into()) } else { Ok(()) }
    })
    .await;
    target.close().await;
    copied.unwrap_err()
}

/// Copies to the end. Returns what was copied, and the tables that were copied anew.
async fn ended(world: &World, to: &Unused) -> Result<(Copied, Vec<String>), Error> {
    let target = Target::open(&to.location()).await.unwrap();
    let mut anew = Vec::new();
    let copied = keeping::copy(&world.platform, &target, manner(Bounds::default()), &mut |step| {
        if let Step::Differs(table) = step {
            anew.push(table.to_owned());
        }
        Ok(())
    })
    .await;
    target.close().await;
    Ok((copied?, anew))
}

/// What all rows of a database come to, and what checks them.
#[derive(Debug, PartialEq)]
struct Whole {
    rows: BTreeMap<String, Tally>,
    schema: Vec<String>,
}

async fn whole(db: &Db) -> Whole {
    let mut session = db.snapshot().await.unwrap();
    let mut rows = BTreeMap::new();
    for table in moving::tables(&mut session).await.unwrap() {
        let tally = Pages::of(&table).whole(&mut session).await.unwrap();
        rows.insert(table.name, tally);
    }
    let schema = sql("SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_master ORDER BY 1")
        .on_postgres(
            "SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint \
                WHERE connamespace = current_schema()::regnamespace AND contype <> 't' \
            UNION ALL SELECT tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text FROM pg_trigger \
                WHERE NOT tgisinternal \
            UNION ALL SELECT relkind::text || ' ' || relname FROM pg_class \
                WHERE relnamespace = current_schema()::regnamespace ORDER BY 1",
        );
    let schema: Vec<(String,)> = session.all(schema).await.unwrap();
    Whole { rows, schema: schema.into_iter().map(|(line,)| line).collect() }
}

/// What a copy in one go comes to on this engine.
async fn in_one_go(world: &World, engine: Engine) -> (Whole, Copied) {
    let to = Unused::on(engine).await;
    let (copied, anew) = ended(world, &to).await.unwrap();
    assert_eq!((copied.already_there, anew), (0, Vec::new()));
    (whole(&to.db).await, copied)
}

/// Nobody opens a database that is half filled.
async fn is_closed(to: &Unused) {
    let refused = Db::open(&to.location()).await.unwrap_err();
    assert!(refused.message().contains("is not finished. Run `nil copy`"), "{refused:?}");
    let target = Target::open(&to.location()).await.unwrap();
    assert!(target.is_half_filled().await.unwrap());
    target.close().await;
}

async fn write(db: &Db, text: &'static str) -> u64 {
    let mut session = db.begin().await.unwrap();
    let changed = session.run(sql(text)).await.unwrap();
    session.commit().await.unwrap();
    changed
}

async fn a_copy_goes_on_wherever_it_broke_off(world: World) {
    used(&world).await;
    // Each run goes on where the one before broke off, and breaks off later.
    let places: [(&str, Bounds, Place); 6] = [
        ("after the first transaction", PAGE_BY_PAGE, |step| step == Step::Begun { again: false }),
        ("between two tables", PAGE_BY_PAGE, |step| {
            matches!(step, Step::Filled { table: "college", .. })
        }),
        ("in a table", PAGE_BY_PAGE, |step| {
            step == Step::Wrote { table: "template", rows: 100, kept: true }
        }),
        ("before anything is compared", PAGE_BY_PAGE, |step| step == Step::Begun { again: true }),
        ("in a transaction", Bounds::default(), |step| {
            matches!(step, Step::Wrote { table: "template", kept: false, .. })
        }),
        ("before the last transaction", PAGE_BY_PAGE, |step| step == Step::Ending),
    ];
    for engine in BOTH {
        let (expected, at_once) = in_one_go(&world, engine).await;
        let to = Unused::on(engine).await;
        for (place, bounds, at) in places {
            let broken = broken_off(&world, &to, bounds, at).await;
            assert_eq!(broken.code(), codes::STATE_CHANGED.name, "{place}: {broken:?}");
            is_closed(&to).await;
        }
        let (copied, anew) = ended(&world, &to).await.unwrap();
        assert_eq!(anew, Vec::<String>::new());
        assert_eq!(copied, Copied { already_there: at_once.rows, ..at_once });
        assert_eq!(whole(&to.db).await, expected);
        Db::open(&to.location()).await.unwrap().close().await;
    }
}
both!(a_copy_goes_on_wherever_it_broke_off);

/// Half of a table is not read again for nothing, and the other half is not forgotten.
async fn what_arrived_of_a_table_stays(world: World) {
    used(&world).await;
    for engine in BOTH {
        let to = Unused::on(engine).await;
        broken_off(&world, &to, PAGE_BY_PAGE, |step| {
            step == Step::Wrote { table: "template", rows: 100, kept: true }
        })
        .await;
        let target = Target::open(&to.location()).await.unwrap();
        let mut seen = None;
        let told = &mut |step: Step<'_>| {
            if let Step::Filled { table: "template", rows, already_there } = step {
                seen = Some((rows, already_there));
            }
            Ok(())
        };
        keeping::copy(&world.platform, &target, manner(PAGE_BY_PAGE), told).await.unwrap();
        target.close().await;
        let (rows, already_there) = seen.unwrap();
        assert_eq!(already_there, 100);
        assert!(rows > 150, "{rows}");
    }
}
both!(what_arrived_of_a_table_stays);

async fn what_changed_at_the_source_meanwhile_is_copied_anew(world: World) {
    used(&world).await;
    let (sqlite, postgres) = (Unused::on(Engine::Sqlite).await, Unused::on(Engine::Postgres).await);
    for to in [&sqlite, &postgres] {
        broken_off(&world, to, PAGE_BY_PAGE, |step| step == Step::Ending).await;
    }
    // Rows are added everywhere; one is changed, and others are removed.
    used(&world).await;
    let source = world.platform.db();
    let changed = "UPDATE athlete SET display_name = 'Jordan Rivers' \
        WHERE id = (SELECT MIN(id) FROM athlete)";
    assert_eq!(write(source, changed).await, 1);
    let removed = "DELETE FROM template WHERE event = (SELECT MIN(event) FROM template)";
    assert!(write(source, removed).await > 0);
    for (to, engine) in [(&sqlite, Engine::Sqlite), (&postgres, Engine::Postgres)] {
        let (copied, anew) = ended(&world, to).await.unwrap();
        let (expected, _) = in_one_go(&world, engine).await;
        assert_eq!(whole(&to.db).await, expected);
        for table in ["athlete", "template"] {
            assert!(anew.iter().any(|name| name == table), "{table}: {anew:?}");
        }
        // What is only added to is gone on with.
        assert!(!anew.iter().any(|name| name == "audit_entry"), "{anew:?}");
        assert!(copied.already_there > 0 && copied.already_there < copied.rows, "{copied:?}");
    }
}
both!(what_changed_at_the_source_meanwhile_is_copied_anew);

/// Whoever gets at a half-filled database in spite of all changes nothing of the result.
async fn what_others_did_to_the_copy_is_found(world: World) {
    used(&world).await;
    for engine in BOTH {
        let (expected, _) = in_one_go(&world, engine).await;
        let to = Unused::on(engine).await;
        broken_off(&world, &to, PAGE_BY_PAGE, |step| {
            matches!(step, Step::Filled { table: "state", .. })
        })
        .await;
        // In a table that has arrived, and in one that has not been begun.
        assert!(write(&to.db, "DELETE FROM audit_unsealed").await > 0);
        let strange =
            "INSERT INTO tutorial_step (user_id, step, done_at) VALUES (1, 'x', '2026-01-01')";
        write(&to.db, strange).await;
        let target = Target::open(&to.location()).await.unwrap();
        let mut told = |step: Step<'_>| {
            if step == Step::Ending {
                let strange = "UPDATE athlete SET display_name = 'Nobody'";
                let done = write(&to.db, strange);
                assert!(block_in_place(|| Handle::current().block_on(done)) > 0);
            }
            Ok(())
        };
        let copied = keeping::copy(&world.platform, &target, manner(PAGE_BY_PAGE), &mut told);
        let refused = copied.await.unwrap_err();
        target.close().await;
        assert!(refused.message().contains("The table athlete had"), "{refused:?}");
        is_closed(&to).await;
        let (_, anew) = ended(&world, &to).await.unwrap();
        assert_eq!(anew, ["athlete"]);
        assert_eq!(whole(&to.db).await, expected);
    }
}
both!(what_others_did_to_the_copy_is_found);

async fn a_copy_of_something_else_is_refused(world: World) {
    used(&world).await;
    let other = World::on(Engine::Sqlite).await;
    // The databases of the suites are copies of one file, with its mark.
    payments::renew_mark(&other.platform).await.unwrap();
    for engine in BOTH {
        let to = Unused::on(engine).await;
        broken_off(&world, &to, PAGE_BY_PAGE, |step| step == Step::Begun { again: false }).await;
        let refused = ended(&other, &to).await.unwrap_err();
        assert!(refused.message().contains("of another installation"), "{refused:?}");
        write(&to.db, "UPDATE copy_under_way SET migration = migration - 1").await;
        let refused = ended(&world, &to).await.unwrap_err();
        assert!(refused.message().contains("by another version"), "{refused:?}");
        write(&to.db, "UPDATE copy_under_way SET migration = migration + 1").await;
        ended(&world, &to).await.unwrap();
        let refused = ended(&world, &to).await.unwrap_err();
        assert!(refused.message().contains("has been used"), "{refused:?}");
    }
}
both!(a_copy_of_something_else_is_refused);

/// The file of SQLite's lock, and the sessions of PostgreSQL that have one, are taken away.
async fn lose_the_lock(to: &Unused) {
    let mut session = to.db.read().await.unwrap();
    if session.dialect() == Dialect::Sqlite {
        let file = to.address().trim_start_matches("sqlite:").to_owned() + "-copy";
        std::fs::remove_file(file).unwrap();
        return;
    }
    let ended = sql(
        "SELECT COUNT(pg_terminate_backend(pid, 10000)) FROM pg_locks WHERE locktype = 'advisory' \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    assert_eq!(session.value::<i64>(ended).await.unwrap(), 1);
}

async fn of_two_copies_at_once_one_is_refused(world: World) {
    used(&world).await;
    let mut source = world.platform.db().snapshot().await.unwrap();
    let mark: String = source.value(sql("SELECT mark FROM installation")).await.unwrap();
    let here = nil_core::storage::last_migration(&mut source).await.unwrap();
    let tables = moving::tables(&mut source).await.unwrap();
    let sports = tables.iter().find(|table| table.name == "sport").unwrap();
    for engine in BOTH {
        let (expected, _) = in_one_go(&world, engine).await;
        let to = Unused::on(engine).await;
        let target = Target::open(&to.location()).await.unwrap();
        let mut first = Copying::begin(&target, &mark, here, PAGE_BY_PAGE).await.unwrap();
        let refused = ended(&world, &to).await.unwrap_err();
        assert!(refused.message().contains("Another `nil copy` is writing"), "{refused:?}");
        // A lock that is lost, as with a connection, does not let both write.
        lose_the_lock(&to).await;
        let broken = broken_off(&world, &to, PAGE_BY_PAGE, |step| step == Step::Ending).await;
        assert_eq!(broken.code(), codes::STATE_CHANGED.name, "{broken:?}");
        let mut pages = Pages::of(sports);
        let rows = pages.next(&mut source).await.unwrap().unwrap();
        let refused = first.add(sports, &rows, pages.last_key()).await.unwrap_err();
        assert!(refused.message().contains("goes on with this copy"), "{refused:?}");
        drop(first);
        target.close().await;
        ended(&world, &to).await.unwrap();
        assert_eq!(whole(&to.db).await, expected);
    }
}
both!(of_two_copies_at_once_one_is_refused);

/// The next row of the audit trail gets the id behind this one.
async fn trail_goes_on_from(world: &World, last: i64) {
    let mut session = world.platform.db().begin().await.unwrap();
    let set = sql("SELECT setval(pg_get_serial_sequence('audit_entry', 'id'), $1)").bind(last);
    assert_eq!(session.value::<i64>(set).await.unwrap(), last);
    session.commit().await.unwrap();
}

/// The ranges that a table is divided into are made in each run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_run_makes_room() {
    let world = World::on(Engine::Postgres).await;
    used(&world).await;
    trail_goes_on_from(&world, IDS + 5).await;
    used(&world).await;
    let to = Unused::on(Engine::Postgres).await;
    broken_off(&world, &to, PAGE_BY_PAGE, |step| {
        matches!(step, Step::Filled { table: "audit_entry", .. })
    })
    .await;
    trail_goes_on_from(&world, 3 * IDS + 5).await;
    used(&world).await;
    let (_, anew) = ended(&world, &to).await.unwrap();
    assert!(!anew.iter().any(|name| name == "audit_entry"), "{anew:?}");
    let mut session = to.db.read().await.unwrap();
    let beyond = sql("SELECT COUNT(*) FROM audit_entry WHERE id > $1").bind(3 * IDS);
    assert!(session.value::<i64>(beyond).await.unwrap() > 0);
    let rest: i64 = session.value(sql("SELECT COUNT(*) FROM audit_entry_rest")).await.unwrap();
    assert_eq!(rest, 0);
}
