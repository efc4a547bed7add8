//! `nil serve` in operation: first run, demonstration, restarts, stopping, two servers at once.

use std::time::{Duration, Instant};

use nil_tests::database::Database;
use nil_tests::{Engine, PASSWORD, World, both, trust};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::nil::Nil;
use crate::served::{Running, SOON, Served};

/// The first operator's e-mail and passphrase, if there is one: the passphrase is in a file that
/// only its owner may read, because what a server prints ends in a log.
fn one_time_password(nil: &Nil, served: &Served) -> Option<(String, String)> {
    let line = served.printed.lines().find(|line| line.starts_with("First operator: "))?;
    let (email, path) =
        line["First operator: ".len()..].split_once(", one-time password in ").unwrap();
    let path = nil.path(path);
    let mode = std::fs::metadata(&path).unwrap().permissions();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600);
    let file = std::fs::read_to_string(&path).unwrap();
    let (first, password) = file.trim_end().split_once('\n').unwrap();
    assert_eq!(first, email);
    assert!(!served.printed.contains(password), "{}", served.printed);
    Some((email.to_owned(), password.to_owned()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_run_makes_an_operator_who_logs_in_once_and_sets_a_password() {
    const OWN: &str = "a walk along the lake";
    let nil = Nil::alone();
    let mut served = Served::start(&nil, &[]);
    assert!(served.log().contains("it issues no invoices"), "{}", served.log());
    let version =
        concat!("nil ", env!("CARGO_PKG_VERSION"), ", database: SQLite, nil-data/nil.db\n");
    assert!(served.printed.contains(version), "{}", served.printed);
    for simulated in ["mails and text messages are not sent", "move no money (a sandbox answers)"] {
        assert!(served.printed.contains(simulated), "{}", served.printed);
    }
    let (email, password) = one_time_password(&nil, &served).expect("a first operator");
    let (email, password) = (email.as_str(), password.as_str());
    let (status, answer, cookie) = served.visit_as_operator(email, password).await;
    assert_eq!(status, 200, "{answer:#}");
    assert_eq!(answer["data"]["permissions"][0], "*");
    assert_eq!(answer["data"]["password_change_required"], true);
    let (status, again) = served.log_in_operator(email, password).await;
    assert_eq!((status, &again["code"]), (403, &json!("one_time_password_used")));
    let session = (cookie.as_str(), answer["data"]["csrf_token"].as_str().unwrap());
    let open = json!({ "job_id": 1, "status": "open" });
    let (status, refused) =
        served.post_as_operator("/admin/job/updateJobStatusFromPending", session, &open).await;
    assert_eq!((status, &refused["code"]), (403, &json!("password_change_required")));
    let change = json!({ "current_password": password, "password": OWN });
    let (status, changed) =
        served.post_as_operator("/admin/change-password", session, &change).await;
    assert_eq!(status, 200, "{changed:#}");
    assert_eq!(served.log_in_operator(email, OWN).await.0, 200);
    assert_eq!(served.log_in_operator(email, "not the passphrase").await.0, 401);
    assert!(!served.log().contains(password), "a password is never logged");
    let key = std::fs::metadata(nil.path("nil-data/secret.key")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::mode(&key.permissions());
    assert_eq!(mode & 0o777, 0o600, "the key is its owner's alone");
    let email = email.to_owned();
    served.process.terminate();
    assert!(served.process.ended().success());
    let again = Served::start(&nil, &[]);
    assert_eq!(one_time_password(&nil, &again), None, "only once");
    assert_eq!(again.log_in_operator(&email, OWN).await.0, 200);
    let reset = nil.run(&["operator", "reset-password", &email, "--json"]).good().json();
    let password = reset["one_time_password"].as_str().unwrap();
    assert_eq!(again.log_in_operator(&email, OWN).await.0, 401);
    assert_eq!(again.log_in_operator(&email, password).await.0, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demonstration_prints_accounts_that_outlive_a_restart() {
    let nil = Nil::alone();
    let mut served = Served::start(&nil, &["--demo"]);
    assert_eq!(one_time_password(&nil, &served), None, "there is an operator");
    assert!(!served.log().contains("it issues no invoices"), "the sample site has a name");
    let rows = served.printed.lines().filter(|line| line.contains('@'));
    let accounts: Vec<Vec<&str>> =
        rows.map(|row| row.split("  ").map(str::trim).collect()).collect();
    let account = |kind: &str| {
        let of_kind = |row: &&Vec<&str>| row.iter().any(|cell| cell.starts_with(kind));
        let row = accounts.iter().find(of_kind).unwrap_or_else(|| panic!("no {kind}"));
        let cells: Vec<&str> = row.iter().copied().filter(|cell| !cell.is_empty()).collect();
        cells[1].to_owned()
    };
    let (_, password) = served.printed.split_once("the password: ").unwrap();
    let password = password.lines().next().unwrap();
    for kind in ["athlete", "agent", "fan"] {
        served.log_in(&account(kind), password).await;
    }
    let token = served.log_in(&account("brand"), password).await;
    assert_eq!(served.status("/api/me", &token).await, 200);
    assert_eq!(served.log_in_operator(&account("operator"), password).await.0, 200);
    let officer = json!({ "email": account("compliance officer"), "password": password });
    let log_in = format!("{}/api/compliance/login", served.back_office);
    assert!(served.printed.contains(&log_in), "{}", served.printed);
    let answer = served.client.post(log_in).json(&officer).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    served.process.terminate();
    assert!(served.process.ended().success(), "{}", served.log());
    nil.run(&["verify"]).good();

    let again = Served::start(&nil, &[]);
    assert_eq!(again.status("/api/me", &token).await, 200, "the key is kept");
    assert_eq!(again.status("/api/logout", &token).await, 200);
    assert_eq!(again.status("/api/me", &token).await, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storm_of_log_ins_passes_and_leaves_nothing_behind() {
    let nil = Nil::demonstrated().with("NIL_THROTTLE", "off");
    let served = Served::start(&nil, &[]);
    let log_in = |number: u32| {
        let email = format!("nobody-{number}@brand.example");
        let input = json!({ "email": email, "password": "a passphrase of nobody" });
        served.post("/api/login", "").json(&input).send()
    };
    // As many as are hashed concurrently, so that each thread has allocated its memory.
    for answer in futures::future::join_all((0..8).map(&log_in)).await {
        assert_eq!(answer.unwrap().status(), 401);
    }
    let before = served.memory("VmRSS:");
    for answer in futures::future::join_all((8..208).map(&log_in)).await {
        assert_eq!(answer.unwrap().status(), 401);
    }
    // The best of several measurements: other tests run on this machine too.
    let mut best = Duration::MAX;
    for _ in 0..10 {
        let started = Instant::now();
        let colleges = served.post("/api/listColleges", "");
        let colleges = colleges.json(&json!({})).send().await.unwrap();
        assert_eq!(colleges.status(), 200);
        best = best.min(started.elapsed());
    }
    assert!(best < Duration::from_millis(100), "{best:?}");
    let after = served.memory("VmRSS:");
    assert!(after < 2 * before, "{before} KiB became {after} KiB");
}

async fn a_demonstration_touches_no_database_in_use(engine: Engine) {
    let world = World::in_real_time(engine).await;
    world.college().await;
    let ports = ["--core", "127.0.0.1:0", "--back-office", "127.0.0.1:0"];
    let refused = Nil::beside(&world).run(&[&["serve", "--demo"], &ports[..]].concat());
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.stderr.contains("not empty"), "{}", refused.stderr);
    assert!(refused.stderr.contains("`nil serve --demo --data demo-data`"), "{}", refused.stderr);
    assert_eq!(world.id("SELECT COUNT(*) FROM app_user").await, 0);
    assert_eq!(world.id("SELECT COUNT(*) FROM college").await, 1);
}
both!(a_demonstration_touches_no_database_in_use);

async fn workers_at_once_share_the_work(engine: Engine) {
    let world = World::in_real_time(engine).await;
    for _ in 0..10 {
        world.college().await;
    }
    let nil = Nil::beside(&world);
    let once = || nil.run(&["worker", "--once", "--json"]).good().json();
    let rounds = std::thread::scope(|scope| {
        let working = [(); 6].map(|()| scope.spawn(once));
        working.map(|round| round.join().expect("a round"))
    });
    let sealed: u64 = rounds.iter().map(|round| round["sealed"].as_u64().unwrap()).sum();
    let entries = world.id("SELECT COUNT(*) FROM audit_entry").await;
    assert_eq!(i64::try_from(sealed).unwrap(), entries, "{rounds:?}");
    nil.run(&["verify"]).good();
}
both!(workers_at_once_share_the_work);

async fn a_worker_of_its_own_works_until_it_is_asked_to_stop(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.paying_partner("Northfield").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[1_000]).await;
    let nil = Nil::beside(&world);
    let mut worker = Running::of(nil.command(&["worker"]));
    let pending = "SELECT COUNT(*) FROM outbox WHERE status = 'pending' \
            AND channel = 'event'";
    let deadline = Instant::now() + SOON;
    // Events written while it runs are processed too.
    world.pay(&brand, &athlete, &deal).await;
    while world.id(pending).await > 0 {
        assert!(Instant::now() < deadline, "nothing works");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    worker.terminate();
    assert_eq!(worker.ended().code(), Some(0));
}
both!(a_worker_of_its_own_works_until_it_is_asked_to_stop);

/// After SIGTERM a server says that it is not ready, and goes on until it is told again or its time
/// is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_leaves_goes_on_for_a_while() {
    let nil = Nil::alone().with("NIL_DRAIN_SECONDS", "3600");
    let mut served = Served::start(&nil, &[]);
    let core = served.core.clone();
    let ask = async |path: &str| {
        let fresh = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = fresh.get(format!("{core}{path}")).send().await.unwrap();
        answer.status().as_u16()
    };
    assert_eq!(ask("/readyz").await, 200);
    served.process.terminate();
    served.logged("leaving").await;
    for _ in 0..3 {
        assert_eq!((ask("/readyz").await, ask("/healthz").await), (503, 200));
        assert_eq!(ask("/api/subscriptions/plans").await, 200);
    }
    served.process.terminate();
    assert_eq!(served.process.ended().code(), Some(0), "{}", served.log());
}

/// A request that has begun when SIGTERM arrives is answered; the next connection is refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_word_to_stop_lets_requests_finish() {
    let nil = Nil::alone();
    let mut served = Served::start(&nil, &[]);
    let mut begun = Vec::new();
    for (base, path) in
        [(&served.core, "/api/listColleges"), (&served.back_office, "/api/compliance/login")]
    {
        let address = base.strip_prefix("http://").unwrap().to_owned();
        let mut stream = TcpStream::connect(&address).await.unwrap();
        // The handler's `100 Continue` shows that the request is under way.
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: 14\r\nExpect: 100-continue\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut go_on = [0; 25];
        stream.read_exact(&mut go_on).await.unwrap();
        assert!(go_on.starts_with(b"HTTP/1.1 100 Continue\r\n"));
        begun.push((address, stream));
    }
    served.process.terminate();
    served.logged("stopping").await;
    for (address, mut stream) in begun {
        stream.write_all(br#"{"per_page":1}"#).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let fine = answer.starts_with("HTTP/1.1 200 ") || answer.starts_with("HTTP/1.1 422 ");
        assert!(fine, "{address}: {answer}");
    }
    assert_eq!(served.process.ended().code(), Some(0), "{}", served.log());
    assert!(served.post("/api/listColleges", "").send().await.is_err(), "nobody listens");
    trust::tried("R15", "stops", 1);
}

/// Two servers with the same database and key act as one platform.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_out_counts_on_every_server_at_once_postgres() {
    let world = World::in_real_time(Engine::Postgres).await;
    let brand = world.partner("Northfield").await;
    let folders = [Nil::beside(&world), Nil::beside(&world)];
    let [first, second] = folders.each_ref().map(|nil| Served::start(nil, &[]));
    let (here, there) =
        (first.log_in(&brand.email, PASSWORD).await, second.log_in(&brand.email, PASSWORD).await);
    for token in [&here, &there] {
        assert_eq!(first.status("/api/me", token).await, 200);
        assert_eq!(second.status("/api/me", token).await, 200);
    }
    assert_eq!(first.status("/api/logout", &here).await, 200);
    assert_eq!(second.status("/api/me", &here).await, 401);
    assert_eq!(second.status("/api/me", &there).await, 200, "another log-in is another's affair");
    assert_eq!(second.status("/api/logout", &there).await, 200);
    assert_eq!(first.status("/api/me", &there).await, 401);
}

/// Two servers start together on an empty database: both serve, and one operator is created.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_first_runs_at_once_are_one_postgres() {
    let database = Database::create().await;
    let key = "5a".repeat(32);
    let folders = [(); 2]
        .map(|()| Nil::alone().with("NIL_DATABASE", &database.url).with("NIL_SECRET_KEY", &key));
    let servers: Vec<Served> = std::thread::scope(|scope| {
        let starting = folders.each_ref().map(|nil| scope.spawn(|| Served::start(nil, &[])));
        starting.map(|server| server.join().unwrap()).into()
    });
    let each = folders.iter().zip(&servers);
    let told: Vec<_> = each.filter_map(|(nil, served)| one_time_password(nil, served)).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(servers[0].log_in_operator(&told[0].0, &told[0].1).await.0, 200);
    // A one-time password works once across all servers.
    assert_eq!(servers[1].log_in_operator(&told[0].0, &told[0].1).await.0, 403);
}
