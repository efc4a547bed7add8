//! Searching jobs by words.

use std::cmp::Reverse;

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

/// Lists by age look through the newest or oldest jobs where that decides the page, and ask the
/// index otherwise. With an exact total it is always the index.
async fn the_newest_jobs_are_found_by_the_same_words_as_by_the_index(world: World) {
    world.populate(2, 5, 1_500).await;
    let athlete = world.athlete("Zoe Okafor").await;
    let accents = "UPDATE job SET description = 'Ein CAFÉ für Zürichs Schüler—naïve & \
                   ''süß''' WHERE id % 70 = 0";
    world.script(accents).await;
    for q in [
        "students",
        "aftern",
        "podcasts",
        "198",
        "cafe",
        "schul",
        "Zürichs cafe",
        "naive",
        "sü",
        "that is needed",
        "takes an afternoon w",
        "podcasts students 17",
        "students 199",
        "x",
        "Camp",
    ] {
        for (sort, category) in
            [("-created_at", None), ("created_at", None), ("-created_at", Some(7))]
        {
            for page in [1, 2, 30] {
                let mut input = json!({ "q": q, "sort": sort, "page": page, "per_page": 10 });
                if let Some(category) = category {
                    input["category_ids"] = json!([category]);
                }
                let quick = world.call("core.job.search", &athlete.principal, input.clone()).await;
                input["exact_total"] = json!(true);
                let exact = world.call("core.job.search", &athlete.principal, input.clone()).await;
                assert_eq!(quick.body["data"], exact.body["data"], "{input}");
                let total = |body: &Value| body["pagination"]["total"].as_i64().unwrap();
                assert_eq!(exact.body["total_is_exact"], true, "{input}");
                let (counted, all) = (total(&quick.body), total(&exact.body));
                if quick.body["total_is_exact"] == true {
                    assert_eq!(counted, all, "{input}");
                } else {
                    assert!(counted <= all && counted >= all.min(page * 10), "{input}: {counted}");
                }
            }
        }
    }
}
both!(the_newest_jobs_are_found_by_the_same_words_as_by_the_index);

/// What a job's title and description weigh in a search: each word that begins so adds ten in the
/// title and one in the description, divided by the square of how often it was there before.
fn weight(job: &Value, words: &[&str]) -> f64 {
    let of = |wanted: &&str| {
        let texts = [("title", 10.0), ("description", 1.0)];
        let weights = texts.iter().flat_map(|(text, weight)| {
            let words = job[*text].as_str().unwrap().split(' ');
            words.filter(|word| word.to_lowercase().starts_with(*wanted)).map(|_| *weight)
        });
        weights.zip(1_i32..).map(|(weight, time)| weight / f64::from(time * time)).sum::<f64>()
    };
    words.iter().map(of).sum()
}

fn id_of(job: &Value) -> i64 {
    job["id"].as_i64().unwrap()
}

/// Everything that a search finds, page by page, and the totals it gives.
async fn whole(world: &World, athlete: &Person, input: &Value) -> (Vec<Value>, Vec<Value>) {
    let (mut jobs, mut bodies) = (Vec::new(), Vec::new());
    loop {
        let mut input = input.clone();
        input["page"] = json!(bodies.len() + 1);
        let answer = world.call("core.job.search", &athlete.principal, input).await;
        let page = answer.body["data"].as_array().unwrap().clone();
        bodies.push(answer.body);
        if page.is_empty() {
            return (jobs, bodies);
        }
        jobs.extend(page);
    }
}

/// The newest matches are ranked, a hundred of them or as many as end a page; older ones follow by
/// age.
async fn of_many_jobs_the_newest_are_ranked_and_the_others_follow(world: World) {
    world.populate(2, 5, 4_000).await;
    let athlete = world.athlete("Zoe Okafor").await;
    let titles = "UPDATE job SET title = 'Students wanted' WHERE id % 50 = 0";
    // The newest jobs with this word, and the newest of two categories, are too few to decide a
    // page.
    let seventh = "UPDATE job SET description = 'Bring a lantern, please' WHERE id % 7 = 0";
    let category = "UPDATE job SET category_id = 1 WHERE id % 12 = 5";
    world.script(&format!("{titles}; {seventh}; {category}")).await;
    for (q, conditions, per_page, ranked) in [
        ("students", json!({}), 30, 120),
        ("students", json!({ "category_ids": [3] }), 100, 100),
        ("students", json!({ "min_amount_cents": 190_000 }), 60, 120),
        ("podcasts", json!({ "min_amount_cents": 20_000 }), 40, 120),
        ("camp podc", json!({}), 50, 100),
        ("podcasts students", json!({}), 45, 135),
        ("lantern", json!({ "category_ids": [1, 2] }), 20, 100),
        ("19", json!({}), 70, 140),
        ("nothing like it", json!({}), 20, 100),
    ] {
        let mut input = conditions;
        (input["q"], input["per_page"]) = (json!(q), json!(100));
        input["sort"] = json!("amount_cents");
        let (mut expected, _) = whole(&world, &athlete, &input).await;
        expected.sort_by_key(|job| Reverse(id_of(job)));
        let words: Vec<&str> = q.split(' ').collect();
        let newest = ranked.min(expected.len());
        expected[..newest].sort_by(|one, two| {
            weight(two, &words).total_cmp(&weight(one, &words)).then(id_of(two).cmp(&id_of(one)))
        });
        input["sort"] = json!("relevance");
        input["per_page"] = json!(per_page);
        let (found, bodies) = whole(&world, &athlete, &input).await;
        let ids = |jobs: &[Value]| jobs.iter().map(id_of).collect::<Vec<_>>();
        assert_eq!(ids(&found), ids(&expected), "{input}");
        for (page, body) in (1..).zip(&bodies) {
            let total = usize::try_from(body["pagination"]["total"].as_i64().unwrap()).unwrap();
            let shown = (page * per_page).min(expected.len());
            assert!(total >= shown && total <= expected.len(), "{input} {page}: {total}");
            assert!(total <= page * per_page + 100, "{input} {page}: {total}");
            if body["total_is_exact"] == true {
                assert_eq!(total, expected.len(), "{input} {page}");
            }
        }
        input["exact_total"] = json!(true);
        let (exact, bodies) = whole(&world, &athlete, &input).await;
        assert_eq!(ids(&exact), ids(&expected), "{input}");
        for body in &bodies {
            assert_eq!(body["pagination"]["total"], expected.len(), "{input}");
            assert_eq!(body["total_is_exact"], true, "{input}");
        }
    }
}
both!(of_many_jobs_the_newest_are_ranked_and_the_others_follow);
