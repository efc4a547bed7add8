//! kill -9, or a full disk, during many writes: everything acknowledged is stored, and nothing is
//! stored incompletely.

use std::collections::BTreeMap;

use nil_tests::{Engine, World, a_job, both};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::chance::Chance;
use crate::nil::Nil;
use crate::served::Served;

const ROUNDS: usize = 20;
const WRITERS: usize = 16;
/// A server is killed after a random number of acknowledged jobs, from one to this.
const MOST: u64 = 150;

/// Posts jobs until the server is gone or refuses one; sends each acknowledged job, and returns the
/// refusal.
async fn post(
    request: reqwest::RequestBuilder,
    name: String,
    due: chrono::NaiveDate,
    told: UnboundedSender<(i64, String)>,
) -> Option<Value> {
    let reel = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
    });
    for number in 0.. {
        let title = format!("{name}, number {number}");
        let job = a_job(json!({ "title": title, "milestones": [reel] }));
        let answer = request.try_clone()?.json(&job).send().await.ok()?;
        let status = answer.status();
        let answer: Value = answer.json().await.ok()?;
        if status != 200 {
            return Some(answer);
        }
        told.send((answer["data"]["id"].as_i64().unwrap(), title)).unwrap();
    }
    None
}

/// A server with many writers, and the jobs it has acknowledged.
struct Trial {
    world: World,
    token: String,
    due: chrono::NaiveDate,
    acknowledged: BTreeMap<i64, String>,
}

/// The writers of a server.
struct Load {
    writers: Vec<JoinHandle<Option<Value>>>,
    heard: UnboundedReceiver<(i64, String)>,
}

impl Trial {
    async fn on(engine: Engine) -> Self {
        let world = World::in_real_time(engine).await;
        let token = world.partner("Northfield").await.token.unwrap();
        let due = world.platform.now().date_naive() + chrono::Days::new(30);
        Self { world, token, due, acknowledged: BTreeMap::new() }
    }

    fn nil(&self) -> Nil {
        Nil::beside(&self.world).with("NIL_THROTTLE", "off")
    }

    fn load(&self, server: &Served, name: &str) -> Load {
        let (told, heard) = unbounded_channel();
        let writer = |number| {
            let request = server.post("/api/add-job", &self.token);
            let name = format!("{name}, writer {number}");
            tokio::spawn(post(request, name, self.due, told.clone()))
        };
        Load { writers: (0..WRITERS).map(writer).collect(), heard }
    }

    /// Waits until all writers have stopped; returns their refusals.
    async fn ended(&mut self, mut load: Load) -> Vec<Value> {
        let mut refused = Vec::new();
        for writer in load.writers {
            refused.extend(writer.await.unwrap());
        }
        // Answers received in the last moment count as well.
        while let Ok((id, title)) = load.heard.try_recv() {
            self.acknowledged.insert(id, title);
        }
        refused
    }

    /// Kills a server after this many acknowledged jobs, and inspects the database.
    async fn killed_after(&mut self, mut server: Served, jobs: u64, name: &str) {
        let mut load = self.load(&server, name);
        for _ in 0..jobs {
            let (id, title) = load.heard.recv().await.expect("somebody writes");
            self.acknowledged.insert(id, title);
        }
        server.process.kill();
        let refused = self.ended(load).await;
        assert!(refused.is_empty(), "{name}: {refused:?}");
        println!("{name}: {} acknowledged", self.acknowledged.len());
        self.inspect().await;
    }

    /// Checks for acknowledged jobs that are missing, and for incomplete records.
    async fn inspect(&self) {
        let told = self.acknowledged.iter().map(|(id, title)| format!("({id}, '{title}')"));
        let lost = format!(
            "WITH told (id, title) AS (VALUES {}) SELECT COUNT(*) FROM told WHERE NOT EXISTS \
             (SELECT 1 FROM job WHERE job.id = told.id AND job.title = told.title)",
            told.collect::<Vec<_>>().join(", ")
        );
        assert_eq!(self.world.id(&lost).await, 0, "acknowledged and gone");
        for halves in [
            "SELECT COUNT(*) FROM job WHERE 1 <> \
             (SELECT COUNT(*) FROM milestone WHERE milestone.job_id = job.id)",
            "SELECT COUNT(*) FROM job WHERE 1 <> (SELECT COUNT(*) FROM audit_entry \
             WHERE subject_kind = 'job' AND subject_id = job.id)",
            "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'job' \
             AND subject_id NOT IN (SELECT id FROM job)",
        ] {
            assert_eq!(self.world.id(halves).await, 0, "{halves}");
        }
        if self.world.is_sqlite() {
            let broken =
                "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'";
            assert_eq!(self.world.id(broken).await, 0);
        }
        let books = self.nil().run(&["verify", "--json"]);
        assert_eq!(books.code, 0, "{}", books.text());
    }
}

async fn killed_under_load(engine: Engine) {
    let mut trial = Trial::on(engine).await;
    let nil = trial.nil();
    let mut chance = Chance::of_the_seed();
    for round in 0..ROUNDS {
        let jobs = 1 + chance.below(MOST);
        let server = Served::start(&nil, &[]);
        trial.killed_after(server, jobs, &format!("Round {round}")).await;
    }
}

both!(killed_under_load);

/// The database's journal cannot grow any more: writers get an error, readers are still answered,
/// and the server recovers by itself when there is room again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk() {
    let mut trial = Trial::on(Engine::Sqlite).await;
    let nil = trial.nil().with_files_up_to(3 * 1024);
    let server = Served::start(&nil, &[]);
    let load = trial.load(&server, "On a small disk");
    let refused = trial.ended(load).await;
    assert_eq!(refused.len(), WRITERS);
    for answer in refused {
        assert_eq!(answer["code"], "unavailable", "{answer}");
    }
    assert_eq!(server.status("/api/me", &trial.token).await, 200);
    trial.inspect().await;

    let process = format!("--pid={}", server.process.id());
    let mut room = std::process::Command::new("prlimit");
    let made = room.args([&process, "--fsize=unlimited"]).status();
    assert!(made.unwrap().success());
    trial.killed_after(server, 100, "With room again").await;
}
