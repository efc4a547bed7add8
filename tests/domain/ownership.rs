//! Somebody else's id is worth no more than one that does not exist: every operation whose ids have an
//! owner, each of those ids, on both databases.
//!
//! Two equal worlds stand side by side in one database, ours and theirs. Each operation is called as
//! one of ours with everything right but one id: once theirs, once nobody's. The answers have to be
//! the same, and nothing may have been written.

mod inputs;
mod talks;

use std::collections::{BTreeMap, BTreeSet};

use nil_core::auth::{Permission, Principal};
use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Owned, catalog};
use nil_tests::{Answer, GOOD_CARD, Person, World, on_both_databases};
use serde_json::{Map, Value, json};

use self::inputs::{FREE, inputs};

/// An id that nothing has.
const NOBODYS: i64 = 999_999;

/// The ids that have an owner, by what they name.
type Ids = BTreeMap<&'static str, Vec<i64>>;

/// A college's portal user, a brand, an athlete, their agent, and deals in every state.
struct Side {
    callers: BTreeMap<&'static str, Principal>,
    /// The first id of a kind is the one of the deal that is under way.
    ids: Ids,
    /// Two files of each caller's own: one to look at, and one to delete.
    files: BTreeMap<&'static str, [i64; 2]>,
}

impl Side {
    async fn new(world: &World, name: &str) -> Self {
        let college = world.college().await;
        let (portal, _) = world.portal_user(college, "owner").await;
        let partner = world.partner(name).await;
        let athlete = world.athlete_of("Jordan Lake", college).await;
        let agent = world.agent(&format!("{name} Agency")).await;
        let fan = world.fan("Robin Hill").await;
        let mut side = Self {
            ids: Ids::from([("athlete", vec![athlete.id])]),
            callers: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        world.accept_terms(&agent).await;
        let active = world.represent(&agent, &athlete, 1_000).await;
        let scout = world.agent(&format!("{name} Scouts")).await;
        let invited = world.invite(&scout, &athlete, 500).await;
        for id in [active, invited] {
            side.learn("representation", &json!(id));
        }
        for (kind, owner, person) in [
            ("partner's invoice", "partner", &partner),
            ("agent's invoice", "agent", &agent),
        ] {
            side.learn(kind, &json!(invoice(world, owner, person).await));
        }
        let cards = [
            ("core.partner.add_payment_method", &partner),
            ("core.agent.add_payment_method", &agent),
        ];
        for (operation, owner) in cards {
            let card = json!({ "processor_token": GOOD_CARD });
            let card = world.call(operation, &owner.principal, card).await.data();
            let kind = match operation.split('.').nth(1) {
                Some("agent") => "agent's payment_method",
                _ => "partner's payment_method",
            };
            side.learn(kind, &card["id"]);
        }
        let owners = [
            ("athlete", &athlete),
            ("partner", &partner),
            ("agent", &agent),
            ("fan", &fan),
        ];
        for (caller, owner) in owners {
            side.two_files(world, caller, owner).await;
        }
        side.deal_under_way(world, &partner, &athlete).await;
        for until in ["applied", "invited", "hired", "closed"] {
            side.deal_until(until, world, &partner, &athlete).await;
        }
        side.disclosures(world, &portal, &athlete).await;
        side.talks(world, [&athlete, &partner, &agent, &fan]).await;
        side.callers.extend([
            ("athlete", athlete.principal),
            ("partner", partner.principal),
            ("agent", agent.principal),
            ("portal_user", portal),
            ("fan", fan.principal.clone()),
        ]);
        side.told(world, &fan).await;
        side
    }

    /// A deal made elsewhere, as a draft and handed in, and what is due at the clearinghouse.
    async fn disclosures(&mut self, world: &World, portal: &Principal, athlete: &Person) {
        let approval = json!({ "approval": { "requirement": "all" } });
        let save = "compliance.college.save_settings";
        world.call(save, portal, approval).await.data();
        for kind in ["disclosed_job", "submitted disclosed_job"] {
            let deal = json!({
                "payer_name": "Valley Sports", "payer_kind": "business", "title": "Signing hour",
                "category_id": 1, "amount_cents": 20_000, "compensation": "cash",
                "signed_on": "2026-11-20", "description": "An hour in the shop.",
                "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
                    "complete_and_true"],
                "draft": kind == "disclosed_job",
            });
            let saved = world.call("core.disclosed_job.save", &athlete.principal, deal);
            self.learn(kind, &saved.await.data()["id"]);
        }
        let due = json!({ "statuses": ["due"] });
        let due = world
            .call("compliance.clearance.list", portal, due)
            .await
            .data();
        self.learn("clearance", &due[0]["id"]);
    }

