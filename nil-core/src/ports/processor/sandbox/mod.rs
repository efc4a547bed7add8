//! The sandbox: a deterministic embedded processor with its own tables and transactions, like a
//! remote system, and with the usual test cards.

mod answering;
mod balance;
mod confirming;
mod connecting;
mod disputing;
mod moving;

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use chrono::TimeDelta;

use self::moving::{BY_ID, Object};
use super::{Outage, signature};
use crate::error::Error;
use crate::kernel::{Cents, Clock};
use crate::keys::MasterKey;
use crate::storage::{Db, FromRow, Session, insert, sql};

/// Test cards: number, brand, and what their bank says to a charge.
const CARDS: &[Card] = &[
    ("4242424242424242", "visa", Bank::Pays),
    ("5555555555554444", "mastercard", Bank::Pays),
    ("4000000000000002", "visa", Bank::Declines("card_declined")),
    ("4000000000009995", "visa", Bank::Declines("insufficient_funds")),
    ("4000002500003155", "visa", Bank::Asks),
    ("6011111111111117", "discover", Bank::PaysLater),
];

/// How long the money of some charges cannot be paid out.
const FUNDS: TimeDelta = TimeDelta::days(2);

/// How long a payout to a bank takes.
const TRANSIT: TimeDelta = TimeDelta::days(2);

/// The embedded processor.
pub struct Sandbox {
    db: Db,
    clock: Arc<dyn Clock>,
    public_url: String,
    webhook_key: aws_lc_rs::hmac::Key,
    /// The key for the addresses of pages.
    page_key: aws_lc_rs::hmac::Key,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sandbox")
    }
}

/// An entry of the sandbox's own log.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Logged {
    /// The key of the request.
    pub key: String,
    /// Its id.
    pub id: String,
    /// `charge`, `refund` or `transfer`.
    pub kind: String,
    /// The card that is charged, the charge that is refunded, or the account that is paid.
    pub reference: String,
    /// The amount.
    pub amount_cents: Cents,
    /// The currency in lower case.
    pub currency: String,
    /// What the sandbox keeps for itself.
    pub fee_cents: Cents,
    /// `succeeded`, `failed`, `in_transit` or `paid`.
    pub status: String,
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that map_err requires")]
fn outage(error: Error) -> Outage {
    Outage::silent(error.to_string())
}

impl Sandbox {
    /// Opens its tables, in the platform's database but separate from the platform's own.
    #[must_use]
    pub fn new(db: Db, key: &MasterKey, clock: Arc<dyn Clock>, public_url: String) -> Self {
        Self {
            db,
            clock,
            public_url,
            webhook_key: derived_key(key, "webhook"),
            page_key: derived_key(key, "onboarding"),
        }
    }

    pub(super) async fn tell(
        &self,
        session: &mut Session,
        kind: &str,
        object: &str,
    ) -> Result<(), Error> {
        self.tell_as(session, format!("evt_{object}_{kind}"), kind, object).await
    }

    /// Keeps an event to tell, unless there is one with this id.
    async fn tell_as(
        &self,
        session: &mut Session,
        id: String,
        kind: &str,
        object: &str,
    ) -> Result<(), Error> {
        session
            .run(
                insert("sandbox_event")
                    .set("id", id)
                    .set("kind", kind)
                    .set("object_id", object)
                    .set("created_at", self.clock.now())
                    .unless_exists(&["id"]),
            )
            .await
            .map(|_| ())
    }

    /// All requested movements, oldest first, for comparison with our own books.
    pub async fn log(&self) -> Result<Vec<Logged>, Error> {
        let mut session = self.db.read().await?;
        session
            .all(sql(
                "SELECT idempotency_key AS key, id, kind, reference, amount_cents, currency, \
                      fee_cents, status FROM sandbox_object ORDER BY created_at, idempotency_key",
            ))
            .await
    }

    /// Completes a payout now instead of in two days. For demonstrations and tests.
    pub async fn let_arrive(&self, transfer: &str) -> Result<bool, Error> {
        self.turn(transfer, "('in_transit')", "paid", None).await
    }

    /// Simulates a late bank return: a completed payout is returned.
    pub async fn return_transfer(&self, transfer: &str) -> Result<bool, Error> {
        self.turn(transfer, "('in_transit', 'paid')", "failed", Some("bank_account_closed")).await
    }

    /// A refund fails although it had succeeded, as happens with cards that were closed. Returns
    /// whether there was such a refund under this key.
    pub async fn fail_refund(&self, key: &str) -> Result<bool, Error> {
        let mut session = self.db.begin().await?;
        let failed: Option<(String,)> = session
            .first(
                sql("UPDATE sandbox_object SET status = 'failed', \
                     failure_code = 'lost_or_stolen_card' WHERE idempotency_key = $1 \
                     AND kind = 'refund' AND status = 'succeeded' RETURNING id")
                .bind(key),
            )
            .await?;
        if let Some((refund,)) = &failed {
            self.tell(&mut session, "refund.failed", refund).await?;
            let object: Object = session.one(sql(BY_ID).bind(refund.clone())).await?;
            self.book_back(&mut session, &object).await?;
        }
        session.commit().await?;
        Ok(failed.is_some())
    }

