//! Random walks over disputes before, during and after payouts and refunds: after each step the
//! books are right, and in the end they are those of the processor.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Cents, DisputeId, PaymentId, PayoutId, RefundId, SeededRandom};
use nil_core::payments::{self, sandbox};
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_tests::{Draw, Person, World, both};
use serde_json::{Value, json};

struct Walk {
    world: World,
    random: SeededRandom,
    brand: Person,
    athletes: Vec<Person>,
    operator: Principal,
}

impl Walk {
    async fn new(world: World, seed: u64) -> Self {
        let brand = world.paying_partner("Cedar Coffee").await;
        let agent = world.agent("North Agency").await;
        world.can_receive(&agent).await;
        let mut athletes = Vec::new();
        for name in ["Jordan Lake", "Riley Stone", "Sam Brook"] {
            let athlete = world.athlete(name).await;
            world.can_receive(&athlete).await;
            athletes.push(athlete);
        }
        world.represent(&agent, &athletes[0], 1_234).await;
        let operator = world.operator(&[Permission::Finance]);
        let terms = json!({ "payee_basis_points": 6_667 });
        world.call("admin.dispute.save_terms", &operator, terms).await.data();
        world.pass(TimeDelta::seconds(1));
        Self { world, random: SeededRandom::new(seed), brand, athletes, operator }
    }

    fn draw(&self, below: i64) -> i64 {
        self.random.below(below)
    }

    /// The id of any row of a table; 1 if there is none.
    async fn any(&self, table: &str) -> i64 {
        let most = self.world.id(&format!("SELECT COALESCE(MAX(id), 1) FROM {table}")).await;
        1 + self.draw(most)
    }

    /// Any answer is fine, but an internal error.
    async fn call(&self, name: &str, input: Value) {
        let answer = self.world.call(name, &self.operator, input.clone()).await;
        assert!(answer.status < 500, "{name} {input}: {}", answer.body);
    }

    async fn pay(&self) {
        let count = 1 + usize::try_from(self.draw(3)).unwrap();
        let mut lines = Vec::new();
        for athlete in &self.athletes[..count] {
            let cents = 1_000 + self.draw(30_000);
            let deal = self.world.approved_deal(&self.brand, athlete, &[cents]).await;
            lines.push(json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id }));
        }
        let who = &self.brand.principal;
        let preview = json!({ "payments": lines });
        let summary = self.world.call("core.payment.bulk_summary", who, preview).await.data();
        let all = json!({ "payments": lines, "expected_total_cents": summary["total_cents"] });
        self.world.call("core.payment.pay_bulk", who, all).await.data();
    }

    async fn dispute(&self) {
        let kinds = DisputeKind::ALL;
        let kind = kinds[usize::try_from(self.draw(3)).unwrap()];
        let cents = (self.draw(2) == 0).then(|| Cents(1 + self.draw(20_000)));
        let payment = PaymentId::new(self.any("payment").await).unwrap();
        sandbox::dispute(&self.world.platform, payment, (kind, cents)).await.unwrap();
    }

    async fn turn(&self) {
        use DisputeState::{Lost, NeedsResponse, UnderReview, Withdrawn, Won};
        let states = [NeedsResponse, UnderReview, Won, Lost, Lost, Withdrawn];
        let to = states[usize::try_from(self.draw(6)).unwrap()];
        let id = DisputeId::new(self.any("dispute").await).unwrap();
        match sandbox::turn_dispute(&self.world.platform, id, to).await {
            Ok(_) => {}
            Err(error) => assert_eq!(error.code(), "not_found"),
        }
    }

    async fn refund(&self) {
        let fee = ["none", "proportional", "all"][usize::try_from(self.draw(3)).unwrap()];
        let mut input = json!({ "payment_id": self.any("payment").await, "reason": "walk",
            "refund_fee": fee, "allow_negative_balance": self.draw(2) == 0 });
        if self.draw(3) > 0 {
            input["amount_cents"] = json!(1 + self.draw(10_000));
        }
        self.call("admin.payment.refund", input).await;
    }

    async fn step(&self) {
        let platform = &self.world.platform;
        match self.draw(13) {
            0 | 1 => self.pay().await,
            2..=4 => self.dispute().await,
            5..=7 => self.turn().await,
            8 => self.refund().await,
            9 => {
                let athlete = &self.athletes[usize::try_from(self.draw(3)).unwrap()];
                self.call("admin.payout.trigger", json!({ "id": athlete.id })).await;
                let made = PayoutId::new(self.any("payout").await).unwrap();
                let _ = match self.draw(3) {
                    0 => sandbox::return_payout(platform, made).await,
                    _ => sandbox::let_arrive(platform, made).await,
                };
            }
            10 => {
                let lost = "SELECT COALESCE(MAX(id), 1) FROM dispute WHERE status = 'lost'";
                let lost = DisputeId::new(self.world.id(lost).await).unwrap();
                // The network decides anew, if there is one.
                if self.draw(3) == 0 {
                    let _ = sandbox::turn_dispute(platform, lost, DisputeState::Won).await;
                }
            }
            11 => {
                let id = self.any("dispute").await;
                match self.draw(2) {
                    0 => self.call("admin.dispute.accept", json!({ "id": id })).await,
                    _ => {
                        let answer = json!({ "id": id, "statement": "The work was done." });
                        self.call("admin.dispute.answer", answer).await;
                    }
                }
            }
            _ => {
                let id = RefundId::new(self.any("refund").await).unwrap();
                match sandbox::fail_refund(platform, id).await {
                    Ok(_) => {}
                    // What a dispute took back was never requested.
                    Err(error) => assert_eq!(error.code(), "not_found"),
                }
                let terms = json!({ "payee_basis_points": self.draw(10_001) });
                self.call("admin.dispute.save_terms", terms).await;
            }
        }
        self.world.pass(TimeDelta::seconds(1 + self.draw(40_000)));
    }
}

