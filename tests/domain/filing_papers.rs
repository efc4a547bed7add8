//! Documents of filings and disclosed jobs: what is accepted, who sees it, and downloads.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nil_core::auth::{Caller as _, PortalUser, Principal};
use nil_core::content::sweeping::sweep;
use nil_core::filings::browsing::ShowFiling;
use nil_core::filings::downloading;
use nil_core::kernel::FilingId;
use nil_core::storage::sql;
use nil_tests::{PIXEL, Person, World, a_file, a_filing, both, unpacked};
use serde_json::{Value, json};

const SUBMIT: &str = "compliance.disclosure.submit";
const UPDATE: &str = "compliance.disclosure.update";
const PDF: &[u8] = b"%PDF-1.7\nan agency contract";

async fn school(world: &World) -> (i64, Principal, Person) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    (college, officer, athlete)
}

async fn file(world: &World, officer: &Principal, athlete: &Person, documents: Value) -> Value {
    let filing = a_filing(athlete.id, json!({ "documents": documents }));
    world.call(SUBMIT, officer, filing).await.data()
}

async fn archive(world: &World, who: &Principal, id: &Value) -> BTreeMap<String, Vec<u8>> {
    let name = "compliance.disclosure.download_documents";
    let answer = world.call(name, who, json!({ "id": id })).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.body["data"], format!("athlete-agent-disclosure-{id}.zip"));
    unpacked(&answer.bytes)
}

async fn download(world: &World, who: &Principal, id: &Value) -> u16 {
    let file = world.call("compliance.file.download", who, json!({ "id": id }));
    file.await.status
}

async fn disclose(world: &World, athlete: &Person, over: Value) -> Value {
    let mut deal = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading day",
        "category_id": 9, "amount_cents": 40_000, "compensation": "cash", "signed_on": "2026-11-20",
        "description": "Two readings in the shop.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"],
    });
    for (name, value) in over.as_object().unwrap() {
        deal[name] = value.clone();
    }
    let saved = world.call("core.disclosed_job.save", &athlete.principal, deal);
    saved.await.data()
}

async fn documents_come_back_in_an_archive_with_their_sums(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let filed = file(
        &world,
        &officer,
        &athlete,
        json!([
            a_file("../../=cmd|calc!A1.PDF", PDF),
            a_file("..\\..\\Vertrag – Zoë.png", PIXEL),
            a_file("../../=cmd|calc!A1.PDF", b"%PDF-1.7\nanother"),
            a_file("paid.csv", b"name,cents\nLane,100\n"),
        ]),
    )
    .await;
    let documents = filed["documents"].as_array().unwrap();
    assert_eq!(documents.len(), 4);
    assert_eq!(
        (&documents[0]["name"], &documents[0]["media_type"]),
        (&json!("=cmd_calc!A1.pdf"), &json!("application/pdf"))
    );
    assert!(documents[0].get("object_key").is_none());
    let entries = archive(&world, &officer, &filed["id"]).await;
    let names: Vec<_> = entries.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "documents/01-=cmd_calc!A1.pdf",
            "documents/02-Vertrag – Zoë.png",
            "documents/03-=cmd_calc!A1.pdf",
            "documents/04-paid.csv",
            "manifest.json",
        ]
    );
    assert_eq!(entries["documents/01-=cmd_calc!A1.pdf"], PDF);
    assert_eq!(entries["documents/02-Vertrag – Zoë.png"], PIXEL);
    let manifest: Value = serde_json::from_slice(&entries["manifest.json"]).unwrap();
    let listed = manifest["files"].as_array().unwrap();
    assert_eq!((listed.len(), manifest["documents"].as_array().unwrap().len()), (4, 4));
    for (at, document) in documents.iter().enumerate() {
        let about = &manifest["documents"][at];
        assert_eq!((&about["file"], &about["name"]), (&listed[at]["name"], &document["name"]));
        assert_eq!(listed[at]["bytes"], document["size"]);
        assert_eq!(listed[at]["sha256"], document["sha256"]);
    }
}
both!(documents_come_back_in_an_archive_with_their_sums);

