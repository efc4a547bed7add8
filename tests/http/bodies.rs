//! Bodies that cost a server more than their sender, and clients that occupy resources others need.

use std::time::{Duration, Instant};

use nil_tests::door::log_in_operator;
use nil_tests::{Engine, Frontend, Got, PASSWORD, PIXEL, Server, World, both_frontends};
use reqwest::{Method, RequestBuilder};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::hostile::refused;

/// Bodies that take far more memory than their length.
fn swollen(bytes: usize) -> Vec<String> {
    let many = |piece: &str| piece.repeat(bytes / piece.len());
    vec![
        format!("{{\"email\":[{}0]}}", many("{\"\":0},")),
        format!("{{\"email\":[{}0]}}", many("[0],")),
        format!("{{\"x\":[{}0]}}", many("{\"\":0},")),
        format!("[{}0]", many("0,")),
        many("{\"email\":"),
        many("["),
        format!(
            "{{{}\"z\":0}}",
            (0..bytes / 16).map(|n| format!("\"{n:x}\":0,")).collect::<Vec<_>>().concat()
        ),
    ]
}

async fn refused_somehow(server: &Server, request: RequestBuilder) -> Got {
    let got = server.send(request).await;
    let good = server.get("/api/subscriptions/plans").await;
    assert_eq!(good.status, 200);
    got
}

/// Starts to send a file of 50 MB and stops.
async fn stuck_upload(server: &Server, token: &str) -> TcpStream {
    let head = format!(
        "POST /api/files HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 50000000\r\n\r\n\
         --b\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a.png\"\r\n\r\n"
    );
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// The response on a separate connection; none if it was closed at once.
async fn got_in(server: &Server, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    // The closed connection may show while writing or while reading.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// The head of a response on a connection, after its body was read too.
async fn answered(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let head = loop {
        let byte = stream.read_u8().await.expect("an answer");
        bytes.push(byte);
        if bytes.ends_with(b"\r\n\r\n") {
            break String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        }
    };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.expect("a length").trim().parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    head
}

async fn an_answer_before_the_body_keeps_the_connection_or_says_that_it_closes(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    // Too long for the row, but short enough to keep the connection: the next request is answered.
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let body = vec![b' '; 200 * 1024];
    let head = |length: usize| {
        format!("POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n")
    };
    stream.write_all(head(body.len()).as_bytes()).await.unwrap();
    stream.write_all(&body).await.unwrap();
    let refused = answered(&mut stream).await;
    assert!(refused.starts_with("http/1.1 413"), "{refused}");
    assert!(!refused.contains("connection: close"), "{refused}");
    let next = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(next).await.unwrap();
    assert!(answered(&mut stream).await.starts_with("http/1.1 200"));
    // The server does not read that much only to refuse it.
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(head(50_000_000).as_bytes()).await.unwrap();
    let refused = answered(&mut stream).await;
    assert!(refused.starts_with("http/1.1 413"), "{refused}");
    assert!(refused.contains("connection: close"), "{refused}");
    assert_eq!(stream.read(&mut [0]).await.unwrap(), 0, "it is closed");
}
both_frontends!(an_answer_before_the_body_keeps_the_connection_or_says_that_it_closes);

async fn who_sends_all_of_a_body_that_is_too_long_hears_that_it_is(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    let email = server.world.chief_operator().await;
    let session = log_in_operator(&server, email, PASSWORD).await;
    let part = "--x\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a.png\"\r\n\
                Content-Type: image/png\r\n\r\n";
    let admin = format!(
        "Content-Type: multipart/form-data; boundary=x\r\nCookie: {}\r\nX-CSRF-Token: {}\r\n",
        session.cookie, session.csrf
    );
    // Longer than what either side keeps on its way.
    for (path, headers, begins, length) in [
        ("/api/login", "", "{", 24 << 20),
        ("/admin/content-management/save", admin.as_str(), part, 64 << 20),
    ] {
        let announced = format!("Content-Length: {length}\r\n");
        for length_known in [true, false] {
            let framing = if length_known { &announced } else { "Transfer-Encoding: chunked\r\n" };
            let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\n{headers}{framing}\r\n");
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            stream.write_all(head.as_bytes()).await.unwrap();
            if !length_known {
                stream.write_all(format!("{length:x}\r\n").as_bytes()).await.unwrap();
            }
            // Such a client reads nothing before everything is sent.
            stream.write_all(begins.as_bytes()).await.unwrap();
            let piece = vec![b'x'; 64 * 1024];
            let mut left = length - begins.len();
            while left > 0 {
                let some = left.min(piece.len());
                stream.write_all(&piece[..some]).await.expect("the server still listens");
                left -= some;
            }
            let refused = answered(&mut stream).await;
            assert!(refused.starts_with("http/1.1 413"), "{path}: {refused}");
            assert!(refused.contains("connection: close"), "{path}: {refused}");
        }
    }
}
both_frontends!(who_sends_all_of_a_body_that_is_too_long_hears_that_it_is);

async fn bodies_that_swell_are_refused_before_they_do(frontend: Frontend) {
    let world = World::unthrottled(Engine::Sqlite).await;
    let athlete = world.athlete("Jordan Rivera").await;
    let token = athlete.token.clone().expect("a token");
    let server = Server::start(world, frontend).await;
    for path in ["/api/login", "/api/compliance/login", "/admin/check-login"] {
        let post = |body| server.request(Method::POST, path).body(body);
        for body in swollen(12 * 1024) {
            let got = refused_somehow(&server, post(body.clone())).await;
            assert!(matches!(got.status, 400 | 403 | 422), "{} {}", got.status, got.code());
        }
        let got = refused(&server, post("[".repeat(900 * 1024)), 413).await;
        assert_eq!(got.code(), "body_too_large");
    }
    for body in swollen(12_000_000) {
        let request = server.request(Method::POST, "/api/files").bearer_auth(&token);
        let got = refused_somehow(&server, request.body(body)).await;
        assert!(matches!(got.status, 400 | 422), "{} {}", got.status, got.code());
    }
}
both_frontends!(bodies_that_swell_are_refused_before_they_do);

async fn what_nobody_asked_for_is_named_and_not_kept(frontend: Frontend) {
    let server = Server::start(World::on(Engine::Sqlite).await, frontend).await;
    let colleges = |body: String| server.request(Method::POST, "/api/listColleges").body(body);
    let got = server.send(colleges("{\"zeal\":[{\"a\":{}}],\"ardour\":\"x\"}".into())).await;
    assert_eq!((got.status, got.header("x-ignored-fields")), (200, "ardour, zeal"));
    let many: Vec<String> = (0..500).map(|n| format!("\"x{n}\":[{n}],")).collect();
    let many = many.concat();
    let long = "y".repeat(2_000);
    let got = server.send(colleges(format!("{{{many}\"{long}\":0}}"))).await;
    assert_eq!(got.status, 200);
    let named = got.header("x-ignored-fields");
    assert!(named.contains("x0, ") && named.len() <= 1_000, "{named}");
    let strict = colleges(format!("{{\"{long}\":{{}}}}")).header("prefer", "handling=strict");
    let got = server.send(strict).await;
    assert_eq!((got.status, got.code().as_str()), (422, "unknown_field"));
    let queried = server.get("/api/subscriptions/plans?zeal=1&zeal[a][b]=2").await;
    assert_eq!((queried.status, queried.header("x-ignored-fields")), (200, "zeal"));
}
both_frontends!(what_nobody_asked_for_is_named_and_not_kept);

async fn one_key_means_one_body_unknown_fields_included(frontend: Frontend) {
    let world = World::on(Engine::Sqlite).await;
    let athlete = world.athlete("Jordan Rivera").await;
    let server = Server::start(world, frontend).await;
    let save = |key: &str, body: &'static str| {
        let request = server.request(Method::POST, "/api/saveMyNotificationPreference");
        let request = request.bearer_auth(athlete.token.as_deref().unwrap());
        server.send(request.header("idempotency-key", key.to_owned()).body(body))
    };
    let first = save("one", "{\"quiet_hours\":null,\"x\":{\"a\":1},\"y\":2}").await;
    assert_eq!(first.status, 200, "{}", String::from_utf8_lossy(&first.bytes));
    let again = save("one", "{ \"y\": 2, \"x\": {\"a\": 1}, \"quiet_hours\": null }").await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (200, "true"));
    let other = save("one", "{\"quiet_hours\":null,\"x\":{\"a\":2},\"y\":2}").await;
    assert_eq!((other.status, other.code().as_str()), (409, "idempotency_key_reused"));
}
both_frontends!(one_key_means_one_body_unknown_fields_included);

