//! A database of an older version with data in it: after the later migrations it is what the
//! platform would have written today, nothing is lost, and what waited goes on once. Versions
//! before 0.1.0 had other migrations: their databases are refused.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::ports::courier::Outcome;
use nil_core::worker;
use nil_tests::{
    DECLINED_CARD, Engine, Fate, Fault, Frozen, GOOD_CARD, Messenger, PIXEL, World, a_file,
    a_filing, both, trust,
};
use serde_json::json;

use crate::delivery::with_a_courier;
use crate::figures::disclose;
use crate::{
    affiliate, announcements, chat, content_library, filings, institution_rules, tax_forms,
};

/// The last migration of 0.1.0.
const OLDER: i64 = 13;

/// Tables that differ between a database that was upgraded and one that was not, with the reason.
const LATER: &[(&str, &str)] = &[
    ("installation", "each database draws its own mark"),
    ("movement", "requests of the older version keep their keys, and are asked about at once"),
    ("payment_method", "older cards have no fingerprint"),
    ("sandbox_card", "older cards have no owner"),
    ("sandbox_line", "older charges have older keys, and cost nothing"),
    ("sandbox_object", "older charges have older keys, and cost nothing"),
    ("statement_line", "the older version read no statement"),
];

/// Subscriptions in every state, with their invoices; the clock stands a month later.
async fn subscriptions(world: &World) {
    let plan = world.plan(json!({})).await;
    let cancel = "core.subscription.cancel";
    for (name, fate) in
        [("Cedar Coffee", "paid"), ("Ridge Outfitters", "declined"), ("Corner Bakery", "cancelled")]
    {
        let brand = world.paying_partner(name).await;
        world.subscribe(&brand, &plan).await.data();
        if fate == "declined" {
            let card = world.card(&brand, DECLINED_CARD).await;
            let default = json!({ "payment_method_id": card["id"] });
            let set = "core.partner.set_default_payment_method";
            world.call(set, &brand.principal, default).await.data();
        } else if fate == "cancelled" {
            world.call(cancel, &brand.principal, json!({})).await.data();
        }
    }
    world.pass_until("2026-12-20T13:00:00Z");
    worker::round(&world.platform).await.unwrap();
    let brand = world.paying_partner("Late Lamps").await;
    world.subscribe(&brand, &plan).await.data();
    world.call(cancel, &brand.principal, json!({})).await.data();
}

/// A subscription whose first charge has no answer yet.
async fn an_unanswered_subscription(world: &World) {
    let plan = world.plan(json!({ "name": "Team" })).await;
    let brand = world.paying_partner("Harbor Books").await;
    world.processor.next(&[Fault::Unanswered]);
    world.subscribe(&brand, &plan).await;
    for status in ["pending", "active", "past_due", "ended"] {
        let count = format!("SELECT COUNT(*) FROM subscription WHERE status = '{status}'");
        assert!(world.id(&count).await > 0, "no subscription is {status}");
    }
}

