//! Tickets that open a live stream where no header can be sent: a browser's `EventSource` takes
//! only an address.
//!
//! A ticket is `SESSION.UNTIL.MARK`: the stored name of a Core session, the second of expiry, and a
//! keyed mark of both. Tickets are not stored. A ticket is worth nothing once its session has
//! ended, and a stream that it opened ends with the session too.

use chrono::{DateTime, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use super::principal::Principal;
use super::session;
use crate::error::{Error, Result};
use crate::kernel::{Secret, Time};
use crate::keys::unauthenticated;
use crate::platform::Platform;

/// How long a ticket opens a stream. It stands in an address, which proxies may log.
const LIVES: TimeDelta = TimeDelta::seconds(60);
/// The context its mark is bound to.
const CONTEXT: &str = "stream ticket";

/// A ticket and its expiry.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct StreamTicket {
    /// The ticket, for `ticket` in the address of the stream.
    #[schemars(extend("examples" = ["9c2f41.1795172580.5d41"]))]
    pub ticket: Secret,
    /// When it stops opening streams. A stream that is open by then goes on.
    pub expires_at: Time,
}

impl Platform {
    /// Issues a ticket for a Core session. It is used only while the session is open.
    pub fn issue_stream_ticket(&self, session: &str) -> Result<StreamTicket> {
        let until = (self.now() + LIVES).timestamp();
        let expires_at = DateTime::from_timestamp(until, 0)
            .ok_or_else(|| Error::internal("a ticket without an end"))?;
        let content = format!("{session}.{until}");
        let mark = self.vault().mark(CONTEXT, &content);
        Ok(StreamTicket { ticket: Secret::new(format!("{content}.{mark}")), expires_at })
    }

    /// The user behind a ticket; 401 if it is wrong or has expired, or its session has ended.
    pub async fn authenticate_ticket(&self, ticket: &str) -> Result<Principal> {
        let session = self.session_behind(ticket).ok_or_else(unauthenticated)?;
        session::user_of(self, session.to_owned()).await
    }

    fn session_behind<'a>(&self, ticket: &'a str) -> Option<&'a str> {
        let (content, mark) = ticket.rsplit_once('.')?;
        if !self.vault().is_mark(CONTEXT, content, mark) {
            return None;
        }
        let (session, until) = content.split_once('.')?;
        let until: i64 = until.parse().ok()?;
        (self.now().timestamp() < until).then_some(session)
    }
}
