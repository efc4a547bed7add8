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
