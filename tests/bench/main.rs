//! The benchmark: ratios taken in one run, never absolutes. `cargo bench -p nil-tests`, or one part of it:
//! `cargo bench -p nil-tests -- worker`.
//!
//! Durable writes per second with 1 to 128 callers on both databases; one read operation through each
//! server beside a bare handler of the same framework with the same statements; the most frequent work of
//! deals' parties; and the cost of an idle worker.

mod bare;
mod deals;
mod load;
mod reads;
mod worker;
mod writes;

fn main() {
    // `cargo test --benches` calls with --test: nothing is measured then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|name| name == part);
    runtime.block_on(async {
        if wants("writes") {
            writes::measure().await;
        }
        if wants("reads") {
            reads::measure().await;
        }
        if wants("deals") {
            deals::measure().await;
        }
        if wants("worker") {
            worker::measure().await;
        }
    });
}
