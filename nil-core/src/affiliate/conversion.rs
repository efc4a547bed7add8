//! A sale through an affiliate link.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{AffiliateLinkId, Cents, ContractId, ConversionId, Time};
use crate::storage::FromRow;

/// A sale with the commission on it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Conversion {
    /// The sale's id.
    pub id: ConversionId,
    /// The link.
    pub link_id: AffiliateLinkId,
    /// The link's code.
    pub code: String,
    /// The contract whose commission it earns.
    pub contract_id: ContractId,
    /// The shop's order reference.
    pub order_reference: String,
    /// The net sale, in cents.
    pub amount_cents: Cents,
    /// What it adds to the contract's commission, which is the contract's rate of all its sales,
    /// rounded half to even, up to the contract's maximum.
    pub commission_cents: Cents,
    /// How much of the commission the brand has paid.
    pub paid_cents: Cents,
    /// When it was reported.
    pub created_at: Time,
}
