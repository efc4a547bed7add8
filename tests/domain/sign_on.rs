//! Officers sign on through their institution's identity provider (decision 81).

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::kernel::Clock as _;
use nil_tests::identity::{self, Books, CLIENT, Key, Provider, SECRET, providers_nearby};
use nil_tests::{Answer, Engine, PASSWORD, World, both};
use serde_json::{Map, Value, json};

const START: &str = "compliance.sign_on.start";
pub(crate) const FINISH: &str = "compliance.sign_on.finish";
pub(crate) const SAVE: &str = "compliance.sign_on.save";
pub(crate) const DOMAIN: &str = "lakeshore.example";

/// An institution with a provider.
pub(crate) struct House {
    pub world: World,
    pub provider: Provider,
    pub college: i64,
    /// An owner who has logged in with a password, and their token.
    pub owner: (Principal, String),
}

impl House {
    pub(crate) async fn on(engine: Engine) -> Self {
        Self::with(engine, Key::curve()).await
    }

    async fn with(engine: Engine, key: Key) -> Self {
        let world = World::configured(engine, providers_nearby).await;
        let provider = Provider::start(key).await;
        let college = world.college().await;
        let owner = world.portal_user(college, "owner").await;
        let house = Self { world, provider, college, owner };
        house.set_domains(json!(["Lakeshore.example", "@athletics.example"])).await;
        house.save(json!({})).await.data();
        house
    }

    async fn set_domains(&self, domains: Value) {
        self.world.give_domains(self.college, domains).await;
    }

    /// Saves the provider with these changes.
    async fn save(&self, changes: Value) -> Answer {
        let mut input = json!({
            "issuer": self.provider.issuer(), "client_id": CLIENT, "client_secret": SECRET,
            "role_claim": "groups",
            "roles": [
                { "value": "staff", "role": "viewer" },
                { "value": "nil-officers", "role": "officer" },
                { "value": "nil-owners", "role": "owner" },
            ],
        });
        let fields = input.as_object_mut().unwrap();
        fields.extend(changes.as_object().unwrap().clone());
        self.world.call(SAVE, &self.owner.0, input).await
    }

    /// A person at the institution.
    pub(crate) fn person(&self, name: &str, groups: Value) -> Value {
        json!({
            "sub": format!("id-of-{name}"), "sid": format!("session-of-{name}"),
            "email": format!("{name}@{DOMAIN}"), "email_verified": true,
            "name": format!("{name} Whitfield"), "groups": groups,
        })
    }

    async fn begin(&self) -> Value {
        let input = json!({ "email": format!("somebody@sport.{DOMAIN}"), "return_to": "pages" });
        self.world.call(START, &Principal::Anonymous, input).await.data()
    }

    /// Signs on as a person; returns what comes back with the browser's secret.
    async fn come_back(&self, person: Value) -> Map<String, Value> {
        let started = self.begin().await;
        let to = started["authorization_url"].as_str().unwrap();
        let mut back = self.provider.sign_on(to, self.world.clock.now(), person);
        back.insert("secret".into(), started["secret"].clone());
        back
    }

    pub(crate) async fn finish(&self, back: Map<String, Value>) -> Answer {
        self.world.call(FINISH, &Principal::Anonymous, back.into()).await
    }

    pub(crate) async fn sign_on(&self, person: Value) -> Answer {
        let back = self.come_back(person).await;
        self.finish(back).await
    }

    /// Signs on as a person who is let in; returns the principal and the answer.
    pub(crate) async fn signed_on(&self, person: Value) -> (Principal, Value) {
        let answer = self.sign_on(person).await.data();
        (self.who(&answer).await.expect("a good token"), answer)
    }

    pub(crate) async fn who(&self, answer: &Value) -> Option<Principal> {
        let token = answer["token"].as_str().expect("a token");
        self.world.platform.authenticate_compliance(token).await.ok()
    }

