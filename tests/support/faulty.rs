//! A payment processor that can be made to fail: the sandbox behind a bad line.

use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock};

use nil_core::kernel::{Cents, Time};
use nil_core::ports::processor::{
    Answer, CardForm, ConnectedAccount, Dispute, Evidence, Holder, Later, Movement, Onboarding,
    Outage, Outcome, Processor, ProcessorBooks, ProcessorEvent, Request, Sandbox, SavedCard,
    StatementPage, Verdict,
};

/// The fault of one call that moves money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The call does not arrive.
    Lost,
    /// The money moves, but the answer is lost.
    Unanswered,
    /// The process dies before the call.
    DiesBefore,
    /// The money moves, and the process dies before it gets the answer.
    DiesAfter,
    /// The processor answers that a call with this key is still running.
    KeyInUse,
    /// The processor declines.
    Refused,
    /// The processor answers with an error of its own, and nothing moves.
    FailsBefore,
    /// The money moves, and the processor answers with an error of its own.
    FailsAfter,
    /// The processor cannot do it now.
    NotNow,
    /// The processor does not accept the platform's key.
    Forbidden,
    /// The processor answers with another movement.
    Other,
    /// The money moves, no answer ever comes, and the connection stays open.
    Hangs,
}

/// The sandbox behind a line with scripted faults, one per call; after them it works.
#[derive(Debug, Default)]
pub struct Faulty {
    sandbox: OnceLock<Sandbox>,
    faults: Mutex<VecDeque<Fault>>,
}

impl Faulty {
    pub(crate) fn stand_before(&self, sandbox: Sandbox) {
        assert!(self.sandbox.set(sandbox).is_ok(), "one sandbox");
    }

    /// The sandbox itself.
    pub fn sandbox(&self) -> &Sandbox {
        self.sandbox.get().expect("the sandbox")
    }

    /// The faults of the next calls that move money, one each.
    pub fn next(&self, faults: &[Fault]) {
        let mut queue = self.faults.lock().expect("the faults");
        queue.clear();
        queue.extend(faults);
    }

    /// How many faults are left.
    pub fn left(&self) -> usize {
        self.faults.lock().expect("the faults").len()
    }

    fn fault(&self) -> Fault {
        let mut queue = self.faults.lock().expect("the faults");
        queue.pop_front().unwrap_or(Fault::None)
    }

    fn moved<'a>(&self, request: &Request, call: Later<'a, Answer>) -> Later<'a, Answer> {
        let fault = self.fault();
        let request = request.clone();
        Box::pin(async move {
            match fault {
                Fault::None => call.await,
                Fault::Lost => Err(Outage::silent("the call was lost")),
                Fault::Unanswered => {
                    call.await?;
                    Err(Outage::silent("the answer was lost"))
                }
                Fault::DiesBefore => panic!("killed before the call"),
                Fault::DiesAfter => {
                    call.await?;
                    panic!("killed after the call")
                }
                Fault::KeyInUse => Err(Outage::silent("a call with this key is still running")),
                Fault::FailsBefore => Err(Outage::answered("500 before anything")),
                Fault::FailsAfter => {
                    call.await?;
                    Err(Outage::answered("500 after the money moved"))
                }
                Fault::NotNow => Ok(Answer::NotNow("too many requests".into())),
                Fault::Forbidden => Ok(Answer::Refused("the key is not accepted".into())),
                Fault::Hangs => {
                    call.await?;
                    std::future::pending().await
                }
                Fault::Refused => Ok(Answer::Taken(Movement {
                    key: request.key,
                    kind: request.kind,
                    amount: request.amount,
                    currency: request.currency,
                    outcome: Outcome::Failed { id: Some("x_1".into()), why: "refused".into() },
                })),
                Fault::Other => Ok(Answer::Taken(Movement {
                    key: request.key,
                    kind: request.kind,
                    amount: request.amount - Cents(1),
                    currency: request.currency,
                    outcome: Outcome::Succeeded {
                        id: "x_2".into(),
                        fee: Cents(0),
                        available_at: None,
                    },
                })),
            }
        })
    }
}

impl Processor for Faulty {
    fn begin_card(&self, holder: &Holder, back: &str) -> Later<'_, CardForm> {
        self.sandbox().begin_card(holder, back)
    }
    fn save_card(&self, holder: &Holder, token: &str) -> Later<'_, Option<SavedCard>> {
        self.sandbox().save_card(holder, token)
    }
    fn forget_card(&self, card: &str) -> Later<'_, ()> {
        self.sandbox().forget_card(card)
    }
    fn charge(&self, request: &Request, card: &str) -> Later<'_, Answer> {
        self.moved(request, self.sandbox().charge(request, card))
    }
    fn confirmation(&self, charge: &str, card: &str, back: &str) -> Later<'_, Option<String>> {
        self.sandbox().confirmation(charge, card, back)
    }
    fn give_up(&self, charge: &str) -> Later<'_, ()> {
        self.sandbox().give_up(charge)
    }
    fn refund(&self, request: &Request, charge: &str) -> Later<'_, Answer> {
        self.moved(request, self.sandbox().refund(request, charge))
    }
    fn pay_out(&self, request: &Request, account: &str) -> Later<'_, Answer> {
        self.moved(request, self.sandbox().pay_out(request, account))
    }
    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        self.sandbox().look_up(id)
    }
    fn find(&self, request: &Request) -> Later<'_, Option<Movement>> {
        self.sandbox().find(request)
    }
    fn statement(&self, from: Time, until: Time, after: Option<&str>) -> Later<'_, StatementPage> {
        self.sandbox().statement(from, until, after)
    }
    fn connect(&self, holder: &Holder, express: bool) -> Later<'_, ConnectedAccount> {
        self.sandbox().connect(holder, express)
    }
    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        self.sandbox().account(reference)
    }
    fn onboarding(&self, reference: &str, back: &Onboarding) -> Later<'_, String> {
        self.sandbox().onboarding(reference, back)
    }
    fn dispute(&self, reference: &str) -> Later<'_, Option<Dispute>> {
        self.sandbox().dispute(reference)
    }
    fn disputes(&self, since: Time) -> Later<'_, Vec<Dispute>> {
        self.sandbox().disputes(since)
    }
    fn answer_dispute(&self, reference: &str, evidence: &Evidence) -> Later<'_, Verdict> {
        self.sandbox().answer_dispute(reference, evidence)
    }
    fn accept_dispute(&self, reference: &str) -> Later<'_, Verdict> {
        self.sandbox().accept_dispute(reference)
    }
    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        self.sandbox().read_webhook(signature, body)
    }
    fn books(&self) -> ProcessorBooks {
        ProcessorBooks::Sandbox
    }
    fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.get()
    }
}
