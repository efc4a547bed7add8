//! Whether the books are right: every invariant of the money, checked against the rows themselves, and,
//! where the embedded processor runs, against its own log.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::FromRow;

use super::subscriptions;
use crate::error::Result;
use crate::kernel::Cents;
use crate::platform::Platform;
use crate::ports::processor::Logged;
use crate::storage::{Dialect, Session, sql};

/// One thing that has to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Check {
    /// What.
    pub name: String,
    /// How many records were looked at.
    pub examined: i64,
    /// What is wrong, the first hundred; nothing where it holds.
    pub problems: Vec<String>,
}

/// What was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// Check by check.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether everything holds.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.checks.iter().all(|check| check.problems.is_empty())
    }

    /// Everything that is wrong, each with its check's name.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.checks
            .iter()
            .flat_map(|check| {
                let named = |problem| format!("{}: {problem}", check.name);
                check.problems.iter().map(named)
            })
            .collect()
    }
}

/// A check as SQL: its name, what counts the records, what finds the wrong ones.
pub(super) type Rule = (&'static str, &'static str, &'static str);

const RULES: &[Rule] = &[
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
        "every payment's entries say what its status says",
        "SELECT COUNT(*) FROM payment",
        "SELECT p.number FROM payment p \
         LEFT JOIN ledger_transfer t ON t.reason = 'payment' AND t.refers_to = 'payment:' || p.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY p.id, p.number, p.status, p.amount_cents, p.fee_cents, p.total_cents, \
             p.agent_commission_cents, p.partner_id, p.athlete_id, p.agent_id \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'partner:' || p.partner_id || ':card' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN -p.total_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'platform:fees' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN p.fee_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('athlete:' || p.athlete_id || ':wallet', \
                'athlete:' || p.athlete_id || ':receivable') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN p.amount_cents - p.agent_commission_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account IN ('agent:' || p.agent_id || ':wallet', \
                'agent:' || p.agent_id || ':receivable') THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                THEN p.agent_commission_cents ELSE 0 END LIMIT 100",
    ),
    (
        "every charge is the sum of its payments and agrees with them",
        "SELECT COUNT(*) FROM charge",
        "SELECT 'charge:' || c.id FROM charge c LEFT JOIN payment p ON p.charge_id = c.id \
         GROUP BY c.id, c.total_cents, c.status, c.processor_charge_id \
         HAVING c.total_cents <> COALESCE(SUM(p.total_cents), 0) \
         OR (c.status = 'succeeded' AND c.processor_charge_id IS NULL) \
         OR SUM(CASE WHEN c.status = CASE WHEN p.status IN ('partially_refunded', 'refunded') \
            THEN 'succeeded' ELSE p.status END THEN 0 ELSE 1 END) > 0 LIMIT 100",
    ),
    (
        "every payment is the sum of what it settles",
        "SELECT COUNT(*) FROM payment",
        "SELECT p.number FROM payment p WHERE p.amount_cents <> \
         COALESCE((SELECT SUM(s.amount_cents) FROM payment_share s WHERE s.payment_id = p.id), 0) \
         + COALESCE((SELECT SUM(s.amount_cents) FROM commission_share s \
         WHERE s.payment_id = p.id), 0) LIMIT 100",
    ),
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
        "every invoice is the sum of its lines, and bills fees as they were charged",
        "SELECT COUNT(*) FROM invoice",
        "SELECT i.number FROM invoice i LEFT JOIN invoice_line l ON l.invoice_id = i.id \
         LEFT JOIN payment p ON p.id = l.payment_id LEFT JOIN refund r ON r.id = l.refund_id \
         GROUP BY i.id, i.number, i.total_cents \
         HAVING i.total_cents <> COALESCE(SUM(l.amount_cents), 0) \
         OR SUM(CASE WHEN l.refund_id IS NOT NULL AND l.amount_cents <> -r.fee_cents THEN 1 \
            WHEN l.refund_id IS NULL AND l.amount_cents <> p.fee_cents THEN 1 ELSE 0 END) > 0 \
         LIMIT 100",
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
        "every refund's entries say what its status says",
        "SELECT COUNT(*) FROM refund",
        "SELECT 'refund:' || r.id FROM refund r \
         LEFT JOIN ledger_transfer t ON t.reason IN ('refund', 'refund_succeeded', 'refund_failed') \
             AND t.refers_to = 'refund:' || r.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY r.id, r.status, r.amount_cents, r.fee_cents \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'processor:refunding' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'pending' THEN r.amount_cents + r.fee_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account LIKE '%:card' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'succeeded' THEN r.amount_cents + r.fee_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account = 'platform:fees' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 ELSE -r.fee_cents END \
         OR COALESCE(SUM(CASE WHEN e.account LIKE '%:wallet' OR e.account LIKE '%:receivable' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN r.status = 'failed' THEN 0 ELSE -r.amount_cents END LIMIT 100",
    ),
    (
        "every payout's entries say what its status says",
        "SELECT COUNT(*) FROM payout",
        "SELECT 'payout:' || p.id FROM payout p \
         LEFT JOIN ledger_transfer t ON t.reason IN ('payout', 'payout_arrived', 'payout_failed', \
             'payout_returned') AND t.refers_to = 'payout:' || p.id \
         LEFT JOIN ledger_entry e ON e.transfer_id = t.id \
         GROUP BY p.id, p.status, p.amount_cents \
         HAVING COALESCE(SUM(CASE WHEN e.account = 'processor:clearing' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status IN ('on_hold', 'pending', 'in_transit') \
                THEN p.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account LIKE '%:bank' THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status = 'paid' THEN p.amount_cents ELSE 0 END \
         OR COALESCE(SUM(CASE WHEN e.account LIKE '%:wallet' OR e.account LIKE '%:receivable' \
                THEN e.amount_cents ELSE 0 END), 0) \
             <> CASE WHEN p.status = 'failed' THEN 0 ELSE -p.amount_cents END LIMIT 100",
    ),
    (
        "every transfer is about something that exists",
        "SELECT COUNT(*) FROM ledger_transfer",
        "SELECT t.reason || ' ' || t.refers_to FROM ledger_transfer t \
         LEFT JOIN payment p ON t.reason = 'payment' AND t.refers_to = 'payment:' || p.id \
         LEFT JOIN payout o ON t.reason LIKE 'payout%' AND t.refers_to = 'payout:' || o.id \
         LEFT JOIN refund r ON t.reason LIKE 'refund%' AND t.refers_to = 'refund:' || r.id \
         LEFT JOIN subscription_period s ON t.reason = 'subscription' \
             AND t.refers_to = 'invoice:' || s.invoice_id \
         WHERE p.id IS NULL AND o.id IS NULL AND r.id IS NULL AND s.id IS NULL LIMIT 100",
    ),
];

