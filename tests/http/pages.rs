//! The pages besides the operations, and the compression of responses. The same on every stack.

use std::io::Read as _;
use std::sync::Arc;

use nil_core::catalog::Interface;
use nil_core::http::{Pages, Site, SiteOptions};
use nil_http_poem::console::Console;
use nil_tests::{Server, every_stack};
use reqwest::Method;
use serde_json::json;

use crate::console::Browser;

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip");
    plain
}

async fn every_interface_has_a_page_that_needs_no_other_server(server: Server) {
    for base in ["/api", "/api/compliance", "/admin"] {
        let page = server.get(&format!("{base}/docs")).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(page.header("content-security-policy").contains("script-src 'self';"));
        let text = String::from_utf8(page.bytes).unwrap();
        let mut files = 0;
        for address in text.split('"').filter(|part| part.starts_with('/') && *part != base) {
            assert_eq!(server.get(address).await.status, 200, "{address}");
            files += 1;
        }
        assert_eq!(files, 4, "{text}");
        assert!(!text.contains("http:") && !text.contains("https:"), "{text}");
        let document = server.get(&format!("{base}/openapi.json")).await.json();
        assert_eq!(document["servers"], json!([{ "url": base }]));
    }
    assert_eq!(server.get("/api/docs/../../etc/passwd").await.status, 404);
    assert_eq!(server.get("/api/docs/other.js").await.status, 404);
    let asked = server.send(server.request(Method::POST, "/api/docs")).await;
    assert_eq!(asked.status, 404);
}
every_stack!(every_interface_has_a_page_that_needs_no_other_server);

async fn the_index_leads_to_everything_here(server: Server) {
    let page = server.get("/").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let text = String::from_utf8(page.bytes).unwrap();
    let links: Vec<&str> =
        text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.contains(&"/api/docs") && links.contains(&"/admin/openapi.json"), "{links:?}");
    for link in links {
        let answer = server.get(link).await;
        // The pages of people lead whoever is not signed in to the sign-in.
        let leads_on = answer.header("location").to_owned();
        let shown = if answer.status == 303 { server.get(&leads_on).await } else { answer };
        assert_eq!(shown.status, 200, "{link}");
    }
    for entrance in ["/portal", "/console"] {
        assert!(text.contains(&format!("href=\"{entrance}\"")), "{text}");
    }
    let wrong = server.send(server.request(Method::POST, "/")).await;
    assert_eq!(wrong.status, 404);
}
every_stack!(the_index_leads_to_everything_here);

/// What browsers ask for when somebody types an address.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn a_browser_is_led_to_the_one_entrance_that_fits(server: Server) {
    let ask = async |cookie: &str| {
        let request = server.request(Method::GET, "/").header("accept", BROWSER);
        let got = server.send(request.header("cookie", cookie)).await;
        (got.status, got.header("location").to_owned())
    };
    let choice = (200, String::new());
    assert_eq!(ask("").await, choice, "people choose between the two");
    let college = server.world.college().await;
    let (officer, token) = server.world.new_portal_user(college, "officer").await;
    let officer = Browser::sign_in(&server, "/portal", &officer).await;
    assert_eq!(ask(&officer.cookie).await, (303, "/portal".to_owned()));
    let operator = server.world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", operator).await;
    assert_eq!(ask(&operator.cookie).await, (303, "/console".to_owned()));
    assert_eq!(ask(&format!("{}; {}", officer.cookie, operator.cookie)).await, choice);
    // Programs get the page, whatever they send along.
    let program = server.request(Method::GET, "/").header("cookie", &officer.cookie);
    assert_eq!(server.send(program).await.status, 200);
    // A session that has ended leads nowhere.
    let end = server.request(Method::POST, "/api/compliance/sessions/end");
    assert_eq!(server.send(end.bearer_auth(&token).json(&json!({}))).await.status, 200);
    assert_eq!(ask(&officer.cookie).await, choice);
    // Where there is one entrance, there is nothing to choose.
    for (interface, path) in [(Interface::Compliance, "/portal"), (Interface::Admin, "/console")] {
        let pages: Option<Arc<dyn Pages>> = Some(Arc::new(Console::new()));
        let options = SiteOptions { pages, ..SiteOptions::default() };
        let platform = server.world.platform.clone();
        let site = Site::new(platform, &[Interface::Core, interface], options).unwrap();
        let site = site.at("/nil").unwrap();
        let request = poem::http::Request::get("/nil/").header("accept", BROWSER);
        let request = request.body(axum::body::Body::empty()).unwrap();
        let answer = site.answer(request).await;
        assert_eq!(answer.status(), 303);
        assert_eq!(answer.headers()["location"], format!("/nil{path}"));
    }
}
every_stack!(a_browser_is_led_to_the_one_entrance_that_fits);

async fn text_is_packed_for_those_who_take_it(server: Server) {
    for address in ["/api/openapi.json", "/api/docs/swagger-ui-bundle.js"] {
        let plain = server.get(address).await;
        assert!(plain.headers.get("content-encoding").is_none());
        let request = server.request(Method::GET, address).header("accept-encoding", "br, gzip");
        let packed = server.send(request).await;
        assert_eq!(packed.header("content-encoding"), "gzip");
        assert!(packed.bytes.len() * 3 < plain.bytes.len());
        assert_eq!(packed.header("content-length"), packed.bytes.len().to_string());
        assert_eq!(unpacked(&packed.bytes), plain.bytes);
    }
    let answer = server.post("/api/listColleges", &json!({})).await;
    assert_eq!(answer.header("vary"), "accept-encoding");
    let small = server
        .request(Method::POST, "/api/listColleges")
        .header("accept-encoding", "gzip")
        .json(&json!({ "per_page": 1 }));
    assert!(server.send(small).await.headers.get("content-encoding").is_none());
}
every_stack!(text_is_packed_for_those_who_take_it);
