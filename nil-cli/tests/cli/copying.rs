//! Copies whose process ends in the middle: until they are gone on with, no command works on the
//! other database, and then nothing is missing.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};

use nil_core::storage::{self, Db, sql};
use nil_tests::database::Database;
use nil_tests::{Engine, Unused, both};
use serde_json::Value;

use crate::keeping::tallies;
use crate::nil::Nil;

/// More rows than a transaction has, on this engine, and their address.
async fn many_rows_on(engine: Engine) -> (Nil, String, Option<Database>) {
    let nil = Nil::alone();
    nil.run(&["seed", "--athletes", "500", "--jobs", "50", "--transactions", "3000"]).good();
    let here = format!("sqlite:{}", nil.path("nil-data/nil.db").display());
    if engine == Engine::Sqlite {
        return (nil, here, None);
    }
    let database = Database::create().await;
    nil.run(&["copy", &database.url, "--replaces"]).good();
    (nil, database.url.clone(), Some(database))
}

/// Every way to work on a database. All of them refuse one that is half filled.
fn is_closed(nil: &Nil, there: &str) {
    let elsewhere = format!("sqlite:{}", nil.path("elsewhere.db").display());
    let commands: [&[&str]; 12] = [
        &["serve", "--core", "127.0.0.1:0", "--back-office", "127.0.0.1:0"],
        &["worker", "--once"],
        &["migrate"],
        &["migrate", "--check"],
        &["verify"],
        &["restored"],
        &["outbox"],
        &["operator", "list"],
        &["operator", "create", "--email", "a@nil.example", "--name", "A", "--password-stdin"],
        &["backup", "half.zip"],
        &["copy", &elsewhere],
        &["seed", "--athletes", "1"],
    ];
    for command in commands {
        let arguments = [&["--database", there], command].concat();
        let ended = nil.run_reading(&arguments, nil_tests::PASSWORD);
        let why =
            "error: unavailable: A copy to this database is not finished. Run `nil copy` with";
        assert!(ended.stderr.contains(why), "{command:?}: {}", ended.stderr);
        assert_eq!(ended.code, 1, "{command:?}");
    }
    let found = nil.run(&["--database", there, "doctor", "--json"]).json();
    let found = found.as_array().unwrap().iter().find(|one| one["subject"] == "database").unwrap();
    assert_eq!(found["state"], "bad");
    assert_eq!(found["says"], "A copy to this database is not finished.");
    assert!(found["mend"].as_str().unwrap().starts_with("Run `nil copy`"), "{found}");
}

/// Goes on, and finds every row of the source in the copy.
fn goes_on(nil: &Nil, here: &str, there: &str) {
    let from = ["--database", here];
    let copied = nil.run(&[&from[..], &["copy", there, "--replaces", "--json"]].concat());
    let copied: Value = copied.good().json();
    let number = |name: &str| copied[name].as_u64().unwrap();
    assert!(number("already_there") > 0, "{copied}");
    assert!(number("copied") > 0, "{copied}");
    assert_eq!(number("rows"), number("already_there") + number("copied"));
    assert_eq!(copied["verified"]["audit_trail_broken_at"], Value::Null);
    nil.run(&[&from[..], &["backup", "here.zip", "--without-files"]].concat()).good();
    let backup = ["--database", there, "backup", "there.zip", "--without-files"];
    nil.run(&backup).good();
    let (one, other) = (tallies(&nil.path("here.zip")), tallies(&nil.path("there.zip")));
    if here.starts_with("sqlite:") == there.starts_with("sqlite:") {
        assert_eq!(one, other);
    } else {
        // The columns of the engines have other orders, so that sums differ.
        let rows = |of: &std::collections::BTreeMap<String, storage::moving::Tally>| {
            of.iter().map(|(name, tally)| (name.clone(), tally.rows)).collect::<Vec<_>>()
        };
        assert_eq!(rows(&one), rows(&other));
    }
    nil.run(&["--database", there, "verify"]).good();
}

