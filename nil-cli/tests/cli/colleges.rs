//! `nil college`.

use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

use crate::nil::{Ended, Nil};

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

/// Imports a file with this content.
fn import(nil: &Nil, content: impl AsRef<[u8]>, more: &[&str]) -> Ended {
    std::fs::write(nil.path("colleges.csv"), content).unwrap();
    nil.run(&[&["college", "import", "colleges.csv"], more].concat())
}

/// What happens to each line, by its number and its slug.
fn outcomes(ended: &Ended) -> Vec<(u64, String, String)> {
    let lines = ended.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let lines = lines.as_array().unwrap().iter();
    lines
        .map(|line| (line["line"].as_u64().unwrap(), text(&line["slug"]), text(&line["outcome"])))
        .collect()
}

const HEADER: &str =
    "slug,name,short_name,conference,division,state,time_zone,email_domains,listed\n";

async fn colleges_are_imported_from_a_file(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let before = world.id("SELECT COUNT(*) FROM audit_entry").await;
    let lines = "lakeshore,Lakeshore State,,Great Lakes,D1,il,America/Chicago,a.example; b.example,\n\
                 ridge,\"Ridge, College of\",Ridge,,NAIA,VT,America/New_York,,false\n";
    let both = format!("\u{feff}{HEADER}{lines}");
    let row = |line, slug: &str, outcome: &str| (line, slug.to_owned(), outcome.to_owned());
    let new = [row(2, "lakeshore", "created"), row(3, "ridge", "created")];
    let tried = import(&nil, &both, &["--dry-run", "--json"]).good();
    assert_eq!(outcomes(&tried), new);
    let colleges = "SELECT COUNT(*) FROM college WHERE slug IN ('lakeshore', 'ridge')";
    assert_eq!(world.id(colleges).await, 0, "a dry run writes nothing");
    assert_eq!(world.id("SELECT COUNT(*) FROM audit_entry").await, before);

    let made = import(&nil, &both, &[]).good();
    assert_eq!(made.text(), "2\tlakeshore\tcreated\n3\tridge\tcreated\n");
    let find = |slug: &str| {
        let found = nil.run(&["college", "list", "--json", "--search", slug]).good().json();
        found[0].clone()
    };
    let lakeshore = find("lakeshore");
    assert_eq!((&lakeshore["state"], &lakeshore["listed"]), (&json!("IL"), &json!(true)));
    assert_eq!(lakeshore["short_name"], "Lakeshore State");
    assert_eq!(lakeshore["email_domains"], json!(["a.example", "b.example"]));
    let ridge = find("ridge");
    assert_eq!((&ridge["name"], &ridge["listed"]), (&json!("Ridge, College of"), &json!(false)));

    let same = [row(2, "lakeshore", "unchanged"), row(3, "ridge", "unchanged")];
    assert_eq!(outcomes(&import(&nil, &both, &["--json"]).good()), same);
    assert_eq!((find("lakeshore"), find("ridge")), (lakeshore.clone(), ridge.clone()));

    // Other columns, in another order: what is empty or left out stays.
    let change = "listed,slug,name,short_name\n,ridge,,Ridge C.\n\n\ntrue,lakeshore,,\n";
    let expected = [row(2, "ridge", "changed"), row(5, "lakeshore", "unchanged")];
    assert_eq!(outcomes(&import(&nil, change, &["--json"]).good()), expected);
    let changed = find("ridge");
    assert_eq!(changed["short_name"], "Ridge C.");
    for field in ["id", "name", "conference", "division", "state", "time_zone", "listed"] {
        assert_eq!(changed[field], ridge[field], "{field}");
    }
    assert_eq!(find("lakeshore"), lakeshore);
    let audited = |action: &str| {
        format!(
            "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'college' AND actor = 'host' AND action = '{action}'"
        )
    };
    assert_eq!(world.id(&audited("created")).await, 2);
    assert_eq!(world.id(&audited("changed")).await, 1);
}
both!(colleges_are_imported_from_a_file);

