//! The sandbox's implementation of the processor port.

use aws_lc_rs::digest::{SHA256, digest};

use super::{BY_NAME, OBJECT, Sandbox, known_card, outage};
use crate::kernel::Cents;
use crate::ports::processor::{
    ConnectedAccount, Later, Movement, Outage, Outcome, Processor, ProcessorEvent, SavedCard,
};
use crate::storage::{insert, sql};

/// Older webhooks are refused, so that a recorded one cannot be replayed.
const WEBHOOK_TOLERANCE: i64 = 300;

impl Processor for Sandbox {
    fn save_card(&self, token: &str) -> Later<'_, Option<SavedCard>> {
        let card = token.strip_prefix("tok_").and_then(known_card);
        // The reference must not reveal the number.
        let name = hex::encode(digest(&SHA256, token.as_bytes()));
        let id = format!("card_{}", name.get(..24).unwrap_or(&name));
        Box::pin(async move {
            let Some((number, brand, _)) = card else {
                return Ok(None);
            };
            let mut session = self.db.begin().await.map_err(outage)?;
            let row = insert("sandbox_card").set("id", id.clone()).set("number", *number);
            session.run(row.unless_exists(&["id"])).await.map_err(outage)?;
            session.commit().await.map_err(outage)?;
            Ok(Some(SavedCard {
                reference: id,
                brand: (*brand).into(),
                last4: number.get(12..).unwrap_or_default().into(),
                exp_month: 12,
                exp_year: 2034,
            }))
        })
    }

    fn charge(&self, key: &str, card: &str, amount: Cents) -> Later<'_, Outcome> {
        let (key, card) = (key.to_owned(), card.to_owned());
        Box::pin(async move { self.charge_card(&key, &card, amount).await.map_err(outage) })
    }

    fn refund(&self, key: &str, charge: &str, amount: Cents) -> Later<'_, Outcome> {
        let (key, charge) = (key.to_owned(), charge.to_owned());
        Box::pin(async move { self.refund_charge(&key, &charge, amount).await.map_err(outage) })
    }

    fn pay_out(&self, key: &str, account: &str, amount: Cents) -> Later<'_, Outcome> {
        let (key, account) = (key.to_owned(), account.to_owned());
        Box::pin(async move { self.send(&key, &account, amount).await.map_err(outage) })
    }

    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        let id = id.to_owned();
        Box::pin(async move {
            let by_name = sql(BY_NAME).bind(id);
            self.look(by_name).await.map_err(outage)
        })
    }

    fn find(&self, key: &str) -> Later<'_, Option<Movement>> {
        let by_key = sql(OBJECT).bind(key);
        Box::pin(async move { self.look(by_key).await.map_err(outage) })
    }

    fn connect(&self, owner: &str, express: bool) -> Later<'_, ConnectedAccount> {
        let id = format!("acct_{}", owner.replace(':', "_"));
        let kind = if express { "express" } else { "standard" };
        Box::pin(async move {
            let mut session = self.db.begin().await.map_err(outage)?;
            let row = insert("sandbox_account")
                .set("id", id.clone())
                .set("kind", kind)
                .set("onboarded", false);
            session.run(row.unless_exists(&["id"])).await.map_err(outage)?;
            session.commit().await.map_err(outage)?;
            let account = self.account(&id).await?;
            account.ok_or_else(|| Outage("the account is gone".into()))
        })
    }

    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        let reference = reference.to_owned();
        Box::pin(async move {
            let mut session = self.db.read().await.map_err(outage)?;
            let found: Option<(bool,)> = session
                .first(
                    sql("SELECT onboarded FROM sandbox_account WHERE id = $1")
                        .bind(reference.clone()),
                )
                .await
                .map_err(outage)?;
            Ok(found.map(|(onboarded,)| ConnectedAccount {
                reference,
                charges_enabled: onboarded,
                payouts_enabled: onboarded,
                requirements_due: if onboarded {
                    Vec::new()
                } else {
                    vec!["individual.verification".into(), "external_account".into()]
                },
            }))
        })
    }

    fn onboarding_url(&self, reference: &str, return_url: Option<&str>) -> String {
        let query = return_url.map_or_else(String::new, |url| {
            let pairs = [("return_url", url)];
            let mut query = form_urlencoded::Serializer::for_suffix(String::from("?"), 1);
            query.extend_pairs(pairs);
            query.finish()
        });
        format!("{}/api/sandbox/onboarding/{}{query}", self.public_url, self.page_of(reference))
    }

    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        let part = |name: &str| signature.split(',').find_map(|part| part.strip_prefix(name));
        let at: i64 = part("t=")?.parse().ok()?;
        let mark = hex::decode(part("v1=")?).ok()?;
        let signed = [format!("{at}.").as_bytes(), body].concat();
        aws_lc_rs::hmac::verify(&self.webhook_key, &signed, &mark).ok()?;
        if (self.clock.now().timestamp() - at).abs() > WEBHOOK_TOLERANCE {
            return None;
        }
        let event: serde_json::Value = serde_json::from_slice(body).ok()?;
        let text = |name: &str| event.get(name)?.as_str().map(str::to_owned);
        Some(ProcessorEvent { id: text("id")?, kind: text("type")?, object_id: text("object")? })
    }

    fn sandbox(&self) -> Option<&Sandbox> {
        Some(self)
    }
}
