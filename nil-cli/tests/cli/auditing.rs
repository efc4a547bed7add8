//! `nil audit`.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

use crate::nil::{Ended, Nil};

/// Makes some entries of the audit trail, by the host.
fn make_colleges(nil: &Nil, names: &[&str]) {
    for name in names {
        let new = ["college", "save", "--name", name, "--division", "D1", "--state", "IL"];
        nil.run(&[&new[..], &["--time-zone", "America/Chicago"]].concat()).good();
    }
}

async fn some_entries(engine: Engine) -> (World, Nil) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    make_colleges(&nil, &["Lakeshore State", "Ridge College", "Harbor University"]);
    (world, nil)
}

fn check(nil: &Nil, more: &[&str]) -> Ended {
    nil.run(&[&["audit", "check", "--json"], more].concat())
}

fn prove(nil: &Nil, file: &str, more: &[&str]) -> Ended {
    nil.run(&[&["audit", "prove", "--json", "--file", file], more].concat())
}

async fn the_trail_is_listed_by_filters(engine: Engine) {
    let (world, nil) = some_entries(engine).await;
    let list = |more: &[&str]| nil.run(&[&["audit", "list"], more].concat());
    let listed = |more: &[&str]| match list(&[more, &["--json"]].concat()).good().json() {
        Value::Array(entries) => entries,
        other => panic!("{other}"),
    };
    let colleges = listed(&["--subject", "college", "--action", "created", "--actor", "host"]);
    let ids: Vec<i64> = colleges.iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert!(ids.len() == 3 && ids.is_sorted_by(|one, next| one > next), "{ids:?}");
    let second = &colleges[1];
    let about = format!("college:{}", second["subject_id"]);
    assert_eq!(listed(&["--subject", &about]), colleges[1..2]);
    let operation = second["operation"].as_str().unwrap();
    assert_eq!(listed(&["--operation", operation, "--limit", "2"]), colleges[..2]);
    assert_eq!(listed(&["--operation", operation, "--before", &ids[1].to_string()]), colleges[2..]);
    assert!(listed(&["--actor", "operator:1"]).is_empty());
    let today = &second["at"].as_str().unwrap()[..10];
    assert!(listed(&["--subject", &about, "--from", today]).len() == 1);
    assert!(listed(&["--subject", &about, "--until", "2020-01-01"]).is_empty());

    let line = list(&["--subject", &about]).good().text();
    let cells: Vec<&str> = line.trim_end_matches('\n').split('\t').collect();
    let subject = second["subject_id"].to_string();
    let id = ids[1].to_string();
    assert_eq!(
        [cells[0], cells[2], cells[4], cells[5], cells[6]],
        [&id, "host", "created", "college", &subject]
    );
    assert_eq!(list(&["--subject", &about, "--columns", "actor"]).good().text(), "host\n");

    let wrong = list(&["--subject", "college:x", "--from", "yesterday", "--limit", "0"]);
    let wrong = wrong.refused("validation_failed").stderr;
    for field in ["subject_id", "from", "limit"] {
        assert!(wrong.contains(&format!("\n  {field}: ")), "{wrong}");
    }
    list(&["--from", "2026-02-01", "--until", "2026-01-01"]).refused("validation_failed");
    drop(world);
}
both!(the_trail_is_listed_by_filters);

async fn a_changed_entry_is_found_at_its_position(engine: Engine) {
    let (world, nil) = some_entries(engine).await;
    let before = check(&nil, &[]).good().json();
    assert_eq!(before["length"], 0);
    assert_eq!((&before["head"], &before["broken_at"]), (&Value::Null, &Value::Null));
    let unsealed = before["unsealed"].as_i64().unwrap();
    assert_eq!(unsealed, world.id("SELECT COUNT(*) FROM audit_entry").await);
    nil.run(&["worker", "--once"]).good();
    let sealed = check(&nil, &[]).good().json();
    let length = sealed["length"].as_i64().unwrap();
    assert!(length >= 3 && sealed["unsealed"] == 0, "{sealed}");
    let head = sealed["head"].as_str().unwrap();
    assert!(head.starts_with(&format!("{length}:")), "{head}");
    let text = nil.run(&["audit", "check", "--head", head]).good().text();
    for told in ["The chain holds.", head, "entries that are not sealed yet: 0", "It contains"] {
        assert!(text.contains(told), "{text}");
    }

    let place = "SELECT s.position FROM audit_seal s JOIN audit_entry a ON a.id = s.audit_id \
                 WHERE a.subject_kind = 'college' ORDER BY s.position DESC LIMIT 1";
    let position = world.id(place).await;
    let one = format!("(SELECT audit_id FROM audit_seal WHERE position = {position})");
    world.script(&format!("UPDATE audit_entry SET actor = 'operator:1' WHERE id = {one}")).await;
    let broken = check(&nil, &["--head", head]);
    assert_eq!(broken.code, 1);
    let found = broken.json();
    assert_eq!((&found["broken_at"], &found["length"]), (&json!(position), &json!(position - 1)));
    assert_eq!(found["contains_head"], false);
    let text = nil.run(&["audit", "check"]);
    assert_eq!(text.code, 1);
    let told = format!("The audit trail was changed at position {position}.");
    assert!(text.text().contains(&told), "{}", text.text());
    let books = nil.run(&["verify", "--json"]);
    assert_eq!((books.code, &books.json()["audit_trail_broken_at"]), (1, &json!(position)));

    let refused = prove(&nil, "proof.jsonl", &[]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains(&format!("changed at position {position}")),
        "{}",
        refused.stderr
    );
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0, "no file is left");
    let proved = "SELECT COUNT(*) FROM audit_entry WHERE action = 'proved'";
    assert_eq!(world.id(proved).await, 0);

    world.script(&format!("UPDATE audit_entry SET actor = 'host' WHERE id = {one}")).await;
    check(&nil, &["--head", head]).good();
    world.script("UPDATE audit_seal SET position = position + 1000 WHERE position > 1").await;
    let gap = check(&nil, &[]);
    assert_eq!((gap.code, &gap.json()["broken_at"]), (1, &json!(2)));
}
both!(a_changed_entry_is_found_at_its_position);

