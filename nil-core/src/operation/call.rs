//! A call as it comes in.

use std::net::IpAddr;

use super::fields::Fields;
use crate::auth::Principal;

/// One call of one operation, as a frontend or the CLI makes it.
#[derive(Clone, Debug)]
pub struct Call {
    /// Who is calling.
    pub principal: Principal,
    /// The input.
    pub fields: Fields,
    /// The `Idempotency-Key`, if one was given.
    pub key: Option<String>,
    /// Whether unknown fields are refused even where they would be ignored.
    pub strict: bool,
    /// The caller's network address.
    pub address: Option<IpAddr>,
    /// Ties the answer to the log; made by the frontend.
    pub request_id: String,
}
