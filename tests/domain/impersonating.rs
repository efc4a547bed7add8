//! Operators act as an account: what they may do, what is on record, who is told, and when it ends.

use chrono::TimeDelta;
use nil_core::accounts::{operators, suspension};
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Email, Password, Text, UserId};
use nil_core::worker;
use nil_tests::{Answer, PASSWORD, Person, World, a_job, both};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;
pub(crate) const START: &str = "admin.impersonation.start";
const END: &str = "admin.impersonation.end";
const LIST: &str = "admin.impersonation.list";
const ME: &str = "core.auth.me";

/// An operator with these permissions, logged in.
pub(crate) async fn operator(world: &World, email: &str, permissions: &[Permission]) -> Principal {
    let (address, password) = (Email::new(email).unwrap(), Password::new(PASSWORD).unwrap());
    let name = Text::new("Sam Okafor").unwrap();
    operators::create(&world.platform, address, name, permissions.to_vec(), password)
        .await
        .expect("an operator");
    log_in(world, email).await
}

async fn log_in(world: &World, email: &str) -> Principal {
    let input = json!({ "email": email, "password": PASSWORD });
    let answer = world.call("admin.auth.log_in", &NOBODY, input).await;
    world.platform.authenticate_admin(&answer.session_cookie()).await.unwrap()
}

fn id(who: &Principal) -> i64 {
    let Principal::Operator { id, .. } = who else { panic!("{who:?}") };
    id.get()
}

fn support(user: i64) -> Value {
    json!({ "user_id": user, "purpose": "support", "reason": "Case 4711: no payout." })
}

fn refusal(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.code())
}

/// The operator acts as this person; returns the impersonation and its token.
async fn started(world: &World, by: &Principal, whom: &Person) -> (i64, String) {
    let started = world.call(START, by, support(whom.user_id)).await.data();
    let token = started["access_token"].as_str().unwrap().to_owned();
    (started["id"].as_i64().unwrap(), token)
}

/// The caller behind a token of an impersonation.
async fn acting(world: &World, token: &str) -> Principal {
    let who = world.platform.authenticate_core(token).await.expect("a good token");
    assert!(matches!(who, Principal::Impersonated { .. }), "{who:?}");
    who
}

async fn is_good(world: &World, token: &str) -> bool {
    world.platform.authenticate_core(token).await.is_ok()
}

async fn count(world: &World, of: &str) -> i64 {
    world.id(&format!("SELECT COUNT(*) FROM {of}")).await
}

async fn reads_work_and_each_is_on_record(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let began = world.call(START, &sam, support(athlete.user_id)).await.data();
    assert_eq!(
        (&began["token_type"], &began["running"], &began["kind"], &began["account_name"]),
        (&json!("Bearer"), &json!(true), &json!("athlete"), &json!("Jordan Rivera"))
    );
    assert_eq!(began["expires_at"], "2026-11-20T12:15:00Z");
    let token = began["access_token"].as_str().unwrap();
    let who = acting(&world, token).await;

    let me = world.call(ME, &who, json!({})).await.data();
    assert_eq!(me["id"], athlete.user_id);
    assert_eq!(
        me["impersonation"],
        json!({ "id": began["id"], "operator_id": id(&sam), "expires_at": began["expires_at"] })
    );
    let own = world.call(ME, &athlete.principal, json!({})).await.data();
    assert_eq!(own["impersonation"], Value::Null);
    world.call("core.deal.list", &who, json!({ "status": "active" })).await.data();
    world.call("core.notification.preferences", &who, json!({})).await.data();
    // What their permissions do not name is not shown.
    for private in [
        "core.wallet.show",
        "core.notification.list",
        "core.chat.conversations",
        "core.assistant.history",
        "core.athlete.takeout",
        "core.account.takeout",
        "core.events.follow",
        "core.events.ticket",
    ] {
        let refused = world.call(private, &who, json!({})).await;
        assert_eq!(refusal(&refused), (403, "impersonation_reads_only"), "{private}");
    }
    // A call that finds nothing is on record too; one behind another door is not a call.
    assert_eq!(world.call("core.job.detail", &who, json!({ "job_id": 999 })).await.status, 404);
    assert_eq!(refusal(&world.call("core.partner.me", &who, json!({})).await), (403, "forbidden"));

    let on_record = |operation: &str| {
        format!(
            "audit_entry WHERE actor = 'operator:{}' AND on_behalf_of = 'athlete:{}' \
             AND subject_kind = 'impersonation' AND subject_id = {} AND action = 'called' \
             AND operation = '{operation}' AND address = '127.0.0.1'",
            id(&sam),
            athlete.id,
            began["id"]
        )
    };
    for (operation, calls) in [
        (ME, 1),
        ("core.deal.list", 1),
        ("core.notification.preferences", 1),
        ("core.wallet.show", 0),
        ("core.job.detail", 1),
        ("core.partner.me", 0),
    ] {
        assert_eq!(count(&world, &on_record(operation)).await, calls, "{operation}");
    }
    let listed = world.call(LIST, &sam, json!({ "user_id": athlete.user_id })).await.data();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["calls"]), (1, &json!(4)));
    assert_eq!(
        (&listed[0]["operator_name"], &listed[0]["reason"], &listed[0]["address"]),
        (&json!("Sam Okafor"), &json!("Case 4711: no payout."), &json!("127.0.0.1"))
    );
    assert_eq!(listed[0].get("access_token"), None);
    // What the athlete does is theirs alone.
    let theirs =
        format!("audit_entry WHERE actor = 'athlete:{}' AND action = 'called'", athlete.id);
    assert_eq!(count(&world, &theirs).await, 0);
}
both!(reads_work_and_each_is_on_record);

