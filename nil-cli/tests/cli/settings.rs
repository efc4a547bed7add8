//! Where settings come from: flag, then `NIL_*`, then `nil.toml`, then the default.

use nil_tests::{Engine, both};

use crate::nil::Nil;

const FILE: &str = "database = 'sqlite:file.db'\ncore = 'file:x'\npublic_url = 'http://file'\n";

/// The file among these in which `nil migrate` has created its database.
fn database_of(nil: &Nil, arguments: &[&str]) -> Vec<&'static str> {
    nil.run(&[&["migrate"], arguments].concat()).good();
    let made = |name: &&str| nil.path(name).exists();
    let names = ["flag.db", "env.db", "file.db", "nil-data/nil.db", "data/nil.db"];
    names.into_iter().filter(made).collect()
}

/// A file where a folder must be, a folder where a file must be, and a file that is missing: each
/// is named.
#[test]
fn a_path_that_cannot_be_used_is_named() {
    let nil = Nil::alone();
    std::fs::write(nil.path("plain"), "").unwrap();
    std::fs::create_dir_all(nil.path("folder/secret.key")).unwrap();
    for arguments in [
        &["--data", "plain", "migrate"][..],
        &["--data", "plain/below", "migrate"],
        &["--data", "folder", "migrate"],
        &["--database", "sqlite:plain/below/nil.db", "migrate"],
        &["--database", "sqlite:folder", "migrate"],
        &["--config", "missing.toml", "migrate"],
        &["--config", "folder", "migrate"],
        &["man", "plain"],
        &["docs", "plain"],
        &["demo", "--pdf", "folder"],
        &["core", "job", "search", "--input", "@missing.json"],
    ] {
        let ended = nil.run(arguments);
        let said = &ended.stderr;
        assert!(ended.code == 1 || ended.code == 2, "{arguments:?}: {ended:?}");
        let path = ["plain", "folder", "missing"]
            .into_iter()
            .find(|path| arguments.iter().any(|argument| argument.contains(path)));
        assert!(said.contains(path.unwrap()), "{arguments:?}: {said}");
        assert!(!said.contains("internal_error"), "{arguments:?}: {said}");
    }
    // The usual file is left out only where there is none.
    std::fs::create_dir(nil.path("nil.toml")).unwrap();
    let ended = nil.run(&["migrate"]);
    assert!(ended.code == 2 && ended.stderr.contains("nil.toml"), "{ended:?}");
}

#[test]
fn the_nearest_word_decides_the_database() {
    let flag = ["--database", "sqlite:flag.db"];
    let nil = Nil::alone();
    assert_eq!(database_of(&nil, &[]), ["nil-data/nil.db"]);

    let nil = Nil::alone();
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    assert_eq!(database_of(&nil, &[]), ["file.db"]);

    let nil = Nil::alone().with("NIL_DATABASE", "sqlite:env.db");
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    assert_eq!(database_of(&nil, &[]), ["env.db"]);

    let nil = Nil::alone().with("NIL_DATABASE", "sqlite:env.db");
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    assert_eq!(database_of(&nil, &flag), ["flag.db"]);

    let nil = Nil::alone().with("NIL_DATA", "data");
    assert_eq!(database_of(&nil, &[]), ["data/nil.db"]);
    assert!(nil.path("data/secret.key").exists());
}

