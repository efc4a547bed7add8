//! A processor with the common interface of connected accounts, payment intents, transfers and
//! payouts. The platform holds the money: charges are its own, and a payout is a transfer to the
//! payee's account and a payout from there to the bank.
//!
//! Each object carries our key in its metadata. Lists of the newest objects answer what is known
//! under a key, also when the processor has forgotten the key itself; its search lags behind and
//! proves nothing.

mod answering;
mod answers;
mod balance;
mod calls;
mod confirming;
mod disputes;
mod events;

use std::sync::Arc;

use aws_lc_rs::hmac;
use chrono::TimeDelta;
use serde_json::Value;

use self::answers::{ABANDONED, ASKS, Intent, KEY, KEY_AT};
use self::calls::{Answered, Calls, Parameter, Terms, number, text};
use super::{
    Answer, ConnectedAccount, Holder, MoneyKind, Movement, Outage, Outcome, Request, SavedCard,
};
use crate::kernel::{Clock, Secret};

/// Where the cost of a charge is told.
const COST: &str = "latest_charge.balance_transaction";
/// Whose an object is.
const OWNER: &str = "metadata[nil_owner]";
/// Objects are looked for from so long before the request: clocks differ.
const CLOCKS: TimeDelta = TimeDelta::minutes(5);

/// The settings of the processor.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The base address of its interface, such as `https://processor.example/v1`.
    pub url: String,
    /// The secret key.
    pub key: Secret,
    /// The secrets with which it signs events: one for each endpoint there.
    pub webhook_secrets: Vec<Secret>,
    /// Where a holder is led who has no page of their own to return to after onboarding.
    pub public_url: String,
    /// Whether payouts that are wanted within minutes are asked for as such. They cost more.
    pub instant_payouts: bool,
}

/// A processor behind its interface.
pub struct Stripe {
    calls: Calls,
    /// The keys of the webhook secrets.
    signers: Vec<hmac::Key>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Stripe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stripe")
    }
}

impl Stripe {
    /// A processor with these settings; otherwise the reason why they are invalid.
    pub fn new(settings: Settings, clock: Arc<dyn Clock>) -> Result<Self, String> {
        let key = |secret: &Secret| hmac::Key::new(hmac::HMAC_SHA256, secret.expose().as_bytes());
        let signers = settings.webhook_secrets.iter().map(key).collect();
        Ok(Self { calls: Calls::new(settings)?, signers, clock })
    }

    async fn charge_card(&self, request: &Request, card: &str) -> Result<Answer, Outage> {
        let Some((customer, method)) = card.split_once('/') else {
            return Ok(answers::failed(request, None, "no_such_card".into()));
        };
        let mut form = terms_of(request);
        form.extend([
            ("customer", customer.to_owned()),
            ("payment_method", method.to_owned()),
            ("off_session", "true".into()),
            ("confirm", "true".into()),
            ("transfer_group", request.key.clone()),
            ("expand[]", COST.into()),
        ]);
        form.extend(suffix(&request.label).map(|suffix| ("statement_descriptor_suffix", suffix)));
        match self.calls.post("payment_intents", &form, keyed(&request.key)).await? {
            Ok(object) => self.settled(object).await.map(Answer::Taken),
            Err(refusal) => match refusal.error.get("payment_intent") {
                // The cardholder must confirm it.
                Some(object) if refusal.code == ASKS => {
                    self.settled(object.clone()).await.map(Answer::Taken)
                }
                _ => Ok(answers::refused(request, &refusal)),
            },
        }
    }

    /// What a payment intent has come to. One that waits for us, or has waited too long for the
    /// cardholder, is cancelled, so that it cannot succeed later; if that is impossible, the
    /// outcome stays unknown.
    async fn settled(&self, object: Value) -> Result<Movement, Outage> {
        if let Intent::Movement(movement) = answers::intent(&object)
            && !self.is_late(&movement.outcome)
        {
            return Ok(movement);
        }
        let path = format!("payment_intents/{}/cancel", text(&object, "/id"));
        let form = [("cancellation_reason", ABANDONED.to_owned())];
        let cancelled = self.calls.post(&path, &form, Terms::default()).await?;
        match answers::intent(&known(cancelled)?) {
            Intent::Movement(movement) if !self.is_late(&movement.outcome) => Ok(movement),
            _ => Err(Outage::silent("a charge waits and cannot be cancelled")),
        }
    }

