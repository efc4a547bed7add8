//! The examples of a host that calls operations as functions, and of one with a port of its own, work as documented.

#[expect(dead_code, reason = "its main is for `cargo run --example embed`")]
#[path = "../../nil-core/examples/embed.rs"]
mod embed;

#[expect(dead_code, reason = "its main is for `cargo run --example own_port`")]
#[path = "../../nil-core/examples/own_port.rs"]
mod own_port;

#[tokio::test]
async fn the_example_runs_to_its_end() {
    let folder = nil_tests::database::scratch();
    let told = embed::tour(folder.path()).await;
    assert_eq!(
        told.unwrap(),
        [
            "The platform is open.",
            "College 1: Lakeshore State University.",
            "Brand 1: brand@northfield.example.",
            "Job 1: Game day reel (pending).",
            "Refused: validation_failed (Some fields are invalid.).",
            "Posted: Game day reel (open).",
            "Colleges to choose from: 1.",
        ]
    );
}

#[tokio::test]
async fn a_hosts_own_courier_gets_the_mails() {
    let folder = nil_tests::database::scratch();
    let told = own_port::tour(folder.path()).await;
    assert_eq!(
        told.unwrap(),
        ["otp.sent to brand@northfield.example: Your nil code", "Tasks that failed: 0.",]
    );
}
