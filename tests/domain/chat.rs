//! Conversations: permissions, reading, pinning and notifications.

use std::sync::Arc;

use nil_core::accounts::suspension;
use nil_core::kernel::UserId;
use nil_core::notifications::outbox;
use nil_tests::{Person, World, both, hostile_texts};
use serde_json::{Value, json};

async fn suspend(world: &World, person: &Person) {
    let user = UserId::new(person.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
}

pub(crate) async fn start(world: &World, from: &Person, to: &Person, job: Option<i64>) -> Value {
    let start = json!({ "user_id": to.user_id, "job_id": job });
    world.call("core.chat.start", &from.principal, start).await.data()
}

pub(crate) async fn send(world: &World, from: &Person, conversation: &Value, text: &str) -> Value {
    let send = json!({ "conversation_id": conversation["id"], "text": text });
    world.call("core.chat.send", &from.principal, send).await.data()
}

async fn list(world: &World, who: &Person) -> Value {
    world.call("core.chat.conversations", &who.principal, json!({})).await.data()
}

pub(crate) async fn read(world: &World, who: &Person, conversation: &Value) -> Value {
    let read = json!({ "conversation_id": conversation["id"] });
    world.call("core.chat.messages", &who.principal, read).await.data()
}

/// How many mails about this event went to this address.
async fn mails(world: &World, address: &str, event: &str) -> usize {
    nil_core::worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let rows = rows.iter().filter(|row| row.to == address && row.event == event);
    rows.count()
}

async fn the_parties_of_a_deal_write_to_each_other(world: World) {
    let hire = world.hired(json!({})).await;
    let (partner, athlete) = (&hire.partner, &hire.athlete);
    let about = start(&world, partner, athlete, Some(hire.job)).await;
    assert_eq!((&about["kind"], &about["job_id"]), (&json!("deal"), &json!(hire.job)));
    assert_eq!(about["participants"][0]["name"], "Ridge Outfitters");
    assert_eq!(
        about["participants"][1],
        json!({
            "user_id": athlete.user_id, "kind": "athlete", "name": "Zoe Okafor", "picture_url": null,
        })
    );
    // The other side starts the same one; without the job it is a different one.
    assert_eq!(start(&world, athlete, partner, Some(hire.job)).await["id"], about["id"]);
    let general = start(&world, athlete, partner, None).await;
    assert_ne!(general["id"], about["id"]);

    let text = " Two spaces  and\na line stay. ";
    let sent = send(&world, partner, &about, text).await;
    assert_eq!((&sent["text"], &sent["read_at"]), (&json!(text), &json!(null)));
    assert_eq!(sent["sender"]["user_id"], partner.user_id);
    send(&world, partner, &about, "And another.").await;
    world.pass(chrono::TimeDelta::minutes(1));
    send(&world, athlete, &general, "In general?").await;

    // The unread one comes first, although the other has a later message.
    let own = list(&world, athlete).await;
    assert_eq!((&own[0]["id"], &own[1]["id"]), (&about["id"], &general["id"]));
    assert_eq!((&own[0]["unread_count"], &own[1]["unread_count"]), (&json!(2), &json!(0)));
    assert_eq!(own[0]["last_message"]["text"], "And another.");

    let feed = read(&world, athlete, &about).await;
    assert_eq!((&feed[0]["text"], &feed[1]["text"]), (&json!("And another."), &json!(text)));
    assert!(feed[1]["read_at"].is_string(), "{feed}");
    let own = list(&world, athlete).await;
    assert_eq!((&own[0]["id"], &own[0]["unread_count"]), (&general["id"], &json!(0)));
    assert_eq!(list(&world, partner).await[0]["id"], general["id"]);
}
both!(the_parties_of_a_deal_write_to_each_other);

async fn one_notice_until_it_is_read(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    for text in ["One", "Two", "Three"] {
        send(&world, &hire.partner, &talk, text).await;
    }
    assert_eq!(mails(&world, &hire.athlete.email, "message.received").await, 1);
    let mail = world.mail(&hire.athlete.email, "message.received").await.unwrap();
    assert!(mail.contains("Ridge Outfitters") && mail.contains("One"), "{mail}");
    read(&world, &hire.athlete, &talk).await;
    send(&world, &hire.partner, &talk, "Four").await;
    send(&world, &hire.partner, &talk, "Five").await;
    assert_eq!(mails(&world, &hire.athlete.email, "message.received").await, 2);
    assert_eq!(mails(&world, &hire.partner.email, "message.received").await, 0);
}
both!(one_notice_until_it_is_read);

async fn who_may_write_to_whom(world: World) {
    let hire = world.hired(json!({})).await;
    let (brand, athlete) = (&hire.partner, &hire.athlete);
    let agent = world.agent("Summit Agency").await;
    world.represent(&agent, athlete, 1_000).await;
    let other_brand = world.partner("Valley Sports").await;
    let other_athlete = world.athlete("Ida Novak").await;
    let other_agent = world.agent("Peak Agency").await;
    let fan = world.fan("Sam Lee").await;
    let everybody = [
        ("brand", brand),
        ("athlete", athlete),
        ("agent", &agent),
        ("other brand", &other_brand),
        ("other athlete", &other_athlete),
        ("other agent", &other_agent),
        ("fan", &fan),
    ];
    let deal = ["brand", "athlete", "agent"];
    for (from, sender) in everybody {
        for (to, recipient) in everybody {
            let within = deal.contains(&from) && deal.contains(&to);
            let expected = match (from, to) {
                ("fan", _) => (403, "forbidden"),
                _ if from == to => (409, "recipient_unavailable"),
                _ if within => (200, ""),
                _ => (404, "not_found"),
            };
            let operations = [
                ("core.chat.send", json!({ "user_id": recipient.user_id, "text": "Hello" })),
                ("core.chat.start", json!({ "user_id": recipient.user_id })),
                ("core.chat.start", json!({ "user_id": recipient.user_id, "job_id": hire.job })),
            ];
            for (operation, input) in operations {
                let answer = world.call(operation, &sender.principal, input.clone()).await;
                let code = answer.body["code"].as_str().unwrap_or_default().to_owned();
                let seen = (answer.status, code.as_str());
                assert_eq!(seen, expected, "{from} → {to}: {operation} {input}");
            }
        }
    }
    // A user without a relation looks like an unknown one.
    let stranger = json!({ "user_id": other_brand.user_id, "text": "Hello" });
    let nobody = json!({ "user_id": 999_999, "text": "Hello" });
    let stranger = world.call("core.chat.send", &athlete.principal, stranger).await;
    let nobody = world.call("core.chat.send", &athlete.principal, nobody).await;
    assert_eq!(
        (stranger.status, stranger.masked("user_id", other_brand.user_id)),
        (nobody.status, nobody.masked("user_id", 999_999))
    );
    // A deal belongs to one brand and one job.
    let elsewhere = world.open_job(&other_brand, json!({})).await;
    for (who, whom) in [(brand, athlete), (athlete, brand), (&agent, athlete), (&agent, brand)] {
        let about = json!({ "user_id": whom.user_id, "job_id": elsewhere });
        assert_eq!(world.call("core.chat.start", &who.principal, about).await.status, 404);
    }
}
both!(who_may_write_to_whom);

async fn nobody_writes_where_it_is_over(world: World) {
    let hire = world.hired(json!({})).await;
    let agent = world.agent("Summit Agency").await;
    world.represent(&agent, &hire.athlete, 1_000).await;
    let with_athlete = start(&world, &agent, &hire.athlete, None).await;
    let with_brand = start(&world, &agent, &hire.partner, Some(hire.job)).await;
    let deal = start(&world, &hire.athlete, &hire.partner, Some(hire.job)).await;
    for talk in [&with_athlete, &with_brand] {
        send(&world, &agent, talk, "Hello").await;
    }
    world
        .id("UPDATE representation SET status = 'ended', ended_at = '2026-11-20T12:00:00+00:00' \
             RETURNING id")
        .await;
    for (who, talk) in [
        (&agent, &with_athlete),
        (&hire.athlete, &with_athlete),
        (&agent, &with_brand),
        (&hire.partner, &with_brand),
    ] {
        let late = json!({ "conversation_id": talk["id"], "text": "Still there?" });
        let late = world.call("core.chat.send", &who.principal, late).await;
        assert_eq!((late.status, late.code()), (409, "conversation_closed"));
        // Existing messages stay readable.
        assert_eq!(read(&world, who, talk).await[0]["text"], "Hello");
    }
    send(&world, &hire.athlete, &deal, "The deal goes on.").await;
    suspend(&world, &hire.partner).await;
    for input in [
        json!({ "conversation_id": deal["id"], "text": "Hello?" }),
        json!({ "user_id": hire.partner.user_id, "text": "Hello?" }),
    ] {
        let refused = world.call("core.chat.send", &hire.athlete.principal, input).await;
        assert_eq!((refused.status, refused.code()), (409, "recipient_unavailable"));
    }
}
both!(nobody_writes_where_it_is_over);

async fn anothers_conversation_is_not_there(world: World) {
    let hire = world.hired(json!({})).await;
    let stranger = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let message = send(&world, &hire.partner, &talk, "Between us.").await;
    for (operation, input) in [
        ("core.chat.send", json!({ "conversation_id": talk["id"], "text": "Hi" })),
        ("core.chat.messages", json!({ "conversation_id": talk["id"] })),
        ("core.chat.pin", json!({ "message_id": message["id"], "pinned": true })),
    ] {
        let answer = world.call(operation, &stranger.athlete.principal, input).await;
        assert_eq!((answer.status, answer.code()), (404, "not_found"), "{operation}");
    }
    assert_eq!(list(&world, &stranger.athlete).await, json!([]));
}
both!(anothers_conversation_is_not_there);

async fn what_is_wrong_is_said(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    for input in [
        json!({ "text": "To whom?" }),
        json!({ "conversation_id": talk["id"], "user_id": hire.athlete.user_id, "text": "Both" }),
        json!({ "conversation_id": talk["id"], "text": " \n\t" }),
        json!({ "conversation_id": talk["id"], "text": "a\0b" }),
        json!({ "conversation_id": talk["id"], "text": "x".repeat(4_001) }),
        json!({ "conversation_id": talk["id"] }),
        json!({ "conversation_id": 0, "text": "x" }),
        json!({ "conversation_id": talk["id"], "text": 7 }),
    ] {
        let refused = world.call("core.chat.send", &hire.partner.principal, input).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"));
    }
    send(&world, &hire.partner, &talk, &"🏈".repeat(4_000)).await;
    let page = json!({ "conversation_id": talk["id"], "limit": 201 });
    let page = world.call("core.chat.messages", &hire.partner.principal, page).await;
    assert_eq!(page.status, 422);
}
both!(what_is_wrong_is_said);

async fn hostile_texts_come_back_as_they_were(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let texts = hostile_texts();
    assert_eq!(texts.len(), 200);
    for text in &texts {
        assert_eq!(send(&world, &hire.partner, &talk, text).await["text"], json!(text));
    }
    let all = json!({ "conversation_id": talk["id"], "limit": 200 });
    let all = world.call("core.chat.messages", &hire.athlete.principal, all).await.data();
    let mut came: Vec<&str> =
        all.as_array().unwrap().iter().map(|message| message["text"].as_str().unwrap()).collect();
    came.reverse();
    assert_eq!(came, texts);
    assert_eq!(mails(&world, &hire.athlete.email, "message.received").await, 1);
}
both!(hostile_texts_come_back_as_they_were);

async fn the_same_key_sends_once(world: World) {
    let hire = world.hired(json!({})).await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let text = json!({ "conversation_id": talk["id"], "text": "Once" });
    let who = &hire.partner.principal;
    let first = world.call_with_key("core.chat.send", who, text.clone(), Some("k")).await;
    let again = world.call_with_key("core.chat.send", who, text, Some("k")).await;
    assert_eq!(first.bytes, again.bytes);
    // A retry with the key returns the same page, and marks nothing twice.
    let feed = json!({ "conversation_id": talk["id"] });
    let athlete = &hire.athlete.principal;
    let first = world.call_with_key("core.chat.messages", athlete, feed.clone(), Some("k")).await;
    let again = world.call_with_key("core.chat.messages", athlete, feed, Some("k")).await;
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(first.data().as_array().unwrap().len(), 1);
}
both!(the_same_key_sends_once);

async fn both_sides_beginning_at_once_begin_one(world: World) {
    let hire = world.hired(json!({})).await;
    let world = Arc::new(world);
    let begin = |from: &Person, to: &Person| {
        let (world, from, to) = (world.clone(), from.clone(), to.clone());
        tokio::spawn(async move {
            let start = json!({ "user_id": to.user_id, "job_id": hire.job });
            world.call("core.chat.start", &from.principal, start).await.data()["id"].clone()
        })
    };
    let (one, other) = (&hire.partner, &hire.athlete);
    let starts: Vec<_> = (0..20).flat_map(|_| [begin(one, other), begin(other, one)]).collect();
    let mut ids = Vec::new();
    for start in starts {
        ids.push(start.await.unwrap())
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(world.id("SELECT COUNT(*) FROM conversation").await, 1);
    assert_eq!(world.id("SELECT COUNT(*) FROM participant").await, 2);
    let begun = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'conversation'";
    assert_eq!(world.id(begun).await, 1);
}
both!(both_sides_beginning_at_once_begin_one);

async fn several_recipients_each_get_their_own(world: World) {
    let hire = world.hired(json!({})).await;
    let brand = &hire.partner;
    let mut team = vec![hire.athlete.clone()];
    for name in ["Ida Novak", "Kim Park", "Ana Ruiz"] {
        let athlete = world.athlete(name).await;
        world.apply(&athlete, hire.job).await;
        team.push(athlete);
    }
    let stranger = world.athlete("Max Stein").await;
    suspend(&world, &team[3]).await;
    let known = start(&world, brand, &team[1], None).await;
    let ids = [
        team[0].user_id,
        stranger.user_id,
        team[1].user_id,
        999_999,
        team[3].user_id,
        team[2].user_id,
        team[0].user_id,
        brand.user_id,
    ];
    let mass = json!({ "user_ids": ids, "text": "Practice moved to noon." });
    let answer =
        world.call_with_key("core.chat.send_mass", &brand.principal, mass.clone(), Some("m")).await;
    let again = world.call_with_key("core.chat.send_mass", &brand.principal, mass, Some("m")).await;
    assert_eq!(answer.bytes, again.bytes);
    let answer = answer.data();
    let of = |list: &str, field: &str| -> Vec<Value> {
        answer[list].as_array().unwrap().iter().map(|line| line[field].clone()).collect()
    };
    assert_eq!(of("sent", "user_id"), [team[0].user_id, team[1].user_id, team[2].user_id]);
    assert_eq!(answer["sent"][1]["conversation_id"], known["id"]);
    assert_eq!(
        of("refused", "user_id"),
        [stranger.user_id, 999_999, team[3].user_id, brand.user_id]
    );
    assert_eq!(
        of("refused", "code"),
        ["not_found", "not_found", "recipient_unavailable", "recipient_unavailable"]
    );
    for athlete in &team[..3] {
        let own = list(&world, athlete).await;
        assert_eq!((own.as_array().unwrap().len(), &own[0]["unread_count"]), (1, &json!(1)));
        assert_eq!(own[0]["last_message"]["text"], "Practice moved to noon.");
        assert_eq!(mails(&world, &athlete.email, "message.received").await, 1);
    }
    assert_eq!(list(&world, &stranger).await, json!([]));

    let nobody = json!({ "user_ids": [999_999], "text": "Hello" });
    let nobody = world.call("core.chat.send_mass", &brand.principal, nobody).await.data();
    assert_eq!(nobody["sent"], json!([]));
    let fan = world.fan("Sam Lee").await;
    let fans = json!({ "user_ids": [brand.user_id], "text": "Hello" });
    assert_eq!(world.call("core.chat.send_mass", &fan.principal, fans).await.status, 403);
    for wrong in [vec![], (1..=501).collect::<Vec<i64>>()] {
        let wrong = json!({ "user_ids": wrong, "text": "Hello" });
        assert_eq!(world.call("core.chat.send_mass", &brand.principal, wrong).await.status, 422);
    }
}
both!(several_recipients_each_get_their_own);

async fn pins_are_for_both_sides(world: World) {
    let hire = world.hired(json!({})).await;
    let (brand, athlete) = (&hire.partner, &hire.athlete);
    let talk = start(&world, brand, athlete, None).await;
    let mut ids = Vec::new();
    for number in 0..21 {
        ids.push(send(&world, brand, &talk, &format!("Message {number}")).await["id"].clone());
    }
    let pin = |id: &Value, pinned: bool| json!({ "message_id": id, "pinned": pinned });
    let first = world.call("core.chat.pin", &athlete.principal, pin(&ids[0], true)).await.data();
    assert!(first["pinned_at"].is_string());
    world.pass(chrono::TimeDelta::minutes(5));
    let again = world.call("core.chat.pin", &brand.principal, pin(&ids[0], true)).await.data();
    assert_eq!(again["pinned_at"], first["pinned_at"]);
    for who in [brand, athlete] {
        assert_eq!(list(&world, who).await[0]["pinned"][0]["text"], "Message 0");
    }
    let off = world.call("core.chat.pin", &brand.principal, pin(&ids[0], false)).await.data();
    assert_eq!(off["pinned_at"], json!(null));
    assert_eq!(list(&world, athlete).await[0]["pinned"], json!([]));

    // Twenty at most, also under concurrent requests.
    let world = Arc::new(world);
    let pins: Vec<_> = ids
        .iter()
        .map(|id| {
            let (world, who, input) = (world.clone(), brand.principal.clone(), pin(id, true));
            tokio::spawn(async move { world.call("core.chat.pin", &who, input).await })
        })
        .collect();
    let mut refused = 0;
    for answer in pins {
        let answer = answer.await.unwrap();
        if answer.status != 200 {
            assert_eq!((answer.status, answer.code()), (409, "too_many_pins"));
            refused += 1;
        }
    }
    assert_eq!(refused, 1);
    assert_eq!(list(&world, athlete).await[0]["pinned"].as_array().unwrap().len(), 20);
    let unknown = world.call("core.chat.pin", &athlete.principal, pin(&json!(999_999), true)).await;
    assert_eq!(unknown.code(), "not_found");
}
both!(pins_are_for_both_sides);

async fn files_come_with_a_message_for_both_sides(world: World) {
    let hire = world.hired(json!({})).await;
    let stranger = world.athlete("Ida Novak").await;
    let talk = start(&world, &hire.partner, &hire.athlete, None).await;
    let own = world.file(&hire.partner, "vest.png").await;
    let theirs = world.file(&hire.athlete, "run.png").await;
    let with =
        |files: Value| json!({ "conversation_id": talk["id"], "text": "See.", "file_ids": files });
    let download = async |who: &Person| {
        world.call("core.file.download", &who.principal, json!({ "id": own })).await.status
    };
    assert_eq!(download(&hire.athlete).await, 404);
    let sent = world.call("core.chat.send", &hire.partner.principal, with(json!([own, own]))).await;
    assert_eq!(sent.data()["attachments"], json!([own]));
    assert_eq!(read(&world, &hire.athlete, &talk).await[0]["attachments"], json!([own]));
    assert_eq!(download(&hire.athlete).await, 200);
    assert_eq!(download(&stranger).await, 404);
    let delete = json!({ "id": own });
    let delete = world.call("core.file.delete", &hire.partner.principal, delete).await;
    assert_eq!((delete.status, delete.code()), (409, "file_in_use"));
    for files in [json!([theirs]), json!([999_999]), json!((1..=11).collect::<Vec<i64>>())] {
        let refused = world.call("core.chat.send", &hire.partner.principal, with(files)).await;
        assert_eq!(refused.status, 422);
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM message").await, 1);
}
both!(files_come_with_a_message_for_both_sides);
