//! A run: the accounts that are logged in, and the scenes that were made.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use chrono::{DateTime, NaiveDate};
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use crate::client::{Answer, Client, Proof, Request, Sent};
use crate::endpoints::{self, Endpoint, Interface};
use crate::findings::Trouble;
use crate::settings::{Account, PARTS, Settings, interface_of};
use crate::shapes::Shapes;
use crate::table::{Scene, Step, Table, table};
use crate::trial::PIXEL;
use crate::values::{Values, random, scenes};

/// How often a caller looks for what arrives a little later, and how long it waits in between.
const ARRIVAL_TRIES: u32 = 100;
const ARRIVAL_PAUSE: Duration = Duration::from_millis(100);

/// Scenes that are made, by name; none while one is being made.
type Made = BTreeMap<String, Result<Map<String, Value>, Trouble>>;

/// Accounts that are logged in at a server.
#[derive(Debug)]
pub struct Suite {
    pub(crate) settings: Settings,
    pub(crate) client: Client,
    pub(crate) table: &'static Table,
    pub(crate) shapes: Arc<Shapes>,
    proofs: BTreeMap<String, Proof>,
    facts: BTreeMap<String, Value>,
    today: NaiveDate,
    run: String,
    marks: AtomicU32,
    made: Mutex<Made>,
}

impl Suite {
    /// Logs the seed accounts in.
    pub async fn open(settings: Settings) -> Result<Self, String> {
        let table = table()?;
        let mut suite = Self {
            client: Client::new(settings.forwarded)?,
            table,
            shapes: Arc::new(Shapes::read(&table.shapes)?),
            proofs: BTreeMap::new(),
            facts: BTreeMap::new(),
            today: settings.today.unwrap_or_default(),
            run: format!("{:08x}", random() % 0x1_0000_0000),
            marks: AtomicU32::new(0),
            made: Mutex::default(),
            settings,
        };
        for (part, interface) in PARTS {
            let logged_in = suite.log_in(part).await;
            let (proof, user, answer) = logged_in.map_err(|trouble| match trouble {
                Trouble::Failed(failure) => format!("cannot log in as {part}: {}", failure.came),
                Trouble::Lacking(why) => why,
            })?;
            if suite.settings.today.is_none() && interface == Interface::Core {
                let date = DateTime::parse_from_rfc2822(answer.header("date"));
                suite.today = date.map_err(|error| format!("no day: {error}"))?.date_naive();
            }
            suite.proofs.insert(part.to_owned(), proof);
            suite.facts.insert(part.to_owned(), user);
        }
        Ok(suite)
    }

    /// The same accounts at another address of the server, such as a proxy before it.
    pub fn at(&self, settings: Settings) -> Result<Self, String> {
        Ok(Self {
            client: Client::new(settings.forwarded)?,
            table: self.table,
            shapes: self.shapes.clone(),
            proofs: self.proofs.clone(),
            facts: self.facts.clone(),
            today: self.today,
            run: format!("{:08x}", random() % 0x1_0000_0000),
            marks: AtomicU32::new(0),
            made: Mutex::default(),
            settings,
        })
    }

    /// Logs an account in: its proof, its record, and the answer.
    async fn log_in(&self, part: &str) -> Result<(Proof, Value, Answer), Trouble> {
        let missing = || Trouble::unprepared(format!("there is no account {part}"));
        let account = self.settings.accounts.get(part).ok_or_else(missing)?;
        let interface = interface_of(part).ok_or_else(missing)?;
        let (proof, mut user, answer) = self.log_in_with(part, account, interface).await?;
        if let Some(user) = user.as_object_mut() {
            user.insert("password".into(), json!(account.password));
            user.insert("email".into(), json!(account.email));
        }
        Ok((proof, user, answer))
    }

    async fn log_in_with(
        &self,
        part: &str,
        Account { email, password, .. }: &Account,
        interface: Interface,
    ) -> Result<(Proof, Value, Answer), Trouble> {
        let name = part.to_uppercase();
        let input = json!({ "email": email, "password": password });
        let post = |path: &str, proof: Proof| Request {
            method: "POST".into(),
            url: format!("{}{path}", self.settings.base(interface)),
            query: Vec::new(),
            headers: Vec::new(),
            sent: Sent::Json(input.clone()),
            proof,
            patient: true,
        };
        let text = |answer: &Answer, pointer: &str| {
            let found = answer.json.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
            found.ok_or_else(|| answer.instead_of(format!("a text at {pointer}")))
        };
        if interface != Interface::Admin {
            let answer = self.client.send(&post("/login", Proof::Nothing)).await?;
            let field = if interface == Interface::Core { "/access_token" } else { "/token" };
            let token = text(&answer, field)?;
            let user = answer.at("/user")?;
            return Ok((Proof::Bearer(token, name), user, answer));
        }
        let mut visit = post("/updateCsrfToken", Proof::Nothing);
        visit.method = "GET".into();
        visit.sent = Sent::Nothing;
        let visit = self.client.send(&visit).await?;
        let csrf = text(&visit, "/data/csrf_token")?;
        let before = Proof::Session(cookie(&visit), csrf, name.clone());
        let answer = self.client.send(&post("/check-login", before)).await?;
        let csrf = text(&answer, "/data/csrf_token")?;
        let user = answer.at("/data")?;
        Ok((Proof::Session(cookie(&answer), csrf, name), user, answer))
    }

