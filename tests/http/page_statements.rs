//! How many statements a designed page runs, with the check of its session: a reviewed list for
//! both engines. A page calls operations and nothing else, so its number is the sum of theirs.

use nil_core::ports::processor::DisputeKind;
use nil_core::storage::Counted;
use nil_tests::door::HttpDoor;
use nil_tests::story;
use nil_tests::{Engine, Frontend, Server, World};

use crate::console::{Browser, text};
use crate::console_money::{charged_by_hand, disputed};
use crate::statements::listed;

/// The pages of the portal; `{…}` is the id of the first record of a table.
const PORTAL: [&str; 11] = [
    "",
    "/transactions",
    "/athletes",
    "/athletes/{athlete}",
    "/deals",
    "/clearances",
    "/filings",
    "/trail",
    "/rules",
    "/team",
    "/analytics",
];

/// The pages of the console.
const CONSOLE: [&str; 20] = [
    "",
    "/payments",
    "/payouts",
    "/disputes",
    "/disputes/{dispute}",
    "/differences",
    "/differences/{processor_difference}",
    "/requests",
    "/revenue",
    "/jobs",
    "/jobs/{job}",
    "/athletes",
    "/athletes/{athlete}",
    "/partners/{partner}",
    "/universities",
    "/settings",
    "/audit",
    "/reports",
    "/templates",
    "/library",
];

async fn costs(engine: Engine) -> Vec<(String, Counted)> {
    let world = World::unthrottled(engine).await;
    let operator = world.chief_operator().await;
    let platform = world.platform.clone();
    let door = HttpDoor::new(Server::start(world, Frontend::Poem).await);
    story::play(&door, &platform, platform.now().date_naive()).await;
    let server = &door.server;
    let first = server.world.id("SELECT MIN(id) FROM payment").await;
    disputed(&server.world, first, DisputeKind::Chargeback).await;
    charged_by_hand(&server.world).await;
    let college = server.world.id("SELECT university_id AS id FROM athlete").await;
    let (owner, _) = server.world.new_portal_user(college, "owner").await;
    let mut costs = Vec::new();
    for (side, email, pages) in
        [("/portal", owner.as_str(), &PORTAL[..]), ("/console", operator, &CONSOLE[..])]
    {
        let browser = Browser::sign_in(server, side, email).await;
        // The first page counts what waits, which the next ones know for a moment.
        browser.get("/all").await;
        for page in pages {
            let mut path = (*page).to_owned();
            if let Some((_, rest)) = page.split_once('{')
                && let Some((table, _)) = rest.split_once('}')
            {
                let sql = format!("SELECT MIN(id) AS id FROM {table}");
                let id = server.world.id(&sql).await.to_string();
                path = path.replace(&format!("{{{table}}}"), &id);
            }
            // The first look adds up figures that nobody has asked for yet.
            browser.get(&path).await;
            let (got, cost) = platform.db().counted(browser.get(&path)).await;
            assert_eq!(got.status, 200, "{side}{path}: {}", text(&got));
            costs.push((format!("{side}{page}"), cost));
        }
    }
    costs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reviewed_counts_of_pages_on_both_engines() {
    let sqlite = costs(Engine::Sqlite).await;
    let postgres = costs(Engine::Postgres).await;
    let both = sqlite.iter().zip(&postgres);
    let list = listed(both.map(|((page, here), (_, there))| (&**page, *here, *there)));
    insta::assert_snapshot!(list);
}
