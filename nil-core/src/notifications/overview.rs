//! Operators see what is sent for which event, and turn it on and off.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Event;
use super::notification_template::{EventSort, Switch, Trigger};
use super::store::template::{self as store, WantedTriggers};
use super::templating::{TemplateChannel, held, switched};
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{AllOr, Listing, Paged, Text};
use crate::operation::{Cx, Done};

/// The time for which messages are counted.
const COUNTED: TimeDelta = TimeDelta::days(30);

/// Selects events and channels.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListTriggers {
    /// `all`, `enabled` or `disabled`.
    pub status: AllOr<Switch>,
    /// Only this event.
    #[schemars(extend("examples" = ["job.approved"]))]
    pub event: Option<Event>,
    /// Only this channel.
    pub channel: Option<TemplateChannel>,
    /// Part of the event or of the subject.
    pub q: Option<Text<0, 100>>,
    /// The order (default by event).
    pub sort: Option<EventSort>,
}

/// The switch of an event on a channel.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetTrigger {
    /// The event.
    #[schemars(extend("examples" = ["job.closing_soon"]))]
    pub event: Event,
    /// The channel.
    #[schemars(extend("examples" = ["email"]))]
    pub channel: TemplateChannel,
    /// Whether messages are sent. Events without which accounts cannot be used safely stay on.
    pub enabled: bool,
}

/// Lists what is sent for each event on each channel, with the messages of the last thirty days.
pub async fn list(cx: Cx<Operator>, input: Paged<ListTriggers>) -> Result<Listing<Trigger>> {
    let (input, paging) = input.parts();
    let wanted = WantedTriggers {
        status: input.status.one(),
        event: input.event,
        channel: input.channel.map(TemplateChannel::channel),
        q: input.q,
        sort: input.sort,
    };
    let mut session = cx.read().await?;
    let page = store::triggers(&mut session, wanted, cx.now() - COUNTED, paging).await?;
    Ok(page.map(explained))
}

/// Turns the messages of an event on a channel on or off. 422 where the event is not sent on the
/// channel, and for an event that must stay on.
pub async fn set(cx: Cx<Operator>, input: SetTrigger) -> Result<Done<Trigger>> {
    let channel = input.channel.channel();
    switched(input.event, Some(input.enabled))?;
    let mut work = cx.begin().await?;
    let before = held(&mut work, input.event, channel).await?;
    if before.enabled != input.enabled {
        store::set_enabled(&mut work, before.id, input.enabled, cx.now()).await?;
        let was = json!({ "enabled": before.enabled });
        work.note_change(before.id, "switched", was, json!({ "enabled": input.enabled }));
    }
    let after = store::trigger(&mut work, input.event, channel, cx.now() - COUNTED).await?;
    work.done(explained(after.ok_or(codes::NOT_FOUND)?)).await
}

fn explained(mut trigger: Trigger) -> Trigger {
    trigger.required = trigger.event.is_required();
    trigger
}
