//! The least cash that a job may pay, a service may cost and an athlete may ask for: it catches
//! amounts in dollars where cents are wanted. What has happened elsewhere (disclosed deals, sales,
//! royalties) is a fact of any size, and is not held to it.

use crate::error::{Error, Result};
use crate::kernel::Cents;
use crate::storage::{Session, sql};

/// 422 at the field for cash below the site's least amount. Nothing is not an amount.
pub async fn check(session: &mut Session, field: &str, cash: Option<Cents>) -> Result<()> {
    let Some(cash) = cash else { return Ok(()) };
    let least = session.value(sql("SELECT least_amount_cents FROM site WHERE id = 1")).await?;
    refuse(field, cash, least)
}

/// [`check`] with an amount that is known already.
pub fn refuse(field: &str, cash: Cents, least: Cents) -> Result<()> {
    if !cash.is_positive() || cash >= least {
        return Ok(());
    }
    let meant = Cents(cash.get().saturating_mul(100));
    Err(Error::invalid(
        field,
        format!(
            "must be at least {least} on this site. Amounts are in cents: {} is {cash}; for {meant} write {}",
            cash.get(),
            meant.get()
        ),
    ))
}
