//! Designed pages × people: each page is seen by whoever may call the operation that it is made of,
//! offers nothing that its reader may not do, and shows nobody a record of another institution.

use nil_core::auth::{Permission, Role};
use nil_core::catalog::{Interface, catalog};
use nil_core::ports::processor::DisputeKind;
use nil_http_poem::console::{Console, DesignedPage};
use nil_tests::door::HttpDoor;
use nil_tests::story;
use nil_tests::{Engine, Frontend, Server, World, a_disclosure, a_filing};
use scraper::{Html, Selector};
use serde_json::json;

use crate::console::{Browser, text};
use crate::console_money::{charged_by_hand, disputed};

/// The table whose first record a page of one record is looked at with.
fn table(page: &DesignedPage) -> &'static str {
    match page.path.split('/').nth(1).unwrap_or_default() {
        "deals" => "disclosed_job",
        "athletes" => "athlete",
        "clearances" => "clearance",
        "filings" => "athlete_agent_filing",
        "differences" => "processor_difference",
        "disputes" => "dispute",
        "payments" => "payment",
        "jobs" => "job",
        "partners" => "partner",
        "agents" => "agent",
        "templates" => "template",
        other => panic!("no table for {other}"),
    }
}

/// Where a page of an operation leads from here: the operations of its links and forms.
fn offered(page: &Html, side: &str) -> Vec<String> {
    let linked = Selector::parse("a[href], form[action]").unwrap();
    let mut all = Vec::new();
    for element in page.select(&linked) {
        let Some(at) = element.attr("href").or(element.attr("action")) else { continue };
        let Some(below) = at.strip_prefix(side) else { continue };
        let place = below.strip_prefix("/op/").or(below.strip_prefix("/file/"));
        if let Some(name) = place.and_then(|place| place.split(['?', '#']).next()) {
            all.push(name.to_owned());
        }
    }
    all
}

/// A person who goes to every designed page of a side.
struct Reader<'s> {
    browser: Browser<'s>,
    interface: Interface,
    who: nil_core::auth::Principal,
}

impl Reader<'_> {
    /// How many pages were shown whole, and to how many operations they lead. `own` says whether
    /// the records are those of the reader.
    async fn walk(&self, world: &World, own: bool) -> (usize, usize) {
        let (mut shown, mut offers) = (0, 0);
        for page in Console::designed().filter(|page| page.interface == self.interface) {
            let mut path = page.path.to_owned();
            if path.contains("{id}") {
                let id = world.id(&format!("SELECT MIN(id) FROM {}", table(&page))).await;
                path = path.replace("{id}", &id.to_string());
            }
            let got = self.browser.get(&path).await;
            let told = format!("{path} as {}: {}", self.who.actor(), got.status);
            let needs = catalog().named(page.needs).expect("an operation");
            if needs.admit(&self.who).is_err() {
                assert_eq!(got.status, 403, "{told}");
                continue;
            }
            if page.path.contains("{id}") && !own {
                assert_eq!(got.status, 404, "{told}");
                continue;
            }
            // The payment's money is on its way to a bank: the page says that it waits for it.
            assert!([200, 303, 409].contains(&got.status), "{told}\n{}", text(&got));
            if got.status == 303 {
                continue;
            }
            let document = Html::parse_document(&text(&got));
            let count = |what| document.select(&Selector::parse(what).unwrap()).count();
            assert_eq!(count("h1"), 1, "{told}");
            assert_eq!(count("[style], style, script:not([src])"), 0, "{told}");
            for name in offered(&document, self.browser.side) {
                let name = format!("{}.{name}", self.interface.as_str());
                let entry = catalog().named(&name).unwrap_or_else(|| panic!("{told}: {name}"));
                assert!(entry.admit(&self.who).is_ok(), "{told} offers {name}");
                offers += 1;
            }
            shown += 1;
        }
        (shown, offers)
    }
}

async fn every_designed_page(engine: Engine) {
    let world = World::unthrottled(engine).await;
    world.chief_operator().await;
    let platform = world.platform.clone();
    let door = HttpDoor::new(Server::start(world, Frontend::Poem).await);
    story::play(&door, &platform, platform.now().date_naive()).await;
    let (server, world) = (&door.server, &door.server.world);
    let own = world.id("SELECT university_id FROM athlete").await;
    let other = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", own).await;
    let deal = a_disclosure(json!({ "amount_cents": 70_000 }));
    world.call("core.disclosed_job.save", &athlete.principal, deal).await.data();
    let (officer, _) = world.portal_user(own, "officer").await;
    let filing = a_filing(athlete.id, json!({ "submit": true }));
    world.call("compliance.disclosure.submit", &officer, filing).await.data();
    world.agent("Summit Agency").await;
    let first = world.id("SELECT MIN(id) FROM payment").await;
    disputed(world, first, DisputeKind::Chargeback).await;
    charged_by_hand(world).await;
    for (college, role) in
        [(own, Role::Owner), (own, Role::Officer), (own, Role::Viewer), (other, Role::Owner)]
    {
        let (email, token) = world.new_portal_user(college, role.as_str()).await;
        let who = platform.authenticate_compliance(&token).await.unwrap();
        let browser = Browser::sign_in(server, "/portal", &email).await;
        let reader = Reader { browser, interface: Interface::Compliance, who };
        let (shown, offers) = reader.walk(world, college == own).await;
        assert!(shown >= 9 && offers >= 3, "{shown} pages, {offers} links as {role:?}");
    }
    for &permission in Permission::ALL {
        let email = format!("{}@pages.example", permission.as_str().replace('*', "all"));
        let who = world.new_operator(&email, permission).await;
        let browser = Browser::sign_in(server, "/console", &email).await;
        let reader = Reader { browser, interface: Interface::Admin, who };
        let (shown, offers) = reader.walk(world, true).await;
        let [pages, links] = if permission == Permission::All { [29, 44] } else { [1, 0] };
        assert!(shown >= pages && offers >= links, "{shown}, {offers}: {}", permission.as_str());
    }
}

mod a_designed_page_is_for_whoever_may_call_its_operation {
    use super::{Engine, every_designed_page};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn sqlite() {
        every_designed_page(Engine::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn postgres() {
        every_designed_page(Engine::Postgres).await;
    }
}
