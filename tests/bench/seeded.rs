//! The binary under load on seeded worlds of several sizes. All transactions belong to one
//! institution: the most that a figure can have to add up.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use nil_core::kernel::Password;
use nil_core::seed::{self, Size};
use nil_core::storage::Location;
use nil_tests::{Engine, PASSWORD, Person, World};
use serde_json::{Value, json};

use crate::asked::Asked;
use crate::open_loop::Requests;
use crate::report::{self, Line, millis};
use crate::served::{Served, processor_of_postgres};
use crate::{bare, deals, plots, writes};

const STARTS: usize = 5;
/// Hires that are prepared: jobs of as many places as there are athletes.
const HIRING_JOBS: usize = 10;

/// Half of what the smallest world can do, by work: the rate at which latency is measured at every
/// size.
type Rates = HashMap<&'static str, f64>;

pub async fn measure(asked: &Asked) {
    let mut lines = Vec::new();
    for (name, engine) in asked.engines() {
        let mut rates = Rates::new();
        for scale in asked.scales.iter().copied() {
            let mut measured = at_size(asked, engine, scale, &mut rates).await;
            for line in &mut measured {
                (line.engine, line.scale) = (name, scale);
            }
            lines.extend(measured);
        }
    }
    report::print(&lines);
    if let Some(file) = &asked.json {
        report::write(&lines, file);
    }
    if let Some(folder) = &asked.plots {
        plots::draw(&lines, folder);
    }
}

async fn at_size(asked: &Asked, engine: Engine, scale: u32, rates: &mut Rates) -> Vec<Line> {
    // On disk, not in memory: the sync is part of what is measured.
    let folder = tempfile::Builder::new().prefix("nil-bench-").tempdir_in(".").unwrap();
    let world = World::in_folder(engine, folder).await;
    let mut size = Size::scaled(scale, 1);
    (size.institutions, size.transactions) = (1, asked.transactions_or(50_000) * scale);
    let started = Instant::now();
    let password = Password::new(PASSWORD).unwrap();
    seed::fill(&world.platform, size, &password, &mut |_, _| {}).await.unwrap();
    let mut lines = vec![Line::plain("seeding", "s", started.elapsed().as_secs_f64())];

    let brand = world.paying_partner("Ridge Outfitters").await;
    let mut athletes = Vec::new();
    for number in 0..deals::ATHLETES {
        athletes.push(world.athlete(&format!("Zoe Number{number}")).await);
    }
    let owed = deals::approved(&world, &brand, &athletes).await;
    let hires = applied(&world, &brand, &athletes).await;

    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(Served::start(&asked.nil, &world).await.1);
    }
    starts.sort_unstable();
    lines.push(Line::plain("cold start to the first 200", "ms", millis(starts[STARTS / 2])));
    let mut servers = vec![Served::start(&asked.nil, &world).await.0];
    if engine == Engine::Postgres {
        for _ in 1..asked.servers {
            servers.push(Served::start(&asked.nil, &world).await.0);
        }
    }
    let served = &servers[0];
    tokio::time::sleep(Duration::from_secs(2)).await;
    lines.push(Line::plain("memory, idle", "MB", served.memory()));

    let office = Office::open(served).await;
    let limits = Limits::of(&world, asked.time / 2).await;
    for mut work in works(served, &office, (&brand, &athletes), hires) {
        lines.push(work.measure(asked.time, rates, &limits, &servers).await);
    }
    let one_commit = deals::plain(&world, 0).await;
    lines.push(bulk(served, &brand, owed, one_commit).await);
    for (first, total, path) in [
        ("athletes as CSV, first byte", "athletes as CSV", "athletes/export"),
        ("transactions as ZIP, first byte", "transactions as ZIP", "transactions/export"),
    ] {
        let (soon, all) = office.download(path).await;
        lines.push(Line::plain(first, "ms", millis(soon)));
        lines.push(Line::plain(total, "ms", millis(all)));
    }
    lines.push(Line::plain("memory, after the load", "MB", served.memory()));
    drop(servers);
    world.platform.close().await;
    lines
}

