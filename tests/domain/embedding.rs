//! The example of a host that calls operations as functions works as documented.

#[expect(dead_code, reason = "its main is for `cargo run --example embed`")]
#[path = "../../nil-core/examples/embed.rs"]
mod embed;

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
