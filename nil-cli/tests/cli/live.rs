//! `nil call core.events.follow`: events on standard output, as they happen.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};

use nil_tests::{Engine, Frontend, Server, World};
use reqwest::Method;
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::{Running, SOON};

/// A long-running command, and the lines it prints.
fn following(nil: &Nil, arguments: &[&str]) -> (Running, Receiver<String>) {
    let mut command = nil.command(&[&["call", "core.events.follow"], arguments].concat());
    command.stdout(Stdio::piped());
    let mut process = Running::of(command);
    let (line, lines) = channel();
    let stdout = BufReader::new(process.stdout());
    std::thread::spawn(move || {
        for text in stdout.lines().map_while(Result::ok) {
            let _ = line.send(text);
        }
    });
    (process, lines)
}

fn line_with(lines: &Receiver<String>, words: &str) -> String {
    loop {
        let line = lines.recv_timeout(SOON).expect("it prints");
        if line.contains(words) {
            return line;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_a_server_are_printed_until_the_session_ends() {
    let server = Server::start(World::in_real_time(Engine::Sqlite).await, Frontend::Warp).await;
    let brand = server.world.partner("Northfield").await;
    let token = brand.token.clone().unwrap();
    let url = format!("http://{}/api", server.address);
    let nil = Nil::alone();
    let (mut process, lines) = following(&nil, &["--url", &url, "--token", &token]);
    line_with(&lines, "event: ready");
    server.tell(&brand, "Fresh news").await;
    line_with(&lines, "Fresh news");
    let out = server.request(Method::POST, "/api/logout").bearer_auth(&token);
    assert_eq!(server.send(out).await.status, 200);
    assert_eq!(process.ended().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_are_printed_in_process_from_where_one_wants_postgres() {
    let world = World::in_real_time(Engine::Postgres).await;
    let brand = world.partner("Northfield").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let nil = Nil::beside(&world);
    let who = format!("partner:{}", brand.email);
    let arguments = ["--as", &who, "--json", "last_event_id=n0.m0"];
    let (_process, lines) = following(&nil, &arguments);
    let ready: Value = serde_json::from_str(&line_with(&lines, "ready")).unwrap();
    assert_eq!(ready, json!({ "id": "n0.m0", "event": "ready", "data": {} }));
    line_with(&lines, "account.verified");
    world.tell(&brand, "Fresh news").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let news: Value = serde_json::from_str(&line_with(&lines, "Fresh news")).unwrap();
    assert_eq!(news["data"]["title"], "Fresh news");
}
