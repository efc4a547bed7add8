//! Users choose the events and channels of their notifications.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Event;
use super::outbox::{Channel, Recipient};
use super::preference::{Audience, NotificationPreference};
use super::quiet::OwnQuietHours;
use super::store::{preference as store, quiet};
use crate::auth::{PortalUser, User};
use crate::error::{Error, Result, codes};
use crate::kernel::{Edit, Many, Nothing};
use crate::operation::{Beside, Cx, Done, Subject, Work};
use crate::storage::Session;

/// The wanted channels of an event.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedPreference {
    /// The event.
    #[schemars(extend("examples" = ["disclosure.due"]))]
    pub event: Event,
    /// By mail; unchanged if left out.
    pub email: Option<bool>,
    /// By text message; unchanged if left out.
    #[schemars(extend("examples" = [null]))]
    pub sms: Option<bool>,
    /// In the application; unchanged if left out.
    #[schemars(extend("examples" = [null]))]
    pub in_app: Option<bool>,
}

/// The preferences to change. Events that are not named stay as they are.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SavePreferences {
    /// The preferences, one for each event to change; send these or `quiet_hours`.
    pub preferences: Option<Many<WantedPreference, 1, 100>>,
    /// When the caller gets no mails and texts that can wait. Null restores the site's hours;
    /// unchanged if left out. Urgent messages, such as a code, are still sent.
    #[serde(default)]
    pub quiet_hours: Edit<OwnQuietHours>,
}

/// Fields beside the preferences.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct BesidePreferences {
    /// The caller's own quiet hours; null if the site's apply, if it has any.
    pub quiet_hours: Option<OwnQuietHours>,
}

/// The preferences and quiet hours of a user.
type Preferences = Beside<Vec<NotificationPreference>, BesidePreferences>;

/// Whether to send text messages.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SetAllSms {
    /// True: by text message for every event that has one. False: never.
    pub enabled: bool,
}

/// The caller's preference for each event.
pub async fn list(cx: Cx<User>, _: Nothing) -> Result<Preferences> {
    let mut session = cx.read().await?;
    let who = Recipient::User(cx.caller.user_id);
    chosen(&mut session, Audience::User, &who).await
}

async fn chosen(session: &mut Session, audience: Audience, who: &Recipient) -> Result<Preferences> {
    let owner = who.name();
    let chosen = store::of_owner(session, &owner).await?;
    let quiet_hours = quiet::of_owner(session, &owner).await?;
    Ok(Beside { data: audience.all(&chosen), beside: BesidePreferences { quiet_hours } })
}

/// Changes preferences. 422 names what cannot be chosen: an event that does not concern the caller,
/// one that cannot be switched off, or a channel it is not sent on.
pub async fn save(cx: Cx<User>, input: SavePreferences) -> Result<Done<Preferences>> {
    let mut work = cx.begin().await?;
    let user = cx.caller.user_id;
    let whose = (Audience::User, Recipient::User(user), Subject::from(user));
    let all = choose(&mut work, whose, input).await?;
    work.done_beside(all).await
}

/// Switches text messages on or off for every event that has one. They are sent only to accounts
/// with a phone number.
pub async fn set_all_sms(
    cx: Cx<User>,
    input: SetAllSms,
) -> Result<Done<Vec<NotificationPreference>>> {
    let mut work = cx.begin().await?;
    let user = cx.caller.user_id;
    let owner = Recipient::User(user).name();
    let chosen = store::of_owner(&mut work, &owner).await?;
    let mut all = Audience::User.all(&chosen);
    let texted = |one: &&mut NotificationPreference| {
        Audience::User.hears(one.event, Channel::Sms) && !one.event.is_required()
    };
    let mut changed = Vec::new();
    for one in all.iter_mut().filter(texted) {
        one.sms = input.enabled;
        changed.push(*one);
    }
    store::save(&mut work, &owner, &changed, cx.now()).await?;
    let after = json!({ "sms": input.enabled });
    work.note_change(user, "sms_set", None, after);
    work.done(all).await
}

