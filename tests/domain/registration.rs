//! Registration: steps in any order, a code, and refusals.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::notifications::outbox;
use nil_core::storage::sql;
use nil_core::worker;
use nil_tests::{PASSWORD, World, both, trust};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;

async fn people_of_every_kind_register_and_are_logged_in(world: World) {
    for (kind, person) in [
        ("athlete", world.athlete("Jordan Miles").await),
        ("partner", world.partner("Corner Bakery").await),
        ("agent", world.agent("Summit Sports").await),
        ("fan", world.fan("Casey Field").await),
    ] {
        let me = world.call("core.auth.me", &person.principal, json!({})).await.data();
        assert_eq!(me["kind"], kind);
        assert_eq!(me["status"], "active");
        assert_eq!(me["email"], person.email);
        assert_eq!(me["onboarding_step"], Value::Null);
        assert_eq!(me["email_verified_at"].is_null(), kind == "fan");
        assert_eq!(me["profile"]["id"], person.id);
    }
}
both!(people_of_every_kind_register_and_are_logged_in);

async fn a_new_athlete_is_listed_available_and_ready(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let profile =
        world.call("core.auth.me", &athlete.principal, json!({})).await.data()["profile"].clone();
    assert_eq!(profile["display_name"], "Jordan Miles");
    assert_eq!(profile["listed"], true);
    assert_eq!(profile["available"], true);
    assert_eq!(profile["share_slug"], format!("jordan-miles-{}", athlete.id));
    assert_eq!(profile["readiness"], json!({ "percent": 100, "missing": [] }));
    assert_eq!(profile["socials"][0]["handle"], "lake");
    assert_eq!(profile["payout_account"]["status"], "none");
}
both!(a_new_athlete_is_listed_available_and_ready);

async fn a_minor_is_not_listed_and_the_guardian_consents_by_a_link(world: World) {
    let minor = world.minor("Robin Young").await;
    let profile =
        world.call("core.auth.me", &minor.principal, json!({})).await.data()["profile"].clone();
    assert_eq!(profile["listed"], false);
    assert_eq!(profile["readiness"]["missing"], json!(["guardian_consent"]));
    let rows = outbox::list(&world.platform, 100).await.unwrap();
    let guardian = rows.iter().find(|row| row.event == "guardian.consent").unwrap();
    let ask = "core.athlete.ask_guardian";
    let old = world.link_for(&guardian.to, "guardian.consent").await;
    world.call(ask, &minor.principal, json!({})).await.data();
    let token = world.link_for(&guardian.to, "guardian.consent").await;
    assert_ne!(old, token);
    let consent = json!({ "token": token, "accept": true });
    let answer = world.call("core.registration.guardian_consent", &NOBODY, consent.clone()).await;
    assert_eq!(answer.data(), json!({ "athlete_id": minor.id, "accepted": true }));
    let again = world.call("core.registration.guardian_consent", &NOBODY, consent).await;
    assert_eq!((again.status, again.code()), (422, "token_invalid"));
    let me = world.call("core.auth.me", &minor.principal, json!({})).await.data();
    assert_eq!(me["profile"]["readiness"]["percent"], 100);
    assert_eq!(world.call(ask, &minor.principal, json!({})).await.status, 409);
    let grown = world.athlete("Jordan Miles").await;
    assert_eq!(world.call(ask, &grown.principal, json!({})).await.status, 404);
}
both!(a_minor_is_not_listed_and_the_guardian_consents_by_a_link);

async fn steps_come_in_any_order_and_each_says_what_is_missing(world: World) {
    let college = world.college().await;
    let started = world.call("core.registration.athlete_start", &NOBODY, json!({})).await.data();
    let token = started["registration_token"].as_str().unwrap().to_owned();
    assert_eq!(started["completed_steps"], json!(["register"]));
    assert_eq!(
        started["missing_steps"],
        json!(["first_name", "last_name", "phone", "step2", "step4", "step5", "step8"])
    );
    let person = json!({ "date_of_birth": "2005-03-14", "last_name": "Miles" });
    world.step("core.registration.athlete_person", &token, person).await;
    let team = json!({ "sport_id": 1, "university_id": college, "phone": "+12175550123" });
    let after = world.step("core.registration.athlete_team", &token, team).await;
    assert_eq!(after["registration_token"], token);
    assert_eq!(after["completed_steps"], json!(["register", "step4", "step5"]));
    assert_eq!(after["missing_steps"], json!(["first_name", "step2", "step8"]));

    // Too early: the last step names what is missing.
    let registrant = world.registrant(&token).await;
    let verify = "core.registration.athlete_verify";
    let early = world.call(verify, &registrant, json!({ "otp": "000000" })).await;
    assert_eq!((early.status, early.code()), (422, "registration_steps_missing"));
    assert_eq!(
        early.body["errors"],
        json!({ "first_name": ["is missing"], "step2": ["is missing"] })
    );

    // Whichever step comes last sends the code.
    let credentials =
        json!({ "email": "Jordan@Example.com", "password": PASSWORD, "first_name": "Jordan" });
    let after = world.step("core.registration.athlete_credentials", &token, credentials).await;
    assert_eq!(after["missing_steps"], json!(["step8"]));
    let otp = json!({ "otp": world.code_for("jordan@example.com").await });
    let welcome = world.call(verify, &registrant, otp).await.data();
    assert_eq!(welcome["token_type"], "Bearer");
    assert_eq!(welcome["user"]["email"], "jordan@example.com");

    // The token no longer works.
    let late = world
        .call(
            "core.registration.athlete_team",
            &registrant,
            json!({ "sport_id": 2, "university_id": college }),
        )
        .await;
    assert_eq!((late.status, late.code()), (409, "illegal_transition"));
}
both!(steps_come_in_any_order_and_each_says_what_is_missing);

