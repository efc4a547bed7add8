//! The invariants of subscriptions, for `nil verify`.

use std::collections::HashMap;

use super::proration::Days;
use super::refund::SubscriptionRefundRule;
use crate::error::Result;
use crate::kernel::{Cents, SubscriptionChargeId, Time, proportion};
use crate::payments::RefundStatus;
use crate::payments::verify::rule::{Check, Rule};
use crate::storage::{FromRow, Session, sql};

pub(in crate::payments) const RULES: &[Rule] = &[
    (
        "every period of a subscription is charged at most once and matches its entries and invoice",
        "SELECT COUNT(*) FROM subscription_period",
        "SELECT 'subscription_period:' || p.id FROM subscription_period p \
         JOIN invoice i ON i.id = p.invoice_id \
         LEFT JOIN (SELECT c.period_id, \
             SUM(CASE WHEN c.status = 'succeeded' THEN 1 ELSE 0 END) AS charged, \
             SUM(CASE WHEN c.status IN ('processing', 'requires_action') THEN 1 ELSE 0 END) AS under_way, \
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
         LEFT JOIN subscription_charge c ON c.period_id = p.id \
             AND c.status IN ('processing', 'requires_action') \
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
             THEN e.amount_cents ELSE 0 END) AS from_card, MIN(CASE WHEN e.account LIKE '%:card' \
             THEN e.account END) AS card, MAX(CASE WHEN e.account LIKE '%:card' \
             THEN e.account END) AS last_card FROM ledger_transfer t \
             JOIN ledger_entry e ON e.transfer_id = t.id WHERE t.reason = 'subscription' \
             GROUP BY t.refers_to) b ON b.refers_to = 'invoice:' || i.id \
         WHERE b.card <> i.owner || ':card' OR b.last_card <> i.owner || ':card' \
         OR (i.id IS NULL) <> (x.rest_cents = x.unused_cents) \
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
         JOIN subscription_period p ON p.id = c.period_id \
         JOIN subscription s ON s.id = p.subscription_id \
         LEFT JOIN invoice n ON n.id = r.credit_note_id \
         LEFT JOIN ledger_transfer t ON t.reason IN ('refund', 'refund_succeeded', 'refund_failed', \
             'refund_returned') \
             AND t.refers_to = 'subscription_refund:' || r.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY r.id, r.status, r.amount_cents, r.charge_id, c.status, c.total_cents, \
             n.total_cents, n.status, s.partner_id, s.agent_id \
         HAVING c.status <> 'succeeded' OR n.total_cents <> -r.amount_cents OR n.status <> 'paid' \
         OR c.total_cents < (SELECT SUM(a.amount_cents) FROM subscription_refund a \
             WHERE a.charge_id = r.charge_id AND a.status <> 'failed') \
         OR COALESCE(SUM(CASE WHEN e.account = 'processor:refunding' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'pending' THEN r.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('partner:' || s.partner_id || ':card', \
                'agent:' || s.agent_id || ':card') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'succeeded' THEN r.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'platform:subscriptions' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 ELSE -r.amount_cents END LIMIT 100",
    ),
    (
        "every credit note is of a refund that succeeded, or was taken back once",
        "SELECT COUNT(*) FROM invoice WHERE kind = 'subscription' AND total_cents < 0",
        "SELECT n.number FROM invoice n \
         LEFT JOIN subscription_refund r ON r.credit_note_id = n.id \
         LEFT JOIN subscription_refund u ON u.taken_back_note_id = n.id \
         LEFT JOIN invoice b ON b.id = u.taken_back_by_id \
         WHERE n.kind = 'subscription' AND n.total_cents < 0 AND (n.status <> 'paid' \
             OR (r.id IS NULL) = (u.id IS NULL) OR u.status <> 'failed' \
             OR b.kind <> 'subscription' OR b.total_cents <> -n.total_cents \
             OR b.owner <> n.owner OR b.status <> 'paid') \
         UNION ALL SELECT 'subscription_refund:' || r.id FROM subscription_refund r \
         LEFT JOIN ledger_transfer t ON t.reason = 'refund_returned' \
             AND t.refers_to = 'subscription_refund:' || r.id \
         WHERE (t.id IS NULL) <> (r.taken_back_by_id IS NULL) \
         UNION ALL SELECT 'invoice:' || taken_back_by_id FROM subscription_refund \
         WHERE taken_back_by_id IS NOT NULL GROUP BY taken_back_by_id HAVING COUNT(*) > 1 LIMIT 100",
    ),
];

