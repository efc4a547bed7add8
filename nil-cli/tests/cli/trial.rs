//! A server under load: writers post jobs, and what was acknowledged must be there.

use std::collections::BTreeMap;
use std::time::Duration;

use nil_core::storage::{Db, Location, sql};
use nil_tests::{Engine, World, a_job};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::nil::Nil;
use crate::served::Served;

pub(crate) const WRITERS: usize = 16;

/// Posts jobs until the server is gone or refuses one; sends each acknowledged job, and returns the
/// refusal.
async fn post(
    request: reqwest::RequestBuilder,
    name: String,
    due: chrono::NaiveDate,
    told: UnboundedSender<(i64, String)>,
    pace: Option<Duration>,
) -> Option<Value> {
    let reel = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
    });
    let mut pace = pace.map(tokio::time::interval);
    for number in 0.. {
        if let Some(pace) = &mut pace {
            pace.tick().await;
        }
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
pub(crate) struct Trial {
    pub world: World,
    pub token: String,
    due: chrono::NaiveDate,
    acknowledged: BTreeMap<i64, String>,
}

/// The writers of a server.
pub(crate) struct Load {
    writers: Vec<JoinHandle<Option<Value>>>,
    heard: UnboundedReceiver<(i64, String)>,
}

impl Load {
    /// Ends the writers; what they are told in the last moment counts for nobody.
    pub(crate) async fn stop(self) {
        for writer in self.writers {
            writer.abort();
            assert!(writer.await.is_err(), "a writer was refused");
        }
    }
}

impl Trial {
    pub(crate) async fn on(engine: Engine) -> Self {
        let world = World::in_real_time(engine).await;
        let token = world.partner("Northfield").await.token.unwrap();
        let due = world.platform.now().date_naive() + chrono::Days::new(30);
        Self { world, token, due, acknowledged: BTreeMap::new() }
    }

    pub(crate) fn nil(&self) -> Nil {
        Nil::beside(&self.world).with("NIL_THROTTLE", "off")
    }

    /// Writers that go as fast as they can.
    pub(crate) fn load(&self, server: &Served, name: &str) -> Load {
        self.writers(server, name, WRITERS, None)
    }

    /// So many writers, each with so much time from one job to the next.
    pub(crate) fn writers(
        &self,
        server: &Served,
        name: &str,
        writers: usize,
        pace: Option<Duration>,
    ) -> Load {
        let (told, heard) = unbounded_channel();
        let writer = |number| {
            let request = server.post("/api/add-job", &self.token);
            let name = format!("{name}, writer {number}");
            tokio::spawn(post(request, name, self.due, told.clone(), pace))
        };
        Load { writers: (0..writers).map(writer).collect(), heard }
    }

    /// Waits until this many more jobs were acknowledged.
    pub(crate) async fn hear(&mut self, load: &mut Load, jobs: u64) {
        for _ in 0..jobs {
            let (id, title) = load.heard.recv().await.expect("somebody writes");
            self.acknowledged.insert(id, title);
        }
        while let Ok((id, title)) = load.heard.try_recv() {
            self.acknowledged.insert(id, title);
        }
    }

    /// Waits until all writers have stopped; returns their refusals.
    pub(crate) async fn ended(&mut self, mut load: Load) -> Vec<Value> {
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
    pub(crate) async fn killed_after(&mut self, mut server: Served, jobs: u64, name: &str) {
        let mut load = self.load(&server, name);
        self.hear(&mut load, jobs).await;
        server.process.kill();
        let refused = self.ended(load).await;
        assert!(refused.is_empty(), "{name}: {refused:?}");
        println!("{name}: {} acknowledged", self.acknowledged.len());
        self.inspect().await;
    }

    /// Counts the acknowledged jobs that are not there.
    fn lost(&self) -> String {
        let told = self.acknowledged.iter().map(|(id, title)| format!("({id}, '{title}')"));
        format!(
            "WITH told (id, title) AS (VALUES {}) SELECT COUNT(*) FROM told WHERE NOT EXISTS \
             (SELECT 1 FROM job WHERE job.id = told.id AND job.title = told.title)",
            told.collect::<Vec<_>>().join(", ")
        )
    }

    /// Checks that every acknowledged job is in a copy of the database.
    pub(crate) async fn all_are_in(&self, copy: &Location) {
        let db = Db::open(copy).await.unwrap();
        let mut session = db.read().await.unwrap();
        let lost = self.lost().leak();
        let lost: i64 = session.value(sql(lost)).await.unwrap();
        assert_eq!(lost, 0, "acknowledged and not in the copy");
        drop(session);
        db.close().await;
    }

    /// Checks for acknowledged jobs that are missing, and for incomplete records.
    pub(crate) async fn inspect(&self) {
        let lost = self.lost();
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
