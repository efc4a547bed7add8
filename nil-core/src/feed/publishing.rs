//! Events for endpoints of webhooks: a row for each endpoint that wants an event, written in the
//! transaction that causes it. The worker sends the rows (`webhooks`).
//!
//! The rows say what happened and to which records, in ids, states and cents. What else a receiver
//! may see of a record, it asks for.

use sea_query::{Expr, ExprTrait as _};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Event, HookOwner};
use crate::error::{Error, Result};
use crate::kernel::{
    Cents, CollegeId, ContractId, Identity, PartnerId, PaymentId, Random, Time, UserId,
    WebhookEndpointId,
};
use crate::storage::{FromRow, Insert, Session, insert, sql, update};

/// The number of deliveries that can wait for one endpoint. An endpoint that is further behind is
/// switched off.
const MOST_WAITING: i64 = 1_000;

/// Whom an event concerns. The event's row says which kinds of owners hear it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concerned {
    /// A brand.
    Brand(PartnerId),
    /// The brand with this account; nobody if it is no brand's.
    BrandOf(UserId),
    /// An institution.
    Institution(CollegeId),
    /// The brand of a contract and the institution that the contract belongs to.
    Contract(ContractId),
    /// The brand and the institution of a payment's contract.
    Payment(PaymentId),
}

/// An event to tell to endpoints of webhooks after the transaction commits.
#[derive(Clone, Debug)]
pub struct Published {
    event: Event,
    concerned: Concerned,
    data: Map<String, Value>,
}

/// The body of a delivery.
#[derive(Clone, Debug, Serialize)]
pub struct WebhookBody<'a> {
    /// The name of the event.
    #[serde(rename = "type")]
    pub event: &'a str,
    /// When it happened.
    pub timestamp: Time,
    /// The records that it concerns.
    pub data: &'a Map<String, Value>,
}

impl Published {
    /// An event that concerns somebody.
    #[must_use]
    pub fn new(event: Event, concerned: Concerned) -> Self {
        debug_assert!(!event.row().heard_by.is_empty(), "{event} is heard by no endpoint");
        Self { event, concerned, data: Map::new() }
    }

    /// Names a record that it concerns, such as `contract_id`.
    #[must_use]
    pub fn with(mut self, id: impl Identity) -> Self {
        self.data.insert(format!("{}_id", id_name(id)), id.number().into());
        self
    }

    /// Says the state of the record, or another word about it.
    #[must_use]
    pub fn saying(mut self, name: &str, word: &str) -> Self {
        self.data.insert(name.to_owned(), word.into());
        self
    }

    /// Says an amount; the name ends in `_cents`.
    #[must_use]
    pub fn worth(mut self, name: &str, amount: Cents) -> Self {
        debug_assert!(name.ends_with("_cents"), "{name}");
        self.data.insert(name.to_owned(), json!(amount));
        self
    }
}

/// The kind of record in the name of a field.
fn id_name<I: Identity>(_: I) -> &'static str {
    I::KIND
}

/// An endpoint that may want an event.
#[derive(FromRow)]
struct Candidate {
    id: WebhookEndpointId,
    #[row(json)]
    events: Vec<String>,
    is_brands: bool,
}

/// Writes the events of one transaction for the endpoints that want them; returns whether the
/// worker has something to send.
pub async fn publish(
    session: &mut Session,
    random: &dyn Random,
    now: Time,
    published: &[Published],
) -> Result<bool> {
    let mut written = false;
    for one in published {
        for endpoint in listening(session, one).await? {
            written |= add(session, random, now, (one, endpoint)).await?;
        }
    }
    Ok(written)
}

