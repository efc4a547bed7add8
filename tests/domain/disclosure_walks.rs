//! Random walks: whatever an athlete, their agent, an officer, the clearinghouse and the clock do to
//! disclosed jobs, in any order, every row follows its state machine and the sums are right.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use nil_core::disclosures::{ClearanceStatus, DisclosedJobStatus};
use nil_core::kernel::Machine;
use nil_core::storage::sql;
use nil_tests::{World, both};
use serde_json::{Value, json};

/// A small generator, so that a failing walk can be repeated.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

const STATES: &str = "SELECT 'disclosed_job' AS machine, id, status FROM disclosed_job \
    UNION ALL SELECT 'clearance', id, status FROM clearance";

type States = BTreeMap<(String, i64), String>;

async fn states(world: &World) -> States {
    let mut session = world.platform.db().read().await.unwrap();
    let rows: Vec<(String, i64, String)> = session.all(sql(STATES)).await.unwrap();
    let rows = rows.into_iter();
    rows.map(|(name, id, status)| ((name, id), status)).collect()
}

/// Whether the machine allows `before` (for a new row, an initial state) to become `after`.
fn leads<M: Machine>(before: Option<&str>, after: &str) -> bool {
    let word = |state: &&M| Some(state.word()) == before;
    let mut reached: Vec<M> = match before {
        Some(_) => M::STATES.iter().filter(word).copied().collect(),
        None => M::INITIAL.to_vec(),
    };
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        let ways = M::MOVES.iter().filter(|(from, ..)| *from == state);
        for (_, _, to) in ways {
            if !reached.contains(to) {
                reached.push(*to);
            }
        }
        next += 1;
    }
    reached.iter().any(|state| state.word() == after)
}

/// Each of these finds rows that must not exist.
const NEVER: &[(&str, &str)] = &[
    (
        "every disclosed job has one clearance that tells the same",
        "SELECT d.id FROM disclosed_job d LEFT JOIN clearance c ON c.disclosed_job_id = d.id \
         WHERE c.id IS NULL OR c.amount_cents <> d.amount_cents OR c.signed_on <> d.signed_on \
         OR c.counts <> (d.status <> 'withdrawn')",
    ),
    (
        "below the threshold nothing is due, from it on everything that is signed",
        "SELECT c.id FROM clearance c JOIN disclosed_job u ON u.id = c.disclosed_job_id JOIN \
         (SELECT x.athlete_id, x.payor, SUM(CASE WHEN d.status = 'draft' \
         AND d.signed_on > '2026-12-31' THEN 0 ELSE x.amount_cents END) AS total \
         FROM clearance x JOIN disclosed_job d ON d.id = x.disclosed_job_id \
         WHERE x.counts GROUP BY x.athlete_id, x.payor) s \
         ON s.athlete_id = c.athlete_id AND s.payor = c.payor WHERE c.counts \
         AND ((s.total >= 60000 AND c.status = 'not_required' \
         AND NOT (u.status = 'draft' AND u.signed_on > '2026-12-31')) \
         OR (s.total < 60000 AND c.status = 'due') \
         OR (c.status = 'due' AND u.status = 'draft' AND u.signed_on > '2026-12-31'))",
    ),
    (
        "what was taken back is not due",
        "SELECT id FROM clearance WHERE NOT counts AND status = 'due'",
    ),
    (
        "what was handed in says when and by whom, and a draft does not",
        "SELECT id FROM disclosed_job WHERE (status = 'draft') <> (first_submitted_at IS NULL) \
         AND status <> 'withdrawn' OR (submitted_by IS NULL) <> (submitted_at IS NULL)",
    ),
    (
        "agents prepare, athletes hand in",
        "SELECT id FROM disclosed_job WHERE submitted_by NOT LIKE 'athlete:%'",
    ),
];

async fn check_books(world: &World, step: &str) {
    let mut session = world.platform.db().read().await.unwrap();
    for (law, text) in NEVER {
        let broken: Vec<(i64,)> = session.all(sql(text)).await.unwrap();
        assert!(broken.is_empty(), "{law}: {broken:?} after {step}");
    }
}

