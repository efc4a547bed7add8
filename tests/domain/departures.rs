//! A person leaves: what refuses it, what ends with it, and that nothing personal remains but what
//! the list of retention names.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::departures::retention;
use nil_core::kernel::PayoutId;
use nil_core::notifications::outbox;
use nil_core::payments::sandbox;
use nil_core::worker;
use nil_tests::{Answer, Engine, PASSWORD, Person, World, a_file, a_filing, both};
use serde_json::{Value, json};

pub(crate) const CLOSE: &str = "core.account.close";

pub(crate) async fn close(world: &World, who: &Person) -> Answer {
    world.call(CLOSE, &who.principal, json!({ "password": PASSWORD })).await
}

/// What the refusal names as left.
pub(crate) fn left(refusal: &Answer) -> Vec<&str> {
    assert_eq!((refusal.status, refusal.code()), (409, "account_not_settled"), "{}", refusal.body);
    let left = refusal.body["data"]["left"].as_array().unwrap().iter();
    left.map(|one| one["what"].as_str().unwrap()).collect()
}

/// Pays the athlete's wallet out, all the way to the bank.
pub(crate) async fn paid_out(world: &World, athlete: &Person) {
    world.can_receive(athlete).await;
    let finance = world.operator(&[Permission::Finance]);
    let payout = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
    let id = PayoutId::new(payout.data()["id"].as_i64().unwrap()).unwrap();
    assert!(sandbox::let_arrive(&world.platform, id).await.unwrap());
}

#[tokio::test]
async fn every_column_of_sqlite_and_postgres_is_classified() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let columns = World::on(engine).await.columns().await;
        let there: BTreeSet<(String, String)> =
            columns.into_iter().map(|column| (column.table, column.name)).collect();
        let named: BTreeSet<(String, String)> = retention::tables()
            .flat_map(|table| table.names().map(|name| (table.table.to_owned(), name.to_owned())))
            .collect();
        let missing: Vec<_> = there.difference(&named).collect();
        let gone: Vec<_> = named.difference(&there).collect();
        assert!(missing.is_empty(), "{engine:?}: say what becomes of {missing:?}");
        assert!(gone.is_empty(), "{engine:?}: there is no {gone:?}");
    }
}

async fn only_the_right_password_closes_an_account_and_it_is_gone(world: World) {
    let fan = world.fan("Casey Field").await;
    let wrong = json!({ "password": "another passphrase" });
    let wrong = world.call(CLOSE, &fan.principal, wrong).await;
    assert_eq!((wrong.status, wrong.code()), (422, "validation_failed"));
    assert_eq!(wrong.body["errors"]["password"], json!(["is not your password"]));
    let token = fan.token.as_deref().unwrap();
    assert!(world.platform.authenticate_core(token).await.is_ok());

    let closed = close(&world, &fan).await.data();
    assert_eq!(
        closed,
        json!({
            "user_id": fan.user_id, "kind": "fan", "status": "deactivated",
            "left_at": "2026-11-20T12:00:00Z",
        })
    );
    assert!(world.platform.authenticate_core(token).await.is_err());
    let log_in = json!({ "email": fan.email, "password": PASSWORD });
    let log_in = world.call("core.auth.log_in", &Principal::Anonymous, log_in).await;
    assert_eq!((log_in.status, log_in.code()), (401, "wrong_credentials"));
    let taken = json!({ "email": fan.email });
    let taken = world.call("core.auth.check_email", &Principal::Anonymous, taken).await.data();
    assert_eq!(taken["available"], true);
    // A request that was under way is too late.
    let again = close(&world, &fan).await;
    assert_eq!(again.status, 422, "{}", again.body);
}
both!(only_the_right_password_closes_an_account_and_it_is_gone);

async fn everything_that_is_left_is_named_at_once(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    let order = world.order(&brand, &athlete).await;
    let refused = close(&world, &athlete).await;
    assert_eq!(left(&refused), ["contracts", "orders", "owed"]);
    assert_eq!(refused.body["data"]["left"][2]["amount_cents"], 5_000);
    assert!(refused.body["message"].as_str().unwrap().contains("contracts under way (1)"));
    assert_eq!(left(&close(&world, &brand).await), ["contracts", "orders", "owed"]);
    let cancel = json!({ "id": order, "reason": "Too late." });
    world.call("core.service_order.cancel", &brand.principal, cancel).await.data();
    world.pay(&brand, &athlete, &deal).await;
    assert_eq!(left(&close(&world, &athlete).await), ["wallet"]);
    let finance = world.operator(&[Permission::Finance]);
    world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await.data();
    assert_eq!(left(&close(&world, &athlete).await), ["payouts"]);
    // Nothing was changed by the refusals.
    let me = world.call("core.auth.me", &athlete.principal, json!({})).await.data();
    assert_eq!(
        (&me["status"], &me["profile"]["display_name"]),
        (&json!("active"), &json!("Jordan Lake"))
    );
    close(&world, &brand).await.data();
    world.books_are_right().await;
}
both!(everything_that_is_left_is_named_at_once);

