//! Random walks: whatever athletes, a brand, an operator and the clock do to one job, in any order, every
//! row follows its state machine and the job's books are right.

use std::collections::{HashMap, HashSet};

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::contracts::{ContractStatus, RequestStatus};
use nil_core::deals::DeliverableStatus;
use nil_core::deals::expire_unconfirmed;
use nil_core::jobs::{ApplicationStatus, JobStatus, close_expired};
use nil_core::kernel::Machine;
use nil_core::storage::sql;
use nil_tests::{Person, World, a_job, both};
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

/// Every row's state, by table and id.
type States = HashMap<(&'static str, i64), String>;

const STATES: &str = "SELECT 'job' AS machine, id, status FROM job \
    UNION ALL SELECT 'application', id, status FROM application \
    UNION ALL SELECT 'contract', id, status FROM contract \
    UNION ALL SELECT 'request', id, status FROM contract_request \
    UNION ALL SELECT 'deliverable', id, status FROM deliverable";

async fn states(world: &World) -> States {
    let mut session = world.platform.db().read().await.unwrap();
    let rows: Vec<(String, i64, String)> = session.all(sql(STATES)).await.unwrap();
    let table = |name: &str| {
        let names = ["job", "application", "contract", "request", "deliverable"];
        *names.iter().find(|known| **known == name).unwrap()
    };
    rows.into_iter().map(|(name, id, status)| ((table(&name), id), status)).collect()
}

/// Whether the machine allows `before` (for a new row, an initial state) to become `after`.
fn leads<M: Machine>(before: Option<&str>, after: &str) -> bool {
    let mut reached: Vec<M> = match before {
        Some(word) => M::STATES.iter().filter(|state| state.word() == word).copied().collect(),
        None => M::INITIAL.to_vec(),
    };
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        if state.word() == after {
            return true;
        }
        for (_, _, to) in M::MOVES.iter().filter(|(from, ..)| *from == state) {
            if !reached.contains(to) {
                reached.push(*to);
            }
        }
        next += 1;
    }
    false
}

fn check_moves(before: &States, after: &States, step: &str) {
    for ((table, id), status) in after {
        let old = before.get(&(*table, *id)).map(String::as_str);
        if old == Some(status) {
            continue;
        }
        let fine = match *table {
            "job" => leads::<JobStatus>(old, status),
            "application" => leads::<ApplicationStatus>(old, status),
            "contract" => leads::<ContractStatus>(old, status),
            "request" => leads::<RequestStatus>(old, status),
            _ => leads::<DeliverableStatus>(old, status),
        };
        assert!(fine, "{table} {id}: {old:?} → {status} by {step}");
    }
    for key in before.keys() {
        assert!(after.contains_key(key), "{key:?} is gone after {step}");
    }
}