    /// Whether the cardholder has not confirmed a charge in time.
    fn is_late(&self, outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::NeedsAction { until, .. } if *until <= self.clock.now())
    }

    async fn refund_charge(&self, request: &Request, charge: &str) -> Result<Answer, Outage> {
        // A refund has the currency of its charge.
        let mut form = terms_of(request);
        form.retain(|(name, _)| *name != "currency");
        form.push(("payment_intent", charge.to_owned()));
        match self.calls.post("refunds", &form, keyed(&request.key)).await? {
            Ok(object) => Ok(Answer::Taken(answers::refund(&object))),
            Err(refusal) => Ok(answers::refused(request, &refusal)),
        }
    }

    async fn send(&self, request: &Request, account: &str) -> Result<Answer, Outage> {
        let mut form = terms_of(request);
        form.push(("destination", account.to_owned()));
        let key = format!("{}:transfer", request.key);
        match self.calls.post("transfers", &form, keyed(&key)).await? {
            Ok(transfer) => self.to_bank(request, account, &transfer).await,
            Err(refusal) => Ok(answers::refused(request, &refusal)),
        }
    }

    /// The second half of a payout: from the account to its bank.
    async fn to_bank(
        &self,
        request: &Request,
        account: &str,
        transfer: &Value,
    ) -> Result<Answer, Outage> {
        let transfer = text(transfer, "/id");
        let mut form = terms_of(request);
        form.push(("metadata[nil_transfer]", transfer.clone()));
        form.extend(described(&request.label).map(|text| ("statement_descriptor", text)));
        match self.paid(request, account, form).await? {
            Ok(object) => self.arrived(account, object).await.map(Answer::Taken),
            Err(refusal) => {
                // The money must not stay with the account, also if there is another attempt.
                self.take_back(&request.key, &transfer).await?;
                Ok(answers::refused(request, &refusal))
            }
        }
    }

    /// Asks for a payout to a bank: one within minutes if that is wanted, or else the usual one.
    /// The two have keys of their own, since the processor keeps a refusal under its key.
    async fn paid(
        &self,
        request: &Request,
        account: &str,
        mut form: Vec<Parameter<'_>>,
    ) -> Result<Answered, Outage> {
        if request.instant && self.calls.settings().instant_payouts {
            form.push(("method", "instant".into()));
            let key = format!("{}:instant", request.key);
            let terms = Terms { account: Some(account), key: Some(&key) };
            let answered = self.calls.post("payouts", &form, terms).await?;
            if !answered.as_ref().is_err_and(answers::is_no_instant_payout) {
                return Ok(answered);
            }
            form.pop();
        }
        let key = format!("{}:bank", request.key);
        let terms = Terms { account: Some(account), key: Some(&key) };
        self.calls.post("payouts", &form, terms).await
    }

    /// What a payout has come to. The money of one that failed is taken back from the account
    /// before it counts as failed; if that is impossible, the outcome stays unknown.
    async fn arrived(&self, account: &str, object: Value) -> Result<Movement, Outage> {
        let payout = answers::payout(account, &object);
        if matches!(payout.outcome, Outcome::Failed { .. }) {
            self.take_back(&payout.key, &text(&object, "/metadata/nil_transfer")).await?;
        }
        Ok(payout)
    }

    async fn take_back(&self, key: &str, transfer: &str) -> Result<(), Outage> {
        let path = format!("transfers/{transfer}");
        let known_as = known(self.calls.get(&path, &[], Terms::default()).await?)?;
        if known_as.get("reversed").and_then(Value::as_bool) == Some(true) {
            return Ok(());
        }
        // The statement tells of the reversal, and whose it is. It has no key, under which an error
        // would be kept for a day: a transfer is reversed once, however often that is asked.
        let form = [(KEY, key.to_owned())];
        let path = format!("transfers/{transfer}/reversals");
        known(self.calls.post(&path, &form, Terms::default()).await?).map(|_| ())
    }

    async fn known_under(&self, request: &Request) -> Result<Option<Movement>, Outage> {
        let since = (request.since - CLOCKS).timestamp();
        let mut newest: Vec<Parameter<'_>> = vec![("created[gte]", since.to_string())];
        let is_ours = |object: &Value| text(object, KEY_AT) == request.key;
        match request.kind {
            MoneyKind::Charge => {
                newest.push(("expand[]", format!("data.{COST}")));
                let found = self.calls.first("payment_intents", &newest, None, is_ours).await?;
                match found {
                    Some(object) => self.settled(object).await.map(Some),
                    None => Ok(None),
                }
            }
            MoneyKind::Refund => {
                let found = self.calls.first("refunds", &newest, None, is_ours).await?;
                Ok(found.map(|object| answers::refund(&object)))
            }
            MoneyKind::Payout => {
                let found = self.calls.first("transfers", &newest, None, is_ours).await?;
                let Some(transfer) = found else { return Ok(None) };
                let account = text(&transfer, "/destination");
                let paid = self.calls.first("payouts", &newest, Some(&account), is_ours).await?;
                match paid {
                    Some(object) => self.arrived(&account, object).await.map(Some),
                    None => self.resumed(request, &account, &transfer).await.map(Some),
                }
            }
        }
    }

    /// A payout of which only the first half was made.
    async fn resumed(
        &self,
        request: &Request,
        account: &str,
        transfer: &Value,
    ) -> Result<Movement, Outage> {
        let back = number(transfer, "/amount_reversed");
        let answer = if back > 0 {
            let why = "payout_failed".to_owned();
            answers::failed(request, Some(text(transfer, "/id")), why)
        } else {
            self.to_bank(request, account, transfer).await?
        };
        match answer {
            Answer::Taken(movement) => Ok(movement),
            // The next question finds that the money was taken back.
            Answer::NotNow(why) | Answer::Refused(why) => Err(Outage::silent(why)),
        }
    }

    async fn movement(&self, id: &str) -> Result<Option<Movement>, Outage> {
        if let Some((account, payout)) = id.split_once('/') {
            let terms = Terms { account: Some(account), key: None };
            let found = self.calls.get(&format!("payouts/{payout}"), &[], terms).await?;
            return match found_in(found)? {
                Some(object) => self.arrived(account, object).await.map(Some),
                None => Ok(None),
            };
        }
        let terms = Terms::default();
        if id.starts_with("pi_") {
            let cost = [("expand[]", COST.to_owned())];
            let found = self.calls.get(&format!("payment_intents/{id}"), &cost, terms).await?;
            return match found_in(found)? {
                Some(object) => self.settled(object).await.map(Some),
                None => Ok(None),
            };
        }
        let found = self.calls.get(&format!("refunds/{id}"), &[], terms).await?;
        Ok(found_in(found)?.map(|object| answers::refund(&object)))
    }

    /// The customer that a holder's cards belong to. After a day there may be another one: what
    /// counts is whose it is.
    async fn customer(&self, holder: &Holder) -> Result<String, Outage> {
        let owner = owner_of(holder);
        let form = [(OWNER, owner.clone())];
        let key = format!("{owner}:customer");
        let customer = known(self.calls.post("customers", &form, keyed(&key)).await?)?;
        Ok(text(&customer, "/id"))
    }

    async fn save(&self, holder: &Holder, token: &str) -> Result<Option<SavedCard>, Outage> {
        if token.starts_with("cs_") {
            return self.entered(holder, token).await;
        }
        let customer = self.customer(holder).await?;
        let form = [("customer", customer.clone())];
        let path = format!("payment_methods/{token}/attach");
        match self.calls.post(&path, &form, Terms::default()).await? {
            // The token is wrong, or the bank does not take the card.
            Err(refusal) if matches!(refusal.status, 400 | 402 | 404) => Ok(None),
            answered => Ok(answers::card(&customer, &known(answered)?)),
        }
    }

    async fn open(&self, holder: &Holder, express: bool) -> Result<ConnectedAccount, Outage> {
        let owner = owner_of(holder);
        let kind = if express { "express" } else { "standard" };
        let form = [
            ("type", kind.to_owned()),
            ("capabilities[transfers][requested]", "true".into()),
            // The platform says when money goes to the bank.
            ("settings[payouts][schedule][interval]", "manual".into()),
            (OWNER, owner.clone()),
        ];
        // Opened again after a lost answer, it is the same one for a day. After that there may be a
        // second one, which never holds money.
        let key = format!("{owner}:account");
        let object = known(self.calls.post("accounts", &form, keyed(&key)).await?)?;
        Ok(answers::account(&object))
    }
}

