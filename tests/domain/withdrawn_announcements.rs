//! Withdrawing an announcement stops its messages that still wait.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::notifications::outbox::{self, Channel};
use nil_tests::{Person, World, both};
use serde_json::json;

use crate::announcements::{change, hours, round, save};

async fn statuses(world: &World, who: &Person) -> Vec<(Channel, String)> {
    let rows = outbox::list(&world.platform, 100_000).await.unwrap().into_iter().rev();
    let of = rows.filter(|row| row.event == "announcement.published");
    let of = of.filter(|row| row.to == who.email || row.to == format!("user:{}", who.user_id));
    of.map(|row| (row.channel, row.status.to_string())).collect()
}

async fn a_withdrawn_announcement_stops_the_messages_that_wait(engine: nil_tests::Engine) {
    let (world, courier) = crate::delivery::with_a_courier(engine).await;
    let fans = [world.fan("Robin Hill").await, world.fan("Kim Vale").await];
    round(&world).await;
    // The courier takes one mail; the other waits for a second attempt.
    let again = nil_core::ports::courier::Outcome::TryAgain("the line is dead".into());
    courier.next([
        nil_tests::Fate::Answer(nil_core::ports::courier::Outcome::Sent),
        nil_tests::Fate::Answer(again),
    ]);
    let saved = save(&world, "We move", json!({ "starts_at": hours(&world, 0) })).await.data();
    round(&world).await;
    let [one, other] = &fans;
    let mail = |status: &str| (Channel::Email, status.to_owned());
    assert!(statuses(&world, one).await.contains(&mail("sent")));
    assert!(statuses(&world, other).await.contains(&mail("pending")));
    let before = courier.handed().len();
    let withdrawn = change(&world, &saved, json!({ "withdraw": true })).await.data();
    assert_eq!(withdrawn["status"], "withdrawn");
    assert!(statuses(&world, one).await.contains(&mail("sent")));
    assert!(statuses(&world, other).await.contains(&mail("withdrawn")));
    world.pass(TimeDelta::hours(30));
    round(&world).await;
    assert_eq!(courier.handed().len(), before, "nothing more leaves");
    let entry = "SELECT COUNT(*) FROM audit_entry WHERE action = 'messages_withdrawn'";
    assert_eq!(world.id(entry).await, 1);
    // Events that nobody has expanded yet are withdrawn too.
    let saved = save(&world, "We stay", json!({ "starts_at": hours(&world, 0) })).await.data();
    round(&world).await;
    let before = courier.handed().len();
    let waits = format!(
        "UPDATE outbox SET status = 'pending', next_at = '2099-01-01T00:00:00Z' \
         WHERE channel = 'event' AND about = 'announcement:{}'",
        saved["id"]
    );
    world.script(&waits).await;
    change(&world, &saved, json!({ "withdraw": true })).await.data();
    round(&world).await;
    assert_eq!(courier.handed().len(), before);
    assert_eq!(world.id("SELECT COUNT(*) FROM outbox WHERE status = 'pending'").await, 0);
}
both!(a_withdrawn_announcement_stops_the_messages_that_wait);

/// A message that the courier has in its hands when its announcement is withdrawn is sent.
async fn a_message_that_is_being_sent_is_sent(engine: nil_tests::Engine) {
    let (world, courier) = crate::delivery::with_a_courier(engine).await;
    let fan = world.fan("Robin Hill").await;
    round(&world).await;
    let saved = save(&world, "We move", json!({ "starts_at": hours(&world, 0) })).await.data();
    let sign = Arc::new(tokio::sync::Notify::new());
    courier.next([nil_tests::Fate::After(sign.clone())]);
    let (_, withdrawn) = tokio::join!(round(&world), async {
        // Wait until the courier has it.
        loop {
            courier.bell.notified().await;
            if courier.handed().iter().any(|letter| letter.event == "announcement.published") {
                break;
            }
        }
        let withdrawn = change(&world, &saved, json!({ "withdraw": true })).await;
        sign.notify_one();
        withdrawn
    });
    assert_eq!(withdrawn.data()["status"], "withdrawn");
    assert!(statuses(&world, &fan).await.contains(&(Channel::Email, "sent".to_owned())));
}
both!(a_message_that_is_being_sent_is_sent);