async fn the_account_is_told(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let (began, _) = started(&world, &sam, &athlete).await;
    world.call(END, &sam, json!({ "id": began })).await.data();
    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "impersonation.started").await.expect("a mail");
    assert!(mail.contains("help with a question") && mail.contains("15 minutes"), "{mail}");
    assert!(!mail.contains("4711") && !mail.contains("Sam"), "the reason is for operators: {mail}");
    let feed = world.call("core.notification.list", &athlete.principal, json!({})).await.data();
    assert_eq!(feed[0]["event"], "impersonation.started");
    for action in ["impersonation_started", "impersonation_ended"] {
        let noted = format!(
            "audit_entry WHERE action = '{action}' AND subject_kind = 'user' AND subject_id = {}",
            athlete.user_id
        );
        assert_eq!(count(&world, &noted).await, 1, "{action}");
    }

    // Only operators with all permissions act without a word, to investigate abuse.
    let abuse = json!({
        "user_id": athlete.user_id, "purpose": "abuse_investigation", "reason": "Reported twice.",
    });
    assert_eq!(refusal(&world.call(START, &sam, abuse.clone()).await), (403, "forbidden"));
    let chief = operator(&world, "chief@nil.example", &[Permission::All]).await;
    let quiet = world.call(START, &chief, abuse).await.data();
    world.call(END, &chief, json!({ "id": quiet["id"] })).await.data();
    worker::round(&world.platform).await.unwrap();
    assert_eq!(count(&world, "notification WHERE event = 'impersonation.started'").await, 1);
    assert_eq!(count(&world, "audit_entry WHERE action = 'impersonation_started'").await, 1);
    assert_eq!(
        count(&world, "audit_entry WHERE subject_kind = 'impersonation' AND action = 'started'")
            .await,
        2,
        "but it is on record"
    );
}
both!(the_account_is_told);

