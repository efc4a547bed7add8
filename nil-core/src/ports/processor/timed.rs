//! Adds a deadline to a processor: a call that takes longer is an outage with an unknown outcome.

use std::sync::Arc;
use std::time::Duration;

use super::{
    ConnectedAccount, Later, Movement, Outage, Outcome, Processor, ProcessorEvent, Sandbox,
    SavedCard,
};
use crate::kernel::Cents;

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
                Err(_) => Err(Outage(format!("no answer within {deadline:?}"))),
            }
        })
    }
}

impl Processor for Timed {
    fn save_card(&self, token: &str) -> Later<'_, Option<SavedCard>> {
        self.within(self.processor.save_card(token))
    }

    fn charge(&self, key: &str, card: &str, amount: Cents) -> Later<'_, Outcome> {
        self.within(self.processor.charge(key, card, amount))
    }

    fn refund(&self, key: &str, charge: &str, amount: Cents) -> Later<'_, Outcome> {
        self.within(self.processor.refund(key, charge, amount))
    }

    fn pay_out(&self, key: &str, account: &str, amount: Cents) -> Later<'_, Outcome> {
        self.within(self.processor.pay_out(key, account, amount))
    }

    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        self.within(self.processor.look_up(id))
    }

    fn find(&self, key: &str) -> Later<'_, Option<Movement>> {
        self.within(self.processor.find(key))
    }

    fn connect(&self, owner: &str, express: bool) -> Later<'_, ConnectedAccount> {
        self.within(self.processor.connect(owner, express))
    }

    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        self.within(self.processor.account(reference))
    }

    fn onboarding_url(&self, reference: &str, return_url: Option<&str>) -> String {
        self.processor.onboarding_url(reference, return_url)
    }

    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        self.processor.read_webhook(signature, body)
    }

    fn sandbox(&self) -> Option<&Sandbox> {
        self.processor.sandbox()
    }
}
