//! Random walks: whatever officers of two institutions do to filings, in any order, each follows
//! its state machine, its versions have no gaps, and institutions never see each other's filings.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::filings::FilingStatus;
use nil_core::kernel::Machine as _;
use nil_core::storage::sql;
use nil_tests::walking::{Length, Took, Walk, Watched, enough, walk};
use nil_tests::{Engine, World, a_filing, both};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What an officer of one of two institutions does, to one of the newest filings of theirs or of
/// the other one.
#[derive(Clone, Debug)]
enum Step {
    Submit { college: usize, whole: bool, submit: bool },
    Change { college: usize, which: Which, change: Change },
    Decide { college: usize, which: Which, decision: &'static str, version: Option<i64> },
    Delete { college: usize, which: Which },
    Pass,
}

/// One of the newest filings, counted from the newest one.
#[derive(Clone, Debug)]
struct Which {
    back: usize,
    others: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Kind { kind: Option<&'static str>, version: Option<i64> },
    Documents { some: bool },
    Submit,
}

/// An institution with an officer and an athlete.
struct Side {
    college: i64,
    officer: Principal,
    athlete: i64,
}

/// The institution and the version of a filing.
type Versions = BTreeMap<i64, (i64, i64)>;

struct Filings {
    world: World,
    sides: Vec<Side>,
    before: Versions,
    /// The institution whose officer acted last.
    last: i64,
}

fn which() -> impl Strategy<Value = Which> {
    (0..3_usize, prop::bool::weighted(0.1)).prop_map(|(back, others)| Which { back, others })
}

fn change() -> impl Strategy<Value = Change> {
    let kind = || prop::option::of(select(&["nil", "professional", "both"][..]));
    prop_oneof![
        3 => (kind(), prop::option::of(1..6_i64))
            .prop_map(|(kind, version)| Change::Kind { kind, version }),
        2 => any::<bool>().prop_map(|some| Change::Documents { some }),
        2 => Just(Change::Submit),
    ]
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Filings::WATCHED;

impl Walk for Filings {
    type Step = Step;

    const WATCHED: &'static [Watched] =
        &[Watched::by::<FilingStatus>("filing", "SELECT id, status FROM athlete_agent_filing")];

    const NEVER: &'static [(&'static str, &'static str)] = &[
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

    /// Decisions, in the middle of the machine, are drawn more often than what begins or ends a
    /// filing.
    fn steps() -> BoxedStrategy<Step> {
        let college = || 0..2_usize;
        let decision = select(&["acknowledge", "acknowledge", "return", "return", "terminate"][..]);
        prop_oneof![
            3 => (college(), any::<bool>(), any::<bool>())
                .prop_map(|(college, whole, submit)| Step::Submit { college, whole, submit }),
            7 => (college(), which(), change())
                .prop_map(|(college, which, change)| Step::Change { college, which, change }),
            9 => (college(), which(), decision, prop::option::weighted(0.1, 1..6_i64)).prop_map(
                |(college, which, decision, version)| {
                    Step::Decide { college, which, decision, version }
                }
            ),
            1 => (college(), which()).prop_map(|(college, which)| Step::Delete { college, which }),
            1 => Just(Step::Pass),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let mut sides = Vec::new();
        for name in ["Zoe Okafor", "Ida Novak"] {
            let college = world.college().await;
            let officer = world.portal_user(college, "officer").await.0;
            let athlete = world.athlete_of(name, college).await.id;
            sides.push(Side { college, officer, athlete });
        }
        let last = sides[0].college;
        Self { world, sides, before: Versions::new(), last }
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn take(&mut self, step: &Step) -> Took {
        let document = nil_tests::a_file("a.png", nil_tests::PIXEL);
        let update = "compliance.disclosure.update";
        match step {
            Step::Submit { college, whole, submit } => {
                let athlete = self.sides[*college].athlete;
                let input = if *whole {
                    a_filing(athlete, json!({ "submit": submit, "documents": [document] }))
                } else {
                    json!({ "athlete_id": athlete, "submit": submit })
                };
                self.call(*college, "compliance.disclosure.submit", input).await
            }
            Step::Change { college, which, change } => {
                let mut input = match change {
                    Change::Kind { kind, version: Some(version) } => {
                        json!({ "kind": kind, "version": version })
                    }
                    Change::Kind { kind, version: None } => json!({ "kind": kind }),
                    Change::Documents { some: true } => json!({ "documents": [document] }),
                    Change::Documents { some: false } => json!({ "documents": [] }),
                    Change::Submit => json!({ "submit": true }),
                };
                input["id"] = json!(self.id(*college, which));
                self.call(*college, update, input).await
            }
            Step::Decide { college, which, decision, version } => {
                let id = self.id(*college, which);
                let mut input = json!({ "id": id, "decision": decision, "note": "x" });
                if let Some(version) = version {
                    input["version"] = json!(version);
                }
                self.call(*college, update, input).await
            }
            Step::Delete { college, which } => {
                let input = json!({ "id": self.id(*college, which) });
                self.call(*college, "compliance.disclosure.delete", input).await
            }
            Step::Pass => {
                self.world.pass(TimeDelta::hours(7));
                Took::Passed
            }
        }
    }

    async fn look(&mut self) -> Result<(), String> {
        let after = self.versions().await;
        for (id, (college, version)) in &after {
            let Some((_, old)) = self.before.get(id) else { continue };
            if !(0..=1).contains(&(version - old)) {
                return Err(format!("filing {id} went from version {old} to {version}"));
            }
            if version != old && *college != self.last {
                return Err(format!(
                    "an officer of {} changed filing {id} of {college}",
                    self.last
                ));
            }
        }
        self.before = after;
        for side in &self.sides {
            let list = json!({ "per_page": 100 });
            let list = self.world.call("compliance.disclosure.list", &side.officer, list).await;
            let list = list.data();
            let others = |filing: &&Value| {
                filing["college_id"] != side.college || filing["status"] == "deleted"
            };
            if let Some(other) = list.as_array().unwrap().iter().find(others) {
                return Err(format!("an officer of {} is shown {other}", side.college));
            }
        }
        Ok(())
    }
}

impl Filings {
    async fn call(&mut self, college: usize, name: &str, input: Value) -> Took {
        let side = &self.sides[college];
        self.last = side.college;
        Took::Call(self.world.call(name, &side.officer, input).await)
    }

    fn id(&self, college: usize, which: &Which) -> i64 {
        let own = self.sides[college].college;
        let ids = self.before.iter().rev().filter(|(_, (of, _))| (*of == own) != which.others);
        ids.map(|(id, _)| *id).nth(which.back).unwrap_or(9_999)
    }

    async fn versions(&self) -> Versions {
        let mut session = self.world.platform.db().read().await.unwrap();
        let rows = sql("SELECT id, college_id, version FROM athlete_agent_filing");
        let rows: Vec<(i64, i64, i64)> = session.all(rows).await.unwrap();
        rows.into_iter().map(|(id, college, version)| (id, (college, version))).collect()
    }
}

async fn whatever_officers_do_filings_keep_their_laws(engine: Engine) {
    let met = walk::<Filings>(engine, Length { walks: 10, steps: 120 }).await;
    enough(engine, &met, "filing", FilingStatus::STATES.len());
}
both!(whatever_officers_do_filings_keep_their_laws);
