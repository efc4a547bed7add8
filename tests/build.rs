//! Links the suites at a fixed address. A runner starts one process per test, and a third of a
//! short test was the loader moving the 340,000 pointers of a debug build to where it had put it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-tests=-no-pie");
    }
}
