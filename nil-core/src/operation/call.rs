//! A call of an operation.

use std::net::IpAddr;

use super::fields::Fields;
use crate::auth::Principal;

/// One call of one operation, made by a frontend or the CLI.
#[derive(Clone, Debug)]
pub struct Call {
    /// The caller.
    pub principal: Principal,
    /// The input.
    pub fields: Fields,
    /// The `Idempotency-Key`, if one was given.
    pub key: Option<String>,
    /// Whether unknown fields are refused even where they would otherwise be ignored.
    pub strict: bool,
    /// The caller's network address.
    pub address: Option<IpAddr>,
    /// Links the answer to the log; set by the frontend.
    pub request_id: String,
}
