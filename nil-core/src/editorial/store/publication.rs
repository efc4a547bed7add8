//! The rows of posts, questions, testimonials and pages.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use crate::editorial::publication::{
    ListPublications, Publication, PublicationKind, PublicationStatus, Readership,
};
use crate::error::Result;
use crate::kernel::{ByAge, FollowedPage, Listing, Paging, PublicationId, Time};
use crate::operation::Work;
use crate::storage::{
    Key, Narrow as _, Selected as _, Session, Stored, contains, insert, sorted, update,
};

/// The content of a publication to save.
#[derive(Stored)]
pub struct Draft {
    pub kind: PublicationKind,
    pub audience: Option<Readership>,
    pub slug: Option<String>,
    pub title: String,
    pub body: String,
    pub byline: Option<String>,
    pub image_url: Option<String>,
    pub position: i64,
    pub published_at: Option<Time>,
}

/// Adds a publication.
pub async fn add(work: &mut Work, draft: Draft, now: Time) -> Result<Publication> {
    work.one(
        insert("publication")
            .with(draft.columns())
            .set("created_at", now)
            .set("updated_at", now)
            .returning(Publication::COLUMNS),
    )
    .await
}

/// A publication of this kind, its row locked until the transaction ends; 404 if it does not exist.
pub async fn held(
    work: &mut Work,
    id: PublicationId,
    kind: PublicationKind,
) -> Result<Publication> {
    let row = of_kind(kind).and_where(Expr::col("id").eq(id.get())).lock(LockType::Update).take();
    work.one(row).await
}

/// Changes a publication. One that was already published keeps its publication date.
pub async fn change(
    work: &mut Work,
    before: &Publication,
    draft: Draft,
    now: Time,
) -> Result<Publication> {
    let published_at = match (draft.kind, draft.published_at, before.published_at) {
        (PublicationKind::BlogPost, at, _) | (_, at, None) => at,
        (_, at, Some(before)) => at.map(|_| before),
    };
    work.one(
        update("publication")
            .with(Draft { published_at, ..draft }.columns())
            .set("updated_at", now)
            .when("id", before.id)
            .returning(Publication::COLUMNS),
    )
    .await
}

/// The publications of this kind, public or not.
fn of_kind(kind: PublicationKind) -> SelectStatement {
    Query::select()
        .columns(Publication::COLUMNS.iter().copied())
        .from("publication")
        .and_where(Expr::col("kind").eq(kind))
        .take()
}

/// The public publications of this kind.
fn published(kind: PublicationKind, now: Time) -> SelectStatement {
    of_kind(kind).and_where(Expr::col("published_at").lte(now)).take()
}

/// A page of the publications of this kind, public or not.
pub async fn page_of_all(
    session: &mut Session,
    (kind, wanted, sift): (PublicationKind, &ListPublications, &ByAge),
    place: FollowedPage,
    now: Time,
) -> Result<Listing<Publication>> {
    let public_from = Expr::col("published_at");
    let in_status = wanted.status.one().map(|status| match status {
        PublicationStatus::Published => public_from.lte(now),
        PublicationStatus::Scheduled => public_from.gt(now),
        PublicationStatus::Draft => public_from.is_null(),
    });
    let mut rows = of_kind(kind);
    rows.and_where_option(in_status)
        .only("id", wanted.id.one()?)
        .cond_where(contains(["title", "body"].map(Expr::col), sift.words()));
    session.follow(sorted(rows, [Key::of(Expr::col("id"), sift.order())]), place).await
}

/// A page of public publications: by position, then newest first. `audience` selects those for
/// these readers or for everyone.
pub async fn page(
    session: &mut Session,
    kind: PublicationKind,
    audience: Option<Readership>,
    paging: Paging,
    now: Time,
) -> Result<Listing<Publication>> {
    let read_by = audience.into_iter().flat_map(|one| [one, Readership::All]);
    let mut rows = published(kind, now);
    rows.only_among("audience", read_by)
        .order_by("position", Order::Asc)
        .order_by("published_at", Order::Desc)
        .order_by("id", Order::Desc);
    session.page(rows, paging).await
}

/// The public publication with this URL name.
pub async fn named(
    session: &mut Session,
    kind: PublicationKind,
    slug: &str,
    now: Time,
) -> Result<Option<Publication>> {
    let mut row = published(kind, now);
    row.and_where(Expr::col("slug").eq(slug));
    session.first(row).await
}
