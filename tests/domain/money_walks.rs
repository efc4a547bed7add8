//! Walks over everything that moves money, with a failing processor: always, the books are right
//! and match the processor's own log.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::{PaymentId, PayoutId};
use nil_core::payments::{self, ChargeStatus, PaymentStatus, PayoutStatus, RefundStatus, sandbox};
use nil_tests::walking::{Length, Took, Walk, Watched, any_fault, dies, enough, walk};
use nil_tests::{ASKING_CARD, DECLINED_CARD, Deal, Engine, Fault, GOOD_CARD, Person, World, both};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What somebody does.
#[derive(Clone, Debug)]
enum Act {
    Pay(Line),
    PayBulk(Vec<Line>),
    Card(i64),
    PayOut {
        athlete: usize,
    },
    Refund {
        payment: i64,
        fee: &'static str,
        negative: bool,
        cents: Option<i64>,
    },
    Payout {
        id: i64,
        name: &'static str,
    },
    /// The brand goes on to confirm a payment, or gives it up.
    Bank {
        payment: i64,
        gives_up: bool,
    },
    Outside(Outside),
}

/// A payment of a deal; all that is owed if no amount is given.
#[derive(Clone, Debug)]
struct Line {
    deal: usize,
    cents: Option<i64>,
}

/// What happens outside the platform, or in its worker.
#[derive(Clone, Copy, Debug)]
enum Outside {
    Day,
    Seconds,
    Arrives(i64),
    Returns(i64),
    Events,
    Sweep,
    Confirms(i64, bool),
}

/// Acts that happen at once, with as many faults among them.
type Turn = Vec<(Act, Fault)>;

struct Money {
    world: World,
    partner: Person,
    athletes: Vec<Person>,
    deals: Vec<(usize, Deal)>,
}

fn line() -> impl Strategy<Value = Line> {
    (0..6_usize, prop::option::weighted(0.66, 1..3_001_i64))
        .prop_map(|(deal, cents)| Line { deal, cents })
}

