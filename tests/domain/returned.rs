//! Mails that came back and numbers that take no texts: reports are believed once, and nothing that
//! can be done without is sent there until the address is confirmed anew.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::Secret;
use nil_core::keys::WebhookSecret;
use nil_core::notifications::outbox::{self, OutboxStatus};
use nil_core::ports::courier::SmsReports;
use nil_tests::{Engine, Messenger, Person, World, both};
use serde_json::{Value, json};

use crate::delivery::{the_mail, work};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NUMBER: &str = "+12175550123";
const NOBODY: Principal = Principal::Anonymous;

fn secret() -> WebhookSecret {
    WebhookSecret::read(SECRET).unwrap()
}

fn texts() -> SmsReports {
    SmsReports::new("https://nil.example", Secret::new("12345"))
}

/// A platform that hears reports.
async fn listening(engine: Engine) -> (World, Arc<Messenger>) {
    let courier = Arc::new(Messenger::default());
    let configured = courier.clone();
    let world = World::configured(engine, |config| {
        config.courier = Some(configured);
        config.mail_reports = Some(secret());
        config.sms_reports = Some(texts());
    });
    (world.await, courier)
}

/// A report about a mail, as its sender signs it now.
fn report(world: &World, id: &str, what: &str, email: &str) -> Value {
    let at = world.platform.now();
    let body = json!({ "type": what, "timestamp": at, "data": { "email": email } }).to_string();
    let signature = secret().sign(id, at, &body);
    json!({
        "report_id": id, "sent_at": at.timestamp().to_string(), "signature": signature, "body": body
    })
}

async fn told(world: &World, report: Value) -> u16 {
    world.call("core.mail.report", &NOBODY, report).await.status
}

/// What becomes of the next mail that somebody can do without.
async fn next_mail(world: &World, to: &Person) -> OutboxStatus {
    world.script("DELETE FROM outbox WHERE event = 'announcement.published'").await;
    world.tell(to, "News").await;
    work(world).await;
    the_mail(world, to).await.status
}

async fn only_what_is_needed_goes_where_mails_came_back(engine: Engine) {
    let (world, courier) = listening(engine).await;
    let (brand, other) = (world.partner("Cedar Coffee").await, world.partner("Ridge").await);
    assert_eq!(told(&world, report(&world, "a", "mail.deferred", &brand.email)).await, 200);
    assert_eq!(next_mail(&world, &brand).await, OutboxStatus::Sent);
    let shouted = brand.email.to_uppercase();
    let bounced = report(&world, "b", "mail.bounced", &shouted);
    assert_eq!(told(&world, bounced.clone()).await, 200);
    assert_eq!(next_mail(&world, &brand).await, OutboxStatus::Dead);
    assert_eq!(next_mail(&world, &other).await, OutboxStatus::Sent);
    let why = the_mail(&world, &other).await.why;
    assert_eq!(why, None);

    // A link for a new password is sent all the same, and shows that mails arrive.
    let before = courier.handed().len();
    let forget = json!({ "email": brand.email });
    world.call("core.auth.forget_password", &NOBODY, forget).await.data();
    let token = world.link_for(&brand.email, "password.reset").await;
    work(&world).await;
    assert_eq!(courier.handed().len(), before + 1);
    let new = json!({ "token": token, "password": "another long passphrase" });
    world.call("core.auth.confirm_password_reset", &NOBODY, new).await.data();
    assert_eq!(next_mail(&world, &brand).await, OutboxStatus::Sent);
    // A report that is heard once more changes nothing.
    assert_eq!(told(&world, bounced).await, 200);
    assert_eq!(next_mail(&world, &brand).await, OutboxStatus::Sent);
    let complained = report(&world, "c", "mail.complained", &brand.email);
    assert_eq!(told(&world, complained).await, 200);
    assert_eq!(next_mail(&world, &brand).await, OutboxStatus::Dead);
}
both!(only_what_is_needed_goes_where_mails_came_back);

