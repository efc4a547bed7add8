//! Compliance officers: invited or approved, logged in, disabled.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal, Role};
use nil_tests::{Answer, World, both};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;
const PORTAL_PASSWORD: &str = "an officer's passphrase";

async fn an_invited_owner_sets_a_password_and_is_in(world: World) {
    let college = world.college().await;
    let invited = invite(&world, college, "owner@lakeshore.example").await;
    assert_eq!(invited["status"], "invited");
    assert_eq!(log_in(&world, "owner@lakeshore.example").await.status, 401);
    let token = world.link_for("owner@lakeshore.example", "portal_user.invited").await;
    let set = json!({ "token": token, "password": PORTAL_PASSWORD });
    let short = json!({ "token": token, "password": "eleven char" });
    assert_eq!(world.call("compliance.auth.set_password", &NOBODY, short).await.status, 422);
    let welcome = world.call("compliance.auth.set_password", &NOBODY, set.clone()).await.data();
    assert_eq!(welcome["user"]["status"], "active");
    let token = welcome["token"].as_str().unwrap();
    let principal = world.platform.authenticate_compliance(token).await.unwrap();
    let Principal::Portal { role, college_id, .. } = &principal else { panic!() };
    assert_eq!((*role, college_id.get()), (Role::Owner, college));
    let again = world.call("compliance.auth.set_password", &NOBODY, set).await;
    assert_eq!((again.status, again.code()), (422, "token_invalid"));

    let answer = log_in(&world, "owner@lakeshore.example").await;
    assert_eq!(answer.body["token_type"], "Bearer");
    assert!(answer.body["token"].is_string());
    // The token is not valid for a Core account.
    assert!(world.platform.authenticate_core(token).await.is_err());
    world.call("compliance.auth.log_out", &principal, json!({})).await.data();
    assert!(world.platform.authenticate_compliance(token).await.is_err());
}
both!(an_invited_owner_sets_a_password_and_is_in);

async fn an_owner_invites_colleagues_to_their_own_institution(world: World) {
    let college = world.college().await;
    world.college().await;
    invite(&world, college, "owner@lakeshore.example").await;
    let token = world.link_for("owner@lakeshore.example", "portal_user.invited").await;
    let set = json!({ "token": token, "password": PORTAL_PASSWORD });
    let welcome = world.call("compliance.auth.set_password", &NOBODY, set).await.data();
    let owner = welcome["token"].as_str().unwrap();
    let owner = world.platform.authenticate_compliance(owner).await.unwrap();
    let colleague = json!({
        "email": "fin@lakeshore.example", "name": "Fin Finance", "role": "finance",
        "sport_ids": [1, 2],
    });
    let invite_user = "compliance.portal_user.invite";
    let invited = world.call(invite_user, &owner, colleague.clone()).await.data();
    assert_eq!(invited["college_id"], college);
    assert_eq!(invited["sport_ids"], json!([1, 2]));
    let taken = world.call(invite_user, &owner, colleague).await;
    assert_eq!((taken.status, taken.code()), (409, "email_taken"));

    // An operator sends it again; the earlier link is void.
    let old = world.link_for("fin@lakeshore.example", "portal_user.invited").await;
    let operator = world.operator(&[Permission::Accounts]);
    let which = json!({ "id": invited["id"] });
    let again = "admin.university_admin.send_verification";
    world.call(again, &operator, which.clone()).await.data();
    let new = world.link_for("fin@lakeshore.example", "portal_user.invited").await;
    let set = |token: &str| json!({ "token": token, "password": PORTAL_PASSWORD });
    let set_password = "compliance.auth.set_password";
    assert_eq!(world.call(set_password, &NOBODY, set(&old)).await.code(), "token_invalid");
    let finance = world.call(set_password, &NOBODY, set(&new)).await.data();
    assert_eq!(world.call(again, &operator, which).await.status, 409);
    let finance = finance["token"].as_str().unwrap();
    let finance = world.platform.authenticate_compliance(finance).await.unwrap();
    let other = json!({ "email": "x@lakeshore.example", "name": "X", "role": "viewer" });
    assert_eq!(world.call(invite_user, &finance, other).await.status, 403);
}
both!(an_owner_invites_colleagues_to_their_own_institution);

