//! Institutions' users only get data of their own athletes and sports, whatever they request.

use chrono::TimeDelta;
use nil_core::auth::{Principal, Role};
use nil_core::catalog::{Interface, catalog};
use nil_core::kernel::SportId;
use nil_core::operation::Fields;
use nil_tests::{Deal, Person, World, a_filing, both, trust};
use serde_json::{Value, json};

/// All data of an institution: unique names, and a deal of each kind.
pub(crate) struct School {
    pub owner: Principal,
    athlete: Person,
    deal: Deal,
    disclosed: i64,
    /// Words that no other institution may read.
    pub word: &'static str,
}

impl School {
    pub(crate) async fn new(world: &World, word: &'static str) -> Self {
        let college = world.college().await;
        let (owner, _) = world.portal_user(college, "owner").await;
        let asks = json!({ "approval": { "requirement": "all" } });
        let save = "compliance.college.save_settings";
        world.call(save, &owner, asks).await.data();
        let colleague = json!({
            "email": format!("{word}@portal.example"), "name": format!("{word} Novak"),
            "role": "viewer",
        });
        let invite = "compliance.portal_user.invite";
        world.call(invite, &owner, colleague).await.data();
        let partner = world.paying_partner(&format!("{word} Coffee")).await;
        let athlete = world.athlete_of(&format!("{word} Reyes"), college).await;
        let deal = world.approved_deal(&partner, &athlete, &[70_000]).await;
        world.pay(&partner, &athlete, &deal).await;
        world.active_deal(&partner, &athlete, word).await;
        let disclosed = json!({
            "payer_name": format!("{word} Books"), "payer_kind": "business",
            "title": format!("{word} reading"), "category_id": 9, "amount_cents": 80_000,
            "compensation": "product", "signed_on": "2026-09-01", "description": "Two readings.",
            "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
                "complete_and_true"],
        });
        let save = "core.disclosed_job.save";
        let disclosed = world.call(save, &athlete.principal, disclosed).await.data();
        Self { owner, athlete, deal, disclosed: disclosed["id"].as_i64().unwrap(), word }
    }

    fn limited_to(&self, sports: &[i64]) -> Principal {
        let Principal::Portal { id, college_id, session, .. } = &self.owner else {
            panic!("a portal user")
        };
        Principal::Portal {
            id: *id,
            college_id: *college_id,
            role: Role::Owner,
            sports: sports.iter().map(|id| SportId::new(*id).unwrap()).collect(),
            session: session.clone(),
        }
    }
}

trait Under {
    async fn active_deal(&self, partner: &Person, athlete: &Person, word: &str);
}

impl Under for World {
    /// A confirmed deal with open work.
    async fn active_deal(&self, partner: &Person, athlete: &Person, word: &str) {
        let over = json!({ "title": format!("{word} campaign"), "slots": 1 });
        let job = self.open_job(partner, over).await;
        self.hire(partner, athlete, job).await;
        let confirm = json!({ "job_id": job });
        let name = "core.contract.confirm_availability";
        self.call(name, &athlete.principal, confirm).await.data();
    }
}

/// Every Compliance operation that reads without naming a record.
pub(crate) fn reads() -> Vec<&'static str> {
    let own = ["compliance.college.list", "compliance.filter.roles"];
    catalog()
        .of(Interface::Compliance)
        .filter(|entry| !entry.writes())
        .filter(|entry| !entry.path.contains('{') && !own.contains(&entry.name))
        .map(|entry| entry.name)
        .collect()
}

/// The fields that this operation has.
pub(crate) fn taken(name: &str, input: Value) -> Value {
    let Value::Object(mut fields) = input else { panic!("an object") };
    let entry = catalog().named(name).expect("an operation");
    for other in entry.check(&Fields::from_object(fields.clone())).unwrap() {
        fields.remove(&other);
    }
    Value::Object(fields)
}

/// The response as text; for an archive, its files.
pub(crate) fn text(bytes: &[u8], body: &Value) -> String {
    if bytes.starts_with(b"PK") {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        let mut text = String::new();
        for at in 0..archive.len() {
            let mut file = archive.by_index(at).unwrap();
            if file.name().unwrap().ends_with(".csv") {
                std::io::Read::read_to_string(&mut file, &mut text).unwrap();
            }
            text.push_str(&file.name().unwrap());
        }
        return text;
    }
    format!("{body} {}", String::from_utf8_lossy(bytes))
}

