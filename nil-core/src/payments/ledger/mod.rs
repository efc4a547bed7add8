//! The ledger: an append-only double-entry book. Every movement of money is one transfer whose
//! entries sum to zero, written in the transaction that changes the status it explains.
//!
//! | account | balance |
//! |---|---|
//! | `partner:7:card`, `agent:2:card` | minus the charges to their cards, less refunds |
//! | `athlete:3:wallet`, `agent:2:wallet` | what the platform holds for them; never negative |
//! | `athlete:3:receivable`, `agent:2:receivable` | minus what they owe back; deducted from later earnings |
//! | `athlete:3:bank`, `agent:2:bank` | what has arrived at their bank |
//! | `athlete:3:withheld`, `agent:2:withheld` | tax withheld from payments to them (backup withholding) |
//! | `platform:fees` | fees earned, less refunds |
//! | `platform:subscriptions` | revenue from subscriptions, less refunds |
//! | `processor:clearing` | money of payouts on hold, pending or in transit |
//! | `processor:refunding` | money of refunds the processor has not confirmed yet |
//! | `platform:processor_costs` | minus what the processor has kept of charges: the platform bears it |
//! | `processor:costs` | what the processor has kept |
//! | `processor:disputed` | what banks have taken back for disputes that are not decided |
//! | `platform:dispute_costs` | minus what the platform bears of disputes, or advances for open ones |
//!
//! | movement | from | to |
//! |---|---|---|
//! | a payment succeeds | the brand's card: amount and fee | the wallets (what is owed back first), `platform:fees` |
//! | a charge succeeds | `platform:processor_costs` | `processor:costs`: what the processor keeps of it |
//! | a payout is created | the wallet | `processor:clearing` |
//! | tax is withheld from a payment | the wallet, or the receivable if what is owed back took it | the owner's `withheld` |
//! | a payout arrives | `processor:clearing` | the bank |
//! | an agent's contract is cancelled in time, or was when a refund fails | the agent's wallet or receivable, and `withheld` in the same year | the athlete's wallet (what is owed back first) |
//! | a payout fails or is returned | `processor:clearing`, or the bank | the wallet (what is owed back first) |
//! | a refund is requested | the wallets or the receivables, `withheld` in the same year, `platform:fees` | `processor:refunding` |
//! | a refund succeeds, or fails | `processor:refunding` | the brand's card, or back to where it came from |
//! | a period of a subscription, or a change of plan, is paid | the subscriber's card | `platform:subscriptions` |
//! | a refund of it is requested | `platform:subscriptions` | `processor:refunding` |
//! | that refund succeeds, or fails | `processor:refunding` | the subscriber's card, or back |
//! | a refund fails after it had succeeded | the brand's or subscriber's card | where it came from |
//! | a bank takes a charge back | `platform:dispute_costs` | `processor:disputed` |
//! | the processor keeps a fee for it | `platform:dispute_costs` | `processor:costs` |
//! | the dispute is won or withdrawn | `processor:disputed` | `platform:dispute_costs` |
//! | the dispute is lost | `processor:disputed` | the card; `platform:dispute_costs` for what payees bear, which a refund takes to the card |
//! | a lost dispute is decided anew | the card and `platform:dispute_costs` | `processor:disputed`, and then as one that is won |

mod book;

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

pub use self::book::Book;
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, Cents, LedgerEntryId, PartnerId, Time, TransferId};
use crate::storage::FromRow;

/// A user with cards, a wallet or a bank account on the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// An athlete.
    Athlete(AthleteId),
    /// A brand.
    Partner(PartnerId),
    /// An agent.
    Agent(AgentId),
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Athlete(id) => write!(f, "athlete:{id}"),
            Self::Partner(id) => write!(f, "partner:{id}"),
            Self::Agent(id) => write!(f, "agent:{id}"),
        }
    }
}

impl Owner {
    /// Who is paid by a payment: the athlete, then the agent, if there is one.
    pub(crate) fn payees(athlete: AthleteId, agent: Option<AgentId>) -> impl Iterator<Item = Self> {
        std::iter::once(Self::Athlete(athlete)).chain(agent.map(Self::Agent))
    }

    /// Parses an owner from its name, such as `athlete:3`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (kind, id) = name.split_once(':')?;
        let id = id.parse().ok()?;
        match kind {
            "athlete" => AthleteId::new(id).map(Self::Athlete),
            "partner" => PartnerId::new(id).map(Self::Partner),
            "agent" => AgentId::new(id).map(Self::Agent),
            _ => None,
        }
    }
}

/// An account of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Account {
    /// The cards of a brand or an agent.
    Card(Owner),
    /// What the platform holds for the owner.
    Wallet(Owner),
    /// What the owner owes back.
    Receivable(Owner),
    /// What has arrived at the owner's bank.
    Bank(Owner),
    /// Tax withheld from payments to the owner.
    Withheld(Owner),
    /// The platform's fees.
    Fees,
    /// Revenue from subscriptions.
    Subscriptions,
    /// Payouts under way.
    Clearing,
    /// Refunds under way.
    Refunding,
    /// What the processor costs the platform.
    ProcessorCosts,
    /// What the processor has kept.
    KeptByProcessor,
    /// What banks have taken back for open disputes.
    Disputed,
    /// What disputes cost the platform.
    DisputeCosts,
}

