//! The invariants of subscriptions, for `nil verify`.

use crate::payments::verify::Rule;

pub(in crate::payments) const RULES: &[Rule] = &[
    (
        "every period of a subscription is charged at most once and matches its entries and invoice",
        "SELECT COUNT(*) FROM subscription_period",
        "SELECT 'subscription_period:' || p.id FROM subscription_period p \
         JOIN invoice i ON i.id = p.invoice_id \
         LEFT JOIN (SELECT c.period_id, \
             SUM(CASE WHEN c.status = 'succeeded' THEN 1 ELSE 0 END) AS charged, \
             SUM(CASE WHEN c.status = 'processing' THEN 1 ELSE 0 END) AS under_way, \
             SUM(CASE WHEN c.total_cents <> v.total_cents THEN 1 ELSE 0 END) AS other_amounts \
             FROM subscription_charge c JOIN subscription_period q ON q.id = c.period_id \
             JOIN invoice v ON v.id = q.invoice_id WHERE c.change_id IS NULL \
             GROUP BY c.period_id) c ON c.period_id = p.id \
         LEFT JOIN (SELECT t.refers_to, SUM(CASE WHEN e.account = 'platform:subscriptions' \
             THEN e.amount_cents ELSE 0 END) AS earned, SUM(CASE WHEN e.account LIKE '%:card' \
             THEN e.amount_cents ELSE 0 END) AS from_card, MAX(CASE WHEN e.account LIKE '%:card' \
             THEN e.account END) AS card FROM ledger_transfer t \
             JOIN ledger_entry e ON e.transfer_id = t.id WHERE t.reason = 'subscription' \
             GROUP BY t.refers_to) b ON b.refers_to = 'invoice:' || i.id \
         WHERE i.kind <> 'subscription' OR i.total_cents <> p.price_cents \
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
    (
        "every change of plan is charged at most once and matches its entries, invoice and status",
        "SELECT COUNT(*) FROM subscription_change",
        "SELECT 'subscription_change:' || x.id FROM subscription_change x \
         LEFT JOIN invoice i ON i.id = x.invoice_id \
         LEFT JOIN subscription_charge c ON c.change_id = x.id \
         LEFT JOIN (SELECT t.refers_to, SUM(CASE WHEN e.account = 'platform:subscriptions' \
             THEN e.amount_cents ELSE 0 END) AS earned, SUM(CASE WHEN e.account LIKE '%:card' \
             THEN e.amount_cents ELSE 0 END) AS from_card FROM ledger_transfer t \
             JOIN ledger_entry e ON e.transfer_id = t.id WHERE t.reason = 'subscription' \
             GROUP BY t.refers_to) b ON b.refers_to = 'invoice:' || i.id \
         WHERE (i.id IS NULL) <> (x.rest_cents = x.unused_cents) \
         OR (i.id IS NULL) <> (c.id IS NULL) \
         OR i.total_cents <> x.rest_cents - x.unused_cents OR c.total_cents <> i.total_cents \
         OR (i.id IS NOT NULL AND x.status || ' ' || i.status || ' ' || c.status NOT IN \
            ('pending open processing', 'done paid succeeded', 'declined void failed')) \
         OR (i.id IS NULL AND x.status IN ('pending', 'declined')) \
         OR COALESCE(b.earned, 0) <> CASE WHEN x.status = 'done' \
            THEN x.rest_cents - x.unused_cents ELSE 0 END \
         OR COALESCE(b.from_card, 0) <> -COALESCE(b.earned, 0) LIMIT 100",
    ),
    (
        "every subscription has the terms of its last change of plan, or of its first period",
        "SELECT COUNT(*) FROM subscription",
        "SELECT 'subscription:' || s.id FROM subscription s \
         LEFT JOIN (SELECT subscription_id, MAX(id) AS id FROM subscription_change \
             WHERE status = 'done' GROUP BY subscription_id) l ON l.subscription_id = s.id \
         LEFT JOIN subscription_change x ON x.id = l.id \
         LEFT JOIN subscription_period p ON p.subscription_id = s.id AND p.number = 1 \
         WHERE s.plan_id <> COALESCE(x.plan_id, p.plan_id) \
         OR s.price_cents <> COALESCE(x.price_cents, p.price_cents) \
         OR s.billing_interval <> COALESCE(x.billing_interval, s.billing_interval) \
         OR (s.status = 'ended' AND EXISTS (SELECT 1 FROM subscription_change w \
             WHERE w.subscription_id = s.id AND w.status IN ('pending', 'scheduled'))) LIMIT 100",
    ),
    (
        "no charge of a subscription is refunded beyond its total, and refunds match their entries",
        "SELECT COUNT(*) FROM subscription_refund",
        "SELECT 'subscription_refund:' || r.id FROM subscription_refund r \
         JOIN subscription_charge c ON c.id = r.charge_id \
         LEFT JOIN invoice n ON n.id = r.credit_note_id \
         LEFT JOIN ledger_transfer t ON t.reason IN ('refund', 'refund_succeeded', 'refund_failed') \
             AND t.refers_to = 'subscription_refund:' || r.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY r.id, r.status, r.amount_cents, r.charge_id, c.status, c.total_cents, \
             n.total_cents, n.status \
         HAVING c.status <> 'succeeded' OR n.total_cents <> -r.amount_cents OR n.status <> 'paid' \
         OR c.total_cents < (SELECT SUM(a.amount_cents) FROM subscription_refund a \
             WHERE a.charge_id = r.charge_id AND a.status <> 'failed') \
         OR COALESCE(SUM(CASE WHEN e.account = 'processor:refunding' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'pending' THEN r.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account LIKE '%:card' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'succeeded' THEN r.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'platform:subscriptions' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 ELSE -r.amount_cents END LIMIT 100",
    ),
];
