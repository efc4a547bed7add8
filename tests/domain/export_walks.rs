//! Walks over the queue of exports and takeouts: two servers make them, the store of objects fails
//! in between, files run out of time, and people leave. Every export follows its state machine, and
//! nobody gets another's file.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::Machine as _;
use nil_core::reports::ExportStatus;
use nil_core::storage::sql;
use nil_core::worker;
use nil_tests::shaky::{Trouble, Unsteady, any_trouble};
use nil_tests::walking::{Length, Took, Walk, Watched, enough, walk};
use nil_tests::{Engine, PASSWORD, Person, World, both};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

/// What somebody does: two operators who export, one who may do everything, and four fans.
#[derive(Clone, Debug)]
enum Step {
    Request { who: usize, kind: &'static str },
    Download { who: usize, back: usize },
    Process { who: usize },
    Ask { fan: usize },
    Fetch { fan: usize },
    Leave { fan: usize },
    Suffer { trouble: Trouble },
    Wake { dies: bool },
    Wait { seconds: i64 },
    Work { server: usize },
    Days { days: i64 },
}

struct Exports {
    on: Unsteady,
    /// Another server on the same database and the same store.
    other: World,
    operators: [Principal; 3],
    fans: Vec<Person>,
    left: BTreeSet<usize>,
    /// The objects that were begun before somebody left: they may hold the data that is erased.
    stale: BTreeSet<String>,
    /// The number of times that an attempt may have failed or died.
    failures: usize,
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Exports::WATCHED;

impl Walk for Exports {
    type Step = Step;

    const WATCHED: &'static [Watched] = &[
        // They go 90 days after their time.
        Watched::by::<ExportStatus>("export", "SELECT id, status FROM export_report")
            .going(&["ready", "failed"]),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[
        (
            "an operator has ten open exports at most, and a user one takeout",
            "SELECT MAX(id) FROM export_report WHERE status IN ('queued', 'processing') \
             GROUP BY operator_id, user_id HAVING COUNT(*) > 10 OR (user_id IS NOT NULL AND COUNT(*) > 1)",
        ),
        (
            "what was given up has no object, and what is being made has one",
            "SELECT id FROM export_report WHERE (status = 'failed' AND object_key IS NOT NULL) \
             OR (status = 'processing' AND object_key IS NULL)",
        ),
        (
            "what is not made says neither its size nor until when it is kept",
            "SELECT id FROM export_report WHERE status IN ('queued', 'processing') \
             AND (size IS NOT NULL OR expires_at IS NOT NULL)",
        ),
        (
            "an attempt is counted from the first one, and there are three at most",
            "SELECT id FROM export_report WHERE attempt > 3 OR (status IN ('ready', 'failed') \
             AND attempt = 0)",
        ),
        (
            "an export becomes ready once",
            "SELECT e.id FROM export_report e WHERE (SELECT COUNT(*) FROM audit_entry a \
             WHERE a.subject_kind = 'export_report' AND a.subject_id = e.id AND a.at >= e.created_at \
             AND a.action = 'export_ready') <> CASE WHEN e.status = 'ready' THEN 1 ELSE 0 END",
        ),
    ];

