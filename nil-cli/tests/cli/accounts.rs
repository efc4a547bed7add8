//! Finding accounts, listing operators and keys.

use nil_core::auth::Permission;
use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

use crate::nil::Nil;

async fn users_of_every_kind_are_found(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let zoe = world.athlete("Zoe Okafor").await;
    let brand = world.partner("Okafor Motors").await;
    let agent = world.agent("Lee Okafor").await;
    let fan = world.fan("Sam Okafor").await;
    let college = world.college().await;
    world.portal_user(college, "owner").await;
    let nil = Nil::beside(&world);
    let find = |text: &str| nil.run(&["user", "find", text, "--json"]).good().json();
    let kinds = |found: &Value| -> Vec<String> {
        let accounts = found["accounts"].as_array().unwrap().iter();
        accounts.map(|row| row["kind"].as_str().unwrap().to_owned()).collect()
    };
    let by_name = find("oKAFOR");
    for kind in ["athlete", "partner", "agent", "fan"] {
        assert!(kinds(&by_name).contains(&kind.to_owned()), "{kind}: {by_name}");
    }
    assert_eq!(by_name["more"], false);
    let portal = find("dana whitfield");
    assert_eq!(kinds(&portal), ["portal_user"]);
    assert!(portal["accounts"][0]["institution"].is_string(), "{portal}");
    let officer = portal["accounts"][0]["email"].as_str().unwrap().to_owned();
    for (email, kind) in [
        (&zoe.email, "athlete"),
        (&brand.email, "partner"),
        (&agent.email, "agent"),
        (&fan.email, "fan"),
        (&officer, "portal_user"),
    ] {
        let found = find(&email.to_uppercase());
        assert_eq!(kinds(&found), [kind], "{email}");
        assert_eq!(found["accounts"][0]["email"], **email);
        let beginning = email.split('@').next().unwrap();
        assert!(kinds(&find(beginning)).contains(&kind.to_owned()), "{beginning}");
    }
    let same = find(&zoe.user_id.to_string());
    assert!(kinds(&same).contains(&"athlete".to_owned()), "{same}");
    let fields: Vec<_> = same["accounts"][0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["email", "id", "institution", "kind", "name", "since", "status"]);
    assert_eq!(kinds(&find("nobody at all")), Vec::<String>::new());
    // What a pattern of the database means is text here.
    assert_eq!(kinds(&find("Z%O_")), Vec::<String>::new());
    let line = nil.run(&["user", "find", &zoe.email]).good().text();
    let begins = format!("{}\tathlete\tZoe Okafor\t{}\tactive\t", zoe.user_id, zoe.email);
    assert!(line.starts_with(&begins), "{line}");
    nil.run(&["user", "find", ""]).misused("must not be blank");
    // The others take the id that was found.
    let user = |verb: &str| nil.run(&["user", verb, &zoe.user_id.to_string(), "--json"]);
    assert_eq!(user("show").good().json()["email"], zoe.email);
    assert_eq!(user("suspend").good().json()["status"], "suspended");
    assert_eq!(user("restore").good().json()["status"], "active");
    let nobody = nil.run(&["user", "show", "999999"]).refused("not_found");
    assert!(nobody.stderr.contains("There is no user with the id 999999."), "{}", nobody.stderr);
}
both!(users_of_every_kind_are_found);

async fn no_more_than_fifty_are_listed(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let copy = |number: i64| {
        format!(
            "INSERT INTO app_user (kind, email, first_name, status, created_at, updated_at) \
             SELECT 'fan', 'many{number}@nil.example', 'Many', 'onboarding', created_at, updated_at \
             FROM operator WHERE email = 'chief@nil.example' RETURNING id"
        )
    };
    world.new_operator("chief@nil.example", Permission::All).await;
    for number in 0..51 {
        world.id(&copy(number)).await;
    }
    let nil = Nil::beside(&world);
    for text in ["many", "Many", "any"] {
        let found = nil.run(&["user", "find", text]).good();
        assert_eq!(found.text().lines().count(), 50, "{text}");
        assert!(found.stderr.contains("There are more than 50"), "{text}: {}", found.stderr);
    }
    let few = nil.run(&["user", "find", "many4"]).good();
    assert_eq!((few.text().lines().count(), &*few.stderr), (11, ""));
}
both!(no_more_than_fifty_are_listed);

