//! The provider of text messages: its settings under `[sms]`, and `nil sms test`.

use std::path::PathBuf;
use std::time::Duration;

use nil_core::kernel::{Clock as _, OutboxId, Phone, SystemClock};
use nil_core::ports::courier::{
    Channel, Courier as _, Letter, Outcome, Sms, SmsReports, SmsSender, SmsSettings,
};
use serde::Deserialize;
use serde_json::json;

use crate::args::{Options, SmsAction};
use crate::failure::Failure;
use crate::out::say;
use crate::settings::{env, parsed, secret, sms_provider};

/// The part `[sms]` of `nil.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Section {
    url: Option<String>,
    account: Option<String>,
    key: Option<String>,
    secret: Option<String>,
    secret_file: Option<PathBuf>,
    from: Option<String>,
    messaging_service: Option<String>,
    timeout_seconds: Option<u64>,
    report_token: Option<String>,
    report_token_file: Option<PathBuf>,
}

impl std::fmt::Debug for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Section").field("url", &self.url).finish_non_exhaustive()
    }
}

/// How the provider reports to the site at this address, if it shall.
pub(crate) fn reports(
    file: &mut Section,
    home: Option<&str>,
) -> Result<Option<SmsReports>, Failure> {
    let own = (file.report_token.take(), file.report_token_file.take());
    let token = secret("NIL_SMS_REPORT_TOKEN", "report_token", own).map_err(|why| wrong(&why))?;
    let Some(token) = token else { return Ok(None) };
    let home = home.ok_or_else(|| {
        wrong("report_token: needs public_url, to which the provider sends its reports")
    })?;
    Ok(Some(SmsReports::new(home, token)))
}

/// The provider of these settings, if its address is named.
pub(crate) fn courier(file: Section, reports: Option<SmsReports>) -> Result<Option<Sms>, Failure> {
    let own = (file.secret, file.secret_file);
    let secret = secret("NIL_SMS_SECRET", "secret", own).map_err(|why| wrong(&why))?;
    let account = env("NIL_SMS_ACCOUNT").or(file.account);
    let key = env("NIL_SMS_KEY").or(file.key);
    let from = env("NIL_SMS_FROM").or(file.from);
    let service = env("NIL_SMS_MESSAGING_SERVICE").or(file.messaging_service);
    let Some(url) = env("NIL_SMS_URL").or(file.url) else {
        let others = [&account, &key, &from, &service];
        if secret.is_some() || others.iter().any(|other| other.is_some()) {
            return Err(wrong("url: is missing beside the other settings of sms"));
        }
        return Ok(None);
    };
    let missing = |name: &str| wrong(&format!("{name}: is missing beside url"));
    let sender = match (from, service) {
        (Some(from), None) => SmsSender::From(from),
        (None, Some(service)) => SmsSender::MessagingService(service),
        (None, None) => {
            return Err(wrong("from: is missing; it, or messaging_service, is the sender"));
        }
        (Some(_), Some(_)) => {
            return Err(wrong("from: is the sender, and so is messaging_service; set one"));
        }
    };
    let account = account.ok_or_else(|| missing("account"))?;
    let secret = secret.ok_or_else(|| missing("secret"))?;
    let mut settings = SmsSettings::new(url, account, secret, sender);
    settings.key = key;
    settings.reports = reports;
    if let Some(seconds) = parsed("NIL_SMS_TIMEOUT_SECONDS", file.timeout_seconds)? {
        settings.timeout = Duration::from_secs(seconds);
    }
    Sms::new(settings).map(Some).map_err(|why| wrong(&why))
}

/// What is wrong with a setting; the text begins with its name.
fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("sms.{why}"))
}

/// `nil sms test`.
pub(crate) async fn command(
    options: &Options,
    action: SmsAction,
    json: bool,
) -> Result<(), Failure> {
    let SmsAction::Test { number } = action;
    let number = Phone::new(&number).map_err(|why| Failure::Usage(format!("NUMBER {why}")))?;
    let sms = sms_provider(options)?.ok_or_else(|| {
        wrong("url: no provider of text messages is configured; name its address, an account and a sender")
    })?;
    match sms.hand_over(&test_letter(&number)?).await {
        Outcome::Sent => {
            let server = sms.server();
            if json {
                say!("{:#}", json!({ "accepted": true, "server": server, "to": *number }));
            } else {
                say!("{server} accepted the test message to {}.", &*number);
            }
            Ok(())
        }
        Outcome::TryAgain(why) => {
            Err(Failure::Broken(format!("{why}. A message would be tried again later.")))
        }
        Outcome::Never(why) => {
            Err(Failure::Broken(format!("{why}. A message to this number would be given up.")))
        }
        Outcome::Unknown(why) => Err(Failure::Broken(format!(
            "{why}. The message may have been sent. Only one that its recipient cannot do without would be sent again."
        ))),
    }
}

/// The message that is sent to try a provider.
fn test_letter(number: &Phone) -> Result<Letter, Failure> {
    let id = OutboxId::new(SystemClock.now().timestamp_micros());
    Ok(Letter {
        id: id.ok_or_else(|| Failure::Broken("the clock of this machine is wrong".into()))?,
        channel: Channel::Sms,
        to: number.to_string(),
        event: "sms.test".into(),
        subject: None,
        body: "A test message from nil: text messages reach this number. You need not do anything."
            .into(),
        from: None,
        unsubscribe: None,
    })
}
