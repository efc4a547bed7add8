//! Reads a brand's content library: its approved deliverables.

use sea_query::{Expr, ExprTrait as _, JoinType, Query, SelectStatement};
use serde_json::Value;

use crate::error::Result;
use crate::jobs::{MediaKind, MediaPlatform};
use crate::kernel::{
    AthleteId, ContractId, DeliverableId, FileId, FollowedPage, JobId, Listing, PartnerId, Time,
};
use crate::storage::{FromRow, Key, Narrow as _, Session, sorted, sql};

/// An approved deliverable with its related records.
#[derive(Clone, Debug, FromRow)]
pub struct AssetRow {
    pub id: DeliverableId,
    pub job_id: JobId,
    pub job_title: String,
    pub athlete_id: AthleteId,
    pub athlete_name: String,
    pub contract_id: ContractId,
    pub contract_number: String,
    pub title: String,
    pub platform: MediaPlatform,
    pub media_kind: MediaKind,
    #[row(json)]
    pub post_urls: Vec<String>,
    pub caption: Option<String>,
    #[row(json)]
    pub file_ids: Vec<FileId>,
    pub submitted_at: Time,
    pub reviewed_at: Time,
    pub terms: Value,
}

/// The assets to list; an empty list means all.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub partner: PartnerId,
    pub asset: Option<DeliverableId>,
    pub platforms: Vec<MediaPlatform>,
    pub jobs: Vec<JobId>,
    pub athletes: Vec<AthleteId>,
    pub from: Option<Time>,
    pub before: Option<Time>,
}

impl Wanted {
    fn rows(&self) -> SelectStatement {
        let own = |column| Expr::col(("deliverable", column));
        let contract = |column| Expr::col(("contract", column));
        let mut query = Query::select();
        query.from("contract");
        for (table, on) in [
            ("deliverable", own("contract_id").equals(("contract", "id"))),
            ("milestone", own("milestone_id").equals(("milestone", "id"))),
            ("job", contract("job_id").equals(("job", "id"))),
            ("athlete", contract("athlete_id").equals(("athlete", "id"))),
        ] {
            query.join(JoinType::InnerJoin, table, on);
        }
        query
            .and_where(contract("partner_id").eq(self.partner.get()))
            .and_where(own("status").eq("approved"))
            .only(("deliverable", "id"), self.asset)
            .only_among(("milestone", "platform"), self.platforms.iter().copied())
            .only_among(("contract", "job_id"), self.jobs.iter().copied())
            .only_among(("contract", "athlete_id"), self.athletes.iter().copied())
            .only_from(("deliverable", "reviewed_at"), self.from)
            .only_before(("deliverable", "reviewed_at"), self.before);
        for (table, column, name) in [
            ("deliverable", "id", "id"),
            ("contract", "job_id", "job_id"),
            ("job", "title", "job_title"),
            ("contract", "athlete_id", "athlete_id"),
            ("athlete", "display_name", "athlete_name"),
            ("contract", "id", "contract_id"),
            ("contract", "number", "contract_number"),
            ("milestone", "title", "title"),
            ("milestone", "platform", "platform"),
            ("milestone", "media_kind", "media_kind"),
            ("deliverable", "post_urls", "post_urls"),
            ("deliverable", "caption", "caption"),
            ("deliverable", "file_ids", "file_ids"),
            ("deliverable", "submitted_at", "submitted_at"),
            ("deliverable", "reviewed_at", "reviewed_at"),
            ("contract", "terms", "terms"),
        ] {
            query.expr_as(Expr::col((table, column)), name);
        }
        query
    }
}

/// A page of assets, latest approved first.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted,
    place: FollowedPage,
) -> Result<Listing<AssetRow>> {
    let keys = ["reviewed_at", "id"].map(|column| Key::down(Expr::col(("deliverable", column))));
    session.follow(sorted(wanted.rows(), keys), place).await
}

/// The brand's asset.
pub async fn asset(
    session: &mut Session,
    partner: PartnerId,
    id: DeliverableId,
) -> Result<AssetRow> {
    let wanted = Wanted {
        partner,
        asset: Some(id),
        platforms: Vec::new(),
        jobs: Vec::new(),
        athletes: Vec::new(),
        from: None,
        before: None,
    };
    session.one(wanted.rows()).await
}

/// The brand's assets by platform, largest group first.
pub async fn by_platform(session: &mut Session, partner: PartnerId) -> Result<Vec<(String, i64)>> {
    session
        .all(
            sql("SELECT m.platform, COUNT(*) AS assets FROM contract c \
                 JOIN deliverable d ON d.contract_id = c.id JOIN milestone m ON m.id = d.milestone_id \
                 WHERE c.partner_id = $1 AND d.status = 'approved' \
                 GROUP BY m.platform ORDER BY assets DESC, m.platform")
            .bind(partner),
        )
        .await
}

/// The brand's assets by form, largest group first.
pub async fn by_media_kind(
    session: &mut Session,
    partner: PartnerId,
) -> Result<Vec<(String, i64)>> {
    session
        .all(
            sql("SELECT m.media_kind, COUNT(*) AS assets FROM contract c \
                 JOIN deliverable d ON d.contract_id = c.id JOIN milestone m ON m.id = d.milestone_id \
                 WHERE c.partner_id = $1 AND d.status = 'approved' \
                 GROUP BY m.media_kind ORDER BY assets DESC, m.media_kind")
            .bind(partner),
        )
        .await
}

/// The brand's assets by month of approval, latest first. Both engines write a UTC instant as text
/// that begins with year and month.
pub async fn by_month(session: &mut Session, partner: PartnerId) -> Result<Vec<(String, i64)>> {
    session
        .all(
            sql("SELECT month, COUNT(*) FROM (SELECT SUBSTR(CAST(d.reviewed_at AS TEXT), 1, 7) \
                 AS month FROM contract c JOIN deliverable d ON d.contract_id = c.id \
                 WHERE c.partner_id = $1 AND d.status = 'approved') AS accepted \
                 GROUP BY month ORDER BY month DESC")
            .bind(partner),
        )
        .await
}

/// The number of files of the brand's assets, and their size in bytes.
pub async fn storage(session: &mut Session, partner: PartnerId) -> Result<(i64, i64)> {
    session
        .one(
            sql("SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM stored_file \
                 WHERE id IN (SELECT u.file_id FROM contract c \
                 JOIN deliverable d ON d.contract_id = c.id \
                 JOIN file_use u ON u.kind = 'deliverable' AND u.record_id = d.id \
                 WHERE c.partner_id = $1 AND d.status = 'approved')")
            .bind(partner),
        )
        .await
}
