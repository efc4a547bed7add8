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
        used(&self.process.id().to_string()).map_or(Duration::ZERO, |(own, _)| own)
    }
}

/// The processor time of PostgreSQL's processes: of those that run, and of those that have ended.
pub fn processor_of_postgres(folder: &Path) -> Duration {
    let postmaster = std::fs::read_to_string(folder.join("postmaster.pid")).unwrap();
    let postmaster = postmaster.lines().next().unwrap().to_owned();
    let children = format!("/proc/{postmaster}/task/{postmaster}/children");
    let children = std::fs::read_to_string(children).unwrap();
    let (own, ended) = used(&postmaster).unwrap();
    let running = children.split_whitespace().filter_map(used).map(|(own, _)| own);
    own + ended + running.sum::<Duration>()
}

/// The processor time of a process, and of its children that have ended. None if the process has ended itself.
fn used(process: &str) -> Option<(Duration, Duration)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain spaces.
    let (_, stat) = stat.rsplit_once(')')?;
    let ticks: Vec<u32> =
        stat.split_whitespace().skip(11).take(4).filter_map(|ticks| ticks.parse().ok()).collect();
    let [user, system, ended_user, ended_system] = *ticks.first_chunk()?;
    // Linux counts hundredths of a second for programs, whatever it counts for itself.
    let time = |ticks: u32| Duration::from_millis(10) * ticks;
    Some((time(user + system), time(ended_user + ended_system)))
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