/// Waits until PostgreSQL keeps the process waiting for the lock.
async fn waits_for_the_lock(db: &Db, process: &mut Child) {
    let waiting = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    while db.read().await.unwrap().value::<i64>(sql(waiting)).await.unwrap() == 0 {
        assert!(process.try_wait().unwrap().is_none(), "it has ended");
        tokio::task::yield_now().await;
    }
}

/// Makes who writes to the table of templates wait for a lock.
const HELD: [&str; 2] = [
    "CREATE FUNCTION held() RETURNS boolean LANGUAGE sql VOLATILE AS \
        'SELECT TRUE FROM (SELECT pg_advisory_xact_lock(77)) held'",
    "ALTER TABLE template ADD CONSTRAINT template_held CHECK (held())",
];

const LET_GO: [&str; 2] =
    ["ALTER TABLE template DROP CONSTRAINT template_held", "DROP FUNCTION held"];

async fn all(db: &Db, statements: [&'static str; 2]) {
    let mut session = db.begin().await.unwrap();
    for statement in statements {
        session.run(sql(statement)).await.unwrap();
    }
    session.commit().await.unwrap();
}

async fn a_copy_to_postgres_that_is_killed_goes_on(engine: Engine) {
    let (nil, here, _database) = many_rows_on(engine).await;
    let to = Unused::on(Engine::Postgres).await;
    let there = to.address();
    all(&to.db, HELD).await;
    let mut holder = to.db.begin().await.unwrap();
    let hold = "SELECT CAST(1 AS BIGINT) FROM pg_advisory_xact_lock(77)";
    assert_eq!(holder.value::<i64>(sql(hold)).await.unwrap(), 1);
    let mut command = nil.command(&["--database", &here, "copy", &there, "--replaces"]);
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    waits_for_the_lock(&to.db, &mut process).await;
    process.kill().unwrap();
    assert_eq!(process.wait().unwrap().signal(), Some(9));
    drop(holder);
    is_closed(&nil, &there);
    all(&to.db, LET_GO).await;
    to.db.close().await;
    goes_on(&nil, &here, &there);
}
both!(a_copy_to_postgres_that_is_killed_goes_on);

/// The process ends by a signal when a file becomes larger than it may be.
async fn a_copy_to_sqlite_that_is_killed_goes_on(engine: Engine) {
    let (nil, here, _database) = many_rows_on(engine).await;
    let database = |name: &str| format!("sqlite:{}", nil.path(name).display());
    let from = ["--database", &here];
    nil.run(&[&from[..], &["copy", &database("whole.db"), "--replaces"]].concat()).good();
    nil.run(&["--database", &database("empty.db"), "migrate"]).good();
    let bytes = |name: &str| nil.path(name).metadata().unwrap().len();
    let blocks = u64::midpoint(bytes("whole.db"), bytes("empty.db")) / 512;
    let there = database("there.db");
    let script = "ulimit -S -f \"$0\"; ulimit -c 0; exec \"$@\"";
    let ended = std::process::Command::new("/bin/sh")
        .args(["-c", script, &blocks.to_string(), crate::nil::NIL])
        .args([&from[..], &["copy", &there, "--replaces"]].concat())
        .current_dir(&nil.folder)
        .env_clear()
        .output()
        .unwrap();
    assert_eq!(ended.status.signal(), Some(25), "{}", String::from_utf8_lossy(&ended.stderr));
    is_closed(&nil, &there);
    goes_on(&nil, &here, &there);
}
both!(a_copy_to_sqlite_that_is_killed_goes_on);

/// People see what becomes of each table.
#[test]
fn a_copy_says_what_it_does() {
    let nil = Nil::alone();
    nil.run(&["migrate"]).good();
    let there = format!("sqlite:{}", nil.path("there.db").display());
    let ended = nil.run(&["copy", &there]).good();
    assert!(ended.stderr.contains("\ntemplate: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("All rows are there."), "{}", ended.stderr);
    assert!(!ended.text().contains("an earlier run"), "{}", ended.text());
    assert!(!nil.path("there.db-copy").exists(), "the lock's file is removed");
}
