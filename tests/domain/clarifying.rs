//! Clarification drafts: stored, changed, deleted, and sent once.

use std::sync::Arc;

use nil_core::accounts::suspension;
use nil_core::kernel::UserId;
use nil_tests::{Hire, Person, World, both, hostile_texts, trust};
use serde_json::{Value, json};

async fn draft(world: &World, hire: &Hire, text: &str) -> Value {
    let save = json!({ "job_id": hire.job, "draft_text": text });
    world
        .call("core.assistant.save_clarification_draft", &hire.athlete.principal, save)
        .await
        .data()
}

async fn send(world: &World, who: &Person, input: Value) -> nil_tests::Answer {
    world.call("core.assistant.send_clarification", &who.principal, input).await
}

/// The messages the brand has about the job, newest first.
async fn inbox(world: &World, hire: &Hire) -> Vec<Value> {
    let start = json!({ "user_id": hire.athlete.user_id, "job_id": hire.job });
    let talk = world.call("core.chat.start", &hire.partner.principal, start).await.data();
    let feed = json!({ "conversation_id": talk["id"], "limit": 200 });
    let feed = world.call("core.chat.messages", &hire.partner.principal, feed).await.data();
    feed.as_array().unwrap().clone()
}

async fn a_draft_is_sent_through_the_chat_with_the_brand(world: World) {
    let hire = world.hired(json!({})).await;
    let stored = draft(&world, &hire, "May I wear my jersey?").await;
    assert_eq!((&stored["status"], &stored["sent_at"]), (&json!("pending"), &json!(null)));
    let sent =
        send(&world, &hire.athlete, json!({ "id": stored["id"], "final_text": null })).await.data();
    assert_eq!(sent["id"], stored["id"]);
    assert_eq!(
        (&sent["draft_text"], &sent["final_text"]),
        (&json!("May I wear my jersey?"), &json!(null))
    );
    assert_eq!((&sent["status"], &sent["brand_id"]), (&json!("sent"), &json!(hire.partner.id)));
    assert_eq!(sent["sent_at"], "2026-11-20T12:00:00Z");
    let edited = draft(&world, &hire, "Which shoes?").await;
    let edit = json!({ "id": edited["id"], "final_text": " Which shoes, please? " });
    let edited = send(&world, &hire.athlete, edit).await.data();
    assert_eq!(
        (&edited["draft_text"], &edited["final_text"]),
        (&json!("Which shoes?"), &json!(" Which shoes, please? "))
    );
    let inbox = inbox(&world, &hire).await;
    assert_eq!(inbox.len(), 2);
    assert_eq!(
        (&inbox[0]["text"], &inbox[1]["text"]),
        (&json!(" Which shoes, please? "), &json!("May I wear my jersey?"))
    );
    assert_eq!(inbox[0]["sender"]["user_id"], hire.athlete.user_id);
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&hire.partner.email, "message.received").await.unwrap();
    assert!(mail.contains("Zoe Okafor"), "{mail}");
    let listed = json!({ "statuses": ["sent"] });
    let listed =
        world.call("core.assistant.clarification_drafts", &hire.athlete.principal, listed).await;
    assert_eq!(listed.data().as_array().unwrap().len(), 2);
}
both!(a_draft_is_sent_through_the_chat_with_the_brand);

