//! A payment processor that can be made to fail: the sandbox behind a bad line.

use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock};

use nil_core::kernel::Cents;
use nil_core::ports::processor::{
    ConnectedAccount, Later, Movement, Outage, Outcome, Processor, ProcessorEvent, Sandbox,
    SavedCard,
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
    /// The processor refuses.
    Refused,
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

    fn fault(&self) -> Fault {
        let mut queue = self.faults.lock().expect("the faults");
        queue.pop_front().unwrap_or(Fault::None)
    }

    fn moved<'a>(&self, call: Later<'a, Outcome>) -> Later<'a, Outcome> {
        let fault = self.fault();
        Box::pin(async move {
            match fault {
                Fault::None => call.await,
                Fault::Lost => Err(Outage("the call was lost".into())),
                Fault::Unanswered => {
                    call.await?;
                    Err(Outage("the answer was lost".into()))
                }
                Fault::DiesBefore => panic!("killed before the call"),
                Fault::DiesAfter => {
                    call.await?;
                    panic!("killed after the call")
                }
                Fault::KeyInUse => {
                    Ok(Outcome::Failed(String::new(), "idempotency_key_in_use".into()))
                }
                Fault::Hangs => {
                    call.await?;
                    std::future::pending().await
                }
                Fault::Refused => Ok(Outcome::Failed("x_1".into(), "refused".into())),
            }
        })
    }
}

impl Processor for Faulty {
    fn save_card(&self, token: &str) -> Later<'_, Option<SavedCard>> {
        self.sandbox().save_card(token)
    }
    fn charge(&self, key: &str, card: &str, amount: Cents) -> Later<'_, Outcome> {
        self.moved(self.sandbox().charge(key, card, amount))
    }
    fn refund(&self, key: &str, charge: &str, amount: Cents) -> Later<'_, Outcome> {
        self.moved(self.sandbox().refund(key, charge, amount))
    }
    fn pay_out(&self, key: &str, account: &str, amount: Cents) -> Later<'_, Outcome> {
        self.moved(self.sandbox().pay_out(key, account, amount))
    }
    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        self.sandbox().look_up(id)
    }
    fn find(&self, key: &str) -> Later<'_, Option<Movement>> {
        self.sandbox().find(key)
    }
    fn connect(&self, owner: &str, express: bool) -> Later<'_, ConnectedAccount> {
        self.sandbox().connect(owner, express)
    }
    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        self.sandbox().account(reference)
    }
    fn onboarding_url(&self, reference: &str, return_url: Option<&str>) -> String {
        self.sandbox().onboarding_url(reference, return_url)
    }
    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        self.sandbox().read_webhook(signature, body)
    }
    fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.get()
    }
}
