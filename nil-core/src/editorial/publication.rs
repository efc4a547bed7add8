//! A publication of the site: a post, a page, a question with its answer, a testimonial.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AllOr, PublicationId, Time, ZeroOr};
use crate::operation::{Revisable, Subject};
use crate::storage::FromRow;

vocabulary! {
    /// The kind of a publication.
    PublicationKind {
        /// A blog post.
        BlogPost = "blog_post",
        /// A question with its answer.
        Faq = "faq",
        /// A testimonial about the site.
        Testimonial = "testimonial",
        /// A standalone page.
        CustomPage = "custom_page",
    }
}

vocabulary! {
    /// The intended readers of a post or a question.
    Readership {
        /// Everyone.
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

vocabulary! {
    /// Whether everyone can read a publication.
    PublicationStatus {
        /// Everyone can.
        Published = "published",
        /// Everyone can from a later time on.
        Scheduled = "scheduled",
        /// Only operators can.
        Draft = "draft",
    }
}

/// Selects publications of one kind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListPublications {
    /// `all`, `published`, `scheduled` or `draft`.
    pub status: AllOr<PublicationStatus>,
    /// 0 for all, or the one publication's id.
    pub id: ZeroOr<PublicationId>,
}

/// A publication, visible or not.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Publication {
    /// The publication's id.
    pub id: PublicationId,
    /// The kind.
    pub kind: PublicationKind,
    /// The intended readers.
    pub audience: Option<Readership>,
    /// The URL name.
    pub slug: Option<String>,
    /// The heading: a title, a question, or the name of a testimonial's author.
    pub title: String,
    /// The text, sanitised HTML.
    pub body: String,
    /// The line below: an author, or a description of the testimonial's author.
    pub byline: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
    /// The position in a list, lowest first.
    pub position: i64,
    /// When it became or becomes public; null if unpublished.
    pub published_at: Option<Time>,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Publication {
    pub(super) fn subject(&self) -> Subject {
        Subject { kind: self.kind.as_str(), id: self.id.get() }
    }
}

impl Revisable for Publication {
    fn content(&self) -> Value {
        json!({
            "audience": self.audience, "slug": self.slug, "title": self.title, "body": self.body,
            "byline": self.byline, "image_url": self.image_url, "position": self.position,
            "published_at": self.published_at,
        })
    }
}
