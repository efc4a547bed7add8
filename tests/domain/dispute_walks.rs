//! A walk over disputes before, during and after payouts and refunds, and over differences from the
//! processor's statement: after each step the books are right, and in the end they are those of the
//! processor.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{
    Cents, Date, DisputeId, PaymentId, PayoutId, Random as _, RefundId, SeededRandom, utc_day,
};
use nil_core::payments::{
    self, DifferenceStatus, DisputeStatus, PaymentStatus, PayoutStatus, RefundStatus, sandbox,
};
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_tests::walking::{Took, Walk, Watched, enough, told};
use nil_tests::{Draw, Engine, Person, World, both, is_long, usual_or_long};
use proptest::prelude::*;
use serde_json::{Value, json};

struct Banks {
    world: World,
    random: SeededRandom,
    brand: Person,
    athletes: Vec<Person>,
    operator: Principal,
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Banks::WATCHED;

impl Walk for Banks {
    /// What its draws come from.
    type Step = u64;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<DisputeStatus>("dispute", "SELECT id, status FROM dispute"),
        Watched::by::<DifferenceStatus>(
            "difference",
            "SELECT id, status FROM processor_difference",
        ),
        Watched::by::<PaymentStatus>("payment", "SELECT id, status FROM payment"),
        Watched::by::<RefundStatus>("refund", "SELECT id, status FROM refund"),
        Watched::by::<PayoutStatus>("payout", "SELECT id, status FROM payout"),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[];

    /// A look reads all books.
    const LOOKS_EVERY: usize = 5;

    fn steps() -> BoxedStrategy<u64> {
        any::<u64>().boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let brand = world.paying_partner("Cedar Coffee").await;
        world.hears_everything(&brand).await;
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
        let banks = Self { world, random: SeededRandom::new(0), brand, athletes, operator };
        banks.pay().await;
        banks
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn take(&mut self, step: &u64) -> Took {
        self.random = SeededRandom::new(*step);
        self.step().await;
        Took::Passed
    }

    async fn look(&mut self) -> Result<(), String> {
        self.world.books_are_right().await;
        Ok(())
    }

    /// The processor's balance is that of the accounts that stand for the world outside.
    async fn rest(&mut self) {
        self.world.script("DELETE FROM sandbox_line WHERE id LIKE 'x_%'").await;
        self.world.pass(TimeDelta::minutes(1));
        let all = self.compare().await;
        assert_eq!(all.open, 0, "{:?}", all.oldest);
        let outside = "SELECT CAST(-SUM(balance_cents) AS BIGINT) - (SELECT CAST(COALESCE( \
            SUM(amount_cents), 0) AS BIGINT) FROM payout WHERE status = 'in_transit') \
            FROM ledger_account WHERE name LIKE '%:card' OR name LIKE '%:bank' \
            OR name IN ('processor:costs', 'processor:disputed')";
        assert_eq!(self.world.id(outside).await, all.net_cents.get());
        assert!(self.world.heard_what_it_was_told(&self.brand).await > 10);
        // The few steps that PostgreSQL usually gets need not come to everything.
        if !self.world.is_sqlite() && !is_long() {
            return;
        }
        for (what, from) in [
            ("shares that wait", "dispute_share WHERE athlete_waits_cents > 0"),
            ("borne by payees", "refund WHERE dispute_id IS NOT NULL AND status = 'succeeded'"),
            ("decided anew", "refund WHERE dispute_id IS NOT NULL AND status = 'failed'"),
            ("failed late", "ledger_transfer WHERE reason = 'refund_returned'"),
        ] {
            let count = format!("SELECT COUNT(*) FROM {from}");
            assert!(self.world.id(&count).await > 0, "none {what}");
        }
    }
}

impl Banks {
    /// Compares all days so far.
    async fn compare(&self) -> payments::Comparison {
        let first: Date = "2026-11-18".parse().unwrap();
        let today = utc_day(self.world.platform.now());
        payments::compare(&self.world.platform, Some(first), Some(today)).await.unwrap()
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
        match self.draw(16) {
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
                let waits = "SELECT COALESCE(MAX(id), 1) FROM dispute \
                    WHERE status = 'needs_response'";
                let id = self.world.id(waits).await;
                match self.draw(3) {
                    0 => self.call("admin.dispute.accept", json!({ "id": id })).await,
                    _ => {
                        let answer = json!({ "id": id, "statement": "The work was done." });
                        self.call("admin.dispute.answer", answer).await;
                    }
                }
            }
            12 => {
                // Money that moved at the processor without a request, or is gone there again.
                let at = self.world.platform.now();
                let at = at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
                let id = self.draw(4);
                let line = format!(
                    "INSERT INTO sandbox_line (id, at, kind, amount_cents, fee_cents, currency) \
                     VALUES ('x_{id}', '{at}', 'charge', 100, 0, 'usd') ON CONFLICT DO NOTHING"
                );
                self.world.script(&line).await;
                self.compare().await;
            }
            13 => {
                let gone = format!("DELETE FROM sandbox_line WHERE id = 'x_{}'", self.draw(4));
                self.world.script(&gone).await;
                self.world.pass(TimeDelta::minutes(1));
                self.compare().await;
            }
            14 => {
                let id = self.any("processor_difference").await;
                let note = json!({ "id": id, "note": "Looked into." });
                self.call("admin.processor_difference.settle", note).await;
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

async fn the_books_are_right_whatever_banks_do(engine: Engine) {
    let draw = SeededRandom::new(38);
    let steps: Vec<u64> =
        (0..usual_or_long(engine, (170, 60), 1_000)).map(|_| draw.draw()).collect();
    let met = told::<Banks>(engine, &steps).await.unwrap_or_else(|wrong| panic!("{wrong}"));
    for (name, least) in
        [("dispute", 6), ("difference", 3), ("payment", 3), ("refund", 2), ("payout", 3)]
    {
        enough(engine, &met, name, least);
    }
}
both!(the_books_are_right_whatever_banks_do);
