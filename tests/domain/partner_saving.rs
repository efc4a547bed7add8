//! Operators open brands' accounts, change them, look at them, and associate them with
//! universities.

use nil_core::auth::{Permission, Principal};
use nil_tests::{PASSWORD, World, both};
use serde_json::{Value, json};

const SAVE: &str = "admin.partner.save";
const VIEW: &str = "admin.partner.view";

fn bakery() -> Value {
    json!({
        "email": "Lee@Bakery.example", "first_name": " Lee ", "last_name": "Baker",
        "phone": "217 555 0100", "company_name": "Corner Bakery", "business_category_id": 1,
        "hq_state": "il", "website": "https://bakery.example/",
    })
}

async fn a_brand_that_an_operator_opens_chooses_its_own_password(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let opened = world.call(SAVE, &operator, bakery()).await;
    assert_eq!(opened.ignored, Vec::<String>::new());
    let account = opened.data();
    for (field, expected) in [
        ("/kind", json!("partner")),
        ("/email", json!("lee@bakery.example")),
        ("/first_name", json!("Lee")),
        ("/phone", json!("+12175550100")),
        ("/status", json!("active")),
        ("/email_verified_at", json!(null)),
        ("/onboarding_step", json!(null)),
        ("/profile/company_name", json!("Corner Bakery")),
        ("/profile/hq_state", json!("IL")),
        ("/profile/listed", json!(true)),
    ] {
        assert_eq!(account.pointer(field), Some(&expected), "{field}");
    }
    let token = world.link_for("lee@bakery.example", "account.invited").await;
    let nobody = Principal::Anonymous;
    let log_in = json!({ "email": "lee@bakery.example", "password": PASSWORD });
    let refused = world.call("core.auth.log_in", &nobody, log_in.clone()).await;
    assert_eq!(refused.status, 401);
    let choice = json!({ "token": token, "password": PASSWORD });
    world.call("core.auth.confirm_password_reset", &nobody, choice.clone()).await.data();
    let again = world.call("core.auth.confirm_password_reset", &nobody, choice).await;
    assert_eq!(again.code(), "token_invalid");
    let user = world.call("core.auth.log_in", &nobody, log_in).await.data()["user"].clone();
    assert_eq!(user["profile"]["id"], account["profile"]["id"]);
    assert!(user["email_verified_at"].is_string());
    let found = json!({ "status": "active", "id": account["profile"]["id"] });
    let list = world.call("admin.partner.list", &operator, found).await.data();
    assert_eq!(list[0]["user_id"], account["user_id"]);
    let taken = world.call(SAVE, &operator, bakery()).await;
    assert_eq!((taken.status, taken.code()), (409, "email_taken"));
    let rows = "SELECT COUNT(*) FROM partner";
    assert_eq!(world.id(rows).await, 1);
}
both!(a_brand_that_an_operator_opens_chooses_its_own_password);

async fn all_that_is_wrong_is_named_at_once_and_nothing_is_lost(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let refused = async |input: Value| {
        let answer = world.call(SAVE, &operator, input).await;
        assert_eq!(answer.status, 422);
        let errors = answer.body["errors"].as_object().unwrap().clone();
        errors.keys().cloned().collect::<Vec<_>>()
    };
    let empty =
        ["business_category_id", "company_name", "email", "first_name", "last_name", "phone"];
    assert_eq!(refused(json!({})).await, empty);
    let mut wrong = bakery();
    let over = json!({ "status": "suspended", "hq_state": "ZZ", "business_category_id": 999 });
    wrong.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    assert_eq!(refused(wrong).await, ["business_category_id", "hq_state", "status"]);
    let all = [&empty[..], &["status"]].concat();
    assert_eq!(refused(json!({ "status": "deactivated" })).await, all);
    let partner = world.partner("Harbor Books").await;
    let wrong = json!({
        "id": partner.id, "about": "Lost?", "hq_state": "ZZ", "business_category_id": 999,
    });
    assert_eq!(refused(wrong).await, ["business_category_id", "hq_state"]);
    let view = world.call(VIEW, &operator, json!({ "id": partner.id })).await.data();
    assert_eq!(view["profile"]["about"], json!(null));
    assert_eq!(world.id("SELECT COUNT(*) FROM partner").await, 1);
    for id in [999, partner.id + 1] {
        let missing = world.call(SAVE, &operator, json!({ "id": id, "about": "x" })).await;
        assert_eq!(missing.status, 404);
        assert_eq!(world.call(VIEW, &operator, json!({ "id": id })).await.status, 404);
    }
    let (_, email) = world.start("partner", "Early Bird").await;
    let early = world.id("SELECT MAX(id) FROM partner").await;
    let refused =
        world.call(SAVE, &operator, json!({ "id": early, "phone": "217 555 0188" })).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"), "{email}");
}
both!(all_that_is_wrong_is_named_at_once_and_nothing_is_lost);