    async fn refused(&self, person: Value, expected: (u16, &str)) {
        let shown = person.to_string();
        let answer = self.sign_on(person).await;
        assert_eq!((answer.status, answer.code()), expected, "{shown}");
    }

    /// Whether the session of the owner's password is still open.
    pub(crate) async fn owner_is_in(&self) -> bool {
        self.world.platform.authenticate_compliance(&self.owner.1).await.is_ok()
    }

    pub(crate) async fn log_in(&self, email: &str) -> Answer {
        let input = json!({ "email": email, "password": PASSWORD });
        self.world.call("compliance.auth.log_in", &Principal::Anonymous, input).await
    }
}

fn role(answer: &Value) -> &str {
    answer["user"]["role"].as_str().expect("a role")
}

async fn whoever_has_a_role_signs_on(engine: Engine) {
    let house = House::on(engine).await;
    let (_, first) = house.signed_on(house.person("dana", json!(["staff", "nil-officers"]))).await;
    assert_eq!(role(&first), "officer");
    assert_eq!(first["user"]["email"], format!("dana@{DOMAIN}"));
    assert_eq!(first["user"]["name"], "dana Whitfield");
    assert_eq!(first["user"]["status"], "active");
    assert_eq!(first["user"]["college_id"], house.college);
    // The name at the provider counts, not the e-mail, and the role is the one of now.
    let mut married = house.person("dana", json!("staff"));
    married["email"] = "dana@another.example".into();
    married["email_verified"] = false.into();
    let (who, second) = house.signed_on(married).await;
    assert_eq!(second["user"]["id"], first["user"]["id"]);
    assert_eq!((role(&second), &second["user"]["email"]), ("viewer", &first["user"]["email"]));
    assert_eq!(house.world.call("compliance.college.settings", &who, json!({})).await.status, 200);
    // Another person with the same e-mail is not the same account.
    let mut other = house.person("dana", json!(["staff"]));
    other["sub"] = "id-of-another-dana".into();
    house.refused(other, (403, "sign_on_refused")).await;
    // Nobody knows a password of the account.
    assert_eq!(house.log_in(&format!("dana@{DOMAIN}")).await.code(), "wrong_credentials");
}
both!(whoever_has_a_role_signs_on);

async fn without_a_role_or_a_verified_address_nobody_comes_in(engine: Engine) {
    let house = House::on(engine).await;
    let refused = (403, "sign_on_refused");
    for groups in [json!([]), json!(null), json!("nil-owner"), json!({ "staff": true }), json!([1])]
    {
        house.refused(house.person("kim", groups), refused).await;
    }
    let staff = || house.person("kim", json!(["staff"]));
    for (field, value) in [
        ("email_verified", json!(false)),
        ("email_verified", json!("true")),
        ("email", json!("kim@lakeshore.example.org")),
        ("email", json!("kim@notlakeshore.example")),
        ("email", json!("no address")),
        ("email", json!(null)),
    ] {
        let mut person = staff();
        person[field] = value;
        house.refused(person, refused).await;
    }
    // An address of another institution's officer does not lead to their account.
    let elsewhere = house.world.college().await;
    let (email, _) = house.world.new_portal_user(elsewhere, "owner").await;
    let mut person = staff();
    person["email"] = email.clone().into();
    house.set_domains(json!([DOMAIN, "portal.example"])).await;
    house.refused(person, refused).await;
    // The institution's domains of now count.
    let (_, answer) = house.signed_on(staff()).await;
    assert_eq!(role(&answer), "viewer");
    let (known, mut other) = (house.come_back(staff()).await, staff());
    other["sub"] = "id-of-another".into();
    other["email"] = format!("another@{DOMAIN}").into();
    let new = house.come_back(other).await;
    house.set_domains(json!(["elsewhere.example"])).await;
    house.finish(known).await.data();
    assert_eq!(house.finish(new).await.code(), "sign_on_refused");
    let start = json!({ "email": format!("kim@{DOMAIN}") });
    let started = house.world.call(START, &Principal::Anonymous, start).await;
    assert_eq!((started.status, started.code()), (404, "not_found"));
}
both!(without_a_role_or_a_verified_address_nobody_comes_in);