#[test]
fn a_mistyped_address_makes_nothing() {
    let nil = Nil::alone();
    let file = ["--database", "sqlite:x.db"];
    let (elsewhere, folder) = (["--database", "sqlite:elsewhere/x.db"], ["--data", "elsewhere"]);
    let no_file = "x.db: there is no database. Name it with --database, or its folder with --data.";
    let no_folder = "elsewhere: there is no such folder.";
    let addresses = [
        (file, no_file.to_owned()),
        (elsewhere, format!("{no_folder} Name the database with --database.")),
        (folder, format!("{no_folder} Name the data folder with --data.")),
    ];
    let commands: &[&[&str]] = &[
        &["verify"],
        &["migrate", "--check"],
        &["outbox"],
        &["outbox", "retry", "1"],
        &["sandbox", "let-arrive", "1"],
        &["user", "show", "ada@example.com"],
        &["api-key", "list"],
        &["operator", "disable", "ada@example.com"],
    ];
    for command in commands {
        for (address, why) in &addresses {
            let ended = nil.run(&[*command, address].concat());
            assert_eq!((ended.code, ended.stderr), (1, format!("error: {why}\n")), "{command:?}");
        }
    }
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0);
    nil.run(&["migrate"]).good();
    std::fs::remove_file(nil.path("nil-data/secret.key")).unwrap();
    let ended = nil.run(&["verify"]);
    assert!(
        ended.stderr.contains("secret.key: the secret key of this database is not there"),
        "{}",
        ended.stderr
    );
    assert!(!nil.path("nil-data/secret.key").exists(), "another key would open nothing");
}

#[test]
fn a_database_belongs_to_its_key() {
    let serve = &["serve", "--core", "127.0.0.1:0", "--back-office", "127.0.0.1:0"][..];
    let nil = Nil::alone();
    nil.run(&["migrate"]).good();
    let key = nil.path("nil-data/secret.key");
    let first = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    for command in [serve, &["worker", "--once"], &["outbox"]] {
        let ended = nil.run(command);
        assert!(
            ended.stderr.contains("secret.key: the secret key of this database is not there"),
            "{}",
            ended.stderr
        );
        assert!(!key.exists(), "{command:?} made a key");
    }
    let other = nil.with("NIL_SECRET_KEY", &"ab".repeat(32));
    let looking: [&[&str]; 3] = [&["verify"], &["audit", "check"], &["migrate", "--check"]];
    for command in [[serve, &["worker", "--once"], &["outbox"]], looking].concat() {
        let refused = other.run(command);
        let told =
            "error: unavailable: This is not the secret key that the database was begun with";
        assert_eq!((refused.code, refused.stderr.contains(told)), (1, true), "{refused:?}");
    }
    let own = String::from_utf8(first).unwrap();
    let own = other.with("NIL_SECRET_KEY", own.trim());
    for command in [looking, [&["outbox"], &["user", "--help"], &["verify", "--json"]]].concat() {
        own.run(command).good();
    }
}

#[tokio::test]
async fn a_database_of_postgres_belongs_to_its_key() {
    let nil = Nil::on_postgres().await;
    nil.run(&["migrate"]).good();
    std::fs::remove_file(nil.path("nil-data/secret.key")).unwrap();
    let looking = [&["verify"][..], &["audit", "check"], &["migrate", "--check"]];
    for command in [&looking[..], &[&["worker", "--once"], &["migrate"]]].concat() {
        let ended = nil.run(command);
        let told = "secret.key: the secret key of this database is not there";
        assert_eq!((ended.code, ended.stderr.contains(told)), (1, true), "{ended:?}");
        assert!(!nil.path("nil-data/secret.key").exists(), "{command:?} made a key");
    }
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let empty = || {
        let nil = Nil::alone().with("NIL_DATABASE", "").with("NIL_DATA", "").with("NIL_CONFIG", "");
        nil.with("NIL_PUBLIC_URL", "").with("NIL_SECRET_KEY", "").with("NIL_TOKEN_HOURS", "")
    };
    assert_eq!(database_of(&empty(), &[]), ["nil-data/nil.db"]);
    let nil = empty();
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    assert_eq!(database_of(&nil, &[]), ["file.db"]);
    let nil = empty().with("NIL_CORE", "").with("NIL_TOKEN", "");
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    nil.run(&["serve"]).misused("core: `file:x` is not HOST:PORT");
}

