//! The officers' inbox: what is late at an institution, what waits for its decision, what is due.

use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_core::worker;
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
    assert_eq!(late["assignee_id"], Value::Null);
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
    world.populate_with_transactions().await;
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

const ASSIGN: &str = "compliance.inbox.assign";
const SNOOZE: &str = "compliance.inbox.snooze";
const REMIND: &str = "compliance.inbox.remind";

/// The names of all items in the inbox, snoozed ones included, in its order.
async fn names(world: &World, who: &Principal) -> Vec<String> {
    let rows = world.call(LIST, who, json!({ "snoozed": true })).await.data();
    let name = |row: &Value| format!("{}:{}", row["kind"].as_str().unwrap(), row["id"]);
    rows.as_array().unwrap().iter().map(name).collect()
}

/// The refusal of each item of an answer; none for what was done.
fn refusals(answer: &Value) -> Vec<Option<&str>> {
    answer["items"].as_array().unwrap().iter().map(|item| item["refusal"].as_str()).collect()
}

fn id_of(who: &Principal) -> i64 {
    let Principal::Portal { id, .. } = who else { panic!("a portal user") };
    id.get()
}

async fn items_are_assigned_one_by_one_and_in_bulk(world: World) {
    let school = School::new(&world).await;
    let colleague = world.portal_user(school.college, "officer").await.0;
    let all = names(&world, &school.owner).await;
    let input = json!({
        "items": [all[0], "disclosed_job:999999", all[5]], "assignee_id": id_of(&colleague),
    });
    let answer = world.call(ASSIGN, &school.owner, input.clone()).await.data();
    assert_eq!((&answer["done"], &answer["refused"]), (&json!(2), &json!(1)));
    assert_eq!(refusals(&answer), [None, Some("not_in_inbox"), None]);
    assert_eq!(answer["items"][0]["id"], school.late["id"]);
    let (own, counts) = listed(&world, &colleague, json!({ "assigned": "me" })).await;
    assert_eq!(own, ["late disclosed_job: Late reading", "due clearance: Opening day"]);
    assert_eq!(counts["groups"], json!({ "late": 1, "waiting": 0, "due": 1 }));
    let by_id = json!({ "assigned": id_of(&colleague).to_string() });
    assert_eq!(listed(&world, &school.owner, by_id).await.0, own);
    let nobodys = json!({ "assigned": "nobody" });
    assert_eq!(listed(&world, &school.owner, nobodys).await.0.len(), 4);
    let rows = world.call(LIST, &school.owner, json!({})).await.data();
    assert_eq!(rows[0]["assignee_id"], id_of(&colleague));
    assert!(rows[0]["assignee_name"].is_string(), "{}", rows[0]);
    let trail = world.call("compliance.audit.list", &school.owner, json!({})).await.data();
    assert_eq!((&trail[0]["action"], &trail[0]["operation"]), (&json!("assigned"), &json!(ASSIGN)));

    // Back to nobody.
    let back = json!({ "items": [all[0]] });
    world.call(ASSIGN, &colleague, back).await.data();
    let (own, _) = listed(&world, &colleague, json!({ "assigned": "me" })).await;
    assert_eq!(own, ["due clearance: Opening day"]);

    // To an officer of the institution, who sees the athlete's sport.
    let viewer = world.portal_user(school.college, "viewer").await.0;
    let elsewhere = world.college().await;
    let stranger = world.portal_user(elsewhere, "officer").await.0;
    for (whom, status) in [(&viewer, 422), (&stranger, 404)] {
        let input = json!({ "items": [all[0]], "assignee_id": id_of(whom) });
        assert_eq!(world.call(ASSIGN, &school.owner, input).await.status, status);
    }
    let id = id_of(&colleague);
    world.script(&format!("UPDATE portal_user SET sport_ids = '[3]' WHERE id = {id}")).await;
    let answer = world.call(ASSIGN, &school.owner, input).await.data();
    assert_eq!(refusals(&answer), [Some("other_sport"), Some("not_in_inbox"), Some("other_sport")]);
    // Another institution's officers find none of these items.
    for operation in [ASSIGN, SNOOZE, REMIND] {
        let answer = world.call(operation, &stranger, json!({ "items": all })).await.data();
        assert_eq!((&answer["done"], &answer["refused"]), (&json!(0), &json!(6)), "{operation}");
        for items in [json!([]), json!([all[0], all[0]]), json!(["contract:1"]), json!(["x"])] {
            let wrong = world.call(operation, &school.owner, json!({ "items": items })).await;
            assert_eq!(wrong.status, 422, "{operation} {items}");
        }
    }
}
both!(items_are_assigned_one_by_one_and_in_bulk);

