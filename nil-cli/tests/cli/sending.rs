//! Every row that sends a file, called through the command line in its own process: the whole file
//! arrives.

use std::collections::BTreeMap;

use nil_core::auth::Principal;
use nil_core::catalog::catalog;
use nil_core::kernel::PaymentId;
use nil_core::operation::Gives;
use nil_core::payments::sandbox;
use nil_core::ports::processor::DisputeKind;
use nil_tests::{
    Engine, Frontend, Hire, PASSWORD, PIXEL, Person, Server, World, a_file, a_filing, both,
    is_pixel, unpacked,
};
use serde_json::{Value, json};

use crate::nil::Nil;

/// Who calls, and with what.
type Line = (String, Value);

/// A deal with everything that is sent of it.
struct Desk {
    world: World,
    hire: Hire,
    nil: Nil,
    lines: BTreeMap<&'static str, Line>,
}

fn as_person(kind: &str, person: &Person) -> String {
    format!("{kind}:{}", person.email)
}

impl Desk {
    async fn on(engine: Engine) -> Self {
        let world = World::on(engine).await;
        // Large enough to be reported; usable whatever day it is when the command line asks.
        let over = json!({
            "amount_cents": 70_000, "usage_rights": { "perpetual": true, "days": null },
        });
        let hire = world.active(over).await;
        let nil = Nil::beside(&world);
        Self { world, hire, nil, lines: BTreeMap::new() }
    }

    async fn does(&self, name: &str, who: &Principal, input: Value) -> Value {
        self.world.call(name, who, input).await.data()
    }

    fn line(&mut self, name: &'static str, who: &str, input: Value) {
        self.lines.insert(name, (who.to_owned(), input));
    }

    /// What a call through the command line answers.
    fn asks(&self, name: &str, who: &str, input: &Value) -> Value {
        let input = input.to_string();
        let ended = self.nil.run(&["call", name, "--as", who, "--input", &input, "--json"]);
        ended.good().json()["data"].clone()
    }

    async fn of_operators(&mut self) {
        let chief = format!("operator:{}", self.world.chief_operator().await);
        for name in [
            "admin.athlete.export_xlsx",
            "admin.athlete.export_csv",
            "admin.partner.export_xlsx",
            "admin.agent.export_xlsx",
            "admin.payment.export_xlsx",
            "admin.payment.export_csv",
        ] {
            self.line(name, &chief, json!({}));
        }
        self.line("admin.tax.export_returns", &chief, json!({ "year": 2026 }));
        let queue = json!({ "kind": "jobs", "format": "xlsx" });
        let code = self.asks("admin.export.request", &chief, &queue)["code"].clone();
        self.asks("admin.export.process", &chief, &json!({}));
        self.line("admin.export.download", &chief, json!({ "code": code }));
        let mut file = a_file("logo.png", PIXEL);
        file["parent_id"] = json!(0);
        let item = json!({ "id": self.asks("admin.content.save", &chief, &file)["id"] });
        let link = self.asks("admin.content.preview_url", &chief, &item);
        self.line("admin.content.download", &chief, item);
        self.line("admin.content.preview", &chief, json!({ "token": token_of(&link["url"]) }));
        let brand = self.world.paying_partner("Harbor Books").await;
        let athlete = self.world.athlete("Ida Novak").await;
        let deal = self.world.approved_deal(&brand, &athlete, &[10_000]).await;
        let payment = self.world.pay(&brand, &athlete, &deal).await["id"].as_i64().unwrap();
        let payment = PaymentId::new(payment).unwrap();
        let what = (DisputeKind::Chargeback, None);
        let dispute = sandbox::dispute(&self.world.platform, payment, what).await.unwrap();
        self.line("admin.dispute.download_evidence", &chief, json!({ "id": dispute }));
    }

