//! Deals with approved work, cards and payout accounts, for the suites about money.

use nil_core::payments::{self, Report};
use serde_json::{Value, json};

use crate::people::Person;
use crate::world::World;

/// A deal whose work is approved and waits to be paid.
#[derive(Clone, Debug)]
pub struct Deal {
    pub contract_id: i64,
    pub job_id: i64,
    pub deliverable_ids: Vec<i64>,
}

/// A test card's token: it is charged.
pub const GOOD_CARD: &str = "tok_4242424242424242";
/// A test card's token: it is declined.
pub const DECLINED_CARD: &str = "tok_4000000000000002";

impl World {
    /// Saves a card for a brand.
    pub async fn card(&self, partner: &Person, token: &str) -> Value {
        let input = json!({ "processor_token": token });
        self.call("core.partner.add_payment_method", &partner.principal, input)
            .await
            .data()
    }

    /// A brand with a card that is charged.
    pub async fn paying_partner(&self, name: &str) -> Person {
        let partner = self.partner(name).await;
        self.card(&partner, GOOD_CARD).await;
        partner
    }

    /// Pays everything that is owed under a deal.
    pub async fn pay(&self, partner: &Person, athlete: &Person, deal: &Deal) -> Value {
        let input = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
        self.call(
            "core.payment.pay_with_saved_card",
            &partner.principal,
            input,
        )
        .await
        .data()
    }

    /// Opens a payout account and finishes the onboarding.
    pub async fn can_receive(&self, payee: &Person) {
        let opened = self
            .call("core.payout_account.create", &payee.principal, json!({}))
            .await
            .data();
        let account = opened["processor_account_id"].as_str().expect("an account");
        let done = payments::sandbox::finish_onboarding(&self.platform, account).await;
        assert!(done.expect("the sandbox"));
    }

    /// What is in somebody's wallet.
    pub async fn balance(&self, payee: &Person) -> i64 {
        let wallet = self
            .call("core.wallet.show", &payee.principal, json!({}))
            .await;
        wallet.data()["balance_cents"].as_i64().expect("cents")
    }

    /// The books, checked; panics with what is wrong.
    #[track_caller]
    pub fn books_are_right(&self) -> impl Future<Output = Report> + '_ {
        let caller = std::panic::Location::caller();
        async move {
            let report = payments::verify(&self.platform).await.expect("a report");
            assert!(report.sound(), "{caller}: {:#?}", report.problems());
            report
        }
    }
}
