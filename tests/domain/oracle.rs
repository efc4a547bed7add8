//! Random walks whose every step is foretold: charges, refunds of payments and of subscriptions,
//! shares of an agent that an athlete takes back, payouts and bank returns, some of them settled
//! long after they were asked for. After each step everybody has what the test's own books say.

mod books;
mod plans;

use std::collections::BTreeMap;

use books::{Books, Deal, Fate, Layer, Payment, Period};
use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::{PayoutId, SeededRandom, Time};
use nil_core::payments::{self, sandbox};
use nil_tests::{Draw as _, Engine, Fault, Person, World, both, is_long, usual_or_long};
use serde_json::{Value, json};

/// The movement whose outcome is open.
#[derive(Clone, Copy, Debug)]
enum Open {
    Payment(usize),
    Refund(usize, usize),
    Change,
    GivenBack(usize, i64),
}

struct Walk<'a> {
    world: &'a World,
    random: SeededRandom,
    books: &'a mut Books,
    brand: Person,
    athletes: Vec<Person>,
    plans: Vec<(Value, i64)>,
    /// The first payment and the first deal of this walk.
    first: (usize, usize),
    fee_rate: i64,
    period: Period,
    ends_at: Time,
    payouts: Vec<(usize, PayoutId, i64)>,
    /// What waits for the processor, and a change of plan that does.
    open: Option<Open>,
    asked_at: Time,
    wanted: Option<Layer>,
}

const SHARE: i64 = 1_750;

impl<'a> Walk<'a> {
    async fn new(world: &'a World, books: &'a mut Books, seed: u64) -> Self {
        let random = SeededRandom::new(seed);
        let brand = world.paying_partner("Cedar Coffee").await;
        let agent = world.agent("North Agency").await;
        books.agent = format!("agent:{}", agent.id);
        books.athletes.clear();
        let first = (books.payments.len(), books.deals.len());
        let mut athletes = Vec::new();
        for at in 0..2_usize {
            let athlete = world.athlete("Jordan Lake").await;
            world.can_receive(&athlete).await;
            let agreed = 1_001 + number(random.below(40_000));
            let through = (at == 0).then_some((&agent, SHARE));
            let amounts = [agreed / 3, agreed - agreed / 3];
            let deal = world.approved_deal_through(&brand, &athlete, through, &amounts).await;
            let share = through.map(|(_, share)| share);
            books.deals.push(Deal { contract: deal.contract_id, athlete: at, share, agreed });
            books.athletes.push(format!("athlete:{}", athlete.id));
            athletes.push(athlete);
        }
        let rate = format!(
            "SELECT fee_basis_points FROM contract WHERE id = {}",
            books.deals[first.1].contract
        );
        let fee_rate = world.id(&rate).await;
        let mut prices: Vec<i64> = (0..4).map(|_| 900 + number(random.below(60_000))).collect();
        prices.sort_unstable();
        let mut plans = Vec::new();
        for price in prices {
            // No fee of its own, so that contracts keep theirs.
            let plan = json!({ "price_cents": price, "fee_basis_points": null });
            plans.push((world.plan(plan).await, price));
        }
        let ends_at = world.platform.now();
        let mut walk = Self {
            world,
            random,
            books,
            brand,
            athletes,
            plans,
            first,
            fee_rate,
            period: Period::default(),
            ends_at,
            payouts: Vec::new(),
            open: None,
            asked_at: ends_at,
            wanted: None,
        };
        let price = walk.plans[0].1;
        world.subscribe(&walk.brand, &walk.plans[0].0.clone()).await.data();
        walk.begin_period(price).await;
        walk
    }

    async fn operator(&self, operation: &str, input: Value) -> nil_tests::Answer {
        self.world.call(operation, &self.world.operator(&[Permission::Finance]), input).await
    }

