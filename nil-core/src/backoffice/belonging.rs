//! A database belongs to the secret key that it was begun with.

use crate::error::{Result, codes};
use crate::keys::Vault;
use crate::storage::{Db, sql};

/// Refuses another secret key than the one that the database was begun with: tokens would be invalid, and what is
/// sealed could not be opened. The first key that opens a database is its own.
pub(crate) async fn check(db: &Db, vault: &Vault) -> Result<()> {
    const MARK: &str = "SELECT key_mark FROM site WHERE id = 1";
    let own = vault.mark("secret key", "nil");
    let mut session = db.read().await?;
    let mut kept: Option<String> = session.value(sql(MARK)).await?;
    drop(session);
    if kept.is_none() {
        let mut session = db.begin().await?;
        let claim = sql("UPDATE site SET key_mark = $1 WHERE id = 1 AND key_mark IS NULL");
        session.run(claim.bind(own.as_str())).await?;
        // Of servers that start together one was first; all of them must have its key.
        kept = session.value(sql(MARK)).await?;
        session.commit().await?;
    }
    if kept.as_deref() == Some(own.as_str()) {
        return Ok(());
    }
    Err(codes::UNAVAILABLE.saying(
        "This is not the secret key that the database was begun with. Start with that key: NIL_SECRET_KEY, or \
         secret.key in the data folder.",
    ))
}