async fn a_filing_without_documents_is_an_archive_with_an_empty_list(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let filed = file(&world, &officer, &athlete, json!([])).await;
    let entries = archive(&world, &officer, &filed["id"]).await;
    assert_eq!(entries.len(), 1);
    let manifest: Value = serde_json::from_slice(&entries["manifest.json"]).unwrap();
    assert_eq!(manifest, json!({ "documents": [], "files": [] }));
}
both!(a_filing_without_documents_is_an_archive_with_an_empty_list);

async fn large_documents_go_through_whole(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let mut large = b"%PDF-1.7\n".to_vec();
    let mut seed = 7_u32;
    large.extend((0..3_000_000).map(|_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u8::try_from(seed >> 24).unwrap()
    }));
    let filed = file(&world, &officer, &athlete, json!([a_file("large.pdf", &large)])).await;
    let entries = archive(&world, &officer, &filed["id"]).await;
    assert_eq!(entries["documents/01-large.pdf"], large);
}
both!(large_documents_go_through_whole);

async fn an_object_that_is_not_what_was_handed_over_breaks_the_archive(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let filed = file(&world, &officer, &athlete, json!([a_file("a.pdf", PDF)])).await;
    let other = hex_of_zeros();
    world.id(&format!("UPDATE stored_file SET sha256 = '{other}' RETURNING id")).await;
    let officer = PortalUser::admit(&officer).unwrap();
    let id = FilingId::new(filed["id"].as_i64().unwrap()).unwrap();
    let sent = world.platform.call(officer, downloading::documents, ShowFiling { id }).await;
    let broken = sent.unwrap().into_bytes().await;
    assert!(broken.is_err(), "whoever takes it sees that it is not whole");
}
both!(an_object_that_is_not_what_was_handed_over_breaks_the_archive);

async fn what_is_no_document_is_refused_by_its_place(world: World) {
    const MIB: usize = 1024 * 1024;
    let (_, officer, athlete) = school(&world).await;
    let good = a_file("a.pdf", PDF);
    let mut claimed = a_file("a.pdf", PIXEL);
    claimed["media_type"] = json!("application/pdf");
    let mut over = b"%PDF-1.7\n".to_vec();
    over.resize(10 * MIB + 1, b' ');
    for (wrong, field) in [
        (a_file("x.html", b"<script>alert(1)</script>"), "documents.1.content"),
        (a_file("x.exe", b"MZ\x90\0\x03"), "documents.1.content"),
        (a_file("x.pdf", b""), "documents.1.content"),
        (a_file("x.pdf", &over), "documents.1.content"),
        (a_file(" ", PDF), "documents.1.name"),
        (claimed, "documents.1.media_type"),
        (json!({ "name": "x.pdf", "content": "not base64!" }), "documents.1.content"),
        (json!({ "name": "x.pdf", "content": 7 }), "documents.1.content"),
        (json!({ "name": "x.pdf" }), "documents.1.content"),
        (json!({ "content": STANDARD.encode(PDF) }), "documents.1.name"),
        (json!("x"), "documents.1"),
        (json!(0), "documents.1"),
        (json!(null), "documents.1"),
        (json!(999_999), "documents"),
    ] {
        let filing = a_filing(athlete.id, json!({ "documents": [good, wrong] }));
        let refused = world.call(SUBMIT, &officer, filing).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.body);
        assert!(refused.body["errors"].get(field).is_some(), "{field}: {}", refused.body);
    }
    let list = world.call("compliance.disclosure.list", &officer, json!({})).await.data();
    assert_eq!(list, json!([]));
    // Just within the limits.
    over.truncate(10 * MIB);
    let most = file(&world, &officer, &athlete, json!([a_file("x.pdf", &over)])).await;
    assert_eq!(most["documents"][0]["size"], 10 * MIB);
    // Refused documents leave nothing behind.
    world.pass(chrono::TimeDelta::hours(25));
    sweep(&world.platform).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    let there = sql("SELECT COUNT(*) FROM stored_file WHERE status <> 'deleted'");
    assert_eq!(session.value::<i64>(there).await.unwrap(), 1);
}
both!(what_is_no_document_is_refused_by_its_place);

