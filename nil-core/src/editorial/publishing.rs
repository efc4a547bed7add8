//! Operators publish posts, questions with answers, testimonials and pages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::shown;
use super::store::publication::{self as store, Draft};
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{PublicationId, Slug, Text, Time, WebUrl};
use crate::operation::{Cx, Done, Subject, Work};

vocabulary! {
    /// What is published.
    PublicationKind {
        /// A post of the blog.
        BlogPost = "blog_post",
        /// A question with its answer.
        Faq = "faq",
        /// What somebody says of the site.
        Testimonial = "testimonial",
        /// A page of its own.
        CustomPage = "custom_page",
    }
}

vocabulary! {
    /// Whom a post or a question is written for.
    Audience {
        /// Everybody.
        All = "all",
        /// Athletes.
        Athlete = "athlete",
        /// Brand partners.
        Partner = "partner",
        /// Agents.
        Agent = "agent",
        /// Fans.
        Fan = "fan",
    }
}

/// Something published, or still kept back.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Publication {
    /// Its id.
    pub id: PublicationId,
    /// What it is.
    pub kind: PublicationKind,
    /// Whom it is written for.
    pub audience: Option<Audience>,
    /// Its name in addresses.
    pub slug: Option<String>,
    /// What stands above it: a title, a question, the name of who speaks.
    pub title: String,
    /// The text, sanitised HTML.
    pub body: String,
    /// What stands below it: an author, or who the speaker is.
    pub byline: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
    /// Its place in a list, smallest first.
    pub position: i64,
    /// Since when everybody can read it; none while it is kept back.
    pub published_at: Option<Time>,
    /// When the record was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Publication {
    fn subject(&self) -> Subject {
        Subject { kind: self.kind.as_str(), id: self.id.get() }
    }
}

/// A post to write (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePost {
    /// The post to change; none writes a new one.
    pub id: Option<PublicationId>,
    /// Whom it is written for.
    pub user_type: Audience,
    /// Its title.
    pub title: Text<1, 200>,
    /// Its name in addresses; made from the title where it is left out.
    pub slug: Option<Slug>,
    /// The text: plain, or HTML, of which only what can do no harm is kept.
    pub body: Text<1, 100_000>,
    /// The picture above it.
    pub cover_url: Option<WebUrl>,
    /// Who wrote it.
    pub author: Option<Text<1, 120>>,
    /// Since when everybody can read it; a post without is kept back.
    pub published_at: Option<Time>,
}

/// A question with its answer to write (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveFaq {
    /// The entry to change; none writes a new one.
    pub id: Option<PublicationId>,
    /// Whom it is written for (default `all`).
    pub user_type: Option<Audience>,
    /// The question.
    pub question: Text<1, 300>,
    /// The answer: plain, or HTML, of which only what can do no harm is kept.
    pub answer: Text<1, 20_000>,
    /// Its place in the list, smallest first (default 0).
    pub position: Option<i64>,
    /// Whether everybody can read it (default true).
    pub published: Option<bool>,
}

/// A testimonial to write (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveTestimonial {
    /// The testimonial to change; none writes a new one.
    pub id: Option<PublicationId>,
    /// Who speaks.
    pub name: Text<1, 120>,
    /// Who that is: a sport, a school.
    pub byline: Option<Text<1, 200>>,
    /// What they say: plain, or HTML, of which only what can do no harm is kept.
    pub text: Text<1, 5_000>,
    /// Their picture.
    pub photo_url: Option<WebUrl>,
    /// Its place in the list, smallest first (default 0).
    pub position: Option<i64>,
    /// Whether everybody can read it (default true).
    pub published: Option<bool>,
}

/// A page to write (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePage {
    /// The page to change; none writes a new one.
    pub id: Option<PublicationId>,
    /// Its name in addresses; made from the title where it is left out.
    pub slug: Option<Slug>,
    /// Its title.
    pub title: Text<1, 200>,
    /// The text: plain, or HTML, of which only what can do no harm is kept.
    pub body: Text<1, 100_000>,
    /// Whether everybody can read it (default true).
    pub published: Option<bool>,
}

/// Writes or changes a post (payloads: Admin, editorial). 404 for an unknown id, 409 `duplicate` for
/// a slug that is taken.
pub async fn save_post(cx: Cx<Operator>, input: SavePost) -> Result<Done<Publication>> {
    let draft = Draft {
        kind: PublicationKind::BlogPost,
        audience: Some(input.user_type),
        slug: Some(slug(input.slug, &input.title, "post")),
        title: input.title.to_string(),
        body: shown("body", &input.body)?,
        byline: input.author.map(|author| author.to_string()),
        image_url: input.cover_url.map(|url| url.to_string()),
        position: 0,
        published_at: input.published_at,
    };
    save(cx, input.id, draft).await
}

/// Writes or changes a question with its answer. 404 for an unknown id.
pub async fn save_faq(cx: Cx<Operator>, input: SaveFaq) -> Result<Done<Publication>> {
    let draft = Draft {
        kind: PublicationKind::Faq,
        audience: Some(input.user_type.unwrap_or(Audience::All)),
        slug: None,
        title: input.question.to_string(),
        body: shown("answer", &input.answer)?,
        byline: None,
        image_url: None,
        position: input.position.unwrap_or_default(),
        published_at: published(&cx, input.published),
    };
    save(cx, input.id, draft).await
}

/// Writes or changes a testimonial. 404 for an unknown id.
pub async fn save_testimonial(
    cx: Cx<Operator>,
    input: SaveTestimonial,
) -> Result<Done<Publication>> {
    let draft = Draft {
        kind: PublicationKind::Testimonial,
        audience: None,
        slug: None,
        title: input.name.to_string(),
        body: shown("text", &input.text)?,
        byline: input.byline.map(|byline| byline.to_string()),
        image_url: input.photo_url.map(|url| url.to_string()),
        position: input.position.unwrap_or_default(),
        published_at: published(&cx, input.published),
    };
    save(cx, input.id, draft).await
}

/// Writes or changes a page. 404 for an unknown id, 409 `duplicate` for a slug that is taken.
pub async fn save_page(cx: Cx<Operator>, input: SavePage) -> Result<Done<Publication>> {
    let draft = Draft {
        kind: PublicationKind::CustomPage,
        audience: None,
        slug: Some(slug(input.slug, &input.title, "page")),
        title: input.title.to_string(),
        body: shown("body", &input.body)?,
        byline: None,
        image_url: None,
        position: 0,
        published_at: published(&cx, input.published),
    };
    save(cx, input.id, draft).await
}

fn slug(given: Option<Slug>, title: &str, fallback: &str) -> String {
    given.unwrap_or_else(|| Slug::of_name(title, fallback)).to_string()
}

fn published(cx: &Cx<Operator>, published: Option<bool>) -> Option<Time> {
    published.unwrap_or(true).then(|| cx.now())
}

async fn save(
    cx: Cx<Operator>,
    id: Option<PublicationId>,
    draft: Draft,
) -> Result<Done<Publication>> {
    let mut work: Work = cx.begin().await?;
    let (saved, action) = match id {
        None => (store::add(&mut work, draft, cx.now()).await?, "created"),
        Some(id) => (store::change(&mut work, id, draft, cx.now()).await?, "changed"),
    };
    work.note(saved.subject(), action);
    work.done(saved).await
}