fn deal(dice: &mut Dice) -> Value {
    let payer = *dice.pick(&["Harbor Books", "HARBOR BOOKS Inc.", "Valley Sports"]);
    // Some are still to be signed, after the walk.
    let day = match 1 + dice.below(28) {
        day @ ..=20 => format!("2026-11-{day:02}"),
        day => format!("2027-06-{day:02}"),
    };
    json!({
        "payer_name": payer, "payer_kind": "business", "title": "Reading day", "category_id": 9,
        "amount_cents": 10_000 * (1 + dice.below(4)), "compensation": "cash",
        "signed_on": day,
        "description": "Two readings.", "draft": dice.below(3) == 0,
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"],
    })
}

async fn walk(world: World, seed: u64, steps: usize) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let agent = world.agent("Summit Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    let mut dice = Dice(seed);
    let mut before = states(&world).await;
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    for _ in 0..steps {
        let ids: Vec<i64> =
            before.keys().filter(|(t, _)| t == "disclosed_job").map(|(_, id)| *id).collect();
        let recent = ids.len().saturating_sub(4);
        let id = if ids.is_empty() { 9_999 } else { *dice.pick(&ids[recent..]) };
        let mut change = deal(&mut dice);
        change["id"] = json!(id);
        let mut agents = deal(&mut dice);
        agents["athlete_id"] = json!(athlete.id);
        agents.as_object_mut().unwrap().remove("draft");
        let decision = *dice.pick(&["take", "approve", "reject", "ask", "take"]);
        let word = *dice.pick(&["submitted", "flagged", "cleared", "not_cleared", "arbitration"]);
        let need = *dice.pick(&["all", "all", "above_threshold", "none"]);
        let save = "core.disclosed_job.save";
        let judge = "compliance.disclosed_job.decide";
        let judged = json!({ "id": id, "decision": decision, "note": "x" });
        let heard = json!({ "id": id, "clearinghouse": word, "note": "x" });
        let both = json!({ "id": id, "decision": decision, "clearinghouse": word, "note": "x" });
        let mut acts = vec![
            (save, &athlete.principal, deal(&mut dice)),
            (save, &athlete.principal, change),
            (save, &athlete.principal, json!({ "id": id })),
            (save, &athlete.principal, json!({ "id": id })),
            (save, &agent.principal, agents),
            (judge, &officer, both),
            ("core.disclosed_job.withdraw", &athlete.principal, json!({ "id": id })),
            (
                "compliance.college.save_settings",
                &owner,
                json!({ "approval": { "requirement": need } }),
            ),
        ];
        // Steps in the middle are chosen more often than those at the start or the end.
        acts.extend(std::iter::repeat_n((judge, &officer, judged), 5));
        acts.extend(std::iter::repeat_n((judge, &officer, heard), 7));
        let (name, who, input) = acts[dice.below(acts.len())].clone();
        if dice.below(10) == 0 {
            world.pass(TimeDelta::hours(7));
        }
        let answer = world.call(name, who, input.clone()).await;
        assert!(answer.status < 500, "{name} {input}: {}", answer.body);
        let step = format!("{name} {input} → {}, seed {seed}", answer.status);
        let after = states(&world).await;
        if answer.status != 200 {
            assert_eq!(before, after, "a refusal has written: {step}");
        }
        for ((table, id), status) in &after {
            let old = before.get(&(table.clone(), *id)).map(String::as_str);
            let fine = old == Some(status)
                || match table.as_str() {
                    "disclosed_job" => leads::<DisclosedJobStatus>(old, status),
                    _ => leads::<ClearanceStatus>(old, status),
                };
            assert!(fine, "{table} {id}: {old:?} → {status} by {step}");
            seen.insert((table.clone(), status.clone()));
        }
        assert!(before.keys().all(|key| after.contains_key(key)), "a row is gone after {step}");
        check_books(&world, &step).await;
        before = after;
    }
    // A walk that reaches few states proves little.
    for (table, least) in [("disclosed_job", 6), ("clearance", 7)] {
        let met = seen.iter().filter(|(name, _)| name == table).count();
        assert!(met >= least, "only {met} states of {table} were met: {seen:?}");
    }
}

fn steps() -> usize {
    if std::env::var_os("NIL_LONG").is_some() { 5_000 } else { 600 }
}

async fn a_walk_keeps_the_laws(world: World) {
    walk(world, 3, steps()).await;
}
both!(a_walk_keeps_the_laws);

async fn another_walk_keeps_the_laws(world: World) {
    walk(world, 20_261_121, steps()).await;
}
both!(another_walk_keeps_the_laws);
