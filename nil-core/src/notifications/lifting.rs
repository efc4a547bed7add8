//! Operators see which addresses take no more messages, and let messages go there again.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::store::undeliverable as store;
use super::undeliverable::{ListUndeliverable, Undeliverable};
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{Combined, Listing, Sifted, UndeliverableId};
use crate::operation::{Cx, Done};
use crate::ports::courier::Channel;
use crate::storage::Session;

/// Selects an address that takes no more messages.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OneUndeliverable {
    /// The address's row.
    pub id: UndeliverableId,
}

/// Lists addresses that take no more messages, newest first (extension). `q` looks in addresses.
pub async fn list(
    cx: Cx<Operator>,
    input: Sifted<ListUndeliverable>,
) -> Result<Listing<Undeliverable>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    store::page(&mut cx.read().await?, &input, &sift, place).await
}

/// Lets messages go to an address again (extension), because its owner says that it works. 404 for
/// an unknown row. If a message comes back once more, none goes there any more.
pub async fn lift(cx: Cx<Operator>, input: OneUndeliverable) -> Result<Done<Undeliverable>> {
    let mut work = cx.begin().await?;
    let known = store::locked(&mut work, input.id).await?;
    store::lift(&mut work, known.channel, &known.address).await?;
    let what = json!({ "channel": known.channel, "why": known.why });
    work.note_change(input.id, "lifted", Some(what), json!(null));
    work.done(known).await
}

/// Lets mails go to an address again whose owner has shown that they read them: by a code or a link
/// that was mailed there.
pub async fn confirmed(session: &mut Session, email: &str) -> Result<()> {
    store::lift(session, Channel::Email, email).await.map(|_| ())
}
