//! Mixed load for a long time: a server's memory and its open files stay what they were when it was
//! warm.

use std::time::{Duration, Instant};

use futures::future::join_all;
use nil_tests::{Engine, World, a_job, both, or_long, trust};
use reqwest::Method;
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

/// How long it lasts, in seconds; with `NIL_LONG` an hour on each database.
fn length() -> u64 {
    or_long(5, 3_600)
}

const CLIENTS: usize = 4;
/// How often memory and files are looked at. The first quarter is for warming up.
const LOOKS: u32 = 20;
/// What memory may vary by, in KiB, and files by count: log-ins that come together, connections
/// that are just closing.
const BREATH: u64 = 48 * 1024;
const CLOSING: usize = 32;

/// A server, and what its callers send.
struct Load {
    served: Served,
    token: String,
    job: Value,
}

impl Load {
    /// Sends the request with this number, each kind in turn; panics on an answer that it must not
    /// have.
    async fn send(&self, number: usize) {
        let served = &self.served;
        let empty = json!({});
        let (request, expected) = match number % 9 {
            0 => (served.post("/api/me", &self.token).json(&empty), 200),
            1 => (served.post("/api/listColleges", "").json(&empty), 200),
            2 => (served.post("/api/brand-directory", "").json(&empty), 200),
            3 => {
                let email = format!("nobody{number}@nowhere.example");
                let input = json!({ "email": email, "password": "no password of theirs" });
                (served.post("/api/login", "").json(&input), 401)
            }
            4 => (served.post("/api/add-job", &self.token).json(&self.job), 200),
            5 => (served.post("/api/nowhere", &self.token).json(&empty), 404),
            6 => (served.post("/api/add-job", &self.token).body("{\"title\": "), 400),
            7 => (served.post("/api/add-job", "no token at all").json(&self.job), 401),
            _ => {
                // On a connection of its own, which ends with the answer.
                let fresh = reqwest::Client::builder().no_proxy().build().unwrap();
                (fresh.request(Method::GET, format!("{}/readyz", served.core)), 200)
            }
        };
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let body = answer.text().await.unwrap();
        assert_eq!(status, expected, "{}: {body}", number % 9);
    }

    /// Sends one request after the other; returns how many.
    async fn go_on(&self, client: usize, until: Instant) -> usize {
        let mut sent = 0;
        while Instant::now() < until {
            self.send(client + CLIENTS * sent).await;
            sent += 1;
        }
        sent
    }

    /// The memory in KiB, and the number of open files.
    fn size(&self) -> (u64, usize) {
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.served.process.id()));
        (self.served.memory("VmRSS:"), files.unwrap().count())
    }

    async fn sizes(&self, until: Instant) -> Vec<(u64, usize)> {
        let pace = until.saturating_duration_since(Instant::now()) / (LOOKS + 1);
        let mut pace = tokio::time::interval(pace);
        let mut sizes = Vec::new();
        for _ in 0..=LOOKS {
            pace.tick().await;
            sizes.push(self.size());
        }
        sizes
    }
}

async fn memory_and_files_stay_the_same(engine: Engine) {
    let world = World::in_real_time(engine).await;
    world.college().await;
    let token = world.partner("Northfield").await.token.unwrap();
    let due = world.platform.now().date_naive() + chrono::Days::new(30);
    let reel = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
    });
    let nil = Nil::beside(&world).with("NIL_THROTTLE", "off");
    let served = Served::start(&nil, &[]);
    let load = Load { served, token, job: a_job(json!({ "milestones": [reel] })) };
    join_all((0..36).map(|number| load.send(number))).await;
    let until = Instant::now() + Duration::from_secs(length());
    let sending = join_all((0..CLIENTS).map(|client| load.go_on(client, until)));
    let (sent, sizes) = tokio::join!(sending, load.sizes(until));
    let quarter = sizes.len() / 4;
    let most = |sizes: &[(u64, usize)]| {
        let memory = sizes.iter().map(|(memory, _)| *memory).max().unwrap();
        (memory, sizes.iter().map(|(_, files)| *files).max().unwrap())
    };
    let (early, late) = (most(&sizes[quarter..2 * quarter]), most(&sizes[3 * quarter..]));
    assert!(late.0 <= early.0 + early.0 / 5 + BREATH, "memory, in KiB, and files: {sizes:?}");
    assert!(late.1 <= early.1 + CLOSING, "memory, in KiB, and files: {sizes:?}");
    let sent: usize = sent.into_iter().sum();
    assert!(sent > CLIENTS * 9, "{sent} requests are no load");
    trust::tried("R16", "seconds", usize::try_from(length()).unwrap());
    let figure = format!(
        "{engine:?}: {sent} answers, memory {} to {} MiB, {} to {} open files",
        early.0 / 1024,
        late.0 / 1024,
        early.1,
        late.1
    );
    trust::measured("R16", &figure);
}
both!(memory_and_files_stay_the_same);
