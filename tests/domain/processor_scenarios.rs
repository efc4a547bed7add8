//! Seeded scenarios with a processor that fails: each makes one charge, of payments or, a third of
//! them, of a subscription, then what its seed says of payouts, refunds, disputes, late failures
//! and outages. Whatever goes wrong, one charge was made or none, and the processor's books are
//! ours to the cent.

mod books;
mod events;
mod moves;
mod settling;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::panic::AssertUnwindSafe;

use chrono::TimeDelta;
use futures::FutureExt as _;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Date, SeededRandom, utc_day};
use nil_core::payments;
use nil_tests::ledgered::{Ledgered, Ways};
use nil_tests::{
    ASKING_CARD, DECLINED_CARD, Draw, Engine, Person, World, both, trust, usual_or_long,
};
use serde_json::{Value, json};

use self::events::Waiting;
use crate::real_processor::{receives, with_a_processor};

/// How many scenarios share a database. It fills up, and its books are added up after each.
const AT_ONCE: u64 = 50;
/// Every how many scenarios the card's bank wants a confirmation.
const ASKED: u64 = 7;
/// Every how many scenarios a subscription is charged, unless the bank wants a confirmation.
const SUBSCRIBED: u64 = 3;
/// Every how many scenarios all rules of `nil verify` are checked: they cost more than a scenario.
const VERIFIED: u64 = 12;
/// How many there are in every run on the embedded database, on the server, where each takes
/// several times as long, and on either behind `NIL_LONG`.
const SEEDS: ((u64, u64), u64) = ((300, 20), 10_000);
/// What every charge is available after, in seconds, as the processor says it is.
const AVAILABLE_AFTER: i64 = 2 * 86_400;

/// What the usual run on the embedded database must meet.
const OFTEN: &[&str] = &[
    "charged",
    "declined",
    "subscribed",
    "subscription refunded",
    "subscription disputed",
    "refund of a subscription failed late",
    "confirmed",
    "not confirmed",
    "several payees",
    "payout",
    "payout failed late",
    "refund",
    "refund failed late",
    "disputed before a payout",
    "disputed during a payout",
    "disputed after a payout",
    "escalated",
    "won",
    "lost",
    "prevented",
    "decided anew",
    "restricted",
    "reserve",
    "outage",
    "day",
    "early",
    "ten times",
    "reordered",
    "never told",
    "named by the comparison",
];

/// An athlete with a deal that every scenario pays a part of.
struct Payee {
    person: Person,
    contract: i64,
    /// The connected account at the processor.
    account: String,
}

/// What scenarios share.
struct Site {
    world: World,
    ledgered: Ledgered,
    brand: Person,
    /// A brand whose card is declined, and its contract with the first athlete.
    poor: (Person, i64),
    /// A brand whose card must be confirmed, and its contract with the first athlete.
    careful: (Person, i64),
    payees: Vec<Payee>,
    /// The plan that is subscribed to.
    plan: Value,
    /// The account of the first athlete's agent.
    agent: String,
    finance: Principal,
}

impl Site {
    async fn on(engine: Engine) -> Self {
        let mut world = World::unthrottled(engine).await;
        let ledgered = with_a_processor(&mut world).await;
        let brand = world.paying_partner("Cedar Coffee").await;
        let poor = world.partner("Late Lamps").await;
        world.card(&poor, DECLINED_CARD).await;
        let careful = world.partner("Maple Tea").await;
        world.card(&careful, ASKING_CARD).await;
        let agent = world.agent("North Agency").await;
        let account_of = async |person: &Person| {
            receives(&world, &ledgered, person).await;
            ledgered.all("acct").last().expect("an account")["id"].as_str().unwrap().to_owned()
        };
        let agent_account = account_of(&agent).await;
        let mut payees = Vec::new();
        for name in ["Jordan Lake", "Riley Stone", "Sam Brook"] {
            let person = world.athlete(name).await;
            if payees.is_empty() {
                world.represent(&agent, &person, 1_234).await;
            }
            let account = account_of(&person).await;
            let deal = world.approved_deal(&brand, &person, &[100_000_000]).await;
            payees.push(Payee { person, contract: deal.contract_id, account });
        }
        let unpaid = world.approved_deal(&poor, &payees[0].person, &[100_000_000]).await;
        let asked = world.approved_deal(&careful, &payees[0].person, &[100_000_000]).await;
        let plan = world.plan(json!({})).await;
        let finance = world.operator(&[Permission::Finance]);
        let terms = json!({ "payee_basis_points": 6_667 });
        world.call("admin.dispute.save_terms", &finance, terms).await.data();
        world.pass(TimeDelta::seconds(1));
        ledgered.events();
        let (poor, careful) = ((poor, unpaid.contract_id), (careful, asked.contract_id));
        let agent = agent_account;
        Self { world, ledgered, brand, poor, careful, payees, plan, agent, finance }
    }

    /// The connected accounts.
    fn accounts(&self) -> impl Iterator<Item = &str> {
        self.payees.iter().map(|payee| payee.account.as_str()).chain([self.agent.as_str()])
    }

    fn today(&self) -> Date {
        utc_day(self.world.platform.now())
    }
}

/// How often something happened.
type Met = BTreeMap<String, u32>;

