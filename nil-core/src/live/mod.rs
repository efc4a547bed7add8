//! The live stream of a user's feeds: `GET /events`.
//!
//! 1. `stream` is the operation: it subscribes to wake-ups (`feed::Hub`), reads new records, and
//!    sends them until the session ends.
//! 2. `source` lists the feeds that are sent live, with how each is read.
//! 3. `ticket` is the operation that gives a browser a ticket for the stream.
//! 4. `cursor` is the position of a stream, sent as the id of each event.
//!
//! To send another feed live, add a `Source`. Code that adds rows to such a feed first calls
//! [`Work::touch_now`](crate::operation::Work::touch_now).

mod cursor;
mod source;
pub mod stream;
pub mod ticket;

pub(crate) use source::SOURCES;
