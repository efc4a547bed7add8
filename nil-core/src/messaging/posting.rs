//! Posts messages: writes, counts, notifies, and copies a minor's guardian, in the caller's
//! transaction.

use super::access::{Guardian, Pair};
use super::conversation::{ChatMessage, ConversationKind, OPERATORS, Sender};
use super::store::conversation::{self as conversations, Topic};
use super::store::message::{self as messages, NewMessage};
use super::store::people::{self, Person};
use crate::accounts::UserStatus;
use crate::error::{Error, Result, codes};
use crate::kernel::{ConversationId, FileId, JobId, MessageId, PartnerId, Time, UserId};
use crate::notifications::outbox::{Message, Recipient};
use crate::notifications::{Event, FeedKind};
use crate::operation::{Done, Work};
use crate::wording::excerpt;

/// A message to post into one conversation.
pub(super) struct Letter<'a> {
    pub(super) conversation: ConversationId,
    /// `None` stands for the operators.
    pub(super) sender: Option<&'a Person>,
    /// `None` stands for the operators.
    pub(super) recipient: Option<&'a Person>,
    pub(super) text: &'a str,
    pub(super) files: &'a [FileId],
}

impl<'a> Letter<'a> {
    /// A message from the pair's writer to its recipient.
    pub(super) fn between(conversation: ConversationId, pair: &'a Pair, text: &'a str) -> Self {
        Self {
            conversation,
            sender: Some(&pair.sender),
            recipient: pair.recipient.as_ref(),
            text,
            files: &[],
        }
    }

    fn sender_id(&self) -> Option<UserId> {
        self.sender.map(|person| person.user_id)
    }

    fn from(&self) -> Sender {
        self.sender.map_or_else(Sender::operators, Person::sender)
    }

    fn row(&self) -> NewMessage<'_> {
        NewMessage {
            conversation: self.conversation,
            sender: self.sender_id(),
            text: self.text,
            files: self.files,
        }
    }

    fn posted(&self, id: MessageId, at: Time) -> ChatMessage {
        ChatMessage {
            id,
            conversation_id: self.conversation,
            sender: self.from(),
            text: self.text.to_owned(),
            attachments: self.files.to_vec(),
            pinned_at: None,
            read_at: None,
            created_at: at,
        }
    }
}

/// Posts one message.
pub(super) async fn post(work: &mut Work, letter: &Letter<'_>) -> Result<ChatMessage> {
    let posted = post_all(work, std::slice::from_ref(letter)).await?;
    let id = posted.into_iter().next();
    let id = id.ok_or_else(|| Error::internal("a message was not written"))?;
    Ok(letter.posted(id, work.now()))
}

/// Posts one message without files, as all that the call does, in one statement.
///
/// It is [`post_all`] for one letter, where [`Work::can_be_one_statement`] holds: what depends on
/// the new row is left to the database.
pub(super) async fn post_alone(mut work: Work, letter: &Letter<'_>) -> Result<Done<ChatMessage>> {
    let now = work.now();
    let people = [letter.sender, letter.recipient].into_iter().flatten();
    let users: Vec<UserId> = people.map(|person| person.user_id).collect();
    work.touch_first(&users, FeedKind::Messages).await?;
    let written = messages::add_alone(&mut work, &letter.row(), now);
    work.note_written(messages::WRITTEN, "sent");
    if let Some(recipient) = letter.recipient {
        let told = telling(&work, letter, recipient);
        work.send(told.only_if(messages::IS_FIRST_UNREAD));
    }
    copy_to_guardians(&mut work, [letter.sender, letter.recipient], letter.text);
    work.done_with(|| {
        let id = MessageId::new(written.get());
        let id = id.ok_or_else(|| Error::internal("a message was not written"))?;
        Ok(letter.posted(id, now))
    })
    .await
}