async fn what_needs_nobody_else_ends_with_the_athlete(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("Lane Agency").await;
    let other = world.agent("North Agency").await;
    world.represent(&agent, &athlete, 500).await;
    world.invite(&other, &athlete, 700).await;
    let applied = world.open_job(&brand, json!({})).await;
    let invited = world.open_job(&brand, json!({})).await;
    world.apply(&athlete, applied).await;
    let invite = json!({ "job_id": invited, "athlete_ids": [athlete.id] });
    world.call("core.application.invite_bulk", &brand.principal, invite).await.data();
    close(&world, &athlete).await.data();
    let count = async |text: &'static str| world.id(text).await;
    assert_eq!(count("SELECT COUNT(*) FROM application WHERE status = 'withdrawn'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM application WHERE status = 'declined'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM representation WHERE status = 'ended'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM representation WHERE status = 'declined'").await, 1);
    assert_eq!(count("SELECT COUNT(*) FROM representation WHERE email IS NOT NULL").await, 0);
    let hire = json!({ "id": world.id("SELECT MIN(id) FROM application").await });
    let hire = world.call("core.application.hire", &brand.principal, hire).await;
    assert_eq!((hire.status, hire.code()), (409, "illegal_transition"));
    let athletes = json!({});
    let athletes = world.call("core.athlete.search", &brand.principal, athletes).await.data();
    assert_eq!(athletes, json!([]));
}
both!(what_needs_nobody_else_ends_with_the_athlete);

/// Texts that are the athlete's alone.
const NEEDLES: &[&str] = &[
    "zephyrine",
    "quillfeather",
    "3125550177",
    "2004-02-29",
    "needleville",
    "lighthouse",
    "zephquill",
    "unicycle",
    "marmalade",
    "pelican",
    "quillphone",
];

/// An athlete with something in every corner; returns them, the brand, the job, and the contract as
/// the brand reads it.
async fn a_full_life(world: &World) -> (Person, Person, i64, Vec<u8>) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let brand = world.paying_partner("Cedar Coffee").await;
    let zoe = world.athlete_of("Zephyrine Quillfeather", college).await;
    let operator = world.operator(&[Permission::Accounts]);
    let call =
        async |name: &str, who: &Principal, input: Value| world.call(name, who, input).await.data();
    let origins = json!({
        "id": zoe.id, "phone": "312 555 0177", "date_of_birth": "2004-02-29",
    });
    call("admin.athlete.save", &operator, origins).await;
    let photo = world.file(&zoe, "quillfeather.png").await;
    let edit = json!({
        "bio": "I paint lighthouses.", "hometown_city": "Needleville", "hometown_state": "IL",
        "tags": ["lighthouse"], "photo_file_id": photo, "position": "Guard",
        "socials": [{ "platform": "instagram", "handle": "@zephquill", "followers": 12_000 }],
    });
    call("core.athlete.edit", &zoe.principal, edit).await;
    let phone = json!({ "token": "token-of-quillphone", "platform": "ios", "name": "Quillphone" });
    call("core.device.save", &zoe.principal, phone).await;
    call("core.athlete.set_visa_status", &zoe.principal, json!({ "status": "none" })).await;
    world.offer(&zoe, json!({ "title": "Unicycle lesson" })).await;
    let agent = world.agent("Lane Agency").await;
    world.represent(&agent, &zoe, 500).await;
    let fan = world.fan("Casey Field").await;
    call("core.fan.follow_athlete", &fan.principal, json!({ "athlete_id": zoe.id })).await;

    let deal = world.approved_deal(&brand, &zoe, &[5_000]).await;
    let second = world.open_job(&brand, json!({ "title": "Second" })).await;
    let pitch = json!({ "job_id": second, "pitch": "I ride a unicycle." });
    call("core.application.apply", &zoe.principal, pitch).await;
    let folder = json!({ "job_id": deal.job_id, "athlete_id": zoe.id, "note": "My unicycle." });
    let mut passport = a_file("quillfeather-passport.txt", b"I am Zephyrine Quillfeather.");
    passport.as_object_mut().unwrap().extend(folder.as_object().unwrap().clone());
    call("core.deal_folder.add", &zoe.principal, passport).await;
    let talk = json!({ "user_id": brand.user_id, "text": "I like marmalade." });
    call("core.chat.send", &zoe.principal, talk).await;
    let support = call("core.chat.open_support", &zoe.principal, json!({})).await;
    let help = json!({ "conversation_id": support["id"], "text": "A pelican ate my card." });
    world.call("core.chat.send", &zoe.principal, help).await;
    let question = json!({ "text": "Where is my unicycle?", "job_id": deal.job_id });
    call("core.assistant.chat", &zoe.principal, question).await;
    let draft = json!({ "job_id": deal.job_id, "draft_text": "May I bring a unicycle?" });
    call("core.assistant.save_clarification_draft", &zoe.principal, draft).await;
    let filing = a_filing(zoe.id, json!({ "submit": true }));
    world.call("compliance.disclosure.submit", &officer, filing).await;
    worker::round(&world.platform).await.unwrap();
    world.pay(&brand, &zoe, &deal).await;
    paid_out(world, &zoe).await;
    worker::round(&world.platform).await.unwrap();
    let paper = contract(world, &brand, deal.job_id).await;
    (zoe, brand, deal.job_id, paper)
}