async fn no_row_of_another_institution_in_anything_that_is_read(world: World) {
    let ours = School::new(&world, "Zorblatt").await;
    let theirs = School::new(&world, "Quixley").await;
    let mut seen = Vec::new();
    let reads = reads();
    assert!(reads.len() >= 18, "{reads:?}");
    for (us, them) in [(&ours, &theirs), (&theirs, &ours)] {
        for name in &reads {
            for input in [
                json!({ "per_page": 100, "contracts": true }),
                json!({ "athlete_ids": [them.athlete.id] }),
            ] {
                let answer = world.call(name, &us.owner, taken(name, input)).await;
                assert_eq!(answer.status, 200, "{name}: {}", answer.body);
                let text = text(&answer.bytes, &answer.body);
                assert!(!text.contains(them.word), "{name}: {text}");
                if text.contains(us.word) {
                    seen.push(*name);
                }
            }
        }
    }
    // The check is meaningful only if our own data is shown.
    for name in [
        "compliance.transaction.list",
        "compliance.transaction.top_athletes",
        "compliance.transaction.export",
        "compliance.athlete.list",
        "compliance.athlete.export",
        "compliance.deadline.list",
        "compliance.inbox.list",
        "compliance.disclosed_job.list",
        "compliance.portal_user.list",
    ] {
        assert!(seen.contains(&name), "{name}: {seen:?}");
    }
    let other = json!({ "athlete_ids": [theirs.athlete.id] });
    let summary = world.call("compliance.transaction.summary", &ours.owner, other).await.data();
    assert_eq!(summary["totals"]["count"], 0);
    let all = world.call("compliance.transaction.summary", &ours.owner, json!({})).await.data();
    assert_eq!(
        (&all["totals"]["count"], &all["totals"]["gross_cents"]),
        (&json!(2), &json!(150_000))
    );
    trust::tried("A18", "operations", reads.len());
}
both!(no_row_of_another_institution_in_anything_that_is_read);

async fn who_is_limited_to_sports_is_told_of_those(world: World) {
    let school = School::new(&world, "Zorblatt").await;
    let (football, baseball) = (school.limited_to(&[3]), school.limited_to(&[1, 3]));
    // What an institution hears at its endpoints is of all sports.
    let webhooks = "compliance.webhook.list";
    let refused = world.call(webhooks, &football, json!({})).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    // The roles that its provider gives are for all sports, too.
    let sign_on = "compliance.sign_on.show";
    let refused = world.call(sign_on, &football, json!({})).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    // Colleagues are visible to all; what is published is of all sports.
    let others = [
        webhooks,
        sign_on,
        "compliance.portal_user.list",
        "compliance.statistics.show",
        "compliance.statistics.export",
    ];
    for name in reads().into_iter().filter(|name| !others.contains(name)) {
        let input = taken(name, json!({ "contracts": true }));
        let answer = world.call(name, &football, input).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        let text = text(&answer.bytes, &answer.body);
        assert!(!text.contains("Zorblatt"), "{name}: {text}");
    }
    let summary = "compliance.transaction.summary";
    let none = world.call(summary, &football, json!({ "sport_ids": [1] })).await.data();
    assert_eq!(none["totals"]["count"], 0);
    let all = world.call(summary, &baseball, json!({})).await.data();
    assert_eq!(all["totals"]["count"], 2);
    let which = json!({ "athlete_id": school.athlete.id, "job_id": school.deal.job_id });
    let detail = "compliance.athlete.job_detail";
    assert_eq!(world.call(detail, &football, which.clone()).await.status, 404);
    assert_eq!(world.call(detail, &baseball, which).await.status, 200);
}
both!(who_is_limited_to_sports_is_told_of_those);

