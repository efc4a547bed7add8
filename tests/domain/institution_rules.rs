//! Institutions set dated rules; deals are checked against them when a job is posted, applied to,
//! hired for and paid.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_tests::{World, both};
use serde_json::{Value, json};

/// Supplement promotion: sensitive, and allowed by default.
const SUPPLEMENTS: i64 = 31;

pub(crate) async fn owner_of(world: &World, college: i64) -> Principal {
    world.portal_user(college, "owner").await.0
}

pub(crate) async fn set(world: &World, owner: &Principal, rules: Value) -> Value {
    world.call("compliance.college.save_settings", owner, rules).await.data()
}

pub(crate) fn prohibits(slugs: &[&str]) -> Value {
    json!({ "prohibited_categories": { "categories": slugs } })
}

fn invite_of(job: i64, athletes: &[i64]) -> Value {
    json!({ "job_id": job, "athlete_ids": athletes })
}

async fn settings_begin_with_the_fields_defaults_and_keep_every_change(world: World) {
    let college = world.college().await;
    let (viewer, owner) =
        (world.portal_user(college, "viewer").await.0, owner_of(&world, college).await);
    let show = "compliance.college.settings";
    let first = world.call(show, &viewer, json!({})).await.data();
    assert_eq!(
        (&first["college_id"], &first["time_zone"]),
        (&json!(college), &json!("America/Chicago"))
    );
    assert_eq!(
        first["deadline"],
        json!({ "unit": "business_days", "value": 5, "effective_on": "2025-07-01" })
    );
    assert_eq!(
        first["hold_payouts"],
        json!({ "until_cleared": false, "effective_on": "2021-07-01" })
    );
    assert_eq!(first["changes"], json!([]));
    let prohibited = first["prohibited_categories"]["categories"].as_array().unwrap();
    assert!(prohibited.contains(&json!("gambling")) && prohibited.contains(&json!("weapons")));

    let wanted = json!({
        "digest": "daily", "contact_email": "nil@lakeshore.example", "time_zone": "America/Denver",
        "deadline": { "unit": "days", "value": 7 },
        "f1": { "policy": "block", "effective_on": "2027-01-01" },
        "sponsor_conflicts": { "sponsors": [{ "sponsor": "Valley Sports", "category": "apparel",
            "until": "2028-06-30", "sport_ids": [1] }] },
    });
    let saved = set(&world, &owner, wanted.clone()).await;
    assert_eq!(saved["digest"], "daily");
    assert_eq!(saved["time_zone"], "America/Denver");
    assert_eq!(
        saved["deadline"],
        json!({ "unit": "days", "value": 7, "effective_on": "2026-11-20" })
    );
    // A future rule is not in force yet, and is on record.
    assert_eq!(saved["f1"], json!({ "policy": "warn", "effective_on": "2021-07-01" }));
    assert_eq!(saved["changes"].as_array().unwrap().len(), 3);
    assert_eq!(saved["changes"][0]["rule"], "f1");
    assert_eq!(saved["changes"][0]["effective_on"], "2027-01-01");
    // Entering the same rule again adds nothing.
    let again = set(&world, &owner, wanted).await;
    assert_eq!(again["changes"].as_array().unwrap().len(), 3);
    world.pass(TimeDelta::days(43));
    let later = world.call(show, &viewer, json!({})).await.data();
    assert_eq!(later["f1"], json!({ "policy": "block", "effective_on": "2027-01-01" }));

    let audit = world.id(&format!(
            "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'college' AND subject_id = {college} \
             AND action = 'rules_changed' AND after IS NOT NULL AND before IS NOT NULL"
        )).await;
    assert_eq!(audit, 1);
}
both!(settings_begin_with_the_fields_defaults_and_keep_every_change);

