//! Searching jobs by words.

use nil_core::auth::Permission;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

async fn titles(world: &World, who: &Person, operation: &str, input: Value) -> Vec<String> {
    let found = world.call(operation, &who.principal, input).await.data();
    let found = found.as_array().expect("a page").iter();
    found.map(|job| job["title"].as_str().expect("a title").to_owned()).collect()
}

async fn jobs_are_found_by_their_words_the_best_first(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = async |title: &str, text: &str, cents: i64| {
        let over = json!({ "title": title, "description": text, "amount_cents": cents });
        world.open_job(&partner, over).await
    };
    job("Crème brûlée", "A recipe with a torch.", 30_000).await;
    job("Trail day", "Run with a torch and a friend.", 20_000).await;
    job("Torch relay", "Carry it.", 10_000).await;
    job("Something else", "No fire at all.", 40_000).await;
    for operation in ["core.job.search", "core.job.posted"] {
        let who = if operation == "core.job.search" { &athlete } else { &partner };
        let found = titles(&world, who, operation, json!({ "q": "torch" })).await;
        assert_eq!(found[0], "Torch relay", "{operation}");
        assert_eq!(found.len(), 3, "{operation}");
        for (q, expected) in [
            ("creme BRU", vec!["Crème brûlée"]),
            ("torch friend", vec!["Trail day"]),
            ("orch", vec![]),
            ("\"torch", vec!["Torch relay", "", ""]),
            ("tor* OR fire", vec![]),
        ] {
            let found = titles(&world, who, operation, json!({ "q": q })).await;
            assert_eq!(found.len(), expected.len(), "{operation} {q}");
            if expected.len() == 1 {
                assert_eq!(found, expected, "{operation} {q}");
            }
        }
    }
    let by_pay = json!({ "q": "torch", "sort": "amount_cents" });
    let found = titles(&world, &athlete, "core.job.search", by_pay).await;
    assert_eq!(found, ["Torch relay", "Trail day", "Crème brûlée"]);
    let some = json!({ "q": "torch", "min_amount_cents": 15_000, "per_page": 1, "page": 2 });
    let answer = world.call("core.job.search", &athlete.principal, some).await;
    assert_eq!(answer.body["pagination"]["total"], 2);
    assert_eq!(answer.data().as_array().unwrap().len(), 1);
    let operator = world.operator(&[Permission::Jobs]);
    let all = json!({ "status": "all", "id": 0, "q": "relay" });
    let found = world.call("admin.job.list", &operator, all).await.data();
    assert_eq!(found.as_array().unwrap().len(), 1);
}
both!(jobs_are_found_by_their_words_the_best_first);

async fn a_reworded_job_is_found_by_its_new_words_only(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let job = world.open_job(&partner, json!({ "title": "Old lantern" })).await;
    let edit = json!({ "id": job, "title": "New beacon" });
    world.call("core.job.save", &partner.principal, edit).await.data();
    let find = async |q: &str| titles(&world, &partner, "core.job.posted", json!({ "q": q })).await;
    assert_eq!(find("beacon").await, ["New beacon"]);
    assert_eq!(find("lantern").await, Vec::<String>::new());
    // While it waits for an operator again, other users do not find it.
    let athlete = world.athlete("Zoe Okafor").await;
    let found = titles(&world, &athlete, "core.job.search", json!({ "q": "beacon" })).await;
    assert_eq!(found, Vec::<String>::new());
    world.search_rows_are_right().await;
}
both!(a_reworded_job_is_found_by_its_new_words_only);
