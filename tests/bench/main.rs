//! The benchmark: ratios taken in one run, never absolutes. `cargo bench -p nil-tests`, or one part
//! of it: `cargo bench -p nil-tests -- worker`.
//!
//! Durable writes per second with 1 to 128 callers on both databases; one read operation through
//! each server beside a bare handler of the same framework with the same statements; the most
//! frequent work of deals' parties; figures over a million transactions; exports of a million; and
//! the cost of an idle worker. The parts `seeded` and `crowded` (others' waits beside one account's
//! heavy work) run only when they are named: they take long, and need the binary
//! (`cargo build --release`).

mod asked;
mod bare;
mod crowded;
mod deals;
mod exports;
mod figures;
mod load;
mod open_loop;
mod plots;
mod reads;
mod report;
mod seeded;
mod served;
mod worker;
mod writes;

use asked::Asked;

fn main() {
    // `cargo test --benches` calls with --test, a runner that looks for tests with --list: nothing
    // is measured then.
    if std::env::args().any(|argument| matches!(&*argument, "--test" | "--list")) {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let asked = Asked::of(std::env::args().skip(1));
    runtime.block_on(async {
        if asked.wants("writes") {
            writes::measure().await;
        }
        if asked.wants("reads") {
            reads::measure().await;
        }
        if asked.wants("deals") {
            deals::measure().await;
        }
        if asked.wants("figures") {
            figures::measure().await;
        }
        if asked.wants("exports") {
            exports::measure(&asked).await;
        }
        if asked.wants("worker") {
            worker::measure().await;
        }
        if asked.names("crowded") {
            crowded::measure(&asked).await;
        }
        if asked.names("seeded") {
            seeded::measure(&asked).await;
        }
    });
}