#[test]
fn the_nearest_word_decides_where_it_listens() {
    let nil = Nil::alone();
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    nil.run(&["serve"]).misused("core: `file:x` is not HOST:PORT");
    let nil = Nil::alone().with("NIL_CORE", "env:x");
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    nil.run(&["serve"]).misused("core: `env:x` is not HOST:PORT");
    nil.run(&["serve", "--core", "flag:x"]).misused("core: `flag:x` is not HOST:PORT");
    for wrong in ["", ":80", "127.0.0.1", "127.0.0.1:99999", "::1:80", "[::1]"] {
        let ended = Nil::alone().run(&["serve", "--back-office", &format!("{wrong} ")]);
        assert_eq!(ended.code, 2, "{wrong}: {}", ended.stderr);
    }
    assert!(!nil.path("nil-data").exists(), "a wrong address makes nothing");
}

#[test]
fn the_nearest_word_decides_the_address_in_documents() {
    let server = |nil: &Nil, arguments: &[&str]| {
        let document = nil.run(&[&["openapi", "core"], arguments].concat()).good().json();
        document["servers"][0]["url"].as_str().unwrap().to_owned()
    };
    let nil = Nil::alone();
    assert_eq!(server(&nil, &[]), "http://127.0.0.1:8080/api");
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    assert_eq!(server(&nil, &[]), "http://file/api");
    let nil = Nil::alone().with("NIL_PUBLIC_URL", "http://env/");
    std::fs::write(nil.path("nil.toml"), FILE).unwrap();
    assert_eq!(server(&nil, &[]), "http://env/api");
    assert_eq!(server(&nil, &["--public-url", "http://flag"]), "http://flag/api");
    let nil = Nil::alone().with("NIL_PUBLIC_URL", "");
    assert_eq!(server(&nil, &[]), "http://127.0.0.1:8080/api");
}

#[test]
fn what_is_not_understood_is_refused() {
    let nil = Nil::alone();
    std::fs::write(nil.path("nil.toml"), "databse = 'sqlite:x.db'\n").unwrap();
    nil.run(&["migrate"]).misused("databse");
    let nil = Nil::alone().with("NIL_TOKEN_HOURS", "soon");
    nil.run(&["migrate"]).misused("NIL_TOKEN_HOURS");
    let nil = Nil::alone().with("NIL_SECRET_KEY", "beef");
    nil.run(&["migrate"]).misused("NIL_SECRET_KEY");
    Nil::alone().run(&["--config", "elsewhere.toml", "migrate"]).misused("elsewhere.toml");
}

#[test]
fn what_other_machines_can_reach_is_safe_or_insisted_on() {
    // The second address is taken, so that settings that pass the check fail there.
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = &*other.local_addr().unwrap().to_string();
    let serve = |nil: &Nil, more: &[&str]| {
        let arguments = ["serve", "--core", "0.0.0.0:0", "--back-office", taken];
        nil.run(&[&arguments[..], more].concat())
    };
    let https = ["--public-url", "https://nil.example"];
    let nil = Nil::alone();
    serve(&nil, &[]).misused("--insecure-http");
    serve(&nil, &["--public-url", "http://nil.example"]).misused("https");
    let local = ["serve", "--core", "127.0.0.1:0", "--back-office", taken];
    for ended in [
        serve(&nil, &https),
        serve(&nil, &["--insecure-http"]),
        serve(&Nil::alone().with("NIL_INSECURE_HTTP", "1"), &[]),
        nil.run(&local),
        Nil::alone().with("NIL_THROTTLE", "off").run(&local),
    ] {
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        assert!(ended.stderr.contains("cannot listen on 127.0.0.1"), "{}", ended.stderr);
    }
    let warned = serve(&nil, &["--insecure-http"]).stderr;
    assert!(warned.contains("\"WARN\"") && warned.contains("in the clear"), "{warned}");

    let nil = Nil::alone().with("NIL_THROTTLE", "off");
    serve(&nil, &https).misused("NIL_THROTTLE=off-in-the-open");
    let nil = Nil::alone().with("NIL_THROTTLE", "off-in-the-open");
    let insisted = serve(&nil, &https);
    assert_eq!(insisted.code, 1, "{}", insisted.stderr);
    assert!(insisted.stderr.contains("no throttle"), "{}", insisted.stderr);
}