async fn documents_are_replaced_and_those_that_were_filed_stay(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let filed =
        file(&world, &officer, &athlete, json!([a_file("a.pdf", PDF), a_file("b.png", PIXEL)]))
            .await;
    let (id, a, b) = (&filed["id"], &filed["documents"][0]["id"], &filed["documents"][1]["id"]);
    let change = |documents: Value| json!({ "id": id, "documents": documents });
    let kept = world.call(UPDATE, &officer, change(json!([b, b]))).await.data();
    assert_eq!((&kept["documents"].as_array().unwrap().len(), &kept["version"]), (&1, &json!(2)));
    // A draft drops the documents it does not name.
    assert_eq!(
        (download(&world, &officer, a).await, download(&world, &officer, b).await),
        (404, 200)
    );
    let back = world.call(UPDATE, &officer, change(json!([a, b]))).await;
    assert_eq!(back.status, 422, "{}", back.body);
    world.call(UPDATE, &officer, json!({ "id": id, "submit": true })).await.data();
    world.call(UPDATE, &officer, json!({ "id": id, "decision": "acknowledge" })).await.data();
    let newer = world.call(UPDATE, &officer, change(json!([a_file("c.pdf", PDF)]))).await.data();
    let c = &newer["documents"][0]["id"];
    assert_eq!((&newer["status"], &newer["version"]), (&json!("acknowledged"), &json!(5)));
    assert_eq!(newer["history"][0]["before"], json!({ "documents": [b] }));
    assert_eq!(newer["history"][0]["after"], json!({ "documents": [c] }));
    assert_eq!(
        (download(&world, &officer, b).await, download(&world, &officer, c).await),
        (200, 200)
    );
    world.pass(chrono::TimeDelta::days(3));
    sweep(&world.platform).await.unwrap();
    assert_eq!(download(&world, &officer, b).await, 200);
    assert_eq!(archive(&world, &officer, id).await.len(), 2);
}
both!(documents_are_replaced_and_those_that_were_filed_stay);

async fn documents_are_the_institutions_and_nobody_elses(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let elsewhere = world.portal_user(world.college().await, "owner").await.0;
    let filed = file(&world, &officer, &athlete, json!([a_file("a.pdf", PDF)])).await;
    let document = &filed["documents"][0]["id"];
    assert_eq!(download(&world, &officer, document).await, 200);
    assert_eq!(download(&world, &elsewhere, document).await, 404);
    for person in [&athlete, &world.fan("Robin Hill").await] {
        let own =
            world.call("core.file.download", &person.principal, json!({ "id": document })).await;
        assert_eq!((own.status, own.code()), (404, "not_found"));
        let gone =
            world.call("core.file.delete", &person.principal, json!({ "id": document })).await;
        assert_eq!((gone.status, gone.code()), (404, "not_found"));
    }
    let mut other_sport = officer.clone();
    if let Principal::Portal { sports, .. } = &mut other_sport {
        *sports = vec![nil_core::kernel::SportId::new(2).unwrap()];
    }
    assert_eq!(download(&world, &other_sport, document).await, 404);
    world.call("compliance.disclosure.delete", &officer, json!({ "id": filed["id"] })).await.data();
    assert_eq!(download(&world, &officer, document).await, 404);
}
both!(documents_are_the_institutions_and_nobody_elses);