async fn everything_wrong_with_a_draft_is_422(world: World) {
    let hire = world.hired(json!({})).await;
    let stranger = world.hired(json!({})).await;
    let own = draft(&world, &hire, "May I?").await;
    let theirs = draft(&world, &stranger, "Theirs?").await;
    let refused = async |input: Value, code: &str| {
        let answer = send(&world, &hire.athlete, input.clone()).await;
        assert_eq!((answer.status, answer.code()), (422, code), "{input}");
        answer.body
    };
    let foreign = refused(json!({ "id": theirs["id"] }), "not_found").await;
    assert_eq!(foreign, refused(json!({ "id": 999_999 }), "not_found").await);
    for id in [json!(0), json!(-1), json!("abc"), json!(null), json!(1.5)] {
        refused(json!({ "id": id }), "validation_failed").await;
    }
    for text in [json!(""), json!(" \n"), json!("\u{3000}"), json!("a\0b"), json!(7), json!([])] {
        refused(json!({ "id": own["id"], "final_text": text }), "validation_failed").await;
    }
    let user = UserId::new(hire.partner.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
    refused(json!({ "id": own["id"] }), "recipient_unavailable").await;
    suspension::restore(&world.platform, user).await.unwrap();
    // None of this has changed anything; now it is sent.
    assert_eq!(send(&world, &hire.athlete, json!({ "id": own["id"] })).await.status, 200);
    refused(json!({ "id": own["id"] }), "illegal_transition").await;
    refused(json!({ "id": own["id"], "final_text": "Again" }), "illegal_transition").await;
    assert_eq!(inbox(&world, &hire).await.len(), 1);
    assert_eq!(inbox(&world, &stranger).await.len(), 0);
    let brand = send(&world, &hire.partner, json!({ "id": own["id"] })).await;
    assert_eq!((brand.status, brand.code()), (403, "forbidden"));
    // A key reused with another request is 422, too.
    let name = "core.assistant.send_clarification";
    let who = &hire.athlete.principal;
    let next = draft(&world, &hire, "And now?").await;
    let first = world.call_with_key(name, who, json!({ "id": next["id"] }), Some("k")).await;
    let again = world.call_with_key(name, who, json!({ "id": next["id"] }), Some("k")).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
    let other = world.call_with_key(name, who, json!({ "id": own["id"] }), Some("k")).await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
}
both!(everything_wrong_with_a_draft_is_422);

async fn a_thousand_characters_are_sent_and_one_more_is_not(world: World) {
    let hire = world.hired(json!({})).await;
    let emoji = "🏈".repeat(1_000);
    let long = draft(&world, &hire, "Short?").await;
    let more = json!({ "id": long["id"], "final_text": format!("{emoji}🏈") });
    let more = send(&world, &hire.athlete, more).await;
    assert_eq!((more.status, more.code()), (422, "validation_failed"));
    assert!(more.body["errors"]["final_text"].is_array(), "{}", more.body);
    let exact = json!({ "id": long["id"], "final_text": emoji });
    assert_eq!(send(&world, &hire.athlete, exact).await.data()["final_text"], json!(emoji));
    assert_eq!(inbox(&world, &hire).await[0]["text"], json!(emoji));
}
both!(a_thousand_characters_are_sent_and_one_more_is_not);

async fn hostile_texts_are_sent_as_they_are(world: World) {
    let hire = world.hired(json!({})).await;
    let texts = hostile_texts();
    for text in &texts {
        let stored = draft(&world, &hire, text).await;
        assert_eq!(stored["draft_text"], json!(text));
        let edit = json!({ "id": stored["id"], "final_text": text });
        assert_eq!(send(&world, &hire.athlete, edit).await.data()["final_text"], json!(text));
    }
    let mut came: Vec<String> = inbox(&world, &hire)
        .await
        .iter()
        .map(|message| message["text"].as_str().unwrap().to_owned())
        .collect();
    came.reverse();
    assert_eq!(came, texts);
}
both!(hostile_texts_are_sent_as_they_are);

async fn a_hundred_at_once_send_one(world: World) {
    let hire = world.hired(json!({})).await;
    let stored = draft(&world, &hire, "May I?").await;
    let world = Arc::new(world);
    let sends: Vec<_> = (0..100)
        .map(|_| {
            let (world, who, id) = (world.clone(), hire.athlete.clone(), stored["id"].clone());
            tokio::spawn(async move { send(&world, &who, json!({ "id": id })).await })
        })
        .collect();
    let mut good = 0;
    for answer in sends {
        let answer = answer.await.unwrap();
        match answer.status {
            200 => good += 1,
            422 => assert_eq!(answer.code(), "illegal_transition"),
            other => panic!("{other}: {}", answer.body),
        }
    }
    assert_eq!(good, 1);
    assert_eq!(inbox(&world, &hire).await.len(), 1);
    trust::tried("R6", "calls at once", 100);
}
both!(a_hundred_at_once_send_one);

async fn drafts_are_changed_and_deleted_until_they_are_sent(world: World) {
    let hire = world.hired(json!({})).await;
    let stranger = world.hired(json!({})).await;
    let who = &hire.athlete.principal;
    let stored = draft(&world, &hire, "Frist?").await;
    let edit = json!({ "id": stored["id"], "draft_text": "First?" });
    let edited =
        world.call("core.assistant.edit_clarification_draft", who, edit.clone()).await.data();
    assert_eq!(edited["draft_text"], "First?");
    let id = json!({ "id": stored["id"] });
    for (name, input) in [
        ("core.assistant.edit_clarification_draft", &edit),
        ("core.assistant.remove_clarification_draft", &id),
    ] {
        let theirs = world.call(name, &stranger.athlete.principal, input.clone()).await;
        assert_eq!((theirs.status, theirs.code()), (404, "not_found"), "{name}");
    }
    send(&world, &hire.athlete, id.clone()).await.data();
    for (name, input) in [
        ("core.assistant.edit_clarification_draft", &edit),
        ("core.assistant.remove_clarification_draft", &id),
    ] {
        let late = world.call(name, who, input.clone()).await;
        assert_eq!((late.status, late.code()), (409, "illegal_transition"), "{name}");
    }
    let second = draft(&world, &hire, "Second?").await;
    let remove = json!({ "id": second["id"] });
    world.call("core.assistant.remove_clarification_draft", who, remove.clone()).await.data();
    let again = world.call("core.assistant.remove_clarification_draft", who, remove.clone()).await;
    assert_eq!(again.status, 404);
    assert_eq!(send(&world, &hire.athlete, remove).await.status, 422);

    let foreign = json!({ "job_id": stranger.job, "draft_text": "Hello?" });
    let foreign = world.call("core.assistant.save_clarification_draft", who, foreign).await;
    assert_eq!((foreign.status, foreign.code()), (404, "not_found"));
    for text in [json!(" "), json!("x".repeat(1_001)), json!(null)] {
        let wrong = json!({ "job_id": hire.job, "draft_text": text });
        let wrong = world.call("core.assistant.save_clarification_draft", who, wrong).await;
        assert_eq!(wrong.status, 422);
    }
}
both!(drafts_are_changed_and_deleted_until_they_are_sent);

async fn a_deleted_draft_leaves_its_answer(world: World) {
    let hire = world.hired(json!({})).await;
    let who = &hire.athlete.principal;
    let question = json!({ "text": "Can I wear my jersey?", "job_id": hire.job });
    let reply = world.call("core.assistant.chat", who, question).await.data();
    let remove = json!({ "id": reply["draft"]["id"] });
    world.call("core.assistant.remove_clarification_draft", who, remove).await.data();
    let history = world.call("core.assistant.history", who, json!({})).await.data();
    assert_eq!((&history[0]["text"], &history[0]["draft"]), (&reply["text"], &json!(null)));
}
both!(a_deleted_draft_leaves_its_answer);