async fn an_invitation_works_for_a_week(world: World) {
    let college = world.college().await;
    invite(&world, college, "owner@lakeshore.example").await;
    let token = world.link_for("owner@lakeshore.example", "portal_user.invited").await;
    world.pass(TimeDelta::days(7));
    let set = json!({ "token": token, "password": PORTAL_PASSWORD });
    let late = world.call("compliance.auth.set_password", &NOBODY, set).await;
    assert_eq!(late.code(), "token_invalid");
}
both!(an_invitation_works_for_a_week);

async fn registering_opens_nothing_until_somebody_approves(world: World) {
    let college = world.college().await;
    let register = json!({
        "email": "officer@lakeshore.example", "password": PORTAL_PASSWORD,
        "name": "Ola Officer", "college_id": college, "role": "officer",
    });
    let pending = world.register_officer(register).await;
    assert_eq!(pending["status"], "pending");
    let waiting = log_in(&world, "officer@lakeshore.example").await;
    assert_eq!((waiting.status, waiting.code()), (403, "approval_pending"));

    let mut save = json!({
        "id": pending["id"], "college_id": college, "email": "officer@lakeshore.example",
        "name": "Ola Officer", "role": "viewer", "status": "active",
    });
    let operator = world.operator(&[Permission::Accounts]);
    let saved = world.call("admin.university_admin.save", &operator, save.clone()).await.data();
    assert_eq!((&saved["status"], &saved["role"]), (&json!("active"), &json!("viewer")));
    let token = log_in(&world, "officer@lakeshore.example").await.body["token"].clone();
    let token = token.as_str().unwrap();
    assert!(world.platform.authenticate_compliance(token).await.is_ok());

    // Disabled: sessions end at once; restoring works.
    save["status"] = json!("disabled");
    world.call("admin.university_admin.save", &operator, save.clone()).await.data();
    assert!(world.platform.authenticate_compliance(token).await.is_err());
    let off = log_in(&world, "officer@lakeshore.example").await;
    assert_eq!((off.status, off.code()), (403, "account_suspended"));
    save["status"] = json!("active");
    world.call("admin.university_admin.save", &operator, save.clone()).await.data();
    assert!(world.platform.authenticate_compliance(token).await.is_err());
    assert_eq!(log_in(&world, "officer@lakeshore.example").await.status, 200);
    save["status"] = json!("pending");
    let back = world.call("admin.university_admin.save", &operator, save).await;
    assert_eq!(back.status, 422);
}
both!(registering_opens_nothing_until_somebody_approves);

async fn nobody_is_made_active_without_a_password(world: World) {
    let college = world.college().await;
    let invited = invite(&world, college, "owner@lakeshore.example").await;
    let operator = world.operator(&[Permission::Accounts]);
    let mut save = json!({
        "id": invited["id"], "college_id": college, "email": "owner@lakeshore.example",
        "name": "Olive Owner", "role": "owner", "status": "active",
    });
    let answer = world.call("admin.university_admin.save", &operator, save.clone()).await;
    assert_eq!((answer.status, answer.code()), (409, "illegal_transition"));
    save["college_id"] = json!(world.college().await);
    let moved = world.call("admin.university_admin.save", &operator, save.clone()).await;
    assert_eq!(moved.status, 422);
    save["id"] = json!(999);
    assert_eq!(world.call("admin.university_admin.save", &operator, save).await.status, 404);
}
both!(nobody_is_made_active_without_a_password);

