//! Notifications in the application, and users' preferences for them.

use nil_core::notifications::outbox;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

async fn feed(world: &World, who: &Person, input: Value) -> Value {
    let fetched = world.call("core.notification.list", &who.principal, input).await;
    assert_eq!(fetched.status, 200, "{}", fetched.body);
    fetched.body
}

async fn work(world: &World) {
    nil_core::worker::round(&world.platform).await.expect("a round");
}

fn titles(feed: &Value) -> Vec<&str> {
    let items = feed["data"].as_array().unwrap().iter();
    items.map(|one| one["title"].as_str().unwrap()).collect()
}

/// The channels on which a user was notified of an event, with repeats.
async fn told(world: &World, who: &Person, event: &str) -> Vec<String> {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let user = format!("user:{}", who.user_id);
    let mut told: Vec<String> = rows
        .iter()
        .filter(|row| row.event == event && row.channel != outbox::Channel::Event)
        .filter(|row| row.to == user || row.to == who.email || row.to.contains("217"))
        .map(|row| row.channel.to_string())
        .collect();
    told.sort();
    told
}

/// The preference of one event.
fn of<'a>(list: &'a Value, event: &str) -> &'a Value {
    let list = list.as_array().unwrap();
    list.iter().find(|one| one["event"] == event).unwrap_or(&Value::Null)
}

async fn a_feed_has_each_event_once_with_its_words_and_records(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    work(&world).await;
    let before = feed(&world, &partner, json!({})).await;
    world.apply(&athlete, job).await;
    assert_eq!(feed(&world, &partner, json!({})).await, before, "the worker tells");
    for _ in 0..3 {
        work(&world).await;
    }
    let after = feed(&world, &partner, json!({})).await;
    assert_eq!(titles(&after).len(), titles(&before).len() + 1);
    let new = &after["data"][0];
    assert_eq!(new["event"], "application.received");
    assert!(new["body"].as_str().unwrap().contains("Zoe Okafor"), "{new}");
    assert_eq!((&new["data"]["job_id"], &new["read_at"]), (&json!(job), &Value::Null));
    assert_eq!(told(&world, &partner, "application.received").await, ["email", "in_app"]);
    assert_eq!(after["unread_count"], titles(&after).len());
    let nobody = feed(&world, &athlete, json!({})).await;
    assert!(!titles(&nobody).iter().any(|title| title.contains("application")));
}
both!(a_feed_has_each_event_once_with_its_words_and_records);

async fn a_feed_goes_on_page_by_page(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    for title in ["one", "two", "three", "four", "five"] {
        world.tell(&partner, title).await;
    }
    work(&world).await;
    let first = feed(&world, &partner, json!({ "limit": 2 })).await;
    assert_eq!(titles(&first), ["five", "four"]);
    assert_eq!(first["pagination"]["limit"], 2);
    let before = first["pagination"]["next_before_id"].clone();
    world.tell(&partner, "six").await;
    work(&world).await;
    let second = feed(&world, &partner, json!({ "limit": 2, "before_id": before })).await;
    assert_eq!(titles(&second), ["three", "two"], "what comes in meanwhile moves nothing");
    let before = second["pagination"]["next_before_id"].clone();
    let last = feed(&world, &partner, json!({ "limit": 200, "before_id": before })).await;
    assert_eq!(titles(&last).first(), Some(&"one"));
    assert_eq!(last["pagination"]["next_before_id"], Value::Null);
    for wrong in [json!({ "limit": 0 }), json!({ "limit": 201 }), json!({ "before_id": 0 })] {
        let refused = world.call("core.notification.list", &partner.principal, wrong).await;
        assert_eq!(refused.status, 422);
    }
}
both!(a_feed_goes_on_page_by_page);

