//! Why a disclosed deal is marked: the rules that apply to it, and how thresholds add up.

use nil_core::auth::Principal;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

use crate::disclosing::disclose;

async fn rules(world: &World, who: &Principal, job: &Value) -> Vec<Value> {
    let which = json!({ "id": job["id"] });
    let detail = world.call("compliance.disclosed_job.detail", who, which).await.data();
    detail["rules"].as_array().unwrap().clone()
}

/// The rules in a few words.
fn named(rules: &[Value]) -> Vec<(&str, &str)> {
    fn word<'rule>(rule: &'rule Value, name: &str) -> &'rule str {
        rule[name].as_str().unwrap_or("-")
    }
    rules.iter().map(|rule| (word(rule, "rule"), word(rule, "flag"))).collect()
}

/// The titles and amounts of the deals that make up a sum.
fn summed(rule: &Value) -> Vec<(String, i64)> {
    let deals = rule["threshold"]["deals"].as_array().unwrap().iter();
    deals
        .map(|deal| {
            let title = deal["title"].as_str().unwrap().to_owned();
            (title, deal["amount_cents"].as_i64().unwrap())
        })
        .collect()
}

async fn school(world: &World, settings: Value) -> (Principal, Person) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    world.call("compliance.college.save_settings", &owner, settings).await.data();
    (owner, world.athlete_of("Zoe Okafor", college).await)
}

async fn a_mark_names_the_rule_the_day_and_the_sum(world: World) {
    let asks = json!({ "approval": { "requirement": "all" } });
    let (owner, athlete) = school(&world, asks).await;
    let may = json!({
        "title": "Camp in May", "payer_name": "Hoops Academy", "signed_on": "2026-05-09",
        "amount_cents": 70_000,
    });
    let may = disclose(&world, &athlete, may).await;
    let draft = json!({
        "title": "A secret", "payer_name": "Hoops Academy", "signed_on": "2026-11-18",
        "amount_cents": 10_000, "draft": true,
    });
    disclose(&world, &athlete, draft).await;
    let summer = json!({
        "title": "Summer camp", "payer_name": "Hoops Academy LLC", "signed_on": "2026-11-16",
        "amount_cents": 117_500, "associated_entity": true,
    });
    let summer = disclose(&world, &athlete, summer).await;
    // Of another payer.
    disclose(&world, &athlete, json!({ "amount_cents": 90_000 })).await;

    let all = rules(&world, &owner, &summer).await;
    assert_eq!(
        named(&all),
        [
            ("threshold", "over_threshold"),
            ("automatic_flags", "associated_entity"),
            ("approval", "-"),
            ("-", "-"),
        ]
    );
    let flags: Vec<&Value> =
        all.iter().map(|rule| &rule["flag"]).filter(|flag| !flag.is_null()).collect();
    assert_eq!(json!(flags), summer["flags"], "each flag has its rule");
    for (threshold, since) in [(&all[0], "2025-07-01"), (&all[3], "2025-06-07")] {
        assert_eq!(threshold["since"], since);
        assert_eq!(threshold["threshold"]["limit_cents"], 60_000);
        assert_eq!(threshold["threshold"]["sum_cents"], 197_500);
        let deals = [("Camp in May".to_owned(), 70_000), ("Summer camp".to_owned(), 117_500)];
        assert_eq!(summed(threshold), deals);
        // A draft counts, but the institution does not see it.
        assert_eq!(threshold["threshold"]["unseen_cents"], 10_000);
        assert!(!threshold.to_string().contains("A secret"), "{threshold}");
    }
    let first = &all[0]["threshold"]["deals"][0];
    assert_eq!((&first["disclosed_job_id"], &first["contract_id"]), (&may["id"], &Value::Null));
    assert_eq!(
        all[0]["message"],
        "The athlete's deals with this payor group come to $1,975.00; the institution's threshold is $600.00."
    );
    assert_eq!((&all[2]["since"], &all[2]["threshold"]), (&json!("2026-11-20"), &Value::Null));

    let late = rules(&world, &owner, &may).await;
    assert_eq!(named(&late)[..2], [("threshold", "over_threshold"), ("deadline", "late")]);
    let message = late[1]["message"].as_str().unwrap();
    assert!(message.contains("signed on May 9, 2026"), "{message}");
    assert!(message.ends_with("It was disclosed on November 20, 2026."), "{message}");
}
both!(a_mark_names_the_rule_the_day_and_the_sum);

async fn a_sum_is_of_what_the_scope_of_the_rule_adds(world: World) {
    let over = json!({
        "threshold": { "amount_cents": 50_000, "scope": "athlete" },
        "prohibited_categories": { "categories": ["appearance"] },
        "approval": { "requirement": "above_threshold" },
    });
    let (owner, athlete) = school(&world, over).await;
    let first = json!({ "title": "One", "payer_name": "Card Vault", "amount_cents": 20_000 });
    let first = disclose(&world, &athlete, first).await;
    let second = disclose(&world, &athlete, json!({ "title": "Two" })).await;
    let all = rules(&world, &owner, &second).await;
    assert_eq!(
        named(&all),
        [
            ("prohibited_categories", "prohibited_category"),
            ("threshold", "over_threshold"),
            ("approval", "-"),
        ]
    );
    assert_eq!(all[0]["message"], second["breaches"][0]["message"]);
    assert_eq!(summed(&all[1]), [("One".to_owned(), 20_000), ("Two".to_owned(), 40_000)]);
    assert_eq!(all[1]["threshold"]["sum_cents"], 60_000);
    // The second deal counts with the first one, which was not marked for it when it was written.
    let before = rules(&world, &owner, &first).await;
    assert_eq!(named(&before)[1], ("threshold", "-"));
    assert_eq!(before[1]["threshold"]["sum_cents"], 60_000);
}
both!(a_sum_is_of_what_the_scope_of_the_rule_adds);

async fn contracts_of_the_platform_are_in_the_sum(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let college = format!("SELECT university_id AS id FROM athlete WHERE id = {}", hire.athlete.id);
    let college = world.id(&college).await;
    let owner = world.portal_user(college, "owner").await.0;
    let of_all = json!({ "threshold": { "amount_cents": 60_000, "scope": "athlete" } });
    world.call("compliance.college.save_settings", &owner, of_all).await.data();
    let job = world.job(&hire.partner, hire.job).await;
    let more = disclose(&world, &hire.athlete, json!({ "amount_cents": 5_000 })).await;
    let all = rules(&world, &owner, &more).await;
    let threshold = all.iter().find(|rule| rule["rule"] == "threshold").unwrap();
    let deals = threshold["threshold"]["deals"].as_array().unwrap();
    assert_eq!(deals.len(), 2, "{threshold}");
    let of_contract = deals.iter().find(|deal| deal["contract_id"] == hire.contract).unwrap();
    assert_eq!(
        (&of_contract["title"], &of_contract["amount_cents"]),
        (&job["title"], &json!(70_000))
    );
    assert_eq!(of_contract["disclosed_job_id"], Value::Null);
}
both!(contracts_of_the_platform_are_in_the_sum);
