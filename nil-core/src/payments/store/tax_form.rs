//! The rows of tax forms and of backup withholding.

use crate::error::Result;
use crate::kernel::{AthleteId, BackupWithholdingId, Time};
use crate::payments::ledger::Owner;
use crate::payments::taxes::form::TaxDetails;
use crate::payments::taxes::{BackupWithholding, TaxForm, WithholdingNotice};
use crate::storage::{Selected as _, Session, insert, sql};

/// An owner's current statement.
pub async fn current(session: &mut Session, owner: Owner) -> Result<Option<TaxForm>> {
    session
        .first(
            sql(
                "SELECT id, owner, version, classification, first_name, last_name, business_name, \
                 street, street2, city, state, postal_code, phone, tin_kind, tin_last4, \
                 statement_version, signature, certified_at FROM tax_form \
                 WHERE owner = $1 AND replaced_at IS NULL",
            )
            .bind(owner.to_string()),
        )
        .await
}

/// Whether an owner has handed in a statement.
pub async fn has_form(session: &mut Session, owner: Owner) -> Result<bool> {
    let form = sql("SELECT id FROM tax_form WHERE owner = $1 AND replaced_at IS NULL");
    session.exists(form.bind(owner.to_string())).await
}

/// Replaces an owner's current statement, if there is one; returns the number of the last version,
/// 0 without one.
pub async fn replace(session: &mut Session, owner: Owner, now: Time) -> Result<i64> {
    let version: Option<(i64,)> = session
        .first(
            sql("UPDATE tax_form SET replaced_at = $2 WHERE owner = $1 AND replaced_at IS NULL \
                 RETURNING version")
            .bind(owner.to_string())
            .bind(now),
        )
        .await?;
    Ok(version.map_or(0, |(version,)| version))
}

/// A statement to write.
pub struct NewForm<'a> {
    pub owner: String,
    pub version: i64,
    pub details: &'a TaxDetails,
    pub sealed: Vec<u8>,
    pub last4: String,
    pub certified_from: Option<String>,
}

/// Writes a statement.
pub async fn add(session: &mut Session, new: NewForm<'_>, now: Time) -> Result<TaxForm> {
    let details = new.details;
    let text = |value: Option<&str>| value.map(str::to_owned);
    session
        .one(
            insert("tax_form")
                .set("owner", new.owner)
                .set("version", new.version)
                .set("classification", details.classification)
                .set("first_name", text(details.first_name.as_deref()))
                .set("last_name", text(details.last_name.as_deref()))
                .set("business_name", text(details.business_name.as_deref()))
                .set("street", details.street.to_string())
                .set("street2", text(details.street2.as_deref()))
                .set("city", details.city.to_string())
                .set("state", details.state.to_uppercase())
                .set("postal_code", details.postal_code.to_string())
                .set("phone", text(details.phone.as_deref()))
                .set("tin_kind", details.tin_kind)
                .set("tin_sealed", new.sealed)
                .set("tin_last4", new.last4)
                .set("statement_version", details.statement_version.to_string())
                .set("signature", details.signature.to_string())
                .set("certified_at", now)
                .set("certified_from", new.certified_from)
                .returning(TaxForm::COLUMNS),
        )
        .await
}

/// Whether there is a state with this code, in either case.
pub async fn is_state(session: &mut Session, code: &str) -> Result<bool> {
    session.exists(sql("SELECT code FROM state WHERE code = $1").bind(code.to_uppercase())).await
}

/// Whether payouts wait for tax forms.
pub async fn site_holds_payouts(session: &mut Session) -> Result<bool> {
    session.value(sql("SELECT hold_payouts_for_tax_form FROM site WHERE id = 1")).await
}

/// Whether an athlete has said that they need a visa.
pub async fn is_foreign(session: &mut Session, athlete: AthleteId) -> Result<bool> {
    let visa =
        sql("SELECT athlete_id FROM athlete_visa WHERE athlete_id = $1 AND status <> 'none'");
    session.exists(visa.bind(athlete)).await
}

/// The withholding in force for an owner.
pub async fn withholding(session: &mut Session, owner: Owner) -> Result<Option<BackupWithholding>> {
    session
        .first(
            sql("SELECT id, owner, notice, starts_at, ends_at FROM backup_withholding \
                 WHERE owner = $1 AND ends_at IS NULL")
            .bind(owner.to_string()),
        )
        .await
}

/// Begins to withhold.
pub async fn begin_withholding(
    session: &mut Session,
    owner: Owner,
    (notice, reason): (WithholdingNotice, &str),
    set_by: String,
    now: Time,
) -> Result<BackupWithholding> {
    session
        .one(
            insert("backup_withholding")
                .set("owner", owner.to_string())
                .set("notice", notice)
                .set("reason", reason)
                .set("starts_at", now)
                .set("set_by", set_by)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(BackupWithholding::COLUMNS),
        )
        .await
}

/// Ends a withholding; 409 if it has ended meanwhile.
pub async fn end_withholding(
    session: &mut Session,
    id: BackupWithholdingId,
    now: Time,
) -> Result<BackupWithholding> {
    session
        .changed(
            sql("UPDATE backup_withholding SET ends_at = $2, updated_at = $2 \
                 WHERE id = $1 AND ends_at IS NULL \
                 RETURNING id, owner, notice, starts_at, ends_at")
            .bind(id)
            .bind(now),
        )
        .await
}
