//! kill -9 in the middle of a queued export: another server, or the same one started anew, makes it
//! once.

use nil_core::kernel::Password;
use nil_core::seed::{self, Size};
use nil_tests::{Engine, PASSWORD, World, both, is_long, or_long};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::{SOON, Served, until};

/// An operator's browser at a server.
struct Desk {
    served: Served,
    cookie: String,
    csrf: String,
}

impl Desk {
    async fn at(served: Served, email: &str) -> Self {
        let (status, answer, cookie) = served.visit_as_operator(email, PASSWORD).await;
        assert_eq!(status, 200, "{answer:#}");
        let csrf = answer["data"]["csrf_token"].as_str().unwrap().to_owned();
        Self { served, cookie, csrf }
    }

    /// Requests an export of all athletes; returns its code.
    async fn request(&self) -> String {
        let session = (self.cookie.as_str(), self.csrf.as_str());
        let body = json!({ "kind": "athletes", "format": "csv" });
        let asked = self.served.post_as_operator("/admin/export-report-request", session, &body);
        let (status, answer) = asked.await;
        assert_eq!(status, 200, "{answer:#}");
        answer["data"]["code"].as_str().unwrap().to_owned()
    }

    /// The file, or the refusal.
    async fn download(&self, code: &str) -> Result<Vec<u8>, Value> {
        let path = format!("/admin/export-report/{code}");
        let (status, bytes) = self.served.get_as_operator(&path, &self.cookie).await;
        if status == 200 { Ok(bytes) } else { Err(serde_json::from_slice(&bytes).unwrap()) }
    }
}

/// Requests exports until a server is stopped in the middle of one; returns that one's code. In the
/// long run a part of the file is in the store by then.
async fn stopped_in_the_middle(desk: &Desk, world: &World) -> String {
    let parts = world.platform.config().data.join("objects/parts");
    for _ in 0..20 {
        let code = desk.request().await;
        let status = async |status: &str| {
            let rows = format!(
                "SELECT COUNT(*) FROM export_report WHERE code = '{code}' AND status = '{status}'"
            );
            world.id(&rows).await == 1
        };
        until(SOON, "it is begun", async || !status("queued").await).await;
        if is_long() {
            let staged = || std::fs::read_dir(&parts).is_ok_and(|mut parts| parts.next().is_some());
            until(SOON, "a part is stored", async || staged() || status("ready").await).await;
        }
        desk.served.process.stop();
        if status("processing").await {
            return code;
        }
        // It was ready before the signal came.
        desk.served.process.go_on();
    }
    panic!("every export was ready too soon");
}

async fn a_killed_export_is_made_once(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let athletes = or_long(5_000, 100_000);
    let size = Size { athletes, brands: 4, jobs: 4, institutions: 3, transactions: 10, seed: 7 };
    let password = Password::new(PASSWORD).unwrap();
    seed::fill(&world.platform, size, &password, &mut |_, _| {}).await.unwrap();
    let email = world.chief_operator().await;
    let nil = Nil::beside(&world).with("NIL_THROTTLE", "off");
    let mut first = Desk::at(Served::start(&nil, &[]), email).await;
    let code = stopped_in_the_middle(&first, &world).await;

    // On PostgreSQL the other server is there before the first one dies, and leaves the export to
    // it.
    let beside = Nil::beside(&world).with("NIL_THROTTLE", "off");
    let mut second = None;
    if engine == Engine::Postgres {
        let desk = Desk::at(Served::start(&beside, &[]), email).await;
        let (status, counts) =
            desk.served.get_as_operator("/admin/export-report-process", &desk.cookie).await;
        let counts: Value = serde_json::from_slice(&counts).unwrap();
        assert_eq!((status, &counts["data"]["made"]), (200, &json!(0)), "{counts:#}");
        second = Some(desk);
    }
    first.served.process.kill();
    let second = match second {
        Some(second) => second,
        None => Desk::at(Served::start(&beside, &[]), email).await,
    };
    let refused = second.download(&code).await.unwrap_err();
    assert_eq!(refused["code"], "not_ready", "{refused:#}");
    assert_eq!(refused["data"]["status"], "processing", "{refused:#}");

    // A server holds an export for a minute without a sign of life.
    if !is_long() {
        let over = format!("UPDATE export_report SET due_at = created_at WHERE code = '{code}'");
        world.script(&over).await;
    }
    let ready = async || second.download(&code).await.is_ok();
    until(3 * SOON, "it is made", ready).await;
    let file = second.download(&code).await.unwrap();
    let lines = String::from_utf8(file).unwrap().lines().count();
    assert_eq!(lines, 1 + usize::try_from(athletes).unwrap(), "the titles and every athlete");

    // One file, and one message, of this export and of each that was ready too soon.
    let count = async |text: &str| world.id(text).await;
    let of_it = |column| format!("SELECT {column} FROM export_report WHERE code = '{code}'");
    assert_eq!(count(&of_it("attempt")).await, 2);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'export_ready'";
    let noted_of_it = format!("{noted} AND subject_id = ({})", of_it("id"));
    assert_eq!(count(&noted_of_it).await, 1);
    let ready = count("SELECT COUNT(*) FROM export_report WHERE status = 'ready'").await;
    let told = "SELECT COUNT(*) FROM outbox WHERE event = 'export.ready' AND channel = 'event'";
    assert_eq!((count(noted).await, count(told).await), (ready, ready));
    assert_eq!(count("SELECT COUNT(*) FROM export_report").await, ready);
    assert_eq!(world.objects().await, usize::try_from(ready).unwrap());
}
both!(a_killed_export_is_made_once);