async fn reading_counts_once_and_is_nobody_elses(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let stranger = world.partner("Valley Sports").await;
    work(&world).await;
    world.call("core.notification.mark_all_read", &partner.principal, json!({})).await.data();
    for title in ["one", "two", "three"] {
        world.tell(&partner, title).await;
    }
    work(&world).await;
    let unread = json!({ "unread": true });
    let new = feed(&world, &partner, unread.clone()).await;
    assert_eq!((titles(&new), &new["unread_count"]), (vec!["three", "two", "one"], &json!(3)));
    let id = json!({ "id": new["data"][1]["id"] });
    let theirs = world.call("core.notification.mark_read", &stranger.principal, id.clone()).await;
    assert_eq!((theirs.status, theirs.code()), (404, "not_found"));
    let token = |list: Value| of_feed(&list).to_owned();
    let before = token(
        world.call("core.notification.activity_tokens", &partner.principal, json!({})).await.data(),
    );
    let read =
        world.call("core.notification.mark_read", &partner.principal, id.clone()).await.data();
    assert!(read["read_at"].is_string());
    world.pass(chrono::TimeDelta::minutes(5));
    let again = world.call("core.notification.mark_read", &partner.principal, id).await.data();
    assert_eq!(again, read, "it stays read since then");
    let after = token(
        world.call("core.notification.activity_tokens", &partner.principal, json!({})).await.data(),
    );
    assert_ne!(before, after);
    let left = feed(&world, &partner, unread.clone()).await;
    assert_eq!((titles(&left), &left["unread_count"]), (vec!["three", "one"], &json!(2)));
    let all = world
        .call_with_key("core.notification.mark_all_read", &partner.principal, json!({}), Some("k"))
        .await;
    let same = world
        .call_with_key("core.notification.mark_all_read", &partner.principal, json!({}), Some("k"))
        .await;
    assert_eq!(all.bytes, same.bytes);
    assert_eq!(all.data(), json!({ "read": 2 }));
    let none =
        world.call("core.notification.mark_all_read", &partner.principal, json!({})).await.data();
    assert_eq!(none, json!({ "read": 0 }));
    assert_eq!(feed(&world, &partner, unread).await["unread_count"], 0);
}
both!(reading_counts_once_and_is_nobody_elses);

async fn what_was_switched_off_is_not_sent(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let event = "application.received";
    let list =
        world.call("core.notification.preferences", &partner.principal, json!({})).await.data();
    assert_eq!(
        of(&list, event),
        &json!({ "event": event, "email": true, "sms": false, "in_app": true })
    );
    let off = json!({ "preferences": [{ "event": event, "email": false }] });
    let saved = world
        .call("core.notification.save_preferences", &partner.principal, off.clone())
        .await
        .data();
    assert_eq!(
        of(&saved, event),
        &json!({ "event": event, "email": false, "sms": false, "in_app": true })
    );
    assert_eq!(of(&saved, "payment.failed"), of(&list, "payment.failed"), "the others stay");
    let job = world.open_job(&partner, json!({})).await;
    world.apply(&athlete, job).await;
    work(&world).await;
    assert_eq!(told(&world, &partner, event).await, ["in_app"]);
    let none = json!({ "preferences": [{ "event": event, "in_app": false }] });
    world.call("core.notification.save_preferences", &partner.principal, none).await.data();
    let other = world.athlete("Ida Novak").await;
    world.apply(&other, job).await;
    work(&world).await;
    assert_eq!(told(&world, &partner, event).await, ["in_app"], "nothing more");
    let theirs =
        world.call("core.notification.preferences", &athlete.principal, json!({})).await.data();
    assert_eq!(of(&theirs, event)["email"], true, "somebody else's are their own");
    // The list can be sent back unchanged.
    let whole = json!({ "preferences": list });
    let back =
        world.call("core.notification.save_preferences", &partner.principal, whole).await.data();
    assert_eq!(back, list);
}
both!(what_was_switched_off_is_not_sent);

async fn what_an_account_needs_cannot_be_switched_off(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    for event in ["otp.sent", "password.reset", "email.verify", "account.verified"] {
        let off = json!({ "preferences": [
                { "event": "job.approved", "email": false }, { "event": event, "email": false },
            ] });
        let refused =
            world.call("core.notification.save_preferences", &partner.principal, off).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"));
        let why = &refused.body["errors"]["preferences.1.email"][0];
        assert!(why.as_str().unwrap().contains(event), "{}", refused.body);
    }
    let list =
        world.call("core.notification.preferences", &partner.principal, json!({})).await.data();
    assert_eq!(of(&list, "job.approved")["email"], true, "a refusal saves nothing");
    for (wrong, field) in [
        (json!([{ "event": "job.approved", "sms": true }]), "preferences.0.sms"),
        (json!([{ "event": "portal_user.pending", "email": true }]), "preferences.0.event"),
        (json!([{ "event": "job.approved" }, { "event": "job.approved" }]), "preferences.1.event"),
        (json!([{ "event": "no.such" }]), "preferences.0.event"),
        (json!([]), "preferences"),
    ] {
        let input = json!({ "preferences": wrong });
        let refused =
            world.call("core.notification.save_preferences", &partner.principal, input).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"][field].is_array(), "{field}: {}", refused.body);
    }
}
both!(what_an_account_needs_cannot_be_switched_off);

