//! What changed rules would have done to an institution's disclosed deals.

use nil_core::auth::Principal;
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::disclosing::disclose;
use crate::figures::officer;

const PREVIEW: &str = "compliance.college.preview_settings";

/// The flags that change, with the deals that are added and removed.
fn moved(preview: &Value) -> Vec<(&str, i64, i64)> {
    let count = |line: &Value, side: &str| line[side]["deals"].as_i64().unwrap();
    let lines = preview["flags"].as_array().unwrap().iter();
    lines
        .map(|line| (line["flag"].as_str().unwrap(), count(line, "added"), count(line, "removed")))
        .filter(|(_, added, removed)| *added + *removed > 0)
        .collect()
}

async fn preview(world: &World, who: &Principal, input: Value) -> Value {
    world.call(PREVIEW, who, input).await.data()
}

async fn a_change_is_held_against_the_last_twelve_months(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let other = world.athlete_of("Ada Novak", college).await;
    let settings = "compliance.college.settings";
    let before = world.call(settings, &owner, json!({})).await.data();
    disclose(&world, &athlete, json!({ "title": "One", "payer_name": "Card Vault" })).await;
    let two = json!({
        "payer_name": "Lake Auto", "amount_cents": 30_000, "associated_entity": true,
    });
    disclose(&world, &athlete, two).await;
    disclose(&world, &other, json!({ "amount_cents": 70_000 })).await;
    // These do not count: a draft, one that was withdrawn, one of the year before.
    disclose(&world, &other, json!({ "draft": true, "amount_cents": 5_000 })).await;
    let old = json!({ "signed_on": "2025-11-01", "payer_name": "Old Mill" });
    disclose(&world, &other, old).await;

    let same = preview(&world, &owner, json!({})).await;
    assert_eq!((&same["from"], &same["to"]), (&json!("2025-11-20"), &json!("2026-11-20")));
    assert_eq!(same["looked_at"], json!({ "deals": 3, "amount_cents": 140_000 }));
    assert!(moved(&same).is_empty(), "{same}");
    // As the records have it: one over the threshold, one with an associated entity.
    assert_eq!(same["marked"]["before"], json!({ "deals": 2, "amount_cents": 100_000 }));
    assert_eq!(same["marked"]["before"], same["marked"]["after"]);
    assert_eq!(same["reviewed"]["after"]["deals"], 0);
    assert_eq!((&same["examples"], &same["complete"]), (&json!([]), &json!(true)));

    let lower = json!({ "threshold": { "amount_cents": 35_000, "scope": "deal" } });
    let lower = preview(&world, &owner, lower).await;
    assert_eq!(moved(&lower), [("over_threshold", 1, 0)]);
    assert_eq!(lower["marked"]["added"], json!({ "deals": 1, "amount_cents": 40_000 }));
    let examples = lower["examples"].as_array().unwrap();
    let [one] = &examples[..] else { panic!("{lower}") };
    assert_eq!((&one["title"], &one["payer_name"]), (&json!("One"), &json!("Card Vault")));
    assert_eq!(one["before"], json!({ "flags": [], "refused": false, "reviewed": false }));
    assert_eq!(one["after"]["flags"], json!(["over_threshold"]));
    let of_athlete = json!({ "threshold": { "amount_cents": 70_000, "scope": "athlete" } });
    assert_eq!(moved(&preview(&world, &owner, of_athlete).await), [("over_threshold", 2, 0)]);
    let higher = json!({
        "threshold": { "amount_cents": 90_000, "scope": "payor_group" },
        "automatic_flags": { "flags": ["over_threshold"] },
    });
    let higher = preview(&world, &owner, higher).await;
    assert_eq!(moved(&higher), [("over_threshold", 0, 1), ("associated_entity", 0, 1)]);
    assert_eq!(higher["marked"]["after"], json!({ "deals": 0, "amount_cents": 0 }));
    assert_eq!(higher["marked"]["removed"], json!({ "deals": 2, "amount_cents": 100_000 }));

    let approval = json!({ "approval": { "requirement": "associated_only" } });
    let approval = preview(&world, &owner, approval).await;
    assert_eq!(approval["reviewed"]["added"], json!({ "deals": 1, "amount_cents": 30_000 }));
    let prohibited = json!({ "prohibited_categories": { "categories": ["appearance"] } });
    let prohibited = preview(&world, &owner, prohibited).await;
    assert_eq!(moved(&prohibited), [("prohibited_category", 3, 0)]);
    assert_eq!(prohibited["refused"]["added"]["deals"], 3);
    assert_eq!(prohibited["reviewed"]["added"]["deals"], 3, "what a rule refuses is reviewed");
    let deadline = json!({ "deadline": { "unit": "hours", "value": 1 } });
    assert!(moved(&preview(&world, &owner, deadline).await).is_empty());

    // Nothing is saved, what cannot be saved is refused, and who is limited to sports sees those.
    assert_eq!(world.call(settings, &owner, json!({})).await.data(), before);
    let unknown = json!({ "prohibited_categories": { "categories": ["no_such"] } });
    assert_eq!(world.call(PREVIEW, &owner, unknown).await.status, 422);
    let mut limited = officer(college, &[3]);
    if let Principal::Portal { role, .. } = &mut limited {
        *role = nil_core::auth::Role::Owner;
    }
    assert_eq!(preview(&world, &limited, json!({})).await["looked_at"]["deals"], 0);
}
both!(a_change_is_held_against_the_last_twelve_months);
