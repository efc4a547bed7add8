//! The invariants between deals and money: work, sales and service orders.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "no commission is paid twice, or under another contract",
        "SELECT COUNT(*) FROM commission_share",
        "SELECT 'conversion:' || v.id FROM affiliate_conversion v \
         JOIN commission_share s ON s.conversion_id = v.id JOIN payment p ON p.id = s.payment_id \
         WHERE p.status <> 'failed' GROUP BY v.id, v.commission_cents, v.contract_id \
         HAVING SUM(s.amount_cents) > v.commission_cents \
         OR MIN(p.contract_id) <> v.contract_id OR MAX(p.contract_id) <> v.contract_id LIMIT 100",
    ),
    (
        "no contract's commission exceeds the agreed maximum",
        "SELECT COUNT(*) FROM affiliate_conversion",
        "SELECT 'contract:' || v.contract_id FROM affiliate_conversion v \
         JOIN affiliate_link l ON l.id = v.link_id GROUP BY v.contract_id \
         HAVING SUM(v.commission_cents) > MIN(l.most_cents) \
         OR MIN(l.contract_id) <> v.contract_id OR MAX(l.contract_id) <> v.contract_id LIMIT 100",
    ),
    // Allows half a cent of rounding, and as much for each sale from before commission was computed
    // on totals.
    (
        "every contract's commission is its rate of all its sales",
        "SELECT COUNT(*) FROM affiliate_conversion",
        "SELECT 'contract:' || x.contract_id || ' earned ' || x.earned || ' cents on sales of ' \
         || x.sold || ' at ' || x.rate || ' basis points' FROM (SELECT v.contract_id, \
             SUM(v.amount_cents) AS sold, SUM(v.commission_cents) AS earned, \
             MIN(l.rate_basis_points) AS rate, MIN(l.most_cents) AS most, \
             5000 + SUM(CASE WHEN v.on_totals THEN 0 ELSE 5000 END) AS slack \
             FROM affiliate_conversion v JOIN affiliate_link l ON l.id = v.link_id \
             GROUP BY v.contract_id) x \
         WHERE ABS(10000 * x.earned - CASE WHEN x.rate * x.sold < 10000 * x.most \
            THEN x.rate * x.sold ELSE 10000 * x.most END) > x.slack LIMIT 100",
    ),
    (
        "nothing is paid twice, and only approved work is paid",
        "SELECT COUNT(*) FROM deliverable",
        "SELECT 'deliverable:' || d.id FROM deliverable d \
         JOIN payment_share s ON s.deliverable_id = d.id JOIN payment p ON p.id = s.payment_id \
         WHERE p.status <> 'failed' GROUP BY d.id, d.amount_cents, d.status \
         HAVING SUM(s.amount_cents) > d.amount_cents OR d.status <> 'approved' LIMIT 100",
    ),
    (
        "every service order's status matches its contract",
        "SELECT COUNT(*) FROM service_order",
        "SELECT 'service_order:' || o.id FROM service_order o \
         LEFT JOIN contract c ON c.id = o.contract_id WHERE COALESCE(c.status, '') <> \
         CASE WHEN o.status IN ('accepted', 'delivered') THEN 'active' \
            WHEN o.status = 'completed' THEN 'completed' \
            WHEN o.status = 'cancelled' AND o.contract_id IS NOT NULL THEN 'cancelled' ELSE '' END \
         OR c.agreed_amount_cents <> o.price_cents OR c.fee_basis_points <> o.fee_basis_points \
         LIMIT 100",
    ),
    (
        "every job's count of filled places is right",
        "SELECT COUNT(*) FROM job",
        "SELECT 'job:' || j.id || ' counts ' || j.filled || ' places as taken, and ' \
         || COALESCE(x.taken, 0) || ' are' FROM job j \
         LEFT JOIN (SELECT a.job_id, COUNT(*) AS taken FROM application a \
             WHERE a.status IN ('hired', 'confirmed', 'extension_requested', \
             'cancellation_requested', 'completed') GROUP BY a.job_id) x ON x.job_id = j.id \
         WHERE j.filled <> COALESCE(x.taken, 0) LIMIT 100",
    ),
    (
        "every contract's deliverables add up to the agreed amount",
        "SELECT COUNT(*) FROM contract",
        "SELECT 'contract:' || c.id || ' agrees on ' || c.agreed_amount_cents \
         || ' cents, and its deliverables come to ' || COALESCE(SUM(d.amount_cents), 0) \
         FROM contract c LEFT JOIN deliverable d ON d.contract_id = c.id \
         GROUP BY c.id, c.agreed_amount_cents \
         HAVING c.agreed_amount_cents <> COALESCE(SUM(d.amount_cents), 0) LIMIT 100",
    ),
    (
        "no contract stays open after all its work is approved and paid",
        "SELECT COUNT(*) FROM contract WHERE status = 'active'",
        "SELECT 'contract:' || c.id || ' is active, and its work is all approved and paid' \
         FROM contract c WHERE c.status = 'active' AND NOT EXISTS (SELECT 1 FROM deliverable d \
             WHERE d.contract_id = c.id AND d.status NOT IN ('approved', 'void')) \
         AND (SELECT COALESCE(SUM(d.amount_cents), 0) FROM deliverable d \
             WHERE d.contract_id = c.id AND d.status = 'approved') \
         <= (SELECT COALESCE(SUM(s.amount_cents), 0) FROM payment_share s \
             JOIN payment p ON p.id = s.payment_id WHERE p.contract_id = c.id \
             AND p.status IN ('succeeded', 'partially_refunded', 'refunded')) LIMIT 100",
    ),
];
