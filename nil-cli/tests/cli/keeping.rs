//! Backups, restores and copies of the demonstration's year: every row, every file, and every
//! answer are the same afterwards, on either engine.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use nil_core::auth::MasterKey;
use nil_core::catalog::catalog;
use nil_core::keeping::Packed;
use nil_core::operation::{Body, Call, Fields, Reply};
use nil_core::storage::moving::Tally;
use nil_core::storage::sql;
use nil_core::{Config, Platform};
use nil_tests::database::Database;
use nil_tests::{Engine, Unused, both, or_long, trust};
use serde_json::Value;

use crate::nil::Nil;
use crate::served::{Served, p99};
use crate::trial::Trial;

macro_rules! of_users {
    ($kind:literal) => {
        concat!(
            "SELECT u.email FROM ",
            $kind,
            " p JOIN app_user u ON u.id = p.user_id WHERE u.status = 'active' ORDER BY p.id LIMIT 1"
        )
    };
}

/// The callers, each with what finds the first account of its kind.
const CALLERS: [(&str, &str); 6] = [
    ("operator", "SELECT email FROM operator WHERE active ORDER BY id LIMIT 1"),
    ("portal", "SELECT email FROM portal_user WHERE status = 'active' ORDER BY id LIMIT 1"),
    ("partner", of_users!("partner")),
    ("athlete", of_users!("athlete")),
    ("agent", of_users!("agent")),
    ("fan", of_users!("fan")),
];

/// What the tables of a backup come to. The installation's mark is drawn anew by each restore.
pub(crate) fn tallies(file: &Path) -> BTreeMap<String, Tally> {
    let packed = Packed::open(Box::new(File::open(file).unwrap())).unwrap();
    let held = packed.manifest().tables.iter();
    let held = held.filter(|held| held.table.name != "installation");
    held.map(|held| (held.table.name.clone(), held.tally)).collect()
}

async fn platform(nil: &Nil, database: &str) -> Platform {
    let key = std::fs::read_to_string(nil.path("nil-data/secret.key")).unwrap();
    let mut config = Config::new(database.parse().unwrap(), MasterKey::from_hex(&key).unwrap());
    config.data = nil.path("nil-data");
    nil_core::open(config).await.unwrap()
}

/// What each of the demonstration's callers gets from each list, figure and record that needs no
/// input.
async fn answers(nil: &Nil, database: &str) -> BTreeMap<String, Value> {
    let platform = platform(nil, database).await;
    let mut answers = BTreeMap::new();
    for (kind, found) in CALLERS {
        let mut session = platform.db().read().await.unwrap();
        let email: String = session.value(sql(found)).await.unwrap();
        drop(session);
        let caller = platform.vouch_for(kind, &email).await.unwrap();
        for entry in catalog().iter() {
            if entry.admit(&caller).is_err() || entry.writes() || entry.writes_by_get() {
                continue;
            }
            let call = Call {
                principal: caller.clone(),
                fields: Fields::from_object(serde_json::Map::new()),
                key: None,
                strict: false,
                address: None,
                request_id: "comparing".into(),
            };
            let said = match entry.answer(&platform, call).await {
                Ok(Reply { body: Body::Json(body), .. }) => serde_json::from_slice(&body).unwrap(),
                Ok(_) => continue,
                Err(error) => error.to_json("comparing"),
            };
            answers.insert(format!("{} as {kind}", entry.name), said);
        }
    }
    platform.close().await;
    answers
}