    /// Our own id of a kind; anybody's is ours too, and everybody has files.
    fn own(&self, caller: &str, kind: &str) -> i64 {
        match (self.files.get(caller), kind) {
            (Some([file, _]), "file") | (Some([_, file]), "spare file") => return *file,
            _ => {}
        }
        let own = self.ids.get(format!("{caller}'s {kind}").as_str());
        own.or_else(|| self.ids.get(kind))
            .map_or(self.ids["athlete"][0], |ids| ids[0])
    }

    /// A notification for each of our callers.
    async fn told(&mut self, world: &World, fan: &Person) {
        let now = "'2026-11-20T12:00:00+00:00'";
        let insert = format!(
            "INSERT INTO notification (user_id, outbox_id, event, title, body, data, created_at, \
             updated_at) VALUES ({}, {}, 'announcement.published', 'News', 'News.', '{{}}', {now}, \
             {now}) RETURNING id",
            fan.user_id, -fan.user_id,
        );
        world.id(&insert).await;
        nil_core::worker::round(&world.platform)
            .await
            .expect("a round");
        for (caller, kind) in [
            ("athlete", "athlete's notification"),
            ("partner", "partner's notification"),
            ("agent", "agent's notification"),
            ("fan", "fan's notification"),
        ] {
            let who = self.callers[caller].clone();
            let feed = world
                .call("core.notification.list", &who, json!({}))
                .await
                .data();
            let id = feed[0]["id"].clone();
            self.learn(kind, &id);
            self.learn("notification", &id);
        }
    }

    fn learn(&mut self, kind: &'static str, id: &Value) -> i64 {
        let id = id.as_i64().expect("an id");
        self.ids.entry(kind).or_default().push(id);
        id
    }

    /// Files of this caller's own.
    async fn two_files(&mut self, world: &World, caller: &'static str, owner: &Person) {
        let files = [
            world.file(owner, "a.png").await,
            world.file(owner, "b.png").await,
        ];
        self.files.insert(caller, files);
        self.learn("file", &json!(files[0]));
        self.learn("spare file", &json!(files[1]));
    }

    /// A job that an operator has let through; answers its id.
    async fn job(&mut self, world: &World, partner: &Person) -> i64 {
        let milestone = |title: &str, due: &str| {
            json!({
                "title": title, "platform": "instagram", "media_kind": "post", "due_on": due,
            })
        };
        let job = json!({
            "title": "Game day", "description": "Posts on game day.", "category_id": 1,
            "compensation": "cash", "amount_cents": 90_000, "slots": 3,
            "business_purpose": "Introduce the autumn collection.",
            "milestones": [
                milestone("One", "2026-12-10"), milestone("Two", "2026-12-12"),
                milestone("Three", "2026-12-14"),
            ],
        });
        let saved = world.call("core.job.save", &partner.principal, job).await;
        let id = self.learn("job", &saved.data()["id"]);
        let operator = world.operator(&[Permission::Jobs]);
        let open = json!({ "job_id": id, "status": "open" });
        let decided = world.call("admin.job.decide_pending", &operator, open);
        decided.await.data();
        id
    }

    /// A job and how far the athlete got with it.
    async fn deal_until(
        &mut self,
        until: &str,
        world: &World,
        partner: &Person,
        athlete: &Person,
    ) -> i64 {
        let job = self.job(world, partner).await;
        let which = json!({ "job_id": job });
        if until == "invited" {
            let invite = json!({ "job_id": job, "athlete_ids": [athlete.id] });
            let invited = world.call("core.application.invite_bulk", &partner.principal, invite);
            invited.await.data();
        } else {
            let applied = world.call("core.application.apply", &athlete.principal, which.clone());
            let application = self.learn("application", &applied.await.data()["id"]);
            if until == "hired" {
                let hire = json!({ "id": application });
                let hired = world.call("core.application.hire", &partner.principal, hire);
                hired.await.data();
            }
        }
        if until == "closed" {
            let closed = world.call("core.job.close", &partner.principal, which);
            closed.await.data();
        }
        job
    }

