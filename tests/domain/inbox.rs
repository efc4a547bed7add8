//! The officers' inbox: what is late at an institution, what waits for its decision, what is due.

use nil_core::auth::Principal;
use nil_core::seed::{self, Size};
use nil_tests::{Person, World, a_filing, both};
use serde_json::{Value, json};

use crate::disclosing::{decide, disclose};
use crate::figures::officer;
use crate::figures_plans::whole_reads;

const LIST: &str = "compliance.inbox.list";

/// An institution with an item of each kind but a deliverable.
struct School {
    college: i64,
    owner: Principal,
    athlete: Person,
    late: Value,
    cards: Value,
    auto: Value,
}

impl School {
    async fn new(world: &World) -> Self {
        let college = world.college().await;
        let owner = world.portal_user(college, "owner").await.0;
        let asks = json!({ "approval": { "requirement": "all" } });
        world.call("compliance.college.save_settings", &owner, asks).await.data();
        let athlete = world.athlete_of("Zoe Okafor", college).await;
        let late = json!({
            "title": "Late reading", "signed_on": "2026-09-01", "amount_cents": 17_500,
        });
        let late = disclose(world, &athlete, late).await;
        let cards = json!({ "title": "Signed cards", "payer_name": "Card Vault" });
        let cards = disclose(world, &athlete, cards).await;
        let auto = json!({
            "title": "Opening day", "payer_name": "Lake Auto", "amount_cents": 70_000,
        });
        let auto = disclose(world, &athlete, auto).await;
        for over in [
            json!({ "submit": true }),
            json!({ "submit": false, "notices": { "agent_at": null, "athlete_at": null } }),
        ] {
            let filing = a_filing(athlete.id, over);
            world.call("compliance.disclosure.submit", &owner, filing).await.data();
        }
        Self { college, owner, athlete, late, cards, auto }
    }
}

/// The rows in a few words, and the counts.
async fn listed(world: &World, who: &Principal, input: Value) -> (Vec<String>, Value) {
    let answer = world.call(LIST, who, input).await;
    let counts = answer.body["counts"].clone();
    let rows = answer.data();
    let line = |row: &Value| {
        let word = |name: &str| row[name].as_str().unwrap().to_owned();
        format!("{} {}: {}", word("group"), word("kind"), word("title"))
    };
    (rows.as_array().unwrap().iter().map(line).collect(), counts)
}

async fn the_inbox_has_what_is_late_what_waits_and_what_is_due(world: World) {
    let school = School::new(&world).await;
    let all = [
        "late disclosed_job: Late reading",
        "waiting agent_notice: Notice of an agency contract",
        "waiting disclosed_job: Signed cards",
        "waiting disclosed_job: Opening day",
        "due agent_notice: Notice of an agency contract",
        "due clearance: Opening day",
    ];
    let (rows, counts) = listed(&world, &school.owner, json!({})).await;
    assert_eq!(rows, all);
    let kinds = json!({ "disclosed_job": 3, "deliverable": 0, "clearance": 1, "agent_notice": 2 });
    let groups = json!({ "late": 1, "waiting": 3, "due": 2 });
    assert_eq!(counts, json!({ "groups": groups, "kinds": kinds, "snoozed": 0 }));

    let rows = world.call(LIST, &school.owner, json!({})).await.data();
    let late = &rows[0];
    assert_eq!(late["id"], school.late["id"]);
    assert_eq!(late["counterparty"], "Harbor Books");
    assert_eq!(late["amount_cents"], 17_500);
    assert_eq!(late["athlete_name"], "Zoe Okafor");
    assert_eq!(late["athlete_id"], school.athlete.id);
    assert_eq!(late["status"], "submitted");
    assert_eq!(late["due_at"], school.late["due_at"]);
    assert_eq!(late["since"], school.late["submitted_at"]);
    assert_eq!(late["assigned_to"], Value::Null);
    // The marks are those that the record itself has.
    for (row, job) in [(0, &school.late), (2, &school.cards), (3, &school.auto)] {
        assert_eq!(rows[row]["marks"], job["flags"], "{row}");
    }
    assert_eq!(late["marks"], json!(["late"]));
    assert_eq!(rows[3]["marks"], json!(["over_threshold"]));
    assert_eq!(rows[1]["counterparty"], "Dana Summit");
    assert_eq!(
        (&rows[4]["due_at"], &rows[4]["since"]),
        (&json!("2026-11-22T12:00:00Z"), &Value::Null)
    );
    assert_eq!(
        (&rows[5]["counterparty"], &rows[5]["amount_cents"]),
        (&json!("Lake Auto"), &json!(70_000))
    );

    // Once the deadline is over, the notice is late; what was decided is gone.
    let take = json!({ "decision": "take" });
    decide(&world, &school.owner, &school.cards["id"], take).await.data();
    let approve = json!({ "decision": "approve" });
    decide(&world, &school.owner, &school.cards["id"], approve).await.data();
    world.pass(chrono::TimeDelta::days(3));
    let (rows, _) = listed(&world, &school.owner, json!({})).await;
    assert_eq!(
        rows,
        [
            "late disclosed_job: Late reading",
            "late agent_notice: Notice of an agency contract",
            "waiting agent_notice: Notice of an agency contract",
            "waiting disclosed_job: Opening day",
            "due clearance: Opening day",
        ]
    );
    let rows = world.call(LIST, &school.owner, json!({})).await.data();
    assert_eq!(rows[1]["marks"], json!(["late"]));

    // A deal that the clearinghouse flagged waits for the institution, without a deadline.
    let id = rows[4]["id"].clone();
    for status in ["submitted", "flagged"] {
        let word = json!({ "id": id, "status": status, "note": "How was the fee found?" });
        world.call("compliance.clearance.record", &school.owner, word).await.data();
    }
    let clearances = json!({ "kinds": ["clearance"] });
    let (rows, _) = listed(&world, &school.owner, clearances.clone()).await;
    assert_eq!(rows, ["waiting clearance: Opening day"]);
    let rows = world.call(LIST, &school.owner, clearances).await.data();
    assert_eq!((&rows[0]["status"], &rows[0]["due_at"]), (&json!("flagged"), &Value::Null));
}
both!(the_inbox_has_what_is_late_what_waits_and_what_is_due);

