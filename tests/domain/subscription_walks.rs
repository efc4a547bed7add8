//! Walks over subscriptions, with a failing processor and several workers: always, the books are
//! right, every period is charged at most once, and the processor's charges match the invoices.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::payments::{self, ChangeStatus, InvoiceStatus, SubscriptionStatus, sandbox};
use nil_tests::walking::{Length, Took, Walk, Watched, any_fault, dies, enough, walk};
use nil_tests::{DECLINED_CARD, Engine, Fault, GOOD_CARD, Person, World, both};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What a brand or an operator does, or the worker.
#[derive(Clone, Debug)]
enum Act {
    Subscribe { plan: usize },
    Cancel,
    Resume,
    Card { at: usize },
    Pass(TimeDelta),
    Change { plan: usize },
    Refund { invoice: usize, rule: &'static str, end: bool },
    Reconcile,
    Events,
    Bill,
}

/// An act of one of the brands, and the fault of its call.
type Turn = Vec<(usize, Act, Fault)>;

struct Subscriptions {
    world: World,
    plans: Vec<Value>,
    partners: Vec<Person>,
}

fn act() -> impl Strategy<Value = Act> {
    let plan = || 0..5_usize;
    let times = [TimeDelta::days(1), TimeDelta::days(15), TimeDelta::seconds(11)];
    prop_oneof![
        3 => plan().prop_map(|plan| Act::Subscribe { plan }),
        1 => Just(Act::Cancel),
        1 => Just(Act::Resume),
        2 => (0..2_usize).prop_map(|at| Act::Card { at }),
        3 => select(times.to_vec()).prop_map(Act::Pass),
        9 => plan().prop_map(|plan| Act::Change { plan }),
        1 => (0..6_usize, select(&["full", "unused"][..]), any::<bool>())
            .prop_map(|(invoice, rule, end)| Act::Refund { invoice, rule, end }),
        1 => Just(Act::Reconcile),
        1 => Just(Act::Events),
        3 => Just(Act::Bill),
    ]
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Subscriptions::WATCHED;

impl Walk for Subscriptions {
    type Step = Turn;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<SubscriptionStatus>("subscription", "SELECT id, status FROM subscription"),
        Watched::by::<ChangeStatus>("change", "SELECT id, status FROM subscription_change"),
        Watched::by::<InvoiceStatus>("invoice", "SELECT id, status FROM invoice"),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[];

    /// A look reads all books.
    const LOOKS_EVERY: usize = 5;

    /// One act alone as often as several at once, so that a story can be simple.
    fn steps() -> BoxedStrategy<Turn> {
        let turn = || (0..2_usize, act(), any_fault());
        prop_oneof![vec(turn(), 1), vec(turn(), 2..5)].boxed()
    }

    async fn begin(engine: Engine) -> Self {
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
            world.hears_everything(&partner).await;
            world.card(&partner, GOOD_CARD).await;
            world.card(&partner, DECLINED_CARD).await;
            world.subscribe(&partner, &plans[0]).await.data();
            partners.push(partner);
        }
        Self { world, plans, partners }
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn take(&mut self, turn: &Turn) -> Took {
        let faults: Vec<Fault> = turn.iter().map(|(.., fault)| *fault).collect();
        self.world.processor.next(&faults);
        let died = dies(&faults);
        let acts = turn.iter().map(|(who, act, _)| self.act(&self.partners[*who], act, died));
        futures::future::join_all(acts).await;
        Took::Passed
    }

    async fn look(&mut self) -> Result<(), String> {
        self.world.books_are_right().await;
        Ok(())
    }

    /// Settles everything, and compares charges with invoices.
    async fn rest(&mut self) {
        self.world.processor.next(&[]);
        self.world.pass(TimeDelta::seconds(11));
        payments::reconcile(&self.world.platform).await.unwrap();
        self.world.books_are_right().await;
        for partner in &self.partners {
            self.world.heard_what_it_was_told(partner).await;
        }
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

impl Subscriptions {
    /// One act; any answer is fine, but an internal error may only come from a dying processor.
    async fn act(&self, partner: &Person, act: &Act, died: bool) {
        let call = async |name: &str, input: Value| {
            let answer = self.world.call(name, &partner.principal, input).await;
            assert!(answer.status < 500 || died, "{name}: {}", answer.body);
        };
        match act {
            Act::Subscribe { plan } => {
                let plan = json!({ "plan_id": self.plans[*plan]["id"] });
                call("core.subscription.subscribe", plan).await;
            }
            Act::Cancel => call("core.subscription.cancel", json!({})).await,
            Act::Resume => call("core.subscription.resume", json!({})).await,
            Act::Card { at } => {
                let list = "core.partner.payment_methods";
                let cards = self.world.call(list, &partner.principal, json!({})).await.data();
                let which = json!({ "payment_method_id": cards[*at]["id"] });
                call("core.partner.set_default_payment_method", which).await;
            }
            Act::Pass(time) => self.world.pass(*time),
            Act::Change { plan } => {
                let plan = &self.plans[*plan];
                let preview = self.world.preview_change(partner, plan).await;
                let total = preview.body["data"]["total_cents"].as_i64().unwrap_or_default();
                let change = json!({ "plan_id": plan["id"], "expected_total_cents": total });
                call("core.subscription.change", change).await;
            }
            Act::Refund { invoice, rule, end } => {
                self.refund(partner, (*invoice, rule, *end), died).await;
            }
            Act::Reconcile | Act::Events | Act::Bill => self.outside(act.clone()).await,
        }
    }

    /// Refunds one of a brand's invoices.
    async fn refund(
        &self,
        partner: &Person,
        (invoice, rule, end): (usize, &str, bool),
        died: bool,
    ) {
        let invoices = self.world.invoices(partner).await;
        let Some(invoice) = invoices.get(invoice % invoices.len().max(1)) else { return };
        let input = json!({
            "invoice_id": invoice["id"], "rule": rule, "reason": "Asked.", "end_subscription": end,
        });
        let operator = self.world.operator(&[Permission::Finance]);
        let answer = self.world.call("admin.subscription.refund", &operator, input).await;
        assert!(answer.status < 500 || died, "{}", answer.body);
    }

    /// Runs the worker or delivers a processor event. In a separate task, which may die.
    async fn outside(&self, act: Act) {
        let platform = self.world.platform.clone();
        let _ = tokio::spawn(async move {
            match act {
                Act::Reconcile => drop(payments::reconcile(&platform).await.unwrap()),
                Act::Events => drop(sandbox::deliver_events(&platform).await.unwrap()),
                _ => drop(payments::bill(&platform).await.unwrap()),
            }
        })
        .await;
    }
}

async fn every_period_is_charged_once_whatever_happens(engine: Engine) {
    let met = walk::<Subscriptions>(engine, Length { walks: 5, steps: 90 }).await;
    for (name, least) in [("subscription", 3), ("change", 3), ("invoice", 2)] {
        enough(engine, &met, name, least);
    }
}
both!(every_period_is_charged_once_whatever_happens);
