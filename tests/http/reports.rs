//! Reports about mails and text messages, as services send them.

use nil_core::kernel::Secret;
use nil_core::keys::WebhookSecret;
use nil_core::ports::courier::SmsReports;
use nil_tests::{Engine, Frontend, Server, World, both_frontends};
use reqwest::Method;
use serde_json::json;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

async fn signed_reports_are_heard(frontend: Frontend) {
    let secret = WebhookSecret::read(SECRET).unwrap();
    let texts = SmsReports::new("https://nil.example", Secret::new("12345"));
    let (mails, provider) = (secret.clone(), texts.clone());
    let world = World::configured(Engine::Sqlite, |config| {
        config.mail_reports = Some(mails);
        config.sms_reports = Some(provider);
    });
    let world = world.await;
    let brand = world.partner("Cedar Coffee").await;
    let now = world.platform.now().to_rfc3339();
    let message = world
        .id(&format!(
            "INSERT INTO outbox (channel, recipient, address, event, data, status, attempts, \
             next_at, created_at) VALUES ('sms', 'user:{}', '+12175550123', 'job.approved', '{{}}', \
             'sent', 1, '{now}', '{now}') RETURNING id",
            brand.user_id
        ))
        .await;
    let at = world.platform.now();
    let server = Server::start(world, frontend).await;

    let body = json!({ "type": "mail.bounced", "timestamp": at, "data": { "email": brand.email } });
    let body = body.to_string();
    let mail = |signature: String| {
        let request = server.request(Method::POST, "/api/mail/report");
        request
            .header("content-type", "application/json")
            .header("webhook-id", "msg_1")
            .header("webhook-timestamp", at.timestamp().to_string())
            .header("webhook-signature", signature)
            .body(body.clone())
    };
    assert_eq!(server.send(mail("v1,AAAA".into())).await.status, 401);
    let heard = server.send(mail(secret.sign("msg_1", at, &body))).await;
    assert_eq!((heard.status, heard.json()["data"]["received"].as_bool()), (200, Some(true)));

    let fields = [("To", "+12175550123"), ("MessageStatus", "failed"), ("ErrorCode", "21211")];
    let owned = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let text = |of: i64| {
        let request = server.request(Method::POST, &format!("/api/sms/report?message={message}"));
        request
            .header("content-type", "application/x-www-form-urlencoded")
            .header("x-twilio-signature", texts.sign(&of.to_string(), &owned))
            .body(form.clone())
    };
    assert_eq!(server.send(text(message + 1)).await.status, 401);
    assert_eq!(server.send(text(message)).await.status, 200);
    let closed = server.world.id("SELECT COUNT(*) FROM undeliverable").await;
    assert_eq!(closed, 2);
}
both_frontends!(signed_reports_are_heard);