async fn a_missing_entry_is_found_also_if_it_was_the_newest(engine: Engine) {
    let (world, nil) = some_entries(engine).await;
    nil.run(&["worker", "--once"]).good();
    let length = check(&nil, &[]).good().json()["length"].as_i64().unwrap();
    let without_references = match engine {
        Engine::Sqlite => "PRAGMA foreign_keys = OFF",
        Engine::Postgres => "SET session_replication_role = replica",
    };
    for position in [length, 2] {
        let one = format!("SELECT audit_id FROM audit_seal WHERE position = {position}");
        let delete = format!("DELETE FROM audit_entry WHERE id = ({one})");
        world.script(&format!("{without_references}; {delete}")).await;
        let found = check(&nil, &[]);
        assert_eq!((found.code, &found.json()["broken_at"]), (1, &json!(position)));
    }
}
both!(a_missing_entry_is_found_also_if_it_was_the_newest);

async fn a_chain_that_was_made_anew_is_found_by_an_earlier_head(engine: Engine) {
    let (world, nil) = some_entries(engine).await;
    nil.run(&["worker", "--once"]).good();
    let head = check(&nil, &[]).good().json()["head"].as_str().unwrap().to_owned();
    let forge = "UPDATE audit_entry SET action = 'changed' WHERE subject_kind = 'college'; \
                 INSERT INTO audit_unsealed (audit_id) SELECT audit_id FROM audit_seal; \
                 DELETE FROM audit_seal";
    world.script(forge).await;
    nil.run(&["worker", "--once"]).good();
    let anew = check(&nil, &[]).good().json();
    assert_ne!(anew["head"], head.as_str());
    let found = check(&nil, &["--head", &head]);
    assert_eq!((found.code, &found.json()["contains_head"]), (1, &json!(false)));
    let text = nil.run(&["audit", "check", "--head", &head]).text();
    assert!(text.contains("The chain holds.") && text.contains("was rewritten"), "{text}");
    prove(&nil, "anew.jsonl", &[]).good();
    let proof = nil.run(&["audit", "verify-proof", "anew.jsonl", "--head", &head]);
    assert_eq!(proof.code, 1, "{}", proof.text());
    nil.run(&["audit", "check", "--head", "7"]).misused("POSITION:HASH");
    let later = format!("1000000:{}", "0".repeat(64));
    assert_eq!(check(&nil, &["--head", &later]).code, 1);
}
both!(a_chain_that_was_made_anew_is_found_by_an_earlier_head);

/// The program of the page.
fn script_of_the_page() -> String {
    let page = include_str!("../../../docs/audit-proof.md");
    let (_, script) = page.split_once("```python\n").expect("a block");
    let (script, _) = script.split_once("```").expect("its end");
    assert!(script.lines().count() <= 25, "short enough to read");
    script.to_owned()
}

/// Whether the command and the program of the page, in a folder without data, agree that these
/// lines are a proof.
fn is_proof(elsewhere: &Nil, lines: &[String]) -> bool {
    let file = elsewhere.path("checked.jsonl");
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    std::fs::write(&file, text).unwrap();
    let ended = elsewhere.run(&["audit", "verify-proof", "checked.jsonl"]);
    let by_page = by_page(&file, &[]);
    assert_eq!(ended.code == 0, by_page, "{}{}", ended.text(), ended.stderr);
    assert!(ended.code == 0 || ended.text().starts_with("The proof is wrong. Line "));
    by_page
}

fn by_page(file: &Path, heads: &[&str]) -> bool {
    let mut python = Command::new("python3");
    python.args(["-I", "-c", &script_of_the_page()]).arg(file).args(heads);
    let ended = python.output().expect("python3");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(!told.contains("Traceback"), "{told}");
    ended.status.success()
}

