//! A person takes a copy of their data along.

use nil_core::auth::Principal;
use nil_tests::{ATTESTED, Person, World, all_no, both, unpacked};
use serde_json::{Value, json};

use crate::clearing::own;
use crate::departures::close;
use crate::tax_forms::{hand_in, payer, w9};

async fn taken(world: &World, operation: &str, who: &Principal) -> Vec<(String, Vec<u8>)> {
    world.call("core.account.request_takeout", who, json!({})).await.data();
    nil_core::worker::round(&world.platform).await.unwrap();
    let answer = world.call(operation, who, json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    unpacked(&answer.bytes).into_iter().collect()
}

fn file<'a>(files: &'a [(String, Vec<u8>)], name: &str) -> &'a [u8] {
    let found = files.iter().find(|(there, _)| there == name);
    let names: Vec<_> = files.iter().map(|(name, _)| name).collect();
    &found.unwrap_or_else(|| panic!("no {name} among {names:?}")).1
}

fn rows(files: &[(String, Vec<u8>)], area: &str) -> Vec<Value> {
    serde_json::from_slice(file(files, &format!("data/{area}.json"))).unwrap()
}

async fn an_athlete_takes_everything_along(world: World) {
    let brand = world.paying_partner("Cedar <b>Coffee</b>").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let deal = world.approved_deal(&brand, &athlete, &[5_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let edit = json!({ "bio": "<script>alert('bio')</script> & so on" });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    let upload = world.file(&athlete, "shot.png").await;
    let say = async |from: &Person, to: &Person, text: &str| {
        let message = json!({ "user_id": to.user_id, "text": text });
        world.call("core.chat.send", &from.principal, message).await.data();
    };
    say(&athlete, &brand, "Hello <i>there</i>").await;
    say(&brand, &athlete, "Hello back").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let other = world.athlete("Pat Rowe").await;
    let edit = json!({ "bio": "Of somebody else." });
    world.call("core.athlete.edit", &other.principal, edit).await.data();

    let files = taken(&world, "core.athlete.takeout", &athlete.principal).await;
    let profile = rows(&files, "profile");
    assert_eq!(profile[0]["bio"], "<script>alert('bio')</script> & so on");
    assert_eq!(rows(&files, "account")[0]["email"], json!(athlete.email));
    assert_eq!(rows(&files, "contracts").len(), 1);
    assert_eq!(rows(&files, "consents").len(), 1);
    assert_eq!(rows(&files, "deliverables")[0]["status"], "approved");
    assert_eq!(rows(&files, "payments")[0]["amount_cents"], 5_000);
    assert_eq!(rows(&files, "ledger")[0]["account"], format!("athlete:{}:wallet", athlete.id));
    let messages = rows(&files, "messages");
    let by: Vec<_> = messages.iter().map(|one| one["written_by"].as_str().unwrap()).collect();
    assert_eq!(by, ["you", "Cedar <b>Coffee</b>"]);
    assert!(!rows(&files, "notifications").is_empty());
    assert_eq!(rows(&files, "sessions").len(), 1);
    assert!(rows(&files, "audit_trail_profile").iter().any(|row| row["action"] == "edited"));
    let number = rows(&files, "contracts")[0]["number"].as_str().unwrap().to_owned();
    assert!(file(&files, &format!("contracts/{number}.pdf")).starts_with(b"%PDF"));
    assert!(nil_tests::is_pixel(file(&files, &format!("files/{upload}.png"))));
    file(&files, "manifest.json");

    let page = String::from_utf8(file(&files, "index.html").to_vec()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(
        page.contains("&lt;script&gt;alert(&#39;bio&#39;)&lt;/script&gt; &amp; so on"),
        "{page}"
    );
    for wrong in ["<script", "<i>", "<b>", "src=", "Of somebody else", "http://"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    let all: Vec<u8> = files.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    let all = String::from_utf8_lossy(&all);
    assert!(!all.contains("Of somebody else") && !all.contains("password_hash"));
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'takeout'";
    assert_eq!(world.id(noted).await, 1);
}
both!(an_athlete_takes_everything_along);

async fn users_of_every_kind_take_their_data_along(world: World) {
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let agent = world.agent("Lane Agency").await;
    let deal = world.approved_deal_through(&brand, &athlete, Some((&agent, 1_000)), &[5_000]).await;
    world.pay(&brand, &athlete, &deal).await;
    let fan = world.fan("Casey Field").await;
    let follow = json!({ "athlete_id": athlete.id });
    world.call("core.fan.follow_athlete", &fan.principal, follow).await.data();
    for (who, area, many) in [
        (&athlete, "contracts", 1),
        (&athlete, "representations", 1),
        (&brand, "payments", 1),
        (&brand, "cards", 1),
        (&brand, "contracts", 1),
        (&agent, "ledger", 1),
        (&agent, "representations", 1),
        (&fan, "follows", 1),
    ] {
        let files = taken(&world, "core.account.takeout", &who.principal).await;
        assert_eq!(rows(&files, area).len(), many, "{area}");
        assert_eq!(rows(&files, "account").len(), 1);
    }
    let others = world.call("core.athlete.takeout", &fan.principal, json!({})).await;
    assert_eq!(others.status, 403);
    close(&world, &fan).await.data();
}
both!(users_of_every_kind_take_their_data_along);

async fn what_goes_with_deals_and_money_is_taken_along(world: World) {
    let hire = world.active(json!({ "amount_cents": 70_000 })).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let (number, brands) = ("123-45-6789", "12-3456789");
    hand_in(&world, athlete, w9(number)).await.data();
    world.call("core.tax_form.save_payer", &brand.principal, payer(brands)).await.data();
    let id = own(&world, &athlete.principal).await[0]["id"].clone();
    let packet = json!({ "id": id, "business_purpose": "To sell vests.", "association": all_no() });
    world.call("core.clearance.save_packet", &athlete.principal, packet).await.data();
    let submit = json!({ "id": id, "attestations": ATTESTED });
    world.call("core.clearance.submit", &athlete.principal, submit).await.data();
    let mut upload = nil_tests::a_file("plan.png", nil_tests::PIXEL);
    upload["job_id"] = json!(hire.job);
    upload["athlete_id"] = json!(athlete.id);
    let version = world.call("core.deal_folder.add", &brand.principal, upload).await.data();
    let said = json!({ "id": version["id"], "text": "Larger logo, please." });
    world.call("core.deal_folder.comment", &athlete.principal, said).await.data();
    let said = json!({ "id": version["id"], "text": "Only the brand wrote this." });
    world.call("core.deal_folder.comment", &brand.principal, said).await.data();
    world.chief_operator().await;
    let script = format!(
        "INSERT INTO watched_post (deliverable_id, url, live_until, outcome, told, misses, created_at, updated_at) \
         SELECT d.id, 'https://instagram.com/p/1', c.created_at, 'live', 'live', 0, c.created_at, c.created_at \
         FROM deliverable d JOIN contract c ON c.id = d.contract_id WHERE d.athlete_id = {};
         INSERT INTO post_check (post_id, day, outcome, at) \
         SELECT w.id, '2026-11-20', 'live', w.created_at FROM watched_post w; \
         INSERT INTO impersonation (operator_id, user_id, purpose, reason, started_at, expires_at) \
         SELECT o.id, u.id, p.word, 'Case 4711.', c.created_at, (SELECT MAX(expires_at) FROM session) \
         FROM (SELECT MIN(id) AS id FROM operator) o, app_user u, contract c, \
         (SELECT 'support' AS word UNION ALL SELECT 'abuse_investigation') p WHERE u.id = {user}; \
         INSERT INTO session (id, audience, kind, subject_id, profile_id, address, created_at, used_at, expires_at, \
         impersonation_id) SELECT 'an operator', s.audience, s.kind, s.subject_id, s.profile_id, '198.51.100.99', \
         s.created_at, s.used_at, s.expires_at, (SELECT MIN(id) FROM impersonation) FROM session s \
         WHERE s.subject_id = {user} AND s.audience = 'core'",
        athlete.id, user = athlete.user_id
    );
    world.script(&script).await;

    let files = taken(&world, "core.athlete.takeout", &athlete.principal).await;
    let form = &rows(&files, "tax_forms")[0];
    assert_eq!(
        (&form["tin_last4"], &form["street"]),
        (&json!("6789"), &json!("12 College Avenue"))
    );
    assert_eq!(rows(&files, "clearance_packets")[0]["business_purpose"], "To sell vests.");
    let step = &rows(&files, "clearance_steps")[0];
    assert_eq!(
        (&step["step"], &step["packet"]["payer"]["kind"]),
        (&json!("submitted"), &json!("business"))
    );
    let comments = rows(&files, "deal_folder_comments");
    assert_eq!((comments.len(), &comments[0]["text"]), (1, &json!("Larger logo, please.")));
    assert!(!rows(&files, "watched_posts").is_empty());
    assert_eq!(rows(&files, "post_checks")[0]["day"], "2026-11-20");
    // An investigation of abuse is told to nobody, and reasons are for operators.
    let acted = rows(&files, "impersonations");
    assert_eq!((acted.len(), &acted[0]["purpose"]), (1, &json!("support")));
    let brand_files = taken(&world, "core.account.takeout", &brand.principal).await;
    assert_eq!(rows(&brand_files, "tax_forms")[0]["tin_last4"], "6789");
    assert!(!rows(&brand_files, "milestones").is_empty());
    for (_, bytes) in files.iter().chain(&brand_files) {
        let text = String::from_utf8_lossy(bytes);
        for secret in [
            number,
            brands,
            "123456789",
            "4711",
            "abuse_investigation",
            "tin_sealed",
            "198.51.100.99",
        ] {
            assert!(!text.contains(secret), "{secret}");
        }
    }
    let theirs = String::from_utf8_lossy(file(&files, "index.html")).into_owned();
    assert!(!theirs.contains("Only the brand wrote this."));
}
both!(what_goes_with_deals_and_money_is_taken_along);

async fn long_areas_are_read_page_by_page(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    world
        .script(&format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203) \
             INSERT INTO notification (user_id, outbox_id, event, title, body, data, created_at, updated_at) \
             SELECT {}, 100000 + i, 'job.approved', 'Number', 'Text', '{{}}'::jsonb, u.created_at, u.created_at \
             FROM n, app_user u WHERE u.id = {}",
            athlete.user_id, athlete.user_id
        ))
        .await;
    let files = taken(&world, "core.athlete.takeout", &athlete.principal).await;
    let numbers =
        rows(&files, "notifications").iter().filter(|row| row["title"] == "Number").count();
    assert_eq!(numbers, 1_203);
    let page = String::from_utf8(file(&files, "index.html").to_vec()).unwrap();
    assert_eq!(page.matches("<td>Number</td>").count(), 1_203);
}
both!(long_areas_are_read_page_by_page);

async fn a_takeout_is_queued_and_fetched_when_it_is_ready(world: World) {
    const ASK: &str = "core.account.request_takeout";
    const GET: &str = "core.account.takeout";
    let (athlete, other) = (world.athlete("Zoe Okafor").await, world.fan("Casey Field").await);
    let get = async |who: &Person| world.call(GET, &who.principal, json!({})).await;
    let queued =
        async || world.id("SELECT COUNT(*) FROM export_report WHERE user_id IS NOT NULL").await;
    assert_eq!(get(&athlete).await.status, 404);
    let asked = world.call(ASK, &athlete.principal, json!({})).await.data();
    assert_eq!((&asked["status"], &asked["size"]), (&json!("queued"), &Value::Null));
    // Asking again is the same takeout, also for twenty calls at once.
    let calls = (0..20).map(|_| world.call(ASK, &athlete.principal, json!({})));
    for again in futures::future::join_all(calls).await {
        assert!(matches!(again.status, 200 | 429), "{again:?}");
    }
    assert_eq!(queued().await, 1);
    let early = get(&athlete).await;
    assert_eq!((early.status, early.code()), (409, "not_ready"));
    assert_eq!(early.body["data"]["status"], "queued");
    // Operators who work off their exports, or look for this one, do not meet it.
    let reports = world.operator(&[nil_core::auth::Permission::All]);
    let worked = world.call("admin.export.process", &reports, json!({})).await.data();
    assert_eq!((&worked["made"], &worked["queued"]), (&json!(0), &json!(0)));
    let code = world.text("code", "export_report").await.unwrap();
    let looked = world.call("admin.export.download", &reports, json!({ "code": code })).await;
    assert_eq!(looked.status, 404);
    assert_eq!(nil_core::worker::round(&world.platform).await.unwrap().exports, 1);
    let file = get(&athlete).await;
    assert_eq!((file.status, &file.body["data"]), (200, &json!("my-data-2026-11-20.zip")));
    assert!(unpacked(&file.bytes).into_iter().any(|(name, _)| name == "index.html"));
    let looked = world.call("admin.export.download", &reports, json!({ "code": code })).await;
    assert_eq!(looked.status, 404);
    assert_eq!(get(&other).await.status, 404, "another's is nobody's");
    // A new one replaces the file, and has what came in between.
    world.pass(chrono::TimeDelta::hours(2));
    let edit = json!({ "bio": "I paint lighthouses." });
    world.call("core.athlete.edit", &athlete.principal, edit).await.data();
    world.call(ASK, &athlete.principal, json!({})).await.data();
    assert_eq!(get(&athlete).await.code(), "not_ready");
    nil_core::worker::round(&world.platform).await.unwrap();
    let files: Vec<_> = unpacked(&get(&athlete).await.bytes).into_iter().collect();
    assert_eq!(rows(&files, "profile")[0]["bio"], "I paint lighthouses.");
    nil_core::worker::round(&world.platform).await.unwrap();
    let kept = "SELECT COUNT(*) FROM export_report WHERE object_key IS NOT NULL";
    assert_eq!(world.id(kept).await, 1);
    world.pass(chrono::TimeDelta::days(7));
    let late = get(&athlete).await;
    assert_eq!((late.status, late.code()), (410, "export_expired"));
}
both!(a_takeout_is_queued_and_fetched_when_it_is_ready);

async fn a_takeout_of_who_has_left_is_not_made(world: World) {
    let fan = world.fan("Casey Field").await;
    let athlete = world.athlete("Zoe Okafor").await;
    for who in [&fan, &athlete] {
        world.call("core.account.request_takeout", &who.principal, json!({})).await.data();
    }
    close(&world, &fan).await.data();
    for _ in 0..4 {
        nil_core::worker::round(&world.platform).await.unwrap();
        world.pass(chrono::TimeDelta::minutes(1));
    }
    let ready = "SELECT COUNT(*) FROM export_report WHERE status = 'ready'";
    assert_eq!(world.id(ready).await, 1);
    let failed = format!(
        "SELECT COUNT(*) FROM export_report WHERE status = 'failed' AND user_id = {} \
         AND object_key IS NULL",
        fan.user_id
    );
    assert_eq!(world.id(&failed).await, 1);
}
both!(a_takeout_of_who_has_left_is_not_made);
