//! Disclosed jobs are removed five years after everything about them is over, and figures follow.

use nil_core::{disclosures, worker};
use nil_tests::{World, both};
use serde_json::json;

use crate::figures::{SUMMARY, disclose, officer};

async fn rows(world: &World, table: &str) -> i64 {
    world.id(&format!("SELECT COUNT(*) FROM {table}")).await
}

async fn counted(world: &World, college: i64) -> i64 {
    let summary = world.call(SUMMARY, &officer(college, &[]), json!({})).await.data();
    summary["totals"]["count"].as_i64().unwrap()
}

async fn a_disclosed_job_goes_with_its_clearance_its_files_and_its_figures(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let other = world.athlete_of("Ida Novak", college).await;
    let file = world.file(&athlete, "contract.png").await;
    disclose(&world, &athlete, json!({ "documents": [file], "ends_on": "2026-12-31" })).await;
    let draft = json!({ "payer_name": "Cedar Coffee", "amount_cents": 1_000, "draft": true });
    disclose(&world, &athlete, draft).await;
    world.pass_until("2027-03-01T12:00:00Z");
    disclose(&world, &other, json!({ "signed_on": "2027-02-26" })).await;
    let stored = "SELECT COUNT(*) FROM stored_file WHERE status = 'stored'";
    worker::round(&world.platform).await.unwrap();
    assert_eq!(counted(&world, college).await, 2);
    // The draft goes first. The last day of the other one is not as old yet: it is looked at again
    // then.
    for (before, left) in [("2031-11-20T11:59:59Z", 3), ("2031-12-30T23:59:59Z", 2)] {
        world.pass_until(before);
        worker::round(&world.platform).await.unwrap();
        assert_eq!(rows(&world, "disclosed_job").await, left, "{before}");
        assert_eq!(world.id(stored).await, 1);
    }
    world.pass_until("2031-12-31T00:00:00Z");
    assert_eq!(disclosures::purge(&world.platform).await.unwrap(), 1);
    assert_eq!(rows(&world, "disclosed_job").await, 1);
    assert_eq!((rows(&world, "clearance").await, world.id(stored).await), (1, 0));
    assert_eq!(world.objects().await, 0);
    assert_eq!(counted(&world, college).await, 1);
    world.figures_are_right().await;
    let purged = "SELECT COUNT(*) FROM audit_entry WHERE action = 'purged'";
    assert_eq!(world.id(purged).await, 2);
    // The rest goes in its time, and then there is nothing to look at.
    world.pass_until("2032-03-01T12:00:00Z");
    assert_eq!(disclosures::purge(&world.platform).await.unwrap(), 1);
    assert_eq!(disclosures::purge(&world.platform).await.unwrap(), 0);
    assert_eq!(counted(&world, college).await, 0);
    world.figures_are_right().await;
}
both!(a_disclosed_job_goes_with_its_clearance_its_files_and_its_figures);

async fn it_stays_while_it_is_part_of_a_sum_or_open(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    disclose(&world, &athlete, json!({})).await;
    world.pass_until("2029-06-01T12:00:00Z");
    // Together with the earlier deal of the same payer it is reportable.
    let later = json!({ "signed_on": "2029-06-01", "title": "Signing hour" });
    let later = disclose(&world, &athlete, later).await;
    let purge = async || disclosures::purge(&world.platform).await.unwrap();
    world.pass_until("2031-11-20T12:00:00Z");
    assert_eq!(purge().await, 0);
    // Both are due at the clearinghouse: nothing is removed before it has spoken.
    world.pass_until("2035-06-01T12:00:00Z");
    assert_eq!((purge().await, rows(&world, "disclosed_job").await), (0, 2));
    let cleared = "UPDATE clearance SET status = 'cleared', submitted_at = updated_at";
    world.script(cleared).await;
    world.pass_until("2036-06-01T12:00:00Z");
    let rounds = (0..4).map(|_| disclosures::purge(&world.platform));
    let removed = futures::future::join_all(rounds).await;
    let removed: usize = removed.into_iter().map(Result::unwrap).sum();
    assert_eq!((removed, rows(&world, "disclosed_job").await), (2, 0), "each once: {later}");
    world.figures_are_right().await;
}
both!(it_stays_while_it_is_part_of_a_sum_or_open);
