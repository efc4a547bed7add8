//! Plays one story through every interface; the answers are the same.

use chrono::NaiveDate;
use nil_tests::door::HttpDoor;
use nil_tests::{Engine, Frontend, Server, World, story};
use serde_json::json;

/// The story behind a server.
async fn told(world: World, frontend: Frontend, today: NaiveDate) -> String {
    let platform = world.platform.clone();
    let door = HttpDoor::new(Server::start(world, frontend).await);
    story::play(&door, &platform, today).await
}

async fn plays_the_story(frontend: Frontend, engine: Engine) {
    let world = World::in_real_time(engine).await;
    world.chief_operator().await;
    let today = world.platform.now().date_naive();
    let transcript = told(world, frontend, today).await;
    insta::with_settings!({ snapshot_path => "../story", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("deal", transcript);
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn warp_sqlite() {
    plays_the_story(Frontend::Warp, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poem_sqlite() {
    plays_the_story(Frontend::Poem, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn warp_postgres() {
    plays_the_story(Frontend::Warp, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn poem_postgres() {
    plays_the_story(Frontend::Poem, Engine::Postgres).await;
}

/// On a copy of a platform that has been used, the story goes as on what was copied.
async fn goes_on_a_copy(from: Engine, to: Engine) {
    let world = World::in_real_time(from).await;
    world.chief_operator().await;
    world.active(json!({})).await;
    let today = world.platform.now().date_naive();
    let copy = world.copied_to(to).await;
    let there = told(copy, Frontend::Poem, today).await;
    let here = told(world, Frontend::Warp, today).await;
    assert_eq!(here, there);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_story_goes_on_a_copy_from_sqlite_to_postgres() {
    goes_on_a_copy(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_story_goes_on_a_copy_from_postgres_to_sqlite() {
    goes_on_a_copy(Engine::Postgres, Engine::Sqlite).await;
}
