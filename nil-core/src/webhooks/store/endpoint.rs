//! The rows of endpoints.

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};

use crate::error::{Error, Result};
use crate::feed::Event;
use crate::kernel::{CollegeId, PartnerId, PortalUserId, Time, UserId, WebhookEndpointId};
use crate::storage::{FromRow, Selected as _, Session, insert, sql, update};
use crate::webhooks::endpoint::{DisabledWhy, Owner, WebhookEndpoint};

/// What an owner says of an endpoint.
#[derive(Debug)]
pub struct Content<'a> {
    pub url: &'a str,
    pub description: Option<&'a str>,
    pub events: &'a [Event],
    pub enabled: bool,
}

impl Content<'_> {
    fn events(&self) -> Result<serde_json::Value> {
        serde_json::to_value(self.events).map_err(Error::internal)
    }
}

fn select(owner: Owner) -> SelectStatement {
    let (column, id) = owner.column();
    Query::select()
        .columns(WebhookEndpoint::COLUMNS.iter().copied())
        .from("webhook_endpoint")
        .and_where(Expr::col(column).eq(id))
        .take()
}

/// An owner's endpoints, oldest first.
pub async fn of_owner(session: &mut Session, owner: Owner) -> Result<Vec<WebhookEndpoint>> {
    session.all(select(owner).order_by("id", Order::Asc).take()).await
}

/// An owner's endpoint; 404 for another's.
pub async fn find(
    session: &mut Session,
    owner: Owner,
    id: WebhookEndpointId,
) -> Result<WebhookEndpoint> {
    session.one(select(owner).and_where(Expr::col("id").eq(id.get())).take()).await
}

/// An owner's endpoint, locked; 404 for another's.
pub async fn lock(
    session: &mut Session,
    owner: Owner,
    id: WebhookEndpointId,
) -> Result<WebhookEndpoint> {
    let mut query = select(owner);
    query.and_where(Expr::col("id").eq(id.get())).lock(LockType::NoKeyUpdate);
    session.one(query).await
}

/// Adds an endpoint.
pub async fn add(
    session: &mut Session,
    owner: Owner,
    content: &Content<'_>,
    sealed: Vec<u8>,
    now: Time,
) -> Result<WebhookEndpoint> {
    let (column, id) = owner.column();
    let row = insert("webhook_endpoint")
        .set(column, id)
        .set("url", content.url)
        .set("description", content.description.map(str::to_owned))
        .set("events", content.events()?)
        .set("enabled", content.enabled)
        .set("sealed_secret", sealed)
        .set("created_at", now)
        .set("updated_at", now);
    session.one(row.returning(WebhookEndpoint::COLUMNS)).await
}

/// Changes what the owner says of an endpoint, which is locked. One that is switched on begins
/// anew.
pub async fn change(
    session: &mut Session,
    before: &WebhookEndpoint,
    content: &Content<'_>,
    now: Time,
) -> Result<WebhookEndpoint> {
    let mut row = update("webhook_endpoint")
        .set("url", content.url)
        .set("description", content.description.map(str::to_owned))
        .set("events", content.events()?)
        .set("enabled", content.enabled)
        .set("updated_at", now)
        .when("id", before.id);
    if content.enabled && !before.enabled {
        row = row
            .set("disabled_why", None::<String>)
            .set("failing_since", None::<Time>)
            .set("overflowed_at", None::<Time>)
            .set("turn_until", None::<Time>);
    }
    session.one(row.returning(WebhookEndpoint::COLUMNS)).await
}

/// Replaces the secret of an endpoint, which is locked. The secret before signs as well until then.
pub async fn rotate(
    session: &mut Session,
    id: WebhookEndpointId,
    sealed: Vec<u8>,
    (old_until, now): (Time, Time),
) -> Result<()> {
    session
        .change(
            sql("UPDATE webhook_endpoint SET sealed_old_secret = sealed_secret, \
                 sealed_secret = $2, old_secret_until = $3, updated_at = $4 WHERE id = $1")
            .bind(id)
            .bind(sealed)
            .bind(old_until)
            .bind(now),
        )
        .await
}

/// Removes an endpoint with its deliveries.
pub async fn remove(session: &mut Session, id: WebhookEndpointId) -> Result<()> {
    session.run(sql("DELETE FROM webhook_endpoint WHERE id = $1").bind(id)).await.map(|_| ())
}

/// Switches an endpoint off; returns whether it was on.
pub async fn disable(
    session: &mut Session,
    id: WebhookEndpointId,
    why: DisabledWhy,
    now: Time,
) -> Result<bool> {
    let row = update("webhook_endpoint")
        .set("enabled", false)
        .set("disabled_why", why)
        .set("updated_at", now)
        .when("id", id)
        .when("enabled", true);
    Ok(session.run(row).await? > 0)
}

/// An endpoint with something to hear.
#[derive(Clone, Debug, FromRow)]
pub struct DueEndpoint {
    pub id: WebhookEndpointId,
    partner_id: Option<PartnerId>,
    college_id: Option<CollegeId>,
    pub is_failing: bool,
}

