//! What hostile bodies cost the process that is sent them.

use std::time::{Duration, Instant};

use futures::future::join_all;
use nil_tests::{Engine, World};

use crate::nil::Nil;
use crate::served::Served;

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

type Kind = (&'static str, &'static [u8]);

/// Kinds of hostile bodies of what takes no files, and of what does.
fn kinds() -> [Vec<Kind>; 2] {
    let many = |piece: &str, bytes: usize| piece.repeat(bytes / piece.len());
    let objects = |bytes| format!("{{\"email\":[{}0]}}", many("{\"\":0},", bytes));
    let text = |bytes| format!("{{\"x\":\"{}\"}}", many("\\u0041x", bytes));
    let file = |content: String| format!("{{\"name\":\"a.pdf\",\"content\":\"{content}\"}}");
    let short = [
        ("/api/login", objects(15_000)),
        ("/api/login", objects(1_000_000)),
        ("/api/login", many("{\"email\":[", 15_000)),
        ("/api/editPrivacyPolicy", objects(1_000_000)),
        ("/api/editPrivacyPolicy", text(1_000_000)),
    ];
    let long = [
        many("[", 13_000_000),
        objects(13_000_000),
        text(13_000_000),
        file(many("AAAA", 13_000_000)),
        file(many("AA\\/A", 13_000_000)),
        file("JVBERi0xLjcK".to_owned() + &many("CgoK", 13_000_000)),
    ];
    let kept = |(path, body): (&'static str, String)| -> Kind { (path, body.leak().as_bytes()) };
    [
        short.map(kept).into(),
        long.map(|body| kept(("/api/files", body))).into(),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_bodies_cost_a_server_little() {
    let world = World::in_real_time(Engine::Sqlite).await;
    let mut tokens = Vec::new();
    for name in [
        "Jordan Lake",
        "Zoe Okafor",
        "Sam Lee",
        "Kim Reyes",
        "Lee Shore",
    ] {
        tokens.push(world.athlete(name).await.token.unwrap());
    }
    let served = &Served::start(&Nil::beside(&world).with("NIL_THROTTLE", "off"), &[]);
    good_answers(served).await;
    let before = served.memory("VmRSS:");
    for kinds in kinds() {
        let sent = kinds.iter().cycle().zip(tokens.iter().cycle()).take(200);
        let sent = sent.map(|((path, body), token)| async move {
            let token = if *path == "/api/files" { token } else { "" };
            (*path, served.post(path, token).body(*body).send().await)
        });
        for (path, answer) in join_all(sent).await {
            // A server that has refused a body does not wait for its rest.
            let Ok(answer) = answer else { continue };
            let status = answer.status().as_u16();
            let expected = [200, 400, 401, 409, 413, 422, 503].contains(&status);
            assert!(expected, "{path}: {status}");
            let waits = answer.headers().contains_key("retry-after");
            assert!(
                status != 503 || waits,
                "{path} is not told when to come back"
            );
        }
        let most = served.memory("VmHWM:").saturating_sub(before);
        assert!(most <= 64 * 1024, "{most} KiB beyond {before} KiB");
        good_answers(served).await;
    }
    let after = served.memory("VmRSS:");
    assert!(after <= 2 * before, "{after} KiB after {before} KiB");
}
