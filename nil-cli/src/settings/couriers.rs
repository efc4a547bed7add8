//! By what messages leave: a mail server, a provider of text messages, or both.

use std::sync::Arc;

use nil_core::Config;
use nil_core::ports::courier::{Couriers, Smtp};

use crate::failure::Failure;
use crate::{mail, sms};

/// By what messages leave, in words.
#[derive(Debug, Default)]
pub(crate) struct Leaving {
    /// The mail server.
    pub mail: Option<String>,
    /// The provider of text messages.
    pub sms: Option<String>,
}

/// Configures the courier of both parts of the settings, if either names one, and who reports what
/// becomes of messages.
pub(super) fn connect(
    config: &mut Config,
    mut mail: mail::Section,
    mut sms: sms::Section,
    has_public_url: bool,
) -> Result<Leaving, Failure> {
    let home = has_public_url.then_some(config.public_url.as_str());
    config.mail_reports = mail::reports(&mut mail)?;
    config.sms_reports = sms::reports(&mut sms, home)?;
    let smtp = mail::courier(mail)?;
    let sms = sms::courier(sms, config.sms_reports.clone())?;
    let leaving = Leaving {
        mail: smtp.as_ref().map(Smtp::described),
        sms: sms.as_ref().map(|sms| sms.server().to_owned()),
    };
    config.courier = match (smtp, sms) {
        (Some(smtp), Some(sms)) => {
            Some(Arc::new(Couriers::new(vec![Arc::new(smtp), Arc::new(sms)])))
        }
        (Some(smtp), None) => Some(Arc::new(smtp)),
        (None, Some(sms)) => Some(Arc::new(sms)),
        (None, None) => None,
    };
    Ok(leaving)
}
