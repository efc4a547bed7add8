//! Which brands are verified: those with a job that an operator approved, and those that have paid
//! an athlete. A website URL alone proves nothing.

use crate::error::Result;
use crate::kernel::{PartnerId, Time};
use crate::storage::{Session, sql};

/// Marks the brand as verified, unless it is already. Called in the transaction that approves a job
/// or records a successful payment.
pub async fn verify(session: &mut Session, brand: PartnerId, now: Time) -> Result<()> {
    let row = sql("UPDATE partner SET verified_at = $2 WHERE id = $1 AND verified_at IS NULL")
        .bind(brand)
        .bind(now);
    session.run(row).await.map(|_| ())
}