/// The same answers, but for what is made anew by each call: places in lists, and the entries that
/// the calls themselves leave in the trail.
fn compare(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) {
    fn masked(value: &Value) -> Value {
        match value {
            Value::Object(fields) => fields
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "next" | "next_page" | "cursor"))
                .map(|(name, value)| (name.clone(), masked(value)))
                .collect(),
            Value::Array(values) => values.iter().map(masked).collect(),
            other => other.clone(),
        }
    }
    assert!(before.len() > 100, "{}", before.len());
    let good = before.values().filter(|answer| answer.get("code").is_none()).count();
    assert!(good > 60, "{good}");
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    // These are made anew by each call, or tell of the calls themselves.
    let anew = ["audit", "ticket", "csrf"];
    let differing: Vec<&String> = before
        .iter()
        .filter(|(name, answer)| masked(answer) != masked(&after[*name]))
        .map(|(name, _)| name)
        .filter(|name| !anew.iter().any(|word| name.contains(word)))
        .collect();
    let shown = differing.first().map(|name| (&before[*name], &after[*name]));
    assert!(differing.is_empty(), "{differing:?}: {shown:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_on_the_other_engine_and_back_gives_every_answer() {
    let nil = Nil::demonstrated();
    let here = format!("sqlite:{}", nil.path("nil-data/nil.db").display());
    let before = answers(&nil, &here).await;
    let postgres = Database::create().await;
    let copied = nil.run(&["copy", &postgres.url, "--json"]).good().json();
    assert!(copied["rows"].as_u64().unwrap() > 10_000, "{copied}");
    assert!(copied["tables"].as_u64().unwrap() > 100, "{copied}");
    compare(&before, &answers(&nil, &postgres.url).await);
    let back = format!("sqlite:{}", nil.path("back.db").display());
    let again = nil.run(&["--database", &postgres.url, "copy", &back, "--json"]).good().json();
    assert_eq!(again["tables"], copied["tables"]);
    compare(&before, &answers(&nil, &back).await);
    // Both are used now, so neither can be filled again.
    nil.run(&["copy", &postgres.url]).refused("unavailable");
    nil.run(&["copy", &back]).refused("unavailable");
    nil.run(&["copy", &here]).misused("the other database is this one");
    nil.run(&["--database", &back, "verify"]).good();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_restored_on_either_engine_and_nothing_is_lost() {
    let nil = Nil::demonstrated();
    nil.run(&["backup", "one.zip"]).good();
    let mode = std::fs::metadata(nil.path("one.zip")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let one = tallies(&nil.path("one.zip"));
    let file = nil.path("one.zip").display().to_string();

    // Without its key, a backup is of no use: nothing is made.
    let other = Nil::on_postgres().await;
    let refused = other.run(&["restore", &file]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("the secret key of this database is not there"),
        "{}",
        refused.stderr
    );
    std::fs::create_dir(other.path("nil-data")).unwrap();
    let key = "nil-data/secret.key";
    std::fs::copy(nil.path(key), other.path(key)).unwrap();
    other.run(&["restore", &file]).good();
    other.run(&["restore", &file]).refused("unavailable");
    other.run(&["backup", "two.zip"]).good();
    let two = tallies(&other.path("two.zip"));
    assert!(one.keys().eq(two.keys()));

    let third = Nil::alone();
    std::fs::create_dir(third.path("nil-data")).unwrap();
    std::fs::copy(nil.path(key), third.path(key)).unwrap();
    let file = other.path("two.zip").display().to_string();
    third.run(&["restore", &file]).good();
    third.run(&["backup", "three.zip"]).good();
    assert_eq!(one, tallies(&third.path("three.zip")));
    for file in objects(&nil) {
        let name = file.strip_prefix(nil.path("nil-data")).unwrap();
        let there = third.path("nil-data").join(name);
        assert_eq!(
            std::fs::read(&file).unwrap(),
            std::fs::read(&there).unwrap(),
            "{}",
            there.display()
        );
    }
    assert!(!objects(&nil).is_empty());
}

/// The files beside a database.
fn objects(nil: &Nil) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for shelf in std::fs::read_dir(nil.path("nil-data/objects")).unwrap() {
        let shelf = shelf.unwrap();
        if shelf.file_name().len() == 2 {
            let all = std::fs::read_dir(shelf.path()).unwrap();
            files.extend(all.map(|file| file.unwrap().path()));
        }
    }
    files
}

/// A program that must succeed; what it prints.
fn program(name: &str, arguments: &[&str]) -> Vec<u8> {
    let ended = Command::new(name).args(arguments).output().unwrap();
    assert!(ended.status.success(), "{name}: {}", String::from_utf8_lossy(&ended.stderr));
    ended.stdout
}

/// `age` is the program whose format it is.
#[test]
fn a_sealed_backup_brings_its_key_and_opens_for_its_recipients_alone() {
    let nil = Nil::alone();
    let operator =
        ["operator", "create", "--email", "ops@nil.example", "--name", "Ops", "--password-stdin"];
    nil.run_reading(&operator, nil_tests::PASSWORD).good();
    let text = |name: &str| nil.path(name).display().to_string();
    for name in ["one.age-key", "two.age-key", "stranger.age-key"] {
        program("age-keygen", &["-o", &text(name)]);
    }
    let public = |name: &str| {
        String::from_utf8(program("age-keygen", &["-y", &text(name)])).unwrap().trim().to_owned()
    };
    let (one, two) = (public("one.age-key"), public("two.age-key"));
    nil.run(&["backup", "sealed.age", "--to", &one, "--to", &two]).good();
    let plain = program("age", &["-d", "-i", &text("two.age-key"), &text("sealed.age")]);
    assert_eq!(&plain[..2], b"PK");
    std::fs::write(nil.path("plain.zip"), plain).unwrap();
    program("age", &["-r", &one, "-o", &text("resealed.age"), &text("plain.zip")]);

    for (file, identity) in [
        ("sealed.age", "one.age-key"),
        ("sealed.age", "two.age-key"),
        ("resealed.age", "one.age-key"),
    ] {
        let other = Nil::alone();
        other.run(&["restore", &text(file)]).misused("the backup is sealed");
        let strange = other.run(&["restore", &text(file), "--identity", &text("stranger.age-key")]);
        assert!(strange.stderr.contains("the file is for another key"), "{}", strange.stderr);
        assert!(!other.path("nil-data").exists());
        other.run(&["restore", &text(file), "--identity", &text(identity)]).good();
        let key = other.path("nil-data/secret.key");
        assert_eq!(
            std::fs::read(nil.path("nil-data/secret.key")).unwrap(),
            std::fs::read(&key).unwrap()
        );
        assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
        other.run(&["operator", "disable", "ops@nil.example"]).refused("last_operator");
    }
    nil.run(&["backup", "plain.zip", "--without-key"]).misused("--to");
    nil.run(&["backup", "x", "--to", "age1nobody"]).misused("is no public key of age");
}

#[test]
fn a_damaged_backup_is_refused_and_leaves_nothing() {
    let nil = Nil::alone();
    nil.run(&["migrate"]).good();
    nil.run(&["backup", "whole.zip"]).good();
    let whole = std::fs::read(nil.path("whole.zip")).unwrap();
    let key = "nil-data/secret.key";
    let before = tallies(&nil.path("whole.zip"));
    let mut refused = 0;
    let damaged = or_long(10, 200);
    for place in (0..whole.len()).step_by(whole.len() / damaged) {
        let mut changed = whole.clone();
        changed[place] ^= 0x10;
        let other = Nil::alone();
        std::fs::create_dir(other.path("nil-data")).unwrap();
        std::fs::copy(nil.path(key), other.path(key)).unwrap();
        std::fs::write(other.path("changed.zip"), changed).unwrap();
        let ended = other.run(&["restore", "changed.zip"]);
        if ended.code == 1 {
            refused += 1;
            // A whole one can be restored afterwards.
            std::fs::write(other.path("whole.zip"), &whole).unwrap();
            other.run(&["restore", "whole.zip"]).good();
        }
        // Some bytes mean nothing to a reader: dates, and names that are twice in the file.
        other.run(&["backup", "restored.zip"]).good();
        assert_eq!(tallies(&other.path("restored.zip")), before, "byte {place}");
    }
    assert!(refused > damaged / 2, "{refused}");
    std::fs::write(nil.path("cut.zip"), &whole[..whole.len() / 2]).unwrap();
    nil.run(&["restore", "cut.zip"]).refused("unavailable");
    nil.run(&["restore", "absent.zip"]);
}

/// How many jobs are timed while no backup is made, in each round.
const TIMED: u64 = 40;

/// Backups while 200 jobs a second are posted: each is whole, balances, and has every job that was
/// acknowledged before it began. `NIL_LONG` makes a hundred. Writers are not held up by it.
async fn backups_under_load(engine: Engine) {
    let rounds = or_long(3, 100);
    let mut trial = Trial::on(engine).await;
    let nil = trial.nil();
    let mut server = Served::start(&nil, &[]);
    let pace = Some(Duration::from_millis(10));
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let title = format!("While backup {round} is made");
        let mut load = trial.writers(&server, &title, 2, pace);
        // The first ones open connections.
        trial.hear(&mut load, 20).await;
        trial.took();
        trial.hear(&mut load, TIMED).await;
        alone.extend(trial.took());
        let name = format!("{round}.zip");
        nil.run(&["backup", &name]).good();
        beside.extend(Trial::overhear(&mut load).await);
        load.stop().await;
        let empty = Unused::on(engine).await;
        empty.db.close().await;
        let restored = trial.nil().with("NIL_DATABASE", &empty.address());
        restored.run(&["restore", &nil.path(&name).display().to_string()]).good();
        trial.all_are_in(&empty.location()).await;
        std::fs::remove_file(nil.path(&name)).unwrap();
    }
    server.process.kill();
    let (before, meanwhile) = (p99(&mut alone), p99(&mut beside));
    // Half of them are answered as ever; a machine with other work may hold up a few.
    let usual = alone[alone.len() / 2].max(Duration::from_millis(10));
    assert!(beside[beside.len() / 2] < 10 * usual, "{usual:?}: {beside:?}");
    trust::tried("R11", "backups", rounds);
    let figure =
        format!("{engine:?}: 99 of 100 writes in {before:.0?}, in {meanwhile:.0?} beside a backup");
    trust::measured("R11", &figure);
}
both!(backups_under_load);

