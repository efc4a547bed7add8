//! What hostile bodies cost the process that is sent them.

use std::time::{Duration, Instant};

use futures::future::join_all;
use nil_tests::{Engine, World};

use crate::nil::Nil;
use crate::served::Served;

/// A line of the kernel's account of a process, in KiB.
fn kib(pid: u32, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let found = status
        .lines()
        .find_map(|text| text.strip_prefix(line))
        .unwrap();
    found.split_whitespace().nth(1).unwrap().parse().unwrap()
}

async fn good_answers(served: &Served) {
    let mut soonest = Duration::MAX;
    for _ in 0..5 {
        let address = format!("{}/api/subscriptions/plans", served.core);
        let started = Instant::now();
        let answer = served.client.get(address).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        soonest = soonest.min(started.elapsed());
    }
    assert!(
        soonest < Duration::from_millis(100),
        "answered after {soonest:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_swell_cost_a_server_little() {
    let world = World::in_real_time(Engine::Sqlite).await;
    let athlete = world.athlete("Jordan Lake").await;
    let token = athlete.token.as_deref().unwrap();
    let served = Served::start(&Nil::beside(&world).with("NIL_THROTTLE", "off"), &[]);
    let pid = served.process.id();
    good_answers(&served).await;
    let before = kib(pid, "VmRSS");
    // From here on the highest mark is of what follows.
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();

    let swollen = |bytes: usize| -> &'static str {
        let objects = "{\"\":0},".repeat(bytes / 7);
        format!("{{\"email\":[{objects}0]}}").leak()
    };
    for (path, token, bytes, times) in [
        ("/api/login", "", 15_000, 200),
        ("/api/login", "", 1_000_000, 200),
        ("/api/editPrivacyPolicy", "", 1_000_000, 200),
        ("/api/files", token, 13_000_000, 12),
    ] {
        let body = swollen(bytes);
        let sent = (0..times).map(|_| served.post(path, token).body(body).send());
        for answer in join_all(sent).await {
            // A server that has refused a body does not wait for its rest.
            let Ok(answer) = answer else { continue };
            let status = answer.status().as_u16();
            assert!(
                matches!(status, 400 | 401 | 413 | 422 | 503),
                "{path}: {status}"
            );
        }
        let most = kib(pid, "VmHWM").saturating_sub(before);
        assert!(most <= 64 * 1024, "{path}: {most} KiB beyond {before} KiB");
        good_answers(&served).await;
    }
    let after = kib(pid, "VmRSS");
    assert!(after <= 2 * before, "{after} KiB after {before} KiB");
}
