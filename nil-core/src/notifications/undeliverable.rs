//! Addresses that take no more messages: a mail came back for good, somebody complained, a number
//! does not exist or its owner has opted out. Only what an account cannot do without is sent there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Time, UndeliverableId};
use crate::ports::courier::Channel;
use crate::storage::FromRow;

vocabulary! {
    /// Why an address takes no more messages.
    WhyUndeliverable {
        /// A mail came back for good.
        Bounced = "bounced",
        /// Its owner marked a mail as unwanted.
        Complained = "complained",
        /// The number's owner has opted out at the provider.
        OptedOut = "opted_out",
        /// There is no such number.
        NoSuchNumber = "no_such_number",
    }
}

/// An address that takes no more messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Undeliverable {
    /// The row's id.
    pub id: UndeliverableId,
    /// `email` or `sms`.
    pub channel: Channel,
    /// The e-mail in small letters, or the number.
    pub address: String,
    /// Why.
    pub why: WhyUndeliverable,
    /// Since when.
    pub since: Time,
}

/// Selects addresses.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListUndeliverable {
    /// Only those with this reason.
    pub why: Option<WhyUndeliverable>,
}

/// The form in which addresses are compared.
pub(super) fn compared(address: &str) -> String {
    address.trim().to_lowercase()
}
