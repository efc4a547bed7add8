//! What operators change about accounts.

use crate::accounts::partners::partner::Association;
use crate::accounts::saving::holder::{Holder, Stored};
use crate::error::Result;
use crate::kernel::{AthleteId, BasisPoints, Date, PartnerId, Time, UserId};
use crate::storage::{Session, insert, sql, update};

/// The account, locked until the transaction ends.
pub async fn lock(session: &mut Session, id: UserId) -> Result<Stored> {
    session
        .one(
            sql("SELECT id, status, email, first_name, last_name, phone FROM app_user WHERE id = $1")
                .locking("FOR UPDATE")
                .bind(id),
        )
        .await
}

/// Writes the given fields; omitted fields keep their values. 409 `email_taken`.
pub async fn write<Id>(
    session: &mut Session,
    id: UserId,
    new: &Holder<Id>,
    now: Time,
) -> Result<()> {
    let row = update("app_user")
        .set("updated_at", now)
        .given("email", new.email.clone())
        .given("first_name", new.first_name.as_ref().map(|name| name.trim()))
        .given("last_name", new.last_name.as_ref().map(|name| name.trim()))
        .given("phone", new.phone.as_deref())
        .when("id", id);
    session.change(row).await
}

/// Sets an athlete's birth date. A minor is no longer listed.
pub async fn set_birth(
    session: &mut Session,
    id: AthleteId,
    born: Date,
    minor: bool,
    now: Time,
) -> Result<()> {
    let mut row = update("athlete").set("date_of_birth", born).set("updated_at", now);
    if minor {
        row = row.set("listed", false);
    }
    session.change(row.when("id", id)).await
}

/// Sets the platform's fee for a brand; none lets the site's fee apply.
pub async fn set_fee(
    session: &mut Session,
    id: PartnerId,
    fee: Option<BasisPoints>,
    now: Time,
) -> Result<()> {
    let fee = fee.map(BasisPoints::get);
    let row = update("partner").set("fee_basis_points", fee).set("updated_at", now);
    session.change(row.when("id", id)).await
}

/// Associates a brand with a university; `false` if it is already.
pub async fn associate(session: &mut Session, which: &Association, now: Time) -> Result<bool> {
    let row = insert("partner_university")
        .set("partner_id", which.partner_id)
        .set("university_id", which.university_id)
        .set("created_at", now)
        .unless_exists(&["partner_id", "university_id"]);
    Ok(session.run(row).await? == 1)
}

/// Removes the association of a brand with a university; `false` if there is none.
pub async fn unassociate(session: &mut Session, which: &Association) -> Result<bool> {
    let gone = sql("DELETE FROM partner_university WHERE partner_id = $1 AND university_id = $2")
        .bind(which.partner_id)
        .bind(which.university_id);
    Ok(session.run(gone).await? == 1)
}