/// The endpoints that hear the event.
async fn listening(session: &mut Session, one: &Published) -> Result<Vec<WebhookEndpointId>> {
    const OF_BRAND: &str = "SELECT id, events, TRUE AS is_brands FROM webhook_endpoint \
        WHERE partner_id = $1 AND enabled ORDER BY id";
    const OF_ACCOUNT: &str = "SELECT e.id, e.events, TRUE AS is_brands FROM partner p \
        JOIN webhook_endpoint e ON e.partner_id = p.id WHERE p.user_id = $1 AND e.enabled \
        ORDER BY e.id";
    const OF_INSTITUTION: &str = "SELECT id, events, FALSE AS is_brands FROM webhook_endpoint \
        WHERE college_id = $1 AND enabled ORDER BY id";
    const OF_CONTRACT: &str = "SELECT id, events, (partner_id IS NOT NULL) AS is_brands \
        FROM webhook_endpoint \
        WHERE (partner_id = (SELECT partner_id FROM contract WHERE id = $1) \
        OR college_id = (SELECT college_id FROM contract WHERE id = $1)) AND enabled ORDER BY id";
    const OF_PAYMENT: &str = "SELECT id, events, (partner_id IS NOT NULL) AS is_brands \
        FROM webhook_endpoint \
        WHERE (partner_id = (SELECT partner_id FROM payment WHERE id = $1) \
        OR college_id = (SELECT c.college_id FROM payment p JOIN contract c ON c.id = p.contract_id \
        WHERE p.id = $1)) AND enabled ORDER BY id";
    let statement = match one.concerned {
        Concerned::Brand(id) => sql(OF_BRAND).bind(id),
        Concerned::BrandOf(user) => sql(OF_ACCOUNT).bind(user),
        Concerned::Institution(id) => sql(OF_INSTITUTION).bind(id),
        Concerned::Contract(id) => sql(OF_CONTRACT).bind(id),
        Concerned::Payment(id) => sql(OF_PAYMENT).bind(id),
    };
    let candidates: Vec<Candidate> = session.all(statement).await?;
    let wants = |candidate: &Candidate| {
        let owner = if candidate.is_brands { HookOwner::Brand } else { HookOwner::Institution };
        one.event.is_heard_by(owner)
            && candidate.events.iter().any(|name| one.event.as_str() == name)
    };
    Ok(candidates.into_iter().filter(wants).map(|candidate| candidate.id).collect())
}

/// Adds a delivery, if there is room for it. Otherwise the endpoint is marked, and the worker
/// switches it off.
async fn add(
    session: &mut Session,
    random: &dyn Random,
    now: Time,
    (one, endpoint): (&Published, WebhookEndpointId),
) -> Result<bool> {
    if is_full(session, endpoint).await? {
        let full = update("webhook_endpoint")
            .set("overflowed_at", now)
            .when("id", endpoint)
            .and(Expr::col("overflowed_at").is_null());
        session.run(full).await?;
        return Ok(false);
    }
    let body = WebhookBody { event: one.event.as_str(), timestamp: now, data: &one.data };
    session.run(delivery(endpoint, random, &body)?).await?;
    Ok(true)
}

/// Whether another delivery finds no room among those that wait for an endpoint.
pub async fn is_full(session: &mut Session, endpoint: WebhookEndpointId) -> Result<bool> {
    let waiting: i64 = session
        .value(
            sql("SELECT COUNT(*) FROM (SELECT id FROM webhook_delivery \
                 WHERE endpoint_id = $1 AND status = 'pending' LIMIT $2) waiting")
            .bind(endpoint)
            .bind(MOST_WAITING),
        )
        .await?;
    Ok(waiting >= MOST_WAITING)
}

/// The row of a delivery that is due at once, under a new id of its message.
pub fn delivery(
    endpoint: WebhookEndpointId,
    random: &dyn Random,
    body: &WebhookBody<'_>,
) -> Result<Insert> {
    Ok(insert("webhook_delivery")
        .set("endpoint_id", endpoint)
        .set("message_id", message_id(random))
        .set("event", body.event)
        .set("body", serde_json::to_string(body).map_err(Error::internal)?)
        .set("status", "pending")
        .set("attempts", 0_i64)
        .set("next_at", body.timestamp)
        .set("created_at", body.timestamp))
}

/// A new id of a message, by which receivers know it again.
fn message_id(random: &dyn Random) -> String {
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    format!("msg_{}", hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_names_records_states_and_cents() {
        let contract = ContractId::new(7).unwrap();
        let told = Published::new(Event::ContractExecuted, Concerned::Contract(contract))
            .with(contract)
            .saying("status", "executed")
            .worth("amount_cents", Cents(125_000));
        let timestamp = "2026-11-20T13:00:00Z".parse().unwrap();
        let body = WebhookBody { event: told.event.as_str(), timestamp, data: &told.data };
        assert_eq!(
            serde_json::to_value(&body).unwrap(),
            json!({
                "type": "contract.executed",
                "timestamp": "2026-11-20T13:00:00Z",
                "data": { "contract_id": 7, "status": "executed", "amount_cents": 125_000 }
            })
        );
    }

    #[test]
    fn messages_have_ids_of_their_own() {
        let one = message_id(&crate::kernel::SystemRandom);
        assert_ne!(one, message_id(&crate::kernel::SystemRandom));
        assert!(one.len() == 36 && one.starts_with("msg_"), "{one}");
    }
}
