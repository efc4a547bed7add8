//! A courier that hands text messages to a provider by HTTP, in the form that Twilio introduced:
//! one `POST …/Accounts/{account}/Messages.json` for each message.
//!
//! Requests go only to the configured address: no redirects, no proxies. What the provider says in
//! words is neither told nor logged, because it repeats the number and may repeat the text; its
//! error numbers are.

use std::error::Error as _;
use std::time::Duration;

use form_urlencoded::Serializer;
use reqwest::{Client, Error, Response, Url, redirect};

use super::refusal::bounded;
use super::sms_answer::{Answer, meaning};
use super::{Channel, Courier, LONGEST, Later, Letter, Outcome, SmsReports};
use crate::kernel::{OutboxId, Phone, Secret, is_this_machine};

/// The largest answer read, in bytes.
const ANSWER: usize = 64 * 1024;
/// How long an unused connection is kept. A provider closes it later than that.
const IDLE: Duration = Duration::from_secs(20);

/// Who the recipients see as the sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmsSender {
    /// A phone number in E.164 form, a short code, or a name that the provider allows.
    From(String),
    /// One of the numbers that the provider keeps under this name, such as `MG…`.
    MessagingService(String),
}

/// The settings of a provider of text messages. Start from [`SmsSettings::new`].
#[derive(Clone, Debug)]
pub struct SmsSettings {
    /// The base address, such as `https://sms.example/2010-04-01`.
    pub url: String,
    /// The account, such as `AC…`: part of the address, and the user unless `key` is set.
    pub account: String,
    /// The name of a key of the account, such as `SK…`.
    pub key: Option<String>,
    /// The secret of the key, or of the account.
    pub secret: Secret,
    /// The sender.
    pub sender: SmsSender,
    /// The time limit for a message, connecting included; 50 seconds at most.
    pub timeout: Duration,
    /// Where the provider reports what becomes of a message, if it shall.
    pub reports: Option<SmsReports>,
}

impl SmsSettings {
    /// The defaults, for an account at an address.
    #[must_use]
    pub fn new(
        url: impl Into<String>,
        account: impl Into<String>,
        secret: Secret,
        sender: SmsSender,
    ) -> Self {
        Self {
            url: url.into(),
            account: account.into(),
            key: None,
            secret,
            sender,
            timeout: Duration::from_secs(20),
            reports: None,
        }
    }
}

/// A provider of text messages. Mails are not for this courier.
pub struct Sms {
    client: Client,
    address: Url,
    server: String,
    user: String,
    secret: Secret,
    sender: (&'static str, String),
    timeout: Duration,
    reports: Option<SmsReports>,
}

impl Sms {
    /// A courier with these settings. An error begins with the name of the setting that is wrong,
    /// and never holds the secret.
    pub fn new(settings: SmsSettings) -> Result<Self, String> {
        let SmsSettings { url, account, key, secret, sender, timeout, reports } = settings;
        for (name, value) in [("account", Some(&account)), ("key", key.as_ref())] {
            if value.is_some_and(|value| !is_a_word(value)) {
                return Err(format!("{name}: must be letters and digits"));
            }
        }
        if secret.expose().is_empty() {
            return Err("secret: must not be empty".into());
        }
        let sender = match sender {
            SmsSender::From(name) if is_a_sender(&name) => ("From", name),
            SmsSender::From(_) => {
                return Err(
                    "from: must be a phone number such as +12175550123, a short code, or a \
                            name of at most 11 letters and digits"
                        .into(),
                );
            }
            SmsSender::MessagingService(name) if is_a_word(&name) => ("MessagingServiceSid", name),
            SmsSender::MessagingService(_) => {
                return Err("messaging_service: must be letters and digits".into());
            }
        };
        if timeout.is_zero() || timeout > LONGEST {
            return Err(format!("timeout_seconds: must be from 1 to {}", LONGEST.as_secs()));
        }
        let (address, server) = messages_of(&url, &account)?;
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .pool_idle_timeout(IDLE)
            // Sooner than the whole: who was never reached has not taken the message.
            .connect_timeout(timeout / 2)
            .timeout(timeout)
            .user_agent(concat!("nil/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("url: {error}"))?;
        let user = key.unwrap_or(account);
        Ok(Self { client, address, server, user, secret, sender, timeout, reports })
    }

    /// The provider's host, and its port if it is not the usual one: `sms.example`.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    async fn send(&self, id: OutboxId, to: &Phone, text: &str) -> Outcome {
        let form = self.form(id, to, text);
        let request = self
            .client
            .post(self.address.clone())
            .basic_auth(&self.user, Some(self.secret.expose()))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .body(form);
        match request.send().await {
            Ok(response) => {
                let status = response.status().as_u16();
                meaning(&self.server, status, &read(response).await)
            }
            Err(error) => self.unanswered(&error),
        }
    }

    fn form(&self, id: OutboxId, to: &Phone, text: &str) -> String {
        let (sender, name) = &self.sender;
        let mut form = Serializer::new(String::new());
        form.append_pair("To", to).append_pair(sender, name).append_pair("Body", text);
        if let Some(reports) = &self.reports {
            form.append_pair("StatusCallback", &reports.address_of(&id.to_string()));
        }
        form.finish()
    }

    /// A provider that was never reached has not taken the message; one that did not answer may
    /// have.
    fn unanswered(&self, error: &Error) -> Outcome {
        let server = &self.server;
        if error.is_connect() || error.is_builder() {
            return Outcome::TryAgain(format!("cannot connect to {server}: {}", cause(error)));
        }
        if error.is_timeout() {
            let seconds = self.timeout.as_secs();
            return Outcome::Unknown(format!("{server} did not answer within {seconds} s"));
        }
        Outcome::Unknown(format!("{server} did not answer: {}", cause(error)))
    }
}

impl Courier for Sms {
    fn carries(&self, channel: Channel) -> bool {
        channel == Channel::Sms
    }

    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a> {
        Box::pin(async move {
            match Phone::new(&letter.to) {
                Ok(to) => self.send(letter.id, &to, &letter.body).await,
                Err(_) => Outcome::Never("the number is not a phone number".into()),
            }
        })
    }
}

impl std::fmt::Debug for Sms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sms").field("server", &self.server).finish_non_exhaustive()
    }
}

