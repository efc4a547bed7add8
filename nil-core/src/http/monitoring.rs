//! `/metrics`: who may read the figures of this process, and what is measured when they are asked
//! for.

use std::time::Duration;

use ::http::request::Parts;
use ::http::{HeaderMap, Response};
use tokio::time::timeout;

use super::admission;
use super::metrics::{Metrics, Readers};
use super::response::{self, Outgoing, whole};
use super::site::{Peer, Site};
use crate::error::{Result, codes};
use crate::kernel::Secret;
use crate::metering::{
    AUDIT_UNSEALED_AGE, BOOKS_UNBALANCED, DIFFERENCES, DIFFERENCES_AGE, PARTITION_ROOM,
    UNSETTLED_AGE, VERIFIED, WEBHOOKS_OVERDUE, figure,
};
use crate::notifications::worker as messages;
use crate::operation::chain;
use crate::payments;
use crate::platform::Platform;
use crate::{webhooks, worker};

/// How long the database may take to show that it is there.
pub(super) const READY_WITHIN: Duration = Duration::from_millis(900);

/// The headers by which proxies name their clients.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/// The figures, 401 for a wrong token, or none: then the page does not exist for this caller.
pub(super) async fn answer(site: &Site, parts: &Parts) -> Option<Response<Outgoing>> {
    let inner = site.inner();
    let Metrics { render, readers } = inner.options.metrics.as_ref()?;
    match readers {
        Readers::Anyone => {}
        Readers::Token(token) => {
            if !is_token(&inner.platform, &parts.headers, token) {
                return Some(response::of_error(&codes::UNAUTHENTICATED.into(), "", None));
            }
        }
        Readers::ThisMachine => {
            let peer = parts.extensions.get::<Peer>()?;
            let forwarded = FORWARDED.iter().any(|name| parts.headers.contains_key(*name));
            if !peer.0.ip().to_canonical().is_loopback() || forwarded {
                return None;
            }
        }
    }
    // Without the database the other figures are all the more welcome.
    match timeout(READY_WITHIN, measure(&inner.platform)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!(%error, "what waits cannot be measured"),
        Err(_) => tracing::debug!("what waits was not measured in time"),
    }
    Some(whole(200, "text/plain; version=0.0.4", render().into_bytes()))
}

/// Notes what waits in the database: messages, events for webhooks, movements of money without an
/// outcome, differences from the processor's statement, and entries of the audit trail; and what is
/// known of the books.
async fn measure(platform: &Platform) -> Result<()> {
    messages::measure(platform).await?;
    ::metrics::gauge!(WEBHOOKS_OVERDUE).set(figure(webhooks::waiting_since(platform).await?));
    for (kind, age) in payments::unsettled(platform).await? {
        ::metrics::gauge!(UNSETTLED_AGE, "kind" => kind).set(figure(age));
    }
    let (count, age) = payments::open_differences(platform).await?;
    ::metrics::gauge!(DIFFERENCES).set(figure(count));
    ::metrics::gauge!(DIFFERENCES_AGE).set(figure(age));
    ::metrics::gauge!(AUDIT_UNSEALED_AGE).set(figure(chain::unsealed_for(platform).await?));
    ::metrics::gauge!(BOOKS_UNBALANCED).set(figure(payments::unbalanced_lately(platform).await?));
    for (table, left) in worker::partition_room(platform).await? {
        ::metrics::gauge!(PARTITION_ROOM, "table" => table).set(figure(left));
    }
    let verified = payments::verified_at(platform).await?;
    ::metrics::gauge!(VERIFIED).set(figure(verified.map_or(0, |at| at.timestamp())));
    Ok(())
}

/// Compares in constant time.
fn is_token(platform: &Platform, headers: &HeaderMap, token: &Secret) -> bool {
    let vault = platform.vault();
    let mark = vault.mark("metrics", token.expose());
    admission::bearer(headers).is_some_and(|given| vault.is_mark("metrics", given, &mark))
}