    async fn of_parties(&mut self) {
        let hire = self.hire.clone();
        let (athlete, partner) = (&hire.athlete, &hire.partner);
        let agent = self.world.agent("North Agency").await;
        self.world.accept_terms(&agent).await;
        self.world.represent(&agent, athlete, 1_000).await;
        let proof = self.world.file(athlete, "proof.png").await;
        let work = json!({ "deliverable_id": hire.deliverables[0], "file_ids": [proof],
            "post_url": "https://www.instagram.com/p/C8x/", "caption": "On the trail #ad" });
        self.does("core.deliverable.submit", &athlete.principal, work).await;
        let yes = json!({ "deliverable_id": hire.deliverables[0], "status": "approved" });
        self.does("core.deliverable.change_status", &partner.principal, yes).await;
        let later = json!({ "job_id": hire.job, "deliverable_id": hire.deliverables[1],
            "proposed_due_on": "2026-12-28", "reason": "Exams" });
        self.does("core.contract.request_new_due_date", &athlete.principal, later).await;
        let deal = json!({ "job_id": hire.job, "athlete_id": athlete.id });
        let mut accept = deal.clone();
        accept["kind"] = json!("EDD");
        self.does("core.contract.accept_request", &partner.principal, accept).await;
        let mut paper = a_file("plan.png", PIXEL);
        paper["job_id"] = json!(hire.job);
        paper["athlete_id"] = json!(athlete.id);
        let paper = self.does("core.deal_folder.add", &partner.principal, paper).await;
        let photo = json!({ "photo_file_id": self.world.file(athlete, "me.png").await });
        let photo =
            self.does("core.athlete.edit", &athlete.principal, photo).await["photo_url"].clone();
        let due = self.does("core.clearance.list", &athlete.principal, json!({})).await;

        for who in [athlete, partner] {
            self.does("core.account.request_takeout", &who.principal, json!({})).await;
        }
        nil_core::worker::round(&self.world.platform).await.unwrap();
        // The command line asks on whatever day it is, which this world does not reach.
        let kept = "UPDATE export_report SET expires_at = '2999-01-01T00:00:00+00:00'";
        self.world.script(kept).await;
        let (they, brand) = (as_person("athlete", athlete), as_person("partner", partner));
        let agency = as_person("agent", &agent);
        let whole = |id: &Value| json!({ "id": id, "inline": true });
        let job = json!({ "job_id": hire.job });
        self.line("core.contract.download_as_athlete", &they, job.clone());
        self.line("core.contract.download", &they, job.clone());
        self.line("core.contract.download_amendments", &they, job);
        self.line("core.contract.download_as_agent", &agency, deal);
        self.line("core.clearance.download_packet", &they, json!({ "id": due[0]["id"] }));
        self.line("core.athlete.takeout", &they, json!({}));
        self.line("core.account.takeout", &brand, json!({}));
        self.line("core.file.download", &they, json!({ "id": proof }));
        let token = photo.as_str().unwrap().rsplit_once("/api/pictures/").unwrap().1;
        self.line("core.file.picture", &they, json!({ "token": token }));
        self.line("core.deal_folder.download", &they, whole(&paper["id"]));
        let feed = self.does("core.calendar.make", &athlete.principal, json!({})).await;
        self.line("core.calendar.read", &they, last_part(&feed["address"]));
        let asset = json!(hire.deliverables[0]);
        self.line("core.content_library.download", &brand, whole(&asset));
        self.line("core.deliverable.export_report", &brand, json!({}));
        let link =
            self.asks("core.content_library.download", &brand, &json!({ "id": asset }))["url"]
                .clone();
        self.line("core.file.open_signed", &they, json!({ "token": token_of(&link) }));
        for (name, kind, owner, who) in [
            ("core.partner.download_invoice", "partner", partner.id, &brand),
            ("core.agent.download_invoice", "agent", agent.id, &agency),
        ] {
            let now = "'2026-11-20T12:00:00+00:00'";
            let insert = format!(
                "INSERT INTO invoice (number, owner, kind, period, status, total_cents, currency, \
                 issuer_name, issuer_contact, customer_name, customer_contact, issued_at, created_at, \
                 updated_at) VALUES ('INV-{kind}', '{kind}:{owner}', 'platform_fees', '2026-10', \
                 'open', 0, 'usd', 'nil', '', 'Somebody', '', {now}, {now}, {now}) RETURNING id"
            );
            self.line(name, who, json!({ "invoice_id": self.world.id(&insert).await }));
        }
        self.of_the_institution(&paper["id"], proof, &due[0]["id"]).await;
    }

    async fn of_the_institution(&mut self, paper: &Value, proof: i64, clearance: &Value) {
        let hire = self.hire.clone();
        let athlete = &hire.athlete;
        let deal = self.world.deal(athlete, hire.job).await;
        let college = deal["athlete"]["university_id"].as_i64().unwrap();
        let (owner, _) = self.world.portal_user(college, "owner").await;
        let team = self.does("compliance.portal_user.list", &owner, json!({})).await;
        let who = format!("portal:{}", team[0]["email"].as_str().unwrap());
        let filing = json!({ "documents": [a_file("agency.png", PIXEL)] });
        let filing =
            self.does("compliance.disclosure.submit", &owner, a_filing(athlete.id, filing)).await;
        let request = json!({ "requester": "Dana Ortiz, The Daily Gazette",
            "legal_basis": "Open Records Act, section 4", "received_on": "2026-11-19" });
        let request = self.does("compliance.records_request.note", &owner, request).await;
        let elsewhere = json!({
            "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading day",
            "category_id": 9, "amount_cents": 40_000, "compensation": "cash",
            "signed_on": "2026-11-20", "description": "Two readings in the shop.",
            "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
                "complete_and_true"],
            "documents": [self.world.file(athlete, "reading.png").await],
        });
        let elsewhere = self.does("core.disclosed_job.save", &athlete.principal, elsewhere).await;

