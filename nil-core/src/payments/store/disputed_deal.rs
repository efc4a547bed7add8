//! What disputed payments were for.

use crate::error::Result;
use crate::kernel::DisputeId;
use crate::payments::disputes::dispute::DisputedDeal;
use crate::storage::{Session, sql};

/// The deals of a dispute's payments, in the order of these, with what payees gave back.
pub async fn of(session: &mut Session, dispute: DisputeId) -> Result<Vec<DisputedDeal>> {
    session
        .all(
            sql("SELECT s.payment_id, p.paid_at, p.amount_cents AS paid_cents, j.id AS job_id, \
                 j.title AS job_title, c.id AS contract_id, c.number AS contract_number, \
                 c.document_sha256, g.agency_name AS agent_name, \
                 CAST(COALESCE((SELECT SUM(r.amount_cents) FROM refund r \
                     WHERE r.dispute_id = s.dispute_id AND r.payment_id = s.payment_id \
                     AND r.status <> 'failed'), 0) AS BIGINT) AS payees_bear_cents \
                 FROM dispute_share s JOIN payment p ON p.id = s.payment_id \
                 JOIN contract c ON c.id = p.contract_id JOIN job j ON j.id = c.job_id \
                 LEFT JOIN agent g ON g.id = s.agent_id WHERE s.dispute_id = $1 \
                 ORDER BY s.payment_id")
            .bind(dispute),
        )
        .await
}