/// The owner that a row names.
fn named(partner: Option<PartnerId>, college: Option<CollegeId>) -> Result<Owner> {
    let owner = partner.map(Owner::Brand).or(college.map(Owner::Institution));
    owner.ok_or_else(|| Error::internal("an endpoint of webhooks without an owner"))
}

impl DueEndpoint {
    /// Its owner.
    pub fn owner(&self) -> Result<Owner> {
        named(self.partner_id, self.college_id)
    }
}

/// The endpoints for which something is due, and which no server sends to now: first those that
/// answered last time, then those that wait longest.
pub async fn due(session: &mut Session, now: Time) -> Result<Vec<DueEndpoint>> {
    session
        .all(
            sql("SELECT e.id, e.partner_id, e.college_id, \
                 (e.failing_since IS NOT NULL) AS is_failing \
                 FROM (SELECT endpoint_id, MIN(next_at) AS first_at FROM webhook_delivery \
                 WHERE status = 'pending' AND next_at <= $1 GROUP BY endpoint_id) d \
                 JOIN webhook_endpoint e ON e.id = d.endpoint_id \
                 WHERE (e.turn_until IS NULL OR e.turn_until <= $1) \
                 ORDER BY (e.failing_since IS NOT NULL), d.first_at, e.id LIMIT 200")
            .bind(now),
        )
        .await
}

/// An endpoint that this server sends to.
#[derive(Clone, Debug, FromRow)]
pub struct Claimed {
    pub id: WebhookEndpointId,
    partner_id: Option<PartnerId>,
    college_id: Option<CollegeId>,
    pub url: String,
    pub enabled: bool,
    pub sealed_secret: Vec<u8>,
    pub sealed_old_secret: Option<Vec<u8>>,
    pub old_secret_until: Option<Time>,
    pub overflowed_at: Option<Time>,
}

impl Claimed {
    /// Its owner.
    pub fn owner(&self) -> Result<Owner> {
        named(self.partner_id, self.college_id)
    }
}

/// Takes an endpoint's turn until then, unless another server has it.
pub async fn claim(
    session: &mut Session,
    id: WebhookEndpointId,
    (until, now): (Time, Time),
) -> Result<Option<Claimed>> {
    let free = Expr::col("turn_until").is_null().or(Expr::col("turn_until").lte(now));
    let row = update("webhook_endpoint").set("turn_until", until).when("id", id).and(free);
    session
        .first(row.returning(&[
            "id",
            "partner_id",
            "college_id",
            "url",
            "enabled",
            "sealed_secret",
            "sealed_old_secret",
            "old_secret_until",
            "overflowed_at",
        ]))
        .await
}

/// Whether an owner's account is in use: a brand's is not while it is suspended or closed.
pub async fn is_in_use(session: &mut Session, owner: Owner) -> Result<bool> {
    let Owner::Brand(brand) = owner else { return Ok(true) };
    session
        .exists(
            sql("SELECT p.id FROM partner p JOIN app_user u ON u.id = p.user_id \
                 WHERE p.id = $1 AND u.status = 'active'")
            .bind(brand),
        )
        .await
}

/// Ends an endpoint's turn; with a rest, it gets none until then.
pub async fn release(
    session: &mut Session,
    id: WebhookEndpointId,
    rest: Option<Time>,
) -> Result<()> {
    let row = update("webhook_endpoint").set("turn_until", rest).when("id", id);
    session.run(row).await.map(|_| ())
}

/// Notes that a delivery arrived.
pub async fn answers(session: &mut Session, id: WebhookEndpointId) -> Result<()> {
    let row = update("webhook_endpoint")
        .set("failing_since", None::<Time>)
        .when("id", id)
        .and(Expr::col("failing_since").is_not_null());
    session.run(row).await.map(|_| ())
}

/// Notes that a delivery did not arrive; returns since when none has, unless the endpoint was
/// removed meanwhile.
pub async fn fails(
    session: &mut Session,
    id: WebhookEndpointId,
    now: Time,
) -> Result<Option<Time>> {
    let since: Option<(Time,)> = session
        .first(
            sql("UPDATE webhook_endpoint SET failing_since = COALESCE(failing_since, $2) \
                 WHERE id = $1 RETURNING failing_since")
            .bind(id)
            .bind(now),
        )
        .await?;
    Ok(since.map(|(since,)| since))
}

/// The account of a brand.
pub async fn user_of(session: &mut Session, brand: PartnerId) -> Result<UserId> {
    session.value(sql("SELECT user_id FROM partner WHERE id = $1").bind(brand)).await
}

/// The active owners of an institution's portal who have access to every sport.
pub async fn owners_of(session: &mut Session, college: CollegeId) -> Result<Vec<PortalUserId>> {
    let owners: Vec<(PortalUserId, Option<serde_json::Value>)> = session
        .all(
            sql("SELECT id, sport_ids FROM portal_user \
                 WHERE college_id = $1 AND role = 'owner' AND status = 'active' ORDER BY id")
            .bind(college),
        )
        .await?;
    let unlimited = |sports: &Option<serde_json::Value>| {
        sports.as_ref().and_then(serde_json::Value::as_array).is_none_or(Vec::is_empty)
    };
    Ok(owners.into_iter().filter(|(_, sports)| unlimited(sports)).map(|(id, _)| id).collect())
}
