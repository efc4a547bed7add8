//! Addresses that others name: whatever its form, none leads to this machine or to its networks,
//! through the client itself and through each operation that takes an address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use nil_core::ports::outbound::{Limits, Outbound, is_public};
use nil_core::ports::social_metrics::{Pages, SocialMetrics as _};
use nil_tests::serving::Serving;
use nil_tests::{World, both, or_long, trust};
use serde_json::json;
use tokio::net::TcpListener;

const LIMITS: Limits = Limits { bytes: 1_000, time: Duration::from_secs(5) };

/// Networks of which no address is public, each with the bits that are its own.
const CLOSED: [([u8; 4], u32); 15] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// An address of IPv4 in each form that IPv6 has for it.
fn in_ipv6(address: Ipv4Addr) -> [Ipv6Addr; 5] {
    let [a, b, c, d] = address.octets().map(u16::from);
    let (high, low) = (a << 8 | b, c << 8 | d);
    [
        address.to_ipv6_mapped(),
        Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
        // Translated, through a relay, and through a tunnel, which keeps it inverted.
        Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
        Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
        Ipv6Addr::new(0x2001, 0, 0x5db8, 0xd822, 0, 0, !high, !low),
    ]
}

#[test]
fn no_address_of_a_closed_network_is_public() {
    let of_each = or_long(200, 20_000);
    let mut tried = 0;
    for (network, bits) in CLOSED {
        let first = u32::from(Ipv4Addr::from(network));
        let size = 1_u64 << (32 - bits);
        // The ends, and addresses evenly between them.
        let step = (size / of_each).max(1);
        let between = (0..size).step_by(usize::try_from(step).unwrap());
        for at in between.chain([size - 1]) {
            let address = Ipv4Addr::from(first + u32::try_from(at).unwrap());
            assert!(!is_public(address.into()), "{address}");
            for address in in_ipv6(address) {
                assert!(!is_public(address.into()), "{address}");
            }
            tried += 6;
        }
        // What lies just outside is not closed by mistake, unless it is of another such network.
        for next in [first.checked_sub(1), first.checked_add(u32::try_from(size).unwrap())] {
            let Some(next) = next.map(Ipv4Addr::from) else { continue };
            let closed = CLOSED.iter().any(|(network, bits)| {
                let other = u32::from(Ipv4Addr::from(*network));
                u32::from(next) >> (32 - bits) == other >> (32 - bits)
            });
            assert_eq!(is_public(IpAddr::V4(next)), !closed, "{next}");
        }
    }
    for closed in ["fc00::", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1", "::"] {
        assert!(!is_public(closed.parse().unwrap()), "{closed}");
        tried += 1;
    }
    trust::tried("A15", "addresses", tried);
}

/// Addresses of the inside in every form in which somebody may write them.
fn written() -> Vec<String> {
    let hosts = [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "0",
        "0.0.0.0",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.1",
        "0177.1",
        "127.0.0.1.",
        "2130706433.",
        "１２７.０.０.１",
        "①②⑦.0.0.1",
        "127。0。0。1",
        "%31%32%37.0.0.1",
        "10.0.0.5",
        "10.1",
        "167772165",
        "0xa000005",
        "012.0.0.5",
        "172.16.0.1",
        "192.168.1.1",
        "192.168.257",
        "3232235777",
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "100.100.100.200",
        "198.18.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[::ffff:169.254.169.254]",
    ];
    let mut all: Vec<String> = hosts.iter().map(|host| format!("https://{host}/hook")).collect();
    for host in ["hooks.example", "127.0.0.1", "localhost", "[::1]"] {
        all.extend([
            format!("http://{host}/hook"),
            format!("https://{host}:22/hook"),
            format!("https://{host}:6379/hook"),
            format!("https://me@{host}/hook"),
            format!("https://me:secret@{host}/hook"),
            format!("https://hooks.example@{host}/hook"),
            format!("ftp://{host}/hook"),
            format!("gopher://{host}/_hook"),
            format!("ws://{host}/hook"),
        ]);
    }
    let others = [
        "file:///etc/passwd",
        "data:text/html,x",
        "javascript:alert(1)",
        "unix:///var/run/postgresql",
        "//127.0.0.1/hook",
        "/hook",
        "hook",
        "",
    ];
    all.extend(others.map(str::to_owned));
    all
}

/// Names of this machine; what they lead to is looked up.
const NAMES: [&str; 3] =
    ["https://localhost/hook", "https://LOCALHOST/hook", "https://localhost:443/hook"];

