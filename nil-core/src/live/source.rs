//! What live streams are made of: feeds whose records have ids that only grow.

use std::future::Future;
use std::pin::Pin;

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::kernel::UserId;
use crate::messaging::following as messages;
use crate::notifications::following as notifications;
use crate::storage::Session;

/// A read that is under way.
pub(crate) type Reading<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A record of a feed: its id, and what is sent.
pub(crate) type Fresh = (i64, Value);

/// One feed. Its rows of one user must become visible in the order of their ids: whoever adds some
/// calls [`Work::touch_now`](crate::operation::Work::touch_now) for their users before.
pub(crate) struct Source {
    /// Its letter in event ids.
    pub letter: char,
    /// What its events are called.
    pub event: &'static str,
    /// The id of the user's latest record; 0 where there is none.
    pub head: for<'a> fn(&'a mut Session, UserId) -> Reading<'a, i64>,
    /// The user's records after an id, at most so many, the oldest first.
    pub after: for<'a> fn(&'a mut Session, UserId, i64, i64) -> Reading<'a, Vec<Fresh>>,
}

/// Every feed that is sent live. A new one goes to the end: an id that a client holds from before
/// (`n12`) then goes on as `n12.m…`.
pub(crate) const SOURCES: &[Source] = &[
    Source {
        letter: 'n',
        event: "notification",
        head: |session, user| Box::pin(notifications::head(session, user)),
        after: |session, user, id, most| {
            Box::pin(async move {
                let found = notifications::after(session, user, id, most).await?;
                found.iter().map(|one| fresh(one.id.get(), one)).collect()
            })
        },
    },
    Source {
        letter: 'm',
        event: "message",
        head: |session, user| Box::pin(messages::head(session, user)),
        after: |session, user, id, most| {
            Box::pin(async move {
                let found = messages::after(session, user, id, most).await?;
                found.iter().map(|one| fresh(one.id.get(), one)).collect()
            })
        },
    },
];

fn fresh(id: i64, record: &impl Serialize) -> Result<Fresh> {
    let data = serde_json::to_value(record).map_err(Error::internal)?;
    Ok((id, data))
}
