//! Reads a request: its body within limits and deadlines, and its fields.

use std::thread;
use std::time::Duration;

use ::http::HeaderMap;
use bytes::Bytes;
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use http::header::CONTENT_TYPE;
use http_body_util::BodyExt as _;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, timeout_at};

use super::arriving::{Arriving, announced};
use super::body_memory::Place;
use super::form::{self, Sent};
use crate::catalog::{Entry, Interface, Signer, Takes};
use crate::content::MediaType;
use crate::error::{Error, Result, codes};
use crate::kernel::reserve;
use crate::operation::{Fields, Inlet, LARGEST_IN_JSON};
use crate::platform::Platform;

/// The time limit between two pieces of a body.
const IDLE: Duration = Duration::from_secs(10);
/// The time limit for a whole body.
const TOTAL: Duration = Duration::from_secs(30);
/// The time limit for a whole body with a file.
const TOTAL_WITH_A_FILE: Duration = Duration::from_mins(2);
/// How long a body may be slower than [`LEAST_RATE`] at first.
const GRACE: Duration = Duration::from_secs(10);
/// The minimum number of bytes per second; a slower client holds memory that others could use.
const LEAST_RATE: u64 = 8 * 1024;
/// The bytes allowed beside a file in a body: the other fields, the form's boundaries.
const BESIDE_A_FILE: usize = 64 * 1024;
/// The memory of a body that is handed on while it arrives: what is on its way through this
/// process.
const IN_TRANSIT: usize = 1024 * 1024;
/// A longer JSON body is parsed outside the threads that serve other requests.
const READ_AT_ONCE: usize = 32 * 1024;
/// The maximum number of bytes of memory that a byte of JSON can become.
const GROWTH: usize = 128;
/// Long JSON bodies are read one after the other: while one is read, its texts are in memory twice.
static READER: Semaphore = Semaphore::const_new(1);

/// The limits of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The maximum number of bytes.
    pub bytes: usize,
    /// The time limit for the whole body.
    total: Duration,
    /// What it may contain.
    pub load: Load,
    /// The memory its values may take beside its bytes.
    values: usize,
}

/// What a body may contain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Load {
    /// No file.
    Plain,
    /// Files in base64.
    Encoded,
    /// A raw file.
    File,
    /// A raw file that is handed on while it arrives.
    Stream,
}

impl Limits {
    /// The limits for a body of this row. Refused if the query admits no bytes.
    pub(super) fn of_row(
        platform: &Platform,
        entry: &Entry,
        headers: &HeaderMap,
        query: &str,
    ) -> Result<Self> {
        let with_file = |load, bytes| Self {
            bytes,
            total: TOTAL_WITH_A_FILE,
            load,
            values: match load {
                Load::File | Load::Stream => 0,
                _ => entry.shape().cost(),
            },
        };
        Ok(match entry.takes {
            Takes::Bytes(admits) | Takes::Stream(admits) => {
                let query = form::urlencoded(entry.shape(), query.as_bytes())?;
                let streams = matches!(entry.takes, Takes::Stream(_));
                let load = if streams { Load::Stream } else { Load::File };
                with_file(load, admits(platform, &query)?)
            }
            Takes::FileForm if is_multipart(headers) => Self::of_upload(),
            // Files in base64: the largest one, or several small ones.
            Takes::FileForm | Takes::FilesInJson => {
                with_file(Load::Encoded, LARGEST_IN_JSON.div_ceil(3) * 4 + BESIDE_A_FILE)
            }
            Takes::Fields | Takes::FieldsOrForm | Takes::StrictFields | Takes::Raw(_) => Self {
                bytes: entry.body_limit(platform.config().body_limit),
                total: TOTAL,
                load: Load::Plain,
                values: entry.shape().cost(),
            },
        })
    }

    /// The limits for the form of a page, which has a few short texts.
    pub(super) const fn of_form() -> Self {
        Self { bytes: 16 * 1024, total: TOTAL, load: Load::Plain, values: 0 }
    }

    /// The limits for a form of a host's page.
    pub(super) const fn of_page(bytes: usize) -> Self {
        Self { bytes, total: TOTAL, load: Load::Plain, values: 0 }
    }

    /// The limits for a form with a file.
    pub(super) const fn of_upload() -> Self {
        let bytes = MediaType::LARGEST + BESIDE_A_FILE;
        Self { bytes, total: TOTAL_WITH_A_FILE, load: Load::File, values: 0 }
    }

    /// The memory that the values of a body of this many bytes may take.
    fn values_of(&self, bytes: usize) -> usize {
        self.values.min(bytes.saturating_mul(GROWTH))
    }
}

