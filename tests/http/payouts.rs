//! The links that pay out, opened as a browser opens them: twice, many times at once, from other
//! sites, ahead of time. The processor's log says what was paid.

use std::collections::BTreeSet;

use futures::future::join_all;
use nil_core::auth::Permission;
use nil_core::kernel::PayoutId;
use nil_core::payments::sandbox;
use nil_tests::door::log_in_operator;
use nil_tests::{Got, PASSWORD, Server, every_stack};
use reqwest::{Method, RequestBuilder};

/// What a browser sends when a user opens a link of the site itself.
const OPENED: &[(&str, &str)] = &[
    ("sec-fetch-site", "same-origin"),
    ("sec-fetch-mode", "navigate"),
    ("sec-fetch-dest", "document"),
    ("sec-fetch-user", "?1"),
];

/// What it sends for a page of another site, or before anybody has opened the link.
const FOREIGN: &[&[(&str, &str)]] = &[
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
    &[("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "image")],
    &[("sec-fetch-site", "same-site"), ("sec-fetch-mode", "navigate")],
    &[("sec-fetch-site", "same-origin"), ("sec-purpose", "prefetch")],
    &[("sec-fetch-site", "same-origin"), ("sec-purpose", "prefetch;prerender")],
    &[("purpose", "prefetch")],
    &[("x-moz", "prefetch")],
    &[("referer", "https://evil.example/page")],
    &[("origin", "https://evil.example")],
];

/// A link of the back office in a browser with a session.
fn link(server: &Server, path: &str, cookie: &str, headers: &[(&str, &str)]) -> RequestBuilder {
    let request = server.request(Method::GET, path).header("cookie", cookie);
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
}

/// The transfers at the processor, in cents.
async fn transfers(server: &Server) -> Vec<i64> {
    let log = server.world.processor.sandbox().log().await.unwrap();
    let sent = log.iter().filter(|entry| entry.kind == "transfer" && entry.status != "failed");
    sent.map(|entry| entry.amount_cents.get()).collect()
}

#[track_caller]
fn payout(got: &Got) -> i64 {
    assert_eq!(got.status, 200, "{:#}", got.json());
    got.json()["data"]["id"].as_i64().unwrap()
}

/// Opens a link ten times at once and twice more; returns the one payout.
async fn opened_often(server: &Server, path: &str, cookie: &str) -> PayoutId {
    let open = || server.send(link(server, path, cookie, OPENED));
    let mut answers = join_all((0..10).map(|_| open())).await;
    answers.push(open().await);
    answers.push(open().await);
    let payouts: BTreeSet<i64> = answers.iter().map(payout).collect();
    assert_eq!(payouts.len(), 1, "{payouts:?}");
    PayoutId::new(*payouts.first().unwrap()).unwrap()
}

async fn a_link_that_pays_out_pays_once(server: Server) {
    let world = &server.world;
    let athlete = world.earner(5_000).await;
    world.can_receive(&athlete).await;
    for (email, permission) in
        [("money@nil.example", Permission::Finance), ("people@nil.example", Permission::Accounts)]
    {
        world.new_operator(email, permission).await;
    }
    let session = log_in_operator(&server, "money@nil.example", PASSWORD).await;
    let other = log_in_operator(&server, "people@nil.example", PASSWORD).await;
    let trigger = format!("/admin/payment-records/payout/{}", athlete.id);

    for headers in FOREIGN {
        let got = server.send(link(&server, &trigger, &session.cookie, headers)).await;
        assert_eq!((got.status, got.code().as_str()), (403, "cross_site_request"), "{headers:?}");
    }
    let nobody = server.send(server.request(Method::GET, &trigger)).await;
    assert_eq!(nobody.status, 401);
    let not_theirs = server.send(link(&server, &trigger, &other.cookie, OPENED)).await;
    assert_eq!((not_theirs.status, not_theirs.code().as_str()), (403, "forbidden"));
    let head = server.request(Method::HEAD, &trigger).header("cookie", &session.cookie);
    assert_eq!(server.send(head).await.status, 405);
    assert_eq!(transfers(&server).await, [0_i64; 0]);
    assert_eq!(world.balance(&athlete).await, 5_000);

    let first = opened_often(&server, &trigger, &session.cookie).await;
    assert_eq!(transfers(&server).await, [5_000]);
    assert_eq!(world.balance(&athlete).await, 0);
    assert!(sandbox::let_arrive(&world.platform, first).await.unwrap());
    let again = server.send(link(&server, &trigger, &session.cookie, OPENED)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "nothing_to_pay_out"));
    assert_eq!(transfers(&server).await, [5_000]);

    // The bank returns the money: the link that sends it again does so once as well.
    assert!(sandbox::return_payout(&world.platform, first).await.unwrap());
    assert_eq!(world.balance(&athlete).await, 5_000);
    let before = transfers(&server).await;
    let retry = format!("/admin/payment-retry/payout/{}", first.get());
    for headers in FOREIGN {
        let got = server.send(link(&server, &retry, &session.cookie, headers)).await;
        assert_eq!((got.status, got.code().as_str()), (403, "cross_site_request"), "{headers:?}");
    }
    assert_eq!(transfers(&server).await, before);
    let second = opened_often(&server, &retry, &session.cookie).await;
    assert_ne!(second, first);
    assert_eq!(transfers(&server).await, [before, vec![5_000]].concat());
    assert_eq!(world.balance(&athlete).await, 0);
    world.books_are_right().await;
}
every_stack!(a_link_that_pays_out_pays_once);
