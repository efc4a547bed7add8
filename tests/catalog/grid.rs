//! Authorization: every operation × every kind of caller, as one readable table.

use nil_core::accounts::UserKind;
use nil_core::auth::{Must, Permission, Principal, Role, Scope};
use nil_core::catalog::catalog;
use nil_core::kernel::{ApiKeyId, AthleteId, CollegeId, OperatorId, PortalUserId, Secret, UserId};

/// Twenty-eight callers: anonymous, a visitor, registrants, users, roles, permissions, services.
pub fn principals() -> Vec<(String, Principal)> {
    let session = String::from("test");
    let user_id = UserId::new(1).unwrap();
    let mut all = vec![
        ("nobody".to_owned(), Principal::Anonymous),
        ("visitor".into(), Principal::Visitor { session: session.clone() }),
    ];
    for kind in UserKind::ALL {
        all.push((
            format!("new_{kind}"),
            Principal::Registrant { user_id, kind: *kind, token: Secret::new("test") },
        ));
    }
    for kind in UserKind::ALL {
        let principal =
            Principal::User { user_id, kind: *kind, profile_id: 1, session: session.clone() };
        all.push((kind.to_string(), principal));
    }
    for role in Role::ALL {
        let principal = Principal::Portal {
            id: PortalUserId::new(1).unwrap(),
            college_id: CollegeId::new(1).unwrap(),
            role: *role,
            sports: Vec::new(),
            session: session.clone(),
        };
        all.push((role.to_string(), principal));
    }
    for permission in Permission::ALL {
        let principal = Principal::Operator {
            id: OperatorId::new(1).unwrap(),
            permissions: vec![*permission],
            session: session.clone(),
        };
        all.push((format!("operator {permission}"), principal));
    }
    for (name, must) in [
        ("operator with a one-time password", Must::ChangePassword),
        ("operator who must set up two steps", Must::SetUpTotp),
    ] {
        let id = OperatorId::new(1).unwrap();
        let new = Principal::NewOperator { id, must, session: session.clone() };
        all.push((name.into(), new));
    }
    let id = ApiKeyId::new(1).unwrap();
    for scope in Scope::ALL {
        all.push((format!("service {scope}"), Principal::Service { id, scopes: vec![*scope] }));
    }
    all.push((
        "model_host".into(),
        Principal::ModelHost { key: id, athlete_id: AthleteId::new(1).unwrap(), user_id },
    ));
    all
}

#[test]
fn who_gets_in_where() {
    let principals = principals();
    assert_eq!(principals.len(), 28);
    let mut table = String::new();
    for entry in catalog().iter() {
        let admitted: Vec<&str> = principals
            .iter()
            .filter(|(_, principal)| entry.admit(principal).is_ok())
            .map(|(name, _)| name.as_str())
            .collect();
        assert!(!admitted.is_empty(), "{} lets nobody in", entry.name);
        let who = if admitted.len() == principals.len() {
            "everybody".to_owned()
        } else {
            admitted.join(", ")
        };
        table.push_str(&format!("{}: {who}\n", entry.name));
        for (name, principal) in &principals {
            if let Err(error) = entry.admit(principal) {
                let expected = if principal.is_anonymous() { 401 } else { 403 };
                assert_eq!(error.kind().status(), expected, "{} for {name}", entry.name);
            }
        }
    }
    insta::assert_snapshot!(table);
}
