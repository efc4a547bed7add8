//! What is printed: for people, for programs that read lines, and for readers that have seen
//! enough.

use std::fs::File;
use std::io::Read as _;

use nil_tests::{Engine, World, a_job, both};
use serde_json::json;

use crate::nil::Nil;

#[test]
fn a_reader_that_has_seen_enough_ends_a_command_quietly() {
    let nil = Nil::alone();
    let script = ["completions", "elvish"];
    for arguments in [&["ops"][..], &["ops", "--json"], &["openapi", "core"], &script, &["man"]] {
        let mut child = nil.command(arguments).spawn().unwrap();
        // A little is read, so that it prints; the rest does not fit into the pipe.
        child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_printed_is_an_error() {
    let nil = Nil::alone();
    for arguments in [&["ops"][..], &["completions", "bash"], &["demo", "--json"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = nil.command(arguments).stdout(full).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains("error: standard output: No space left"), "{errors}");
    }
}

async fn a_list_has_the_columns_that_tell_most(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    let job = world
        .open_job(&brand, json!({ "title": "A reel of Friday", "description": "Our\tvest." }))
        .await;
    let nil = Nil::beside(&world);
    let who = format!("partner:{}", brand.email);
    let posted = |more: &[&str]| {
        let list = ["core", "job", "posted", "--as", &who];
        nil.run(&[&list[..], more].concat())
    };
    let lines = posted(&[]).good().text();
    let cells: Vec<&str> = lines.trim_end().split('\t').collect();
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert_eq!(cells.len(), 7, "{lines}");
    assert_eq!(cells[..2], [&*job.to_string(), "A reel of Friday"], "{lines}");
    assert!(cells.contains(&"open"), "{lines}");
    let wide = posted(&["--wide"]).good().text();
    assert!(wide.trim_end().split('\t').count() > 12, "{wide}");
    let told = posted(&["--columns", "id,description"]).good().text();
    assert_eq!(told, format!("{job}\tOur vest.\n"), "tabs part cells");
    let named = posted(&["--columns", "status,id,usage_rights.territory"]).good().text();
    assert_eq!(named, format!("open\t{job}\tUS\n"));
    let amount = posted(&["--columns", "amount,amount_cents"]).good().text();
    assert_eq!(amount, "50000\t50000\n", "programs read cents");
    posted(&["--columns", "status,price"])
        .misused("there is no column `price`; there are amount_cents, ");
    posted(&["--columns", "id", "--wide"]).misused("cannot be used with");
    let nothing = nil.run(&["core", "job", "posted", "--as", &who, "--page", "2"]).good();
    assert_eq!(nothing.text(), "", "nothing is no line");
}
both!(a_list_has_the_columns_that_tell_most);

#[test]
fn nobody_needs_to_read_the_errors() {
    let nil = Nil::alone();
    for arguments in [&["nonsense"][..], &["verify"], &["call", "core.no.such"], &["ops", "x", "y"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = nil.command(arguments).stderr(writer).status().unwrap();
        let expected = if arguments == ["verify"] { 1 } else { 2 };
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    // The log is on standard error too.
    let run = nil.with("NIL_LOG", "trace");
    assert!(run.command(&["worker", "--once"]).stderr(writer).status().unwrap().success());
}

#[test]
fn the_manual_says_how_commands_end_and_where_files_are() {
    let nil = Nil::alone();
    let page = nil.run(&["man"]).good().text();
    for section in ["EXAMPLES", "FILES", "\"EXIT STATUS\"", "OPTIONS", "SUBCOMMANDS"] {
        assert!(page.contains(&format!(".SH {section}")), "{section}: {page}");
    }
    nil.run(&["man", "--to", "pages"]).good();
    let page = std::fs::read_to_string(nil.path("pages/nil-serve.1")).unwrap();
    assert!(page.contains("secret.key") && !page.contains(".SH EXAMPLES"), "{page}");
}

#[test]
fn the_version_names_the_build() {
    let said = Nil::alone().run(&["--version"]).good().text();
    let words = format!("nil {} (", env!("CARGO_PKG_VERSION"));
    assert!(said.starts_with(&words) && said.trim_end().ends_with(" build)"), "{said}");
}

#[test]
fn a_postgres_that_cannot_be_reached_is_named_with_the_cause() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nil = Nil::alone();
    let address = format!("postgres://nil:hidden@{nobody}/books");
    let ended = nil.run(&["migrate", "--database", &address]).refused("unavailable");
    assert!(ended.stderr.contains(&format!("PostgreSQL, books at {nobody}")), "{}", ended.stderr);
    assert!(ended.stderr.contains("Connection refused"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("hidden"), "{}", ended.stderr);
    let wrong = nil_tests::database::cluster().replacen("/postgres?", "/nowhere?", 1);
    let ended = nil.run(&["migrate", "--database", &wrong]).refused("unavailable");
    assert!(ended.stderr.contains("database \"nowhere\" does not exist"), "{}", ended.stderr);
    assert!(!nil.path("nil-data").exists(), "no key is made for what is not there");
}

#[test]
fn another_users_folder_is_told() {
    let nil = Nil::alone();
    let is_root = std::os::unix::fs::chown(&nil.folder, Some(12_345), None).is_ok();
    let folder = if is_root { nil.folder.display().to_string() } else { "/".to_owned() };
    let told = |folder: &str| {
        let database = format!("sqlite:{}", nil.path("x.db").display());
        nil.run(&["api-key", "list", "--data", folder, "--database", &database]).stderr
    };
    std::fs::write(nil.path("x.db"), "").unwrap();
    let said = told(&folder);
    assert!(said.contains("belongs to") && said.contains("this runs as"), "{said}");
    let own = nil.path("own");
    std::fs::create_dir(&own).unwrap();
    let said = told(&own.display().to_string());
    assert!(!said.contains("belongs to"), "{said}");
}

async fn the_audit_trail_names_who_calls_by_hand(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    let nil = Nil::beside(&world).with("SSH_CONNECTION", "203.0.113.9 50000 192.0.2.1 22");
    let who = format!("partner:{}", brand.email);
    let job = a_job(json!({ "title": "A reel" })).to_string();
    nil.run(&["call", "core.job.save", "--as", &who, "--input", &job]).good();
    let entries =
        nil.run(&["audit", "list", "--operation", "core.job.save", "--json"]).good().json();
    let address = entries[0]["address"].as_str().unwrap();
    let (user, rest) = address.split_once('@').unwrap();
    assert!(!user.is_empty() && rest.ends_with(" from 203.0.113.9"), "{address}");
    assert_eq!(entries[0]["actor"], format!("partner:{}", brand.id));
}
both!(the_audit_trail_names_who_calls_by_hand);
