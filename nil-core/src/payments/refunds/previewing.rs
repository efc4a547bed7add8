//! Operators see what a refund would do before they make it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::refund::RefundFee;
use super::refunding::plan;
use crate::auth::Operator;
use crate::error::Result;
use crate::kernel::{Amount, Cents, PaymentId};
use crate::operation::Cx;
use crate::payments::ledger::{Account, Owner};

/// A refund to preview.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct PreviewRefund {
    /// The payment.
    pub payment_id: PaymentId,
    /// How much of the payment's amount; default: all that is left.
    pub amount_cents: Option<Amount>,
    /// Whether the platform's fee is refunded too (default `none`).
    pub refund_fee: Option<RefundFee>,
}

/// What a refund would do.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RefundPreview {
    /// The payment.
    pub payment_id: PaymentId,
    /// The most that can be refunded of the payment's amount.
    pub refundable_cents: Cents,
    /// How much of the payment's amount would be refunded.
    pub amount_cents: Cents,
    /// How much of the platform's fee would be refunded in addition.
    pub fee_cents: Cents,
    /// How much of the amount is the agent's commission, which the agent would return.
    pub commission_cents: Cents,
    /// How much of it would come from payouts on hold, which the refund cancels.
    pub from_held_payouts_cents: Cents,
    /// How much of it the athlete and the agent would owe, because their wallets lack it. If it is
    /// not 0, the refund needs `allow_negative_balance`.
    pub owed_cents: Cents,
    /// Who bears it: the changes of accounts. They sum to 0.
    pub lines: Vec<RefundLine>,
}

/// The change of one account of the ledger.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RefundLine {
    /// The account: `athlete:3:wallet`, `agent:2:receivable` (what is owed back),
    /// `athlete:3:withheld` (tax), `platform:fees`, `partner:7:card`.
    #[schemars(extend("examples" = ["athlete:3:wallet"]))]
    pub account: String,
    /// What it would gain; negative: lose.
    pub change_cents: Cents,
    /// What it would have afterwards; null for the card, which is not the platform's.
    pub after_cents: Option<Cents>,
}

/// Shows what a refund would do, without making it (extension). It is planned as the refund is, and
/// undone; that somebody looked is recorded in the audit trail. 404 for an unknown payment; 409
/// `payment_in_progress`, `not_refundable` or `payout_in_progress` and 422 `refund_exceeds_payment`
/// as for the refund.
pub async fn preview(cx: Cx<Operator>, input: PreviewRefund) -> Result<RefundPreview> {
    let mut work = cx.begin_audited_read().await?;
    let wanted = (input.payment_id, input.amount_cents, input.refund_fee);
    let plan = plan(&mut work, wanted, true).await?;
    // The transaction ends here, and nothing of it is kept.
    drop(work);
    let mut work = cx.begin_audited_read().await?;
    work.note(plan.paid.id, "refund_previewed");
    work.finish_read().await?;
    let back = plan.back;
    let changes = plan.sources.iter().copied().chain([(Account::Fees, -back.fee)]);
    let mut lines: Vec<RefundLine> = changes
        .filter(|(_, change)| *change != Cents::ZERO)
        .map(|(account, change_cents)| RefundLine {
            account: account.to_string(),
            change_cents,
            after_cents: Some(plan.book.balance(account) + change_cents),
        })
        .collect();
    lines.push(RefundLine {
        account: Account::Card(Owner::Partner(plan.paid.partner_id)).to_string(),
        change_cents: back.amount + back.fee,
        after_cents: None,
    });
    let owed = plan.sources.iter().filter(|(account, _)| matches!(account, Account::Receivable(_)));
    Ok(RefundPreview {
        payment_id: plan.paid.id,
        refundable_cents: plan.left,
        amount_cents: back.amount,
        fee_cents: back.fee,
        commission_cents: back.commission,
        from_held_payouts_cents: plan.wallets_now() - plan.wallets,
        owed_cents: owed.map(|(_, change)| -*change).sum(),
        lines,
    })
}