async fn given_fields_change_and_a_suspension_ends_sessions(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let partner = world.partner("Harbor Books").await;
    let save = async |over: Value| {
        let mut input = json!({ "id": partner.id });
        input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
        world.call(SAVE, &operator, input).await
    };
    let account = save(json!({ "about": " Books. ", "last_name": "Reed" })).await.data();
    assert_eq!(account["last_name"], "Reed");
    assert_eq!(account["first_name"], "Harbor");
    assert_eq!(account["profile"]["about"], "Books.");
    assert_eq!(account["profile"]["company_name"], "Harbor Books");
    let token = partner.token.as_deref().unwrap();
    assert!(world.platform.authenticate_core(token).await.is_ok());
    assert_eq!(save(json!({ "status": "suspended" })).await.data()["status"], "suspended");
    assert!(world.platform.authenticate_core(token).await.is_err());
    assert_eq!(save(json!({ "status": "suspended" })).await.data()["status"], "suspended");
    assert_eq!(save(json!({ "status": "active" })).await.data()["status"], "active");
    let moves = "SELECT COUNT(*) FROM audit_entry WHERE action = 'status_changed' \
        AND operation = 'admin.partner.save'";
    assert_eq!(world.id(moves).await, 2);
    let nobody = world.operator(&[Permission::Finance]);
    let refused = world.call(SAVE, &nobody, json!({ "id": partner.id })).await;
    assert_eq!(refused.status, 403);
}
both!(given_fields_change_and_a_suspension_ends_sessions);

async fn only_operators_for_money_change_a_fee(world: World) {
    let partner = world.partner("Harbor Books").await;
    let accounts = world.operator(&[Permission::Accounts]);
    let fee = |fee: Value| json!({ "id": partner.id, "fee_basis_points": fee });
    let refused = world.call(SAVE, &accounts, fee(json!(500))).await;
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    let both = world.operator(&[Permission::Accounts, Permission::Finance]);
    let account = world.call(SAVE, &both, fee(json!(500))).await.data();
    assert_eq!(account["profile"]["fee_basis_points"], 500);
    let account = world.call(SAVE, &accounts, json!({ "id": partner.id })).await.data();
    assert_eq!(account["profile"]["fee_basis_points"], 500);
    let account = world.call(SAVE, &both, fee(json!(null))).await.data();
    assert_eq!(account["profile"]["fee_basis_points"], json!(null));
}
both!(only_operators_for_money_change_a_fee);

