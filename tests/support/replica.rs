//! A cluster of `PostgreSQL` of the test's own, and a streaming replica of it. The cluster of the
//! suites streams nothing.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;

const SOON: Duration = Duration::from_mins(1);
const PRIMARY: u16 = 5432;
const REPLICA: u16 = 5433;

/// For tests: few pages, nothing on a disk, nothing that starts late.
const SETTINGS: &str = "listen_addresses = ''\nwal_level = replica\nmax_wal_senders = 4\nfsync = off\n\
    shared_buffers = 32MB\nmax_connections = 100\njit = off\ntimezone = 'UTC'\n\
    dynamic_shared_memory_type = mmap\n";

/// A primary and its replica; both end with the value.
pub struct Streaming {
    primary: Child,
    replica: Option<Child>,
    // Removed last.
    folder: TempDir,
}

/// The folder of the suites' cluster, whose owner may run servers.
fn home() -> PathBuf {
    let home = std::env::var_os("NIL_TEST_POSTGRES_DIR");
    home.expect("NIL_TEST_POSTGRES_DIR: run the suites with tests/run").into()
}

/// A program of `PostgreSQL`, as the owner of the suites' cluster: it refuses to run as root.
fn program(name: &str, folder: &Path) -> Command {
    let bin = std::env::var_os("NIL_TEST_POSTGRES_BIN").expect("NIL_TEST_POSTGRES_BIN");
    let mut command = Command::new("setpriv");
    let owner = std::fs::metadata(home()).expect("the folder").uid();
    if std::fs::metadata("/proc/self").expect("this process").uid() != owner {
        command.args(["--reuid", &owner.to_string(), "--clear-groups", "setpriv"]);
    }
    // It ends with the test, however that ends.
    command.args(["--pdeathsig", "QUIT"]).arg(Path::new(&bin).join(name));
    command.current_dir(folder).env_clear().env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let ran = command.stderr(Stdio::piped()).output().expect("it starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

impl Streaming {
    pub async fn start() -> Self {
        let home = home();
        let made = tempfile::Builder::new().prefix("streaming-").tempdir_in(&home);
        let folder = made.expect("a folder");
        let owner = std::fs::metadata(&home).expect("the folder");
        chown(folder.path(), Some(owner.uid()), Some(owner.gid())).expect("its owner");
        let at = folder.path();
        run(program("initdb", at).args(["--pgdata", "primary", "--username", "postgres"]).args([
            "--auth",
            "trust",
            "--encoding",
            "UTF8",
            "--locale",
            "C.UTF-8",
            "--no-sync",
        ]));
        let settings = at.join("primary/postgresql.conf");
        let usual = std::fs::read_to_string(&settings).expect("its settings");
        let sockets = format!("unix_socket_directories = '{}'\n", at.display());
        std::fs::write(&settings, format!("{usual}\n{SETTINGS}{sockets}")).expect("settings");
        let primary = served(at, "primary", PRIMARY);
        let mut streaming = Self { primary, replica: None, folder };
        streaming.says(PRIMARY, "SELECT 1").await;
        let at = streaming.folder.path();
        let host = at.display().to_string();
        run(program("pg_basebackup", at)
            .args(["-R", "-D", "replica", "-c", "fast", "--no-sync"])
            .args(["-h", &host, "-p", &PRIMARY.to_string(), "-U", "postgres"]));
        streaming.start_replica().await;
        streaming
    }

    fn url(&self, port: u16) -> String {
        format!(
            "postgres://postgres@localhost:{port}/postgres?host={}",
            self.folder.path().display()
        )
    }

    /// The primary's address.
    pub fn primary(&self) -> String {
        self.url(PRIMARY)
    }

    /// The replica's address.
    pub fn replica(&self) -> String {
        self.url(REPLICA)
    }

    /// Starts the replica, and waits until it answers.
    pub async fn start_replica(&mut self) {
        self.replica = Some(served(self.folder.path(), "replica", REPLICA));
        self.says(REPLICA, "SELECT 1").await;
    }

    /// Stops the replica at once, as a crash does.
    pub fn stop_replica(&mut self) {
        if let Some(mut replica) = self.replica.take() {
            quit(&mut replica);
        }
    }

    /// The replica receives what the primary writes, but shows none of it.
    pub async fn pause(&self) {
        self.says(REPLICA, "SELECT pg_wal_replay_pause()").await;
        let deadline = Instant::now() + SOON;
        let mut on = PgConnection::connect(&self.replica()).await.expect("the replica answers");
        let asked = "SELECT pg_get_wal_replay_pause_state() = 'paused'";
        while !sqlx::query_scalar::<_, bool>(asked).fetch_one(&mut on).await.expect("a state") {
            assert!(Instant::now() < deadline, "replay goes on");
        }
    }

    /// The replica shows what it has received.
    pub async fn resume(&self) {
        self.says(REPLICA, "SELECT pg_wal_replay_resume()").await;
    }

    /// Runs a statement as soon as the server answers.
    async fn says(&self, port: u16, statement: &str) {
        let deadline = Instant::now() + SOON;
        let mut on = loop {
            match PgConnection::connect(&self.url(port)).await {
                Ok(on) => break on,
                Err(error) => assert!(Instant::now() < deadline, "no answer: {error}"),
            }
            tokio::task::yield_now().await;
        };
        let statement = sqlx::raw_sql(AssertSqlSafe(statement.to_owned()));
        statement.execute(&mut on).await.expect("it is done");
    }
}

fn served(folder: &Path, data: &str, port: u16) -> Child {
    let mut command = program("postgres", folder);
    command.args(["-D", data, "-p", &port.to_string()]).stderr(Stdio::null());
    command.spawn().expect("PostgreSQL starts")
}

/// An immediate shutdown, in which the server ends its own processes.
fn quit(server: &mut Child) {
    let _ = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
    let _ = server.wait();
}

impl Drop for Streaming {
    fn drop(&mut self) {
        self.stop_replica();
        quit(&mut self.primary);
    }
}