async fn text_messages_have_to_be_asked_for(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let (zoe, ida) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let on = world
        .call("core.notification.set_all_sms", &zoe.principal, json!({ "enabled": true }))
        .await
        .data();
    assert_eq!(
        (&of(&on, "athlete.hired")["sms"], &of(&on, "job.approved")["sms"]),
        (&json!(true), &json!(false))
    );
    let no_email = json!({ "preferences": [{ "event": "athlete.hired", "email": false }] });
    world.call("core.notification.save_preferences", &zoe.principal, no_email).await.data();
    let job = world.open_job(&partner, json!({})).await;
    let applications = [world.apply(&zoe, job).await, world.apply(&ida, job).await];
    for id in applications {
        world.call("core.application.hire", &partner.principal, json!({ "id": id })).await.data();
    }
    work(&world).await;
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let texts: Vec<_> = rows.iter().filter(|row| row.channel == outbox::Channel::Sms).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].to.contains("217") && texts[0].event == "athlete.hired", "{texts:?}");
    let off = world
        .call("core.notification.set_all_sms", &zoe.principal, json!({ "enabled": false }))
        .await
        .data();
    assert_eq!(
        of(&off, "athlete.hired"),
        &json!({ "event": "athlete.hired", "email": false, "sms": false, "in_app": true })
    );

    // Without a phone number no text message is sent.
    world
        .call("core.notification.set_all_sms", &ida.principal, json!({ "enabled": true }))
        .await
        .data();
    world
        .id(&format!("UPDATE app_user SET phone = NULL WHERE id = {} RETURNING id", ida.user_id))
        .await;
    let job = world.open_job(&partner, json!({})).await;
    let id = world.apply(&ida, job).await;
    world.call("core.application.hire", &partner.principal, json!({ "id": id })).await.data();
    work(&world).await;
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    assert_eq!(rows.iter().filter(|row| row.channel == outbox::Channel::Sms).count(), 1);
}
both!(text_messages_have_to_be_asked_for);

async fn the_portal_chooses_its_mails(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let (viewer, _) = world.portal_user(college, "viewer").await;
    let list = world.call("compliance.notification.preferences", &viewer, json!({})).await.data();
    let pending = "portal_user.pending";
    assert_eq!(
        of(&list, pending),
        &json!({ "event": pending, "email": true, "sms": false, "in_app": false })
    );
    assert_eq!(of(&list, "athlete.hired"), &Value::Null);
    let off = json!({ "preferences": [{ "event": pending, "email": false }] });
    let saved = world.call("compliance.notification.save_preferences", &owner, off).await.data();
    assert_eq!(of(&saved, pending)["email"], false);
    let others = world.call("compliance.notification.preferences", &viewer, json!({})).await.data();
    assert_eq!(of(&others, pending)["email"], true);
    for (wrong, field) in [
        (json!({ "event": "portal_user.invited", "email": false }), "preferences.0.email"),
        (json!({ "event": pending, "in_app": true }), "preferences.0.in_app"),
        (json!({ "event": "athlete.hired", "email": false }), "preferences.0.event"),
    ] {
        let input = json!({ "preferences": [wrong] });
        let refused = world.call("compliance.notification.save_preferences", &owner, input).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"][field].is_array(), "{field}: {}", refused.body);
    }
    let register = json!({
        "name": "Ira Stone", "email": "ira@portal.example", "password": nil_tests::PASSWORD,
        "college_id": college,
    });
    world.register_officer(register).await;
    work(&world).await;
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let mailed =
        rows.iter().filter(|row| row.event == pending && row.channel == outbox::Channel::Email);
    assert_eq!(mailed.count(), 0, "the only owner has switched it off");
}
both!(the_portal_chooses_its_mails);

async fn a_closed_account_is_told_nothing_more(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    work(&world).await;
    let before = feed(&world, &partner, json!({})).await;
    world.tell(&partner, "late news").await;
    world
        .id(&format!(
            "UPDATE app_user SET status = 'deactivated' WHERE id = {} RETURNING id",
            partner.user_id
        ))
        .await;
    work(&world).await;
    assert_eq!(feed(&world, &partner, json!({})).await, before);
}
both!(a_closed_account_is_told_nothing_more);

/// The token of the notifications.
fn of_feed(list: &Value) -> &str {
    let feed = list.as_array().unwrap().iter().find(|feed| feed["activity"] == "notifications");
    feed.unwrap()["token"].as_str().unwrap()
}
