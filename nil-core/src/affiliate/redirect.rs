//! Visitors follow affiliate links.

use schemars::JsonSchema;
use serde::Deserialize;

use super::interstitial::{self, Doubt};
use super::{store, target};
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::Text;
use crate::operation::{Cx, Redirect};

/// A click on a link.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Follow {
    /// The link's code.
    pub code: Text<1, 40>,
}

/// Redirects the visitor to the brand's page, with the code in `nil_code`, and counts the click;
/// nothing about the visitor is stored. If the brand is not verified, or the page is no longer on
/// the website in its profile, the visitor sees a page with the destination and an ordinary link
/// instead; that counts once, too. 404 for an unknown or disabled code, after the contract was
/// cancelled, and if the athlete's or the brand's account is not active.
pub async fn follow(cx: Cx<Anyone>, input: Follow) -> Result<Redirect> {
    let mut session = cx.read().await?;
    let link = store::followed(&mut session, &input.code).await?;
    drop(session);
    let to = target::with_code(&link.target_url, &input.code).ok_or(codes::NOT_FOUND)?;
    let mut work = cx.begin_audited_read().await?;
    store::count_click(&mut work, link.id).await?;
    work.finish_read().await?;
    Ok(match doubt(&link) {
        None => Redirect::To(to),
        Some(doubt) => Redirect::Page(interstitial::page(&to, doubt)),
    })
}

/// The reason why this server does not vouch for the link's destination. Links may be older than
/// some rules about them, and the brand may have changed its website.
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
