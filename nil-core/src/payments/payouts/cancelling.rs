//! Cancels payouts that are on hold: the money, which was never sent, goes back to the wallet.

use schemars::JsonSchema;
use serde::Deserialize;

use super::payout::{Payout, PayoutEvent, PayoutStatus};
use super::settling_payouts;
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, PayoutId};
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::{Account, Book, Reason};
use crate::payments::store::{self, payout::Facts};

/// Selects a payout to cancel.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Cancel {
    /// The payout, which must be on hold.
    pub id: PayoutId,
}

/// The `failure_code` of a payout that an operator cancelled.
const CANCELLED: &str = "cancelled";
/// The `failure_code` of a payout cancelled to fund a refund.
const FOR_REFUND: &str = "cancelled_for_refund";

/// Cancels a payout that is on hold: it becomes `failed` with the code `cancelled`, and its money
/// is back in the wallet. 404 for an unknown payout, 409 `illegal_transition` for one that is not
/// on hold.
pub async fn cancel(cx: Cx<Operator>, input: Cancel) -> Result<Done<Payout>> {
    let mut session = cx.read().await?;
    let payout = store::payout::find(&mut session, input.id).await?;
    drop(session);
    let owner = payout.ok_or(codes::NOT_FOUND)?.owner()?;
    let mut work = cx.begin().await?;
    let mut book = Book::of_payouts(&mut work, owner).await?;
    let payout = store::payout::locked(&mut work, input.id).await?;
    if payout.status != PayoutStatus::OnHold {
        let message = format!("A payout with status `{}` cannot be cancelled.", payout.status);
        return Err(codes::ILLEGAL_TRANSITION.saying(message));
    }
    put_back(&mut work, &mut book, &payout, CANCELLED).await?;
    settling_payouts::answer(work, input.id).await
}

/// Puts the money of a payout on hold back into its wallet, to fund a refund. The book must contain
/// the wallet, the receivable and `processor:clearing`.
pub(crate) async fn for_refund(work: &mut Work, book: &mut Book, held: &Payout) -> Result<()> {
    put_back(work, book, held, FOR_REFUND).await
}

async fn put_back(work: &mut Work, book: &mut Book, held: &Payout, why: &str) -> Result<()> {
    let moved = held.status.on(PayoutEvent::Cancel)?;
    let now = work.now();
    let facts = Facts { failure: Some(why), ..Facts::default() };
    store::payout::change(work, held.id, moved, facts, now).await?;
    let from = (Reason::PayoutFailed, Account::Clearing);
    let transfer = settling_payouts::put_back(book, held, from)?;
    book.post(work, now, &[transfer]).await?;
    work.note(held.id, "cancelled");
    Ok(())
}