async fn a_registration_that_nobody_finished_is_erased_by_and_by(world: World) {
    let finished = world.athlete("Jordan Miles").await;
    let college = world.college().await;
    let started = world.call("core.registration.athlete_start", &NOBODY, json!({})).await.data();
    let token = started["registration_token"].as_str().unwrap().to_owned();
    let person = json!({
        "date_of_birth": "2009-03-14", "hometown_city": "Urbana", "bio": "Runs far", "last_name": "Young",
        "guardian": { "name": "Alex Young", "email": "alex@example.com" },
    });
    world.step("core.registration.athlete_person", &token, person).await;
    let team = json!({ "sport_id": 1, "university_id": college, "phone": "+12175550123" });
    world.step("core.registration.athlete_team", &token, team).await;
    let credentials =
        json!({ "email": "robin@example.com", "password": PASSWORD, "first_name": "Robin" });
    world.step("core.registration.athlete_credentials", &token, credentials).await;
    let said = "SELECT (SELECT COUNT(*) FROM guardian) + (SELECT COUNT(*) FROM app_user WHERE status = 'onboarding' \
            AND email = 'robin@example.com' AND last_name = 'Young' AND phone IS NOT NULL) \
            + (SELECT COUNT(*) FROM athlete WHERE date_of_birth = '2009-03-14' AND hometown_city = 'Urbana')";
    assert_eq!(world.id(said).await, 3);

    world.pass(TimeDelta::days(30));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(world.id(said).await, 3, "thirty days after the token's own day");
    world.pass(TimeDelta::days(2));
    assert_eq!(worker::round(&world.platform).await.unwrap().failed, []);
    assert_eq!(world.id(said).await, 0);
    let traces = "SELECT (SELECT COUNT(*) FROM app_user WHERE status = 'deactivated' AND email IS NULL \
            AND password_hash IS NULL AND first_name IS NULL AND last_name IS NULL AND phone IS NULL) \
            + 10 * (SELECT COUNT(*) FROM registration)";
    assert_eq!(world.id(traces).await, 1, "one account is closed, and no token is kept");
    let me = world.call("core.auth.me", &finished.principal, json!({})).await.data();
    assert_eq!((&me["status"], &me["email"]), (&json!("active"), &json!(finished.email)));
    world.pass(TimeDelta::minutes(2));
    worker::round(&world.platform).await.unwrap();
    world.pass(TimeDelta::minutes(2));
    let idle = worker::round(&world.platform);
    let (_, watched) = world.platform.db().watched(idle).await.unwrap();
    assert_eq!(watched.transactions, 0, "it is done once");
}
both!(a_registration_that_nobody_finished_is_erased_by_and_by);

async fn a_code_can_be_tried_five_times(world: World) {
    let (token, email) = world.awaiting_code().await;
    let registrant = world.registrant(&token).await;
    let verify = "core.registration.partner_verify";
    let code = world.code_for(&email).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for _ in 0..4 {
        let answer = world.call(verify, &registrant, json!({ "otp": wrong })).await;
        assert_eq!((answer.status, answer.code()), (422, "otp_invalid"));
        assert!(answer.body["errors"]["otp"].is_array());
    }
    for otp in [wrong, &code] {
        let answer = world.call(verify, &registrant, json!({ "otp": otp })).await;
        assert_eq!((answer.status, answer.code()), (422, "otp_exhausted"));
    }
    world.call("core.registration.resend_code", &registrant, json!({})).await.data();
    let otp = json!({ "otp": world.code_for(&email).await });
    world.call(verify, &registrant, otp).await.data();
    trust::tried("A8", "guesses", 6);
}
both!(a_code_can_be_tried_five_times);

