//! The live stream of a user's feeds, `GET /events`.
//!
//! `following` is the operation, `cursor` the position in the stream, and `source` lists the feeds. To send another feed
//! live, add a `Source`, and call [`Work::touch_now`](crate::operation::Work::touch_now) before adding rows to it.

mod cursor;
pub mod following;
mod source;
