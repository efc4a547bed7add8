//! The tax forms of the demonstration's people. All numbers are invented.

use nil_core::auth::Principal;
use serde_json::json;

use super::people::{BRANDS, drawn};
use super::player::{Person, Player};
use super::profile;
use crate::failure::Failure;

/// The version of the statements that are signed.
const STATEMENT: &str = "2026-11";

/// An athlete or an agent hands in a W-9.
pub(crate) async fn hand_in(player: &Player, who: &Person) -> Result<(), Failure> {
    let (first_name, last_name) = who.name.split_once(' ').unwrap_or((&who.name, "Smith"));
    let number = u64::try_from(who.id).unwrap_or_default();
    let (city, state) = profile::hometown(usize::try_from(number).unwrap_or_default());
    let form = json!({
        "classification": "individual", "first_name": first_name, "last_name": last_name,
        "street": format!("{} College Avenue", 10 + number), "city": city, "state": state,
        "postal_code": format!("{:05}", 10_000 + drawn(number) % 80_000), "tin_kind": "ssn",
        "tin": format!("219-{:02}-{:04}", 10 + number / 1_000, 1 + number),
        "statement_version": STATEMENT, "certified": true, "signature": who.name
    });
    player.call("core.tax_form.submit", &who.principal, form).await?;
    Ok(())
}

/// The brand of this number says who it is as a payer.
pub(crate) async fn as_payer(
    player: &Player,
    brand: &Principal,
    number: usize,
) -> Result<(), Failure> {
    let (company, contact, ..) = BRANDS.get(number).copied().unwrap_or_default();
    let details = json!({
        "classification": "c_corporation", "business_name": format!("{company}, Inc."),
        "street": format!("{} Market Square", 1 + number), "city": "Chicago", "state": "IL",
        "postal_code": "60601", "phone": "+13125550123", "tin_kind": "ein",
        "tin": format!("12-{:07}", 3_456_700 + number), "statement_version": STATEMENT,
        "certified": true, "signature": contact
    });
    player.call("core.tax_form.save_payer", brand, details).await?;
    Ok(())
}
