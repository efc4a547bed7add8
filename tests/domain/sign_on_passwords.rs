//! Passwords that an institution switches off, because its officers sign on (decision 81).

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_tests::identity::SECRET;
use nil_tests::{Engine, both};
use serde_json::json;

use crate::sign_on::{DOMAIN, House, SAVE};

async fn passwords_are_switched_off_by_whoever_has_signed_on(engine: Engine) {
    let house = House::on(engine).await;
    let off = json!({ "passwords": false });
    let unproven = house.world.call(SAVE, &house.owner.0, off.clone()).await;
    assert_eq!((unproven.status, unproven.code()), (409, "sign_on_unproven"));
    let (email, _) = house.world.new_portal_user(house.college, "viewer").await;
    let by_password = house.log_in(&email).await.data();
    let (owner, _) = house.signed_on(house.person("pat", json!(["nil-owners"]))).await;
    let saved = house.world.call(SAVE, &owner, off).await.data();
    assert_eq!(saved["provider"]["passwords"], false);
    assert!(!saved.to_string().contains(SECRET), "{saved}");
    // Sessions of passwords end, and none begins.
    assert!(house.who(&by_password).await.is_none());
    let refused = house.log_in(&email).await;
    assert_eq!((refused.status, refused.code()), (403, "sign_on_required"));
    let wrong = json!({ "email": email, "password": "not the password at all" });
    let wrong = house.world.call("compliance.auth.log_in", &Principal::Anonymous, wrong).await;
    assert_eq!(wrong.code(), "wrong_credentials");
    let register = json!({
        "email": format!("new@{DOMAIN}"), "password": "a long enough passphrase", "name": "New",
        "college_id": house.college,
    });
    let register = house.world.call("compliance.auth.register", &Principal::Anonymous, register);
    assert_eq!(register.await.code(), "sign_on_required");
    // Passwords off, the provider stays as it is.
    for change in [json!({ "enabled": false }), json!({ "client_id": "another" })] {
        let refused = house.world.call(SAVE, &owner, change).await;
        assert_eq!((refused.status, refused.code()), (409, "sign_on_needed"));
    }
    let removed = house.world.call("compliance.sign_on.remove", &owner, json!({})).await;
    assert_eq!((removed.status, removed.code()), (409, "sign_on_needed"));
    // An operator helps those whose provider fails them.
    let operator = house.world.operator(&[Permission::Accounts]);
    let which = json!({ "college_id": house.college });
    let allow = house.world.call("admin.college.allow_passwords", &operator, which).await;
    assert_eq!(allow.status, 200);
    house.log_in(&email).await.data();
    let unknown = json!({ "college_id": house.world.college().await });
    let unknown = house.world.call("admin.college.allow_passwords", &operator, unknown).await;
    assert_eq!(unknown.status, 404);
    // A provider that is gone takes its sessions along.
    assert_eq!(house.world.call("compliance.sign_on.remove", &owner, json!({})).await.status, 200);
    let after = house.world.call(SAVE, &owner, json!({})).await;
    assert_eq!(after.status, 422, "{}", after.body);
}
both!(passwords_are_switched_off_by_whoever_has_signed_on);

async fn a_mailed_link_gives_no_password_where_they_are_off(engine: Engine) {
    let house = House::on(engine).await;
    let (email, _) = house.world.new_portal_user(house.college, "viewer").await;
    let nobody = Principal::Anonymous;
    let forgot = json!({ "email": email });
    house.world.call("compliance.auth.forgot_password", &nobody, forgot.clone()).await.data();
    let reset = house.world.link_for(&email, "password.reset").await;
    let before = house.world.mail(&email, "password.reset").await;
    let invite = json!({ "email": format!("lee@{DOMAIN}"), "name": "Lee", "role": "viewer" });
    house.world.call("compliance.portal_user.invite", &house.owner.0, invite).await.data();
    let invited = house.world.link_for(&format!("lee@{DOMAIN}"), "portal_user.invited").await;
    let (owner, _) = house.signed_on(house.person("pat", json!(["nil-owners"]))).await;
    house.world.call(SAVE, &owner, json!({ "passwords": false })).await.data();
    for (name, token) in
        [("compliance.auth.change_password", reset), ("compliance.auth.set_password", invited)]
    {
        let input = json!({ "token": token, "password": "a long enough passphrase" });
        let refused = house.world.call(name, &nobody, input).await;
        assert_eq!((refused.status, refused.code()), (403, "sign_on_required"), "{name}");
    }
    house.world.pass(TimeDelta::hours(2));
    house.world.call("compliance.auth.forgot_password", &nobody, forgot).await.data();
    assert_eq!(house.world.mail(&email, "password.reset").await, before);
}
both!(a_mailed_link_gives_no_password_where_they_are_off);
