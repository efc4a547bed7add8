//! `PgBouncer` in front of a database of the test cluster.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::database::cluster;

/// Where Debian has it, off the PATH of users.
const DEBIANS: &str = "/usr/sbin/pgbouncer";
const SOON: Duration = Duration::from_mins(1);

/// A pool in front of a database; its process ends with the value.
pub struct Bouncer {
    process: Child,
    /// The pool's address.
    pub url: String,
}

impl Bouncer {
    /// A pool of so many sessions in this mode (`session`, `transaction`, `statement`) in front of
    /// the database at this address of the cluster. One that shares sessions refuses what it
    /// refuses as it comes.
    pub fn start(database: &str, mode: &str, sessions: u32) -> Self {
        match mode {
            "session" => Self::ignoring(database, mode, sessions),
            _ => Self::with(database, mode, sessions, ""),
        }
    }

    /// The same, which lets through `extra_float_digits`.
    pub fn ignoring(database: &str, mode: &str, sessions: u32) -> Self {
        Self::with(database, mode, sessions, "ignore_startup_parameters = extra_float_digits\n")
    }

    fn with(database: &str, mode: &str, sessions: u32, more: &str) -> Self {
        let address = cluster();
        let folder = address.split("host=").nth(1).expect("a socket's folder");
        let server = address.split("@localhost:").nth(1).and_then(|rest| rest.split('/').next());
        let server = server.expect("a port");
        let name = database.split(['/', '?']).nth(3).expect("a name");
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let settings = format!(
            "[databases]\n{name} = host={folder} port={server} dbname={name} user=postgres\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = any\npool_mode = {mode}\ndefault_pool_size = {sessions}\n{more}",
        );
        // Where its reader may look, whoever that is.
        let file = std::env::temp_dir().join(format!("pgbouncer-{port}.ini"));
        std::fs::write(&file, settings).expect("its settings");
        let program = if Path::new(DEBIANS).exists() { DEBIANS } else { "pgbouncer" };
        // It refuses to run as root, and the cluster's socket is its owner's.
        let owner = std::fs::metadata(folder).expect("the folder").uid();
        let mut command = if std::fs::metadata(&file).expect("the file").uid() == owner {
            Command::new(program)
        } else {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", &owner.to_string(), "--clear-groups", program]);
            command
        };
        command.arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("PgBouncer; tests/run installs it");
        let url = format!("postgres://postgres@127.0.0.1:{port}/{name}");
        let bouncer = Self { process, url };
        let deadline = Instant::now() + SOON;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "PgBouncer does not listen");
            std::thread::yield_now();
        }
        std::fs::remove_file(&file).expect("its settings");
        bouncer
    }
}

impl Drop for Bouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
