//! A platform with an empty database, and calls on it as a server would make them.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::{TimeDelta, TimeZone as _, Utc};
use nil_core::auth::throttle::Limits;
use nil_core::auth::{MasterKey, Permission, Principal};
use nil_core::catalog::catalog;
use nil_core::kernel::{
    Clock, Email, FixedClock, OperatorId, Password, SystemClock, SystemRandom, Text,
};
use nil_core::operation::{Body, Call, Fields, Reply, SessionCookie};
use nil_core::ports::model::Model;
use nil_core::ports::processor::Sandbox;
use nil_core::storage::Location;
use nil_core::{Config, Error, Platform};
use serde_json::Value;

use tempfile::TempDir;

use crate::database::{Engine, Fresh, scratch};
use crate::faulty::Faulty;

/// A separate platform, at noon (UTC) on 20 November 2026 until the clock is moved.
pub struct World {
    pub platform: Platform,
    pub clock: Arc<FixedClock>,
    /// The payment processor: the sandbox, until a test makes it fail.
    pub processor: Arc<Faulty>,
    numbers: AtomicU32,
    key: MasterKey,
    pub(crate) database: Arc<Fresh>,
}

/// The result of an operation.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub bytes: Vec<u8>,
    pub ignored: Vec<String>,
    pub cookie: Option<SessionCookie>,
}

impl Answer {
    /// The response's `data`; panics on a refusal, showing it.
    #[track_caller]
    pub fn data(self) -> Value {
        assert_eq!(self.status, 200, "refused: {}", self.body);
        match self.body {
            Value::Object(mut body) if body.contains_key("data") => body.remove("data").unwrap(),
            body => body,
        }
    }

    /// The body; where a message repeats the id that was sent as `field`, that is masked: to
    /// compare refusals of different ids. A call for many has a message for each.
    #[must_use]
    pub fn masked(&self, field: &str, id: i64) -> Value {
        let mut body = self.body.clone();
        mask(&mut body, field, id);
        body
    }

    /// The secret in the cookie of the session that this began; panics if it began none.
    #[track_caller]
    pub fn session_cookie(&self) -> String {
        match &self.cookie {
            Some(SessionCookie::Set(secret)) => secret.expose().to_owned(),
            other => panic!("no session was begun: {other:?} {}", self.body),
        }
    }

    /// The refusal's code; panics on a successful response.
    #[track_caller]
    pub fn code(&self) -> &str {
        assert_ne!(self.status, 200, "not refused: {}", self.body);
        self.body["code"].as_str().expect("a code")
    }
}

/// Masks the id in every message.
fn mask(body: &mut Value, field: &str, id: i64) {
    match body {
        Value::Array(items) => items.iter_mut().for_each(|item| mask(item, field, id)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "message" => {
                        *text = text
                            .replace(&format!(" {id}:"), " [id]:")
                            .replace(&format!(" {id} that you may see"), " [id] that you may see")
                            .replace(&format!("`{field}` {id}"), "`[id]` [id]");
                    }
                    value => mask(value, field, id),
                }
            }
        }
        _ => {}
    }
}

/// The name of the suites' site, and its address for support.
pub const SITE: (&str, &str) = ("Lakeside Deals", "help@lakeside.example");

impl World {
    pub async fn on(engine: Engine) -> Self {
        Self::limited(engine, Limits::default()).await
    }

    /// A platform on this engine, with a different configuration.
    pub async fn configured(engine: Engine, change: impl FnOnce(&mut Config)) -> Self {
        let noon = Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap();
        let clock = Arc::new(FixedClock::new(noon));
        Self::with(engine, scratch(), (clock.clone(), clock), change).await
    }

    /// A platform on the empty database at this address, with a different configuration.
    pub async fn at(address: &str, change: impl FnOnce(&mut Config)) -> Self {
        let noon = Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap();
        let clock = Arc::new(FixedClock::new(noon));
        let fresh = Fresh::at(address.parse().expect("an address"));
        let key = MasterKey::generate(&SystemRandom);
        let world = Self::opened(fresh, key, (clock.clone(), clock), 1, change).await;
        world.name_the_site(SITE).await;
        world
    }

    /// Another server's platform on the same database, with the same clock.
    pub async fn replica(&self) -> Self {
        self.changed(|_| {}).await.expect("the platform opens")
    }

    /// Another server's platform on the same database with other settings; the refusal if it does
    /// not open.
    pub async fn changed(&self, change: impl FnOnce(&mut Config)) -> Result<Self, Error> {
        let mut config = self.platform.config().clone();
        change(&mut config);
        Ok(Self {
            key: config.secret_key.clone(),
            platform: nil_core::open(config).await?,
            clock: self.clock.clone(),
            processor: self.processor.clone(),
            numbers: AtomicU32::new(10_000 + self.number()),
            database: self.database.clone(),
        })
    }

