//! The pages that links in mails lead to, opened and sent as a browser does.

use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_tests::{Got, PASSWORD, Server, every_stack};
use reqwest::Method;
use serde_json::json;

const NEW: &str = "a walk along the lake";

fn text(page: &Got) -> String {
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("form-action 'self'") && !policy.contains("script"), "{policy}");
    String::from_utf8(page.bytes.clone()).unwrap()
}

/// Sends a form as a browser does.
async fn post(server: &Server, path: &str, fields: &[(&str, &str)]) -> Got {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields);
    let request = server.request(Method::POST, path);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    server.send(request.body(form.finish())).await
}

/// Opens the page of a link, and sends its form with these fields.
async fn send(server: &Server, path: &str, token: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let opened = text(&server.get(&format!("{path}?token={token}")).await);
    assert!(opened.contains(&format!("action=\"{path}\"")), "{opened}");
    assert!(opened.contains(&format!("name=\"token\" value=\"{token}\"")), "{opened}");
    let mut form = vec![("token", token)];
    form.extend(fields);
    let sent = post(server, path, &form).await;
    (sent.status, text(&sent))
}

async fn core_log_in(server: &Server, email: &str, password: &str) -> u16 {
    server.post("/api/login", &json!({ "email": email, "password": password })).await.status
}

async fn a_password_is_set_by_the_link_of_a_mail_once(server: Server) {
    const PATH: &str = "/reset-password";
    let brand = server.world.partner("Northfield").await;
    let ask = json!({ "email": brand.email });
    server.world.call("core.auth.forget_password", &Principal::Anonymous, ask).await.data();
    let token = server.world.link_for(&brand.email, "password.reset").await;
    // Programs that check mails open links: nothing happens.
    for _ in 0..3 {
        assert_eq!(server.get(&format!("{PATH}?token={token}")).await.status, 200);
    }
    let (status, page) = send(&server, PATH, &token, &[("password", "short")]).await;
    assert_eq!(status, 422, "{page}");
    assert!(page.contains("role=\"alert\"") && page.contains("The password "), "{page}");
    assert!(page.contains("name=\"password\""), "the form is there again: {page}");
    let (status, page) = send(&server, PATH, &token, &[("password", NEW)]).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("Your new password is set."), "{page}");
    assert_eq!(core_log_in(&server, &brand.email, NEW).await, 200);
    assert_eq!(core_log_in(&server, &brand.email, PASSWORD).await, 401);
    let (status, page) = send(&server, PATH, &token, &[("password", NEW)]).await;
    assert_eq!(status, 422);
    assert!(page.contains("This link is not valid") && !page.contains("<form"), "{page}");
}
every_stack!(a_password_is_set_by_the_link_of_a_mail_once);

async fn a_guardian_decides(server: Server) {
    server.world.minor("Ana Young").await;
    let rows = outbox::list(&server.world.platform, 1_000).await.unwrap();
    let mail = rows.iter().find(|row| row.event == "guardian.consent").expect("a mail");
    let token = server.world.link_for(&mail.to, "guardian.consent").await;
    let (status, page) = send(&server, "/guardian-consent", &token, &[("decision", "no")]).await;
    assert_eq!(status, 200, "{page}");
    let declined = "SELECT COUNT(*) FROM audit_entry WHERE action = 'guardian_declined'";
    assert_eq!(server.world.id(declined).await, 1);
}
every_stack!(a_guardian_decides);

async fn an_invitation_is_accepted(server: Server) {
    const PATH: &str = "/compliance/set-password";
    let college = server.world.college().await;
    let (owner, _) = server.world.portal_user(college, "owner").await;
    let invite = json!({ "email": "new@lakeshore.example", "name": "New", "role": "viewer" });
    server.world.call("compliance.portal_user.invite", &owner, invite).await.data();
    let token = server.world.link_for("new@lakeshore.example", "portal_user.invited").await;
    let (status, page) = send(&server, PATH, &token, &[("password", NEW)]).await;
    assert_eq!(status, 200, "{page}");
    let log_in = json!({ "email": "new@lakeshore.example", "password": NEW });
    assert_eq!(server.post("/api/compliance/login", &log_in).await.status, 200);
}
every_stack!(an_invitation_is_accepted);

async fn a_page_takes_nothing_but_its_form(server: Server) {
    // What is in the address is text in the page.
    let evil = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let page = text(&server.get(&format!("/verify-email?token={evil}")).await);
    assert!(!page.contains("<script") && page.contains("&quot;&gt;&lt;script&gt;"), "{page}");
    let head = server.send(server.request(Method::HEAD, "/verify-email")).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    let put = server.send(server.request(Method::PUT, "/verify-email")).await;
    assert_eq!(put.status, 404);
    let long = "x".repeat(17 * 1024);
    assert_eq!(post(&server, "/verify-email", &[("token", &long)]).await.status, 413);
    let sent = server.request(Method::POST, "/verify-email").body(vec![0xff; 100]);
    assert_eq!(server.send(sent).await.status, 422);
    // It counts against the same limit as the operation.
    let mut last = 0;
    for _ in 0..400 {
        last = post(&server, "/verify-email", &[("token", "wrong")]).await.status;
        if last == 429 {
            break;
        }
        assert_eq!(last, 422);
    }
    assert_eq!(last, 429);
}
every_stack!(a_page_takes_nothing_but_its_form);

async fn links_lead_to_the_pages(mut server: Server) {
    let world = &mut server.world;
    let brand = world.partner("Northfield").await;
    let ask = json!({ "email": brand.email });
    let forget = "core.auth.forget_password";
    world.call(forget, &Principal::Anonymous, ask.clone()).await.data();
    let mail = world.mail(&brand.email, "password.reset").await.unwrap();
    let own = world.platform.config().public_url.clone();
    assert!(mail.contains(&format!("{own}/reset-password?token=")), "{mail}");
    let portal = "https://app.nil.example";
    world.reopen(|config| config.portal_url = Some(portal.into())).await;
    world.call(forget, &Principal::Anonymous, ask).await.data();
    let mail = world.mail(&brand.email, "password.reset").await.unwrap();
    assert!(mail.contains(&format!("{portal}/reset-password?token=")), "{mail}");
}
every_stack!(links_lead_to_the_pages);
