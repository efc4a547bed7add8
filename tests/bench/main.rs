//! The benchmark: ratios taken in one run, never absolutes. `cargo bench -p nil-tests`.
//!
//! Durable writes per second with 1, 8 and 32 callers on both engines, and one read operation
//! through each frontend beside a bare handler of the same framework that runs the same statements;
//! then what the parties of deals do most.

mod bare;
mod deals;
mod load;
mod reads;
mod writes;

fn main() {
    // `cargo test --benches` calls with --test: nothing to measure then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        writes::measure().await;
        reads::measure().await;
        deals::measure().await;
    });
}