async fn writes_are_those_that_the_operators_permissions_name(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let brand = world.partner("Cedar Coffee").await;
    let sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let both = [Permission::Accounts, Permission::Jobs];
    let ada = operator(&world, "ada@nil.example", &both).await;
    let (_, token) = started(&world, &sam, &athlete).await;
    let who = acting(&world, &token).await;
    let edited = world.call("core.athlete.edit", &who, json!({ "bio": "Sprinter." })).await;
    assert_eq!(edited.data()["bio"], "Sprinter.");
    let by_both = format!(
        "audit_entry WHERE actor = 'operator:{}' AND on_behalf_of = 'athlete:{}' \
         AND subject_kind = 'athlete'",
        id(&sam),
        athlete.id
    );
    assert_eq!(count(&world, &by_both).await, 1);
    for (operation, input) in [
        ("core.chat.send", json!({ "user_id": brand.user_id, "text": "Hi" })),
        ("core.chat.messages", json!({ "conversation_id": 1 })),
        ("core.notification.mark_all_read", json!({})),
        ("core.notification.set_all_sms", json!({ "enabled": true })),
        ("core.assistant.hand_token", json!({})),
        ("core.payout_account.set_preference", json!({ "preference": "manual" })),
        ("core.auth.log_out", json!({})),
    ] {
        let refused = world.call(operation, &who, input).await;
        assert_eq!(refusal(&refused), (403, "impersonation_reads_only"), "{operation}");
    }

    let (_, token) = started(&world, &sam, &brand).await;
    let who = acting(&world, &token).await;
    let refused = world.call("core.job.save", &who, a_job(json!({}))).await;
    assert_eq!(refusal(&refused), (403, "impersonation_reads_only"));
    let (_, token) = started(&world, &ada, &brand).await;
    let who = acting(&world, &token).await;
    let posted = world.call("core.job.save", &who, a_job(json!({}))).await.data();
    let open = world.open_job(&brand, json!({})).await;
    for (operation, status) in [("core.job.close", "closed"), ("core.job.reopen", "open")] {
        let changed = world.call(operation, &who, json!({ "job_id": open })).await.data();
        assert_eq!(changed["status"], status);
    }
    let refused = world.call("core.job.cancel", &who, json!({ "job_id": open })).await;
    assert_eq!(refusal(&refused), (403, "impersonation_reads_only"));
    let pay = json!({ "job_id": posted["id"], "athlete_id": athlete.id, "amount_cents": 100 });
    let refused = world.call("core.payment.pay_with_saved_card", &who, pay).await;
    assert_eq!(refusal(&refused), (403, "impersonation_reads_only"));
}
both!(writes_are_those_that_the_operators_permissions_name);

async fn it_ends_at_once_on_every_server(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let chief = operator(&world, "chief@nil.example", &[Permission::All]).await;
    let mut sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let number = id(&sam);
    let elsewhere = world.replica().await;
    let user = UserId::new(athlete.user_id).unwrap();
    for how in
        ["ended", "by the chief", "another", "log-out", "disabled", "demoted", "suspended", "time"]
    {
        let (began, token) = started(&world, &sam, &athlete).await;
        assert!(is_good(&elsewhere, &token).await, "{how}");
        let save = |change: Value| {
            let mut input = json!({ "id": number });
            input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            world.call("admin.operator.save", &chief, input)
        };
        match how {
            "ended" => drop(world.call(END, &sam, json!({ "id": began })).await.data()),
            "by the chief" => drop(world.call(END, &chief, json!({ "id": began })).await.data()),
            "another" => drop(started(&world, &sam, &athlete).await),
            "log-out" => drop(world.call("admin.auth.log_out", &sam, json!({})).await.data()),
            "disabled" => drop(save(json!({ "active": false })).await.data()),
            "demoted" => drop(save(json!({ "permissions": ["jobs"] })).await.data()),
            "suspended" => drop(suspension::suspend(&world.platform, user).await.unwrap()),
            _ => world.pass(TimeDelta::minutes(15)),
        }
        assert!(!is_good(&elsewhere, &token).await, "{how}");
        let listed = world.call(LIST, &chief, json!({ "operator_id": number })).await.data();
        let one = listed.as_array().unwrap().iter().find(|one| one["id"] == began).unwrap();
        assert_eq!(one["running"], false, "{how}");
        let was_ended = !matches!(how, "log-out" | "suspended" | "time");
        assert_eq!(one["ended_at"].is_string(), was_ended, "{how}");
        match how {
            "log-out" => sam = log_in(&world, "sam@nil.example").await,
            "disabled" => {
                save(json!({ "active": true })).await.data();
                sam = log_in(&world, "sam@nil.example").await;
            }
            "demoted" => drop(save(json!({ "permissions": ["accounts"] })).await.data()),
            "suspended" => drop(suspension::restore(&world.platform, user).await.unwrap()),
            _ => {}
        }
        // What the operator gets back does not bring back a session that has ended for good.
        assert!(!is_good(&world, &token).await, "{how}");
    }
    let running = world.call(LIST, &chief, json!({ "running": true })).await;
    assert_eq!(running.body["pagination"]["total"], 0, "{}", running.body);
    let past = world.call(LIST, &chief, json!({ "running": false })).await;
    assert_eq!(past.body["pagination"]["total"], 9);
    let again = world.call(END, &chief, json!({ "id": 1 })).await.data();
    assert_eq!(again["running"], false, "ending it again changes nothing");
    assert_eq!(world.call(END, &chief, json!({ "id": 999 })).await.status, 404);
}
both!(it_ends_at_once_on_every_server);

