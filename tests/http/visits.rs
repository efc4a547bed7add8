//! The pages that links in mails lead to, opened and sent as a browser does.

use std::sync::Arc;

use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_core::ports::courier::{Courier, Letter};
use nil_tests::{Got, Messenger, PASSWORD, Server, every_stack};
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
    let path = format!("/guardian-consent?token={token}");
    let request = server.request(Method::GET, &path).header("accept-language", "es-US,en;q=0.5");
    let got = server.send(request).await;
    assert_eq!([got.header("content-language"), got.header("vary")], ["es", "accept-language"]);
    let page = text(&got);
    for part in ["<html lang=\"es\">", "Su consentimiento", "Doy mi consentimiento"] {
        assert!(page.contains(part), "{part}: {page}");
    }
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

/// The letters that went out, once everything is split and delivered.
async fn letters(server: &mut Server) -> Vec<Letter> {
    let courier = Arc::new(Messenger::default());
    let carries: Arc<dyn Courier> = courier.clone();
    server.world.reopen(|config| config.courier = Some(carries)).await;
    for _ in 0..2 {
        nil_core::worker::round(&server.world.platform).await.unwrap();
    }
    courier.handed()
}

async fn mails_of_a_kind_end_by_their_link(mut server: Server) {
    let athlete = server.world.athlete("Jordan Rivera").await;
    let brand = server.world.partner("Northfield").await;
    let job = server.world.open_job(&brand, json!({})).await;
    server.world.apply(&athlete, job).await;
    let ask = json!({ "email": brand.email });
    server.world.call("core.auth.forget_password", &Principal::Anonymous, ask).await.data();
    let sent = letters(&mut server).await;
    let of = |event: &str| sent.iter().find(|one| one.event == event && one.to == brand.email);
    // A password cannot be had without mail, so this is not theirs to choose.
    assert_eq!(of("password.reset").expect("a reset").unsubscribe, None);
    let optional = sent.iter().find(|one| one.to == brand.email && one.unsubscribe.is_some());
    let mail = optional.expect("a mail that the brand may end");
    let url = mail.unsubscribe.clone().unwrap();
    let (_, token) = url.split_once("/unsubscribe?token=").expect("the page");
    let wanted = async |server: &Server| {
        let name = "core.notification.preferences";
        let all = server.world.call(name, &brand.principal, json!({})).await.data();
        let one = all.as_array().unwrap().iter().find(|one| one["event"] == mail.event).cloned();
        one.unwrap()
    };
    assert_eq!(wanted(&server).await["email"], true);
    assert_eq!(server.get(&format!("/unsubscribe?token={token}")).await.status, 200);
    assert_eq!(wanted(&server).await["email"], true, "opening the page changes nothing");
    let forged = token.replace(&mail.event, "payment.received");
    assert_eq!(post(&server, "/unsubscribe", &[("token", &forged)]).await.status, 422);
    // A mail program sends this to the whole address.
    let by_one_click = [("List-Unsubscribe", "One-Click")];
    let address = format!("/unsubscribe?token={token}");
    assert_eq!(post(&server, &address, &by_one_click).await.status, 200);
    let after = wanted(&server).await;
    assert_eq!((&after["email"], &after["in_app"]), (&json!(false), &json!(true)), "{after}");
    // A person does the same by the form, as often as they like.
    let (status, page) = send(&server, "/unsubscribe", token, &[]).await;
    assert!(status == 200 && page.contains("You get no more mails of this kind."), "{page}");
}
every_stack!(mails_of_a_kind_end_by_their_link);

async fn an_officer_ends_mails_at_the_back_office(mut server: Server) {
    let college = server.world.college().await;
    let (owner, _) = server.world.portal_user(college, "owner").await;
    let office = "https://office.nil.example";
    server.world.reopen(|config| config.back_office_url = Some(office.into())).await;
    let request = json!({
        "college_id": college, "email": "dana@lakeshore.example", "name": "Dana",
        "password": "an officer's passphrase", "role": "viewer",
    });
    let register = "compliance.auth.register";
    server.world.call(register, &Principal::Anonymous, request).await.data();
    let token = server.world.link_for("dana@lakeshore.example", "portal_user.confirm").await;
    let confirm = json!({ "token": token });
    server.world.call("compliance.auth.verify_email", &Principal::Anonymous, confirm).await.data();
    let sent = letters(&mut server).await;
    let mail = sent.iter().find(|one| one.unsubscribe.is_some()).expect("a mail to the owner");
    let url = mail.unsubscribe.clone().unwrap();
    let path = url.strip_prefix(office).expect("the back office");
    assert!(path.starts_with("/compliance/unsubscribe?token="), "{path}");
    assert_eq!(post(&server, path, &[("List-Unsubscribe", "One-Click")]).await.status, 200);
    let list = "compliance.notification.preferences";
    let all = server.world.call(list, &owner, json!({})).await.data();
    let one = all.as_array().unwrap().iter().find(|one| one["event"] == mail.event).unwrap();
    assert_eq!(one["email"], false);
}
every_stack!(an_officer_ends_mails_at_the_back_office);
