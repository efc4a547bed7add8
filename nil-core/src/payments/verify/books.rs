//! The invariants of the ledger itself.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every transfer sums to zero",
        "SELECT COUNT(*) FROM ledger_transfer",
        "SELECT t.reason || ' ' || t.refers_to FROM ledger_transfer t \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY t.id, t.reason, t.refers_to \
         HAVING COALESCE(SUM(e.amount_cents), 1) <> 0 LIMIT 100",
    ),
    (
        "every balance is the sum of its entries",
        "SELECT COUNT(*) FROM ledger_account",
        "SELECT a.name FROM ledger_account a LEFT JOIN ledger_entry e ON e.account = a.name \
         GROUP BY a.name, a.balance_cents \
         HAVING a.balance_cents <> COALESCE(SUM(e.amount_cents), 0) LIMIT 100",
    ),
    (
        "every entry's balance follows from the one before",
        "SELECT COUNT(*) FROM ledger_entry",
        "SELECT x.account || ' entry ' || x.id FROM (SELECT e.id, e.account, e.amount_cents, \
         e.balance_after_cents, COALESCE(LAG(e.balance_after_cents) \
         OVER (PARTITION BY e.account ORDER BY e.id), 0) AS before_cents FROM ledger_entry e) x \
         WHERE x.before_cents + x.amount_cents <> x.balance_after_cents LIMIT 100",
    ),
    (
        "wallets are never negative, receivables never positive",
        "SELECT COUNT(*) FROM ledger_account WHERE name LIKE '%:wallet' OR name LIKE '%:receivable'",
        "SELECT a.name FROM ledger_account a WHERE (a.name LIKE '%:wallet' AND a.balance_cents < 0) \
         OR (a.name LIKE '%:receivable' AND a.balance_cents > 0) LIMIT 100",
    ),
    (
        "every transfer refers to an existing record",
        "SELECT COUNT(*) FROM ledger_transfer",
        "SELECT t.reason || ' ' || t.refers_to FROM ledger_transfer t \
         LEFT JOIN payment p \
             ON t.reason IN ('payment', 'payment_withheld', 'commission_returned') \
             AND t.refers_to = 'payment:' || p.id \
         LEFT JOIN payout o ON t.reason LIKE 'payout%' AND t.refers_to = 'payout:' || o.id \
         LEFT JOIN refund r ON (t.reason LIKE 'refund%' OR t.reason = 'commission_returned') \
             AND t.refers_to = 'refund:' || r.id \
         LEFT JOIN subscription_refund v ON t.reason LIKE 'refund%' \
             AND t.refers_to = 'subscription_refund:' || v.id \
         LEFT JOIN subscription_period s ON t.reason = 'subscription' \
             AND t.refers_to = 'invoice:' || s.invoice_id \
         LEFT JOIN subscription_change x ON t.reason = 'subscription' \
             AND t.refers_to = 'invoice:' || x.invoice_id \
         LEFT JOIN dispute q ON t.reason LIKE 'dispute%' AND t.refers_to = 'dispute:' || q.id \
         LEFT JOIN movement_record m ON t.reason = 'processor_cost' \
             AND t.refers_to = m.kind || ':' || m.id \
         WHERE p.id IS NULL AND o.id IS NULL AND r.id IS NULL AND v.id IS NULL \
         AND s.id IS NULL AND x.id IS NULL AND q.id IS NULL AND m.id IS NULL LIMIT 100",
    ),
];
