//! Queued exports: requested, made once whatever happens to a server, downloaded by their operator,
//! deleted.

use std::io;
use std::sync::Arc;

use calamine::{Data, Reader as _, Xlsx};
use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{Password, UserId};
use nil_core::seed::{self, Size};
use nil_core::storage::sql;
use nil_core::worker::{Round, round};
use nil_tests::shaky::{Shaky, Trouble};
use nil_tests::{Answer, Engine, PASSWORD, World, both, or_long};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::delivery::with_a_courier;
use crate::departures::close;

const KINDS: [&str; 8] =
    ["athletes", "partners", "agents", "jobs", "payments", "payouts", "disclosures", "audit"];

/// A world with a store that can fail, and an operator who exports.
async fn with_a_shaky_store(engine: Engine) -> (World, Arc<Shaky>, Principal) {
    let (world, store) = Shaky::world(engine, |_| ()).await;
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    (world, store, me)
}

/// Lets a worker begin what is queued, until its file is on the way to the store and waits there.
pub(crate) async fn stalled(world: &World, store: &Shaky) -> JoinHandle<nil_core::Result<Round>> {
    store.suffer(Some(Trouble::Stalls));
    let platform = world.platform.clone();
    let making = tokio::spawn(async move { round(&platform).await });
    store.reached().await;
    making
}

async fn ask(world: &World, who: &Principal, input: Value) -> Answer {
    world.call("admin.export.request", who, input).await
}

/// Requests an export; returns its code.
async fn request(world: &World, who: &Principal, kind: &str, format: &str) -> String {
    let report = ask(world, who, json!({ "kind": kind, "format": format })).await.data();
    assert_eq!((&report["status"], &report["rows"]), (&json!("queued"), &json!(0)));
    report["code"].as_str().unwrap().to_owned()
}

async fn download(world: &World, who: &Principal, code: &str) -> Answer {
    world.call("admin.export.download", who, json!({ "code": code })).await
}

async fn work(world: &World) -> usize {
    round(&world.platform).await.unwrap().exports
}

/// The lines of a CSV behind the titles.
fn lines(answer: &Answer) -> Vec<csv::StringRecord> {
    csv::Reader::from_reader(&*answer.bytes).records().map(Result::unwrap).collect()
}

async fn every_kind_becomes_a_file(world: World) {
    world.athlete("=Zoe Okafor").await;
    world.partner("Cedar Coffee").await;
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let mut codes = Vec::new();
    for kind in KINDS {
        for format in ["csv", "xlsx"] {
            codes.push((kind, format, request(&world, &me, kind, format).await));
            if codes.len() % 8 == 0 {
                assert_eq!(work(&world).await, 8);
            }
        }
    }
    for (kind, format, code) in codes {
        let file = download(&world, &me, &code).await;
        assert_eq!(file.body["data"], format!("{kind}-2026-11-20.{format}"), "{}", file.body);
        let (rows, of) = (format!("SELECT rows FROM export_report WHERE code = '{code}'"), kind);
        let counted = usize::try_from(world.id(&rows).await).unwrap();
        let read = if format == "csv" {
            lines(&file).len()
        } else {
            let mut book = Xlsx::new(io::Cursor::new(file.bytes)).unwrap();
            book.worksheet_range_at(0).unwrap().unwrap().height() - 1
        };
        assert_eq!(read, counted, "{of} as {format}");
        let some = ["athletes", "partners", "audit"].contains(&kind);
        assert_eq!(counted > 0, some, "{kind}");
    }
}
both!(every_kind_becomes_a_file);

