//! `PgBouncer` in front of PostgreSQL: session mode works, transaction mode is refused with what to
//! do.

use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nil_tests::database::{Database, cluster};

use crate::nil::Nil;
use crate::served::{Running, SOON, Served};

/// Where Debian has it, off the PATH of users.
const DEBIANS: &str = "/usr/sbin/pgbouncer";

/// A `PgBouncer` in front of a database, which is killed when it is dropped.
struct Bouncer {
    _process: Running,
    url: String,
}

impl Bouncer {
    fn start(database: &Database, mode: &str) -> Self {
        let address = cluster();
        let folder = address.split("host=").nth(1).expect("a socket's folder");
        let server = address.split("@localhost:").nth(1).and_then(|rest| rest.split('/').next());
        let name = database.url.split(['/', '?']).nth(3).expect("a name");
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let settings = format!(
            "[databases]\n{name} = host={folder} port={} dbname={name} user=postgres\n[pgbouncer]\n\
             listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = {mode}\ndefault_pool_size = 30\nignore_startup_parameters = extra_float_digits\n",
            server.expect("a port"),
        );
        // Where its reader may look, whoever that is.
        let file = std::env::temp_dir().join(format!("pgbouncer-{port}.ini"));
        std::fs::write(&file, settings).unwrap();
        let program = if Path::new(DEBIANS).exists() { DEBIANS } else { "pgbouncer" };
        // It refuses to run as root, and the cluster's socket is its owner's.
        let owner = std::fs::metadata(folder).unwrap().uid();
        let mut command = if std::fs::metadata(&file).unwrap().uid() == owner {
            Command::new(program)
        } else {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", &owner.to_string(), "--clear-groups", program]);
            command
        };
        command.arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let process = Running::of(command);
        let deadline = Instant::now() + SOON;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "PgBouncer does not listen");
            std::thread::yield_now();
        }
        std::fs::remove_file(&file).unwrap();
        Self { _process: process, url: format!("postgres://postgres@127.0.0.1:{port}/{name}") }
    }
}

#[tokio::test]
async fn a_pool_in_session_mode_serves() {
    let database = Database::create().await;
    let bouncer = Bouncer::start(&database, "session");
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
        let bouncer = Bouncer::start(&database, mode);
        let nil = Nil::alone().with("NIL_DATABASE", &bouncer.url).with("NIL_SECRET_KEY", &key);
        for command in [&["migrate"][..], &["verify"], &["serve", "--core", "127.0.0.1:0"]] {
            let refused = nil.run(command);
            // A server's warnings come first.
            assert!(refused.code == 1 && refused.stderr.contains("error: unavailable: "), "{mode}");
            assert!(refused.stderr.contains("pool_mode = session"), "{mode}: {}", refused.stderr);
        }
    }
}
