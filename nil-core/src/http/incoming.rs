//! Reading a request: its body within limits and deadlines, and the fields it carries.

use std::time::Duration;

use ::http::HeaderMap;
use ::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use bytes::{Buf, Bytes, BytesMut};
use futures::{Stream, TryStreamExt as _, stream};
use http_body::Body;
use http_body_util::BodyExt as _;
use tokio::time::{Instant, timeout, timeout_at};

use super::form;
use crate::catalog::{Entry, Interface};
use crate::content::{LARGEST_IN_JSON, MediaType};
use crate::error::{Error, Result, codes};
use crate::operation::Fields;
use crate::platform::Platform;

/// Between two pieces of a body.
const IDLE: Duration = Duration::from_secs(10);
/// For a whole body.
const TOTAL: Duration = Duration::from_secs(30);
/// For a whole body with a file in it.
const TOTAL_WITH_A_FILE: Duration = Duration::from_mins(2);
/// What may stand beside a file in a body: the other fields, the form's boundaries.
const BESIDE_A_FILE: usize = 64 * 1024;

/// What a body may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Its bytes.
    pub bytes: usize,
    /// How long it may take as a whole.
    pub total: Duration,
}

impl Limits {
    /// The limits of a usual body.
    pub(super) const fn usual(bytes: usize) -> Self {
        Self {
            bytes,
            total: TOTAL,
        }
    }

    /// The limits of a body with a file in it.
    fn of_file(headers: &HeaderMap) -> Self {
        if !is_multipart(headers) {
            return Self::of_json_with_files();
        }
        Self {
            bytes: MediaType::LARGEST + BESIDE_A_FILE,
            total: TOTAL_WITH_A_FILE,
        }
    }

    /// The limits of a JSON body with files in base64: the largest one, or several small ones.
    const fn of_json_with_files() -> Self {
        Self {
            bytes: LARGEST_IN_JSON.div_ceil(3) * 4 + BESIDE_A_FILE,
            total: TOTAL_WITH_A_FILE,
        }
    }

    /// The limits of a body of this row where it is a file or has one in it; none for any other. Refused
    /// where the query admits no bytes.
    pub(super) fn of_row(
        platform: &Platform,
        entry: &Entry,
        headers: &HeaderMap,
        query: &str,
    ) -> Result<Option<Self>> {
        if let Some(admits) = entry.takes_bytes {
            let bytes = admits(platform, &form::urlencoded(query.as_bytes())?)?;
            let total = TOTAL_WITH_A_FILE;
            return Ok(Some(Self { bytes, total }));
        }
        if entry.carries_files {
            return Ok(Some(Self::of_json_with_files()));
        }
        Ok(entry.takes_file.then(|| Self::of_file(headers)))
    }

    /// How many bytes the body will have, at most.
    pub(super) fn announced(self, headers: &HeaderMap) -> usize {
        announced(headers).unwrap_or(self.bytes).min(self.bytes)
    }
}

fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The pieces of a body within its limits. A body that is too long is refused as soon as that is known.
fn pieces<B>(
    body: B,
    headers: &HeaderMap,
    limits: Limits,
) -> Result<impl Stream<Item = Result<Bytes>> + Send>
where
    B: Body + Send + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if announced(headers).is_some_and(|length| length > limits.bytes) {
        return Err(codes::BODY_TOO_LARGE.into());
    }
    let deadline = Instant::now() + limits.total;
    let late = || codes::MALFORMED_JSON.saying("The body did not arrive in time.");
    Ok(stream::try_unfold(
        (body, 0),
        move |(mut body, taken)| async move {
            loop {
                let frame = timeout_at(deadline, timeout(IDLE, body.frame()))
                    .await
                    .map_err(|_| late())?
                    .map_err(|_| late())?;
                let frame = match frame {
                    None => return Ok(None),
                    Some(frame) => frame.map_err(|error| {
                        let error: Box<dyn std::error::Error + Send + Sync> = error.into();
                        codes::MALFORMED_JSON
                            .saying("The body broke off.")
                            .because(error)
                    })?,
                };
                // Trailers say nothing to us.
                let Ok(mut data) = frame.into_data() else {
                    continue;
                };
                let taken = data.remaining().saturating_add(taken);
                if taken > limits.bytes {
                    return Err(codes::BODY_TOO_LARGE.into());
                }
                return Ok(Some((data.copy_to_bytes(data.remaining()), (body, taken))));
            }
        },
    ))
}

/// Collects a body.
pub(super) async fn collect<B>(body: B, headers: &HeaderMap, limits: Limits) -> Result<Bytes>
where
    B: Body + Send + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut pieces = std::pin::pin!(pieces(body, headers, limits)?);
    let mut all = BytesMut::new();
    while let Some(piece) = pieces.try_next().await? {
        all.extend_from_slice(&piece);
    }
    Ok(all.freeze())
}

/// The fields of a row that takes a file: of a multipart form, whose file is never in memory twice, or
/// of a usual body.
pub(super) async fn with_file<B>(
    interface: Interface,
    body: B,
    headers: &HeaderMap,
    limits: Limits,
) -> Result<Fields>
where
    B: Body + Send + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
    {
        Some(content_type) if is_multipart(headers) => {
            form::with_file(content_type, pieces(body, headers, limits)?).await
        }
        _ => fields(interface, headers, collect(body, headers, limits).await?).await,
    }
}

/// The fields of a row that takes the body as it comes.
pub(super) async fn with_bytes<B>(
    query: &str,
    body: B,
    headers: &HeaderMap,
    limits: Limits,
) -> Result<Fields>
where
    B: Body + Send + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut fields = form::urlencoded(query.as_bytes())?;
    let mut pieces = std::pin::pin!(pieces(body, headers, limits)?);
    let mut all = Vec::new();
    while let Some(piece) = pieces.try_next().await? {
        all.extend_from_slice(&piece);
    }
    fields.put_file("content", all);
    Ok(fields)
}

fn is_multipart(headers: &HeaderMap) -> bool {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    value.is_some_and(|value| essence(value) == "multipart/form-data")
}

fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
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
    let essence = essence(content_type);
    let json = essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"));
    match essence.as_str() {
        _ if json => Fields::from_json(&body),
        "application/x-www-form-urlencoded" if interface == Interface::Admin => {
            form::urlencoded(&body)
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
