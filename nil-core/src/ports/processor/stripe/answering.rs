//! The adapter's implementation of the processor port.

use super::calls::{Terms, text};
use super::{Stripe, answers, events, found_in, known};
use crate::kernel::Time;
use crate::ports::processor::signature::is_signed;
use crate::ports::processor::{
    Answer, CardForm, ConnectedAccount, Dispute, Evidence, Holder, Later, Movement, Onboarding,
    Outage, Processor, ProcessorBooks, ProcessorEvent, Request, SavedCard, StatementPage, Verdict,
};

impl Processor for Stripe {
    fn begin_card(&self, holder: &Holder, back: &str) -> Later<'_, CardForm> {
        let (holder, back) = (holder.clone(), back.to_owned());
        Box::pin(async move { self.open_form(&holder, back).await })
    }

    fn save_card(&self, holder: &Holder, token: &str) -> Later<'_, Option<SavedCard>> {
        let (holder, token) = (holder.clone(), token.to_owned());
        Box::pin(async move {
            let plain = |part: char| part.is_ascii_alphanumeric() || part == '_';
            if token.chars().all(plain) { self.save(&holder, &token).await } else { Ok(None) }
        })
    }

    fn forget_card(&self, card: &str) -> Later<'_, ()> {
        let method = card.split_once('/').map(|(_, method)| method.to_owned());
        Box::pin(async move {
            let Some(method) = method else { return Ok(()) };
            let path = format!("payment_methods/{method}/detach");
            match self.calls.post(&path, &[], Terms::default()).await? {
                // It is not attached any more.
                Err(refusal) if matches!(refusal.status, 400 | 404) => Ok(()),
                answered => known(answered).map(|_| ()),
            }
        })
    }

    fn charge(&self, request: &Request, card: &str) -> Later<'_, Answer> {
        let (request, card) = (request.clone(), card.to_owned());
        Box::pin(async move { self.charge_card(&request, &card).await })
    }

    fn confirmation(&self, charge: &str, card: &str, back: &str) -> Later<'_, Option<String>> {
        let method = card.split_once('/').map(|(_, method)| method.to_owned());
        let (charge, back) = (charge.to_owned(), back.to_owned());
        Box::pin(async move {
            match method {
                Some(method) => self.page_to_confirm(&charge, method, back).await,
                None => Ok(None),
            }
        })
    }

    fn give_up(&self, charge: &str) -> Later<'_, ()> {
        let path = format!("payment_intents/{charge}/cancel");
        let form = [("cancellation_reason", "requested_by_customer".to_owned())];
        Box::pin(async move {
            match self.calls.post(&path, &form, Terms::default()).await? {
                // It has an outcome already.
                Err(refusal) if refusal.status == 400 => Ok(()),
                answered => known(answered).map(|_| ()),
            }
        })
    }

    fn refund(&self, request: &Request, charge: &str) -> Later<'_, Answer> {
        let (request, charge) = (request.clone(), charge.to_owned());
        Box::pin(async move { self.refund_charge(&request, &charge).await })
    }

    fn pay_out(&self, request: &Request, account: &str) -> Later<'_, Answer> {
        let (request, account) = (request.clone(), account.to_owned());
        Box::pin(async move { self.send(&request, &account).await })
    }

    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        let id = id.to_owned();
        Box::pin(async move { self.movement(&id).await })
    }

    fn find(&self, request: &Request) -> Later<'_, Option<Movement>> {
        let request = request.clone();
        Box::pin(async move { self.known_under(&request).await })
    }

    fn statement(&self, from: Time, until: Time, after: Option<&str>) -> Later<'_, StatementPage> {
        let after = after.map(str::to_owned);
        Box::pin(async move { self.lines((from, until), after).await })
    }

    fn connect(&self, holder: &Holder, express: bool) -> Later<'_, ConnectedAccount> {
        let holder = holder.clone();
        Box::pin(async move { self.open(&holder, express).await })
    }

    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        let path = format!("accounts/{reference}");
        Box::pin(async move {
            let found = self.calls.get(&path, &[], Terms::default()).await?;
            Ok(found_in(found)?.map(|object| answers::account(&object)))
        })
    }

    fn onboarding(&self, reference: &str, back: &Onboarding) -> Later<'_, String> {
        let home = || self.calls.settings().public_url.clone();
        let back_to = back.return_url.clone().unwrap_or_else(home);
        let form = [
            ("account", reference.to_owned()),
            ("type", "account_onboarding".into()),
            ("refresh_url", back.refresh_url.clone().unwrap_or_else(|| back_to.clone())),
            ("return_url", back_to),
        ];
        Box::pin(async move {
            let link = known(self.calls.post("account_links", &form, Terms::default()).await?)?;
            match text(&link, "/url") {
                url if url.is_empty() => Err(Outage::silent("the address is missing")),
                url => Ok(url),
            }
        })
    }

    fn dispute(&self, reference: &str) -> Later<'_, Option<Dispute>> {
        let reference = reference.to_owned();
        Box::pin(async move { self.known_dispute(&reference).await })
    }

    fn disputes(&self, since: Time) -> Later<'_, Vec<Dispute>> {
        Box::pin(self.newest_disputes(since))
    }

    fn answer_dispute(&self, reference: &str, evidence: &Evidence) -> Later<'_, Verdict> {
        let (reference, evidence) = (reference.to_owned(), evidence.clone());
        Box::pin(async move { self.hand_in(&reference, &evidence).await })
    }

    fn accept_dispute(&self, reference: &str) -> Later<'_, Verdict> {
        let reference = reference.to_owned();
        Box::pin(async move { self.accept(&reference).await })
    }

    fn books(&self) -> ProcessorBooks {
        let live = ["sk_live_", "rk_live_"];
        let key = self.calls.settings().key.expose();
        if live.iter().any(|prefix| key.starts_with(prefix)) {
            ProcessorBooks::Live
        } else {
            ProcessorBooks::Test
        }
    }

    fn signature_header(&self) -> &'static str {
        "Stripe-Signature"
    }

    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        let signed = is_signed(signature, body, &self.signers, self.clock.now());
        signed.then(|| events::event(body)).flatten()
    }
}