async fn bad_settings_are_refused_by_field(world: World) {
    let college = world.college().await;
    let owner = owner_of(&world, college).await;
    let window = json!({ "name": "Finals", "from": "2026-12-10", "until": "2026-12-01" });
    for (field, input) in [
        ("deadline.value", json!({ "deadline": { "unit": "days", "value": 0 } })),
        (
            "deadline.effective_on",
            json!({ "deadline": { "unit": "days", "value": 3, "effective_on": "2026-11-19" } }),
        ),
        ("threshold.amount_cents", json!({ "threshold": { "amount_cents": -1, "scope": "deal" } })),
        ("approval.requirement", json!({ "approval": { "requirement": "some" } })),
        ("prohibited_categories", prohibits(&["gambling", "fun"])),
        ("restricted_categories", json!({ "restricted_categories": { "categories": ["x"] } })),
        (
            "sponsor_conflicts",
            json!({ "sponsor_conflicts": { "sponsors": [{ "sponsor": "A", "category": "nothing" }] } }),
        ),
        (
            "sponsor_conflicts",
            json!({ "sponsor_conflicts": { "sponsors": [{ "sponsor": "A", "category": "apparel", "sport_ids": [9_999] }] } }),
        ),
        ("blackouts.windows.0.until", json!({ "blackouts": { "windows": [window] } })),
        ("agent_notice.hours", json!({ "agent_notice": { "hours": 721 } })),
        ("automatic_flags.flags.0", json!({ "automatic_flags": { "flags": ["odd"] } })),
        ("time_zone", json!({ "time_zone": "Denver" })),
        ("contact_email", json!({ "contact_email": "nobody" })),
        ("digest", json!({ "digest": "hourly" })),
    ] {
        let answer = world.call("compliance.college.save_settings", &owner, input).await;
        assert_eq!((answer.status, answer.code()), (422, "validation_failed"), "{field}");
        assert!(answer.body["errors"][field].is_array(), "{field}: {}", answer.body);
    }
    let untouched = world.call("compliance.college.settings", &owner, json!({})).await.data();
    assert_eq!(untouched["changes"], json!([]));
    let officer = world.portal_user(college, "officer").await.0;
    let refused = world.call("compliance.college.save_settings", &officer, json!({})).await;
    assert_eq!(refused.status, 403);
}
both!(bad_settings_are_refused_by_field);

async fn what_one_school_prohibits_another_allows(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let (strict, open) = (world.college().await, world.college().await);
    let owner = owner_of(&world, strict).await;
    set(&world, &owner, prohibits(&["supplement_promotion", "gambling"])).await;
    let athlete = world.athlete_of("Zoe Okafor", strict).await;
    let other = world.athlete_of("Ida Novak", open).await;

    // The brand and the operator see which institutions would refuse the job.
    let post = nil_tests::a_job(json!({ "category_id": SUPPLEMENTS }));
    let posted = world.call("core.job.save", &partner.principal, post).await.data();
    let told = posted["refusing_institutions"].as_array().unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (&told[0]["college_id"], &told[0]["code"]),
        (&json!(strict), &json!("category_prohibited"))
    );
    assert_eq!(told[0]["since"], "2026-11-20");
    let operator = world.operator(&[Permission::Jobs]);
    let which = json!({ "id": posted["id"] });
    let view = world.call("admin.job.view", &operator, which).await.data();
    assert_eq!(view["refusing_institutions"], posted["refusing_institutions"]);
    let job = posted["id"].as_i64().unwrap();
    let decision = json!({ "job_id": job, "status": "open" });
    world.call("admin.job.decide_pending", &operator, decision).await.data();

    // It stays visible to everyone.
    let seen = world.call("core.job.detail", &athlete.principal, json!({ "job_id": job })).await;
    assert_eq!(seen.status, 200);
    let refused =
        world.call("core.application.apply", &athlete.principal, json!({ "job_id": job })).await;
    assert_eq!((refused.status, refused.code()), (409, "category_prohibited"));
    let message = refused.body["message"].as_str().unwrap();
    assert!(
        message.contains("`prohibited_categories`") && message.contains("2026-11-20"),
        "{message}"
    );
    world.hire(&partner, &other, job).await;
}
both!(what_one_school_prohibits_another_allows);

