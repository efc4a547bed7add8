//! Operators change the texts of messages, try them, and return to earlier ones.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Event;
use super::notification_template::{
    EventSort, ListTemplates, NotificationTemplate, Switch, TemplateVersion,
};
use super::outbox::{Channel, Message, Recipient};
use super::store::{person, template as store};
use crate::auth::Operator;
use crate::error::{Error, Result, Wrong, codes};
use crate::feed::{
    Composed, Draft, Place, Texts, compose, default_of, mistake, samples, variables,
};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AllOr, Combined, Listing, Paged, Revision, Sifted, TemplateId, Text, ZeroOr, aside,
};
use crate::operation::{Cx, Done, Revisable as _, Revised, Work};

vocabulary! {
    /// A channel with templates.
    TemplateChannel {
        /// By mail.
        Email = "email",
        /// By text message.
        Sms = "sms",
        /// In the application itself.
        InApp = "in_app",
    }
}

impl TemplateChannel {
    pub(super) const fn channel(self) -> Channel {
        match self {
            Self::Email => Channel::Email,
            Self::Sms => Channel::Sms,
            Self::InApp => Channel::InApp,
        }
    }
}

/// A mail's template to change; omitted fields keep their values. A text takes values,
/// `{{job_title}}`, and conditions,
/// `{% if note %}…{% elif change == 'closed' %}…{% else %}…{% endif %}`: 200 of these and of the
/// texts between them at most.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveEmailTemplate {
    /// The event.
    #[schemars(extend("examples" = ["job.approved"]))]
    pub event: Event,
    /// The subject; it contains no secrets (`code`, `url`).
    #[schemars(extend("examples" = ["\"{{job_title}}\" is live"]))]
    pub subject: Option<Text<1, 200>>,
    /// The text, plain.
    #[schemars(extend("examples" = ["Hi {{first_name}},\n\nathletes can apply until {{deadline}}: {{url}}"]))]
    pub body: Option<Text<1, 20000>>,
    /// Whether messages are sent.
    pub enabled: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the template has another one.
    pub revision: Option<Revision>,
}

/// A text message's template to change; omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveSmsTemplate {
    /// The event.
    #[schemars(extend("examples" = ["athlete.hired"]))]
    pub event: Event,
    /// The text: three text messages at most.
    #[schemars(extend("examples" = ["{{site_name}}: see {{url}}"]))]
    pub body: Option<Text<1, 480>>,
    /// Whether messages are sent.
    pub enabled: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the template has another one.
    pub revision: Option<Revision>,
}

/// A template for the application to change; omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveInAppTemplate {
    /// The event.
    #[schemars(extend("examples" = ["job.approved"]))]
    pub event: Event,
    /// The title; it contains no secrets (`code`, `url`).
    #[schemars(extend("examples" = ["Job approved"]))]
    pub subject: Option<Text<1, 120>>,
    /// The text.
    #[schemars(extend("examples" = ["Athletes can apply for \"{{job_title}}\" until {{deadline}}."]))]
    pub body: Option<Text<1, 2000>>,
    /// Whether messages are sent.
    pub enabled: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the template has another one.
    pub revision: Option<Revision>,
}

/// Selects templates for the application.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListInAppTemplates {
    /// `all`, `enabled` or `disabled`.
    pub status: AllOr<Switch>,
    /// Part of the event, the title or the text.
    pub q: Option<Text<0, 100>>,
    /// The order (default by event).
    pub sort: Option<EventSort>,
}

/// A template to try. Without texts, the stored ones are.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PreviewTemplate {
    /// The event.
    #[schemars(extend("examples" = ["job.approved"]))]
    pub event: Event,
    /// The channel.
    #[schemars(extend("examples" = ["email"]))]
    pub channel: TemplateChannel,
    /// The subject or title.
    #[schemars(extend("examples" = ["\"{{job_title}}\" is live"]))]
    pub subject: Option<Text<1, 200>>,
    /// The text.
    #[schemars(extend("examples" = ["Athletes can apply until {{deadline}}."]))]
    pub body: Option<Text<1, 20000>>,
}

/// A template's event and channel.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ChosenTemplate {
    /// The event.
    #[schemars(extend("examples" = ["job.approved"]))]
    pub event: Event,
    /// The channel.
    #[schemars(extend("examples" = ["email"]))]
    pub channel: TemplateChannel,
}

/// Selects the earlier texts of a template.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ViewVersions {
    /// The template.
    pub id: TemplateId,
}

/// An event whose mail to try.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct TestTemplate {
    /// The event.
    #[schemars(extend("examples" = ["job.approved"]))]
    pub event: Event,
}

