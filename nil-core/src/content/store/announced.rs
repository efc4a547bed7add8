//! The rows of announced uploads, of whichever kind.

use sea_query::{Expr, ExprTrait as _, LockType, Query, SelectStatement};

use crate::content::announced::Announced;
use crate::error::Result;
use crate::kernel::{Identity as _, Machine as _, Moved, Time, Word as _};
use crate::schedule::due::{self, Behind, Page};
use crate::storage::{Session, Stored, advance, insert};

/// Adds an upload in its first state.
pub async fn add<U: Announced>(session: &mut Session, new: &impl Stored, now: Time) -> Result<U> {
    session
        .one(
            insert(U::TABLE)
                .with(new.columns())
                .set("status", U::Status::INITIAL.first().map(|first| first.word()))
                .set("created_at", now)
                .set("updated_at", now)
                .returning(U::COLUMNS),
        )
        .await
}

fn select<U: Announced>(id: U::Id) -> SelectStatement {
    Query::select()
        .columns(U::COLUMNS.iter().copied())
        .from(U::TABLE)
        .and_where(Expr::col("id").eq(id.number()))
        .take()
}

fn select_of<U: Announced>(id: U::Id, owner: i64) -> SelectStatement {
    select::<U>(id).and_where(Expr::col(U::OWNER).eq(owner)).take()
}

/// The upload, whoever announced it.
pub async fn find<U: Announced>(session: &mut Session, id: U::Id) -> Result<Option<U>> {
    session.first(select::<U>(id)).await
}

/// The upload, whoever announced it, locked.
pub async fn lock<U: Announced>(session: &mut Session, id: U::Id) -> Result<Option<U>> {
    session.first(select::<U>(id).lock(LockType::Update).take()).await
}

/// The upload, if this account announced it; 404 otherwise.
pub async fn of<U: Announced>(
    session: &mut Session,
    id: U::Id,
    owner: impl Into<i64>,
) -> Result<U> {
    session.one(select_of::<U>(id, owner.into())).await
}

/// The upload, locked, if this account announced it; 404 otherwise.
pub async fn lock_of<U: Announced>(
    session: &mut Session,
    id: U::Id,
    owner: impl Into<i64>,
) -> Result<U> {
    session.one(select_of::<U>(id, owner.into()).lock(LockType::Update).take()).await
}

/// Changes its state.
pub async fn change<U: Announced>(
    session: &mut Session,
    id: U::Id,
    moved: Moved<U::Status>,
    now: Time,
) -> Result<()> {
    session.change(advance(U::TABLE, id, moved, now)).await
}

/// Uploads whose time was over before that instant, oldest first.
pub async fn late<U: Announced>(
    session: &mut Session,
    now: Time,
    behind: Behind,
) -> Result<Page<U::Id>> {
    due::ids(session, U::LATE, now, behind).await
}
