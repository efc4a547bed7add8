//! Conversations and drafts of the two worlds.

use nil_tests::{Person, World};
use serde_json::json;

use super::Side;

impl Side {
    /// A conversation of every caller with a message in it, and an unsent draft.
    pub(super) async fn talks(
        &mut self,
        world: &World,
        [athlete, partner, agent, fan]: [&Person; 4],
    ) {
        let callers = [
            (
                athlete,
                partner,
                ["athlete's conversation", "athlete's message", "athlete's correspondent"],
            ),
            (
                partner,
                athlete,
                ["partner's conversation", "partner's message", "partner's correspondent"],
            ),
            (agent, athlete, ["agent's conversation", "agent's message", "agent's correspondent"]),
            (fan, partner, ["fan's conversation", "fan's message", "fan's correspondent"]),
        ];
        for (who, other, [conversation, message, correspondent]) in callers {
            let with = json!({ "user_id": other.user_id });
            let talk = if who.user_id == fan.user_id {
                world.call("core.chat.open_support", &who.principal, json!({})).await
            } else {
                world.call("core.chat.start", &who.principal, with).await
            };
            let talk = talk.data()["id"].clone();
            let text = json!({ "conversation_id": talk, "text": "Hello" });
            let sent = world.call("core.chat.send", &who.principal, text).await.data();
            for (own, all, id) in [
                (conversation, "conversation", &talk),
                (message, "message", &sent["id"]),
                (correspondent, "correspondent", &json!(other.user_id)),
            ] {
                self.learn(own, id);
                self.learn(all, id);
            }
        }
        let save = json!({ "job_id": self.ids["job"][0], "draft_text": "May I?" });
        let name = "core.assistant.save_clarification_draft";
        let draft = world.call(name, &athlete.principal, save).await.data();
        self.learn("draft", &draft["id"]);
    }
}
