//! A database that goes away under load, again and again: its connections end, or it falls silent
//! and closes none. Writers get 503 and nothing else, everything acknowledged is stored, and the
//! server goes on by itself within seconds.

use std::time::{Duration, Instant};

use nil_tests::{Engine, Gate, or_long, trust};

use crate::beside::{Silence, falls};
use crate::chance::Chance;
use crate::served::Served;
use crate::trial::{ANSWERED, Trial, WRITERS};

/// How often it goes away; `NIL_LONG` lets it go away twenty times.
fn outages() -> usize {
    or_long(4, 20)
}

/// It goes away after a random number of acknowledged jobs, from one to this.
const MOST: u64 = 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_goes_away_under_load_costs_503s_alone_postgres() {
    let mut trial = Trial::on(Engine::Postgres).await;
    let mut chance = Chance::of_the_seed();
    let [(_, address), ..] = trial.world.environment();
    let (gate, through) = Gate::before_postgres(&address);
    let nil = trial.nil().with("NIL_DATABASE", &through);
    let server = Served::start(&nil, &[]);
    let mut slowest = Duration::ZERO;
    for number in 0..outages() {
        let silence = if number % 2 == 0 { Silence::Refuses } else { Silence::Stalls };
        let mut load = trial.load(&server, &format!("Outage {number}"));
        trial.hear(&mut load, 1 + chance.below(MOST)).await;
        falls(&gate, silence).await;
        let fallen = Instant::now();
        let refused = trial.ended(load).await;
        assert!(fallen.elapsed() < ANSWERED, "{silence:?}: {:?}", fallen.elapsed());
        assert_eq!(refused.len(), WRITERS);
        gate.open().await;
        slowest = slowest.max(trial.recovered(&server, silence).await);
        trial.unharmed(&server, &refused, silence).await;
        trial.inspect().await;
    }
    trust::tried("R8", "outages", outages());
    trust::measured("R8", &format!("went on within {:.1} s", slowest.as_secs_f64()));
}
