//! One message names every field that is wrong, each on a line of its own.

use nil_tests::{Engine, World, both};

use crate::nil::{Ended, Nil};

#[track_caller]
fn names(refused: &Ended, fields: &[&str]) {
    let lines: Vec<&str> = refused.stderr.lines().skip(1).collect();
    assert_eq!(lines, fields, "{}", refused.stderr);
}

async fn every_wrong_field_is_named(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    let nil = Nil::beside(&world);
    let who = format!("partner:{}", brand.email);
    let flags = [
        "core",
        "job",
        "save",
        "--as",
        &who,
        "--slots",
        "few",
        "--starts-on",
        "tomorrow",
        "--amount-cents",
        "$500",
        "--compensation",
        "coins",
        "--ends-on",
        "21.11.2026",
    ];
    let expected = [
        "  amount_cents: must be an integer",
        "  business_purpose: is required for a new record",
        "  category_id: is required for a new record",
        "  compensation: must be one of: cash, product, service, mixed, royalty, commission",
        "  description: is required for a new record",
        "  ends_on: must be a date such as 2026-11-21",
        "  milestones: is required for a new record",
        "  slots: must be an integer",
        "  starts_on: must be a date such as 2026-11-21",
        "  title: is required for a new record",
    ];
    names(&nil.run(&flags).refused("validation_failed"), &expected);
    let pairs = [
        "call",
        "core.job.save",
        "--as",
        &who,
        "slots=few",
        "starts_on=tomorrow",
        "amount_cents=$500",
        "compensation=coins",
        "ends_on=21.11.2026",
    ];
    names(&nil.run(&pairs).refused("validation_failed"), &expected);
    let nothing = ["core", "application", "hire", "--as", &who];
    names(&nil.run(&nothing).refused("validation_failed"), &["  id: is required"]);
    let member = ["core", "auth", "log-in"];
    let lacking = ["  email: is required", "  password: is required"];
    names(&nil.run(&member).refused("validation_failed"), &lacking);
    names(&nil.run(&["call", "core.auth.log_in"]).refused("validation_failed"), &lacking);
    let me = ["call", "core.auth.me", "--as", &who, "one", "two"];
    let both = "error: `one` is not FIELD=VALUE\n  `two` is not FIELD=VALUE\n";
    assert_eq!(nil.run(&me).misused("`one`").stderr, both);

    let path = ["call", "core.contract.download_as_agent", "--url", "http://127.0.0.1:9"];
    nil.run(&path).misused("the path needs athlete_id=…, job_id=…");

    let create = ["operator", "create", "--email", "nobody", "--name", " ", "--password-stdin"];
    let wrong = nil.run_reading(&create, "short").refused("validation_failed").stderr;
    for field in ["email", "name", "password"] {
        assert!(wrong.contains(&format!("\n  {field}: ")), "{wrong}");
    }
    let scopes = ["api-key", "create", "--name", "x", "--scopes", "everything,internal,all"];
    let wrong = nil.run(&scopes).misused("`everything`").stderr;
    assert!(wrong.contains("`all`"), "{wrong}");
    // What the grammar itself finds missing.
    let wrong = nil.run(&["api-key", "create"]).misused("--name").stderr;
    assert!(wrong.contains("--scopes"), "{wrong}");
}
both!(every_wrong_field_is_named);
