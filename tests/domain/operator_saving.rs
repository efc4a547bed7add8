//! Operators with all permissions make and change operators.

use nil_core::auth::{Permission, Principal};
use nil_tests::{Answer, World, both};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;

async fn save(world: &World, who: &Principal, input: Value) -> Answer {
    world.call("admin.operator.save", who, input).await
}

async fn log_in(world: &World, email: &str, password: &Value) -> Answer {
    let input = json!({ "email": email, "password": password });
    world.call("admin.auth.log_in", &NOBODY, input).await
}

async fn a_new_operator_chooses_a_password_and_keeps_to_the_permissions(world: World) {
    let chief = world.new_operator("chief@nil.example", Permission::All).await;
    let input = json!({ "email": "Ada@nil.example", "name": "Ada Byrd", "permissions": ["jobs"] });
    let made = save(&world, &chief, input.clone()).await.data();
    assert_eq!(
        (&made["email"], &made["permissions"], &made["active"]),
        (&json!("ada@nil.example"), &json!(["jobs"]), &json!(true))
    );
    assert_eq!(save(&world, &chief, input).await.code(), "email_taken");
    let password = &made["one_time_password"];
    let first = log_in(&world, "ada@nil.example", password).await;
    let cookie = first.session_cookie();
    assert_eq!(first.data()["password_change_required"], true);
    let her = world.platform.authenticate_admin(&cookie).await.unwrap();
    let chosen = json!("a walk along the lake");
    let input = json!({ "current_password": password, "password": chosen });
    let changed = world.call("admin.auth.change_password", &her, input).await;
    let cookie = changed.session_cookie();
    changed.data();
    assert_eq!(log_in(&world, "ada@nil.example", password).await.status, 401);

    // More and fewer permissions count from the next request on.
    let her = world.platform.authenticate_admin(&cookie).await.unwrap();
    let none = json!({});
    assert_eq!(world.call("admin.payment.list", &her, none.clone()).await.status, 403);
    assert_eq!(world.call("admin.operator.list", &her, none.clone()).await.status, 403);
    assert_eq!(
        save(&world, &her, json!({ "id": made["id"], "permissions": ["*"] })).await.status,
        403
    );
    let more = json!({ "id": made["id"], "name": "Ada B. Byrd", "permissions": ["finance"] });
    let saved = save(&world, &chief, more).await.data();
    assert_eq!(
        (&saved["name"], &saved["one_time_password"]),
        (&json!("Ada B. Byrd"), &Value::Null)
    );
    let her = world.platform.authenticate_admin(&cookie).await.unwrap();
    let all = json!({ "status": "all", "id": 0 });
    assert_eq!(world.call("admin.payment.list", &her, all).await.status, 200);

    let off = json!({ "id": made["id"], "active": false });
    assert_eq!(save(&world, &chief, off.clone()).await.data()["active"], false);
    assert_eq!(world.platform.authenticate_admin(&cookie).await.unwrap(), NOBODY);
    assert_eq!(log_in(&world, "ada@nil.example", &chosen).await.status, 401);
    save(&world, &chief, off).await.data();
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'operator' \
        AND action = 'changed'";
    assert_eq!(world.id(noted).await, 2, "what changes nothing is not noted");

    let list = world.call("admin.operator.list", &chief, json!({ "active": true })).await;
    assert_eq!(list.body["pagination"]["total"], 1);
    let found = world.call("admin.operator.list", &chief, json!({ "q": "byrd" })).await.data();
    assert_eq!(
        (&found[0]["id"], &found[0]["one_time_password"], found[0].get("password_hash")),
        (&made["id"], &Value::Null, None)
    );
}
both!(a_new_operator_chooses_a_password_and_keeps_to_the_permissions);

async fn somebody_always_may_do_everything(world: World) {
    let chief = world.new_operator("chief@nil.example", Permission::All).await;
    let Principal::Operator { id, .. } = &chief else { panic!() };
    for loss in [json!({ "active": false }), json!({ "permissions": ["jobs"] })] {
        let mut input = loss;
        input["id"] = json!(id);
        let refused = save(&world, &chief, input).await;
        assert_eq!((refused.status, refused.code()), (409, "last_operator"));
    }
    let other = world.new_operator("other@nil.example", Permission::All).await;
    save(&world, &chief, json!({ "id": id, "permissions": ["jobs"] })).await.data();
    // A request that was admitted before comes too late.
    let late = json!({ "id": id, "permissions": ["*"] });
    assert_eq!(save(&world, &chief, late.clone()).await.status, 403);
    save(&world, &other, late).await.data();
}
both!(somebody_always_may_do_everything);

async fn what_is_wrong_is_named(world: World) {
    let chief = world.new_operator("chief@nil.example", Permission::All).await;
    let Principal::Operator { id, .. } = &chief else { panic!() };
    for (input, fields) in [
        (json!({}), &["email", "name", "permissions"][..]),
        (json!({ "email": "x", "permissions": [] }), &["email", "permissions"]),
        (json!({ "permissions": ["everything"] }), &["permissions.0"]),
        (json!({ "id": id, "email": "new@nil.example" }), &["email"]),
        (
            json!({ "email": "a@b.co", "name": "A", "permissions": ["*"], "active": false }),
            &["active"],
        ),
    ] {
        let refused = save(&world, &chief, input.clone()).await;
        assert_eq!(refused.status, 422, "{input}");
        for field in fields {
            assert!(refused.body["errors"][field].is_array(), "{input}: {}", refused.body);
        }
    }
    assert_eq!(save(&world, &chief, json!({ "id": 999 })).await.status, 404);
    assert_eq!(world.id("SELECT COUNT(*) FROM operator").await, 1);
}
both!(what_is_wrong_is_named);
