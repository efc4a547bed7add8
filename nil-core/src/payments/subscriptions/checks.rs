//! The invariants of subscriptions, for `nil verify`.

use crate::payments::verify::Rule;

pub(in crate::payments) const RULES: &[Rule] = &[
    (
        "every period of a subscription is charged at most once and matches its entries and invoice",
        "SELECT COUNT(*) FROM subscription_period",
        "SELECT 'subscription_period:' || p.id FROM subscription_period p \
         JOIN subscription s ON s.id = p.subscription_id JOIN invoice i ON i.id = p.invoice_id \
         LEFT JOIN (SELECT c.period_id, \
             SUM(CASE WHEN c.status = 'succeeded' THEN 1 ELSE 0 END) AS charged, \
             SUM(CASE WHEN c.status = 'processing' THEN 1 ELSE 0 END) AS under_way, \
             SUM(CASE WHEN c.total_cents <> v.total_cents THEN 1 ELSE 0 END) AS other_amounts \
             FROM subscription_charge c JOIN subscription_period q ON q.id = c.period_id \
             JOIN invoice v ON v.id = q.invoice_id GROUP BY c.period_id) c ON c.period_id = p.id \
         LEFT JOIN (SELECT t.refers_to, SUM(CASE WHEN e.account = 'platform:subscriptions' \
             THEN e.amount_cents ELSE 0 END) AS earned, SUM(CASE WHEN e.account LIKE '%:card' \
             THEN e.amount_cents ELSE 0 END) AS from_card, MAX(CASE WHEN e.account LIKE '%:card' \
             THEN e.account END) AS card FROM ledger_transfer t \
             JOIN ledger_entry e ON e.transfer_id = t.id WHERE t.reason = 'subscription' \
             GROUP BY t.refers_to) b ON b.refers_to = 'invoice:' || i.id \
         WHERE i.kind <> 'subscription' OR i.total_cents <> s.price_cents \
         OR COALESCE(c.charged, 0) <> CASE WHEN i.status = 'paid' THEN 1 ELSE 0 END \
         OR COALESCE(c.charged, 0) + COALESCE(c.under_way, 0) > 1 \
         OR (COALESCE(c.under_way, 0) > 0 AND i.status <> 'open') \
         OR COALESCE(c.other_amounts, 0) > 0 \
         OR COALESCE(b.earned, 0) <> CASE WHEN i.status = 'paid' THEN i.total_cents ELSE 0 END \
         OR COALESCE(b.from_card, 0) <> CASE WHEN i.status = 'paid' THEN -i.total_cents ELSE 0 END \
         OR (i.status = 'paid' AND b.card <> i.owner || ':card') LIMIT 100",
    ),
    (
        "every subscription's periods are consecutive and match its status",
        "SELECT COUNT(*) FROM subscription",
        "SELECT 'subscription:' || s.id FROM subscription s \
         LEFT JOIN subscription_period p ON p.subscription_id = s.id \
         LEFT JOIN invoice i ON i.id = p.invoice_id \
         LEFT JOIN subscription_charge c ON c.period_id = p.id AND c.status = 'processing' \
         LEFT JOIN subscription_period f ON f.subscription_id = s.id AND f.number = p.number - 1 \
         GROUP BY s.id, s.status, s.period, s.bill_at, s.end_reason \
         HAVING SUM(CASE WHEN i.status = 'paid' THEN 1 ELSE 0 END) \
             <> CASE WHEN s.status = 'pending' OR s.end_reason = 'declined' THEN 0 ELSE s.period END \
         OR SUM(CASE WHEN i.status = 'paid' AND p.number > s.period THEN 1 ELSE 0 END) > 0 \
         OR SUM(CASE WHEN p.number > 1 AND (f.id IS NULL OR f.ends_at <> p.starts_at) \
            THEN 1 ELSE 0 END) > 0 \
         OR SUM(CASE WHEN i.status = 'open' AND s.status = 'ended' THEN 1 ELSE 0 END) > 0 \
         OR (s.status <> 'ended' AND (CASE WHEN s.bill_at IS NULL THEN 1 ELSE 0 END) \
             <> COUNT(c.id)) LIMIT 100",
    ),
];
