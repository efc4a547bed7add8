//! Ends the mails of an event through the link in one of them, without a log-in.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Event;
use super::outbox::{Channel, Recipient};
use super::preference::Audience;
use super::preferring::{SavePreferences, WantedPreference, choose};
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{Edit, Many, Secret};
use crate::operation::{Cx, Done, Subject};
use crate::platform::Platform;

/// The token of a mail's link.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Unsubscribe {
    /// The token of the link. It ends the mails of one event to one account, does not expire, and
    /// can be used again.
    pub token: Secret,
}

/// The text that is signed: the account and the event.
const KIND: &str = "unsubscribe.";

/// The address at which a recipient ends the mails of an event; none for those that an account
/// cannot do without, and for addresses without an account. It is on the servers themselves,
/// because programs call it too (RFC 8058).
pub(super) fn address(platform: &Platform, recipient: &str, event: Event) -> Option<String> {
    let who = Recipient::named(recipient, None)?;
    let audience = Audience::of(&who)?;
    let ends = !event.is_required()
        && audience.hears(event, Channel::Email)
        && audience.events().any(|known| known == event);
    if !ends {
        return None;
    }
    let promise = format!("{KIND}{}.{event}", who.name());
    let signature = platform.vault().sign_text(&promise);
    let for_officers = audience == Audience::Portal;
    let (url, path) =
        (platform.config().server_url(for_officers), if for_officers { "/compliance" } else { "" });
    Some(format!("{url}{path}/unsubscribe?token={promise}.{signature}"))
}

/// Whose mails of which event a token ends; none if it was not issued here.
fn opened(platform: &Platform, token: &str) -> Option<(Recipient, Event)> {
    let (promise, signature) = token.rsplit_once('.')?;
    if !platform.vault().is_signature(promise, signature) {
        return None;
    }
    let (who, event) = promise.strip_prefix(KIND)?.split_once('.')?;
    Some((Recipient::named(who, None)?, event.parse().ok()?))
}

/// Ends the mails of the link's event to the link's account; its other channels stay. 422
/// `token_invalid` for a token that was not issued here.
pub async fn unsubscribe(cx: Cx<Anyone>, input: Unsubscribe) -> Result<Done<()>> {
    let invalid = || Error::from(codes::TOKEN_INVALID).at("token", "is wrong");
    let (who, event) = opened(cx.platform(), input.token.expose()).ok_or_else(invalid)?;
    let whose = match &who {
        Recipient::User(id) => (Audience::User, Subject::from(*id)),
        Recipient::Portal(id) => (Audience::Portal, Subject::from(*id)),
        Recipient::Email(_) => return Err(invalid()),
    };
    let (audience, subject) = whose;
    let none = WantedPreference { event, email: Some(false), sms: None, in_app: None };
    let preferences = Many::new(vec![none]).map_err(Error::internal)?;
    let input = SavePreferences { preferences: Some(preferences), quiet_hours: Edit::Keep };
    let mut work = cx.begin().await?;
    choose(&mut work, (audience, who, subject), input).await?;
    work.done(()).await
}