/// A refund with what its charge paid for.
#[derive(FromRow)]
struct Refunded {
    id: i64,
    charge_id: SubscriptionChargeId,
    rule: SubscriptionRefundRule,
    amount_cents: Cents,
    status: RefundStatus,
    created_at: Time,
    starts_at: Time,
    ends_at: Time,
    price_cents: Cents,
    credited_price_cents: Cents,
}

/// A change of plan that took effect at once, with the price of its period that was kept when it
/// was made.
#[derive(FromRow)]
struct Changed {
    id: i64,
    price_cents: Cents,
    credited_price_cents: Cents,
    unused_cents: Cents,
    rest_cents: Cents,
    days_left: i64,
    days: i64,
    kept_cents: Cents,
}

/// Days of a subscription are credited once, or given back once. The database cannot count days, so
/// this does.
pub(in crate::payments) async fn by_days(session: &mut Session) -> Result<Check> {
    let refunds: Vec<Refunded> = session
        .all(sql("SELECT r.id, r.charge_id, r.rule, r.amount_cents, r.status, r.created_at, \
             p.starts_at, p.ends_at, COALESCE(x.price_cents, p.price_cents) AS price_cents, \
             COALESCE(x.credited_price_cents, 0) AS credited_price_cents \
             FROM subscription_refund r JOIN subscription_charge c ON c.id = r.charge_id \
             JOIN subscription_period p ON p.id = c.period_id \
             LEFT JOIN subscription_change x ON x.id = c.change_id ORDER BY r.id"))
        .await?;
    // What was kept: each charge that had succeeded before, unless a refund was asked for earlier.
    let changes: Vec<Changed> = session
        .all(sql("SELECT x.id, x.price_cents, x.credited_price_cents, x.unused_cents, \
             x.rest_cents, x.days_left, x.days, CAST(COALESCE(SUM(COALESCE(b.price_cents \
             - b.credited_price_cents, p.price_cents)), 0) AS BIGINT) AS kept_cents \
             FROM subscription_change x JOIN subscription_period p ON p.id = x.period_id \
             LEFT JOIN subscription_charge c ON c.period_id = x.period_id \
                 AND c.status = 'succeeded' AND COALESCE(c.change_id, 0) < x.id \
                 AND NOT EXISTS (SELECT 1 FROM subscription_refund r WHERE r.charge_id = c.id \
                     AND r.status <> 'failed' AND r.created_at < x.created_at) \
             LEFT JOIN subscription_change b ON b.id = c.change_id WHERE x.rest_cents > 0 \
             GROUP BY x.id, x.price_cents, x.credited_price_cents, x.unused_cents, x.rest_cents, \
             x.days_left, x.days ORDER BY x.id"))
        .await?;
    let examined = i64::try_from(refunds.len() + changes.len()).unwrap_or(i64::MAX);
    let mut problems = Vec::new();
    let mut before: HashMap<SubscriptionChargeId, Cents> = HashMap::new();
    for refund in refunds.iter().filter(|refund| refund.status != RefundStatus::Failed) {
        let given = before.entry(refund.charge_id).or_default();
        let days = Days::of(refund.starts_at, refund.ends_at, refund.created_at);
        let unused = days.left_at(refund.price_cents) - days.left_at(refund.credited_price_cents);
        if refund.rule == SubscriptionRefundRule::Unused && refund.amount_cents > unused - *given {
            problems.push(format!("subscription_refund:{} gives days back again", refund.id));
        }
        *given += refund.amount_cents;
    }
    for change in &changes {
        let worth = |price| proportion(price, change.days_left, change.days);
        if change.credited_price_cents > change.kept_cents
            || change.unused_cents != worth(change.credited_price_cents)
            || change.rest_cents != worth(change.price_cents)
        {
            problems.push(format!("subscription_change:{} credits what was not kept", change.id));
        }
    }
    problems.truncate(100);
    let name = "each day of a subscription is credited or given back once".into();
    Ok(Check { name, examined, problems })
}
