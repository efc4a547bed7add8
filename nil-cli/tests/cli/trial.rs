//! A server under load: writers post jobs, and what was acknowledged must be there.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use nil_core::storage::{Db, Location, sql};
use nil_tests::{Engine, World, a_job};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::nil::Nil;
use crate::served::{Served, until};

pub(crate) const WRITERS: usize = 16;
/// How long answers may take while the database says nothing: ten seconds, on a busy machine.
pub(crate) const ANSWERED: Duration = Duration::from_secs(20);
/// How soon a server goes on when its database is back: five seconds, on a busy machine.
const RECOVERED: Duration = Duration::from_secs(10);
/// As many requests at once as need every connection of a server's pool.
const AT_ONCE: usize = 24;

/// A job that the server has acknowledged, and how long that took.
struct Posted {
    id: i64,
    title: String,
    took: Duration,
}

/// How a writer ended: it was told to leave, it was refused, or its connection broke.
type End = Result<Option<Value>, reqwest::Error>;

/// Posts jobs until it is told to leave, or until the server is gone or refuses one; sends each
/// acknowledged job.
async fn post(
    request: reqwest::RequestBuilder,
    name: String,
    due: chrono::NaiveDate,
    told: UnboundedSender<Posted>,
    (pace, leave): (Option<Duration>, Arc<AtomicBool>),
) -> End {
    let reel = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
    });
    let mut pace = pace.map(tokio::time::interval);
    for number in 0.. {
        if let Some(pace) = &mut pace {
            pace.tick().await;
        }
        if leave.load(Ordering::Relaxed) {
            break;
        }
        let title = format!("{name}, number {number}");
        let job = a_job(json!({ "title": title, "milestones": [reel] }));
        let begun = Instant::now();
        let request = request.try_clone().expect("a request that can be repeated");
        let answer = request.json(&job).send().await?;
        let status = answer.status();
        let answer: Value = answer.json().await?;
        if status != 200 {
            return Ok(Some(answer));
        }
        let id = answer["data"]["id"].as_i64().unwrap();
        let took = begun.elapsed();
        if told.send(Posted { id, title, took }).is_err() {
            break;
        }
    }
    Ok(None)
}

/// A server with many writers, and the jobs it has acknowledged.
pub(crate) struct Trial {
    pub world: World,
    pub token: String,
    due: chrono::NaiveDate,
    acknowledged: BTreeMap<i64, String>,
    took: Vec<Duration>,
}