async fn a_proof_is_checked_without_the_database(engine: Engine) {
    let (world, nil) = some_entries(engine).await;
    let written = prove(&nil, "proof.jsonl", &[]).good().json();
    let length = written["proof"]["until"].as_i64().unwrap();
    assert!(length >= 3, "{written}");
    let path = nil.path("proof.jsonl");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{mode:o}");
    let text = std::fs::read_to_string(&path).unwrap();
    let good: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(good.len(), usize::try_from(length).unwrap() + 1);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'proved' AND actor = 'host' \
                 AND operation = 'operation::proof::write'";
    assert_eq!(world.id(noted).await, 1);
    let taken = prove(&nil, "proof.jsonl", &[]);
    assert!(taken.code == 1 && taken.stderr.contains("is there already"), "{}", taken.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 1, "nothing else is left");
    assert_eq!(world.id(noted).await, 1);

    let elsewhere = Nil::alone();
    assert!(is_proof(&elsewhere, &good));
    let said = elsewhere.run(&["audit", "verify-proof", "checked.jsonl"]).good().text();
    let head = format!("{length}:{}", written["proof"]["head"].as_str().unwrap());
    assert_eq!(said, format!("The proof holds: links 1 to {length}, head {head}.\n"));
    assert_eq!(std::fs::read_dir(&elsewhere.folder).unwrap().count(), 1, "no data is made");
    assert!(by_page(&path, &[&head]) && !by_page(&path, &["1:0"]));
    let with =
        |head: &str| elsewhere.run(&["audit", "verify-proof", "checked.jsonl", "--head", head]);
    with(&head).good();
    assert_eq!(with(&format!("1:{}", "0".repeat(64))).code, 1);

    let changed = |index: usize, old: &str, new: &str| {
        let mut lines = good.clone();
        assert!(lines[index].contains(old), "{}", lines[index]);
        lines[index] = lines[index].replacen(old, new, 1);
        lines
    };
    let last = good.len() - 1;
    let hash = head.split_once(':').unwrap().1;
    assert!(!is_proof(&elsewhere, &changed(last, "\\\"host\\\"", "\\\"guest\\\"")), "an entry");
    assert!(!is_proof(&elsewhere, &changed(last, hash, &"0".repeat(64))), "a hash");
    assert!(!is_proof(&elsewhere, &changed(0, hash, &"0".repeat(64))), "the head");
    assert!(!is_proof(&elsewhere, &changed(0, "\"from\":1", "\"from\":2")), "the beginning");
    assert!(!is_proof(&elsewhere, &good[..last]), "the end is missing");
    assert!(!is_proof(&elsewhere, &[&good[..2], &good[3..]].concat()), "a line is missing");
    let mut swapped = good.clone();
    swapped.swap(1, 2);
    assert!(!is_proof(&elsewhere, &swapped), "two lines are swapped");
    assert!(!is_proof(&elsewhere, &[&good[..], &good[last..]].concat()), "a line is doubled");
}
both!(a_proof_is_checked_without_the_database);

async fn a_part_is_proved_and_later_entries_stay_unsealed(engine: Engine) {
    let (world, nil) = some_entries(engine).await;
    let whole = prove(&nil, "whole.jsonl", &[]).good().json();
    let length = whole["proof"]["until"].as_i64().unwrap();
    let unsealed = check(&nil, &[]).good().json()["unsealed"].as_i64().unwrap();
    assert_eq!(unsealed, 1, "the entry about the proof");
    let part = prove(&nil, "part.jsonl", &["--from", "2", "--until", "3"]).good().json();
    assert_eq!((&part["proof"]["from"], &part["proof"]["until"]), (&json!(2), &json!(3)));
    let after = check(&nil, &[]).good().json();
    assert_eq!((&after["length"], &after["unsealed"]), (&json!(length), &json!(2)));
    let lines = |name: &str| std::fs::read_to_string(nil.path(name)).unwrap();
    let of_part: Vec<String> = lines("part.jsonl").lines().map(str::to_owned).collect();
    let of_whole: Vec<String> = lines("whole.jsonl").lines().map(str::to_owned).collect();
    assert_eq!(of_part[1..], of_whole[2..4]);
    assert!(is_proof(&Nil::alone(), &of_part));

    let piped = nil.run(&["audit", "prove", "--file", "-", "--from", "3"]).good().text();
    let piped: Vec<String> = piped.lines().map(str::to_owned).collect();
    assert_eq!(piped.len(), usize::try_from(length + 2 - 3 + 1).unwrap() + 1);
    assert!(is_proof(&Nil::alone(), &piped));
    assert_eq!(check(&nil, &[]).good().json()["length"], length + 2, "it sealed all before it");

    for (from, until) in [("0", "2"), ("3", "2"), ("1", "0"), ("1", "1000000"), ("1000000", "2")] {
        let more = ["--from", from, "--until", until];
        prove(&nil, "wrong.jsonl", &more).refused("validation_failed");
    }
    let nowhere = prove(&nil, "nowhere/proof.jsonl", &[]);
    assert!(nowhere.code == 1 && nowhere.stderr.contains("nowhere"), "{}", nowhere.stderr);
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 2, "the two proofs");
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'proved'";
    assert_eq!(world.id(noted).await, 3);
}
both!(a_part_is_proved_and_later_entries_stay_unsealed);
