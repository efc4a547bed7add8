//! Calendars behind secret addresses: who has one, how long it is read, and what it has.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::Principal;
use nil_core::kernel::UserId;
use nil_core::worker;
use nil_tests::{Answer, Person, World, a_filing, both};
use serde_json::{Value, json};

use crate::disclosing::disclose;
use crate::portal_sessions;

/// The address of a calendar in a catalog's words: its interface and its last part.
pub(crate) type Feed = (String, String);

/// Makes an address.
pub(crate) async fn made(world: &World, interface: &str, who: &Principal) -> Feed {
    let name = format!("{interface}.calendar.make");
    let made = world.call(&name, who, json!({})).await.data();
    let address = made["address"].as_str().expect("an address");
    (interface.to_owned(), address.rsplit('/').next().unwrap().to_owned())
}

/// What a calendar program gets there.
pub(crate) async fn read(world: &World, (interface, name): &Feed) -> Answer {
    let operation = format!("{interface}.calendar.read");
    world.call(&operation, &Principal::Anonymous, json!({ "name": name })).await
}

async fn show(world: &World, interface: &str, who: &Principal) -> Value {
    world.call(&format!("{interface}.calendar.show"), who, json!({})).await.data()
}

/// The events: what, when, and whether they count.
async fn events(world: &World, feed: &Feed) -> Vec<String> {
    let text = raw(world, feed).await;
    let value = |event: &str, name: &str| {
        let line = event.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_once(':').map(|(_, value)| value.to_owned()).unwrap_or_default()
    };
    let line = |event: &str| {
        let status = if value(event, "STATUS") == "CONFIRMED" { "" } else { " (cancelled)" };
        format!("{} {}{status}", value(event, "DTSTART"), value(event, "SUMMARY"))
    };
    text.split("BEGIN:VEVENT").skip(1).map(line).collect()
}

async fn raw(world: &World, feed: &Feed) -> String {
    let text = String::from_utf8(read(world, feed).await.bytes).unwrap();
    text.replace("\r\n ", "")
}

fn not_found(answer: &Answer) -> Value {
    assert_eq!((answer.status, answer.code()), (404, "not_found"));
    let mut body = answer.body.clone();
    body["request_id"] = Value::Null;
    body
}

async fn an_address_is_shown_once_and_read_until_it_is_revoked(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let officer = world.portal_user(world.college().await, "viewer").await.0;
    let brand = world.partner("Cedar Coffee").await;
    for (interface, who, base) in
        [("core", &athlete.principal, "/api"), ("compliance", &officer, "/api/compliance")]
    {
        let nothing =
            json!({ "active": false, "address": null, "created_at": null, "read_at": null });
        assert_eq!(show(&world, interface, who).await, nothing);
        let make = format!("{interface}.calendar.make");
        let answer = world.call(&make, who, json!({})).await.data();
        let address = answer["address"].as_str().unwrap().to_owned();
        assert!(address.contains(&format!("{base}/calendar/")), "{address}");
        let first = (interface.to_owned(), address.rsplit('/').next().unwrap().to_owned());
        let seen = show(&world, interface, who).await;
        assert_eq!((&seen["active"], &seen["address"]), (&json!(true), &Value::Null));
        assert_eq!((&seen["created_at"], &seen["read_at"]), (&answer["created_at"], &Value::Null));
        let dump = world.contents().await;
        let secret = first.1.strip_suffix(".ics").unwrap();
        assert_eq!(secret.len(), 64);
        assert!(!dump.values().any(|rows| rows.contains(secret)), "the secret is stored");

        assert_eq!(read(&world, &first).await.status, 200);
        let noted = show(&world, interface, who).await["read_at"].clone();
        assert_ne!(noted, Value::Null);
        world.pass(TimeDelta::minutes(2));
        read(&world, &first).await;
        assert_eq!(show(&world, interface, who).await["read_at"], noted);
        world.pass(TimeDelta::minutes(4));
        read(&world, &first).await;
        assert_ne!(show(&world, interface, who).await["read_at"], noted);

        // A new one takes its place, and what is unknown is like what was revoked.
        let second = made(&world, interface, who).await;
        let revoked = not_found(&read(&world, &first).await);
        assert_eq!(read(&world, &second).await.status, 200);
        for name in ["0".repeat(64) + ".ics", secret.to_owned(), "x.ics".to_owned()] {
            assert_eq!(not_found(&read(&world, &(interface.to_owned(), name)).await), revoked);
        }
        // It is no address of the other interface.
        let other = if interface == "core" { "compliance" } else { "core" };
        not_found(&read(&world, &(other.to_owned(), second.1.clone())).await);
        let revoke = format!("{interface}.calendar.revoke");
        assert_eq!(world.call(&revoke, who, json!({})).await.data()["active"], false);
        not_found(&read(&world, &second).await);
        assert_eq!(world.call(&revoke, who, json!({})).await.status, 200);
        assert_eq!(show(&world, interface, who).await, nothing);
        assert_eq!(world.call(&make, &brand.principal, json!({})).await.status, 403);
        assert_eq!(world.call(&make, &Principal::Anonymous, json!({})).await.status, 401);
    }
}
both!(an_address_is_shown_once_and_read_until_it_is_revoked);

