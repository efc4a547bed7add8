//! Every user's conversation with the operators.

use nil_core::auth::Permission;
use nil_tests::{World, both};
use serde_json::json;

async fn anybody_writes_to_the_operators_and_they_answer(world: World) {
    let fan = world.fan("Sam Lee").await;
    let operator = world.operator(&[Permission::Messaging]);
    let open = world.call("core.chat.open_support", &fan.principal, json!({})).await.data();
    let again = world.call("core.chat.open_support", &fan.principal, json!({})).await.data();
    assert_eq!((&open["id"], &open["kind"]), (&again["id"], &json!("support")));
    assert_eq!(open["participants"][1]["kind"], "operator");
    let none = world.call("admin.support.list", &operator, json!({})).await.data();
    assert_eq!(none, json!([]));

    let ask = json!({ "conversation_id": open["id"], "text": "My feed is empty." });
    world.call("core.chat.send", &fan.principal, ask).await.data();
    let waiting = world.call("admin.support.list", &operator, json!({})).await.data();
    assert_eq!((&waiting[0]["name"], &waiting[0]["waiting"]), (&json!("Sam Lee"), &json!(true)));
    assert_eq!(waiting[0]["last_text"], "My feed is empty.");

    let reply = json!({ "user_id": fan.user_id, "text": "Follow somebody first." });
    let reply = world.call("admin.support.reply", &operator, reply).await.data();
    assert_eq!(reply["sender"], json!({ "user_id": null, "kind": "operator", "name": "Support" }));
    let own = world.call("core.chat.conversations", &fan.principal, json!({})).await.data();
    assert_eq!((&own[0]["id"], &own[0]["unread_count"]), (&open["id"], &json!(1)));
    let feed = json!({ "conversation_id": open["id"] });
    let feed = world.call("core.chat.messages", &fan.principal, feed).await.data();
    assert_eq!(feed[0]["text"], "Follow somebody first.");
    assert!(feed[0]["read_at"].is_string() && feed[1]["read_at"].is_string(), "{feed}");
    let own = world.call("core.chat.conversations", &fan.principal, json!({})).await.data();
    assert_eq!(own[0]["unread_count"], 0);
    let seen = json!({ "id": open["id"] });
    let seen = world.call("admin.support.messages", &operator, seen).await.data();
    assert_eq!(seen.as_array().unwrap().len(), 2);
    let waiting = world.call("admin.support.list", &operator, json!({})).await.data();
    assert_eq!(waiting[0]["waiting"], false);
}
both!(anybody_writes_to_the_operators_and_they_answer);

async fn operators_see_no_other_conversations(world: World) {
    let hire = world.hired(json!({})).await;
    let operator = world.operator(&[Permission::Messaging]);
    let private = json!({ "user_id": hire.athlete.user_id });
    let private = world.call("core.chat.start", &hire.partner.principal, private).await.data();
    let peek = json!({ "id": private["id"] });
    let peek = world.call("admin.support.messages", &operator, peek).await;
    assert_eq!((peek.status, peek.code()), (404, "not_found"));
    let unknown = json!({ "user_id": 999_999, "text": "Hello" });
    let unknown = world.call("admin.support.reply", &operator, unknown).await;
    assert_eq!((unknown.status, unknown.code()), (404, "not_found"));
    let finance = world.operator(&[Permission::Finance]);
    assert_eq!(world.call("admin.support.list", &finance, json!({})).await.status, 403);
    let user = nil_core::kernel::UserId::new(hire.athlete.user_id).unwrap();
    nil_core::accounts::suspension::suspend(&world.platform, user).await.unwrap();
    let barred = json!({ "user_id": hire.athlete.user_id, "text": "Hello" });
    let barred = world.call("admin.support.reply", &operator, barred).await;
    assert_eq!((barred.status, barred.code()), (409, "recipient_unavailable"));
}
both!(operators_see_no_other_conversations);
