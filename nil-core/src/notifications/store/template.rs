//! The rows of templates, of the texts they replaced, and what became of their messages.

use sea_query::{Expr, ExprTrait as _, Query, SelectStatement};

use crate::error::{Result, codes};
use crate::feed::Texts;
use crate::kernel::{
    ByAge, FollowedPage, Identity as _, Listing, OperatorId, Paging, TemplateId, Text, Time,
};
use crate::notifications::Event;
use crate::notifications::notification_template::{
    EventSort, ListTemplates, NotificationTemplate, Switch, TemplateVersion, Trigger,
};
use crate::notifications::outbox::Channel;
use crate::storage::{Key, Narrow as _, Session, contains, insert, scalar, sorted, sql, update};

const COLUMNS: &[&str] =
    &["id", "event", "channel", "subject", "body", "enabled", "version", "updated_at"];

fn select() -> SelectStatement {
    Query::select().columns(COLUMNS.iter().copied()).from("template").take()
}

fn of(event: Event, channel: Channel) -> SelectStatement {
    select()
        .and_where(Expr::col("event").eq(event.as_str()))
        .and_where(Expr::col("channel").eq(channel.as_str()))
        .take()
}

fn is_on(status: Option<Switch>) -> Option<bool> {
    status.map(|status| status == Switch::Enabled)
}

/// The template of an event on a channel.
pub async fn find(
    session: &mut Session,
    event: Event,
    channel: Channel,
) -> Result<Option<NotificationTemplate>> {
    session.first(of(event, channel)).await
}

/// The template of an event on a channel, locked until the transaction ends.
pub async fn held(
    session: &mut Session,
    event: Event,
    channel: Channel,
) -> Result<Option<NotificationTemplate>> {
    session.first(of(event, channel).lock(sea_query::LockType::NoKeyUpdate).take()).await
}

/// A page of templates of a channel.
pub async fn page(
    session: &mut Session,
    channel: Channel,
    wanted: &ListTemplates,
    paging: Paging,
) -> Result<Listing<NotificationTemplate>> {
    let mut rows = select();
    rows.only("channel", Some(channel))
        .only("enabled", is_on(wanted.status.one()))
        .only("id", wanted.id.one()?.map(TemplateId::number))
        .cond_where(contains(["event", "subject", "body"].map(Expr::col), wanted.q.as_deref()))
        .order_by("event", wanted.sort.unwrap_or(EventSort::EventUp).order());
    session.page(rows, paging).await
}

/// Keeps the texts that are about to be replaced.
pub async fn keep(
    session: &mut Session,
    replaced: &NotificationTemplate,
    by: OperatorId,
    now: Time,
) -> Result<()> {
    let row = insert("template_version")
        .set("template_id", replaced.id)
        .set("version", replaced.version)
        .set("subject", replaced.subject.clone())
        .set("body", replaced.body.clone())
        .set("replaced_at", now)
        .set("replaced_by", by);
    session.run(row).await.map(|_| ())
}

/// Writes a template.
pub async fn write(
    session: &mut Session,
    id: TemplateId,
    (subject, body): &Texts,
    enabled: bool,
    version: i64,
    now: Time,
) -> Result<NotificationTemplate> {
    let row = update("template")
        .set("subject", subject.clone())
        .set("body", body.clone())
        .set("enabled", enabled)
        .set("version", version)
        .set("updated_at", now)
        .when("id", id);
    session.one(row.returning(COLUMNS)).await
}

/// 404 for an unknown template.
pub async fn check(session: &mut Session, id: TemplateId) -> Result<()> {
    let known = session.exists(sql("SELECT id FROM template WHERE id = $1").bind(id)).await?;
    if known { Ok(()) } else { Err(codes::NOT_FOUND.into()) }
}

/// A page of the texts that were replaced.
pub async fn versions(
    session: &mut Session,
    id: TemplateId,
    sift: &ByAge,
    place: FollowedPage,
) -> Result<Listing<TemplateVersion>> {
    let rows = Query::select()
        .columns(["version", "subject", "body", "replaced_at", "replaced_by"])
        .from("template_version")
        .and_where(Expr::col("template_id").eq(id.get()))
        .cond_where(contains(["subject", "body"].map(Expr::col), sift.words()))
        .take();
    session.follow(sorted(rows, [Key::of(Expr::col("version"), sift.order())]), place).await
}

/// Which triggers to list.
#[derive(Clone, Debug, Default)]
pub struct WantedTriggers {
    pub status: Option<Switch>,
    pub event: Option<Event>,
    pub channel: Option<Channel>,
    /// Part of the event or of the subject.
    pub q: Option<Text<0, 100>>,
    pub sort: Option<EventSort>,
}

/// A page of events and channels, with the outcomes of messages since this instant.
pub async fn triggers(
    session: &mut Session,
    wanted: WantedTriggers,
    since: Time,
    paging: Paging,
) -> Result<Listing<Trigger>> {
    let (q, order) = (wanted.q.as_deref(), wanted.sort.unwrap_or(EventSort::EventUp).order());
    let mut rows = Query::select();
    rows.expr(Expr::cust("t.id AS template_id, t.event, t.channel, t.enabled, t.subject"))
        .expr_as(counted("o.status = 'sent'", since), "sent")
        .expr_as(counted("o.status = 'dead'", since), "failed")
        .expr_as(counted("o.fell_back IS NOT NULL", since), "fell_back")
        .from_as("template", "t")
        .only(("t", "enabled"), is_on(wanted.status))
        .only(("t", "event"), wanted.event)
        .only(("t", "channel"), wanted.channel)
        .cond_where(contains(["event", "subject"].map(|text| Expr::col(("t", text))), q))
        .order_by(("t", "event"), order.clone())
        .order_by(("t", "channel"), order);
    session.page(rows, paging).await
}

/// How many messages of a template are so, up to a limit.
fn counted(condition: &'static str, since: Time) -> Expr {
    let found = Query::select()
        .expr(Expr::cust("1 AS one"))
        .from_as("outbox", "o")
        .and_where(Expr::col(("o", "event")).equals(("t", "event")))
        .and_where(Expr::col(("o", "channel")).equals(("t", "channel")))
        .and_where(Expr::cust(condition))
        .and_where(Expr::col(("o", "created_at")).gte(since))
        .limit(10_001)
        .take();
    let count = Query::select().expr(Expr::cust("COUNT(*)")).from_subquery(found, "q").take();
    scalar(count)
}

/// Turns the messages of an event on a channel on or off.
pub async fn set_enabled(session: &mut Session, id: TemplateId, on: bool, now: Time) -> Result<()> {
    session
        .change(update("template").set("enabled", on).set("updated_at", now).when("id", id))
        .await
}

/// An event on a channel, with the outcomes of its messages since this instant.
pub async fn trigger(
    session: &mut Session,
    event: Event,
    channel: Channel,
    since: Time,
) -> Result<Option<Trigger>> {
    let wanted =
        WantedTriggers { event: Some(event), channel: Some(channel), ..WantedTriggers::default() };
    let page = triggers(session, wanted, since, Paging::default()).await?;
    Ok(page.items.into_iter().next())
}
