//! One call of the processor's interface, and what its answer means.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url, redirect};
use serde_json::Value;

use super::Settings;
use crate::ports::processor::Outage;
use crate::ports::processor::statement::PAGE;
use crate::ports::traces;

/// The version of the interface that every call names: answers keep its shapes.
const VERSION: &str = "2025-03-31.basil";
/// The largest answer read, in bytes.
const ANSWER: usize = 2 * 1024 * 1024;
/// The most pages of a list that is read as a whole.
const PAGES: usize = 100;
/// How long an unused connection is kept. The processor closes it later than that.
const IDLE: Duration = Duration::from_secs(20);

/// A parameter of a call, such as `metadata[nil_key]` with its value.
pub(super) type Parameter<'a> = (&'a str, String);

/// Whose money a call is about, and under which key it is made once.
#[derive(Clone, Copy, Default)]
pub(super) struct Terms<'a> {
    /// The connected account that acts; the platform if there is none.
    pub account: Option<&'a str>,
    /// The idempotency key of a call that changes something.
    pub key: Option<&'a str>,
}

/// A call that the processor has refused: it is sure that nothing has moved.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub status: u16,
    /// Its code, such as `card_declined`; empty if it has none.
    pub code: String,
    /// What the processor says in words.
    pub message: String,
    /// The whole error.
    pub error: Value,
}

/// The answer of a call: an object, or a refusal.
pub(super) type Answered = Result<Value, Refusal>;

/// The processor's interface at an address.
pub(super) struct Calls {
    client: Client,
    address: Url,
    settings: Settings,
}

