//! The invariants of cards, charges, payments and invoices, including their ledger entries.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every payment's entries match its status",
        "SELECT COUNT(*) FROM payment",
        "SELECT p.number FROM payment p \
         JOIN (SELECT id, 'payment:' || id AS refers_to FROM payment \
             UNION ALL SELECT payment_id, 'refund:' || id FROM refund WHERE status = 'failed') n \
             ON n.id = p.id \
         LEFT JOIN ledger_transfer t ON t.reason IN ('payment', 'commission_returned') \
             AND t.refers_to = n.refers_to \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY p.id, p.number, p.status, p.amount_cents, p.fee_cents, p.total_cents, \
             p.agent_commission_cents, p.partner_id, p.athlete_id, p.agent_id \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'partner:' || p.partner_id || ':card' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN -p.total_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'platform:fees' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN p.fee_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('athlete:' || p.athlete_id || ':wallet', \
                'athlete:' || p.athlete_id || ':receivable') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN p.amount_cents - p.agent_commission_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('agent:' || p.agent_id || ':wallet', \
                'agent:' || p.agent_id || ':receivable', 'agent:' || p.agent_id || ':withheld') \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN p.agent_commission_cents ELSE 0 END \
         OR SUM(CASE WHEN e.account NOT IN ('platform:fees', 'partner:' || p.partner_id || ':card', \
                'athlete:' || p.athlete_id || ':wallet', \
                'athlete:' || p.athlete_id || ':receivable', \
                COALESCE('agent:' || p.agent_id || ':wallet', ''), \
                COALESCE('agent:' || p.agent_id || ':receivable', ''), \
                COALESCE('agent:' || p.agent_id || ':withheld', '')) THEN 1 ELSE 0 END) > 0 \
         LIMIT 100",
    ),
    (
        "every charge is the sum of its payments and agrees with them",
        "SELECT COUNT(*) FROM charge",
        "SELECT 'charge:' || c.id FROM charge c LEFT JOIN payment p ON p.charge_id = c.id \
         GROUP BY c.id, c.total_cents, c.status, c.processor_charge_id, c.confirm_until \
         HAVING c.total_cents <> COALESCE(SUM(p.total_cents), 0) \
         OR (c.status = 'succeeded' AND c.processor_charge_id IS NULL) \
         OR (c.status = 'requires_action') <> (c.confirm_until IS NOT NULL) \
         OR SUM(CASE WHEN CASE WHEN c.status = 'requires_action' THEN 'processing' ELSE c.status END \
            = CASE WHEN p.status IN ('partially_refunded', 'refunded') \
            THEN 'succeeded' ELSE p.status END THEN 0 ELSE 1 END) > 0 LIMIT 100",
    ),
    (
        "every payment is the sum of what it settles",
        "SELECT COUNT(*) FROM payment",
        "SELECT p.number FROM payment p WHERE p.amount_cents <> \
         COALESCE((SELECT SUM(s.amount_cents) FROM payment_share s WHERE s.payment_id = p.id), 0) \
         + COALESCE((SELECT SUM(s.amount_cents) FROM commission_share s \
         WHERE s.payment_id = p.id), 0) LIMIT 100",
    ),
    (
        "every invoice is the sum of its lines, and bills fees as they were charged",
        "SELECT COUNT(*) FROM invoice",
        "SELECT i.number FROM invoice i LEFT JOIN invoice_line l ON l.invoice_id = i.id \
         LEFT JOIN payment p ON p.id = l.payment_id LEFT JOIN refund r ON r.id = l.refund_id \
         GROUP BY i.id, i.number, i.total_cents \
         HAVING i.total_cents <> COALESCE(SUM(l.amount_cents), 0) \
         OR SUM(CASE WHEN l.refund_id IS NOT NULL AND l.amount_cents <> -r.fee_cents \
                AND NOT (r.status = 'failed' AND l.amount_cents = r.fee_cents) THEN 1 \
            WHEN l.refund_id IS NULL AND l.amount_cents <> p.fee_cents THEN 1 ELSE 0 END) > 0 \
         LIMIT 100",
    ),
    // Allows half a cent of rounding; as much for each payment from before fees were computed on
    // totals; and one cent for each failed payment if another may have been computed on top of it.
    (
        "every contract's fee and commission match its rates and payments",
        "SELECT COUNT(DISTINCT contract_id) FROM payment",
        "SELECT 'contract:' || x.id || ' took ' || x.fee || ' cents of fee at ' || x.fee_rate \
         || ' basis points and ' || x.commission || ' cents of commission at ' || x.commission_rate \
         || ' on ' || x.amount || ' cents paid' FROM (SELECT c.id, c.fee_basis_points AS fee_rate, \
             CASE WHEN c.agent_id IS NULL THEN 0 ELSE COALESCE(c.commission_basis_points, 0) END \
             AS commission_rate, \
             CASE WHEN c.commission_waived_at IS NULL THEN 0 ELSE 1 END AS waived, \
             SUM(CASE WHEN p.status <> 'failed' THEN p.amount_cents ELSE 0 END) AS amount, \
             SUM(CASE WHEN p.status <> 'failed' THEN p.fee_cents ELSE 0 END) AS fee, \
             SUM(CASE WHEN p.status <> 'failed' THEN p.agent_commission_cents ELSE 0 END) \
             AS commission, \
             5000 + SUM(CASE WHEN p.status <> 'failed' AND p.on_totals THEN 0 \
                WHEN p.status <> 'failed' THEN 5000 \
                WHEN EXISTS (SELECT 1 FROM payment q WHERE q.contract_id = p.contract_id \
                    AND q.id > p.id) THEN 10000 ELSE 0 END) AS slack \
             FROM contract c JOIN payment p ON p.contract_id = c.id \
             GROUP BY c.id, c.fee_basis_points, c.agent_id, c.commission_basis_points, \
                 c.commission_waived_at) x \
         WHERE ABS(10000 * x.fee - x.fee_rate * x.amount) > x.slack \
         OR (x.waived = 0 AND ABS(10000 * x.commission - x.commission_rate * x.amount) > x.slack) \
         LIMIT 100",
    ),
    // What refunds had taken back from the agent before the commission was waived stays the
    // payment's commission.
    (
        "a waived commission is kept by no agent",
        "SELECT COUNT(*) FROM contract WHERE commission_waived_at IS NOT NULL",
        "SELECT p.number FROM contract c JOIN payment p ON p.contract_id = c.id \
         WHERE c.commission_waived_at IS NOT NULL AND p.status <> 'failed' \
         AND p.agent_commission_cents > COALESCE((SELECT SUM(r.commission_cents) FROM refund r \
             WHERE r.payment_id = p.id AND r.status <> 'failed'), 0) LIMIT 100",
    ),
    (
        "every owner of cards has one default card",
        "SELECT COUNT(*) FROM payment_method",
        "SELECT m.owner || ' keeps ' || COUNT(*) || ' cards, and ' \
         || SUM(CASE WHEN m.is_default THEN 1 ELSE 0 END) || ' of them are charged' \
         FROM payment_method m WHERE m.removed_at IS NULL GROUP BY m.owner \
         HAVING SUM(CASE WHEN m.is_default THEN 1 ELSE 0 END) <> 1 LIMIT 100",
    ),
];