async fn one_deal_with_all_that_belongs_to_it(world: World) {
    let ours = School::new(&world, "Zorblatt").await;
    let theirs = School::new(&world, "Quixley").await;
    let detail = "compliance.athlete.job_detail";
    let of_job = json!({ "athlete_id": ours.athlete.id, "job_id": ours.deal.job_id });
    let seen = world.call(detail, &ours.owner, of_job.clone()).await.data();
    assert_eq!(seen["deal"]["contract"]["id"], ours.deal.contract_id);
    assert_eq!(seen["deal"]["deliverables"].as_array().unwrap().len(), 1);
    assert_eq!(seen["deal"]["payments"][0]["amount_cents"], 70_000);
    assert_eq!(seen["transactions"][0]["gross_cents"], 70_000);
    assert_eq!(seen["athlete"]["display_name"], "Zorblatt Reyes");
    assert_eq!(seen["disclosed_job"], Value::Null);
    let of_disclosed = json!({ "athlete_id": ours.athlete.id, "disclosed_job_id": ours.disclosed });
    let seen = world.call(detail, &ours.owner, of_disclosed.clone()).await.data();
    assert_eq!(
        (&seen["deal"], &seen["disclosed_job"]["title"]),
        (&Value::Null, &json!("Zorblatt reading"))
    );
    assert_eq!(seen["transactions"][0]["source"], "disclosed");
    for hidden in [&of_job, &of_disclosed] {
        assert_eq!(world.call(detail, &theirs.owner, hidden.clone()).await.code(), "not_found");
    }
    for (name, id) in [("job_id", theirs.deal.job_id), ("disclosed_job_id", theirs.disclosed)] {
        let mixed = json!({ "athlete_id": ours.athlete.id, name: id });
        assert_eq!(world.call(detail, &ours.owner, mixed).await.code(), "not_found", "{name}");
    }
    let id = ours.athlete.id;
    for wrong in [
        json!({ "athlete_id": id }),
        json!({ "athlete_id": id, "job_id": 1, "disclosed_job_id": 1 }),
    ] {
        assert_eq!(world.call(detail, &ours.owner, wrong).await.status, 422);
    }
    // A contract stays with its institution; the athlete's next one sees only later deals.
    let move_on = format!(
        "UPDATE athlete SET university_id = (SELECT university_id FROM athlete WHERE id = {}) WHERE id = {id}",
        theirs.athlete.id
    );
    world.script(&move_on).await;
    assert_eq!(world.call(detail, &ours.owner, of_job.clone()).await.status, 200);
    assert_eq!(world.call(detail, &theirs.owner, of_job).await.status, 404);
    let list = world
        .call("compliance.athlete.list", &theirs.owner, json!({ "sort": "-created_at" }))
        .await
        .data();
    let moved = list.as_array().unwrap().iter().find(|athlete| athlete["id"] == id).unwrap();
    assert_eq!(moved["totals"]["count"], 0);
    world.books_are_right().await;
}
both!(one_deal_with_all_that_belongs_to_it);

async fn what_is_late_or_due_athlete_by_athlete(world: World) {
    let school = School::new(&world, "Zorblatt").await;
    let list = "compliance.deadline.list";
    let kinds = |row: &Value| -> Vec<(String, bool)> {
        let items = row["items"].as_array().unwrap().iter();
        items
            .map(|item| {
                (item["kind"].as_str().unwrap().to_owned(), item["late"].as_bool().unwrap())
            })
            .collect()
    };
    let due = |kind: &str, late: bool| (kind.to_owned(), late);
    let rows = world.call(list, &school.owner, json!({})).await.data();
    // Signed on 1 September and submitted now: late at both. Two contracts of 1,200 dollars
    // together are due; work is due from 10 December.
    assert_eq!(rows.as_array().unwrap().len(), 1);
    let row = &rows[0];
    assert_eq!(
        kinds(row),
        [
            due("clearance", true),
            due("disclosed_job", true),
            due("clearance", false),
            due("clearance", false)
        ]
    );
    assert_eq!(
        (&row["late"], &row["due"], &row["athlete"]),
        (&json!(2), &json!(2), &json!("Zorblatt Reyes"))
    );
    assert_eq!(row["first_due_at"], row["items"][0]["due_at"]);
    let later = world.call(list, &school.owner, json!({ "to": "2026-12-31" })).await.data();
    assert_eq!(kinds(&later[0])[4..], [due("deliverable", false), due("deliverable", false)]);
    let work = world
        .call(list, &school.owner, json!({ "to": "2026-12-10", "kinds": ["deliverable"] }))
        .await
        .data();
    assert_eq!(kinds(&work[0]), [due("deliverable", false)]);
    assert_eq!(work[0]["items"][0]["due_at"], "2026-12-11T05:59:59Z");
    let late = world.call(list, &school.owner, json!({ "late": true })).await.data();
    assert_eq!(kinds(&late[0]), [due("clearance", true), due("disclosed_job", true)]);
    let none = json!({ "athlete_ids": [999_999] });
    assert_eq!(world.call(list, &school.owner, none).await.data(), json!([]));
    // Decided and submitted items are no longer due.
    let take = json!({ "id": school.disclosed, "decision": "take" });
    world.call("compliance.disclosed_job.decide", &school.owner, take).await.data();
    let approve = json!({ "id": school.disclosed, "decision": "approve" });
    world.call("compliance.disclosed_job.decide", &school.owner, approve).await.data();
    for item in row["items"].as_array().unwrap() {
        if item["kind"] == "clearance" {
            let handed_in = json!({ "id": item["id"], "status": "submitted" });
            world.call("compliance.clearance.record", &school.owner, handed_in).await.data();
        }
    }
    assert_eq!(world.call(list, &school.owner, json!({})).await.data(), json!([]));
    world.pass(TimeDelta::days(30));
    let rows = world.call(list, &school.owner, json!({})).await.data();
    assert_eq!(kinds(&rows[0]), [due("deliverable", true), due("deliverable", false)]);
    // So is a notice that an athlete or their agent owes.
    let filing =
        a_filing(school.athlete.id, json!({ "submit": true, "notices": { "agent_at": null } }));
    let filed = world.call("compliance.disclosure.submit", &school.owner, filing).await.data();
    let notices = json!({ "kinds": ["agent_notice"] });
    let rows = world.call(list, &school.owner, notices.clone()).await.data();
    assert_eq!(kinds(&rows[0]), [due("agent_notice", true)]);
    assert_eq!(rows[0]["items"][0]["id"], filed["id"]);
    let given = json!({ "id": filed["id"], "notices": { "agent_at": "2026-11-21T09:00:00Z" } });
    world.call("compliance.disclosure.update", &school.owner, given).await.data();
    assert_eq!(world.call(list, &school.owner, notices).await.data(), json!([]));
}
both!(what_is_late_or_due_athlete_by_athlete);

