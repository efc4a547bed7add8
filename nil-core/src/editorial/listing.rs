//! Operators list the site's own content, public or not.

use super::legal_document::{LegalDocument, ListTerms};
use super::publication::{ListPublications, Publication, PublicationKind};
use super::store;
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{Combined, Listing, Sifted};
use crate::operation::{Cx, Revised};

/// Lists the blog's posts, also those that are not public. `q` looks in headings
/// and texts. 404 for an unknown id.
pub async fn posts(
    cx: Cx<Operator>,
    input: Sifted<ListPublications>,
) -> Result<Listing<Revised<Publication>>> {
    list(&cx, PublicationKind::BlogPost, input).await
}

/// Lists the questions with their answers, also those that are not public. `q` looks in headings
/// and texts. 404 for an unknown id.
pub async fn faq(
    cx: Cx<Operator>,
    input: Sifted<ListPublications>,
) -> Result<Listing<Revised<Publication>>> {
    list(&cx, PublicationKind::Faq, input).await
}

/// Lists the testimonials, also those that are not public. `q` looks in headings
/// and texts. 404 for an unknown id.
pub async fn testimonials(
    cx: Cx<Operator>,
    input: Sifted<ListPublications>,
) -> Result<Listing<Revised<Publication>>> {
    list(&cx, PublicationKind::Testimonial, input).await
}

/// Lists the pages, also those that are not public. `q` looks in headings
/// and texts. 404 for an unknown id.
pub async fn pages(
    cx: Cx<Operator>,
    input: Sifted<ListPublications>,
) -> Result<Listing<Revised<Publication>>> {
    list(&cx, PublicationKind::CustomPage, input).await
}

/// Lists the versions of the legal documents, also those that are not in force yet. `q` looks
/// in titles and texts. 404 for an unknown id.
pub async fn terms(cx: Cx<Operator>, input: Sifted<ListTerms>) -> Result<Listing<LegalDocument>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    input.id.found(store::legal::page(&mut session, (&input, &sift), place).await?)
}

async fn list(
    cx: &Cx<Operator>,
    kind: PublicationKind,
    input: Sifted<ListPublications>,
) -> Result<Listing<Revised<Publication>>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let wanted = (kind, &input, &sift);
    let page = store::publication::page_of_all(&mut session, wanted, place, cx.now()).await?;
    Ok(input.id.found(page)?.map(Revised::from))
}
