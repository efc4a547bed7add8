//! Notices about representations: when they are due, when they are late, and who is notified.

use chrono::TimeDelta;
use nil_tests::{World, a_filing, both};
use serde_json::json;

use crate::filings::{SUBMIT, list, school, update};

async fn notices_are_late_by_the_institutions_hours(world: World) {
    let (college, officer, athlete) = school(&world).await;
    let owner = world.portal_user(college, "owner").await.0;
    let signed = json!({ "contract": { "signed_at": "2026-11-20T10:00:00Z" },
            "notices": { "agent_at": "2026-11-20T11:00:00Z", "athlete_at": null } });
    let filing = a_filing(athlete.id, signed.clone());
    let filed = world.call(SUBMIT, &officer, filing).await.data();
    assert_eq!(
        (&filed["notice_due_at"], &filed["late"]),
        (&json!("2026-11-23T10:00:00Z"), &json!(false))
    );
    let hours = json!({ "agent_notice": { "hours": 24 } });
    world.call("compliance.college.save_settings", &owner, hours).await.data();
    let sooner = world.call(SUBMIT, &officer, a_filing(athlete.id, signed)).await.data();
    assert_eq!(sooner["notice_due_at"], "2026-11-21T10:00:00Z");
    world.pass(TimeDelta::hours(22));
    assert!(
        list(&world, &officer, json!({ "late": true })).await.is_empty(),
        "on the hour it is in time"
    );
    world.pass(TimeDelta::seconds(1));
    let late = list(&world, &officer, json!({ "late": true })).await;
    assert_eq!(late.iter().map(|one| &one["id"]).collect::<Vec<_>>(), [&sooner["id"]]);
    assert_eq!(late[0]["late"], true);
    let fine = list(&world, &officer, json!({ "late": false })).await;
    assert_eq!(fine.iter().map(|one| &one["id"]).collect::<Vec<_>>(), [&filed["id"]]);
    let event = json!({ "notices": { "next_event_at": "2026-11-21T02:00:00Z" } });
    let changed = update(&world, &officer, &filed["id"], event).await.data();
    assert_eq!(
        (&changed["notice_due_at"], &changed["late"]),
        (&json!("2026-11-21T02:00:00Z"), &json!(true))
    );
    let given = json!({ "notices": { "athlete_at": "2026-11-20T23:00:00Z" } });
    let given = update(&world, &officer, &filed["id"], given).await.data();
    assert_eq!(given["late"], false);
}
both!(notices_are_late_by_the_institutions_hours);

async fn clocks_run_over_the_end_of_summer_time(world: World) {
    let (_, officer, athlete) = school(&world).await;
    // Friday evening in Chicago, before the night of 1 November; 72 elapsed hours end at five on
    // Monday.
    let signed = |at: &str, noticed: &str| {
        a_filing(
            athlete.id,
            json!({
                "contract": { "signed_at": at, "from": "2026-10-30" },
                "acknowledgement_signed_at": at, "notices": { "agent_at": noticed, "athlete_at": noticed },
            }),
        )
    };
    for (noticed, late) in [
        ("2026-11-02T17:00:00-06:00", false),
        ("2026-11-02T17:00:01-06:00", true),
        ("2026-11-02T18:00:00-06:00", true),
    ] {
        let filing = signed("2026-10-30T18:00:00-05:00", noticed);
        let filed = world.call(SUBMIT, &officer, filing).await.data();
        assert_eq!(filed["notice_due_at"], "2026-11-02T23:00:00Z");
        assert_eq!((&filed["late"], &filed["signed_on"]), (&json!(late), &json!("2026-10-30")));
        // The last second of 13 November in winter time.
        assert_eq!(filed["cancellation_ends_at"], "2026-11-14T05:59:59Z");
    }
}
both!(clocks_run_over_the_end_of_summer_time);

async fn officers_hear_of_filings_and_of_notices_that_are_due(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let missing = json!({ "submit": true, "notices": { "athlete_at": null } });
    let filed = world.call(SUBMIT, &officer, a_filing(athlete.id, missing)).await.data();
    world.call(SUBMIT, &officer, a_filing(athlete.id, json!({ "submit": true }))).await.data();
    let round = async || nil_core::worker::round(&world.platform).await.unwrap().reminders;
    let told = async |event: &str| {
        let rows = nil_core::notifications::outbox::list(&world.platform, 1_000).await.unwrap();
        let mails =
            rows.into_iter().filter(|row| row.event == event && row.channel.as_str() == "email");
        mails.collect::<Vec<_>>()
    };
    assert_eq!(round().await, 0);
    let submitted = told("disclosure.submitted").await;
    assert_eq!(submitted.len(), 2);
    let body = submitted[0].body.as_deref().unwrap();
    assert!(
        body.contains("Dana Whitfield") && body.contains("Agent contract with Dana Summit"),
        "{body}"
    );
    // Due on the 22nd at noon; the other one has both notices.
    world.pass(TimeDelta::hours(25));
    assert_eq!(round().await, 1);
    world.pass(TimeDelta::hours(2));
    assert_eq!(round().await, 0, "once");
    let due = told("disclosure.due").await;
    assert_eq!(due.len(), 1);
    let mail = due[0].body.as_deref().unwrap();
    assert!(mail.contains("November 22, 2026") && mail.contains("Zoe Okafor"), "{mail}");
    assert!(mail.contains("you can record it") && !mail.contains("submit it yourself"), "{mail}");
    assert!(due[0].subject.as_deref().unwrap().starts_with("The notice of "), "{due:?}");
    // Another date gets another reminder.
    let event = json!({ "notices": { "next_event_at": "2026-11-22T04:00:00Z" } });
    update(&world, &officer, &filed["id"], event).await.data();
    world.pass(TimeDelta::hours(2));
    assert_eq!(round().await, 1);
}
both!(officers_hear_of_filings_and_of_notices_that_are_due);
