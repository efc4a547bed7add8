//! Connected accounts: where payees receive their payouts.

use crate::kernel::Time;
use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// Why the processor sends no payouts to an account.
    Restriction {
        /// It lacks information that the account's owner provides.
        InformationDue = "information_due",
        /// It checks what the owner has provided. Nobody needs to do anything.
        BeingVerified = "being_verified",
        /// It has closed the account for good. The owner asks the platform.
        Rejected = "rejected",
        /// The platform has paused the account there. The owner asks the platform.
        Paused = "paused",
        /// Another reason, which the platform can ask the processor for.
        Other = "other",
    }
}

/// A connected account as the processor sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedAccount {
    /// The processor's reference.
    pub reference: String,
    /// Whether it can receive charges.
    pub charges_enabled: bool,
    /// Whether it can receive payouts.
    pub payouts_enabled: bool,
    /// The information its owner must still provide.
    pub requirements_due: Vec<String>,
    /// Until when the owner can provide it before payouts stop; none if no day is set.
    pub requirements_due_by: Option<Time>,
    /// Why it cannot receive payouts; none if it can.
    pub restriction: Option<Restriction>,
}

/// Where onboarding leads to from the processor's pages; absolute addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Onboarding {
    /// The page to return to when it is done.
    pub return_url: Option<String>,
    /// The page to return to when the address has expired; it asks for another one.
    pub refresh_url: Option<String>,
}