    /// This platform on another database; migrations that it lacks are run.
    pub(crate) async fn on_database(&self, fresh: Fresh) -> Self {
        let mut config = self.platform.config().clone();
        config.database = fresh.location.clone();
        let processor = Arc::new(Faulty::default());
        config.processor = Some(processor.clone());
        let opened = nil_core::open(config.clone()).await;
        let platform = opened.expect("the platform opens");
        let (db, time) = (platform.db().clone(), config.clock.clone());
        processor.stand_before(Sandbox::new(db, &self.key, time, config.public_url.clone()));
        Self {
            platform,
            clock: self.clock.clone(),
            processor,
            numbers: AtomicU32::new(10_000 + self.number()),
            key: self.key.clone(),
            database: Arc::new(fresh),
        }
    }

    /// A platform on this engine, without rate limits.
    pub async fn unthrottled(engine: Engine) -> Self {
        let limits = Limits { off: true, ..Limits::default() };
        Self::limited(engine, limits).await
    }

    /// A platform whose assistant uses this model, with the database's usual limits.
    pub async fn with_model(engine: Engine, model: Arc<dyn Model>) -> Self {
        Self::configured(engine, |config| config.model = Some(model)).await
    }

    async fn limited(engine: Engine, limits: Limits) -> Self {
        let noon = Utc.with_ymd_and_hms(2026, 11, 20, 12, 0, 0).unwrap();
        let clock = Arc::new(FixedClock::new(noon));
        let limit = |config: &mut Config| config.throttle = limits;
        Self::with(engine, scratch(), (clock.clone(), clock), limit).await
    }

    /// A platform on the real clock, which it shares with other processes.
    pub async fn in_real_time(engine: Engine) -> Self {
        let unused = Arc::new(FixedClock::new(SystemClock.now()));
        Self::with(engine, scratch(), (Arc::new(SystemClock), unused), |_| {}).await
    }

    /// A platform on the real clock with its data in this folder, such as one on a disk, and
    /// without rate limits.
    pub async fn in_folder(engine: Engine, folder: TempDir) -> Self {
        let unused = Arc::new(FixedClock::new(SystemClock.now()));
        let limit = |config: &mut Config| config.throttle.off = true;
        Self::with(engine, folder, (Arc::new(SystemClock), unused), limit).await
    }

    async fn with(
        engine: Engine,
        folder: TempDir,
        (time, clock): (Arc<dyn Clock>, Arc<FixedClock>),
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let fresh = Fresh::on(engine, folder).await;
        let key = MasterKey::generate(&SystemRandom);
        let world = Self::opened(fresh, key, (time, clock), 1, change).await;
        world.name_the_site(SITE).await;
        world
    }

    /// A platform on this database, with the key it was begun with. New names are numbered from
    /// `number` on.
    pub(crate) async fn opened(
        fresh: Fresh,
        key: MasterKey,
        (time, clock): (Arc<dyn Clock>, Arc<FixedClock>),
        number: u32,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let database = Arc::new(fresh);
        let mut config = Config::new(database.location.clone(), key.clone());
        config.data = database.folder.path().to_path_buf();
        config.clock = time;
        // A test must not depend on the fonts of its machine.
        config.fonts = None;
        change(&mut config);
        let processor = Arc::new(Faulty::default());
        config.processor = Some(processor.clone());
        let opened = nil_core::open(config.clone()).await;
        let platform = opened.expect("the platform opens");
        let (db, time) = (platform.db().clone(), config.clock.clone());
        processor.stand_before(Sandbox::new(db, &key, time, config.public_url.clone()));
        Self { platform, clock, key, processor, numbers: AtomicU32::new(number), database }
    }

    /// The secret key, as its file has it.
    pub(crate) fn key(&self) -> String {
        self.key.to_hex().expose().to_owned()
    }

    /// Gives the site a name and an address for support, as its operators do first.
    pub async fn name_the_site(&self, (name, address): (&str, &str)) {
        let named = format!("UPDATE site SET name = '{name}', support_email = '{address}'");
        self.script(&named).await;
    }

    /// Opens the same platform again, with another configuration.
    pub async fn reopen(&mut self, change: impl FnOnce(&mut Config)) {
        let mut config = self.platform.config().clone();
        change(&mut config);
        self.platform = nil_core::open(config).await.expect("the platform opens");
    }

    /// Whether it uses the embedded database.
    pub fn is_sqlite(&self) -> bool {
        matches!(self.database.location, Location::Sqlite(_))
    }

    /// What another process needs to open the same platform.
    pub fn environment(&self) -> [(&'static str, String); 3] {
        [
            ("NIL_DATABASE", String::from(self.database.location.clone())),
            ("NIL_DATA", self.database.folder.path().display().to_string()),
            ("NIL_SECRET_KEY", self.key()),
        ]
    }

    /// An operator with all permissions and the suites' password.
    pub async fn chief_operator(&self) -> &'static str {
        let email = "operator@nil.example";
        self.new_operator(email, Permission::All).await;
        email
    }

