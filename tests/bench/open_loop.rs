//! Requests sent at a fixed rate, whether or not earlier ones were answered. Latency counts from
//! the instant at which a request was meant to be sent: a server that stands still is charged for
//! everybody who waits.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::load;

/// Connections that find out how much a server can do.
const CALLERS: usize = 8;

/// The requests of one kind of work.
pub struct Requests {
    /// Each is sent once, or in rotation.
    pub texts: Vec<Vec<u8>>,
    pub once: bool,
}

/// How much servers can do.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// The number of answers.
    pub answered: u32,
    pub per_second: f64,
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Latency {
    /// Requests per second.
    pub rate: f64,
    pub p50: Duration,
    pub p99: Duration,
}

/// How long a connection may have been idle: servers close those that nobody uses.
const FRESH: Duration = Duration::from_secs(2);

/// Open connections that nobody uses, each with its buffer, and since when.
type Idle = Arc<Mutex<Vec<(TcpStream, Vec<u8>, Instant)>>>;

/// A server, with connections to it.
#[derive(Clone)]
struct Target {
    address: SocketAddr,
    idle: Idle,
}

fn targets(addresses: &[SocketAddr]) -> Vec<Target> {
    let target = |address: &SocketAddr| Target { address: *address, idle: Arc::default() };
    addresses.iter().map(target).collect()
}

async fn ask(Target { address, idle }: &Target, request: &[u8]) {
    let kept = idle.lock().unwrap().pop().filter(|(.., since)| since.elapsed() < FRESH);
    let (mut stream, mut buffer) = match kept {
        Some((stream, buffer, _)) => (stream, buffer),
        None => {
            let stream = TcpStream::connect(*address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            (stream, vec![0; 256 * 1024])
        }
    };
    load::exchange(&mut stream, request, &mut buffer).await;
    idle.lock().unwrap().push((stream, buffer, Instant::now()));
}

impl Requests {
    /// One request, sent again and again.
    pub fn same(text: Vec<u8>) -> Self {
        Self { texts: vec![text], once: false }
    }

    /// Takes the next requests, at most `most` of those that are sent only once.
    fn take(&mut self, most: usize) -> Vec<Arc<[u8]>> {
        let texts = if self.once {
            let left = self.texts.len().min(most);
            self.texts.drain(..left).collect()
        } else {
            self.texts.clone()
        };
        texts.into_iter().map(Into::into).collect()
    }

    /// Requests per second when each of eight callers waits for its answer; callers take turns with
    /// servers.
    pub async fn capacity(&mut self, servers: &[SocketAddr], time: Duration) -> Capacity {
        let (once, most) = (self.once, self.texts.len() / 2);
        let texts = self.take(most);
        let left = Arc::new(Mutex::new((0..texts.len()).cycle().take(if once {
            texts.len()
        } else {
            usize::MAX
        })));
        let (targets, started) = (targets(servers), Instant::now());
        let mut callers = JoinSet::new();
        for caller in 0..CALLERS {
            let (texts, left) = (texts.clone(), left.clone());
            let target = targets[caller % targets.len()].clone();
            callers.spawn(async move {
                let mut answered = 0_u32;
                while started.elapsed() < time {
                    let Some(next) = left.lock().unwrap().next() else { break };
                    ask(&target, &texts[next]).await;
                    answered += 1;
                }
                answered
            });
        }
        let answered: u32 = callers.join_all().await.into_iter().sum();
        let per_second = f64::from(answered) / started.elapsed().as_secs_f64();
        Capacity { answered, per_second }
    }

    /// The latency at this rate.
    pub async fn latency(&mut self, servers: &[SocketAddr], rate: f64, time: Duration) -> Latency {
        let texts = self.take(usize::MAX);
        let planned = (rate * time.as_secs_f64()).max(1.0) as usize;
        let count = if self.once { planned.min(texts.len()) } else { planned };
        let targets = targets(servers);
        let started = Instant::now();
        let mut asked = JoinSet::new();
        for number in 0..count {
            let due = started + Duration::from_secs_f64(number as f64 / rate);
            tokio::time::sleep_until(due.into()).await;
            let text = texts[number % texts.len()].clone();
            let target = targets[number % targets.len()].clone();
            asked.spawn(async move {
                ask(&target, &text).await;
                due.elapsed()
            });
        }
        let mut times = asked.join_all().await;
        times.sort_unstable();
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
        Latency { rate, p50: at(0.5), p99: at(0.99) }
    }
}