/// On PostgreSQL broken references cannot be written; on SQLite a file could be edited by hand.
const REFERENCES: Rule = (
    "every reference leads somewhere",
    "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'",
    "SELECT \"table\" || ' row ' || COALESCE(rowid, 0) FROM pragma_foreign_key_check LIMIT 100",
);

/// Checks everything, on one view of the database. Nobody waits for it, and it waits for nobody.
pub async fn verify(platform: &Platform) -> Result<Report> {
    let sandbox = platform.processor().sandbox();
    // Money moves meanwhile. What the processor knew before has to be in our books, and what is in our
    // books the processor has to know after.
    let before = match sandbox {
        Some(sandbox) => sandbox.log().await?,
        None => Vec::new(),
    };
    let mut session = platform.db().snapshot().await?;
    let mut checks = Vec::new();
    for rule in RULES.iter().chain(subscriptions::checks::RULES) {
        checks.push(check(&mut session, rule).await?);
    }
    if session.dialect() == Dialect::Sqlite {
        checks.push(check(&mut session, &REFERENCES).await?);
    }
    let ours = movements(&mut session).await?;
    drop(session);
    if let Some(sandbox) = sandbox {
        checks.push(against(&before, &sandbox.log().await?, &ours));
    }
    Ok(Report { checks })
}

async fn check(session: &mut Session, (name, count, find): &Rule) -> Result<Check> {
    let examined = session.value(sql(count)).await?;
    let found: Vec<(String,)> = session.all(sql(find)).await?;
    Ok(Check {
        name: (*name).into(),
        examined,
        problems: found.into_iter().map(|(problem,)| problem).collect(),
    })
}

/// A movement as our own rows have it.
#[derive(Clone, Debug, FromRow)]
struct Ours {
    key: String,
    amount_cents: Cents,
    status: String,
}

async fn movements(session: &mut Session) -> Result<Vec<Ours>> {
    session
        .all(sql(
            "SELECT 'charge:' || id AS key, total_cents AS amount_cents, status FROM charge \
             UNION ALL SELECT 'subscription_charge:' || id, total_cents, status \
             FROM subscription_charge \
             UNION ALL SELECT 'refund:' || id, amount_cents + fee_cents, status FROM refund \
             UNION ALL SELECT 'payout:' || id, amount_cents, status FROM payout",
        ))
        .await
}

