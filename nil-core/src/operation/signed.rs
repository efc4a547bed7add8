//! Each signed request is accepted once, across all servers of the database.

use chrono::TimeDelta;

use super::answer::Done;
use super::cx::Cx;
use crate::auth::Service;
use crate::error::{Result, codes};
use crate::kernel::{ApiKeyId, Time};
use crate::platform::Platform;
use crate::storage::insert;

/// How long after its request's time a nonce is stored: longer than a server with a slow clock
/// could accept the request.
const REMEMBERED: TimeDelta = TimeDelta::seconds(600);

impl Platform {
    /// Accepts a correctly signed request once; otherwise 401 `request_replayed`.
    pub async fn take_signed(&self, id: ApiKeyId, nonce: &str, at: Time) -> Result<()> {
        let used = (id, nonce.to_owned(), at + REMEMBERED);
        let service = Service::ourselves();
        if self.call(service, remember, used).await?.into_inner() {
            Ok(())
        } else {
            Err(codes::REQUEST_REPLAYED.into())
        }
    }
}

/// Stores a nonce; returns whether it was new.
async fn remember(
    cx: Cx<Service>,
    (id, nonce, until): (ApiKeyId, String, Time),
) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let row = insert("used_nonce")
        .set("api_key_id", id)
        .set("nonce", nonce)
        .set("expires_at", until)
        .unless_exists(&["api_key_id", "nonce"]);
    let new = work.run(row).await? > 0;
    work.done(new).await
}
