//! Simulates users: calls operations by name as they would, and reads the codes and links mailed to
//! them.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::collections::HashMap;

use nil_core::auth::{Permission, Principal};
use nil_core::catalog::catalog;
use nil_core::notifications::outbox;
use nil_core::operation::{Body, Call, Fields};
use nil_core::{Error, Platform};
use serde_json::{Value, json};

use super::agency;
use crate::accounts::new_operator;
use crate::failure::Failure;

/// The password of every simulated account.
pub(crate) const PASSWORD: &str = "a walk along the lake";

/// A person with an account.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub principal: Principal,
    /// The id of the user's own record: the athlete's, the partner's, …
    pub id: i64,
    pub name: String,
    pub email: String,
}

/// A platform to simulate users on.
pub(crate) struct Player {
    pub platform: Platform,
    calls: std::cell::Cell<u64>,
}

impl Player {
    pub(crate) fn new(platform: Platform) -> Self {
        Self { platform, calls: std::cell::Cell::new(0) }
    }

    /// The number of operations called.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.get()
    }

    async fn reply(&self, name: &str, who: &Principal, input: Value) -> Result<Body, Failure> {
        self.calls.set(self.calls.get() + 1);
        let entry = catalog()
            .named(name)
            .ok_or_else(|| Failure::Broken(format!("there is no operation {name}")))?;
        entry.admit(who)?;
        let Value::Object(fields) = input else {
            return Err(Failure::Broken(format!("{name}: the input is not an object")));
        };
        let call = Call {
            principal: who.clone(),
            fields: Fields::from_object(fields),
            key: None,
            strict: true,
            address: Some([127, 0, 0, 1].into()),
            request_id: self.platform.new_request_id(),
        };
        Ok(entry.answer(&self.platform, call).await?.body)
    }

    /// Calls an operation; returns `data`, or the whole answer if there is no envelope.
    pub(crate) async fn call(
        &self,
        name: &str,
        who: &Principal,
        input: Value,
    ) -> Result<Value, Failure> {
        match self.reply(name, who, input).await? {
            Body::Json(bytes) => {
                let mut answer: Value = serde_json::from_slice(&bytes)?;
                let data = answer.get_mut("data").map(Value::take);
                Ok(data.unwrap_or(answer))
            }
            Body::File(_) | Body::Events(_) | Body::Redirect(_) | Body::Page(_) => {
                Err(Failure::Broken(format!("{name} returned no record")))
            }
        }
    }

    /// Calls an operation that returns a file.
    pub(crate) async fn download(
        &self,
        name: &str,
        who: &Principal,
        input: Value,
    ) -> Result<Vec<u8>, Failure> {
        match self.reply(name, who, input).await? {
            Body::File(file) => Ok(file.into_bytes().await?),
            Body::Json(_) | Body::Events(_) | Body::Redirect(_) | Body::Page(_) => {
                Err(Failure::Broken(format!("{name} returned no file")))
            }
        }
    }

    /// Runs the steps of a registration, then enters the mailed code.
    async fn register(
        &self,
        kind: &str,
        name: &str,
        email: &str,
        start: &str,
        steps: &[(&str, Value)],
        last: &str,
    ) -> Result<Person, Failure> {
        let (first_name, last_name) = name.split_once(' ').unwrap_or((name, "Smith"));
        let begun = self
            .call(
                &format!("core.registration.{start}"),
                &Principal::Anonymous,
                json!({ "first_name": first_name, "last_name": last_name, "phone": "+12175550123" }),
            )
            .await?;
        let token = begun["registration_token"].as_str().unwrap_or_default();
        let who = self.platform.authenticate_registrant(token).await?;
        let credentials = json!({ "email": email, "password": PASSWORD });
        self.call(&format!("core.registration.{kind}_credentials"), &who, credentials).await?;
        for (step, input) in steps {
            self.call(&format!("core.registration.{kind}_{step}"), &who, input.clone()).await?;
        }
        let otp = self.mailed(email, "otp.sent", digits).await?;
        let done = self
            .call(&format!("core.registration.{kind}_{last}"), &who, json!({ "otp": otp }))
            .await?;
        let token = done["access_token"].as_str().unwrap_or_default();
        let principal = self.platform.authenticate_core(token).await?;
        let Principal::User { profile_id, .. } = principal else {
            return Err(Failure::Broken("a registration ended without a user".into()));
        };
        Ok(Person { principal, id: profile_id, name: name.to_owned(), email: email.to_owned() })
    }

    /// A brand registers.
    pub(crate) async fn partner(
        &self,
        company: &str,
        name: &str,
        email: &str,
        category: i64,
    ) -> Result<Person, Failure> {
        let steps = [
            ("company", json!({ "company_name": company })),
            ("category", json!({ "business_category_id": category })),
        ];
        self.register("partner", name, email, "partner_start", &steps, "verify").await
    }

    /// An agent registers.
    pub(crate) async fn agent(
        &self,
        agency: &str,
        name: &str,
        email: &str,
    ) -> Result<Person, Failure> {
        let page = json!({ "network_profile_url": agency::page(name) });
        let steps = [("agency", json!({ "agency_name": agency })), ("profile", page)];
        self.register("agent", name, email, "agent_start", &steps, "verify").await
    }

    /// The holder of an account that is there already.
    pub(crate) async fn known(
        &self,
        kind: &str,
        name: &str,
        email: &str,
    ) -> Result<Person, Failure> {
        let principal = self.platform.vouch_for(kind, email).await?;
        let Principal::User { profile_id, .. } = principal else {
            return Err(Failure::Broken(format!("{email} is no user")));
        };
        Ok(Person { principal, id: profile_id, name: name.to_owned(), email: email.to_owned() })
    }

    /// An athlete registers.
    pub(crate) async fn athlete(
        &self,
        name: &str,
        email: &str,
        (college, sport, class_year): (i64, i64, &str),
        person: Value,
    ) -> Result<Person, Failure> {
        let team = json!({ "sport_id": sport, "university_id": college, "class_year": class_year });
        let steps = [("team", team), ("person", person)];
        self.register("athlete", name, email, "athlete_start", &steps, "verify").await
    }

    /// A fan registers.
    pub(crate) async fn fan(
        &self,
        name: &str,
        email: &str,
        college: i64,
    ) -> Result<Person, Failure> {
        let (first_name, last_name) = name.split_once(' ').unwrap_or((name, "Smith"));
        let start = "core.registration.fan_start";
        let begun = self.call(start, &Principal::Anonymous, json!({})).await?;
        let token = begun["registration_token"].as_str().unwrap_or_default();
        let who = self.platform.authenticate_registrant(token).await?;
        let credentials = json!({ "email": email, "password": PASSWORD });
        self.call("core.registration.fan_credentials", &who, credentials).await?;
        let full = json!({ "first_name": first_name, "last_name": last_name });
        self.call("core.registration.fan_name", &who, full).await?;
        let college = json!({ "university_id": college });
        self.call("core.registration.fan_university", &who, college).await?;
        self.known("fan", name, email).await
    }

    /// A portal user of an institution is invited and sets a password. An empty list of sports
    /// means all.
    pub(crate) async fn officer(
        &self,
        operator: &Principal,
        (college, role, sports): (i64, &str, &[i64]),
        name: &str,
        email: &str,
    ) -> Result<Person, Failure> {
        let invite = json!({
            "college_id": college, "email": email, "name": name, "role": role, "sport_ids": sports
        });
        let invited = self.call("admin.university_admin.save", operator, invite).await?;
        let token = self.mailed(email, "portal_user.invited", long_hex).await?;
        let input = json!({ "token": token, "password": PASSWORD });
        let done = self.call("compliance.auth.set_password", &Principal::Anonymous, input).await?;
        let token = done["token"].as_str().unwrap_or_default();
        let principal = self.platform.authenticate_compliance(token).await?;
        Ok(Person {
            principal,
            id: invited["id"].as_i64().unwrap_or_default(),
            name: name.to_owned(),
            email: email.to_owned(),
        })
    }

    /// The ids of all sports by their names, as a portal user sees them.
    pub(crate) async fn sports(&self, officer: &Person) -> Result<HashMap<String, i64>, Failure> {
        let list = "compliance.filter.sports";
        let sports = self.call(list, &officer.principal, json!({})).await?;
        let sports = sports.as_array().into_iter().flatten().filter_map(|sport| {
            Some((sport["label"].as_str()?.to_owned(), sport["value"].as_i64()?))
        });
        Ok(sports.collect())
    }

    /// Extracts a value from the newest mail of this event to this address.
    pub(crate) async fn mailed(
        &self,
        email: &str,
        event: &str,
        find: fn(&str) -> Option<String>,
    ) -> Result<String, Failure> {
        let rows = outbox::list(&self.platform, 50).await?;
        rows.iter()
            .filter(|row| row.to == email && row.event == event)
            .find_map(|row| row.body.as_deref().and_then(find))
            .ok_or_else(|| Failure::Broken(format!("no {event} was mailed to {email}")))
    }
}

/// The first run of six digits.
pub(crate) fn digits(text: &str) -> Option<String> {
    text.split(|c: char| !c.is_ascii_digit()).find(|run| run.len() == 6).map(str::to_owned)
}

/// The first run of 64 hexadecimal digits.
pub(crate) fn long_hex(text: &str) -> Option<String> {
    text.split(|c: char| !c.is_ascii_hexdigit()).find(|run| run.len() == 64).map(str::to_owned)
}

/// An operator with all permissions. Their password is the demonstration's and publicly known: it
/// works any number of times.
pub(crate) async fn operator(platform: &Platform, email: &str) -> Result<Principal, Error> {
    new_operator(platform, email, "Sam Okafor", vec![Permission::All], PASSWORD).await?;
    platform.vouch_for("operator", email).await
}
