//! A payout: one attempt to send a wallet's money to its owner's bank.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, Cents, Date, Machine, Move, PayoutId, Time};
use crate::payments::ledger::Owner;
use crate::payments::movement;
use crate::storage::FromRow;

vocabulary! {
    /// The status of a payout.
    PayoutStatus {
        /// The owner's account cannot receive money yet.
        OnHold = "on_hold",
        /// About to be sent.
        Pending = "pending",
        /// On its way to the bank.
        InTransit = "in_transit",
        /// Arrived; the bank can still return it.
        Paid = "paid",
        /// It did not arrive or was returned; the money is back in the wallet.
        Failed = "failed",
    }
}

/// An event in a payout's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayoutEvent {
    /// The owner's account can receive money now.
    Release,
    /// It is cancelled before it was sent.
    Cancel,
    /// The processor accepted it.
    Send,
    /// It arrived at the bank.
    Arrive,
    /// It did not arrive.
    Fail,
    /// The bank returned it after it had arrived.
    Return,
}

impl Machine for PayoutStatus {
    type Event = PayoutEvent;
    const NAME: &'static str = "payout";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::OnHold, Self::Pending];
    const TERMINAL: &'static [Self] = &[Self::Failed];
    const MOVES: &'static [Move<Self>] = &[
        (Self::OnHold, PayoutEvent::Release, Self::Pending), // cron sweep-payouts
        (Self::OnHold, PayoutEvent::Cancel, Self::Failed), // POST /payment-records/payout/{id}/cancel, refunds
        (Self::Pending, PayoutEvent::Send, Self::InTransit), // GET /payment-records/payout/{id}
        (Self::InTransit, PayoutEvent::Arrive, Self::Paid),
        (Self::InTransit, PayoutEvent::Fail, Self::Failed),
        (Self::Paid, PayoutEvent::Return, Self::Failed),
    ];
}

impl PayoutStatus {
    /// Whether its money is under way: neither in the wallet nor at the bank.
    #[must_use]
    pub const fn under_way(self) -> bool {
        matches!(self, Self::OnHold | Self::Pending | Self::InTransit)
    }
}

vocabulary! {
    /// The reason why a payout is on hold.
    HoldReason {
        /// The owner has not opened a payout account.
        NoPayoutAccount = "no_payout_account",
        /// The processor sends no payouts to the owner's account. The account says why:
        /// `restriction`.
        PayoutsDisabled = "payouts_disabled",
        /// The athlete's institution holds payouts until every deal is cleared.
        InstitutionClearance = "institution_clearance",
        /// The owner's account is suspended.
        AccountSuspended = "account_suspended",
        /// It is of commission from an athlete who can still cancel the contract with the agent.
        CancellationWindow = "cancellation_window",
        /// It is of money that a cardholder's bank may take back: a dispute of a payment is open.
        Dispute = "dispute",
        /// It is of money that a card was charged, but that the processor cannot pay out yet. It
        /// goes out a few days after the charge.
        FundsPending = "funds_pending",
        /// The site asks for a tax form, and the owner has not handed one in. It goes out once the
        /// owner hands in a W-9.
        TaxFormMissing = "tax_form_missing",
        /// The site asks for a tax form, and the athlete needs a visa. A foreign person would need
        /// a W-8BEN, which the platform does not take, as it files no 1042-S: an operator settles
        /// with the athlete outside the platform. An athlete who counts as a U.S. person for taxes
        /// can hand in a W-9.
        TaxFormUnsupported = "tax_form_unsupported",
    }
}

/// A payout.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Payout {
    /// The payout's id.
    pub id: PayoutId,
    /// The athlete it goes to.
    pub athlete_id: Option<AthleteId>,
    /// The agent it goes to.
    pub agent_id: Option<AgentId>,
    /// The amount that is sent.
    pub amount_cents: Cents,
    /// The status.
    pub status: PayoutStatus,
    /// The number of the attempt, from 1.
    pub attempt: i64,
    /// The failed payout that this one retries.
    pub retry_of: Option<PayoutId>,
    /// Why it is on hold.
    #[schemars(with = "Vec<HoldReason>")]
    pub hold_reasons: Value,
    /// The processor's failure code; `cancelled` or `cancelled_for_refund` if it was never sent.
    pub failure_code: Option<String>,
    /// The processor's id of the transfer.
    pub processor_transfer_id: Option<String>,
    /// The expected day of arrival at the bank.
    pub arrives_on: Option<Date>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// A payout in the list of all.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ListedPayout {
    /// The payout.
    #[serde(flatten)]
    #[row(flatten)]
    pub payout: Payout,
    /// The name of the athlete or of the agency it goes to.
    pub payee_name: String,
}

impl Payout {
    /// The owner of the wallet it was taken from.
    pub fn owner(&self) -> Result<Owner> {
        self.athlete_id
            .map(Owner::Athlete)
            .or(self.agent_id.map(Owner::Agent))
            .ok_or_else(|| Error::internal("a payout belongs to nobody"))
    }

    /// Its name in ledger transfers, and for the calls that wait for it.
    #[must_use]
    pub fn name(&self) -> String {
        movement::name(self.id)
    }
}

/// Commission in an agent's wallet that waits, because the athlete can still cancel the contract
/// with the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct HeldCommission {
    /// How much waits.
    pub amount_cents: Cents,
    /// The last moment at which the athlete can cancel. It can be paid out afterwards.
    #[row(rename = "waits_until")]
    pub until: Time,
}

/// How long a wallet is not paid out after a failed payout.
pub(super) const REST: TimeDelta = TimeDelta::hours(24);
