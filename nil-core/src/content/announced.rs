//! What an upload is: a row before there are bytes, so that whatever happens next, somebody finds
//! the leftovers.
//!
//! 1. It is *announced*: a row says whose it is, how large and of which type, and until when it
//!    waits.
//! 2. Its bytes *arrive* with a call, or at an address that is signed for them
//!    ([`Address`](super::signing::Address)). They are checked against what was announced
//!    ([`Checked`](super::file::Checked)) and written to the store outside any transaction.
//! 3. It is *completed*: what it becomes is the business of whoever announced it. Completing it
//!    again gives the same answer.
//! 4. Otherwise it *ends* (`announcing`): it is given up, or the worker finds that its time is
//!    over. What has arrived of it is removed after the commit.
//!
//! Three kinds of uploads differ in what they are for:
//!
//! | | a file of its own (`storing`) | a file of the content library | a file of a deal's folder |
//! |---|---|---|---|
//! | row | the file itself, while it is `writing` | `multipart_upload` | `direct_upload` |
//! | bytes | in the call | in the call, or in parts of up to 8 MiB that are joined and read once | in one piece, as a file of its own that waits |
//! | limit | the owner's quota | what all operators have open | the owner's quota |
//! | becomes | part of any record, within a day | an item, or a version of one | a document, or a version of one |
//!
//! The first kind has no [`Announced`]: it waits for no other call, so its row is the file, and
//! `sweeping` ends it with all files that nothing uses.

use sea_query::Value;

use super::storing::Discarded;
use crate::error::Result;
use crate::kernel::{FromColumn, Identity, Machine};
use crate::operation::Work;
use crate::storage::{Row, Selected};

/// A kind of announced uploads: their table, their states, and what goes when one of them ends.
pub trait Announced: Row + Selected + Sync + 'static {
    /// The id of one.
    type Id: Identity + FromColumn + Into<i64> + Into<Value> + Send + Sync + 'static;
    /// Its state.
    type Status: Machine + Send + Sync;
    /// The table.
    const TABLE: &'static str;
    /// The column of the account that announced it.
    const OWNER: &'static str;
    /// Finds those whose time is over: made by [`due_ids`](crate::schedule::due::due_ids).
    const LATE: &'static str;
    /// The event that ends one which becomes nothing.
    const END: <Self::Status as Machine>::Event;
    /// The operation in the audit trail when the worker ends one.
    const EXPIRED_BY: &'static str;

    /// Its id.
    fn id(&self) -> Self::Id;

    /// Its state.
    fn status(&self) -> Self::Status;

    /// Lets go of what has arrived, in the transaction that ends it.
    fn let_go(&self, work: &mut Work) -> impl Future<Output = Result<Discarded>> + Send;
}