async fn a_suspension_at_the_same_time_leaves_no_session(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let user = UserId::new(athlete.user_id).unwrap();
    for _ in 0..5 {
        let (began, suspended) = tokio::join!(
            world.call(START, &sam, support(athlete.user_id)),
            suspension::suspend(&world.platform, user),
        );
        suspended.unwrap();
        if began.status == 200 {
            assert!(!is_good(&world, began.data()["access_token"].as_str().unwrap()).await);
        } else {
            assert_eq!(refusal(&began), (404, "not_found"));
        }
        assert_eq!(count(&world, "session WHERE impersonation_id IS NOT NULL").await, 0);
        suspension::restore(&world.platform, user).await.unwrap();
    }
}
both!(a_suspension_at_the_same_time_leaves_no_session);

async fn whom_an_operator_may_act_as(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let brand = world.partner("Cedar Coffee").await;
    let sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let money = operator(&world, "money@nil.example", &[Permission::Finance]).await;
    let refused = world.call(START, &money, support(athlete.user_id)).await;
    assert_eq!(refusal(&refused), (403, "forbidden"));
    for operation in [LIST, END] {
        assert_eq!(world.call(operation, &money, json!({ "id": 1 })).await.status, 403);
    }
    assert_eq!(world.call(START, &sam, support(999)).await.status, 404);
    let user = UserId::new(brand.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
    assert_eq!(world.call(START, &sam, support(brand.user_id)).await.status, 404);
    operator(&world, &athlete.email, &[Permission::All]).await;
    let refused = world.call(START, &sam, support(athlete.user_id)).await;
    assert_eq!(refusal(&refused), (403, "forbidden"), "the account of an operator");
    operator(&world, "chief@nil.example", &[Permission::All]).await;
    operators::set_active(&world.platform, Email::new(&athlete.email).unwrap(), false)
        .await
        .expect("disabled");
    let refused = world.call(START, &sam, support(athlete.user_id)).await;
    assert_eq!(refusal(&refused), (403, "forbidden"), "also of a disabled one");

    let input = |change: Value| {
        let mut input = support(athlete.user_id);
        input.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        input
    };
    for (wrong, field) in [
        (json!({ "user_id": null }), "user_id"),
        (json!({ "portal_user_id": 1 }), "user_id"),
        (json!({ "reason": "x" }), "reason"),
        (json!({ "purpose": "curiosity" }), "purpose"),
        (json!({ "minutes": 0 }), "minutes"),
        (json!({ "minutes": 61 }), "minutes"),
        (json!({ "hours": 1 }), "hours"),
    ] {
        let refused = world.call(START, &sam, input(wrong.clone())).await;
        assert_eq!(refused.status, 422, "{wrong}");
        assert!(refused.body["errors"].get(field).is_some(), "{wrong}: {}", refused.body);
    }
    assert_eq!(count(&world, "impersonation").await, 0);
}
both!(whom_an_operator_may_act_as);

async fn a_portal_user_is_read_with_their_role_and_the_institution_sees_it(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let (viewer, _) = world.portal_user(college, "viewer").await;
    let Principal::Portal { id: viewer_id, .. } = viewer else { panic!() };
    let Principal::Portal { id: owner_id, .. } = owner else { panic!() };
    let sam = operator(&world, "sam@nil.example", &[Permission::All]).await;
    let as_user = |id: i64| json!({ "portal_user_id": id, "purpose": "fault", "reason": "Case 9" });
    let began = world.call(START, &sam, as_user(viewer_id.get())).await.data();
    assert_eq!((&began["kind"], &began["user_id"]), (&json!("portal_user"), &Value::Null));
    let authenticate = async |began: &Value| {
        let token = began["access_token"].as_str().unwrap();
        assert!(world.platform.authenticate_core(token).await.is_err());
        world.platform.authenticate_compliance(token).await.unwrap()
    };
    let who = authenticate(&began).await;
    world.call("compliance.athlete.list", &who, json!({})).await.data();
    let export = "compliance.athlete.export";
    assert_eq!(refusal(&world.call(export, &who, json!({})).await), (403, "forbidden"));

    let began = world.call(START, &sam, as_user(owner_id.get())).await.data();
    let who = authenticate(&began).await;
    assert_eq!(world.call(export, &who, json!({})).await.status, 200);
    for named in ["compliance.records_request.list", "compliance.records_request.note"] {
        let refused = world.call(named, &who, json!({})).await;
        assert_eq!(refusal(&refused), (403, "impersonation_reads_only"), "{named}");
    }
    let ada = operator(&world, "ada@nil.example", &[Permission::Accounts]).await;
    let fewer = world.call(START, &ada, as_user(owner_id.get())).await.data();
    let fewer = authenticate(&fewer).await;
    for money in [export, "compliance.transaction.export", "compliance.transaction.list"] {
        let refused = world.call(money, &fewer, json!({})).await;
        assert_eq!(refusal(&refused), (403, "impersonation_reads_only"), "{money}");
    }
    let exported = format!(
        "audit_entry WHERE actor = 'operator:{}' AND on_behalf_of = 'portal_user:{owner_id}' \
         AND operation = '{export}'",
        id(&sam)
    );
    assert_eq!(count(&world, &exported).await, 2, "the call and the export");
    let settings = world.call("compliance.college.save_settings", &who, json!({})).await;
    assert_eq!(refusal(&settings), (403, "impersonation_reads_only"));
    let started = json!({ "action": "impersonation_started" });
    let trail = world.call("compliance.audit.list", &owner, started).await.data();
    assert_eq!(trail.as_array().unwrap().len(), 3, "{trail}");
    assert_eq!((&trail[0]["address"], &trail[0]["after"]), (&Value::Null, &Value::Null));
    worker::round(&world.platform).await.unwrap();
    let told = "outbox WHERE event = 'impersonation.started' AND channel = 'email'";
    assert_eq!(count(&world, told).await, 3);
}
both!(a_portal_user_is_read_with_their_role_and_the_institution_sees_it);

async fn what_an_agent_sees_names_operator_agent_and_athlete(world: World) {
    let hire = world.active(json!({})).await;
    let agent = world.agent("North Agency").await;
    world.accept_terms(&agent).await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    let sam = operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let (_, token) = started(&world, &sam, &agent).await;
    let who = acting(&world, &token).await;
    assert_eq!(world.call("core.agent.contracts", &who, json!({})).await.status, 403);
    let lena =
        operator(&world, "lena@nil.example", &[Permission::Accounts, Permission::Jobs]).await;
    let (_, token) = started(&world, &lena, &agent).await;
    let who = acting(&world, &token).await;
    world.call("core.agent.contracts", &who, json!({})).await.data();
    let sam = lena;
    let named = format!(
        "audit_entry WHERE actor = 'operator:{}' AND on_behalf_of = 'agent:{}:athlete:{}'",
        id(&sam),
        agent.id,
        hire.athlete.id
    );
    assert_eq!(count(&world, &named).await, 1);
}
both!(what_an_agent_sees_names_operator_agent_and_athlete);

async fn the_host_starts_one_for_an_operator_who_has_no_session(world: World) {
    let athlete = world.athlete("Jordan Rivera").await;
    let chief = operator(&world, "chief@nil.example", &[Permission::All]).await;
    operator(&world, "sam@nil.example", &[Permission::Accounts]).await;
    let sam = world.platform.vouch_for("operator", "sam@nil.example").await.unwrap();
    let (began, token) = started(&world, &sam, &athlete).await;
    let who = acting(&world, &token).await;
    world.call(ME, &who, json!({})).await.data();
    let disable = json!({ "id": id(&sam), "active": false });
    world.call("admin.operator.save", &chief, disable).await.data();
    assert!(!is_good(&world, &token).await);
    let listed = world.call(LIST, &chief, json!({})).await.data();
    assert_eq!((&listed[0]["id"], &listed[0]["running"]), (&json!(began), &json!(false)));
}
both!(the_host_starts_one_for_an_operator_who_has_no_session);
