//! What every processor does, in the words of the port: the sandbox, the processor of the suites
//! behind HTTP, and a stranger's as far as it goes.

use chrono::{SubsecRound as _, TimeDelta};
use nil_core::kernel::{Cents, Time};
use nil_core::ports::processor::{
    Answer, DisputeKind, DisputeState, Evidence, Holder, MoneyKind, Movement, Outcome, Processor,
    Request, Restriction, SavedCard,
};
use nil_tests::{ASKING_CARD, DECLINED_CARD, GOOD_CARD};

const BACK: &str = "https://brand.example/back";

pub(crate) fn request(kind: MoneyKind, key: &str, amount: i64) -> Request {
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

pub(crate) fn taken(answer: Answer) -> Movement {
    match answer {
        Answer::Taken(movement) => movement,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn reference(movement: &Movement) -> String {
    match &movement.outcome {
        Outcome::Succeeded { id, .. }
        | Outcome::InTransit { id, .. }
        | Outcome::NeedsAction { id, .. } => id.clone(),
        failed @ Outcome::Failed { .. } => panic!("{failed:?}"),
    }
}

pub(crate) fn brand() -> Holder {
    Holder { installation: "m".into(), name: "partner:7".into() }
}

/// The cardholders of a processor, and what it costs.
pub(crate) trait Cardholders {
    /// What time it is there.
    fn now(&self) -> Time {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    /// What it keeps of a charge of $100.
    fn cost(&self) -> Cents {
        Cents(320)
    }

    /// What its form gives back for a card of the suites.
    async fn token(&self, card: &str) -> String {
        card.to_owned()
    }

    /// A cardholder opens the page where a charge is confirmed, as often as they like.
    async fn open(&self, processor: &dyn Processor, charge: &str, card: &str) {
        for _ in 0..2 {
            let url = processor.confirmation(charge, card, BACK).await.unwrap();
            assert!(url.is_some_and(|url| url.starts_with("http")));
        }
    }

    /// A cardholder confirms a charge on its page, or refuses to.
    async fn confirm(&self, charge: &str, confirmed: bool);
}

/// The other people and the banks around a processor.
pub(crate) trait Outside: Cardholders {
    /// An account's owner has told everything.
    async fn onboard(&self, account: &str);
    /// The processor wants to know more of an account's owner.
    async fn restrict(&self, account: &str);
    /// A bank takes a charge back; returns the dispute.
    async fn dispute(&self, charge: &str) -> String;
    /// A card is entered on a page.
    async fn enter(&self, form: &str, token: &str);
}

/// All of it.
pub(crate) async fn keeps_the_contract(processor: &dyn Processor, outside: &impl Outside) {
    let card = cards_are_saved(processor, outside).await;
    let made = a_charge_is_found(processor, outside, &card).await;
    a_key_stands_for_one_charge(processor, &card, &made).await;
    a_card_is_declined(processor, outside).await;
    a_card_is_forgotten(processor, &card).await;
    let late = request(MoneyKind::Charge, "m:charge:3:1", 100);
    let said = taken(processor.charge(&late, &card.reference).await.unwrap());
    let Outcome::Failed { why, .. } = &said.outcome else { panic!("{said:?}") };
    assert_eq!(why, "no_such_card", "it is charged no more");
    a_charge_is_refunded(processor, &made).await;
    let more = request(MoneyKind::Refund, "m:refund:2:1", 6_001);
    let said = taken(processor.refund(&more, &reference(&made)).await.unwrap());
    assert!(said.is_of(&more), "{said:?}");
    assert!(matches!(said.outcome, Outcome::Failed { .. }), "more than was charged: {said:?}");
    payouts_need_an_account(processor, outside).await;
    the_statement_tells_all(processor).await;
    assert!(processor.read_webhook("t=1,v1=ab", b"{}").is_none());
    disputes_are_answered(processor, outside).await;
    let card = a_card_is_entered_on_a_page(processor, outside).await;
    a_waiting_charge_is_made_once(processor, &card).await;
    cardholders_confirm(processor, outside, &card).await;
}

/// A card belongs to its owner, and two copies of it are told by their fingerprint.
pub(crate) async fn cards_are_saved(
    processor: &dyn Processor,
    outside: &impl Cardholders,
) -> SavedCard {
    let token = outside.token(GOOD_CARD).await;
    let card = processor.save_card(&brand(), &token).await.unwrap().unwrap();
    assert_eq!((card.last4.as_str(), card.exp_year), ("4242", 2034));
    let token = outside.token(GOOD_CARD).await;
    let copy = processor.save_card(&brand(), &token).await.unwrap().unwrap();
    assert_eq!(card.fingerprint, copy.fingerprint);
    assert!(card.fingerprint.is_some());
    assert!(processor.save_card(&brand(), "tok_1").await.unwrap().is_none());
    card
}

/// A charge is found by its key and by its reference.
pub(crate) async fn a_charge_is_found(
    processor: &dyn Processor,
    outside: &impl Cardholders,
    card: &SavedCard,
) -> Movement {
    let charge = request(MoneyKind::Charge, "m:charge:1:1", 10_000);
    assert_eq!(processor.find(&charge).await.unwrap(), None);
    let made = taken(processor.charge(&charge, &card.reference).await.unwrap());
    assert!(made.is_of(&charge));
    let Outcome::Succeeded { fee, .. } = &made.outcome else { panic!("{made:?}") };
    assert_eq!(*fee, outside.cost());
    assert_eq!(processor.find(&charge).await.unwrap(), Some(made.clone()));
    assert_eq!(processor.look_up(&reference(&made)).await.unwrap(), Some(made.clone()));
    made
}

/// A charge is made once under its key, and another request under it gets no answer of its own.
async fn a_key_stands_for_one_charge(processor: &dyn Processor, card: &SavedCard, made: &Movement) {
    let charge = request(MoneyKind::Charge, "m:charge:1:1", 10_000);
    let again = taken(processor.charge(&charge, &card.reference).await.unwrap());
    assert_eq!(again, *made);
    let other = request(MoneyKind::Charge, "m:charge:1:1", 9_999);
    match processor.charge(&other, &card.reference).await {
        Ok(answer) => assert!(!taken(answer).is_of(&other)),
        Err(outage) => assert!(!outage.answered, "{outage:?}"),
    }
}

pub(crate) async fn a_card_is_declined(processor: &dyn Processor, outside: &impl Cardholders) {
    let token = outside.token(DECLINED_CARD).await;
    let bad = processor.save_card(&brand(), &token).await.unwrap().unwrap();
    let declined = request(MoneyKind::Charge, "m:charge:2:1", 10_000);
    let said = taken(processor.charge(&declined, &bad.reference).await.unwrap());
    assert!(said.is_of(&declined));
    let Outcome::Failed { why, .. } = &said.outcome else { panic!("{said:?}") };
    assert_eq!(why, "card_declined");
    // Whoever lost the answer finds the same.
    let found = processor.find(&declined).await.unwrap().expect("the declined charge");
    assert!(found.is_of(&declined));
    assert!(matches!(&found.outcome, Outcome::Failed { why, .. } if why == "card_declined"));
}

/// Forgetting a card twice is no error.
pub(crate) async fn a_card_is_forgotten(processor: &dyn Processor, card: &SavedCard) {
    for _ in 0..2 {
        processor.forget_card(&card.reference).await.unwrap();
    }
}

/// A part of a charge goes back to its card.
pub(crate) async fn a_charge_is_refunded(processor: &dyn Processor, made: &Movement) {
    let refund = request(MoneyKind::Refund, "m:refund:1:1", 4_000);
    assert_eq!(processor.find(&refund).await.unwrap(), None);
    let said = taken(processor.refund(&refund, &reference(made)).await.unwrap());
    assert!(said.is_of(&refund), "{said:?}");
    assert!(matches!(said.outcome, Outcome::Succeeded { .. }), "{said:?}");
    assert_eq!(processor.find(&refund).await.unwrap(), Some(said.clone()));
    assert_eq!(processor.look_up(&reference(&said)).await.unwrap(), Some(said));
}

/// An account receives payouts once its owner has told everything.
async fn payouts_need_an_account(processor: &dyn Processor, outside: &impl Outside) {
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
}

/// The statement says what each request did to the balance, and what it cost.
async fn the_statement_tells_all(processor: &dyn Processor) {
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
}

/// A card is entered on a page of the processor by its owner.
async fn a_card_is_entered_on_a_page(
    processor: &dyn Processor,
    outside: &impl Outside,
) -> SavedCard {
    let holder = Holder { installation: "m".into(), name: "partner:9".into() };
    let form = processor.begin_card(&holder, BACK).await.unwrap();
    assert!(form.url.starts_with("http"), "{form:?}");
    assert!(processor.save_card(&holder, &form.token).await.unwrap().is_none(), "not entered");
    outside.enter(&form.token, ASKING_CARD).await;
    let other = Holder { installation: "m".into(), name: "partner:10".into() };
    assert!(processor.save_card(&other, &form.token).await.unwrap().is_none(), "not theirs");
    let card = processor.save_card(&holder, &form.token).await.unwrap().unwrap();
    assert_eq!(card.last4, "3155");
    card
}

async fn a_waiting_charge_is_made_once(processor: &dyn Processor, card: &SavedCard) {
    let charge = request(MoneyKind::Charge, "m:charge:30:1", 10_000);
    let made = taken(processor.charge(&charge, &card.reference).await.unwrap());
    let again = taken(processor.charge(&charge, &card.reference).await.unwrap());
    assert_eq!(again, made);
    processor.give_up(&reference(&made)).await.unwrap();
}

/// A bank wants its cardholder to confirm a charge: nothing has moved until they do.
pub(crate) async fn cardholders_confirm(
    processor: &dyn Processor,
    outside: &impl Cardholders,
    card: &SavedCard,
) {
    let day = TimeDelta::hours(23);
    let mut ends = Vec::new();
    for (number, end) in [Some(true), Some(false), None].into_iter().enumerate() {
        let charge = request(MoneyKind::Charge, &format!("m:charge:2{number}:1"), 10_000);
        // The processor counts whole seconds.
        let begun = outside.now().trunc_subsecs(0);
        let made = taken(processor.charge(&charge, &card.reference).await.unwrap());
        let id = reference(&made);
        assert!(made.is_of(&charge), "{made:?}");
        let Outcome::NeedsAction { until, .. } = made.outcome else { panic!("{made:?}") };
        assert!((begun + day..=outside.now() + day).contains(&until), "{made:?}");
        assert_eq!(processor.find(&charge).await.unwrap(), Some(made.clone()));
        assert_eq!(processor.look_up(&id).await.unwrap(), Some(made.clone()));
        outside.open(processor, &id, &card.reference).await;
        assert_eq!(processor.look_up(&id).await.unwrap(), Some(made));
        match end {
            Some(confirmed) => outside.confirm(&id, confirmed).await,
            None => processor.give_up(&id).await.unwrap(),
        }
        let url = processor.confirmation(&id, &card.reference, BACK).await.unwrap();
        assert_eq!(url, None, "there is nothing to confirm");
        let decided = processor.look_up(&id).await.unwrap().unwrap().outcome;
        // What has an outcome keeps it.
        processor.give_up(&id).await.unwrap();
        let still = processor.look_up(&id).await.unwrap().unwrap().outcome;
        assert_eq!(std::mem::discriminant(&decided), std::mem::discriminant(&still));
        ends.push(decided);
    }
    let Outcome::Succeeded { fee, .. } = &ends[0] else { panic!("{ends:?}") };
    assert_eq!(*fee, outside.cost());
    let why = |end: &Outcome| match end {
        Outcome::Failed { why, .. } => why.clone(),
        other => panic!("{other:?}"),
    };
    assert!(why(&ends[1]).contains("authentication_fail"), "{ends:?}");
    assert_eq!(why(&ends[2]), "canceled");
}

/// A bank takes charges back: evidence is handed in once, and what is accepted is lost.
async fn disputes_are_answered(processor: &dyn Processor, outside: &impl Outside) {
    let since = "2026-11-20T11:00:00Z".parse().unwrap();
    assert_eq!(processor.disputes(since).await.unwrap(), []);
    assert_eq!(processor.dispute("du_unknown").await.unwrap(), None);
    let card = processor.save_card(&brand(), GOOD_CARD).await.unwrap().unwrap();
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