async fn a_new_address_ends_sessions_and_mailed_links_and_both_are_told(world: World) {
    let college = world.college().await;
    let (old, new) = ("owner@lakeshore.example", "olive@lakeshore.example");
    let invited = invite(&world, college, old).await;
    let operator = world.operator(&[Permission::Accounts]);
    let save = |email: &str| {
        json!({
            "id": invited["id"], "college_id": college, "email": email, "name": "Olive Owner", "role": "owner",
        })
    };
    let set = |token: &str| json!({ "token": token, "password": PORTAL_PASSWORD });
    let set_password = "compliance.auth.set_password";
    // The invitation to the old address is void; the new address has its own.
    let first = world.link_for(old, "portal_user.invited").await;
    world.call("admin.university_admin.save", &operator, save(new)).await.data();
    assert_eq!(world.call(set_password, &NOBODY, set(&first)).await.code(), "token_invalid");
    let second = world.link_for(new, "portal_user.invited").await;
    let welcome = world.call(set_password, &NOBODY, set(&second)).await.data();
    let token = welcome["token"].as_str().unwrap();

    let forgot = json!({ "email": new });
    world.call("compliance.auth.forgot_password", &NOBODY, forgot).await.data();
    let reset = world.link_for(new, "password.reset").await;
    // With the same address nothing ends.
    world.call("admin.university_admin.save", &operator, save(new)).await.data();
    assert!(world.platform.authenticate_compliance(token).await.is_ok());
    world.call("admin.university_admin.save", &operator, save(old)).await.data();
    assert!(world.platform.authenticate_compliance(token).await.is_err());
    let change = world.call("compliance.auth.change_password", &NOBODY, set(&reset)).await;
    assert_eq!(change.code(), "token_invalid");
    assert_eq!((log_in(&world, new).await.status, log_in(&world, old).await.status), (401, 200));
    let rows = nil_core::notifications::outbox::list(&world.platform, 50).await.unwrap();
    let told = rows.iter().filter(|row| row.event == "portal_user.email_changed");
    let mut told: Vec<&str> = told.map(|row| row.to.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told, [new, new, old, old], "both addresses, of both changes");
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(old, "portal_user.email_changed").await.unwrap();
    assert!(
        mail.starts_with("Hi Olive Owner,") && !mail.contains(new) && !mail.contains("{{"),
        "{mail}"
    );
}
both!(a_new_address_ends_sessions_and_mailed_links_and_both_are_told);

async fn who_was_invited_can_be_shut_out_and_invited_again(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let email = "vic@lakeshore.example";
    let colleague = json!({ "email": email, "name": "Vic Viewer", "role": "viewer" });
    let invited = world.call("compliance.portal_user.invite", &owner, colleague).await.data();
    let link = world.link_for(email, "portal_user.invited").await;
    let change = |status: &str| json!({ "id": invited["id"], "status": status });
    let disabled =
        world.call("compliance.portal_user.change", &owner, change("disabled")).await.data();
    assert_eq!(disabled["status"], "disabled");
    let set = |token: &str| json!({ "token": token, "password": PORTAL_PASSWORD });
    let dead = world.call("compliance.auth.set_password", &NOBODY, set(&link)).await;
    assert_eq!((dead.status, dead.code()), (422, "token_invalid"));
    // A user without a password cannot be restored.
    let restored = world.call("compliance.portal_user.change", &owner, change("active")).await;
    assert_eq!((restored.status, restored.code()), (409, "illegal_transition"));
    assert!(restored.body["message"].as_str().unwrap().contains("invitation"), "{}", restored.body);
    let operator = world.operator(&[Permission::Accounts]);
    let which = json!({ "id": invited["id"] });
    let again = "admin.university_admin.send_verification";
    assert_eq!(world.call(again, &operator, which.clone()).await.data()["status"], "invited");
    let link = world.link_for(email, "portal_user.invited").await;
    let welcome = world.call("compliance.auth.set_password", &NOBODY, set(&link)).await.data();
    assert_eq!(welcome["user"]["status"], "active");
    // A user with a password is restored, not invited.
    world.call("compliance.portal_user.change", &owner, change("disabled")).await.data();
    let refused = world.call(again, &operator, which).await;
    assert_eq!((refused.status, refused.code()), (409, "illegal_transition"));
    let back = world.call("compliance.portal_user.change", &owner, change("active")).await.data();
    assert_eq!(back["status"], "active");
}
both!(who_was_invited_can_be_shut_out_and_invited_again);

async fn owners_hear_of_who_registers(world: World) {
    let college = world.college().await;
    let owner = invite(&world, college, "owner@lakeshore.example").await;
    let token = world.link_for("owner@lakeshore.example", "portal_user.invited").await;
    let set = json!({ "token": token, "password": PORTAL_PASSWORD });
    world.call("compliance.auth.set_password", &NOBODY, set).await.data();
    let register = json!({
        "email": "viewer@lakeshore.example", "password": PORTAL_PASSWORD,
        "name": "Vic Viewer", "college_id": college,
    });
    world.register_officer(register).await;
    let rows = nil_core::notifications::outbox::list(&world.platform, 50).await.unwrap();
    let told = rows.iter().find(|row| row.event == "portal_user.pending").unwrap();
    assert_eq!(told.to, format!("portal_user:{}", owner["id"]));
    assert_eq!(told.data["person_name"], "Vic Viewer");
}
both!(owners_hear_of_who_registers);

