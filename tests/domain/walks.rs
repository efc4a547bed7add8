//! Random walks: whatever athletes, a brand, an operator and the clock do to one job, in any order,
//! every row follows its state machine and the job's books are right.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::contracts::{ContractStatus, RequestStatus};
use nil_core::deals::{DeliverableStatus, expire_unconfirmed};
use nil_core::jobs::{ApplicationStatus, JobStatus, close_expired};
use nil_tests::walking::{Length, Took, Walk, Watched, enough, told, walk, wander};
use nil_tests::{Engine, Person, World, a_job, both};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What somebody does. Athletes are three, the pieces of work of a contract two.
#[derive(Clone, Debug)]
enum Step {
    /// What an athlete's deal needs next, mostly.
    Onward {
        who: usize,
        choice: u8,
    },
    Apply {
        who: usize,
    },
    Hire {
        who: usize,
    },
    Confirm {
        who: usize,
    },
    Submit {
        who: usize,
        piece: usize,
    },
    Approve {
        who: usize,
        piece: usize,
    },
    Deny {
        who: usize,
        piece: usize,
    },
    Withdraw {
        who: usize,
    },
    Invite {
        who: usize,
    },
    Answer {
        who: usize,
        accepts: bool,
    },
    AskOut {
        who: usize,
    },
    AskLater {
        who: usize,
        piece: usize,
        day: u8,
    },
    TakeBack {
        who: usize,
        later: bool,
    },
    Accept {
        who: usize,
        later: bool,
    },
    Dismiss {
        who: usize,
    },
    CancelContract {
        who: usize,
    },
    Close,
    Reopen,
    Slots {
        number: u8,
    },
    Open,
    Pass {
        hours: i64,
    },
    CancelJob,
    NextJob,
}

/// A walk; `WRONG` also moves what was withdrawn where its machine does not lead, to show that this
/// is found.
struct Deals<const WRONG: bool> {
    world: World,
    partner: Person,
    athletes: Vec<Person>,
    job: i64,
}

/// A kind of request as the interface names it.
const fn kind(later: bool) -> &'static str {
    if later { "EDD" } else { "CC" }
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Deals::<false>::WATCHED;

impl<const WRONG: bool> Walk for Deals<WRONG> {
    type Step = Step;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<JobStatus>("job", "SELECT id, status FROM job"),
        Watched::by::<ApplicationStatus>("application", "SELECT id, status FROM application"),
        Watched::by::<ContractStatus>("contract", "SELECT id, status FROM contract"),
        Watched::by::<RequestStatus>("request", "SELECT id, status FROM contract_request"),
        Watched::by::<DeliverableStatus>("deliverable", "SELECT id, status FROM deliverable"),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[
        (
            "places taken are applications that hold one",
            "SELECT j.id FROM job j WHERE j.filled <> (SELECT COUNT(*) FROM application a \
             WHERE a.job_id = j.id AND a.status IN ('hired', 'confirmed', 'extension_requested', \
             'cancellation_requested', 'completed'))",
        ),
        (
            "one live application of each athlete",
            "SELECT job_id AS id FROM application WHERE status IN ('invited', 'applicant', 'hired', \
             'confirmed', 'extension_requested', 'cancellation_requested', 'completed') \
             GROUP BY job_id, athlete_id HAVING COUNT(*) > 1",
        ),
        (
            "deliverables add up to what was agreed",
            "SELECT c.id FROM contract c WHERE c.agreed_amount_cents <> \
             (SELECT SUM(d.amount_cents) FROM deliverable d WHERE d.contract_id = c.id)",
        ),
        (
            "application and contract tell the same",
            "SELECT a.id FROM application a JOIN contract c ON c.application_id = a.id \
             WHERE NOT ((a.status = 'hired' AND c.status = 'generated') \
             OR (a.status = 'confirmed' AND c.status = 'active') \
             OR (a.status IN ('extension_requested', 'cancellation_requested') \
                 AND c.status IN ('generated', 'active')) \
             OR (a.status = 'completed' AND c.status = 'completed') \
             OR (a.status = 'cancelled' AND c.status = 'cancelled') \
             OR (a.status = 'expired' AND c.status = 'expired'))",
        ),
        (
            "whoever is hired has a contract",
            "SELECT a.id FROM application a WHERE a.status IN ('hired', 'confirmed', \
             'extension_requested', 'cancellation_requested', 'completed', 'cancelled') \
             AND NOT EXISTS (SELECT 1 FROM contract c WHERE c.application_id = a.id)",
        ),
        (
            "a request is pending exactly while the application says so",
            "SELECT a.id FROM application a JOIN contract c ON c.application_id = a.id \
             WHERE (a.status = 'extension_requested') <> EXISTS (SELECT 1 FROM contract_request r \
             WHERE r.contract_id = c.id AND r.kind = 'EDD' AND r.status = 'P') \
             OR (a.status = 'cancellation_requested') <> EXISTS (SELECT 1 FROM contract_request r \
             WHERE r.contract_id = c.id AND r.kind = 'CC' AND r.status = 'P')",
        ),
        (
            "a full job is not open, an ended one has nobody waiting",
            "SELECT j.id FROM job j WHERE (j.status = 'open' AND j.filled = j.slots) \
             OR (j.status IN ('completed', 'cancelled') AND EXISTS (SELECT 1 FROM application a \
             WHERE a.job_id = j.id AND a.status IN ('invited', 'applicant')))",
        ),
        (
            "an ended contract has nothing left to do",
            "SELECT d.id FROM deliverable d JOIN contract c ON c.id = d.contract_id \
             WHERE c.status IN ('completed', 'cancelled', 'expired') \
             AND d.status NOT IN ('approved', 'void')",
        ),
        (
            "a contract without an assent of the brand, or active without the athlete's",
            "SELECT c.id FROM contract c WHERE NOT EXISTS (SELECT 1 FROM contract_assent s \
             WHERE s.contract_id = c.id AND s.side = 'brand' AND s.amendment = 0) \
             OR (c.status = 'active' AND NOT EXISTS (SELECT 1 FROM contract_assent s \
             WHERE s.contract_id = c.id AND s.side = 'athlete' AND s.amendment = 0))",
        ),
    ];

