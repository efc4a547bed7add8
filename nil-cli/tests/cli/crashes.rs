//! kill -9 in the middle of bulk payments: nobody is charged twice, nobody is credited twice, nothing
//! that was answered is taken back.

use std::time::{Duration, Instant};

use nil_core::kernel::{Random as _, SystemRandom};
use nil_tests::{Engine, GOOD_CARD, Person, World};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

const ROUNDS: u64 = 15;
const ATHLETES: usize = 4;
/// No delay before the kill is longer, however slow the machine.
const LONGEST: Duration = Duration::from_millis(400);
const SOON: Duration = Duration::from_secs(30);

/// A brand that owes several athletes more than it will pay in all rounds.
struct Campaign {
    brand: Person,
    token: String,
    athletes: Vec<Person>,
    job: i64,
}

impl Campaign {
    async fn begun(world: &World) -> Self {
        let operator = format!("operator:{}", world.chief_operator().await);
        let (_, email) = operator.split_once(':').unwrap();
        let operator = world.platform.vouch_for("operator", email).await.unwrap();
        let brand = world.partner("Northfield").await;
        world.card(&brand, GOOD_CARD).await;
        let due = world.platform.now().date_naive() + chrono::Days::new(10);
        let job = json!({
            "title": "Game day", "description": "A reel.", "category_id": 1,
            "compensation": "cash", "amount_cents": 1_000_000, "slots": ATHLETES,
            "business_purpose": "Sell jackets.",
            "milestones": [{
                "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
            }],
        });
        let job = world
            .call("core.job.save", &brand.principal, job)
            .await
            .data()["id"]
            .clone();
        let open = json!({ "job_id": job, "status": "open" });
        world
            .call("admin.job.decide_pending", &operator, open)
            .await
            .data();
        let college = world.college().await;
        let mut athletes = Vec::new();
        for number in 0..ATHLETES {
            let athlete = world
                .athlete_of(&format!("Jordan{number} Lake"), college)
                .await;
            Self::works(world, &brand, &athlete, &job).await;
            athletes.push(athlete);
        }
        let token = brand.token.clone().unwrap();
        let job = job.as_i64().unwrap();
        Self {
            brand,
            token,
            athletes,
            job,
        }
    }

    /// From the application to the approved post.
    async fn works(world: &World, brand: &Person, athlete: &Person, job: &Value) {
        let (brand, athlete) = (&brand.principal, &athlete.principal);
        let job = json!({ "job_id": job });
        let applied = world
            .call("core.application.apply", athlete, job.clone())
            .await
            .data();
        let hire = json!({ "id": applied["id"] });
        world
            .call("core.application.hire", brand, hire)
            .await
            .data();
        world
            .call("core.contract.confirm_availability", athlete, job.clone())
            .await
            .data();
        let wanted = world
            .call("core.deliverable.outstanding", athlete, job)
            .await
            .data();
        let post = json!({
            "deliverable_id": wanted[0]["id"], "caption": "Warm #ad",
            "post_url": format!("https://www.instagram.com/p/{}/", wanted[0]["id"]),
        });
        world
            .call("core.deliverable.submit", athlete, post)
            .await
            .data();
        let fine = json!({ "deliverable_id": wanted[0]["id"], "status": "approved" });
        world
            .call("core.deliverable.change_status", brand, fine)
            .await
            .data();
    }

    /// What is asked for in a round: a part of what is owed, another one for each athlete.
    async fn request(&self, world: &World, round: u64) -> Value {
        let payments: Vec<Value> = (0..)
            .zip(&self.athletes)
            .map(|(at, athlete)| {
                let amount = part(round, at);
                json!({ "athlete_id": athlete.id, "job_id": self.job, "amount_cents": amount })
            })
            .collect();
        let preview = json!({ "payments": payments });
        let summary = world
            .call("core.payment.bulk_summary", &self.brand.principal, preview)
            .await;
        let total = summary.data()["total_cents"].clone();
        json!({ "payments": payments, "expected_total_cents": total })
    }

    /// The status and the body, unless the server has died.
    fn pay(
        &self,
        server: &Served,
        round: u64,
        body: &Value,
    ) -> impl Future<Output = Option<(u16, Vec<u8>)>> + use<> {
        let request = server.post("/api/bulkPaymentRequest", &self.token);
        let request = request.header("Idempotency-Key", key(round)).json(body);
        async move {
            let answer = request.send().await.ok()?;
            Some((
                answer.status().as_u16(),
                answer.bytes().await.ok()?.to_vec(),
            ))
        }
    }