async fn an_export_belongs_to_its_operator_and_ends_after_a_week(engine: Engine) {
    let (world, courier) = with_a_courier(engine).await;
    world.athlete("Zoe Okafor").await;
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let other = world.new_operator("other@example.com", Permission::Reports).await;
    let chief = world.new_operator("chief@example.com", Permission::All).await;
    let code = request(&world, &me, "athletes", "csv").await;

    let early = download(&world, &me, &code).await;
    assert_eq!((early.status, early.code()), (409, "not_ready"));
    assert_eq!(early.body["data"], json!({ "status": "queued", "rows": 0 }));
    let counts = world.call("admin.export.process", &other, json!({})).await.data();
    assert_eq!(counts, json!({ "made": 1, "queued": 0, "processing": 0, "ready": 1, "failed": 0 }));
    let again = world.call("admin.export.process", &me, json!({})).await.data();
    assert_eq!((&again["made"], &again["ready"]), (&json!(0), &json!(1)));

    for stranger in [&other, &Principal::Anonymous] {
        assert!([401, 404].contains(&download(&world, stranger, &code).await.status));
    }
    for may in [&me, &chief] {
        assert_eq!(lines(&download(&world, may, &code).await).len(), 1);
    }
    work(&world).await;
    let mails: Vec<_> =
        courier.handed().into_iter().filter(|mail| mail.to == "ops@example.com").collect();
    let [mail] = &mails[..] else { panic!("{mails:?}") };
    assert!(mail.body.contains("athletes-2026-11-20.csv"), "{mail:?}");
    assert!(mail.body.contains(&format!("/admin/export-report/{code}")), "{mail:?}");

    world.pass(TimeDelta::days(7));
    let late = download(&world, &me, &code).await;
    assert_eq!((late.status, late.code()), (410, "export_expired"));
    assert_eq!(world.objects().await, 1);
    work(&world).await;
    assert_eq!(world.objects().await, 0);
    assert_eq!(download(&world, &me, &code).await.code(), "export_expired");
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'export_report'";
    assert_eq!(world.id(noted).await, 5, "requested, ready, downloaded twice, deleted");
    world.pass(TimeDelta::days(91));
    work(&world).await;
    assert_eq!(download(&world, &me, &code).await.code(), "not_found");
}
both!(an_export_belongs_to_its_operator_and_ends_after_a_week);

async fn operators_see_how_far_their_own_exports_are(world: World) {
    const LIST: &str = "admin.export.list";
    world.athlete("Zoe Okafor").await;
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let other = world.new_operator("other@example.com", Permission::Reports).await;
    let first = request(&world, &me, "athletes", "csv").await;
    assert_eq!(work(&world).await, 1);
    request(&world, &other, "payments", "csv").await;
    let second = request(&world, &me, "jobs", "xlsx").await;
    // A copy of somebody's data is no operator's export.
    let athlete = world.athlete("Ida Novak").await;
    world.call("core.account.request_takeout", &athlete.principal, json!({})).await.data();

    let list = async |input: Value| world.call(LIST, &me, input).await.data();
    let all = list(json!({})).await;
    let shown: Vec<_> =
        all.as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(shown, [second.as_str(), &first]);
    let told = |one: &Value| {
        let fields = ["kind", "format", "status", "rows", "name", "available"];
        fields.map(|field| one[field].clone())
    };
    let waits = json!(["jobs", "xlsx", "queued", 0, null, false]);
    assert_eq!(json!(told(&all[0])), waits);
    assert_eq!((&all[0]["size"], &all[0]["expires_at"]), (&Value::Null, &Value::Null));
    let name = "athletes-2026-11-20.csv";
    assert_eq!(json!(told(&all[1])), json!(["athletes", "csv", "ready", 1, name, true]));
    let file = download(&world, &me, &first).await;
    assert_eq!(all[1]["size"], file.bytes.len());
    for (input, found) in [
        (json!({ "status": "ready" }), &all[1]),
        (json!({ "status": "queued" }), &all[0]),
        (json!({ "q": "athletes-" }), &all[1]),
        (json!({ "sort": "created_at", "per_page": 1 }), &all[1]),
    ] {
        assert_eq!(list(input.clone()).await, json!([found]), "{input}");
    }
    assert_eq!(world.call(LIST, &me, json!({ "status": "lost" })).await.status, 422);
    world.pass(TimeDelta::days(7));
    let late = list(json!({ "status": "ready" })).await;
    assert_eq!(late[0]["available"], false, "its time is over");
    let chief = world.new_operator("chief@example.com", Permission::All).await;
    assert_eq!(
        world.call(LIST, &chief, json!({})).await.data(),
        json!([]),
        "others are not theirs"
    );
    let stranger = world.operator(&[Permission::Finance]);
    assert_eq!(world.call(LIST, &stranger, json!({})).await.status, 403);
}
both!(operators_see_how_far_their_own_exports_are);

