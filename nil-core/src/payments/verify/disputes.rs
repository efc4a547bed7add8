//! The invariants of disputes: their entries, their division, and what payees bear of them.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every dispute's entries match its status",
        "SELECT COUNT(*) FROM dispute",
        "SELECT 'dispute:' || d.id FROM dispute d \
         LEFT JOIN ledger_transfer t ON t.reason LIKE 'dispute%' \
             AND t.refers_to = 'dispute:' || d.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY d.id, d.status, d.amount_cents, d.fee_cents, d.partner_id, d.agent_id \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'processor:disputed' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN d.status IN ('needs_response', 'under_review') \
                THEN d.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'processor:costs' \
                THEN e.amount_cents ELSE 0 END), 0) <> d.fee_cents \
         OR COALESCE(SUM(CASE WHEN e.account = CASE WHEN d.partner_id IS NULL \
                THEN 'agent:' || d.agent_id ELSE 'partner:' || d.partner_id END || ':card' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN d.status = 'lost' THEN d.amount_cents - COALESCE((SELECT \
                SUM(r.amount_cents + r.fee_cents) FROM refund r WHERE r.dispute_id = d.id \
                AND r.status = 'succeeded'), 0) ELSE 0 END \
         OR SUM(CASE WHEN e.account NOT IN ('processor:disputed', 'processor:costs', \
                'platform:dispute_costs', CASE WHEN d.partner_id IS NULL \
                THEN 'agent:' || d.agent_id ELSE 'partner:' || d.partner_id END || ':card') \
                THEN 1 ELSE 0 END) > 0 LIMIT 100",
    ),
    (
        "every dispute is of a charge of its payer, and divided over its payments",
        "SELECT COUNT(*) FROM dispute",
        "SELECT 'dispute:' || d.id FROM dispute d LEFT JOIN charge c ON c.id = d.charge_id \
         LEFT JOIN subscription_charge y ON y.id = d.subscription_charge_id \
         LEFT JOIN dispute_share s ON s.dispute_id = d.id \
         GROUP BY d.id, d.amount_cents, d.charge_id, d.partner_id, c.partner_id, c.status, y.status \
         HAVING COALESCE(c.status, y.status) <> 'succeeded' \
         OR (d.charge_id IS NOT NULL AND (c.partner_id <> d.partner_id \
             OR COALESCE(SUM(s.amount_cents + s.fee_cents), 0) <> d.amount_cents)) \
         UNION ALL SELECT 'dispute:' || s.dispute_id || ' and payment:' || s.payment_id \
         FROM dispute_share s JOIN dispute d ON d.id = s.dispute_id \
         JOIN payment p ON p.id = s.payment_id \
         WHERE p.charge_id <> COALESCE(d.charge_id, 0) OR p.athlete_id <> s.athlete_id \
         OR COALESCE(p.agent_id, 0) <> COALESCE(s.agent_id, 0) \
         OR s.commission_cents > s.amount_cents \
         OR s.athlete_waits_cents > s.amount_cents - s.commission_cents \
         OR s.agent_waits_cents > s.commission_cents LIMIT 100",
    ),
    (
        "payees bear of lost disputes what the terms of their payments say",
        "SELECT COUNT(*) FROM dispute_share",
        // In ten-thousandths of a cent. What other refunds took may have left less to bear.
        "SELECT 'dispute:' || x.dispute_id || ' and payment:' || x.payment_id FROM (SELECT \
             s.dispute_id, s.payment_id, COALESCE(r.amount_cents, 0) * 10000 AS borne, \
             CASE WHEN d.status = 'lost' THEN s.amount_cents * COALESCE((SELECT \
                 t.payee_basis_points FROM dispute_terms t WHERE t.applies_from <= p.paid_at \
                 ORDER BY t.applies_from DESC, t.id DESC LIMIT 1), 0) ELSE 0 END AS due, \
             EXISTS (SELECT 1 FROM refund o WHERE o.payment_id = s.payment_id \
                 AND COALESCE(o.dispute_id, 0) <> d.id) AS others \
             FROM dispute_share s JOIN dispute d ON d.id = s.dispute_id \
             JOIN payment p ON p.id = s.payment_id \
             LEFT JOIN refund r ON r.dispute_id = d.id AND r.payment_id = s.payment_id \
                 AND r.status <> 'failed') x \
         WHERE x.borne - x.due > 5000 OR (x.due - x.borne > 5000 AND NOT x.others) \
         UNION ALL SELECT 'refund:' || r.id FROM refund r LEFT JOIN dispute_share s \
         ON s.dispute_id = r.dispute_id AND s.payment_id = r.payment_id \
         WHERE r.dispute_id IS NOT NULL AND s.payment_id IS NULL LIMIT 100",
    ),
    (
        "every payment shows its latest dispute",
        "SELECT COUNT(*) FROM payment",
        "SELECT p.number FROM payment p WHERE COALESCE(p.dispute_status, '') <> \
         COALESCE((SELECT d.status FROM dispute d WHERE d.charge_id = p.charge_id \
             ORDER BY d.id DESC LIMIT 1), '') LIMIT 100",
    ),
];
