//! Checks the books: every invariant of the money, against the rows themselves and, if the embedded
//! processor runs, against its log.

mod books;
mod charges;
mod deals;
mod disputes;
mod lately;
mod owners;
mod requests;
mod returns;
pub(super) mod rule;
mod taxes;
mod totals;

use std::collections::HashMap;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Serialize;

pub use lately::{note_verified, unbalanced_lately, verified_at};

use super::subscriptions;
use crate::contracts::exclusivity;
use crate::error::Result;
use crate::kernel::Cents;
use crate::platform::Platform;
use crate::ports::processor::Logged;
use crate::storage::{Dialect, FromRow, Session, sql};
use rule::{Check, Rule};

/// The result of all checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// The checks.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether all invariants hold.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.checks.iter().all(|check| check.problems.is_empty())
    }

    /// All problems, each with its check's name.
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

const RULES: &[&[Rule]] = &[
    books::RULES,
    charges::RULES,
    requests::RULES,
    returns::RULES,
    taxes::RULES,
    disputes::RULES,
    deals::RULES,
    owners::RULES,
    subscriptions::checks::RULES,
];

/// PostgreSQL prevents broken references; an SQLite file could be edited by hand.
const REFERENCES: Rule = (
    "every reference points to an existing record",
    "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table'",
    "SELECT \"table\" || ' row ' || COALESCE(rowid, 0) FROM pragma_foreign_key_check LIMIT 100",
);

/// Runs all checks on one snapshot of the database, without locks.
#[must_use]
pub fn verify(platform: &Platform) -> BoxFuture<'_, Result<Report>> {
    Box::pin(run_all(platform))
}

