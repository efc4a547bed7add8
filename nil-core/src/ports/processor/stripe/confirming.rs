//! The processor's pages: a cardholder confirms a charge with their bank, and cards are entered.
//! Browsers are led there, so that no script of the processor runs on a page of ours.

use serde_json::Value;

use super::answers::{self, ASKS};
use super::calls::{Terms, text};
use super::{OWNER, Stripe, found_in, known, owner_of};
use crate::ports::processor::{CardForm, Holder, Outage, SavedCard};

/// Where an intent says which page confirms it.
const PAGE: &str = "/next_action/redirect_to_url/url";

impl Stripe {
    /// The page where a charge is confirmed. It was made without the cardholder; now it is made
    /// again with them there.
    pub(super) async fn page_to_confirm(
        &self,
        charge: &str,
        method: String,
        back: String,
    ) -> Result<Option<String>, Outage> {
        let path = format!("payment_intents/{charge}");
        let found = self.calls.get(&path, &[], Terms::default()).await?;
        let Some(mut intent) = found_in(found)? else { return Ok(None) };
        if text(&intent, "/status") == "requires_payment_method"
            && text(&intent, "/last_payment_error/code") == ASKS
        {
            let form = [("payment_method", method), ("return_url", back)];
            let path = format!("{path}/confirm");
            match self.calls.post(&path, &form, Terms::default()).await? {
                Ok(confirmed) => intent = confirmed,
                // Declined, whether the cardholder confirms it or not: the next look says so.
                Err(refusal) if refusal.status == 402 => return Ok(None),
                refused => return known(refused).map(|_| None),
            }
        }
        if text(&intent, "/status") != "requires_action" {
            return Ok(None);
        }
        match text(&intent, PAGE) {
            page if page.is_empty() => Err(Outage::silent("a charge has no page to confirm it")),
            page => Ok(Some(page)),
        }
    }

    /// Opens a page where a card is entered and its bank is asked whether it can be charged later.
    pub(super) async fn open_form(
        &self,
        holder: &Holder,
        back: String,
    ) -> Result<CardForm, Outage> {
        let customer = self.customer(holder).await?;
        let form = [
            ("mode", "setup".to_owned()),
            ("payment_method_types[]", "card".into()),
            ("customer", customer),
            ("success_url", back.clone()),
            ("cancel_url", back),
            (OWNER, owner_of(holder)),
        ];
        let page = known(self.calls.post("checkout/sessions", &form, Terms::default()).await?)?;
        match (text(&page, "/id"), text(&page, "/url")) {
            (token, url) if token.is_empty() || url.is_empty() => {
                Err(Outage::silent("the page for a card has no address"))
            }
            (token, url) => Ok(CardForm { token, url }),
        }
    }

    /// The card that this holder has entered on a page; none if it is somebody else's page, or
    /// nothing was entered.
    pub(super) async fn entered(
        &self,
        holder: &Holder,
        token: &str,
    ) -> Result<Option<SavedCard>, Outage> {
        let path = format!("checkout/sessions/{token}");
        let parts = [("expand[]", "setup_intent.payment_method".to_owned())];
        let found = self.calls.get(&path, &parts, Terms::default()).await?;
        let Some(page) = found_in(found)? else { return Ok(None) };
        let is_theirs = text(&page, "/metadata/nil_owner") == owner_of(holder);
        if !is_theirs || text(&page, "/setup_intent/status") != "succeeded" {
            return Ok(None);
        }
        let method = page.pointer("/setup_intent/payment_method").unwrap_or(&Value::Null);
        Ok(answers::card(&text(&page, "/customer"), method))
    }
}