async fn the_trail_tells_what_our_own_people_did(world: World) {
    let ours = School::new(&world, "Zorblatt").await;
    let theirs = School::new(&world, "Quixley").await;
    let trail = "compliance.audit.list";
    let which = json!({ "athlete_id": ours.athlete.id, "job_id": ours.deal.job_id });
    world.call("compliance.athlete.job_detail", &ours.owner, which).await.data();
    let export = json!({ "contracts": true });
    assert_eq!(world.call("compliance.transaction.export", &ours.owner, export).await.status, 200);
    let rows = world.call(trail, &ours.owner, json!({ "per_page": 100 })).await.data();
    let rows = rows.as_array().unwrap();
    let done: Vec<_> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(done[..4], ["exported", "exported", "transactions_exported", "seen"]);
    assert!(done.contains(&"settings_changed") && done.contains(&"invited"), "{done:?}");
    assert_eq!(rows[0]["name"], "Dana Whitfield");
    assert!(rows[0]["address"].is_string());
    // Addresses of users outside the institution are hidden.
    let invited = rows.iter().rfind(|row| row["action"] == "invited").unwrap();
    assert_eq!((&invited["actor"], &invited["address"]), (&json!("operator:1"), &Value::Null));
    let actor = rows[0]["actor"].clone();
    let strangers = world.call(trail, &theirs.owner, json!({ "per_page": 100 })).await.data();
    assert!(strangers.as_array().unwrap().iter().all(|row| row["actor"] != actor));
    let Principal::Portal { id, .. } = &ours.owner else { panic!() };
    for (input, found) in [
        (json!({ "action": "seen" }), 1),
        (json!({ "subject_kind": "contract" }), 3),
        (json!({ "subject_kind": "contract", "subject_id": ours.deal.contract_id }), 2),
        (json!({ "operation": "compliance.transaction.export" }), 3),
        (json!({ "portal_user_id": id, "action": "seen" }), 1),
        (json!({ "portal_user_id": 999_999 }), 0),
        (json!({ "from": "2026-11-21" }), 0),
        (json!({ "to": "2026-11-19" }), 0),
    ] {
        let answer = world.call(trail, &ours.owner, input.clone()).await;
        assert_eq!(answer.body["pagination"]["total"], found, "{input}");
    }
    let Principal::Portal { id: stranger, .. } = &theirs.owner else { panic!() };
    let nothing = json!({ "portal_user_id": stranger });
    assert_eq!(world.call(trail, &ours.owner, nothing).await.data(), json!([]));
    let colleague = world.portal_user(1, "viewer").await.0;
    assert_eq!(
        world
            .call(trail, &colleague, json!({ "from": "2026-11-20", "to": "2026-11-20" }))
            .await
            .status,
        200
    );
    let wrong = json!({ "from": "2026-11-21", "to": "2026-11-20" });
    assert_eq!(world.call(trail, &ours.owner, wrong).await.status, 422);
}
both!(the_trail_tells_what_our_own_people_did);