impl Account {
    /// The accounts of the processor's own cost.
    pub const COSTS: [Self; 2] = [Self::ProcessorCosts, Self::KeptByProcessor];
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Card(owner) => write!(f, "{owner}:card"),
            Self::Wallet(owner) => write!(f, "{owner}:wallet"),
            Self::Receivable(owner) => write!(f, "{owner}:receivable"),
            Self::Bank(owner) => write!(f, "{owner}:bank"),
            Self::Withheld(owner) => write!(f, "{owner}:withheld"),
            Self::Fees => f.write_str("platform:fees"),
            Self::Subscriptions => f.write_str("platform:subscriptions"),
            Self::Clearing => f.write_str("processor:clearing"),
            Self::Refunding => f.write_str("processor:refunding"),
            Self::ProcessorCosts => f.write_str("platform:processor_costs"),
            Self::KeptByProcessor => f.write_str("processor:costs"),
            Self::Disputed => f.write_str("processor:disputed"),
            Self::DisputeCosts => f.write_str("platform:dispute_costs"),
        }
    }
}

vocabulary! {
    /// The reason for a transfer.
    Reason {
        /// A payment succeeded.
        Payment = "payment",
        /// A payout was created.
        Payout = "payout",
        /// The payout arrived.
        PayoutArrived = "payout_arrived",
        /// The payout failed on its way.
        PayoutFailed = "payout_failed",
        /// The bank returned the payout after it had arrived.
        PayoutReturned = "payout_returned",
        /// Tax was withheld from a payment.
        PaymentWithheld = "payment_withheld",
        /// A refund was requested: its money is set aside.
        Refund = "refund",
        /// The processor refunded the card.
        RefundSucceeded = "refund_succeeded",
        /// The refund failed: the money went back to where it came from.
        RefundFailed = "refund_failed",
        /// The refund failed after it had succeeded: the money went back to where it came from.
        RefundReturned = "refund_returned",
        /// A bank took a charge back; whether for good is not decided.
        DisputeOpened = "dispute_opened",
        /// The processor kept a fee for a dispute.
        DisputeFee = "dispute_fee",
        /// The fee of a dispute changed when it was decided.
        DisputeFeeChanged = "dispute_fee_changed",
        /// A dispute was won or withdrawn: the bank gave the money back.
        DisputeReturned = "dispute_returned",
        /// A dispute was lost: the card keeps the money.
        DisputeLost = "dispute_lost",
        /// A lost dispute was decided anew, for the platform.
        DisputeOverturned = "dispute_overturned",
        /// A period of a subscription, or a change of plan, was paid.
        Subscription = "subscription",
        /// An agent's commission on a payment went back to the athlete, who cancelled the contract
        /// with the agent in time.
        CommissionReturned = "commission_returned",
        /// The processor kept its own cost of a charge.
        ProcessorCost = "processor_cost",
    }
}

/// One movement of money, with entries that sum to zero.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The reason.
    pub reason: Reason,
    /// The record it belongs to, such as `payment:12`. There is one transfer per reason and record.
    pub refers_to: String,
    /// Accounts and signed amounts; zero entries are left out.
    pub entries: Vec<(Account, Cents)>,
}

impl Transfer {
    /// A transfer with its entries.
    #[must_use]
    pub fn new(
        reason: Reason,
        refers_to: String,
        entries: impl IntoIterator<Item = (Account, Cents)>,
    ) -> Self {
        Self {
            reason,
            refers_to,
            entries: entries.into_iter().filter(|(_, amount)| *amount != Cents::ZERO).collect(),
        }
    }

    /// What the processor keeps of a charge; none if it keeps nothing.
    #[must_use]
    pub fn of_cost(charge: String, cost: Cents) -> Option<Self> {
        let entries = [(Account::ProcessorCosts, -cost), (Account::KeptByProcessor, cost)];
        (cost != Cents::ZERO).then(|| Self::new(Reason::ProcessorCost, charge, entries))
    }

    fn balanced(&self) -> Result<()> {
        let mut sum = 0_i128;
        for (_, amount) in &self.entries {
            sum += i128::from(amount.get());
        }
        if sum == 0 && !self.entries.is_empty() {
            Ok(())
        } else {
            Err(Error::internal(format!(
                "the transfer `{} {}` does not balance: {sum}",
                self.reason, self.refers_to
            )))
        }
    }
}

/// One entry of an account.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct LedgerEntry {
    /// The entry's id.
    pub id: LedgerEntryId,
    /// The transfer it belongs to; the entries of a transfer sum to zero.
    pub transfer_id: TransferId,
    /// The account, such as `athlete:3:wallet`.
    pub account: String,
    /// The amount: positive for credits, negative for debits.
    pub amount_cents: Cents,
    /// The account's balance after the entry.
    pub balance_after_cents: Cents,
    /// The reason: `payment`, `payout`, `payout_failed`, `refund`, …
    pub reason: Reason,
    /// The record it belongs to, such as `payment:12`.
    pub refers_to: String,
    /// The time of the entry.
    pub at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_found_by_their_names() {
        for name in ["athlete:3", "partner:7", "agent:2"] {
            assert_eq!(Owner::named(name).unwrap().to_string(), name);
        }
        for wrong in ["athlete:0", "fan:1", "athlete", "athlete:x", ""] {
            assert_eq!(Owner::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_transfer_has_to_balance() {
        let transfer = |entries: Vec<(Account, Cents)>| {
            Transfer::new(Reason::Payment, "payment:1".into(), entries).balanced()
        };
        assert!(transfer(vec![(Account::Fees, Cents(5)), (Account::Clearing, Cents(-5))]).is_ok());
        assert!(transfer(vec![(Account::Fees, Cents(5))]).is_err());
        assert!(transfer(vec![(Account::Fees, Cents(0))]).is_err());
    }
}
