//! Documents of deals made off the platform: who must own them, and who sees them.

use nil_tests::{Answer, PIXEL, Person, World, both};
use serde_json::{Value, json};

const SAVE: &str = "core.disclosed_job.save";

fn a_deal(over: Value) -> Value {
    let mut deal = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading day",
        "category_id": 9, "amount_cents": 40_000, "compensation": "cash",
        "signed_on": "2026-11-20", "description": "Two readings in the shop.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
            "complete_and_true"],
    });
    for (name, value) in over.as_object().unwrap() {
        deal[name] = value.clone();
    }
    deal
}

async fn save(world: &World, who: &Person, input: Value) -> Answer {
    world.call(SAVE, &who.principal, input).await
}

async fn sees(world: &World, who: &Person, file: i64) -> u16 {
    let which = json!({ "id": file });
    let got = world.call("core.file.download", &who.principal, which).await;
    assert!(got.status == 404 || got.bytes == PIXEL);
    got.status
}

async fn only_ones_own_files_show_a_deal(world: World) {
    let (athlete, stranger) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let mine = world.file(&athlete, "contract.png").await;
    let theirs = world.file(&stranger, "theirs.png").await;
    let gone = world.file(&athlete, "gone.png").await;
    world.call("core.file.delete", &athlete.principal, json!({ "id": gone })).await.data();
    let mut answers = Vec::new();
    for wrong in [theirs, gone, 999_999] {
        let refused = save(&world, &athlete, a_deal(json!({ "documents": [mine, wrong] }))).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"].get("documents").is_some(), "{}", refused.body);
        answers.push(refused.body);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:#?}");
    // A refused deal uses no file and is not created.
    assert_eq!(world.id("SELECT COUNT(*) FROM disclosed_job").await, 0);
    let many: Vec<i64> = (1..=21).collect();
    let many = save(&world, &athlete, a_deal(json!({ "documents": many }))).await;
    assert!(many.body["errors"].get("documents").is_some(), "{}", many.body);

    let draft =
        save(&world, &athlete, a_deal(json!({ "documents": [mine], "draft": true }))).await.data();
    assert_eq!(draft["documents"], json!([mine]));
    let delete = |id: i64| world.call("core.file.delete", &athlete.principal, json!({ "id": id }));
    assert_eq!(delete(mine).await.code(), "file_in_use");
    // Omitted they stay; named they are set; an empty list removes all.
    let kept =
        save(&world, &athlete, json!({ "id": draft["id"], "title": "Another", "draft": true }))
            .await
            .data();
    assert_eq!(kept["documents"], json!([mine]));
    let second = world.file(&athlete, "second.png").await;
    let both = json!({ "id": draft["id"], "documents": [mine, second], "draft": true });
    assert_eq!(save(&world, &athlete, both).await.data()["documents"], json!([mine, second]));
    let other = json!({ "id": draft["id"], "documents": [theirs], "draft": true });
    assert_eq!(save(&world, &athlete, other).await.status, 422);
    world.pass(chrono::TimeDelta::hours(48));
    nil_core::content::sweeping::sweep(&world.platform).await.unwrap();
    assert_eq!(
        (sees(&world, &athlete, mine).await, sees(&world, &athlete, second).await),
        (200, 200)
    );
    let none = json!({ "id": draft["id"], "documents": [], "draft": true });
    assert_eq!(save(&world, &athlete, none).await.data()["documents"], json!([]));
    delete(mine).await.data();
}
both!(only_ones_own_files_show_a_deal);

async fn the_agent_and_the_institution_see_what_they_may(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let agent = world.agent("Lane Agency").await;
    let tie = world.represent(&agent, &athlete, 500).await;
    let officer = world.portal_user(college, "viewer").await.0;
    let elsewhere = world.portal_user(world.college().await, "owner").await.0;
    let file = world.file(&athlete, "contract.png").await;
    let shown = async |who: &nil_core::auth::Principal| {
        world.call("compliance.file.download", who, json!({ "id": file })).await.status
    };
    let strangers = [
        world.athlete_of("Ida Novak", college).await,
        world.partner("Harbor Books").await,
        world.agent("Other Agency").await,
        world.fan("Robin Hill").await,
    ];
    assert_eq!(sees(&world, &agent, file).await, 404);
    let draft =
        save(&world, &athlete, a_deal(json!({ "documents": [file], "draft": true }))).await.data();
    // A draft is visible to the athlete and their agent.
    assert_eq!((sees(&world, &agent, file).await, shown(&officer).await), (200, 404));
    save(&world, &athlete, json!({ "id": draft["id"] })).await.data();
    assert_eq!((shown(&officer).await, shown(&elsewhere).await), (200, 404));
    for stranger in &strangers {
        assert_eq!(sees(&world, stranger, file).await, 404);
    }
    let looks = format!(
        "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'file' \
            AND subject_id = {file} AND action = 'downloaded'"
    );
    assert_eq!(world.id(&looks).await, 2);
    let end = json!({ "representation_id": tie });
    world.call("core.athlete.end_representation", &athlete.principal, end).await.data();
    assert_eq!(sees(&world, &agent, file).await, 404);
    assert_eq!(sees(&world, &athlete, file).await, 200);
}
both!(the_agent_and_the_institution_see_what_they_may);

async fn an_agent_adds_their_own_files_and_keeps_the_athletes(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("Lane Agency").await;
    world.represent(&agent, &athlete, 500).await;
    let (hers, theirs) =
        (world.file(&athlete, "hers.png").await, world.file(&agent, "theirs.png").await);
    let input = a_deal(json!({ "athlete_id": athlete.id, "documents": [hers] }));
    assert_eq!(
        save(&world, &agent, input).await.status,
        422,
        "the athlete's files are not the agent's to use"
    );
    let draft =
        save(&world, &athlete, a_deal(json!({ "documents": [hers], "draft": true }))).await.data();
    let both = json!({ "id": draft["id"], "documents": [hers, theirs], "draft": true });
    assert_eq!(save(&world, &agent, both).await.data()["documents"], json!([hers, theirs]));
    for who in [&athlete, &agent] {
        assert_eq!((sees(&world, who, hers).await, sees(&world, who, theirs).await), (200, 200));
    }
    // Removing a file from the deal does not delete another user's file.
    let only = json!({ "id": draft["id"], "documents": [theirs], "draft": true });
    save(&world, &agent, only).await.data();
    assert_eq!((sees(&world, &athlete, hers).await, sees(&world, &agent, hers).await), (200, 404));
}
both!(an_agent_adds_their_own_files_and_keeps_the_athletes);
