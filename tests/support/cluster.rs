//! A cluster of `PostgreSQL` of the test's own, which the test may stop, kill and start again.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;

const SOON: Duration = Duration::from_mins(1);
/// Its port, in the name of its socket.
pub(crate) const PORT: u16 = 5432;

/// For tests: few pages, nothing on a disk, nothing that starts late.
const SETTINGS: &str = "listen_addresses = ''\nwal_level = replica\nmax_wal_senders = 4\nfsync = off\n\
    shared_buffers = 32MB\nmax_connections = 100\njit = off\ntimezone = 'UTC'\n\
    dynamic_shared_memory_type = mmap\n";

/// A running cluster; it ends with the value.
pub struct Cluster {
    server: Child,
    // Removed last.
    folder: TempDir,
}

/// The folder of the suites' cluster, whose owner may run servers.
fn home() -> PathBuf {
    let home = std::env::var_os("NIL_TEST_POSTGRES_DIR");
    home.expect("NIL_TEST_POSTGRES_DIR: run the suites with tests/run").into()
}

/// A program of `PostgreSQL`, as the owner of the suites' cluster: it refuses to run as root.
pub(crate) fn program(name: &str, folder: &Path) -> Command {
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

pub(crate) fn run(command: &mut Command) {
    let ran = command.stderr(Stdio::piped()).output().expect("it starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

impl Cluster {
    pub async fn start() -> Self {
        let home = home();
        let made = tempfile::Builder::new().prefix("cluster-").tempdir_in(&home);
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
        let cluster = Self { server: served(at, "primary", PORT), folder };
        cluster.answers().await;
        cluster
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.url_at(PORT)
    }

    pub(crate) fn url_at(&self, port: u16) -> String {
        let folder = self.folder.path().display();
        format!("postgres://postgres@localhost:{port}/postgres?host={folder}")
    }

    /// Waits until it answers.
    pub async fn answers(&self) {
        says(&self.url(), "SELECT 1").await;
    }

    /// What `pg_ctl restart -m immediate` does: its connections end, nothing is written any more,
    /// and it comes back by recovery from its log.
    pub async fn restart_at_once(&mut self) {
        quit(&mut self.server);
        self.server = served(self.folder.path(), "primary", PORT);
        self.answers().await;
    }

    /// Kills one of the processes that serve a connection, as the kernel does when memory is short.
    /// The server then ends all of them and recovers by itself.
    pub async fn kill_a_backend(&self) {
        let backends = self.backends();
        let first = backends.first().expect("somebody is connected");
        send("-KILL", [*first]);
        let deadline = Instant::now() + SOON;
        while self.backends().iter().any(|process| backends.contains(process)) {
            assert!(Instant::now() < deadline, "the others go on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.answers().await;
    }

    /// All of its processes stand still: connections are made by the kernel, and nobody says
    /// anything.
    pub fn stop(&self) {
        // The first of them starts no others meanwhile.
        send("-STOP", [self.server.id()]);
        send("-STOP", self.children());
    }

    /// They go on.
    pub fn go_on(&self) {
        send("-CONT", self.children());
        send("-CONT", [self.server.id()]);
    }

    fn children(&self) -> Vec<u32> {
        let id = self.server.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        let children = children.unwrap_or_default();
        children.split_whitespace().filter_map(|child| child.parse().ok()).collect()
    }

    /// The processes that serve connections.
    fn backends(&self) -> Vec<u32> {
        let serves = |process: &u32| {
            let title = std::fs::read_to_string(format!("/proc/{process}/cmdline"));
            title.is_ok_and(|title| title.starts_with("postgres: postgres postgres "))
        };
        self.children().into_iter().filter(serves).collect()
    }
}

fn send(signal: &str, processes: impl IntoIterator<Item = u32>) {
    // One may have ended meanwhile.
    let processes = processes.into_iter().map(|process| process.to_string());
    let _ = Command::new("kill").arg(signal).args(processes).stderr(Stdio::null()).status();
}

/// Runs a statement as soon as the server at this address answers.
pub(crate) async fn says(url: &str, statement: &str) {
    let deadline = Instant::now() + SOON;
    let mut on = loop {
        match PgConnection::connect(url).await {
            Ok(on) => break on,
            Err(error) => assert!(Instant::now() < deadline, "no answer: {error}"),
        }
        tokio::task::yield_now().await;
    };
    let statement = sqlx::raw_sql(AssertSqlSafe(statement.to_owned()));
    statement.execute(&mut on).await.expect("it is done");
}

pub(crate) fn served(folder: &Path, data: &str, port: u16) -> Child {
    let mut command = program("postgres", folder);
    command.args(["-D", data, "-p", &port.to_string()]).stderr(Stdio::null());
    command.spawn().expect("PostgreSQL starts")
}

/// An immediate shutdown, in which the server ends its own processes.
pub(crate) fn quit(server: &mut Child) {
    send("-QUIT", [server.id()]);
    let _ = server.wait();
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.go_on();
        quit(&mut self.server);
    }
}