#[test]
fn the_key_is_its_owners_alone() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;
    let nil = Nil::alone();
    nil.run(&["migrate"]).good();
    let path = nil.path("nil-data/secret.key");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    for open in [0o640, 0o604, 0o666] {
        std::fs::set_permissions(&path, Permissions::from_mode(open)).unwrap();
        let refused = nil.run(&["migrate"]);
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        assert!(refused.stderr.contains("chmod 600 nil-data/secret.key"), "{}", refused.stderr);
    }
    std::fs::set_permissions(&path, Permissions::from_mode(0o400)).unwrap();
    nil.run(&["migrate"]).good();
}

/// A token in the environment is only used for calls over HTTP; other commands ignore it.
#[test]
fn a_token_in_the_environment_disturbs_nobody() {
    let nil = Nil::alone().with("NIL_TOKEN", "eyJ");
    nil.run(&["call", "core.public.colleges"]).good();
}

async fn migrations_are_told_and_applied(engine: Engine) {
    let nil = match engine {
        Engine::Sqlite => Nil::alone(),
        Engine::Postgres => Nil::on_postgres().await,
    };
    std::fs::File::create(nil.path("nil.db")).unwrap();
    let nil = match engine {
        Engine::Sqlite => nil.with("NIL_DATABASE", "sqlite:nil.db"),
        Engine::Postgres => nil,
    };
    let missing = nil.run(&["migrate", "--check", "--json"]);
    assert_eq!(missing.code, 1, "{missing:?}");
    assert!(!missing.json()["missing"].as_array().unwrap().is_empty());
    assert!(!nil.path("nil-data").exists(), "checking makes nothing");
    nil.run(&["migrate"]).good();
    nil.run(&["migrate", "--check"]).good();
    nil.run(&["migrate"]).good();
}