    /// A period was charged.
    async fn begin_period(&mut self, price: i64) {
        let shown = self.world.subscription(&self.brand).await;
        let at = |name: &str| shown[name].as_str().unwrap().parse::<Time>().unwrap();
        self.ends_at = at("period_ends_at");
        let days = (self.ends_at - at("period_starts_at")).num_days();
        let invoice = self.newest_invoice().await;
        let layer = Layer { invoice, charged: price, credited: 0, price, given_back: 0 };
        self.period = Period { days, layers: vec![layer] };
        self.books.subscriptions += price;
        self.books.charged(price);
    }

    async fn newest_invoice(&self) -> i64 {
        self.world.invoices(&self.brand).await[0]["id"].as_i64().unwrap()
    }

    fn days_left(&self) -> i64 {
        let seconds = (self.ends_at - self.world.platform.now()).num_seconds();
        seconds.div_euclid(86_400) + i64::from(seconds.rem_euclid(86_400) > 0)
    }

    /// Whether the next movement gets no answer for now: one at a time does.
    fn is_lost(&mut self) -> bool {
        let lost = self.open.is_none() && self.random.below(3) == 0;
        self.world.processor.next(if lost { &[Fault::Lost] } else { &[] });
        if lost {
            self.asked_at = self.world.platform.now();
        }
        lost
    }

