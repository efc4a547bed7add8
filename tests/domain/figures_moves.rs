//! Athletes who move between institutions: what they earned stays where it was earned, and both
//! institutions' kept totals are those of a recount.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;

use chrono::{DateTime, TimeDelta, Utc};
use nil_core::kernel::SeededRandom;
use nil_core::worker;
use nil_tests::{Deal, Draw as _, Person, World, both};
use serde_json::json;

use crate::figures::{Past, SUMMARY, asks, disclose, officer, paid, pay, totals};

/// A transaction that counts, as the test knows it.
#[derive(Clone, Debug)]
struct Known {
    college: usize,
    athlete: i64,
    gross: i64,
    net: i64,
    refunded: i64,
    /// The payment's id; none for a disclosed job.
    payment: Option<i64>,
}

/// An athlete, and where they are.
struct Mover {
    person: Person,
    deal: Deal,
    college: usize,
    sport: i64,
}

struct Walk {
    world: World,
    random: SeededRandom,
    colleges: [i64; 2],
    movers: Vec<Mover>,
    known: Vec<Known>,
    moves: usize,
}

impl Walk {
    async fn new(world: World, seed: u64) -> Self {
        let colleges = [world.college().await, world.college().await];
        let random = SeededRandom::new(seed);
        let mut walk =
            Self { world, random, colleges, movers: Vec::new(), known: Vec::new(), moves: 0 };
        for (place, name) in ["Ana Reyes", "Bea Stone", "Cia Wood"].into_iter().enumerate() {
            let college = place % 2;
            let gross = 10_000 + walk.random.below(50_000);
            let (person, deal) = paid(&walk.world, colleges[college], name, gross).await;
            let payment =
                format!("SELECT id FROM payment WHERE contract_id = {}", deal.contract_id);
            let payment = Some(walk.world.id(&payment).await);
            let athlete = person.id;
            walk.known.push(Known { college, athlete, gross, net: gross, refunded: 0, payment });
            walk.movers.push(Mover { person, deal, college, sport: 1 });
        }
        walk
    }

    fn moment(&self) -> DateTime<Utc> {
        let start: DateTime<Utc> = "2025-09-01T00:00:00Z".parse().unwrap();
        start + TimeDelta::seconds(self.random.below(400 * 86_400))
    }

    fn some_mover(&self) -> usize {
        let many = i64::try_from(self.movers.len()).unwrap();
        usize::try_from(self.random.below(many)).unwrap()
    }

    async fn step(&mut self) {
        let place = self.some_mover();
        let college = self.movers[place].college;
        let athlete = self.movers[place].person.id;
        match self.random.below(6) {
            0 | 1 => {
                // Through the operation, as athletes do it.
                let to = 1 - college;
                let edit = json!({ "university_id": self.colleges[to] });
                let who = &self.movers[place].person.principal;
                let edited = asks(&self.world, "core.athlete.edit", who, edit).await;
                assert_eq!(edited["university_id"], self.colleges[to], "{edited}");
                self.movers[place].college = to;
                self.moves += 1;
            }
            2 | 3 => {
                let gross = 1 + self.random.below(90_000);
                let commission = self.random.below(gross / 4 + 1);
                let past = Past {
                    contract: self.movers[place].deal.contract_id,
                    athlete,
                    college: self.colleges[college],
                    amount: gross,
                    commission,
                    refunded: 0,
                    status: "succeeded",
                    at: self.moment(),
                };
                let payment = Some(pay(&self.world, &past).await);
                let net = gross - commission;
                self.known.push(Known { college, athlete, gross, net, refunded: 0, payment });
            }
            4 => {
                let gross = 1 + self.random.below(20_000);
                let number = self.world.number();
                let over = json!({ "amount_cents": gross, "title": format!("Deal {number}") });
                disclose(&self.world, &self.movers[place].person, over).await;
                let payment = None;
                self.known.push(Known {
                    college,
                    athlete,
                    gross,
                    net: gross,
                    refunded: 0,
                    payment,
                });
            }
            _ => {
                let sport = 1 + self.random.below(3);
                let change = format!("UPDATE athlete SET sport_id = {sport} WHERE id = {athlete}");
                self.world.script(&change).await;
                self.movers[place].sport = sport;
                // A refund of an earlier payment, wherever it was made.
                let all: Vec<usize> = (0..self.known.len())
                    .filter(|at| self.known[*at].payment.is_some() && self.known[*at].refunded == 0)
                    .collect();
                if !all.is_empty() {
                    let at = *self.random.one_of(&all);
                    let known = &mut self.known[at];
                    known.refunded = known.gross;
                    let (id, cents) = (known.payment.unwrap(), known.gross);
                    let refund = format!(
                        "UPDATE payment SET status = 'refunded', refunded_cents = {cents} WHERE id = {id}"
                    );
                    self.world.script(&refund).await;
                }
            }
        }
    }

    async fn hold(&self) {
        self.world.figures_are_right().await;
        for (place, college) in self.colleges.into_iter().enumerate() {
            let own: Vec<&Known> = self.known.iter().filter(|one| one.college == place).collect();
            let who = officer(college, &[]);
            let summary = asks(&self.world, SUMMARY, &who, json!({})).await;
            let athletes: BTreeSet<i64> = own.iter().map(|one| one.athlete).collect();
            let sum = |of: fn(&Known) -> i64| own.iter().map(|one| of(one)).sum::<i64>();
            let right = [
                i64::try_from(own.len()).unwrap(),
                i64::try_from(athletes.len()).unwrap(),
                sum(|one| one.gross),
                sum(|one| one.net),
                sum(|one| one.refunded),
            ];
            assert_eq!(totals(&summary["totals"])[..5], right, "institution {place}");
            let mut by_sport: BTreeMap<i64, i64> = BTreeMap::new();
            for one in &own {
                let mover =
                    self.movers.iter().find(|mover| mover.person.id == one.athlete).unwrap();
                *by_sport.entry(mover.sport).or_default() += one.gross;
            }
            let told = asks(&self.world, "compliance.analytics.by_sport", &who, json!({})).await;
            for row in told.as_array().unwrap() {
                let sport = row["sport_id"].as_i64().unwrap_or_default();
                let right = by_sport.remove(&sport).unwrap_or_default();
                assert_eq!(row["gross_cents"], right, "institution {place}: {row}");
            }
            assert!(by_sport.is_empty(), "{by_sport:?}");
            let period = json!({ "from": "2025-10-01", "to": "2026-10-31" });
            self.world.totals_are_kept(college, &period, Location::caller()).await;
        }
    }
}

async fn totals_stay_with_the_institution_when_athletes_move(world: World) {
    let mut walk = Walk::new(world, 5).await;
    walk.hold().await;
    for step in 0..40 {
        walk.step().await;
        if step % 4 == 0 {
            worker::round(&walk.world.platform).await.unwrap();
        }
        if step % 2 == 0 {
            walk.hold().await;
        }
    }
    walk.hold().await;
    assert!(walk.moves > 5, "{}", walk.moves);
}
both!(totals_stay_with_the_institution_when_athletes_move);