async fn the_inbox_follows_its_filters(world: World) {
    let school = School::new(&world).await;
    let count = async |who: &Principal, input: Value| listed(&world, who, input).await.0.len();
    for (input, number) in [
        (json!({ "kinds": ["disclosed_job"] }), 3),
        (json!({ "kinds": ["agent_notice", "clearance"] }), 3),
        (json!({ "to": "2026-11-22" }), 5),
        (json!({ "to": "2026-11-01" }), 4),
        (json!({ "sport_ids": [1] }), 6),
        (json!({ "sport_ids": [3] }), 0),
        (json!({ "assigned": "me" }), 0),
        (json!({ "assigned": "nobody" }), 6),
        (json!({ "assigned": "999999" }), 0),
    ] {
        assert_eq!(count(&school.owner, input.clone()).await, number, "{input}");
    }
    // The tabs keep their numbers, whichever is open.
    let (_, counts) = listed(&world, &school.owner, json!({ "kinds": ["clearance"] })).await;
    assert_eq!(counts["groups"], json!({ "late": 0, "waiting": 0, "due": 1 }));
    assert_eq!(counts["kinds"]["disclosed_job"], 3);
    let wrong = world.call(LIST, &school.owner, json!({ "assigned": "somebody" })).await;
    assert_eq!(wrong.status, 422, "{}", wrong.body);
    // Who is limited to sports sees those; nobody sees another institution's.
    let (sees, sees_not) = (officer(school.college, &[1]), officer(school.college, &[3]));
    assert_eq!((count(&sees, json!({})).await, count(&sees_not, json!({})).await), (6, 0));
    let elsewhere = world.college().await;
    let other = world.portal_user(elsewhere, "owner").await.0;
    assert_eq!(count(&other, json!({})).await, 0);
    // Work is due from 10 December.
    let partner = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&partner, json!({})).await;
    world.hire(&partner, &school.athlete, job).await;
    let confirm = json!({ "job_id": job });
    let name = "core.contract.confirm_availability";
    world.call(name, &school.athlete.principal, confirm).await.data();
    let work = json!({ "kinds": ["deliverable"] });
    assert_eq!(count(&school.owner, work).await, 0);
    let work = json!({ "kinds": ["deliverable"], "to": "2026-12-31" });
    let rows = world.call(LIST, &school.owner, work).await.data();
    assert_eq!(rows[0]["counterparty"], "Ridge Outfitters");
    assert_eq!((&rows[0]["group"], &rows[0]["status"]), (&json!("due"), &json!("pending")));
}
both!(the_inbox_follows_its_filters);

/// Three statements whatever is asked: the time zone, the page, the counts; and none reads a whole
/// table.
async fn the_inbox_reads_by_indexes(world: World) {
    let size = Size {
        athletes: 4_000,
        brands: 100,
        jobs: 200,
        institutions: 40,
        transactions: 12_000,
        seed: 1,
    };
    seed::write(&world.platform, size, "none".into(), &mut |_, _| {}).await.expect("a population");
    world.vacuum().await;
    let who = officer(1_000_007, &[]);
    for input in [
        json!({}),
        json!({ "kinds": ["disclosed_job", "clearance"] }),
        json!({ "sport_ids": [3, 5], "assigned": "nobody", "to": "2027-06-30" }),
    ] {
        let call = world.call(LIST, &who, input.clone());
        let (answer, watched) = world.platform.db().watched(call).await.unwrap();
        assert_ne!(answer.data(), json!([]), "{input}");
        for (text, plan) in watched.plans {
            // SQLite calls the view `d`, whose parts are read before.
            let whole = whole_reads(&plan).into_iter().filter(|line| line.trim() != "SCAN d");
            assert_eq!(whole.collect::<Vec<_>>(), Vec::<String>::new(), "{text}\n{plan}");
            if plan.contains("CO-ROUTINE college_inbox") {
                assert!(plan.contains("disclosed_job_by_college"), "{text}\n{plan}");
            }
        }
        let call = world.call(LIST, &who, input.clone());
        let (_, cost) = world.platform.db().counted(call).await;
        assert_eq!((cost.statements, cost.transactions), (3, 0), "{input}");
    }
}
both!(the_inbox_reads_by_indexes);