impl Calls {
    pub fn new(settings: Settings) -> Result<Self, String> {
        let address: Url =
            settings.url.parse().map_err(|_| format!("`{}` is not a web address", settings.url))?;
        if !matches!(address.scheme(), "http" | "https") || address.host().is_none() {
            return Err(format!("`{}` is not a web address", settings.url));
        }
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .pool_idle_timeout(IDLE)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { client, address, settings })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Reads objects.
    pub async fn get(
        &self,
        path: &str,
        parameters: &[Parameter<'_>],
        terms: Terms<'_>,
    ) -> Result<Answered, Outage> {
        let mut address = self.at(path)?;
        if !parameters.is_empty() {
            address.query_pairs_mut().extend_pairs(parameters);
        }
        self.send(self.client.request(Method::GET, address), terms).await
    }

    /// Makes or changes an object, once under the key.
    pub async fn post(
        &self,
        path: &str,
        parameters: &[Parameter<'_>],
        terms: Terms<'_>,
    ) -> Result<Answered, Outage> {
        let form =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
        let request = self
            .client
            .request(Method::POST, self.at(path)?)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form);
        self.send(request, terms).await
    }

    /// Every object of a list, page after page, until one is the one that is looked for.
    pub async fn first(
        &self,
        path: &str,
        parameters: &[Parameter<'_>],
        account: Option<&str>,
        wanted: impl Fn(&Value) -> bool + Sync,
    ) -> Result<Option<Value>, Outage> {
        let mut last: Option<String> = None;
        loop {
            let (rows, after) = self.page(path, parameters, account, last).await?;
            if let Some(found) = rows.into_iter().find(|row| wanted(row)) {
                return Ok(Some(found));
            }
            if after.is_none() {
                return Ok(None);
            }
            last = after;
        }
    }

    /// All objects of one of the platform's own lists, which its parameters keep short.
    pub async fn all(
        &self,
        path: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Value>, Outage> {
        let (mut all, mut last) = (Vec::new(), None);
        for _ in 0..PAGES {
            let (rows, after) = self.page(path, parameters, None, last).await?;
            all.extend(rows);
            if after.is_none() {
                return Ok(all);
            }
            last = after;
        }
        Err(Outage::silent(format!("the list {path} is too long")))
    }

    /// One page of a list, and after which object the next one begins.
    pub async fn page(
        &self,
        path: &str,
        parameters: &[Parameter<'_>],
        account: Option<&str>,
        after: Option<String>,
    ) -> Result<(Vec<Value>, Option<String>), Outage> {
        let mut query: Vec<Parameter<'_>> = parameters.to_vec();
        query.push(("limit", PAGE.to_string()));
        query.extend(after.map(|after| ("starting_after", after)));
        let terms = Terms { account, key: None };
        let listed = self.get(path, &query, terms).await?.map_err(|refusal| {
            Outage::silent(format!("a list was refused: {}", refusal.message))
        })?;
        let rows = listed.get("data").and_then(Value::as_array).cloned().unwrap_or_default();
        let more = listed.get("has_more").and_then(Value::as_bool).unwrap_or_default();
        let last = rows.last().filter(|_| more).map(|row| text(row, "/id"));
        Ok((rows, last))
    }

    /// Uploads a PDF for a purpose, once under the key.
    pub async fn upload(
        &self,
        purpose: &str,
        document: &[u8],
        key: &str,
    ) -> Result<Answered, Outage> {
        // Compressed streams can hold any bytes, but hardly these.
        let mark = format!("nil-{}", hex::encode(digest(&SHA256, document)));
        let mut body = format!(
            "--{mark}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\n{purpose}\r\n\
             --{mark}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"evidence.pdf\"\
             \r\nContent-Type: application/pdf\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(document);
        body.extend_from_slice(format!("\r\n--{mark}--\r\n").as_bytes());
        let request = self
            .client
            .request(Method::POST, self.upload_address()?)
            .header("content-type", format!("multipart/form-data; boundary={mark}"))
            .body(body);
        self.send(request, Terms { account: None, key: Some(key) }).await
    }

    /// Files go to a host of their own where the interface has the address `api.…`.
    fn upload_address(&self) -> Result<Url, Outage> {
        let mut address = self.at("files")?;
        let host = address.host_str().and_then(|host| host.strip_prefix("api."));
        if let Some(host) = host.map(|rest| format!("files.{rest}")) {
            address.set_host(Some(&host)).map_err(|_| Outage::silent("no address for files"))?;
        }
        Ok(address)
    }

    fn at(&self, path: &str) -> Result<Url, Outage> {
        let base = self.address.as_str().trim_end_matches('/');
        format!("{base}/{path}").parse().map_err(|_| Outage::silent("no address"))
    }

    async fn send(&self, request: RequestBuilder, terms: Terms<'_>) -> Result<Answered, Outage> {
        let mut request =
            request.bearer_auth(self.settings.key.expose()).header("Stripe-Version", VERSION);
        if let Some(account) = terms.account {
            request = request.header("Stripe-Account", account);
        }
        if let Some(key) = terms.key {
            request = request.header("Idempotency-Key", key);
        }
        let silent = |error: reqwest::Error| Outage::silent(error.without_url().to_string());
        let mut response = traces::send("processor", request).await.map_err(silent)?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(silent)? {
            if bytes.len().saturating_add(chunk.len()) > ANSWER {
                return Err(Outage::silent("the answer is too large"));
            }
            bytes.extend_from_slice(&chunk);
        }
        read(status, &bytes)
    }
}

/// What an answer means. An error of the processor's own says nothing about what it has done.
fn read(status: StatusCode, bytes: &[u8]) -> Result<Answered, Outage> {
    let body: Value = match serde_json::from_slice(bytes) {
        Ok(body) => body,
        Err(_) if status.is_server_error() => Value::Null,
        Err(error) => return Err(Outage::silent(format!("the answer cannot be read: {error}"))),
    };
    if status.is_success() {
        return Ok(Ok(body));
    }
    let error = body.get("error").cloned().unwrap_or_default();
    let refusal = Refusal {
        status: status.as_u16(),
        code: text(&error, "/code"),
        message: text(&error, "/message"),
        error,
    };
    if status.is_server_error() {
        return Err(Outage::answered(format!("{status}: {}", refusal.message)));
    }
    // The key is in use, or stands for something else: neither says what becomes of this call.
    let of_the_key = text(&refusal.error, "/type") == "idempotency_error";
    if status == StatusCode::CONFLICT || of_the_key {
        return Err(Outage::silent(format!("{status}: {}", refusal.message)));
    }
    Ok(Err(refusal))
}

/// A text in an object, by its path; empty if there is none.
pub(super) fn text(value: &Value, path: &str) -> String {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A number in an object, by its path; 0 if there is none.
pub(super) fn number(value: &Value, path: &str) -> i64 {
    value.pointer(path).and_then(Value::as_i64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(status: u16, body: &str) -> Result<Answered, Outage> {
        read(StatusCode::from_u16(status).unwrap(), body.as_bytes())
    }

    #[test]
    fn an_answer_says_whether_anything_can_have_moved() {
        assert!(matches!(said(200, r#"{"id":"pi_1"}"#), Ok(Ok(_))));
        let declined = r#"{"error":{"code":"card_declined","message":"No."}}"#;
        for status in [400, 401, 402, 403, 404, 429] {
            let refusal = said(status, declined).unwrap().unwrap_err();
            assert_eq!((refusal.status, refusal.code.as_str()), (status, "card_declined"));
        }
        // Whether the first call with this key moves anything is not known yet.
        for (status, body) in [
            (409, r#"{"error":{"code":"idempotency_key_in_use"}}"#),
            (400, r#"{"error":{"type":"idempotency_error"}}"#),
            (200, "<html>"),
            (404, "<html>"),
        ] {
            assert!(!said(status, body).unwrap_err().answered, "{status} {body}");
        }
        for body in ["{}", "", "<html>"] {
            assert!(said(500, body).unwrap_err().answered, "{body}");
        }
    }
}
