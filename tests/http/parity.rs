//! Plays one story through every interface; the answers are the same.

use nil_tests::door::HttpDoor;
use nil_tests::{Engine, Frontend, Server, World, story};

async fn plays_the_story(frontend: Frontend, engine: Engine) {
    let world = World::in_real_time(engine).await;
    world.chief_operator().await;
    let platform = world.platform.clone();
    let today = platform.now().date_naive();
    let door = HttpDoor::new(Server::start(world, frontend).await);
    let transcript = story::play(&door, &platform, today).await;
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
