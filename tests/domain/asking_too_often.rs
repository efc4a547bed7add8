//! Limits on anonymous requests: mails to an address, guesses at a code, guesses at a password.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use futures::future::join_all;
use nil_core::auth::{Permission, Principal};
use nil_core::notifications::outbox;
use nil_tests::{Answer, PASSWORD, World, both, trust};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;
const RESEND: &str = "core.registration.resend_code";
const FORGET: &str = "core.auth.forget_password";
const VERIFY: &str = "core.registration.partner_verify";

/// A brand's registration that was sent a code.
async fn sent_a_code(world: &World) -> (Principal, String) {
    let (token, email) = world.awaiting_code().await;
    (world.registrant(&token).await, email)
}

async fn mails_to(world: &World, address: &str) -> usize {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    rows.iter().filter(|row| row.to == address).count()
}

async fn log_in(world: &World, email: &str, password: &str) -> Answer {
    let input = json!({ "email": email, "password": password });
    world.call("core.auth.log_in", &NOBODY, input).await
}

async fn an_address_is_sent_three_mails_in_ten_minutes_and_ten_a_day(world: World) {
    let (registrant, email) = sent_a_code(&world).await;
    let other = world.replica().await;
    for server in [&world, &other] {
        server.call(RESEND, &registrant, json!({})).await.data();
    }
    // The fourth is refused on every server, and from other registrations for the same inbox.
    for server in [&world, &other] {
        let refused = server.call(RESEND, &registrant, json!({})).await;
        assert_eq!((refused.status, refused.code()), (429, "too_many_mails"));
    }
    let (token, _) = world.start("athlete", "Jordan Miles").await;
    let person = json!({ "date_of_birth": "2005-03-14" });
    let inbox = email.replace('@', "+2@");
    let credentials = json!({ "email": inbox, "password": PASSWORD });
    world.step("core.registration.athlete_credentials", &token, credentials).await;
    let second = world.registrant(&token).await;
    let refused = world.call("core.registration.athlete_person", &second, person).await;
    assert_eq!((refused.status, refused.code()), (429, "too_many_mails"));
    assert_eq!(mails_to(&world, &email).await, 3);

    let mut sent = 3;
    for _ in 0..3 {
        world.pass(TimeDelta::minutes(10));
        for _ in 0..3 {
            sent += usize::from(world.call(RESEND, &registrant, json!({})).await.status == 200);
        }
    }
    assert_eq!(sent, 10);
    world.pass(TimeDelta::hours(23));
    assert_eq!(world.call(RESEND, &registrant, json!({})).await.code(), "too_many_mails");
    world.pass(TimeDelta::minutes(29));
    assert_eq!(world.call(RESEND, &registrant, json!({})).await.code(), "too_many_mails");
}
both!(an_address_is_sent_three_mails_in_ten_minutes_and_ten_a_day);

async fn ten_requests_at_once_send_three_mails(world: World) {
    let (registrant, email) = sent_a_code(&world).await;
    join_all((0..10).map(|_| world.call(RESEND, &registrant, json!({})))).await;
    assert_eq!(mails_to(&world, &email).await, 3);
}
both!(ten_requests_at_once_send_three_mails);