/// Applications that wait for the brand's decision.
pub async fn applied(world: &World, brand: &Person, athletes: &[Person]) -> Vec<i64> {
    let mut jobs = Vec::new();
    for _ in 0..HIRING_JOBS {
        let job = world.open_job(brand, deals::terms(world, athletes.len())).await;
        jobs.push(job);
    }
    // Those that are decided on one after another are for other jobs and of other athletes: on
    // PostgreSQL hires for one job wait for each other, and so do hires of one athlete.
    let mut applications = Vec::new();
    for turn in 0..athletes.len() {
        for (place, job) in jobs.iter().enumerate() {
            let athlete = &athletes[(turn + place) % athletes.len()];
            applications.push(world.apply(athlete, *job).await);
        }
    }
    applications
}

/// What this machine can do without a platform around it.
struct Limits {
    /// Answers of a bare handler per second; SQLite only.
    reads: Option<f64>,
    /// Commits of two bare rows per second, by eight callers.
    commits: f64,
    /// The folder of the PostgreSQL cluster.
    postgres: Option<PathBuf>,
}

impl Limits {
    async fn of(world: &World, time: Duration) -> Self {
        let reads = match &world.platform.config().database {
            Location::Postgres(_) => None,
            Location::Sqlite(path) => {
                let address = bare::warp(bare::Shelf::new(path.clone())).await;
                let request = post(address, "/listColleges", "", &json!({ "state": "IL" }));
                Some(Requests::same(request).capacity(&[address], time).await.per_second)
            }
        };
        let next = Arc::new(AtomicU64::new(0));
        let commits = writes::per_second(&world.platform, writes::Size(2), 8, &next).await;
        let postgres = match &world.platform.config().database {
            Location::Postgres(_) => std::env::var_os("NIL_TEST_POSTGRES_DIR").map(Into::into),
            Location::Sqlite(_) => None,
        };
        Self { reads, commits, postgres }
    }
}

/// What a work's most requests per second are compared with.
enum Against {
    Reads,
    Commits,
    Nothing,
}

struct Work {
    name: &'static str,
    /// The address of a server that answers it.
    address: fn(&Served) -> SocketAddr,
    requests: Requests,
    against: Against,
}

impl Work {
    async fn measure(
        &mut self,
        time: Duration,
        rates: &mut Rates,
        limits: &Limits,
        servers: &[Served],
    ) -> Line {
        let addresses: Vec<SocketAddr> = servers.iter().map(self.address).collect();
        let used = || {
            let servers: Duration = servers.iter().map(Served::processor).sum();
            (servers, limits.postgres.as_deref().map(processor_of_postgres))
        };
        let before = used();
        let done = self.requests.capacity(&addresses, time / 2).await;
        let after = used();
        let each = |before: Duration, after: Duration| {
            (after - before).as_secs_f64() * 1_000_000.0 / f64::from(done.answered.max(1))
        };
        let database = before.1.zip(after.1).map(|(before, after)| each(before, after));
        let most = done.per_second;
        let rate = *rates.entry(self.name).or_insert(most / 2.0);
        let latency = self.requests.latency(&addresses, rate, time).await;
        let of_bare = match self.against {
            Against::Reads => limits.reads.map(|reads| most / reads),
            Against::Commits => Some(most / limits.commits),
            Against::Nothing => None,
        };
        Line {
            p99: Some(millis(latency.p99)),
            rate: Some((latency.rate, most)),
            processor: Some((each(before.0, after.0), database)),
            of_bare,
            ..Line::plain(self.name, "ms", millis(latency.p50))
        }
    }
}