    async fn step(&mut self) -> &'static str {
        match self.random.below(16) {
            0..=3 => self.pay().await,
            4..=6 => self.refund().await,
            7 => self.cancel().await,
            8 => self.pay_out().await,
            9 => self.bank().await,
            10 | 11 => self.change_plan().await,
            12 => self.give_back().await,
            13 | 14 => self.settle().await,
            _ => self.pass().await,
        }
    }

    async fn pay(&mut self) -> &'static str {
        let deal = self.first.1 + usize::try_from(self.random.below(2)).unwrap();
        let owed = self.books.owed(deal);
        if owed == 0 {
            return "nothing to pay";
        }
        let amount = (1 + number(self.random.below(9_000))).min(owed);
        let (fee, commission) = self.books.line(deal, amount, self.fee_rate);
        let lost = self.is_lost();
        let who = self.books.deals[deal].athlete;
        let input = json!({
            "athlete_id": self.athletes[who].id, "contract_id": self.books.deals[deal].contract,
            "amount_cents": amount,
        });
        let pay = "core.payment.pay_with_saved_card";
        let paid = self.world.call(pay, &self.brand.principal, input).await.data();
        let shown =
            ["fee_cents", "agent_commission_cents"].map(|name| paid[name].as_i64().unwrap());
        assert_eq!(shown, [fee, commission], "{paid}");
        let id = paid["id"].as_i64().unwrap();
        let fate = Fate::Open;
        self.books.payments.push(Payment {
            id,
            deal,
            amount,
            fee,
            commission,
            fate,
            refunds: vec![],
        });
        let at = self.books.payments.len() - 1;
        if lost {
            self.open = Some(Open::Payment(at));
        } else {
            self.books.payment_ends(at, Fate::Done);
        }
        "pay"
    }

    async fn refund(&mut self) -> &'static str {
        let ours = self.first.0..self.books.payments.len();
        let paid: Vec<usize> = ours
            .filter(|at| {
                let payment = &self.books.payments[*at];
                payment.fate == Fate::Done && payment.left() > 0
            })
            .collect();
        if paid.is_empty() {
            return "nothing to refund";
        }
        let at = *self.random.one_of(&paid);
        let left = self.books.payments[at].left();
        let amount = if self.random.below(3) == 0 {
            left
        } else {
            1 + number(self.random.below(u64::try_from(left).unwrap()))
        };
        let how = *self.random.one_of(&["none", "proportional", "all"]);
        let lost = self.is_lost();
        let input = json!({
            "payment_id": self.books.payments[at].id, "amount_cents": amount, "refund_fee": how,
            "reason": "Walk.", "allow_negative_balance": true,
        });
        let answer = self.operator("admin.payment.refund", input).await;
        if answer.status == 409 {
            assert_eq!(answer.code(), "payout_in_progress");
            let who = self.books.deals[self.books.payments[at].deal].athlete;
            assert!(self.payouts.iter().any(|payout| payout.0 == who), "nothing is under way");
            return "no refund before the payout has arrived";
        }
        let shown = answer.data();
        let refund = self.books.refund(at, amount, how);
        let cents = ["fee_cents", "commission_cents"].map(|name| shown[name].as_i64().unwrap());
        assert_eq!(cents, [refund.fee, refund.commission], "{shown}");
        let place = (at, self.books.payments[at].refunds.len() - 1);
        if lost {
            self.open = Some(Open::Refund(place.0, place.1));
        } else {
            self.books.refund_ends(place, Fate::Done);
        }
        "refund"
    }

    /// The athlete takes back what the agent has of their payments.
    async fn cancel(&mut self) -> &'static str {
        if self.books.deals[self.first.1].share.is_none() || self.random.below(3) > 0 {
            return "no agent to leave";
        }
        let cancel = "core.athlete.cancel_agent_contract";
        let answer = self.world.call(cancel, &self.athletes[0].principal, json!({})).await;
        if answer.status == 409 {
            // The days in which it is possible are over.
            return "too late to leave the agent";
        }
        answer.data();
        self.books.cancel(0, self.first.1);
        "leave the agent"
    }

    async fn pay_out(&mut self) -> &'static str {
        let who = usize::try_from(self.random.below(2)).unwrap();
        let name = self.books.athletes[who].clone();
        let has = self.books.has.get(&name).copied().unwrap_or_default();
        if has <= 0 || self.payouts.iter().any(|payout| payout.0 == who) {
            return "nothing to pay out";
        }
        let refused = self.random.below(4) == 0;
        self.world.processor.next(if refused { &[Fault::Refused] } else { &[] });
        let which = json!({ "id": self.athletes[who].id });
        let sent = self.operator("admin.payout.trigger", which).await.data();
        assert_eq!(sent["amount_cents"], has, "{sent}");
        if refused {
            return "a payout that fails";
        }
        let id = PayoutId::new(sent["id"].as_i64().unwrap()).unwrap();
        self.payouts.push((who, id, has));
        self.books.give(&name, -has);
        *self.books.sent.entry(name).or_default() += has;
        "pay out"
    }

    /// A payout arrives, or comes back from the bank.
    async fn bank(&mut self) -> &'static str {
        let Some((who, id, cents)) = self.payouts.pop() else {
            return "nothing under way";
        };
        let platform = &self.world.platform;
        if self.random.below(2) == 0 {
            assert!(sandbox::let_arrive(platform, id).await.unwrap());
            return "arrive";
        }
        assert!(sandbox::return_payout(platform, id).await.unwrap());
        let name = self.books.athletes[who].clone();
        self.books.give(&name, cents);
        *self.books.sent.entry(name).or_default() -= cents;
        "come back from the bank"
    }

    /// The open movement succeeds or fails, much later.
    async fn settle(&mut self) -> &'static str {
        let Some(open) = self.open.take() else {
            return "nothing open";
        };
        // What never arrived is sent again on the same day only.
        let late = self.world.platform.now() - self.asked_at > TimeDelta::hours(23);
        let fails = late || self.random.below(2) == 0;
        let fate = if fails { Fate::Failed } else { Fate::Done };
        self.world.pass(TimeDelta::seconds(11));
        self.world.processor.next(if fails { &[Fault::Refused] } else { &[] });
        payments::reconcile(&self.world.platform).await.unwrap();
        self.world.processor.next(&[]);
        match (open, self.wanted.take()) {
            (Open::Payment(at), _) => self.books.payment_ends(at, fate),
            (Open::Refund(payment, at), _) => self.books.refund_ends((payment, at), fate),
            (Open::Change, Some(layer)) if fate == Fate::Done => self.changed(layer),
            (Open::Change, _) => {}
            (Open::GivenBack(at, cents), _) => self.given_back(at, cents, fate),
        }
        if fails { "fail late" } else { "succeed late" }
    }

    /// Days pass; a new period may begin.
    async fn pass(&mut self) -> &'static str {
        while !self.payouts.is_empty() {
            self.bank().await;
        }
        // Sometimes past the period's end.
        let days = match self.random.below(8) {
            6.. => 31,
            some => 1 + number(some),
        };
        self.world.pass(TimeDelta::days(days));
        if self.days_left() > 0 {
            return "days pass";
        }
        self.settle().await;
        self.world.processor.next(&[]);
        assert_eq!(payments::bill(&self.world.platform).await.unwrap().renewed, 1);
        let price = self.period.layers.iter().map(|layer| layer.price).max().unwrap();
        self.begin_period(price).await;
        "a new period"
    }

    /// Compares what everybody has.
    async fn compare(&self, said: &str) {
        let list = if self.world.is_sqlite() { "group_concat" } else { "string_agg" };
        let all = format!("{list}(name || '=' || balance_cents, ' ')");
        let all = self.world.text(&all, "ledger_account").await.unwrap_or_default();
        let mut sums: BTreeMap<String, i64> = BTreeMap::new();
        for (name, cents) in all.split(' ').filter_map(|one| one.split_once('=')) {
            let cents: i64 = cents.parse().unwrap();
            let place = match name.rsplit_once(':') {
                // What is owed back is a negative balance; what is under way is at no bank yet.
                Some((owner, "wallet" | "receivable")) => owner,
                Some((_, "card")) => "cards",
                Some((_, "bank" | "clearing")) => "sent",
                _ => name,
            };
            *sums.entry(place.into()).or_default() += cents;
        }
        let mut right = self.books.has.clone();
        right.insert("cards".into(), -self.books.cards);
        right.insert("sent".into(), self.books.sent.values().sum());
        right.insert("platform:fees".into(), self.books.fees);
        right.insert("platform:subscriptions".into(), self.books.subscriptions);
        right.insert("processor:refunding".into(), self.books.refunding);
        right.insert("processor:costs".into(), self.books.costs);
        right.insert("platform:processor_costs".into(), -self.books.costs);
        sums.retain(|_, cents| *cents != 0);
        right.retain(|_, cents| *cents != 0);
        assert_eq!(sums, right, "after `{said}`");
        let kept = "CAST(COALESCE(SUM(agent_commission_cents), 0) AS BIGINT)";
        let kept = self.world.text(kept, "payment WHERE status <> 'failed'").await.unwrap();
        let right = self.books.payments.iter().filter(|one| one.fate != Fate::Failed);
        assert_eq!(
            kept,
            right.map(|one| one.commission).sum::<i64>().to_string(),
            "after `{said}`"
        );
    }
}