async fn invited_officers_come_in_and_disabled_ones_do_not(engine: Engine) {
    let house = House::on(engine).await;
    let invite = json!({ "email": format!("lee@{DOMAIN}"), "name": "Lee", "role": "viewer" });
    let invited = house.world.call("compliance.portal_user.invite", &house.owner.0, invite).await;
    let invited = invited.data();
    let (_, answer) = house.signed_on(house.person("lee", json!(["nil-officers"]))).await;
    assert_eq!((&answer["user"]["id"], role(&answer)), (&invited["id"], "officer"));
    let disable = json!({ "id": invited["id"], "status": "disabled" });
    house.world.call("compliance.portal_user.change", &house.owner.0, disable).await.data();
    assert!(house.who(&answer).await.is_none());
    house.refused(house.person("lee", json!(["staff"])), (403, "account_suspended")).await;
}
both!(invited_officers_come_in_and_disabled_ones_do_not);

async fn the_last_owner_stays_one(engine: Engine) {
    let house = House::on(engine).await;
    let (pat, answer) = house.signed_on(house.person("pat", json!(["nil-owners"]))).await;
    assert_eq!(role(&answer), "owner");
    let first = json!({ "id": owner_id(&house.owner.0), "status": "disabled" });
    house.world.call("compliance.portal_user.change", &pat, first).await.data();
    let (_, answer) = house.signed_on(house.person("pat", json!(["staff"]))).await;
    assert_eq!(role(&answer), "owner");
    house.signed_on(house.person("kim", json!(["nil-owners"]))).await;
    let (_, answer) = house.signed_on(house.person("pat", json!(["staff"]))).await;
    assert_eq!(role(&answer), "viewer");
}
both!(the_last_owner_stays_one);

fn owner_id(owner: &Principal) -> i64 {
    let Principal::Portal { id, .. } = owner else { panic!("{owner:?}") };
    id.get()
}

async fn an_answer_counts_once_and_in_its_own_browser(engine: Engine) {
    let house = House::on(engine).await;
    let failed = (401, "sign_on_failed");
    let person = || house.person("dana", json!(["staff"]));
    let back = house.come_back(person()).await;
    for (field, value) in [
        ("secret", json!("another browser's secret")),
        ("state", json!("another state")),
        ("iss", json!("https://login.elsewhere.example")),
        ("code", json!("code-0")),
    ] {
        let mut wrong = back.clone();
        wrong.insert(field.into(), value);
        let answer = house.finish(wrong).await;
        assert_eq!((answer.status, answer.code()), failed, "{field}");
    }
    let mut silent = back.clone();
    silent.remove("iss");
    assert_eq!(house.finish(silent).await.code(), "sign_on_failed");
    house.finish(back.clone()).await.data();
    let again = house.finish(back).await;
    assert_eq!((again.status, again.code()), failed);
    // A code of one sign-on is bound to that one.
    let (mut one, other) = (house.come_back(person()).await, house.come_back(person()).await);
    one.insert("code".into(), other["code"].clone());
    assert_eq!(house.finish(one).await.code(), "sign_on_failed");
    let late = house.come_back(person()).await;
    house.world.pass(TimeDelta::minutes(10));
    assert_eq!(house.finish(late).await.code(), "sign_on_failed");
}
both!(an_answer_counts_once_and_in_its_own_browser);

