//! Events of the processor in `ledgered`: what it tells of each change, and how it signs it.

use aws_lc_rs::hmac;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::{Books, Counter, Ledgered, SIGNS};

/// Something that the processor tells.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its type, such as `refund.failed`.
    pub kind: String,
    /// The object that it is about.
    pub about: String,
    /// Its body.
    pub body: String,
}

/// Events that are told before the answer of the call that caused them.
#[derive(Debug)]
pub struct Early {
    /// The events.
    pub events: Vec<Event>,
    /// The answer waits for its end.
    pub told: oneshot::Sender<()>,
}

impl Ledgered {
    /// The events since the last time, oldest first.
    pub fn events(&self) -> Vec<Event> {
        let now = self.clock.now().timestamp();
        let mut books = self.books.lock().expect("the books");
        books.grow_older(now);
        std::mem::take(&mut books.events)
    }

    /// From now on, the answers of calls wait until their events were told, as long as the
    /// receiver lives.
    pub fn tells_early(&self) -> mpsc::UnboundedReceiver<Early> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.books.lock().expect("the books").early = Some(sender);
        receiver
    }

    /// The header that signs an event now. Each delivery is signed anew.
    pub fn signature(&self, event: &Event) -> String {
        let at = self.clock.now().timestamp();
        let key = hmac::Key::new(hmac::HMAC_SHA256, SIGNS.as_bytes());
        let mark = hmac::sign(&key, format!("{at}.{}", event.body).as_bytes());
        format!("t={at},v1={}", hex::encode(mark))
    }
}

impl Counter {
    /// Hands the events of a call over before it is answered; waits for the answer's turn.
    pub(super) fn tell_early(&self) -> Option<oneshot::Receiver<()>> {
        let mut books = self.books.lock().expect("the books");
        let early = books.early.clone()?;
        if early.is_closed() {
            books.early = None;
            return None;
        }
        let events = std::mem::take(&mut books.events);
        let (told, wait) = oneshot::channel();
        let sent = !events.is_empty() && early.send(Early { events, told }).is_ok();
        sent.then_some(wait)
    }
}

impl Books {
    /// Notes an event about an object as it is now.
    pub(super) fn tell(&mut self, kind: &str, id: &str, now: i64) {
        let Some(object) = self.objects.get(id).cloned() else { return };
        self.made += 1;
        let mut event = json!({ "id": format!("evt_{}", self.made), "object": "event",
            "api_version": "2025-03-31.basil", "created": now, "livemode": false,
            "pending_webhooks": 1, "type": kind, "data": { "object": object } });
        // An account's own events name it, and so do those about the account itself.
        let account = match kind.split_once('.') {
            Some(("account", _)) => Value::from(id),
            _ => object["of"].clone(),
        };
        if account.as_str().is_some_and(|account| !account.is_empty()) {
            event["account"] = account;
        }
        let body = event.to_string();
        self.events.push(Event { kind: kind.into(), about: id.into(), body });
    }
}