/// A message as it would be sent, with sample values.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TemplatePreview {
    /// The subject or title.
    pub subject: Option<String>,
    /// The text.
    pub body: String,
    /// Why this is the first text, the one that `nil` comes with: the stored template cannot be
    /// used. Null if it can.
    pub problem: Option<String>,
    /// The names of the values that templates of this event can use.
    pub variables: Vec<String>,
}

/// Changes the mail of an event. 422 with the names of unknown values, and for a mistake in the
/// syntax; 409 `state_changed` if somebody else has changed it meanwhile.
pub async fn save_email(
    cx: Cx<Operator>,
    input: SaveEmailTemplate,
) -> Result<Done<Revised<NotificationTemplate>>> {
    let texts = (input.subject.as_deref(), input.body.as_deref());
    let seen = input.revision.as_ref();
    save(cx, (input.event, Channel::Email), texts, (input.enabled, seen)).await
}

/// Changes the text message of an event. 422 with the names of unknown values, and for a mistake in
/// the syntax.
pub async fn save_sms(
    cx: Cx<Operator>,
    input: SaveSmsTemplate,
) -> Result<Done<Revised<NotificationTemplate>>> {
    let texts = (None, input.body.as_deref());
    let seen = input.revision.as_ref();
    save(cx, (input.event, Channel::Sms), texts, (input.enabled, seen)).await
}

/// Changes what an event says in the application. 422 with the names of unknown values, and for a
/// mistake in the syntax.
pub async fn save_in_app(
    cx: Cx<Operator>,
    input: SaveInAppTemplate,
) -> Result<Done<Revised<NotificationTemplate>>> {
    let texts = (input.subject.as_deref(), input.body.as_deref());
    let seen = input.revision.as_ref();
    save(cx, (input.event, Channel::InApp), texts, (input.enabled, seen)).await
}

async fn save(
    cx: Cx<Operator>,
    (event, channel): (Event, Channel),
    (subject, body): (Option<&str>, Option<&str>),
    (enabled, seen): (Option<bool>, Option<&Revision>),
) -> Result<Done<Revised<NotificationTemplate>>> {
    check((event, channel), (subject, body)).await?;
    let mut work = cx.begin().await?;
    let before = held(&mut work, event, channel).await?;
    work.as_seen(before.id, &before, seen).await?;
    let texts = (
        subject.map(str::to_owned).or_else(|| before.subject.clone()),
        body.map_or_else(|| before.body.clone(), str::to_owned),
    );
    let enabled = switched(event, enabled)?.unwrap_or(before.enabled);
    let after = write(&mut work, &cx, &before, texts, enabled).await?;
    work.done(after.into()).await
}

/// Returns a template to the text that `nil` comes with; whether messages are sent stays as it is.
pub async fn reset(
    cx: Cx<Operator>,
    input: ChosenTemplate,
) -> Result<Done<Revised<NotificationTemplate>>> {
    let channel = input.channel.channel();
    let mut work = cx.begin().await?;
    let before = held(&mut work, input.event, channel).await?;
    let usual = default_of(input.event, channel).ok_or(codes::NOT_FOUND)?;
    let after = write(&mut work, &cx, &before, usual.clone(), before.enabled).await?;
    work.done(after.into()).await
}

/// Writes new texts and keeps the old ones as a version, if anything changes.
async fn write(
    work: &mut Work,
    cx: &Cx<Operator>,
    before: &NotificationTemplate,
    texts: Texts,
    enabled: bool,
) -> Result<NotificationTemplate> {
    let other_texts = texts != (before.subject.clone(), before.body.clone());
    if !other_texts && enabled == before.enabled {
        return Ok(before.clone());
    }
    if other_texts {
        store::keep(work, before, cx.caller.id, cx.now()).await?;
    }
    let version = before.version + i64::from(other_texts);
    let after = store::write(work, before.id, &texts, enabled, version, cx.now()).await?;
    work.note_change(before.id, "changed", before.content(), after.content());
    Ok(after.explained())
}

/// The template of an event on a channel, locked. 422 where the event is not sent on the channel.
pub(super) async fn held(
    work: &mut Work,
    event: Event,
    channel: Channel,
) -> Result<NotificationTemplate> {
    let found = store::held(work, event, channel).await?;
    Ok(found.ok_or_else(|| not_sent_by(channel))?.explained())
}

fn not_sent_by(channel: Channel) -> Error {
    Error::invalid("event", format!("is not sent by {channel}"))
}

