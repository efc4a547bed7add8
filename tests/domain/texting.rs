//! Text messages by a provider: they leave once, are tried again where nobody can have got them,
//! and hold up no mail.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use nil_core::kernel::OutboxId;
use nil_core::notifications::outbox::{self, Channel, OutboxRow, OutboxStatus};
use nil_core::ports::courier::{Courier, Couriers};
use nil_tests::{Engine, Messenger, Person, SmsFate, SmsProvider, World, both};
use serde_json::json;

use crate::delivery::{the_mail, work};

const NUMBER: &str = "+12175550123";
const PATIENT: Duration = Duration::from_secs(50);
const HASTY: Duration = Duration::from_secs(2);
/// What its recipient can do without, and what not.
const REMINDER: &str = "deliverable.due_soon";
const CODE: &str = "otp.sent";

/// Mails by the suites' courier, text messages by a provider.
fn beside(mails: &Arc<Messenger>, provider: &SmsProvider, timeout: Duration) -> Arc<dyn Courier> {
    let texts = Arc::new(provider.courier(timeout));
    Arc::new(Couriers::new(vec![mails.clone(), texts]))
}

struct Ground {
    world: World,
    mails: Arc<Messenger>,
    provider: SmsProvider,
    brand: Person,
}

impl Ground {
    async fn on(engine: Engine) -> Self {
        let mails = Arc::new(Messenger::only(Channel::Email));
        let provider = SmsProvider::start();
        let courier = beside(&mails, &provider, PATIENT);
        let world = World::configured(engine, |config| config.courier = Some(courier)).await;
        let brand = world.partner("Cedar Coffee").await;
        work(&world).await;
        Self { world, mails, provider, brand }
    }

    /// A text message that is due.
    async fn text(&self, event: &str) -> OutboxId {
        let now = self.world.platform.now().to_rfc3339();
        let insert = format!(
            "INSERT INTO outbox (channel, recipient, address, event, body, data, status, attempts, \
             next_at, created_at) VALUES ('sms', 'user:{}', '{NUMBER}', '{event}', \
             'It is {event} & more.', '{{}}', 'pending', 0, '{now}', '{now}') RETURNING id",
            self.brand.user_id
        );
        OutboxId::new(self.world.id(&insert).await).unwrap()
    }

    async fn row(&self, id: OutboxId) -> OutboxRow {
        let row = outbox::find(&self.world.platform, id).await.unwrap().unwrap();
        let why = row.why.clone().unwrap_or_default();
        assert!(!why.contains(NUMBER) && !why.contains("more."), "a reason tells nothing: {why}");
        row
    }

    async fn state(&self, id: OutboxId) -> (OutboxStatus, i64) {
        let row = self.row(id).await;
        (row.status, row.attempts)
    }

    async fn why(&self, id: OutboxId) -> String {
        self.row(id).await.why.unwrap_or_default()
    }
}

async fn a_text_leaves_once_with_its_words(engine: Engine) {
    let Ground { world, mails, provider, brand } = Ground::on(engine).await;
    let athlete = world.athlete("Zoe Okafor").await;
    let on = json!({ "enabled": true });
    world.call("core.notification.set_all_sms", &athlete.principal, on).await.data();
    let job = world.open_job(&brand, json!({})).await;
    let id = world.apply(&athlete, job).await;
    world.call("core.application.hire", &brand.principal, json!({ "id": id })).await.data();
    work(&world).await;
    work(&world).await;
    let texts = provider.texts();
    assert_eq!(texts.len(), 1, "{texts:?}");
    let text = &texts[0];
    assert_eq!(text.path, "/2010-04-01/Accounts/AC0123/Messages.json");
    assert_eq!(text.login, "AC0123:opensesame");
    assert_eq!((text.to(), text.form["From"].as_str()), (NUMBER, "+12175550100"));
    assert!(text.body().contains("Cedar Coffee"), "{text:?}");
    assert_eq!(text.form.len(), 3, "{text:?}");
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let row = rows.iter().find(|row| row.channel == Channel::Sms).unwrap();
    assert_eq!((row.status, row.attempts), (OutboxStatus::Sent, 1));
    let mailed = mails.handed().into_iter().filter(|mail| mail.event == "athlete.hired");
    assert_eq!(mailed.count(), 1, "the mail leaves by its own courier");
}
both!(a_text_leaves_once_with_its_words);

async fn what_is_refused_for_now_is_tried_later_and_at_last_given_up(engine: Engine) {
    let ground = Ground::on(engine).await;
    let id = ground.text(REMINDER).await;
    let faults = [
        (SmsFate::Refused(401, 20_003), "refused the account"),
        (SmsFate::Refused(403, 20_403), "refused the account"),
        (SmsFate::Refused(429, 20_429), "takes no more now"),
        (SmsFate::Refused(500, 20_500), "has a fault of its own"),
        (SmsFate::Refused(503, 20_503), "has a fault of its own"),
        (SmsFate::Refused(400, 21_606), "error 21606"),
        (SmsFate::Refused(404, 20_404), "error 20404"),
        (SmsFate::Page, "is sms.url right?"),
        (SmsFate::Redirect, "answered 307"),
        (SmsFate::Refused(401, 20_003), "refused the account"),
    ];
    for (attempt, (fault, words)) in (1..).zip(faults) {
        ground.provider.next([fault]);
        work(&ground.world).await;
        work(&ground.world).await;
        let status = if attempt < 10 { OutboxStatus::Pending } else { OutboxStatus::Dead };
        assert_eq!(ground.state(id).await, (status, attempt), "{fault:?}");
        let why = ground.why(id).await;
        assert!(why.contains(words), "{fault:?}: {why}");
        ground.world.pass(TimeDelta::hours(8));
    }
    work(&ground.world).await;
    assert_eq!(ground.provider.texts().len(), 10);
    assert!(outbox::retry(&ground.world.platform, id).await.unwrap());
    work(&ground.world).await;
    assert_eq!(ground.state(id).await, (OutboxStatus::Sent, 1));
}
both!(what_is_refused_for_now_is_tried_later_and_at_last_given_up);

