//! The security schemes of the documents: how callers authenticate.

use serde_json::{Value, json};

use crate::catalog::{Entry, Interface, Needs, Signer};
use crate::operation::Gives;

const CORE_TOKEN: &str = "Log in with `POST /login`: the answer's `access_token` is the token. The last step of each \
registration answers one too, in `data.access_token`. Send it as `Authorization: Bearer <token>`. It is valid for 12 hours \
unless the server is configured otherwise; `expires_at` beside it tells when it ends. There is no refresh: log in again. \
`POST /logout`, a new password or a suspension ends it at once, and then it gets 401.";

const PORTAL_TOKEN: &str = "Log in with `POST /login`: the answer's `token` is the token. `POST /set-password` answers one too, \
in `data.token`. Send it as `Authorization: Bearer <token>`. It is valid for 12 hours unless the server is configured \
otherwise; `expires_at` beside it tells when it ends. There is no refresh: log in again. `POST /logout` or a new password \
ends it at once, and then it gets 401. Tokens of the Core interface are not accepted here.";

const REGISTRATION_TOKEN: &str = "The `data.registration_token` of a registration's first step (`POST /athlete/register`, \
`POST /partner/register`, `POST /agent/register-new`, `POST /fan/register`). The later steps carry it as \
`Authorization: Bearer <token>` or as the field `registration_token` of the body. It is valid for 24 hours, until the \
registration is finished, and for nothing else.";

const STREAM_TICKET: &str = "The `data.ticket` of `POST /events/ticket`, for a browser's `EventSource`, which sends no headers: \
`GET /events?ticket=<ticket>`. It opens streams for 60 seconds while the session that asked for it is valid, and nothing else.";

const API_KEY: &str = "A key for another program. The platform's operator makes it with \
`nil api-key create --name NAME --scopes SCOPES`, which shows it once. The scope is `internal` for `/internal/…`, `ai_tools` \
for `/ai-tools/…` and `affiliate` for `/affiliate-links/conversions`. Send it as `X-API-KEY: <key>`. A key does not \
expire; `nil api-key revoke` ends it at once.";

const ATHLETE_TOKEN: &str = "Identifies the athlete a model host works for. The athlete gets it from \
`POST /athlete/ai-athlete-assistant/token`, in `data.athlete_token`; it is valid for 10 minutes. Send it as \
`X-Athlete-Token: <token>` beside the API key. Requests and responses are also signed: `X-Timestamp`, `X-Nonce`, \
`X-Signature`.";

const SESSION: &str = "The session's cookie. `GET /updateCsrfToken` sets it for a visitor, and `POST /check-login` replaces it by \
that of the operator; it is `HttpOnly`, so a browser sends it by itself. It ends after 8 hours without a request, after 24 \
hours, and with `GET /logout`. Bearer tokens are not accepted here.";

const CSRF: &str = "The CSRF token, which every request but GET carries: in this header, or as the field `_token` or `csrf_token` of \
the body. `GET /updateCsrfToken` answers it in `data.csrf_token`; `POST /check-login` and `POST /change-password` begin a new \
session and answer its token in `data.csrf_token`. A token is valid until its session ends. Without one the answer is 403 \
`csrf_invalid`.";

/// The security schemes of an interface: how each credential is got, and how it is sent.
pub(super) fn schemes(interface: Interface) -> Value {
    let bearer = |about: &str| json!({ "type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": about });
    let header = |name: &str, about: &str| json!({ "type": "apiKey", "in": "header", "name": name, "description": about });
    match interface {
        Interface::Core => json!({
            "bearer": bearer(CORE_TOKEN),
            "registration": {
                "type": "http", "scheme": "bearer", "description": REGISTRATION_TOKEN
            },
            "stream_ticket": {
                "type": "apiKey", "in": "query", "name": "ticket", "description": STREAM_TICKET
            },
            "api_key": header("X-API-KEY", API_KEY),
            "athlete_token": header("X-Athlete-Token", ATHLETE_TOKEN)
        }),
        Interface::Compliance => json!({ "bearer": bearer(PORTAL_TOKEN) }),
        Interface::Admin => json!({
            "session": {
                "type": "apiKey", "in": "cookie", "name": "nil_admin_session", "description": SESSION
            },
            "csrf": header("X-CSRF-Token", CSRF)
        }),
    }
}

/// The security requirements of an operation.
pub(super) fn asked(entry: &Entry) -> Value {
    match (entry.interface, entry.callers, entry.needs) {
        (_, ["registrant"], _) => json!([{ "registration": [] }]),
        (_, _, Needs::Scope(_)) => json!([{ "api_key": [] }]),
        _ if entry.is_signed() => json!([{ "api_key": [], "athlete_token": [] }]),
        _ if entry.is_signed_address() => json!([]),
        (Interface::Admin, _, _) if entry.method.has_body() => {
            json!([{ "session": [], "csrf": [] }])
        }
        _ if entry.is_open() => json!([]),
        _ if entry.gives == Gives::Events => json!([{ "bearer": [] }, { "stream_ticket": [] }]),
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

/// The header of a raw request that carries its signature.
pub(super) fn event_signature(signer: Signer) -> Vec<Value> {
    let text = |name: &str, place: &str, what: &str| {
        json!({
            "name": name, "in": place, "required": true, "description": what,
            "schema": { "type": "string" }
        })
    };
    let signature = "the sender's signature of the body";
    match signer {
        Signer::Processor => vec![text("Processor-Signature", "header", signature)],
        Signer::MailService => vec![
            text("webhook-id", "header", "the report's id, the same for every try"),
            text("webhook-timestamp", "header", "when it is sent, in seconds since 1970"),
            text("webhook-signature", "header", "`v1,` and the signature; blanks separate several"),
        ],
        Signer::TextProvider => vec![
            text("message", "query", "the message, from the address that the provider was given"),
            text("X-Twilio-Signature", "header", "the signature of the address and the fields"),
        ],
    }
}