async fn its_owner_is_told_and_a_new_password_ends_it(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let officer = world.portal_user(world.college().await, "viewer").await.0;
    let officers = portal_sessions::email(&world, &officer).await;
    let reset = [
        ("core.auth.forget_password", "core.auth.confirm_password_reset"),
        ("compliance.auth.forgot_password", "compliance.auth.change_password"),
    ];
    for (times, interface, who, email) in
        [(1, "core", &athlete.principal, &athlete.email), (2, "compliance", &officer, &officers)]
    {
        made(&world, interface, who).await;
        let feed = made(&world, interface, who).await;
        assert_eq!(world.told("calendar.made").await, times, "once for two in a row");
        worker::round(&world.platform).await.unwrap();
        let mail = world.mail(email, "calendar.made").await.expect("a mail");
        assert!(mail.contains("without a log-in") && !mail.contains(&feed.1), "{mail}");

        let (forget, renew) = reset[usize::try_from(times - 1).unwrap()];
        world.call(forget, &Principal::Anonymous, json!({ "email": email })).await.data();
        assert_eq!(read(&world, &feed).await.status, 200, "nobody has a new password yet");
        let token = world.link_for(email, "password.reset").await;
        let new = json!({ "token": token, "password": "another long passphrase" });
        world.call(renew, &Principal::Anonymous, new).await.data();
        not_found(&read(&world, &feed).await);
        assert_eq!(show(&world, interface, who).await["active"], false);
        let revoked = "SELECT COUNT(*) FROM audit_entry WHERE action = 'calendar_revoked'";
        assert_eq!(world.id(revoked).await, times);
    }
    world.pass(TimeDelta::minutes(6));
    let feed = made(&world, "compliance", &officer).await;
    assert_eq!(world.told("calendar.made").await, 3);
    let change = json!({
        "current_password": "another long passphrase", "password": "a walk along the lake",
    });
    world.call("compliance.auth.change_own_password", &officer, change).await.data();
    not_found(&read(&world, &feed).await);
}
both!(its_owner_is_told_and_a_new_password_ends_it);

async fn who_is_not_active_has_no_calendar(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let feed = made(&world, "core", &athlete.principal).await;
    let id = UserId::new(athlete.user_id).unwrap();
    suspension::suspend(&world.platform, id).await.unwrap();
    not_found(&read(&world, &feed).await);
    suspension::restore(&world.platform, id).await.unwrap();
    assert_eq!(read(&world, &feed).await.status, 200);
    crate::departures::close(&world, &athlete).await.data();
    not_found(&read(&world, &feed).await);
    assert_eq!(world.contents().await["calendar_feed"].trim(), "");

    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let officer = world.portal_user(college, "officer").await.0;
    let feed = made(&world, "compliance", &officer).await;
    let Principal::Portal { id, .. } = &officer else { panic!("a portal user") };
    for (status, answers) in [("disabled", 404), ("active", 200)] {
        let input = json!({ "id": id, "status": status });
        world.call("compliance.portal_user.change", &owner, input).await.data();
        assert_eq!(read(&world, &feed).await.status, answers, "{status}");
    }
}
both!(who_is_not_active_has_no_calendar);

