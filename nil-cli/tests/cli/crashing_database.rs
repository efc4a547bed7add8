//! A PostgreSQL of the test's own that crashes, restarts and stands still under load. Writers get
//! 503 and nothing else, everything acknowledged is stored once, no connection is lost, and the
//! server goes on by itself within seconds.

use std::sync::Arc;
use std::time::Duration;

use nil_core::kernel::SystemClock;
use nil_tests::{Cluster, World, or_long, trust};

use crate::chance::Chance;
use crate::served::Served;
use crate::trial::{ANSWERED, Trial, WRITERS};

/// What happens to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mishap {
    /// All of its processes end at once, and it is started again.
    Restarts,
    /// One of its processes is killed, and it recovers by itself.
    Crashes,
    /// It stands still until every writer is refused.
    StandsStill,
    /// It stands still for a moment that nobody needs to notice.
    Hesitates,
}

const ALL: [Mishap; 4] =
    [Mishap::Restarts, Mishap::Crashes, Mishap::StandsStill, Mishap::Hesitates];

/// How often something happens; `NIL_LONG` lets it happen twenty times.
fn mishaps() -> usize {
    or_long(4, 20)
}

/// It happens after a random number of acknowledged jobs, from one to this.
const MOST: u64 = 60;
/// How long it hesitates: far less than a statement may take.
const HESITATION: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_crashes_under_load_costs_503s_alone_postgres() {
    let mut cluster = Cluster::start().await;
    let world = World::at(&cluster.url(), |config| config.clock = Arc::new(SystemClock)).await;
    let mut trial = Trial::of(world).await;
    let mut chance = Chance::of_the_seed();
    let nil = trial.nil();
    let server = Served::start(&nil, &[]);
    let mut slowest = Duration::ZERO;
    for (number, mishap) in ALL.into_iter().cycle().take(mishaps()).enumerate() {
        let mut load = trial.load(&server, &format!("Mishap {number}"));
        trial.hear(&mut load, 1 + chance.below(MOST)).await;
        let (refused, took) = match mishap {
            Mishap::StandsStill => {
                cluster.stop();
                let refused = tokio::time::timeout(ANSWERED, trial.ended(load)).await;
                let refused = refused.expect("every writer has an answer in time");
                assert_eq!(refused.len(), WRITERS);
                cluster.go_on();
                (refused, trial.recovered(&server, mishap).await)
            }
            Mishap::Hesitates => {
                cluster.stop();
                tokio::time::sleep(HESITATION).await;
                cluster.go_on();
                let took = trial.recovered(&server, mishap).await;
                trial.hear(&mut load, 10).await;
                let refused = trial.settled(load).await;
                assert!(refused.is_empty(), "{refused:?}");
                (refused, took)
            }
            Mishap::Restarts | Mishap::Crashes => {
                if mishap == Mishap::Restarts {
                    cluster.restart_at_once().await;
                } else {
                    cluster.kill_a_backend().await;
                }
                let took = trial.recovered(&server, mishap).await;
                (trial.settled(load).await, took)
            }
        };
        slowest = slowest.max(took);
        trial.unharmed(&server, &refused, mishap).await;
        // The test's own connections have ended too.
        trial.world.reopen(|_| ()).await;
        trial.inspect().await;
    }
    trust::tried("R8", "outages", mishaps());
    trust::measured("R8", &format!("after a crash within {:.1} s", slowest.as_secs_f64()));
}
