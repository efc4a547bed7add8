//! Hiring: always exactly one contract, and every reason that forbids one.

use std::sync::Arc;

use nil_core::auth::{Permission, Principal, Role};
use nil_core::kernel::{CollegeId, PortalUserId};
use nil_core::payments;
use nil_tests::{World, both, trust};
use serde_json::{Value, json};

const IN_PERSON: &str = r#"[{ "title": "Visit", "platform": "in_person",
    "media_kind": "appearance", "due_on": "2026-12-20" }]"#;

fn in_person() -> Value {
    serde_json::from_str(IN_PERSON).unwrap()
}

async fn a_hire_writes_the_contract_and_its_deliverables(world: World) {
    let hire = world.hired(json!({ "amount_cents": 50_001 })).await;
    let deal = world.deal(&hire.athlete, hire.job).await;
    let contract = &deal["contract"];
    assert_eq!(contract["number"], "NIL-2026-000001");
    assert_eq!(contract["status"], "generated");
    assert_eq!(contract["agreed_amount_cents"], 50_001);
    assert_eq!(contract["fee_basis_points"], 1_000);
    assert_eq!(contract["expires_at"], "2026-11-23T12:00:00Z");
    assert_eq!(contract["terms"]["athlete"]["legal_name"], "Zoe Okafor");
    assert_eq!(contract["terms"]["governing_law"], "IL");
    assert_eq!(contract["terms"]["milestones"][1]["live_days"], 1);
    let amounts: Vec<_> = deal["deliverables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["amount_cents"].as_i64().unwrap())
        .collect();
    assert_eq!(amounts, [25_001, 25_000]);
    // The end of 10 December in Chicago.
    assert_eq!(deal["deliverables"][0]["due_at"], "2026-12-11T05:59:59Z");
    assert_eq!(deal["job"]["filled"], 1);
    assert_eq!(deal["action_needed"], true);

    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&hire.athlete.email, "athlete.hired").await.unwrap();
    assert!(mail.contains("$500.01") && mail.contains("November 23, 2026"), "{mail}");
    assert!(world.mail(&hire.partner.email, "contract.generated").await.is_some());

    let again = world
        .call("core.application.hire", &hire.partner.principal, json!({ "id": hire.application }))
        .await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
}
both!(a_hire_writes_the_contract_and_its_deliverables);