fn number(drawn: u64) -> i64 {
    i64::try_from(drawn).unwrap()
}

async fn everybody_has_what_the_oracle_says(engine: Engine) {
    let (walks, steps) = usual_or_long(engine, ((12, 40), (3, 40)), (200, 150));
    // The few walks that PostgreSQL usually gets need not come to everything.
    let is_whole = engine == Engine::Sqlite || is_long();
    let world = World::unthrottled(engine).await;
    let mut books = Books::default();
    let mut done: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..walks {
        println!("walk {seed}");
        let mut walk = Walk::new(&world, &mut books, 7_000 + seed).await;
        for _ in 0..steps {
            let said = walk.step().await;
            println!("  {said}");
            *done.entry(said).or_default() += 1;
            walk.compare(said).await;
        }
        walk.settle().await;
        walk.compare("the end").await;
        while !walk.payouts.is_empty() {
            walk.bank().await;
        }
        // The brand's next period is not billed in the walks after this one.
        let cancel = "core.subscription.cancel";
        world.call(cancel, &walk.brand.principal, json!({})).await.data();
        world.books_are_right().await;
    }
    for said in [
        "pay",
        "refund",
        "leave the agent",
        "pay out",
        "a payout that fails",
        "arrive",
        "come back from the bank",
        "change the plan",
        "give days back",
        "given back before",
        "fail late",
        "succeed late",
        "a new period",
    ] {
        assert!(!is_whole || done.contains_key(said), "no walk came to `{said}`: {done:?}");
    }
}
both!(everybody_has_what_the_oracle_says);
