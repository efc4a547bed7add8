//! The invariants of what counts on information returns, and of the tax withheld from it.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every payment counts for its payees, from its payer, when it was paid",
        "SELECT COUNT(*) FROM payment_payee",
        "SELECT p.number FROM payment p LEFT JOIN payment_payee t ON t.payment_id = p.id \
             AND t.athlete_id = p.athlete_id AND t.owner = 'athlete:' || p.athlete_id \
         WHERE p.paid_at IS NOT NULL AND (t.payment_id IS NULL OR t.gross_cents <> p.amount_cents \
             OR t.partner_id <> p.partner_id OR t.paid_at <> p.paid_at) \
         UNION ALL SELECT p.number FROM payment p LEFT JOIN payment_payee t ON t.payment_id = p.id \
             AND t.agent_id = p.agent_id AND t.owner = 'agent:' || p.agent_id \
         WHERE p.paid_at IS NOT NULL AND p.agent_id IS NOT NULL \
         AND (COALESCE(t.gross_cents - t.returned_cents, 0) <> p.agent_commission_cents \
             OR t.partner_id <> p.partner_id OR t.paid_at <> p.paid_at) \
         UNION ALL SELECT 'payment:' || t.payment_id FROM payment_payee t \
         JOIN payment p ON p.id = t.payment_id WHERE p.paid_at IS NULL \
         OR (t.athlete_id IS NOT NULL AND t.athlete_id <> p.athlete_id) \
         OR (t.agent_id IS NOT NULL AND t.agent_id <> p.agent_id) LIMIT 100",
    ),
    (
        "every payment's withheld tax matches its entries",
        "SELECT COUNT(*) FROM payment_payee WHERE withheld_cents > 0",
        "SELECT COALESCE(t.owner, e.account) || ' payment ' || COALESCE(t.payment_id, 0) \
         FROM payment_payee t LEFT JOIN ledger_transfer l ON l.reason = 'payment_withheld' \
             AND l.refers_to = 'payment:' || t.payment_id \
         LEFT JOIN ledger_entry e ON e.transfer_id = l.id AND e.account = t.owner || ':withheld' \
         WHERE COALESCE(e.amount_cents, 0) <> t.withheld_cents LIMIT 100",
    ),
    (
        "what is withheld from a payment is taken from its own payees",
        "SELECT COUNT(*) FROM ledger_transfer WHERE reason = 'payment_withheld'",
        "SELECT l.refers_to || ' takes from ' || e.account FROM ledger_transfer l \
         JOIN ledger_entry e ON e.transfer_id = l.id WHERE l.reason = 'payment_withheld' \
         AND NOT EXISTS (SELECT 1 FROM payment_payee t \
             WHERE t.payment_id = CAST(SUBSTR(l.refers_to, 9) AS BIGINT) AND e.account IN \
                 (t.owner || ':wallet', t.owner || ':receivable', t.owner || ':withheld')) LIMIT 100",
    ),
    (
        "what is withheld from a payee is what payments withheld, less what went back",
        "SELECT COUNT(*) FROM ledger_account WHERE name LIKE '%:withheld'",
        "SELECT a.name FROM ledger_account a LEFT JOIN (SELECT x.owner, SUM(x.cents) AS cents FROM \
             (SELECT owner, withheld_cents - returned_withheld_cents AS cents FROM payment_payee \
                 WHERE withheld_cents > 0 \
              UNION ALL SELECT w.owner, -w.withheld_cents FROM refund_withheld w \
                 JOIN refund r ON r.id = w.refund_id WHERE r.status <> 'failed') x \
             GROUP BY x.owner) s ON s.owner || ':withheld' = a.name \
         WHERE a.name LIKE '%:withheld' AND a.balance_cents <> COALESCE(s.cents, 0) LIMIT 100",
    ),
];
