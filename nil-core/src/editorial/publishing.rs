//! Operators publish posts, questions with answers, testimonials and pages.

use schemars::JsonSchema;
use serde::Deserialize;

use super::publication::{Publication, PublicationKind, Readership};
use super::shown;
use super::store::publication::{self as store, Draft};
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{PublicationId, Revision, Slug, Text, Time, Title, WebUrl};
use crate::operation::{Cx, Done, Revisable as _, Revised, Work, without};

/// A post to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePost {
    /// The post to change; omit it to create one.
    pub id: Option<PublicationId>,
    /// The intended readers.
    pub user_type: Readership,
    /// The title.
    pub title: Title<200>,
    /// The URL name; default: derived from the title.
    pub slug: Option<Slug>,
    /// The text: plain, or HTML, which is sanitised.
    pub body: Text<1, 100_000>,
    /// The cover picture.
    pub cover_url: Option<WebUrl>,
    /// The author.
    pub author: Option<Text<1, 120>>,
    /// When it becomes public; omit it to keep the post unpublished.
    pub published_at: Option<Time>,
    /// The revision that the caller has seen; 409 `state_changed` if it has another one.
    pub revision: Option<Revision>,
}

/// A question with its answer, to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveFaq {
    /// The entry to change; omit it to create one.
    pub id: Option<PublicationId>,
    /// The intended readers (default `all`).
    pub user_type: Option<Readership>,
    /// The question.
    pub question: Text<1, 300>,
    /// The answer: plain, or HTML, which is sanitised.
    pub answer: Text<1, 20_000>,
    /// The position in the list, lowest first (default 0).
    pub position: Option<i64>,
    /// Whether everyone can read it (default true).
    pub published: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if it has another one.
    pub revision: Option<Revision>,
}

/// A testimonial to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveTestimonial {
    /// The testimonial to change; omit it to create one.
    pub id: Option<PublicationId>,
    /// The author's name.
    pub name: Text<1, 120>,
    /// The author's description, such as a sport or a school.
    pub byline: Option<Text<1, 200>>,
    /// The text: plain, or HTML, which is sanitised.
    pub text: Text<1, 5_000>,
    /// The author's picture.
    pub photo_url: Option<WebUrl>,
    /// The position in the list, lowest first (default 0).
    pub position: Option<i64>,
    /// Whether everyone can read it (default true).
    pub published: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if it has another one.
    pub revision: Option<Revision>,
}

/// A page to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePage {
    /// The page to change; omit it to create one.
    pub id: Option<PublicationId>,
    /// The URL name; default: derived from the title.
    pub slug: Option<Slug>,
    /// The title.
    pub title: Title<200>,
    /// The text: plain, or HTML, which is sanitised.
    pub body: Text<1, 100_000>,
    /// Whether everyone can read it (default true).
    pub published: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if it has another one.
    pub revision: Option<Revision>,
}

/// Creates or changes a post (payloads: Admin, editorial). 404 for an unknown id, 409 `duplicate`
/// for a slug that is taken, `state_changed` for a post that somebody else has changed meanwhile.
pub async fn save_post(cx: Cx<Operator>, input: SavePost) -> Result<Done<Revised<Publication>>> {
    let draft = Draft {
        kind: PublicationKind::BlogPost,
        audience: Some(input.user_type),
        slug: Some(slug(input.slug, &input.title, "post")),
        title: input.title.to_string(),
        body: shown("body", &input.body).await?,
        byline: input.author.map(|author| author.to_string()),
        image_url: input.cover_url.map(|url| url.to_string()),
        position: 0,
        published_at: input.published_at,
    };
    save(cx, (input.id, input.revision), draft).await
}

/// Creates or changes a question with its answer. 404 for an unknown id.
pub async fn save_faq(cx: Cx<Operator>, input: SaveFaq) -> Result<Done<Revised<Publication>>> {
    let draft = Draft {
        kind: PublicationKind::Faq,
        audience: Some(input.user_type.unwrap_or(Readership::All)),
        slug: None,
        title: input.question.to_string(),
        body: shown("answer", &input.answer).await?,
        byline: None,
        image_url: None,
        position: input.position.unwrap_or_default(),
        published_at: published(&cx, input.published),
    };
    save(cx, (input.id, input.revision), draft).await
}

/// Creates or changes a testimonial. 404 for an unknown id.
pub async fn save_testimonial(
    cx: Cx<Operator>,
    input: SaveTestimonial,
) -> Result<Done<Revised<Publication>>> {
    let draft = Draft {
        kind: PublicationKind::Testimonial,
        audience: None,
        slug: None,
        title: input.name.to_string(),
        body: shown("text", &input.text).await?,
        byline: input.byline.map(|byline| byline.to_string()),
        image_url: input.photo_url.map(|url| url.to_string()),
        position: input.position.unwrap_or_default(),
        published_at: published(&cx, input.published),
    };
    save(cx, (input.id, input.revision), draft).await
}

/// Creates or changes a page. 404 for an unknown id, 409 `duplicate` for a slug that is taken.
pub async fn save_page(cx: Cx<Operator>, input: SavePage) -> Result<Done<Revised<Publication>>> {
    let draft = Draft {
        kind: PublicationKind::CustomPage,
        audience: None,
        slug: Some(slug(input.slug, &input.title, "page")),
        title: input.title.to_string(),
        body: shown("body", &input.body).await?,
        byline: None,
        image_url: None,
        position: 0,
        published_at: published(&cx, input.published),
    };
    save(cx, (input.id, input.revision), draft).await
}

fn slug(given: Option<Slug>, title: &str, fallback: &str) -> String {
    given.unwrap_or_else(|| Slug::of_name(title, fallback)).to_string()
}

fn published(cx: &Cx<Operator>, published: Option<bool>) -> Option<Time> {
    published.unwrap_or(true).then(|| cx.now())
}

async fn save(
    cx: Cx<Operator>,
    (id, seen): (Option<PublicationId>, Option<Revision>),
    draft: Draft,
) -> Result<Done<Revised<Publication>>> {
    let mut work: Work = cx.begin().await?;
    // The trail keeps no texts: they can be long.
    let told = |publication: &Publication| without(publication.content(), &["body"]);
    let (before, saved) = match id {
        None => (None, store::add(&mut work, draft, cx.now()).await?),
        Some(id) => {
            let before = store::held(&mut work, id, draft.kind).await?;
            work.as_seen(before.subject(), &before, seen.as_ref()).await?;
            let saved = store::change(&mut work, &before, draft, cx.now()).await?;
            (Some(told(&before)), saved)
        }
    };
    let action = if before.is_some() { "changed" } else { "created" };
    work.note_change(saved.subject(), action, before, told(&saved));
    work.done(saved.into()).await
}