async fn a_file_of_a_record_one_may_see_can_be_a_document(world: World) {
    let (_, officer, athlete) = school(&world).await;
    let (shown, spare) =
        (world.file(&athlete, "shown.png").await, world.file(&athlete, "spare.png").await);
    disclose(&world, &athlete, json!({ "documents": [shown] })).await;
    let filing = a_filing(athlete.id, json!({ "documents": [spare] }));
    let refused = world.call(SUBMIT, &officer, filing).await;
    assert_eq!(refused.status, 422);
    assert!(refused.body["errors"].get("documents").is_some(), "{}", refused.body);
    let filed = file(&world, &officer, &athlete, json!([shown, a_file("b.pdf", PDF), shown])).await;
    assert_eq!(filed["documents"][0]["id"], shown);
    assert_eq!(filed["documents"].as_array().unwrap().len(), 2);
    // Another institution cannot reach it by its id.
    let college = world.college().await;
    let elsewhere = world.portal_user(college, "owner").await.0;
    let theirs = world.athlete_of("Ida Novak", college).await;
    let filing = a_filing(theirs.id, json!({ "documents": [shown] }));
    let refused = world.call(SUBMIT, &elsewhere, filing).await;
    let nobodys = a_filing(theirs.id, json!({ "documents": [999_999] }));
    let nobodys = world.call(SUBMIT, &elsewhere, nobodys).await;
    assert_eq!((refused.status, &refused.body["errors"]), (422, &nobodys.body["errors"]));
    let kept = world.call("core.file.delete", &athlete.principal, json!({ "id": shown })).await;
    assert_eq!((kept.status, kept.code()), (409, "file_in_use"));
}
both!(a_file_of_a_record_one_may_see_can_be_a_document);

async fn the_contract_of_a_disclosed_job_is_its_document_or_a_summary(world: World) {
    const NAME: &str = "compliance.contract.download_disclosed";
    let (college, officer, athlete) = school(&world).await;
    let viewer = world.portal_user(college, "viewer").await.0;
    let (a, b) = (world.file(&athlete, "a.png").await, world.file(&athlete, "b.png").await);
    let one = disclose(&world, &athlete, json!({ "documents": [a] })).await;
    let two = disclose(&world, &athlete, json!({ "documents": [b, a] })).await;
    let none = disclose(
        &world,
        &athlete,
        json!({ "title": "Lesung – ünïcode", "description": "Line one\n\nLine two" }),
    )
    .await;
    let draft = disclose(&world, &athlete, json!({ "draft": true })).await;
    let which = |job: &Value| json!({ "athlete_id": athlete.id, "disclosed_job_id": job["id"] });
    let single = world.call(NAME, &viewer, which(&one)).await;
    assert_eq!(
        (single.status, &*single.bytes, &single.body["data"]),
        (200, PIXEL, &json!("a.png"))
    );
    let both = world.call(NAME, &officer, which(&two)).await;
    let entries = unpacked(&both.bytes);
    let names: Vec<_> = entries.keys().map(String::as_str).collect();
    assert_eq!(names, ["documents/01-b.png", "documents/02-a.png", "manifest.json"]);
    let paper = world.call(NAME, &viewer, which(&none)).await;
    assert_eq!(paper.body["data"], format!("disclosed-job-{}.pdf", none["id"]));
    assert!(paper.bytes.starts_with(b"%PDF-"), "a PDF");
    assert_eq!(
        world.call(NAME, &viewer, which(&none)).await.bytes,
        paper.bytes,
        "the same every time"
    );

    let other = world.athlete_of("Ida Novak", college).await;
    let elsewhere = world.portal_user(world.college().await, "owner").await.0;
    let wrong = json!({ "athlete_id": other.id, "disclosed_job_id": one["id"] });
    for (who, input) in [
        (&viewer, which(&draft)),
        (&elsewhere, which(&one)),
        (&viewer, wrong),
        (&viewer, json!({ "athlete_id": athlete.id, "disclosed_job_id": 999_999 })),
    ] {
        let refused = world.call(NAME, who, input).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found"));
    }
    let mut session = world.platform.db().read().await.unwrap();
    let trail = sql("SELECT COUNT(*) FROM audit_entry WHERE action = 'contract_downloaded'");
    assert_eq!(session.value::<i64>(trail).await.unwrap(), 4);
}
both!(the_contract_of_a_disclosed_job_is_its_document_or_a_summary);

fn hex_of_zeros() -> String {
    "0".repeat(64)
}
