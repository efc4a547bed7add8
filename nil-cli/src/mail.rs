//! The mail server: its settings under `[mail]`, and `nil mail test`.

use std::path::PathBuf;
use std::time::Duration;

use nil_core::kernel::{Clock as _, Email, OutboxId, SystemClock};
use nil_core::keys::WebhookSecret;
use nil_core::ports::courier::{
    Channel, Courier as _, Letter, Outcome, Security, Smtp, SmtpLogin, SmtpSettings,
};
use serde::Deserialize;
use serde_json::json;

use crate::args::{MailAction, Options};
use crate::failure::Failure;
use crate::out::say;
use crate::settings::{env, mail_server, parsed, secret};

/// The part `[mail]` of `nil.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Section {
    server: Option<String>,
    port: Option<u16>,
    security: Option<String>,
    user: Option<String>,
    password: Option<String>,
    password_file: Option<PathBuf>,
    from: Option<String>,
    reply_to: Option<String>,
    timeout_seconds: Option<u64>,
    connections: Option<usize>,
    ca_file: Option<PathBuf>,
    report_secret: Option<String>,
    report_secret_file: Option<PathBuf>,
}

impl std::fmt::Debug for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Section").field("server", &self.server).finish_non_exhaustive()
    }
}

/// The secret with which the mail service signs its reports, if there is one.
pub(crate) fn reports(file: &mut Section) -> Result<Option<WebhookSecret>, Failure> {
    let own = (file.report_secret.take(), file.report_secret_file.take());
    let secret = secret("NIL_MAIL_REPORT_SECRET", "report_secret", own);
    let secret = secret.map_err(|why| wrong(&why))?;
    let read = secret.map(|secret| WebhookSecret::read(secret.expose())).transpose();
    read.map_err(|why| wrong(&format!("report_secret: {why}")))
}

/// The mail server of these settings, if one is named.
pub(crate) fn courier(file: Section) -> Result<Option<Smtp>, Failure> {
    let own = (file.password, file.password_file);
    let password = secret("NIL_MAIL_PASSWORD", "password", own).map_err(|why| wrong(&why))?;
    let user = env("NIL_MAIL_USER").or(file.user);
    let from = env("NIL_MAIL_FROM").or(file.from);
    let Some(server) = env("NIL_MAIL_SERVER").or(file.server) else {
        if from.is_some() || user.is_some() || password.is_some() {
            return Err(wrong("server: is missing beside the other settings of mail"));
        }
        return Ok(None);
    };
    let from = from.ok_or_else(|| wrong("from: is missing; it is the sender, `Name <address>`"))?;
    let mut settings = SmtpSettings::new(server, from);
    settings.port = parsed("NIL_MAIL_PORT", file.port)?;
    if let Some(word) = env("NIL_MAIL_SECURITY").or(file.security) {
        let security = word.parse::<Security>();
        settings.security = security.map_err(|why| wrong(&format!("security: `{word}` {why}")))?;
    }
    settings.login = match (user, password) {
        (Some(user), Some(password)) => Some(SmtpLogin { user, password }),
        (None, None) => None,
        (Some(_), None) => return Err(wrong("password: is missing beside user")),
        (None, Some(_)) => return Err(wrong("user: is missing beside password")),
    };
    settings.reply_to = env("NIL_MAIL_REPLY_TO").or(file.reply_to);
    if let Some(seconds) = parsed("NIL_MAIL_TIMEOUT_SECONDS", file.timeout_seconds)? {
        settings.timeout = Duration::from_secs(seconds);
    }
    if let Some(most) = parsed("NIL_MAIL_CONNECTIONS", file.connections)? {
        settings.connections = most;
    }
    if let Some(path) = env("NIL_MAIL_CA_FILE").map(PathBuf::from).or(file.ca_file) {
        let authorities = std::fs::read(&path);
        let unread = |error| wrong(&format!("ca_file: {}: {error}", path.display()));
        settings.authorities = Some(authorities.map_err(unread)?);
    }
    Smtp::new(settings).map(Some).map_err(|why| wrong(&why))
}

/// What is wrong with a setting; the text begins with its name.
fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("mail.{why}"))
}

/// `nil mail test`.
pub(crate) async fn command(
    options: &Options,
    action: MailAction,
    json: bool,
) -> Result<(), Failure> {
    let MailAction::Test { address } = action;
    let address = Email::new(&address).map_err(|why| Failure::Usage(format!("ADDRESS {why}")))?;
    let smtp = mail_server(options)?.ok_or_else(|| {
        wrong("server: no mail server is configured; name it, and the sender as mail.from")
    })?;
    match smtp.hand_over(&test_letter(&address)?).await {
        Outcome::Sent => {
            let server = smtp.server();
            if json {
                say!("{:#}", json!({ "accepted": true, "server": server, "to": *address }));
            } else {
                say!("{server} accepted the test mail to {}.", &*address);
            }
            Ok(())
        }
        Outcome::TryAgain(why) | Outcome::Unknown(why) => {
            Err(Failure::Broken(format!("{why}. A message would be tried again later.")))
        }
        Outcome::Never(why) => {
            Err(Failure::Broken(format!("{why}. A message to this address would be given up.")))
        }
    }
}

/// The mail that is sent to try a server. Each has a number of its own, so that none is taken for
/// another.
fn test_letter(address: &Email) -> Result<Letter, Failure> {
    let number = SystemClock.now().timestamp_micros();
    let id = OutboxId::new(number);
    Ok(Letter {
        id: id.ok_or_else(|| Failure::Broken("the clock of this machine is wrong".into()))?,
        channel: Channel::Email,
        to: address.to_string(),
        event: "mail.test".into(),
        subject: Some("A test mail from nil".into()),
        body: "This mail was sent by `nil mail test`. Whoever runs the platform wanted to know whether mails reach you: \
               they do.\n\nYou need not do anything."
            .into(),
        from: None,
        unsubscribe: None,
    })
}
