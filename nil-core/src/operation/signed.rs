//! Each signed request is accepted once, across all servers of the database.

use chrono::TimeDelta;

use super::answer::Done;
use super::cx::Cx;
use crate::auth::Service;
use crate::auth::signing::SignedRequest;
use crate::error::{Result, codes};
use crate::kernel::{ApiKeyId, Secret, Time};
use crate::platform::Platform;
use crate::storage::insert;

/// How long after its request's time a nonce is stored: longer than a server with a slow clock
/// could accept the request.
const REMEMBERED: TimeDelta = TimeDelta::seconds(600);

impl Platform {
    /// Accepts a signed request once; otherwise 401 `request_stale`, `signature_invalid` or
    /// `request_replayed`. Only a correctly signed request uses up its nonce.
    pub async fn take_signed(
        &self,
        id: ApiKeyId,
        secret: &Secret,
        request: SignedRequest<'_>,
        signature: &str,
    ) -> Result<()> {
        let at = request.made_at(secret, signature, self.now())?;
        let used = (id, request.nonce.to_owned(), at + REMEMBERED);
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
