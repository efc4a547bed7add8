//! Tokens, sessions and CSRF over real sockets, on every stack.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use nil_core::auth::{Permission, Principal};
use nil_tests::door::{cookie_of, log_in_operator};
use nil_tests::{PASSWORD, Server, every_stack, trust};
use reqwest::Method;
use serde_json::json;

fn college(name: &str) -> serde_json::Value {
    json!({ "name": name, "division": "D1", "state": "IL", "time_zone": "America/Chicago" })
}

async fn a_token_is_good_until_its_log_out(server: Server) {
    let brand = server.world.partner("Northfield").await;
    let input = json!({ "email": brand.email, "password": PASSWORD });
    let answer = server.post("/api/login", &input).await;
    assert_eq!(answer.status, 200, "{:#}", answer.json());
    assert_eq!(answer.json()["token_type"], "Bearer");
    let token = answer.json()["access_token"].as_str().unwrap().to_owned();
    let with_token =
        |path: &str| server.request(Method::POST, path).bearer_auth(&token).json(&json!({}));
    assert_eq!(server.send(with_token("/api/me")).await.status, 200);
    assert_eq!(server.send(with_token("/api/fan/me")).await.status, 403);
    assert_eq!(server.send(with_token("/api/logout")).await.status, 200);
    let after = server.send(with_token("/api/me")).await;
    assert_eq!((after.status, after.header("www-authenticate")), (401, "Bearer"));
}
every_stack!(a_token_is_good_until_its_log_out);

async fn tokens_that_are_not_ours_are_401(server: Server) {
    let brand = server.world.partner("Northfield").await;
    let input = json!({ "email": brand.email, "password": PASSWORD });
    let answer = server.post("/api/login", &input).await.json();
    let token = answer["access_token"].as_str().unwrap();
    let (head, rest) = token.split_once('.').unwrap();
    let (claims, mark) = rest.split_once('.').unwrap();
    let mut wrong = vec![
        String::new(),
        "x".into(),
        ".".into(),
        "..".into(),
        "...".into(),
        "a.b.c".into(),
        "null".into(),
        "{}".into(),
        format!("{head}.{claims}."),
        format!("{head}.{claims}"),
        format!("{head}..{mark}"),
        format!(".{claims}.{mark}"),
        format!("{claims}.{head}.{mark}"),
        format!("{head}.{claims}.{}", mark.chars().rev().collect::<String>()),
        format!("{head}.{claims}.{}", mark.to_lowercase()),
        format!("{head}.{claims}.{mark}A"),
        format!("{head}.{claims}.{mark}="),
        format!("{head}.{claims}x.{mark}"),
        format!("{head}x.{claims}.{mark}"),
        format!("{head}.{claims}.{}", &mark[..mark.len() - 2]),
        format!("{token}.{mark}"),
        format!("{token}.{token}"),
        "A".repeat(64 * 1024 - 4_000),
        format!("{head}.{}.{mark}", "A".repeat(48 * 1024)),
    ];
    // Heads that ask for another check, or for a key from elsewhere, with the mark and without it.
    for other in [
        json!({ "typ": "JWT", "alg": "none" }),
        json!({ "typ": "JWT", "alg": "None" }),
        json!({ "typ": "JWT", "alg": "NONE" }),
        json!({ "typ": "JWT", "alg": "" }),
        json!({ "typ": "JWT", "alg": null }),
        json!({ "typ": "JWT" }),
        json!({ "typ": "JWT", "alg": "HS384" }),
        json!({ "typ": "JWT", "alg": "HS512" }),
        json!({ "typ": "JWT", "alg": "RS256" }),
        json!({ "typ": "JWT", "alg": "ES256" }),
        json!({ "typ": "JWT", "alg": "EdDSA" }),
        json!({ "typ": "JWT", "alg": "HS256", "kid": "../../../../dev/null" }),
        json!({ "typ": "JWT", "alg": "HS256", "kid": "' UNION SELECT 'key" }),
        json!({ "typ": "JWT", "alg": "HS256", "jku": "https://evil.example/keys" }),
        json!({ "typ": "JWT", "alg": "HS256", "x5u": "https://evil.example/key" }),
        json!({ "typ": "JWT", "alg": "HS256", "jwk": { "kty": "oct", "k": "AA" } }),
    ] {
        let other = BASE64_URL_SAFE_NO_PAD.encode(other.to_string());
        wrong.push(format!("{other}.{claims}."));
        wrong.push(format!("{other}.{claims}.{mark}"));
    }
    // A mark made with keys that anybody can think of.
    for key in ["", "secret", "nil", "\0"] {
        let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
        let signed = hmac::sign(&key, format!("{head}.{claims}").as_bytes());
        let mark = BASE64_URL_SAFE_NO_PAD.encode(signed.as_ref());
        wrong.push(format!("{head}.{claims}.{mark}"));
    }
    assert!(wrong.len() >= 50, "{}", wrong.len());
    for token in &wrong {
        let request = server.request(Method::POST, "/api/me").bearer_auth(token);
        let status = server.send(request).await.status;
        assert_eq!(status, 401, "{}", &token[..token.len().min(80)]);
    }
    // Another interface's token is not accepted here.
    let request = server.request(Method::GET, "/api/compliance/college/users");
    let elsewhere = server.send(request.bearer_auth(token)).await;
    assert!(matches!(elsewhere.status, 401 | 404), "{}", elsewhere.status);
    trust::tried("A3", "tokens", wrong.len() + 1);
}
every_stack!(tokens_that_are_not_ours_are_401);