async fn what_is_not_to_be_trusted_lets_nobody_in(engine: Engine) {
    type Lie = fn(&Books, Value) -> String;
    fn with(claims: Value, name: &str, value: Value) -> Value {
        let mut claims = claims;
        claims[name] = value;
        claims
    }
    let house = House::on(engine).await;
    let lies: [(&str, Lie); 15] = [
        ("by nobody", |_, claims| identity::unsigned(&claims)),
        ("by the secret", |_, claims| identity::signed_with(SECRET.as_bytes(), &claims)),
        ("by a stranger", |_, claims| Key::curve().sign("first", &claims)),
        ("by a stranger with another algorithm", |_, claims| Key::edwards().sign("first", &claims)),
        ("by an unknown key", |_, claims| Key::curve().sign("unknown", &claims)),
        ("changed", |it, claims| {
            let token = it.sign(&claims);
            let (head, rest) = token.split_once('.').unwrap();
            let (_, mark) = rest.split_once('.').unwrap();
            let other = identity::unsigned(&with(claims, "groups", json!(["nil-owners"])));
            let body = other.split('.').nth(1).unwrap();
            format!("{head}.{body}.{mark}")
        }),
        ("of another issuer", |it, claims| {
            it.sign(&with(claims, "iss", json!("https://x.example")))
        }),
        ("for another client", |it, claims| it.sign(&with(claims, "aud", json!("others")))),
        ("for several", |it, claims| it.sign(&with(claims, "aud", json!([CLIENT, "others"])))),
        ("made for another", |it, claims| it.sign(&with(claims, "azp", json!("others")))),
        ("of another sign-on", |it, claims| it.sign(&with(claims, "nonce", json!("other")))),
        ("expired", |it, claims| {
            let then = claims["iat"].as_i64().unwrap() - 61;
            it.sign(&with(claims, "exp", json!(then)))
        }),
        ("of tomorrow", |it, claims| {
            let then = claims["iat"].as_i64().unwrap() + 86_400;
            it.sign(&with(claims, "iat", json!(then)))
        }),
        ("of nobody", |it, claims| it.sign(&with(claims, "sub", json!("")))),
        ("a log-out token", |it, claims| it.sign(&with(claims, "events", json!({})))),
    ];
    for (what, lie) in lies {
        house.provider.makes(lie);
        let answer = house.sign_on(house.person("dana", json!(["staff"]))).await;
        assert_eq!((answer.status, answer.code()), (401, "sign_on_failed"), "{what}");
    }
    // What a provider may do.
    house.provider.makes(|it, claims| {
        let claims = with(claims, "aud", json!([CLIENT, "others"]));
        it.sign(&with(claims, "azp", json!(CLIENT)))
    });
    house.sign_on(house.person("dana", json!(["staff"]))).await.data();
}
both!(what_is_not_to_be_trusted_lets_nobody_in);

async fn keys_are_rotated_and_fetched_once(engine: Engine) {
    let house = House::with(engine, Key::rsa()).await;
    let staff = || house.person("dana", json!(["staff"]));
    house.sign_on(staff()).await.data();
    let fetched = || house.provider.requests().iter().filter(|path| *path == "keys").count();
    assert_eq!(fetched(), 1);
    house.provider.rotate("second", Key::curve());
    // A name that is not known is looked up again, once in half a minute.
    house.world.pass(TimeDelta::seconds(31));
    house.sign_on(staff()).await.data();
    assert_eq!(fetched(), 2);
    house.provider.rotate("third", Key::edwards());
    for _ in 0..3 {
        assert_eq!(house.sign_on(staff()).await.code(), "sign_on_failed");
    }
    assert_eq!(fetched(), 2);
    house.world.pass(TimeDelta::seconds(31));
    house.sign_on(staff()).await.data();
    assert_eq!(fetched(), 3);
    // Its description is read again after an hour.
    house.provider.is_down(true);
    house.world.pass(TimeDelta::hours(1));
    let start = json!({ "email": format!("dana@{DOMAIN}") });
    let started = house.world.call(START, &Principal::Anonymous, start.clone()).await;
    assert_eq!((started.status, started.code()), (503, "sign_on_unavailable"));
    house.provider.is_down(false);
    house.world.call(START, &Principal::Anonymous, start).await.data();
}
both!(keys_are_rotated_and_fetched_once);

