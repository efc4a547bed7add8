//! `nil sandbox`: plays the outside world at the embedded payment processor.

use clap::Subcommand;
use nil_core::kernel::{Cents, DisputeId, PaymentId, PayoutId, RefundId, SubscriptionRefundId};
use nil_core::ports::processor::{DisputeKind, DisputeState, Restriction};
use nil_core::{Platform, payments};
use serde_json::json;

use crate::failure::Failure;
use crate::settings::Settings;
use crate::show::print;
use crate::words::offered;

#[derive(Debug, Subcommand)]
pub(crate) enum SandboxAction {
    /// Complete a payout now instead of in two days.
    LetArrive {
        /// The payout's id.
        id: i64,
    },
    /// Return a payout, as a bank does after the fact.
    ReturnPayout {
        /// The payout's id.
        id: i64,
    },
    /// Fail a refund that had succeeded, as happens with cards that were closed.
    FailRefund {
        /// The refund's id.
        id: i64,
        /// It is a refund of a subscription.
        #[arg(long)]
        subscription: bool,
    },
    /// Confirm a payment that waits for the cardholder, or refuse to.
    Confirm {
        /// The payment's id.
        payment: i64,
        /// Refuse: the payment fails.
        #[arg(long)]
        refuse: bool,
    },
    /// Stop payouts to an account, or let them go on.
    Restrict {
        /// The account's owner, such as `athlete:3`.
        owner: String,
        /// Why.
        #[arg(default_value = "information_due", value_parser = offered(Restriction::ALL))]
        reason: String,
        /// Let payouts go on.
        #[arg(long, conflicts_with = "reason")]
        lift: bool,
    },
    /// Play the bank of a cardholder who disputes a charge.
    #[command(subcommand)]
    Dispute(DisputeAction),
}

#[derive(Debug, Subcommand)]
pub(crate) enum DisputeAction {
    /// Take the charge of a payment back.
    Open {
        /// The payment's id.
        payment: i64,
        /// Only ask about it: no money moves.
        #[arg(long, conflicts_with = "warning")]
        inquiry: bool,
        /// Only report it as fraudulent: no money moves.
        #[arg(long)]
        warning: bool,
        /// How much of the charge, in cents; default: all of it.
        #[arg(long, value_name = "CENTS", value_parser = clap::value_parser!(i64).range(1..))]
        amount: Option<i64>,
    },
    /// Take the money after an inquiry.
    Escalate {
        /// The dispute's id.
        id: i64,
    },
    /// Decide for the platform, also after it was lost.
    Win {
        /// The dispute's id.
        id: i64,
    },
    /// Decide for the cardholder.
    Lose {
        /// The dispute's id.
        id: i64,
    },
    /// Withdraw it, or close a warning.
    Withdraw {
        /// The dispute's id.
        id: i64,
    },
}

/// `nil sandbox …`.
pub(crate) async fn sandbox(
    settings: Settings,
    action: SandboxAction,
    json: bool,
) -> Result<(), Failure> {
    let platform = nil_core::open(settings.config).await?;
    let payout = |id| PayoutId::new(id).ok_or_else(no_such_id);
    let (done, said) = match action {
        SandboxAction::LetArrive { id } => {
            (payments::sandbox::let_arrive(&platform, payout(id)?).await?, "Payout arrived.")
        }
        SandboxAction::ReturnPayout { id } => {
            (payments::sandbox::return_payout(&platform, payout(id)?).await?, "Payout returned.")
        }
        SandboxAction::FailRefund { id, subscription: false } => {
            let id = RefundId::new(id).ok_or_else(no_such_id)?;
            (payments::sandbox::fail_refund(&platform, id).await?, "Refund failed.")
        }
        SandboxAction::FailRefund { id, subscription: true } => {
            let id = SubscriptionRefundId::new(id).ok_or_else(no_such_id)?;
            (payments::sandbox::fail_subscription_refund(&platform, id).await?, "Refund failed.")
        }
        SandboxAction::Confirm { payment, refuse } => {
            let payment = PaymentId::new(payment).ok_or_else(no_such_id)?;
            let said = if refuse { "Payment refused." } else { "Payment confirmed." };
            (payments::sandbox::confirm(&platform, payment, !refuse).await?, said)
        }
        SandboxAction::Restrict { owner, reason, lift } => {
            let reason = Restriction::ALL.iter().find(|known| known.as_str() == reason);
            let reason = reason.copied().filter(|_| !lift);
            let said = if lift { "Payouts go on." } else { "Payouts have stopped." };
            (payments::sandbox::restrict(&platform, &owner, reason).await?, said)
        }
        SandboxAction::Dispute(action) => dispute(&platform, action).await?,
    };
    platform.close().await;
    if !done {
        return Err(Failure::Broken("the status does not allow this".into()));
    }
    print(&json!(said), json);
    Ok(())
}

fn no_such_id() -> Failure {
    Failure::Usage("no such id".into())
}

/// `nil sandbox dispute …`.
async fn dispute(
    platform: &Platform,
    action: DisputeAction,
) -> Result<(bool, &'static str), Failure> {
    let (id, to) = match action {
        DisputeAction::Open { payment, inquiry, warning, amount } => {
            let payment = PaymentId::new(payment).ok_or_else(no_such_id)?;
            let kind = match (inquiry, warning) {
                (true, _) => DisputeKind::Inquiry,
                (_, true) => DisputeKind::EarlyWarning,
                _ => DisputeKind::Chargeback,
            };
            let what = (kind, amount.map(Cents));
            let opened = payments::sandbox::dispute(platform, payment, what).await?;
            return Ok((opened.is_some(), "Dispute opened."));
        }
        DisputeAction::Escalate { id } => (id, DisputeState::NeedsResponse),
        DisputeAction::Win { id } => (id, DisputeState::Won),
        DisputeAction::Lose { id } => (id, DisputeState::Lost),
        DisputeAction::Withdraw { id } => (id, DisputeState::Withdrawn),
    };
    let id = DisputeId::new(id).ok_or_else(no_such_id)?;
    Ok((payments::sandbox::turn_dispute(platform, id, to).await?, "The dispute goes on."))
}