async fn filters_select_or_are_refused(world: World) {
    let zoe = world.athlete("Zoe Okafor").await;
    world.athlete("Ana Silva").await;
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    for (kind, filters, field) in [
        ("athletes", json!({ "status": "asleep" }), "filters.status"),
        ("athletes", json!({ "from": "2026-01-01" }), "filters.from"),
        ("payouts", json!({ "q": "Zoe" }), "filters.q"),
        ("audit", json!({ "status": "active" }), "filters.status"),
        ("jobs", json!({ "from": "2026-02-01", "to": "2026-01-01" }), "filters.to"),
        ("payments", json!({ "from": "2026-02-01", "to": "2026-01-01" }), "filters.to"),
        ("disclosures", json!({ "athlete_id": "x" }), "filters.athlete_id"),
    ] {
        let input = json!({ "kind": kind, "format": "csv", "filters": filters });
        let refused = ask(&world, &me, input).await;
        assert_eq!(refused.status, 422, "{kind}");
        assert!(refused.body["errors"][field].is_array(), "{}", refused.body);
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM export_report").await, 0);

    let actor = format!("athlete:{}", UserId::new(zoe.user_id).unwrap());
    for (kind, filters, rows) in [
        ("athletes", json!({ "q": "okafor" }), 1),
        ("athletes", json!({ "status": "suspended" }), 0),
        ("audit", json!({ "from": "2026-11-21" }), 0),
        ("audit", json!({ "actor": "nobody:1", "subject_kind": actor, "subject_id": 1 }), 0),
    ] {
        let input = json!({ "kind": kind, "format": "csv", "filters": filters });
        let code = ask(&world, &me, input).await.data()["code"].as_str().unwrap().to_owned();
        assert_eq!(work(&world).await, 1);
        assert_eq!(lines(&download(&world, &me, &code).await).len(), rows, "{kind} {filters}");
    }
}
both!(filters_select_or_are_refused);

async fn ten_exports_may_wait(world: World) {
    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let other = world.new_operator("other@example.com", Permission::Reports).await;
    for _ in 0..10 {
        request(&world, &me, "jobs", "csv").await;
    }
    let one_more = ask(&world, &me, json!({ "kind": "jobs", "format": "csv" })).await;
    assert_eq!((one_more.status, one_more.code()), (409, "too_many_exports"));
    request(&world, &other, "jobs", "csv").await;
    assert_eq!(work(&world).await, 11);
    request(&world, &me, "jobs", "csv").await;
}
both!(ten_exports_may_wait);

/// What must be so at the end, whatever happened to the first server.
async fn made_once(world: &World, me: &Principal, code: &str) {
    assert_eq!(lines(&download(world, me, code).await).len(), 1);
    assert_eq!(world.objects().await, 1);
    let ready = "SELECT COUNT(*) FROM audit_entry WHERE action = 'export_ready'";
    assert_eq!(world.id(ready).await, 1);
    assert_eq!(world.told("export.ready").await, 1);
    assert_eq!(world.id("SELECT attempt FROM export_report").await, 2);
}

async fn a_killed_export_is_finished_by_another_server(engine: Engine) {
    let (world, store, me) = with_a_shaky_store(engine).await;
    world.athlete("Zoe Okafor").await;
    let code = request(&world, &me, "athletes", "csv").await;
    let dying = stalled(&world, &store).await;
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());

    let other = world.replica().await;
    assert_eq!(work(&other).await, 0, "it may still be at work");
    assert_eq!(download(&world, &me, &code).await.body["data"]["status"], "processing");
    world.pass(TimeDelta::minutes(1));
    assert_eq!(work(&other).await, 1);
    made_once(&world, &me, &code).await;
}
both!(a_killed_export_is_finished_by_another_server);

async fn a_server_that_wakes_up_too_late_changes_nothing(engine: Engine) {
    let (world, store, me) = with_a_shaky_store(engine).await;
    world.athlete("Zoe Okafor").await;
    let code = request(&world, &me, "athletes", "csv").await;
    let asleep = stalled(&world, &store).await;
    world.pass(TimeDelta::minutes(1));
    assert_eq!(work(&world.replica().await).await, 1);
    store.go_on();
    assert_eq!(asleep.await.unwrap().unwrap().exports, 0);
    made_once(&world, &me, &code).await;
}
both!(a_server_that_wakes_up_too_late_changes_nothing);

/// What is being written when somebody leaves begins anew, however many leave: only failures are
/// counted.
async fn who_leaves_costs_an_export_no_attempt(engine: Engine) {
    let (world, store, me) = with_a_shaky_store(engine).await;
    world.athlete("Zoe Okafor").await;
    let code = request(&world, &me, "athletes", "csv").await;
    let asleep = stalled(&world, &store).await;
    for name in ["Robin Hill", "Casey Field", "Jo Lake"] {
        close(&world, &world.fan(name).await).await.data();
    }
    assert_eq!(work(&world.replica().await).await, 1);
    store.go_on();
    assert_eq!(asleep.await.unwrap().unwrap().exports, 0);
    assert_eq!(lines(&download(&world, &me, &code).await).len(), 1);
    assert_eq!(world.id("SELECT attempt FROM export_report").await, 1);
    assert_eq!(world.objects().await, 1);
}
both!(who_leaves_costs_an_export_no_attempt);