/// A scenario on its way.
struct Scenario<'a> {
    here: &'a Site,
    draw: SeededRandom,
    /// Whether the card's bank wants a confirmation.
    asks: bool,
    /// The invoice of the subscription that is charged; none if payments are.
    invoice: Option<i64>,
    /// Whether a subscription is charged.
    subscribes: bool,
    /// What was done, in words.
    steps: &'a RefCell<Vec<String>>,
    met: &'a RefCell<Met>,
    /// The charge, and its payments; a subscription's has none.
    charge: i64,
    payments: Vec<i64>,
    /// How many payouts the processor has sent for earlier scenarios.
    sent_before: usize,
    /// The charge at the processor, once it is known.
    intent: Option<String>,
    ways: Ways,
    waiting: Vec<Waiting>,
    /// Events that were lost, and that nothing else makes up for.
    lost: Vec<Waiting>,
}

impl Scenario<'_> {
    fn say(&self, step: impl Into<String>) {
        self.steps.borrow_mut().push(step.into());
    }

    fn meet(&self, what: &str) {
        *self.met.borrow_mut().entry(what.to_owned()).or_default() += 1;
    }

    /// The kind of our charge, a part of its key.
    const fn kind(&self) -> &'static str {
        if self.subscribes { "subscription_charge" } else { "charge" }
    }

    fn one_in(&self, many: u32) -> bool {
        self.draw.below(many) == 0
    }

    async fn play(&mut self) {
        let first_day = self.here.today();
        self.pay().await;
        for _ in 0..3 + self.draw.below(8) {
            self.go_on().await;
            self.tick().await;
        }
        self.settle().await;
        self.compare(first_day).await;
    }
}

/// Plays these scenarios in one world; says which of them goes wrong, by which steps.
async fn told(
    engine: Engine,
    seeds: RangeInclusive<u64>,
    met: &RefCell<Met>,
) -> Result<(), String> {
    let here = Site::on(engine).await;
    let alone = seeds.end() - seeds.start() < VERIFIED;
    for seed in seeds {
        let steps = RefCell::default();
        let mut scenario = Scenario {
            here: &here,
            draw: SeededRandom::new(seed),
            asks: seed % ASKED == 0,
            invoice: None,
            subscribes: seed % SUBSCRIBED == 0 && seed % ASKED != 0,
            steps: &steps,
            met,
            charge: 0,
            payments: Vec::new(),
            sent_before: here.ledgered.all("po").len(),
            intent: None,
            ways: Ways { available_after: AVAILABLE_AFTER, ..Ways::default() },
            waiting: Vec::new(),
            lost: Vec::new(),
        };
        let played = AssertUnwindSafe(async {
            scenario.play().await;
            if seed % VERIFIED == 0 || alone {
                let report = payments::verify(&here.world.platform).await.unwrap();
                assert!(report.sound(), "the last {VERIFIED}: {:#?}", report.problems());
            }
        });
        if let Err(panic) = played.catch_unwind().await {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or(panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
            let words = words.unwrap_or_else(|| "a panic".into());
            return Err(format!("seed {seed}: {words}\nby these steps: {:#?}", steps.borrow()));
        }
        here.world.pass(TimeDelta::days(1));
    }
    here.world.books_are_right().await;
    Ok(())
}

/// The seeds of this run: `NIL_SEED=7` and `NIL_SEED=1-25` play these, in one world.
fn seeds(engine: Engine) -> (RangeInclusive<u64>, bool) {
    let number = |text: &str| text.parse().expect("a number in NIL_SEED");
    match std::env::var("NIL_SEED") {
        Ok(text) => match text.split_once('-') {
            Some((from, until)) => (number(from)..=number(until), true),
            None => (number(&text)..=number(&text), true),
        },
        Err(_) => {
            let (usual, long) = SEEDS;
            (1..=usual_or_long(engine, usual, long), false)
        }
    }
}

async fn one_charge_and_books_that_agree(engine: Engine) {
    let (seeds, chosen) = seeds(engine);
    let (first, last) = (*seeds.start(), *seeds.end());
    let met = RefCell::default();
    let mut from = first;
    while from <= last {
        let until = last.min(from + AT_ONCE - 1);
        if let Err(wrong) = told(engine, from..=until, &met).await {
            panic!("{wrong}\nthe seeds from {from} on share its world (NIL_SEED={from}-{until})");
        }
        from = until + 1;
    }
    let met = met.into_inner();
    println!("{} seeds, from {first} to {last}: {met:#?}", last + 1 - first);
    let ((enough, _), _) = SEEDS;
    for what in OFTEN.iter().filter(|_| !chosen && last >= enough) {
        assert!(met.contains_key(*what), "{what} is not met: {met:#?}");
    }
    trust::tried("R5", "scenarios", usize::try_from(last + 1 - first).unwrap());
}
both!(one_charge_and_books_that_agree);

/// Scenarios that once went wrong.
async fn what_once_went_wrong_goes_right(engine: Engine) {
    let met = RefCell::default();
    for seed in [309, 547, 1215, 1672, 1795, 1999, 3124] {
        if let Err(wrong) = told(engine, seed..=seed, &met).await {
            panic!("{wrong}");
        }
    }
}
both!(what_once_went_wrong_goes_right);
