//! The payment processor: cards, charges, refunds, payouts to connected accounts.
//!
//! Every call that moves money carries a key made from our own row, so that repeating it never
//! moves money twice, as long as the processor remembers keys (usually a day). A call with an
//! unknown outcome is an [`Outage`]: neither success nor failure; the caller looks it up by its key
//! later.

mod sandbox;
mod timed;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::kernel::{Cents, Date};

pub use sandbox::{Logged, Sandbox};

/// The processor did not answer, or its answer has no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage(pub String);

/// A future result.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// A card saved at the processor; we never see its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCard {
    /// The processor's reference.
    pub reference: String,
    /// `visa`, …
    pub brand: String,
    /// The last four digits.
    pub last4: String,
    /// Month of expiry.
    pub exp_month: i64,
    /// Year of expiry.
    pub exp_year: i64,
}

/// The result of moving money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded; with the processor's reference.
    Succeeded(String),
    /// It is in transit and arrives on that date, unless the bank returns it.
    InTransit(String, Date),
    /// It failed, with the processor's reference and the reason, and will never succeed under this
    /// key.
    Failed(String, String),
}

/// A movement of money requested earlier, looked up by the processor's reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// The key of the request; it names our own row.
    pub key: String,
    /// Its current outcome.
    pub outcome: Outcome,
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
}

/// An event from the processor; the object must be looked up before the event is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessorEvent {
    /// The event's id; an event may arrive more than once.
    pub id: String,
    /// The kind of event.
    pub kind: String,
    /// The object it concerns.
    pub object_id: String,
}

/// A payment processor.
pub trait Processor: Send + Sync + 'static {
    /// Saves a card. `token` was created by the processor's own form in the browser. `None`: no
    /// such token.
    fn save_card(&self, token: &str) -> Later<'_, Option<SavedCard>>;

    /// Charges a saved card.
    fn charge(&self, key: &str, card: &str, amount: Cents) -> Later<'_, Outcome>;

    /// Refunds part of a charge.
    fn refund(&self, key: &str, charge: &str, amount: Cents) -> Later<'_, Outcome>;

    /// Sends money to a connected account.
    fn pay_out(&self, key: &str, account: &str, amount: Cents) -> Later<'_, Outcome>;

    /// The current outcome of a charge, a refund or a payout, by the processor's reference.
    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>>;

    /// The outcome of a request by its key, however old. `None` only if the processor is sure that
    /// it never received it; an [`Outage`] if it cannot tell.
    fn find(&self, key: &str) -> Later<'_, Option<Movement>>;

    /// Opens a connected account (the same one if the owner already has one).
    fn connect(&self, owner: &str, express: bool) -> Later<'_, ConnectedAccount>;

    /// The current state of a connected account.
    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>>;

    /// The address where its owner provides missing information; absolute.
    fn onboarding_url(&self, reference: &str, return_url: Option<&str>) -> String;

    /// Checks a webhook's signature and reads it; `None` if the signature is wrong.
    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent>;

    /// The sandbox, if it is the processor (or behind it).
    fn sandbox(&self) -> Option<&Sandbox> {
        None
    }
}

/// The host's own processor, or the embedded one if there is none; calls are limited to the
/// deadline.
pub fn chosen(
    own: Option<&Arc<dyn Processor>>,
    embedded: impl FnOnce() -> Sandbox,
    deadline: Duration,
) -> Arc<dyn Processor> {
    let processor: Arc<dyn Processor> = match own {
        Some(processor) => processor.clone(),
        None => Arc::new(embedded()),
    };
    Arc::new(timed::Timed { processor, deadline })
}