#[tokio::test]
async fn no_form_of_an_address_leads_inside() {
    let client = Outbound::new(LIMITS).unwrap();
    let pages = Pages::new().unwrap();
    let written = written();
    for address in &written {
        assert!(client.accepts(address).is_err(), "{address}");
    }
    let names = NAMES.map(str::to_owned);
    for address in written.iter().chain(&names) {
        for answer in [
            client.get(address).await,
            client.get_here(address, Some("a token")).await,
            client.post(address, &[], String::new()).await,
        ] {
            let why = answer.expect_err(address);
            assert!(!names.contains(address) || why.contains("no public address"), "{why}");
        }
        assert!(pages.post("instagram", address).await.is_err(), "{address}");
    }
    trust::tried("A15", "addresses", 4 * (written.len() + names.len()));
}

/// A server inside that counts who comes.
async fn inside() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.2:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let came = Arc::new(AtomicUsize::new(0));
    let counts = came.clone();
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counts.fetch_add(1, Ordering::SeqCst);
        }
    });
    (port, came)
}

/// A page of a network that the operator allows leads to a server that the operator does not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_redirect_leads_inside() {
    let (port, came) = inside().await;
    let own = vec!["127.0.0.1".parse().unwrap()];
    let client = Outbound::reaching(LIMITS, own).unwrap();
    let hosts = [
        "127.0.0.2",
        "127.2",
        "127.0.2",
        "2130706434",
        "0x7f000002",
        "0x7f.2",
        "017700000002",
        "0177.0.0.2",
        "127.0.0.2.",
        "１２７.０.０.２",
        "127。0。0。2",
        "%31%32%37.0.0.2",
        "[::ffff:127.0.0.2]",
        "[::ffff:7f00:2]",
        "me@127.0.0.2",
        "127.0.0.1@127.0.0.2",
        "localhost",
        "0.0.0.0",
        "[::]",
    ];
    let mut tried = 0;
    for host in hosts {
        for scheme in ["http://", "https://", "//", "ws://", "HTTP://", "http:\\\\"] {
            let to = format!("{scheme}{host}:{port}/secret");
            let header = HeaderValue::from_bytes(to.as_bytes()).expect("a header");
            let leads = move || {
                let header = header.clone();
                async move { (StatusCode::FOUND, [(LOCATION, header)]) }
            };
            let page = Serving::at(|_| Router::new().fallback(leads)).await;
            // What is sent, and what is asked at this very address, goes nowhere else.
            let sent = client.post(&page.address, &[], "a body".into()).await.unwrap();
            assert_eq!(sent.status, 302, "{to}");
            for answer in [
                client.get(&page.address).await,
                client.get_here(&page.address, Some("a token")).await,
            ] {
                // A header that is no text leads nowhere.
                let stays = answer.as_ref().is_ok_and(|answer| answer.status == 302);
                assert!(answer.is_err() || stays, "{to}: {answer:?}");
            }
            tried += 3;
        }
    }
    assert_eq!(came.load(Ordering::SeqCst), 0, "somebody came in");
    trust::tried("A15", "addresses", tried);
}

async fn no_operation_takes_an_address_of_the_inside(world: World) {
    let college = world.college().await;
    world.give_domains(college, json!(["lakeshore.example"])).await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let brand = world.partner("Cedar Coffee").await;
    let mut tried = 0;
    for address in written() {
        let hears = |event: &str| json!({ "url": address, "events": [event] });
        let issuer = json!({
            "issuer": address, "client_id": "us", "client_secret": "a secret",
            "role_claim": "groups", "roles": [{ "value": "staff", "role": "viewer" }],
        });
        for (operation, who, field, input) in [
            ("core.webhook.save", &brand.principal, "url", hears("payment.failed")),
            ("compliance.webhook.save", &owner, "url", hears("disclosure.submitted")),
            ("compliance.sign_on.save", &owner, "issuer", issuer),
        ] {
            let refused = world.call(operation, who, input).await;
            assert_eq!(refused.status, 422, "{operation} {address:?}: {}", refused.body);
            assert!(refused.body["errors"][field].is_array(), "{operation}: {}", refused.body);
            tried += 1;
        }
    }
    for table in ["webhook_endpoint", "sign_on_provider"] {
        assert_eq!(world.id(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
    }
    trust::tried("A15", "addresses", tried);
}
both!(no_operation_takes_an_address_of_the_inside);
