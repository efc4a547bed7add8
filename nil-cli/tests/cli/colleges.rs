//! `nil college`.

use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

use crate::nil::Nil;

async fn colleges_are_listed_created_and_changed(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let save = |more: &[&str]| nil.run(&[&["college", "save", "--json"], more].concat());
    let new = ["--name", "Lakeshore State", "--division", "D1", "--state", "il"];
    let zone = ["--time-zone", "America/Chicago", "--email-domains", "a.example,b.example"];
    let made = save(&[&new[..], &zone].concat()).good().json();
    assert_eq!((&made["slug"], &made["state"]), (&json!("lakeshore-state"), &json!("IL")));
    assert_eq!(made["email_domains"], json!(["a.example", "b.example"]));
    assert_eq!((&made["short_name"], &made["listed"]), (&json!("Lakeshore State"), &json!(true)));

    let id = made["id"].to_string();
    let changed = save(&["lakeshore-state", "--conference", "Great Lakes", "--listed", "false"]);
    let changed = changed.good().json();
    assert_eq!(
        (&changed["conference"], &changed["listed"]),
        (&json!("Great Lakes"), &json!(false))
    );
    for field in ["id", "name", "slug", "division", "state", "time_zone", "email_domains"] {
        assert_eq!(changed[field], made[field], "{field}");
    }
    let renamed = save(&[&id, "--slug", "lakeshore", "--name", "Lakeshore University"]).good();
    assert_eq!(renamed.json()["slug"], "lakeshore");

    let second = ["--name", "Lakeshore", "--division", "D2", "--state", "IL", "--time-zone", "UTC"];
    let taken = save(&second).refused("duplicate");
    assert_eq!(taken.stderr, "error: duplicate: Another college has this slug.\n");
    save(&["lakeshore-state", "--state", "IL"]).refused("not_found");
    save(&["999999", "--state", "IL"]).refused("not_found");

    let nothing: [&str; 0] = [];
    let lacking = save(&nothing).refused("validation_failed").stderr;
    for field in ["name", "division", "state", "time_zone"] {
        assert!(lacking.contains(&format!("\n  {field}: is required")), "{lacking}");
    }
    let wrong =
        save(&["lakeshore", "--division", "D9", "--state", "Illinois", "--listed", "maybe"]);
    let wrong = wrong.refused("validation_failed").stderr;
    for field in ["division: must be one of", "state: must be at most 2", "listed: must be true"] {
        assert!(wrong.contains(&format!("\n  {field}")), "{wrong}");
    }
    let nowhere = save(&["lakeshore", "--state", "ZZ", "--time-zone", "Mars"]);
    let nowhere = nowhere.refused("validation_failed").stderr;
    assert!(nowhere.contains("\n  state: ") && nowhere.contains("\n  time_zone: "), "{nowhere}");

    let list = |more: &[&str]| nil.run(&[&["college", "list"], more].concat()).good();
    let found = list(&["--search", "great lakes", "--json"]).json();
    let names: Vec<&Value> = found.as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["Lakeshore University"], "those that users cannot select too");
    let line = list(&["--search", "LAKESHORE"]).text();
    let expected = format!(
        "{id}\tlakeshore\tLakeshore University\tGreat Lakes\tD1\tIL\tAmerica/Chicago\tno\n"
    );
    assert_eq!(line, expected);
    let audited = format!(
        "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'college' AND subject_id = {id} \
         AND actor = 'host' AND action IN ('created', 'changed')"
    );
    assert_eq!(world.id(&audited).await, 3);
}
both!(colleges_are_listed_created_and_changed);
