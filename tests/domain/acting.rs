//! Agents act for their athletes: while they represent them, with audit records, for the agreed
//! share.

use nil_core::auth::Permission;
use nil_core::worker;
use nil_tests::{Hire, Person, World, both};
use serde_json::{Value, json};

const APPLY: &str = "core.agent.apply_athletes";
const CONTRACTS: &str = "core.agent.contracts";
const DOWNLOAD: &str = "core.contract.download_as_agent";

async fn agent_of(world: &World, athletes: &[&Person]) -> Person {
    let agent = world.agent("North Agency").await;
    world.accept_terms(&agent).await;
    for athlete in athletes {
        world.represent(&agent, athlete, 1_000).await;
    }
    agent
}

/// How often the agent acted for the athlete, by the audit trail.
async fn marks(world: &World, agent: &Person, athlete: &Person, action: &str) -> i64 {
    let text = format!(
        "SELECT COUNT(*) FROM audit_entry WHERE actor = 'agent:{}' \
         AND on_behalf_of = 'athlete:{}' AND action = '{action}'",
        agent.id, athlete.id
    );
    world.id(&text).await
}

/// The token of the athlete's feed of jobs.
async fn feed(world: &World, athlete: &Person) -> Value {
    let tokens = "core.notification.activity_tokens";
    let all = world.call(tokens, &athlete.principal, json!({})).await.data();
    let jobs = all.as_array().unwrap().iter().find(|feed| feed["activity"] == "jobs");
    jobs.unwrap()["token"].clone()
}

/// The agent applies, the brand hires, the athlete confirms.
async fn hired_through(world: &World, agent: &Person, partner: &Person, athlete: &Person) -> Hire {
    let job = world.open_job(partner, json!({})).await;
    let apply = json!({ "job_id": job, "athlete_ids": [athlete.id], "pitch": "She runs." });
    let applied = world.call(APPLY, &agent.principal, apply).await.data();
    let application = applied["applied"][0]["id"].as_i64().expect("an application");
    let hire = json!({ "id": application });
    let hired = world.call("core.application.hire", &partner.principal, hire).await.data();
    let confirm = json!({ "job_id": job });
    let confirmed = world.call("core.contract.confirm_availability", &athlete.principal, confirm);
    let deal = confirmed.await.data();
    let ids = deal["deliverables"].as_array().unwrap().iter();
    Hire {
        partner: partner.clone(),
        athlete: athlete.clone(),
        job,
        application,
        contract: hired["contract"]["id"].as_i64().unwrap(),
        deliverables: ids.map(|d| d["id"].as_i64().unwrap()).collect(),
    }
}

async fn a_deal_through_an_agent_from_invitation_to_refund(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = agent_of(&world, &[&athlete]).await;
    let hire = hired_through(&world, &agent, &partner, &athlete).await;
    let deal = world.deal(&athlete, hire.job).await;
    assert_eq!((&deal["source"], &deal["agent_id"]), (&json!("agent"), &json!(agent.id)));
    assert_eq!(deal["contract"]["agent_id"], agent.id);
    assert_eq!(deal["contract"]["commission_basis_points"], 1_000);
    assert_eq!(deal["contract"]["terms"]["agent"]["agency"], "North Agency");
    for deliverable in &hire.deliverables {
        world.approve(&hire, *deliverable).await;
    }
    let pay = json!({ "athlete_id": athlete.id, "contract_id": hire.contract });
    let paid = world.call("core.payment.pay_with_saved_card", &partner.principal, pay).await.data();
    assert_eq!(paid["amount_cents"], 50_000);
    assert_eq!(paid["agent_commission_cents"], 5_000);
    assert_eq!(world.balance(&agent).await, 5_000);
    assert_eq!(world.balance(&athlete).await, 45_000);
    world.books_are_right().await;
    assert_eq!(marks(&world, &agent, &athlete, "applied").await, 1);

    let operator = world.operator(&[Permission::Finance]);
    let half =
        json!({ "payment_id": paid["id"], "amount_cents": 25_000, "reason": "Half the posts" });
    let refund = world.call("admin.payment.refund", &operator, half).await.data();
    assert_eq!(refund["commission_cents"], 2_500);
    assert_eq!(world.balance(&agent).await, 2_500);
    assert_eq!(world.balance(&athlete).await, 22_500);
    world.books_are_right().await;
    worker::round(&world.platform).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    assert_eq!(
        nil_core::operation::chain::verify_chain(&mut session).await.unwrap().broken_at,
        None
    );
}
both!(a_deal_through_an_agent_from_invitation_to_refund);