async fn a_hundred_guesses_at_once_count_as_a_hundred(world: World) {
    let (token, email) = world.awaiting_code().await;
    let registrant = world.registrant(&token).await;
    let code: u32 = world.code_for(&email).await.parse().unwrap();
    let guesses = (1..=100).map(|step| {
        let otp = json!({ "otp": format!("{:06}", (code + step) % 1_000_000) });
        world.call("core.registration.partner_verify", &registrant, otp)
    });
    let answers = futures::future::join_all(guesses).await;
    let counted = answers.iter().filter(|answer| answer.code() == "otp_invalid").count();
    assert_eq!(counted, 4);
    trust::tried("A8", "guesses", 100);
}
both!(a_hundred_guesses_at_once_count_as_a_hundred);

async fn a_code_expires_after_ten_minutes(world: World) {
    let (token, email) = world.awaiting_code().await;
    let registrant = world.registrant(&token).await;
    let otp = json!({ "otp": world.code_for(&email).await });
    world.pass(TimeDelta::minutes(10));
    let late = world.call("core.registration.partner_verify", &registrant, otp).await;
    assert_eq!((late.status, late.code()), (422, "otp_invalid"));
}
both!(a_code_expires_after_ten_minutes);

async fn a_code_for_the_old_address_does_not_verify_the_new_one(world: World) {
    let (token, email) = world.awaiting_code().await;
    let registrant = world.registrant(&token).await;
    let old = json!({ "otp": world.code_for(&email).await });
    let credentials = json!({ "email": "new@example.com", "password": PASSWORD });
    world.step("core.registration.partner_credentials", &token, credentials).await;
    let answer = world.call("core.registration.partner_verify", &registrant, old.clone()).await;
    let new = json!({ "otp": world.code_for("new@example.com").await });
    if new != old {
        assert_eq!(answer.code(), "otp_invalid");
    }
    world.call("core.registration.partner_verify", &registrant, new).await.data();
}
both!(a_code_for_the_old_address_does_not_verify_the_new_one);

async fn an_unverified_registration_keeps_its_email_from_nobody(world: World) {
    let (first, email) = world.awaiting_code().await;
    let code = json!({ "otp": world.code_for(&email).await });
    let free = json!({ "email": email });
    let check = "core.auth.check_email";
    let answer = world.call(check, &NOBODY, free.clone()).await.data();
    assert_eq!(answer, json!({ "available": true }));
    // Whoever lost the token begins anew with the same e-mail.
    let again = world.call("core.registration.fan_start", &NOBODY, json!({})).await.data();
    let again = again["registration_token"].as_str().unwrap().to_owned();
    let credentials = json!({ "email": email, "password": PASSWORD });
    world.step("core.registration.fan_credentials", &again, credentials.clone()).await;
    // The first one asks for an e-mail again, and says so; its code is void.
    let registrant = world.registrant(&first).await;
    let late = world.call("core.registration.partner_verify", &registrant, code).await;
    assert_eq!((late.status, late.code()), (422, "registration_steps_missing"));
    assert_eq!(late.body["errors"]["step2"][0], "is missing");
    let back =
        world.call("core.registration.partner_credentials", &registrant, credentials.clone()).await;
    assert_eq!(back.data()["missing_steps"], json!(["step10"]));
    let code = json!({ "otp": world.code_for(&email).await });
    world.call("core.registration.partner_verify", &registrant, code).await.data();
    // A verified e-mail is taken.
    let answer = world.call(check, &NOBODY, free).await.data();
    assert_eq!(answer, json!({ "available": false }));
    let again = world.registrant(&again).await;
    let taken = world.call("core.registration.fan_credentials", &again, credentials).await;
    assert_eq!((taken.status, taken.code()), (409, "email_taken"));
}
both!(an_unverified_registration_keeps_its_email_from_nobody);

