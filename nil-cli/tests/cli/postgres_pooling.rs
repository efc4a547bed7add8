//! `PgBouncer` in front of PostgreSQL: session mode works, and transaction mode with PostgreSQL's
//! own address beside it; without that it is refused with what to do.

use nil_tests::Bouncer;
use nil_tests::database::Database;

use crate::nil::Nil;
use crate::served::Served;

#[tokio::test]
async fn a_pool_in_session_mode_serves() {
    let database = Database::create().await;
    let bouncer = Bouncer::start(&database.url, "session", 30);
    let nil = Nil::alone().with("NIL_DATABASE", &bouncer.url);
    nil.run(&["migrate"]).good();
    let served = Served::start(&nil, &[]);
    for _ in 0..20 {
        assert_eq!(served.status("/api/listColleges", "").await, 200);
    }
    drop(served);
    nil.run(&["verify"]).good();
}

#[tokio::test]
async fn a_pool_in_transaction_mode_is_refused_with_what_to_do() {
    let database = Database::create().await;
    // The database itself is fine.
    let key = "5a".repeat(32);
    let direct = Nil::alone().with("NIL_DATABASE", &database.url).with("NIL_SECRET_KEY", &key);
    direct.run(&["migrate"]).good();
    for mode in ["transaction", "statement"] {
        let bouncer = Bouncer::ignoring(&database.url, mode, 30);
        let nil = Nil::alone().with("NIL_DATABASE", &bouncer.url).with("NIL_SECRET_KEY", &key);
        for command in [&["migrate"][..], &["verify"], &["serve", "--core", "127.0.0.1:0"]] {
            let refused = nil.run(command);
            // A server's warnings come first.
            assert!(refused.code == 1 && refused.stderr.contains("error: unavailable: "), "{mode}");
            assert!(refused.stderr.contains("pool_mode = session"), "{mode}: {}", refused.stderr);
            assert!(refused.stderr.contains("database_direct"), "{mode}: {}", refused.stderr);
        }
    }
}

#[tokio::test]
async fn a_pool_in_transaction_mode_serves_beside_the_servers_own_address() {
    let database = Database::create().await;
    let bouncer = Bouncer::start(&database.url, "transaction", 4);
    let key = "5a".repeat(32);
    let settings = || {
        Nil::alone()
            .with("NIL_DATABASE", &bouncer.url)
            .with("NIL_DATABASE_DIRECT", &database.url)
            .with("NIL_DATABASE_CONNECTIONS", "10")
            .with("NIL_SECRET_KEY", &key)
    };
    let (nil, other) = (settings(), settings());
    // Two that start together migrate once.
    let servers = std::thread::scope(|scope| {
        let starting = [&nil, &other].map(|nil| scope.spawn(|| Served::start(nil, &[])));
        starting.map(|server| server.join().unwrap())
    });
    for served in &servers {
        for _ in 0..20 {
            assert_eq!(served.status("/api/listColleges", "").await, 200);
        }
    }
    nil.run(&["migrate", "--check"]).good();
    drop(servers);
    nil.run(&["verify"]).good();
    nil.run(&["audit", "check"]).good();
}

#[test]
fn settings_of_the_pool_that_make_no_sense_are_refused_without_their_secrets() {
    let postgres = "postgres://nil:hunter2@db.example/nil";
    for (database, name, value, why) in [
        (postgres, "NIL_DATABASE_CONNECTIONS", "1", "database_connections: 1 makes no sense"),
        (postgres, "NIL_DATABASE_DIRECT", "mysql://nil:hunter2@db", "database_direct: must be"),
        (postgres, "NIL_DATABASE_DIRECT", "sqlite:nil.db", "database_direct: must be"),
        (postgres, "NIL_DATABASE_REPLICA", "mysql://nil:hunter2@db", "database_replica: must be"),
        (postgres, "NIL_DATABASE_REPLICA_LAG", "1", "database_replica_lag: 1 makes no sense"),
        ("sqlite:nil.db", "NIL_DATABASE_REPLICA", postgres, "database_replica: the database is"),
        ("sqlite:nil.db", "NIL_REDIS_URL", "http://:hunter2@redis", "redis_url: must begin"),
        ("sqlite:nil.db", "NIL_REDIS_URL", "redis://:hunter2@", "redis_url: is no address"),
    ] {
        let nil = Nil::alone().with("NIL_DATABASE", database).with(name, value);
        let refused = nil.run(&["migrate"]);
        assert_eq!(refused.code, 2, "{name}={value}: {refused:?}");
        assert!(refused.stderr.contains(why), "{name}={value}: {}", refused.stderr);
        assert!(!refused.stderr.contains("hunter2"), "{}", refused.stderr);
        assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0, "nothing is made");
    }
}