async fn whom_a_rule_keeps_from_applying_is_not_invited(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let (strict, restricting, open) =
        (world.college().await, world.college().await, world.college().await);
    set(&world, &owner_of(&world, strict).await, prohibits(&["supplement_promotion"])).await;
    let restricts = json!({ "restricted_categories": { "categories": ["supplement_promotion"] } });
    set(&world, &owner_of(&world, restricting).await, restricts).await;
    let mut later = prohibits(&["supplement_promotion"]);
    later["prohibited_categories"]["effective_on"] = json!("2026-11-21");
    set(&world, &owner_of(&world, open).await, later).await;
    let job = world.open_job(&partner, json!({ "category_id": SUPPLEMENTS })).await;
    let barred = world.athlete_of("Zoe Okafor", strict).await;
    // Her school must consent before she is hired, not before she is invited.
    let asked = world.athlete_of("Kim Park", restricting).await;
    let free = world.athlete_of("Ida Novak", open).await;
    let invite =
        |input: Value| world.call("core.application.invite_bulk", &partner.principal, input);
    let answer = invite(invite_of(job, &[barred.id, asked.id, free.id])).await.data();
    let invited: Vec<_> =
        answer["invited"].as_array().unwrap().iter().map(|a| a["athlete_id"].clone()).collect();
    assert_eq!(invited, [json!(asked.id), json!(free.id)]);
    let refused = answer["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(
        (&refused[0]["id"], &refused[0]["code"]),
        (&json!(barred.id), &json!("category_prohibited"))
    );
    let message = refused[0]["message"].as_str().unwrap();
    assert!(
        message.contains("`prohibited_categories`") && message.contains("2026-11-20"),
        "{message}"
    );
    // Nothing is written for her: no invitation and no notification.
    let accept = json!({ "job_id": job, "accept": true });
    let none = world.call("core.application.respond_invitation", &barred.principal, accept).await;
    assert_eq!(none.status, 404);
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(world.mail(&barred.email, "invitation.received").await, None);
    assert!(world.mail(&free.email, "invitation.received").await.is_some());
    // A future rule applies from its first day, and a blackout is checked against the job's
    // milestones.
    world.pass(TimeDelta::days(1));
    let new = world.athlete_of("Lea Dahl", open).await;
    let answer = invite(invite_of(job, &[new.id])).await.data();
    assert_eq!(answer["refused"][0]["code"], "category_prohibited");
    let finals = json!({ "name": "Finals", "from": "2026-12-20", "until": "2026-12-22" });
    let college = world.college().await;
    set(&world, &owner_of(&world, college).await, json!({ "blackouts": { "windows": [finals] } }))
        .await;
    let plain = world.open_job(&partner, json!({})).await;
    let busy = world.athlete_of("Mia Lund", college).await;
    let answer = invite(invite_of(plain, &[busy.id, free.id])).await.data();
    assert_eq!(
        (&answer["refused"][0]["id"], &answer["refused"][0]["code"]),
        (&json!(busy.id), &json!("blackout"))
    );
    assert_eq!(answer["invited"][0]["athlete_id"], free.id);
}
both!(whom_a_rule_keeps_from_applying_is_not_invited);