/// The speed of an arriving body.
struct Pace {
    since: Instant,
    total: Duration,
    taken: usize,
}

impl Pace {
    /// When the next piece must have arrived.
    fn deadline(&self) -> Instant {
        let taken = u64::try_from(self.taken).unwrap_or(u64::MAX);
        let earned = Duration::from_millis(taken.saturating_mul(1_000) / LEAST_RATE);
        let whole = self.total.min(GRACE.saturating_add(earned));
        (self.since + whole).min(Instant::now() + IDLE)
    }
}

/// The pieces of a body within its limits. A body that is too long is refused as soon as this is
/// known; memory is taken only for bytes that have arrived.
async fn pieces(
    body: &mut Arriving,
    headers: &HeaderMap,
    limits: Limits,
    place: &mut Place,
) -> Result<impl Stream<Item = Result<Bytes>> + Send> {
    let most = announced(headers).unwrap_or(limits.bytes);
    if most > limits.bytes {
        return Err(codes::BODY_TOO_LARGE.into());
    }
    let kept = match limits.load {
        // What has been handed on is no longer here.
        Load::Stream => most.min(IN_TRANSIT),
        _ => most.saturating_add(limits.values_of(most)),
    };
    place.reserve(kept).await?;
    let timing = Pace { since: Instant::now(), total: limits.total, taken: 0 };
    Ok(stream::try_unfold((body, place, timing), move |(body, place, mut pace)| async move {
        let next =
            timeout_at(pace.deadline(), next_piece(body, limits.bytes.saturating_sub(pace.taken)));
        let next = next.await.map_err(|_| late())??;
        let Some(piece) = next else {
            return Ok(None);
        };
        pace.taken += piece.len();
        // Time spent waiting for memory does not count as the client's slowness.
        let waits = Instant::now();
        place.take(piece.len()).await?;
        pace.since += waits.elapsed();
        Ok(Some((piece, (body, place, pace))))
    }))
}

fn late() -> Error {
    codes::MALFORMED_JSON.saying("The body did not arrive in time.")
}

/// The next piece of a body, of at most this many bytes.
async fn next_piece(body: &mut Arriving, most: usize) -> Result<Option<Bytes>> {
    loop {
        let Some(frame) = body.frame().await else {
            return Ok(None);
        };
        let cut_off = |error| codes::MALFORMED_JSON.saying("The body was cut off.").because(error);
        // Trailers are ignored.
        let Ok(data) = frame.map_err(cut_off)?.into_data() else {
            continue;
        };
        if data.len() > most {
            return Err(codes::BODY_TOO_LARGE.into());
        }
        return Ok(Some(data));
    }
}

/// Collects a body.
pub(super) async fn collect(
    body: &mut Arriving,
    headers: &HeaderMap,
    limits: Limits,
    place: &mut Place,
) -> Result<Bytes> {
    let mut pieces = std::pin::pin!(pieces(body, headers, limits, place).await?);
    let mut all = Vec::new();
    while let Some(piece) = pieces.try_next().await? {
        if all.is_empty() {
            // Pages that nothing is written to take no memory, while a buffer that grows is in
            // memory twice.
            all.reserve_exact(announced(headers).unwrap_or_default());
        }
        reserve(&mut all, piece.len());
        all.extend_from_slice(&piece);
    }
    Ok(all.into())
}

/// The fields of a row that takes a file: from a multipart form, whose file is never in memory
/// twice, or from an ordinary body.
pub(super) async fn with_file(
    entry: &'static Entry,
    body: &mut Arriving,
    headers: &HeaderMap,
    limits: Limits,
    place: &mut Place,
) -> Result<Fields> {
    match headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) {
        Some(content_type) if is_multipart(headers) => {
            let pieces = pieces(body, headers, limits, place).await?;
            form::with_file(entry.shape(), content_type, pieces).await
        }
        _ => {
            let body = collect(body, headers, limits, place).await?;
            fields(entry, headers, body, limits, place).await
        }
    }
}

/// What a form of a host's page sends, as a multipart form.
pub(super) async fn sent(
    body: &mut Arriving,
    headers: &HeaderMap,
    limits: Limits,
    place: &mut Place,
) -> Result<Sent> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let pieces = pieces(body, headers, limits, place).await?;
    form::parts(content_type.unwrap_or_default(), pieces).await
}

/// The fields of a row that takes the raw body.
pub(super) async fn with_bytes(
    entry: &Entry,
    query: &str,
    body: &mut Arriving,
    headers: &HeaderMap,
    limits: Limits,
    place: &mut Place,
) -> Result<Fields> {
    let mut fields = form::urlencoded(entry.shape(), query.as_bytes())?;
    let mut pieces = std::pin::pin!(pieces(body, headers, limits, place).await?);
    let mut all = Vec::new();
    while let Some(piece) = pieces.try_next().await? {
        reserve(&mut all, piece.len());
        all.extend_from_slice(&piece);
    }
    fields.put_file("content", all);
    Ok(fields)
}