/// The writers of a server.
pub(crate) struct Load {
    writers: Vec<JoinHandle<End>>,
    heard: UnboundedReceiver<Posted>,
    leave: Arc<AtomicBool>,
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
        Self::of(World::in_real_time(engine).await).await
    }

    /// In this world, whose clock is the real one.
    pub(crate) async fn of(world: World) -> Self {
        let token = world.partner("Northfield").await.token.unwrap();
        let due = world.platform.now().date_naive() + chrono::Days::new(30);
        Self { world, token, due, acknowledged: BTreeMap::new(), took: Vec::new() }
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
        let leave = Arc::new(AtomicBool::new(false));
        let writer = |number| {
            let request = server.post("/api/add-job", &self.token);
            let name = format!("{name}, writer {number}");
            tokio::spawn(post(request, name, self.due, told.clone(), (pace, leave.clone())))
        };
        Load { writers: (0..writers).map(writer).collect(), heard, leave }
    }

    /// Waits until this many more jobs were acknowledged.
    pub(crate) async fn hear(&mut self, load: &mut Load, jobs: u64) {
        for _ in 0..jobs {
            let posted = load.heard.recv().await.expect("somebody writes");
            self.keep(posted);
        }
        self.hear_all(load);
    }

    /// How long the jobs took that were acknowledged since the last time, at least one. They count
    /// for nobody.
    pub(crate) async fn overhear(load: &mut Load) -> Vec<Duration> {
        let mut took = vec![load.heard.recv().await.expect("somebody writes").took];
        while let Ok(posted) = load.heard.try_recv() {
            took.push(posted.took);
        }
        took
    }

    /// How long a server takes until it answers again.
    pub(crate) async fn recovered(&self, server: &Served, after: impl Debug) -> Duration {
        let since = Instant::now();
        while server.status("/api/me", &self.token).await != 200 {
            assert!(since.elapsed() < RECOVERED, "{after:?}: it does not go on");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        since.elapsed()
    }

    /// Panics unless a database that was away cost 503s alone, and no connection of the pool.
    pub(crate) async fn unharmed(&self, server: &Served, refused: &[Value], after: impl Debug) {
        for answer in refused {
            assert_eq!(answer["code"], "unavailable", "{after:?}: {answer}");
        }
        let all = (0..AT_ONCE).map(|_| server.status("/api/me", &self.token));
        assert_eq!(join_all(all).await, [200; AT_ONCE], "{after:?}");
    }

    /// Takes what was acknowledged by now.
    fn hear_all(&mut self, load: &mut Load) {
        while let Ok(posted) = load.heard.try_recv() {
            self.keep(posted);
        }
    }

    fn keep(&mut self, posted: Posted) {
        self.acknowledged.insert(posted.id, posted.title);
        self.took.push(posted.took);
    }

    /// How long each of the jobs took that were heard of since the last time.
    pub(crate) fn took(&mut self) -> Vec<Duration> {
        std::mem::take(&mut self.took)
    }

    /// Waits until all writers have stopped; returns their refusals.
    pub(crate) async fn ended(&mut self, load: Load) -> Vec<Value> {
        self.ends(load).await.into_iter().filter_map(Result::ok).flatten().collect()
    }

    /// Waits until all writers have stopped; returns how.
    async fn ends(&mut self, mut load: Load) -> Vec<End> {
        let mut ends = Vec::new();
        for writer in std::mem::take(&mut load.writers) {
            ends.push(writer.await.unwrap());
        }
        // Answers received in the last moment count as well.
        self.hear_all(&mut load);
        ends
    }

    /// Ends the writers; returns the refusals of those who were refused before.
    pub(crate) async fn settled(&mut self, mut load: Load) -> Vec<Value> {
        let mut refused = Vec::new();
        for writer in std::mem::take(&mut load.writers) {
            writer.abort();
            match writer.await {
                Ok(end) => refused.extend(end.expect("no connection to the server breaks")),
                Err(ended) => assert!(ended.is_cancelled(), "{ended}"),
            }
        }
        self.hear_all(&mut load);
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

    /// Stops a server after this many acknowledged jobs, and inspects the database. Writers do what
    /// a balancer does: they leave when `/readyz` says so. No answer breaks; returns how long the
    /// server took.
    pub(crate) async fn stopped_after(
        &mut self,
        mut server: Served,
        jobs: u64,
        name: &str,
    ) -> Duration {
        let mut load = self.load(&server, name);
        self.hear(&mut load, jobs).await;
        let since = Instant::now();
        server.process.terminate();
        let readyz = format!("{}/readyz", server.core);
        let leaves = async || server.client.get(&readyz).send().await.unwrap().status() == 503;
        until(ANSWERED, name, leaves).await;
        load.leave.store(true, Ordering::Relaxed);
        for end in self.ends(load).await {
            assert!(matches!(end, Ok(None)), "{name}: {end:?}");
        }
        // Nobody is left, so it need not wait for them.
        server.process.terminate();
        let ended = server.process.ended();
        assert_eq!(ended.code(), Some(0), "{name}: {}", server.log());
        println!("{name}: {} acknowledged", self.acknowledged.len());
        self.inspect().await;
        since.elapsed()
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
            // Each title is posted once.
            "SELECT COUNT(*) - COUNT(DISTINCT title) FROM job",
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