async fn an_export_that_cannot_be_stored_is_given_up(engine: Engine) {
    let (world, store, me) = with_a_shaky_store(engine).await;
    let code = request(&world, &me, "athletes", "csv").await;
    store.suffer(Some(Trouble::Full));
    for status in ["queued", "queued"] {
        assert_eq!(work(&world).await, 0);
        assert_eq!(work(&world).await, 0, "it pauses first");
        assert_eq!(download(&world, &me, &code).await.body["data"]["status"], status);
        world.pass(TimeDelta::seconds(30));
    }
    assert_eq!(work(&world).await, 0);
    let given_up = download(&world, &me, &code).await;
    assert_eq!((given_up.status, given_up.code()), (409, "export_failed"));
    assert_eq!(world.id("SELECT attempt FROM export_report").await, 3);
    assert_eq!(world.objects().await, 0);
    let counts = world.call("admin.export.process", &me, json!({})).await.data();
    assert_eq!((&counts["made"], &counts["failed"]), (&json!(0), &json!(1)));
}
both!(an_export_that_cannot_be_stored_is_given_up);

/// Every cell of a CSV as a spreadsheet shows it: a leading `'` keeps a text from being a formula.
fn shown_cells(answer: &Answer) -> Vec<Vec<String>> {
    let shown = |cell: &str| cell.strip_prefix('\'').unwrap_or(cell).to_owned();
    lines(answer).iter().map(|line| line.iter().map(shown).collect()).collect()
}

/// Every cell of a spreadsheet behind the titles, as text.
fn cells_of_book(answer: Answer) -> Vec<Vec<String>> {
    let mut book = Xlsx::new(io::Cursor::new(answer.bytes)).unwrap();
    let name = book.sheet_names().remove(0);
    assert!(book.worksheet_formula(&name).unwrap().is_empty(), "a formula");
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    sheet.rows().skip(1).map(|row| row.iter().map(cell).collect()).collect()
}

fn cell(cell: &Data) -> String {
    match cell {
        Data::DateTime(at) => {
            let (year, month, day, hour, minute, second, milli) = at.to_ymd_hms_milli();
            assert!(milli < 2, "whole seconds");
            format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
        }
        cell => cell.to_string(),
    }
}

async fn many_rows_read_back_equal(world: World) {
    let athletes = or_long(5_000, 100_000);
    let size = Size { athletes, brands: 4, jobs: 4, institutions: 3, transactions: 10, seed: 7 };
    let password = Password::new(PASSWORD).unwrap();
    seed::fill(&world.platform, size, &password, &mut |_, _| {}).await.unwrap();
    world
        .script(
            "UPDATE athlete SET display_name = CASE id % 4 WHEN 0 THEN '=1+' \
             ELSE '@\"a\", <b> & ' END || CAST(id AS TEXT) WHERE id % 2 = 0",
        )
        .await;
    let mut session = world.platform.db().read().await.unwrap();
    let named: Vec<(i64, String)> =
        session.all(sql("SELECT id, display_name FROM athlete ORDER BY id")).await.unwrap();
    drop(session);

    let me = world.new_operator("ops@example.com", Permission::Reports).await;
    let table = request(&world, &me, "athletes", "csv").await;
    let book = request(&world, &me, "athletes", "xlsx").await;
    assert_eq!(work(&world).await, 2);
    let table = download(&world, &me, &table).await;
    let text = String::from_utf8(table.bytes.clone()).unwrap();
    for formula in [",=1", ",@", "\n=", "\n@", ",\"=", ",\"@"] {
        assert!(!text.contains(formula), "{formula}");
    }
    let (table, book) = (shown_cells(&table), cells_of_book(download(&world, &me, &book).await));
    let read: Vec<(i64, String)> =
        table.iter().map(|row| (row[0].parse().unwrap(), row[1].clone())).collect();
    assert_eq!(read, named);
    assert_eq!(table.len(), book.len());
    for (line, row) in table.iter().zip(&book) {
        assert_eq!(line, row);
    }
}
both!(many_rows_read_back_equal);