async fn a_file_with_a_wrong_line_changes_nothing(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    import(&nil, format!("{HEADER}ridge,Ridge,,,D1,VT,America/New_York,,\n"), &[]).good();
    let content = format!(
        "{HEADER}good,Good College,,,D1,IL,America/Chicago,,\n\
         ridge,Ridge University,,,,,,,\n\
         Bad Slug,Bad,,,D9,ZZ,Mars,,maybe\n\
         lacking,,,,,IL,,,\n\
         good,Good Again,,,D1,IL,America/Chicago,,\n\
         short,Short\n"
    );
    for more in [&[][..], &["--dry-run"]] {
        let wrong = import(&nil, &content, more).refused("validation_failed");
        let told = wrong.stderr;
        assert!(told.contains("4 of 6 lines are wrong. Nothing was written."), "{told}");
        assert!(wrong.stdout.is_empty());
        for place in [
            "line 4: division: must be one of",
            "line 4: listed: must be true",
            "line 4: slug: must be lower-case",
            "line 4: state: must be a two-letter",
            "line 4: time_zone: must be an IANA",
            "line 5: division: is required",
            "line 5: name: is required",
            "line 5: time_zone: is required",
            "line 6: slug: is in line 2 too",
            "line 7: line: has 2 values, the header 9",
        ] {
            assert!(told.contains(&format!("\n  {place}")), "{place}\n{told}");
        }
        assert!(!told.contains("line 2: ") && !told.contains("line 3: "), "{told}");
        assert!(!told.contains("line 4: division: is required"), "{told}");
    }
    let ended = import(&nil, &content, &["--json"]);
    assert_eq!(ended.code, 1);
    let happens: Vec<String> = outcomes(&ended).into_iter().map(|(_, _, what)| what).collect();
    assert_eq!(happens, ["created", "changed", "wrong", "wrong", "wrong", "wrong"]);
    assert_eq!(ended.json()[2]["errors"]["time_zone"], json!(["must be an IANA time zone"]));
    let names = "SELECT COUNT(*) FROM college WHERE slug = 'good' OR name = 'Ridge University'";
    assert_eq!(world.id(names).await, 0);

    let refused = |content: &[u8], why: &str| {
        let told = import(&nil, content, &[]).refused("validation_failed").stderr;
        assert!(told.contains(why), "{told}");
    };
    refused(b"slug,colour\na,red\n", "header: there is no column `colour`");
    refused(b"slug,name\nridge,R\xfcdge\n", "file: must be UTF-8: line 2 is not");
    refused(&vec![b'a'; 10 * 1024 * 1024 + 1], "file: must have at most 10 MiB");
    let nowhere = nil.run(&["college", "import", "nowhere.csv"]);
    assert!(nowhere.code == 1 && nowhere.stderr.contains("nowhere.csv"), "{}", nowhere.stderr);
}
both!(a_file_with_a_wrong_line_changes_nothing);

async fn the_longest_file_is_imported_at_once(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let lines = |name: &str| -> String {
        let line = |n: u32| format!("c-{n},{name} {n},,,D1,IL,America/Chicago,,\n");
        (0..10_000).map(line).collect()
    };
    import(&nil, format!("{HEADER}{}", lines("College")), &[]).good();
    let changed = import(&nil, format!("{HEADER}{}", lines("University")), &[]).good();
    assert_eq!(changed.text().lines().filter(|line| line.ends_with("\tchanged")).count(), 10_000);
    let named = "SELECT COUNT(*) FROM college WHERE name LIKE 'University %'";
    assert_eq!(world.id(named).await, 10_000);
    import(&nil, format!("{HEADER}{}a,A\n", lines("A")), &[]).refused("validation_failed");
}
both!(the_longest_file_is_imported_at_once);
