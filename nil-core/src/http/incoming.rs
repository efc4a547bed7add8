//! Reading a request: its body within limits and deadlines, and the fields it carries.

use std::time::Duration;

use ::http::HeaderMap;
use ::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use bytes::{Buf, Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt as _;
use tokio::time::{Instant, timeout, timeout_at};

use super::form;
use crate::catalog::Interface;
use crate::error::{Error, Result, codes};
use crate::operation::Fields;

/// Between two pieces of a body.
const IDLE: Duration = Duration::from_secs(10);
/// For a whole body.
const TOTAL: Duration = Duration::from_secs(30);

/// Collects a body of at most `limit` bytes. A longer one is refused as soon as that is known.
pub(super) async fn collect<B>(body: B, headers: &HeaderMap, limit: usize) -> Result<Bytes>
where
    B: Body + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(codes::BODY_TOO_LARGE.into());
    }
    let late = || codes::MALFORMED_JSON.saying("The body did not arrive in time.");
    let deadline = Instant::now() + TOTAL;
    let mut body = body;
    let mut all = BytesMut::new();
    loop {
        let frame = timeout_at(deadline, timeout(IDLE, body.frame()))
            .await
            .map_err(|_| late())?
            .map_err(|_| late())?;
        match frame {
            None => return Ok(all.freeze()),
            Some(Err(error)) => {
                let error: Box<dyn std::error::Error + Send + Sync> = error.into();
                return Err(codes::MALFORMED_JSON
                    .saying("The body broke off.")
                    .because(error));
            }
            Some(Ok(frame)) => {
                if let Ok(mut data) = frame.into_data() {
                    if all.len().saturating_add(data.remaining()) > limit {
                        return Err(codes::BODY_TOO_LARGE.into());
                    }
                    all.extend_from_slice(&data.copy_to_bytes(data.remaining()));
                }
            }
        }
    }
}

/// The fields of a row that takes the request as it came: the body, and its signature.
pub(super) fn raw(headers: &HeaderMap, body: &[u8]) -> Fields {
    let mut fields = Fields::default();
    fields.put("body", String::from_utf8_lossy(body).into_owned());
    if let Some(signature) = headers
        .get("processor-signature")
        .and_then(|v| v.to_str().ok())
    {
        fields.put("signature", signature.to_owned());
    }
    fields
}

/// The fields of a body. An empty one is `{}` whatever its type; a missing type is JSON; the back
/// office takes forms besides.
pub(super) async fn fields(
    interface: Interface,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Fields> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Fields::default());
    }
    let content_type = match headers.get(CONTENT_TYPE) {
        None => "application/json",
        Some(value) => value
            .to_str()
            .map_err(|_| Error::from(codes::UNSUPPORTED_MEDIA_TYPE))?,
    };
    let essence = content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let json = essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"));
    match essence.as_str() {
        _ if json => Fields::from_json(&body),
        "application/x-www-form-urlencoded" if interface == Interface::Admin => {
            Ok(form::urlencoded(&body))
        }
        "multipart/form-data" if interface == Interface::Admin => {
            form::multipart(content_type, body).await
        }
        _ if interface == Interface::Admin => Err(codes::UNSUPPORTED_MEDIA_TYPE
            .saying("Send JSON, an urlencoded form or a multipart form.")),
        _ => {
            Err(codes::UNSUPPORTED_MEDIA_TYPE.saying("Send JSON (Content-Type: application/json)."))
        }
    }
}