/// Posts messages into different conversations; returns their ids in the same order.
///
/// First locks all users' feeds, so that the messages of a feed become visible in the order of
/// their ids.
pub(super) async fn post_all(work: &mut Work, letters: &[Letter<'_>]) -> Result<Vec<MessageId>> {
    let people = letters.iter().flat_map(|letter| [letter.sender, letter.recipient]).flatten();
    let users: Vec<UserId> = people.map(|person| person.user_id).collect();
    work.touch_now(&users, FeedKind::Messages).await?;
    let new: Vec<NewMessage<'_>> = letters.iter().map(Letter::row).collect();
    let now = work.now();
    let written = messages::add(work, &new, now).await?;
    let mut ids = Vec::with_capacity(letters.len());
    for letter in letters {
        let found = written.iter().find(|(_, conversation)| *conversation == letter.conversation);
        let (id, _) = found.ok_or_else(|| Error::internal("a message was not written"))?;
        let sides =
            messages::count(work, letter.conversation, *id, letter.sender_id(), now).await?;
        work.note(*id, "sent");
        // Notify once for all messages until they are read.
        let first = sides
            .iter()
            .any(|side| Some(side.user_id) != letter.sender_id() && side.unread_count == 1);
        if let Some(recipient) = letter.recipient.filter(|_| first) {
            let told = telling(work, letter, recipient);
            work.send(told);
        }
        copy_to_guardians(work, [letter.sender, letter.recipient], letter.text);
        ids.push(*id);
    }
    Ok(ids)
}

fn telling(work: &Work, letter: &Letter<'_>, recipient: &Person) -> Message {
    let path = format!("/messages?conversation_id={}", letter.conversation);
    let page = work.platform().config().page_of_the_front_end(&path);
    let event = Message::new(Event::MessageReceived, Recipient::User(recipient.user_id))
        .with("sender_name", letter.from().name)
        .with("excerpt", excerpt(letter.text))
        .with("conversation_id", letter.conversation.get());
    match page {
        Some(page) => event.with("url", page),
        None => event,
    }
}

/// The guardian of an athlete under 18 gets a copy, whether the athlete writes or receives (model).
/// `None` stands for the operators.
fn copy_to_guardians(work: &mut Work, sides: [Option<&Person>; 2], text: &str) {
    let now = work.now();
    let [sender, recipient] = sides;
    for person in sides.into_iter().flatten() {
        let Some(Guardian { name, email }) = person.guardian(now) else {
            continue;
        };
        let recipient = recipient.map_or(OPERATORS, |person| person.name.as_str());
        let copy = Message::new(Event::MessageCopied, Recipient::Email(email))
            .with("first_name", name)
            .with("athlete_name", person.name.as_str())
            .with("sender_name", sender.map_or(OPERATORS, |person| person.name.as_str()))
            .with("recipient_name", recipient)
            .with("text", text);
        work.send(copy);
    }
}

/// Copies a text to the guardian of a minor who wrote or received it elsewhere than in a
/// conversation.
pub async fn copy_between(
    work: &mut Work,
    sender: UserId,
    recipient: UserId,
    text: &str,
) -> Result<()> {
    let found = people::people(work, &[sender, recipient]).await?;
    let of = |user| found.iter().find(|person| person.user_id == user);
    copy_to_guardians(work, [of(sender), of(recipient)], text);
    Ok(())
}

/// Posts an athlete's message to the brand of one of the athlete's own applications, in their
/// conversation about that job. Delivers clarifications. 404 if there is no such application, 409
/// `recipient_unavailable` if the brand's account is not active.
pub async fn to_partner_about(
    work: &mut Work,
    athlete: UserId,
    partner: PartnerId,
    job: JobId,
    text: &str,
) -> Result<ChatMessage> {
    let brand = conversations::user_of_applied(work, athlete, partner, job).await?;
    let brand = brand.ok_or(codes::NOT_FOUND)?;
    let mut found = people::people(work, &[athlete, brand]).await?;
    let at = found.iter().position(|person| person.user_id == athlete);
    let at = at.ok_or_else(|| Error::internal("an athlete without an account"))?;
    let pair = Pair { sender: found.swap_remove(at), recipient: found.pop() };
    let active = |person: &Person| person.status == UserStatus::Active;
    if !pair.recipient.as_ref().is_some_and(active) {
        return Err(codes::RECIPIENT_UNAVAILABLE.into());
    }
    let topic =
        Topic { kind: ConversationKind::Deal, user: athlete, other: Some(brand), job: Some(job) };
    let id = begin(work, topic).await?;
    post(work, &Letter::between(id, &pair, text)).await
}

/// Finds or starts the conversation of a topic.
pub(super) async fn begin(work: &mut Work, topic: Topic) -> Result<ConversationId> {
    let now = work.now();
    let (id, new) = conversations::open_one(work, topic, now).await?;
    if new {
        work.note(id, "begun");
    }
    Ok(id)
}