    /// What a caller of the table shows: an account, `new` and an account for a session of its
    /// own, `nobody`, or a token that a scene has kept.
    pub(crate) async fn proof(&self, caller: &str, values: &Values) -> Result<Proof, Trouble> {
        if caller == "nobody" {
            return Ok(Proof::Nothing);
        }
        if let Some(part) = caller.strip_prefix("new ") {
            return Ok(self.log_in(part).await?.0);
        }
        if caller == "visitor" {
            return self.visit().await;
        }
        if caller.starts_with(['$', '+']) {
            let token = values.fill(&json!(caller)).map_err(Trouble::unprepared)?;
            let token = token.as_str().unwrap_or_default().to_owned();
            return Ok(Proof::Bearer(token, "TOKEN".into()));
        }
        let known = self.proofs.get(caller).cloned();
        known.ok_or_else(|| Trouble::unprepared(format!("there is no account {caller}")))
    }

    /// A session of the back office before its log-in.
    async fn visit(&self) -> Result<Proof, Trouble> {
        let endpoint = named("admin.auth.csrf_token")?;
        let none = Map::new();
        let visit = self.send(endpoint, Proof::Nothing, &none, &none).await?;
        let csrf = visit.at("/data/csrf_token")?.as_str().unwrap_or_default().to_owned();
        Ok(Proof::Session(cookie(&visit), csrf, "VISITOR".into()))
    }

    /// The token that an account has got.
    #[must_use]
    pub fn token(&self, part: &str) -> Option<&str> {
        match self.proofs.get(part)? {
            Proof::Bearer(token, _) => Some(token),
            _ => None,
        }
    }

    /// An operator's permissions, as the settings say.
    pub(crate) fn permissions(&self, part: &str) -> &[String] {
        self.settings.accounts.get(part).map_or(&[], |account| &account.permissions)
    }

    /// A request for an endpoint.
    pub(crate) fn request(
        &self,
        endpoint: &Endpoint,
        proof: Proof,
        path: &Map<String, Value>,
        input: &Map<String, Value>,
    ) -> Request {
        let mut url = format!("{}{}", self.settings.base(endpoint.interface), endpoint.path);
        for name in endpoint.path_names() {
            let text = path.get(name).map_or_else(|| "1".to_owned(), plain);
            url = url.replace(&format!("{{{name}}}"), &text);
        }
        let (query, sent) = if endpoint.has_body() {
            (Vec::new(), Sent::Json(Value::Object(input.clone())))
        } else {
            (
                input.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
                Sent::Nothing,
            )
        };
        let (method, headers) = (endpoint.method.to_owned(), Vec::new());
        Request { method, url, query, headers, sent, proof, patient: true }
    }

    pub(crate) async fn send(
        &self,
        endpoint: &Endpoint,
        proof: Proof,
        path: &Map<String, Value>,
        input: &Map<String, Value>,
    ) -> Result<Answer, Trouble> {
        self.client.send(&self.request(endpoint, proof, path, input)).await
    }

