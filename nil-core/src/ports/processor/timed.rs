//! Adds a deadline to a processor: a call that takes longer is an outage with an unknown outcome.

use std::sync::Arc;
use std::time::Duration;

use super::{
    Answer, CardForm, ConnectedAccount, Dispute, Evidence, Holder, Later, Movement, Onboarding,
    Outage, Processor, ProcessorBooks, ProcessorEvent, Request, Sandbox, SavedCard, StatementPage,
    Verdict,
};
use crate::kernel::Time;

/// Limits the wait for each answer of a processor.
pub(super) struct Timed {
    pub(super) processor: Arc<dyn Processor>,
    pub(super) deadline: Duration,
}

impl Timed {
    fn within<'a, T: Send + 'a>(&self, call: Later<'a, T>) -> Later<'a, T> {
        let deadline = self.deadline;
        Box::pin(async move {
            match tokio::time::timeout(deadline, call).await {
                Ok(answer) => answer,
                Err(_) => Err(Outage::silent(format!("no answer within {deadline:?}"))),
            }
        })
    }
}

impl Processor for Timed {
    fn begin_card(&self, holder: &Holder, back: &str) -> Later<'_, CardForm> {
        self.within(self.processor.begin_card(holder, back))
    }

    fn save_card(&self, holder: &Holder, token: &str) -> Later<'_, Option<SavedCard>> {
        self.within(self.processor.save_card(holder, token))
    }

    fn forget_card(&self, card: &str) -> Later<'_, ()> {
        self.within(self.processor.forget_card(card))
    }

    fn charge(&self, request: &Request, card: &str) -> Later<'_, Answer> {
        self.within(self.processor.charge(request, card))
    }

    fn confirmation(&self, charge: &str, card: &str, back: &str) -> Later<'_, Option<String>> {
        self.within(self.processor.confirmation(charge, card, back))
    }

    fn give_up(&self, charge: &str) -> Later<'_, ()> {
        self.within(self.processor.give_up(charge))
    }

    fn refund(&self, request: &Request, charge: &str) -> Later<'_, Answer> {
        self.within(self.processor.refund(request, charge))
    }

    fn pay_out(&self, request: &Request, account: &str) -> Later<'_, Answer> {
        self.within(self.processor.pay_out(request, account))
    }

    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        self.within(self.processor.look_up(id))
    }

    fn find(&self, request: &Request) -> Later<'_, Option<Movement>> {
        self.within(self.processor.find(request))
    }

    fn statement(&self, from: Time, until: Time, after: Option<&str>) -> Later<'_, StatementPage> {
        self.within(self.processor.statement(from, until, after))
    }

    fn connect(&self, holder: &Holder, express: bool) -> Later<'_, ConnectedAccount> {
        self.within(self.processor.connect(holder, express))
    }

    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        self.within(self.processor.account(reference))
    }

    fn onboarding(&self, reference: &str, back: &Onboarding) -> Later<'_, String> {
        self.within(self.processor.onboarding(reference, back))
    }

    fn dispute(&self, reference: &str) -> Later<'_, Option<Dispute>> {
        self.within(self.processor.dispute(reference))
    }

    fn disputes(&self, since: Time) -> Later<'_, Vec<Dispute>> {
        self.within(self.processor.disputes(since))
    }

    fn answer_dispute(&self, reference: &str, evidence: &Evidence) -> Later<'_, Verdict> {
        self.within(self.processor.answer_dispute(reference, evidence))
    }

    fn accept_dispute(&self, reference: &str) -> Later<'_, Verdict> {
        self.within(self.processor.accept_dispute(reference))
    }

    fn signature_header(&self) -> &'static str {
        self.processor.signature_header()
    }

    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        self.processor.read_webhook(signature, body)
    }

    fn books(&self) -> ProcessorBooks {
        self.processor.books()
    }

    fn sandbox(&self) -> Option<&Sandbox> {
        self.processor.sandbox()
    }
}
