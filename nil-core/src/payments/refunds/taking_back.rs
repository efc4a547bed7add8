//! Takes money back from a wallet.

use crate::error::Result;
use crate::kernel::Cents;
use crate::operation::Work;
use crate::payments::ledger::{Account, Book, Owner};
use crate::payments::payouts::cancelling;
use crate::payments::payouts::payout::PayoutStatus;
use crate::payments::store;

/// Takes an owner's share from their wallet, and the rest from their receivable. A payout on hold
/// is cancelled first, if the wallet lacks its money.
pub(crate) async fn source(
    work: &mut Work,
    book: &mut Book,
    owner: Owner,
    share: Cents,
) -> Result<[(Account, Cents); 2]> {
    if share > book.balance(Account::Wallet(owner))
        && let Some(held) = store::payout::live(work, owner).await?
        && held.status == PayoutStatus::OnHold
    {
        cancelling::for_refund(work, book, &held).await?;
    }
    let taken = share.min(book.balance(Account::Wallet(owner)));
    Ok([(Account::Wallet(owner), -taken), (Account::Receivable(owner), taken - share)])
}