/// The caller's preference for each event of the portal: by mail or not.
pub async fn list_of_portal(cx: Cx<PortalUser>, _: Nothing) -> Result<Preferences> {
    let mut session = cx.read().await?;
    let who = Recipient::Portal(cx.caller.id);
    chosen(&mut session, Audience::Portal, &who).await
}

/// Chooses which of the portal's events are mailed. 422 as in the Core interface.
pub async fn save_of_portal(
    cx: Cx<PortalUser>,
    input: SavePreferences,
) -> Result<Done<Preferences>> {
    let mut work = cx.begin().await?;
    let id = cx.caller.id;
    let whose = (Audience::Portal, Recipient::Portal(id), id.into());
    let all = choose(&mut work, whose, input).await?;
    work.done_beside(all).await
}

pub(super) async fn choose(
    work: &mut Work,
    (audience, who, subject): (Audience, Recipient, Subject),
    input: SavePreferences,
) -> Result<Preferences> {
    if input.preferences.is_none() && input.quiet_hours == Edit::Keep {
        return Err(Error::invalid("preferences", "send preferences or quiet_hours"));
    }
    let wanted = Many::or_none(input.preferences);
    check(audience, &wanted)?;
    if let Some(hours) = input.quiet_hours.value() {
        hours.window().map_err(|why| Error::invalid("quiet_hours", why))?;
    }
    let (owner, now) = (who.name(), work.now());
    let chosen = store::of_owner(work, &owner).await?;
    let mut all = audience.all(&chosen);
    let (mut before, mut changed) = (Vec::new(), Vec::new());
    for one in &mut all {
        let Some(wanted) = wanted.iter().find(|wanted| wanted.event == one.event) else {
            continue;
        };
        let was = *one;
        for (channel, choice) in wanted.choices() {
            if let Some(choice) = choice {
                one.set(channel, choice);
            }
        }
        if was != *one {
            before.push(was);
            changed.push(*one);
        }
    }
    if !changed.is_empty() {
        store::save(work, &owner, &changed, now).await?;
        work.note_change(subject, "preferences_saved", json!(before), json!(changed));
    }
    let before = quiet::of_owner(work, &owner).await?;
    let mut quiet_hours = before.clone();
    if let Some(hours) = input.quiet_hours.change().filter(|hours| *hours != before) {
        quiet::save(work, &owner, hours.as_ref(), now).await?;
        work.note_change(subject, "quiet_hours_saved", json!(before), json!(hours));
        quiet_hours = hours;
    }
    Ok(Beside { data: all, beside: BesidePreferences { quiet_hours } })
}

impl WantedPreference {
    fn choices(&self) -> [(Channel, Option<bool>); 3] {
        [(Channel::Email, self.email), (Channel::Sms, self.sms), (Channel::InApp, self.in_app)]
    }
}

/// Reports everything that is wrong with the choices at once.
fn check(audience: Audience, wanted: &[WantedPreference]) -> Result<()> {
    let mut wrong = Error::from(codes::VALIDATION_FAILED);
    let mut seen = HashSet::new();
    for (place, one) in wanted.iter().enumerate() {
        let event = one.event;
        let at = format!("preferences.{place}.event");
        if !audience.events().any(|known| known == event) {
            wrong = wrong.at(at, format!("`{event}` is not one of your events"));
            continue;
        }
        if !seen.insert(event) {
            wrong = wrong.at(at, format!("`{event}` is named twice"));
        }
        for (channel, choice) in one.choices() {
            let at = format!("preferences.{place}.{channel}");
            let usual = audience.usual(event).wants(channel);
            match choice {
                Some(true) if !audience.hears(event, channel) => {
                    wrong = wrong.at(at, format!("`{event}` is not sent by {channel}"));
                }
                Some(false) if event.is_required() && usual => {
                    wrong = wrong.at(at, format!("`{event}` cannot be switched off"));
                }
                _ => {}
            }
        }
    }
    if wrong.fields().is_empty() { Ok(()) } else { Err(wrong) }
}
