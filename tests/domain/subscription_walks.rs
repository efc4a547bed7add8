//! Random walks over subscriptions, with a randomly failing processor and several workers: always, the
//! books are right, every period is charged at most once, and the processor's charges match the invoices.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::SeededRandom;
use nil_core::payments::{self, sandbox};
use nil_tests::{DECLINED_CARD, Draw as _, Engine, Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

struct Walk {
    world: World,
    random: SeededRandom,
    plans: Vec<Value>,
    partners: Vec<Person>,
}

impl Walk {
    async fn new(engine: Engine, seed: u64) -> Self {
        let world = World::on(engine).await;
        let mut plans = vec![world.plan(json!({})).await];
        let yearly = json!({ "name": "Scale", "interval": "year", "price_cents": 39_999 });
        plans.push(world.plan(yearly).await);
        for (name, price) in [("Team", 7_701), ("Pro", 12_345), ("Top", 23_456)] {
            plans.push(world.plan(json!({ "name": name, "price_cents": price })).await);
        }
        let mut partners = Vec::new();
        for name in ["Cedar Coffee", "Harbor Books"] {
            let partner = world.partner(name).await;
            world.card(&partner, GOOD_CARD).await;
            world.card(&partner, DECLINED_CARD).await;
            world.subscribe(&partner, &plans[0]).await.data();
            partners.push(partner);
        }
        Self { world, random: SeededRandom::new(seed), plans, partners }
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
        let partner = self.random.one_of(&self.partners);
        let call = async |name: &str, input: Value| {
            let answer = self.world.call(name, &partner.principal, input).await;
            assert!(answer.status < 500 || died, "{name}: {}", answer.body);
        };
        match self.random.below(24) {
            0..=2 => {
                let plan = json!({ "plan_id": self.random.one_of(&self.plans)["id"] });
                call("core.subscription.subscribe", plan).await;
            }
            3 => call("core.subscription.cancel", json!({})).await,
            4 => call("core.subscription.resume", json!({})).await,
            5 | 6 => {
                let cards = json!({});
                let list = "core.partner.payment_methods";
                let cards = self.world.call(list, &partner.principal, cards).await.data();
                let card = self.random.one_of(cards.as_array().unwrap())["id"].clone();
                let which = json!({ "payment_method_id": card });
                call("core.partner.set_default_payment_method", which).await;
            }
            7 => self.world.pass(TimeDelta::days(1)),
            8 => self.world.pass(TimeDelta::days(15)),
            9 => self.world.pass(TimeDelta::seconds(11)),
            10..=18 => {
                let plan = self.random.one_of(&self.plans);
                let preview = self.world.preview_change(partner, plan).await;
                let total = preview.body["data"]["total_cents"].as_i64().unwrap_or_default();
                let change = json!({ "plan_id": plan["id"], "expected_total_cents": total });
                call("core.subscription.change", change).await;
            }
            19 => self.refund(partner, died).await,
            _ => self.outside().await,
        }
    }

    /// Refunds one of a brand's invoices.
    async fn refund(&self, partner: &Person, died: bool) {
        let invoices = self.world.invoices(partner).await;
        if invoices.is_empty() {
            return;
        }
        let invoice = self.random.one_of(&invoices)["id"].clone();
        let rule = *self.random.one_of(&["full", "unused"]);
        let end = self.random.below(3) == 0;
        let input = json!({
            "invoice_id": invoice, "rule": rule, "reason": "Asked.", "end_subscription": end,
        });
        let operator = self.world.operator(&[Permission::Finance]);
        let answer = self.world.call("admin.subscription.refund", &operator, input).await;
        assert!(answer.status < 500 || died, "{}", answer.body);
    }

    /// Runs the worker or delivers a processor event. In a separate task, which may die.
    async fn outside(&self) {
        let platform = self.world.platform.clone();
        let what = self.random.below(5);
        let _ = tokio::spawn(async move {
            match what {
                0 => drop(payments::reconcile(&platform).await.unwrap()),
                1 => drop(sandbox::deliver_events(&platform).await.unwrap()),
                _ => drop(payments::bill(&platform).await.unwrap()),
            }
        })
        .await;
    }

    /// Settles everything, and compares charges with invoices.
    async fn rest(&self) {
        self.world.processor.next(&[]);
        self.world.pass(TimeDelta::seconds(11));
        payments::reconcile(&self.world.platform).await.unwrap();
        self.world.books_are_right().await;
        let open = "SELECT COUNT(*) FROM subscription_charge WHERE status = 'processing'";
        assert_eq!(self.world.id(open).await, 0, "something is still open");
        let open = "SELECT COUNT(*) FROM subscription_refund WHERE status = 'pending'";
        assert_eq!(self.world.id(open).await, 0, "a refund is still open");
        let (taken, times) = self.world.charged().await;
        let paid = "SELECT CAST(COALESCE(SUM(total_cents), 0) AS BIGINT) FROM invoice \
            WHERE kind = 'subscription' AND status = 'paid' AND total_cents > 0";
        assert_eq!(self.world.id(paid).await, taken);
        let periods = "SELECT COUNT(*) FROM subscription_period p \
            JOIN invoice i ON i.id = p.invoice_id WHERE i.status = 'paid'";
        let changes = "SELECT COUNT(*) FROM subscription_change x \
            JOIN invoice i ON i.id = x.invoice_id WHERE i.status = 'paid'";
        let paid = self.world.id(periods).await + self.world.id(changes).await;
        assert_eq!(usize::try_from(paid).unwrap(), times, "a period or a change is charged once");
    }
}

async fn every_period_is_charged_once_whatever_happens(engine: Engine) {
    let (seeds, steps) = match std::env::var("NIL_LONG") {
        Ok(_) => (200, 150),
        Err(_) => (3, 60),
    };
    let (mut renewed, mut changed) = (0, 0);
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
        let later = "SELECT COUNT(*) FROM subscription_period WHERE number > 1";
        renewed += walk.world.id(later).await;
        let done = "SELECT COUNT(*) FROM subscription_change WHERE status = 'done'";
        changed += walk.world.id(done).await;
    }
    assert!(renewed > 0, "no walk came to a renewal");
    assert!(changed > 0, "no walk came to a change of plan");
}

both!(every_period_is_charged_once_whatever_happens);
