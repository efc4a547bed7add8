//! The rows of the privacy policy's edits.

use std::net::IpAddr;

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};

use crate::editorial::policy_edit::PolicyEdit;
use crate::error::Result;
use crate::kernel::{ByAge, FollowedPage, Listing, PolicyEditId, Time};
use crate::operation::Work;
use crate::storage::{Key, Selected as _, Session, contains, insert, sorted, sql, update};

fn select() -> SelectStatement {
    Query::select().columns(PolicyEdit::COLUMNS.iter().copied()).from("privacy_policy_edit").take()
}

fn newest_first() -> SelectStatement {
    select().order_by("id", Order::Desc).take()
}

/// Locks the site's row, so that edits are counted and stored one after another.
pub async fn lock(work: &mut Work) -> Result<()> {
    work.lock("site", 1).await
}

/// The number of anonymous edits from a network since then.
pub async fn of_network(session: &mut Session, network: &str, since: Time) -> Result<i64> {
    session
        .value(
            sql("SELECT COUNT(*) FROM privacy_policy_edit \
                 WHERE network = $1 AND created_at > $2")
            .bind(network)
            .bind(since),
        )
        .await
}

/// The number of anonymous edits since then, and of their characters.
pub async fn open_edits(session: &mut Session, since: Time) -> Result<(i64, i64)> {
    session
        .one(
            sql("SELECT COUNT(*), CAST(COALESCE(SUM(LENGTH(body)), 0) AS BIGINT) \
                 FROM privacy_policy_edit WHERE created_at > $1 AND network IS NOT NULL")
            .bind(since),
        )
        .await
}

/// The newest edit.
pub async fn newest(session: &mut Session) -> Result<Option<PolicyEdit>> {
    session.first(newest_first().limit(1).take()).await
}

/// The author of an edit and the address; `network` only for anonymous ones.
pub struct Editor {
    pub author: String,
    pub address: Option<IpAddr>,
    pub network: Option<String>,
}

/// Stores an edit.
pub async fn add(
    work: &mut Work,
    title: &str,
    body: &str,
    editor: Editor,
    now: Time,
) -> Result<PolicyEdit> {
    work.one(
        insert("privacy_policy_edit")
            .set("title", title)
            .set("body", body)
            .set("author", editor.author)
            .set("address", editor.address.map(|address| address.to_string()))
            .set("network", editor.network)
            .set("version", Option::<i64>::None)
            .set("created_at", now)
            .returning(PolicyEdit::COLUMNS),
    )
    .await
}

/// An edit.
pub async fn one(session: &mut Session, id: PolicyEditId) -> Result<PolicyEdit> {
    session.one(select().and_where(Expr::col("id").eq(id.get())).take()).await
}

/// Records the version that an edit has become.
pub async fn became(work: &mut Work, id: PolicyEditId, version: i64) -> Result<()> {
    work.change(update("privacy_policy_edit").set("version", version).when("id", id)).await
}

/// A page of edits.
pub async fn page(
    session: &mut Session,
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<PolicyEdit>> {
    let mut rows = select();
    rows.cond_where(contains(["title", "body"].map(Expr::col), sift.words()));
    session.follow(sorted(rows, [Key::of(Expr::col("id"), sift.order())]), place).await
}