    /// A deal with work approved and partly paid, work handed in, and a later date asked for.
    async fn deal_under_way(&mut self, world: &World, partner: &Person, athlete: &Person) {
        let job = self.deal_until("hired", world, partner, athlete).await;
        let which = json!({ "job_id": job });
        let confirm = "core.contract.confirm_availability";
        let confirmed = world.call(confirm, &athlete.principal, which.clone()).await;
        confirmed.data();
        let outstanding = "core.deliverable.outstanding";
        let all = world
            .call(outstanding, &athlete.principal, which.clone())
            .await
            .data();
        for deliverable in all.as_array().expect("a list") {
            self.learn("deliverable", &deliverable["id"]);
        }
        self.learn("contract", &all[0]["contract_id"]);
        let proof = world.file(athlete, "proof.png").await;
        self.learn("handed in", &json!(proof));
        for at in [0, 1] {
            let submit = json!({
                "file_ids": [proof],
                "deliverable_id": all[at]["id"], "caption": "Warm on the bench #ad",
                "post_url": format!("https://www.instagram.com/p/{}/", all[at]["id"]),
            });
            let submitted = world.call("core.deliverable.submit", &athlete.principal, submit);
            submitted.await.data();
        }
        let approve = json!({ "deliverable_id": all[0]["id"], "status": "approved" });
        let approved = world.call(
            "core.deliverable.change_status",
            &partner.principal,
            approve,
        );
        approved.await.data();
        let pay = json!({ "athlete_id": athlete.id, "job_id": job, "amount_cents": 5_000 });
        let paid = world.call("core.payment.pay_with_saved_card", &partner.principal, pay);
        paid.await.data();
        let later = json!({
            "job_id": job, "deliverable_id": all[2]["id"], "proposed_due_on": "2026-12-20",
            "reason": "Finals week.",
        });
        let asked = world.call(
            "core.contract.request_new_due_date",
            &athlete.principal,
            later,
        );
        asked.await.data();
    }
}

/// An invoice of somebody's, as the worker would write it: nothing bills agents yet, and a brand's
/// would take a month.
async fn invoice(world: &World, owner: &str, person: &Person) -> i64 {
    let now = "'2026-11-20T12:00:00+00:00'";
    let (id, number) = (person.id, world.number());
    let insert = format!(
        "INSERT INTO invoice (number, owner, kind, period, status, total_cents, currency, \
         issuer_name, issuer_contact, customer_name, customer_contact, issued_at, created_at, \
         updated_at) VALUES ('INV-{number}', '{owner}:{id}', 'platform_fees', '2026-10', 'open', 0, \
         'usd', 'nil', '', 'Somebody', '', {now}, {now}, {now}) RETURNING id"
    );
    world.id(&insert).await
}

/// The names of all ids in an operation's input, found through its schema.
fn id_fields(entry: &Entry) -> BTreeSet<String> {
    let mut generator = Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    let mut found = BTreeSet::new();
    collect(&schema, generator.definitions(), &mut found);
    found
}

fn collect(schema: &Value, definitions: &Map<String, Value>, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|path| path.rsplit('/').next()) {
                collect(&definitions[name], definitions, found);
            }
            for (name, property) in fields
                .get("properties")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                let is_id = name == "id" || name.ends_with("_id") || name.ends_with("_ids");
                if is_id || name.ends_with("_rel") {
                    found.insert(name.clone());
                }
                collect(property, definitions, found);
            }
            for (name, inner) in fields {
                if name != "properties" {
                    collect(inner, definitions, found);
                }
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(item, definitions, found)),
        _ => {}
    }
}

