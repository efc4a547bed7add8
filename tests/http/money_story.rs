//! The life of a payment over HTTP: a card entered on a page of the processor, a charge confirmed
//! with its bank, the payout, a dispute that is lost after it, its recovery from the next payout,
//! and what the year's information return says of all that.

use nil_core::auth::Permission;
use nil_core::catalog::catalog;
use nil_core::kernel::{DisputeId, PaymentId, PayoutId};
use nil_core::payments::{self, sandbox};
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_tests::door::{Session, log_in_operator, request_for};
use nil_tests::{Got, PASSWORD, Person, Server, every_stack, payer, unpacked, w9};
use reqwest::Method;
use serde_json::{Value, json};

const BACK: &str = "https://brand.example/back";

/// A user with a token of their own.
struct User<'a> {
    server: &'a Server,
    person: &'a Person,
    token: String,
}

impl<'a> User<'a> {
    async fn logged_in(server: &'a Server, person: &'a Person) -> Self {
        let input = json!({ "email": person.email, "password": PASSWORD });
        let answer = server.post("/api/login", &input).await.json();
        let token = answer["access_token"].as_str().expect("a token").to_owned();
        Self { server, person, token }
    }

    async fn call(&self, operation: &str, input: Value) -> Value {
        let entry = catalog().named(operation).expect("an operation");
        let request = request_for(self.server, entry, input).bearer_auth(&self.token);
        done(operation, &self.server.send(request).await)
    }

    async fn wallet(&self) -> [i64; 2] {
        let wallet = self.call("core.wallet.show", json!({})).await;
        ["balance_cents", "owed_back_cents"].map(|name| wallet[name].as_i64().unwrap())
    }
}

/// The operator's browser.
struct Office<'a> {
    server: &'a Server,
    session: Session,
}

impl Office<'_> {
    async fn got(&self, operation: &str, input: Value) -> Got {
        let entry = catalog().named(operation).expect("an operation");
        let request = request_for(self.server, entry, input)
            .header("cookie", &self.session.cookie)
            .header("x-csrf-token", &self.session.csrf);
        self.server.send(request).await
    }

    async fn call(&self, operation: &str, input: Value) -> Value {
        done(operation, &self.got(operation, input).await)
    }

    /// Pays an athlete's wallet out, and lets it arrive; returns the amount.
    async fn pay_out(&self, athlete: &Person) -> i64 {
        let payout = self.call("admin.payout.trigger", json!({ "id": athlete.id })).await;
        assert_eq!(payout["status"], "in_transit");
        let id = PayoutId::new(payout["id"].as_i64().unwrap()).unwrap();
        assert!(sandbox::let_arrive(&self.server.world.platform, id).await.unwrap());
        payout["amount_cents"].as_i64().unwrap()
    }
}

#[track_caller]
fn done(operation: &str, got: &Got) -> Value {
    assert_eq!(got.status, 200, "{operation}: {:#}", got.json());
    got.json()["data"].clone()
}

/// Opens a page of the processor by its address, as a browser does, and follows one of its links.
async fn answered(server: &Server, address: &str, answer: &str) {
    let path = address.strip_prefix("http://127.0.0.1:8080").expect("a page of the sandbox");
    let page = server.get(path).await;
    let text = String::from_utf8(page.bytes).unwrap();
    assert_eq!(
        (page.status, page.headers["content-type"].as_bytes()),
        (200, &b"text/html; charset=utf-8"[..])
    );
    let link =
        format!("href=\"?answer={answer}&amp;return_url=https%3A%2F%2Fbrand.example%2Fback\"");
    assert!(text.contains(&link), "{text}");
    let head = server.send(server.request(Method::HEAD, &format!("{path}&answer={answer}"))).await;
    assert_eq!(head.status, 404, "to look is not to answer");
    let followed = server.get(&format!("{path}&answer={answer}")).await;
    assert_eq!((followed.status, followed.header("location")), (303, BACK));
    let again = server.get(&format!("{path}&answer={answer}")).await;
    assert_eq!(again.status, 200, "it is answered once");
    let forged = path.replacen('.', ".0", 1);
    assert_eq!(server.get(&forged).await.status, 404);
}

/// A deal is paid with the card that wants a confirmation.
async fn paid(server: &Server, brand: &User<'_>, athlete: &Person, cents: i64) -> Value {
    let deal = server.world.approved_deal(brand.person, athlete, &[cents]).await;
    let pay = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let payment = brand.call("core.payment.pay_with_saved_card", pay).await;
    assert_eq!(payment["status"], "processing");
    let confirm = json!({ "payment_id": payment["id"], "return_url": BACK });
    let begun = brand.call("core.payment.confirm", confirm.clone()).await;
    answered(server, begun["confirm_url"].as_str().expect("a page"), "confirm").await;
    let payment = brand.call("core.payment.confirm", confirm).await;
    assert_eq!((&payment["status"], &payment["confirm_url"]), (&json!("succeeded"), &Value::Null));
    payment
}