/// Each of these finds rows that must not exist.
const NEVER: &[(&str, &str)] = &[
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

async fn check_books(world: &World, step: &str) {
    let mut session = world.platform.db().read().await.unwrap();
    for (law, text) in NEVER {
        let broken: Vec<(i64,)> = session.all(sql(text)).await.unwrap();
        assert!(broken.is_empty(), "{law}: {broken:?} after {step}");
    }
}

struct Walk {
    world: World,
    partner: Person,
    athletes: Vec<Person>,
    job: i64,
    dice: Dice,
}

impl Walk {
    /// The newest ids of a table; an unknown one if it is empty.
    async fn ids(&self, table: &str) -> Vec<i64> {
        let text = match table {
            "application" => "SELECT id FROM application ORDER BY id DESC LIMIT 3",
            "deliverable" => "SELECT id FROM deliverable ORDER BY id DESC LIMIT 4",
            _ => "SELECT id FROM contract ORDER BY id DESC LIMIT 2",
        };
        let mut session = self.world.platform.db().read().await.unwrap();
        let rows: Vec<(i64,)> = session.all(sql(text)).await.unwrap();
        let ids: Vec<i64> = rows.into_iter().map(|(id,)| id).collect();
        if ids.is_empty() { vec![9_999] } else { ids }
    }

    /// One random step. Returns the action and its result.
    async fn step(&mut self) -> String {
        let athlete = self.dice.pick(&self.athletes).clone();
        let application = *self.dice.pick(&self.ids("application").await);
        let deliverable = *self.dice.pick(&self.ids("deliverable").await);
        let contract = *self.dice.pick(&self.ids("contract").await);
        let kind = *self.dice.pick(&["CC", "EDD"]);
        let yes = self.dice.below(2) == 0;
        let job = self.job;
        let (brand, own) = (self.partner.principal.clone(), athlete.principal.clone());
        let operator = self.world.operator(&[Permission::Jobs]);
        let which = json!({ "job_id": job, "athlete_id": athlete.id });
        let named = json!({ "job_id": job, "athlete_id": athlete.id, "kind": kind });
        let work =
            json!({ "deliverable_id": deliverable, "post_url": "https://www.instagram.com/p/1/" });
        let decision = json!({ "deliverable_id": deliverable,
            "status": if self.dice.below(4) == 0 { "denied" } else { "approved" } });
        let later = json!({ "job_id": job, "deliverable_id": deliverable,
            "proposed_due_on": format!("2029-02-{:02}", 1 + self.dice.below(28)), "reason": "Exams" });
        let acts: Vec<(&str, _, Value)> = vec![
            ("core.application.apply", &own, json!({ "job_id": job })),
            ("core.application.apply", &own, json!({ "job_id": job })),
            ("core.application.hire", &brand, json!({ "id": application })),
            ("core.application.hire", &brand, json!({ "id": application })),
            ("core.application.hire", &brand, json!({ "id": application })),
            (
                "core.application.invite_bulk",
                &brand,
                json!({ "job_id": job, "athlete_ids": [athlete.id] }),
            ),
            ("core.application.respond_invitation", &own, json!({ "job_id": job, "accept": yes })),
            ("core.application.withdraw", &own, json!({ "id": application })),
            ("core.contract.confirm_availability", &own, json!({ "job_id": job })),
            ("core.contract.confirm_availability", &own, json!({ "job_id": job })),
            ("core.contract.not_available", &own, json!({ "job_id": job })),
            ("core.contract.request_new_due_date", &own, later),
            ("core.contract.withdraw_request", &own, json!({ "job_id": job, "kind": kind })),
            ("core.contract.dismiss_request", &brand, which),
            ("core.contract.accept_request", &brand, named),
            ("core.deliverable.submit", &own, work.clone()),
            ("core.deliverable.submit", &own, work.clone()),
            ("core.deliverable.submit", &own, work),
            ("core.deliverable.change_status", &brand, decision.clone()),
            ("core.deliverable.change_status", &brand, decision.clone()),
            ("core.deliverable.change_status", &brand, decision),
            ("core.job.close", &brand, json!({ "job_id": job })),
            ("core.job.reopen", &brand, json!({ "job_id": job })),
            (
                "admin.job.cancel_contract",
                &operator,
                json!({ "contract_id": contract, "reason": "x" }),
            ),
            ("admin.job.decide_pending", &operator, json!({ "job_id": job, "status": "open" })),
            ("core.job.save", &brand, json!({ "id": job, "slots": 2 + self.dice.below(3) })),
            ("time", &operator, json!({})),
            ("rare", &operator, json!({})),
        ];
        let (mut name, who, input) = acts[self.dice.below(acts.len())].clone();
        if name == "rare" {
            // Ends the walk for good, so it is rare.
            name = *self.dice.pick(&["time", "time", "core.job.cancel"]);
        }
        if name == "time" {
            self.world.pass(TimeDelta::hours(30));
            let ended = expire_unconfirmed(&self.world.platform).await.unwrap();
            let closed = close_expired(&self.world.platform).await.unwrap();
            return format!("time ({ended} expired, {closed} closed)");
        }
        let (who, input) = if name == "core.job.cancel" {
            (&brand, json!({ "job_id": job }))
        } else {
            (who, input)
        };
        let answer = self.world.call(name, who, input.clone()).await;
        assert!(answer.status < 500, "{name} {input}: {}", answer.body);
        format!("{name} {input} → {}", answer.status)
    }
}

async fn walk(world: World, seed: u64, steps: usize) {
    let partner = world.partner("Ridge Outfitters").await;
    let college = world.college().await;
    let mut athletes = Vec::new();
    for name in ["Zoe A", "Ida B", "Kim C"] {
        athletes.push(world.athlete_of(name, college).await);
    }
    let job = another_job(&world, &partner).await;
    let mut walk = Walk { world, partner, athletes, job, dice: Dice(seed) };
    let mut before = states(&walk.world).await;
    let mut story = Vec::new();
    let mut seen: HashSet<(&'static str, String)> = HashSet::new();
    for number in 0..steps {
        // A walk that has reached the end of a job continues with the next one.
        let over = before
            .get(&("job", walk.job))
            .is_none_or(|status| ["completed", "cancelled", "closed"].contains(&status.as_str()));
        if number % 60 == 59 || (over && number % 12 == 11) {
            walk.job = another_job(&walk.world, &walk.partner).await;
            before = states(&walk.world).await;
        }
        let step = walk.step().await;
        story.push(step.clone());
        let after = states(&walk.world).await;
        let told = || format!("{step}; seed {seed}, story {story:#?}");
        if before != after {
            check_moves(&before, &after, &told());
            check_books(&walk.world, &told()).await;
        }
        seen.extend(after.iter().map(|((table, _), status)| (*table, status.clone())));
        before = after;
    }
    // A walk that reaches few states proves little.
    let met = seen.iter().filter(|(table, _)| *table == "application").count();
    assert!(met >= 9, "only {met} states of applications were met: {seen:?}");
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

fn steps() -> usize {
    if std::env::var_os("NIL_LONG").is_some() { 5_000 } else { 400 }
}

async fn a_walk_keeps_the_laws(world: World) {
    walk(world, 1, steps()).await;
}
both!(a_walk_keeps_the_laws);

async fn another_walk_keeps_the_laws(world: World) {
    walk(world, 20_261_120, steps()).await;
}
both!(another_walk_keeps_the_laws);

async fn a_third_walk_keeps_the_laws(world: World) {
    walk(world, 7_777, steps()).await;
}
both!(a_third_walk_keeps_the_laws);
