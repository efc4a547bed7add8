//! Random walks: whatever officers of two institutions do to filings, in any order, each follows its state
//! machine, its versions have no gaps, and institutions never see each other's filings.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use nil_core::filings::FilingStatus;
use nil_core::kernel::Machine;
use nil_core::storage::sql;
use nil_tests::{World, a_filing, both};
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

/// The status of a filing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    college: i64,
    status: String,
    version: i64,
}

type States = BTreeMap<i64, State>;

async fn states(world: &World) -> States {
    let mut session = world.platform.db().read().await.unwrap();
    let rows = sql("SELECT id, college_id, status, version FROM athlete_agent_filing");
    let rows: Vec<(i64, i64, String, i64)> = session.all(rows).await.unwrap();
    let rows = rows.into_iter().map(|(id, college, status, version)| {
        let state = State { college, status, version };
        (id, state)
    });
    rows.collect()
}

/// Each of these finds rows that must not exist.
const NEVER: &[(&str, &str)] = &[
    (
        "a filing's versions are those from 1 to its own",
        "SELECT f.id FROM athlete_agent_filing f LEFT JOIN athlete_agent_filing_version v \
         ON v.filing_id = f.id GROUP BY f.id, f.version \
         HAVING COUNT(v.version) <> f.version OR MAX(v.version) <> f.version",
    ),
    (
        "what was never submitted has no date of it, and what is deleted has one",
        "SELECT id FROM athlete_agent_filing WHERE (submitted_by IS NULL) <> (submitted_at IS NULL) \
         OR (status = 'draft' AND submitted_at IS NOT NULL) \
         OR (status = 'deleted') <> (deleted_at IS NOT NULL)",
    ),
    (
        "an open filing's documents are there, and count as used by it",
        "SELECT s.id FROM stored_file s WHERE s.college_id IS NOT NULL AND s.uses <> \
         (SELECT COUNT(*) FROM file_use u WHERE u.file_id = s.id)",
    ),
];

async fn check_laws(world: &World, step: &str) {
    let mut session = world.platform.db().read().await.unwrap();
    for (law, text) in NEVER {
        let broken: Vec<(i64,)> = session.all(sql(text)).await.unwrap();
        assert!(broken.is_empty(), "{law}: {broken:?} after {step}");
    }
}

/// The machine's one step between two states.
fn leads(before: &str, after: &str) -> bool {
    let moves = FilingStatus::MOVES.iter();
    before == after
        || moves.into_iter().any(|(from, _, to)| from.as_str() == before && to.as_str() == after)
}

async fn walk(world: World, seed: u64, steps: usize) {
    let mut sides = Vec::new();
    for name in ["Zoe Okafor", "Ida Novak"] {
        let college = world.college().await;
        let officer = world.portal_user(college, "officer").await.0;
        let athlete = world.athlete_of(name, college).await;
        sides.push((college, officer, athlete.id));
    }
    let mut dice = Dice(seed);
    let mut before = states(&world).await;
    let mut seen = BTreeSet::new();
    for _ in 0..steps {
        let (college, officer, athlete) = dice.pick(&sides).clone();
        // Sometimes another institution's.
        let whose = *dice.pick(&[Some(college), Some(college), Some(college), None]);
        let ids: Vec<i64> = before
            .iter()
            .filter(|(_, state)| whose.is_none_or(|college| state.college == college))
            .map(|(id, _)| *id)
            .collect();
        let recent = ids.len().saturating_sub(3);
        let id = match ids.get(recent..) {
            Some(ids) if !ids.is_empty() => *dice.pick(ids),
            _ => 9_999,
        };
        let kind = *dice.pick(&["nil", "professional", "both"]);
        let decision =
            *dice.pick(&["acknowledge", "acknowledge", "return", "terminate", "terminate"]);
        let submit = dice.below(2) == 0;
        let version = 1 + dice.below(5);
        let document = nil_tests::a_file("a.png", nil_tests::PIXEL);
        let hollow = json!({ "athlete_id": athlete, "submit": submit });
        let whole = a_filing(athlete, json!({ "submit": submit, "documents": [document] }));
        let update = "compliance.disclosure.update";
        let mut acts: Vec<(&str, Value)> = vec![
            ("compliance.disclosure.submit", whole),
            ("compliance.disclosure.submit", hollow),
            (update, json!({ "id": id, "kind": kind })),
            (update, json!({ "id": id, "kind": null })),
            (update, json!({ "id": id, "kind": kind, "version": version })),
            (update, json!({ "id": id, "documents": [document] })),
            (update, json!({ "id": id, "documents": [] })),
            (update, json!({ "id": id, "submit": true })),
            (update, json!({ "id": id, "submit": true })),
            (update, json!({ "id": id, "decision": decision, "version": version, "note": "x" })),
            ("compliance.disclosure.delete", json!({ "id": id })),
        ];
        // Steps in the middle are chosen more often than those at the start or the end.
        let judged = json!({ "id": id, "decision": decision, "note": "x" });
        acts.extend(std::iter::repeat_n((update, judged), 8));
        let (name, input) = dice.pick(&acts).clone();
        if dice.below(12) == 0 {
            world.pass(TimeDelta::hours(7));
        }
        let answer = world.call(name, &officer, input.clone()).await;
        assert!(answer.status < 500, "{name} {input}: {}", answer.body);
        let step = format!("{name} {input} → {}, seed {seed}", answer.status);
        let after = states(&world).await;
        if answer.status != 200 {
            assert_eq!(before, after, "a refusal has written: {step}");
        }
        for (id, now) in &after {
            match before.get(id) {
                Some(old) => {
                    assert!(leads(&old.status, &now.status), "{old:?} → {now:?} by {step}");
                    assert!((0..=1).contains(&(now.version - old.version)), "{step}");
                    assert!(now.version > old.version || now == old, "{step}");
                    assert!(now == old || now.college == college, "{step}");
                }
                None => assert!(matches!(&*now.status, "draft" | "submitted"), "{step}"),
            }
            seen.insert(now.status.clone());
        }
        assert!(before.keys().all(|id| after.contains_key(id)), "{step}");
        check_laws(&world, &step).await;
        let list = json!({ "per_page": 100 });
        let list = world.call("compliance.disclosure.list", &officer, list).await.data();
        let own = list.as_array().unwrap().iter();
        for filing in own {
            assert_eq!(filing["college_id"], college, "{step}");
            assert_ne!(filing["status"], "deleted", "{step}");
        }
        before = after;
    }
    // A walk that reaches few states proves little.
    assert_eq!(seen.len(), FilingStatus::STATES.len(), "{seen:?}");
}

fn steps() -> usize {
    if std::env::var_os("NIL_LONG").is_some() { 3_000 } else { 300 }
}

async fn a_walk_keeps_the_laws(world: World) {
    walk(world, 3, steps()).await;
}
both!(a_walk_keeps_the_laws);

async fn another_walk_keeps_the_laws(world: World) {
    walk(world, 20_261_122, steps()).await;
}
both!(another_walk_keeps_the_laws);
