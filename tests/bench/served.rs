//! `nil serve` in a process of its own: how soon it answers, and the memory that it takes.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use nil_tests::World;
use tokio::net::TcpStream;

use crate::load;

/// A server that answers; it ends with this value.
pub struct Served {
    process: Child,
    pub core: SocketAddr,
    pub back_office: SocketAddr,
    /// Open until the end: the server prints to it.
    _printed: BufReader<ChildStdout>,
}

impl Served {
    /// Starts the binary on a world's database, and says how long it took until the first 200.
    pub async fn start(nil: &Path, world: &World) -> (Self, Duration) {
        let started = Instant::now();
        let mut process = Command::new(nil)
            .args(["serve", "--core", "127.0.0.1:0", "--back-office", "127.0.0.1:0"])
            .envs(world.environment())
            .env("NIL_THROTTLE", "off")
            .env("NIL_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{}: {error}. Run: cargo build --release", nil.display())
            });
        let mut printed = BufReader::new(process.stdout.take().unwrap());
        let (mut core, mut back_office) = (None, None);
        while core.is_none() || back_office.is_none() {
            let mut line = String::new();
            assert!(printed.read_line(&mut line).unwrap() > 0, "the server ended");
            let address = || {
                let (_, rest) = line.split_once("http://")?;
                rest.split('/').next()?.trim().parse().ok()
            };
            if line.starts_with("Core ") {
                core = address();
            } else if line.starts_with("Admin ") {
                back_office = address();
            }
        }
        let (core, back_office): (SocketAddr, SocketAddr) = (core.unwrap(), back_office.unwrap());
        let mut stream = TcpStream::connect(core).await.unwrap();
        let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        load::exchange(&mut stream, request, &mut [0; 4_096]).await;
        let took = started.elapsed();
        (Self { process, core, back_office, _printed: printed }, took)
    }

    /// Its share of memory (PSS), in MB.
    pub fn memory(&self) -> f64 {
        let rollup = format!("/proc/{}/smaps_rollup", self.process.id());
        let rollup = std::fs::read_to_string(rollup).unwrap();
        let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap();
        let kib: f64 = pss.trim().trim_end_matches("kB").trim().parse().unwrap();
        kib / 1_024.0
    }
}

impl Served {
    /// The processor time that it has used.
    pub fn processor(&self) -> Duration {
        Used::by(&self.process.id().to_string()).map_or(Duration::ZERO, |used| used.own)
    }
}

/// The processor time of PostgreSQL's processes: of those that run, and of those that have ended.
pub fn processor_of_postgres(folder: &Path) -> Duration {
    let postmaster = std::fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
    let postmaster = postmaster.lines().next().unwrap();
    let main = Used::by(postmaster).unwrap();
    let running = std::fs::read_dir("/proc").unwrap().filter_map(|process| {
        let used = Used::by(process.ok()?.file_name().to_str()?)?;
        (used.parent == postmaster).then_some(used.own)
    });
    main.own + main.ended + running.sum::<Duration>()
}

/// The processor time of a process.
struct Used {
    parent: String,
    own: Duration,
    /// Of its children that have ended.
    ended: Duration,
}

impl Used {
    /// None if there is no such process any more.
    fn by(process: &str) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name, in parentheses, may contain spaces.
        let (_, stat) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = stat.split_whitespace().collect();
        // Linux counts hundredths of a second for programs, whatever it counts for itself.
        let time =
            |field: usize| Some(Duration::from_millis(10) * fields.get(field)?.parse().ok()?);
        Some(Self {
            parent: (*fields.get(1)?).to_owned(),
            own: time(11)? + time(12)?,
            ended: time(13)? + time(14)?,
        })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
