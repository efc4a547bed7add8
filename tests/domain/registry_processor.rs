//! A stranger's processor from a registry: it keeps what it covers of the contract, seen by our
//! adapter. It has no memory of keys, no accounts, no transfers, no disputes, and no pages.

use chrono::TimeDelta;
use nil_core::kernel::{Cents, Clock as _, SystemClock, Time};
use nil_core::ports::processor::{Concern, LineKind, MoneyKind, Outcome, Processor};
use nil_tests::localstripe::Localstripe;
use nil_tests::{ASKING_CARD, DECLINED_CARD, GOOD_CARD};
use serde_json::Value;

use crate::processor_contract::{self as contract, Cardholders, reference, request, taken};

/// A card that can be saved and is declined when it is charged: it does not save the one of the
/// suites.
const DECLINED_LATER: &str = "4000000000000341";

impl Cardholders for Localstripe {
    fn now(&self) -> Time {
        SystemClock.now()
    }

    /// It keeps nothing.
    fn cost(&self) -> Cents {
        Cents::ZERO
    }

    async fn token(&self, card: &str) -> String {
        let number = match card {
            DECLINED_CARD => DECLINED_LATER,
            card => card.strip_prefix("tok_").expect("a card of the suites"),
        };
        self.enter_card(number).await
    }

    /// It has no page for that: what the charge comes to stays unknown.
    async fn open(&self, processor: &dyn Processor, charge: &str, card: &str) {
        let back = "https://brand.example/back";
        let outage = processor.confirmation(charge, card, back).await.expect_err("no page");
        assert!(!outage.answered, "{outage:?}");
    }

    async fn confirm(&self, charge: &str, confirmed: bool) {
        self.authenticate(charge, confirmed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strangers_processor_keeps_what_it_covers_of_the_contract() {
    let peer = Localstripe::start().await;
    let processor = peer.client();
    let card = contract::cards_are_saved(&processor, &peer).await;
    let made = contract::a_charge_is_found(&processor, &peer, &card).await;
    contract::a_card_is_declined(&processor, &peer).await;
    contract::a_charge_is_refunded(&processor, &made).await;
    contract::a_card_is_forgotten(&processor, &card).await;
    let token = peer.token(ASKING_CARD).await;
    let holder = contract::brand();
    let card = processor.save_card(&holder, &token).await.unwrap().unwrap();
    contract::cardholders_confirm(&processor, &peer, &card).await;
    assert_eq!(processor.look_up("pi_unknown").await.unwrap(), None);
    assert_eq!(processor.look_up("re_unknown").await.unwrap(), None);
}

/// Its statement has a line for each movement, with what caused it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strangers_statement_is_read() {
    let peer = Localstripe::start().await;
    let processor = peer.client();
    let card = contract::cards_are_saved(&processor, &peer).await;
    let begun = peer.now() - TimeDelta::minutes(1);
    let made = contract::a_charge_is_found(&processor, &peer, &card).await;
    contract::a_charge_is_refunded(&processor, &made).await;
    let refund = processor.find(&request(MoneyKind::Refund, "m:refund:1:1", 4_000)).await.unwrap();
    let until = peer.now() + TimeDelta::minutes(1);
    let page = processor.statement(begun, until, None).await.unwrap();
    assert_eq!(page.next, None);
    let mut lines: Vec<_> = page
        .lines
        .into_iter()
        .map(|line| {
            assert!(line.at >= begun && line.at < until && line.currency == "usd", "{line:?}");
            (line.amount.get(), line.fee.get(), line.kind, line.source, line.key)
        })
        .collect();
    lines.sort_by_key(|line| line.0);
    let refund = reference(&refund.expect("the refund"));
    let expected = [
        (-4_000, 0, LineKind::Refund, Some(refund), Some("m:refund:1:1".to_owned())),
        // The real one copies the key from the intent to its charge; this one does not.
        (10_000, 0, LineKind::Charge, Some(reference(&made)), None),
    ];
    assert_eq!(lines, expected);
}

/// Its events are signed as the adapter reads them, and name what can be read again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strangers_events_are_read() {
    let mut peer = Localstripe::start().await;
    let processor = peer.client();
    let holder = contract::brand();
    let mut expected = Vec::new();
    for (number, card, kind) in [
        (1, GOOD_CARD, "payment_intent.succeeded"),
        (2, DECLINED_CARD, "payment_intent.payment_failed"),
    ] {
        let token = peer.token(card).await;
        let card = processor.save_card(&holder, &token).await.unwrap().unwrap();
        let charge = request(MoneyKind::Charge, &format!("m:charge:{number}:1"), 10_000);
        let said = taken(processor.charge(&charge, &card.reference).await.unwrap());
        // Its refusal does not name the charge.
        if let Outcome::Failed { id, .. } = &said.outcome {
            assert_eq!(*id, None);
        }
        expected.push((kind.to_owned(), charge));
    }
    while !expected.is_empty() {
        let (signature, body) = peer.event().await;
        let event = processor.read_webhook(&signature, &body).expect("it is signed");
        assert!(processor.read_webhook(&signature, &[&body[..], b" "].concat()).is_none());
        let told: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(told["id"], *event.id);
        let Some(at) = expected.iter().position(|(kind, _)| *kind == event.kind) else {
            assert_eq!((&*event.kind, event.concern), ("customer.created", Concern::Nothing));
            continue;
        };
        let (_, charge) = expected.swap_remove(at);
        let Concern::Movement(id) = event.concern else { panic!("{told}") };
        let found = processor.look_up(&id).await.unwrap().expect("the charge");
        assert!(found.is_of(&charge), "{found:?}");
    }
}