fn act() -> impl Strategy<Value = Act> {
    let payout = || 1..5_i64;
    let fee = || select(&["none", "proportional", "all"][..]);
    let name = || select(&["admin.payout.retry", "admin.payout.cancel"][..]);
    let outside = prop_oneof![
        Just(Outside::Day),
        Just(Outside::Seconds),
        payout().prop_map(Outside::Arrives),
        payout().prop_map(Outside::Returns),
        Just(Outside::Events),
        Just(Outside::Sweep),
        (1..6_i64, any::<bool>()).prop_map(|(id, so)| Outside::Confirms(id, so)),
    ];
    prop_oneof![
        5 => line().prop_map(Act::Pay),
        1 => vec(line(), 1..5).prop_map(Act::PayBulk),
        2 => select(&[1_i64, 1, 1, 2, 3][..]).prop_map(Act::Card),
        1 => (1..6_i64, any::<bool>()).prop_map(|(payment, gives_up)| Act::Bank { payment, gives_up }),
        2 => (0..3_usize).prop_map(|athlete| Act::PayOut { athlete }),
        5 => (1..6_i64, fee(), any::<bool>(), prop::option::weighted(0.5, 1..1_001_i64)).prop_map(
            |(payment, fee, negative, cents)| Act::Refund { payment, fee, negative, cents }
        ),
        1 => (payout(), name()).prop_map(|(id, name)| Act::Payout { id, name }),
        2 => outside.prop_map(Act::Outside),
    ]
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Money::WATCHED;

impl Walk for Money {
    type Step = Turn;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<PaymentStatus>("payment", "SELECT id, status FROM payment"),
        Watched::by::<ChargeStatus>("charge", "SELECT id, status FROM charge"),
        Watched::by::<RefundStatus>("refund", "SELECT id, status FROM refund"),
        Watched::by::<PayoutStatus>("payout", "SELECT id, status FROM payout"),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[];

    /// A look reads all books.
    const LOOKS_EVERY: usize = 5;

    /// One act alone as often as several at once, so that a story can be simple.
    fn steps() -> BoxedStrategy<Turn> {
        let turn = || (act(), any_fault());
        prop_oneof![vec(turn(), 1), vec(turn(), 2..5)].boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let partner = world.partner("Cedar Coffee").await;
        world.hears_everything(&partner).await;
        for card in [GOOD_CARD, ASKING_CARD, DECLINED_CARD] {
            world.card(&partner, card).await;
        }
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
        Self { world, partner, athletes, deals }
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn take(&mut self, turn: &Turn) -> Took {
        let faults: Vec<Fault> = turn.iter().map(|(_, fault)| *fault).collect();
        self.world.processor.next(&faults);
        let died = dies(&faults);
        futures::future::join_all(turn.iter().map(|(act, _)| self.act(act, died))).await;
        Took::Passed
    }

    async fn look(&mut self) -> Result<(), String> {
        self.world.books_are_right().await;
        Ok(())
    }

    /// Settles everything, and checks that nothing is open.
    async fn rest(&mut self) {
        let platform = &self.world.platform;
        self.world.processor.next(&[]);
        for _ in 0..3 {
            self.world.pass(TimeDelta::days(3));
            payments::reconcile(platform).await.unwrap();
            sandbox::deliver_events(platform).await.unwrap();
        }
        self.world.books_are_right().await;
        self.world.heard_what_it_was_told(&self.partner).await;
        let open = "SELECT (SELECT COUNT(*) FROM charge \
            WHERE status IN ('processing', 'requires_action')) \
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

impl Money {
    /// One act; any answer is fine, but an internal error may only come from a dying processor.
    async fn act(&self, act: &Act, died: bool) {
        let operator = self.world.operator(&[Permission::Finance]);
        let brand = &self.partner.principal;
        let call = async |name: &str, who, input: Value| {
            let answer = self.world.call(name, who, input.clone()).await;
            assert!(answer.status < 500 || died, "{name} {input}: {}", answer.body);
        };
        match act {
            Act::Pay(line) => {
                call("core.payment.pay_with_saved_card", brand, self.line(line)).await;
            }
            Act::PayBulk(lines) => {
                let mut lines: Vec<Value> = lines.iter().map(|line| self.line(line)).collect();
                lines.sort_by_key(|line| line["contract_id"].as_i64());
                lines.dedup_by_key(|line| line["contract_id"].as_i64());
                let preview = json!({ "payments": lines });
                let summary = self.world.call("core.payment.bulk_summary", brand, preview).await;
                let total = summary.data()["total_cents"].as_i64().unwrap().max(1);
                let input = json!({ "payments": lines, "expected_total_cents": total });
                call("core.payment.pay_bulk", brand, input).await;
            }
            Act::Card(id) => {
                let which = json!({ "payment_method_id": id });
                call("core.partner.set_default_payment_method", brand, which).await;
            }
            Act::Bank { payment, gives_up: true } => {
                call("core.payment.give_up", brand, json!({ "payment_id": payment })).await;
            }
            Act::Bank { payment, gives_up: false } => {
                let back = "https://brand.example/back";
                let input = json!({ "payment_id": payment, "return_url": back });
                call("core.payment.confirm", brand, input).await;
            }
            Act::PayOut { athlete } => {
                let id = self.athletes[*athlete].id;
                call("admin.payout.trigger", &operator, json!({ "id": id })).await;
            }
            Act::Refund { payment, fee, negative, cents } => {
                let mut input = json!({
                    "payment_id": payment, "reason": "walk", "refund_fee": fee,
                    "allow_negative_balance": negative,
                });
                if let Some(cents) = cents {
                    input["amount_cents"] = json!(cents);
                }
                call("admin.payment.refund", &operator, input).await;
            }
            Act::Payout { id, name } => call(name, &operator, json!({ "id": id })).await,
            Act::Outside(what) => self.outside(*what).await,
        }
    }

    /// Time passes, the bank acts, webhooks arrive, the worker runs. In a separate task, which may
    /// die.
    async fn outside(&self, what: Outside) {
        let platform = self.world.platform.clone();
        match what {
            Outside::Day => self.world.pass(TimeDelta::days(1)),
            Outside::Seconds => self.world.pass(TimeDelta::seconds(11)),
            _ => {}
        }
        let payout = |id| PayoutId::new(id).unwrap();
        let _ = tokio::spawn(async move {
            match what {
                Outside::Day => {}
                Outside::Arrives(id) => drop(sandbox::let_arrive(&platform, payout(id)).await),
                Outside::Returns(id) => drop(sandbox::return_payout(&platform, payout(id)).await),
                Outside::Confirms(id, so) => {
                    let payment = PaymentId::new(id).unwrap();
                    drop(sandbox::confirm(&platform, payment, so).await);
                }
                Outside::Events => drop(sandbox::deliver_events(&platform).await.unwrap()),
                Outside::Sweep => drop(payments::sweep_payouts(&platform).await.unwrap()),
                Outside::Seconds => drop(payments::reconcile(&platform).await.unwrap()),
            }
        })
        .await;
    }

    fn line(&self, line: &Line) -> Value {
        let (athlete, deal) = &self.deals[line.deal];
        let mut input = json!({
            "athlete_id": self.athletes[*athlete].id, "contract_id": deal.contract_id,
        });
        if let Some(cents) = line.cents {
            input["amount_cents"] = json!(cents);
        }
        input
    }
}

async fn the_books_are_right_whatever_happens(engine: Engine) {
    let met = walk::<Money>(engine, Length { walks: 8, steps: 50 }).await;
    for (name, least) in [("payment", 4), ("charge", 4), ("refund", 2), ("payout", 4)] {
        enough(engine, &met, name, least);
    }
}
both!(the_books_are_right_whatever_happens);
