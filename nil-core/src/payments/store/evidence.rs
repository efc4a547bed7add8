//! What speaks against a dispute, read for its evidence: the deals, who agreed to them and when,
//! the work, and what the parties wrote to each other.

use serde_json::Value;

use crate::error::Result;
use crate::kernel::{Cents, ContractId, DisputeId, JobId, SubscriptionChargeId, Time, UserId};
use crate::storage::{FromRow, Session, sql};

/// How many payments of a dispute are described one by one.
pub const PAYMENTS: i64 = 25;
/// How many messages of a deal are shown, the latest ones.
pub const MESSAGES: i64 = 20;

/// A disputed payment, with its deal.
#[derive(Clone, Debug, FromRow)]
pub struct Deal {
    pub payment_number: String,
    pub amount_cents: Cents,
    pub fee_cents: Cents,
    pub paid_at: Option<Time>,
    pub contract_id: ContractId,
    pub contract_number: String,
    pub job_id: JobId,
    pub job_title: String,
    pub athlete_name: String,
    pub athlete_user_id: UserId,
    pub partner_user_id: UserId,
    pub company_name: String,
}

/// The disputed payments with their deals.
pub async fn deals(session: &mut Session, dispute: DisputeId) -> Result<Vec<Deal>> {
    session
        .all(
            sql("SELECT p.number AS payment_number, s.amount_cents, s.fee_cents, p.paid_at, \
                 c.id AS contract_id, c.number AS contract_number, j.id AS job_id, \
                 j.title AS job_title, a.display_name AS athlete_name, \
                 a.user_id AS athlete_user_id, b.user_id AS partner_user_id, b.company_name \
                 FROM dispute_share s JOIN payment p ON p.id = s.payment_id \
                 JOIN contract c ON c.id = p.contract_id JOIN job j ON j.id = c.job_id \
                 JOIN athlete a ON a.id = p.athlete_id JOIN partner b ON b.id = p.partner_id \
                 WHERE s.dispute_id = $1 ORDER BY p.id LIMIT $2")
            .bind(dispute)
            .bind(PAYMENTS),
        )
        .await
}

/// Who agreed to a contract, when, and from which address.
#[derive(Clone, Debug, FromRow)]
pub struct Agreed {
    pub side: String,
    pub name: String,
    pub at: Time,
    pub address: Option<String>,
    pub document_sha256: String,
}

/// The assents to a contract and its amendments.
pub async fn agreed(session: &mut Session, contract: ContractId) -> Result<Vec<Agreed>> {
    session
        .all(
            sql("SELECT side, name, at, address, document_sha256 FROM contract_assent \
                 WHERE contract_id = $1 ORDER BY at, side")
            .bind(contract),
        )
        .await
}

/// A piece of work, and where it was published.
#[derive(Clone, Debug, FromRow)]
pub struct Delivered {
    pub title: String,
    pub status: String,
    pub submitted_at: Option<Time>,
    pub reviewed_at: Option<Time>,
    pub post_urls: Value,
}

/// The work under a contract.
pub async fn delivered(session: &mut Session, contract: ContractId) -> Result<Vec<Delivered>> {
    session
        .all(
            sql("SELECT m.title, d.status, d.submitted_at, d.reviewed_at, d.post_urls \
                 FROM deliverable d JOIN milestone m ON m.id = d.milestone_id \
                 WHERE d.contract_id = $1 ORDER BY m.position, d.id")
            .bind(contract),
        )
        .await
}

/// A message between the parties of a deal.
#[derive(Clone, Debug, FromRow)]
pub struct Written {
    pub by_payer: bool,
    pub at: Time,
    pub text: String,
}

/// The latest messages between the parties of a deal, in their order.
pub async fn written(session: &mut Session, deal: &Deal) -> Result<Vec<Written>> {
    let mut latest: Vec<Written> = session
        .all(
            sql(
                "SELECT COALESCE(m.sender_id = $2, FALSE) AS by_payer, m.created_at AS at, m.text \
                 FROM message m \
                 WHERE m.conversation_id = (SELECT c.id FROM conversation c \
                     JOIN participant p ON p.conversation_id = c.id \
                     WHERE c.kind = 'deal' AND c.job_id = $1 AND p.user_id = $2 \
                     AND p.other_id = $3) ORDER BY m.id DESC LIMIT $4",
            )
            .bind(deal.job_id)
            .bind(deal.partner_user_id)
            .bind(deal.athlete_user_id)
            .bind(MESSAGES),
        )
        .await?;
    latest.reverse();
    Ok(latest)
}

/// What a subscriber was charged for.
#[derive(Clone, Debug, FromRow)]
pub struct Period {
    pub plan_name: String,
    pub starts_at: Time,
    pub ends_at: Time,
    pub total_cents: Cents,
    pub paid_at: Time,
}

/// The period or the change of plan that a subscriber was charged for.
pub async fn period(session: &mut Session, charge: SubscriptionChargeId) -> Result<Period> {
    session
        .one(
            sql("SELECT n.name AS plan_name, p.starts_at, p.ends_at, c.total_cents, \
                 c.updated_at AS paid_at FROM subscription_charge c \
                 JOIN subscription_period p ON p.id = c.period_id \
                 JOIN subscription_plan n ON n.id = p.plan_id WHERE c.id = $1")
            .bind(charge),
        )
        .await
}