/// Hands the body on while the answer is made; the rest of a body is left if the answer does not
/// need it.
pub(super) async fn while_arriving<T>(
    body: &mut Arriving,
    headers: &HeaderMap,
    limits: Limits,
    place: &mut Place,
    (inlet, answering): (Inlet, impl Future<Output = T>),
) -> T {
    let handing_on = async move {
        match pieces(body, headers, limits, place).await {
            Ok(pieces) => {
                let mut pieces = std::pin::pin!(pieces);
                while let Some(piece) = pieces.next().await {
                    if !inlet.send(piece).await {
                        break;
                    }
                }
            }
            Err(refused) => {
                inlet.send(Err(refused)).await;
            }
        }
    };
    let mut answering = std::pin::pin!(answering);
    tokio::select! {
        biased;
        answer = &mut answering => answer,
        () = handing_on => answering.await,
    }
}

/// The fields of a JSON body. The body is freed when they are read: they take no more memory than
/// it did, apart from their values.
async fn json(
    entry: &'static Entry,
    body: Bytes,
    limits: Limits,
    place: &mut Place,
) -> Result<Fields> {
    let length = body.len();
    place.take(limits.values_of(length)).await?;
    let fields = if length > READ_AT_ONCE {
        let turn = READER.acquire().await.map_err(Error::internal)?;
        let (tell, told) = oneshot::channel();
        // A new thread each time: memory that the allocator keeps for it is reused by the next one.
        let reader = thread::Builder::new().name("reader".into());
        let reader = reader.spawn(move || {
            let fields = entry.fields(&body);
            // A client that hangs up does not stop this thread, so the turn lasts until it ends.
            drop((body, turn));
            let _ = tell.send(fields);
        });
        reader.map_err(Error::internal)?;
        told.await.map_err(Error::internal)??
    } else {
        entry.fields(&body)?
    };
    place.shrink_to(fields.cost());
    Ok(fields)
}

pub(super) fn is_multipart(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| essence(value) == "multipart/form-data")
}

fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// The fields of a row that takes the raw request: the body, and what its sender signed it with.
pub(super) fn raw(
    platform: &Platform,
    signer: Signer,
    (headers, query): (&HeaderMap, &str),
    body: &[u8],
) -> Fields {
    let mut fields = Fields::default();
    fields.put("body", String::from_utf8_lossy(body).into_owned());
    let named: &[(&str, &str)] = match signer {
        Signer::Processor => &[("signature", platform.processor().signature_header())],
        Signer::MailService => &[
            ("signature", "webhook-signature"),
            ("report_id", "webhook-id"),
            ("sent_at", "webhook-timestamp"),
        ],
        Signer::TextProvider => &[("signature", "x-twilio-signature")],
    };
    for (field, header) in named {
        if let Some(value) = headers.get(*header).and_then(|value| value.to_str().ok()) {
            fields.put(field, value.to_owned());
        }
    }
    if signer == Signer::TextProvider
        && let Some((_, message)) =
            form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "message")
    {
        fields.put("message", message.into_owned());
    }
    fields
}

/// The fields of a body. An empty body is `{}` whatever its type; a missing type means JSON; the
/// back office also accepts forms.
pub(super) async fn fields(
    entry: &'static Entry,
    headers: &HeaderMap,
    body: Bytes,
    limits: Limits,
    place: &mut Place,
) -> Result<Fields> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Fields::default());
    }
    let content_type = match headers.get(CONTENT_TYPE) {
        None => "application/json",
        Some(value) => value.to_str().map_err(|_| Error::from(codes::UNSUPPORTED_MEDIA_TYPE))?,
    };
    let essence = essence(content_type);
    let is_json = essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"));
    let admin = entry.interface == Interface::Admin;
    match essence.as_str() {
        _ if is_json => json(entry, body, limits, place).await,
        "application/x-www-form-urlencoded"
            if admin || matches!(entry.takes, Takes::FieldsOrForm) =>
        {
            form::urlencoded(entry.shape(), &body)
        }
        "multipart/form-data" if admin => form::multipart(entry.shape(), content_type, body).await,
        _ if admin => Err(codes::UNSUPPORTED_MEDIA_TYPE
            .saying("Send JSON, an urlencoded form or a multipart form.")),
        _ => {
            Err(codes::UNSUPPORTED_MEDIA_TYPE.saying("Send JSON (Content-Type: application/json)."))
        }
    }
}
