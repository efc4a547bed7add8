//! kill -9 in the middle of bulk payments: no brand is charged twice, no athlete is credited twice,
//! and no answer is revoked.

use std::time::{Duration, Instant};

use nil_tests::{Engine, Person, World, both, trust, usual_or_long};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::nil::Nil;
use crate::served::Served;

/// How often a server is killed; `NIL_LONG` kills it five hundred times.
fn rounds(engine: Engine) -> u64 {
    usual_or_long(engine, (15, 8), 500)
}

const ATHLETES: usize = 4;
/// Kills come within the time that one payment takes here, as far as the rounds before show it, but
/// never within less or more than these limits.
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(400);
const SOON: Duration = Duration::from_secs(30);

/// A brand that owes several athletes more than it pays in all rounds.
struct Campaign {
    brand: Person,
    token: String,
    athletes: Vec<Person>,
    job: i64,
}

impl Campaign {
    async fn begun(world: &World) -> Self {
        let brand = world.paying_partner("Northfield").await;
        let due = world.platform.now().date_naive() + chrono::Days::new(10);
        let reel = json!({
            "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due,
        });
        let over = json!({ "amount_cents": 1_000_000, "slots": ATHLETES, "milestones": [reel] });
        let job = world.open_job(&brand, over).await;
        let college = world.college().await;
        let mut athletes = Vec::new();
        for number in 0..ATHLETES {
            let name = format!("Jordan{number} Lake");
            let athlete = world.athlete_of(&name, college).await;
            let hire = world.hire(&brand, &athlete, job).await;
            let confirm = json!({ "job_id": job });
            let confirmed = "core.contract.confirm_availability";
            world.call(confirmed, &athlete.principal, confirm).await.data();
            world.approve(&hire, hire.deliverables[0]).await;
            athletes.push(athlete);
        }
        Self { token: brand.token.clone().unwrap(), brand, athletes, job }
    }

    /// The payment of a round: a part of the owed amounts, different for each athlete.
    async fn request(&self, world: &World, round: u64) -> Value {
        let payments: Vec<Value> = (0..)
            .zip(&self.athletes)
            .map(|(at, athlete)| {
                let amount = part(round, at);
                json!({ "athlete_id": athlete.id, "job_id": self.job, "amount_cents": amount })
            })
            .collect();
        let preview = json!({ "payments": payments });
        let summary = world.call("core.payment.bulk_summary", &self.brand.principal, preview).await;
        let total = summary.data()["total_cents"].clone();
        json!({ "payments": payments, "expected_total_cents": total })
    }

    /// The status and the body, or nothing if the server has died.
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
            Some((answer.status().as_u16(), answer.bytes().await.ok()?.to_vec()))
        }
    }

    /// Repeats the request until the answer is not `idempotency_in_progress`.
    async fn pay_at_last(&self, server: &Served, round: u64, body: &Value) -> Vec<u8> {
        let deadline = Instant::now() + SOON;
        loop {
            let answered = self.pay(server, round, body).await.expect("the server lives");
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

/// How far a round had got when its server died.
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

async fn killed_in_the_middle(engine: Engine) {
    let mut chance = Chance::of_the_seed();
    let world = World::in_real_time(engine).await;
    let campaign = Campaign::begun(&world).await;
    let nil = Nil::beside(&world);
    let worker = Nil::beside(&world).with("NIL_RECONCILE_AFTER_SECONDS", "0");
    let mut reached = Reached::default();
    let mut answers: Vec<(Value, Vec<u8>)> = Vec::new();

    // The first round is not killed, and measures how long a payment takes here: kills fall within
    // that time.
    let mut server = Served::start(&nil, &[]);
    let body = campaign.request(&world, 0).await;
    assert_eq!(server.status("/api/me", &campaign.token).await, 200);
    let begun = Instant::now();
    let answer = campaign.pay_at_last(&server, 0, &body).await;
    let mut most = begun.elapsed();
    answers.push((body, answer));

    // A first payment is slow, and so would be a measure taken from it alone: rounds go on until a
    // kill came in time.
    let (mut round, rounds) = (0, rounds(engine));
    while round < rounds || u64::from(reached.answered) == round {
        round += 1;
        most = most.clamp(SHORTEST, LONGEST);
        let body = campaign.request(&world, round).await;
        assert_eq!(server.status("/api/me", &campaign.token).await, 200);
        let request = tokio::spawn(campaign.pay(&server, round, &body));
        let within = u64::try_from(most.as_micros()).unwrap();
        tokio::time::sleep(Duration::from_micros(chance.below(within))).await;
        server.process.kill();
        let first = request.await.unwrap();
        reached.note(&world, round, first.is_some()).await;
        most = if first.is_some() { most * 3 / 4 } else { most * 4 / 3 };

        server = Served::start(&nil, &[]);
        worker.run(&["worker", "--once"]).good();
        let answer = campaign.pay_at_last(&server, round, &body).await;
        if let Some((status, bytes)) = first {
            assert_eq!((status, &bytes), (200, &answer), "round {round}: an answer was taken back");
        }
        answers.push((body, answer));
        let charges = "SELECT COUNT(*) FROM sandbox_object WHERE kind = 'charge'";
        assert_eq!(world.id(charges).await, i64::try_from(round).unwrap() + 1, "round {round}");
        let books = nil.run(&["verify", "--json"]);
        assert_eq!(books.code, 0, "round {round}: {}", books.text());
        for (at, athlete) in (0..).zip(&campaign.athletes) {
            let paid: u64 = (0..=round).map(|round| part(round, at)).sum();
            let wallet = world.balance(athlete).await;
            assert_eq!(wallet, i64::try_from(paid).unwrap(), "round {round}, athlete {at}");
        }
    }
    println!("kills within {most:?} found: {reached:?}");

    // All earlier answers are still the same.
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
    trust::tried("R4", "kills", answers.len() - 1);
}

both!(killed_in_the_middle);
