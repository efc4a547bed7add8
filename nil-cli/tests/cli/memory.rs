//! The memory that hostile bodies cost a server process.

use std::time::{Duration, Instant};

use futures::future::join_all;
use nil_tests::{Engine, World, trust};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

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
    assert!(soonest < Duration::from_millis(100), "answered after {soonest:?}");
}

type Kind = (&'static str, &'static [u8]);

/// Kinds of hostile bodies, for operations without files and with files.
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
    [short.map(kept).into(), long.map(|body| kept(("/api/files", body))).into()]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_bodies_cost_a_server_little() {
    let world = World::in_real_time(Engine::Sqlite).await;
    let mut tokens = Vec::new();
    for name in ["Jordan Lake", "Zoe Okafor", "Sam Lee", "Kim Reyes", "Lee Shore"] {
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
            // A server that has refused a body does not wait for the rest of it.
            let Ok(answer) = answer else { continue };
            let status = answer.status().as_u16();
            let expected = [200, 400, 401, 409, 413, 422, 503].contains(&status);
            assert!(expected, "{path}: {status}");
            let waits = answer.headers().contains_key("retry-after");
            assert!(status != 503 || waits, "{path} is not told when to come back");
        }
        let most = served.memory("VmHWM:").saturating_sub(before);
        assert!(most <= 64 * 1024, "{most} KiB beyond {before} KiB");
        good_answers(served).await;
    }
    let after = served.memory("VmRSS:");
    assert!(after <= 2 * before, "{after} KiB after {before} KiB");
}

/// The answer to a request on a separate connection.
async fn answer_to(served: &Served, request: &str) -> String {
    let mut stream = connected(served, request).await;
    let mut answer = Vec::new();
    // A reset counts as an end.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn connected(served: &Served, request: &str) -> TcpStream {
    let address = served.core.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_requests_and_slow_uploads_leave_a_server_as_it_was() {
    let world = World::in_real_time(Engine::Sqlite).await;
    let token = world.athlete("Jordan Lake").await.token.unwrap();
    let served = &Served::start(&Nil::beside(&world).with("NIL_THROTTLE", "off"), &[]);
    good_answers(served).await;
    let before = served.memory("VmRSS:");
    let nested = format!("a{}", "[b".repeat(14_000));
    let form = format!(
        "POST /api/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{nested}",
        nested.len()
    );
    let kinds = [
        (
            format!(
                "GET /api/subscriptions/plans?{nested} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            ),
            "422",
        ),
        // Longer than the body of a log-in can be.
        (form, "4"),
        ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nConnection: close\r\n\r\n".into(), "4"),
        ("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n".into(), "400"),
        (
            "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\
             Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                .into(),
            "400",
        ),
    ];
    let sent = kinds.iter().cycle().take(200);
    let sent = sent.map(|(request, status)| async move {
        let answer = answer_to(served, request).await;
        let expected = format!("HTTP/1.1 {status}");
        assert!(answer.starts_with(&expected), "{request:.60} {answer:.300}");
    });
    join_all(sent).await;
    good_answers(served).await;
    // Six at once used to take all memory for bodies.
    let upload = format!(
        "POST /api/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000\r\n\r\n--b\r\n"
    );
    let held = join_all((0..40).map(|_| connected(served, &upload))).await;
    good_answers(served).await;
    drop(held);
    let after = served.memory("VmRSS:");
    assert!(after <= 2 * before, "{after} KiB after {before} KiB");
    trust::tried("R10", "clients", 200);
}
