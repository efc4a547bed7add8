//! Everybody reads what is published.

use schemars::JsonSchema;
use serde::Deserialize;

use super::publishing::{Audience, Publication, PublicationKind};
use super::store::publication as store;
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::{Listing, Nothing, Paged, Paging, Slug};
use crate::operation::Cx;

/// Which posts or questions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListFor {
    /// Only what is written for these, or for everybody.
    pub user_type: Option<Audience>,
}

/// What to read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Named {
    /// Its name in addresses.
    pub slug: Slug,
}

/// The blog, newest first.
pub async fn blog(cx: Cx<Anyone>, input: Paged<ListFor>) -> Result<Listing<Publication>> {
    let (input, paging) = input.parts();
    list(&cx, PublicationKind::BlogPost, input.user_type, paging).await
}

/// The questions with their answers, in their order.
pub async fn faq(cx: Cx<Anyone>, input: Paged<ListFor>) -> Result<Listing<Publication>> {
    let (input, paging) = input.parts();
    list(&cx, PublicationKind::Faq, input.user_type, paging).await
}

/// The testimonials, in their order.
pub async fn testimonials(cx: Cx<Anyone>, input: Paged<Nothing>) -> Result<Listing<Publication>> {
    let (Nothing {}, paging) = input.parts();
    list(&cx, PublicationKind::Testimonial, None, paging).await
}

/// One post of the blog. 404 while it is kept back.
pub async fn post(cx: Cx<Anyone>, input: Named) -> Result<Publication> {
    one(&cx, PublicationKind::BlogPost, &input.slug).await
}

/// One page. 404 while it is kept back.
pub async fn page(cx: Cx<Anyone>, input: Named) -> Result<Publication> {
    one(&cx, PublicationKind::CustomPage, &input.slug).await
}

async fn list(
    cx: &Cx<Anyone>,
    kind: PublicationKind,
    audience: Option<Audience>,
    paging: Paging,
) -> Result<Listing<Publication>> {
    let mut session = cx.read().await?;
    store::page(&mut session, kind, audience, paging, cx.now()).await
}

async fn one(cx: &Cx<Anyone>, kind: PublicationKind, slug: &str) -> Result<Publication> {
    let mut session = cx.read().await?;
    store::named(&mut session, kind, slug, cx.now()).await?.ok_or_else(|| codes::NOT_FOUND.into())
}