async fn operators_are_listed(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    for name in ["sam@nil.example", "ada@nil.example"] {
        nil.run(&["operator", "create", "--email", name, "--permissions", "jobs,finance"]).good();
    }
    nil.run(&["operator", "create", "--email", "root@nil.example"]).good();
    nil.run(&["operator", "reset-password", "ada@nil.example"]).good();
    nil.run(&["operator", "disable", "sam@nil.example"]).good();
    let listed = nil.run(&["operator", "list", "--json"]).good();
    assert!(!listed.text().contains("hash"), "{}", listed.text());
    let listed = listed.json();
    let row = |email: &str| {
        let rows = listed.as_array().unwrap();
        rows.iter().find(|row| row["email"] == email).unwrap().clone()
    };
    assert_eq!(row("sam@nil.example")["active"], false);
    assert_eq!(row("sam@nil.example")["one_time_password"], Value::Null);
    assert_eq!(row("ada@nil.example")["one_time_password"], "unused");
    assert_eq!(row("ada@nil.example")["permissions"], json!(["jobs", "finance"]));
    let line = nil.run(&["operator", "list"]).good().text();
    let ada = line.lines().find(|line| line.contains("ada@nil.example")).unwrap();
    let cells: Vec<&str> = ada.split('\t').skip(1).collect();
    let expected = ["ada@nil.example", "ada@nil.example", "jobs, finance", "yes", "", "unused"];
    assert_eq!(cells, expected);
}
both!(operators_are_listed);

async fn keys_tell_when_they_were_last_used(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let create = ["api-key", "create", "--name", "reports", "--scopes", "internal", "--json"];
    let made = nil.run(&create).good().json();
    let key = made["key"].as_str().unwrap();
    let last_use =
        || nil.run(&["api-key", "list", "--json"]).good().json()[0]["last_used_at"].clone();
    assert_eq!(last_use(), Value::Null);
    world.platform.authenticate_service(key).await.unwrap();
    let first = last_use();
    assert!(first.is_string());
    world.platform.authenticate_service(key).await.unwrap();
    assert_eq!(last_use(), first, "noted once an hour");
    let long_ago = "UPDATE api_key SET last_used_at = created_at - INTERVAL '2 hours' RETURNING id";
    let earlier = match engine {
        Engine::Postgres => long_ago,
        Engine::Sqlite => {
            "UPDATE api_key SET last_used_at = '2026-01-01T00:00:00.000000Z' RETURNING id"
        }
    };
    world.id(earlier).await;
    assert_ne!(last_use(), first);
    world.platform.authenticate_service(key).await.unwrap();
    assert!(last_use().as_str() >= first.as_str(), "{} {first}", last_use());
    let line = nil.run(&["api-key", "list"]).good().text();
    assert_eq!(line.trim_end_matches('\n').split('\t').count(), 6, "{line}");
    assert!(line.contains("\treports\tinternal\t"), "{line}");
}
both!(keys_tell_when_they_were_last_used);

async fn nothing_of_the_database_is_in_a_message(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let nil = Nil::beside(&world);
    let create = ["operator", "create", "--email", "sam@nil.example"];
    nil.run(&create).good();
    let taken = nil.run(&create).refused("email_taken");
    let said = "error: email_taken: This e-mail already belongs to an account.\n";
    assert_eq!(taken.stderr, said);
    // A constraint that the platform does not know of: its own fault, told without its name.
    world
        .id("INSERT INTO api_key (name, key_hash, scopes, created_at) \
             SELECT 'spare', 'spare', permissions, created_at FROM operator RETURNING id")
        .await;
    let rule = match engine {
        Engine::Postgres => "CREATE UNIQUE INDEX one_only ON api_key ((1))",
        Engine::Sqlite => "CREATE UNIQUE INDEX one_only ON api_key (length(scopes) * 0)",
    };
    world.script(rule).await;
    let broken = nil.run(&["api-key", "create", "--name", "x", "--scopes", "internal"]);
    let said = "error: internal_error: Something went wrong on our side.\n  because: the database \
                refused a record that breaks one of its rules\n";
    assert_eq!((broken.code, broken.stderr.as_str()), (1, said));
}
both!(nothing_of_the_database_is_in_a_message);
