//! Commands generated from the catalog, and their manual pages.

use nil_core::catalog::catalog;
use nil_tests::{Engine, World, both};
use serde_json::json;

use crate::nil::Nil;

#[test]
fn every_operation_is_a_command_that_explains_itself() {
    let nil = Nil::alone();
    let help = nil.run(&["core", "job", "save", "--help"]).good();
    insta::assert_snapshot!(help.text());
    for entry in catalog().iter().step_by(9) {
        let words: Vec<String> = entry.name.split('.').map(|w| w.replace('_', "-")).collect();
        let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        arguments.push("--help");
        assert!(nil.run(&arguments).good().text().contains(entry.purpose));
    }
    nil.run(&["core", "job", "saves"]).misused("unrecognized subcommand");
    nil.run(&["core", "job", "save", "--colour", "red"]).misused("unexpected argument");
}

#[test]
fn man_is_told_of_every_command() {
    let nil = Nil::alone();
    assert!(nil.run(&["man"]).good().text().contains(".TH nil 1"));
    nil.run(&["man", "--to", nil.path("man").to_str().unwrap()]).good();
    let page = std::fs::read_to_string(nil.path("man/nil-core-job-save.1")).unwrap();
    assert!(page.contains("create or edit a job"), "{page}");
}

async fn flags_become_the_input_with_its_types(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Lakeside Coffee").await;
    let nil = Nil::beside(&world);
    let caller = format!("partner:{}", brand.email);
    let due = world.platform.now().date_naive() + chrono::Days::new(10);
    let milestone = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
    });
    let milestone = milestone.to_string();
    let saved = nil.run(&[
        "core",
        "job",
        "save",
        "--json",
        "--as",
        &caller,
        "--title",
        "42",
        "--description",
        "A reel.",
        "--category-id",
        "1",
        "--compensation",
        "cash",
        "--amount-cents",
        "25000",
        "--slots",
        "2",
        "--business-purpose",
        "Opening.",
        "--milestones",
        &milestone,
        "--draft",
    ]);
    let job = saved.good().json()["data"].clone();
    assert_eq!((&job["title"], &job["status"]), (&json!("42"), &json!("draft")));
    assert_eq!((&job["slots"], &job["amount_cents"]), (&json!(2), &json!(25000)));

    let id = job["id"].to_string();
    let detail = ["core", "job", "detail", "--as", &caller, "--job-id"];
    assert!(nil.run(&[&detail[..], &[&id]].concat()).good().text().contains("A reel."));
    // A value that cannot be parsed is refused by the operation, which names the field.
    let odd = nil.run(&[&detail[..], &["seven"]].concat()).refused("validation_failed");
    assert!(odd.stderr.contains("job_id"), "{}", odd.stderr);
    // A field with the same name as a flag of every call.
    let reset = ["core", "auth", "confirm-password-reset", "--field-token", "x"];
    let refused = nil.run(&[&reset[..], &["--password", "a long enough passphrase"]].concat());
    assert!(!refused.stderr.contains("unexpected"), "{}", refused.stderr);
}
both!(flags_become_the_input_with_its_types);

async fn features_are_switched_by_a_flag(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let caller = format!("operator:{}", world.chief_operator().await);
    let nil = Nil::beside(&world);
    let save = ["admin", "site", "save-basic", "--json", "--as", &caller, "--feature-flags"];
    let save = |flags: &'static str| nil.run(&[&save[..], &[flags]].concat());
    let saved = save("{\"rosters\": false}").good().json();
    let flags = &saved["data"]["feature_flags"];
    assert_eq!((&flags["rosters"], &flags["services"]), (&json!(false), &json!(true)));
    nil.run(&["core", "roster", "list"]).refused("feature_off");
    let odd = save("{\"fax\": false}").refused("unknown_field");
    assert!(odd.stderr.contains("feature_flags.fax"), "{}", odd.stderr);
    save("{\"rosters\": true}").good();
    nil.run(&["core", "roster", "list"]).good();
}
both!(features_are_switched_by_a_flag);
