//! Malicious clients: unfinished heads, drip-fed bodies, broken framing.

use std::time::{Duration, Instant};

use nil_tests::{Engine, Frontend, Got, Server, World, both_frontends, every_stack};
use reqwest::{Method, RequestBuilder};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn closed_after(server: &Server, sent: &[u8]) -> (Duration, String) {
    let started = Instant::now();
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(sent).await.unwrap();
    let mut answer = Vec::new();
    let limit = Duration::from_secs(20);
    // A reset counts as an end.
    let _ = tokio::time::timeout(limit, stream.read_to_end(&mut answer)).await.expect("is closed");
    (started.elapsed(), String::from_utf8_lossy(&answer).into_owned())
}

/// A hostile request is refused with this status, and the next request is answered at once.
pub(crate) async fn refused(server: &Server, request: RequestBuilder, status: u16) -> Got {
    let got = server.send(request).await;
    let told = String::from_utf8_lossy(&got.bytes);
    assert_eq!(got.status, status, "{}", told.chars().take(500).collect::<String>());
    // On a busy machine one response may be late; a server in trouble is late every time.
    let mut soonest = Duration::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        let good = server.get("/api/subscriptions/plans").await;
        assert_eq!(good.status, 200);
        soonest = soonest.min(started.elapsed());
    }
    assert!(soonest < Duration::from_millis(100), "answered after {soonest:?}");
    got
}

async fn a_head_that_can_be_read_in_two_ways_is_refused(server: Server) {
    let post = "POST /api/listColleges HTTP/1.1\r\n";
    let first = format!("{post}Host: x\r\nContent-Length: 2\r\n\r\n{{}}");
    let chunks = "\r\n2\r\n{}\r\n0\r\n\r\n";
    let lengths = ["Content-Length: 2", "Transfer-Encoding: chunked"];
    for [one, two] in [lengths, [lengths[1], lengths[0]]] {
        let second = format!("{post}Host: x\r\n{one}\r\n{two}\r\n{chunks}");
        let (_, answer) = closed_after(&server, second.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert!(answer.contains("\"malformed_request\""), "{answer}");
        // Nor behind a good request on the same connection.
        let (_, answer) = closed_after(&server, (first.clone() + &second).as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains("HTTP/1.1 400"), "{answer}");
    }
    for hosts in ["", "Host: a\r\nHost: b\r\n"] {
        let head = format!("{post}{hosts}Content-Length: 2\r\n\r\n{{}}");
        let (_, answer) = closed_after(&server, head.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert!(answer.contains("\"malformed_request\""), "{answer}");
    }
    // One length is enough, and HTTP/1.0 needs no host.
    let chunked = format!("{post}Host: x\r\n{}\r\n{chunks}", lengths[1]);
    let old = "POST /api/listColleges HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}";
    for good in [chunked.as_str(), old] {
        let (took, answer) = closed_after(&server, good.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1."), "{answer}");
        assert!(answer.contains(" 200 OK"), "{answer}");
        assert!(took < Duration::from_secs(7), "its answer ends the connection");
    }
}
every_stack!(a_head_that_can_be_read_in_two_ways_is_refused);

async fn odd_request_lines_are_answered(server: Server) {
    for (line, status) in [
        ("CONNECT a:1", 400),
        ("CONNECT a.example:443", 400),
        ("GET a:1", 400),
        ("OPTIONS *", 404),
        ("GET *", 404),
        ("GET //", 404),
        ("GET /?", 200),
        ("HEAD /healthz", 200),
        ("GET http://x/healthz", 200),
        ("GET http://x", 200),
        ("GET http://x?y", 200),
        ("HEAD /api/listColleges", 405),
        ("BREW /api/listColleges", 405),
        ("BREW /", 404),
        ("GET /api/announcements/%ff%00", 404),
        ("GET /healthz#part", 200),
    ] {
        let head = format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let (_, answer) = closed_after(&server, head.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{line}: {answer}");
    }
}
every_stack!(odd_request_lines_are_answered);

async fn half_sent_heads_are_closed(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    let starts = ["", "P", "PRI ", "POST /api/listColleges HTTP/1.1\r\nHost: x\r\nX-A: "];
    let heads = starts.map(|start| closed_after(&server, start.as_bytes()));
    for (took, _) in futures::future::join_all(heads).await {
        assert!(took < Duration::from_secs(10), "closed after {took:?}");
    }
}
both_frontends!(half_sent_heads_are_closed);

async fn a_body_that_stops_is_given_up(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    let head = "POST /api/listColleges HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                    Content-Length: 10\r\n\r\n{";
    let (took, answer) = closed_after(&server, head.as_bytes()).await;
    assert!(took < Duration::from_secs(15), "closed after {took:?}");
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}
both_frontends!(a_body_that_stops_is_given_up);

async fn ambiguous_framing_is_refused(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    for framing in [
        "Content-Length: 2\r\nContent-Length: 4\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Content-Length: -1\r\n",
    ] {
        let body = if framing.contains("chunked") { "2\r\n{}\r\n0\r\n\r\n" } else { "{}" };
        let head = format!(
            "POST /api/listColleges HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{framing}\r\n{body}"
        );
        let (_, answer) = closed_after(&server, head.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 4"), "{framing:?}: {answer}");
    }
}
both_frontends!(ambiguous_framing_is_refused);

async fn names_that_nest_without_end_are_refused(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    assert_eq!(server.get("/api/subscriptions/plans").await.status, 200);
    for name in ["a[b", "a[]", "a[", "[b]", "a[b]["] {
        let name = name.repeat(28_000 / name.len());
        for path in
            ["/api/subscriptions/plans", "/api/compliance/colleges", "/admin/updateCsrfToken"]
        {
            let request = server.request(Method::GET, &format!("{path}?{name}=1"));
            let got = refused(&server, request, 422).await;
            assert_eq!(got.code(), "validation_failed");
            assert!(got.bytes.len() < 1_000, "names are not sent back whole");
        }
        // A form may be as long as its input needs, but no longer.
        let name = name.get(..8_000).unwrap();
        let log_in = || server.request(Method::POST, "/admin/check-login");
        let kind = "application/x-www-form-urlencoded";
        let form = log_in().header("content-type", kind).body(format!("{name}=1"));
        refused(&server, form, 422).await;
        let body =
            format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n1\r\n--b--\r\n");
        let kind = "multipart/form-data; boundary=b";
        let form = log_in().header("content-type", kind).body(body);
        refused(&server, form, 422).await;
    }
    let many = "a=1&".repeat(5_000);
    let many = server.request(Method::GET, &format!("/api/subscriptions/plans?{many}"));
    refused(&server, many, 422).await;
}
both_frontends!(names_that_nest_without_end_are_refused);
