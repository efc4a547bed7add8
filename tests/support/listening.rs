//! A client of the live stream.

use std::time::Duration;

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::people::Person;
use crate::server::{Got, Server};
use crate::world::World;

/// The time limit for expected events.
const SOON: Duration = Duration::from_secs(20);

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    pub id: String,
    pub event: String,
    pub data: Value,
}

/// An open stream.
pub struct Listening {
    response: Response,
    text: String,
}

impl Listening {
    /// Opens a stream and takes its first event; returns the stream and its start position.
    pub async fn to(server: &Server, who: &Person, after: Option<&str>) -> (Self, String) {
        let mut listening = Self::try_to(server, who, after).await.expect("a stream");
        let ready = listening.next().await;
        assert_eq!((ready.event.as_str(), ready.data), ("ready", json!({})));
        (listening, ready.id)
    }

    /// Opens a stream, or returns the refusal.
    pub async fn try_to(server: &Server, who: &Person, after: Option<&str>) -> Result<Self, Got> {
        let token = who.token.as_deref().expect("a token");
        let mut request = server.request(Method::GET, "/api/events").bearer_auth(token);
        if let Some(id) = after {
            request = request.header("last-event-id", id);
        }
        Self::sent(request).await
    }

    /// Opens a stream as a browser does, and takes its first event; or returns the refusal.
    pub async fn with_ticket(
        server: &Server,
        ticket: &str,
        after: Option<&str>,
    ) -> Result<(Self, String), Got> {
        let mut query = vec![("ticket", ticket)];
        query.extend(after.map(|id| ("last_event_id", id)));
        let request = server.request(Method::GET, "/api/events").query(&query);
        let mut listening = Self::sent(request).await?;
        let ready = listening.next().await;
        assert_eq!((ready.event.as_str(), ready.data), ("ready", json!({})));
        Ok((listening, ready.id))
    }

    /// The stream that this request opens, after its first event.
    pub async fn by(request: RequestBuilder) -> Self {
        let mut listening = Self::sent(request).await.expect("a stream");
        assert_eq!(listening.next().await.event, "ready");
        listening
    }

    async fn sent(request: RequestBuilder) -> Result<Self, Got> {
        let response = request.send().await.expect("an answer");
        if response.status() != 200 {
            return Err(Got::of(response).await);
        }
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-interface-extension"], "1");
        Ok(Self { response, text: String::new() })
    }

    /// The next block of text; `None` when the stream has ended.
    pub async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let block = block.to_owned();
                self.text = rest.to_owned();
                return Some(block);
            }
            let piece = tokio::time::timeout(SOON, self.response.chunk());
            let piece = piece.await.expect("something comes in time");
            // A broken connection counts as the stream's end.
            let piece = piece.ok().flatten()?;
            self.text.push_str(std::str::from_utf8(&piece).expect("text"));
        }
    }

    /// The next event.
    pub async fn next(&mut self) -> Happened {
        self.next_or_end().await.expect("the stream has ended")
    }

    /// The next event; `None` when the stream has ended.
    pub async fn next_or_end(&mut self) -> Option<Happened> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| {
                let line = block.lines().find_map(|line| line.strip_prefix(name));
                line.map(|value| value.trim_start().to_owned())
            };
            if let (Some(id), Some(event), Some(data)) =
                (field("id:"), field("event:"), field("data:"))
            {
                let data = serde_json::from_str(&data).expect("JSON");
                return Some(Happened { id, event, data });
            }
        }
    }

    /// Waits until the stream has ended; returns the events before.
    pub async fn rest(&mut self) -> Vec<Happened> {
        let mut all = Vec::new();
        while let Some(one) = self.next_or_end().await {
            all.push(one);
        }
        all
    }
}

impl Server {
    /// Notifies a user, as an operation would, and runs the worker.
    pub async fn tell(&self, who: &Person, title: &str) {
        self.world.tell(who, title).await;
        nil_core::worker::round(&self.world.platform).await.expect("a round");
    }
}

impl World {
    /// Queues an announcement to a user, for the worker to send.
    pub async fn tell(&self, who: &Person, title: &str) {
        let now = self.platform.now().to_rfc3339();
        let data = json!({ "announcement_title": title, "announcement_body": "News." });
        let insert = format!(
            "INSERT INTO outbox (channel, recipient, event, data, status, attempts, next_at, \
             created_at) VALUES ('event', 'user:{}', 'announcement.published', '{data}', \
             'pending', 0, '{now}', '{now}') RETURNING id",
            who.user_id
        );
        self.id(&insert).await;
    }
}
