//! The payment processor: cards, charges, refunds, payouts to connected accounts.
//!
//! Every call that moves money carries a [`Request`]: a key made from our own row, and what is to
//! move. Repeating it never moves money twice, as long as the processor remembers keys (usually a
//! day). The answer tells what the processor knows under the key, with its amount and currency, so
//! that the caller can compare it with its own row. A call with an unknown outcome is an
//! [`Outage`]: neither success nor failure; the caller looks it up by its key later.

mod account;
mod dispute;
mod sandbox;
mod signature;
mod statement;
pub mod stripe;
mod timed;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Cents, Date, Time};

pub use account::{ConnectedAccount, Onboarding, Restriction};
pub use dispute::{Dispute, DisputeKind, DisputeState, Evidence, Verdict};
pub use sandbox::{Logged, Sandbox};
pub use statement::{LineKind, StatementLine, StatementPage};

/// The processor did not answer, or its answer has no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    /// What went wrong.
    pub why: String,
    /// Whether the processor answered with an error of its own. It may keep that answer under the
    /// request's key, so that the key is of no more use.
    pub answered: bool,
}

impl Outage {
    /// There was no answer, or none that means anything: whether the request arrived is unknown.
    #[must_use]
    pub fn silent(why: impl Into<String>) -> Self {
        Self { why: why.into(), answered: false }
    }

    /// The processor answered with an error of its own.
    #[must_use]
    pub fn answered(why: impl Into<String>) -> Self {
        Self { why: why.into(), answered: true }
    }
}

/// A future result.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// Whose card or connected account it is. Numbers of owners begin anew in every installation, so
/// the processor must know them by both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The mark of the installation.
    pub installation: String,
    /// The owner's name here, such as `athlete:3`.
    pub name: String,
}

/// A card saved at the processor; we never see its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCard {
    /// The processor's reference.
    pub reference: String,
    /// What the processor calls every saved copy of the same card, if it tells.
    pub fingerprint: Option<String>,
    /// `visa`, …
    pub brand: String,
    /// The last four digits.
    pub last4: String,
    /// Month of expiry.
    pub exp_month: i64,
    /// Year of expiry.
    pub exp_year: i64,
}

vocabulary! {
    /// What a request moves.
    MoneyKind {
        /// Money from a saved card to the platform.
        Charge = "charge",
        /// Money of a charge back to its card.
        Refund = "refund",
        /// Money from the platform to the bank of a connected account.
        Payout = "payout",
    }
}

/// A request that moves money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its key, the same whenever it is sent again. No other request has it: not one of a restored
    /// copy of the database, and not one of another installation.
    pub key: String,
    /// What it moves.
    pub kind: MoneyKind,
    /// How much.
    pub amount: Cents,
    /// The currency in lower case, such as `usd`.
    pub currency: String,
    /// The earliest instant at which it can have been sent.
    pub since: Time,
    /// What the bank's statement shows of it, such as the number of a payment; empty for the
    /// processor's usual text.
    pub label: String,
    /// Whether a payout is to arrive within minutes, if the processor and the bank do that.
    pub instant: bool,
}

/// What has become of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The money has moved.
    Succeeded {
        /// The processor's reference.
        id: String,
        /// What the processor keeps for itself.
        fee: Cents,
        /// When the money of a charge can be paid out; none if it can be at once.
        available_at: Option<Time>,
    },
    /// The money is in transit and arrives on that date, unless the bank returns it.
    InTransit {
        /// The processor's reference.
        id: String,
        /// The day of arrival.
        until: Date,
    },
    /// The bank wants the cardholder to confirm the charge. Nothing has moved.
    NeedsAction {
        /// The processor's reference.
        id: String,
        /// Until when that is possible. A charge that is asked about later has failed.
        until: Time,
    },
    /// It failed and will never succeed under this key.
    Failed {
        /// The processor's reference; none if it has no record of the request.
        id: Option<String>,
        /// The reason.
        why: String,
    },
}

/// A movement of money as the processor knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// The key of the request; it names our own row.
    pub key: String,
    /// What it moves.
    pub kind: MoneyKind,
    /// How much.
    pub amount: Cents,
    /// The currency in lower case.
    pub currency: String,
    /// Its current outcome.
    pub outcome: Outcome,
}

impl Movement {
    /// Whether it is what the request asked for.
    #[must_use]
    pub fn is_of(&self, request: &Request) -> bool {
        self.key == request.key
            && self.kind == request.kind
            && self.amount == request.amount
            && self.currency == request.currency
    }
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The processor has taken it up.
    Taken(Movement),
    /// Not now: too many requests, or the money is not available yet. Nothing has moved, and the
    /// key is of no more use.
    NotNow(String),
    /// Never, as long as the operator has not mended something: the processor does not accept the
    /// platform's key, or what was asked for. Nothing has moved, and the key is of no more use.
    Refused(String),
}

