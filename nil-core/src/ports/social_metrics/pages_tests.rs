//! The reader of public pages: what it makes of an answer, and what it gets from a server on a
//! socket.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use reqwest::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::ports::outbound::nearby;

const POST: &str = "https://www.instagram.com/p/1";

fn page(status: u16, body: &str) -> Result<Look, Outage> {
    let answer = Answer {
        status: StatusCode::from_u16(status).unwrap(),
        url: Url::parse(POST).unwrap(),
        is_page: true,
        body: body.as_bytes().to_vec(),
    };
    read(POST, &answer)
}

fn there(caption: &str) -> Look {
    Look::There { caption: Some(caption.to_owned()) }
}

fn is_unknown(look: &Result<Look, Outage>) -> bool {
    matches!(look, Ok(Look::Unknown(_)))
}

#[test]
fn only_what_a_page_says_plainly_counts() {
    assert_eq!(page(404, ""), Ok(Look::Gone));
    assert_eq!(page(410, ""), Ok(Look::Gone));
    let shown = "<html><meta property=\"og:title\" content=\"Zoe\"><meta content='&#35;ad &amp; fun' \
                 property='og:description'/>";
    assert_eq!(page(200, shown), Ok(there("#ad & fun")));
    for body in [
        "",
        "<h1>Log in</h1>",
        "<meta name=\"description\" content=\"#ad\">",
        "<meta property=\"og:description\" content=\"\">",
        "<meta property=\"og:description\"",
        "<meta xproperty=\"og:description\" content=\"#ad\">",
    ] {
        assert!(is_unknown(&page(200, body)), "{body}");
    }
    assert!(is_unknown(&page(403, shown)));
    for status in [302, 429, 500, 503] {
        assert!(page(status, shown).is_err(), "{status}");
    }
}

/// The limits of these tests: a slow answer is given up soon.
const SMALL: Limits = Limits { bytes: 4_096, time: Duration::from_secs(2) };

/// A server that answers as the path says, and keeps which paths were asked.
struct Network {
    at: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Network {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = asked.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, at, kept.clone()));
            }
        });
        Self { at, asked }
    }

    async fn look(&self, path: &str) -> Result<Look, Outage> {
        self.look_at(&format!("http://{}{path}", nearby::NAME)).await
    }

    async fn look_at(&self, url: &str) -> Result<Look, Outage> {
        Pages(nearby::client(SMALL, self.at)).post("instagram", url).await
    }

    /// The paths that were asked since the last time.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().drain(..).collect()
    }
}

async fn serve(mut stream: TcpStream, at: SocketAddr, asked: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let path = head.split(' ').nth(1).unwrap().to_owned();
    asked.lock().unwrap().push(path.clone());
    let described = |caption: &str| {
        format!("<head><meta property=\"og:description\" content=\"{caption}\"></head>")
    };
    let answer = |status: &str, kind: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n{body}"
        )
    };
    let html = "text/html; charset=utf-8";
    let to = |target: &str| {
        format!(
            "HTTP/1.1 302 Found\r\nlocation: {target}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    };
    let found = described("#ad What a day!");
    let text = match path.as_str() {
        "/p/found" => answer("200 OK", html, &found),
        "/p/plain" => answer("200 OK", html, &described("What a day!")),
        "/p/gone" => answer("404 Not Found", html, &found),
        "/p/removed" => answer("410 Gone", html, ""),
        "/p/members" => answer("403 Forbidden", html, &found),
        "/p/busy" => answer("429 Too Many Requests", html, &found),
        "/p/moved" => to("/p/found"),
        "/p/walled" => to("/accounts/login/?next=/p/walled"),
        "/p/homeward" => to("/"),
        "/p/around" => to("/p/around"),
        "/p/inside" => to("http://localhost/p/found"),
        "/p/number" => to(&format!("http://{at}/p/found")),
        "/p/port" => to(&format!("http://{}:{}/p/found", nearby::NAME, at.port())),
        "/p/file" => to("file:///etc/passwd"),
        "/p/picture" => answer("200 OK", "image/png", &found),
        "/p/data" => answer("200 OK", "application/json", &found),
        "/p/long" => answer("200 OK", html, &format!("{found}{}", "x".repeat(100_000))),
        "/p/late" => answer("200 OK", html, &format!("{}{found}", "x".repeat(100_000))),
        "/p/slow" => {
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 900\r\n\r\n<h".to_owned()
        }
        "/" | "/accounts/login/?next=/p/walled" => {
            answer("200 OK", html, &described("Create an account or log in."))
        }
        other => panic!("nobody asks for {other}"),
    };
    // The reader closes the connection when it has read enough.
    let _ = stream.write_all(text.as_bytes()).await;
    if path == "/p/slow" {
        // The rest never comes; this ends when the reader gives up.
        let _ = stream.read_u8().await;
    }
}

#[tokio::test]
async fn a_post_is_found_gone_or_undisclosed() {
    let network = Network::open().await;
    assert_eq!(network.look("/p/found").await, Ok(there("#ad What a day!")));
    assert_eq!(network.look("/p/plain").await, Ok(there("What a day!")));
    assert_eq!(network.look("/p/gone").await, Ok(Look::Gone));
    assert_eq!(network.look("/p/removed").await, Ok(Look::Gone));
    network.asked();
    assert_eq!(network.look("/p/moved").await, Ok(there("#ad What a day!")));
    assert_eq!(network.asked(), ["/p/moved", "/p/found"]);
}

#[tokio::test]
async fn what_is_not_shown_to_everybody_is_unknown() {
    let network = Network::open().await;
    for path in ["/p/members", "/p/walled", "/p/homeward", "/p/picture", "/p/data"] {
        let look = network.look(path).await;
        assert!(is_unknown(&look), "{path}: {look:?}");
    }
    assert!(network.look("/p/busy").await.is_err());
}

#[tokio::test]
async fn the_beginning_of_a_long_page_is_read_and_a_slow_one_is_given_up() {
    let network = Network::open().await;
    assert_eq!(network.look("/p/long").await, Ok(there("#ad What a day!")));
    assert!(is_unknown(&network.look("/p/late").await));
    let slow = network.look("/p/slow").await;
    assert_eq!(slow, Err(Outage("no answer in time".to_owned())));
}

#[tokio::test]
async fn no_redirect_leads_into_a_private_network() {
    let network = Network::open().await;
    for path in ["/p/inside", "/p/number", "/p/port", "/p/file"] {
        let look = network.look(path).await;
        assert!(look.is_err(), "{path}: {look:?}");
        assert_eq!(network.asked(), [path], "nothing else was asked");
    }
    assert_eq!(network.look("/p/around").await, Err(Outage("too many redirects".to_owned())));
    assert_eq!(network.asked().len(), 4);
    // The same for an address that a user has written.
    for url in [
        format!("http://{}/p/found", network.at),
        "http://localhost/p/found".to_owned(),
        format!("https://{}/p/found", nearby::NAME),
    ] {
        assert!(network.look_at(&url).await.is_err(), "{url}");
    }
    assert!(network.asked().is_empty());
}
