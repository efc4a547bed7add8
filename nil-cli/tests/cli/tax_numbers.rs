//! A taxpayer number is in the sealed column and in the file for the tax office, and nowhere else:
//! not in the log at its most detailed level, not in answers, not in the database, not in a file.

use std::path::Path;
use std::time::{Duration, Instant};

use nil_core::auth::Permission;
use nil_tests::{Engine, PASSWORD, Person, World, both, unpacked};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::{SOON, Served};

/// The numbers of this test, an athlete's and a brand's, as people type them.
const TYPED: [&str; 2] = ["457-55-5462", "38-7654921"];

/// Every way in which the numbers could be written: with and without separators, in hexadecimal, in
/// base64.
fn written() -> Vec<String> {
    let mut all = Vec::new();
    for typed in TYPED {
        let digits = typed.replace('-', "");
        for text in [typed.to_owned(), typed.replace('-', " "), digits] {
            all.push(text.bytes().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}")));
            all.push(base64(text.as_bytes()));
            all.push(text);
        }
    }
    all
}

/// Base64 without the end, which depends on what follows.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let whole = bytes.chunks_exact(3).flat_map(|part| {
        let bits = part.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        [18, 12, 6, 0].map(|shift| char::from(SIGNS[bits >> shift & 63]))
    });
    whole.collect()
}

/// What stands around one of the numbers, if there is one.
fn around_a_number(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let at = written().iter().find_map(|number| text.find(&number.to_ascii_lowercase()))?;
    let before: String = text[..at].chars().rev().take(200).collect();
    let before: String = before.chars().rev().collect();
    let after: String = text[at..].chars().take(80).collect();
    Some(before + &after)
}

/// Panics if a text has one of the numbers.
#[track_caller]
fn is_clean(what: &str, bytes: &[u8]) {
    if let Some(around) = around_a_number(bytes) {
        panic!("{what} has a number: {around}");
    }
}

#[test]
fn a_number_is_found_however_it_is_written() {
    for text in [
        w9().to_string(),
        payer().to_string(),
        "state=457555462&".into(),
        "457 55 5462".into(),
        // In hexadecimal, and in base64.
        "x'34353735353534363200'".into(),
        "MzgtNzY1NDkyMQ==".into(),
    ] {
        assert!(around_a_number(text.as_bytes()).is_some(), "{text}");
    }
    assert_eq!(around_a_number(b"the last four are 5462"), None);
}

/// Panics if a file below a folder has one of the numbers.
fn files_are_clean(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_are_clean(&path);
        } else {
            is_clean(&path.display().to_string(), &std::fs::read(&path).unwrap());
        }
    }
}

