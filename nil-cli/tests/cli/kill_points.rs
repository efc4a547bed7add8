//! kill -9 at named points: where a payment, a webhook, a message or a migration stands between two
//! steps. A server that starts afterwards finishes what was begun, and does nothing twice.

use std::time::{Duration, Instant};

use nil_core::storage::{Db, Session, sql};
use nil_tests::ledgered::{Event, Ledgered, SIGNS, Trouble};
use nil_tests::{Engine, Gate, MailServer, Person, World, both, is_long, trust};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::mail;
use crate::nil::Nil;
use crate::served::{Running, SOON, Served, until};

/// Each payment, in cents.
const AMOUNT: i64 = 1_000;

/// Where a payment is when its server is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    /// The transaction with the intent is on its way into the log; nobody has called yet.
    IntentSaved,
    /// The call to the processor is on the line.
    BeforeTheCall,
    /// The processor has charged the card, and its answer is on the line.
    AfterTheCall,
    /// The answer is here, and the transaction that records it does not commit.
    BeforeTheCommit,
    /// The transaction that records it commits, and nobody is left to hear of it.
    AfterTheCommit,
    /// The processor's webhook has come before its answer, and what it settles does not commit.
    MidWebhook,
}

/// A commit that waits: a trigger at the end of the transaction wants a lock that the test has.
struct HeldCommit<'w> {
    world: &'w World,
    lock: Session,
}

const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
    AND wait_event_type = 'Lock' AND wait_event = 'advisory'";
const END_WAITING: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
    WHERE datname = current_database() AND wait_event = 'advisory'";

impl<'w> HeldCommit<'w> {
    /// Holds transactions that have done this to a charge.
    async fn after(world: &'w World, what: &str) -> Self {
        let mut lock = world.platform.db().begin().await.unwrap();
        lock.run(sql("SELECT pg_advisory_lock(4)")).await.unwrap();
        let held = format!(
            "CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN PERFORM pg_advisory_xact_lock(4); RETURN NULL; END $$; \
             CREATE CONSTRAINT TRIGGER held AFTER {what} EXECUTE FUNCTION held()"
        );
        world.script(&held).await;
        Self { world, lock }
    }

    /// Waits until one is held.
    async fn reached(&self) {
        until(SOON, "a commit waits", async || self.world.id(WAITING).await > 0).await;
    }

    /// Lets it go, or ends it without a commit; the next ones are not held.
    async fn go(mut self, commits: bool) {
        if !commits {
            self.world.script(END_WAITING).await;
            until(SOON, "it has ended", async || self.world.id(WAITING).await == 0).await;
        }
        self.lock.run(sql("SELECT pg_advisory_unlock(4)")).await.unwrap();
        // Waits for the transaction that was held.
        self.world.script("DROP TRIGGER held ON charge; DROP FUNCTION held()").await;
    }
}

const NEW: &str =
    "INSERT ON charge DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'processing')";
const SETTLED: &str =
    "UPDATE ON charge DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'succeeded')";

/// With this platform and this processor, which is asked about a payment after so many seconds.
fn beside(world: &World, processor: &str, after: &str) -> Nil {
    Nil::beside(world)
        .with("NIL_PROCESSOR_KIND", "stripe")
        .with("NIL_PROCESSOR_URL", processor)
        .with("NIL_PROCESSOR_KEY", "sk_test_suites")
        .with("NIL_PROCESSOR_WEBHOOK_SECRETS", SIGNS)
        .with("NIL_RECONCILE_AFTER_SECONDS", after)
        .with("NIL_THROTTLE_STANDARD", "1000000")
        .with("NIL_PUBLIC_URL", "https://nil.example")
}

/// A brand that pays an athlete through a processor behind a line.
struct Till {
    world: World,
    ledgered: Ledgered,
    gate: Gate,
    nil: Nil,
    brand: Person,
    athlete: Person,
    paid: i64,
}

impl Till {
    async fn on(engine: Engine) -> Self {
        let mut world = World::in_real_time(engine).await;
        let ledgered = Ledgered::start(world.platform.config().clock.clone()).await;
        world
            .reopen(|config| config.processor = Some(std::sync::Arc::new(ledgered.client())))
            .await;
        let brand = world.paying_partner("Cedar Coffee").await;
        let athlete = world.athlete("Jordan Lake").await;
        let url = format!("{}/v1", ledgered.address());
        let gate = Gate::before(&url);
        let nil = beside(&world, &gate.at(&url), "1");
        Self { world, ledgered, gate, nil, brand, athlete, paid: 0 }
    }

    fn charges(&self) -> i64 {
        self.ledgered.moved("pi").len().try_into().unwrap()
    }

    /// The input of the next payment.
    async fn owed(&self) -> Value {
        let deal = self.world.approved_deal(&self.brand, &self.athlete, &[AMOUNT]).await;
        json!({ "athlete_id": self.athlete.id, "contract_id": deal.contract_id })
    }