fn post(address: SocketAddr, path: &str, token: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn works(
    served: &Served,
    office: &Office,
    (brand, athletes): (&Person, &[Person]),
    hires: Vec<i64>,
) -> [Work; 6] {
    let core = served.core;
    let token = |person: &Person| person.token.clone().unwrap();
    let by = |person: &Person, path, body| post(core, path, &token(person), &body);
    // Those whose numbers end in 0 are not listed.
    let some = (1_000_001_i64..1_000_065).filter(|id| id % 10 > 0);
    let details =
        some.clone().map(|id| by(brand, "/api/getAthleteDetail", json!({ "athlete_id": id })));
    let log_ins = some.map(|id| {
        let email = format!("athlete{id}@seed.example");
        post(core, "/api/login", "", &json!({ "email": email, "password": PASSWORD }))
    });
    let search = json!({ "q": "headphones", "min_amount_cents": 20_000 });
    let message = json!({ "user_id": athletes[0].user_id, "text": "See you on Friday at noon." });
    let hires = hires.into_iter().map(|id| by(brand, "/api/athleteHire", json!({ "id": id })));
    let totals = format!(
        "GET /api/compliance/transactions/summary HTTP/1.1\r\nHost: {}\r\n\
         Authorization: Bearer {}\r\n\r\n",
        served.back_office, office.token
    );
    let work =
        |name, requests, against| Work { name, address: |served| served.core, requests, against };
    [
        work(
            "job search",
            Requests::same(by(&athletes[0], "/api/searchJobV2", search)),
            Against::Reads,
        ),
        work("athlete detail", Requests { texts: details.collect(), once: false }, Against::Reads),
        work(
            "chat message",
            Requests::same(by(brand, "/api/sendMessage", message)),
            Against::Commits,
        ),
        work("log-in", Requests { texts: log_ins.collect(), once: false }, Against::Nothing),
        work(
            "hire with contract",
            Requests { texts: hires.collect(), once: true },
            Against::Commits,
        ),
        Work {
            name: "totals of an institution",
            address: |served| served.back_office,
            requests: Requests::same(totals.into_bytes()),
            against: Against::Reads,
        },
    ]
}

/// One bulk payment of everything that is owed, relative to one commit of as many bare rows.
async fn bulk(served: &Served, brand: &Person, owed: Vec<Value>, one_commit: Duration) -> Line {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let send = async |path: &str, body: Value| -> Value {
        let request = client.post(format!("http://{}{path}", served.core)).json(&body);
        let request = request.bearer_auth(brand.token.as_deref().unwrap());
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
        answer.json().await.unwrap()
    };
    let lines = json!({ "payments": owed });
    let summary = send("/api/partner/get-bulk-payment-summary", lines).await;
    let total = &summary["data"]["total_cents"];
    let all = json!({ "payments": owed, "expected_total_cents": total });
    let started = Instant::now();
    send("/api/bulkPaymentRequest", all).await;
    let took = started.elapsed();
    Line {
        of_bare: Some(took.as_secs_f64() / one_commit.as_secs_f64()),
        ..Line::plain("bulk payment of 1,000", "ms", millis(took))
    }
}

/// The seeded institution's officer.
struct Office {
    client: reqwest::Client,
    base: String,
    token: String,
}

impl Office {
    async fn open(served: &Served) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let base = format!("http://{}/api/compliance", served.back_office);
        let input = json!({ "email": "officer1000001@seed.example", "password": PASSWORD });
        let answer = client.post(format!("{base}/login")).json(&input).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        let token = answer["token"].as_str().unwrap_or_else(|| panic!("{answer:#}"));
        Self { client, base, token: token.to_owned() }
    }

    /// The time to the first bytes of a file, and to its end.
    async fn download(&self, path: &str) -> (Duration, Duration) {
        let started = Instant::now();
        let request = self.client.get(format!("{}/{path}", self.base)).bearer_auth(&self.token);
        let mut answer = request.send().await.unwrap().error_for_status().unwrap();
        answer.chunk().await.unwrap().expect("some bytes");
        let first = started.elapsed();
        while answer.chunk().await.unwrap().is_some() {}
        (first, started.elapsed())
    }
}
