//! The rows of legal documents.

use sea_query::{Expr, Query};

use crate::editorial::legal_document::{LegalDocument, LegalKind, ListTerms};
use crate::error::Result;
use crate::kernel::{ByAge, FollowedPage, Listing, Time};
use crate::operation::Work;
use crate::storage::{Key, Narrow as _, Selected as _, Session, contains, insert, sorted, sql};

/// A page of versions, in force or not.
pub async fn page(
    session: &mut Session,
    (wanted, sift): (&ListTerms, &ByAge),
    place: FollowedPage,
) -> Result<Listing<LegalDocument>> {
    let mut rows = Query::select();
    rows.columns(LegalDocument::COLUMNS.iter().copied())
        .from("legal_document")
        .only("kind", wanted.kind.one())
        .only("id", wanted.id.one()?)
        .cond_where(contains(["title", "body"].map(Expr::col), sift.words()));
    session.follow(sorted(rows, [Key::of(Expr::col("id"), sift.order())]), place).await
}

/// The newest version in force, or the given version if it is or was in force.
pub async fn in_force(
    session: &mut Session,
    kind: LegalKind,
    version: Option<i64>,
    now: Time,
) -> Result<Option<LegalDocument>> {
    session
        .first(
            sql("SELECT id, kind, version, title, body, effective_at FROM legal_document \
                 WHERE kind = $1 AND effective_at <= $2 AND ($3 = 0 OR version = $3) \
                 ORDER BY effective_at DESC, version DESC LIMIT 1")
            .bind(kind)
            .bind(now)
            .bind(version.unwrap_or_default()),
        )
        .await
}

/// Adds the next version. Concurrent calls wait for the lock on the site's row.
pub async fn add(
    work: &mut Work,
    kind: LegalKind,
    title: &str,
    body: &str,
    effective_at: Time,
) -> Result<LegalDocument> {
    work.lock("site", 1).await?;
    let newest: Option<i64> = work
        .value(sql("SELECT MAX(version) FROM legal_document WHERE kind = $1").bind(kind))
        .await?;
    work.one(
        insert("legal_document")
            .set("kind", kind)
            .set("version", newest.unwrap_or_default() + 1)
            .set("title", title)
            .set("body", body)
            .set("effective_at", effective_at)
            .returning(LegalDocument::COLUMNS),
    )
    .await
}
