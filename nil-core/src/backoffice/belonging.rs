//! A database belongs to the secret key that it was begun with.

use crate::error::{Result, codes};
use crate::keys::Vault;
use crate::storage::{self, Db, Session, sql};

const MARK: &str = "SELECT key_mark FROM site WHERE id = 1";

/// The text whose mark tells which key it is, with its context.
const MARKED: (&str, &str) = ("secret key", "nil");

/// The migration that makes the site's row, which has the mark.
const MARKED_SINCE: i64 = 1;

/// Refuses another secret key than the one that the database was begun with: tokens would be
/// invalid, and what is sealed could not be opened. The first key that opens a database is its own.
pub async fn check(db: &Db, vault: &Vault) -> Result<()> {
    let mut kept = kept(&mut db.read().await?).await?;
    if kept.is_none() {
        let mut session = db.begin().await?;
        let claim = sql("UPDATE site SET key_mark = $1 WHERE id = 1 AND key_mark IS NULL");
        session.run(claim.bind(own_mark(vault))).await?;
        // Of servers that start together one was first; all of them must have its key.
        kept = self::kept(&mut session).await?;
        session.commit().await?;
    }
    kept.map_or(Ok(()), |kept| same(&kept, vault))
}

/// Notes that the database belongs to the own key now, if it belongs to an earlier one. Servers do
/// not note it when they start: they could have the keys in different orders.
pub async fn take_over(db: &Db, vault: &Vault) -> Result<()> {
    let mut session = db.begin().await?;
    if let Some(kept) = kept(&mut session).await? {
        same(&kept, vault)?;
        let own = sql("UPDATE site SET key_mark = $1 WHERE id = 1 AND key_mark = $2");
        session.run(own.bind(own_mark(vault)).bind(kept)).await?;
    }
    session.commit().await
}

/// Refuses another secret key than the one that the database was begun with, for a database that is
/// only looked at: one that has no key yet gets none.
pub async fn confirm(db: &Db, vault: &Vault) -> Result<()> {
    match begun_with(db).await? {
        Some(kept) => same(&kept, vault),
        None => Ok(()),
    }
}

/// Whether the database was begun with a key.
pub async fn begun(db: &Db) -> Result<bool> {
    Ok(begun_with(db).await?.is_some())
}

async fn begun_with(db: &Db) -> Result<Option<String>> {
    let drift = storage::pending(db).await?;
    if drift.missing.iter().any(|(number, _)| *number <= MARKED_SINCE) {
        return Ok(None);
    }
    kept(&mut db.read().await?).await
}

fn own_mark(vault: &Vault) -> String {
    vault.mark(MARKED.0, MARKED.1)
}

/// The mark of the secret key that the database was begun with.
pub async fn kept(session: &mut Session) -> Result<Option<String>> {
    session.value(sql(MARK)).await
}

/// Refuses a key that is not the one whose mark was kept, nor has it as an earlier one.
pub fn same(kept: &str, vault: &Vault) -> Result<()> {
    if vault.is_mark(MARKED.0, MARKED.1, kept) {
        return Ok(());
    }
    Err(codes::UNAVAILABLE.saying(
        "This is not the secret key that the database was begun with. Start with that key: NIL_SECRET_KEY, or \
         secret.key in the data folder.",
    ))
}
