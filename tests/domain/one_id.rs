//! An `id` in an answer is the id of the record that it shows, and works wherever such an id is
//! asked for.

use nil_core::auth::{Permission, Principal};
use nil_tests::{World, both};
use serde_json::{Value, json};

/// What opens an account of each kind.
fn accounts(college: i64) -> [(&'static str, Value); 3] {
    let person = |email: &str| json!({ "email": email, "first_name": "Robin", "last_name": "Vega", "phone": "217 555 0143" });
    let with = |email: &str, fields: Value| {
        let mut all = person(email);
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    [
        (
            "athlete",
            with(
                "robin@campus.example",
                json!({ "sport_id": 3, "university_id": college, "date_of_birth": "2003-02-11" }),
            ),
        ),
        (
            "partner",
            with(
                "robin@orchard.example",
                json!({ "company_name": "Orchard Supply", "business_category_id": 2 }),
            ),
        ),
        (
            "agent",
            with(
                "robin@agency.example",
                json!({
                    "agency_name": "Vega Sports",
                    "network_profile_url": "https://network.example/vega",
                }),
            ),
        ),
    ]
}

async fn what_a_save_and_a_view_answer_is_the_id_that_inputs_and_lists_take(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let college = world.college().await;
    // Accounts and records are numbered apart: athlete 1 is user 2, and so on.
    world.fan("Fran Field").await;
    for number in 0..3 {
        world.athlete(&format!("Bystander Number{number}")).await;
        world.partner(&format!("Bystander {number}")).await;
        world.agent(&format!("Bystanders {number}")).await;
    }
    let suspended =
        async || world.id("SELECT COUNT(*) FROM app_user WHERE status = 'suspended'").await;
    for (before, (kind, input)) in (0..).zip(accounts(college)) {
        let operation = |verb: &str| format!("admin.{kind}.{verb}");
        let email = input["email"].clone();
        let opened = world.call(&operation("save"), &operator, input).await.data();
        let list = json!({ "status": "all", "id": 0, "q": email });
        let listed = world.call(&operation("list"), &operator, list).await.data();
        let ids = |record: &Value| (record["id"].clone(), record["user_id"].clone());
        assert_eq!(ids(&opened), ids(&listed[0]), "{kind}");
        assert_ne!(opened["id"], opened["user_id"], "{kind}");
        let which = json!({ "id": opened["id"] });
        let seen = world.call(&operation("view"), &operator, which).await.data();
        assert_eq!((ids(&seen), &seen["email"]), (ids(&opened), &email), "{kind}");
        // Who follows the answer changes this account and no other.
        let suspend = json!({ "id": seen["id"], "status": "suspended" });
        let changed = world.call(&operation("save"), &operator, suspend).await.data();
        assert_eq!((&changed["email"], &changed["status"]), (&email, &json!("suspended")));
        assert_eq!(ids(&changed), ids(&opened), "{kind}");
        assert_eq!(suspended().await, before + 1, "{kind}");
    }
}
both!(what_a_save_and_a_view_answer_is_the_id_that_inputs_and_lists_take);

async fn a_registration_for_the_portal_is_no_portal_user(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let register = json!({
        "email": "vic@lakeshore.example", "password": "a long way to Tipperary",
        "name": "Vic Viewer", "college_id": college,
    });
    let asked = world.call("compliance.auth.register", &Principal::Anonymous, register.clone());
    let asked = asked.await.data();
    assert!(asked["registration_id"].is_i64(), "{asked}");
    assert_eq!((asked.get("id"), &asked["status"]), (None, &json!("pending")));
    // The owner is portal user 1, as the registration is registration 1.
    let listed = world.call("compliance.portal_user.list", &owner, json!({})).await.data();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["id"], asked["registration_id"]);
}
both!(a_registration_for_the_portal_is_no_portal_user);