async fn contract(world: &World, brand: &Person, job: i64) -> Vec<u8> {
    let paper = json!({ "job_id": job });
    let paper = world.call("core.contract.download", &brand.principal, paper).await;
    assert_eq!(paper.status, 200, "{}", paper.body);
    paper.bytes
}

/// The bytes of every object, also of those that were set aside.
fn objects(world: &World) -> Vec<Vec<u8>> {
    fn collect(folder: &Path, all: &mut Vec<Vec<u8>>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, all);
            } else {
                all.push(std::fs::read(path).unwrap());
            }
        }
    }
    let mut all = Vec::new();
    collect(&world.platform.config().data.join("objects"), &mut all);
    all
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.to_ascii_lowercase().windows(text.len()).any(|part| part == text.as_bytes())
}

async fn nothing_personal_is_left_but_what_the_list_names(world: World) {
    let (zoe, brand, job, before) = a_full_life(&world).await;
    // The life reaches the places that are looked at.
    let found = world.places_of(NEEDLES).await;
    for needle in NEEDLES {
        assert!(found.iter().any(|(.., text)| text == needle), "{needle} is nowhere");
    }
    assert!(objects(&world).iter().any(|object| contains(object, "quillfeather")));

    close(&world, &zoe).await.data();
    assert_eq!(objects(&world).len(), 0, "the work had no files");
    // An hour later it is erased again; after the outbox's days only the newest message is left.
    for days in [1, 8, 33] {
        world.pass(TimeDelta::days(days));
        worker::round(&world.platform).await.unwrap();
    }
    world.fan("Someone Else").await;
    world.pass(TimeDelta::minutes(2));
    worker::round(&world.platform).await.unwrap();

    let mut kept = BTreeSet::new();
    for (table, column, text) in world.places_of(NEEDLES).await {
        let classified = retention::tables().find(|known| known.table == table).unwrap();
        assert!(classified.keeps(&column), "{table}.{column} still contains {text}");
        let named = ["zephyrine", "quillfeather"].contains(&text.as_str());
        assert!(!named || table != "notification", "a notification still names the athlete");
        kept.insert(format!("{table}.{column}"));
    }
    let kept: Vec<&str> = kept.iter().map(String::as_str).collect();
    assert_eq!(
        kept,
        [
            "athlete_agent_filing.search_text",
            "contract.terms",
            "contract_assent.name",
            "message.text",
            "notification.body",
            "notification.data",
        ]
    );
    let letters = outbox::list(&world.platform, 1_000).await.unwrap();
    for text in NEEDLES {
        let opened = letters.iter().filter_map(|row| row.body.as_deref());
        assert_eq!(opened.filter(|body| body.to_lowercase().contains(text)).count(), 0, "{text}");
    }
    // The books balance, the brand still reads its contract and its messages, the trail holds.
    world.books_are_right().await;
    assert!(!before.is_empty());
    assert_eq!(contract(&world, &brand, job).await.len(), before.len());
    let talks = world.call("core.chat.conversations", &brand.principal, json!({})).await.data();
    assert!(talks.to_string().contains("Former athlete"), "{talks}");
    let mut session = world.platform.db().read().await.unwrap();
    let chain = nil_core::operation::chain::verify_chain(&mut session).await.unwrap();
    assert_eq!(chain.broken_at, None);
}
both!(nothing_personal_is_left_but_what_the_list_names);

async fn a_minor_takes_the_guardian_along(world: World) {
    let minor = world.minor("Zephyrine Quillfeather").await;
    let copied = "SELECT COUNT(*) FROM guardian";
    assert_eq!(world.id(copied).await, 1);
    close(&world, &minor).await.data();
    assert_eq!(world.id(copied).await, 0);
    assert_eq!(
        world.id("SELECT COUNT(*) FROM link_token WHERE purpose = 'guardian_consent'").await,
        0
    );
    let again = world.minor("Zephyrine Quillfeather").await;
    assert_ne!(again.id, minor.id);
}
both!(a_minor_takes_the_guardian_along);