async fn a_new_address_is_verified_again_and_both_are_told(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let partner = world.partner("Harbor Books").await;
    let other = world.partner("Corner Bakery").await;
    let old = partner.email.as_str();
    let nobody = Principal::Anonymous;
    world.call("core.auth.forget_password", &nobody, json!({ "email": old })).await.data();
    let reset = world.link_for(old, "password.reset").await;
    let taken = json!({ "id": partner.id, "email": other.email });
    assert_eq!(world.call(SAVE, &operator, taken).await.code(), "email_taken");
    let new = "desk@harbor.example";
    let saved = world.call(SAVE, &operator, json!({ "id": partner.id, "email": new })).await.data();
    assert_eq!((&saved["email"], &saved["email_verified_at"]), (&json!(new), &json!(null)));
    let token = partner.token.as_deref().unwrap();
    assert!(world.platform.authenticate_core(token).await.is_err());
    nil_core::worker::round(&world.platform).await.unwrap();
    for address in [old, new] {
        let told = world.mail(address, "account.email_changed").await.unwrap();
        assert!(!told.contains("harbor.example") && !told.contains(old), "{told}");
    }
    let choice = json!({ "token": reset, "password": PASSWORD });
    let refused = world.call("core.auth.confirm_password_reset", &nobody, choice).await;
    assert_eq!(refused.code(), "token_invalid");
    let link = world.link_for(new, "email.verify").await;
    world.call("core.auth.verify_email", &nobody, json!({ "token": link })).await.data();
    let log_in = json!({ "email": new, "password": PASSWORD });
    let user = world.call("core.auth.log_in", &nobody, log_in).await.data()["user"].clone();
    assert!(user["email_verified_at"].is_string());
}
both!(a_new_address_is_verified_again_and_both_are_told);

async fn a_view_shows_history_money_and_deals(world: World) {
    let partner = world.paying_partner("Harbor Books").await;
    let athlete = world.athlete("Jordan Miles").await;
    let deal = world.approved_deal(&partner, &athlete, &[40_000]).await;
    world.pay(&partner, &athlete, &deal).await;
    let operator = world.operator(&[Permission::Accounts]);
    let view = world.call(VIEW, &operator, json!({ "id": partner.id })).await.data();
    assert_eq!((&view["id"], &view["user_id"]), (&json!(partner.id), &json!(partner.user_id)));
    assert_eq!(view["profile"]["id"], partner.id);
    let charged = view["money"]["charged_cents"].as_i64().unwrap();
    assert!(charged > 40_000, "{charged}");
    for none in ["earned_cents", "balance_cents", "paid_out_cents", "owed_back_cents"] {
        assert_eq!(view["money"][none], 0, "{none}");
    }
    let deals = view["deals"].as_array().unwrap();
    assert_eq!(deals.len(), 1);
    assert_eq!(deals[0]["athlete"]["id"], athlete.id);
    let history = view["history"].as_array().unwrap();
    assert!(history.iter().any(|entry| entry["action"] == "registered"));
    let ids: Vec<_> = history.iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|newer, older| newer > older));
    for entry in history {
        let about =
            (entry["subject_kind"].as_str().unwrap(), entry["subject_id"].as_i64().unwrap());
        assert!([("user", partner.user_id), ("partner", partner.id)].contains(&about), "{about:?}");
    }
}
both!(a_view_shows_history_money_and_deals);

async fn universities_are_associated_once_and_removed_once(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let partner = world.partner("Harbor Books").await;
    let college = world.college().await;
    let which = json!({ "partner_id": partner.id, "university_id": college });
    let associate = "admin.partner.associate_university";
    let remove = "admin.partner.unassociate_university";
    let none = world.call(remove, &operator, which.clone()).await;
    assert_eq!((none.status, none.code()), (404, "not_found"));
    for _ in 0..2 {
        let record = world.call(associate, &operator, which.clone()).await.data();
        assert_eq!(record["universities"].as_array().unwrap().len(), 1);
        assert_eq!(record["universities"][0]["id"], college);
    }
    let record = world.call(remove, &operator, which.clone()).await.data();
    assert_eq!(record["universities"], json!([]));
    assert_eq!(world.call(remove, &operator, which).await.status, 404);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'partner' \
        AND action IN ('university_associated', 'university_unassociated')";
    assert_eq!(world.id(noted).await, 2);
    for (partner, college, status) in [(999, college, 404), (partner.id, 999, 422)] {
        let which = json!({ "partner_id": partner, "university_id": college });
        assert_eq!(world.call(associate, &operator, which).await.status, status);
    }
}
both!(universities_are_associated_once_and_removed_once);