async fn the_share_that_was_agreed_stays_and_access_does_not(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = agent_of(&world, &[&athlete]).await;
    let hire = hired_through(&world, &agent, &partner, &athlete).await;
    let which = json!({ "athlete_id": athlete.id, "job_id": hire.job });
    let who = &agent.principal;
    assert_eq!(world.call(DOWNLOAD, who, which.clone()).await.status, 200);
    assert_eq!(marks(&world, &agent, &athlete, "downloaded").await, 1);
    let seen =
        |operation: &'static str| world.call(operation, who, json!({ "athlete_id": athlete.id }));
    assert_eq!(seen("core.deliverable.outstanding").await.data().as_array().unwrap().len(), 2);
    assert_eq!(marks(&world, &agent, &athlete, "deliverables_seen").await, 1);
    assert_eq!(world.call("core.deal.list", who, json!({})).await.data()[0]["job"]["id"], hire.job);
    assert_eq!(marks(&world, &agent, &athlete, "deals_seen").await, 1);
    assert_eq!(world.call(CONTRACTS, who, json!({})).await.data()[0]["id"], hire.contract);
    assert_eq!(marks(&world, &agent, &athlete, "listed").await, 1);
    let detail = json!({ "athlete_id": athlete.id });
    let close = world.call("core.athlete.detail", who, detail.clone()).await.data();
    assert_eq!(close["contact"]["email"], athlete.email);
    assert_eq!(marks(&world, &agent, &athlete, "profile_seen").await, 1);

    world.call("core.athlete.end_representation", &athlete.principal, json!({})).await.data();
    assert_eq!(world.call(DOWNLOAD, who, which).await.status, 404);
    let by_party = json!({ "job_id": hire.job });
    assert_eq!(world.call("core.contract.download", who, by_party).await.status, 404);
    for operation in
        ["core.deliverable.outstanding", "core.deal.list", CONTRACTS, "core.agent.athletes"]
    {
        assert_eq!(world.call(operation, who, json!({})).await.data(), json!([]), "{operation}");
    }
    let far = world.call("core.athlete.detail", who, detail).await.data();
    assert_eq!((&far["contact"], &far["date_of_birth"]), (&Value::Null, &Value::Null));
    let job = world.open_job(&partner, json!({})).await;
    let apply = json!({ "job_id": job, "athlete_ids": [athlete.id] });
    let refused = world.call(APPLY, who, apply).await.data();
    assert_eq!(
        (&refused["applied"], &refused["refused"][0]["code"]),
        (&json!([]), &json!("not_found"))
    );

    // Another agent with another share: the contract keeps its own.
    let south = world.agent("South Agency").await;
    world.represent(&south, &athlete, 5_000).await;
    for deliverable in &hire.deliverables {
        world.approve(&hire, *deliverable).await;
    }
    let pay = json!({ "athlete_id": athlete.id, "contract_id": hire.contract });
    world.call("core.payment.pay_with_saved_card", &partner.principal, pay).await.data();
    assert_eq!(world.balance(&agent).await, 5_000);
    assert_eq!(world.balance(&south).await, 0);
    assert_eq!(world.balance(&athlete).await, 45_000);
    world.books_are_right().await;
}
both!(the_share_that_was_agreed_stays_and_access_does_not);

