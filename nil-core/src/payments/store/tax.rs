//! A year's payments by payer.

use crate::error::Result;
use crate::kernel::{AthleteId, Cents, Time};
use crate::payments::history::PayerRow;
use crate::storage::{Session, sql};

/// What each brand paid an athlete in a time span, the largest first.
pub async fn by_payer(
    session: &mut Session,
    athlete: AthleteId,
    from: Time,
    until: Time,
) -> Result<Vec<PayerRow>> {
    session
        .all(
            sql("SELECT p.partner_id, b.company_name, COUNT(*) AS payments, \
                 CAST(SUM(p.amount_cents) AS BIGINT) AS gross_cents, \
                 CAST(SUM(p.refunded_cents) AS BIGINT) AS refunded_cents, \
                 CAST(SUM(p.agent_commission_cents) AS BIGINT) AS commission_cents \
                 FROM payment p JOIN partner b ON b.id = p.partner_id \
                 WHERE p.athlete_id = $1 AND p.paid_at >= $2 AND p.paid_at < $3 \
                 GROUP BY p.partner_id, b.company_name \
                 ORDER BY gross_cents DESC, p.partner_id")
            .bind(athlete)
            .bind(from)
            .bind(until),
        )
        .await
}

/// What was withheld from a wallet's payouts in a time span.
pub async fn withheld(
    session: &mut Session,
    wallet: &str,
    from: Time,
    until: Time,
) -> Result<Cents> {
    session
        .value(
            sql("SELECT CAST(COALESCE(SUM(withheld_cents), 0) AS BIGINT) FROM payout \
                 WHERE wallet = $1 AND created_at >= $2 AND created_at < $3 \
                 AND status <> 'failed'")
            .bind(wallet)
            .bind(from)
            .bind(until),
        )
        .await
}
