//! FeedKind tokens: which feeds have changed since a client's last request.

use std::collections::BTreeMap;
use std::sync::Arc;

use nil_core::Cx;
use nil_core::auth::{Anyone, Principal};
use nil_core::kernel::UserId;
use nil_core::notifications::FeedKind;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The tokens by feed.
async fn tokens(world: &World, who: &Person) -> BTreeMap<String, Value> {
    let list =
        world.call("core.notification.activity_tokens", &who.principal, json!({})).await.data();
    let of = |feed: &Value| (feed["activity"].as_str().unwrap().to_owned(), feed.clone());
    list.as_array().unwrap().iter().map(of).collect()
}

/// The feeds whose tokens differ.
fn changed(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) -> Vec<String> {
    let differs = |feed: &&String| before[*feed]["token"] != after[*feed]["token"];
    after.keys().filter(differs).cloned().collect()
}

async fn a_feeds_token_changes_with_it_and_with_nothing_else(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    let (brand, runner) = (tokens(&world, &partner).await, tokens(&world, &athlete).await);
    assert_eq!(
        brand.keys().collect::<Vec<_>>(),
        ["deals", "jobs", "messages", "notifications", "payments"]
    );
    assert!(brand["messages"]["updated_at"].is_string());
    assert_eq!(brand, tokens(&world, &partner).await, "asking changes nothing");

    world.pass(chrono::TimeDelta::minutes(1));
    let application = world.apply(&athlete, job).await;
    let after = tokens(&world, &partner).await;
    assert_eq!(changed(&brand, &after), ["jobs"]);
    assert!(after["jobs"]["updated_at"].as_str() > brand["jobs"]["updated_at"].as_str());
    assert_eq!(changed(&runner, &tokens(&world, &athlete).await), [""; 0]);

    let hire = json!({ "id": application });
    world.call("core.application.hire", &partner.principal, hire.clone()).await.data();
    let hired = tokens(&world, &athlete).await;
    assert_eq!(changed(&runner, &hired), ["deals"]);
    let again = world.call("core.application.hire", &partner.principal, hire).await;
    assert_eq!(again.status, 409);
    assert_eq!(hired, tokens(&world, &athlete).await, "what was refused touches nothing");
}
both!(a_feeds_token_changes_with_it_and_with_nothing_else);

async fn a_crowd_at_one_feed_does_not_stand_in_its_own_way(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&partner, json!({ "slots": 20 })).await;
    let mut athletes = Vec::new();
    let college = world.college().await;
    for number in 0..12 {
        athletes.push(world.athlete_of(&format!("Runner{number} Lake"), college).await);
    }
    let world = std::sync::Arc::new(world);
    let crowd: Vec<_> = athletes
        .into_iter()
        .map(|athlete| {
            let world = world.clone();
            tokio::spawn(async move { world.apply(&athlete, job).await })
        })
        .collect();
    for one in crowd {
        one.await.unwrap();
    }
}
both!(a_crowd_at_one_feed_does_not_stand_in_its_own_way);

async fn a_feed_that_is_held_lets_the_next_one_wait(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let user = UserId::new(partner.user_id).unwrap();
    let platform = world.platform.clone();
    let (held, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (says, waits) = (held.clone(), go_on.clone());
    let first = tokio::spawn(async move {
        let holds = |cx: Cx<Anyone>, user| {
            let (says, waits) = (says.clone(), waits.clone());
            async move {
                let mut work = cx.begin().await?;
                work.touch_now(&[user], FeedKind::Messages).await?;
                says.notify_one();
                waits.notified().await;
                work.done(()).await
            }
        };
        platform.call(Anyone(Principal::Anonymous), holds, user).await.map(|_| ())
    });
    held.notified().await;
    let platform = world.platform.clone();
    let mut second = tokio::spawn(async move {
        let touches = async |cx: Cx<Anyone>, user| {
            let mut work = cx.begin().await?;
            work.touch_now(&[user], FeedKind::Messages).await?;
            work.touch(user, FeedKind::Messages);
            work.done(()).await
        };
        platform.call(Anyone(Principal::Anonymous), touches, user).await.map(|_| ())
    });
    let early = tokio::time::timeout(std::time::Duration::from_millis(300), &mut second).await;
    assert!(early.is_err(), "it did not wait: {early:?}");
    go_on.notify_one();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
}
both!(a_feed_that_is_held_lets_the_next_one_wait);