/// The status and the text of an answer, which has no number.
async fn clean(answer: reqwest::Result<Response>) -> (u16, String) {
    let answer = answer.unwrap();
    let status = answer.status().as_u16();
    for (name, value) in answer.headers() {
        is_clean(name.as_str(), value.as_bytes());
    }
    let bytes = answer.bytes().await.unwrap();
    is_clean("an answer", &bytes);
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

fn w9() -> Value {
    nil_tests::w9(TYPED[0])
}

fn payer() -> Value {
    nil_tests::payer(TYPED[1])
}

/// The form with another field instead of this one.
fn with(field: &str, value: Value) -> Value {
    let mut form = w9();
    form[field] = value;
    form
}

/// A server of a world with a brand and an athlete, logged in.
struct Office {
    world: World,
    served: Served,
    brand: Person,
    athlete: Person,
    token: String,
    of_brand: String,
}

impl Office {
    async fn beside(world: World, nil: &Nil) -> Self {
        let brand = world.paying_partner("Cedar Coffee").await;
        let athlete = world.athlete("Jordan Lake").await;
        let served = Served::start(nil, &[]);
        let token = served.log_in(&athlete.email, PASSWORD).await;
        let of_brand = served.log_in(&brand.email, PASSWORD).await;
        Self { world, served, brand, athlete, token, of_brand }
    }

    /// The athlete hands in a form under a key.
    async fn hand_in(&self, body: &Value, key: &str) -> (u16, String) {
        let request = self.served.post("/api/tax-form", &self.token);
        clean(request.header("idempotency-key", key).json(body).send().await).await
    }

    /// What is refused, and what comes in the wrong field.
    async fn refuse(&self) {
        let number = json!(TYPED[0]);
        for (place, body) in [
            with("tin", json!(TYPED[0].replace('-', "").parse::<i64>().unwrap())),
            with("tin", json!([number])),
            with("tin", json!(format!("{}x", TYPED[0]))),
            with("tin_kind", number.clone()),
            with("classification", number.clone()),
            with("state", number.clone()),
            with("postal_code", number.clone()),
            with("statement_version", number.clone()),
            with("certified", number.clone()),
            with("phone", number.clone()),
            with("postal_code", json!(TYPED[0].replace('-', ""))),
            with("signature", number.clone()),
            with("street", json!(format!("12 College Avenue {}", TYPED[0]))),
            with("last_name", json!(TYPED[0].replace('-', " "))),
            with("postal_code", json!("6270")),
        ]
        .iter()
        .enumerate()
        {
            let (status, text) = self.hand_in(body, &format!("wrong-{place}")).await;
            assert_eq!(status, 422, "{place}: {text}");
        }
        // Bodies that cannot be read, and operations that do not know such a field.
        let broken = format!("{{\"tin\": \"{}\", ", TYPED[0]);
        let request = self
            .served
            .post("/api/tax-form", &self.token)
            .header("content-type", "application/json");
        assert_eq!(clean(request.body(broken).send().await).await.0, 400);
        for path in ["/api/me", "/api/processor/webhook", "/api/fetchNotifications", "/api/login"] {
            clean(self.served.post(path, &self.token).json(&w9()).send().await).await;
        }
        let foreign = self.served.post("/api/tax-form", &self.of_brand).json(&w9());
        assert_eq!(clean(foreign.send().await).await.0, 403);
        // A probe, which is logged only with all details on.
        let probe = self.served.client.get(format!("{}/healthz", self.served.core));
        assert_eq!(clean(probe.send().await).await.0, 200);
        let query = format!("/api/tax-form?tin={}", TYPED[0]);
        clean(self.served.post(&query, &self.token).send().await).await;
    }

    /// A failure in the middle.
    async fn fail(&mut self) {
        self.world.script("ALTER TABLE tax_form RENAME TO tax_form_away").await;
        let (status, text) = self.hand_in(&w9(), "broken").await;
        assert_eq!(status, 500, "{text}");
        self.world.script("ALTER TABLE tax_form_away RENAME TO tax_form").await;
        self.served.logged("\"status\":500").await;
    }

    /// What is accepted, repeated and read back.
    async fn accept(&self) {
        for key in ["one", "one", "two"] {
            let (status, text) = self.hand_in(&w9(), key).await;
            assert_eq!(status, 200, "{text}");
            assert!(text.contains("5462"), "{text}");
        }
        let details = self.served.post("/api/partner/tax-details", &self.of_brand).json(&payer());
        assert_eq!(clean(details.send().await).await.0, 200);
        for (path, token) in [
            ("/api/tax-form", &self.token),
            ("/api/partner/tax-details", &self.of_brand),
            ("/api/athlete/takeout", &self.token),
            ("/api/takeout", &self.of_brand),
        ] {
            let made = path.ends_with("takeout");
            if made {
                let asked = self.served.post("/api/takeout", token).send().await.unwrap();
                assert_eq!(asked.status(), 200);
            }
            let deadline = Instant::now() + SOON;
            let answer = loop {
                let request =
                    self.served.client.request(Method::GET, format!("{}{path}", self.served.core));
                let answer = request.bearer_auth(token).send().await.unwrap();
                if !made || answer.status() != 409 || Instant::now() > deadline {
                    break answer;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            };
            assert_eq!(answer.status(), 200, "{path}");
            let bytes = answer.bytes().await.unwrap();
            is_clean(path, &bytes);
            if path.ends_with("takeout") {
                for (name, file) in unpacked(&bytes) {
                    is_clean(&name, &file);
                }
            }
        }
    }

    /// The file for the tax office has the numbers, no other export does.
    async fn export(&self, email: &str) {
        let deal = self.world.approved_deal(&self.brand, &self.athlete, &[250_000]).await;
        self.world.pay(&self.brand, &self.athlete, &deal).await;
        let (status, _, cookie) = self.served.visit_as_operator(email, PASSWORD).await;
        assert_eq!(status, 200);
        let year = &self.world.platform.now().to_rfc3339()[..4];
        let path = format!("/admin/information-returns/{year}");
        let (status, bytes) = self.served.get_as_operator(&path, &cookie).await;
        assert_eq!(status, 200);
        let files = unpacked(&bytes);
        let returns = &files[&format!("1099-nec-{year}-001.csv")];
        let returns = String::from_utf8_lossy(returns);
        for typed in TYPED {
            assert!(returns.contains(&typed.replace('-', "")), "{returns}");
        }
        for name in ["manifest.json", "not-filed.csv"] {
            is_clean(name, &files[name]);
        }
        for path in
            ["/admin/payments-export-csv", "/admin/audit-log", "/admin/tax-form-requests/all"]
        {
            let (status, bytes) = self.served.get_as_operator(path, &cookie).await;
            assert_eq!(status, 200, "{path}");
            is_clean(path, &bytes);
        }
        let finance = self.world.operator(&[Permission::Finance]);
        let payout = self
            .world
            .call("admin.payout.trigger", &finance, json!({ "id": self.athlete.id }))
            .await;
        is_clean("a payout", payout.data().to_string().as_bytes());
    }
}

async fn a_number_is_only_where_it_must_be(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let email = world.chief_operator().await;
    let nil = Nil::beside(&world).with("NIL_LOG", "trace").with("NIL_THROTTLE", "off");
    let mut office = Office::beside(world, &nil).await;
    office.refuse().await;
    office.fail().await;
    office.accept().await;
    office.export(email).await;

    // All that is left behind: the log, the rows of every table, messages and the trail among them,
    // and the files.
    let Office { world, mut served, .. } = office;
    served.process.terminate();
    assert!(served.process.ended().success());
    let log = served.log();
    for words in ["\"path\":\"/api/tax-form\"", "\"level\":\"DEBUG\""] {
        assert!(log.contains(words), "no {words} in the log");
    }
    is_clean("the log", log.as_bytes());
    let texts = written();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(world.places_of(&texts).await, []);
    is_clean("the database", world.contents().await.into_values().collect::<String>().as_bytes());
    files_are_clean(Path::new(&world.environment()[1].1));
    files_are_clean(&nil.folder);
}
both!(a_number_is_only_where_it_must_be);
