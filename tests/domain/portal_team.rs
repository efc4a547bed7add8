//! Owners manage the users of their institution's portal, and one active owner always remains.

use nil_core::auth::{Permission, Principal};
use nil_tests::{Answer, World, both};
use serde_json::{Value, json};

const LIST: &str = "compliance.portal_user.list";
const CHANGE: &str = "compliance.portal_user.change";

fn id(who: &Principal) -> i64 {
    let Principal::Portal { id, .. } = who else { panic!("a portal user") };
    id.get()
}

async fn change(world: &World, by: &Principal, whom: &Principal, over: Value) -> Answer {
    let mut input = json!({ "id": id(whom) });
    for (name, value) in over.as_object().unwrap() {
        input[name] = value.clone();
    }
    world.call(CHANGE, by, input).await
}

async fn an_owner_lets_in_and_shuts_out(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let register = json!({
        "email": "ola@lakeshore.example", "password": "an officer's passphrase",
        "name": "Ola Officer", "college_id": college, "role": "officer",
    });
    let pending = world.register_officer(register).await["id"].clone();
    let waiting = world.call(LIST, &owner, json!({ "statuses": ["pending"] })).await;
    assert_eq!(waiting.body["pagination"]["total"], 1);
    assert_eq!(waiting.data()[0]["id"], pending);
    let approve = json!({ "id": pending, "status": "active", "role": "viewer", "sport_ids": [2] });
    let approved = world.call(CHANGE, &owner, approve).await.data();
    assert_eq!(
        (&approved["status"], &approved["role"], &approved["sport_ids"]),
        (&json!("active"), &json!("viewer"), &json!([2]))
    );
    let log_in = json!({ "email": "ola@lakeshore.example", "password": "an officer's passphrase" });
    let answer = world.call("compliance.auth.log_in", &Principal::Anonymous, log_in).await;
    let token = answer.body["token"].as_str().unwrap().to_owned();
    let found = world.call(LIST, &owner, json!({ "q": "OLA@" })).await.data();
    assert_eq!(found.as_array().unwrap().len(), 1);
    let ola = world.platform.authenticate_compliance(&token).await.unwrap();
    assert_eq!(change(&world, &ola, &owner, json!({ "status": "disabled" })).await.status, 403);
    // Changes of a user's rights apply at once, to their current token.
    let all =
        change(&world, &owner, &ola, json!({ "sport_ids": [], "role": "officer" })).await.data();
    assert_eq!((&all["sport_ids"], &all["role"]), (&Value::Null, &json!("officer")));
    change(&world, &owner, &ola, json!({ "status": "disabled" })).await.data();
    assert!(world.platform.authenticate_compliance(&token).await.is_err());
    let restored = change(&world, &owner, &ola, json!({ "status": "active" })).await.data();
    assert_eq!(restored["status"], "active");
    for wrong in
        [json!({ "status": "pending" }), json!({ "status": "gone" }), json!({ "role": "king" })]
    {
        assert_eq!(change(&world, &owner, &ola, wrong.clone()).await.status, 422, "{wrong}");
    }
    let invite = json!({ "email": "new@lakeshore.example", "name": "New", "role": "viewer" });
    let invited = world.call("compliance.portal_user.invite", &owner, invite).await.data();
    let early =
        world.call(CHANGE, &owner, json!({ "id": invited["id"], "status": "active" })).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
}
both!(an_owner_lets_in_and_shuts_out);

async fn an_owner_gives_no_more_than_they_have(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let (limited, token) = world.portal_user(college, "owner").await;
    let (viewer, _) = world.portal_user(college, "viewer").await;
    change(&world, &owner, &limited, json!({ "sport_ids": [1, 2] })).await.data();
    let limited = world.platform.authenticate_compliance(&token).await.map(|_| limited).unwrap();
    let forbidden = |answer: Answer, what: &str| {
        assert_eq!((answer.status, answer.code()), (403, "forbidden"), "{what}: {}", answer.body);
    };
    for wider in [json!([]), json!([1, 2, 3]), json!([3])] {
        let own = change(&world, &limited, &limited, json!({ "sport_ids": wider })).await;
        forbidden(own, "themself");
    }
    // An owner cannot change a user with access to more sports.
    forbidden(change(&world, &limited, &viewer, json!({ "sport_ids": [1] })).await, "a colleague");
    forbidden(
        change(&world, &limited, &owner, json!({ "status": "disabled" })).await,
        "the other owner",
    );
    change(&world, &owner, &viewer, json!({ "sport_ids": [2] })).await.data();
    forbidden(
        change(&world, &limited, &viewer, json!({ "sport_ids": [2, 3] })).await,
        "another sport",
    );
    let both =
        change(&world, &limited, &viewer, json!({ "sport_ids": [1, 2], "role": "finance" })).await;
    assert_eq!(both.data()["sport_ids"], json!([1, 2]));

    let invite = |sports: Value| {
        json!({
            "email": "new@lakeshore.example", "name": "New", "role": "viewer", "sport_ids": sports,
        })
    };
    for wider in [Value::Null, json!([1, 3])] {
        let invited = world.call("compliance.portal_user.invite", &limited, invite(wider)).await;
        forbidden(invited, "an invitation");
    }
    let invited = world.call("compliance.portal_user.invite", &limited, invite(json!([1]))).await;
    assert_eq!(invited.data()["sport_ids"], json!([1]));
    let register = json!({
        "email": "ola@lakeshore.example", "password": "an officer's passphrase",
        "name": "Ola Officer", "college_id": college, "role": "officer",
    });
    let pending = world.register_officer(register).await["id"].clone();
    let approve = |over: Value| {
        let mut input = json!({ "id": pending, "status": "active" });
        input["sport_ids"] = over;
        input
    };
    forbidden(world.call(CHANGE, &limited, approve(Value::Null)).await, "all sports");
    let approved = world.call(CHANGE, &limited, approve(json!([2]))).await.data();
    assert_eq!((&approved["status"], &approved["sport_ids"]), (&json!("active"), &json!([2])));
    // Reducing access is always possible.
    let own = change(&world, &limited, &limited, json!({ "sport_ids": [1] })).await.data();
    assert_eq!(own["sport_ids"], json!([1]));
    forbidden(
        change(&world, &limited, &limited, json!({ "sport_ids": [1, 2] })).await,
        "back again",
    );
}
both!(an_owner_gives_no_more_than_they_have);

