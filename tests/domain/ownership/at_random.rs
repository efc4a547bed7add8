//! Random operations by random principals: two brands, their athletes, agents, officers and fans,
//! an operator and strangers call whatever the catalog has, with their own ids, others' and none's,
//! while the processor fails, time passes and the worker works. Whatever happens, no call is a 5xx
//! that no fault explains, a refusal changes no record, and the books are right.
//!
//! `NIL_SEED=7` plays one seed again.

use std::collections::BTreeMap;

use nil_core::auth::{Permission, Principal};
use nil_core::catalog::{Entry, catalog};
use nil_core::kernel::SeededRandom;
use nil_core::payments;
use nil_tests::{Draw as _, Engine, Fault, World, both, or_long, trust};
use serde_json::{Value, json};

use super::inputs::inputs;
use super::side::Side;
use super::{NOBODYS, filled, replaced};
use crate::delivery::work;
use crate::examples::example;

/// How many seeds there are, and how many steps a seed takes; behind `NIL_LONG`, how many more.
const USUAL: (u64, u32) = (1, 240);
const LONG: (u64, u32) = (100, 1_000);
/// After how many steps every rule of `nil verify` is checked.
const VERIFIED: u32 = 40;
/// Of how many calls one is watched: nothing but its own tables may change if it is refused.
const WATCHED: u32 = 12;
/// What ends an account or a session: nobody calls anything after it, and principals here go on.
const ENDINGS: [&str; 4] = ["core.account.close", "admin.user.close", "log_out", "log_in"];
/// What a refusal may write: attempts are counted and kept.
const OF_REFUSALS: [&str; 4] = ["audit_entry", "throttle", "login_attempt", "idempotency"];
const FAULTS: [Fault; 9] = [
    Fault::Lost,
    Fault::Unanswered,
    Fault::KeyInUse,
    Fault::Refused,
    Fault::FailsBefore,
    Fault::FailsAfter,
    Fault::NotNow,
    Fault::Forbidden,
    Fault::None,
];

/// A world with two of everything, and the one who draws.
struct Simulation {
    world: World,
    sides: [Side; 2],
    operator: Principal,
    draw: SeededRandom,
    /// What can be called, with an input, and whether that names kinds of ids.
    operations: Vec<(&'static Entry, Value, bool)>,
    /// How many calls ended with each status.
    ended: BTreeMap<u16, u32>,
}

impl Simulation {
    async fn begun(engine: Engine, seed: u64) -> Self {
        let world = World::unthrottled(engine).await;
        let sides =
            [Side::new(&world, "Cedar Coffee").await, Side::new(&world, "Harbor Books").await];
        let named = inputs()
            .into_iter()
            .map(|(name, input)| (catalog().named(name).expect("an operation"), input, true));
        let examples = catalog().iter().filter_map(|entry| Some((entry, example(entry)?, false)));
        let goes_on = |entry: &Entry| !ENDINGS.iter().any(|ending| entry.name.contains(ending));
        let operations = named.chain(examples).filter(|(entry, ..)| goes_on(entry)).collect();
        Self {
            operator: world.operator(&[Permission::All]),
            draw: SeededRandom::new(seed),
            ended: BTreeMap::new(),
            operations,
            sides,
            world,
        }
    }

    /// Somebody whom the operation admits, or now and then anybody, and whose ids they know.
    fn somebody(&self, entry: &Entry) -> (&'static str, &Principal, &Side) {
        let side = self.draw.one_of(&self.sides);
        let mut all = vec![("nobody", &Principal::Anonymous), ("operator", &self.operator)];
        all.extend(side.callers.iter().map(|(kind, who)| (*kind, who)));
        if self.draw.below(12) > 0 {
            all.retain(|(_, who)| entry.admit(who).is_ok());
        }
        let (kind, who) = if all.is_empty() {
            ("nobody", &Principal::Anonymous)
        } else {
            *self.draw.one_of(&all)
        };
        (kind, who, side)
    }

    /// An id of this kind: most often one of the caller's own side.
    fn id(&self, side: &Side, kind: &str) -> i64 {
        let of = if self.draw.below(10) == 0 { self.draw.one_of(&self.sides) } else { side };
        match of.ids.get(kind) {
            Some(ids) if self.draw.below(20) > 0 => *self.draw.one_of(ids),
            _ => NOBODYS,
        }
    }