/// The dates of a calendar are those of the records, and so are its words.
async fn an_athletes_calendar_has_what_is_due_and_what_was(world: World) {
    let hire = world.hired(json!({ "slots": 1 })).await;
    let athlete = &hire.athlete;
    let feed = made(&world, "core", &athlete.principal).await;
    let waiting = events(&world, &feed).await;
    let [contract] = waiting.as_slice() else { panic!("{waiting:?}") };
    assert!(contract.contains("Contract to confirm: "), "{contract}");
    let confirm = json!({ "job_id": hire.job });
    world.pass(TimeDelta::hours(1));
    let confirmed = "core.contract.confirm_availability";
    world.call(confirmed, &athlete.principal, confirm).await.data();
    let deal = world.deal(athlete, hire.job).await;
    let day =
        |number: usize| deal["deliverables"][number]["due_on"].as_str().unwrap().replace('-', "");
    let title = |number: usize| deal["deliverables"][number]["title"].as_str().unwrap().to_owned();
    let open = events(&world, &feed).await;
    assert!(open.contains(&format!("{contract} (cancelled)")), "{open:?}");
    for number in 0..hire.deliverables.len() {
        let due = format!("{} Deliverable due: {}", day(number), title(number));
        assert!(open.contains(&due), "{due}: {open:?}");
    }

    // What is submitted does not count any more, and what is sent back counts again.
    let before = raw(&world, &feed).await;
    world.pass(TimeDelta::hours(1));
    world.submit(&hire, hire.deliverables[0]).await;
    let submitted = events(&world, &feed).await;
    let first = format!("{} Deliverable due: {}", day(0), title(0));
    assert!(submitted.contains(&format!("{first} (cancelled)")), "{submitted:?}");
    let uid = format!("UID:deliverable-{}@", hire.deliverables[0]);
    let sequence = |text: &str| -> i64 {
        let event = text.split(&uid).nth(1).unwrap();
        event.split("SEQUENCE:").nth(1).unwrap().lines().next().unwrap().parse().unwrap()
    };
    let cancelled = raw(&world, &feed).await;
    assert!(sequence(&cancelled) > sequence(&before));
    world.pass(TimeDelta::hours(1));
    let deny = json!({
        "deliverable_id": hire.deliverables[0], "status": "denied", "note": "Too dark.",
    });
    let brand = &hire.partner.principal;
    world.call("core.deliverable.change_status", brand, deny).await.data();
    assert!(events(&world, &feed).await.contains(&first));
    let denied = raw(&world, &feed).await;
    assert!(sequence(&denied) > sequence(&cancelled));
    // Without a change, it is the same text.
    world.pass(TimeDelta::hours(1));
    assert_eq!(raw(&world, &feed).await, denied);
    assert!(!denied.contains("amount") && !denied.contains('$'));

    // A contract that was confirmed is forgotten after a month.
    world.pass(TimeDelta::days(31));
    let later = events(&world, &feed).await;
    assert!(!later.iter().any(|event| event.contains("Contract")), "{later:?}");
    world.pass(TimeDelta::days(365));
    assert_eq!(events(&world, &feed).await, Vec::<String>::new());
}
both!(an_athletes_calendar_has_what_is_due_and_what_was);

