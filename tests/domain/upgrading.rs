//! A database of an older version with data in it: after the later migrations it is what the platform would have written
//! today, nothing is lost, and what waited goes on once.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_core::ports::courier::Outcome;
use nil_core::worker;
use nil_tests::{
    DECLINED_CARD, Engine, Fate, Fault, GOOD_CARD, Messenger, PIXEL, World, a_file, both,
};
use serde_json::json;

use crate::delivery::with_a_courier;
use crate::figures::disclose;

/// The last migration before plan changes, tax forms, agents' law, live periods, comparable deals, public records, versions
/// of documents, and withdrawn messages.
const OLDER: i64 = 63;

/// Tables that differ between a database that was upgraded and one that was not, with the reason.
const LATER: &[(&str, &str)] = &[
    ("watched_post", "posts of work that was approved before are not watched"),
    ("representation", "the days to cancel and to wait run for agreements made since"),
    ("athlete_agent_filing", "filings that were written before are not bound to an agreement"),
    ("known_log_in", "where accounts logged in before was not noted"),
    ("outbox", "since when a message waits for its next try was not noted"),
    ("payout_account", "when a wallet was looked at last was not noted"),
    ("payment", "how far the clocks of an athlete's institution were from UTC was not noted"),
    ("payor_attestation", "brands of contracts that were due before are not asked"),
    ("tax_form_request", "who was paid before is looked at in January, and asked only then"),
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

/// Jobs, contracts and work in their states, money on its way, documents, an agent and a disclosed deal.
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

async fn an_older_database_becomes_what_would_have_been_written_today(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    subscriptions(&world).await;
    deals(&world).await;
    messages(&world, &courier).await;
    an_unanswered_subscription(&world).await;
    let upgraded = world.upgraded_from(OLDER).await;

    assert_eq!(upgraded.columns().await, world.columns().await);
    let (new, today) = (upgraded.definitions().await, world.definitions().await);
    let differ: Vec<_> = new.iter().filter(|one| !today.contains(one)).collect();
    assert!(differ.is_empty() && new.len() == today.len(), "{differ:#?}");
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
    // Where rows may differ, none is lost.
    for table in ["representation", "athlete_agent_filing"] {
        assert_eq!(before[table].lines().count(), after[table].lines().count(), "{table}");
    }
    // The athlete who was paid is looked at in January.
    let looked = "SELECT COUNT(*) FROM tax_form_request \
                  WHERE year = 2026 AND asked_at IS NULL AND look_at IS NOT NULL";
    assert_eq!(upgraded.id(looked).await, 1);
    upgraded.books_are_right().await;
    upgraded.search_rows_are_right().await;
    goes_on(&upgraded, &courier).await;
}
both!(an_older_database_becomes_what_would_have_been_written_today);

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
