//! kill -9, or a full disk, during many writes: everything acknowledged is stored, and nothing is
//! stored incompletely.

use nil_tests::{Engine, both, or_long, trust};

use crate::chance::Chance;
use crate::served::Served;
use crate::trial::{Trial, WRITERS};

/// How often a server is killed; `NIL_LONG` kills it five hundred times.
fn rounds() -> usize {
    or_long(12, 500)
}

/// A server is killed after a random number of acknowledged jobs, from one to this.
const MOST: u64 = 150;

async fn killed_under_load(engine: Engine) {
    let mut trial = Trial::on(engine).await;
    let nil = trial.nil();
    let mut chance = Chance::of_the_seed();
    for round in 0..rounds() {
        let jobs = 1 + chance.below(MOST);
        let server = Served::start(&nil, &[]);
        trial.killed_after(server, jobs, &format!("Round {round}")).await;
    }
    trust::tried("R4", "kills", rounds());
}

both!(killed_under_load);

/// The database's journal cannot grow any more: writers get an error, readers are still answered,
/// and the server recovers by itself when there is room again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk() {
    let mut trial = Trial::on(Engine::Sqlite).await;
    let nil = trial.nil().with_files_up_to(3 * 1024);
    let server = Served::start(&nil, &[]);
    let load = trial.load(&server, "On a small disk");
    let refused = trial.ended(load).await;
    assert_eq!(refused.len(), WRITERS);
    for answer in refused {
        assert_eq!(answer["code"], "unavailable", "{answer}");
    }
    assert_eq!(server.status("/api/me", &trial.token).await, 200);
    trial.inspect().await;

    let process = format!("--pid={}", server.process.id());
    let mut room = std::process::Command::new("prlimit");
    let made = room.args([&process, "--fsize=unlimited"]).status();
    assert!(made.unwrap().success());
    trial.killed_after(server, 100, "With room again").await;
    trust::tried("R7", "full disks", 1);
}
