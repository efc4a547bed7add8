//! kill -9 while many write: what was acknowledged is there, and nothing is there by halves.

use std::collections::BTreeMap;

use nil_tests::{Engine, World, a_job};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::chance::Chance;
use crate::nil::Nil;
use crate::served::Served;

const ROUNDS: usize = 20;
const WRITERS: usize = 16;
/// A server is killed when so many jobs have been acknowledged at most, and one at least.
const MOST: u64 = 150;

/// Posts jobs until the server is gone; tells of each one that was acknowledged.
async fn post(
    request: reqwest::RequestBuilder,
    name: String,
    due: chrono::NaiveDate,
    told: UnboundedSender<(i64, String)>,
) {
    let reel = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
    });
    for number in 0.. {
        let title = format!("{name}, number {number}");
        let job = a_job(json!({ "title": title, "milestones": [reel] }));
        let Ok(answer) = request.try_clone().unwrap().json(&job).send().await else {
            return;
        };
        let status = answer.status();
        let Ok(answer) = answer.json::<Value>().await else {
            return;
        };
        assert_eq!(status, 200, "{answer}");
        told.send((answer["data"]["id"].as_i64().unwrap(), title))
            .unwrap();
    }
}

async fn killed_under_load(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Northfield").await;
    let token = brand.token.clone().unwrap();
    let due = world.platform.now().date_naive() + chrono::Days::new(30);
    let nil = Nil::beside(&world).with("NIL_THROTTLE", "off");
    let mut chance = Chance::of_the_seed();
    let mut acknowledged = BTreeMap::new();
    for round in 0..ROUNDS {
        let mut server = Served::start(&nil, &[]);
        let (told, mut heard) = unbounded_channel();
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let request = server.post("/api/add-job", &token);
                tokio::spawn(post(
                    request,
                    format!("Round {round}, writer {writer}"),
                    due,
                    told.clone(),
                ))
            })
            .collect();
        drop(told);
        for _ in 0..=chance.below(MOST) {
            let (id, title) = heard.recv().await.expect("somebody writes");
            acknowledged.insert(id, title);
        }
        server.process.kill();
        // What was answered in the last moment counts as well.
        while let Some((id, title)) = heard.recv().await {
            acknowledged.insert(id, title);
        }
        for writer in writers {
            writer.await.unwrap();
        }
        let told = acknowledged
            .iter()
            .map(|(id, title)| format!("({id}, '{title}')"));
        let lost = format!(
            "WITH told (id, title) AS (VALUES {}) SELECT COUNT(*) FROM told WHERE NOT EXISTS \
             (SELECT 1 FROM job WHERE job.id = told.id AND job.title = told.title)",
            told.collect::<Vec<_>>().join(", ")
        );
        assert_eq!(
            world.id(&lost).await,
            0,
            "round {round}: acknowledged and gone"
        );
        for halves in [
            "SELECT COUNT(*) FROM job WHERE 1 <> \
             (SELECT COUNT(*) FROM milestone WHERE milestone.job_id = job.id)",
            "SELECT COUNT(*) FROM job WHERE 1 <> (SELECT COUNT(*) FROM audit_entry \
             WHERE subject_kind = 'job' AND subject_id = job.id)",
            "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'job' \
             AND subject_id NOT IN (SELECT id FROM job)",
        ] {
            assert_eq!(world.id(halves).await, 0, "round {round}: {halves}");
        }
        if engine == Engine::Sqlite {
            let broken =
                "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'";
            assert_eq!(world.id(broken).await, 0, "round {round}");
        }
        let books = nil.run(&["verify", "--json"]);
        assert_eq!(books.code, 0, "round {round}: {}", books.text());
    }
    println!("{} acknowledged, all there", acknowledged.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    killed_under_load(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    killed_under_load(Engine::Postgres).await;
}