async fn nobody_sees_a_registration_before_its_mailbox_is_proved(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let email = "vic@lakeshore.example";
    let register = json!({
        "email": email, "password": PORTAL_PASSWORD, "name": "Vic Viewer", "college_id": college,
    });
    let asked = world.call("compliance.auth.register", &NOBODY, register).await.data();
    let waiting = async || {
        let list = world.call("compliance.portal_user.list", &owner, json!({ "q": "vic" })).await;
        list.data().as_array().unwrap().len()
    };
    let told = async || {
        let rows = nil_core::notifications::outbox::list(&world.platform, 100).await.unwrap();
        rows.iter().filter(|row| row.event == "portal_user.pending").count()
    };
    assert_eq!((waiting().await, told().await), (0, 0));
    assert_eq!(log_in(&world, email).await.status, 401);
    let token = world.link_for(email, "portal_user.confirm").await;
    let confirm = |token: &str| json!({ "token": token });
    let verify = "compliance.auth.verify_email";
    let wrong = world.call(verify, &NOBODY, confirm(&"0".repeat(64))).await;
    assert_eq!((wrong.status, wrong.code()), (422, "token_invalid"));
    // A link of another kind does not work here, nor this one elsewhere.
    let elsewhere = json!({ "token": token, "password": PORTAL_PASSWORD });
    let elsewhere = world.call("compliance.auth.set_password", &NOBODY, elsewhere).await;
    assert_eq!(elsewhere.code(), "token_invalid");
    let shown = world.call(verify, &NOBODY, confirm(&token)).await.data();
    for field in ["college_id", "email", "name", "role", "status"] {
        assert_eq!(shown[field], asked[field], "{field}");
    }
    assert_eq!((waiting().await, told().await), (1, 1));
    let again = world.call(verify, &NOBODY, confirm(&token)).await;
    assert_eq!(again.code(), "token_invalid");
    assert_eq!(log_in(&world, email).await.code(), "approval_pending");
}
both!(nobody_sees_a_registration_before_its_mailbox_is_proved);

async fn each_link_proves_only_the_registration_it_was_mailed_for(world: World) {
    let college = world.college().await;
    let email = "vic@lakeshore.example";
    let register = |name: &str, password: &str| {
        json!({
            "email": email, "password": password, "name": name, "college_id": college,
        })
    };
    world
        .call("compliance.auth.register", &NOBODY, register("Vic Viewer", PORTAL_PASSWORD))
        .await
        .data();
    let own = world.link_for(email, "portal_user.confirm").await;
    // Another person registers with the same address and a different password.
    let theirs = register("Mallory", "somebody else's passphrase");
    world.call("compliance.auth.register", &NOBODY, theirs).await.data();
    let other = world.link_for(email, "portal_user.confirm").await;
    assert_ne!(own, other);
    let confirm = |token: &str| json!({ "token": token });
    let verify = "compliance.auth.verify_email";
    let shown = world.call(verify, &NOBODY, confirm(&own)).await.data();
    assert_eq!(shown["name"], "Vic Viewer");
    let late = world.call(verify, &NOBODY, confirm(&other)).await;
    assert_eq!((late.status, late.code()), (409, "email_taken"));
    assert_eq!(log_in(&world, email).await.code(), "approval_pending", "the password is their own");
}
both!(each_link_proves_only_the_registration_it_was_mailed_for);

