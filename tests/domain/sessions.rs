//! Sessions of the three interfaces, by the same rules: a new one at each log-in, nothing stored
//! that opens one, and an end at once, by log-out, by a new password, by a closed door, by time.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use nil_core::accounts::{operators, suspension};
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Email, UserId};
use nil_tests::{PASSWORD, World, both, trust};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;

/// An interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Core,
    Compliance,
    Admin,
}

const ALL: [At; 3] = [At::Core, At::Compliance, At::Admin];

/// An account with sessions at an interface.
struct Account {
    at: At,
    email: String,
    id: i64,
    /// Who may shut it out.
    owner: Principal,
}

impl Account {
    async fn new(world: &World, at: At) -> Self {
        let number = world.number();
        match at {
            At::Core => {
                let brand = world.partner("Cedar Coffee").await;
                Self { at, email: brand.email, id: brand.user_id, owner: NOBODY }
            }
            At::Compliance => {
                let college = world.college().await;
                let (owner, _) = world.portal_user(college, "owner").await;
                let (email, token) = world.new_portal_user(college, "viewer").await;
                let who = world.platform.authenticate_compliance(&token).await.unwrap();
                let Principal::Portal { id, .. } = who else { panic!("a portal user") };
                Self { at, email, id: id.get(), owner }
            }
            At::Admin => {
                let email = format!("operator-{number}@nil.example");
                let who = world.new_operator(&email, Permission::Jobs).await;
                let Principal::Operator { id, .. } = who else { panic!("an operator") };
                Self { at, email, id: id.get(), owner: NOBODY }
            }
        }
    }

    /// Logs in as a client does; returns what opens the session.
    async fn log_in(&self, world: &World) -> String {
        let input = json!({ "email": self.email, "password": PASSWORD });
        match self.at {
            At::Core => {
                let answer = world.call("core.auth.log_in", &NOBODY, input).await;
                answer.body["access_token"].as_str().expect("a token").to_owned()
            }
            At::Compliance => {
                let answer = world.call("compliance.auth.log_in", &NOBODY, input).await;
                answer.body["token"].as_str().expect("a token").to_owned()
            }
            At::Admin => {
                let visit = world.call("admin.auth.csrf_token", &NOBODY, json!({})).await;
                let before = visit.session_cookie();
                let visitor = world.platform.authenticate_admin(&before).await.unwrap();
                assert!(matches!(visitor, Principal::Visitor { .. }), "{visitor:?}");
                let inside = world.call("admin.auth.log_in", &visitor, input).await;
                let after = inside.session_cookie();
                assert_ne!(before, after, "what a visitor has opens nothing later");
                let visitor = world.platform.authenticate_admin(&before).await.unwrap();
                assert_eq!(visitor, NOBODY);
                after
            }
        }
    }

    /// Who comes with this, if its session is open.
    async fn who(&self, world: &World, secret: &str) -> Option<Principal> {
        let who = match self.at {
            At::Core => world.platform.authenticate_core(secret).await.ok(),
            At::Compliance => world.platform.authenticate_compliance(secret).await.ok(),
            At::Admin => world.platform.authenticate_admin(secret).await.ok(),
        };
        who.filter(|who| !who.is_anonymous())
    }

    async fn open(&self, world: &World, secrets: &[String]) -> Vec<bool> {
        let mut open = Vec::new();
        for secret in secrets {
            open.push(self.who(world, secret).await.is_some());
        }
        open
    }

    /// Ends the session of the first of these.
    async fn log_out(&self, world: &World, secrets: &[String]) {
        let who = self.who(world, &secrets[0]).await.expect("an open session");
        let name = match self.at {
            At::Core => "core.auth.log_out",
            At::Compliance => "compliance.auth.log_out",
            At::Admin => "admin.auth.log_out",
        };
        world.call(name, &who, json!({})).await.data();
    }

    /// Gets another password without a session.
    async fn forget_password(&self, world: &World) {
        let email = json!({ "email": self.email });
        let (forget, renew) = match self.at {
            At::Core => ("core.auth.forget_password", "core.auth.confirm_password_reset"),
            At::Compliance => {
                ("compliance.auth.forgot_password", "compliance.auth.change_password")
            }
            At::Admin => {
                let email = Email::new(&self.email).unwrap();
                operators::passwords::reset(&world.platform, email, false).await.unwrap();
                return;
            }
        };
        world.call(forget, &NOBODY, email).await.data();
        let token = world.link_for(&self.email, "password.reset").await;
        let new = json!({ "token": token, "password": "another long passphrase" });
        world.call(renew, &NOBODY, new).await.data();
    }

