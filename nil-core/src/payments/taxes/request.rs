//! Requests for tax forms: who was asked, why, and whether the form has come in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AllOr, TaxFormRequestId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// Why a payee is asked for a tax form.
    AskReason {
        /// The year's earnings are close to the amount that payers must report.
        NearThreshold = "near_threshold",
        /// A payout waits for the form.
        PayoutHeld = "payout_held",
        /// Tax is withheld from payments to them.
        TaxWithheld = "tax_withheld",
        /// The year is over, and a return of a payer lacks the form.
        ReturnsDue = "returns_due",
    }
}

vocabulary! {
    /// Whether a form that was asked for is there.
    TaxRequestStatus {
        /// It is missing.
        Missing = "missing",
        /// It has come in.
        Answered = "answered",
    }
}

/// A payee who was asked for a tax form because of a year's earnings.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct TaxFormRequest {
    /// The request's id.
    pub id: TaxFormRequestId,
    /// Who was asked, such as `athlete:3`.
    pub owner: String,
    /// The athlete's or the agency's name.
    pub name: String,
    /// The tax year of the earnings.
    pub year: i64,
    /// Whether the athlete has said that they need a visa: as a foreign person they would need a
    /// W-8BEN, which the platform does not take. Settle with them outside the platform, or have
    /// them hand in a W-9 if they count as a U.S. person.
    pub is_foreign: bool,
    /// When they were asked because the earnings came close to the amount that payers must report.
    pub near_threshold_at: Option<Time>,
    /// When they were asked because a payout waits for the form.
    pub payout_held_at: Option<Time>,
    /// When they were asked because tax is withheld from payments to them.
    pub tax_withheld_at: Option<Time>,
    /// When they were asked because a return for the year lacks the form.
    pub returns_due_at: Option<Time>,
    /// When they were last asked.
    pub asked_at: Time,
    /// When the form came in; null while it is missing.
    pub answered_at: Option<Time>,
}

/// Selects requests for tax forms.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListTaxRequests {
    /// `all`, `missing` or `answered`.
    pub status: AllOr<TaxRequestStatus>,
    /// Only requests because of this year's earnings.
    #[schemars(range(min = 2021, max = 2100), extend("examples" = [2026]))]
    pub year: Option<i64>,
}