    /// One call; says what it was.
    async fn call(&mut self, is_watched: bool) -> String {
        let (entry, input, is_named) = self.draw.one_of(&self.operations);
        let (kind, who, side) = self.somebody(entry);
        let input = if *is_named {
            filled("", input, &|_, of| self.id(side, of))
        } else {
            renumbered(input, &|| self.draw.below(16_i64) + 1)
        };
        let said = format!("{} as {kind}: {input}", entry.name);
        let before = if is_watched { Some(self.world.contents().await) } else { None };
        let answer = self.world.call(entry.name, who, input).await;
        let outage = answer.status == 503 || answer.status == 502;
        assert!(answer.status < 500 || outage, "{said}\n{} {}", answer.status, answer.body);
        if let (Some(before), true) = (before, answer.status >= 400) {
            let after = self.world.contents().await;
            let changed = after.iter().filter(|(table, rows)| before.get(*table) != Some(rows));
            let changed: Vec<_> = changed
                .map(|(table, _)| table.as_str())
                .filter(|table| !OF_REFUSALS.iter().any(|kept| table.contains(kept)))
                .collect();
            // A charge that is declined is a record of its own.
            let is_money = answer.code().starts_with("card_")
                || ["payment", "payout"].iter().any(|word| entry.name.contains(word));
            assert!(changed.is_empty() || is_money, "{said}\n{} {changed:?}", answer.body);
        }
        *self.ended.entry(answer.status).or_default() += 1;
        format!("{said} → {}", answer.status)
    }

    async fn step(&mut self, number: u32) -> String {
        match self.draw.below(14) {
            0 => {
                let minutes = *self.draw.one_of(&[1, 61, 1_500, 4_400]);
                self.world.pass(chrono::TimeDelta::minutes(minutes));
                format!("{minutes} minutes pass")
            }
            1 | 2 => {
                work(&self.world).await;
                "the worker works".into()
            }
            3 => {
                let faults = [*self.draw.one_of(&FAULTS), *self.draw.one_of(&FAULTS)];
                self.world.processor.next(&faults);
                format!("the processor will answer {faults:?}")
            }
            _ => self.call(number.is_multiple_of(WATCHED)).await,
        }
    }

    /// What must hold at any time.
    async fn verify(&self) {
        let report = payments::verify(&self.world.platform).await.expect("a report");
        assert!(report.sound(), "{:#?}", report.problems());
    }

    /// The processor works again, and what waits is done.
    async fn rest(&self) {
        self.world.processor.next(&[]);
        for _ in 0..4 {
            work(&self.world).await;
            self.world.pass(chrono::TimeDelta::hours(30));
        }
        work(&self.world).await;
        self.world.books_are_right().await;
    }
}

/// The example with other numbers in place of its ids.
fn renumbered(input: &Value, id: &dyn Fn() -> i64) -> Value {
    replaced("", input, &|name, value| {
        let is_id = name == "id" || name.ends_with("_id") || name.ends_with("_ids");
        if is_id && value.is_number() { json!(id()) } else { value.clone() }
    })
}

async fn whatever_anybody_calls_the_books_are_right(engine: Engine) {
    let (seeds, steps) = or_long(USUAL, LONG);
    let chosen = std::env::var("NIL_SEED").ok().and_then(|text| text.parse().ok());
    let seeds = chosen.map_or(1..=seeds, |seed| seed..=seed);
    let mut calls = 0_u32;
    for seed in seeds {
        let mut simulation = Simulation::begun(engine, seed).await;
        simulation.verify().await;
        for number in 1..=steps {
            // The story of a test that fails.
            println!("seed {seed}, step {number}: {}", simulation.step(number).await);
            if number.is_multiple_of(VERIFIED) {
                simulation.verify().await;
            }
        }
        simulation.rest().await;
        let ended = &simulation.ended;
        println!("seed {seed}: {ended:?}");
        let done = ended.get(&200).copied().unwrap_or_default();
        assert!(done * 5 > steps, "too few calls succeed: {ended:?}");
        assert!(ended.len() > 3, "too few kinds of answers: {ended:?}");
        calls += ended.values().sum::<u32>();
    }
    trust::tried("R5", "operations at random", calls.try_into().unwrap());
}
both!(whatever_anybody_calls_the_books_are_right);
