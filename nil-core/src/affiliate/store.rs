//! The rows of links and of sales through them.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use super::conversion::Conversion;
use super::link::AffiliateLink;
use crate::auth::Party;
use crate::error::{Error, Result};
use crate::kernel::{
    AffiliateLinkId, AthleteId, BasisPoints, Cents, ContractId, Edit, FollowedPage, JobId, Listing,
    PartnerId, Text, Time,
};
use crate::storage::{FromRow, Key, Narrow as _, Session, Stored, insert, sorted, sql, update};

/// A link to insert.
#[derive(Debug, Stored)]
pub(super) struct Draft {
    pub(super) code: String,
    pub(super) contract_id: ContractId,
    pub(super) target_url: String,
    pub(super) label: Option<String>,
    pub(super) active: bool,
    #[row(rename = "rate_basis_points")]
    pub(super) rate: BasisPoints,
    #[row(rename = "most_cents")]
    pub(super) most: Cents,
    /// Whether it is what a royalty is accounted for with; nobody follows or sees it.
    pub(super) royalty: bool,
}

/// Adds a link.
pub(super) async fn add(session: &mut Session, draft: Draft, now: Time) -> Result<AffiliateLinkId> {
    session
        .value(
            insert("affiliate_link")
                .with(draft.columns())
                .set("clicks", 0_i64)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await
}

/// Changes a link.
pub(super) async fn change(
    session: &mut Session,
    id: AffiliateLinkId,
    target_url: Option<String>,
    label: Edit<Text<1, 100>>,
    active: Option<bool>,
    now: Time,
) -> Result<()> {
    let row = update("affiliate_link")
        .set("updated_at", now)
        .when("id", id)
        .given("target_url", target_url)
        .given("label", label.change())
        .given("active", active);
    session.change(row).await
}

/// How many links a contract has.
pub(super) async fn count(session: &mut Session, contract: ContractId) -> Result<i64> {
    let count = sql("SELECT COUNT(*) FROM affiliate_link WHERE contract_id = $1 AND NOT royalty");
    session.value(count.bind(contract)).await
}

/// A link's contract.
#[derive(Clone, Copy, Debug, FromRow)]
pub(super) struct Own {
    pub(super) job_id: JobId,
    pub(super) partner_id: PartnerId,
}

/// An athlete's own link; other athletes' links are not found.
pub(super) async fn of_athlete(
    session: &mut Session,
    id: AffiliateLinkId,
    athlete: AthleteId,
) -> Result<Own> {
    session
        .one(
            sql("SELECT c.job_id, c.partner_id FROM affiliate_link l \
                 JOIN contract c ON c.id = l.contract_id WHERE l.id = $1 AND c.athlete_id = $2 \
                 AND NOT l.royalty")
            .bind(id)
            .bind(athlete),
        )
        .await
}

/// The website in a brand's profile.
pub(super) async fn website(session: &mut Session, partner: PartnerId) -> Result<Option<String>> {
    let website = sql("SELECT website FROM partner WHERE id = $1").bind(partner);
    let (website,): (Option<String>,) = session.one(website).await?;
    Ok(website)
}

/// A clicked link, with what is known of its brand.
#[derive(Debug, FromRow)]
pub(super) struct Followed {
    pub(super) id: AffiliateLinkId,
    pub(super) target_url: String,
    pub(super) website: Option<String>,
    pub(super) verified_at: Option<Time>,
}

/// The clicked link, unless it must not redirect.
pub(super) async fn followed(session: &mut Session, code: &str) -> Result<Followed> {
    session
        .one(
            sql("SELECT l.id, l.target_url, p.website, p.verified_at FROM affiliate_link l \
                 JOIN contract c ON c.id = l.contract_id \
                 JOIN athlete a ON a.id = c.athlete_id JOIN app_user u ON u.id = a.user_id \
                 JOIN partner p ON p.id = c.partner_id JOIN app_user b ON b.id = p.user_id \
                 WHERE l.code = $1 AND l.active AND c.status IN ('active', 'completed') \
                 AND u.status = 'active' AND b.status = 'active'")
            .bind(code),
        )
        .await
}

/// Counts a click.
pub(super) async fn count_click(session: &mut Session, id: AffiliateLinkId) -> Result<()> {
    let row = update("affiliate_link").add("clicks", 1_i64).when("id", id);
    session.change(row).await
}

/// A link with its contract.
pub(super) async fn by_code(
    session: &mut Session,
    code: &str,
) -> Result<(AffiliateLinkId, ContractId)> {
    session
        .one(
            sql("SELECT id, contract_id FROM affiliate_link WHERE code = $1 AND NOT royalty")
                .bind(code),
        )
        .await
}

/// What the royalty of a contract is accounted for with, if there is one yet.
pub(super) async fn royalty_of(
    session: &mut Session,
    contract: ContractId,
) -> Result<Option<AffiliateLinkId>> {
    let found: Option<(AffiliateLinkId,)> = session
        .first(
            sql("SELECT id FROM affiliate_link WHERE contract_id = $1 AND royalty").bind(contract),
        )
        .await?;
    Ok(found.map(|(id,)| id))
}

/// The sales of a contract so far.
#[derive(Clone, Copy, Debug, Default, FromRow)]
pub(super) struct Earned {
    pub(super) sold_cents: Cents,
    pub(super) commission_cents: Cents,
}

/// What was sold and earned under a contract so far.
pub(super) async fn so_far(session: &mut Session, contract: ContractId) -> Result<Earned> {
    session
        .one(
            sql("SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) AS sold_cents, \
                 CAST(COALESCE(SUM(commission_cents), 0) AS BIGINT) AS commission_cents \
                 FROM affiliate_conversion WHERE contract_id = $1")
            .bind(contract),
        )
        .await
}

/// A sale to insert.
#[derive(Debug)]
pub(super) struct NewSale {
    pub(super) link: AffiliateLinkId,
    pub(super) contract: ContractId,
    pub(super) order_reference: String,
    pub(super) amount: Cents,
    pub(super) commission: Cents,
}

/// Adds a sale.
pub(super) async fn add_sale(session: &mut Session, new: NewSale, now: Time) -> Result<Conversion> {
    let order = new.order_reference.clone();
    session
        .run(
            insert("affiliate_conversion")
                .set("link_id", new.link)
                .set("contract_id", new.contract)
                .set("order_reference", new.order_reference)
                .set("amount_cents", new.amount)
                .set("commission_cents", new.commission)
                .set("on_totals", true)
                .set("created_at", now),
        )
        .await?;
    let written = reported(session, new.link, &order).await?;
    written.ok_or_else(|| Error::internal("a sale was not written"))
}

/// A sale that was already reported.
pub(super) async fn reported(
    session: &mut Session,
    link: AffiliateLinkId,
    order: &str,
) -> Result<Option<Conversion>> {
    let mut query = select_sales();
    query
        .and_where(Expr::col(("v", "link_id")).eq(link.get()))
        .and_where(Expr::col(("v", "order_reference")).eq(order));
    session.first(query).await
}

/// The paid part of a sale's commission, refunds not deducted.
const PAID: &str = "(SELECT SUM(s.amount_cents) FROM commission_share s \
    JOIN payment p ON p.id = s.payment_id \
    JOIN affiliate_conversion w ON w.id = s.conversion_id \
    WHERE p.status IN ('succeeded', 'partially_refunded', 'refunded')";

fn links() -> SelectStatement {
    Query::select()
        .from_as("affiliate_link", "l")
        .join_as(
            JoinType::InnerJoin,
            "contract",
            "c",
            Expr::col(("c", "id")).equals(("l", "contract_id")),
        )
        .take()
}

fn select_links() -> SelectStatement {
    let mut query = links();
    query
        .expr(Expr::cust(format!(
            "l.id, l.code, l.contract_id, c.job_id, j.title AS job_title, c.athlete_id, \
             c.partner_id, b.company_name, l.target_url, l.label, l.active, \
             l.rate_basis_points AS commission_basis_points, l.clicks, \
             (SELECT COUNT(*) FROM affiliate_conversion v WHERE v.link_id = l.id) AS conversions, \
             CAST(COALESCE((SELECT SUM(v.commission_cents) FROM affiliate_conversion v \
             WHERE v.link_id = l.id), 0) AS BIGINT) AS earned_cents, \
             CAST(COALESCE({PAID} AND w.link_id = l.id), 0) AS BIGINT) AS paid_cents, \
             l.created_at, l.updated_at"
        )))
        .join_as(JoinType::InnerJoin, "job", "j", Expr::col(("j", "id")).equals(("c", "job_id")))
        .join_as(
            JoinType::InnerJoin,
            "partner",
            "b",
            Expr::col(("b", "id")).equals(("c", "partner_id")),
        );
    query
}

fn sold() -> SelectStatement {
    let mut query = links();
    query.join_as(
        JoinType::InnerJoin,
        "affiliate_conversion",
        "v",
        Expr::col(("v", "link_id")).equals(("l", "id")),
    );
    query
}

fn select_sales() -> SelectStatement {
    let mut query = sold();
    query.expr(Expr::cust(format!(
        "v.id, v.link_id, l.code, v.contract_id, v.order_reference, v.amount_cents, \
         v.commission_cents, CAST(COALESCE({PAID} AND w.id = v.id), 0) AS BIGINT) AS paid_cents, \
         v.created_at"
    )));
    query
}

/// A link.
pub(super) async fn find(session: &mut Session, id: AffiliateLinkId) -> Result<AffiliateLink> {
    let mut query = select_links();
    query.and_where(Expr::col(("l", "id")).eq(id.get()));
    session.one(query).await
}

/// Limits links to a party's own contracts, or to the athletes an agent currently represents.
fn scope(who: &Party) -> Expr {
    match who {
        Party::Athlete(athlete) => Expr::col(("c", "athlete_id")).eq(athlete.id.get()),
        Party::Partner(partner) => Expr::col(("c", "partner_id")).eq(partner.id.get()),
        Party::Agent(agent) => {
            let represented = Query::select()
                .column("athlete_id")
                .from("representation")
                .and_where(Expr::col("agent_id").eq(agent.id.get()))
                .and_where(Expr::col("status").eq("active"))
                .take();
            Expr::col(("c", "athlete_id")).in_subquery(represented)
        }
    }
}

/// A page of a party's links, newest first.
pub(super) async fn page(
    session: &mut Session,
    who: &Party,
    job: Option<JobId>,
    place: FollowedPage,
) -> Result<Listing<AffiliateLink>> {
    let mut rows = select_links();
    rows.and_where(scope(who)).and_where(Expr::cust("NOT l.royalty")).only(("c", "job_id"), job);
    session.follow(sorted(rows, [Key::down(Expr::col(("l", "id")))]), place).await
}

/// A page of the sales behind a party's links, newest first.
pub(super) async fn sales(
    session: &mut Session,
    who: &Party,
    (link, job): (Option<AffiliateLinkId>, Option<JobId>),
    place: FollowedPage,
) -> Result<Listing<Conversion>> {
    let mut rows = select_sales();
    rows.and_where(scope(who)).only(("l", "id"), link).only(("c", "job_id"), job);
    session.follow(sorted(rows, [Key::down(Expr::col(("v", "id")))]), place).await
}
