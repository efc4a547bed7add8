//! The output and the exit code of each command.

use nil_core::auth::Permission;
use nil_core::kernel::Secret;
use nil_tests::{Engine, PASSWORD, World, both};
use serde_json::{Value, json};

use crate::nil::{Ended, Nil};

#[test]
fn the_help_is_what_it_was() {
    let nil = Nil::alone();
    let help = nil.run(&["--help"]).good();
    insta::assert_snapshot!("help", help.text());
    let help = nil.run(&["call", "--help"]).good();
    insta::assert_snapshot!("help_call", help.text());
}

#[test]
fn wrong_usage_is_2() {
    let nil = Nil::alone();
    nil.run(&[]).misused("Usage: nil");
    nil.run(&["frobnicate"]).misused("unrecognized subcommand");
    nil.run(&["call", "core.application.higher"]).misused("there is no operation");
    nil.run(&["ops", "show", "core.hire"]).misused("core.application.hire");
    let me = "core.auth.me";
    nil.run(&["call", me, "--as", "ada@example.com"]).misused("is not KIND:EMAIL");
    nil.run(&["call", me, "--input", "{"]).misused("not valid JSON");
    nil.run(&["call", me, "--input", "[]"]).misused("must be a JSON object");
    nil.run(&["call", me, "--input", "@nowhere.json"]).misused("nowhere.json");
    nil.run(&["call", me, "name"]).misused("is not FIELD=VALUE");
    nil.run(&["call", me, "--token", "x"]).misused("--url");
    nil.run(&["--database", "mysql://somewhere", "migrate"]).misused("mysql://somewhere");
    let scope = ["api-key", "create", "--name", "x", "--scopes", "everything"];
    nil.run(&scope).misused("`everything`");
}

#[test]
fn operations_are_listed_and_shown() {
    let nil = Nil::alone();
    let all = nil.run(&["ops", "--json"]).good().json();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), nil_core::catalog::catalog().iter().count());
    let hiring = nil.run(&["ops", "application.hire", "--json"]).good().json();
    let names: Vec<_> = hiring.as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["core.application.hire_bulk", "core.application.hire"]);
    let table = nil.run(&["ops"]).good().text();
    let listed = |row: &Value| table.contains(row["name"].as_str().unwrap());
    assert!(all.iter().all(listed));
    let shown = nil.run(&["ops", "show", "core.application.hire"]).good();
    insta::assert_snapshot!("ops_show", shown.text());
    let shown = nil.run(&["ops", "show", "core.application.hire", "--json"]).good();
    assert!(shown.json()["openapi"]["responses"]["200"].is_object());
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0, "reading makes nothing");
}

#[test]
fn documents_are_openapi() {
    let nil = Nil::alone();
    for interface in ["core", "compliance", "admin"] {
        let document = nil.run(&["openapi", interface]).good().json();
        assert_eq!(document["openapi"], "3.1.0");
        assert!(document["paths"].as_object().unwrap().len() > 5, "{interface}");
    }
    nil.run(&["openapi", "fan"]).misused("possible values");
}