    /// Asks a server for a payment, always under the key of its point.
    fn paying(&self, server: &Served, point: Point, owed: &Value) -> reqwest::RequestBuilder {
        let token = self.brand.token.as_deref().unwrap();
        let request = server.post("/api/submitProcessorPaymentsaved", token);
        request.header("Idempotency-Key", format!("{point:?}")).json(owed)
    }

    /// Waits until the processor has charged once more than the books have.
    async fn charged(&self) {
        until(SOON, "it is charged", async || self.charges() == self.paid + 1).await;
    }

    fn telling(&self, server: &Served, event: &Event) -> reqwest::RequestBuilder {
        let request = server.client.post(format!("{}/api/processor/webhook", server.core));
        let request = request.header("stripe-signature", self.ledgered.signature(event));
        request.header("content-type", "application/json").body(event.body.clone())
    }

    /// What the processor tells of a charge that succeeded.
    fn told(&self) -> Event {
        let mut events = self.ledgered.events().into_iter();
        let event = events.rfind(|event| event.kind == "payment_intent.succeeded");
        event.expect("the processor tells of it")
    }

    /// Brings a payment to a point, and kills its server there. Returns the event that was on its
    /// way, if there was one.
    async fn killed_at(&self, point: Point, owed: &Value, mut server: Served) -> Option<Event> {
        let request = self.paying(&server, point, owed);
        let begin = || tokio::spawn(request.send());
        let mut event = None;
        match point {
            Point::IntentSaved => {
                let held = HeldCommit::after(&self.world, NEW).await;
                let paying = begin();
                held.reached().await;
                dies(&mut server, paying).await;
                held.go(true).await;
            }
            Point::BeforeTheCall => {
                self.gate.silent().await;
                let paying = begin();
                let saved = "SELECT COUNT(*) FROM charge WHERE status = 'processing'";
                until(SOON, "an intent is saved", async || self.world.id(saved).await == 1).await;
                dies(&mut server, paying).await;
                // What is on the line arrives nowhere.
                self.gate.cut().await;
                self.gate.open().await;
            }
            Point::AfterTheCall => {
                self.ledgered.next(&[Trouble::Stalls]);
                let paying = begin();
                self.charged().await;
                dies(&mut server, paying).await;
            }
            Point::BeforeTheCommit | Point::AfterTheCommit => {
                let held = HeldCommit::after(&self.world, SETTLED).await;
                let paying = begin();
                held.reached().await;
                dies(&mut server, paying).await;
                held.go(point == Point::AfterTheCommit).await;
            }
            Point::MidWebhook => {
                self.ledgered.next(&[Trouble::Stalls]);
                let held = HeldCommit::after(&self.world, SETTLED).await;
                let paying = begin();
                self.charged().await;
                let told = self.told();
                let telling = tokio::spawn(self.telling(&server, &told).send());
                held.reached().await;
                dies(&mut server, paying).await;
                assert!(telling.await.unwrap().is_err(), "nobody has taken the event");
                held.go(false).await;
                event = Some(told);
            }
        }
        event
    }