async fn the_last_owner_stays(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    for over in [json!({ "role": "officer" }), json!({ "status": "disabled" })] {
        let refused = change(&world, &owner, &owner, over).await;
        assert_eq!((refused.status, refused.code()), (409, "last_owner"));
    }
    change(&world, &owner, &owner, json!({ "role": "owner", "status": "active" })).await.data();
    let (second, _) = world.portal_user(college, "owner").await;
    change(&world, &owner, &owner, json!({ "role": "officer" })).await.data();
    let refused = change(&world, &second, &second, json!({ "role": "viewer" })).await;
    assert_eq!(refused.code(), "last_owner");
}
both!(the_last_owner_stays);

async fn two_owners_cannot_both_leave_at_once(world: World) {
    let college = world.college().await;
    let (first, _) = world.portal_user(college, "owner").await;
    let (second, _) = world.portal_user(college, "owner").await;
    let leave = || json!({ "role": "viewer" });
    let (one, other) = tokio::join!(
        change(&world, &first, &first, leave()),
        change(&world, &second, &second, leave()),
    );
    let mut told = [one.status, other.status];
    told.sort_unstable();
    assert_eq!(told, [200, 409]);
    let left = world.call(LIST, &first, json!({})).await.data();
    let owners = left.as_array().unwrap().iter().filter(|user| user["role"] == "owner").count();
    assert_eq!(owners, 1);
}
both!(two_owners_cannot_both_leave_at_once);

async fn another_institutions_people_are_nobodys(world: World) {
    let (owner, _) = world.portal_user(world.college().await, "owner").await;
    let (stranger, _) = world.portal_user(world.college().await, "owner").await;
    let own = world.call(LIST, &owner, json!({})).await.data();
    assert_eq!(
        own.as_array().unwrap().iter().map(|user| user["id"].as_i64().unwrap()).collect::<Vec<_>>(),
        [id(&owner)]
    );
    let refused = change(&world, &owner, &stranger, json!({ "role": "viewer" })).await;
    assert_eq!((refused.status, refused.code()), (404, "not_found"));
    let missing = world.call(CHANGE, &owner, json!({ "id": 999_999 })).await;
    assert_eq!((missing.status, missing.code()), (404, "not_found"));
}
both!(another_institutions_people_are_nobodys);

async fn an_invitation_names_whoever_invites(world: World) {
    let college = world.college().await;
    crate::portal_access::invite(&world, college, "owner@lakeshore.example").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let mails = nil_core::notifications::outbox::list(&world.platform, 10).await.unwrap();
    let mail = mails.iter().find(|mail| mail.event == "portal_user.invited").unwrap();
    let body = mail.body.as_deref().unwrap();
    for words in [", by the team of ", "If you did not expect it, ask the team of "] {
        assert!(body.contains(words), "{words} is not in {body}");
    }
}
both!(an_invitation_names_whoever_invites);

async fn an_operator_approves_a_registration_as_it_was_made(world: World) {
    let college = world.college().await;
    let register = json!({
        "email": "officer@lakeshore.example", "password": "an officer's passphrase",
        "name": "Ola Officer", "college_id": college, "role": "officer",
    });
    let pending = world.register_officer(register).await;
    let approve = "admin.university_admin.approve";
    let which = json!({ "id": pending["id"] });
    let (owner, _) = world.portal_user(college, "owner").await;
    for stranger in [&owner, &world.operator(&[Permission::Finance])] {
        assert_eq!(world.call(approve, stranger, which.clone()).await.status, 403);
    }
    let operator = world.operator(&[Permission::Accounts]);
    let approved = world.call(approve, &operator, which.clone()).await.data();
    assert_eq!((&approved["status"], &approved["role"]), (&json!("active"), &json!("officer")));
    let log_in =
        json!({ "email": "officer@lakeshore.example", "password": "an officer's passphrase" });
    let session = world.call("compliance.auth.log_in", &Principal::Anonymous, log_in).await;
    assert!(session.body["token"].is_string());
    let again = world.call(approve, &operator, which.clone()).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));
    // Neither an invitation nor a refusal is a request to approve.
    let invited = json!({
        "college_id": college, "email": "new@lakeshore.example", "name": "Nell New",
        "role": "viewer",
    });
    let invited = world.call("admin.university_admin.save", &operator, invited).await.data();
    let which = json!({ "id": invited["id"] });
    assert_eq!(world.call(approve, &operator, which).await.code(), "illegal_transition");
    assert_eq!(world.call(approve, &operator, json!({ "id": 999 })).await.status, 404);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'status_changed'";
    assert_eq!(world.id(noted).await, 1);
}
both!(an_operator_approves_a_registration_as_it_was_made);
