//! The data in the hands of other tools: Debian's `sqlite3` on the file, and the backups of
//! `docs/operating.md`.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use nil_tests::PASSWORD;
use nil_tests::database::Database;

use crate::nil::{NIL, Nil};

/// What `sqlite3` prints for a script, which must run without an error.
fn sqlite3(file: &Path, script: &str) -> String {
    let ended = Command::new("sqlite3").arg("-bail").arg(file).arg(script).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.is_empty(), "{script}\n{said}");
    String::from_utf8(ended.stdout).unwrap()
}

const ATHLETES: &str = "500";

fn seeded() -> Nil {
    let nil = Nil::alone();
    let size = ["--athletes", ATHLETES, "--jobs", "60", "--transactions", "400"];
    let ask = [&["seed", "--password-stdin", "--json"][..], &size].concat();
    nil.run_reading(&ask, &format!("{PASSWORD}\n")).good();
    nil
}

/// Debian 12 has SQLite 3.40, which does not even read a schema with newer syntax in it.
#[test]
fn the_sqlite_of_debian_reads_the_file() {
    let nil = seeded();
    let file = nil.path("nil-data/nil.db");
    assert_eq!(sqlite3(&file, "PRAGMA integrity_check; PRAGMA foreign_key_check"), "ok\n");
    assert_eq!(sqlite3(&file, "SELECT COUNT(*) FROM athlete_searchable"), format!("{ATHLETES}\n"));
    let names = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' \
                 AND name NOT GLOB '*_text*' AND sql NOT LIKE '%fold_%'";
    let names = sqlite3(&file, names);
    assert!(names.lines().count() > 100, "{names}");
    // What is compiled includes the triggers, so it names each function that this version lacks.
    // Those that keep searches have functions of `nil`, so no other tool writes there.
    let looked = names
        .lines()
        .map(|name| format!("SELECT COUNT(*) FROM (SELECT * FROM \"{name}\" LIMIT 1)"));
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'";
    let tables = sqlite3(&file, tables);
    let written = tables.lines().flat_map(|name| {
        [
            format!("EXPLAIN INSERT INTO \"{name}\" DEFAULT VALUES"),
            format!("EXPLAIN DELETE FROM \"{name}\""),
        ]
    });
    sqlite3(&file, &looked.collect::<Vec<_>>().join(";"));
    let (mut compiled, mut ours) = (0, 0);
    for statement in written {
        let ended = Command::new("sqlite3").arg(&file).arg(&statement).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        // This version does not know the format in which full-text tables overwrite what is
        // deleted.
        if said.contains("invalid fts5 file format (found 5") {
            ours += 1;
        } else if let Some((_, name)) = said.split_once("no such function: ") {
            assert!(name.starts_with("fold_"), "{statement}\n{said}");
            ours += 1;
        } else {
            assert!(ended.status.success() && said.is_empty(), "{statement}\n{said}");
            compiled += 1;
        }
    }
    assert!(compiled > 200 && ours > 0, "{compiled} and {ours}");
}

#[test]
fn data_is_private() {
    let nil = seeded();
    // A folder that somebody made before `nil` stays as it is; what `nil` writes into it is
    // private.
    let open = nil.path("open");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, Permissions::from_mode(0o755)).unwrap();
    nil.run(&["--data", "open", "migrate"]).good();
    for (path, mode) in [
        ("nil-data", 0o700),
        ("nil-data/nil.db", 0o600),
        ("nil-data/secret.key", 0o600),
        ("open", 0o755),
        ("open/nil.db", 0o600),
        ("open/secret.key", 0o600),
    ] {
        let found = std::fs::metadata(nil.path(path)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{path}: {found:o}");
    }
}

/// The commands of the first console block under a heading, each with the lines that continue it.
fn commands(heading: &str) -> String {
    let page = include_str!("../../../docs/operating.md");
    let (_, section) = page.split_once(&format!("\n{heading}\n")).expect("the heading");
    let (_, block) = section.split_once("```console\n").expect("a block");
    let (block, _) = block.split_once("```").expect("its end");
    let lines: Vec<&str> =
        block.lines().map(|line| line.strip_prefix("$ ").unwrap_or(line)).collect();
    lines.join("\n")
}

fn shell(nil: &Nil, environment: &[(&str, &str)], script: &str) {
    let programs = Path::new(NIL).parent().unwrap().display();
    let postgres = std::env::var("NIL_TEST_POSTGRES_BIN").unwrap_or_default();
    let path = std::env::var("PATH").unwrap();
    let ended = Command::new("/bin/sh")
        .args(["-e", "-u", "-c", script])
        .current_dir(&nil.folder)
        .env_clear()
        .env("PATH", format!("{programs}:{postgres}:{path}"))
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{script}\n{said}");
}

/// The object of a file beside the database.
const OBJECT: &str =
    "nil-data/objects/ab/abababababababababababababababababababababababababababababababab";

fn with_an_object(nil: &Nil) {
    let object = nil.path(OBJECT);
    std::fs::create_dir_all(object.parent().unwrap()).unwrap();
    std::fs::write(object, "a contract").unwrap();
}

#[test]
fn a_backup_of_sqlite_made_by_the_page_is_restored_by_the_page() {
    let nil = seeded();
    with_an_object(&nil);
    shell(&nil, &[], &commands("### Back up SQLite"));
    std::fs::remove_dir_all(nil.path("nil-data")).unwrap();
    shell(&nil, &[], &commands("### Restore SQLite"));
    assert_eq!(std::fs::read(nil.path(OBJECT)).unwrap(), b"a contract");
    let athletes = sqlite3(&nil.path("nil-data/nil.db"), "SELECT COUNT(*) FROM athlete");
    assert_eq!(athletes, format!("{ATHLETES}\n"));
}

#[tokio::test]
async fn a_backup_of_postgres_made_by_the_page_is_restored_by_the_page() {
    let nil = Nil::on_postgres().await;
    let operator =
        ["operator", "create", "--email", "ops@nil.example", "--name", "Ops", "--password-stdin"];
    nil.run_reading(&operator, PASSWORD).good();
    with_an_object(&nil);
    shell(&nil, &[("NIL_DATABASE", &nil.address())], &commands("### Back up PostgreSQL"));
    std::fs::remove_dir_all(nil.path("nil-data")).unwrap();
    let empty = Database::create().await;
    shell(&nil, &[("NIL_DATABASE", &empty.url)], &commands("### Restore PostgreSQL"));
    let ended = nil.run(&["--database", &empty.url, "operator", "disable", "ops@nil.example"]);
    ended.refused("last_operator");
    assert_eq!(std::fs::read(nil.path(OBJECT)).unwrap(), b"a contract");
}

#[test]
fn an_upgrade_checks_migrates_and_verifies() {
    let nil = seeded();
    shell(&nil, &[], &commands("## Upgrade"));
}