/// The address for an account's messages, and the server in words.
fn messages_of(base: &str, account: &str) -> Result<(Url, String), String> {
    let wrong = || "url: must be an address such as https://sms.example/2010-04-01".to_owned();
    let url = Url::parse(base).map_err(|_| wrong())?;
    let host = url.host_str().unwrap_or_default();
    let is_plain = url.username().is_empty() && url.password().is_none();
    let has_more = url.query().is_some() || url.fragment().is_some();
    if !matches!(url.scheme(), "http" | "https") || host.is_empty() || !is_plain || has_more {
        return Err(wrong());
    }
    let server = match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    if url.scheme() == "http" && !is_this_machine(host.trim_matches(['[', ']'])) {
        return Err(format!(
            "url: `http` would send texts and the secret to {host} in the clear; only a server on this machine may \
             go without encryption"
        ));
    }
    let messages = format!("{}/Accounts/{account}/Messages.json", base.trim_end_matches('/'));
    Ok((messages.parse().map_err(|_| wrong())?, server))
}

/// Reads an answer as far as it may go.
async fn read(mut response: Response) -> Answer {
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if bytes.len().saturating_add(chunk.len()) <= ANSWER => {
                bytes.extend_from_slice(&chunk);
            }
            Ok(None) => return Answer::read(&bytes),
            Ok(Some(_)) | Err(_) => return Answer::default(),
        }
    }
}

/// What lies under an error of the client, such as "connection refused"; never an address.
fn cause(error: &Error) -> String {
    let mut under = error.source();
    let mut said = None;
    while let Some(error) = under {
        said = Some(error.to_string());
        under = error.source();
    }
    bounded(&said.unwrap_or_else(|| "the connection broke".to_owned()))
}

/// A name that can stand in an address: `AC0123…`.
fn is_a_word(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_a_sender(text: &str) -> bool {
    let is_a_name =
        |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ' ');
    match text.strip_prefix('+') {
        Some(digits) => {
            (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => (1..=11).contains(&text.len()) && text.trim() == text && is_a_name(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> SmsSettings {
        let sender = SmsSender::From("+12175550100".into());
        SmsSettings::new("https://sms.example/2010-04-01", "AC1", Secret::new("opensesame"), sender)
    }

    #[test]
    fn an_address_is_encrypted_or_on_this_machine() {
        for (url, messages, server) in [
            (
                "https://sms.example/v1/",
                "https://sms.example/v1/Accounts/AC1/Messages.json",
                "sms.example",
            ),
            ("http://127.0.0.1:9", "http://127.0.0.1:9/Accounts/AC1/Messages.json", "127.0.0.1:9"),
            ("http://[::1]:9", "http://[::1]:9/Accounts/AC1/Messages.json", "[::1]:9"),
        ] {
            let sms = Sms::new(SmsSettings { url: url.into(), ..settings() }).unwrap();
            assert_eq!((sms.address.as_str(), sms.server()), (messages, server));
        }
        for url in [
            "http://sms.example",
            "ftp://sms.example",
            "sms.example",
            "https://sms.example?a=b",
            "https://jo:opensesame@sms.example",
            "",
        ] {
            let why = Sms::new(SmsSettings { url: url.into(), ..settings() }).unwrap_err();
            assert!(why.starts_with("url: ") && !why.contains("opensesame"), "{why}");
        }
    }

    #[test]
    fn a_sender_is_a_number_a_code_a_name_or_a_service() {
        for name in ["+12175550100", "12345", "Lakeshore"] {
            let sender = SmsSender::From(name.into());
            assert!(Sms::new(SmsSettings { sender, ..settings() }).is_ok(), "{name}");
        }
        for name in ["", "+1", "+1217555010a", "Lakeshore State", " Nil", "a&To=b"] {
            let sender = SmsSender::From(name.into());
            let why = Sms::new(SmsSettings { sender, ..settings() }).unwrap_err();
            assert!(why.starts_with("from: "), "{why}");
        }
        let sender = SmsSender::MessagingService("MG1/..".into());
        let why = Sms::new(SmsSettings { sender, ..settings() }).unwrap_err();
        assert!(why.starts_with("messaging_service: "), "{why}");
    }

    #[test]
    fn nonsense_is_refused_by_its_name() {
        let account = "AC1/../AC2".to_owned();
        let why = Sms::new(SmsSettings { account, ..settings() }).unwrap_err();
        assert!(why.starts_with("account: "), "{why}");
        let why = Sms::new(SmsSettings { key: Some("SK 1".into()), ..settings() }).unwrap_err();
        assert!(why.starts_with("key: "), "{why}");
        let why = Sms::new(SmsSettings { secret: Secret::new(""), ..settings() }).unwrap_err();
        assert!(why.starts_with("secret: "), "{why}");
        for timeout in [Duration::ZERO, LONGEST + Duration::from_secs(1)] {
            let why = Sms::new(SmsSettings { timeout, ..settings() }).unwrap_err();
            assert!(why.starts_with("timeout_seconds: "), "{why}");
        }
        assert!(!format!("{:?} {:?}", settings(), Sms::new(settings())).contains("opensesame"));
    }
}
