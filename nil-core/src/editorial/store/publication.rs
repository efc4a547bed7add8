//! The rows of posts, questions, testimonials and pages.

use crate::editorial::publishing::{Audience, Publication, PublicationKind};
use crate::error::{Result, codes};
use crate::kernel::{Paging, PublicationId, Time};
use crate::operation::Work;
use crate::storage::{Session, insert, sql, update};

const COLUMNS: &[&str] = &[
    "id",
    "kind",
    "audience",
    "slug",
    "title",
    "body",
    "byline",
    "image_url",
    "position",
    "published_at",
    "created_at",
    "updated_at",
];

/// What is to be kept.
pub struct Draft {
    pub kind: PublicationKind,
    pub audience: Option<Audience>,
    pub slug: Option<String>,
    pub title: String,
    pub body: String,
    pub byline: Option<String>,
    pub image_url: Option<String>,
    pub position: i64,
    pub published_at: Option<Time>,
}

/// Keeps something new.
pub async fn add(work: &mut Work, draft: Draft, now: Time) -> Result<Publication> {
    work.one(
        insert("publication")
            .set("kind", draft.kind)
            .set("audience", draft.audience)
            .set("slug", draft.slug)
            .set("title", draft.title)
            .set("body", draft.body)
            .set("byline", draft.byline)
            .set("image_url", draft.image_url)
            .set("position", draft.position)
            .set("published_at", draft.published_at)
            .set("created_at", now)
            .set("updated_at", now)
            .returning(COLUMNS),
    )
    .await
}

/// Changes what is there of this kind; 404 where there is nothing. What was published before keeps
/// the day on which it was.
pub async fn change(
    work: &mut Work,
    id: PublicationId,
    draft: Draft,
    now: Time,
) -> Result<Publication> {
    let before: Option<(Option<Time>,)> = work
        .first(
            sql("SELECT published_at FROM publication WHERE id = $1 AND kind = $2")
                .bind(id)
                .bind(draft.kind),
        )
        .await?;
    let (before,) = before.ok_or(codes::NOT_FOUND)?;
    let published_at = match (draft.kind, draft.published_at, before) {
        (PublicationKind::BlogPost, at, _) | (_, at, None) => at,
        (_, at, Some(before)) => at.map(|_| before),
    };
    work.one(
        update("publication")
            .set("audience", draft.audience)
            .set("slug", draft.slug)
            .set("title", draft.title)
            .set("body", draft.body)
            .set("byline", draft.byline)
            .set("image_url", draft.image_url)
            .set("position", draft.position)
            .set("published_at", published_at)
            .set("updated_at", now)
            .when("id", id)
            .returning(COLUMNS),
    )
    .await
}

/// A page of what everybody can read, and how many there are: by position, then newest first.
/// `audience` finds what is for them or for everybody.
pub async fn page(
    session: &mut Session,
    kind: PublicationKind,
    audience: Option<Audience>,
    paging: Paging,
    now: Time,
) -> Result<(Vec<Publication>, i64)> {
    let wanted = audience.map_or("", Audience::as_str);
    let total = session
        .value(
            sql("SELECT COUNT(*) FROM publication WHERE kind = $1 AND published_at <= $2 \
                 AND ($3 = '' OR audience IN ($3, 'all'))")
            .bind(kind)
            .bind(now)
            .bind(wanted),
        )
        .await?;
    let page = session
        .all(
            sql("SELECT id, kind, audience, slug, title, body, byline, image_url, position, \
                 published_at, created_at, updated_at FROM publication \
                 WHERE kind = $1 AND published_at <= $2 \
                 AND ($3 = '' OR audience IN ($3, 'all')) \
                 ORDER BY position, published_at DESC, id DESC LIMIT $4 OFFSET $5")
            .bind(kind)
            .bind(now)
            .bind(wanted)
            .bind(paging.limit())
            .bind(paging.offset()),
        )
        .await?;
    Ok((page, total))
}

/// What everybody can read under this name.
pub async fn named(
    session: &mut Session,
    kind: PublicationKind,
    slug: &str,
    now: Time,
) -> Result<Option<Publication>> {
    session
        .first(
            sql("SELECT id, kind, audience, slug, title, body, byline, image_url, position, \
                 published_at, created_at, updated_at FROM publication \
                 WHERE kind = $1 AND slug = $2 AND published_at <= $3")
            .bind(kind)
            .bind(slug)
            .bind(now),
        )
        .await
}
