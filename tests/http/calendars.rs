//! Calendars as calendar programs ask for them: without a log-in, again and again.

use nil_core::auth::Principal;
use nil_tests::{Server, every_stack};
use reqwest::Method;
use serde_json::json;

/// The path of a new address.
async fn path(server: &Server, interface: &str, who: &Principal) -> String {
    let make = format!("{interface}.calendar.make");
    let made = server.world.call(&make, who, json!({})).await.data();
    let address = made["address"].as_str().expect("an address");
    let public = server.world.platform.config().public_url.trim_end_matches('/');
    address.strip_prefix(public).expect("an address of this platform").to_owned()
}

async fn a_calendar_is_read_by_its_address_alone(server: Server) {
    let athlete = server.world.athlete("Zoe Okafor").await;
    let other = server.world.athlete("Jordan Lake").await;
    let officer = server.world.portal_user(server.world.college().await, "viewer").await.0;
    for (interface, who) in
        [("core", &athlete.principal), ("core", &other.principal), ("compliance", &officer)]
    {
        let path = path(&server, interface, who).await;
        let first = server.get(&path).await;
        assert_eq!(first.status, 200, "{path}");
        assert_eq!(first.header("content-type"), "text/calendar; charset=utf-8");
        assert_eq!(first.header("cache-control"), "private, no-cache");
        assert_eq!(first.header("content-length"), first.bytes.len().to_string());
        assert!(first.bytes.starts_with(b"BEGIN:VCALENDAR\r\n"));
        assert!(first.bytes.ends_with(b"END:VCALENDAR\r\n"));
        // Counted by the address, however many others were read from here.
        assert_eq!(first.header("ratelimit-limit"), "200");
        assert_eq!(first.header("ratelimit-remaining"), "199");
        let tag = first.header("etag").to_owned();
        let ask = |known: &str| {
            server.send(server.request(Method::GET, &path).header("if-none-match", known))
        };
        let again = ask(&tag).await;
        assert_eq!((again.status, again.bytes.len()), (304, 0));
        assert_eq!(
            (again.header("etag"), again.header("cache-control")),
            (&*tag, "private, no-cache")
        );
        assert_eq!(ask("\"other\"").await.bytes, first.bytes);
        let head = server.send(server.request(Method::HEAD, &path)).await;
        assert_eq!((head.status, head.bytes.len(), head.header("etag")), (200, 0, &*tag));

        // Nobody learns whether there ever was one.
        server.world.call(&format!("{interface}.calendar.revoke"), who, json!({})).await.data();
        let revoked = server.get(&path).await;
        let unknown = server.get(&path.replace(|c: char| c.is_ascii_digit(), "7")).await;
        for gone in [&revoked, &unknown] {
            assert_eq!((gone.status, gone.code().as_str()), (404, "not_found"));
            assert_eq!(gone.json()["message"], revoked.json()["message"]);
            assert!(gone.headers.get("etag").is_none());
            assert_eq!(gone.header("cache-control"), "no-store");
        }
        // Programs look for a calendar server there, too.
        let propfind = Method::from_bytes(b"PROPFIND").unwrap();
        assert_eq!(server.send(server.request(propfind, &path)).await.status, 405);
    }
}
every_stack!(a_calendar_is_read_by_its_address_alone);
