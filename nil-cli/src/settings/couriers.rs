//! By what messages leave: a mail server, a provider of text messages, or both.

use std::sync::Arc;

use nil_core::ports::courier::{Courier, Couriers, Smtp};

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

/// The courier of both parts of the settings, if either names one.
pub(super) fn courier(
    mail: mail::Section,
    sms: sms::Section,
) -> Result<(Option<Arc<dyn Courier>>, Leaving), Failure> {
    let smtp = mail::courier(mail)?;
    let sms = sms::courier(sms)?;
    let leaving = Leaving {
        mail: smtp.as_ref().map(Smtp::described),
        sms: sms.as_ref().map(|sms| sms.server().to_owned()),
    };
    let courier: Option<Arc<dyn Courier>> = match (smtp, sms) {
        (Some(smtp), Some(sms)) => {
            Some(Arc::new(Couriers::new(vec![Arc::new(smtp), Arc::new(sms)])))
        }
        (Some(smtp), None) => Some(Arc::new(smtp)),
        (None, Some(sms)) => Some(Arc::new(sms)),
        (None, None) => None,
    };
    Ok((courier, leaving))
}
