//! A database that goes away under load, again and again: its connections end, or it falls silent
//! and closes none. Writers get 503 and nothing else, everything acknowledged is stored, and the
//! server goes on by itself within seconds.

use std::time::{Duration, Instant};

use nil_tests::{Engine, Gate, or_long, trust};

use crate::beside::{Silence, falls};
use crate::chance::Chance;
use crate::served::Served;
use crate::trial::{Trial, WRITERS};

/// How often it goes away; `NIL_LONG` lets it go away a hundred times.
fn outages() -> usize {
    or_long(4, 100)
}

/// It goes away after a random number of acknowledged jobs, from one to this.
const MOST: u64 = 60;
/// How long the answers may take while it is silent, and how soon the server goes on afterwards:
/// ten seconds and five, on a busy machine.
const ANSWERED: Duration = Duration::from_secs(20);
const RECOVERED: Duration = Duration::from_secs(10);

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
        for answer in refused {
            assert_eq!(answer["code"], "unavailable", "{silence:?}: {answer}");
        }
        gate.open().await;
        let open = Instant::now();
        while server.status("/api/me", &trial.token).await != 200 {
            assert!(open.elapsed() < RECOVERED, "{silence:?}: it does not go on");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        slowest = slowest.max(open.elapsed());
        // No connection of the pool is lost.
        let all = (0..24).map(|_| server.status("/api/me", &trial.token));
        assert_eq!(futures::future::join_all(all).await, [200; 24]);
        trial.inspect().await;
    }
    trust::tried("R8", "outages", outages());
    trust::measured("R8", &format!("went on within {:.1} s", slowest.as_secs_f64()));
}
