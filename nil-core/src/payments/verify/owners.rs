//! Whose money it is: the owners of cards, payments, payouts and invoices, and the years that
//! payments are in.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every payment is that of its contract's parties and institution",
        "SELECT COUNT(*) FROM payment",
        "SELECT p.number || ' is not of the parties of contract:' || c.id FROM payment p \
         JOIN contract c ON c.id = p.contract_id JOIN charge h ON h.id = p.charge_id \
         WHERE p.partner_id <> c.partner_id OR p.partner_id <> h.partner_id \
         OR p.athlete_id <> c.athlete_id OR COALESCE(p.agent_id, 0) <> COALESCE(c.agent_id, 0) \
         OR COALESCE(p.college_id, 0) <> COALESCE(c.college_id, 0) LIMIT 100",
    ),
    (
        "every payment pays for work under its own contract",
        "SELECT COUNT(*) FROM payment_share",
        "SELECT p.number || ' pays for deliverable:' || d.id || ' of contract:' || d.contract_id \
         FROM payment_share s JOIN payment p ON p.id = s.payment_id \
         JOIN deliverable d ON d.id = s.deliverable_id \
         WHERE d.contract_id <> p.contract_id LIMIT 100",
    ),
    (
        "every payment is dated as it was booked",
        "SELECT COUNT(*) FROM payment WHERE status IN ('succeeded', 'partially_refunded', 'refunded')",
        "SELECT p.number FROM payment p LEFT JOIN ledger_transfer t ON t.reason = 'payment' \
         AND t.refers_to = 'payment:' || p.id \
         WHERE CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
            THEN p.paid_at IS NULL OR t.at IS NULL OR p.paid_at <> t.at \
            ELSE p.paid_at IS NOT NULL END LIMIT 100",
    ),
    (
        "every charge is made to a card of who owes it",
        "SELECT (SELECT COUNT(*) FROM charge) + (SELECT COUNT(*) FROM subscription_charge)",
        "SELECT 'charge:' || c.id || ' is made to a card of ' || m.owner FROM charge c \
         JOIN payment_method m ON m.id = c.payment_method_id \
         WHERE m.owner <> 'partner:' || c.partner_id \
         UNION ALL SELECT 'subscription_charge:' || c.id || ' is made to a card of ' || m.owner \
         FROM subscription_charge c JOIN payment_method m ON m.id = c.payment_method_id \
         JOIN subscription_period p ON p.id = c.period_id \
         JOIN subscription s ON s.id = p.subscription_id \
         WHERE m.owner <> CASE WHEN s.partner_id IS NULL THEN 'agent:' || s.agent_id \
            ELSE 'partner:' || s.partner_id END LIMIT 100",
    ),
    (
        "every payout is from its owner's wallet, also one that is tried again",
        "SELECT COUNT(*) FROM payout",
        "SELECT 'payout:' || p.id FROM payout p LEFT JOIN payout f ON f.id = p.retry_of \
         WHERE p.wallet <> CASE WHEN p.athlete_id IS NULL THEN 'agent:' || p.agent_id \
            ELSE 'athlete:' || p.athlete_id END || ':wallet' \
         OR f.wallet <> p.wallet OR f.status <> 'failed' LIMIT 100",
    ),
    (
        "every invoice bills its own customer",
        "SELECT COUNT(*) FROM invoice",
        "SELECT i.number || ' bills ' || i.owner || ' for what ' || x.owner || ' owes' \
         FROM (SELECT l.invoice_id, 'partner:' || p.partner_id AS owner FROM invoice_line l \
                 JOIN payment p ON p.id = l.payment_id \
             UNION ALL SELECT q.invoice_id, CASE WHEN s.partner_id IS NULL \
                 THEN 'agent:' || s.agent_id ELSE 'partner:' || s.partner_id END \
                 FROM subscription s JOIN (SELECT subscription_id, invoice_id \
                     FROM subscription_period \
                     UNION ALL SELECT subscription_id, invoice_id FROM subscription_change \
                     UNION ALL SELECT p.subscription_id, n.id \
                         FROM subscription_refund r \
                         JOIN subscription_charge c ON c.id = r.charge_id \
                         JOIN subscription_period p ON p.id = c.period_id \
                         JOIN invoice n ON n.id IN (r.credit_note_id, r.taken_back_note_id, \
                             r.taken_back_by_id)) q \
                 ON q.subscription_id = s.id) x \
         JOIN invoice i ON i.id = x.invoice_id WHERE i.owner <> x.owner LIMIT 100",
    ),
    (
        "every clearance is of the deal that it names",
        "SELECT COUNT(*) FROM clearance",
        "SELECT 'clearance:' || x.id FROM clearance x LEFT JOIN contract c ON c.id = x.contract_id \
         LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id \
         WHERE x.athlete_id <> COALESCE(c.athlete_id, d.athlete_id) \
         OR x.amount_cents < c.agreed_amount_cents OR x.amount_cents <> d.amount_cents \
         OR x.college_id <> d.college_id OR x.signed_on <> d.signed_on LIMIT 100",
    ),
    (
        "what institutions see of a deal is what its record says",
        "SELECT COUNT(*) FROM college_transaction",
        "SELECT x.source || ':' || x.record_id FROM (SELECT DISTINCT source, record_id FROM ( \
             SELECT * FROM (SELECT * FROM college_transaction \
                 EXCEPT SELECT * FROM college_transaction_seen) a \
             UNION ALL SELECT * FROM (SELECT * FROM college_transaction_seen \
                 EXCEPT SELECT * FROM college_transaction) b) c) x LIMIT 100",
    ),
];