async fn a_hundred_clicks_hire_once(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    let application = world.apply(&athlete, job).await;
    let world = Arc::new(world);
    let clicks: Vec<_> = (0..100)
        .map(|_| {
            let (world, who) = (world.clone(), partner.principal.clone());
            tokio::spawn(async move {
                world.call("core.application.hire", &who, json!({ "id": application })).await.status
            })
        })
        .collect();
    let mut good = 0;
    for click in clicks {
        match click.await.unwrap() {
            200 => good += 1,
            409 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(good, 1);
    assert_eq!(world.job(&partner, job).await["filled"], 1);
    assert_eq!(world.deal(&athlete, job).await["contract"]["number"], "NIL-2026-000001");
    trust::tried("R6", "calls at once", 100);
}
both!(a_hundred_clicks_hire_once);

async fn the_last_place_is_given_once(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&partner, json!({ "slots": 2 })).await;
    let mut applications = Vec::new();
    for name in ["Zoe A", "Ida B", "Kim C", "Lea D", "Mia E"] {
        let athlete = world.athlete(name).await;
        applications.push((world.apply(&athlete, job).await, athlete));
    }
    let guest = world.athlete("Una Guest").await;
    let invite = json!({ "job_id": job, "athlete_ids": [guest.id] });
    world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    let world = Arc::new(world);
    let hires: Vec<_> = applications
        .iter()
        .map(|(id, _)| {
            let (world, who, id) = (world.clone(), partner.principal.clone(), *id);
            tokio::spawn(async move {
                world.call("core.application.hire", &who, json!({ "id": id })).await.status
            })
        })
        .collect();
    let mut good = 0;
    for hire in hires {
        match hire.await.unwrap() {
            200 => good += 1,
            409 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(good, 2);
    let closed = world.job(&partner, job).await;
    assert_eq!(closed["status"], "closed");
    assert_eq!((&closed["close_reason"], &closed["filled"]), (&json!("filled"), &json!(2)));
    let mut rejected = 0;
    for (_, athlete) in &applications {
        let deal = world.deal(athlete, job).await;
        if deal["status"] == "rejected" {
            assert_eq!(deal["reason"], "position_filled");
            rejected += 1;
        }
    }
    assert_eq!(rejected, 3);
    assert_eq!(world.deal(&guest, job).await["status"], "expired");
}
both!(the_last_place_is_given_once);

async fn only_the_brand_of_the_job_hires(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    let id = json!({ "id": world.apply(&athlete, job).await, "fbp": 17, "fbc": "x" });
    let other = world.partner("Valley Sports").await;
    assert_eq!(world.call("core.application.hire", &other.principal, id.clone()).await.status, 404);
    assert_eq!(
        world.call("core.application.hire", &athlete.principal, id.clone()).await.status,
        403
    );
    let mut wrong = id.clone();
    wrong["fbp"] = json!(["a"]);
    assert_eq!(world.call("core.application.hire", &partner.principal, wrong).await.status, 422);
    let hired = world.call("core.application.hire", &partner.principal, id).await.data();
    // Attribution is off unless the platform enables it.
    assert_eq!(hired["attribution"], json!({ "fbp": null, "fbc": null }));
}
both!(only_the_brand_of_the_job_hires);

async fn a_proposal_becomes_the_agreed_amount(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world
        .open_job(
            &partner,
            json!({ "milestones": [
            { "title": "Later", "platform": "instagram", "media_kind": "post",
              "due_on": "2026-12-20", "amount_cents": 20_000 },
            { "title": "Sooner", "platform": "instagram", "media_kind": "post",
              "due_on": "2026-12-10", "amount_cents": 30_000 },
        ] }),
        )
        .await;
    let apply = json!({ "job_id": job, "proposed_amount_cents": 50_003 });
    let application = world.call("core.application.apply", &athlete.principal, apply).await.data();
    let hire = json!({ "id": application["id"] });
    world.call("core.application.hire", &partner.principal, hire).await.data();
    let deal = world.deal(&athlete, job).await;
    assert_eq!(deal["contract"]["agreed_amount_cents"], 50_003);
    let amounts: Vec<_> = deal["deliverables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| (d["title"].as_str().unwrap(), d["amount_cents"].as_i64().unwrap()))
        .collect();
    assert_eq!(amounts, [("Sooner", 30_002), ("Later", 20_001)]);
}
both!(a_proposal_becomes_the_agreed_amount);

async fn a_minor_needs_the_guardians_consent(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let minor = world.minor("Ana Young").await;
    let job = world.open_job(&partner, json!({ "milestones": in_person() })).await;
    let application = world.apply(&minor, job).await;
    let refused =
        world.call("core.application.hire", &partner.principal, json!({ "id": application })).await;
    assert_eq!((refused.status, refused.code()), (409, "guardian_consent_missing"));
    assert_eq!(world.job(&partner, job).await["filled"], 0);
}
both!(a_minor_needs_the_guardians_consent);

async fn exclusivity_binds_both_ways(world: World) {
    let first = world.hired(json!({ "exclusivity": { "category_id": 2, "days": 60 } })).await;
    let rival = world.partner("Valley Sports").await;
    let same = world.open_job(&rival, json!({ "category_id": 2 })).await;
    let application = world.apply(&first.athlete, same).await;
    let refused =
        world.call("core.application.hire", &rival.principal, json!({ "id": application })).await;
    assert_eq!((refused.status, refused.code()), (409, "exclusivity_conflict"));
    assert!(refused.body["message"].as_str().unwrap().contains("NIL-2026-000001"));
    // The first contract is in category 1: an exclusivity for it comes too late.
    let greedy = json!({ "exclusivity": { "category_id": 1, "days": 10 }, "category_id": 3 });
    let greedy = world.open_job(&rival, greedy).await;
    let application = world.apply(&first.athlete, greedy).await;
    let refused =
        world.call("core.application.hire", &rival.principal, json!({ "id": application })).await;
    assert_eq!(refused.code(), "exclusivity_conflict");
    let elsewhere = world.open_job(&rival, json!({ "category_id": 3 })).await;
    world.hire(&rival, &first.athlete, elsewhere).await;
}
both!(exclusivity_binds_both_ways);

async fn two_brands_with_exclusive_jobs_hire_one_athlete_once(world: World) {
    let (one, other) =
        (world.partner("Ridge Outfitters").await, world.partner("Valley Sports").await);
    let exclusive = json!({ "category_id": 2, "exclusivity": { "category_id": 2, "days": 60 } });
    let rounds = if world.is_sqlite() { 5 } else { 50 };
    let mut twice = Vec::new();
    for round in 0..rounds {
        let athlete = world.athlete(&format!("Zoe Round{round}")).await;
        let mut wanted = Vec::new();
        for brand in [&one, &other] {
            let job = world.open_job(brand, exclusive.clone()).await;
            wanted.push((brand, job, world.apply(&athlete, job).await));
        }
        let bulk =
            |job: i64, id: i64| json!({ "job_id": job, "application_ids": [id], "atomic": true });
        let (a, b) = tokio::join!(
            world.call(
                "core.application.hire",
                &wanted[0].0.principal,
                json!({ "id": wanted[0].2 })
            ),
            world.call(
                "core.application.hire_bulk",
                &wanted[1].0.principal,
                bulk(wanted[1].1, wanted[1].2)
            ),
        );
        let mut told = [a, b].map(|answer| match answer.status {
            200 => "hired".to_owned(),
            _ => answer.code().to_owned(),
        });
        told.sort();
        if told != ["exclusivity_conflict", "hired"] {
            twice.push((round, told));
        }
    }
    assert!(twice.is_empty(), "{twice:?}");
}
both!(two_brands_with_exclusive_jobs_hire_one_athlete_once);

async fn a_hire_and_a_change_of_college_come_one_after_the_other(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let elsewhere = world.college().await;
    for round in 0..if world.is_sqlite() { 3 } else { 15 } {
        let athlete = world.athlete(&format!("Zoe Mover{round}")).await;
        let job = world.open_job(&partner, json!({})).await;
        let application = world.apply(&athlete, job).await;
        let (hired, moved) = tokio::join!(
            world.call("core.application.hire", &partner.principal, json!({ "id": application })),
            world.call(
                "core.athlete.edit",
                &athlete.principal,
                json!({ "university_id": elsewhere })
            ),
        );
        assert!(hired.status == 200 || moved.status == 200, "{} {}", hired.body, moved.body);
    }
    // The hire uses the athlete's current college.
    let torn = "SELECT COUNT(*) AS id FROM contract c JOIN athlete a ON a.id = c.athlete_id \
                    WHERE c.college_id <> a.university_id";
    assert_eq!(world.id(torn).await, 0);
}
both!(a_hire_and_a_change_of_college_come_one_after_the_other);

async fn contracts_that_exclude_each_other_are_found_by_verify(world: World) {
    let hire = world
        .hired(json!({ "category_id": 1, "exclusivity": { "category_id": 2, "days": 60 } }))
        .await;
    let rival = world.partner("Valley Sports").await;
    let job = world.open_job(&rival, json!({ "category_id": 3 })).await;
    world.hire(&rival, &hire.athlete, job).await;
    let problems = async |moved: &'static str| {
        world.id(moved).await;
        payments::verify(&world.platform).await.unwrap().problems()
    };
    // No contract has exclusivity for the third category.
    assert_eq!(problems("UPDATE job SET updated_at = updated_at RETURNING id").await, [""; 0]);
    // The earlier contract has exclusivity for the second.
    let found = problems(
        "UPDATE job SET category_id = 2 WHERE id = (SELECT MAX(id) FROM job) RETURNING id",
    )
    .await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("NIL-2026-000001") && found[0].contains("NIL-2026-000002"),
        "{found:?}"
    );
    // The later one's exclusivity covers the earlier one's category.
    let greedy = "UPDATE job SET category_id = 3, exclusivity = '{\"category_id\": 1, \"days\": 5}' \
                      WHERE id = (SELECT MAX(id) FROM job) RETURNING id";
    assert_eq!(problems(greedy).await.len(), 1);
    // A cancelled contract excludes nothing.
    let off = "UPDATE contract SET status = 'cancelled', cancelled_at = generated_at WHERE number = 'NIL-2026-000001' RETURNING id";
    assert_eq!(problems(off).await, [""; 0]);
}
both!(contracts_that_exclude_each_other_are_found_by_verify);

async fn several_are_hired_each_by_itself_or_all_or_nobody(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&partner, json!({ "slots": 3 })).await;
    let (zoe, ida) = (world.athlete("Zoe A").await, world.athlete("Ida B").await);
    let gone = world.athlete("Kim C").await;
    let good = [world.apply(&zoe, job).await, world.apply(&ida, job).await];
    let withdrawn = world.apply(&gone, job).await;
    world
        .call("core.application.withdraw", &gone.principal, json!({ "id": withdrawn }))
        .await
        .data();

    let ids = json!([good[0], withdrawn, good[1], good[0], 9_999]);
    let atomic = json!({ "job_id": job, "application_ids": ids, "atomic": true });
    let refused = world.call("core.application.hire_bulk", &partner.principal, atomic).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    assert!(refused.body["message"].as_str().unwrap().contains(&withdrawn.to_string()));
    assert_eq!(world.job(&partner, job).await["filled"], 0);

    let each = json!({ "job_id": job, "application_ids": ids });
    let answer = world.call("core.application.hire_bulk", &partner.principal, each).await.data();
    assert_eq!(answer["hired"].as_array().unwrap().len(), 2);
    assert_eq!(answer["hired"][1]["contract"]["number"], "NIL-2026-000002");
    let codes: Vec<_> =
        answer["refused"].as_array().unwrap().iter().map(|r| r["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["illegal_transition", "not_found"]);
    let told = answer["refused"][1]["message"].as_str().unwrap();
    assert!(
        told.starts_with("There is no application ") && told.ends_with(" that you may see."),
        "{told}"
    );
    assert_eq!(world.job(&partner, job).await["filled"], 2);
}
both!(several_are_hired_each_by_itself_or_all_or_nobody);

async fn contracts_are_downloaded_by_whoever_may(world: World) {
    let hire = world.active(json!({ "slots": 5 })).await;
    let job = json!({ "job_id": hire.job });
    let pdf =
        world.call("core.contract.download_as_athlete", &hire.athlete.principal, job.clone()).await;
    assert_eq!(pdf.body["data"], "NIL-2026-000001.pdf");
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    let brand = world.call("core.contract.download", &hire.partner.principal, job.clone()).await;
    assert_eq!(brand.bytes, pdf.bytes);

    let other = world.athlete("Ida Novak").await;
    world.hire(&hire.partner, &other, hire.job).await;
    let which = world.call("core.contract.download", &hire.partner.principal, job.clone()).await;
    assert_eq!((which.status, which.code()), (422, "athlete_required"));
    let named = json!({ "job_id": hire.job, "athlete_id": other.id });
    let named = world.call("core.contract.download", &hire.partner.principal, named).await;
    assert_eq!(named.body["data"], "NIL-2026-000002.pdf");
    let theirs = json!({ "job_id": hire.job, "athlete_id": other.id });
    assert_eq!(
        world.call("core.contract.download", &hire.athlete.principal, theirs).await.status,
        404
    );

    let stranger = world.athlete("Kim Park").await;
    assert_eq!(
        world.call("core.contract.download", &stranger.principal, job.clone()).await.status,
        404
    );
    let agent = world.agent("Agency").await;
    let of = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id });
    assert_eq!(
        world.call("core.contract.download_as_agent", &agent.principal, of.clone()).await.status,
        404
    );
    let officer = |college| Principal::Portal {
        id: PortalUserId::new(1).unwrap(),
        college_id: CollegeId::new(college).unwrap(),
        role: Role::Viewer,
        sports: Vec::new(),
        session: "test".into(),
    };
    let seen = world.deal(&hire.athlete, hire.job).await;
    let college = seen["athlete"]["university_id"].as_i64().unwrap();
    let own = world.call("compliance.contract.download", &officer(college), of.clone()).await;
    assert_eq!(own.bytes, pdf.bytes);
    let elsewhere = world.call("compliance.contract.download", &officer(college + 1), of).await;
    assert_eq!((elsewhere.status, elsewhere.code()), (404, "not_found"));

    // Institutions get executed contracts only; the parties also see unsigned ones.
    let waiting = world.deal(&other, hire.job).await;
    let college = waiting["athlete"]["university_id"].as_i64().unwrap();
    let of = json!({ "job_id": hire.job, "athlete_id": other.id });
    let early = world.call("compliance.contract.download", &officer(college), of.clone()).await;
    assert_eq!((early.status, early.code()), (409, "contract_not_active"));
    assert!(early.body["message"].as_str().unwrap().contains("waits for the athlete"));
    world.pass(chrono::TimeDelta::hours(73));
    nil_core::worker::round(&world.platform).await.unwrap();
    let never = world.call("compliance.contract.download", &officer(college), of).await;
    assert_eq!((never.status, never.code()), (409, "contract_not_active"));
    assert!(never.body["message"].as_str().unwrap().contains("in time"));
    let operator = world.operator(&[Permission::Jobs]);
    assert_eq!(world.call("core.contract.download", &operator, job).await.status, 403);
}
both!(contracts_are_downloaded_by_whoever_may);
