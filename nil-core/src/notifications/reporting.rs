//! What mail services and providers of text messages report of messages that they had taken: those
//! that came back, complaints, and numbers that take none.
//!
//! A report is signed, and repeats. It is believed only about addresses: it changes no account.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::store::undeliverable as store;
use super::undeliverable::WhyUndeliverable;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{Email, OutboxId, Secret, Time};
use crate::metering::DELIVERY_REPORTS;
use crate::operation::{Cx, Done};
use crate::ports::courier::Channel;

/// How old a report of a mail may be, and how far ahead of our clock.
const FRESH: TimeDelta = TimeDelta::minutes(5);
/// The longest id of a report.
const LONGEST_ID: usize = 200;

/// A report about a mail, as received. The server fills these fields from the request itself.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct MailReport {
    /// The header `webhook-signature`.
    pub signature: Option<Secret>,
    /// The header `webhook-id`: the same for every try.
    pub report_id: Option<String>,
    /// The header `webhook-timestamp`, in seconds.
    pub sent_at: Option<String>,
    /// The raw body.
    pub body: Option<String>,
}

/// A report about a text message, as received. The server fills these fields from the request
/// itself.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SmsReport {
    /// The header `X-Twilio-Signature`.
    pub signature: Option<Secret>,
    /// The message, from the address that was given to the provider.
    pub message: Option<String>,
    /// The raw body.
    pub body: Option<String>,
}

/// The acknowledgement of a report.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ReportHeard {
    /// Always true.
    pub received: bool,
}

/// The body of a report about a mail.
#[derive(Debug, Deserialize)]
struct Mailed {
    #[serde(rename = "type")]
    what: String,
    data: MailedTo,
}

#[derive(Debug, Deserialize)]
struct MailedTo {
    email: String,
}

/// Hears of a mail that came back or was complained about (extension): `mail.bounced`,
/// `mail.complained` or `mail.deferred` with the e-mail, signed by the Standard Webhooks
/// specification. Anyone may call it who has the secret. 401 `signature_invalid` if the signature
/// is wrong or older than five minutes, or no secret is set; 422 for another body. A report that is
/// heard again changes nothing.
pub async fn mail(cx: Cx<Anyone>, input: MailReport) -> Result<Done<ReportHeard>> {
    let invalid = || Error::from(codes::SIGNATURE_INVALID);
    let signature = input.signature.ok_or_else(invalid)?;
    let (id, sent_at) = input.report_id.zip(input.sent_at).ok_or_else(invalid)?;
    let body = input.body.unwrap_or_default();
    let secret = cx.platform().config().mail_reports.clone().ok_or_else(invalid)?;
    let at = sent_at.parse().ok().and_then(|seconds| Time::from_timestamp(seconds, 0));
    let at = at.filter(|at| (cx.now() - *at).abs() <= FRESH).ok_or_else(invalid)?;
    if id.len() > LONGEST_ID || !secret.has_signed(&id, at, &body, signature.expose()) {
        return Err(invalid());
    }
    let read: Mailed = serde_json::from_str(&body)
        .map_err(|_| Error::invalid("body", "must be a report: type, and data with email"))?;
    let address = Email::new(&read.data.email).map_err(|why| Error::invalid("data.email", why))?;
    let why = match &*read.what {
        "mail.bounced" => Some(WhyUndeliverable::Bounced),
        "mail.complained" => Some(WhyUndeliverable::Complained),
        "mail.deferred" => None,
        _ => {
            let known = "must be mail.bounced, mail.complained or mail.deferred";
            return Err(Error::invalid("type", known));
        }
    };
    let told = why.map_or("deferred", WhyUndeliverable::as_str);
    hear(cx, &format!("mail:{id}"), (Channel::Email, &address), (why, told)).await
}

/// Hears what became of a text message (extension), as Twilio reports it to the address that it was
/// given. Anyone may call it who can sign. 401 `signature_invalid` if the signature is wrong or no
/// token is set, and 404 for an unknown message. A report that is heard again changes nothing.
pub async fn sms(cx: Cx<Anyone>, input: SmsReport) -> Result<Done<ReportHeard>> {
    let invalid = || Error::from(codes::SIGNATURE_INVALID);
    let signature = input.signature.ok_or_else(invalid)?;
    let (body, message) = (input.body.unwrap_or_default(), input.message.unwrap_or_default());
    let reports = cx.platform().config().sms_reports.clone().ok_or_else(invalid)?;
    let form: Vec<(String, String)> =
        form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    if !reports.has_signed(&message, &form, signature.expose()) {
        return Err(invalid());
    }
    let field = |name: &str| form.iter().find(|(one, _)| one == name).map(|(_, value)| &**value);
    let status = field("MessageStatus").unwrap_or_default();
    let id = message.parse().ok().and_then(OutboxId::new);
    let id = id.ok_or_else(|| Error::from(codes::NOT_FOUND))?;
    let number = store::number_of(&mut cx.read().await?, id).await?;
    let number = number.ok_or_else(|| Error::from(codes::NOT_FOUND))?;
    let failed = matches!(status, "undelivered" | "failed");
    let why = match field("ErrorCode").filter(|_| failed) {
        Some("21610") => Some(WhyUndeliverable::OptedOut),
        Some("21211") => Some(WhyUndeliverable::NoSuchNumber),
        _ => None,
    };
    let told = match why {
        Some(why) => why.as_str(),
        None if failed => "failed",
        None if status == "delivered" => "delivered",
        None => "under_way",
    };
    hear(cx, &format!("sms:{id}:{told}"), (Channel::Sms, &number), (why, told)).await
}

/// Notes a report once.
async fn hear(
    cx: Cx<Anyone>,
    report: &str,
    address: (Channel, &str),
    (why, told): (Option<WhyUndeliverable>, &'static str),
) -> Result<Done<ReportHeard>> {
    let now = cx.now();
    let mut work = cx.begin().await?;
    let is_new = store::heard(&mut work, report, now).await?;
    if let Some(why) = why.filter(|_| is_new)
        && let Some(id) = store::note(&mut work, address, why, now).await?
    {
        work.note_change(id, "undeliverable", None, json!({ "channel": address.0, "why": why }));
    }
    let done = work.done(ReportHeard { received: true }).await?;
    if is_new {
        let channel = address.0.as_str();
        metrics::counter!(DELIVERY_REPORTS, "channel" => channel, "outcome" => told).increment(1);
    }
    Ok(done)
}