async fn what_can_never_arrive_is_given_up_at_once(engine: Engine) {
    let ground = Ground::on(engine).await;
    for (code, words) in [(21_610, "has opted out"), (21_211, "there is no such number")] {
        ground.provider.next([SmsFate::Refused(400, code)]);
        let id = ground.text(REMINDER).await;
        work(&ground.world).await;
        assert_eq!(ground.state(id).await, (OutboxStatus::Dead, 1));
        let why = ground.why(id).await;
        assert!(why.contains(words) && why.contains(&code.to_string()), "{why}");
    }
    let id = ground.text(REMINDER).await;
    let elsewhere = format!("UPDATE outbox SET address = 'nowhere' WHERE id = {id}");
    ground.world.script(&elsewhere).await;
    work(&ground.world).await;
    assert_eq!(ground.state(id).await, (OutboxStatus::Dead, 1));
    assert_eq!(ground.provider.texts().len(), 2, "what is no number is not asked about");
}
both!(what_can_never_arrive_is_given_up_at_once);

/// Nobody knows whether a text without an answer was sent.
async fn a_code_is_sent_twice_rather_than_never_and_a_reminder_is_not(engine: Engine) {
    let mut ground = Ground::on(engine).await;
    let hasty = beside(&ground.mails, &ground.provider, HASTY);
    let patient = ground.world.platform.config().courier.clone();
    for (fate, words) in [
        (SmsFate::HangsUp, "did not answer"),
        (SmsFate::Flood, "answered 201 without a message"),
        (SmsFate::Refused(504, 0), "answered 504"),
        (SmsFate::Silence, "did not answer within 2 s"),
    ] {
        let (reminder, code) = (ground.text(REMINDER).await, ground.text(CODE).await);
        if fate == SmsFate::Silence {
            let hasty = hasty.clone();
            ground.world.reopen(|config| config.courier = Some(hasty)).await;
        }
        ground.provider.next([fate; 2]);
        work(&ground.world).await;
        assert_eq!(ground.state(reminder).await, (OutboxStatus::Dead, 1), "{fate:?}");
        assert_eq!(ground.state(code).await, (OutboxStatus::Pending, 1), "{fate:?}");
        let (of_reminder, of_code) = (ground.why(reminder).await, ground.why(code).await);
        assert!(of_reminder.starts_with("it may have been sent: "), "{of_reminder}");
        assert!(of_reminder.contains(words) && of_code.contains(words), "{fate:?}: {of_code}");
        assert_eq!(ground.provider.texts().len(), 2);

        let patient = patient.clone();
        ground.world.reopen(|config| config.courier = patient).await;
        ground.world.pass(TimeDelta::minutes(1));
        work(&ground.world).await;
        let again = ground.provider.texts();
        assert_eq!(again.len(), 1, "{again:?}");
        assert!(again[0].body().contains(CODE), "{again:?}");
        assert_eq!(ground.state(code).await, (OutboxStatus::Sent, 2));
    }
}
both!(a_code_is_sent_twice_rather_than_never_and_a_reminder_is_not);

async fn mails_go_on_while_text_messages_fail(engine: Engine) {
    let ground = Ground::on(engine).await;
    let id = ground.text(REMINDER).await;
    let Ground { world, mails, provider, brand } = ground;
    drop(provider);
    world.tell(&brand, "News").await;
    work(&world).await;
    assert_eq!(the_mail(&world, &brand).await.status, OutboxStatus::Sent);
    assert!(mails.handed().iter().all(|letter| letter.channel == Channel::Email));
    let row = outbox::find(&world.platform, id).await.unwrap().unwrap();
    assert_eq!((row.status, row.attempts), (OutboxStatus::Pending, 1));
    assert!(row.why.as_deref().unwrap().starts_with("cannot connect to 127.0.0.1:"), "{row:?}");
}
both!(mails_go_on_while_text_messages_fail);

/// What a worker that died has handed over is unknown, as if no answer had come.
async fn a_worker_that_dies_over_a_text_leaves_only_codes_to_the_next(engine: Engine) {
    let ground = Ground::on(engine).await;
    let (reminder, code) = (ground.text(REMINDER).await, ground.text(CODE).await);
    ground.provider.next([SmsFate::Silence; 2]);
    let platform = ground.world.platform.clone();
    let dying = tokio::spawn(async move { nil_core::worker::round(&platform).await });
    for _ in 0..2 {
        tokio::task::block_in_place(|| ground.provider.text());
    }
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());

    let other = ground.world.replica().await;
    work(&other).await;
    assert!(ground.provider.texts().is_empty(), "they may still be on their way");
    ground.world.pass(TimeDelta::minutes(10));
    work(&other).await;
    let again = ground.provider.texts();
    assert_eq!(again.len(), 1, "{again:?}");
    assert!(again[0].body().contains(CODE), "{again:?}");
    assert_eq!(ground.state(code).await, (OutboxStatus::Sent, 2));
    assert_eq!(ground.state(reminder).await, (OutboxStatus::Dead, 1));
    assert!(ground.why(reminder).await.contains("it may have been sent"));
}
both!(a_worker_that_dies_over_a_text_leaves_only_codes_to_the_next);