async fn an_announcement_to_a_group_is_shown_to_its_members(server: Server) {
    let world = &server.world;
    let operator = world.operator(&[Permission::Messaging]);
    let brands = json!({ "name": "Brands", "kinds": ["partner"] });
    let brands = world.call("admin.announcement.save_group", &operator, brands).await.data();
    for (title, group) in [("For all", json!(null)), ("For brands", brands["id"].clone())] {
        let input = json!({
            "title": title, "body": "<p>We move.</p>", "group_id": group,
            "starts_at": world.platform.now(),
        });
        world.call("admin.announcement.save", &operator, input).await.data();
    }
    let brand = world.partner("Northfield").await;
    let athlete = world.athlete("Jordan Rivera").await;
    let (_, portal) = world.portal_user(world.college().await, "owner").await;
    let stale = world.partner("Harbor Books").await.token.unwrap();
    let log_out = server.request(Method::POST, "/api/logout").bearer_auth(&stale);
    assert_eq!(server.send(log_out).await.status, 200);

    let all = ["For all"];
    for (who, token, expected) in [
        ("a brand", brand.token.clone(), &["For all", "For brands"][..]),
        ("an athlete", athlete.token.clone(), &all),
        ("a compliance officer", Some(portal), &all),
        ("a token that is over", Some(stale.clone()), &all),
        ("no token of ours", Some("x".into()), &all),
        ("nobody", None, &all),
    ] {
        let mut request = server.request(Method::GET, "/api/announcements");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let answer = server.send(request).await;
        assert_eq!(answer.status, 200, "{who}");
        let shown = answer.json()["data"].as_array().unwrap().clone();
        let mut shown: Vec<_> = shown.iter().map(|it| it["title"].as_str().unwrap()).collect();
        shown.sort_unstable();
        assert_eq!(shown, expected, "{who}");
    }
    let input = json!({ "email": brand.email, "password": PASSWORD });
    let again = server.request(Method::POST, "/api/login").bearer_auth(stale).json(&input);
    assert_eq!(server.send(again).await.status, 200, "an old token locks nobody out");
}
every_stack!(an_announcement_to_a_group_is_shown_to_its_members);

async fn the_eleventh_log_in_of_a_minute_waits(server: Server) {
    // One account each, so that only the address is throttled and no account's delay applies.
    let input = |n| json!({ "email": format!("nobody{n}@example.com"), "password": "long enough" });
    for number in 0..10 {
        let answer = server.post("/api/login", &input(number)).await;
        assert_eq!((answer.status, answer.code().as_str()), (401, "wrong_credentials"));
    }
    let answer = server.post("/api/login", &input(10)).await;
    assert_eq!(answer.status, 429);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() <= 60);
    // Who claims to come from elsewhere is counted here all the same: no proxy is trusted.
    for (number, name) in
        ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"]
            .into_iter()
            .enumerate()
    {
        let value = if name == "forwarded" { "for=198.18.0.7" } else { "198.18.0.7" };
        let request = server.request(Method::POST, "/api/login").json(&input(11 + number));
        let answer = server.send(request.header(name, value)).await;
        assert_eq!(answer.status, 429, "{name}");
    }
    trust::tried("A9", "attempts", 16);
}
every_stack!(the_eleventh_log_in_of_a_minute_waits);

