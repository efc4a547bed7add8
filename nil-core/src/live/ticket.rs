//! `POST /events/ticket`: a ticket with which a browser opens the stream.

use crate::auth::User;
use crate::auth::stream_ticket::StreamTicket;
use crate::error::Result;
use crate::kernel::Nothing;
use crate::operation::Cx;

/// A ticket for the caller's session. `GET /events?ticket=…` takes it in place of the bearer token
/// for 60 seconds, because a browser's `EventSource` cannot send headers.
pub async fn issue(cx: Cx<User>, _: Nothing) -> Result<StreamTicket> {
    cx.platform().issue_stream_ticket(&cx.caller.session)
}