    /// Waits until the books have what the processor has; returns how long that took.
    async fn settled(&mut self, server: &Served, point: Point, owed: &Value) -> Duration {
        let begun = Instant::now();
        let known = "SELECT COUNT(*) FROM charge WHERE status = 'succeeded'";
        let mut answer = Value::Null;
        while self.world.id(known).await != self.paid + 1 || answer["data"]["status"] != "succeeded"
        {
            assert!(begun.elapsed() < SETTLED_WITHIN, "{answer:#}");
            let answered = self.paying(server, point, owed).send().await.unwrap();
            let status = answered.status().as_u16();
            answer = answered.json().await.unwrap();
            let waits = status == 409 && answer["code"] == "idempotency_in_progress";
            assert!(status == 200 || waits, "{status} {answer:#}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.paid += 1;
        begun.elapsed()
    }

    async fn inspect(&self, point: Point) {
        let moved = self.ledgered.moved("pi");
        let keys: std::collections::BTreeSet<&String> = moved.iter().map(|(key, _)| key).collect();
        assert_eq!((keys.len(), self.charges()), (moved.len(), self.paid), "{point:?}");
        assert_eq!(self.world.balance(&self.athlete).await, AMOUNT * self.paid, "{point:?}");
        let books = self.nil.run(&["verify", "--json"]);
        assert_eq!(books.code, 0, "{point:?}: {}", books.text());
    }
}

/// How soon after a start the books have every charge that the processor has.
const SETTLED_WITHIN: Duration = Duration::from_mins(1);

/// Kills a server that is about to answer.
async fn dies(
    server: &mut Served,
    asking: tokio::task::JoinHandle<reqwest::Result<reqwest::Response>>,
) {
    server.process.kill();
    assert!(asking.await.unwrap().is_err(), "it was answered before");
}

async fn payments_are_made_once(engine: Engine) {
    let points: &[Point] = match engine {
        Engine::Sqlite => &[Point::BeforeTheCall, Point::AfterTheCall],
        Engine::Postgres => &[
            Point::IntentSaved,
            Point::BeforeTheCall,
            Point::AfterTheCall,
            Point::BeforeTheCommit,
            Point::AfterTheCommit,
            Point::MidWebhook,
        ],
    };
    let mut till = Till::on(engine).await;
    let url = till.gate.at(&format!("{}/v1", till.ledgered.address()));
    let worker = beside(&till.world, &url, "0");
    let mut server = Served::start(&till.nil, &[]);
    let mut slowest = Duration::ZERO;
    for point in points {
        let owed = till.owed().await;
        let event = till.killed_at(*point, &owed, server).await;
        server = Served::start(&till.nil, &[]);
        if let Some(event) = event {
            let taken = till.telling(&server, &event).send().await.unwrap();
            assert_eq!(taken.status(), 200, "{point:?}");
        }
        // The server's own worker does it as well, half a minute later.
        if !is_long() {
            worker.run(&["worker", "--once"]).good();
        }
        slowest = slowest.max(till.settled(&server, *point, &owed).await);
        till.inspect(*point).await;
    }
    server.process.terminate();
    assert!(server.process.ended().success());
    trust::tried("R4", "kills", points.len());
    if is_long() {
        let figure = format!("settled within {:.1} s of a start", slowest.as_secs_f64());
        trust::measured("R4", &figure);
    }
}
both!(payments_are_made_once);

/// A mail that is on the line when its server is killed is sent by the next one, once.
async fn a_mail_on_the_line_is_sent_once(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let mails = MailServer::open();
    let gate = Gate::before(&format!("127.0.0.1:{}", mails.port));
    // The code of a registration waits to be sent.
    world.partner("Cedar Coffee").await;
    let nil =
        mail::beside(Nil::beside(&world), &mails).with("NIL_MAIL_PORT", &gate.port().to_string());
    gate.silent().await;
    let mut server = Served::start(&nil, &[]);
    let claimed = "SELECT COUNT(*) FROM outbox WHERE channel = 'email' AND status = 'pending' \
        AND attempts > 0";
    until(SOON, "a mail is claimed", async || world.id(claimed).await > 0).await;
    server.process.kill();
    gate.cut().await;
    gate.open().await;
    // The claim of a server that is gone lasts for minutes.
    world.script("UPDATE outbox SET next_at = created_at WHERE status = 'pending'").await;
    let mut server = Served::start(&nil, &[]);
    let waiting = "SELECT COUNT(*) FROM outbox WHERE channel = 'email' AND status = 'pending'";
    until(SOON, "every mail is sent", async || world.id(waiting).await == 0).await;
    server.process.terminate();
    assert!(server.process.ended().success());
    let sent = "SELECT COUNT(*) FROM outbox WHERE channel = 'email' AND status = 'sent'";
    let arrived = mails.all().into_iter().filter(|told| told["event"] == "mail").count();
    assert!(arrived > 0);
    assert_eq!(i64::try_from(arrived).unwrap(), world.id(sent).await);
    nil.run(&["verify"]).good();
    trust::tried("R4", "kills", 1);
}
both!(a_mail_on_the_line_is_sent_once);

/// A migration that is killed between two tables leaves nothing behind that stops the next one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_is_killed_goes_on_postgres() {
    let mut chance = Chance::of_the_seed();
    for ends in [false, true] {
        let nil = Nil::on_postgres().await;
        let db = Db::open(&nil.address().parse().unwrap()).await.unwrap();
        let mut lock = db.begin().await.unwrap();
        lock.run(sql("SELECT pg_advisory_lock(4)")).await.unwrap();
        let tables = 5 + chance.below(60);
        let held = format!(
            "CREATE FUNCTION held() RETURNS event_trigger LANGUAGE plpgsql AS \
             $$ BEGIN IF (SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public') = {tables} \
             THEN PERFORM pg_advisory_xact_lock(4); END IF; END $$"
        );
        let mut session = db.read().await.unwrap();
        session.run(sql(held.leak())).await.unwrap();
        let held = "CREATE EVENT TRIGGER held ON ddl_command_end WHEN TAG IN ('CREATE TABLE') \
            EXECUTE FUNCTION held()";
        session.run(sql(held)).await.unwrap();
        let waiting =
            async || db.read().await.unwrap().value::<i64>(sql(WAITING)).await.unwrap() == 1;
        let mut migrating = Running::of(nil.command(&["migrate"]));
        until(SOON, "the migration waits", waiting).await;
        migrating.kill();
        if ends {
            session.run(sql(END_WAITING)).await.unwrap();
        }
        lock.run(sql("SELECT pg_advisory_unlock(4)")).await.unwrap();
        drop(lock);
        session.run(sql("DROP EVENT TRIGGER held")).await.unwrap();
        session.run(sql("DROP FUNCTION held()")).await.unwrap();
        drop(session);
        db.close().await;
        nil.run(&["migrate"]).good();
        nil.run(&["migrate", "--check"]).good();
        nil.run(&["verify"]).good();
    }
    trust::tried("R4", "kills", 2);
}