    /// Asks again until there is an answer that is not `idempotency_in_progress`.
    async fn pay_at_last(&self, server: &Served, round: u64, body: &Value) -> Vec<u8> {
        let deadline = Instant::now() + SOON;
        loop {
            let answered = self
                .pay(server, round, body)
                .await
                .expect("the server lives");
            let text = String::from_utf8_lossy(&answered.1).into_owned();
            match answered {
                (200, bytes) => return bytes,
                (409, _) if text.contains("idempotency_in_progress") => {}
                (status, _) => panic!("round {round}: {status} {text}"),
            }
            assert!(Instant::now() < deadline, "round {round}: {text}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn part(round: u64, at: u64) -> u64 {
    1_000 + 10 * round + at
}

fn key(round: u64) -> String {
    format!("round-{round}")
}

/// How far a round had come when its server died.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    nothing: u32,
    written: u32,
    charged: u32,
    settled: u32,
    answered: u32,
}

impl Reached {
    async fn note(&mut self, world: &World, round: u64, answered: bool) {
        let done = i64::try_from(round).unwrap();
        let count = async |text: &str| world.id(text).await > done;
        let slot = if answered {
            &mut self.answered
        } else if count("SELECT COUNT(*) FROM charge WHERE status = 'succeeded'").await {
            &mut self.settled
        } else if count("SELECT COUNT(*) FROM sandbox_object WHERE kind = 'charge'").await {
            &mut self.charged
        } else if count("SELECT COUNT(*) FROM charge").await {
            &mut self.written
        } else {
            &mut self.nothing
        };
        *slot += 1;
    }
}

/// The same delays for the same seed.
struct Delays(u64);

impl Delays {
    fn next(&mut self, most: Duration) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let most = u64::try_from(most.as_micros()).unwrap();
        Duration::from_micros((self.0 >> 33) % most)
    }
}

fn seed() -> u64 {
    let given = std::env::var("NIL_TEST_SEED")
        .ok()
        .and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| {
        let mut bytes = [0; 4];
        SystemRandom.fill(&mut bytes);
        u64::from(u32::from_le_bytes(bytes))
    })
}

async fn killed_in_the_middle(engine: Engine) {
    let seed = seed();
    println!("NIL_TEST_SEED={seed}");
    let mut delays = Delays(seed);
    let world = World::in_real_time(engine).await;
    let campaign = Campaign::begun(&world).await;
    let nil = Nil::beside(&world);
    let worker = Nil::beside(&world).with("NIL_RECONCILE_AFTER_SECONDS", "0");
    let mut reached = Reached::default();
    let mut answers: Vec<(Value, Vec<u8>)> = Vec::new();

    // The first round lives, and tells how long a payment takes here: kills fall within that time.
    let mut server = Served::start(&nil, &[]);
    let body = campaign.request(&world, 0).await;
    assert_eq!(server.status("/api/me", &campaign.token).await, 200);
    let begun = Instant::now();
    let answer = campaign.pay_at_last(&server, 0, &body).await;
    let most = (begun.elapsed() * 3 / 2).clamp(Duration::from_millis(60), LONGEST);
    answers.push((body, answer));

    for round in 1..=ROUNDS {
        let body = campaign.request(&world, round).await;
        assert_eq!(server.status("/api/me", &campaign.token).await, 200);
        let request = tokio::spawn(campaign.pay(&server, round, &body));
        tokio::time::sleep(delays.next(most)).await;
        server.process.kill();
        let first = request.await.unwrap();
        reached.note(&world, round, first.is_some()).await;

        server = Served::start(&nil, &[]);
        worker.run(&["worker", "--once"]).good();
        let answer = campaign.pay_at_last(&server, round, &body).await;
        if let Some((status, bytes)) = first {
            assert_eq!(
                (status, &bytes),
                (200, &answer),
                "round {round}: an answer was taken back"
            );
        }
        answers.push((body, answer));
        let charges = "SELECT COUNT(*) FROM sandbox_object WHERE kind = 'charge'";
        assert_eq!(
            world.id(charges).await,
            i64::try_from(round).unwrap() + 1,
            "round {round}"
        );
        let books = nil.run(&["verify", "--json"]);
        assert_eq!(books.code, 0, "round {round}: {}", books.text());
        for (at, athlete) in (0..).zip(&campaign.athletes) {
            let paid: u64 = (0..=round).map(|round| part(round, at)).sum();
            let wallet = world.balance(athlete).await;
            assert_eq!(
                wallet,
                i64::try_from(paid).unwrap(),
                "round {round}, athlete {at}"
            );
        }
    }
    println!("kills within {most:?} found: {reached:?}");
    assert!(
        reached.answered < u32::try_from(ROUNDS).unwrap(),
        "no kill came in time"
    );

    // Everything that was ever answered is still so.
    for (round, (body, answer)) in (0..).zip(&answers) {
        let again = campaign.pay_at_last(&server, round, body).await;
        assert_eq!(&again, answer, "round {round}");
        let told: Value = serde_json::from_slice(answer).unwrap();
        let payments = told["data"]["payments"].as_array().unwrap();
        assert_eq!(payments.len(), ATHLETES);
        for (at, payment) in (0..).zip(payments) {
            assert_eq!(payment["status"], "succeeded", "round {round}");
            assert_eq!(payment["amount_cents"], part(round, at), "round {round}");
            let id = &payment["id"];
            let kept =
                format!("SELECT COUNT(*) FROM payment WHERE id = {id} AND status = 'succeeded'");
            assert_eq!(world.id(&kept).await, 1, "round {round}");
        }
    }
    server.process.terminate();
    assert!(server.process.ended().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    killed_in_the_middle(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    killed_in_the_middle(Engine::Postgres).await;
}