        let of_job = json!({ "job_id": hire.job, "athlete_id": athlete.id });
        let with_contracts = json!({ "contracts": true });
        self.line("compliance.transaction.export", &who, with_contracts);
        self.line("compliance.athlete.export", &who, json!({}));
        self.line("compliance.statistics.export", &who, json!({}));
        self.line("compliance.records_request.file", &who, json!({ "id": request["id"] }));
        let documents = json!({ "id": filing["id"] });
        self.line("compliance.disclosure.download_documents", &who, documents);
        self.line("compliance.clearance.download_packet", &who, json!({ "id": clearance }));
        self.line("compliance.contract.download", &who, of_job.clone());
        self.line("compliance.contract.download_amendments", &who, of_job);
        let disclosed = json!({ "athlete_id": athlete.id, "disclosed_job_id": elsewhere["id"] });
        self.line("compliance.contract.download_disclosed", &who, disclosed);
        self.line("compliance.file.download", &who, json!({ "id": proof }));
        let feed = self.does("compliance.calendar.make", &owner, json!({})).await;
        self.line("compliance.calendar.read", &who, last_part(&feed["address"]));
        let inline = json!({ "id": paper, "inline": true });
        self.line("compliance.deal_folder.download", &who, inline);
    }

    /// The file that a row sends, as it was written and as it was printed.
    fn sent(&self, name: &str) -> [Vec<u8>; 2] {
        let (who, input) = self.lines.get(name).unwrap_or_else(|| panic!("{name} needs a line"));
        let input = input.to_string();
        let call = ["call", name, "--as", who, "--input", &input, "--output"];
        self.nil.run(&[&call[..], &["sent"]].concat()).good();
        let printed = self.nil.run(&[&call[..], &["-"]].concat()).good().stdout;
        [std::fs::read(self.nil.path("sent")).expect(name), printed]
    }
}

fn token_of(url: &Value) -> String {
    let (_, token) = url.as_str().and_then(|url| url.rsplit_once("?token=")).expect("an address");
    token.to_owned()
}

/// The last part of a calendar's address.
fn last_part(address: &Value) -> Value {
    let (_, name) = address.as_str().and_then(|url| url.rsplit_once('/')).expect("an address");
    json!({ "name": name })
}

/// Whether this is a whole CSV file.
fn is_table(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.contains(',') && text.ends_with('\n'))
}

/// Whether this is a whole file of that type.
fn is_whole(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "application/pdf" => {
            bytes.starts_with(b"%PDF-") && bytes.trim_ascii_end().ends_with(b"%%EOF")
        }
        "application/zip" => !unpacked(bytes).is_empty(),
        "*/*" => is_pixel(bytes) || is_table(bytes) || !unpacked(bytes).is_empty(),
        kind if kind.starts_with("text/csv") => is_table(bytes),
        kind if kind.starts_with("text/calendar") => {
            bytes.starts_with(b"BEGIN:VCALENDAR\r\n") && bytes.ends_with(b"END:VCALENDAR\r\n")
        }
        // A spreadsheet is an archive.
        _ => unpacked(bytes).contains_key("xl/workbook.xml"),
    }
}