async fn forgotten_passwords_are_bounded_without_a_word(world: World) {
    let partner = world.partner("Corner Bakery").await;
    world.pass(TimeDelta::minutes(10));
    let before = mails_to(&world, &partner.email).await;
    let asked = json!({ "email": partner.email });
    let mut answers = Vec::new();
    for _ in 0..4 {
        answers.push(world.call(FORGET, &NOBODY, asked.clone()).await.bytes);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(mails_to(&world, &partner.email).await, before + 3);
    // The last link that was sent still works.
    let token = world.link_for(&partner.email, "password.reset").await;
    let new = json!({ "token": token, "password": "another long passphrase" });
    world.call("core.auth.confirm_password_reset", &NOBODY, new).await.data();
}
both!(forgotten_passwords_are_bounded_without_a_word);

async fn strangers_are_invited_three_times_in_ten_minutes_by_whomever(world: World) {
    let invite = json!({ "email": "stranger@example.com" });
    for number in 0..4 {
        let agent = world.agent(&format!("Summit{number} Sports")).await;
        let answer =
            world.call("core.agent.invite_athlete", &agent.principal, invite.clone()).await;
        assert_eq!(answer.status, if number < 3 { 200 } else { 429 }, "{}", answer.body);
    }
    assert_eq!(mails_to(&world, "stranger@example.com").await, 3);
}
both!(strangers_are_invited_three_times_in_ten_minutes_by_whomever);

async fn portal_invitations_count_as_well(world: World) {
    let college = world.college().await;
    let operator = world.operator(&[Permission::Accounts]);
    let new = json!({ "college_id": college, "email": "dana@portal.example", "name": "Dana Whitfield",
            "role": "viewer" });
    let id = world.call("admin.university_admin.save", &operator, new).await.data()["id"].clone();
    let again = "admin.university_admin.send_verification";
    for _ in 0..2 {
        world.call(again, &operator, json!({ "id": id })).await.data();
    }
    let refused = world.call(again, &operator, json!({ "id": id })).await;
    assert_eq!((refused.status, refused.code()), (429, "too_many_mails"));
    assert_eq!(mails_to(&world, "dana@portal.example").await, 3);
}
both!(portal_invitations_count_as_well);

async fn a_guardian_whose_inbox_is_full_is_asked_later(world: World) {
    let college = world.college().await;
    let operator = world.operator(&[Permission::Accounts]);
    let new = json!({ "college_id": college, "email": "robin@home.example", "name": "Robin Parent",
            "role": "viewer" });
    let id = world.call("admin.university_admin.save", &operator, new).await.data()["id"].clone();
    for _ in 0..2 {
        let again = json!({ "id": id });
        world.call("admin.university_admin.send_verification", &operator, again).await.data();
    }
    let (token, email) = world.start("athlete", "Ana Young").await;
    let team = json!({ "sport_id": 1, "university_id": college });
    world.step("core.registration.athlete_team", &token, team).await;
    let person = json!({ "date_of_birth": "2009-06-01",
            "guardian": { "name": "Robin Parent", "email": "robin@home.example" } });
    world.step("core.registration.athlete_person", &token, person).await;
    let otp = json!({ "otp": world.code_for(&email).await });
    let welcome = world.step("core.registration.athlete_verify", &token, otp).await;
    assert!(world.mail("robin@home.example", "guardian.consent").await.is_none());
    let athlete = world.platform.authenticate_core(welcome["access_token"].as_str().unwrap());
    let athlete = athlete.await.unwrap();
    let ask = "core.athlete.ask_guardian";
    let refused = world.call(ask, &athlete, json!({})).await;
    assert_eq!((refused.status, refused.code()), (429, "too_many_mails"));
    world.pass(TimeDelta::minutes(10));
    world.call(ask, &athlete, json!({})).await.data();
    assert!(world.mail("robin@home.example", "guardian.consent").await.is_some());
}
both!(a_guardian_whose_inbox_is_full_is_asked_later);

async fn fifteen_wrong_codes_end_a_registration(world: World) {
    let (registrant, email) = sent_a_code(&world).await;
    for round in 0..3 {
        if round > 0 {
            world.call(RESEND, &registrant, json!({})).await.data();
        }
        let code = world.code_for(&email).await;
        let wrong = if code == "000000" { "000001" } else { "000000" };
        // The sixth is not checked, and so does not count.
        for guess in 0..6 {
            let answer = world.call(VERIFY, &registrant, json!({ "otp": wrong })).await;
            let expected = match (round, guess) {
                (_, 0..=3) => "otp_invalid",
                (2, 5) => "otp_blocked",
                _ => "otp_exhausted",
            };
            assert_eq!(answer.code(), expected, "{round} {guess}");
        }
    }
    world.pass(TimeDelta::minutes(10));
    let category = json!({ "business_category_id": 1 });
    for (operation, input) in [
        (RESEND, json!({})),
        (VERIFY, json!({ "otp": world.code_for(&email).await })),
        ("core.registration.partner_category", category),
    ] {
        let answer = world.call(operation, &registrant, input).await;
        assert_eq!((answer.status, answer.code()), (429, "otp_blocked"), "{operation}");
    }
}
both!(fifteen_wrong_codes_end_a_registration);

async fn names_lead_nowhere(world: World) {
    let college = world.college().await;
    let operator = world.operator(&[Permission::Accounts]);
    let (token, _) = world.start("athlete", "Jordan Miles").await;
    let athlete = world.registrant(&token).await;
    let (token, _) = world.start("partner", "Corner Bakery").await;
    let partner = world.registrant(&token).await;
    let (token, _) = world.start("agent", "Sam Summit").await;
    let agent = world.registrant(&token).await;
    let done = world.athlete("Robin Miles").await;
    let guardian = |name: &str| {
        json!({ "date_of_birth": "2009-06-01",
            "guardian": { "name": name, "email": "parent@example.com" } })
    };
    for bad in
        ["Win at evil.com/prize", "https://evil.example", "Ann\nYour account", "www.evil.example"]
    {
        let cases: Vec<(&str, &Principal, &str, Value)> = vec![
            (
                "core.registration.athlete_start",
                &NOBODY,
                "first_name",
                json!({ "first_name": bad }),
            ),
            ("core.registration.athlete_start", &NOBODY, "last_name", json!({ "last_name": bad })),
            ("core.registration.athlete_person", &athlete, "guardian.name", guardian(bad)),
            (
                "core.registration.partner_company",
                &partner,
                "company_name",
                json!({ "company_name": bad }),
            ),
            (
                "core.registration.agent_agency",
                &agent,
                "agency_name",
                json!({ "agency_name": bad }),
            ),
            ("core.athlete.edit", &done.principal, "display_name", json!({ "display_name": bad })),
            (
                "compliance.auth.register",
                &NOBODY,
                "name",
                json!({ "email": "a@b.example", "name": bad,
                    "password": PASSWORD, "college_id": college }),
            ),
            (
                "admin.university_admin.save",
                &operator,
                "name",
                json!({ "email": "a@b.example", "name": bad,
                    "role": "viewer", "college_id": college }),
            ),
        ];
        for (operation, caller, field, input) in cases {
            let answer = world.call(operation, caller, input).await;
            assert_eq!(answer.status, 422, "{operation} {bad:?}: {}", answer.body);
            assert!(answer.body["errors"][field].is_array(), "{operation}: {}", answer.body);
        }
    }
    let start = json!({ "first_name": "Dr. J.", "last_name": "St.John-O'Neill" });
    world.call("core.registration.athlete_start", &NOBODY, start).await.data();
}
both!(names_lead_nowhere);

async fn guesses_at_one_account_wait_for_each_other(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let other = world.replica().await;
    for email in [partner.email.as_str(), "nobody@example.com"] {
        let begun = Instant::now();
        // Five are answered at once; delays of 250, 500 and 1,000 milliseconds follow one another.
        let servers = [&world, &other];
        let guesses = (0..8).map(|n| log_in(servers[n % 2], email, "not the passphrase"));
        for answer in join_all(guesses).await {
            assert_eq!((answer.status, answer.code()), (401, "wrong_credentials"));
        }
        assert!(begun.elapsed() >= Duration::from_millis(1_750), "{:?}", begun.elapsed());
    }
    // While the queue is full, every attempt is refused, right or wrong.
    world.script("UPDATE login_turn SET next_at = '2026-11-20T12:00:15+00:00'").await;
    for (email, password) in [
        (partner.email.as_str(), PASSWORD),
        (partner.email.as_str(), "not the passphrase"),
        ("nobody@example.com", PASSWORD),
    ] {
        let refused = log_in(&world, email, password).await;
        assert_eq!((refused.status, refused.code()), (429, "throttled"));
    }
    // The account is never locked.
    world.pass(TimeDelta::minutes(16));
    assert_eq!(log_in(&world, &partner.email, PASSWORD).await.status, 200);
    trust::tried("A9", "attempts", 2 * 8 + 3);
}
both!(guesses_at_one_account_wait_for_each_other);

async fn strangers_lock_nobody_out_of_their_account(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let attempt = async |from: &str, email: &str, password: &str| {
        let input = json!({ "email": email, "password": password });
        world.call_from(from, "core.auth.log_in", input).await
    };
    let fill = async || {
        // Strangers at four addresses: their queue is full.
        for from in 1..=4 {
            for _ in 0..2 {
                attempt(&format!("203.0.113.{from}"), &partner.email, "not the passphrase").await;
            }
        }
        world.script("UPDATE login_turn SET next_at = '2026-11-20T12:00:15+00:00'").await;
        let refused = attempt("203.0.113.9", &partner.email, PASSWORD).await;
        assert_eq!((refused.status, refused.code()), (429, "throttled"));
    };
    fill().await;
    world
        .script("DELETE FROM login_turn WHERE account IN (SELECT network FROM known_log_in)")
        .await;
    // Where the account was registered, the password is answered at once, also with the queue full.
    for _ in 0..3 {
        let begun = Instant::now();
        assert_eq!(attempt("127.0.0.1", &partner.email, PASSWORD).await.status, 200);
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
    // Also from another address of the same household, but from no other network.
    world.pass(TimeDelta::hours(1));
    assert_eq!(attempt("2001:db8:1:2::5", &partner.email, PASSWORD).await.status, 200);
    let marks = "SELECT COUNT(*) FROM known_log_in WHERE account LIKE '%@%' OR network LIKE '%:%'";
    assert_eq!(world.id(marks).await, 0, "no address is stored");
    world.script("UPDATE login_turn SET next_at = '2026-11-20T13:00:17+00:00'").await;
    world
        .script("DELETE FROM login_turn WHERE account IN (SELECT network FROM known_log_in)")
        .await;
    assert_eq!(attempt("2001:db8:1:2:ff::6", &partner.email, PASSWORD).await.status, 200);
    assert_eq!(attempt("2001:db8:1:3::5", &partner.email, PASSWORD).await.status, 429);
    // A link from the mailbox lets the owner in from anywhere.
    let forgot = json!({ "email": partner.email });
    world.call_from("198.51.100.7", "core.auth.forget_password", forgot).await.data();
    let token = world.link_for(&partner.email, "password.reset").await;
    let renewed = json!({ "token": token, "password": "another long passphrase" });
    world.call_from("198.51.100.7", "core.auth.confirm_password_reset", renewed).await.data();
    assert_eq!(attempt("203.0.113.9", &partner.email, "another long passphrase").await.status, 429);
    assert_eq!(
        attempt("198.51.100.7", &partner.email, "another long passphrase").await.status,
        200
    );
}
both!(strangers_lock_nobody_out_of_their_account);

async fn a_known_network_has_a_queue_of_its_own_with_the_same_limits(world: World) {
    let partner = world.partner("Corner Bakery").await;
    let begun = Instant::now();
    let wrong = json!({ "email": partner.email, "password": "not the passphrase" });
    let guesses = (0..8).map(|_| world.call_from("127.0.0.1", "core.auth.log_in", wrong.clone()));
    for answer in join_all(guesses).await {
        assert_eq!((answer.status, answer.code()), (401, "wrong_credentials"));
    }
    assert!(begun.elapsed() >= Duration::from_millis(1_750), "{:?}", begun.elapsed());
    // Of an account, twenty networks are known, and each for ninety days.
    for n in 0..25 {
        let right = json!({ "email": partner.email, "password": PASSWORD });
        let from = format!("198.51.100.{n}");
        assert_eq!(world.call_from(&from, "core.auth.log_in", right).await.status, 200);
        world.pass(TimeDelta::minutes(20));
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM known_log_in").await, 20);
    world.pass(TimeDelta::days(91));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(world.id("SELECT COUNT(*) FROM known_log_in").await, 0);
}
both!(a_known_network_has_a_queue_of_its_own_with_the_same_limits);
