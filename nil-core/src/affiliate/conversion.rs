//! A sale that a link brought about.

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use crate::kernel::{AffiliateLinkId, Cents, ContractId, ConversionId, Time};

/// A sale with the commission on it.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Conversion {
    /// Its id.
    pub id: ConversionId,
    /// The link.
    pub link_id: AffiliateLinkId,
    /// The link's code.
    pub code: String,
    /// The contract whose commission it earns.
    pub contract_id: ContractId,
    /// What the shop calls the order.
    pub order_reference: String,
    /// The net sale, in cents.
    pub amount_cents: Cents,
    /// The commission on it: the contract's share, as far as the contract's maximum allows.
    pub commission_cents: Cents,
    /// How much of that the brand has paid.
    pub paid_cents: Cents,
    /// When it was reported.
    pub created_at: Time,
}