async fn run_all(platform: &Platform) -> Result<Report> {
    let sandbox = platform.processor().sandbox();
    // Money moves during the check. What the processor knew before must be in our books, and what
    // is in our books must be known to the processor afterwards.
    let before = match sandbox {
        Some(sandbox) => sandbox.log().await?,
        None => Vec::new(),
    };
    let mut session = platform.db().snapshot().await?;
    let mut checks = Vec::new();
    for rules in RULES {
        for rule in *rules {
            checks.push(check(&mut session, rule).await?);
        }
    }
    let (examined, problems) = exclusivity::verify(&mut session).await?;
    let name = "no athlete's contracts exclude each other".into();
    checks.push(Check { name, examined, problems });
    checks.push(subscriptions::checks::by_days(&mut session).await?);
    checks.extend(totals::checks(&mut session).await?);
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

/// A movement in our own rows.
#[derive(Clone, Debug, FromRow)]
struct Ours {
    key: String,
    amount_cents: Cents,
    status: String,
    /// The processor's id of the movement, where it is kept.
    name: Option<String>,
    /// The card, the charge that is refunded, or the account that is paid.
    reference: Option<String>,
}

async fn movements(session: &mut Session) -> Result<Vec<Ours>> {
    session
        .all(sql("SELECT m.key, m.amount_cents, CASE WHEN m.attempt < (SELECT MAX(n.attempt) \
             FROM movement n WHERE n.kind = m.kind AND n.record_id = m.record_id) \
             THEN 'given_up' ELSE r.status END AS status, r.name, r.reference \
             FROM movement m JOIN movement_record r ON r.kind = m.kind AND r.id = m.record_id"))
        .await
}

fn by_key(log: &[Logged]) -> HashMap<&str, &Logged> {
    log.iter().map(|entry| (entry.key.as_str(), entry)).collect()
}

/// Compares our rows with the processor's log from before and after they were read. A movement that
/// is still open here may be further along there.
fn against(before: &[Logged], log: &[Logged], ours: &[Ours]) -> Check {
    let now = by_key(log);
    let mut problems = Vec::new();
    for row in ours {
        let entry = now.get(row.key.as_str());
        match entry {
            None if may_be_unknown(&row.status) => {}
            None => problems.push(format!("{} is unknown to the processor", row.key)),
            Some(entry) if entry.amount_cents != row.amount_cents => problems.push(format!(
                "{} is {} here and {} there",
                row.key, row.amount_cents, entry.amount_cents
            )),
            Some(entry) if !agree(&row.status, &entry.status) => problems
                .push(format!("{} is `{}` here and `{}` there", row.key, row.status, entry.status)),
            Some(entry) => problems.extend(elsewhere(row, entry)),
        }
    }
    let known: std::collections::HashSet<&str> = ours.iter().map(|row| row.key.as_str()).collect();
    for entry in before.iter().filter(|entry| !known.contains(entry.key.as_str())) {
        problems.push(format!("{} is unknown here", entry.key));
    }
    problems.truncate(100);
    Check {
        name: "the processor's log matches our records".into(),
        examined: i64::try_from(log.len()).unwrap_or(i64::MAX),
        problems,
    }
}

/// What a movement names of another one there: its own id, or the card, charge or account that it
/// is about.
fn elsewhere(row: &Ours, entry: &Logged) -> Option<String> {
    let differs = |ours: &Option<String>, theirs: &str| {
        ours.as_deref().filter(|ours| *ours != theirs).map(str::to_owned)
    };
    let told =
        |ours: String, theirs: &str| format!("{} is {ours} here and {theirs} there", row.key);
    differs(&row.name, &entry.id).map(|ours| told(ours, &entry.id)).or_else(|| {
        differs(&row.reference, &entry.reference).map(|ours| {
            format!("{} is about {ours} here and about {} there", row.key, entry.reference)
        })
    })
}

/// Whether the processor may not know the movement: not asked yet, or never reached.
fn may_be_unknown(status: &str) -> bool {
    matches!(status, "processing" | "pending" | "failed" | "given_up")
}

/// Whether our status is compatible with the processor's: the same, or one step behind.
fn agree(ours: &str, theirs: &str) -> bool {
    match theirs {
        "in_transit" => matches!(ours, "pending" | "in_transit"),
        "paid" => matches!(ours, "pending" | "in_transit" | "paid"),
        "requires_action" => matches!(ours, "processing" | "requires_action"),
        "succeeded" => {
            matches!(ours, "processing" | "requires_action" | "pending" | "succeeded")
        }
        "failed" => ours != "succeeded",
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
            name: None,
            reference: Some("card".into()),
        }
    }

    fn there(key: &str, status: &str) -> Logged {
        Logged {
            key: key.into(),
            kind: "charge".into(),
            id: "ch_1".into(),
            reference: "card".into(),
            amount_cents: Cents(100),
            currency: "usd".into(),
            fee_cents: Cents::ZERO,
            status: status.into(),
        }
    }

    #[test]
    fn the_log_is_the_judge() {
        let fine = [
            ("charge:1", "succeeded", "succeeded"),
            ("charge:2", "processing", "succeeded"),
            ("charge:3", "processing", "requires_action"),
            ("charge:4", "requires_action", "succeeded"),
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
            ("charge:3", "requires_action", "processing"),
            ("charge:4", "succeeded", "requires_action"),
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
        assert_eq!(against(&[], &[], &[here("charge:9", "succeeded")]).problems.len(), 1);
        assert!(against(&[], &[], &[here("charge:9", "processing")]).problems.is_empty());
        let log = [there("charge:1", "succeeded")];
        for (name, reference) in [("ch_2", "card"), ("ch_1", "another card")] {
            let name = Some(name.into());
            let row =
                Ours { name, reference: Some(reference.into()), ..here("charge:1", "succeeded") };
            assert_eq!(against(&log, &log, &[row]).problems.len(), 1);
        }
        // Requested and known to the processor after our rows were read.
        assert!(against(&[], &known, &[]).problems.is_empty());
        // Money that moved under a key that was given up moved twice.
        let given_up = [here("charge:9", "given_up")];
        assert_eq!(against(&known, &known, &given_up).problems.len(), 1);
        assert!(against(&[], &[], &given_up).problems.is_empty());
    }
}