/// The input with the ids that `id` chooses for a field and a kind; `=` begins plain text.
fn filled(name: &str, input: &Value, id: &dyn Fn(&str, &str) -> i64) -> Value {
    match input {
        Value::String(text) => match text.strip_prefix('=') {
            Some(text) => json!(text),
            None => json!(id(name, text)),
        },
        Value::Array(items) => items.iter().map(|item| filled(name, item, id)).collect(),
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), filled(name, value, id)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The kind of the ids that a field of an input takes.
fn kind_of(input: &Value, field: &str) -> Option<String> {
    let kind = std::cell::RefCell::new(None);
    filled("", input, &|name, text| {
        if name == field {
            kind.replace(Some(text.to_owned()));
        }
        0
    });
    kind.into_inner()
}

/// An answer without the id that was asked for, where it is named again.
fn seen(answer: &Answer, field: &str, id: i64) -> (u16, Value) {
    let field = field.strip_suffix('s').unwrap_or(field);
    let mut body = without(&answer.body, field, id);
    if let Some(message) = body["message"].as_str() {
        body["message"] = json!(message.replace(&format!(" {id}:"), " [id]:"));
    }
    (answer.status, body)
}

fn without(body: &Value, field: &str, id: i64) -> Value {
    match body {
        Value::Array(items) => items.iter().map(|item| without(item, field, id)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let named = name == "id" || name.strip_suffix('s').unwrap_or(name) == field;
                let same = named && (*value == json!(id) || *value == json!([id]));
                (
                    name.clone(),
                    if same {
                        json!("[id]")
                    } else {
                        without(value, field, id)
                    },
                )
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// Tries one id of one operation, as one caller; answers what differed.
async fn try_field(
    world: &World,
    (entry, input, field): (&Entry, &Value, &str),
    caller: &str,
    ours: &Side,
    theirs: &Side,
) -> Vec<String> {
    let who = &ours.callers[caller];
    let kind = kind_of(input, field).expect("a line names all ids");
    let with = |id: i64| {
        filled("", input, &|name, kind| {
            if name == field {
                id
            } else {
                ours.own(caller, kind)
            }
        })
    };
    let nobodys = world.call(entry.name, who, with(NOBODYS)).await;
    let mut wrong = Vec::new();
    // 403: a fan writes to nobody, whoever it is.
    if !(nobodys.status < 300 || matches!(nobodys.status, 403 | 404 | 409 | 422)) {
        wrong.push(format!(
            "{} {field}: {} {}",
            entry.name, nobodys.status, nobodys.body
        ));
    }
    for id in &theirs.ids[kind.as_str()] {
        let answer = world.call(entry.name, who, with(*id)).await;
        let (theirs, nobodys) = (seen(&answer, field, *id), seen(&nobodys, field, NOBODYS));
        if theirs != nobodys {
            wrong.push(format!(
                "{} tells {field} {id} of somebody else from one that does not exist:\n  {} {}\n  {} {}",
                entry.name, theirs.0, theirs.1, nobodys.0, nobodys.1,
            ));
        }
    }
    wrong
}

#[test]
fn every_operation_with_owned_ids_is_tried() {
    let inputs = inputs();
    for entry in catalog()
        .iter()
        .filter(|entry| entry.owned == Owned::Caller)
    {
        let lines = inputs.iter().filter(|(name, _)| *name == entry.name);
        let lines: Vec<_> = lines.map(|(_, input)| input).collect();
        assert!(!lines.is_empty(), "{} needs a line in inputs()", entry.name);
        for field in id_fields(entry) {
            let free = FREE.contains(&(entry.name, field.as_str()));
            let tried = lines.iter().any(|input| kind_of(input, &field).is_some());
            assert!(free || tried, "{}: no line has {field}", entry.name);
        }
    }
    for (name, _) in inputs {
        let entry = catalog()
            .named(name)
            .unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(entry.owned, Owned::Caller, "{name} has no owned ids");
    }
}

on_both_databases! {
    async fn a_strangers_id_is_an_id_that_does_not_exist(world) {
        let ours = Side::new(&world, "Cedar Coffee").await;
        let theirs = Side::new(&world, "Harbor Books").await;
        let mut before = world.contents().await;
        let mut wrong: Vec<String> = Vec::new();
        for (name, input) in inputs() {
            let entry = catalog().named(name).expect("an operation");
            for field in id_fields(entry) {
                if FREE.contains(&(name, field.as_str())) || kind_of(&input, &field).is_none() {
                    continue;
                }
                for caller in entry.callers {
                    let asked = (entry, &input, field.as_str());
                    wrong.extend(try_field(&world, asked, caller, &ours, &theirs).await);
                }
                let now = world.contents().await;
                for (table, rows) in &now {
                    if before[table] != *rows {
                        wrong.push(format!("{name} with a foreign {field} wrote to {table}"));
                    }
                }
                before = now;
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        // None of this was for another reason: with the caller's own ids nothing is missing.
        for (name, input) in inputs() {
            let entry = catalog().named(name).expect("an operation");
            for caller in entry.callers {
                let own = filled("", &input, &|_, kind| ours.own(caller, kind));
                let answer = world.call(name, &ours.callers[caller], own).await;
                if answer.status == 422 || answer.body["code"] == "not_found" {
                    wrong.push(format!("{name} as {caller}: {}", answer.body));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