    /// Shuts the account out, or lets it in again.
    async fn may_come(&self, world: &World, may: bool) {
        match self.at {
            At::Core => {
                let id = UserId::new(self.id).unwrap();
                if may {
                    suspension::restore(&world.platform, id).await.unwrap();
                } else {
                    suspension::suspend(&world.platform, id).await.unwrap();
                }
            }
            At::Compliance => {
                let status = if may { "active" } else { "disabled" };
                let change = json!({ "id": self.id, "status": status });
                world.call("compliance.portal_user.change", &self.owner, change).await.data();
            }
            At::Admin => {
                let email = Email::new(&self.email).unwrap();
                operators::set_active(&world.platform, email, may).await.unwrap();
            }
        }
    }
}

/// What in a token or a cookie could open its session.
fn parts(secret: &str) -> Vec<String> {
    let mut parts = vec![secret.to_owned()];
    let pieces: Vec<&str> = secret.split('.').collect();
    if let [_, claims, mark] = pieces[..] {
        parts.push(mark.to_owned());
        let claims = BASE64_URL_SAFE_NO_PAD.decode(claims).expect("base64");
        let claims: Value = serde_json::from_slice(&claims).expect("JSON");
        parts.push(claims["jti"].as_str().expect("a name").to_owned());
    }
    parts
}

async fn each_log_in_is_a_new_session_of_which_nothing_usable_is_stored(world: World) {
    let mut tried = 0;
    for at in ALL {
        let account = Account::new(&world, at).await;
        let mut secrets = Vec::new();
        for _ in 0..3 {
            secrets.push(account.log_in(&world).await);
        }
        let mut names = Vec::new();
        for secret in &secrets {
            let who = account.who(&world, secret).await.expect("an open session");
            names.push(who.session().expect("a session").to_owned());
        }
        assert!(secrets[0] != secrets[1] && secrets[1] != secrets[2] && secrets[0] != secrets[2]);
        assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2]);
        let dump = world.contents().await;
        for (secret, name) in secrets.iter().zip(&names) {
            assert!(dump["session"].contains(name.as_str()), "{at:?}: the check looks at sessions");
            for part in parts(secret) {
                for (table, rows) in &dump {
                    assert!(!rows.contains(&part), "{at:?}: {table} has what opens a session");
                }
            }
            // What is stored opens nothing.
            assert!(account.who(&world, name).await.is_none(), "{at:?}");
        }
        tried += secrets.len();
    }
    trust::tried("A4", "sessions", tried);
}
both!(each_log_in_is_a_new_session_of_which_nothing_usable_is_stored);

async fn every_end_of_a_session_counts_at_once(world: World) {
    let other = world.replica().await;
    let mut tried = 0;
    for at in ALL {
        let bystander = Account::new(&world, at).await;
        let beside = [bystander.log_in(&world).await];
        for way in ["log-out", "password", "door"] {
            let account = Account::new(&world, at).await;
            let mut secrets = Vec::new();
            for _ in 0..3 {
                secrets.push(account.log_in(&world).await);
            }
            assert_eq!(account.open(&world, &secrets).await, [true; 3], "{at:?}");
            let expected = match way {
                "log-out" => {
                    account.log_out(&world, &secrets).await;
                    [false, true, true]
                }
                "password" => {
                    account.forget_password(&world).await;
                    [false; 3]
                }
                _ => {
                    account.may_come(&world, false).await;
                    [false; 3]
                }
            };
            for server in [&world, &other] {
                assert_eq!(account.open(server, &secrets).await, expected, "{at:?}: {way}");
                assert_eq!(bystander.open(server, &beside).await, [true], "{at:?}: {way}");
            }
            if way == "door" {
                account.may_come(&world, true).await;
                assert_eq!(account.open(&world, &secrets).await, [false; 3], "{at:?}: again");
                let again = [account.log_in(&world).await];
                assert_eq!(account.open(&world, &again).await, [true], "{at:?}: again");
            }
            tried += secrets.len();
        }
    }
    trust::tried("A4", "sessions", tried);
}
both!(every_end_of_a_session_counts_at_once);

async fn time_ends_sessions_that_are_used_and_those_that_are_not(world: World) {
    let mut tried = 0;
    for at in ALL {
        let account = Account::new(&world, at).await;
        // Half a day from the log-in; for operators eight hours without use, and a day in all.
        let (idle, whole) = if at == At::Admin { (8, 24) } else { (12, 12) };
        let secret = [account.log_in(&world).await];
        world.pass(TimeDelta::hours(idle) - TimeDelta::seconds(1));
        assert_eq!(account.open(&world, &secret).await, [true], "{at:?}");
        let unused = [account.log_in(&world).await];
        world.pass(TimeDelta::hours(idle));
        assert_eq!(account.open(&world, &unused).await, [false], "{at:?}");
        let used = [account.log_in(&world).await];
        for hour in 1..=whole {
            assert_eq!(account.open(&world, &used).await, [true], "{at:?}: {hour}");
            world.pass(TimeDelta::hours(1));
        }
        assert_eq!(account.open(&world, &used).await, [false], "{at:?}");
        tried += 3;
    }
    trust::tried("A4", "sessions", tried);
}
both!(time_ends_sessions_that_are_used_and_those_that_are_not);