/// An owner's name that is theirs alone, among all installations.
fn owner_of(holder: &Holder) -> String {
    format!("{}:{}", holder.installation, holder.name)
}

fn keyed(key: &str) -> Terms<'_> {
    Terms { account: None, key: Some(key) }
}

fn terms_of(request: &Request) -> Vec<Parameter<'static>> {
    vec![
        ("amount", request.amount.get().to_string()),
        ("currency", request.currency.clone()),
        (KEY, request.key.clone()),
    ]
}

/// The longest text that a bank shows of a payout, in characters.
const DESCRIBED: usize = 22;
/// The longest text after the platform's own name, which has ten characters at most, and `* `.
const SUFFIX: usize = 10;

/// A text that banks show, of the characters that they all know; none for an empty one.
fn described(label: &str) -> Option<String> {
    let plain = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | ' ');
    let text: String = label.chars().filter(plain).take(DESCRIBED).collect();
    Some(text).filter(|text| text.contains(|letter: char| letter.is_ascii_alphabetic()))
}

/// The text that banks show of a charge after the platform's own name.
fn suffix(label: &str) -> Option<String> {
    let text = described(label)?;
    let text = if text.len() > SUFFIX { text.replace(['-', ' '], "") } else { text };
    Some(text).filter(|text| text.len() <= SUFFIX)
}

/// An object that must be there.
fn known(answered: Answered) -> Result<Value, Outage> {
    answered.map_err(|refusal| {
        Outage::silent(format!("{} {}: {}", refusal.status, refusal.code, refusal.message))
    })
}

/// An object that may be gone.
fn found_in(answered: Answered) -> Result<Option<Value>, Outage> {
    match answered {
        Err(refusal) if refusal.status == 404 => Ok(None),
        answered => known(answered).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_show_what_fits() {
        for (label, shown, after_a_name) in [
            ("PAY-000123", Some("PAY-000123"), Some("PAY-000123")),
            ("PAY-1000000", Some("PAY-1000000"), Some("PAY1000000")),
            ("PAY-100000000", Some("PAY-100000000"), None),
            ("Payout 12", Some("Payout 12"), Some("Payout 12")),
            ("a \"name*<b>", Some("a nameb"), Some("a nameb")),
            ("12", None, None),
            ("", None, None),
        ] {
            assert_eq!(described(label).as_deref(), shown, "{label}");
            assert_eq!(suffix(label).as_deref(), after_a_name, "{label}");
        }
    }
}
