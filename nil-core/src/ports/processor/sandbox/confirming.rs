//! The sandbox's pages: a cardholder confirms a charge there as at a bank, and cards are entered.

use chrono::TimeDelta;

use super::moving::{BY_ID, Object, fee_of};
use super::{CARDS, Card, Sandbox, known_card, short_hash};
use crate::error::Error;
use crate::kernel::Cents;
use crate::ports::processor::{CardForm, Outcome};
use crate::storage::{Session, insert, sql};

/// How long a cardholder can confirm a charge.
pub(super) const CONFIRMED_WITHIN: TimeDelta = TimeDelta::hours(23);

impl Sandbox {
    /// The address where a charge is confirmed; none if it does not wait for that.
    pub(super) async fn page_to_confirm(
        &self,
        charge: &str,
        back: &str,
    ) -> Result<Option<String>, Error> {
        let found = self.look(sql(BY_ID).bind(charge)).await?;
        let waits = found.is_some_and(|found| matches!(found.outcome, Outcome::NeedsAction { .. }));
        Ok(waits.then(|| self.address_of("confirmation", charge, Some(back))))
    }

    /// The cardholder confirms a charge, or refuses to. Returns whether it waited for that.
    pub async fn confirm(&self, charge: &str, confirmed: bool) -> Result<bool, Error> {
        self.decided(charge, (!confirmed).then_some("authentication_failed")).await
    }

    /// Ends the wait of a charge; returns whether it waited.
    pub(super) async fn decided(
        &self,
        charge: &str,
        failure: Option<&'static str>,
    ) -> Result<bool, Error> {
        // One that waited too long has failed.
        self.look(sql(BY_ID).bind(charge)).await?;
        let mut session = self.db.begin().await?;
        let object: Option<Object> = session.first(sql(BY_ID).bind(charge)).await?;
        let Some(mut object) = object.filter(|object| object.status == "requires_action") else {
            return Ok(false);
        };
        let decided = self.decide(&mut session, &mut object, failure).await?;
        session.commit().await?;
        Ok(decided)
    }

    /// Ends the wait of a charge: it succeeds, or fails for this reason.
    pub(super) async fn decide(
        &self,
        session: &mut Session,
        object: &mut Object,
        failure: Option<&'static str>,
    ) -> Result<bool, Error> {
        let (status, fee) = match failure {
            None => ("succeeded", fee_of(object.amount_cents)),
            Some(_) => ("failed", Cents::ZERO),
        };
        let turned = session
            .run(
                sql("UPDATE sandbox_object SET status = $2, failure_code = $3, fee_cents = $4 \
                     WHERE id = $1 AND status = 'requires_action'")
                .bind(object.id.clone())
                .bind(status)
                .bind(failure)
                .bind(fee),
            )
            .await?;
        if turned == 0 {
            return Ok(false);
        }
        object.status = status.into();
        object.failure_code = failure.map(Into::into);
        object.fee_cents = fee;
        self.book(session, object).await?;
        self.tell(session, &format!("charge.{status}"), &object.id).await?;
        Ok(true)
    }

    /// Opens a page where a card is entered.
    pub(super) async fn open_form(&self, owner: &str, back: &str) -> Result<CardForm, Error> {
        let mut session = self.db.begin().await?;
        let opened: i64 = session
            .value(sql("SELECT COUNT(*) FROM sandbox_card_form WHERE owner = $1").bind(owner))
            .await?;
        let token = format!("cs_{}", short_hash(&format!("{owner} form {opened}")));
        let form = insert("sandbox_card_form").set("id", token.clone()).set("owner", owner);
        session.run(form).await?;
        session.commit().await?;
        let url = self.address_of("card", &token, Some(back));
        Ok(CardForm { token, url })
    }

    /// A card is entered on a page. Returns whether the page is open and the card is known.
    pub async fn enter_card(&self, form: &str, number: &str) -> Result<bool, Error> {
        if known_card(number).is_none() {
            return Ok(false);
        }
        let mut session = self.db.begin().await?;
        let entered = session
            .run(
                sql("UPDATE sandbox_card_form SET number = $2 WHERE id = $1 AND number IS NULL")
                    .bind(form)
                    .bind(number),
            )
            .await?;
        session.commit().await?;
        Ok(entered > 0)
    }

    /// The card behind a token of this owner: a test card by its number, or what was entered.
    pub(super) async fn entered(
        session: &mut Session,
        owner: &str,
        token: &str,
    ) -> Result<Option<&'static Card>, Error> {
        if let Some(number) = token.strip_prefix("tok_") {
            return Ok(known_card(number));
        }
        let entered: Option<(Option<String>,)> = session
            .first(
                sql("SELECT number FROM sandbox_card_form WHERE id = $1 AND owner = $2")
                    .bind(token)
                    .bind(owner),
            )
            .await?;
        Ok(entered.and_then(|(number,)| known_card(&number?)))
    }

    /// The numbers of the cards that can be entered, and what they are good for.
    #[must_use]
    pub fn test_cards() -> Vec<(&'static str, &'static str)> {
        CARDS.iter().map(|(number, _, bank)| (*number, bank.in_words())).collect()
    }
}