async fn the_books_are_right_whatever_banks_do(world: World) {
    let walk = Walk::new(world, 38).await;
    let mut met = BTreeSet::new();
    walk.pay().await;
    for _ in 0..140 {
        walk.step().await;
        walk.world.books_are_right().await;
        for status in payments::DisputeStatus::ALL {
            let so = format!("SELECT COUNT(*) FROM dispute WHERE status = '{status}'");
            if walk.world.id(&so).await > 0 {
                met.insert(status.as_str());
            }
        }
    }
    assert_eq!(met.len(), 6, "{met:?}");
    for (what, from) in [
        ("shares that wait", "dispute_share WHERE athlete_waits_cents > 0"),
        ("borne by payees", "refund WHERE dispute_id IS NOT NULL AND status = 'succeeded'"),
        ("decided anew", "refund WHERE dispute_id IS NOT NULL AND status = 'failed'"),
        ("failed late", "ledger_transfer WHERE reason = 'refund_returned'"),
    ] {
        let count = format!("SELECT COUNT(*) FROM {from}");
        assert!(walk.world.id(&count).await > 0, "none {what}");
    }
    // The processor's balance is that of the accounts that stand for the world outside.
    let first = "2026-11-18".parse().unwrap();
    let today = nil_core::kernel::utc_day(walk.world.platform.now());
    let all = payments::compare(&walk.world.platform, Some(first), Some(today)).await.unwrap();
    assert_eq!(all.open, 0, "{:?}", all.oldest);
    let outside = "SELECT CAST(-SUM(balance_cents) AS BIGINT) - (SELECT CAST(COALESCE( \
        SUM(amount_cents), 0) AS BIGINT) FROM payout WHERE status = 'in_transit') \
        FROM ledger_account WHERE name LIKE '%:card' OR name LIKE '%:bank' \
        OR name IN ('processor:costs', 'processor:disputed')";
    assert_eq!(walk.world.id(outside).await, all.net_cents.get());
}
both!(the_books_are_right_whatever_banks_do);