#[test]
fn the_demonstration_ends_in_balanced_books_and_a_pdf() {
    let nil = Nil::alone();
    let shown = nil.run(&["demo", "--pdf", "deal.pdf", "--json"]).good().json();
    assert_eq!(shown["balanced"], true);
    assert_eq!(shown["steps"].as_array().unwrap().len(), 17);
    let entries = shown["ledger"].as_array().unwrap().iter();
    assert_eq!(entries.map(|entry| entry[1].as_i64().unwrap()).sum::<i64>(), 0);
    let pdf = std::fs::read(nil.path("deal.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    let left = nil.left();
    assert_eq!(left.len(), 1, "only the contract stays: {left:?}");
}

#[test]
fn what_the_demonstrations_leave_is_ignored_by_git() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../.gitignore");
    let ignored = std::fs::read_to_string(root).unwrap();
    let nil = Nil::demonstrated();
    nil.run(&["demo"]).good();
    let left = nil.left();
    for file in &left {
        assert!(ignored.lines().any(|line| line == format!("/{file}")), "{file}");
    }
    assert!(left.len() >= 2, "the contract and the data: {left:?}");
}

async fn calls_are_made_as_somebody(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    let nil = Nil::beside(&world);
    let who = format!("partner:{}", brand.email);
    let me = |arguments: &[&str]| nil.run(&[&["call", "core.auth.me"], arguments].concat());
    let told = me(&["--as", &who, "--json"]).good().json();
    assert_eq!(told["data"]["email"], brand.email);
    assert!(me(&["--as", &who]).good().text().contains(&brand.email), "a table for people");
    me(&[]).refused("unauthenticated");
    me(&["--as", "partner:nobody@example.com"]).refused("not_found");
    me(&["--as", "admiral:nobody@example.com"]).refused("validation_failed");
    let hire = ["call", "core.application.hire", "--as", &who, "id=1"];
    nil.run(&hire).refused("not_found");
    let refused = nil.run(&[&hire[..], &["--json"]].concat());
    assert_eq!(refused.json()["code"], "not_found");
    refused.refused("not_found");
    let card = ["call", "core.partner.add_payment_method", "--as", &who, "--json", "--input"];
    let unknown = nil.run(
        &[&card[..], &[r#"{"processor_token": "tok_4242424242424242", "nmae": "x"}"#]].concat(),
    );
    assert_eq!(unknown.json()["code"], "unknown_field");
    let unknown = unknown.refused("unknown_field");
    assert!(unknown.stderr.contains("nmae"), "{}", unknown.stderr);
    assert!(nil.run(&hire).refused("not_found").stdout.is_empty(), "refusals go to stderr");
}
both!(calls_are_made_as_somebody);

async fn inputs_come_from_wherever(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    let nil = Nil::beside(&world);
    let who = format!("partner:{}", brand.email);
    let call = ["call", "core.partner.add_payment_method", "--as", &who, "--json"];
    let card = |token: &str| json!({ "processor_token": token }).to_string();
    std::fs::write(nil.path("card.json"), card("tok_4242424242424242")).unwrap();
    let file = nil.run(&[&call[..], &["--input", "@card.json"]].concat()).good().json();
    let input = card("tok_4000000000000002");
    let read = nil.run_reading(&[&call[..], &["--input", "-"]].concat(), &input).good().json();
    assert_ne!(file["data"]["id"], read["data"]["id"]);
    // A field given separately replaces the same field of the JSON input.
    let over = ["--input", &input, "processor_token=tok_4242424242424242"];
    let over = nil.run(&[&call[..], &over].concat()).good().json();
    assert_eq!(over["data"]["id"], file["data"]["id"]);
}
both!(inputs_come_from_wherever);

async fn a_key_makes_a_call_once(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let operator = world.chief_operator().await;
    let nil = Nil::beside(&world);
    let who = format!("operator:{operator}");
    let save = |name: &str| {
        let input = json!({
            "name": name, "division": "D1", "state": "IL", "time_zone": "America/Chicago",
        });
        let input = input.to_string();
        nil.run(&[
            "call",
            "admin.college.save",
            "--as",
            &who,
            "--input",
            &input,
            "--json",
            "--idempotency-key",
            "k-1",
        ])
    };
    let first = save("Lakeshore State").good();
    assert_eq!(save("Lakeshore State").good().stdout, first.stdout);
    save("Bayou Parish").refused("idempotency_key_reused");
}
both!(a_key_makes_a_call_once);

async fn operators_are_made(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let create = ["operator", "create", "--json", "--email"];
    let made = nil.run(&[&create[..], &["Sam@nil.example"]].concat()).good();
    let operator = made.json();
    assert_eq!(operator["email"], "sam@nil.example");
    assert_eq!(operator["permissions"], json!(["*"]));
    let password = operator["password"].as_str().unwrap();
    assert!(password.len() >= 40, "{password}");
    assert_eq!(made.text().matches(password).count(), 1, "shown once");
    nil.run(&[&create[..], &["sam@nil.example"]].concat()).refused("email_taken");
    let own = [&create[..], &["ada@nil.example", "--password-stdin"]].concat();
    for refused in ["password", "short enough!", ""] {
        let refused = nil.run_reading(&own, refused).refused("validation_failed");
        assert!(refused.stderr.contains("  password: "), "{}", refused.stderr);
    }
    let narrow = [&own[..], &["--permissions", "jobs,finance", "--name", "Ada"]].concat();
    let ada = nil.run_reading(&narrow, &format!("{PASSWORD}\n")).good().json();
    assert_eq!((&ada["name"], &ada["password"]), (&json!("Ada"), &Value::Null));
    assert_eq!(ada["permissions"], json!(["jobs", "finance"]));
    let unknown = [&create[..], &["x@nil.example", "--permissions", "everything"]].concat();
    nil.run(&unknown).misused("`everything`");
    let as_ada = ["call", "admin.college.save", "--as", "operator:ada@nil.example"];
    nil.run(&as_ada).refused("forbidden");
}
both!(operators_are_made);

async fn users_are_barred_and_let_back_in(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let zoe = world.athlete("Zoe Okafor").await;
    let token = zoe.token.clone().unwrap();
    let user = |verb: &str| nil.run(&["user", verb, &zoe.email, "--json"]);
    let shown = user("show").good().json();
    assert_eq!((&shown["id"], &shown["status"]), (&json!(zoe.user_id), &json!("active")));
    assert_eq!(user("suspend").good().json()["status"], "suspended");
    assert!(world.platform.authenticate_core(&token).await.is_err(), "at once");
    user("suspend").refused("illegal_transition");
    let who = format!("athlete:{}", zoe.email);
    nil.run(&["call", "core.auth.me", "--as", &who]).refused("not_found");
    assert_eq!(user("restore").good().json()["status"], "active");
    user("restore").refused("illegal_transition");
    nil.run(&["call", "core.auth.me", "--as", &who]).good();
    nil.run(&["user", "show", "nobody@nil.example"]).refused("not_found");
    nil.run(&["user", "show", "nobody"]).misused("`nobody`");
}
both!(users_are_barred_and_let_back_in);

async fn operators_are_switched_off_and_on(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let chief = world.chief_operator().await;
    world.new_operator("second@nil.example", Permission::All).await;
    let operator = |verb: &str, email: &str| nil.run(&["operator", verb, email, "--json"]);
    assert_eq!(operator("disable", "second@nil.example").good().json()["active"], false);
    let who = "operator:second@nil.example";
    nil.run(&["call", "admin.job.list", "--as", who]).refused("not_found");
    let last = operator("disable", chief).refused("last_operator");
    assert!(last.stderr.contains("Create another one first."), "{}", last.stderr);
    assert_eq!(operator("enable", "second@nil.example").good().json()["active"], true);
    operator("disable", chief).good();
    operator("disable", "nobody@nil.example").refused("not_found");
}
both!(operators_are_switched_off_and_on);

async fn keys_of_services_are_made_and_revoked(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let create = ["api-key", "create", "--name", "reports", "--scopes", "internal,affiliate"];
    let made = nil.run(&[&create[..], &["--json"]].concat()).good().json();
    let key = made["key"].as_str().unwrap();
    assert!(world.platform.authenticate_service(key).await.is_ok());
    let listed = nil.run(&["api-key", "list", "--json"]).good();
    assert!(!listed.text().contains(key), "it is shown once");
    assert_eq!(listed.json()[0]["scopes"], json!(["internal", "affiliate"]));
    assert_eq!(listed.json()[0]["revoked_at"], Value::Null);
    let id = made["id"].to_string();
    nil.run(&["api-key", "revoke", &id]).good();
    assert!(world.platform.authenticate_service(key).await.is_err(), "at once");
    nil.run(&["api-key", "revoke", &id]).refused("not_found");
    assert!(nil.run(&["api-key", "list", "--json"]).good().json()[0]["revoked_at"].is_string());
    assert_eq!(made["signing_secret"], Value::Null, "these scopes sign nothing");

    let create = ["api-key", "create", "--name", "model", "--scopes", "ai_tools", "--json"];
    let made = nil.run(&create).good().json();
    let key = Secret::new(made["key"].as_str().unwrap());
    let signing = nil_core::auth::api_key::signing_secret(&world.platform, &key);
    assert_eq!(made["signing_secret"], signing.expose());
}
both!(keys_of_services_are_made_and_revoked);

async fn messages_are_seen_and_worked_off(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    world.card(&brand, nil_tests::GOOD_CARD).await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[1_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let nil = Nil::beside(&world);
    let list = || nil.run(&["outbox", "list", "--json"]).good().json();
    let pending = |rows: &Value| {
        let rows = rows.as_array().unwrap().clone();
        let events = rows.into_iter().filter(|row| row["channel"] == "event");
        events.filter(|row| row["status"] == "pending").count()
    };
    assert!(pending(&list()) > 0);
    let round = nil.run(&["worker", "--once", "--json"]).good().json();
    assert!(round["messages"].as_u64().unwrap() > 0, "{round}");
    assert!(round["sealed"].as_u64().unwrap() > 0, "{round}");
    let after = list();
    assert_eq!(pending(&after), 0);
    let is_code = |row: &&Value| row["event"] == "otp.sent" && row["channel"] == "email";
    let code = after.as_array().unwrap().iter().find(is_code).unwrap();
    let fields: Vec<_> = code.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "attempts",
        "body",
        "channel",
        "created_at",
        "data",
        "event",
        "id",
        "status",
        "subject",
        "to",
        "why",
    ];
    assert_eq!(fields, expected);
    let body = code["body"].as_str().unwrap();
    let digits = |run: &str| run.len() == 6 && run.bytes().all(|b| b.is_ascii_digit());
    assert!(body.split(|c: char| !c.is_ascii_digit()).any(digits), "{body}");
    assert_eq!(code["why"], "it waits: no mail server is configured");
    let shown = nil.run(&["outbox"]).good().text();
    assert!(shown.contains("no mail server is configured"), "{shown}");
    let newest = after[0]["id"].to_string();
    assert!(nil.run(&["outbox", "show", &newest]).good().text().starts_with("To: "));
    nil.run(&["outbox", "show", "999999"]).refused("not_found");
    assert_eq!(nil.run(&["outbox", "retry", &newest]).code, 1, "it was not given up");
    let one = nil.run(&["outbox", "list", "--limit", "1", "--json"]).good().json();
    assert_eq!(one, json!([after[0]]));
}
both!(messages_are_seen_and_worked_off);

async fn tampering_with_the_books_is_found(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.paying_partner("Northfield").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[1_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let nil = Nil::beside(&world);
    nil.run(&["worker", "--once"]).good();
    let good = nil.run(&["verify", "--json"]).good().json();
    let checks = good["books"]["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["problems"] == json!([])));
    assert!(checks.iter().any(|check| check["examined"].as_i64() > Some(0)));
    assert_eq!(good["audit_trail_broken_at"], Value::Null);
    let wallet = format!("athlete:{}:wallet", athlete.id);
    let change = |by: &'static str| {
        let text = format!(
            "UPDATE ledger_entry SET amount_cents = amount_cents {by} WHERE account = '{wallet}' \
                 RETURNING id"
        );
        let world = &world;
        async move { world.id(&text).await }
    };
    change("+ 1").await;
    let bad = nil.run(&["verify", "--json"]);
    assert_eq!(bad.code, 1);
    let bad = bad.json();
    let problems = |check: &Value| check["problems"].as_array().unwrap().clone();
    let problems: Vec<_> =
        bad["books"]["checks"].as_array().unwrap().iter().flat_map(problems).collect();
    assert!(problems.iter().any(|why| why.as_str().unwrap().contains(&wallet)), "{problems:?}");
    change("- 1").await;
    nil.run(&["verify"]).good();
    world.id("UPDATE audit_entry SET action = 'x' WHERE id = 2 RETURNING id").await;
    let bad = nil.run(&["verify", "--json"]);
    assert_eq!((bad.code, bad.json()["audit_trail_broken_at"].is_number()), (1, true));
}
both!(tampering_with_the_books_is_found);

async fn the_statement_is_compared_by_a_command(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let first = nil_core::kernel::utc_day(world.platform.now()).to_string();
    let brand = world.paying_partner("Northfield").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[1_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let nil = Nil::beside(&world);
    let compare = |json: &[&str]| {
        let until = nil_core::kernel::utc_day(world.platform.now()).to_string();
        let days = ["verify", "--processor", "--from", &first, "--until", &until];
        nil.run(&[&days[..], json].concat())
    };
    let good = compare(&[]).good();
    assert!(good.text().contains(": 1, $") && good.text().contains("No difference is open."));
    let change = async |by: &str| {
        let text = format!(
            "UPDATE sandbox_line SET amount_cents = amount_cents {by} RETURNING amount_cents"
        );
        world.id(&text).await
    };
    change("+ 1").await;
    let bad = compare(&["--json"]);
    assert_eq!(bad.code, 1);
    let bad = bad.json();
    assert_eq!((&bad["open"], &bad["oldest"][0]["kind"]), (&json!(1), &json!("amount")));
    let told = compare(&[]).text();
    assert!(told.contains(":charge:1:1") && told.contains("1 difference is open."), "{told}");
    change("- 1").await;
    assert_eq!(compare(&["--json"]).good().json()["gone"], 1);
    // Only a comparison has days.
    assert_eq!(nil.run(&["verify", "--from", &first]).code, 2);
    let wrong =
        nil.run(&["verify", "--processor", "--from", "2026-02-01", "--until", "2026-01-01"]);
    assert_eq!(wrong.code, 1, "{}", wrong.text());
}
both!(the_statement_is_compared_by_a_command);

async fn files_that_are_gone_are_found(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let athlete = world.athlete("Jordan Lake").await;
    let first = world.file(&athlete, "one.png").await;
    let mut objects = Vec::new();
    for shelf in 0..=u8::MAX {
        objects.extend(world.platform.objects().shelf(shelf).await.unwrap());
    }
    let second = world.file(&athlete, "two.png").await;
    let nil = Nil::beside(&world);
    let files = |ended: Ended| ended.json()["files"].clone();
    let good = nil.run(&["verify", "--json"]).good();
    assert_eq!(files(good), json!({ "examined": 2, "missing": 0, "records": [] }));
    assert_eq!(objects.len(), 1);
    world.platform.objects().remove(&objects[0]).await.unwrap();
    let bad = nil.run(&["verify", "--json"]);
    assert_eq!(bad.code, 1);
    let told = json!({ "examined": 2, "missing": 1, "records": [format!("file {first}")] });
    assert_eq!(files(bad), told);
    // A deleted file has no object, and is not missed.
    world.call("core.file.delete", &athlete.principal, json!({ "id": second })).await.data();
    let bad = nil.run(&["verify"]);
    assert_eq!(bad.code, 1);
    let told = format!("1 of 1 files are not in the store: file {first}.\nNone is there. Is this");
    assert!(bad.text().contains(&told), "{}", bad.text());
}
both!(files_that_are_gone_are_found);
