//! What is sent to an endpoint, and what came of it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Time, WebhookDeliveryId, WebhookEndpointId};
use crate::storage::FromRow;

/// The name of the event that an owner sends to try an endpoint out. Every endpoint hears it.
pub const TEST_EVENT: &str = "webhook.test";

vocabulary! {
    /// The state of a delivery.
    DeliveryStatus {
        /// It waits for its next try.
        Pending = "pending",
        /// The receiver took it.
        Delivered = "delivered",
        /// It was given up.
        Failed = "failed",
    }
}

/// A delivery.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct WebhookDelivery {
    /// Its id.
    pub id: WebhookDeliveryId,
    /// The endpoint.
    #[row(rename = "endpoint_id")]
    pub webhook_id: WebhookEndpointId,
    /// The header `webhook-id`, the same at each try.
    pub message_id: String,
    /// The event; `webhook.test` for a test.
    pub event: String,
    /// The body that is sent.
    pub body: String,
    /// Its state.
    pub status: DeliveryStatus,
    /// The number of tries.
    pub attempts: i64,
    /// The time of the next try; null if there is none.
    pub next_at: Option<Time>,
    /// The time of the last try.
    pub tried_at: Option<Time>,
    /// The status of the last answer; null if there was none.
    pub answer_status: Option<i64>,
    /// The first 1,024 bytes of the last answer, as text.
    pub answer: Option<String>,
    /// Why the last try failed, or why it was given up.
    pub error: Option<String>,
    /// When the event happened.
    pub created_at: Time,
}
