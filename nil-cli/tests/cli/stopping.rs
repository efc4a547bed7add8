//! SIGTERM under load, and while PostgreSQL is down: no answer breaks, and the server ends within
//! `drain_seconds`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nil_tests::database::{Database, cluster};
use nil_tests::{Engine, both, or_long, trust};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::watch;

use crate::chance::Chance;
use crate::nil::Nil;
use crate::served::Served;
use crate::trial::Trial;

/// A server is stopped after a random number of acknowledged jobs, from one to this.
const MOST: u64 = 60;
/// How long a stop may take.
const STOPPED: Duration = Duration::from_secs(30);

/// What becomes of the way to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Open,
    /// Connections break, and new ones are refused.
    Cut,
    /// Connections stay, new ones are accepted, and no byte arrives any more.
    Silent,
}

/// A way to the test cluster, as over a network.
struct Line {
    port: u16,
    way: Arc<watch::Sender<Way>>,
}

impl Line {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let way = Arc::new(watch::Sender::new(Way::Open));
        let mut told = way.subscribe();
        tokio::spawn(async move {
            loop {
                let accepted = tokio::select! {
                    accepted = listener.accept() => accepted.unwrap().0,
                    () = is_cut(&mut told) => return,
                };
                let told = told.clone();
                tokio::spawn(carry(accepted, told));
            }
        });
        Self { port, way }
    }
}

async fn is_cut(told: &mut watch::Receiver<Way>) {
    let _ = told.wait_for(|way| *way == Way::Cut).await;
}

/// Waits until the way is not open any more; returns whether it is silent.
async fn ends_silently(told: &mut watch::Receiver<Way>) -> bool {
    told.wait_for(|way| *way != Way::Open).await.is_ok_and(|way| *way == Way::Silent)
}

async fn carry(mut client: tokio::net::TcpStream, mut told: watch::Receiver<Way>) {
    let mut server = UnixStream::connect(socket()).await.unwrap();
    let (mut up, mut down) = ([0; 8_192], [0; 8_192]);
    loop {
        tokio::select! {
            biased;
            is_silent = ends_silently(&mut told) => {
                if is_silent {
                    // Holds both ends until the test is over.
                    std::future::pending::<()>().await;
                }
                return;
            }
            read = client.read(&mut up) => match read {
                Ok(bytes) if bytes > 0 => server.write_all(&up[..bytes]).await.unwrap(),
                _ => return,
            },
            read = server.read(&mut down) => match read {
                Ok(bytes) if bytes > 0 => {
                    if client.write_all(&down[..bytes]).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
        }
    }
}

fn socket() -> PathBuf {
    let address = cluster();
    let folder = address.split("host=").nth(1).expect("a socket's folder");
    let port = address.split("@localhost:").nth(1).and_then(|rest| rest.split('/').next());
    PathBuf::from(folder).join(format!(".s.PGSQL.{}", port.expect("a port")))
}

async fn ends_in_time(way: Way) {
    let database = Database::create().await;
    let line = Line::open().await;
    let name = database.url.split(['/', '?']).nth(3).expect("a name");
    let url = format!("postgres://postgres@127.0.0.1:{}/{name}?sslmode=disable", line.port);
    let nil = Nil::alone().with("NIL_DATABASE", &url).with("NIL_DRAIN_SECONDS", "3");
    let mut served = Served::start(&nil, &[]);
    assert_eq!(served.status("/api/listColleges", "").await, 200);
    line.way.send_replace(way);
    // Requests are under way that wait for the database.
    let waiting: Vec<_> =
        (0..5).map(|_| tokio::spawn(served.post("/api/listColleges", "").send())).collect();
    let begun = Instant::now();
    served.process.terminate();
    let ended = served.process.ended();
    let took = begun.elapsed();
    assert!(ended.success(), "{way:?}: {ended:?}: {}", served.log());
    assert!(took < Duration::from_millis(4_500), "{way:?}: {took:?}: {}", served.log());
    for one in waiting {
        let _ = one.await.unwrap();
    }
    trust::tried("R15", "stops", 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_database_is_gone_ends_within_its_drain() {
    ends_in_time(Way::Cut).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_database_is_silent_ends_within_its_drain() {
    ends_in_time(Way::Silent).await;
}

/// A server that is told to stop while many write says so, answers what has begun, and ends.
async fn a_server_that_stops_under_load_breaks_no_answer(engine: Engine) {
    let mut trial = Trial::on(engine).await;
    let nil = trial.nil().with("NIL_DRAIN_SECONDS", "60");
    let mut chance = Chance::of_the_seed();
    let stops = or_long(3, 20);
    let mut slowest = Duration::ZERO;
    for round in 0..stops {
        let jobs = 1 + chance.below(MOST);
        let server = Served::start(&nil, &[]);
        let took = trial.stopped_after(server, jobs, &format!("Round {round}")).await;
        assert!(took < STOPPED, "{took:?}");
        slowest = slowest.max(took);
    }
    trust::tried("R15", "stops", stops);
    trust::measured("R15", &format!("under load within {:.1} s", slowest.as_secs_f64()));
}
both!(a_server_that_stops_under_load_breaks_no_answer);