async fn registration_steps_count_by_address_whatever_the_token(server: Server) {
    let mut tokens = Vec::new();
    for _ in 0..16 {
        let begun =
            server.world.call("core.registration.fan_start", &Principal::Anonymous, json!({}));
        tokens.push(begun.await.data()["registration_token"].clone());
    }
    for (number, token) in tokens.iter().enumerate() {
        let name =
            json!({ "registration_token": token, "first_name": "Casey", "last_name": "Field" });
        let answer = server.post("/api/fan/update-registration-step3", &name).await;
        let expected = if number < 15 { 200 } else { 429 };
        assert_eq!(answer.status, expected, "{number}: {:#}", answer.json());
    }
    trust::tried("A9", "attempts", tokens.len());
}
every_stack!(registration_steps_count_by_address_whatever_the_token);

async fn an_admin_write_needs_the_sessions_own_csrf_token(server: Server) {
    let email = server.world.chief_operator().await;
    let session = log_in_operator(&server, email, PASSWORD).await;
    let other = log_in_operator(&server, email, PASSWORD).await;
    let save = |csrf: Option<&str>, name: &str| {
        let request = server
            .request(Method::POST, "/admin/college/save")
            .header("cookie", &session.cookie)
            .json(&college(name));
        match csrf {
            Some(token) => request.header("x-csrf-token", token),
            None => request,
        }
    };
    let cookie = session.cookie.split_once('=').unwrap().1.to_owned();
    for wrong in [None, Some(""), Some(other.csrf.as_str()), Some(cookie.as_str())] {
        let refused = server.send(save(wrong, "Nowhere")).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "csrf_invalid"), "{wrong:?}");
    }
    let saved = server.send(save(Some(&session.csrf), "Lakeshore")).await;
    assert_eq!(saved.status, 200, "{:#}", saved.json());
    // A form works too, with the token among its fields.
    let form = format!(
        "_token={}&name=Redwood&division=D2&state=CA&time_zone=America/Los_Angeles&\
             email_domains[]=redwood.example",
        session.csrf
    );
    let request = server
        .request(Method::POST, "/admin/college/save")
        .header("cookie", &session.cookie)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form);
    let saved = server.send(request).await;
    assert_eq!(saved.status, 200, "{:#}", saved.json());
    assert_eq!(saved.json()["data"]["email_domains"], json!(["redwood.example"]));
    let all = server.post("/api/listColleges", &json!({})).await.json();
    assert_eq!(all["pagination"]["total"], 2, "no refused request left anything");
}
every_stack!(an_admin_write_needs_the_sessions_own_csrf_token);

async fn logging_in_changes_the_session_and_logging_out_ends_it(server: Server) {
    let email = server.world.chief_operator().await;
    let visit = server.get("/admin/updateCsrfToken").await;
    let before = cookie_of(&visit);
    assert!(visit.header("set-cookie").contains("HttpOnly; SameSite=Strict"));
    let session = log_in_operator(&server, email, PASSWORD).await;
    assert_ne!(before, session.cookie);
    let with = |method, path: &str| server.request(method, path).header("cookie", &session.cookie);
    let foreign = with(Method::GET, "/admin/logout").header("sec-fetch-site", "cross-site");
    assert_eq!(server.send(foreign).await.code(), "cross_site_request");
    assert_eq!(server.send(with(Method::HEAD, "/admin/logout")).await.status, 405);
    assert_eq!(server.send(with(Method::GET, "/admin/logout")).await.status, 200);
    let after = server.send(with(Method::GET, "/admin/logout")).await;
    assert_eq!(after.status, 401);
}
every_stack!(logging_in_changes_the_session_and_logging_out_ends_it);

async fn a_core_token_is_no_admin_session(server: Server) {
    let brand = server.world.partner("Northfield").await;
    let input = json!({ "email": brand.email, "password": PASSWORD });
    let answer = server.post("/api/login", &input).await.json();
    let token = answer["access_token"].as_str().unwrap();
    let request = server.request(Method::GET, "/admin/logout").bearer_auth(token);
    assert_eq!(server.send(request).await.status, 403);
    assert_eq!(server.get("/admin/logout").await.status, 401);
}
every_stack!(a_core_token_is_no_admin_session);