/// A new key, with and without anything that is sealed, and the keys of two servers in two orders.
#[test]
fn a_new_key_takes_the_place_of_the_earlier_one() {
    let nil = Nil::alone();
    nil.run(&["migrate"]).good();
    let key = || std::fs::read_to_string(nil.path("nil-data/secret.key")).unwrap();
    let first = key();
    nil.run(&["key", "rotate"]).good();
    assert_eq!(key().lines().count(), 2);
    let mode = std::fs::metadata(nil.path("nil-data/secret.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // Nothing is sealed yet, so the earlier key can go at once.
    nil.run(&["key", "forget"]).good();
    assert_eq!(key().lines().count(), 1);
    nil.run(&["verify"]).good();

    nil.run(&["key", "rotate"]).good();
    let (new, old) =
        (key().lines().next().unwrap().to_owned(), key().lines().nth(1).unwrap().to_owned());
    let other = |keys: &str| {
        let database = format!("sqlite:{}", nil.path("nil-data/nil.db").display());
        Nil::alone().with("NIL_DATABASE", &database).with("NIL_SECRET_KEY", keys)
    };
    other(&format!("{old},{new}")).run(&["verify"]).good();
    nil.run(&["key", "reseal"]).good();
    other(&format!("{old},{new}")).run(&["verify"]).good();
    other(&new).run(&["verify"]).good();
    other(&old).run(&["verify"]).refused("unavailable");
    other(first.trim()).run(&["verify"]).refused("unavailable");
    other(&new).run(&["key", "rotate"]).misused("NIL_SECRET_KEY");
}
