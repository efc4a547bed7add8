//! The requests that endpoints of webhooks receive: one for each event of the interface's owners,
//! from the events' rows.

use schemars::JsonSchema as _;
use serde_json::{Map, Value, json};

use super::Generator;
use crate::feed::{Event, HookOwner};
use crate::kernel::Interface;
use crate::kernel::vocabulary::ABOUT;
use crate::webhooks::TEST_EVENT;

const TAKEN: &str = "The event was taken; any status from 200 to 299.";
const GONE: &str = "The receiver wants no more: the endpoint is switched off.";
const OTHERS: &str = "The event was not taken; it is sent again.";
const ID: &str = "the id of the message, the same each time that it is sent";
const AT: &str = "when this request was sent, in seconds since 1970";
const SIGNATURE: &str = "`v1,` and the HMAC-SHA256 in base64 of id, time and body, joined by full stops; after the secret was replaced there are \
     two for a day, with a blank between them";
const DATA: &str = "the ids of the records that it concerns, their state, and amounts in cents; what else the receiver may see \
    of them, it asks for";

/// The requests to the endpoints of an interface's owners.
pub(super) fn requests(interface: Interface) -> Map<String, Value> {
    let owner = match interface {
        Interface::Core => HookOwner::Brand,
        Interface::Compliance => HookOwner::Institution,
        Interface::Admin => return Map::new(),
    };
    let words = Event::json_schema(&mut Generator::default());
    let words = words.get(ABOUT).and_then(Value::as_str).unwrap_or_default();
    let heard = Event::ALL.iter().filter(|event| event.is_heard_by(owner));
    let mut requests: Map<String, Value> = heard
        .map(|event| (event.to_string(), request(event.as_str(), about(words, *event))))
        .collect();
    requests.insert(TEST_EVENT.into(), request(TEST_EVENT, "The owner tries the endpoint out."));
    requests
}

/// What the event is, from the list of all events.
fn about(words: &str, event: Event) -> &str {
    let prefix = format!("- `{event}`:");
    let line = words.lines().find_map(|line| line.strip_prefix(&prefix));
    line.unwrap_or_default().trim()
}

fn request(event: &str, about: &str) -> Value {
    let header = |name: &str, about: &str| {
        json!({
            "name": name, "in": "header", "required": true, "description": about,
            "schema": { "type": "string" }
        })
    };
    let answer = |about: &str| json!({ "description": about });
    let data = if event == TEST_EVENT { "webhook_endpoint_id" } else { "contract_id" };
    json!({ "post": {
        "summary": about,
        "tags": ["Webhooks"],
        "parameters": [
            header("webhook-id", ID),
            header("webhook-timestamp", AT),
            header("webhook-signature", SIGNATURE),
        ],
        "requestBody": {
            "required": true,
            "content": { "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "type": {
                            "type": "string", "const": event, "description": "the event"
                        },
                        "timestamp": {
                            "type": "string", "format": "date-time",
                            "description": "when it happened"
                        },
                        "data": {
                            "type": "object", "description": DATA, "additionalProperties": true
                        }
                    },
                    "required": ["type", "timestamp", "data"]
                },
                "example": {
                    "type": event, "timestamp": "2026-11-20T13:00:00Z", "data": { data: 1 }
                }
            } }
        },
        "responses": {
            "2XX": answer(TAKEN), "410": answer(GONE), "default": answer(OTHERS)
        }
    } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_told_what_they_can_hear() {
        let brands = requests(Interface::Core);
        let institutions = requests(Interface::Compliance);
        assert!(brands.contains_key("payment.failed") && brands.contains_key(TEST_EVENT));
        assert!(institutions.contains_key("clearance.cleared"));
        assert!(!institutions.contains_key("payment.failed"));
        assert!(!brands.contains_key("otp.sent") && requests(Interface::Admin).is_empty());
        let summary = &brands["contract.executed"]["post"]["summary"];
        assert_eq!(summary, "Both sides have agreed to a contract.");
    }
}