async fn a_report_is_believed_only_with_its_signature(engine: Engine) {
    let (mut world, _courier) = listening(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let good = report(&world, "a", "mail.bounced", &brand.email);
    for (field, value) in [
        ("report_id", json!("b")),
        ("sent_at", json!("1")),
        ("sent_at", json!("never")),
        ("sent_at", Value::Null),
        ("signature", json!("v1,AAAA")),
        ("signature", Value::Null),
        ("body", json!(good["body"].as_str().unwrap().replace("bounced", "complained"))),
    ] {
        let mut forged = good.clone();
        forged[field] = value;
        assert_eq!(told(&world, forged).await, 401, "{field}");
    }
    let early = report(&world, "a", "mail.bounced", &brand.email);
    world.pass(TimeDelta::minutes(6));
    assert_eq!(told(&world, early).await, 401);
    for (what, email) in [("mail.eaten", &*brand.email), ("mail.bounced", "nobody")] {
        assert_eq!(told(&world, report(&world, "c", what, email)).await, 422, "{what}");
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM undeliverable").await, 0);
    world.reopen(|config| config.mail_reports = None).await;
    let unheard = report(&world, "d", "mail.bounced", &brand.email);
    assert_eq!(told(&world, unheard).await, 401);
}
both!(a_report_is_believed_only_with_its_signature);

/// A text message that was sent to the number, or waits.
async fn text(world: &World, to: &Person, status: &str) -> i64 {
    let now = world.platform.now().to_rfc3339();
    let insert = format!(
        "INSERT INTO outbox (channel, recipient, address, event, body, data, status, attempts, \
         next_at, created_at) VALUES ('sms', 'user:{}', '{NUMBER}', 'deliverable.due_soon', 'Due.', \
         '{{}}', '{status}', 0, '{now}', '{now}') RETURNING id",
        to.user_id
    );
    world.id(&insert).await
}

fn status_of(message: i64, status: &str, code: Option<&str>) -> Value {
    let mut form = vec![("To", NUMBER), ("MessageStatus", status), ("MessageSid", "SM1")];
    form.extend(code.map(|code| ("ErrorCode", code)));
    let owned: Vec<_> = form.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let signature = texts().sign(&message.to_string(), &owned);
    json!({ "message": message.to_string(), "signature": signature, "body": body })
}

async fn no_texts_go_to_a_number_that_takes_none(engine: Engine) {
    let (world, _courier) = listening(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let hear = async |report: Value| world.call("core.sms.report", &NOBODY, report).await.status;
    let sent = text(&world, &brand, "sent").await;
    let next = async || {
        let id = text(&world, &brand, "pending").await;
        work(&world).await;
        let row = outbox::find(&world.platform, nil_core::kernel::OutboxId::new(id).unwrap());
        row.await.unwrap().unwrap().status
    };
    for (status, code) in [("sent", None), ("delivered", None), ("undelivered", Some("30003"))] {
        assert_eq!(hear(status_of(sent, status, code)).await, 200);
    }
    assert_eq!(next().await, OutboxStatus::Sent);
    let mut forged = status_of(sent, "failed", Some("21610"));
    forged["message"] = json!("999");
    assert_eq!(hear(forged).await, 401);
    assert_eq!(hear(status_of(999_999, "failed", Some("21610"))).await, 404);
    let opted_out = status_of(sent, "failed", Some("21610"));
    assert_eq!(hear(opted_out.clone()).await, 200);
    assert_eq!(next().await, OutboxStatus::Dead);

    // An operator sees it, and lets texts go there again.
    let operator = world.operator(&[Permission::Messaging]);
    let list = world.call("admin.undeliverable.list", &operator, json!({ "q": "5550123" })).await;
    let row = list.body["data"][0].clone();
    assert_eq!((&row["why"], &row["channel"]), (&json!("opted_out"), &json!("sms")));
    let lift = json!({ "id": row["id"] });
    world.call("admin.undeliverable.lift", &operator, lift.clone()).await.data();
    assert_eq!(world.call("admin.undeliverable.lift", &operator, lift).await.status, 404);
    assert_eq!(next().await, OutboxStatus::Sent);
    assert_eq!(hear(opted_out).await, 200);
    assert_eq!(next().await, OutboxStatus::Sent);
    let other = text(&world, &brand, "sent").await;
    assert_eq!(hear(status_of(other, "undelivered", Some("21211"))).await, 200);
    assert_eq!(next().await, OutboxStatus::Dead);
}
both!(no_texts_go_to_a_number_that_takes_none);
