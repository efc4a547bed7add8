//! The security schemes of the documents: how callers authenticate.

use serde_json::{Value, json};

use crate::catalog::{Entry, Interface, Needs};

/// The security schemes of an interface.
pub(super) fn schemes(interface: Interface) -> Value {
    match interface {
        Interface::Core => json!({
            "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" },
            "registration": {
                "type": "http", "scheme": "bearer",
                "description": "The `registration_token` of the first registration step; it may \
                    also stand in the body."
            },
            "api_key": { "type": "apiKey", "in": "header", "name": "X-API-KEY" },
            "athlete_token": {
                "type": "apiKey", "in": "header", "name": "X-Athlete-Token",
                "description": "Identifies the athlete a model host works for. Requests and \
                    responses are also signed: `X-Timestamp`, `X-Nonce`, `X-Signature`."
            }
        }),
        Interface::Compliance => json!({
            "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" }
        }),
        Interface::Admin => json!({
            "session": { "type": "apiKey", "in": "cookie", "name": "nil_admin_session" },
            "csrf": { "type": "apiKey", "in": "header", "name": "X-CSRF-Token" }
        }),
    }
}

/// The security requirements of an operation.
pub(super) fn asked(entry: &Entry) -> Value {
    match (entry.interface, entry.callers, entry.needs) {
        (_, ["registrant"], _) => json!([{ "registration": [] }]),
        (_, _, Needs::Scope(_)) => json!([{ "api_key": [] }]),
        _ if entry.is_signed() => json!([{ "api_key": [], "athlete_token": [] }]),
        (Interface::Admin, _, _) if entry.method.has_body() => {
            json!([{ "session": [], "csrf": [] }])
        }
        _ if entry.is_open() => json!([]),
        (Interface::Admin, _, _) => json!([{ "session": [] }]),
        _ => json!([{ "bearer": [] }]),
    }
}

/// The headers of a signed request besides its credentials.
pub(super) fn signature_headers() -> [Value; 3] {
    let header = |name: &str, about: &str, schema: Value| {
        json!({
            "name": name, "in": "header", "required": true, "description": about, "schema": schema
        })
    };
    [
        header(
            "X-Timestamp",
            "seconds since 1970; must be within 300 seconds of the server's clock",
            json!({ "type": "string", "pattern": "^[0-9]{1,12}$" }),
        ),
        header(
            "X-Nonce",
            "must not have been used before with this key",
            json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$" }),
        ),
        header(
            "X-Signature",
            "HMAC-SHA256 under the key's signing secret, in hexadecimal, of `nil-request-1`, method, \
             path with query, timestamp, nonce, token, and the hexadecimal SHA-256 of the body, one per \
             line",
            json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" }),
        ),
    ]
}