    async fn turn(
        &self,
        transfer: &str,
        from: &'static str,
        to: &'static str,
        failure: Option<&'static str>,
    ) -> Result<bool, Error> {
        let mut session = self.db.begin().await?;
        let text = match from {
            "('in_transit')" => {
                "UPDATE sandbox_object SET status = $2, failure_code = $3 \
                 WHERE id = $1 AND kind = 'transfer' AND status = 'in_transit'"
            }
            _ => {
                "UPDATE sandbox_object SET status = $2, failure_code = $3 \
                 WHERE id = $1 AND kind = 'transfer' AND status IN ('in_transit', 'paid')"
            }
        };
        let turned = session.run(sql(text).bind(transfer).bind(to).bind(failure)).await?;
        if turned > 0 {
            self.tell(&mut session, &format!("transfer.{to}"), transfer).await?;
            if to == "failed" {
                let object: Object = session.one(sql(BY_ID).bind(transfer)).await?;
                self.book_back(&mut session, &object).await?;
            }
        }
        session.commit().await?;
        Ok(turned > 0)
    }

    /// The last part of a page's address: what it is of, with a part that cannot be guessed.
    fn page_of(&self, subject: &str) -> String {
        let mark = aws_lc_rs::hmac::sign(&self.page_key, subject.as_bytes());
        format!("{subject}.{}", hex::encode(mark))
    }

    /// The address of a page of this kind, which leads back to another one.
    fn address_of(&self, kind: &str, subject: &str, back: Option<&str>) -> String {
        let page = self.page_of(subject);
        let mut address = format!("{}/api/sandbox/{kind}/{page}", self.public_url);
        if let Some(back) = back {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("return_url", back);
            address.push('?');
            address.push_str(&query.finish());
        }
        address
    }

    /// What a page with this address is of: an account, a charge or a card's form; none if this
    /// sandbox did not issue it.
    #[must_use]
    pub fn subject_of_page<'a>(&self, page: &'a str) -> Option<&'a str> {
        let (subject, mark) = page.split_once('.')?;
        let mark = hex::decode(mark).ok()?;
        aws_lc_rs::hmac::verify(&self.page_key, subject.as_bytes(), &mark).ok()?;
        Some(subject)
    }

    /// Undelivered events, oldest first, each with its signature.
    pub async fn undelivered(&self) -> Result<Vec<(String, String, Vec<u8>)>, Error> {
        let mut session = self.db.read().await?;
        let rows: Vec<(String, String, String)> = session
            .all(sql("SELECT id, kind, object_id FROM sandbox_event \
                      WHERE delivered_at IS NULL ORDER BY created_at, id LIMIT 100"))
            .await?;
        Ok(rows
            .into_iter()
            .map(|(id, kind, object)| {
                let body = serde_json::json!({ "id": id, "type": kind, "object": object });
                let body = body.to_string().into_bytes();
                (id, self.sign(&body), body)
            })
            .collect())
    }

    /// Records that an event was delivered.
    pub async fn delivered(&self, event: &str) -> Result<(), Error> {
        let mut session = self.db.begin().await?;
        session
            .run(
                sql("UPDATE sandbox_event SET delivered_at = $2 WHERE id = $1")
                    .bind(event)
                    .bind(self.clock.now()),
            )
            .await?;
        session.commit().await
    }

    /// The signature header of a webhook body: `t=SECONDS,v1=HMAC-SHA256`.
    #[must_use]
    pub fn sign(&self, body: &[u8]) -> String {
        signature::sign(&self.webhook_key, self.clock.now(), body)
    }
}

fn derived_key(master: &MasterKey, purpose: &str) -> aws_lc_rs::hmac::Key {
    let key = digest(&SHA256, format!("{purpose}:{}", master.alone().to_hex().expose()).as_bytes());
    aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, key.as_ref())
}

/// What the bank of a test card says to a charge.
#[derive(Clone, Copy)]
enum Bank {
    Pays,
    /// It pays, but the money can be paid out only some days later.
    PaysLater,
    Declines(&'static str),
    /// It wants the cardholder to confirm.
    Asks,
}

impl Bank {
    fn in_words(self) -> &'static str {
        match self {
            Self::Pays => "is charged",
            Self::PaysLater => "is charged, and can be paid out after two days",
            Self::Declines("insufficient_funds") => "is declined for insufficient funds",
            Self::Declines(_) => "is declined",
            Self::Asks => "must be confirmed by the cardholder",
        }
    }
}

type Card = (&'static str, &'static str, Bank);

fn known_card(number: &str) -> Option<&'static Card> {
    CARDS.iter().find(|(known, ..)| *known == number)
}

/// A name made of a text that does not reveal it.
fn short_hash(text: &str) -> String {
    let name = hex::encode(digest(&SHA256, text.as_bytes()));
    name.get(..24).unwrap_or(&name).to_owned()
}