async fn slow_uploads_leave_room_for_others(frontend: Frontend) {
    let world = World::unthrottled(Engine::Sqlite).await;
    let slow = world.athlete("Jordan Rivera").await;
    let quick = world.athlete("Zoe Okafor").await;
    let dripping = world.athlete("Sam Lee").await;
    let server = Server::start(world, frontend).await;
    let mut stuck = Vec::new();
    for _ in 0..12 {
        stuck.push(stuck_upload(&server, slow.token.as_deref().unwrap()).await);
    }
    let body = [
        b"--b\r\nContent-Disposition: form-data; name=\"content\"; filename=\"a.png\"\r\n\r\n",
        PIXEL,
        b"\r\n--b--\r\n",
    ]
    .concat();
    let request = server.request(Method::POST, "/api/files");
    let request = request.bearer_auth(quick.token.as_deref().unwrap());
    let request = request.header("content-type", "multipart/form-data; boundary=b").body(body);
    let asked = Instant::now();
    let got = server.send(request).await;
    assert_eq!(got.status, 200, "{}", String::from_utf8_lossy(&got.bytes));
    assert!(asked.elapsed() < Duration::from_secs(3), "after {:?}", asked.elapsed());
    // A drop now and then does not keep a slow body alive: a minimum rate is required.
    let begun = Instant::now();
    let mut drip = stuck_upload(&server, dripping.token.as_deref().unwrap()).await;
    let mut every = tokio::time::interval(Duration::from_secs(1));
    let mut answer = Vec::new();
    loop {
        tokio::select! {
            _ = every.tick() => { let _ = drip.write_all(b"drip").await; }
            _ = drip.read_to_end(&mut answer) => break,
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "ended after {:?}", begun.elapsed());
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("in time"), "{answer}");
}
both_frontends!(slow_uploads_leave_room_for_others);

async fn one_client_holds_so_many_connections(frontend: Frontend) {
    let few = |config: &mut nil_core::Config| config.connections_per_address = Some(3);
    let server = Server::start(World::configured(Engine::Sqlite, few).await, frontend).await;
    let get = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".as_bytes();
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(TcpStream::connect(server.address).await.unwrap());
    }
    assert_eq!(got_in(&server, get).await, "", "one too many is closed");
    for mut one in held {
        one.write_all(get).await.unwrap();
        let mut answer = String::new();
        one.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // The server has closed those; once it has noticed, there is room again.
    let deadline = Instant::now() + Duration::from_secs(10);
    while !got_in(&server, get).await.starts_with("HTTP/1.1 200") {
        assert!(Instant::now() < deadline, "nobody gets in any more");
    }
}
both_frontends!(one_client_holds_so_many_connections);
