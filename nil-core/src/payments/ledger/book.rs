//! Accounts of the ledger, opened for writing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Account, Owner, Transfer};
use crate::error::{Error, Result};
use crate::kernel::{Cents, Time};
use crate::payments::store::ledger as store;
use crate::storage::Session;

/// Some accounts of the ledger, opened for writing: their rows are locked until the transaction
/// ends, in the order of their names.
#[derive(Debug)]
pub struct Book {
    balances: BTreeMap<String, Cents>,
    /// What unposted credits deduct from receivables.
    netting: BTreeMap<String, Cents>,
}

impl Book {
    /// Opens the accounts and creates those that do not exist. Open one book per transaction, with
    /// all accounts it needs: two books could deadlock.
    pub async fn open(
        session: &mut Session,
        accounts: impl IntoIterator<Item = Account>,
    ) -> Result<Self> {
        let names: BTreeSet<String> = accounts.into_iter().map(|a| a.to_string()).collect();
        let mut balances = store::lock(session, &names).await?;
        if balances.len() < names.len() {
            let missing: Vec<&String> =
                names.iter().filter(|name| !balances.contains_key(*name)).collect();
            store::make(session, &missing).await?;
            balances = store::lock(session, &names).await?;
        }
        Ok(Self { balances, netting: BTreeMap::new() })
    }

    /// Opens the accounts of an owner's payouts; their locks keep other requests off the wallet.
    pub(crate) async fn of_payouts(session: &mut Session, owner: Owner) -> Result<Self> {
        let accounts = [
            Account::Wallet(owner),
            Account::Receivable(owner),
            Account::Bank(owner),
            Account::Clearing,
        ];
        Self::open(session, accounts).await
    }

    /// The balance of an account of this book.
    #[must_use]
    pub fn balance(&self, account: Account) -> Cents {
        self.balances.get(&account.to_string()).copied().unwrap_or_default()
    }

    /// Splits a credit of `amount`: what the owner owes back is settled first, the rest goes to the
    /// wallet. Pass the entries to the next [`post`](Book::post).
    #[must_use]
    pub fn credit(&mut self, owner: Owner, amount: Cents) -> [(Account, Cents); 2] {
        let planned = self.netting.entry(Account::Receivable(owner).to_string()).or_default();
        let owed = -(self
            .balances
            .get(&Account::Receivable(owner).to_string())
            .copied()
            .unwrap_or_default()
            + *planned);
        let netted = owed.max(Cents::ZERO).min(amount);
        *planned += netted;
        [(Account::Receivable(owner), netted), (Account::Wallet(owner), amount - netted)]
    }

    /// Writes transfers. A transfer that was already written (same reason, same record) is left
    /// out, so a replay changes nothing. A transfer that does not sum to zero, overdraws a wallet
    /// or uses an account outside the book is an internal error, and the transaction cannot be
    /// committed.
    pub async fn post(
        &mut self,
        session: &mut Session,
        at: Time,
        transfers: &[Transfer],
    ) -> Result<()> {
        for transfer in transfers {
            transfer.balanced()?;
        }
        let fresh = store::add_transfers(session, at, transfers).await?;
        let mut entries = Vec::new();
        let mut changed: BTreeMap<String, Cents> = BTreeMap::new();
        for transfer in transfers {
            let Some(id) = fresh.get(&(transfer.reason, transfer.refers_to.as_str())) else {
                continue;
            };
            for (account, amount) in &transfer.entries {
                let name = account.to_string();
                let balance = self
                    .balances
                    .get_mut(&name)
                    .ok_or_else(|| Error::internal(format!("`{name}` is not in this book")))?;
                *balance += *amount;
                *changed.entry(name.clone()).or_default() += *amount;
                entries.push(store::Entry {
                    transfer_id: *id,
                    account: name,
                    amount: *amount,
                    balance_after: *balance,
                });
            }
        }
        for name in changed.keys().filter(|name| name.ends_with(":wallet")) {
            if self.balances.get(name).is_some_and(|left| *left < Cents::ZERO) {
                return Err(Error::internal(format!("`{name}` would be overdrawn")));
            }
        }
        self.netting.clear();
        store::change_balances(session, &changed).await?;
        store::add_entries(session, &entries).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::AthleteId;

    fn athlete() -> Owner {
        Owner::Athlete(AthleteId::new(3).unwrap())
    }

    #[test]
    fn what_is_owed_back_is_netted_first() {
        let mut book = Book { balances: BTreeMap::new(), netting: BTreeMap::new() };
        let credit = |book: &mut Book| book.credit(athlete(), Cents(100)).map(|part| part.1);
        assert_eq!(credit(&mut book), [Cents(0), Cents(100)]);
        let receivable = Account::Receivable(athlete()).to_string();
        book.balances.insert(receivable, Cents(-130));
        assert_eq!(credit(&mut book), [Cents(100), Cents(0)]);
        // The second credit of one posting takes the first into account.
        assert_eq!(credit(&mut book), [Cents(30), Cents(70)]);
        assert_eq!(credit(&mut book), [Cents(0), Cents(100)]);
    }
}
