//! What is printed: for people, for programs that read lines, and for readers that have seen enough.

use std::fs::File;
use std::io::Read as _;

use nil_tests::{Engine, World, both};
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
    let job = world.open_job(&brand, json!({ "title": "A reel\tof Friday" })).await;
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
    assert_eq!(cells[..2], [&*job.to_string(), "A reel of Friday"], "tabs part cells: {lines}");
    assert!(cells.contains(&"open"), "{lines}");
    let wide = posted(&["--wide"]).good().text();
    assert!(wide.trim_end().split('\t').count() > 12, "{wide}");
    let named = posted(&["--columns", "status,id,usage_rights.territory"]).good().text();
    assert_eq!(named, format!("open\t{job}\tUS\n"));
    posted(&["--columns", "status,price"])
        .misused("there is no column `price`; there are amount_cents, ");
    posted(&["--columns", "id", "--wide"]).misused("cannot be used with");
    let nothing = nil.run(&["core", "job", "posted", "--as", &who, "--page", "2"]).good();
    assert_eq!(nothing.text(), "", "nothing is no line");
}
both!(a_list_has_the_columns_that_tell_most);
