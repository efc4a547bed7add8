//! kill -9, or no room on the disk, while many write: what was acknowledged is there, and nothing is there
//! by halves.

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
/// A server is killed when so many jobs have been acknowledged at most, and one at least.
const MOST: u64 = 150;

/// Posts jobs until the server is gone or refuses one, and answers with the refusal; tells of each one that
/// was acknowledged.
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

/// A server that many write to.
struct Load {
    writers: Vec<JoinHandle<Option<Value>>>,
    heard: UnboundedReceiver<(i64, String)>,
}

impl Load {
    fn on(server: &Served, token: &str, due: chrono::NaiveDate, name: &str) -> Self {
        let (told, heard) = unbounded_channel();
        let writer = |number| {
            let request = server.post("/api/add-job", token);
            let name = format!("{name}, writer {number}");
            tokio::spawn(post(request, name, due, told.clone()))
        };
        Self { writers: (0..WRITERS).map(writer).collect(), heard }
    }

    /// Waits until nobody writes any more; answers what was refused.
    async fn ended(mut self, acknowledged: &mut BTreeMap<i64, String>) -> Vec<Value> {
        let mut refused = Vec::new();
        for writer in self.writers {
            refused.extend(writer.await.unwrap());
        }
        // What was answered in the last moment counts as well.
        while let Ok((id, title)) = self.heard.try_recv() {
            acknowledged.insert(id, title);
        }
        refused
    }
}

/// Looks for what was acknowledged and is gone, and for what is there by halves.
async fn inspect(world: &World, nil: &Nil, engine: Engine, acknowledged: &BTreeMap<i64, String>) {
    let told = acknowledged.iter().map(|(id, title)| format!("({id}, '{title}')"));
    let lost = format!(
        "WITH told (id, title) AS (VALUES {}) SELECT COUNT(*) FROM told WHERE NOT EXISTS \
         (SELECT 1 FROM job WHERE job.id = told.id AND job.title = told.title)",
        told.collect::<Vec<_>>().join(", ")
    );
    assert_eq!(world.id(&lost).await, 0, "acknowledged and gone");
    for halves in [
        "SELECT COUNT(*) FROM job WHERE 1 <> \
         (SELECT COUNT(*) FROM milestone WHERE milestone.job_id = job.id)",
        "SELECT COUNT(*) FROM job WHERE 1 <> (SELECT COUNT(*) FROM audit_entry \
         WHERE subject_kind = 'job' AND subject_id = job.id)",
        "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'job' \
         AND subject_id NOT IN (SELECT id FROM job)",
    ] {
        assert_eq!(world.id(halves).await, 0, "{halves}");
    }
    if engine == Engine::Sqlite {
        let broken = "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'";
        assert_eq!(world.id(broken).await, 0);
    }
    let books = nil.run(&["verify", "--json"]);
    assert_eq!(books.code, 0, "{}", books.text());
}

async fn killed_under_load(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let token = world.partner("Northfield").await.token.unwrap();
    let due = world.platform.now().date_naive() + chrono::Days::new(30);
    let nil = Nil::beside(&world).with("NIL_THROTTLE", "off");
    let mut chance = Chance::of_the_seed();
    let mut acknowledged = BTreeMap::new();
    for round in 0..ROUNDS {
        let mut server = Served::start(&nil, &[]);
        let mut load = Load::on(&server, &token, due, &format!("Round {round}"));
        for _ in 0..=chance.below(MOST) {
            let (id, title) = load.heard.recv().await.expect("somebody writes");
            acknowledged.insert(id, title);
        }
        server.process.kill();
        let refused = load.ended(&mut acknowledged).await;
        assert!(refused.is_empty(), "round {round}: {refused:?}");
        println!("round {round}: {} acknowledged", acknowledged.len());
        inspect(&world, &nil, engine, &acknowledged).await;
    }
}

both!(killed_under_load);

/// The journal of the engine cannot grow any more: who writes is told so, who reads is answered, and it
/// goes on by itself where there is room again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk() {
    let world = World::in_real_time(Engine::Sqlite).await;
    let token = world.partner("Northfield").await.token.unwrap();
    let due = world.platform.now().date_naive() + chrono::Days::new(30);
    let nil = Nil::beside(&world).with("NIL_THROTTLE", "off");
    let mut acknowledged = BTreeMap::new();
    let mut server = Served::start(&nil.with_files_up_to(3 * 1024), &[]);
    let refused = Load::on(&server, &token, due, "On a small disk").ended(&mut acknowledged).await;
    assert_eq!(refused.len(), WRITERS);
    for answer in refused {
        assert_eq!(answer["code"], "unavailable", "{answer}");
    }
    assert_eq!(server.status("/api/me", &token).await, 200);
    inspect(&world, &Nil::beside(&world), Engine::Sqlite, &acknowledged).await;

    let process = format!("--pid={}", server.process.id());
    let mut room = std::process::Command::new("prlimit");
    let made = room.args([&process, "--fsize=unlimited"]).status();
    assert!(made.unwrap().success());
    let mut load = Load::on(&server, &token, due, "With room again");
    for _ in 0..100 {
        let (id, title) = load.heard.recv().await.expect("somebody writes");
        acknowledged.insert(id, title);
    }
    server.process.kill();
    let refused = load.ended(&mut acknowledged).await;
    assert!(refused.is_empty(), "{refused:?}");
    inspect(&world, &Nil::beside(&world), Engine::Sqlite, &acknowledged).await;
}
