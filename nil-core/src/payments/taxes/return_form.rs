//! The forms of information returns, and the amounts from which payers report on them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::Cents;
use crate::kernel::vocabulary::vocabulary;
use crate::storage::FromRow;

/// An amount from which payers must report, from a year on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct TaxThreshold {
    /// The form.
    pub form: ReturnForm,
    /// The first year it holds in. It holds until a later one says otherwise.
    pub from_year: i64,
    /// The lowest amount a year that a payer must report for a payee.
    pub threshold_cents: Cents,
}

vocabulary! {
    /// A form of the tax office.
    ReturnForm {
        /// Payments for services, in box 1 of the form 1099-NEC.
        Services = "1099-NEC",
        /// Royalties, in box 2 of the form 1099-MISC.
        Royalties = "1099-MISC",
    }
}
