//! The sandbox's implementation of the processor port.

use super::moving::{BY_ID, BY_KEY};
use super::{Sandbox, outage, short_hash};
use crate::kernel::Time;
use crate::ports::processor::signature::is_signed;
use crate::ports::processor::{
    Answer, CardForm, Concern, ConnectedAccount, Dispute, DisputeState, Evidence, Holder, Later,
    Movement, Onboarding, Outage, Processor, ProcessorBooks, ProcessorEvent, Request, SavedCard,
    StatementPage, Verdict,
};
use crate::storage::{insert, sql};

impl Processor for Sandbox {
    fn begin_card(&self, holder: &Holder, back: &str) -> Later<'_, CardForm> {
        let (owner, back) = (holder.name.clone(), back.to_owned());
        Box::pin(async move { self.open_form(&owner, &back).await.map_err(outage) })
    }

    fn save_card(&self, holder: &Holder, token: &str) -> Later<'_, Option<SavedCard>> {
        let (owner, token) = (holder.name.clone(), token.to_owned());
        Box::pin(async move {
            let mut session = self.db.begin().await.map_err(outage)?;
            let entered = Self::entered(&mut session, &owner, &token).await.map_err(outage)?;
            let Some((number, brand, _)) = entered else {
                return Ok(None);
            };
            let copies: i64 = session
                .value(
                    sql("SELECT COUNT(*) FROM sandbox_card WHERE owner = $1").bind(owner.clone()),
                )
                .await
                .map_err(outage)?;
            // The reference must not reveal the number. Each copy has its own, as at real
            // processors: one that is forgotten does not take the others with it.
            let id = format!("card_{}", short_hash(&format!("{owner} {token} {copies}")));
            let row = insert("sandbox_card")
                .set("id", id.clone())
                .set("number", *number)
                .set("owner", owner);
            session.run(row.unless_exists(&["id"])).await.map_err(outage)?;
            session.commit().await.map_err(outage)?;
            Ok(Some(SavedCard {
                reference: id,
                fingerprint: Some(short_hash(number)),
                brand: (*brand).into(),
                last4: number.get(12..).unwrap_or_default().into(),
                exp_month: 12,
                exp_year: 2034,
            }))
        })
    }

    fn forget_card(&self, card: &str) -> Later<'_, ()> {
        // A card without an owner was saved before cards had one: it may be another owner's, too.
        let forget = sql("UPDATE sandbox_card SET forgotten = TRUE \
                          WHERE id = $1 AND owner IS NOT NULL");
        let forget = forget.bind(card);
        Box::pin(async move {
            let mut session = self.db.begin().await.map_err(outage)?;
            session.run(forget).await.map_err(outage)?;
            session.commit().await.map_err(outage)
        })
    }

    fn charge(&self, request: &Request, card: &str) -> Later<'_, Answer> {
        let (request, card) = (request.clone(), card.to_owned());
        Box::pin(async move {
            self.charge_card(&request, &card).await.map(Answer::Taken).map_err(outage)
        })
    }

    fn confirmation(&self, charge: &str, _: &str, back: &str) -> Later<'_, Option<String>> {
        let (charge, back) = (charge.to_owned(), back.to_owned());
        Box::pin(async move { self.page_to_confirm(&charge, &back).await.map_err(outage) })
    }

    fn give_up(&self, charge: &str) -> Later<'_, ()> {
        let charge = charge.to_owned();
        Box::pin(async move {
            self.decided(&charge, Some("canceled")).await.map(|_| ()).map_err(outage)
        })
    }

    fn refund(&self, request: &Request, charge: &str) -> Later<'_, Answer> {
        let (request, charge) = (request.clone(), charge.to_owned());
        Box::pin(async move {
            self.refund_charge(&request, &charge).await.map(Answer::Taken).map_err(outage)
        })
    }

    fn pay_out(&self, request: &Request, account: &str) -> Later<'_, Answer> {
        let (request, account) = (request.clone(), account.to_owned());
        Box::pin(
            async move { self.send(&request, &account).await.map(Answer::Taken).map_err(outage) },
        )
    }

    fn look_up(&self, id: &str) -> Later<'_, Option<Movement>> {
        let by_id = sql(BY_ID).bind(id);
        Box::pin(async move { self.look(by_id).await.map_err(outage) })
    }

    fn find(&self, request: &Request) -> Later<'_, Option<Movement>> {
        let by_key = sql(BY_KEY).bind(request.key.clone());
        Box::pin(async move { self.look(by_key).await.map_err(outage) })
    }

    fn statement(&self, from: Time, until: Time, after: Option<&str>) -> Later<'_, StatementPage> {
        let after = after.unwrap_or_default().to_owned();
        Box::pin(async move { self.lines((from, until), &after).await })
    }

    fn connect(&self, holder: &Holder, express: bool) -> Later<'_, ConnectedAccount> {
        let id = format!("acct_{}", holder.name.replace(':', "_"));
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
            account.ok_or_else(|| Outage::silent("the account is gone"))
        })
    }

    fn account(&self, reference: &str) -> Later<'_, Option<ConnectedAccount>> {
        let reference = reference.to_owned();
        Box::pin(async move {
            let mut session = self.db.read().await.map_err(outage)?;
            Self::known_account(&mut session, &reference).await.map_err(outage)
        })
    }

    fn onboarding(&self, reference: &str, back: &Onboarding) -> Later<'_, String> {
        let url = self.address_of("onboarding", reference, back.return_url.as_deref());
        Box::pin(async move { Ok(url) })
    }

    fn dispute(&self, reference: &str) -> Later<'_, Option<Dispute>> {
        let reference = reference.to_owned();
        Box::pin(async move { self.look_at_dispute(&reference).await.map_err(outage) })
    }

    fn disputes(&self, since: Time) -> Later<'_, Vec<Dispute>> {
        Box::pin(async move { self.disputes_since(since).await.map_err(outage) })
    }

    fn answer_dispute(&self, reference: &str, _: &Evidence) -> Later<'_, Verdict> {
        let reference = reference.to_owned();
        Box::pin(async move {
            self.conclude(&reference, DisputeState::UnderReview).await.map_err(outage)
        })
    }

    fn accept_dispute(&self, reference: &str) -> Later<'_, Verdict> {
        let reference = reference.to_owned();
        Box::pin(async move { self.conclude(&reference, DisputeState::Lost).await.map_err(outage) })
    }

    fn read_webhook(&self, signature: &str, body: &[u8]) -> Option<ProcessorEvent> {
        if !is_signed(signature, body, [&self.webhook_key], self.clock.now()) {
            return None;
        }
        let event: serde_json::Value = serde_json::from_slice(body).ok()?;
        let text = |name: &str| event.get(name)?.as_str().map(str::to_owned);
        let (kind, object) = (text("type")?, text("object")?);
        let concern = match kind.split_once('.') {
            Some(("account", _)) => Concern::Account(object),
            Some(("charge" | "refund" | "transfer", _)) => Concern::Movement(object),
            Some(("dispute", _)) => Concern::Dispute(object),
            _ => Concern::Nothing,
        };
        Some(ProcessorEvent { id: text("id")?, kind, concern })
    }

    fn books(&self) -> ProcessorBooks {
        ProcessorBooks::Sandbox
    }

    fn sandbox(&self) -> Option<&Sandbox> {
        Some(self)
    }
}