fn by_key(log: &[Logged]) -> HashMap<&str, &Logged> {
    log.iter()
        .map(|entry| (entry.key.as_str(), entry))
        .collect()
}

/// Holds our rows against the processor's own log, as it was before our rows were read and as it is after.
/// What is still open here may be further there.
fn against(before: &[Logged], log: &[Logged], ours: &[Ours]) -> Check {
    let (knew, knows) = (by_key(before), by_key(log));
    let mut problems = Vec::new();
    for row in ours {
        // What was on hold may have been let go since.
        let entry = match row.status.as_str() {
            "on_hold" => knew.get(row.key.as_str()),
            _ => knows.get(row.key.as_str()),
        };
        match entry {
            None if may_be_unknown(&row.status) => {}
            None => problems.push(format!("{} is unknown to the processor", row.key)),
            Some(entry) if entry.amount_cents != row.amount_cents => problems.push(format!(
                "{} is {} here and {} there",
                row.key, row.amount_cents, entry.amount_cents
            )),
            Some(entry) if !agree(&row.status, &entry.status) => problems.push(format!(
                "{} is `{}` here and `{}` there",
                row.key, row.status, entry.status
            )),
            Some(_) => {}
        }
    }
    let known: std::collections::HashSet<&str> = ours.iter().map(|row| row.key.as_str()).collect();
    for entry in before
        .iter()
        .filter(|entry| !known.contains(entry.key.as_str()))
    {
        problems.push(format!("{} is unknown here", entry.key));
    }
    problems.truncate(100);
    Check {
        name: "the processor's log says the same".into(),
        examined: i64::try_from(log.len()).unwrap_or(i64::MAX),
        problems,
    }
}

/// Whether the processor may not have been asked yet, or have never heard of it.
fn may_be_unknown(status: &str) -> bool {
    matches!(status, "processing" | "pending" | "on_hold" | "failed")
}

/// Whether our status may stand beside the processor's: the same, or not yet heard of the last step.
fn agree(ours: &str, theirs: &str) -> bool {
    match theirs {
        "in_transit" => matches!(ours, "pending" | "in_transit"),
        "paid" => matches!(ours, "pending" | "in_transit" | "paid"),
        "succeeded" => matches!(ours, "processing" | "pending" | "succeeded"),
        "failed" => ours != "succeeded" && ours != "on_hold",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here(key: &str, status: &str) -> Ours {
        Ours {
            key: key.into(),
            amount_cents: Cents(100),
            status: status.into(),
        }
    }

    fn there(key: &str, status: &str) -> Logged {
        Logged {
            key: key.into(),
            kind: "charge".into(),
            amount_cents: Cents(100),
            status: status.into(),
        }
    }

    #[test]
    fn the_log_is_the_judge() {
        let fine = [
            ("charge:1", "succeeded", "succeeded"),
            ("charge:2", "processing", "succeeded"),
            ("payout:1", "paid", "failed"),
            ("payout:2", "in_transit", "paid"),
        ];
        for (key, ours, theirs) in fine {
            let log = [there(key, theirs)];
            let check = against(&log, &log, &[here(key, ours)]);
            assert!(check.problems.is_empty(), "{check:?}");
        }
        let wrong = [
            ("charge:1", "failed", "succeeded"),
            ("charge:2", "succeeded", "failed"),
            ("payout:1", "failed", "in_transit"),
            ("payout:2", "paid", "in_transit"),
        ];
        for (key, ours, theirs) in wrong {
            let log = [there(key, theirs)];
            let check = against(&log, &log, &[here(key, ours)]);
            assert_eq!(check.problems.len(), 1, "{key} {ours} {theirs}");
        }
        let known = [there("charge:9", "succeeded")];
        assert_eq!(against(&known, &known, &[]).problems.len(), 1);
        assert_eq!(
            against(&[], &[], &[here("charge:9", "succeeded")])
                .problems
                .len(),
            1
        );
        assert!(
            against(&[], &[], &[here("charge:9", "processing")])
                .problems
                .is_empty()
        );
        // Asked for, and heard of, after our rows were read.
        assert!(against(&[], &known, &[]).problems.is_empty());
        let sent = [there("payout:9", "in_transit")];
        let held = [here("payout:9", "on_hold")];
        assert!(against(&[], &sent, &held).problems.is_empty());
        assert_eq!(against(&sent, &sent, &held).problems.len(), 1);
    }
}
