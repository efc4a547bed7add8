//! Undeliverable messages: without a courier, or impossible to render.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::notifications::outbox::{self, Channel, OutboxStatus};
use nil_tests::{Engine, Messenger, World, both};
use serde_json::json;

use crate::delivery::{mails_to, the_mail, with_a_courier, work};

async fn a_message_that_cannot_be_opened_is_given_up_and_its_neighbours_go_out(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    work(&world).await;
    let before = courier.handed().len();
    let forgot = json!({ "email": brand.email });
    let anybody = nil_core::auth::Principal::Anonymous;
    world.call("core.auth.forget_password", &anybody, forgot).await.data();
    world
        .script(if world.is_sqlite() {
            "UPDATE outbox SET sealed = x'0102' WHERE event = 'password.reset'"
        } else {
            "UPDATE outbox SET sealed = '\\x0102' WHERE event = 'password.reset'"
        })
        .await;
    world.tell(&brand, "News").await;
    work(&world).await;
    let handed = courier.handed();
    assert_eq!(handed.len(), before + 1, "the other one goes out");
    assert_eq!(handed[before].event, "announcement.published");
    let rows = outbox::list(&world.platform, 100).await.unwrap();
    let reset = rows.iter().find(|row| row.event == "password.reset").unwrap();
    assert_eq!((reset.status, reset.body.is_none()), (OutboxStatus::Dead, true));
    assert!(reset.why.as_deref().unwrap().contains("another secret key"), "{reset:?}");
}
both!(a_message_that_cannot_be_opened_is_given_up_and_its_neighbours_go_out);

async fn an_event_that_cannot_be_split_is_given_up_and_its_neighbours_are_told(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let other = world.partner("Harbor Books").await;
    work(&world).await;
    let before = courier.handed().len();
    world.tell(&brand, "News").await;
    world.tell(&other, "News").await;
    // A preference for an event that this version does not know.
    let owner = world.id(&format!("SELECT id FROM app_user WHERE email = '{}'", brand.email)).await;
    world
        .script(&format!(
            "INSERT INTO notification_preference (owner, event, email, sms, in_app, updated_at) \
             SELECT 'user:{owner}', 'gone.event', TRUE, TRUE, TRUE, created_at FROM app_user \
             WHERE id = {owner}"
        ))
        .await;
    let round = nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(round.failed, [], "{round:?}");
    assert_eq!(courier.handed().len(), before + 1);
    assert_eq!(the_mail(&world, &other).await.status, OutboxStatus::Sent);
    let rows = outbox::list(&world.platform, 10).await.unwrap();
    let dead: Vec<_> = rows.iter().filter(|row| row.status == OutboxStatus::Dead).collect();
    assert_eq!((dead.len(), dead[0].channel), (1, Channel::Event));
    assert!(dead[0].why.as_deref().unwrap().contains("cannot be prepared"), "{dead:?}");
}
both!(an_event_that_cannot_be_split_is_given_up_and_its_neighbours_are_told);

/// Messages wait for a courier and log that; one that is configured later sends them.
async fn letters_wait_for_a_courier(engine: Engine) {
    let mut world = World::on(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    world.tell(&brand, "News").await;
    work(&world).await;
    let code = mails_to(&world, &brand, "otp.sent").await.remove(0);
    assert!(code.body.is_some(), "whoever develops finds it in the outbox");
    for mail in [the_mail(&world, &brand).await, code] {
        assert_eq!((mail.status, mail.attempts), (OutboxStatus::Pending, 0));
        assert_eq!(mail.why.as_deref(), Some("it waits: no mail server is configured"));
    }
    // Messages with a secret are dropped when the secret expires, the others after a week.
    world.pass(TimeDelta::days(6));
    work(&world).await;
    let code = mails_to(&world, &brand, "otp.sent").await.remove(0);
    assert_eq!((code.status, code.body), (OutboxStatus::Dead, None));
    assert!(code.why.unwrap().contains("expired"));
    assert_eq!(the_mail(&world, &brand).await.status, OutboxStatus::Pending);

    let courier = Arc::new(Messenger::default());
    let configured = courier.clone();
    world.reopen(|config| config.courier = Some(configured)).await;
    work(&world).await;
    let handed: Vec<_> = courier.handed().into_iter().map(|letter| letter.event).collect();
    assert_eq!(handed.iter().filter(|event| *event == "announcement.published").count(), 1);
    assert!(!handed.iter().any(|event| event == "otp.sent"), "{handed:?}");
    assert_eq!(the_mail(&world, &brand).await.status, OutboxStatus::Sent);

    let other = world.partner("Harbor Books").await;
    world.reopen(|config| config.courier = None).await;
    world.tell(&other, "News").await;
    work(&world).await;
    world.pass(TimeDelta::days(7) + TimeDelta::minutes(1));
    work(&world).await;
    let given_up = the_mail(&world, &other).await;
    assert_eq!(given_up.status, OutboxStatus::Dead);
    assert!(given_up.why.unwrap().contains("no courier"));
}

both!(letters_wait_for_a_courier);

/// A courier for mails leaves text messages alone: they wait, unread, and are given up after a
/// week.
async fn text_messages_wait_while_mails_leave(engine: Engine) {
    let courier = Arc::new(Messenger::only(Channel::Email));
    let configured = courier.clone();
    let mut world = World::configured(engine, |config| config.courier = Some(configured)).await;
    let brand = world.partner("Cedar Coffee").await;
    world.tell(&brand, "News").await;
    work(&world).await;
    let as_text = "UPDATE outbox SET channel = 'sms', status = 'pending', attempts = 0 \
                   WHERE event = 'announcement.published' AND channel = 'email'";
    world.script(as_text).await;
    let text = async |world: &World| {
        let rows = outbox::list(&world.platform, 100).await.unwrap();
        rows.into_iter().find(|row| row.channel == Channel::Sms).unwrap()
    };
    world.tell(&brand, "More news").await;
    let before = courier.handed().len();
    work(&world).await;
    let handed = courier.handed();
    assert_eq!((handed.len(), handed[before].channel), (before + 1, Channel::Email));
    let waiting = text(&world).await;
    assert_eq!((waiting.status, waiting.attempts), (OutboxStatus::Pending, 0));
    let why = "it waits: no courier for text messages is configured";
    assert_eq!(waiting.why.as_deref(), Some(why));

    // One that carries everything takes it, unless it has waited for too long.
    let everything = Arc::new(Messenger::default());
    let configured = everything.clone();
    let mails = world.platform.config().courier.clone();
    world.reopen(|config| config.courier = Some(configured)).await;
    work(&world).await;
    assert_eq!(everything.handed().len(), 1);
    assert_eq!(text(&world).await.status, OutboxStatus::Sent);
    world.reopen(|config| config.courier = mails).await;
    world.script(as_text).await;
    world.script("UPDATE outbox SET status = 'pending', attempts = 0 WHERE channel = 'sms'").await;
    world.pass(TimeDelta::days(7) + TimeDelta::minutes(1));
    work(&world).await;
    let given_up = text(&world).await;
    assert_eq!(given_up.status, OutboxStatus::Dead);
    assert!(given_up.why.unwrap().contains("no courier"));
}

both!(text_messages_wait_while_mails_leave);
