//! A payment processor behind HTTP: it and the sandbox keep one contract.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::kernel::{Cents, FixedClock};
use nil_core::payments;
use nil_core::ports::processor::stripe::Stripe;
use nil_core::ports::processor::{
    Answer, DisputeKind, DisputeState, Evidence, Holder, MoneyKind, Movement, Outcome, Processor,
    Request, Restriction, Sandbox,
};
use nil_tests::ledgered::Ledgered;
use nil_tests::{ASKING_CARD, DECLINED_CARD, GOOD_CARD, Person, World, both};
use serde_json::json;

fn request(kind: MoneyKind, key: &str, amount: i64) -> Request {
    Request {
        key: key.into(),
        kind,
        amount: Cents(amount),
        currency: "usd".into(),
        since: "2026-11-20T12:00:00Z".parse().unwrap(),
        label: "PAY-000123".into(),
        instant: false,
    }
}

fn taken(answer: Answer) -> Movement {
    match answer {
        Answer::Taken(movement) => movement,
        other => panic!("{other:?}"),
    }
}

fn reference(movement: &Movement) -> String {
    match &movement.outcome {
        Outcome::Succeeded { id, .. }
        | Outcome::InTransit { id, .. }
        | Outcome::NeedsAction { id, .. } => id.clone(),
        failed @ Outcome::Failed { .. } => panic!("{failed:?}"),
    }
}

/// The people and banks around a processor.
trait Outside {
    /// An account's owner has told everything.
    async fn onboard(&self, account: &str);
    /// The processor wants to know more of an account's owner.
    async fn restrict(&self, account: &str);
    /// A bank takes a charge back; returns the dispute.
    async fn dispute(&self, charge: &str) -> String;
    /// A cardholder confirms a charge on its page, or refuses to.
    async fn confirm(&self, charge: &str, confirmed: bool);
    /// A card is entered on a page.
    async fn enter(&self, form: &str, token: &str);
}

