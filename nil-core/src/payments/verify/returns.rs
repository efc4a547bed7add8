//! The invariants of refunds and payouts: their sums and their entries.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every payment's refunds add up and agree with its status",
        "SELECT COUNT(*) FROM refund",
        "SELECT p.number FROM payment p LEFT JOIN refund r ON r.payment_id = p.id \
         GROUP BY p.id, p.number, p.status, p.amount_cents, p.fee_cents, \
             p.agent_commission_cents, p.refunded_cents, p.refunded_fee_cents \
         HAVING p.refunded_cents <> COALESCE(SUM(CASE WHEN r.status = 'succeeded' \
                THEN r.amount_cents ELSE 0 END), 0) \
         OR p.refunded_fee_cents <> COALESCE(SUM(CASE WHEN r.status = 'succeeded' \
                THEN r.fee_cents ELSE 0 END), 0) \
         OR COALESCE(SUM(CASE WHEN r.status <> 'failed' THEN r.amount_cents ELSE 0 END), 0) \
             > p.amount_cents \
         OR COALESCE(SUM(CASE WHEN r.status <> 'failed' THEN r.fee_cents ELSE 0 END), 0) \
             > p.fee_cents \
         OR COALESCE(SUM(CASE WHEN r.status <> 'failed' THEN r.commission_cents ELSE 0 END), 0) \
             > p.agent_commission_cents \
         OR (p.status = 'refunded' AND p.refunded_cents <> p.amount_cents) \
         OR (p.status = 'partially_refunded' \
             AND (p.refunded_cents = 0 OR p.refunded_cents >= p.amount_cents)) \
         OR (p.status NOT IN ('refunded', 'partially_refunded') AND p.refunded_cents <> 0) \
         LIMIT 100",
    ),
    (
        "every refund's entries match its status",
        "SELECT COUNT(*) FROM refund",
        "SELECT 'refund:' || r.id FROM refund r JOIN payment p ON p.id = r.payment_id \
         LEFT JOIN ledger_transfer t ON t.reason IN ('refund', 'refund_succeeded', 'refund_failed', \
             'refund_returned') AND t.refers_to = 'refund:' || r.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY r.id, r.status, r.amount_cents, r.fee_cents, r.commission_cents, p.partner_id, \
             p.athlete_id, p.agent_id \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'processor:refunding' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'pending' THEN r.amount_cents + r.fee_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'partner:' || p.partner_id || ':card' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'succeeded' THEN r.amount_cents + r.fee_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'platform:fees' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 ELSE -r.fee_cents END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('athlete:' || p.athlete_id || ':wallet', \
                'athlete:' || p.athlete_id || ':receivable', \
                'athlete:' || p.athlete_id || ':withheld') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 \
                ELSE r.commission_cents - r.amount_cents END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('agent:' || p.agent_id || ':wallet', \
                'agent:' || p.agent_id || ':receivable', \
                'agent:' || p.agent_id || ':withheld') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 ELSE -r.commission_cents END \
         OR SUM(CASE WHEN e.account NOT IN ('platform:fees', 'processor:refunding', \
                'partner:' || p.partner_id || ':card', 'athlete:' || p.athlete_id || ':wallet', \
                'athlete:' || p.athlete_id || ':receivable', \
                'athlete:' || p.athlete_id || ':withheld', \
                COALESCE('agent:' || p.agent_id || ':wallet', ''), \
                COALESCE('agent:' || p.agent_id || ':receivable', ''), \
                COALESCE('agent:' || p.agent_id || ':withheld', '')) THEN 1 ELSE 0 END) > 0 \
         LIMIT 100",
    ),
    (
        "every payout's entries match its status",
        "SELECT COUNT(*) FROM payout",
        "SELECT 'payout:' || p.id FROM payout p \
         LEFT JOIN ledger_transfer t ON t.reason IN ('payout', 'payout_arrived', 'payout_failed', \
             'payout_returned') AND t.refers_to = 'payout:' || p.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY p.id, p.status, p.amount_cents, p.athlete_id, p.agent_id \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'processor:clearing' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('on_hold', 'pending', 'in_transit') \
                THEN p.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('athlete:' || p.athlete_id || ':bank', \
                'agent:' || p.agent_id || ':bank') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status = 'paid' THEN p.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('athlete:' || p.athlete_id || ':wallet', \
                'athlete:' || p.athlete_id || ':receivable', 'agent:' || p.agent_id || ':wallet', \
                'agent:' || p.agent_id || ':receivable') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status = 'failed' THEN 0 ELSE -p.amount_cents END LIMIT 100",
    ),
];
