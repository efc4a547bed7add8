//! A courier that hands mails to a mail server by SMTP.
//!
//! It keeps a few connections and uses each for many mails. It speaks the commands one by one,
//! because what a refusal means depends on the step. A connection that was cut short, by a time-out
//! or an answer out of order, is never used again: the next mail could otherwise take the answer to
//! the one before for its own.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt, Rset};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::mail::{Mail, Sender};
use super::refusal::{Failure, Step};
use super::{Channel, Courier, LONGEST, Later, Letter, Outcome};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Secret, is_this_machine};

/// The maximum number of connections; no more messages than this are under way at once.
const CONNECTIONS: usize = 16;
/// How long a connection without a mail is kept.
const IDLE: Duration = Duration::from_secs(30);

vocabulary! {
    /// How the connection to a mail server is protected.
    Security {
        /// It begins in the clear and must be encrypted before anything else is said.
        StartTls = "starttls",
        /// It is encrypted from its first byte.
        Tls = "tls",
        /// Not at all: only for a server on this machine.
        None = "none",
    }
}

impl Security {
    /// The usual port.
    const fn port(self) -> u16 {
        match self {
            Self::StartTls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// A user's name and password at a mail server.
#[derive(Clone, Debug)]
pub struct SmtpLogin {
    /// The user.
    pub user: String,
    /// The password.
    pub password: Secret,
}

impl SmtpLogin {
    fn credentials(&self) -> Credentials {
        Credentials::new(self.user.clone(), self.password.expose().to_owned())
    }

    /// The password in every form in which it is sent, the longest first.
    fn secrets(&self) -> Vec<String> {
        let password = self.password.expose();
        let plain = STANDARD.encode(format!("\0{}\0{password}", self.user));
        vec![plain, STANDARD.encode(password), password.to_owned()]
    }
}

/// The settings of a mail server. Start from [`SmtpSettings::new`].
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// The host name; the server's certificate must be valid for it.
    pub server: String,
    /// The port; by default 587 with STARTTLS, 465 with TLS, 25 without either.
    pub port: Option<u16>,
    /// How the connection is protected.
    pub security: Security,
    /// The log-in, if the server wants one.
    pub login: Option<SmtpLogin>,
    /// The sender: `Name <address>`.
    pub from: String,
    /// The address for replies, if it is another one.
    pub reply_to: Option<String>,
    /// The time limit for a mail, connecting and logging in included; 50 seconds at most.
    pub timeout: Duration,
    /// The maximum number of connections, 1 to 16.
    pub connections: usize,
    /// Certificates (PEM) of further authorities to be trusted, such as a company's own.
    pub authorities: Option<Vec<u8>>,
}

impl SmtpSettings {
    /// The defaults, for a server and a sender.
    #[must_use]
    pub fn new(server: impl Into<String>, from: impl Into<String>) -> Self {
        Self {
            server: server.into(),
            port: None,
            security: Security::StartTls,
            login: None,
            from: from.into(),
            reply_to: None,
            timeout: Duration::from_secs(20),
            connections: 4,
            authorities: None,
        }
    }
}

/// A mail server. Text messages are not for this courier.
pub struct Smtp {
    host: String,
    port: u16,
    security: Security,
    tls: Option<TlsParameters>,
    login: Option<SmtpLogin>,
    sender: Sender,
    timeout: Duration,
    /// How this machine introduces itself.
    hello: ClientId,
    turns: Semaphore,
    idle: Mutex<Vec<Idle>>,
}

/// A connection without a mail.
struct Idle {
    line: AsyncSmtpConnection,
    since: Instant,
}

impl Smtp {
    /// A courier with these settings. An error begins with the name of the setting that is wrong.
    pub fn new(settings: SmtpSettings) -> Result<Self, String> {
        let host = settings.server.trim().to_owned();
        if host.is_empty() || host.contains(|letter: char| !is_of_a_host(letter)) {
            let shown = settings.server.escape_debug();
            return Err(format!("server: `{shown}` is not the name of a host"));
        }
        if settings.security == Security::None && !is_this_machine(&host) {
            return Err(format!(
                "security: `none` would send mails to {host} in the clear; only a server on this machine may go \
                 without encryption"
            ));
        }
        if settings.port == Some(0) {
            return Err("port: must be from 1 to 65535".into());
        }
        if settings.timeout.is_zero() || settings.timeout > LONGEST {
            return Err(format!("timeout_seconds: must be from 1 to {}", LONGEST.as_secs()));
        }
        if !(1..=CONNECTIONS).contains(&settings.connections) {
            return Err(format!("connections: must be from 1 to {CONNECTIONS}"));
        }
        let tls = match settings.security {
            Security::None => None,
            Security::StartTls | Security::Tls => {
                Some(encryption(&host, settings.authorities.as_deref())?)
            }
        };
        Ok(Self {
            sender: Sender::new(&settings.from, settings.reply_to.as_deref())?,
            port: settings.port.unwrap_or_else(|| settings.security.port()),
            security: settings.security,
            tls,
            login: settings.login,
            timeout: settings.timeout,
            hello: ClientId::default(),
            turns: Semaphore::new(settings.connections),
            idle: Mutex::default(),
            host,
        })
    }

    /// The server and the port: `mail.example:587`.
    #[must_use]
    pub fn server(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// The server, the port and the protection: `mail.example:587 (starttls)`.
    #[must_use]
    pub fn described(&self) -> String {
        match self.security {
            Security::None => format!("{} (not encrypted)", self.server()),
            security => format!("{} ({security})", self.server()),
        }
    }

    /// Connects and logs in, and sends nothing. The reason is in words.
    pub async fn greet(&self) -> Result<(), String> {
        let greeting = async {
            let mut line = self.connect().await.map_err(|failure| match failure.outcome {
                Outcome::Never(why) | Outcome::TryAgain(why) | Outcome::Unknown(why) => why,
                Outcome::Sent => String::new(),
            })?;
            // Whether the server says goodbye does not matter.
            let _ = line.quit().await;
            Ok(())
        };
        let greeted = tokio::time::timeout(self.timeout, greeting).await;
        let silent = |_| format!("it does not answer within {} s", self.timeout.as_secs());
        greeted.map_err(silent)?
    }

    async fn send(&self, mail: &Mail) -> Result<(), Failure> {
        let mut line = match self.idle_line().await {
            Some(line) => line,
            None => self.connect().await?,
        };
        let sent = self.converse(&mut line, mail).await;
        if sent.as_ref().err().is_none_or(|failure| failure.line_holds) {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(Idle { line, since: Instant::now() });
        }
        sent
    }

    /// A connection that is still open, ready for a mail.
    async fn idle_line(&self) -> Option<AsyncSmtpConnection> {
        loop {
            let mut kept = {
                let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
                idle.retain(|one| one.since.elapsed() < IDLE);
                idle.pop()?
            };
            if kept.line.command(Rset).await.is_ok_and(|response| response.has_code(250)) {
                return Some(kept.line);
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Failure> {
        let at_once = self.tls.clone().filter(|_| self.security == Security::Tls);
        // A server may have addresses that do not answer; the others get their share of the time.
        let each = Some(self.timeout / 3);
        let address = (self.host.as_str(), self.port);
        let line = AsyncSmtpConnection::connect_tokio1(address, each, &self.hello, at_once, None);
        let mut line = line.await.map_err(|error| self.failure(Step::Connecting, &error, &[]))?;
        if let (Security::StartTls, Some(tls)) = (self.security, self.tls.clone()) {
            let encrypted = line.starttls(tls, &self.hello).await;
            encrypted.map_err(|error| self.failure(Step::Encrypting, &error, &[]))?;
        }
        if let Some(login) = &self.login {
            let answer = line.auth(DEFAULT_MECHANISMS, &login.credentials()).await;
            self.answered(Step::LoggingIn, answer, 235, &login.secrets())?;
        }
        Ok(line)
    }

    async fn converse(&self, line: &mut AsyncSmtpConnection, mail: &Mail) -> Result<(), Failure> {
        // What is told about a failure is logged, and a log holds nobody's address.
        let hidden = [mail.to.to_string()];
        let from = MailFrom::new(Some(mail.from.clone()), Vec::new());
        let answer = line.command(from).await;
        self.answered(Step::Sender, answer, 250, &hidden)?;
        let answer = line.command(Rcpt::new(mail.to.clone(), Vec::new())).await;
        self.answered(Step::Recipient, answer, 250, &hidden)?;
        let answer = line.command(Data).await;
        self.answered(Step::Content, answer, 354, &hidden)?;
        let answer = line.message(&mail.bytes).await;
        self.answered(Step::Content, answer, 250, &hidden)
    }

    fn answered(
        &self,
        step: Step,
        answer: Result<Response, Error>,
        code: u16,
        hidden: &[String],
    ) -> Result<(), Failure> {
        match answer {
            // 251: it will forward the mail.
            Ok(response) if response.has_code(code) || (code == 250 && response.has_code(251)) => {
                Ok(())
            }
            Ok(_) => Err(Failure::out_of_step(step, &self.server())),
            Err(error) => Err(self.failure(step, &error, hidden)),
        }
    }

    fn failure(&self, step: Step, error: &Error, hidden: &[String]) -> Failure {
        Failure::of(step, &self.server(), error, hidden)
    }
}

impl Courier for Smtp {
    fn carries(&self, channel: Channel) -> bool {
        channel == Channel::Email
    }

    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a> {
        Box::pin(async move {
            let mail = match self.sender.mail(letter) {
                Ok(mail) => mail,
                Err(why) => return Outcome::Never(why),
            };
            let Ok(_turn) = self.turns.acquire().await else {
                return Outcome::TryAgain("the courier is closed".into());
            };
            match tokio::time::timeout(self.timeout, self.send(&mail)).await {
                Ok(Ok(())) => Outcome::Sent,
                Ok(Err(failure)) => failure.outcome,
                Err(_) => {
                    let (server, seconds) = (self.server(), self.timeout.as_secs());
                    Outcome::TryAgain(format!("{server} did not take the mail within {seconds} s"))
                }
            }
        })
    }
}

impl std::fmt::Debug for Smtp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Smtp").field("server", &self.described()).finish_non_exhaustive()
    }
}

fn is_of_a_host(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':')
}

/// Encryption towards this host: its certificate must come from a public authority or one of these.
fn encryption(host: &str, authorities: Option<&[u8]>) -> Result<TlsParameters, String> {
    let mut tls = TlsParameters::builder(host.to_owned());
    if let Some(pem) = authorities {
        let wrong = || "ca_file: holds no certificates in PEM form".to_owned();
        let text = String::from_utf8_lossy(pem);
        if !text.contains("-----BEGIN CERTIFICATE-----") {
            return Err(wrong());
        }
        tls = tls.add_root_certificate(Certificate::from_pem(pem).map_err(|_| wrong())?);
    }
    tls.build().map_err(|error| format!("ca_file: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(change: impl FnOnce(&mut SmtpSettings)) -> String {
        let mut settings = SmtpSettings::new("mail.example", "NIL <nil@example.com>");
        change(&mut settings);
        Smtp::new(settings).unwrap_err()
    }

    #[tokio::test]
    async fn nonsense_is_refused_by_the_settings_name() {
        for (name, why) in [
            ("server", wrong(|it| it.server = "smtp://mail.example".into())),
            ("server", wrong(|it| it.server = String::new())),
            ("server", wrong(|it| it.server = "mail.example\r\nx".into())),
            ("from", wrong(|it| it.from = "nobody".into())),
            ("reply_to", wrong(|it| it.reply_to = Some("nobody".into()))),
            ("port", wrong(|it| it.port = Some(0))),
            ("security", wrong(|it| it.security = Security::None)),
            ("timeout_seconds", wrong(|it| it.timeout = Duration::ZERO)),
            ("timeout_seconds", wrong(|it| it.timeout = Duration::from_mins(1))),
            ("connections", wrong(|it| it.connections = 0)),
            ("ca_file", wrong(|it| it.authorities = Some(b"no certificate".to_vec()))),
        ] {
            assert!(why.starts_with(&format!("{name}: ")), "{name}: {why}");
        }
    }

    #[test]
    fn ports_follow_the_protection_and_nothing_shows_a_password() {
        let mut settings = SmtpSettings::new("mail.example", "NIL <nil@example.com>");
        let password = Secret::new("opensesame");
        settings.login = Some(SmtpLogin { user: "nil".into(), password });
        assert!(!format!("{settings:?}").contains("opensesame"));
        let smtp = Smtp::new(settings.clone()).unwrap();
        assert_eq!(smtp.described(), "mail.example:587 (starttls)");
        assert!(!format!("{smtp:?}").contains("opensesame"));
        settings.security = Security::Tls;
        assert_eq!(Smtp::new(settings.clone()).unwrap().server(), "mail.example:465");
        settings.security = Security::None;
        for host in ["localhost", "127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            settings.server = host.into();
            let smtp = Smtp::new(settings.clone()).unwrap();
            assert!(smtp.described().ends_with(":25 (not encrypted)"), "{smtp:?}");
            assert!(smtp.carries(Channel::Email) && !smtp.carries(Channel::Sms));
        }
    }
}
