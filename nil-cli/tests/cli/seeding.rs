//! `nil seed`: what it says, what it makes, what it refuses.

use serde_json::{Value, json};

use nil_tests::{PASSWORD, is_long, or_long};

use crate::nil::Nil;

#[test]
fn the_help_says_what_is_made() {
    let help = Nil::alone().run(&["seed", "--help"]).good();
    insta::assert_snapshot!("help_seed", help.text());
}

#[test]
fn sizes_have_limits() {
    let nil = Nil::alone();
    nil.run(&["seed", "--scale", "0"]).misused("is not in 1..=100");
    nil.run(&["seed", "--scale", "101"]).misused("is not in 1..=100");
    nil.run(&["seed", "--transactions", "many"]).misused("invalid digit");
    let short =
        nil.run_reading(&["seed", "--password-stdin"], "short").refused("validation_failed");
    assert!(short.stderr.contains("  password: "), "{}", short.stderr);
}

#[test]
fn a_world_is_made_once_and_its_accounts_log_in() {
    let nil = Nil::alone();
    let sizes: &[&str] = if is_long() { &[] } else { &["--athletes", "600", "--jobs", "120"] };
    let ask = ["seed", "--transactions", "400", "--password-stdin", "--json"];
    let ask = [&ask, sizes].concat();
    let made = nil.run_reading(&ask, &format!("{PASSWORD}\n")).good();
    assert_eq!(made.stderr, "", "no progress beside JSON");
    let made = made.json();
    let expected = json!({
        "institutions": 130, "athletes": or_long(600, 10_000), "brands": 2_000,
        "jobs": or_long(120, 2_000),
        "transactions": 400,
    });
    assert_eq!((&made["made"], &made["password"]), (&expected, &Value::Null));
    let accounts = made["accounts"].as_array().unwrap();
    assert_eq!(accounts.len(), 4);
    for (account, name) in accounts.iter().zip([
        "core.auth.log_in",
        "core.auth.log_in",
        "compliance.auth.log_in",
        "admin.auth.log_in",
    ]) {
        let input = json!({ "email": account["email"], "password": PASSWORD }).to_string();
        nil.run(&["call", name, "--json", "--input", &input]).good();
    }
    nil.run(&["verify"]).good();
    nil.run(&["seed"]).refused("duplicate");
}

#[test]
fn people_see_what_was_made_and_the_password_once() {
    let nil = Nil::alone();
    let made =
        nil.run(&["seed", "--athletes", "40", "--jobs", "9", "--transactions", "0", "--seed", "2"]);
    let made = made.good();
    let text = made.text();
    assert!(made.stderr.starts_with("institutions …\nofficers …\n"), "{}", made.stderr);
    assert!(text.contains("operator1000001@seed.example"), "{text}");
    let (_, password) = text.split_once("shown once: ").unwrap();
    assert_eq!(password.lines().next().unwrap().len(), 44);
}

#[test]
fn a_world_has_the_sizes_that_are_asked_for() {
    let nil = Nil::alone();
    let sizes = ["--athletes", "37", "--jobs", "11", "--transactions", "90", "--rng-seed", "3"];
    let made = nil.run(&[&["seed", "--json"][..], &sizes].concat()).good().json()["made"].clone();
    assert_eq!((&made["athletes"], &made["jobs"]), (&json!(37), &json!(11)));
    assert_eq!(made["transactions"], 90);
    nil.run(&["verify"]).good();
    nil.run(&["seed", "--athletes", "0"]).misused("is not in 1..");
}