async fn offers_that_lapse_are_in_the_calendar_until_they_are_answered(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let brand = world.paying_partner("Cedar Coffee").await;
    let feed = made(&world, "core", &athlete.principal).await;
    let order = world.order(&brand, &athlete).await;
    let until = json!({ "application_deadline": "2026-11-26T12:00:00Z" });
    let job = world.open_job(&brand, until).await;
    let invite = json!({ "job_id": job, "athlete_ids": [athlete.id] });
    world.call("core.application.invite_bulk", &brand.principal, invite).await.data();
    let said = |events: Vec<String>| -> Vec<String> {
        let mut said: Vec<String> = events
            .iter()
            .map(|event| event.split_once(' ').unwrap().1.to_owned())
            .map(|event| {
                event.split_once(": ").map_or(event.clone(), |(what, rest)| {
                    format!(
                        "{what}{}",
                        if rest.ends_with("(cancelled)") { " (cancelled)" } else { "" }
                    )
                })
            })
            .collect();
        said.sort_unstable();
        said
    };
    let open = said(events(&world, &feed).await);
    assert_eq!(open, ["Invitation ends", "Order to answer"]);
    let decline = json!({ "job_id": job, "accept": false });
    world.call("core.application.respond_invitation", &athlete.principal, decline).await.data();
    let decline = json!({ "id": order, "reason": "No time." });
    world.call("core.service_order.decline", &athlete.principal, decline).await.data();
    let answered = said(events(&world, &feed).await);
    assert_eq!(answered, ["Invitation ends (cancelled)", "Order to answer (cancelled)"]);
}
both!(offers_that_lapse_are_in_the_calendar_until_they_are_answered);

async fn an_officers_calendar_is_the_institutions_within_their_sports(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let officer = world.portal_user(college, "officer").await.0;
    let asks = json!({ "approval": { "requirement": "all" } });
    world.call("compliance.college.save_settings", &owner, asks).await.data();
    let athlete: Person = world.athlete_of("Zoe Okafor", college).await;
    let draft = json!({ "title": "A draft", "payer_name": "Card Vault", "draft": true });
    disclose(&world, &athlete, draft).await;
    let late = json!({
        "title": "Late reading", "signed_on": "2026-09-01", "amount_cents": 17_500,
    });
    disclose(&world, &athlete, late).await;
    let auto = json!({ "title": "Opening day", "payer_name": "Lake Auto", "amount_cents": 70_000 });
    disclose(&world, &athlete, auto).await;
    let filing = a_filing(
        athlete.id,
        json!({ "submit": false, "notices": { "agent_at": null, "athlete_at": null } }),
    );
    world.call("compliance.disclosure.submit", &owner, filing).await.data();
    let feed = made(&world, "compliance", &officer).await;
    let all = events(&world, &feed).await;
    let mut words: Vec<&str> = all.iter().map(|event| event.split_once(' ').unwrap().1).collect();
    words.sort_unstable();
    assert_eq!(
        words,
        [
            "Disclosure due: Late reading",
            "Disclosure due: Opening day (cancelled)",
            "Due: Notice of an agency contract",
            "Submission to the clearinghouse due: Opening day",
        ],
        "{all:?}"
    );
    // The notice is due at an instant, in UTC, and the others by the end of a day in Chicago.
    for event in &all {
        let (start, what) = event.split_once(' ').unwrap();
        let is_notice = what.contains("agency");
        assert_eq!(start.len(), if is_notice { "20261122T120000Z" } else { "20261122" }.len());
        assert!(!is_notice || start == "20261122T120000Z", "{event}");
    }
    let text = raw(&world, &feed).await;
    for private in ["Zoe", "Okafor", "Lake Auto", "Harbor Books", "$", "A draft"] {
        assert!(!text.contains(private), "{private}");
    }

    // Whoever is limited to another sport sees nothing of it, with the same address.
    let Principal::Portal { id, .. } = &officer else { panic!("a portal user") };
    for (sports, seen) in [(json!([2]), 0), (json!([1, 2]), 4), (json!([]), 4)] {
        let input = json!({ "id": id, "sport_ids": sports });
        world.call("compliance.portal_user.change", &owner, input).await.data();
        assert_eq!(events(&world, &feed).await.len(), seen, "{sports}");
    }
    // Nobody else's institution is in it.
    let elsewhere = world.portal_user(world.college().await, "officer").await.0;
    let feed = made(&world, "compliance", &elsewhere).await;
    assert_eq!(events(&world, &feed).await, Vec::<String>::new());
}
both!(an_officers_calendar_is_the_institutions_within_their_sports);
