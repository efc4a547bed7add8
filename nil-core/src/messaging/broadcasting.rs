//! Sends one text to several recipients, each in a separate conversation.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::access::Reach;
use super::posting::{self, Letter};
use super::store::conversation::{self as conversations, Topic};
use super::store::people::Person;
use crate::auth::User;
use crate::error::{Error, Result};
use crate::kernel::{ConversationId, Many, MessageId, Text, UserId};
use crate::operation::{Cx, Done};

/// A message to several recipients.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SendMass {
    /// The accounts of the recipients, 500 at most; duplicates count once.
    pub user_ids: Many<UserId, 1, 500>,
    /// The text.
    pub text: Text<1, 4000>,
}

/// A recipient who got the message.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SentTo {
    /// The recipient's account.
    pub user_id: UserId,
    /// The conversation with them.
    pub conversation_id: ConversationId,
    /// The message there.
    pub message_id: MessageId,
}

/// A recipient who did not get the message.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct NotSentTo {
    /// The requested account.
    pub user_id: UserId,
    /// The error code: `not_found`, `recipient_unavailable`.
    pub code: &'static str,
    /// The reason, for users.
    pub message: String,
}

/// The result of a message to several recipients.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct MassSent {
    /// The recipients who got it, in the order of the request.
    pub sent: Vec<SentTo>,
    /// The recipients who did not, with the reason.
    pub refused: Vec<NotSentTo>,
}

/// Sends a message to several recipients, to each separately; those who cannot be written to are in
/// `refused`. 403 for fans.
pub async fn send_mass(cx: Cx<User>, input: SendMass) -> Result<Done<MassSent>> {
    let text = &*input.text;
    let mut seen = HashSet::new();
    let mut wanted = input.user_ids.into_vec();
    wanted.retain(|user| seen.insert(*user));
    let reach = Reach::of(&mut cx.read().await?, &cx.caller, &wanted, None).await?;
    let mut refused = Vec::new();
    let mut recipients: Vec<(&Person, Topic)> = Vec::new();
    for user in wanted {
        let reached = reach.to(user);
        match reached.and_then(|person| Ok((person, reach.topic(person, None)?))) {
            Ok(recipient) => recipients.push(recipient),
            Err(error) => refused.push(NotSentTo {
                user_id: user,
                code: error.code(),
                message: error.message().to_owned(),
            }),
        }
    }
    let mut work = cx.begin().await?;
    let mut sent = Vec::with_capacity(recipients.len());
    if !recipients.is_empty() {
        let topics: Vec<Topic> = recipients.iter().map(|(_, topic)| *topic).collect();
        let (ids, begun) = conversations::open(&mut work, &topics, cx.now()).await?;
        for id in begun {
            work.note(id, "begun");
        }
        let mut letters = Vec::with_capacity(recipients.len());
        for (person, topic) in recipients {
            let missing = || Error::internal("a conversation was neither begun nor found");
            letters.push(Letter {
                conversation: *ids.get(&topic.key()).ok_or_else(missing)?,
                sender: Some(&reach.caller),
                recipient: Some(person),
                text,
                files: &[],
            });
        }
        let messages = posting::post_all(&mut work, &letters).await?;
        for (letter, message_id) in letters.iter().zip(messages) {
            sent.extend(letter.recipient.map(|person| SentTo {
                user_id: person.user_id,
                conversation_id: letter.conversation,
                message_id,
            }));
        }
    }
    work.done(MassSent { sent, refused }).await
}
