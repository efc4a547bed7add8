//! The invariants of requests to the payment processor, and of what it keeps for itself.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    (
        "every movement was requested, for its own amount",
        "SELECT COUNT(*) FROM movement_record",
        "SELECT r.kind || ':' || r.id || ' was not requested' FROM movement_record r \
         LEFT JOIN movement m ON m.kind = r.kind AND m.record_id = r.id WHERE m.key IS NULL \
         UNION ALL SELECT m.key || ' requests another amount than its record has' \
         FROM movement m LEFT JOIN movement_record r ON r.kind = m.kind AND r.id = m.record_id \
         WHERE r.id IS NULL OR r.amount_cents <> m.amount_cents OR m.currency <> 'usd' LIMIT 100",
    ),
    (
        "every movement without an outcome is asked about",
        "SELECT COUNT(*) FROM movement",
        "SELECT r.kind || ':' || r.id || ' is never asked about' FROM movement_record r \
         WHERE r.status IN ('processing', 'requires_action', 'pending', 'in_transit') \
         AND NOT EXISTS \
             (SELECT 1 FROM movement m WHERE m.kind = r.kind AND m.record_id = r.id \
              AND m.next_look_at IS NOT NULL) \
         UNION ALL SELECT m.key || ' is asked about although it has an outcome' FROM movement m \
         JOIN movement_record r ON r.kind = m.kind AND r.id = m.record_id \
         WHERE m.next_look_at IS NOT NULL \
         AND r.status NOT IN ('processing', 'requires_action', 'pending', 'in_transit') LIMIT 100",
    ),
    (
        "the processor's cost is that of a charge that succeeded",
        "SELECT COUNT(*) FROM ledger_transfer WHERE reason = 'processor_cost'",
        "SELECT t.refers_to FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id \
         LEFT JOIN movement_record r ON r.kind || ':' || r.id = t.refers_to \
             AND r.kind IN ('charge', 'subscription_charge') AND r.status = 'succeeded' \
         WHERE t.reason = 'processor_cost' AND (r.id IS NULL \
         OR e.account NOT IN ('processor:costs', 'platform:processor_costs')) \
         UNION ALL SELECT t.reason || ' ' || t.refers_to FROM ledger_entry e \
         JOIN ledger_transfer t ON t.id = e.transfer_id \
         WHERE e.account IN ('processor:costs', 'platform:processor_costs') \
         AND t.reason <> 'processor_cost' AND NOT (e.account = 'processor:costs' \
             AND t.reason IN ('dispute_fee', 'dispute_fee_changed', 'dispute_overturned')) LIMIT 100",
    ),
];