/// What every processor does, in the words of the port.
async fn keeps_the_contract(processor: &dyn Processor, outside: &impl Outside) {
    let holder = Holder { installation: "m".into(), name: "partner:7".into() };
    let card = processor.save_card(&holder, GOOD_CARD).await.unwrap().unwrap();
    assert_eq!((card.last4.as_str(), card.exp_year), ("4242", 2034));
    let copy = processor.save_card(&holder, GOOD_CARD).await.unwrap().unwrap();
    assert_eq!(card.fingerprint, copy.fingerprint);
    assert!(processor.save_card(&holder, "tok_1").await.unwrap().is_none());

    // A charge is made once under its key, and is found by it and by its reference.
    let charge = request(MoneyKind::Charge, "m:charge:1:1", 10_000);
    assert_eq!(processor.find(&charge).await.unwrap(), None);
    let made = taken(processor.charge(&charge, &card.reference).await.unwrap());
    assert!(made.is_of(&charge));
    let Outcome::Succeeded { fee, .. } = &made.outcome else { panic!("{made:?}") };
    assert_eq!(*fee, Cents(320));
    let again = taken(processor.charge(&charge, &card.reference).await.unwrap());
    assert_eq!(again, made);
    assert_eq!(processor.find(&charge).await.unwrap(), Some(made.clone()));
    assert_eq!(processor.look_up(&reference(&made)).await.unwrap(), Some(made.clone()));

    // Another request under the same key gets no answer that is its own.
    let other = request(MoneyKind::Charge, "m:charge:1:1", 9_999);
    match processor.charge(&other, &card.reference).await {
        Ok(answer) => assert!(!taken(answer).is_of(&other)),
        Err(outage) => assert!(!outage.answered, "{outage:?}"),
    }

    let bad = processor.save_card(&holder, DECLINED_CARD).await.unwrap().unwrap();
    let declined = request(MoneyKind::Charge, "m:charge:2:1", 10_000);
    let said = taken(processor.charge(&declined, &bad.reference).await.unwrap());
    assert!(said.is_of(&declined));
    let Outcome::Failed { why, .. } = &said.outcome else { panic!("{said:?}") };
    assert_eq!(why, "card_declined");

    // A card that is forgotten is charged no more; forgetting it twice is no error.
    for _ in 0..2 {
        processor.forget_card(&card.reference).await.unwrap();
    }
    let late = request(MoneyKind::Charge, "m:charge:3:1", 100);
    let said = taken(processor.charge(&late, &card.reference).await.unwrap());
    let Outcome::Failed { why, .. } = &said.outcome else { panic!("{said:?}") };
    assert_eq!(why, "no_such_card");

    // No more is refunded than was charged.
    for (key, amount, works) in [("m:refund:1:1", 4_000, true), ("m:refund:2:1", 6_001, false)] {
        let refund = request(MoneyKind::Refund, key, amount);
        let said = taken(processor.refund(&refund, &reference(&made)).await.unwrap());
        assert!(said.is_of(&refund), "{said:?}");
        assert_eq!(matches!(said.outcome, Outcome::Succeeded { .. }), works, "{said:?}");
    }

    // An account receives payouts once its owner has told everything.
    let holder = Holder { installation: "m".into(), name: "athlete:3".into() };
    let account = processor.connect(&holder, true).await.unwrap();
    assert!(!account.payouts_enabled && !account.requirements_due.is_empty());
    assert_eq!(processor.connect(&holder, true).await.unwrap().reference, account.reference);
    let link = processor.onboarding(&account.reference, &Default::default()).await.unwrap();
    assert!(link.starts_with("http"), "{link}");
    let early = request(MoneyKind::Payout, "m:payout:1:1", 500);
    let said = taken(processor.pay_out(&early, &account.reference).await.unwrap());
    assert!(matches!(said.outcome, Outcome::Failed { .. }), "{said:?}");
    outside.onboard(&account.reference).await;
    let account = processor.account(&account.reference).await.unwrap().unwrap();
    assert!(account.payouts_enabled && account.requirements_due.is_empty());
    let payout = request(MoneyKind::Payout, "m:payout:2:1", 500);
    let sent = taken(processor.pay_out(&payout, &account.reference).await.unwrap());
    assert!(sent.is_of(&payout) && matches!(sent.outcome, Outcome::InTransit { .. }), "{sent:?}");
    assert_eq!(processor.find(&payout).await.unwrap(), Some(sent.clone()));
    assert_eq!(processor.look_up(&reference(&sent)).await.unwrap(), Some(sent));
    assert_eq!(processor.account("acct_unknown").await.unwrap(), None);
    assert_eq!(account.restriction, None);
    outside.restrict(&account.reference).await;
    let account = processor.account(&account.reference).await.unwrap().unwrap();
    assert!(!account.payouts_enabled && !account.requirements_due.is_empty());
    assert_eq!(account.restriction, Some(Restriction::InformationDue));

    // The statement says what each request did to the balance, and what it cost.
    let mut moved = std::collections::BTreeMap::new();
    let (from, until) = ("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z");
    let (from, until) = (from.parse().unwrap(), until.parse().unwrap());
    let mut after = None::<String>;
    loop {
        let page = processor.statement(from, until, after.as_deref()).await.unwrap();
        for line in page.lines {
            assert!(line.at >= from && line.at < until && line.currency == "usd", "{line:?}");
            let sum = moved.entry(line.key.expect("our key")).or_insert((0, 0));
            *sum = (sum.0 + line.amount.get(), sum.1 + line.fee.get());
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    moved.retain(|_, sum| *sum != (0, 0));
    let expected = [
        ("m:charge:1:1", (10_000, 320)),
        ("m:payout:2:1", (-500, 0)),
        ("m:refund:1:1", (-4_000, 0)),
    ];
    let expected = expected.map(|(key, sum)| (key.to_owned(), sum));
    assert_eq!(moved.into_iter().collect::<Vec<_>>(), expected);
    let before = processor.statement(from - TimeDelta::days(1), from, None).await.unwrap();
    assert!(before.lines.is_empty() && before.next.is_none(), "{before:?}");
    assert!(processor.read_webhook("t=1,v1=ab", b"{}").is_none());
    disputes_are_answered(processor, &holder, outside).await;
    cardholders_confirm(processor, outside).await;
}

/// A bank wants its cardholder to confirm a charge: nothing has moved until they do.
async fn cardholders_confirm(processor: &dyn Processor, outside: &impl Outside) {
    let holder = Holder { installation: "m".into(), name: "partner:9".into() };
    let back = "https://brand.example/back";
    let form = processor.begin_card(&holder, back).await.unwrap();
    assert!(form.url.starts_with("http"), "{form:?}");
    assert!(processor.save_card(&holder, &form.token).await.unwrap().is_none(), "not entered");
    outside.enter(&form.token, ASKING_CARD).await;
    let other = Holder { installation: "m".into(), name: "partner:10".into() };
    assert!(processor.save_card(&other, &form.token).await.unwrap().is_none(), "not theirs");
    let card = processor.save_card(&holder, &form.token).await.unwrap().unwrap();
    assert_eq!(card.last4, "3155");

    let until = "2026-11-21T11:00:00Z".parse().unwrap();
    let mut ends = Vec::new();
    for (number, end) in [Some(true), Some(false), None].into_iter().enumerate() {
        let charge = request(MoneyKind::Charge, &format!("m:charge:2{number}:1"), 10_000);
        let made = taken(processor.charge(&charge, &card.reference).await.unwrap());
        let id = reference(&made);
        assert!(made.is_of(&charge), "{made:?}");
        assert_eq!(made.outcome, Outcome::NeedsAction { id: id.clone(), until });
        let again = taken(processor.charge(&charge, &card.reference).await.unwrap());
        assert_eq!((&again, processor.find(&charge).await.unwrap()), (&made, Some(made.clone())));
        let url = processor.confirmation(&id, &card.reference, back).await.unwrap();
        assert!(url.is_some_and(|url| url.starts_with("http")));
        assert_eq!(processor.look_up(&id).await.unwrap(), Some(made));
        // The page can be opened again.
        let url = processor.confirmation(&id, &card.reference, back).await.unwrap();
        assert!(url.is_some());
        match end {
            Some(confirmed) => outside.confirm(&id, confirmed).await,
            None => processor.give_up(&id).await.unwrap(),
        }
        let url = processor.confirmation(&id, &card.reference, back).await.unwrap();
        assert_eq!(url, None, "there is nothing to confirm");
        let decided = processor.look_up(&id).await.unwrap().unwrap().outcome;
        // What has an outcome keeps it.
        processor.give_up(&id).await.unwrap();
        let still = processor.look_up(&id).await.unwrap().unwrap().outcome;
        assert_eq!(std::mem::discriminant(&decided), std::mem::discriminant(&still));
        ends.push(decided);
    }
    let Outcome::Succeeded { fee, .. } = &ends[0] else { panic!("{ends:?}") };
    assert_eq!(*fee, Cents(320));
    let why = |end: &Outcome| match end {
        Outcome::Failed { why, .. } => why.clone(),
        other => panic!("{other:?}"),
    };
    assert!(why(&ends[1]).contains("authentication_fail"), "{ends:?}");
    assert_eq!(why(&ends[2]), "canceled");
}

/// A bank takes charges back: evidence is handed in once, and what is accepted is lost.
async fn disputes_are_answered(processor: &dyn Processor, holder: &Holder, outside: &impl Outside) {
    let since = "2026-11-20T11:00:00Z".parse().unwrap();
    assert_eq!(processor.disputes(since).await.unwrap(), []);
    assert_eq!(processor.dispute("du_unknown").await.unwrap(), None);
    let card = processor.save_card(holder, GOOD_CARD).await.unwrap().unwrap();
    for (key, accepted) in [("m:charge:8:1", false), ("m:charge:9:1", true)] {
        let charge = request(MoneyKind::Charge, key, 10_000);
        let made = taken(processor.charge(&charge, &card.reference).await.unwrap());
        let id = outside.dispute(&reference(&made)).await;
        let open = processor.dispute(&id).await.unwrap().unwrap();
        assert_eq!((&open.charge, open.kind), (&reference(&made), DisputeKind::Chargeback));
        assert_eq!((open.state, open.amount), (DisputeState::NeedsResponse, Cents(10_000)));
        assert_eq!((open.fee, open.currency.as_str()), (Cents(1_500), "usd"));
        assert!(processor.disputes(since).await.unwrap().contains(&open));
        let refund = request(MoneyKind::Refund, &format!("{key}:refund"), 100);
        let said = taken(processor.refund(&refund, &reference(&made)).await.unwrap());
        let Outcome::Failed { why, .. } = &said.outcome else { panic!("{said:?}") };
        assert_eq!(why, "charge_disputed");
        let evidence = Evidence {
            product: "Sponsored work".into(),
            customer: "Cedar Coffee".into(),
            statement: "The work was done.".into(),
            document: b"%PDF-1.7".to_vec(),
        };
        let end = if accepted { DisputeState::Lost } else { DisputeState::UnderReview };
        for _ in 0..2 {
            let verdict = if accepted {
                processor.accept_dispute(&id).await.unwrap()
            } else {
                processor.answer_dispute(&id, &evidence).await.unwrap()
            };
            assert_eq!(verdict.unwrap().state, end);
        }
        if accepted {
            assert!(processor.answer_dispute(&id, &evidence).await.unwrap().is_err());
        }
        assert_eq!(processor.dispute(&id).await.unwrap().unwrap().state, end);
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

    async fn confirm(&self, charge: &str, confirmed: bool) {
        assert!(Sandbox::confirm(self, charge, confirmed).await.unwrap());
    }

    async fn enter(&self, form: &str, token: &str) {
        let number = token.strip_prefix("tok_").unwrap();
        assert!(!self.enter_card(form, "4111").await.unwrap(), "no test card");
        assert!(self.enter_card(form, number).await.unwrap());
        assert!(!self.enter_card(form, number).await.unwrap(), "it was answered");
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

    async fn confirm(&self, charge: &str, confirmed: bool) {
        Self::confirm(self, charge, confirmed);
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
