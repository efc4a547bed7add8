//! People for the suites, registered through the real operations.

use nil_core::auth::{Permission, Principal};
use nil_core::notifications::outbox;
use serde_json::{Value, json};

use crate::world::World;

/// The password of all accounts.
pub const PASSWORD: &str = "a long enough passphrase";

/// A logged-in user.
#[derive(Clone, Debug)]
pub struct Person {
    pub principal: Principal,
    pub user_id: i64,
    /// The id of the user's own record: the athlete's, the partner's, …
    pub id: i64,
    pub email: String,
    pub token: Option<String>,
}

impl World {
    /// A college that an operator has created; a new one each time.
    pub async fn college(&self) -> i64 {
        let number = self.number();
        let operator = self.operator(&[Permission::Accounts]);
        let college = json!({
            "name": format!("Lakeshore State University {number}"), "division": "D1",
            "state": "IL", "time_zone": "America/Chicago",
        });
        let saved = self.call("admin.college.save", &operator, college).await;
        saved.data()["id"].as_i64().expect("an id")
    }

    /// Gives a college these mail domains.
    pub async fn give_domains(&self, college: i64, domains: Value) {
        let operator = self.operator(&[Permission::Accounts]);
        let input = json!({
            "id": college, "name": format!("University with domains {college}"), "division": "D1",
            "state": "IL", "time_zone": "America/Chicago", "email_domains": domains,
        });
        self.call("admin.college.save", &operator, input).await.data();
    }

    /// An adult athlete of a new college.
    pub async fn athlete(&self, name: &str) -> Person {
        let college = self.college().await;
        self.athlete_of(name, college).await
    }

    /// An adult athlete of this college.
    pub async fn athlete_of(&self, name: &str, college: i64) -> Person {
        let person = json!({
            "date_of_birth": "2005-03-14", "gender": "female",
            "socials": [{ "platform": "instagram", "handle": "@lake", "followers": 12_000 }],
        });
        self.register_athlete(name, college, person).await
    }

    /// A minor athlete of a new college, whose guardian has not decided yet.
    pub async fn minor(&self, name: &str) -> Person {
        let college = self.college().await;
        let person = json!({
            "date_of_birth": "2009-06-01",
            "guardian": {
                "name": "Robin Parent", "email": format!("parent-{}@example.com", self.number()),
            },
        });
        self.register_athlete(name, college, person).await
    }

    async fn register_athlete(&self, name: &str, college: i64, person: Value) -> Person {
        let steps = [
            ("core.registration.athlete_team", json!({ "sport_id": 1, "university_id": college })),
            ("core.registration.athlete_person", person),
        ];
        self.register("athlete", name, &steps, "core.registration.athlete_verify").await
    }

    /// A brand.
    pub async fn partner(&self, name: &str) -> Person {
        let steps = [
            ("core.registration.partner_company", json!({ "company_name": name })),
            ("core.registration.partner_category", json!({ "business_category_id": 1 })),
        ];
        self.register("partner", name, &steps, "core.registration.partner_verify").await
    }

    /// An agent.
    pub async fn agent(&self, name: &str) -> Person {
        let page = json!({ "network_profile_url": "https://network.example/agent" });
        let steps = [
            ("core.registration.agent_agency", json!({ "agency_name": name })),
            ("core.registration.agent_profile", page),
        ];
        self.register("agent", name, &steps, "core.registration.agent_verify").await
    }

    /// A fan.
    pub async fn fan(&self, name: &str) -> Person {
        let college = self.college().await;
        let (first, last) = names(name);
        let (token, email) = self.start("fan", name).await;
        let name = json!({ "first_name": first, "last_name": last });
        self.step("core.registration.fan_name", &token, name).await;
        let college = json!({ "university_id": college });
        let welcome = self.step("core.registration.fan_university", &token, college).await;
        self.person(email, &welcome).await
    }

    /// A logged-in user of a college's portal: the caller and the token.
    pub async fn portal_user(&self, college: i64, role: &str) -> (Principal, String) {
        let (_, token) = self.new_portal_user(college, role).await;
        let principal = self.platform.authenticate_compliance(&token).await;
        (principal.expect("a good token"), token)
    }

    /// A user of a college's portal who has set the usual password: the e-mail and a token.
    pub async fn new_portal_user(&self, college: i64, role: &str) -> (String, String) {
        let email = format!("{role}-{}@portal.example", self.number());
        let operator = self.operator(&[Permission::Accounts]);
        let invitation = json!({
            "college_id": college, "email": email, "name": "Dana Whitfield", "role": role,
        });
        self.call("admin.university_admin.save", &operator, invitation).await.data();
        let token = self.link_for(&email, "portal_user.invited").await;
        let set = json!({ "token": token, "password": PASSWORD });
        let set = self.call("compliance.auth.set_password", &Principal::Anonymous, set);
        let token = set.await.data()["token"].as_str().expect("a token").to_owned();
        (email, token)
    }

