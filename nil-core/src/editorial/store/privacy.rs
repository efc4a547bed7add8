//! The rows of the privacy policy's edits.

use std::net::IpAddr;

use crate::editorial::privacy::PolicyEdit;
use crate::error::Result;
use crate::kernel::{Paging, PolicyEditId, Time};
use crate::operation::Work;
use crate::storage::{Session, insert, sql, update};

const COLUMNS: &[&str] = &[
    "id",
    "title",
    "body",
    "author",
    "address",
    "version",
    "created_at",
];

/// Keeps an edit.
pub(in crate::editorial) async fn add(
    work: &mut Work,
    title: &str,
    body: &str,
    author: String,
    address: Option<IpAddr>,
    now: Time,
) -> Result<PolicyEdit> {
    work.one(
        insert("privacy_policy_edit")
            .set("title", title)
            .set("body", body)
            .set("author", author)
            .set("address", address.map(|address| address.to_string()))
            .set("version", Option::<i64>::None)
            .set("created_at", now)
            .returning(COLUMNS),
    )
    .await
}

/// An edit.
pub(in crate::editorial) async fn one(
    session: &mut Session,
    id: PolicyEditId,
) -> Result<Option<PolicyEdit>> {
    session
        .first(
            sql(
                "SELECT id, title, body, author, address, version, created_at \
                 FROM privacy_policy_edit WHERE id = $1",
            )
            .bind(id),
        )
        .await
}

/// Which version an edit has become.
pub(in crate::editorial) async fn became(
    work: &mut Work,
    id: PolicyEditId,
    version: i64,
) -> Result<()> {
    work.change(
        update("privacy_policy_edit")
            .set("version", version)
            .when("id", id),
    )
    .await
}

/// A page of edits, newest first, and how many there are.
pub(in crate::editorial) async fn page(
    session: &mut Session,
    paging: Paging,
) -> Result<(Vec<PolicyEdit>, i64)> {
    let total = session
        .value(sql("SELECT COUNT(*) FROM privacy_policy_edit"))
        .await?;
    let page = session
        .all(
            sql(
                "SELECT id, title, body, author, address, version, created_at \
                 FROM privacy_policy_edit ORDER BY id DESC LIMIT $1 OFFSET $2",
            )
            .bind(paging.limit())
            .bind(paging.offset()),
        )
        .await?;
    Ok((page, total))
}