async fn a_registration_does_not_tell_whose_addresses_are_known(world: World) {
    let college = world.college().await;
    let known = "owner@lakeshore.example";
    invite(&world, college, known).await;
    let register = |email: &str| {
        json!({
            "email": email, "password": PORTAL_PASSWORD, "name": "Vic Viewer", "college_id": college,
        })
    };
    let register = async |email: &str| {
        let answer = world.call("compliance.auth.register", &NOBODY, register(email)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let mut body = answer.body;
        body["request_id"] = Value::Null;
        let id = body["data"]["registration_id"].take().as_i64().unwrap();
        body["data"]["email"] = Value::Null;
        (id, body)
    };
    let (first, new) = register("new@lakeshore.example").await;
    let (second, taken) = register(known).await;
    let (third, other) = register("other@lakeshore.example").await;
    assert_eq!((&new, &taken), (&taken, &other));
    assert_eq!([second, third], [first + 1, first + 2], "ids do not tell either");
    assert!(world.mail(known, "portal_user.confirm").await.is_none());
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(known, "portal_user.known").await.unwrap();
    assert!(mail.starts_with("Hi Olive Owner,") && !mail.contains("{{"), "{mail}");
    // Mails are limited: three in ten minutes, however often registrations are made. The owner's
    // invitation was one of them.
    for _ in 0..7 {
        register(known).await;
        register("new@lakeshore.example").await;
    }
    let rows = nil_core::notifications::outbox::list(&world.platform, 500).await.unwrap();
    let count = |event: &str, to: &str| {
        let events = rows.iter().filter(|row| row.event == event && row.to == to);
        events
            .filter(|row| row.status != nil_core::notifications::outbox::OutboxStatus::Expanded)
            .count()
    };
    assert_eq!(
        (count("portal_user.known", known), count("portal_user.confirm", "new@lakeshore.example")),
        (2, 3)
    );
    // A day later unconfirmed registrations are gone.
    world.pass(TimeDelta::hours(25));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(world.id("SELECT COUNT(*) FROM portal_registration").await, 0);
    register(known).await;
}
both!(a_registration_does_not_tell_whose_addresses_are_known);

async fn an_address_has_to_be_the_institutions_where_it_has_domains(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let college = json!({
        "name": "Lakeshore State University", "division": "D1", "state": "IL",
        "time_zone": "America/Chicago", "email_domains": ["lakeshore.example"],
    });
    let college = world.call("admin.college.save", &operator, college).await.data()["id"].clone();
    let register = |email: &str| {
        json!({
            "email": email, "password": PORTAL_PASSWORD, "name": "Vic Viewer", "college_id": college,
        })
    };
    let refused =
        world.call("compliance.auth.register", &NOBODY, register("vic@mail.example")).await;
    assert_eq!(refused.status, 422);
    assert!(refused.body["errors"]["email"].is_array(), "{}", refused.body);
    world.register_officer(register("vic@sport.lakeshore.example")).await;
}
both!(an_address_has_to_be_the_institutions_where_it_has_domains);

async fn a_forgotten_portal_password_is_changed_by_a_link(world: World) {
    let college = world.college().await;
    let email = "owner@lakeshore.example";
    invite(&world, college, email).await;
    let token = world.link_for(email, "portal_user.invited").await;
    let set = json!({ "token": token, "password": PORTAL_PASSWORD });
    let first = world.call("compliance.auth.set_password", &NOBODY, set).await.data();
    let forgot = json!({ "email": email });
    world.call("compliance.auth.forgot_password", &NOBODY, forgot).await.data();
    let token = world.link_for(email, "password.reset").await;
    let change = json!({ "token": token, "password": "quite another passphrase" });
    // It is not a Core token.
    let core = world.call("core.auth.confirm_password_reset", &NOBODY, change.clone()).await;
    assert_eq!(core.code(), "token_invalid");
    world.call("compliance.auth.change_password", &NOBODY, change).await.data();
    let old = first["token"].as_str().unwrap();
    assert!(world.platform.authenticate_compliance(old).await.is_err());
    assert_eq!(log_in(&world, email).await.status, 401);
}
both!(a_forgotten_portal_password_is_changed_by_a_link);

async fn colleges_are_listed_without_login(world: World) {
    let college = world.college().await;
    let list = world.call("compliance.college.list", &NOBODY, json!({})).await;
    assert_eq!(list.data()[0]["id"], college);
}
both!(colleges_are_listed_without_login);

pub(crate) async fn invite(world: &World, college: i64, email: &str) -> Value {
    let operator = world.operator(&[Permission::Accounts]);
    let invitation = json!({
        "college_id": college, "email": email, "name": "Olive Owner", "role": "owner",
    });
    world.call("admin.university_admin.save", &operator, invitation).await.data()
}

async fn log_in(world: &World, email: &str) -> Answer {
    let input = json!({ "email": email, "password": PORTAL_PASSWORD });
    world.call("compliance.auth.log_in", &NOBODY, input).await
}