    /// Values with a mark of their own, and the scenes that these values refer to.
    pub(crate) fn values<'a>(
        &'a self,
        of: &'a [&'a Value],
    ) -> BoxFuture<'a, Result<Values, Trouble>> {
        Box::pin(async move {
            let number = self.marks.fetch_add(1, Ordering::Relaxed);
            let mut values = Values {
                accounts: self.facts.clone(),
                today: self.today,
                mark: format!("{}-{number}", self.run),
                ..Values::default()
            };
            let mut wanted = Vec::new();
            for value in of {
                scenes(value, &mut wanted);
            }
            for (sign, name) in wanted {
                if sign == '$' && !values.shared.contains_key(&name) {
                    let made = self.shared(&name).await?;
                    values.shared.insert(name, made);
                } else if sign == '+' && !values.own.contains_key(&name) {
                    let made = self.make(&name).await?;
                    values.own.insert(name, made);
                }
            }
            Ok(values)
        })
    }

    async fn shared(&self, name: &str) -> Result<Map<String, Value>, Trouble> {
        if let Some(made) = self.made.lock().await.get(name) {
            return made.clone();
        }
        let made = self.make(name).await;
        self.made.lock().await.insert(name.to_owned(), made.clone());
        made
    }

    /// Plays a scene.
    async fn make(&self, name: &str) -> Result<Map<String, Value>, Trouble> {
        let mut scenes = Vec::new();
        let mut next = Some(name);
        while let Some(name) = next {
            let scene = self.table.scenes.get(name);
            let unknown = || Trouble::unprepared(format!("the table has no scene `{name}`"));
            let scene: &Scene = scene.ok_or_else(unknown)?;
            next = scene.from.as_deref();
            scenes.push(scene);
        }
        let mut local = Map::new();
        for scene in scenes.into_iter().rev() {
            let given = Value::Object(scene.values.clone());
            let values = self.values(&[&given]).await?;
            local.extend(values.fields(&scene.values).map_err(Trouble::unprepared)?);
            for step in &scene.step {
                self.play(step, &mut local).await?;
            }
        }
        Ok(local)
    }

    async fn play(&self, step: &Step, local: &mut Map<String, Value>) -> Result<(), Trouble> {
        let (path, input) = (json!(step.path), json!(step.input));
        let mut values = self.values(&[&path, &input]).await?;
        values.local = local.clone();
        if let Some(address) = &step.mailed {
            let address = values.fill(address).map_err(Trouble::unprepared)?;
            let text = self.mail(address.as_str().unwrap_or_default()).await?;
            local.insert("mailed".into(), json!(text));
            return Ok(());
        }
        if let Some(url) = &step.puts {
            let url = values.fill(url).map_err(Trouble::unprepared)?;
            local.insert("etag".into(), json!(self.put(&plain(&url)).await?));
            return Ok(());
        }
        let path = values.fields(&step.path).map_err(Trouble::unprepared)?;
        let input = values.fields(&step.input).map_err(Trouble::unprepared)?;
        let proof = self.proof(&step.caller, &values).await?;
        let request = match &step.extension {
            Some(beyond) => {
                let mut request = self.request(named("core.auth.me")?, proof, &path, &input);
                let base =
                    self.settings.base(interface_of(&step.caller).unwrap_or(Interface::Core));
                request.url = format!("{base}{beyond}");
                request
            }
            None => self.request(named(&step.operation)?, proof, &path, &input),
        };
        let mut answer = self.client.send(&request).await?;
        for _ in 0..ARRIVAL_TRIES {
            let there = |(at, value): (&String, &Value)| answer.json.pointer(at) == Some(value);
            if answer.status != 200 || step.until.iter().all(there) {
                break;
            }
            tokio::time::sleep(ARRIVAL_PAUSE).await;
            answer = self.client.send(&request).await?;
        }
        if let Some(beyond) = &step.extension
            && matches!(answer.status, 404 | 405)
        {
            return Err(Trouble::Lacking(format!("the server has no {beyond}")));
        }
        answer.must(answer.status == 200, "200, as a step towards the check")?;
        for (name, pointer) in &step.keep {
            local.insert(name.clone(), answer.at(pointer)?);
        }
        Ok(())
    }

    /// Puts a picture where the server has said; its `ETag`.
    async fn put(&self, url: &str) -> Result<String, Trouble> {
        let base = self.settings.base(Interface::Core);
        let host = base.match_indices('/').nth(2).map_or(base, |(end, _)| base.split_at(end).0);
        let public = self.settings.public.as_deref().unwrap_or_default();
        let below = url.strip_prefix(public).filter(|rest| rest.starts_with('/'));
        let url = below.map_or_else(|| url.to_owned(), |rest| format!("{host}{rest}"));
        let request = Request {
            method: "PUT".into(),
            url,
            query: Vec::new(),
            headers: Vec::new(),
            sent: Sent::Raw("application/octet-stream".into(), PIXEL.to_vec()),
            proof: Proof::Nothing,
            patient: true,
        };
        let answer = self.client.send(&request).await?;
        let etag = answer.header("etag").to_owned();
        answer.must((200..300).contains(&answer.status) && !etag.is_empty(), "200 with an ETag")?;
        Ok(etag)
    }

    /// The code or token in the newest mail to an address.
    async fn mail(&self, address: &str) -> Result<String, Trouble> {
        let lacking = || Trouble::Lacking("the settings say no way to read mails".into());
        let read = self.settings.read_mail.as_ref().ok_or_else(lacking)?;
        let body = read(address.to_owned()).await;
        let body = body.ok_or_else(|| Trouble::unprepared(format!("no mail to {address}")))?;
        let secret = crate::mail::secret(&body);
        secret.ok_or_else(|| Trouble::unprepared(format!("no code in the mail to {address}")))
    }
}

fn named(operation: &str) -> Result<&'static Endpoint, Trouble> {
    let unknown = || Trouble::unprepared(format!("there is no operation `{operation}`"));
    endpoints::named(operation).ok_or_else(unknown)
}

/// The session cookie that an answer sets, as it is sent back.
fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
}

/// A value as a path or a query has it.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
