//! Events for endpoints of webhooks: a row for each endpoint that wants an event, written in the
//! transaction that causes it. The worker sends the rows (`webhooks`).
//!
//! The rows say what happened and to which records, in ids, states and cents. What else a receiver
//! may see of a record, it asks for.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Event, HookOwner};
use crate::error::{Error, Result};
use crate::kernel::{
    Cents, CollegeId, ContractId, Identity, PartnerId, PaymentId, Random, Time, UserId,
    WebhookEndpointId,
};
use crate::storage::{Insert, Session, Written, insert, sql};

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

/// An event as the statements see it.
#[derive(Serialize)]
struct Row<'a> {
    /// Its place among the events of the transaction.
    place: usize,
    /// Whom it concerns.
    whom: i64,
    name: &'a str,
    /// Whether brands and institutions hear it.
    brands: bool,
    institutions: bool,
    message: String,
    body: String,
}

/// The statements that write the events of `$1` for the endpoints that `$joined` finds as `e`, with
/// `$2` for the instant. An endpoint has no room if it has the delivery with number `$3` of those
/// that wait.
macro_rules! published {
    ($joined:literal) => {
        Texts {
            marked: published!(marked of_sqlite $joined),
            marked_on_postgres: published!(marked of_postgres $joined),
            written: published!(written of_sqlite $joined),
            written_on_postgres: published!(written of_postgres $joined),
        }
    };
    (marked $rows:ident $joined:literal) => {
        concat!(
            "UPDATE webhook_endpoint SET overflowed_at = $2 WHERE overflowed_at IS NULL \
             AND enabled AND id IN (SELECT e.id FROM ",
            published!($rows), $joined, published!(wanted $rows), ") AND EXISTS ",
            published!(full "webhook_endpoint.id"),
        )
    };
    (written $rows:ident $joined:literal) => {
        concat!(
            "INSERT INTO webhook_delivery (endpoint_id, message_id, event, body, status, attempts, \
             next_at, created_at) SELECT e.id, ev.message || '_' || CAST(e.id AS TEXT), ev.name, \
             ev.body, 'pending', 0, $2, $2 FROM ",
            published!($rows), $joined, published!(wanted $rows), " AND e.enabled AND NOT EXISTS ",
            published!(full "e.id"), " ORDER BY ev.place, e.id",
        )
    };
    (of_sqlite) => {
        "(SELECT value ->> 'place' AS place, value ->> 'whom' AS whom, value ->> 'name' AS name, \
         value ->> 'brands' AS brands, value ->> 'institutions' AS institutions, \
         value ->> 'message' AS message, value ->> 'body' AS body FROM json_each($1)) ev "
    };
    (of_postgres) => {
        "jsonb_to_recordset($1) AS ev (place BIGINT, whom BIGINT, name TEXT, brands BOOLEAN, \
         institutions BOOLEAN, message TEXT, body TEXT) "
    };
    (wanted of_sqlite) => {
        concat!(
            published!(heard),
            "EXISTS (SELECT 1 FROM json_each(e.events) listed WHERE listed.value = ev.name)"
        )
    };
    (wanted of_postgres) => { concat!(published!(heard), "e.events @> to_jsonb(ev.name)") };
    // An account that is suspended or closed hears nothing.
    (heard) => {
        " WHERE (ev.brands AND EXISTS (SELECT 1 FROM partner o JOIN app_user u ON u.id = o.user_id \
         WHERE o.id = e.partner_id AND u.status = 'active') \
         OR e.college_id IS NOT NULL AND ev.institutions) AND "
    };
    (full $endpoint:literal) => {
        concat!(
            "(SELECT d.id FROM webhook_delivery d WHERE d.endpoint_id = ", $endpoint,
            " AND d.status = 'pending' LIMIT 1 OFFSET $3)"
        )
    };
}

/// Statements on both engines.
struct Texts {
    /// Marks the endpoints that have no room; the worker switches them off.
    marked: &'static str,
    marked_on_postgres: &'static str,
    /// Writes a delivery for those that have.
    written: &'static str,
    written_on_postgres: &'static str,
}

/// The statements for each way to say whom an event concerns.
const WAYS: [Texts; 5] = [
    published!("JOIN webhook_endpoint e ON e.partner_id = ev.whom"),
    published!(
        "JOIN partner p ON p.user_id = ev.whom JOIN webhook_endpoint e ON e.partner_id = p.id"
    ),
    published!("JOIN webhook_endpoint e ON e.college_id = ev.whom"),
    published!(
        "JOIN contract c ON c.id = ev.whom \
         JOIN webhook_endpoint e ON e.partner_id = c.partner_id OR e.college_id = c.college_id"
    ),
    published!(
        "JOIN payment p ON p.id = ev.whom JOIN contract c ON c.id = p.contract_id \
         JOIN webhook_endpoint e ON e.partner_id = p.partner_id OR e.college_id = c.college_id"
    ),
];

impl Concerned {
    /// The id, and its place in [`WAYS`].
    fn way(self) -> (usize, i64) {
        match self {
            Self::Brand(id) => (0, id.get()),
            Self::BrandOf(user) => (1, user.get()),
            Self::Institution(id) => (2, id.get()),
            Self::Contract(id) => (3, id.get()),
            Self::Payment(id) => (4, id.get()),
        }
    }
}

/// Writes the events of one transaction for the endpoints that want them, with two statements for
/// each way to say whom they concern. An endpoint that has too many deliveries is marked instead;
/// one transaction can take it over the limit. Returns how many deliveries there are, for after the
/// commit.
pub async fn publish(
    session: &mut Session,
    random: &dyn Random,
    now: Time,
    published: &[Published],
) -> Result<Vec<Written>> {
    let mut written = Vec::new();
    for (way, texts) in WAYS.iter().enumerate() {
        let mut rows = Vec::new();
        for (place, one) in published.iter().enumerate() {
            let (own, whom) = one.concerned.way();
            if own != way {
                continue;
            }
            let name = one.event.as_str();
            let body = WebhookBody { event: name, timestamp: now, data: &one.data };
            rows.push(Row {
                place,
                whom,
                name,
                brands: one.event.is_heard_by(HookOwner::Brand),
                institutions: one.event.is_heard_by(HookOwner::Institution),
                message: message_id(random),
                body: serde_json::to_string(&body).map_err(Error::internal)?,
            });
        }
        if rows.is_empty() {
            continue;
        }
        let of = |text, on_postgres| {
            let text = sql(text).on_postgres(on_postgres);
            text.bind(json!(rows)).bind(now).bind(MOST_WAITING - 1)
        };
        // First, while it sees what waits without these events.
        let marked = of(texts.marked, texts.marked_on_postgres);
        session.update_later("webhook_endpoint", marked).await?;
        let row = of(texts.written, texts.written_on_postgres);
        written.push(session.insert_later("webhook_delivery", row).await?);
    }
    Ok(written)
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
