//! The public pages of the site's own content.

use schemars::JsonSchema;
use serde::Deserialize;

use super::publication::{Publication, PublicationKind, Readership};
use super::store::publication as store;
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::{Listing, Nothing, Paged, Paging, Slug};
use crate::operation::Cx;

/// Filters for posts or questions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListFor {
    /// Only entries for these readers, or for everyone.
    pub user_type: Option<Readership>,
}

/// Selects an entry by its URL name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Named {
    /// The URL name.
    pub slug: Slug,
}

/// Lists the blog's posts, newest first.
pub async fn blog(cx: Cx<Anyone>, input: Paged<ListFor>) -> Result<Listing<Publication>> {
    let (input, paging) = input.parts();
    list(&cx, PublicationKind::BlogPost, input.user_type, paging).await
}

/// Lists the questions with their answers, in their order.
pub async fn faq(cx: Cx<Anyone>, input: Paged<ListFor>) -> Result<Listing<Publication>> {
    let (input, paging) = input.parts();
    list(&cx, PublicationKind::Faq, input.user_type, paging).await
}

/// Lists the testimonials, in their order.
pub async fn testimonials(cx: Cx<Anyone>, input: Paged<Nothing>) -> Result<Listing<Publication>> {
    let (Nothing {}, paging) = input.parts();
    list(&cx, PublicationKind::Testimonial, None, paging).await
}

/// Returns a blog post. 404 if it is not public.
pub async fn post(cx: Cx<Anyone>, input: Named) -> Result<Publication> {
    one(&cx, PublicationKind::BlogPost, &input.slug).await
}

/// Returns a page. 404 if it is not public.
pub async fn page(cx: Cx<Anyone>, input: Named) -> Result<Publication> {
    one(&cx, PublicationKind::CustomPage, &input.slug).await
}

async fn list(
    cx: &Cx<Anyone>,
    kind: PublicationKind,
    audience: Option<Readership>,
    paging: Paging,
) -> Result<Listing<Publication>> {
    let mut session = cx.read().await?;
    store::page(&mut session, kind, audience, paging, cx.now()).await
}

async fn one(cx: &Cx<Anyone>, kind: PublicationKind, slug: &str) -> Result<Publication> {
    let mut session = cx.read().await?;
    store::named(&mut session, kind, slug, cx.now()).await?.ok_or_else(|| codes::NOT_FOUND.into())
}