    /// Registers for a portal and confirms the e-mail; returns the portal user, who waits for
    /// approval.
    pub async fn register_officer(&self, register: Value) -> Value {
        let email = register["email"].as_str().expect("an e-mail").to_owned();
        let nobody = Principal::Anonymous;
        let asked = self.call("compliance.auth.register", &nobody, register);
        assert_eq!(asked.await.data()["status"], "pending");
        let token = self.link_for(&email, "portal_user.confirm").await;
        let confirm = json!({ "token": token });
        let confirmed = self.call("compliance.auth.verify_email", &nobody, confirm);
        confirmed.await.data()
    }

    async fn register(
        &self,
        kind: &str,
        name: &str,
        steps: &[(&str, Value)],
        last: &str,
    ) -> Person {
        let (token, email) = self.start(kind, name).await;
        for (step, input) in steps {
            self.step(step, &token, input.clone()).await;
        }
        let otp = json!({ "otp": self.code_for(&email).await });
        let welcome = self.step(last, &token, otp).await;
        self.person(email, &welcome).await
    }

    /// A brand's registration that lacks only its code; returns the token and the e-mail.
    pub async fn awaiting_code(&self) -> (String, String) {
        let (token, email) = self.start("partner", "Corner Bakery").await;
        let company = json!({ "company_name": "Corner Bakery" });
        self.step("core.registration.partner_company", &token, company).await;
        let category = json!({ "business_category_id": 1 });
        let after = self.step("core.registration.partner_category", &token, category).await;
        assert_eq!(after["missing_steps"], json!(["step10"]));
        (token, email)
    }

    /// Starts a registration and gives e-mail and password; returns the token and the e-mail.
    pub async fn start(&self, kind: &str, name: &str) -> (String, String) {
        let (first, last) = names(name);
        let start = json!({ "first_name": first, "last_name": last, "phone": "217 555 0123" });
        let begun = self
            .call(&format!("core.registration.{kind}_start"), &Principal::Anonymous, start)
            .await
            .data();
        let token = begun["registration_token"].as_str().expect("a token").to_owned();
        let letters = first.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
        let email = format!("{letters}-{}@example.com", self.number());
        let credentials = json!({ "email": email, "password": PASSWORD });
        let step = format!("core.registration.{kind}_credentials");
        self.step(&step, &token, credentials).await;
        (token, email)
    }

    /// One step of a registration that must succeed; returns its `data`.
    pub async fn step(&self, operation: &str, token: &str, input: Value) -> Value {
        let registrant = self.registrant(token).await;
        self.call(operation, &registrant, input).await.data()
    }

    /// The caller with this registration token.
    pub async fn registrant(&self, token: &str) -> Principal {
        self.platform.authenticate_registrant(token).await.expect("a registration under way")
    }

    /// The body of the latest mail of this event to this address.
    pub async fn mail(&self, address: &str, event: &str) -> Option<String> {
        let rows = outbox::list(&self.platform, 1_000).await.expect("the outbox");
        let mut rows = rows.into_iter();
        rows.find(|row| row.to == address && row.event == event)?.body
    }

    /// The latest one-time code mailed to this address.
    pub async fn code_for(&self, address: &str) -> String {
        let body = self.mail(address, "otp.sent").await.expect("a code was sent");
        let digits = body.split(|c: char| !c.is_ascii_digit()).find(|part| part.len() == 6);
        digits.expect("six digits").to_owned()
    }

    /// The token in the link of the latest mail of this event to this address.
    pub async fn link_for(&self, address: &str, event: &str) -> String {
        let body = self.mail(address, event).await.expect("a link was sent");
        let (_, token) = body.split_once("token=").expect("a link");
        token.chars().take_while(char::is_ascii_alphanumeric).collect()
    }

    async fn person(&self, email: String, log_in: &Value) -> Person {
        let token = log_in["access_token"].as_str().expect("a token").to_owned();
        Person {
            principal: self.platform.authenticate_core(&token).await.expect("a good token"),
            user_id: log_in["user"]["id"].as_i64().expect("an id"),
            id: log_in["user"]["profile"]["id"].as_i64().expect("an id"),
            email,
            token: Some(token),
        }
    }
}

fn names(name: &str) -> (&str, &str) {
    name.split_once(' ').unwrap_or((name, "Miller"))
}
