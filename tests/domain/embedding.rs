//! The examples of a host that calls operations as functions, and of one with a port of its own,
//! work as documented.

use nil_core::api::admin::operator::reset_log_in;
use nil_core::auth::{Caller as _, Operator, Permission, Principal};
use nil_tests::{World, both};
use serde_json::json;

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

async fn a_hosts_call_has_the_name_that_the_documents_have(world: World) {
    let chief = world.new_operator("chief@nil.example", Permission::All).await;
    let other = world.new_operator("other@nil.example", Permission::All).await;
    let (Some(chief), Principal::Operator { id, .. }) = (Operator::admit(&chief), other) else {
        panic!("two operators");
    };
    let input = serde_json::from_value(json!({ "id": id })).unwrap();
    world.platform.call(chief, reset_log_in, input).await.unwrap();
    let named = "SELECT COUNT(*) FROM audit_entry WHERE operation = 'admin.operator.reset_log_in'";
    assert_eq!(world.id(named).await, 1);
}
both!(a_hosts_call_has_the_name_that_the_documents_have);