    /// The ordinary course of a deal is drawn more often than what ends it.
    fn steps() -> BoxedStrategy<Step> {
        let who = || 0..3_usize;
        let piece = || 0..2_usize;
        prop_oneof![
            60 => (who(), any::<u8>()).prop_map(|(who, choice)| Step::Onward { who, choice }),
            2 => who().prop_map(|who| Step::Apply { who }),
            2 => who().prop_map(|who| Step::Hire { who }),
            2 => who().prop_map(|who| Step::Confirm { who }),
            3 => (who(), piece()).prop_map(|(who, piece)| Step::Submit { who, piece }),
            3 => (who(), piece()).prop_map(|(who, piece)| Step::Approve { who, piece }),
            3 => (who(), piece()).prop_map(|(who, piece)| Step::Deny { who, piece }),
            2 => who().prop_map(|who| Step::Withdraw { who }),
            2 => who().prop_map(|who| Step::Invite { who }),
            2 => (who(), any::<bool>()).prop_map(|(who, accepts)| Step::Answer { who, accepts }),
            2 => who().prop_map(|who| Step::AskOut { who }),
            3 => (who(), piece(), 1..28_u8)
                .prop_map(|(who, piece, day)| Step::AskLater { who, piece, day }),
            2 => (who(), any::<bool>()).prop_map(|(who, later)| Step::TakeBack { who, later }),
            2 => (who(), any::<bool>()).prop_map(|(who, later)| Step::Accept { who, later }),
            2 => who().prop_map(|who| Step::Dismiss { who }),
            2 => who().prop_map(|who| Step::CancelContract { who }),
            2 => Just(Step::Close),
            2 => Just(Step::Reopen),
            2 => (2..5_u8).prop_map(|number| Step::Slots { number }),
            2 => Just(Step::Open),
            3 => (1..80_i64).prop_map(|hours| Step::Pass { hours }),
            1 => Just(Step::CancelJob),
            2 => Just(Step::NextJob),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let partner = world.partner("Ridge Outfitters").await;
        world.hears_everything(&partner).await;
        let college = world.college().await;
        let mut athletes = Vec::new();
        for name in ["Zoe A", "Ida B", "Kim C"] {
            athletes.push(world.athlete_of(name, college).await);
        }
        let job = another_job(&world, &partner).await;
        Self { world, partner, athletes, job }
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn rest(&mut self) {
        self.world.heard_what_it_was_told(&self.partner).await;
    }

    async fn take(&mut self, step: &Step) -> Took {
        let job = self.job;
        if WRONG {
            let wrong = "UPDATE application SET status = 'rejected' WHERE status = 'withdrawn'";
            self.world.script(wrong).await;
        }
        match *step {
            Step::Onward { who, choice } => {
                let next = self.next(who, choice).await;
                Box::pin(self.take(&next)).await
            }
            Step::Apply { who } => {
                self.athlete(who, "core.application.apply", json!({ "job_id": job })).await
            }
            Step::Hire { who } => {
                let id = self.newest("application", who, 0).await;
                self.brand("core.application.hire", json!({ "id": id })).await
            }
            Step::Confirm { who } => {
                let name = "core.contract.confirm_availability";
                self.athlete(who, name, json!({ "job_id": job })).await
            }
            Step::Submit { who, piece } => {
                let post = "https://www.instagram.com/p/1/";
                let id = self.newest("deliverable", who, piece).await;
                let work = json!({ "deliverable_id": id, "post_url": post });
                self.athlete(who, "core.deliverable.submit", work).await
            }
            Step::Approve { who, piece } => self.review(who, piece, "approved").await,
            Step::Deny { who, piece } => self.review(who, piece, "denied").await,
            Step::Withdraw { who } => {
                let id = self.newest("application", who, 0).await;
                self.athlete(who, "core.application.withdraw", json!({ "id": id })).await
            }
            Step::Invite { who } => {
                let whom = json!({ "job_id": job, "athlete_ids": [self.athletes[who].id] });
                self.brand("core.application.invite_bulk", whom).await
            }
            Step::Answer { who, accepts } => {
                let answer = json!({ "job_id": job, "accept": accepts });
                self.athlete(who, "core.application.respond_invitation", answer).await
            }
            Step::AskOut { who } => {
                self.athlete(who, "core.contract.not_available", json!({ "job_id": job })).await
            }
            Step::AskLater { who, piece, day } => {
                let later = json!({
                    "job_id": job, "deliverable_id": self.newest("deliverable", who, piece).await,
                    "proposed_due_on": format!("2029-02-{day:02}"), "reason": "Exams",
                });
                self.athlete(who, "core.contract.request_new_due_date", later).await
            }
            Step::TakeBack { who, later } => {
                let which = json!({ "job_id": job, "kind": kind(later) });
                self.athlete(who, "core.contract.withdraw_request", which).await
            }
            Step::Accept { who, later } => {
                let athlete = self.athletes[who].id;
                let which = json!({ "job_id": job, "athlete_id": athlete, "kind": kind(later) });
                self.brand("core.contract.accept_request", which).await
            }
            Step::Dismiss { who } => {
                let which = json!({ "job_id": job, "athlete_id": self.athletes[who].id });
                self.brand("core.contract.dismiss_request", which).await
            }
            Step::CancelContract { who } => {
                let id = self.newest("contract", who, 0).await;
                let which = json!({ "contract_id": id, "reason": "x" });
                self.operator("admin.job.cancel_contract", which).await
            }
            Step::Close => self.brand("core.job.close", json!({ "job_id": job })).await,
            Step::Reopen => self.brand("core.job.reopen", json!({ "job_id": job })).await,
            Step::Slots { number } => {
                self.brand("core.job.save", json!({ "id": job, "slots": number })).await
            }
            Step::Open => {
                let open = json!({ "job_id": job, "status": "open" });
                self.operator("admin.job.decide_pending", open).await
            }
            Step::Pass { hours } => {
                self.world.pass(TimeDelta::hours(hours));
                expire_unconfirmed(&self.world.platform).await.unwrap();
                close_expired(&self.world.platform).await.unwrap();
                Took::Passed
            }
            Step::CancelJob => self.brand("core.job.cancel", json!({ "job_id": job })).await,
            Step::NextJob => {
                self.job = another_job(&self.world, &self.partner).await;
                Took::Passed
            }
        }
    }
}

impl<const WRONG: bool> Deals<WRONG> {
    async fn call(&self, name: &str, who: &Principal, input: Value) -> Took {
        Took::Call(self.world.call(name, who, input).await)
    }

    async fn athlete(&self, who: usize, name: &str, input: Value) -> Took {
        self.call(name, &self.athletes[who].principal, input).await
    }

    async fn brand(&self, name: &str, input: Value) -> Took {
        self.call(name, &self.partner.principal, input).await
    }

    async fn operator(&self, name: &str, input: Value) -> Took {
        self.call(name, &self.world.operator(&[Permission::Jobs]), input).await
    }

    /// What would come next of an athlete's deal.
    async fn next(&self, who: usize, choice: u8) -> Step {
        let (few, piece) = (choice.is_multiple_of(5), usize::from(choice % 2));
        let open = self.status("job", self.job).await == "open";
        match self.status("application", self.newest("application", who, 0).await).await.as_str() {
            "invited" => Step::Answer { who, accepts: !few },
            "applicant" if few => Step::Withdraw { who },
            "applicant" => Step::Hire { who },
            "hired" => Step::Confirm { who },
            "extension_requested" => Step::Accept { who, later: true },
            "cancellation_requested" if few => Step::Dismiss { who },
            "cancellation_requested" => Step::Accept { who, later: false },
            "confirmed" => {
                let work = self.newest("deliverable", who, piece).await;
                match self.status("deliverable", work).await.as_str() {
                    "submitted" if few => Step::Deny { who, piece },
                    "submitted" => Step::Approve { who, piece },
                    _ => Step::Submit { who, piece },
                }
            }
            _ if open && few => Step::Invite { who },
            _ if open => Step::Apply { who },
            _ if few => Step::NextJob,
            _ => Step::Reopen,
        }
    }

    async fn status(&self, table: &str, id: i64) -> String {
        let status = format!("(SELECT status FROM {table} WHERE id = {id})");
        self.world.text(&status, "(SELECT 1) AS one").await.unwrap_or_default()
    }

    async fn review(&self, who: usize, piece: usize, status: &str) -> Took {
        let id = self.newest("deliverable", who, piece).await;
        let decision = json!({ "deliverable_id": id, "status": status, "note": "See the brief." });
        self.brand("core.deliverable.change_status", decision).await
    }

    /// The athlete's newest record for the job, or one before it; an unknown one if there is none.
    async fn newest(&self, table: &str, who: usize, skipped: usize) -> i64 {
        let (job, athlete) = (self.job, self.athletes[who].id);
        let of = match table {
            "deliverable" => "contract_id IN (SELECT id FROM contract WHERE job_id = {})",
            _ => "job_id = {}",
        };
        let of = of.replace("{}", &job.to_string());
        let text = format!(
            "SELECT COALESCE((SELECT id FROM {table} WHERE {of} AND athlete_id = {athlete} \
             ORDER BY id DESC LIMIT 1 OFFSET {skipped}), 9999)"
        );
        self.world.id(&text).await
    }
}

/// An open job that pays in goods, so that contracts complete without payments.
async fn another_job(world: &World, partner: &Person) -> i64 {
    let until = (world.platform.now() + TimeDelta::days(18)).to_rfc3339();
    let posted = a_job(json!({
        "compensation": "product", "amount_cents": 0, "product_description": "A vest",
        "product_value_cents": 9_000, "application_deadline": until,
        "milestones": [
            { "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": "2029-01-10" },
            { "title": "Story", "platform": "instagram", "media_kind": "story", "due_on": "2029-01-20" },
        ],
    }));
    let posted = world.call("core.job.save", &partner.principal, posted).await.data();
    let operator = world.operator(&[Permission::Jobs]);
    let open = json!({ "job_id": posted["id"], "status": "open" });
    world.call("admin.job.decide_pending", &operator, open).await.data();
    posted["id"].as_i64().unwrap()
}

const USUAL: Length = Length { walks: 8, steps: 160 };

async fn whatever_people_do_a_deal_keeps_its_laws(engine: Engine) {
    let met = walk::<Deals<false>>(engine, USUAL).await;
    let least =
        [("job", 4), ("application", 9), ("contract", 5), ("request", 4), ("deliverable", 5)];
    for (name, least) in least {
        enough(engine, &met, name, least);
    }
}
both!(whatever_people_do_a_deal_keeps_its_laws);

/// The walk is worth something only if it finds what is wrong, and tells it briefly. That does not
/// depend on the engine.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_move_is_found_and_told_in_few_steps() {
    let story =
        wander::<Deals<true>>(Engine::Sqlite, USUAL, 1).expect_err("the wrong move is found");
    assert!(story.steps.len() <= 5, "{story:?}");
    assert!(story.wrong.contains("to rejected"), "{story:?}");
    told::<Deals<false>>(Engine::Sqlite, &story.steps).await.expect("the right moves");
}