async fn each_athlete_is_applied_for_or_refused(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let (zoe, ida) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let stranger = world.athlete("Kim Park").await;
    let agent = agent_of(&world, &[&zoe, &ida]).await;
    let job = world.open_job(&partner, json!({})).await;
    world.apply(&ida, job).await;
    let apply = json!({
        "job_id": job, "athlete_ids": [zoe.id, ida.id, stranger.id, 999_999, zoe.id], "pitch": " Fast. ",
    });
    let who = &agent.principal;
    let before = feed(&world, &zoe).await;
    let first = world.call_with_key(APPLY, who, apply.clone(), Some("k")).await;
    assert_eq!(first.bytes, world.call_with_key(APPLY, who, apply.clone(), Some("k")).await.bytes);
    assert_ne!(before, feed(&world, &zoe).await, "the athlete is told that something happened");
    let answer = first.data();
    assert_eq!(answer["applied"].as_array().unwrap().len(), 1);
    let applied = &answer["applied"][0];
    assert_eq!((&applied["source"], &applied["agent_id"]), (&json!("agent"), &json!(agent.id)));
    assert_eq!((&applied["status"], &applied["pitch"]), (&json!("applicant"), &json!("Fast.")));
    let refused: Vec<_> = answer["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["id"].as_i64().unwrap(), line["code"].as_str().unwrap()))
        .collect();
    assert_eq!(
        refused,
        [(ida.id, "already_applied"), (stranger.id, "not_found"), (999_999, "not_found")]
    );
    assert_eq!(world.deal(&stranger, job).await, Value::Null);
    // The athlete withdraws what the agent sent.
    let back = json!({ "id": applied["id"] });
    let back = world.call("core.application.withdraw", &zoe.principal, back).await.data();
    assert_eq!(back["status"], "withdrawn");

    let nowhere = json!({ "job_id": 999_999, "athlete_ids": [zoe.id] });
    assert_eq!(world.call(APPLY, who, nowhere).await.status, 404);
    let hidden = world.open_job(&partner, json!({ "visibility": "invite_only" })).await;
    let input = json!({ "job_id": hidden, "athlete_ids": [zoe.id, ida.id] });
    assert_eq!(world.call(APPLY, who, input.clone()).await.status, 404);
    let invite = json!({ "job_id": hidden, "athlete_ids": [zoe.id] });
    world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    let through = world.call(APPLY, who, input).await.data();
    assert_eq!(through["applied"][0]["athlete_id"], zoe.id);
    assert_eq!(through["refused"][0]["code"], "not_found");
    for bad in [json!({ "job_id": job }), json!({ "job_id": job, "athlete_ids": [] })] {
        assert_eq!(world.call(APPLY, who, bad).await.status, 422);
    }
    assert_eq!(world.call(APPLY, &zoe.principal, apply).await.status, 403);
}
both!(each_athlete_is_applied_for_or_refused);

async fn agents_apply_only_under_the_terms_in_force(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 1_000).await;
    let job = world.open_job(&partner, json!({})).await;
    let apply = json!({ "job_id": job, "athlete_ids": [athlete.id] });
    let refused = world.call(APPLY, &agent.principal, apply.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "terms_not_accepted"));
    world.accept_terms(&agent).await;
    world
        .id("INSERT INTO legal_document (kind, version, body, effective_at) \
             VALUES ('agent_terms', 2, 'New', '2026-11-20T12:00:00+00:00') RETURNING id")
        .await;
    let refused = world.call(APPLY, &agent.principal, apply.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "terms_not_accepted"));
    let accept = json!({ "terms_version": 2 });
    world.call("core.agent.accept_contract", &agent.principal, accept).await.data();
    let applied = world.call(APPLY, &agent.principal, apply).await.data();
    assert_eq!(applied["applied"][0]["athlete_id"], athlete.id);
}
both!(agents_apply_only_under_the_terms_in_force);

async fn an_agents_contracts_are_those_of_the_athletes(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let (zoe, ida) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let other = world.athlete("Kim Park").await;
    let agent = agent_of(&world, &[&zoe, &ida]).await;
    let who = &agent.principal;
    let mut contracts = Vec::new();
    for athlete in [&zoe, &ida, &other] {
        let job = world.open_job(&partner, json!({})).await;
        contracts.push(world.hire(&partner, athlete, job).await.contract);
    }
    let ids = |found: Value| -> Vec<i64> {
        found.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    let all = world.call(CONTRACTS, who, json!({})).await;
    assert_eq!(all.body["pagination"]["total"], 2);
    assert_eq!(ids(all.data()), [contracts[1], contracts[0]]);
    let zoes = json!({ "athlete_ids": [zoe.id, other.id], "statuses": ["generated"] });
    assert_eq!(ids(world.call(CONTRACTS, who, zoes).await.data()), [contracts[0]]);
    let active = json!({ "statuses": ["active"] });
    assert_eq!(world.call(CONTRACTS, who, active).await.data(), json!([]));
    let page = json!({ "page": 2, "per_page": 1 });
    assert_eq!(ids(world.call(CONTRACTS, who, page).await.data()), [contracts[0]]);
    assert_eq!(world.call(CONTRACTS, who, json!({ "statuses": ["gone"] })).await.status, 422);
    assert_eq!(world.call(CONTRACTS, &zoe.principal, json!({})).await.status, 403);
}
both!(an_agents_contracts_are_those_of_the_athletes);
