//! Maintained counters always equal a recount, under concurrent writes and reads.

use std::sync::Arc;

use nil_tests::{Engine, Person, World};
use serde_json::json;

/// Finds counters, last messages and times that do not match the messages.
const WRONG: &str = "SELECT COUNT(*) FROM participant p WHERE p.unread_count <> \
    (SELECT COUNT(*) FROM message m WHERE m.conversation_id = p.conversation_id \
    AND m.read_at IS NULL AND COALESCE(m.sender_id, 0) <> p.user_id) \
    OR COALESCE(p.last_message_id, 0) <> COALESCE((SELECT MAX(m.id) FROM message m \
    WHERE m.conversation_id = p.conversation_id), 0)";

/// One small step of a user, chosen by a number.
async fn step(world: &World, number: u64, people: &[Person], talks: &[(i64, usize, usize)]) {
    let (talk, one, other) = talks[usize::try_from(number / 8).unwrap() % talks.len()];
    let who = &people[if number.is_multiple_of(2) { one } else { other }];
    let (operation, input) = match number / 2 % 4 {
        0 | 1 => ("core.chat.send", json!({ "conversation_id": talk, "text": number.to_string() })),
        2 => ("core.chat.messages", json!({ "conversation_id": talk, "limit": 2 })),
        _ => {
            let everybody: Vec<i64> = people.iter().map(|person| person.user_id).collect();
            ("core.chat.send_mass", json!({ "user_ids": everybody, "text": "All" }))
        }
    };
    let answer = world.call(operation, &who.principal, input).await;
    assert_eq!(answer.status, 200, "{operation}: {}", answer.body);
}

async fn counters_are_right(engine: Engine, seed: u64, steps: u64) {
    let world = Arc::new(World::unthrottled(engine).await);
    let hire = world.hired(json!({ "slots": 3 })).await;
    let mut people = vec![hire.partner.clone(), hire.athlete.clone()];
    for name in ["Ida Novak", "Kim Park"] {
        let athlete = world.athlete(name).await;
        world.apply(&athlete, hire.job).await;
        people.push(athlete);
    }
    let mut talks = Vec::new();
    for at in 1..people.len() {
        for job in [None, Some(hire.job)] {
            let start = json!({ "user_id": people[at].user_id, "job_id": job });
            let talk = world.call("core.chat.start", &people[0].principal, start).await.data();
            talks.push((talk["id"].as_i64().unwrap(), 0, at));
        }
    }
    let (people, talks) = (Arc::new(people), Arc::new(talks));
    let mut state = seed;
    for _ in 0..4 {
        let mut running = Vec::new();
        for _ in 0..steps / 4 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (world, people, talks) = (world.clone(), people.clone(), talks.clone());
            let number = state >> 33;
            running.push(tokio::spawn(async move { step(&world, number, &people, &talks).await }));
        }
        for one in running {
            one.await.unwrap();
        }
        assert_eq!(world.id(WRONG).await, 0, "seed {seed}");
    }
    assert!(world.id("SELECT COUNT(*) FROM message").await > 50);
    // All messages are read: nothing remains unread.
    for (talk, one, other) in talks.iter() {
        for who in [one, other] {
            let read = json!({ "conversation_id": talk });
            world.call("core.chat.messages", &people[*who].principal, read).await.data();
        }
    }
    assert_eq!(world.id("SELECT CAST(SUM(unread_count) AS BIGINT) FROM participant").await, 0);
    assert_eq!(world.id(WRONG).await, 0, "seed {seed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    for seed in [1, 2] {
        counters_are_right(Engine::Sqlite, seed, 120).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    for seed in [3, 4] {
        counters_are_right(Engine::Postgres, seed, 120).await;
    }
}
