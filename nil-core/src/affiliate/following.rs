//! Somebody follows a link.

use schemars::JsonSchema;
use serde::Deserialize;

use super::leaving::{self, Doubt};
use super::{store, target};
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::Text;
use crate::operation::{Cx, Redirect};

/// A link that is followed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Follow {
    /// The link's code.
    pub code: Text<1, 40>,
}

/// Sends the caller on to the brand's page, with the code in `nil_code`, and counts it; of whoever follows
/// it nothing is kept. Where nobody has verified the brand, or the page is not on the website that its
/// profile names (any more), the caller is shown where the link leads and goes on by an ordinary link;
/// that is counted once, as it is shown. 404 for a code that is unknown or switched off, and once the contract was called
/// off or the athlete's or the brand's account is not in use.
pub async fn follow(cx: Cx<Anyone>, input: Follow) -> Result<Redirect> {
    let mut session = cx.read().await?;
    let found = store::followed(&mut session, &input.code).await?;
    drop(session);
    let link = found.ok_or(codes::NOT_FOUND)?;
    let to = target::with_code(&link.target_url, &input.code).ok_or(codes::NOT_FOUND)?;
    let mut work = cx.begin().await?;
    store::count_click(&mut work, link.id).await?;
    work.done(()).await?;
    Ok(match doubt(&link) {
        None => Redirect::To(to),
        Some(doubt) => Redirect::Page(leaving::page(&to, doubt)),
    })
}

/// Why this server does not vouch for where the link leads. Links are older than some rules about them, and
/// than the website that a brand names today.
fn doubt(link: &store::Followed) -> Option<Doubt> {
    let website = link.website.as_deref().unwrap_or_default();
    if target::checked(&link.target_url, website).is_err() {
        Some(Doubt::Elsewhere)
    } else if link.verified_at.is_none() {
        Some(Doubt::Unverified)
    } else {
        None
    }
}
