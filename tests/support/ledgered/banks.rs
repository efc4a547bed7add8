//! What banks, owners of accounts and the processor's own staff do to what is in the books of
//! `ledgered`.

use serde_json::{Value, json};

use super::Ledgered;

impl Ledgered {
    /// An account's owner has told everything.
    pub fn onboard(&self, account: &str) {
        let enabled = json!({ "charges_enabled": true, "payouts_enabled": true,
            "transfers": "active", "requirements": { "currently_due": [] } });
        self.change(account, &enabled);
        self.told("account.updated", account);
    }

    /// The processor wants to know more of an account's owner, and pays nothing out until then.
    /// It may refuse transfers as well.
    pub fn restrict(&self, account: &str, transfers_too: bool) {
        let transfers = if transfers_too { "inactive" } else { "active" };
        let restricted = json!({ "payouts_enabled": false, "transfers": transfers,
            "requirements": { "currently_due": ["individual.verification.document"],
                "past_due": ["individual.verification.document"],
                "disabled_reason": "requirements.past_due" } });
        self.change(account, &restricted);
        self.told("account.updated", account);
    }

    /// A bank does not take a payout, also after it had arrived. Returns whether it was sent.
    pub fn fail_payout(&self, id: &str) -> bool {
        let known = self.find(id).is_some_and(|payout| payout["status"] != "failed");
        if known {
            self.change(id, &json!({ "status": "failed", "failure_code": "account_closed" }));
            self.told("payout.failed", id);
        }
        known
    }

    /// A refund fails, also days after it had succeeded. Returns whether it had not failed.
    pub fn fail_refund(&self, id: &str) -> bool {
        let Some(refund) = self.find(id) else { return false };
        if refund["status"] == "failed" {
            return false;
        }
        let failed = json!({ "status": "failed", "failure_reason": "lost_or_stolen_card" });
        self.change(id, &failed);
        if refund["status"] == "succeeded" {
            let now = self.clock.now().timestamp();
            let mut books = self.books.lock().expect("the books");
            let back = books.amount(id);
            books.line("refund_failure", (back, 0), (&refund, now));
        }
        self.told("refund.failed", id);
        self.told("charge.refund.updated", id);
        true
    }

    /// What time has done since the last call.
    pub fn grow_older(&self) {
        let now = self.clock.now().timestamp();
        self.books.lock().expect("the books").grow_older(now);
    }

    fn find(&self, id: &str) -> Option<Value> {
        self.grow_older();
        self.books.lock().expect("the books").objects.get(id).cloned()
    }

    fn told(&self, kind: &str, id: &str) {
        let now = self.clock.now().timestamp();
        self.books.lock().expect("the books").tell(kind, id, now);
    }
}
