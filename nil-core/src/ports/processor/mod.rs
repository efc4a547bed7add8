//! The payment processor: cards, charges, refunds, payouts to connected accounts.
//!
//! Every call that moves money carries a key made from our own row, so that asking again never
//! moves it twice, for as long as the processor remembers keys (a day is usual). A call whose outcome is
//! unknown is an [`Outage`]: neither success nor failure; whoever called finds it by its key later.

mod sandbox;
mod timed;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::kernel::{Cents, Date};

pub use sandbox::{Logged, Sandbox};

/// The processor did not answer, or not with an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage(pub String);

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// A card the processor keeps for us; we never see its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCard {
    /// The processor's name for it.
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

/// What became of moved money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It moved; the processor's name for it.
    Succeeded(String),
    /// It is on its way and will arrive on that date, unless the bank returns it.
    InTransit(String, Date),
    /// It did not move, for this reason, and never will under this key.
    Failed(String, String),
}

/// Money that the processor was asked to move, read again by the processor's name for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// The key we asked under; it names our own row.
    pub key: String,
    /// What has become of it.
    pub outcome: Outcome,
}

/// A connected account as the processor sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectedAccount {
    /// The processor's name for it.
    pub reference: String,
    /// Whether it may take charges.
    pub charges_enabled: bool,
    /// Whether money can be paid out to it.
    pub payouts_enabled: bool,
    /// What its owner still has to hand in.
    pub requirements_due: Vec<String>,
}

/// An event the processor tells of; the object is to be read again before anything is believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessorEvent {
    /// The event's own name; it may come more than once.
    pub id: String,
    /// What kind of event.
    pub kind: String,
    /// The object it is about.
    pub object_id: String,
}

/// The processor's side of every movement of money.
pub trait Processor: Send + Sync + 'static {
    /// Keeps a card. `token` was made by the processor's own form in the browser. `None`: no such
    /// token.
    fn save_card(&self, token: &str) -> Later<'_, Option<SavedCard>>;

    /// Charges a kept card.
    fn charge(&self, key: &str, card: &str, amount: Cents) -> Later<'_, Outcome>;

    /// Gives part of a charge back.
    fn refund(&self, key: &str, charge: &str, amount: Cents) -> Later<'_, Outcome>;

    /// Sends money to a connected account.
    fn pay_out(&self, key: &str, account: &str, amount: Cents) -> Later<'_, Outcome>;

    /// What has become of a charge, a refund or a payout, by the processor's name for it.
    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>>;

    /// What has become of what was asked for under a key, however long ago. `None` only where the
    /// processor is sure that it has never heard of it; an [`Outage`] where it cannot say.
    fn find(&self, key: &str) -> Later<'_, Option<Movement>>;

    /// Opens a connected account (the same one again for the same owner).
    fn connect(&self, owner: &str, express: bool) -> Later<'_, ConnectedAccount>;

    /// A connected account as it stands.
    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>>;

    /// Where its owner hands in what is missing: an absolute address.
    fn onboarding_url(&self, reference: &str, return_url: Option<&str>) -> String;

    /// Checks a webhook's signature and reads it; `None` where it is not the processor's.
    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent>;

    /// The embedded processor, where that is what runs (or stands behind it).
    fn sandbox(&self) -> Option<&Sandbox> {
        None
    }
}

/// The host's own processor, or else the embedded one; no call to it takes longer than the deadline.
pub(crate) fn chosen(
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
