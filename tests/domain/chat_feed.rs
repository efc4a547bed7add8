//! The feed of a conversation: paging by id, and requests again only after a change.

use nil_tests::{Person, World, both};
use serde_json::json;

use crate::chat::{read, send, start};

async fn a_feed_goes_on_from_an_id(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    for number in 0..7 {
        send(&world, &hire.partner, &talk, &number.to_string()).await;
    }
    let mut seen = Vec::new();
    let mut before = json!(null);
    loop {
        let stretch = json!({ "conversation_id": talk["id"], "limit": 3, "before_id": before });
        let answer = world.call("core.chat.messages", &hire.athlete.principal, stretch).await;
        assert_eq!(answer.body["pagination"]["limit"], 3);
        before = answer.body["pagination"]["next_before_id"].clone();
        let data = answer.data();
        seen.extend(
            data.as_array().unwrap().iter().map(|m| m["text"].as_str().unwrap().to_owned()),
        );
        // New messages in the meantime move nothing.
        send(&world, &hire.partner, &talk, "later").await;
        if before.is_null() {
            break;
        }
    }
    assert_eq!(seen, ["6", "5", "4", "3", "2", "1", "0"]);
}
both!(a_feed_goes_on_from_an_id);

async fn the_feeds_tokens_change_with_a_message(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let token = async |who: &Person| {
        let all = world.call("core.notification.activity_tokens", &who.principal, json!({})).await;
        let all = all.data();
        let own = all.as_array().unwrap().iter().find(|one| one["activity"] == "messages");
        own.unwrap()["token"].clone()
    };
    let before = [token(&hire.partner).await, token(&hire.athlete).await];
    send(&world, &hire.partner, &talk, "Hello").await;
    let after = [token(&hire.partner).await, token(&hire.athlete).await];
    assert!(before[0] != after[0] && before[1] != after[1]);
    read(&world, &hire.athlete, &talk).await;
    let seen = [token(&hire.partner).await, token(&hire.athlete).await];
    assert!(seen[0] != after[0] && seen[1] != after[1], "a reading is news for both");
    read(&world, &hire.athlete, &talk).await;
    assert_eq!(token(&hire.athlete).await, seen[1], "nothing was read");
}
both!(the_feeds_tokens_change_with_a_message);

/// Messages of both sides at once: each is counted, told once, and in the audit trail.
async fn messages_at_once_are_each_counted(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let world = &world;
    let (brand, athlete) = (&hire.partner, &hire.athlete);
    let texts = (0..12).map(|number| format!("Number {number}"));
    let sent = texts.map(|text| {
        let talk = &talk;
        async move {
            let of_brand = send(world, brand, talk, &text);
            let of_athlete = send(world, athlete, talk, &text);
            let again = send(world, brand, talk, &text);
            let (one, other, again) = futures::join!(of_brand, of_athlete, again);
            [one, other, again]
        }
    });
    let sent = futures::future::join_all(sent).await.concat();
    let mut ids: Vec<i64> = sent.iter().map(|message| message["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 36);
    let unread = async |person: &Person| {
        let list = world.call("core.chat.conversations", &person.principal, json!({})).await.data();
        list[0]["unread_count"].clone()
    };
    assert_eq!((unread(brand).await, unread(athlete).await), (json!(12), json!(24)));
    let newest = "SELECT MIN(last_message_id) FROM participant";
    assert_eq!(world.id(newest).await, *ids.last().unwrap());
    let noted = "SELECT COUNT(DISTINCT a.subject_id) FROM audit_entry a \
        JOIN message m ON m.id = a.subject_id WHERE a.subject_kind = 'message' AND a.action = 'sent'";
    assert_eq!(world.id(noted).await, 36);
    let told = "SELECT COUNT(*) FROM outbox WHERE event = 'message.received'";
    assert_eq!(world.id(told).await, 2, "one for each side");
}
both!(messages_at_once_are_each_counted);