async fn the_fields_defaults_hold_for_everybody_who_says_nothing(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    // Alcohol promotion, and a brand that has become a sportsbook.
    let alcohol = nil_tests::a_job(json!({ "category_id": 28 }));
    let posted = world.call("core.job.save", &partner.principal, alcohol).await.data();
    assert_eq!(posted["refusing_institutions"][0]["college_id"], Value::Null);
    let job = world.open_job(&partner, json!({})).await;
    let application = world.apply(&athlete, job).await;
    let partner_id = partner.id;
    world
        .id(&format!(
            "UPDATE partner SET business_category_id = 28 WHERE id = {partner_id} RETURNING id"
        ))
        .await;
    let hire = json!({ "id": application });
    let refused = world.call("core.application.hire", &partner.principal, hire).await;
    assert_eq!((refused.status, refused.code()), (409, "category_prohibited"));
    assert!(refused.body["message"].as_str().unwrap().contains("2021-07-01"));
    assert_eq!(world.job(&partner, job).await["filled"], 0);
    // In bulk it is one refused line among others.
    let bulk = json!({ "job_id": job, "application_ids": [application] });
    let answer = world.call("core.application.hire_bulk", &partner.principal, bulk).await.data();
    assert_eq!(answer["refused"][0]["code"], "category_prohibited");
}
both!(the_fields_defaults_hold_for_everybody_who_says_nothing);

async fn a_rule_of_tomorrow_bites_tomorrow(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let college = world.college().await;
    let owner = owner_of(&world, college).await;
    let mut rule = prohibits(&["supplement_promotion"]);
    rule["prohibited_categories"]["effective_on"] = json!("2026-11-21");
    set(&world, &owner, rule).await;
    let job = world.open_job(&partner, json!({ "category_id": SUPPLEMENTS, "slots": 3 })).await;
    let hired = world.athlete_of("Zoe Okafor", college).await;
    let waiting = world.athlete_of("Ida Novak", college).await;
    let hire_of_today = world.hire(&partner, &hired, job).await;
    let application = world.apply(&waiting, job).await;

    // 05:59 UTC of the 21st is still the 20th in Chicago; a minute later it is not.
    world.pass(TimeDelta::hours(17) + TimeDelta::minutes(59));
    let late = world.athlete_of("Kim Park", college).await;
    let also = world.athlete_of("Lea Dahl", college).await;
    world.apply(&late, job).await;
    world.pass(TimeDelta::minutes(1));
    let apply =
        world.call("core.application.apply", &also.principal, json!({ "job_id": job })).await;
    assert_eq!(apply.code(), "category_prohibited");
    assert!(apply.body["message"].as_str().unwrap().contains("2026-11-21"));
    let hire =
        world.call("core.application.hire", &partner.principal, json!({ "id": application })).await;
    assert_eq!(hire.code(), "category_prohibited");
    // Athletes hired before continue, and are paid.
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &hired.principal, confirm).await.data();
    world.approve(&hire_of_today, hire_of_today.deliverables[0]).await;
    let pay = json!({ "athlete_id": hired.id, "job_id": job });
    let paid = world.call("core.payment.pay_with_saved_card", &partner.principal, pay).await.data();
    assert_eq!(paid["status"], "succeeded");
}
both!(a_rule_of_tomorrow_bites_tomorrow);

async fn sponsors_and_blackouts_are_named(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let college = world.college().await;
    let owner = owner_of(&world, college).await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = world.open_job(&partner, json!({})).await;
    let apply = json!({ "job_id": job });
    let finals =
        json!({ "name": "Finals", "from": "2026-12-20", "until": "2026-12-22", "sport_ids": [1] });
    set(&world, &owner, json!({ "blackouts": { "windows": [finals] } })).await;
    let refused = world.call("core.application.apply", &athlete.principal, apply.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "blackout"));
    let message = refused.body["message"].as_str().unwrap();
    assert!(message.contains("Finals") && message.contains("2026-12-20"), "{message}");
    set(&world, &owner, json!({ "blackouts": { "windows": [] },
            "sponsor_conflicts": { "sponsors": [{ "sponsor": "Valley Sports", "category": "restaurants" }] } })).await;
    let refused = world.call("core.application.apply", &athlete.principal, apply.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "sponsor_conflict"));
    assert!(refused.body["message"].as_str().unwrap().contains("Valley Sports"));
    // The sponsor itself is allowed.
    set(&world, &owner, json!({
            "sponsor_conflicts": { "sponsors": [{ "sponsor": "Ridge Outfitters, Inc.", "category": "restaurants" }] } })).await;
    world.call("core.application.apply", &athlete.principal, apply).await.data();
}
both!(sponsors_and_blackouts_are_named);