/// The files of the database and what stands beside it.
fn files_of(world: &World) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let (_, location) = world.environment()[0].clone();
    let file = location.strip_prefix("sqlite:").expect("a file").to_owned();
    let names = ["", "-wal", "-shm"].map(|end| format!("{file}{end}"));
    let there = names.into_iter().map(std::path::PathBuf::from).filter(|path| path.exists());
    there.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Which of the words stand in a file, whatever their case.
fn found_in(world: &World, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, bytes) in files_of(world) {
        let bytes = bytes.to_ascii_lowercase();
        for word in words {
            if bytes.windows(word.len()).any(|part| part == word.as_bytes()) {
                found.push(format!("{word} in {}", path.display()));
            }
        }
    }
    found
}

#[tokio::test]
async fn what_is_erased_stands_in_no_file_of_sqlite() {
    let mut world = World::on(Engine::Sqlite).await;
    let athlete = world.athlete("Zephyrine Quillfeather").await;
    let other = world.partner("Cedar Coffee").await;
    for text in ["Kingfisher lagoons.", "Obsidian marmalade.", "Wintergreen hammocks."] {
        let edit = json!({ "bio": format!("{text} {}", "And more of it. ".repeat(100)) });
        world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    }
    let said = json!({ "user_id": athlete.user_id, "text": "Hello, periwinkle saxophone." });
    world.call("core.chat.send", &other.principal, said).await;
    worker::round(&world.platform).await.unwrap();
    let address = athlete.email.clone();
    let words = [
        "kingfisher",
        "obsidian",
        "wintergreen",
        "zephyrine",
        "quillfeather",
        address.as_str(),
        // What the index of words has of them.
        "agoons",
        "armalade",
        "ammocks",
    ];
    assert!(!found_in(&world, &["wintergreen"]).is_empty(), "the test looks where the data is");
    assert_eq!(close(&world, &athlete).await.status, 200);
    assert_eq!(found_in(&world, &["kingfisher", "obsidian", "wintergreen"]), [""; 0]);
    // The worker erases once more, and forgets the names.
    world.pass(TimeDelta::hours(2));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(found_in(&world, &words), [""; 0]);
    let log = files_of(&world).into_iter().find(|(path, _)| path.ends_with("-wal"));
    assert!(log.is_none_or(|(_, bytes)| bytes.is_empty()));
    // A server that stops leaves nothing in the log, although another process has the file open.
    let edit = json!({ "company_name": "Marigold Turbines" });
    world.call("core.partner.edit", &other.principal, edit).await;
    let replica = world.replica().await;
    world.platform.db().ping().await.unwrap();
    world.platform.close().await;
    let logged =
        files_of(&world).into_iter().filter(|(path, _)| path.to_string_lossy().ends_with("-wal"));
    assert_eq!(logged.map(|(_, bytes)| bytes.len()).sum::<usize>(), 0);
    drop(replica);
    world.reopen(|_| {}).await;
}

async fn exports_made_before_are_withdrawn(world: World) {
    let athlete = world.athlete("Zephyrine Quillfeather").await;
    let other = world.fan("Casey Field").await;
    let chief = world.new_operator("chief@nil.example", Permission::All).await;
    let asked = json!({ "kind": "athletes", "format": "csv" });
    let queued = world.call("admin.export.request", &chief, asked.clone()).await.data();
    worker::round(&world.platform).await.unwrap();
    let code = json!({ "code": queued["code"] });
    assert_eq!(world.call("admin.export.download", &chief, code.clone()).await.status, 200);
    assert_eq!(close(&world, &athlete).await.status, 200);
    let gone = world.call("admin.export.download", &chief, code).await;
    assert_eq!((gone.status, gone.code()), (410, "export_expired"));
    assert_eq!(
        world.id("SELECT COUNT(*) FROM export_report WHERE object_key IS NOT NULL").await,
        0
    );
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'export_withdrawn'";
    assert_eq!(world.id(noted).await, 1);
    // One that is being written begins anew, and what was queued is made.
    let queued = world.call("admin.export.request", &chief, asked).await.data();
    world.script("UPDATE export_report SET status = 'processing', attempt = 1, due_at = '2026-11-20T13:00:00+00:00' WHERE status = 'queued'").await;
    assert_eq!(close(&world, &other).await.status, 200);
    assert_eq!(world.id("SELECT attempt FROM export_report WHERE status = 'queued'").await, 0);
    worker::round(&world.platform).await.unwrap();
    let code = json!({ "code": queued["code"] });
    assert_eq!(world.call("admin.export.download", &chief, code).await.status, 200);
}
both!(exports_made_before_are_withdrawn);