async fn a_payment_is_confirmed_paid_out_disputed_and_reported(server: Server) {
    let world = &server.world;
    let (brand, athlete) =
        (world.partner("Cedar Coffee").await, world.athlete("Jordan Lake").await);
    world.new_operator("money@nil.example", Permission::Finance).await;
    let session = log_in_operator(&server, "money@nil.example", PASSWORD).await;
    let office = Office { server: &server, session };
    let brand = User::logged_in(&server, &brand).await;
    let jordan = User::logged_in(&server, &athlete).await;

    let terms = json!({ "payee_basis_points": 10_000 });
    office.call("admin.dispute.save_terms", terms).await;
    brand.call("core.tax_form.save_payer", payer("12-3456789")).await;
    jordan.call("core.tax_form.submit", w9("219-09-9999")).await;
    let account = jordan.call("core.payout_account.create", json!({})).await;
    let onboarding = account["onboarding_url"].as_str().unwrap();
    let path = onboarding.strip_prefix("http://127.0.0.1:8080").unwrap();
    assert_eq!(server.get(path).await.status, 200);

    // A card is entered on the processor's page, and a charge of it confirmed with its bank.
    let begin = json!({ "return_url": BACK });
    let begun = brand.call("core.partner.begin_payment_method", begin).await;
    answered(&server, begun["url"].as_str().unwrap(), "4000002500003155").await;
    let add = json!({ "processor_token": begun["processor_token"] });
    let card = brand.call("core.partner.add_payment_method", add).await;
    assert_eq!(card["last4"], "3155");
    let first = paid(&server, &brand, &athlete, 250_000).await;
    assert_eq!(jordan.wallet().await, [250_000, 0]);
    assert_eq!(office.pay_out(&athlete).await, 250_000);

    // The bank takes it back after the payout. The evidence is handed in, and does not help.
    let payment = PaymentId::new(first["id"].as_i64().unwrap()).unwrap();
    let what = (DisputeKind::Chargeback, None);
    let dispute = sandbox::dispute(&world.platform, payment, what).await.unwrap().unwrap();
    let open = office.call("admin.dispute.list", json!({ "status": "needs_response" })).await;
    assert_eq!(open[0]["id"], dispute.get());
    let one = json!({ "id": dispute.get() });
    let evidence = office.got("admin.dispute.download_evidence", one.clone()).await;
    assert_eq!((evidence.status, evidence.header("content-type")), (200, "application/pdf"));
    let words = json!({ "id": dispute.get(), "statement": "The work was done and approved." });
    let answered = office.call("admin.dispute.answer", words).await;
    assert_eq!(answered["status"], "under_review");
    lose(world, dispute).await;
    let lost = office.call("admin.dispute.view", one).await;
    assert_eq!(
        (&lost["status"], &lost["borne_by_payees_cents"]),
        (&json!("lost"), &json!(250_000))
    );
    assert_eq!(jordan.wallet().await, [0, 250_000]);

    // The next payment makes good for it, and only the rest is paid out.
    paid(&server, &brand, &athlete, 400_000).await;
    assert_eq!(jordan.wallet().await, [150_000, 0]);
    assert_eq!(office.pay_out(&athlete).await, 150_000);

    // The year's return says what Jordan has kept.
    let standing = jordan.call("core.tax_form.standing", json!({})).await;
    assert_eq!(standing["earned_cents"], 400_000);
    let summary = jordan.call("core.payment.tax_summary", json!({ "year": 2026 })).await;
    assert_eq!(summary["net_cents"], 400_000, "{summary:#}");
    let archive = office.got("admin.tax.export_returns", json!({ "year": 2026 })).await;
    assert_eq!(archive.status, 200);
    let files = unpacked(&archive.bytes);
    let filed = String::from_utf8(files["1099-nec-2026-001.csv"].clone()).unwrap();
    let mut rows = csv::Reader::from_reader(filed.as_bytes());
    let titles = rows.headers().unwrap().clone();
    let at = titles.iter().position(|title| title.starts_with("Box 1 ")).expect("the box");
    let boxes: Vec<String> = rows.records().map(|row| row.unwrap()[at].to_owned()).collect();
    assert_eq!(boxes, ["4000.00"]);

    // The processor's statement and the books say the same.
    let day = world.platform.now().date_naive();
    let compared = payments::compare(&world.platform, Some(day), Some(day)).await.unwrap();
    assert_eq!((compared.open, compared.lines), (0, 5), "{:?}", compared.oldest);
    world.books_are_right().await;
}
every_stack!(a_payment_is_confirmed_paid_out_disputed_and_reported);

async fn lose(world: &nil_tests::World, dispute: DisputeId) {
    let lost = sandbox::turn_dispute(&world.platform, dispute, DisputeState::Lost).await;
    assert!(lost.unwrap());
}
