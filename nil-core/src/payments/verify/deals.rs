//! What has to hold between the deals and the money: work, sales and orders.

use super::Rule;

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
        "no contract's commission is more than was agreed",
        "SELECT COUNT(*) FROM affiliate_conversion",
        "SELECT 'contract:' || v.contract_id FROM affiliate_conversion v \
         JOIN affiliate_link l ON l.id = v.link_id GROUP BY v.contract_id \
         HAVING SUM(v.commission_cents) > MIN(l.most_cents) \
         OR MIN(l.contract_id) <> v.contract_id OR MAX(l.contract_id) <> v.contract_id LIMIT 100",
    ),
    (
        "nothing is paid twice, and only what was approved",
        "SELECT COUNT(*) FROM deliverable",
        "SELECT 'deliverable:' || d.id FROM deliverable d \
         JOIN payment_share s ON s.deliverable_id = d.id JOIN payment p ON p.id = s.payment_id \
         WHERE p.status <> 'failed' GROUP BY d.id, d.amount_cents, d.status \
         HAVING SUM(s.amount_cents) > d.amount_cents OR d.status <> 'approved' LIMIT 100",
    ),
    (
        "every order of a service stands where its contract does",
        "SELECT COUNT(*) FROM service_order",
        "SELECT 'service_order:' || o.id FROM service_order o \
         LEFT JOIN contract c ON c.id = o.contract_id WHERE COALESCE(c.status, '') <> \
         CASE WHEN o.status IN ('accepted', 'delivered') THEN 'active' \
            WHEN o.status = 'completed' THEN 'completed' \
            WHEN o.status = 'cancelled' AND o.contract_id IS NOT NULL THEN 'cancelled' ELSE '' END \
         OR c.agreed_amount_cents <> o.price_cents OR c.fee_basis_points <> o.fee_basis_points \
         LIMIT 100",
    ),
];
