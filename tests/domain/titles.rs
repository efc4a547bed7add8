//! What people title for others to read: one line that can be seen, without links and characters
//! that turn the direction of writing.

use nil_core::auth::{Permission, Principal};
use nil_tests::{Engine, World};
use serde_json::{Value, json};

const REFUSED: [&str; 4] =
    ["Win at https://evil.example/now", "Hats \u{202e}moc.live", "Two\nlines", "\u{2060}\u{3164}"];

#[tokio::test]
async fn titles_refuse_links_and_turned_letters() {
    let world = World::on(Engine::Sqlite).await;
    let operator = world.operator(&[Permission::All]);
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let nobody = Principal::Anonymous;
    let places: [(&str, &Principal, Value); 9] = [
        ("core.job.save", &brand.principal, nil_tests::a_job(json!({}))),
        ("core.service_offer.save", &athlete.principal, json!({})),
        ("core.disclosed_job.save", &athlete.principal, json!({})),
        ("core.public.edit_privacy_policy", &nobody, json!({ "id": 1, "text": "New." })),
        ("admin.announcement.save", &operator, json!({ "body": "We move." })),
        ("admin.roster.save", &operator, json!({})),
        ("admin.editorial.save_blog_post", &operator, json!({ "user_type": "all", "body": "x" })),
        ("admin.editorial.save_legal_terms", &operator, json!({ "kind": "terms", "body": "x" })),
        ("admin.editorial.save_custom_page", &operator, json!({ "body": "x" })),
    ];
    for (name, who, input) in places {
        for title in REFUSED {
            let mut input = input.clone();
            input["title"] = json!(title);
            let refused = world.call(name, who, input).await;
            assert_eq!(refused.status, 422, "{name} with {title:?}: {}", refused.body);
            assert!(refused.body["errors"]["title"].is_array(), "{name}: {}", refused.body);
        }
    }
}