    fn steps() -> BoxedStrategy<Step> {
        let who = || 0..3_usize;
        let fan = || 0..4_usize;
        let kind = select(&["athletes", "jobs", "audit"][..]);
        prop_oneof![
            6 => (who(), kind).prop_map(|(who, kind)| Step::Request { who, kind }),
            4 => (who(), 0..3_usize).prop_map(|(who, back)| Step::Download { who, back }),
            2 => who().prop_map(|who| Step::Process { who }),
            5 => fan().prop_map(|fan| Step::Ask { fan }),
            3 => fan().prop_map(|fan| Step::Fetch { fan }),
            2 => fan().prop_map(|fan| Step::Leave { fan }),
            8 => any_trouble().prop_map(|trouble| Step::Suffer { trouble }),
            3 => any::<bool>().prop_map(|dies| Step::Wake { dies }),
            5 => (10..80_i64).prop_map(|seconds| Step::Wait { seconds }),
            12 => (0..2_usize).prop_map(|server| Step::Work { server }),
            1 => select(&[1, 7, 8, 98][..]).prop_map(|days| Step::Days { days }),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let on = Unsteady::on(engine, |_| {}).await;
        let world = &on.world;
        let operators = [
            world.new_operator("one@example.com", Permission::Reports).await,
            world.new_operator("two@example.com", Permission::Reports).await,
            world.new_operator("chief@example.com", Permission::All).await,
        ];
        let mut fans = Vec::new();
        for name in ["Robin Hill", "Casey Field", "Jo Lake", "Kim Rivers"] {
            fans.push(world.fan(name).await);
        }
        let other = world.replica().await;
        let (left, stale) = (BTreeSet::new(), BTreeSet::new());
        Self { on, other, operators, fans, left, stale, failures: 0 }
    }

    fn world(&self) -> &World {
        &self.on.world
    }

    async fn take(&mut self, step: &Step) -> Took {
        match *step {
            Step::Request { who, kind } => {
                let format = if kind == "jobs" { "xlsx" } else { "csv" };
                let input = json!({ "kind": kind, "format": format });
                Took::Call(
                    self.on.world.call("admin.export.request", &self.operators[who], input).await,
                )
            }
            Step::Download { who, back } => self.download(who, back).await,
            Step::Process { who } => {
                let process = "admin.export.process";
                Took::Call(self.on.world.call(process, &self.operators[who], json!({})).await)
            }
            Step::Ask { fan } => {
                let ask = "core.account.request_takeout";
                Took::Call(self.on.world.call(ask, &self.fans[fan].principal, json!({})).await)
            }
            Step::Fetch { fan } => self.fetch(fan).await,
            Step::Leave { fan } => self.leave(fan).await,
            Step::Suffer { trouble } => {
                self.failures += 1;
                self.on.suffer(trouble)
            }
            Step::Wake { dies } => self.on.wake(dies).await,
            Step::Wait { seconds } => {
                self.on.world.pass(TimeDelta::seconds(seconds));
                Took::Passed
            }
            Step::Work { server } => {
                let world = if server == 0 { &self.on.world } else { &self.other };
                let platform = world.platform.clone();
                self.on.run(async move { worker::round(&platform).await.expect("a round") }).await;
                Took::Passed
            }
            Step::Days { days } => {
                self.on.world.pass(TimeDelta::days(days));
                Took::Passed
            }
        }
    }

    async fn look(&mut self) -> Result<(), String> {
        const READY: &str = "SELECT id, COALESCE(object_key, ''), COALESCE(user_id, 0) \
            FROM export_report WHERE status = 'ready' AND expires_at > $1 ORDER BY id";
        const GIVEN_UP: &str = "SELECT COUNT(*) FROM export_report WHERE status = 'failed' \
            AND (user_id IS NULL OR user_id IN (SELECT id FROM app_user WHERE status = 'active'))";
        let world = &self.on.world;
        let mut session = world.platform.db().read().await.expect("a reader");
        let now = world.platform.now();
        let ready: Vec<(i64, String, i64)> =
            session.all(sql(READY).bind(now)).await.expect("what is ready");
        drop(session);
        let mut whose = BTreeSet::new();
        for (id, key, user) in ready {
            if key.is_empty() {
                return Err(format!("export {id} is ready, and has no object"));
            }
            if self.stale.contains(&key) {
                return Err(format!("export {id} is ready, and may have what was erased"));
            }
            if user != 0 && !whose.insert(user) {
                return Err(format!("user {user} has two takeouts"));
            }
        }
        let given_up = world.id(GIVEN_UP).await;
        if given_up > 0 && self.failures < 3 {
            return Err(format!("an export was given up after {} failures", self.failures));
        }
        self.on.store.astray(world).await
    }

    /// Everything is made or given up; a week later nothing of it is kept.
    async fn rest(&mut self) {
        self.on.settle().await;
        let open = "SELECT COUNT(*) FROM export_report WHERE status IN ('queued', 'processing')";
        assert_eq!(self.on.world.id(open).await, 0, "an export is still open");
        self.on.world.pass(TimeDelta::days(8));
        self.on.settle().await;
        assert_eq!(self.on.world.objects().await, 0, "a file is kept for too long");
    }
}

impl Exports {
    /// The chief operator and whoever asked for an export get its file, whole, as long as it is
    /// kept; all others get nothing.
    async fn download(&mut self, who: usize, back: usize) -> Took {
        const NEWEST: &str = "SELECT code, COALESCE(size, 0), COALESCE(operator_id, 0), \
            CASE WHEN status = 'ready' AND expires_at > $1 THEN CAST(1 AS BIGINT) ELSE 0 END \
            FROM export_report ORDER BY id DESC LIMIT 3";
        let platform = &self.on.world.platform;
        let mut session = platform.db().read().await.expect("a reader");
        let newest: Vec<(String, i64, i64, i64)> =
            session.all(sql(NEWEST).bind(platform.now())).await.expect("exports");
        drop(session);
        let Some((code, size, of, ready)) = newest.into_iter().nth(back) else {
            return Took::Nothing;
        };
        let caller = &self.operators[who];
        let Principal::Operator { id, .. } = caller else { unreachable!("they are operators") };
        let input = json!({ "code": code });
        let answer = self.on.world.call("admin.export.download", caller, input).await;
        let may = ready == 1 && of != 0 && (of == id.get() || who == 2);
        assert_eq!(answer.status == 200, may, "{:?}", answer.body);
        assert!(!may || i64::try_from(answer.bytes.len()).is_ok_and(|sent| sent == size));
        Took::Call(answer)
    }