both!(migrations_are_told_and_applied);

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    for (name, value, words) in [
        ("NIL_TOKEN_HOURS", "-1", "token_hours: -1 makes no sense; it must be from 1 to 744"),
        ("NIL_CONTRACT_HOURS", "0", "contract_hours: 0"),
        ("NIL_DUE_SOON_HOURS", "100000", "due_soon_hours: 100000"),
        ("NIL_CLOSING_SOON_HOURS", "-72", "closing_soon_hours: -72"),
        ("NIL_RECONCILE_AFTER_SECONDS", "-1", "reconcile_after_seconds: -1"),
        ("NIL_PROCESSOR_DEADLINE_SECONDS", "0", "processor_deadline_seconds: 0"),
        (
            "NIL_PROCESSOR_WEBHOOK_SECRETS",
            "whsec_x",
            "processor.kind: the sandbox does not use webhook_secrets; `stripe` does",
        ),
        (
            "NIL_PROCESSOR_URL",
            "https://p.example/v1",
            "processor.kind: the sandbox does not use url;",
        ),
        ("NIL_PROCESSOR_KIND", "strype", "processor.kind: `strype` is neither"),
        ("NIL_PROCESSOR_KIND", "stripe", "processor.key: is missing"),
        ("NIL_DRAIN_SECONDS", "3601", "drain_seconds: 3601"),
        ("NIL_STREAMS_PER_USER", "0", "streams_per_user: 0"),
        ("NIL_BODY_LIMIT_BYTES", "1", "body_limit_bytes: 1"),
        ("NIL_CONNECTIONS_PER_ADDRESS", "0", "connections_per_address: 0"),
        ("NIL_UPLOAD_QUOTA_BYTES", "-1", "upload_quota_bytes: -1"),
        ("NIL_HASHES_AT_ONCE", "0", "hashes_at_once: 0"),
        ("NIL_THROTTLE_LOGIN", "0", "throttle_login: 0"),
        ("NIL_QUIET_HOURS", "late", "quiet_hours: "),
        ("NIL_PUBLIC_URL", "nil.example", "public_url: `nil.example` is no address such as"),
        ("NIL_PUBLIC_URL", "ftp://nil.example", "public_url: "),
        ("NIL_PUBLIC_URL", "https://nil.example?x=1", "public_url: "),
        ("NIL_CORS_ORIGINS", "https://a.example/", "cors_origins: `https://a.example/`"),
        ("NIL_CORS_ORIGINS", "https://a.example,", "cors_origins: ``"),
        ("NIL_TRUSTED_PROXIES", "proxy.example", "trusted_proxies: `proxy.example` is no"),
        ("NIL_WEBHOOK_NETWORKS", "receiver.example", "webhook_networks: `receiver.example` is no"),
        ("NIL_TRUSTED_PROXIES", "0.0.0.0/0", "trusted_proxies: `0.0.0.0/0` is all addresses"),
    ] {
        let nil = Nil::alone().with(name, value);
        nil.run(&["migrate"]).misused(words);
        assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0, "{name} made something");
    }
    let nil = Nil::alone();
    let file = "token_hours = 0\ntrusted_proxies = ['10.0.0.0/8']\n";
    std::fs::write(nil.path("nil.toml"), file).unwrap();
    nil.run(&["migrate"]).misused("token_hours: 0 makes no sense");
    let nil = Nil::alone();
    let file = "[processor]\nkind = 'sandbox'\nwebhook_secrets = ['whsec_x']\n";
    std::fs::write(nil.path("nil.toml"), file).unwrap();
    nil.run(&["migrate"]).misused("the sandbox does not use webhook_secrets");
    let stripe = "[processor]\nkind = 'stripe'\nkey = 'sk_test_1'\nwebhook_secrets = ['whsec_x']\n";
    let nil = Nil::alone();
    std::fs::write(nil.path("nil.toml"), stripe).unwrap();
    nil.run(&["migrate"]).misused("processor.kind: `stripe` needs public_url");
    std::fs::write(nil.path("nil.toml"), format!("public_url = 'https://nil.example'\n{stripe}"))
        .unwrap();
    nil.run(&["migrate"]).good();
    let nil = Nil::alone().with("NIL_TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8,192.0.2.7");
    nil.with("NIL_CORS_ORIGINS", "https://app.example, http://127.0.0.1:3000")
        .run(&["migrate"])
        .good();
}

/// A bucket that cannot be used is told by the name of the setting, without the secret.
#[test]
fn a_wrong_bucket_is_named() {
    let bucket = || {
        Nil::alone()
            .with("NIL_OBJECTS_BUCKET", "files")
            .with("NIL_OBJECTS_REGION", "eu-central-1")
            .with("NIL_OBJECTS_ACCESS_KEY_ID", "AKIDEXAMPLE")
            .with("NIL_OBJECTS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI")
    };
    bucket().run(&["migrate"]).good();
    for (name, value, setting) in [
        ("NIL_OBJECTS_BUCKET", "a/b", "objects.bucket: "),
        ("NIL_OBJECTS_BUCKET", "", "objects.bucket: is missing"),
        ("NIL_OBJECTS_REGION", "", "objects.region: is missing"),
        ("NIL_OBJECTS_ENDPOINT", "files.example", "objects.endpoint: "),
        ("NIL_OBJECTS_PREFIX", "a//b", "objects.prefix: "),
        ("NIL_OBJECTS_ACCESS_KEY_ID", "", "objects.access_key_id: is missing"),
        ("NIL_OBJECTS_SECRET_ACCESS_KEY", "", "objects.secret_access_key: is missing"),
    ] {
        let ended = bucket().with(name, value).run(&["migrate"]).misused(setting);
        assert!(!ended.stderr.contains("wJalr"), "{}", ended.stderr);
    }
    let nil = bucket().with("NIL_OBJECTS_SECRET_ACCESS_KEY", "");
    std::fs::write(nil.path("key"), "wJalrXUtnFEMI\n").unwrap();
    nil.with("NIL_OBJECTS_SECRET_ACCESS_KEY_FILE", "key").run(&["migrate"]).good();
}
