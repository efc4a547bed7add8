//! Which brands are verified: those that an operator has looked at, by letting a job of theirs go public, or
//! that have paid an athlete. A website that a brand merely names is its word alone.

use crate::error::Result;
use crate::kernel::{PartnerId, Time};
use crate::storage::{Session, sql};

/// Notes that the brand is verified from now on, unless it was before. For whoever approves its job or
/// sees its payment succeed, in the same transaction.
pub(crate) async fn verify(session: &mut Session, brand: PartnerId, now: Time) -> Result<()> {
    let row = sql("UPDATE partner SET verified_at = $2 WHERE id = $1 AND verified_at IS NULL")
        .bind(brand)
        .bind(now);
    session.run(row).await.map(|_| ())
}
