//! Operators change the site's settings, its sports and its categories.

use nil_core::auth::{Permission, Principal};
use nil_core::worker;
use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

use crate::delivery::with_a_courier;

const BASIC: &str = "admin.site.save_basic";
const SPORT: &str = "admin.category.save_sport";
const JOB: &str = "admin.category.save_job";
const BUSINESS: &str = "admin.category.save_business";

/// The site as clients see it.
async fn seen(world: &World) -> Value {
    world.call("core.public.site_config", &Principal::Anonymous, json!({})).await.data()
}

fn slugs(site: &Value, list: &str) -> Vec<String> {
    let list = site[list].as_array().unwrap().iter();
    list.map(|entry| entry["slug"].as_str().unwrap().to_owned()).collect()
}

async fn settings_change_one_by_one_and_the_fee_needs_another_permission(world: World) {
    let operator = world.operator(&[Permission::Site]);
    let save = async |input: Value| world.call(BASIC, &operator, input).await;
    let before = save(json!({})).await.data();
    let after = save(json!({ "name": "Lakeshore NIL" })).await.data();
    assert_eq!(after["name"], "Lakeshore NIL");
    for field in ["support_email", "fee_basis_points", "job_approval"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let address = json!({ "support_email": "Help@Lakeshore.example", "job_approval": false });
    assert_eq!(save(address).await.data()["support_email"], "help@lakeshore.example");
    assert_eq!(seen(&world).await["name"], "Lakeshore NIL");
    // Everything else stays when one field is refused.
    let wrong = save(json!({ "name": "Other", "support_email": "nowhere" })).await;
    assert_eq!((wrong.status, wrong.code()), (422, "validation_failed"));
    let fee = json!({ "name": "Other", "fee_basis_points": 500 });
    let refused = save(fee.clone()).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    assert_eq!(seen(&world).await["name"], "Lakeshore NIL");
    let both = world.operator(&[Permission::Site, Permission::Finance]);
    assert_eq!(world.call(BASIC, &both, fee).await.data()["fee_basis_points"], 500);
    assert_eq!(seen(&world).await["fee_basis_points"], 500);
    let stranger = world.operator(&[Permission::Finance]);
    assert_eq!(world.call(BASIC, &stranger, json!({})).await.status, 403);
}
both!(settings_change_one_by_one_and_the_fee_needs_another_permission);

async fn a_category_is_added_renamed_moved_and_withdrawn(world: World) {
    let operator = world.operator(&[Permission::Site]);
    for (operation, list) in
        [(SPORT, "sports"), (JOB, "job_categories"), (BUSINESS, "business_categories")]
    {
        let save = async |input: Value| world.call(operation, &operator, input).await;
        let before = slugs(&seen(&world).await, list);
        let added = save(json!({ "name": "Esports & Chess" })).await.data();
        assert_eq!((&added["slug"], &added["active"]), (&json!("esports-and-chess"), &json!(true)));
        assert_eq!(added["sensitive"], if operation == SPORT { Value::Null } else { json!(false) });
        let now = slugs(&seen(&world).await, list);
        assert_eq!(
            (now.last().unwrap().as_str(), now.len()),
            ("esports-and-chess", before.len() + 1)
        );

        let id = added["id"].clone();
        let moved = save(json!({ "id": id, "name": "Esports", "position": 1 })).await.data();
        assert_eq!((&moved["name"], &moved["slug"]), (&json!("Esports"), &added["slug"]));
        let now = slugs(&seen(&world).await, list);
        // The entries of one place stand in the order of their ids.
        assert_eq!((&now[0], now[1].as_str()), (&before[0], "esports-and-chess"));

        let again = save(json!({ "name": "Again", "slug": "esports-and-chess" })).await;
        assert_eq!((again.status, again.code()), (409, "duplicate"));
        let other = save(json!({ "id": id, "slug": "esports", "position": 0 })).await;
        assert_eq!(other.status, 422);
        let wrong: Vec<&String> = other.body["errors"].as_object().unwrap().keys().collect();
        assert_eq!(wrong, ["position", "slug"]);
        assert_eq!(
            save(json!({})).await.body["errors"]["name"],
            json!(["is required for a new record"])
        );
        assert_eq!(save(json!({ "id": 999_999 })).await.status, 404);

        let gone = save(json!({ "id": id, "active": false })).await.data();
        assert_eq!((&gone["active"], &gone["position"]), (&json!(false), &json!(1)));
        assert_eq!(slugs(&seen(&world).await, list), before);
    }
    let trail = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind IN \
        ('sport', 'job_category', 'business_category')";
    assert_eq!(world.id(trail).await, 9);
}
both!(a_category_is_added_renamed_moved_and_withdrawn);

async fn settings_are_read_without_a_trace(world: World) {
    const SETTINGS: &str = "admin.site.settings";
    let operator = world.new_operator("ops@example.com", Permission::Site).await;
    let basic = json!({ "name": "Lakeshore NIL", "job_approval": false });
    let mut expected = world.call(BASIC, &operator, basic).await.data();
    let sender = json!({ "name": "Deals", "email": "deals@site.example" });
    let sender = world.call("admin.site.save_email_sender", &operator, sender).await.data();
    expected["email_sender"] = sender;
    let trail = "SELECT COUNT(*) FROM audit_entry";
    let before = world.id(trail).await;
    let shown = world.call(SETTINGS, &operator, json!({})).await.data();
    expected["updated_at"] = shown["updated_at"].clone();
    assert_eq!(shown, expected);
    assert_eq!(world.id(trail).await, before);
    let stranger = world.operator(&[Permission::Finance]);
    for nobody in [&stranger, &Principal::Anonymous] {
        assert!([401, 403].contains(&world.call(SETTINGS, nobody, json!({})).await.status));
    }
}
both!(settings_are_read_without_a_trace);

async fn operators_list_what_can_be_chosen_and_what_cannot(world: World) {
    let operator = world.operator(&[Permission::Site]);
    for (save, list, shown) in [
        (SPORT, "admin.category.list_sport", "sports"),
        (JOB, "admin.category.list_job", "job_categories"),
        (BUSINESS, "admin.category.list_business", "business_categories"),
    ] {
        let list = async |input: Value| world.call(list, &operator, input).await;
        let added = world.call(save, &operator, json!({ "name": "Boats & Sails" })).await.data();
        let gone = json!({ "id": added["id"], "active": false });
        let gone = world.call(save, &operator, gone).await.data();
        let all = list(json!({ "per_page": 100 })).await.data();
        assert_eq!(all.as_array().unwrap().last().unwrap(), &gone);
        let active = list(json!({ "active": true, "per_page": 100 })).await.data();
        let active = active.as_array().unwrap().iter();
        let active: Vec<_> = active.map(|entry| entry["slug"].as_str().unwrap()).collect();
        assert_eq!(active, slugs(&seen(&world).await, shown), "in the order of forms");
        assert_eq!(list(json!({ "active": false })).await.data(), json!([gone]));
        assert_eq!(list(json!({ "q": "and-sails" })).await.data(), json!([gone]));
        assert_eq!(list(json!({ "active": "perhaps" })).await.status, 422);
    }
    let stranger = world.operator(&[Permission::Content]);
    assert_eq!(world.call("admin.category.list_job", &stranger, json!({})).await.status, 403);
}
both!(operators_list_what_can_be_chosen_and_what_cannot);

async fn what_is_withdrawn_cannot_be_chosen_any_more(world: World) {
    let operator = world.operator(&[Permission::Site]);
    let partner = world.partner("Corner Bakery").await;
    let edit = async |category: &Value| {
        let input = json!({ "business_category_id": category });
        world.call("core.partner.edit", &partner.principal, input).await.status
    };
    let added = world.call(BUSINESS, &operator, json!({ "name": "Boats" })).await.data();
    assert_eq!(edit(&added["id"]).await, 200);
    let gone = json!({ "id": added["id"], "active": false });
    world.call(BUSINESS, &operator, gone).await.data();
    // The brand that has it keeps it; nobody gets it anew.
    let profile = world.call("core.auth.me", &partner.principal, json!({})).await.data();
    assert_eq!(profile["profile"]["business_category_id"], added["id"]);
    let other = world.partner("Harbor Books").await;
    let input = json!({ "business_category_id": added["id"] });
    assert_eq!(world.call("core.partner.edit", &other.principal, input).await.status, 422);
}
both!(what_is_withdrawn_cannot_be_chosen_any_more);

async fn mails_come_from_the_sites_own_sender(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    const SENDER: &str = "admin.site.save_email_sender";
    let operator = world.new_operator("ops@example.com", Permission::Site).await;
    let save = async |input: Value| world.call(SENDER, &operator, input).await;
    for (input, field) in [
        (json!({ "name": "Deals" }), "email"),
        (json!({ "name": "Deals <a@b.example>", "email": "deals@site.example" }), "name"),
        (json!({ "email": "nowhere" }), "email"),
    ] {
        let refused = save(input.clone()).await;
        assert_eq!((refused.status, refused.code()), (422, "validation_failed"), "{input}");
        assert!(refused.body["errors"][field].is_array(), "{}", refused.body);
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM outbox").await, 0);
    let saved = save(json!({ "name": "Deals", "email": "Deals@Site.example" })).await.data();
    assert_eq!([&saved["name"], &saved["email"]], ["Deals", "deals@site.example"]);
    worker::round(&world.platform).await.unwrap();
    worker::round(&world.platform).await.unwrap();
    let letters = courier.handed();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].from.as_deref(), Some("Deals <deals@site.example>"));
    assert_eq!(
        (letters[0].to.as_str(), letters[0].event.as_str()),
        ("ops@example.com", "sender.tested")
    );
    assert!(letters[0].body.contains("deals@site.example"), "{}", letters[0].body);
    let back = save(json!({ "name": null, "email": null })).await.data();
    assert_eq!([&back["name"], &back["email"]], [&Value::Null; 2]);
    let stranger = world.operator(&[Permission::Messaging]);
    assert_eq!(world.call(SENDER, &stranger, json!({})).await.status, 403);
}
both!(mails_come_from_the_sites_own_sender);
