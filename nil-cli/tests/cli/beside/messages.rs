//! A mail server, a provider of text messages, and receivers of webhooks.

use nil_tests::receiver::Receiver;
use nil_tests::{Engine, Gate, MailServer, SmsProvider, World, both};
use serde_json::json;

use super::{BOTH, Silence, falls};
use crate::nil::Nil;
use crate::served::Served;
use crate::{mail, sms};

const ATTEMPTS: &str = "nil_outbox_attempts_total";
const OVERDUE: &str = "nil_outbox_overdue_seconds";

/// What waits is due now: the pauses grow to hours.
const DUE: &str = "UPDATE outbox SET next_at = created_at WHERE status = 'pending'";

async fn without_the_mail_server_mails_wait(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let mails = MailServer::open();
    let gate = Gate::before(&format!("127.0.0.1:{}", mails.port));
    gate.cut().await;
    let brand = world.partner("Cedar Coffee").await;
    let token = brand.token.as_deref().expect("a token");
    let nil = mail::beside(Nil::beside(&world), &mails)
        .with("NIL_MAIL_PORT", &gate.port().to_string())
        .with("NIL_MAIL_TIMEOUT_SECONDS", "1");
    let served = Served::start(&nil, &[]);
    let (channel, again) = ("channel=\"email\"", "outcome=\"try_again\"");
    for silence in BOTH {
        let tried = served.figure(ATTEMPTS, &[channel, again]).await;
        falls(&gate, silence).await;
        world.script(DUE).await;
        served.above(ATTEMPTS, &[channel, again], tried).await;
        // Also after an attempt, which sets another time.
        served.above(OVERDUE, &[channel], 4.0).await;
        assert_eq!(served.status("/api/me", token).await, 200);
        let (state, says) = nil.doctor("mail server");
        assert_eq!(state, "bad", "{says}");
    }
    gate.open().await;
    // An attempt that was under way sets another time once more.
    let is_sent = async || {
        world.script(DUE).await;
        served.figure(OVERDUE, &[channel]).await <= 0.0
    };
    served.until("no mail that is late", is_sent).await;
    assert_eq!(mails.next("mail")["to"], json!([brand.email]));
    assert_eq!(nil.doctor("mail server").0, "good");
}
both!(without_the_mail_server_mails_wait);

async fn without_the_provider_texts_wait(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let provider = SmsProvider::start();
    let gate = Gate::before(&provider.url());
    gate.cut().await;
    let brand = world.partner("Cedar Coffee").await;
    let token = brand.token.as_deref().expect("a token");
    // A code, which nobody can switch off, and news, which everybody can.
    world.tell(&brand, "By text").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    sms::as_texts(&world).await;
    let code = format!(
        "UPDATE outbox SET channel = 'sms', address = '{}' \
         WHERE channel = 'email' AND status = 'pending' AND event = 'otp.sent'",
        sms::NUMBER
    );
    world.script(&code).await;
    let nil = sms::beside(Nil::beside(&world), &provider)
        .with("NIL_SMS_URL", &gate.at(&provider.url()))
        .with("NIL_SMS_TIMEOUT_SECONDS", "1");
    let served = Served::start(&nil, &[]);
    let channel = "channel=\"sms\"";
    served.above(ATTEMPTS, &[channel, "outcome=\"try_again\""], 1.0).await;
    falls(&gate, Silence::Stalls).await;
    world.script(DUE).await;
    served.above(ATTEMPTS, &[channel, "outcome=\"unknown\""], 1.0).await;
    assert_eq!(served.status("/api/me", token).await, 200);
    let status = |event: &str| {
        let rows = sms::outbox(&nil);
        let row = rows.iter().find(|row| row["event"] == event).expect("a row").clone();
        row["status"].as_str().unwrap().to_owned()
    };
    // Its outcome is written after it was counted.
    served.until("a text is given up", async || status("announcement.published") == "dead").await;
    gate.cut().await;
    gate.open().await;
    world.script(DUE).await;
    served.above(ATTEMPTS, &[channel, "outcome=\"sent\""], 0.0).await;
    assert_eq!(status("announcement.published"), "dead");
    served.until("a code is sent", async || status("otp.sent") == "sent").await;
    assert!(!provider.texts().is_empty());
}
both!(without_the_provider_texts_wait);

async fn without_a_receiver_its_webhooks_wait(engine: Engine) {
    const DELIVERIES: &str = "nil_webhook_deliveries_total";
    const UNDELIVERED: &str = "nil_webhook_undelivered_seconds";
    let world = World::in_real_time(engine).await;
    let (brand, other) = (world.partner("Acme").await, world.partner("Beacon").await);
    let (receiver, good) = (Receiver::start().await, Receiver::start().await);
    let gate = Gate::before(receiver.address());
    gate.cut().await;
    let nil = Nil::beside(&world).with("NIL_WEBHOOK_NETWORKS", "127.0.0.1");
    let served = Served::start(&nil, &[]);
    let call = |operation: &str, who: &str, input: serde_json::Value| {
        let who = format!("partner:{who}");
        nil.run(&["call", operation, "--as", &who, "--input", &input.to_string()]).good();
    };
    let endpoints = [(&brand, gate.at(receiver.address())), (&other, good.address().to_owned())];
    for (who, url) in &endpoints {
        let hook = json!({ "url": url, "events": ["job.approved"] });
        call("core.webhook.save", &who.email, hook);
    }
    for (at, silence) in (1..).zip(BOTH) {
        falls(&gate, silence).await;
        let failed = served.figure(DELIVERIES, &["outcome=\"failed\""]).await;
        for (id, (who, _)) in (1..).zip(&endpoints) {
            call("core.webhook.test", &who.email, json!({ "id": id }));
        }
        // The other receiver does not wait.
        good.hears(at).await;
        served.above(DELIVERIES, &["outcome=\"failed\""], failed).await;
        served.above(UNDELIVERED, &[], 2.0).await;
        assert!(receiver.heard().is_empty());
    }
    let token = brand.token.as_deref().expect("a token");
    assert_eq!(served.status("/api/me", token).await, 200);
    gate.cut().await;
    gate.open().await;
    // The first pause is five seconds, the next one is five minutes.
    world.script("UPDATE webhook_delivery SET next_at = created_at WHERE status = 'pending'").await;
    receiver.hears(2).await;
    served.none_of(UNDELIVERED, &[]).await;
}
both!(without_a_receiver_its_webhooks_wait);