/// Jobs, contracts and work in their states, money on its way, documents, an agent and a disclosed
/// deal.
async fn deals(world: &World) {
    let brand = world.paying_partner("Northfield").await;
    let due = json!([{ "title": "Reel", "platform": "instagram", "media_kind": "reel",
        "due_on": "2027-01-20" }]);
    let job = json!({ "milestones": due });
    world.call("core.job.save", &brand.principal, nil_tests::a_job(job.clone())).await.data();
    world.open_job(&brand, job.clone()).await;
    world.hired(job.clone()).await;
    let active = world.active(job.clone()).await;
    world.submit(&active, active.deliverables[0]).await;
    let posted = world.active(job.clone()).await;
    world.approve(&posted, posted.deliverables[0]).await;
    for (who, name) in [(&posted.partner, "brief.png"), (&posted.athlete, "draft.png")] {
        let mut input = a_file(name, PIXEL);
        input["job_id"] = json!(posted.job);
        input["athlete_id"] = json!(posted.athlete.id);
        world.call("core.deal_folder.add", &who.principal, input).await.data();
    }

    let athlete = world.athlete("Jordan Lake").await;
    let paid = world.approved_deal(&brand, &athlete, &[150_000]).await;
    world.pay(&brand, &athlete, &paid).await;
    world.approved_deal(&brand, &athlete, &[1_000]).await;
    world.can_receive(&athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let payout = json!({ "id": athlete.id });
    world.call("admin.payout.trigger", &finance, payout).await.data();
    let agent = world.agent("North Agency").await;
    let represented = world.athlete("Zoe Okafor").await;
    world.represent(&agent, &represented, 1_000).await;
    disclose(world, &represented, json!({})).await;
    for status in ["generated", "active", "completed"] {
        let count = format!("SELECT COUNT(*) FROM contract WHERE status = '{status}'");
        assert!(world.id(&count).await > 0, "no contract is {status}");
    }
}

/// Messages that are delivered, given up, and waiting, some of these not yet split by channel.
async fn messages(world: &World, courier: &Messenger) {
    worker::round(&world.platform).await.unwrap();
    courier.next([Fate::Answer(Outcome::Never("no such mailbox".into()))]);
    let athlete = world.athlete("Kim Park").await;
    worker::round(&world.platform).await.unwrap();
    let busy = Fate::Answer(Outcome::TryAgain("the server is busy".into()));
    courier.next(std::iter::repeat_n(busy, 20));
    let brand = world.partner("Valley Sports").await;
    worker::round(&world.platform).await.unwrap();
    courier.next([]);
    let job = json!({ "milestones": [{ "title": "Reel", "platform": "instagram",
        "media_kind": "reel", "due_on": "2027-01-20" }] });
    let job = world.open_job(&brand, job).await;
    world.apply(&athlete, job).await;
    for (status, channel) in
        [("sent", "email"), ("dead", "email"), ("pending", "email"), ("pending", "event")]
    {
        let count = format!(
            "SELECT COUNT(*) FROM outbox WHERE status = '{status}' AND channel = '{channel}'"
        );
        assert!(world.id(&count).await > 0, "no message on {channel} is {status}");
    }
}

/// What people say to each other, offer, sell and give back, and what institutions and operators
/// keep.
async fn the_rest(world: &World) {
    let brand = world.paying_partner("Summit Sports").await;
    let hire = world.active(json!({})).await;
    let talk = chat::start(world, &hire.partner, &hire.athlete, Some(hire.job)).await;
    chat::send(world, &hire.partner, &talk, "Welcome aboard!").await;
    world.delivered_order(&brand, &hire.athlete).await;
    world.order(&brand, &hire.athlete).await;
    world.fan("Casey Field").await;
    world.minor("Sky Young").await;

    let sold = affiliate::on_commission(world).await;
    let link = affiliate::link(world, &sold).await;
    affiliate::sale(world, &link, "A-1", 5_000).await;
    let earner = world.athlete("Noor Haddad").await;
    tax_forms::hand_in(world, &earner, tax_forms::w9("123-45-6789")).await.data();
    let deal = world.approved_deal(&brand, &earner, &[40_000]).await;
    let payment = world.pay(&brand, &earner, &deal).await;
    let refund =
        json!({ "payment_id": payment["id"], "reason": "Event cancelled", "amount_cents": 10_000 });
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payment.refund", &finance, refund).await.data();
    let plan = world.plan(json!({ "name": "Club" })).await;
    world.subscribe(&brand, &plan).await.data();
    let bigger = world.plan(json!({ "name": "League", "price_cents": 19_900 })).await;
    world.change_plan(&brand, &bigger).await.data();

    let (college, officer, enrolled) = filings::school(world).await;
    let filing = a_filing(enrolled.id, json!({}));
    world.call(filings::SUBMIT, &officer, filing).await.data();
    let owner = institution_rules::owner_of(world, college).await;
    institution_rules::set(world, &owner, institution_rules::prohibits(&["gambling"])).await;
    content_library::a_small_file(world, "terms.png", 0).await;
    announcements::save(world, "We move house", json!({})).await.data();
    let content = world.operator(&[Permission::Content]);
    let roster = json!({ "title": "Rowing", "college_id": college });
    let roster = world.call("admin.roster.save", &content, roster).await.data();
    let add = json!({ "roster_id": roster["id"], "athlete_ids": [enrolled.id] });
    world.call("admin.roster.add_athletes", &content, add).await.data();
}

/// A small world with something of everything that a migration could break.
async fn everything(world: &World, courier: &Messenger) {
    the_rest(world).await;
    subscriptions(world).await;
    deals(world).await;
    messages(world, courier).await;
    an_unanswered_subscription(world).await;
}

/// When a version is released,
/// `NIL_KEEP_VERSION=1 cargo nextest run --test domain -E 'test(an_older_database_becomes)'` keeps
/// its databases in `tests/fixtures`.
async fn an_older_database_becomes_what_would_have_been_written_today(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    everything(&world, &courier).await;
    if std::env::var_os("NIL_KEEP_VERSION").is_some() {
        Frozen::begun(env!("CARGO_PKG_VERSION")).keep(&world).await;
    }
    let upgraded = world.upgraded_from(OLDER).await;

    assert_eq!(upgraded.columns().await, world.columns().await);
    has_the_definitions_of(&upgraded, &world).await;
    let (before, after) = (world.contents().await, upgraded.contents().await);
    assert!(before.len() > 100, "{}", before.len());
    let unexpected: Vec<&str> = before
        .iter()
        .filter(|(table, rows)| after[table.as_str()] != **rows)
        .map(|(table, _)| table.as_str())
        .filter(|table| !LATER.iter().any(|(later, _)| later == table))
        .collect();
    for table in &unexpected {
        eprintln!("{table}\n-- written today\n{}\n-- upgraded\n{}", before[*table], after[*table]);
    }
    assert!(unexpected.is_empty(), "{unexpected:?}");
    upgraded.books_are_right().await;
    upgraded.search_rows_are_right().await;
    goes_on(&upgraded, &courier).await;
    trust::tried("R12", "upgrades", 1);
}
both!(an_older_database_becomes_what_would_have_been_written_today);

async fn has_the_definitions_of(upgraded: &World, today: &World) {
    let (new, today) = (upgraded.definitions().await, today.definitions().await);
    let differ: Vec<_> = new.iter().filter(|one| !today.contains(one)).collect();
    assert!(differ.is_empty() && new.len() == today.len(), "{differ:#?}");
}

async fn databases_of_released_versions_are_opened(engine: Engine) {
    let today = World::on(engine).await;
    for version in Frozen::all() {
        let courier = Arc::new(Messenger::default());
        let configured = courier.clone();
        let (world, tables) =
            version.opened(engine, |config| config.courier = Some(configured)).await;
        assert_eq!(world.columns().await, today.columns().await, "{version:?}");
        has_the_definitions_of(&world, &today).await;
        assert!(tables.len() > 90, "{}", tables.len());
        for (table, rows) in tables {
            let count = format!("SELECT COUNT(*) FROM \"{table}\"");
            let kept = usize::try_from(world.id(&count).await).unwrap();
            if table == "template" {
                // It gets the texts of the events that are newer than it.
                let texts = usize::try_from(today.id(&count).await).unwrap();
                assert!(kept == texts && rows <= texts, "{rows}, {kept} of {texts}: {version:?}");
            } else {
                assert_eq!(kept, rows, "{table} of {version:?}");
            }
        }
        world.books_are_right().await;
        world.search_rows_are_right().await;
        goes_on(&world, &courier).await;
    }
}
both!(databases_of_released_versions_are_opened);

async fn a_database_from_before_the_first_version_is_refused(world: World) {
    world.script("UPDATE _sqlx_migrations SET version = 140 WHERE version = 13").await;
    let refused = nil_core::open(world.platform.config().clone()).await.unwrap_err().to_string();
    assert!(refused.contains("does not know ([140])"), "{refused}");
    assert!(refused.contains("one before 0.1.0"), "{refused}");
}
both!(a_database_from_before_the_first_version_is_refused);

/// While servers are replaced one after the other, those of the older version serve on what the
/// newer one has migrated, unless it took away what they use. None is started on it.
async fn an_older_server_goes_on_where_it_can(world: World) {
    world.platform.ready().await.unwrap();
    world.script("UPDATE _sqlx_migrations SET version = 140 WHERE version = 13").await;
    world.pass(TimeDelta::minutes(1));
    assert!(world.platform.ready().await.is_err(), "it lacks a migration");
    world
        .script(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             SELECT 13, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 140",
        )
        .await;
    world.platform.ready().await.unwrap();
    let refused = nil_core::open(world.platform.config().clone()).await.unwrap_err().to_string();
    assert!(refused.contains("does not know ([140])"), "{refused}");
    world.script("UPDATE installation SET understood_from = 140").await;
    world.platform.ready().await.unwrap();
    world.pass(TimeDelta::minutes(1));
    assert!(world.platform.ready().await.is_err(), "the newer one took away what it uses");
}
both!(an_older_server_goes_on_where_it_can);

/// What waited is delivered once, and what was given up stays so.
async fn goes_on(world: &World, courier: &Arc<Messenger>) {
    const DEAD: &str =
        "SELECT COUNT(*) FROM outbox WHERE status = 'dead' AND error LIKE '%no such mailbox%'";
    assert_eq!(world.id(DEAD).await, 1);
    let handed = courier.handed().len();
    for _ in 0..4 {
        world.pass(TimeDelta::hours(2));
        assert_eq!(worker::round(&world.platform).await.unwrap().failed, []);
    }
    let pending = "SELECT COUNT(*) FROM outbox WHERE status = 'pending'";
    assert_eq!(world.id(pending).await, 0);
    assert_eq!(world.id(DEAD).await, 1);
    let new = &courier.handed()[handed..];
    let mut ids: Vec<i64> = new.iter().map(|letter| letter.id.get()).collect();
    assert!(!ids.is_empty());
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all, "each message is handed over once");
    // New rows get numbers of their own, and the platform goes on as ever.
    let brand = world.partner("Harbor Lights").await;
    world.card(&brand, GOOD_CARD).await;
    let plan = world.plan(json!({ "name": "Pro", "price_cents": 9_900 })).await;
    world.subscribe(&brand, &plan).await.data();
    let bigger = world.plan(json!({ "name": "Top", "price_cents": 19_900 })).await;
    world.change_plan(&brand, &bigger).await.data();
    world.books_are_right().await;
}
