//! Random walks over everything that moves money, with a randomly failing processor: always, the books are
//! right and match the processor's own log.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::{PayoutId, SeededRandom};
use nil_core::payments::{self, sandbox};
use nil_tests::{DECLINED_CARD, Deal, Draw as _, Engine, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

struct Walk {
    world: World,
    random: SeededRandom,
    partner: Person,
    athletes: Vec<Person>,
    deals: Vec<(usize, Deal)>,
}

impl Walk {
    async fn new(engine: Engine, seed: u64) -> Self {
        let world = World::on(engine).await;
        let partner = world.partner("Cedar Coffee").await;
        world.card(&partner, GOOD_CARD).await;
        world.card(&partner, DECLINED_CARD).await;
        let agent = world.agent("North Agency").await;
        let mut athletes = Vec::new();
        let mut deals = Vec::new();
        for at in 0..3 {
            let athlete = world.athlete("Jordan Lake").await;
            if at > 0 {
                world.can_receive(&athlete).await;
            }
            for cents in [3_333, 10_001] {
                let agent = (at == 1).then_some((&agent, 1_234));
                let amounts = [cents, cents / 2, 7];
                let deal = world.approved_deal_through(&partner, &athlete, agent, &amounts).await;
                deals.push((at, deal));
            }
            athletes.push(athlete);
        }
        Self { world, random: SeededRandom::new(seed), partner, athletes, deals }
    }

    fn fault(&self) -> Fault {
        *self.random.one_of(&[
            Fault::None,
            Fault::None,
            Fault::None,
            Fault::Lost,
            Fault::Unanswered,
            Fault::DiesBefore,
            Fault::DiesAfter,
            Fault::KeyInUse,
        ])
    }

    /// That many concurrent steps, with as many faults among them.
    async fn steps_at_once(&self, count: u64) {
        let faults: Vec<Fault> = (0..count).map(|_| self.fault()).collect();
        self.world.processor.next(&faults);
        let died = faults.iter().any(|fault| matches!(fault, Fault::DiesBefore | Fault::DiesAfter));
        futures::future::join_all((0..count).map(|_| self.step(died))).await;
    }

    /// One step; any answer is fine, but an internal error may only come from a dying processor.
    async fn step(&self, died: bool) {
        let operator = self.world.operator(&[Permission::Finance]);
        let brand = &self.partner.principal;
        let call = async |name: &str, who, input: Value| {
            let answer = self.world.call(name, who, input.clone()).await;
            assert!(answer.status < 500 || died, "{name} {input}: {}", answer.body);
        };
        match self.random.below(11) {
            0..=2 => call("core.payment.pay_with_saved_card", brand, self.line()).await,
            3 => {
                let mut lines: Vec<Value> =
                    (0..=self.random.below(4)).map(|_| self.line()).collect();
                lines.sort_by_key(|line| line["contract_id"].as_i64());
                lines.dedup_by_key(|line| line["contract_id"].as_i64());
                let preview = json!({ "payments": lines });
                let summary = self.world.call("core.payment.bulk_summary", brand, preview).await;
                let total = summary.data()["total_cents"].as_i64().unwrap().max(1);
                let input = json!({ "payments": lines, "expected_total_cents": total });
                call("core.payment.pay_bulk", brand, input).await;
            }
            4 => {
                let which = json!({ "payment_method_id": 1 + self.random.below(2) });
                call("core.partner.set_default_payment_method", brand, which).await;
            }
            5 | 6 => {
                let id = self.random.one_of(&self.athletes).id;
                call("admin.payout.trigger", &operator, json!({ "id": id })).await;
            }
            7 | 8 => {
                let mut input = json!({
                    "payment_id": 1 + self.random.below(12), "reason": "walk",
                    "refund_fee": self.random.one_of(&["none", "proportional", "all"]),
                    "allow_negative_balance": self.random.below(2) == 0,
                });
                if self.random.below(3) > 0 {
                    input["amount_cents"] = json!(1 + self.random.below(4_000));
                }
                call("admin.payment.refund", &operator, input).await;
            }
            9 => {
                let id = 1 + self.random.below(8);
                let name = self.random.one_of(&["admin.payout.retry", "admin.payout.cancel"]);
                call(name, &operator, json!({ "id": id })).await;
            }
            _ => self.outside().await,
        }
    }

    /// An outside event: time passes, the bank acts, webhooks arrive, the worker runs. In a separate task,
    /// which may die.
    async fn outside(&self) {
        let platform = self.world.platform.clone();
        let payout = PayoutId::new(1 + self.random.below(8)).unwrap();
        let what = self.random.below(6);
        match what {
            0 => self.world.pass(TimeDelta::days(1)),
            5 => self.world.pass(TimeDelta::seconds(11)),
            _ => {}
        }
        let _ = tokio::spawn(async move {
            match what {
                0 => {}
                1 => drop(sandbox::let_arrive(&platform, payout).await),
                2 => drop(sandbox::return_payout(&platform, payout).await),
                3 => drop(sandbox::deliver_events(&platform).await.unwrap()),
                4 => drop(payments::sweep_payouts(&platform).await.unwrap()),
                _ => drop(payments::reconcile(&platform).await.unwrap()),
            }
        })
        .await;
    }

    fn line(&self) -> Value {
        let (athlete, deal) = self.random.one_of(&self.deals);
        let mut line = json!({
            "athlete_id": self.athletes[*athlete].id, "contract_id": deal.contract_id,
        });
        if self.random.below(3) > 0 {
            line["amount_cents"] = json!(1 + self.random.below(3_000));
        }
        line
    }

    /// Settles everything, and checks that nothing is open.
    async fn rest(&self) {
        let platform = &self.world.platform;
        self.world.processor.next(&[]);
        for _ in 0..3 {
            self.world.pass(TimeDelta::days(3));
            payments::reconcile(platform).await.unwrap();
            sandbox::deliver_events(platform).await.unwrap();
        }
        self.world.books_are_right().await;
        let open = "SELECT (SELECT COUNT(*) FROM charge WHERE status = 'processing') \
            + (SELECT COUNT(*) FROM refund WHERE status = 'pending') \
            + (SELECT COUNT(*) FROM payout WHERE status IN ('pending', 'in_transit'))";
        assert_eq!(self.world.id(open).await, 0, "something is still open");
        let log = self.world.processor.sandbox().log().await.unwrap();
        let moved = |kind: &str, statuses: &[&str]| -> i64 {
            let entries = log
                .iter()
                .filter(|entry| entry.kind == kind && statuses.contains(&entry.status.as_str()));
            entries.map(|entry| entry.amount_cents.get()).sum()
        };
        let balance = |pattern: &str| {
            format!(
                "SELECT CAST(COALESCE(SUM(balance_cents), 0) AS BIGINT) FROM ledger_account \
                 WHERE name LIKE '{pattern}'"
            )
        };
        let charged = moved("charge", &["succeeded"]) - moved("refund", &["succeeded"]);
        assert_eq!(-self.world.id(&balance("%:card")).await, charged);
        assert_eq!(self.world.id(&balance("%:bank")).await, moved("transfer", &["paid"]));
    }
}

async fn the_books_are_right_whatever_happens(engine: Engine) {
    let (seeds, steps) = match std::env::var("NIL_LONG") {
        Ok(_) => (200, 100),
        Err(_) => (3, 40),
    };
    for seed in 0..seeds {
        println!("seed {seed}");
        let walk = Walk::new(engine, seed).await;
        for at in 0..steps {
            // Every third time alone, so that a failing seed is simple to debug.
            walk.steps_at_once(if at % 3 == 0 { 1 } else { 4 }).await;
            if at % 10 == 9 {
                walk.world.books_are_right().await;
            }
        }
        walk.rest().await;
    }
}

both!(the_books_are_right_whatever_happens);
