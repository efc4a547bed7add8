//! A thousand clients that send half a head, a byte of it now and then, or half a body: each is
//! closed in time, and whoever behaves is answered meanwhile.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use nil_tests::trust;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;

use crate::nil::Nil;
use crate::served::{Served, p99};

const CLIENTS: usize = 1_000;
/// Ten seconds for a head and thirty for a body, on a busy machine.
const HEAD_WITHIN: Duration = Duration::from_secs(15);
const BODY_WITHIN: Duration = Duration::from_secs(40);
const PACE: Duration = Duration::from_millis(300);
/// How many good requests are timed before.
const ALONE: usize = 1_000;

/// What a client does that does not behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slow {
    StopsInTheHead,
    DripsAHead,
    StopsInTheBody,
    DripsABody,
}

const KINDS: [Slow; 4] =
    [Slow::StopsInTheHead, Slow::DripsAHead, Slow::StopsInTheBody, Slow::DripsABody];
const HEAD: &str = "POST /api/listColleges HTTP/1.1\r\nHost: x\r\nX-Slow: ";
const BODY: &str = "POST /api/listColleges HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n{";

/// How long a client of this address is listened to.
async fn listened_to(server: SocketAddr, own: Ipv4Addr, kind: Slow) -> Duration {
    let begun = Instant::now();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((IpAddr::V4(own), 0).into()).unwrap();
    let (mut from, mut to) = socket.connect(server).await.unwrap().into_split();
    let (start, drips) = match kind {
        Slow::StopsInTheHead => (HEAD, false),
        Slow::DripsAHead => (HEAD, true),
        Slow::StopsInTheBody => (BODY, false),
        Slow::DripsABody => (BODY, true),
    };
    to.write_all(start.as_bytes()).await.unwrap();
    let drip = async {
        let mut pace = tokio::time::interval(PACE);
        while drips && to.write_all(b" ").await.is_ok() {
            pace.tick().await;
        }
        std::future::pending::<()>().await;
    };
    let mut answer = Vec::new();
    tokio::select! {
        // A reset counts as an end.
        _ = from.read_to_end(&mut answer) => begun.elapsed(),
        () = drip => unreachable!(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_slow_clients_are_closed_in_time() {
    let nil = Nil::alone().with("NIL_THROTTLE", "off");
    let served = Served::start(&nil, &[]);
    let address: SocketAddr = served.core.strip_prefix("http://").unwrap().parse().unwrap();
    let clients = (0..CLIENTS).map(|number| {
        // Four from each address: more would be one client that holds too much.
        let [_, _, high, low] = u32::try_from(number / 4).unwrap().to_be_bytes();
        let own = Ipv4Addr::new(127, 7, high, low);
        let kind = KINDS[number % KINDS.len()];
        tokio::spawn(async move { (kind, listened_to(address, own, kind).await) })
    });
    let good = async || {
        let begun = Instant::now();
        assert_eq!(served.status("/api/listColleges", "").await, 200);
        begun.elapsed()
    };
    let mut alone = Vec::new();
    for _ in 0..ALONE {
        alone.push(good().await);
    }
    let slow = futures::future::join_all(clients.collect::<Vec<_>>());
    let mut answered = Vec::new();
    let behaves = async {
        loop {
            answered.push(good().await);
        }
    };
    let ended = tokio::select! {
        ended = slow => ended,
        () = behaves => unreachable!(),
    };
    let mut longest = [Duration::ZERO; 2];
    for (kind, took) in ended.into_iter().map(Result::unwrap) {
        let in_the_head = matches!(kind, Slow::StopsInTheHead | Slow::DripsAHead);
        let (at, most) = if in_the_head { (0, HEAD_WITHIN) } else { (1, BODY_WITHIN) };
        assert!(took < most, "{kind:?}: closed after {took:?}");
        longest[at] = longest[at].max(took);
    }
    assert!(answered.len() > 100, "{} answers meanwhile", answered.len());
    trust::tried("R10", "clients", CLIENTS);
    trust::measured(
        "R10",
        &format!(
            "heads closed within {:.1} s, bodies within {:.1} s; {} good answers meanwhile, 99 % within {:.1?}, and {:.1?} alone",
            longest[0].as_secs_f64(),
            longest[1].as_secs_f64(),
            answered.len(),
            p99(&mut answered),
            p99(&mut alone),
        ),
    );
}
