//! The live stream of a user's feeds: what it is made of, where it stands, and the operation.
//!
//! A feed that is to be sent live adds a `Source`, and whoever adds rows to it calls
//! [`Work::touch_now`](crate::operation::Work::touch_now) before.

mod cursor;
pub mod following;
mod source;
