//! A payment processor behind HTTP: it and the sandbox keep one contract.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::FixedClock;
use nil_core::payments;
use nil_core::ports::processor::stripe::Stripe;
use nil_core::ports::processor::{DisputeKind, Restriction, Sandbox};
use nil_tests::ledgered::{Ledgered, Trouble};
use nil_tests::{GOOD_CARD, Person, World, both};
use serde_json::json;

use crate::processor_contract::{Cardholders, Outside, keeps_the_contract};

impl Cardholders for Sandbox {
    async fn confirm(&self, charge: &str, confirmed: bool) {
        assert!(Sandbox::confirm(self, charge, confirmed).await.unwrap());
    }
}

impl Outside for Sandbox {
    async fn onboard(&self, account: &str) {
        assert!(self.finish_onboarding(account).await.unwrap());
    }

    async fn restrict(&self, account: &str) {
        let why = Some(Restriction::InformationDue);
        assert!(Sandbox::restrict(self, account, why).await.unwrap());
    }

    async fn dispute(&self, charge: &str) -> String {
        self.open_dispute(charge, DisputeKind::Chargeback, None).await.unwrap().unwrap()
    }

    async fn enter(&self, form: &str, token: &str) {
        let number = token.strip_prefix("tok_").unwrap();
        assert!(!self.enter_card(form, "4111").await.unwrap(), "no test card");
        assert!(self.enter_card(form, number).await.unwrap());
        assert!(!self.enter_card(form, number).await.unwrap(), "it was answered");
    }
}

impl Cardholders for Ledgered {
    async fn confirm(&self, charge: &str, confirmed: bool) {
        Self::confirm(self, charge, confirmed);
    }
}

impl Outside for Ledgered {
    async fn onboard(&self, account: &str) {
        Self::onboard(self, account);
    }

    async fn restrict(&self, account: &str) {
        Self::restrict(self, account, false);
    }

    async fn dispute(&self, charge: &str) -> String {
        Self::dispute(self, charge, "needs_response")
    }

    async fn enter(&self, form: &str, token: &str) {
        self.enter_card(form, token);
    }
}

async fn the_sandbox_keeps_the_contract(world: World) {
    let sandbox = world.processor.sandbox();
    keeps_the_contract(sandbox, sandbox).await;
}
both!(the_sandbox_keeps_the_contract);

#[tokio::test]
async fn the_processor_behind_http_keeps_the_contract() {
    let clock = Arc::new(FixedClock::new("2026-11-20T12:00:00Z".parse().unwrap()));
    let ledgered = Ledgered::start(clock).await;
    keeps_the_contract(&ledgered.client(), &ledgered).await;
    assert_eq!(ledgered.moved("tr").len(), 1, "the early transfer was taken back");
}

/// A world whose payments go to a processor behind HTTP.
pub(crate) async fn with_a_processor(world: &mut World) -> Ledgered {
    let ledgered = Ledgered::start(world.platform.config().clock.clone()).await;
    let client: Arc<Stripe> = Arc::new(ledgered.client());
    world
        .reopen(|config| {
            config.processor = Some(client);
            config.processor_deadline = Duration::from_millis(300);
        })
        .await;
    ledgered
}

pub(crate) async fn receives(world: &World, ledgered: &Ledgered, athlete: &Person) {
    let opened = world.call("core.payout_account.create", &athlete.principal, json!({})).await;
    ledgered.onboard(opened.data()["processor_account_id"].as_str().unwrap());
    let status = world.call("core.payout_account.status", &athlete.principal, json!({})).await;
    assert_eq!(status.data()["payouts_enabled"], true);
}

async fn a_payout_that_the_bank_refuses_is_not_paid_twice(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let athlete = world.earner(5_000).await;
    receives(&world, &ledgered, &athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let trigger = json!({ "id": athlete.id });
    let sent = world.call("admin.payout.trigger", &finance, trigger).await.data();
    assert_eq!(sent["status"], "in_transit");
    let payout = ledgered.all("po")[0]["id"].as_str().unwrap().to_owned();
    ledgered.change(&payout, &json!({ "status": "failed", "failure_code": "account_closed" }));
    world.pass(TimeDelta::days(3));
    assert_eq!(payments::reconcile(&world.platform).await.unwrap().payouts, 1);
    assert_eq!(world.balance(&athlete).await, 5_000);
    assert!(ledgered.moved("tr").is_empty(), "the money is with the platform again");
    let again = json!({ "id": sent["id"] });
    let again = world.call("admin.payout.retry", &finance, again).await.data();
    assert_eq!(again["status"], "in_transit");
    assert_eq!(ledgered.moved("tr").len(), 1);
    world.books_are_right().await;
}
both!(a_payout_that_the_bank_refuses_is_not_paid_twice);

async fn a_database_holds_the_money_of_one_processor(mut world: World) {
    let athlete = world.earner(5_000).await;
    assert_eq!(world.balance(&athlete).await, 5_000);
    let ledgered = Ledgered::start(world.platform.config().clock.clone()).await;
    let mut config = world.platform.config().clone();
    config.processor = Some(Arc::new(ledgered.client()));
    let refused = nil_core::open(config).await.expect_err("play money");
    assert!(refused.to_string().contains("`sandbox`"), "{refused}");
    world.reopen(|_| {}).await;
    world.books_are_right().await;
}
both!(a_database_holds_the_money_of_one_processor);

/// A processor that cannot save a card now says nothing about the card.
async fn a_card_is_not_refused_because_the_processor_is(mut world: World) {
    let ledgered = with_a_processor(&mut world).await;
    let partner = world.partner("Cedar Coffee").await;
    let add = async |token: &str| {
        let input = json!({ "processor_token": token });
        world.call("core.partner.add_payment_method", &partner.principal, input).await
    };
    for trouble in [Trouble::Denied, Trouble::Busy] {
        ledgered.next(&[Trouble::None, trouble]);
        let refused = add(GOOD_CARD).await;
        assert_eq!((refused.status, refused.code()), (503, "processor_unavailable"), "{trouble:?}");
    }
    assert_eq!(add("tok_1").await.status, 422, "there is no such card");
    assert_eq!(add(GOOD_CARD).await.status, 200);
}
both!(a_card_is_not_refused_because_the_processor_is);