async fn a_restricted_category_waits_for_the_institutions_word(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let college = world.college().await;
    let (owner, officer) =
        (owner_of(&world, college).await, world.portal_user(college, "officer").await.0);
    set(
        &world,
        &owner,
        json!({ "restricted_categories": { "categories": ["supplement_promotion"] } }),
    )
    .await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = world.open_job(&partner, json!({ "category_id": SUPPLEMENTS })).await;
    let word = |athlete: i64| json!({ "athlete_id": athlete, "job_id": job, "granted": true, "note": "Tested product." });
    let consent = "compliance.college.consent_to_job";
    assert_eq!(world.call(consent, &officer, word(athlete.id)).await.status, 404);
    let application = world.apply(&athlete, job).await;
    let hire = json!({ "id": application });
    let refused = world.call("core.application.hire", &partner.principal, hire.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "category_restricted"));

    let stranger = world.portal_user(world.college().await, "officer").await.0;
    assert_eq!(world.call(consent, &stranger, word(athlete.id)).await.status, 404);
    let viewer = world.portal_user(college, "viewer").await.0;
    assert_eq!(world.call(consent, &viewer, word(athlete.id)).await.status, 403);
    let given = world.call(consent, &officer, word(athlete.id)).await.data();
    assert_eq!(given["granted"], true);
    let mut back = word(athlete.id);
    back["granted"] = json!(false);
    world.call(consent, &officer, back).await.data();
    let refused = world.call("core.application.hire", &partner.principal, hire.clone()).await;
    assert_eq!(refused.code(), "category_restricted");
    world.call(consent, &officer, word(athlete.id)).await.data();
    world.call("core.application.hire", &partner.principal, hire).await.data();
}
both!(a_restricted_category_waits_for_the_institutions_word);

async fn a_visa_is_warned_of_or_blocked(world: World) {
    let partner = world.paying_partner("Ridge Outfitters").await;
    let college = world.college().await;
    let owner = owner_of(&world, college).await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let job = world.open_job(&partner, json!({})).await;
    let set_visa = "core.athlete.set_visa_status";
    let said = world.call(set_visa, &athlete.principal, json!({ "status": "f1" })).await.data();
    assert_eq!(said["status"], "f1");
    assert_eq!(
        world.call(set_visa, &athlete.principal, json!({ "status": "h1" })).await.status,
        422
    );
    let applied = world
        .call("core.application.apply", &athlete.principal, json!({ "job_id": job }))
        .await
        .data();
    let warning = applied["warnings"][0].as_str().unwrap();
    assert!(warning.contains("F-1") && warning.contains("2021-07-01"), "{warning}");

    set(&world, &owner, json!({ "f1": { "policy": "block" } })).await;
    let hire = json!({ "id": applied["id"] });
    let refused = world.call("core.application.hire", &partner.principal, hire.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "visa_status"));
    let another = world.open_job(&partner, json!({})).await;
    let refused = world
        .call("core.application.apply", &athlete.principal, json!({ "job_id": another }))
        .await;
    assert_eq!(refused.code(), "visa_status");

    // Hired and executed under that rule; the visa stated later stops the payment.
    world.call(set_visa, &athlete.principal, json!({ "status": "none" })).await.data();
    let deal = world.approved_deal(&partner, &athlete, &[20_000]).await;
    world.call(set_visa, &athlete.principal, json!({ "status": "f1" })).await.data();
    let pay = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let refused =
        world.call("core.payment.pay_with_saved_card", &partner.principal, pay.clone()).await;
    assert_eq!((refused.status, refused.code()), (409, "visa_status"));
    set(&world, &owner, json!({ "f1": { "policy": "warn" } })).await;
    // What the institution no longer forbids is paid.
    world.call("core.payment.pay_with_saved_card", &partner.principal, pay).await.data();
}
both!(a_visa_is_warned_of_or_blocked);