async fn what_is_snoozed_comes_back_when_it_is_late(world: World) {
    let school = School::new(&world).await;
    let all = names(&world, &school.owner).await;
    let (late, cards, notice) = (&all[0], &all[2], &all[4]);
    let until = "2026-11-25T12:00:00Z";
    let input = json!({ "items": [late, cards, notice], "until": until });
    let answer = world.call(SNOOZE, &school.owner, input).await.data();
    assert_eq!(refusals(&answer), [Some("late"), None, None]);
    let (rows, counts) = listed(&world, &school.owner, json!({})).await;
    assert_eq!(
        rows,
        [
            "late disclosed_job: Late reading",
            "waiting agent_notice: Notice of an agency contract",
            "waiting disclosed_job: Opening day",
            "due clearance: Opening day",
        ]
    );
    assert_eq!(counts["snoozed"], 2);
    assert_eq!(counts["groups"], json!({ "late": 1, "waiting": 2, "due": 1 }));
    let shown = world.call(LIST, &school.owner, json!({ "snoozed": true })).await.data();
    assert_eq!(shown.as_array().unwrap().len(), 6);
    let instants: Vec<&Value> =
        shown.as_array().unwrap().iter().map(|row| &row["snoozed_until"]).collect();
    let (none, then) = (&Value::Null, &json!(until));
    assert_eq!(instants, [none, none, then, none, then, none]);

    // The notice is due on the 22nd.
    world.pass(chrono::TimeDelta::days(3));
    let (rows, counts) = listed(&world, &school.owner, json!({})).await;
    assert_eq!(rows[1], "late agent_notice: Notice of an agency contract");
    assert_eq!((rows.len(), &counts["snoozed"]), (5, &json!(1)));
    let wake = json!({ "items": [cards] });
    world.call(SNOOZE, &school.owner, wake).await.data();
    assert_eq!(listed(&world, &school.owner, json!({})).await.0.len(), 6);
    let again = json!({ "items": [cards], "until": "2026-11-23T18:00:00Z" });
    world.call(SNOOZE, &school.owner, again).await.data();
    assert_eq!(listed(&world, &school.owner, json!({})).await.0.len(), 5);
    world.pass(chrono::TimeDelta::hours(7));
    assert_eq!(listed(&world, &school.owner, json!({})).await.0.len(), 6);
    for until in ["2026-11-23T12:00:00Z", "2026-12-24T12:00:00Z"] {
        let input = json!({ "items": [cards], "until": until });
        assert_eq!(world.call(SNOOZE, &school.owner, input).await.status, 422, "{until}");
    }
}
both!(what_is_snoozed_comes_back_when_it_is_late);

/// The addresses of the mails that remind, since the last call.
async fn reminded(world: &World) -> Vec<String> {
    worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let mails = rows
        .iter()
        .filter(|row| row.event == "deadline.reminded" && row.channel == outbox::Channel::Email);
    let mut to: Vec<String> = mails.map(|row| row.to.clone()).collect();
    world.script("DELETE FROM outbox WHERE event = 'deadline.reminded'").await;
    to.sort();
    to
}

async fn whose_turn_it_is_is_reminded_once_a_day(world: World) {
    let school = School::new(&world).await;
    let athlete = &school.athlete.email;
    let all = names(&world, &school.owner).await;
    let items = json!({ "items": [all[1], all[2], all[4], all[5], "deliverable:999999"] });
    let answer = world.call(REMIND, &school.owner, items.clone()).await.data();
    let waits = Some("waits_for_institution");
    assert_eq!(refusals(&answer), [waits, waits, None, None, Some("not_in_inbox")]);
    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(athlete, "deadline.reminded").await.unwrap();
    assert!(mail.contains("It is due by") && !mail.contains("{{"), "{mail}");
    // The agent of this filing has no account.
    assert_eq!(reminded(&world).await, [athlete.clone(), athlete.clone()]);
    let rows = world.call(LIST, &school.owner, json!({})).await.data();
    assert_eq!(rows[4]["reminded_at"], "2026-11-20T12:00:00Z");
    world.pass(chrono::TimeDelta::hours(23));
    let answer = world.call(REMIND, &school.owner, items.clone()).await.data();
    assert_eq!(refusals(&answer)[2..4], [Some("reminded_already"); 2]);
    assert!(reminded(&world).await.is_empty());
    world.pass(chrono::TimeDelta::hours(1));
    let answer = world.call(REMIND, &school.owner, items).await.data();
    assert_eq!((&answer["done"], &answer["refused"]), (&json!(2), &json!(3)));
    assert_eq!(reminded(&world).await.len(), 2);
    // What the institution asks is the athlete's turn.
    let cards = json!({ "items": [all[2]] });
    for over in
        [json!({ "decision": "take" }), json!({ "decision": "ask", "note": "Who owns the payer?" })]
    {
        decide(&world, &school.owner, &school.cards["id"], over).await.data();
    }
    world.call(REMIND, &school.owner, cards).await.data();
    assert_eq!(reminded(&world).await, std::slice::from_ref(athlete));
}
both!(whose_turn_it_is_is_reminded_once_a_day);

async fn agents_and_brands_are_reminded_of_what_is_theirs(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let college = format!("SELECT university_id AS id FROM athlete WHERE id = {}", hire.athlete.id);
    let college = world.id(&college).await;
    let owner = world.portal_user(college, "owner").await.0;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    let later = json!({ "to": "2026-12-31" });
    let rows = world.call(LIST, &owner, later).await.data();
    let item = |kind: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["kind"] == kind);
        format!("{kind}:{}", row.expect(kind)["id"])
    };
    let mut both = vec![hire.athlete.email.clone(), agent.email.clone()];
    both.sort();
    let mut three = vec![hire.partner.email.clone()];
    three.extend(both.clone());
    three.sort();
    for (kind, readers) in [("agent_notice", &both), ("deliverable", &both), ("clearance", &three)]
    {
        let answer = world.call(REMIND, &owner, json!({ "items": [item(kind)] })).await.data();
        assert_eq!(refusals(&answer), [None], "{kind}");
        assert_eq!(reminded(&world).await, *readers, "{kind}");
    }
    // Nobody hears of it whose account is not in use.
    world.pass(chrono::TimeDelta::days(2));
    world.script("UPDATE app_user SET status = 'suspended'").await;
    let answer = world.call(REMIND, &owner, json!({ "items": [item("deliverable")] })).await.data();
    assert_eq!(refusals(&answer), [Some("nobody_to_remind")]);
}
both!(agents_and_brands_are_reminded_of_what_is_theirs);