async fn every_file_that_a_row_sends_arrives(engine: Engine) {
    let mut desk = Desk::on(engine).await;
    desk.of_operators().await;
    desk.of_parties().await;
    let mut wrong = Vec::new();
    let mut rows = 0;
    for entry in catalog().iter() {
        let Gives::File(kind) = entry.gives else { continue };
        for bytes in desk.sent(entry.name) {
            if !is_whole(kind, &bytes) {
                wrong.push(format!("{}: {} bytes", entry.name, bytes.len()));
            }
        }
        rows += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(rows > 30, "{rows}");
    // What stands under that name stays until a whole file replaces it.
    let kept = std::fs::read(desk.nil.path("sent")).unwrap();
    let nobodys = ["call", "core.file.download", "--as", &desk.lines["core.file.download"].0];
    let nobodys = [&nobodys[..], &["id=999999", "--output", "sent"]].concat();
    desk.nil.run(&nobodys).refused("not_found");
    assert_eq!(std::fs::read(desk.nil.path("sent")).unwrap(), kept);
}

both!(every_file_that_a_row_sends_arrives);

async fn every_kind_of_record_is_exported_by_its_name(engine: Engine) {
    let world = World::on(engine).await;
    let email = world.chief_operator().await;
    world.active(json!({})).await;
    world.agent("North Agency").await;
    let nil = Nil::beside(&world);
    let export = |more: &[&str]| nil.run(&[&["export", "--as", email][..], more].concat());
    for kind in
        ["athletes", "partners", "agents", "jobs", "payments", "payouts", "disclosures", "audit"]
    {
        let printed = export(&[kind, "--output", "-"]).good().stdout;
        assert!(is_whole("text/csv", &printed), "{kind}");
        export(&[kind, "--format", "xlsx", "--output", "sheet"]).good();
        let sheet = std::fs::read(nil.path("sheet")).unwrap();
        assert!(is_whole("spreadsheet", &sheet), "{kind}");
    }
    let one = export(&["athletes", "q=zoe", "--output", "-"]).good().text();
    let none = export(&["athletes", "q=nobody", "--output", "-"]).good().text();
    assert_eq!((one.lines().count(), none.lines().count()), (2, 1), "{one}{none}");
    export(&["deeds"]).refused("validation_failed");
    export(&["athletes", "colour=red"]).refused("unknown_field");
    nil.run(&["export", "athletes", "--as", "nobody@nil.example"]).refused("not_found");
    let told =
        "SELECT COUNT(*) FROM audit_entry WHERE actor = 'operator:1' AND action = 'downloaded'";
    assert!(world.id(told).await >= 18);
}
both!(every_kind_of_record_is_exported_by_its_name);

async fn the_outbox_is_listed_beyond_its_first_page(engine: Engine) {
    let world = World::on(engine).await;
    for number in 0..4 {
        world.partner(&format!("Brand {number}")).await;
    }
    let nil = Nil::beside(&world);
    let list =
        |more: &[&str]| nil.run(&[&["outbox", "list", "--json"][..], more].concat()).good().json();
    let ids = |list: Value| -> Vec<i64> {
        list.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    let all = ids(list(&[]));
    assert!(all.len() > 5, "{all:?}");
    let mut paged = Vec::new();
    loop {
        let before = paged.last().map_or_else(|| i64::MAX.to_string(), i64::to_string);
        let page = ids(list(&["--limit", "2", "--before", &before]));
        if page.is_empty() {
            break;
        }
        paged.extend(page);
    }
    assert_eq!(paged, all);
    nil.run(&["outbox", "list", "--limit", "0"]).misused("is not in 1..");
}
both!(the_outbox_is_listed_beyond_its_first_page);

async fn an_operator_calls_a_back_office_over_http(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let email = world.chief_operator().await;
    let who = format!("operator:{email}");
    let nil = Nil::beside(&world);
    let server = Server::start(world, Frontend::Poem).await;
    let url = format!("http://{}/admin", server.address);
    let ask = |name: &'static str, more: &[&str], password: &str| {
        let call = ["call", name, "--url", &url, "--as", &who, "--password-stdin", "--json"];
        nil.run_reading(&[&call[..], more].concat(), password)
    };
    let saved =
        ask("admin.category.save_sport", &["name=Quidditch"], &format!("{PASSWORD}\n")).good();
    assert_eq!(saved.json()["data"]["name"], "Quidditch");
    ask("admin.athlete.export_csv", &["--output", "sheet"], PASSWORD).good();
    assert!(is_whole("text/csv", &std::fs::read(nil.path("sheet")).unwrap()));
    ask("admin.dashboard.view", &[], "not the password").refused("wrong_credentials");
    let nobody = ["call", "admin.dashboard.view", "--url", &url, "--as", "partner:a@b.example"];
    nil.run(&nobody).misused("operator:EMAIL");
    nil.run(&["call", "admin.dashboard.view", "--url", &url, "--as", &who]).misused("NIL_PASSWORD");
    // Nothing stays open behind a call.
    let open = "SELECT COUNT(*) FROM session WHERE audience = 'admin' AND subject_id IS NOT NULL";
    assert_eq!(server.world.id(open).await, 0);
}
both!(an_operator_calls_a_back_office_over_http);
