//! How many statements an operation runs, over HTTP, with the check of its session: a reviewed list
//! for both engines. On PostgreSQL every statement is a round trip, and every transaction two more.

use std::collections::BTreeMap;
use std::sync::Mutex;

use chrono::Days;
use nil_core::Platform;
use nil_core::storage::Counted;
use nil_tests::door::HttpDoor;
use nil_tests::story::{self, Caller, Door};
use nil_tests::{Engine, Frontend, Server, World};
use serde_json::{Value, json};

/// A door that counts. An operation that is called more than once is listed with the call that took
/// most.
struct Counting {
    door: HttpDoor,
    platform: Platform,
    costs: Mutex<BTreeMap<String, Counted>>,
    /// The latest caller of each kind.
    callers: Mutex<BTreeMap<String, Caller>>,
}

impl Door for Counting {
    async fn call(&self, operation: &str, caller: &Caller, input: Value) -> Value {
        if caller.kind == "operator" {
            self.door.log_in(&caller.email).await;
        }
        // So that no operation counts the look at the features that are on.
        self.door.server.get("/api/site_config").await;
        let calling = self.door.call(operation, caller, input);
        let (answer, cost) = self.platform.db().counted(calling).await;
        let mut costs = self.costs.lock().unwrap();
        let most = costs.entry(operation.to_owned()).or_default();
        *most = cost.max(*most);
        self.callers.lock().unwrap().insert(caller.kind.clone(), caller.clone());
        answer
    }
}

impl Counting {
    /// Calls as the latest caller of this kind; it must succeed.
    async fn succeeds(&self, operation: &str, kind: &str, input: Value) -> Value {
        let caller = self.callers.lock().unwrap()[kind].clone();
        let answer = self.call(operation, &caller, input).await;
        assert_eq!(answer["status"], "success", "{operation}: {answer:#}");
        // An empty list would cost less.
        assert_ne!(answer["data"], json!([]), "{operation}");
        answer
    }
}

/// The story of one deal, and what is called most besides.
async fn costs(engine: Engine) -> BTreeMap<String, Counted> {
    let world = World::in_real_time(engine).await;
    world.chief_operator().await;
    let platform = world.platform.clone();
    let today = platform.now().date_naive();
    let door = HttpDoor::new(Server::start(world, Frontend::Warp).await);
    let door = Counting {
        door,
        platform: platform.clone(),
        costs: Mutex::default(),
        callers: Mutex::default(),
    };
    story::play(&door, &platform, today).await;
    let world = &door.door.server.world;
    let athlete = world.id("SELECT id FROM athlete").await;
    let user = world.id("SELECT user_id AS id FROM athlete").await;
    let due = today.checked_add_days(Days::new(20)).expect("a day");
    let job = json!({
        "title": "A reel of the workout", "description": "One reel.", "category_id": 1, "slots": 1,
        "compensation": "cash", "amount_cents": 50_000, "business_purpose": "to sell",
        "milestones": [{ "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due }],
    });
    let job = door.succeeds("core.job.save", "partner", job).await["data"]["id"].clone();
    let open = json!({ "job_id": job, "status": "open" });
    door.succeeds("admin.job.decide_pending", "operator", open).await;
    let message = json!({ "user_id": user, "text": "See you at the shoot." });
    door.succeeds("core.chat.send", "partner", message.clone()).await;
    let first = door.costs.lock().unwrap().remove("core.chat.send").expect("a count");
    door.succeeds("core.chat.send", "partner", message).await;
    // The first one adds the payments to the totals.
    let summary = "compliance.transaction.summary";
    door.succeeds(summary, "portal", json!({})).await;
    let added = door.costs.lock().unwrap().remove(summary).expect("a count");
    for (operation, kind, input) in [
        ("core.job.search", "athlete", json!({ "q": "reel", "sort": "-created_at" })),
        ("core.job.detail", "athlete", json!({ "job_id": job })),
        ("core.athlete.search", "partner", json!({ "q": "jordan" })),
        ("core.athlete.detail", "partner", json!({ "athlete_id": athlete })),
        ("core.chat.conversations", "athlete", json!({})),
        ("core.payment.history_of_athlete", "athlete", json!({})),
        (summary, "portal", json!({})),
        ("compliance.athlete.list", "portal", json!({})),
        ("admin.athlete.list", "operator", json!({ "status": "all", "id": 0, "q": "jordan" })),
        ("admin.athlete.view", "operator", json!({ "id": athlete })),
        ("admin.partner.view", "operator", json!({ "id": 1 })),
    ] {
        door.succeeds(operation, kind, input).await;
    }
    let mut costs = door.costs.into_inner().unwrap();
    costs.insert("core.chat.send, the first message".to_owned(), first);
    costs.insert(format!("{summary}, the first"), added);
    costs
}

/// Counts on SQLite and on PostgreSQL as a list, by names.
pub(crate) fn listed<'n>(rows: impl IntoIterator<Item = (&'n str, Counted, Counted)>) -> String {
    let mut list = String::from("statements (transactions) on SQLite, on PostgreSQL\n");
    for (name, here, there) in rows {
        let line = format!(
            "{name:<40} {:>3} ({})  {:>3} ({})\n",
            here.statements, here.transactions, there.statements, there.transactions
        );
        list.push_str(&line);
    }
    list
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reviewed_counts_of_sqlite_and_postgres() {
    let sqlite = costs(Engine::Sqlite).await;
    let postgres = costs(Engine::Postgres).await;
    let rows = sqlite.iter().map(|(operation, here)| (&**operation, *here, postgres[operation]));
    let list = listed(rows);
    insta::assert_snapshot!(list);
}