async fn a_provider_may_tell_of_a_person_besides_the_token(engine: Engine) {
    let house = House::on(engine).await;
    house.provider.takes_bodies();
    house.provider.tells(json!({
        "sub": "id-of-dana", "email": format!("dana@{DOMAIN}"), "email_verified": true,
        "groups": ["nil-owners"],
    }));
    // What is kept of a provider's description counts for an hour.
    house.world.pass(TimeDelta::hours(1));
    let (_, answer) = house.signed_on(json!({ "sub": "id-of-dana", "groups": ["staff"] })).await;
    // The token counts more.
    assert_eq!(role(&answer), "viewer");
    house
        .refused(json!({ "sub": "id-of-kim", "groups": ["staff"] }), (401, "sign_on_failed"))
        .await;
}
both!(a_provider_may_tell_of_a_person_besides_the_token);

async fn only_owners_of_every_sport_name_a_provider(engine: Engine) {
    let house = House::on(engine).await;
    let (officer, _) = house.world.portal_user(house.college, "officer").await;
    let show = "compliance.sign_on.show";
    assert_eq!(house.world.call(show, &officer, json!({})).await.status, 403);
    let shown = house.world.call(show, &house.owner.0, json!({})).await.data();
    assert_eq!(shown["provider"]["issuer"], house.provider.issuer());
    assert!(!shown.to_string().contains(SECRET), "{shown}");
    assert!(shown["log_out_uri"].as_str().unwrap().ends_with("/api/compliance/sign-on/log-out"));
    let dump = house.world.contents().await;
    assert!(!dump["sign_on_provider"].contains(SECRET));
    // Who is not there is not named.
    for (field, value) in [
        ("issuer", json!("https://127.0.0.1:1")),
        ("issuer", json!("ftp://login.lakeshore.example")),
        ("issuer", json!(format!("{}/", house.provider.issuer()))),
        ("roles", json!([])),
        ("roles", json!([{ "value": "staff", "role": "chief" }])),
        ("role_claim", json!("")),
        ("secret", json!("unknown")),
    ] {
        let refused = house.save(json!({ field: value })).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.body);
    }
    let revision = shown["provider"]["revision"].clone();
    house.save(json!({ "role_claim": "/realm/roles", "revision": revision })).await.data();
    let stale = house.save(json!({ "role_claim": "roles", "revision": revision })).await;
    assert_eq!((stale.status, stale.code()), (409, "state_changed"));
    let mut person = house.person("dana", json!(null));
    person["realm"] = json!({ "roles": ["other", "nil-officers"] });
    let (_, answer) = house.signed_on(person).await;
    assert_eq!(role(&answer), "officer");
    // Without mail domains anybody could be anybody.
    let college = house.world.college().await;
    let (owner, _) = house.world.portal_user(college, "owner").await;
    let input = json!({
        "issuer": house.provider.issuer(), "client_id": CLIENT, "client_secret": SECRET,
        "role_claim": "groups", "roles": [{ "value": "staff", "role": "viewer" }],
    });
    let refused = house.world.call(SAVE, &owner, input).await;
    assert_eq!(refused.status, 422, "{}", refused.body);
}
both!(only_owners_of_every_sport_name_a_provider);

async fn one_person_in_two_browsers_gets_one_account(engine: Engine) {
    let house = House::on(engine).await;
    let mut backs = Vec::new();
    for _ in 0..4 {
        backs.push(house.come_back(house.person("dana", json!(["staff"]))).await);
    }
    let answers = backs.into_iter().map(|back| house.finish(back));
    let answers = futures::future::join_all(answers).await;
    let ids: Vec<Value> =
        answers.into_iter().map(|answer| answer.data()["user"]["id"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}
both!(one_person_in_two_browsers_gets_one_account);