    /// An operator with one permission and the suites' password, whose row exists.
    pub async fn new_operator(&self, email: &str, permission: Permission) -> Principal {
        let account = nil_core::accounts::operators::create(
            &self.platform,
            Email::new(email).unwrap(),
            Text::new("Sam Okafor").unwrap(),
            vec![permission],
            Password::new(crate::PASSWORD).unwrap(),
        )
        .await
        .expect("a new operator");
        Principal::Operator {
            id: account.id,
            permissions: vec![permission],
            session: "test".into(),
        }
    }

    /// A number that is unique in this world.
    pub fn number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::SeqCst)
    }

    /// Moves the clock.
    pub fn pass(&self, time: TimeDelta) {
        self.clock.advance(time);
    }

    /// Calls an operation by name with a JSON input.
    pub async fn call(&self, name: &str, principal: &Principal, input: Value) -> Answer {
        self.call_with_key(name, principal, input, None).await
    }

    /// Calls an operation by name with a JSON input and an `Idempotency-Key`.
    pub async fn call_with_key(
        &self,
        name: &str,
        principal: &Principal,
        input: Value,
        key: Option<&str>,
    ) -> Answer {
        self.called((name, principal), input, key, [127, 0, 0, 1].into()).await
    }

    /// Calls an operation by name with a JSON input from this address, without a session.
    pub async fn call_from(&self, address: &str, name: &str, input: Value) -> Answer {
        let address = address.parse().expect("an address");
        self.called((name, &Principal::Anonymous), input, None, address).await
    }

    async fn called(
        &self,
        (name, principal): (&str, &Principal),
        input: Value,
        key: Option<&str>,
        address: IpAddr,
    ) -> Answer {
        let entry = catalog().named(name).unwrap_or_else(|| panic!("no operation {name}"));
        let outcome = match entry.admit(principal) {
            Err(error) => Err(error),
            Ok(()) => match input {
                Value::Object(fields) => {
                    let call = Call {
                        principal: principal.clone(),
                        fields: Fields::from_object(fields),
                        key: key.map(Into::into),
                        strict: entry.is_strict(),
                        address: Some(address),
                        request_id: "test".into(),
                    };
                    entry.answer(&self.platform, call).await
                }
                other => panic!("an input is an object: {other}"),
            },
        };
        if let Ok(Reply { body: Body::File(file), .. }) = &outcome {
            crate::conforming::check_file(entry, file);
        }
        let is_json =
            matches!(&outcome, Ok(reply) if matches!(reply.body, Body::Json(_) | Body::Events(_)));
        let answer = answer(outcome).await;
        if answer.status == 200 && is_json {
            crate::conforming::check(entry, &answer.body);
        }
        answer
    }

    /// An operator with these permissions; operations do not need the row to exist.
    pub fn operator(&self, permissions: &[Permission]) -> Principal {
        Principal::Operator {
            id: OperatorId::new(1).unwrap(),
            permissions: permissions.to_vec(),
            session: "test".into(),
        }
    }
}

async fn answer(outcome: Result<Reply, Error>) -> Answer {
    match outcome {
        Ok(Reply { status, body: Body::Json(bytes), ignored, cookie, .. }) => Answer {
            status,
            body: serde_json::from_slice(&bytes).expect("an answer is JSON"),
            bytes,
            ignored,
            cookie,
        },
        Ok(Reply { status, body: Body::File(file), ignored, .. }) => {
            let name = file.name.clone();
            let bytes = file.into_bytes().await.expect("the file");
            Answer {
                status,
                body: serde_json::json!({ "data": name }),
                bytes,
                ignored,
                cookie: None,
            }
        }
        Ok(Reply { status, body: Body::Redirect(location), ignored, .. }) => Answer {
            status,
            body: serde_json::json!({ "location": location }),
            bytes: Vec::new(),
            ignored,
            cookie: None,
        },
        Ok(Reply { status, body: Body::Page(html), ignored, .. }) => Answer {
            status,
            body: serde_json::json!({ "page": html }),
            bytes: html.into_bytes(),
            ignored,
            cookie: None,
        },
        Ok(Reply { status, body: Body::Events(_), ignored, .. }) => {
            Answer { status, body: Value::Null, bytes: Vec::new(), ignored, cookie: None }
        }
        Err(error) => {
            let mut body = serde_json::json!({
                "code": error.code(), "message": error.message(), "errors": error.fields(),
            });
            if let Some(data) = error.data() {
                body["data"] = data.clone();
            }
            Answer {
                status: error.kind().status(),
                body,
                bytes: error.to_json("test").to_string().into_bytes(),
                ignored: Vec::new(),
                cookie: None,
            }
        }
    }
}