async fn what_is_wrong_is_named(world: World) {
    let college = world.college().await;
    let (token, email) = world.start("athlete", "Jordan Miles").await;
    let registrant = world.registrant(&token).await;
    let guardian = json!({ "name": "Robin Miles", "email": email });
    for (step, field, input) in [
        ("credentials", "password", json!({ "email": "a@b.co", "password": "sunshine" })),
        ("credentials", "password", json!({ "email": "a@b.co", "password": "short" })),
        ("credentials", "email", json!({ "email": "nobody", "password": PASSWORD })),
        ("team", "sport_id", json!({ "sport_id": 999, "university_id": college })),
        ("team", "university_id", json!({ "sport_id": 1, "university_id": 999 })),
        ("person", "date_of_birth", json!({ "date_of_birth": "2020-01-01" })),
        ("person", "date_of_birth", json!({ "date_of_birth": "yesterday" })),
        ("person", "guardian", json!({ "date_of_birth": "2009-06-01" })),
        (
            "person",
            "guardian.email",
            json!({ "date_of_birth": "2009-06-01", "guardian": guardian }),
        ),
        (
            "person",
            "hometown_state",
            json!({ "date_of_birth": "2005-06-01", "hometown_state": "ZZ" }),
        ),
        (
            "person",
            "socials.1.platform",
            json!({ "date_of_birth": "2005-06-01", "socials": [
                { "platform": "x", "handle": "a" }, { "platform": "x", "handle": "b" },
            ] }),
        ),
        (
            "person",
            "socials.0.followers",
            json!({ "date_of_birth": "2005-06-01", "socials": [
                { "platform": "x", "handle": "a", "followers": -1 },
            ] }),
        ),
    ] {
        let operation = format!("core.registration.athlete_{step}");
        let answer = world.call(&operation, &registrant, input).await;
        assert_eq!(answer.status, 422, "{field}: {}", answer.body);
        assert!(answer.body["errors"][field].is_array(), "{field}: {}", answer.body);
    }
}
both!(what_is_wrong_is_named);

async fn every_door_is_for_one_kind_of_registration(world: World) {
    let (token, _) = world.start("athlete", "Jordan Miles").await;
    let registrant = world.registrant(&token).await;
    let company = json!({ "company_name": "Corner Bakery" });
    let step = "core.registration.partner_company";
    assert_eq!(world.call(step, &registrant, company.clone()).await.status, 403);
    assert_eq!(world.call(step, &NOBODY, company.clone()).await.status, 401);
    let athlete = world.athlete("Robin Miles").await;
    assert_eq!(world.call(step, &athlete.principal, company).await.status, 403);
    // And a registration token admits to nothing else.
    assert_eq!(world.call("core.auth.me", &registrant, json!({})).await.status, 403);
}
both!(every_door_is_for_one_kind_of_registration);

async fn a_fan_is_active_at_once_and_verifies_the_email_later(world: World) {
    let college = world.college().await;
    let (token, _) = world.start("fan", "Casey Field").await;
    let registrant = world.registrant(&token).await;
    let university = json!({ "university_id": college });
    let early = world.call("core.registration.fan_university", &registrant, university).await;
    assert_eq!((early.status, early.code()), (422, "registration_steps_missing"));
    let resend = world.call("core.registration.resend_code", &registrant, json!({})).await;
    assert_eq!(resend.status, 422);

    let fan = world.fan("Casey Meadow").await;
    let token = world.link_for(&fan.email, "email.verify").await;
    let verify = json!({ "token": token });
    world.call("core.auth.verify_email", &NOBODY, verify.clone()).await.data();
    let me = world.call("core.auth.me", &fan.principal, json!({})).await.data();
    assert!(me["email_verified_at"].is_string());
    let again = world.call("core.auth.verify_email", &NOBODY, verify).await;
    assert_eq!((again.status, again.code()), (422, "token_invalid"));
}
both!(a_fan_is_active_at_once_and_verifies_the_email_later);

async fn the_same_key_finishes_once_with_the_same_token(world: World) {
    let (token, email) = world.awaiting_code().await;
    let registrant = world.registrant(&token).await;
    let otp = json!({ "otp": world.code_for(&email).await });
    let verify = "core.registration.partner_verify";
    let first = world.call_with_key(verify, &registrant, otp.clone(), Some("k")).await;
    let again = world.call_with_key(verify, &registrant, otp, Some("k")).await;
    assert_eq!(first.status, 200);
    assert_eq!(first.bytes, again.bytes);
}
both!(the_same_key_finishes_once_with_the_same_token);

async fn no_secret_is_left_readable(world: World) {
    let minor = world.minor("Robin Young").await;
    let code = world.code_for(&minor.email).await;
    world.call("core.auth.forget_password", &NOBODY, json!({ "email": minor.email })).await.data();
    let link = world.link_for(&minor.email, "password.reset").await;
    let token = minor.token.clone().unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    let mut seen = String::new();
    for text in [
        "SELECT COALESCE(CAST(before AS TEXT), '') || COALESCE(CAST(after AS TEXT), '') \
             || action || actor FROM audit_entry",
        "SELECT COALESCE(subject, '') || COALESCE(body, '') || CAST(data AS TEXT) FROM outbox",
        "SELECT token_hash FROM link_token",
        "SELECT mark FROM one_time_code",
        "SELECT id FROM session",
        "SELECT password_hash FROM app_user",
    ] {
        for (row,) in session.all::<(String,)>(sql(text)).await.unwrap() {
            seen.push_str(&row);
        }
    }
    assert!(seen.contains("registered"));
    for secret in [code.as_str(), &link, &token, PASSWORD] {
        assert!(!seen.contains(secret), "{secret}");
    }
}
both!(no_secret_is_left_readable);