/// The new state of an event's switch; 422 for one that must stay on.
pub(super) fn switched(event: Event, enabled: Option<bool>) -> Result<Option<bool>> {
    if enabled == Some(false) && event.is_required() {
        let why = "must stay on: accounts cannot be used safely without this event";
        return Err(Error::invalid("enabled", why));
    }
    Ok(enabled)
}

async fn check(
    (event, channel): (Event, Channel),
    (subject, body): (Option<&str>, Option<&str>),
) -> Result<()> {
    let texts = [("subject", Place::Subject, subject), ("body", Place::Body, body)];
    let texts = texts.map(|(field, place, text)| (field, place, text.map(str::to_owned)));
    let mistakes = aside(move || {
        texts.map(|(field, place, text)| {
            let mistake = text.and_then(|text| mistake((event, channel), place, &text));
            (field, mistake)
        })
    });
    let mut wrong = Wrong::default();
    for (field, mistake) in mistakes.await? {
        if let Some(mistake) = mistake {
            wrong.add(field, mistake);
        }
    }
    wrong.refuse()
}

/// Lists the templates of mails, by event. 404 for an unknown id.
pub async fn list_email(
    cx: Cx<Operator>,
    input: Paged<ListTemplates>,
) -> Result<Listing<Revised<NotificationTemplate>>> {
    list(cx, Channel::Email, input).await
}

/// Lists the templates of text messages, by event. 404 for an unknown id.
pub async fn list_sms(
    cx: Cx<Operator>,
    input: Paged<ListTemplates>,
) -> Result<Listing<Revised<NotificationTemplate>>> {
    list(cx, Channel::Sms, input).await
}

/// Lists the templates for the application, by event.
pub async fn list_in_app(
    cx: Cx<Operator>,
    input: Paged<ListInAppTemplates>,
) -> Result<Listing<Revised<NotificationTemplate>>> {
    let (ListInAppTemplates { status, q, sort }, shared) = input.parts();
    let input = Paged { own: ListTemplates { status, id: ZeroOr::All, q, sort }, shared };
    list(cx, Channel::InApp, input).await
}

async fn list(
    cx: Cx<Operator>,
    channel: Channel,
    input: Paged<ListTemplates>,
) -> Result<Listing<Revised<NotificationTemplate>>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let page = store::page(&mut session, channel, &input, paging).await?;
    Ok(input.id.found(page)?.map(|template| template.explained().into()))
}

/// Shows what a message would say, with sample values. 422 with the names of unknown values, and
/// for a mistake in the syntax. `problem` says why the first text is shown instead of a stored one.
pub async fn preview(cx: Cx<Operator>, input: PreviewTemplate) -> Result<TemplatePreview> {
    let (event, channel) = (input.event, input.channel.channel());
    let (subject, body) = (input.subject.as_deref(), input.body.as_deref());
    check((event, channel), (subject, body)).await?;
    let mut session = cx.read().await?;
    let stored = store::find(&mut session, event, channel).await?;
    let stored = stored.ok_or_else(|| not_sent_by(channel))?;
    drop(session);
    let texts =
        (subject.map(str::to_owned).or(stored.subject), body.map_or(stored.body, str::to_owned));
    let variables = variables(event);
    let values = Arc::new(samples(variables.iter().map(String::as_str)));
    let composed = compose(vec![Draft { event, channel, texts, values }]).await.into_iter().next();
    let Composed { texts: (subject, body), fell_back: problem } =
        composed.ok_or_else(|| Error::internal("a draft without a text"))?;
    let variables = variables.iter().cloned().collect();
    Ok(TemplatePreview { subject, body, problem, variables })
}

/// Lists the texts that were replaced, newest first. `q` looks in subjects and texts. 404 for an
/// unknown id.
pub async fn versions(
    cx: Cx<Operator>,
    input: Sifted<ViewVersions>,
) -> Result<Listing<TemplateVersion>> {
    let (Combined { own: input, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::check(&mut session, input.id).await?;
    store::versions(&mut session, input.id, &sift, place).await
}

/// Sends the stored mail of an event, with sample values, to the caller's own address.
pub async fn send_test(
    cx: Cx<Operator>,
    input: TestTemplate,
) -> Result<Done<NotificationTemplate>> {
    let mut work = cx.begin().await?;
    let template = held(&mut work, input.event, Channel::Email).await?;
    let address = person::operators_address(&mut work, cx.caller.id).await?;
    let names = variables(input.event);
    let mut message = Message::new(input.event, Recipient::Email(address));
    for (name, value) in samples(names.iter().map(String::as_str)) {
        message = message.with(&name, value);
    }
    work.send(message);
    work.note(template.id, "tested");
    work.done(template).await
}