/// A page of the processor where a card is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardForm {
    /// The token that [`save_card`](Processor::save_card) takes once the card was entered.
    pub token: String,
    /// The page's absolute address. It is for the holder alone, and opens for a day at most.
    pub url: String,
}

/// What an event concerns. It is read again at the processor before anything follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concern {
    /// A movement, by the processor's reference.
    Movement(String),
    /// A connected account, by the processor's reference.
    Account(String),
    /// A dispute or an early warning of one, by the processor's reference.
    Dispute(String),
    /// Nothing that the platform keeps.
    Nothing,
}

impl Concern {
    /// The processor's reference of what it concerns; empty if that is nothing.
    #[must_use]
    pub fn reference(&self) -> &str {
        match self {
            Self::Movement(reference) | Self::Account(reference) | Self::Dispute(reference) => {
                reference
            }
            Self::Nothing => "",
        }
    }
}

/// An event from the processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessorEvent {
    /// The event's id; an event may arrive more than once.
    pub id: String,
    /// The kind of event, as the processor calls it.
    pub kind: String,
    /// What it concerns.
    pub concern: Concern,
}

vocabulary! {
    /// Whose money a processor moves. A database holds that of one.
    ProcessorBooks {
        /// None: it is the sandbox's play money.
        Sandbox = "sandbox",
        /// None: the processor plays with it, too.
        Test = "test",
        /// People's.
        Live = "live",
    }
}

/// A payment processor.
pub trait Processor: Send + Sync + 'static {
    /// Opens a page where a holder enters a card, with their bank's confirmation if it wants one.
    /// The page leads back to an absolute address.
    fn begin_card(&self, holder: &Holder, back: &str) -> Later<'_, CardForm>;

    /// Saves a card for its holder: nobody else can be charged with it. `token` was created by the
    /// processor's own form in the browser, or by [`begin_card`](Self::begin_card) for the same
    /// holder. `None`: no such token, or no card was entered there.
    fn save_card(&self, holder: &Holder, token: &str) -> Later<'_, Option<SavedCard>>;

    /// Forgets a saved card: it can no longer be charged. One that is not known is forgotten.
    fn forget_card(&self, card: &str) -> Later<'_, ()>;

    /// Charges a saved card.
    fn charge(&self, request: &Request, card: &str) -> Later<'_, Answer>;

    /// The absolute address where the cardholder confirms a charge of that card that waits for it.
    /// The page leads back to another one. It is for the cardholder alone, and may open only once
    /// and only for minutes. `None`: there is nothing to confirm any more.
    fn confirmation(&self, charge: &str, card: &str, back: &str) -> Later<'_, Option<String>>;

    /// Gives up a charge that waits for its cardholder: it fails, unless it was confirmed just
    /// before.
    fn give_up(&self, charge: &str) -> Later<'_, ()>;

    /// Refunds part of a charge.
    fn refund(&self, request: &Request, charge: &str) -> Later<'_, Answer>;

    /// Sends money to the bank of a connected account. If the bank does not take it, the money is
    /// back with the platform before the outcome is a failure.
    fn pay_out(&self, request: &Request, account: &str) -> Later<'_, Answer>;

    /// The current state of a charge, a refund or a payout, by the processor's reference.
    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>>;

    /// What is known under the key of a request, however old. `None` only if the processor is sure
    /// that it never took it up; an [`Outage`] if it cannot tell.
    fn find(&self, request: &Request) -> Later<'_, Option<Movement>>;

    /// A page of the lines of the platform's own balance in a span of time: the first one, or the
    /// one after the page that named `after`.
    fn statement(&self, from: Time, until: Time, after: Option<&str>) -> Later<'_, StatementPage>;

    /// Opens a connected account (the same one if the holder already has one).
    fn connect(&self, holder: &Holder, express: bool) -> Later<'_, ConnectedAccount>;

    /// The current state of a connected account.
    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>>;

    /// The absolute address where its owner provides missing information. It is for the owner
    /// alone, and may open only once and only for minutes.
    fn onboarding(&self, reference: &str, back: &Onboarding) -> Later<'_, String>;

    /// The current state of a dispute, or of an early warning, by the processor's reference.
    fn dispute(&self, reference: &str) -> Later<'_, Option<Dispute>>;

    /// The disputes and early warnings since an instant: events about them can be lost.
    fn disputes(&self, since: Time) -> Later<'_, Vec<Dispute>>;

    /// Hands evidence in against a dispute, for good. Handing it in again changes nothing.
    fn answer_dispute(&self, reference: &str, evidence: &Evidence) -> Later<'_, Verdict>;

    /// Accepts a dispute: it is lost.
    fn accept_dispute(&self, reference: &str) -> Later<'_, Verdict>;

    /// The header that holds a webhook's signature.
    fn signature_header(&self) -> &'static str {
        "Processor-Signature"
    }

    /// Checks a webhook's signature and reads it; `None` if the signature is wrong.
    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent>;

    /// Whose money it moves.
    fn books(&self) -> ProcessorBooks;

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
