//! Walks: whatever an athlete, their agent, an officer, the clearinghouse and the clock do to
//! disclosed jobs, in any order, every row follows its state machine and the sums are right.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::disclosures::{ClearanceStatus, DisclosedJobStatus};
use nil_tests::walking::{Length, Took, Walk, Watched, enough, newest, walk};
use nil_tests::{Engine, Person, World, both};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What is disclosed. Some deals are still to be signed, after the walk.
#[derive(Clone, Debug)]
struct Content {
    payer: &'static str,
    cents: i64,
    day: u8,
}

#[derive(Clone, Debug)]
enum Step {
    Disclose { content: Content, draft: bool },
    Change { back: usize, content: Content, draft: bool },
    HandIn { back: usize },
    Prepare { content: Content },
    Decide { back: usize, decision: Option<&'static str>, word: Option<&'static str> },
    Withdraw { back: usize },
    Settings { requirement: &'static str },
    Pass,
}

fn content() -> impl Strategy<Value = Content> {
    let payer = select(&["Harbor Books", "HARBOR BOOKS Inc.", "Valley Sports"][..]);
    (payer, 1..5_i64, 1..29_u8).prop_map(|(payer, tens, day)| Content {
        payer,
        cents: 10_000 * tens,
        day,
    })
}

struct Disclosures {
    world: World,
    owner: Principal,
    officer: Principal,
    athlete: Person,
    agent: Person,
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Disclosures::WATCHED;

impl Walk for Disclosures {
    type Step = Step;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<DisclosedJobStatus>("disclosed job", "SELECT id, status FROM disclosed_job"),
        Watched::by::<ClearanceStatus>("clearance", "SELECT id, status FROM clearance"),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[
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

    /// Decisions, in the middle of the machines, are drawn more often than what begins or ends a
    /// deal.
    fn steps() -> BoxedStrategy<Step> {
        let back = || 0..4_usize;
        let decision = || select(&["take", "approve", "reject", "ask", "take"][..]);
        let word =
            || select(&["submitted", "flagged", "cleared", "not_cleared", "arbitration"][..]);
        prop_oneof![
            1 => (content(), any::<bool>())
                .prop_map(|(content, draft)| Step::Disclose { content, draft }),
            1 => (back(), content(), any::<bool>())
                .prop_map(|(back, content, draft)| Step::Change { back, content, draft }),
            2 => back().prop_map(|back| Step::HandIn { back }),
            1 => content().prop_map(|content| Step::Prepare { content }),
            5 => (back(), decision())
                .prop_map(|(back, d)| Step::Decide { back, decision: Some(d), word: None }),
            7 => (back(), word())
                .prop_map(|(back, w)| Step::Decide { back, decision: None, word: Some(w) }),
            1 => (back(), decision(), word())
                .prop_map(|(back, d, w)| Step::Decide { back, decision: Some(d), word: Some(w) }),
            1 => back().prop_map(|back| Step::Withdraw { back }),
            1 => select(&["all", "all", "above_threshold", "none"][..])
                .prop_map(|requirement| Step::Settings { requirement }),
            2 => Just(Step::Pass),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let college = world.college().await;
        let owner = world.portal_user(college, "owner").await.0;
        let officer = world.portal_user(college, "officer").await.0;
        let athlete = world.athlete_of("Zoe Okafor", college).await;
        let agent = world.agent("Summit Agency").await;
        world.represent(&agent, &athlete, 1_000).await;
        Self { world, owner, officer, athlete, agent }
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn take(&mut self, step: &Step) -> Took {
        let athlete = &self.athlete.principal;
        let save = "core.disclosed_job.save";
        let (name, who, input) = match step {
            Step::Disclose { content, draft } => (save, athlete, deal(content, Some(*draft))),
            Step::Change { back, content, draft } => {
                let mut change = deal(content, Some(*draft));
                change["id"] = json!(self.id(*back).await);
                (save, athlete, change)
            }
            Step::HandIn { back } => (save, athlete, json!({ "id": self.id(*back).await })),
            Step::Prepare { content } => {
                let mut input = deal(content, None);
                input["athlete_id"] = json!(self.athlete.id);
                (save, &self.agent.principal, input)
            }
            Step::Decide { back, decision, word } => {
                let mut input = json!({ "id": self.id(*back).await, "note": "x" });
                if let Some(decision) = decision {
                    input["decision"] = json!(decision);
                }
                if let Some(word) = word {
                    input["clearinghouse"] = json!(word);
                }
                ("compliance.disclosed_job.decide", &self.officer, input)
            }
            Step::Withdraw { back } => {
                ("core.disclosed_job.withdraw", athlete, json!({ "id": self.id(*back).await }))
            }
            Step::Settings { requirement } => {
                let input = json!({ "approval": { "requirement": requirement } });
                ("compliance.college.save_settings", &self.owner, input)
            }
            Step::Pass => {
                self.world.pass(TimeDelta::hours(7));
                return Took::Passed;
            }
        };
        Took::Call(self.world.call(name, who, input).await)
    }
}

impl Disclosures {
    /// The newest disclosed job, or one before it.
    async fn id(&self, back: usize) -> i64 {
        newest(&self.world, "disclosed_job", back).await
    }
}

fn deal(content: &Content, draft: Option<bool>) -> Value {
    let day = match content.day {
        day @ ..=20 => format!("2026-11-{day:02}"),
        day => format!("2027-06-{day:02}"),
    };
    let mut input = json!({
        "payer_name": content.payer, "payer_kind": "business", "title": "Reading day", "category_id": 9,
        "amount_cents": content.cents, "compensation": "cash", "signed_on": day,
        "description": "Two readings.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"],
    });
    if let Some(draft) = draft {
        input["draft"] = json!(draft);
    }
    input
}

async fn whatever_is_done_to_disclosed_jobs_their_laws_hold(engine: Engine) {
    let met = walk::<Disclosures>(engine, Length { walks: 8, steps: 200 }).await;
    // A walk that reaches few states proves little.
    enough(engine, &met, "disclosed job", 6);
    enough(engine, &met, "clearance", 7);
}
both!(whatever_is_done_to_disclosed_jobs_their_laws_hold);