    /// A fan gets the newest takeout of their own, as long as it is kept.
    async fn fetch(&mut self, fan: usize) -> Took {
        const NEWEST: &str = "SELECT CASE WHEN status = 'ready' AND expires_at > $1 THEN size ELSE 0 END \
            FROM export_report WHERE user_id = $2 ORDER BY id DESC LIMIT 1";
        let fan = &self.fans[fan];
        let platform = &self.on.world.platform;
        let mut session = platform.db().read().await.expect("a reader");
        let newest = sql(NEWEST).bind(platform.now()).bind(fan.user_id);
        let newest: Option<(i64,)> = session.first(newest).await.expect("takeouts");
        drop(session);
        let answer = self.on.world.call("core.account.takeout", &fan.principal, json!({})).await;
        let size = newest.map_or(0, |(size,)| size);
        assert_eq!(answer.status == 200, size > 0, "{:?}", answer.body);
        assert!(size == 0 || i64::try_from(answer.bytes.len()).is_ok_and(|sent| sent == size));
        Took::Call(answer)
    }

    /// A fan closes their account: what was made or begun before is never handed out.
    async fn leave(&mut self, fan: usize) -> Took {
        let close = json!({ "password": PASSWORD });
        let answer =
            self.on.world.call("core.account.close", &self.fans[fan].principal, close).await;
        if answer.status == 200 && self.left.insert(fan) {
            let begun = "SELECT object_key FROM export_report WHERE object_key IS NOT NULL";
            let mut session = self.on.world.platform.db().read().await.expect("a reader");
            let begun: Vec<(String,)> = session.all(sql(begun)).await.expect("objects");
            self.stale.extend(begun.into_iter().map(|(key,)| key));
        }
        Took::Call(answer)
    }
}

async fn whatever_happens_to_servers_exports_are_made_once(engine: Engine) {
    let met = walk::<Exports>(engine, Length { walks: 10, steps: 160 }).await;
    enough(engine, &met, "export", ExportStatus::STATES.len());
}
both!(whatever_happens_to_servers_exports_are_made_once);
