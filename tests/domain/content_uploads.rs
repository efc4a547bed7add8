//! Large files of the site's content: uploaded in parts, to the folder and to a bucket.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::content::sweeping;
use nil_core::kernel::OperatorId;
use nil_core::worker::round;
use nil_tests::bucket::Bucket;
use nil_tests::{Answer, Engine, PIXEL, World, both};
use serde_json::{Value, json};

use crate::content_library::{a_small_file, call, download, folder, id_of, names};

const PART: usize = 8 * 1024 * 1024;

/// A video of this size.
fn video(size: usize) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x18ftypmp42\0\0\0\0".to_vec();
    bytes.extend((bytes.len()..size).map(|at| u8::try_from(at % 253).unwrap()));
    bytes
}

fn announcement(name: &str, bytes: &[u8]) -> Value {
    json!({ "name": name, "size": bytes.len(), "mime": "video/mp4" })
}

async fn begin(world: &World, name: &str, bytes: &[u8]) -> i64 {
    let created = call(world, "multipart_create", announcement(name, bytes)).await.data();
    assert_eq!(created["part_size"], PART);
    created["upload_id"].as_i64().unwrap()
}

async fn sign(world: &World, upload: i64, number: usize) -> Answer {
    call(world, "multipart_sign", json!({ "upload_id": upload, "part_number": number })).await
}

async fn token(world: &World, upload: i64, number: usize) -> String {
    let signed = sign(world, upload, number).await.data();
    let (at, token) = signed["url"].as_str().unwrap().split_once("?token=").unwrap();
    assert!(at.ends_with("/admin/content/multipart/part"), "{at}");
    token.to_owned()
}

async fn put(world: &World, token: &str, part: &[u8]) -> Answer {
    let input = json!({ "token": token, "content": STANDARD.encode(part) });
    world.call("admin.content.multipart_part", &Principal::Anonymous, input).await
}

/// Sends all parts; returns them as completing wants them.
async fn send(world: &World, upload: i64, bytes: &[u8]) -> Vec<Value> {
    let mut parts = Vec::new();
    for (number, part) in (1..).zip(bytes.chunks(PART)) {
        let token = token(world, upload, number).await;
        let received = put(world, &token, part).await.data();
        parts.push(json!({ "part_number": number, "etag": received["etag"] }));
    }
    parts
}

async fn complete(world: &World, upload: i64, parts: &[Value]) -> Answer {
    call(world, "multipart_complete", json!({ "upload_id": upload, "parts": parts })).await
}

async fn statuses(world: &World, status: &str) -> i64 {
    world.id(&format!("SELECT COUNT(*) FROM multipart_upload WHERE status = '{status}'")).await
}

/// The folders of uploads under way.
fn staged(world: &World) -> usize {
    let parts = world.platform.config().data.join("objects/parts");
    std::fs::read_dir(parts).map_or(0, Iterator::count)
}

async fn parts_become_a_file(world: World) {
    let press = folder(&world, "Press", 0).await;
    let bytes = video(PART + 1_000);
    let mut input = announcement("../Reel 1.MP4", &bytes);
    input["parent_id"] = json!(press);
    let created = call(&world, "multipart_create", input.clone()).await.data();
    assert_eq!(
        (&created["part_count"], &created["expires_at"]),
        (&json!(2), &json!("2026-11-21T12:00:00Z"))
    );
    let upload = created["upload_id"].as_i64().unwrap();
    let signed = sign(&world, upload, 2).await.data();
    assert_eq!(
        (&signed["size"], &signed["headers"], &signed["expires_at"]),
        (&json!(1_000), &json!({}), &json!("2026-11-20T13:00:00Z"))
    );
    for number in [0, 3] {
        assert!(sign(&world, upload, number).await.body["errors"]["part_number"].is_array());
    }
    let parts = send(&world, upload, &bytes).await;
    assert_eq!(names(&world, press).await, [""; 0], "nothing of it is visible");
    let item = complete(&world, upload, &parts).await.data();
    assert_eq!((&item["name"], &item["parent_id"]), (&json!("Reel 1.mp4"), &json!(press)));
    assert_eq!(item["file"]["size"], bytes.len());
    assert_eq!(download(&world, id_of(&item), None).await.bytes, bytes);
    // The same call again answers the same file.
    assert_eq!(complete(&world, upload, &parts).await.data(), item);
    assert_eq!(
        (names(&world, press).await.len(), world.objects().await, staged(&world)),
        (1, 1, 0)
    );
    assert_eq!(sign(&world, upload, 1).await.code(), "illegal_transition");
    // A new version, completed with its checksum.
    input = announcement("cut.mp4", &bytes[..100]);
    input["id"] = item["id"].clone();
    let upload =
        call(&world, "multipart_create", input).await.data()["upload_id"].as_i64().unwrap();
    let parts = send(&world, upload, &bytes[..100]).await;
    let with = |sum: &str| json!({ "upload_id": upload, "parts": parts, "sha256": sum });
    let wrong = call(&world, "multipart_complete", with(&"0".repeat(64))).await;
    let told = wrong.body["errors"]["sha256"][0].as_str().unwrap().to_owned();
    let sum = told.rsplit(' ').next().unwrap().to_uppercase();
    let second = call(&world, "multipart_complete", with(&sum)).await.data();
    assert_eq!((&second["id"], &second["name"]), (&item["id"], &item["name"]));
    assert_eq!(second["file"]["version"], 2);
    assert_eq!(download(&world, id_of(&item), Some(1)).await.bytes, bytes);
}
both!(parts_become_a_file);

async fn an_upload_is_what_was_announced_or_nothing(world: World) {
    let bytes = video(PART + 10);
    let upload = begin(&world, "reel.mp4", &bytes).await;
    let (first, second) = (token(&world, upload, 1).await, token(&world, upload, 2).await);
    for wrong in [&bytes[..PART - 1], &bytes[..=PART], &[]] {
        let refused = put(&world, &first, wrong).await;
        assert!(refused.body["errors"]["content"].is_array(), "{}", refused.body);
    }
    let swapped = first.replacen(".1.", ".2.", 1);
    for forged in [format!("{first}0"), swapped, first.replacen("part.", "upload.", 1), "x".into()]
    {
        assert_eq!(put(&world, &forged, &bytes[..PART]).await.code(), "link_invalid", "{forged}");
    }
    let one = put(&world, &first, &bytes[..PART]).await.data()["etag"].clone();
    let part = |number: i64, etag: &Value| json!({ "part_number": number, "etag": etag });
    let refused = async |parts: &[Value]| {
        let answer = complete(&world, upload, parts).await;
        assert!(answer.body["errors"]["parts"].is_array(), "{}", answer.body);
        assert_eq!(names(&world, 0).await, [""; 0]);
    };
    let zeros = json!("0".repeat(64));
    refused(&[part(1, &one)]).await;
    refused(&[part(1, &one), part(2, &zeros)]).await;
    let two = put(&world, &second, &bytes[PART..]).await.data()["etag"].clone();
    refused(&[part(2, &two), part(1, &one)]).await;
    refused(&[part(1, &two), part(2, &one)]).await;
    refused(&[part(1, &one), part(2, &zeros)]).await;
    refused(&[part(1, &one), part(2, &two), part(3, &two)]).await;
    complete(&world, upload, &[part(1, &one), part(2, &two)]).await.data();

    // Another type than announced: it ends there, and nothing is left.
    let text = b"just a text".to_vec();
    let upload = begin(&world, "text.mp4", &text).await;
    let parts = send(&world, upload, &text).await;
    let wrong = complete(&world, upload, &parts).await;
    assert!(wrong.body["errors"]["parts"][0].as_str().unwrap().contains("video/mp4"));
    assert_eq!(complete(&world, upload, &parts).await.code(), "upload_ended");
    assert_eq!(
        (world.objects().await, staged(&world), statuses(&world, "aborted").await),
        (1, 0, 1)
    );
}
both!(an_upload_is_what_was_announced_or_nothing);

async fn announcements_are_checked_before_a_byte_is_sent(world: World) {
    let file = a_small_file(&world, "logo.png", 0).await;
    let create = |input: Value| call(&world, "multipart_create", input);
    let with = |field: &str, value: Value| {
        let mut input = announcement("reel.mp4", &video(10));
        input[field] = value;
        input
    };
    for (field, value) in [
        ("size", json!(0)),
        ("size", json!(5_i64 * 1024 * 1024 * 1024 + 1)),
        ("parent_id", json!(999_999)),
        ("parent_id", json!(file)),
        ("mime", json!("text/html")),
    ] {
        let refused = create(with(field, value.clone())).await;
        assert!(refused.body["errors"][field].is_array(), "{field} {value}: {}", refused.body);
    }
    let mut both = with("size", json!(0));
    both["parent_id"] = json!(999_999);
    let both = create(both).await;
    assert!(both.body["errors"]["size"].is_array() && both.body["errors"]["parent_id"].is_array());
    assert_eq!(create(with("id", json!(999_999))).await.code(), "not_found");
    let taken = json!({ "name": "LOGO.PNG", "size": 10, "mime": "image/png" });
    assert_eq!(create(taken).await.code(), "duplicate");
    assert_eq!(statuses(&world, "created").await, 0);
    assert_eq!(staged(&world), 0);
}
both!(announcements_are_checked_before_a_byte_is_sent);

async fn open_uploads_have_a_quota_together(world: World) {
    let create = async |name: &str, size: i64| {
        let input = json!({ "name": name, "size": size, "mime": "video/mp4" });
        call(&world, "multipart_create", input).await
    };
    let largest = 5_i64 * 1024 * 1024 * 1024;
    let mut last = Value::Null;
    for number in 0..10 {
        let begun = create(&format!("{number}.mp4"), largest - 1).await.data();
        last = begun["upload_id"].clone();
    }
    let beyond = create("one.mp4", 11).await;
    assert_eq!((beyond.status, beyond.code()), (409, "too_many_uploads"));
    create("small.mp4", 10).await.data();
    call(&world, "multipart_abort", json!({ "upload_id": last })).await.data();
    create("one.mp4", 11).await.data();
}
both!(open_uploads_have_a_quota_together);

async fn open_uploads_have_a_quota_over_all_operators(mut world: World) {
    world.reopen(|config| config.open_uploads_quota = 9_000_000_000).await;
    let operator = |number| Principal::Operator {
        id: OperatorId::new(number).unwrap(),
        permissions: vec![Permission::Content],
        session: format!("session {number}"),
    };
    let create = async |who: i64, name: &str, size: i64| {
        let input = json!({ "name": name, "size": size, "mime": "video/mp4" });
        world.call("admin.content.multipart_create", &operator(who), input).await
    };
    let first = create(1, "a.mp4", 4_000_000_000).await.data();
    create(2, "b.mp4", 3_500_000_000).await.data();
    let beyond = create(3, "c.mp4", 1_500_000_001).await;
    assert_eq!((beyond.status, beyond.code()), (409, "too_many_uploads"));
    let says = beyond.body["message"].as_str().unwrap();
    assert!(says.contains("all operators"), "{says}");
    // Nothing of it was begun, and what fits is taken.
    assert_eq!(statuses(&world, "created").await, 2);
    create(3, "c.mp4", 1_500_000_000).await.data();
    assert_eq!(create(4, "d.mp4", 1).await.code(), "too_many_uploads");
    let abort = json!({ "upload_id": first["upload_id"] });
    world.call("admin.content.multipart_abort", &operator(1), abort).await.data();
    create(4, "d.mp4", 4_000_000_000).await.data();
    assert_eq!(create(2, "e.mp4", 1).await.code(), "too_many_uploads");
    // What has expired counts no more.
    world.pass(TimeDelta::hours(24));
    create(2, "e.mp4", 5_000_000_000).await.data();
}
both!(open_uploads_have_a_quota_over_all_operators);

async fn operators_who_announce_at_once_stay_within_the_quota(mut world: World) {
    world.reopen(|config| config.open_uploads_quota = 3_000_000).await;
    let world = Arc::new(world);
    let calls: Vec<_> = (1..=8)
        .map(|number| {
            let world = world.clone();
            tokio::spawn(async move {
                let who = Principal::Operator {
                    id: OperatorId::new(number).unwrap(),
                    permissions: vec![Permission::Content],
                    session: format!("session {number}"),
                };
                let name = format!("{number}.mp4");
                let input = json!({ "name": name, "size": 1_000_000, "mime": "video/mp4" });
                world.call("admin.content.multipart_create", &who, input).await.status
            })
        })
        .collect();
    let mut taken = 0;
    for call in calls {
        taken += usize::from(call.await.unwrap() == 200);
    }
    assert_eq!((taken, statuses(&world, "created").await), (3, 3));
}
both!(operators_who_announce_at_once_stay_within_the_quota);

async fn an_upload_is_its_operators_own(world: World) {
    let bytes = video(10);
    let upload = begin(&world, "reel.mp4", &bytes).await;
    let parts = send(&world, upload, &bytes).await;
    let other = Principal::Operator {
        id: OperatorId::new(2).unwrap(),
        permissions: vec![Permission::All],
        session: "other".into(),
    };
    for (name, input) in [
        ("multipart_sign", json!({ "upload_id": upload, "part_number": 1 })),
        ("multipart_complete", json!({ "upload_id": upload, "parts": parts })),
        ("multipart_abort", json!({ "upload_id": upload })),
    ] {
        let theirs = world.call(&format!("admin.content.{name}"), &other, input.clone()).await;
        let mut nobodys = input;
        nobodys["upload_id"] = json!(999_999);
        let nobodys = world.call(&format!("admin.content.{name}"), &other, nobodys).await;
        assert_eq!((theirs.code(), nobodys.code()), ("not_found", "not_found"), "{name}");
    }
    complete(&world, upload, &parts).await.data();
}
both!(an_upload_is_its_operators_own);

async fn what_is_not_completed_ends(world: World) {
    let bytes = video(10);
    let (late, given_up) =
        (begin(&world, "a.mp4", &bytes).await, begin(&world, "b.mp4", &bytes).await);
    let parts = send(&world, late, &bytes).await;
    let address = token(&world, given_up, 1).await;
    let abort = || call(&world, "multipart_abort", json!({ "upload_id": given_up }));
    abort().await.data();
    abort().await.data();
    assert_eq!(put(&world, &address, &bytes).await.code(), "upload_ended");
    assert_eq!(sign(&world, given_up, 1).await.code(), "upload_ended");
    assert_eq!((staged(&world), statuses(&world, "aborted").await), (1, 1));
    let address = token(&world, late, 1).await;
    world.pass(TimeDelta::hours(1));
    assert_eq!(put(&world, &address, &bytes).await.code(), "link_invalid");
    world.pass(TimeDelta::hours(23));
    assert_eq!(complete(&world, late, &parts).await.code(), "upload_expired");
    assert_eq!(sign(&world, late, 1).await.code(), "upload_expired");
    assert_eq!(round(&world.platform).await.unwrap().uploads_expired, 1);
    assert_eq!((staged(&world), statuses(&world, "aborted").await), (0, 2));
    assert_eq!(round(&world.platform).await.unwrap().uploads_expired, 0);
    assert_eq!(complete(&world, late, &parts).await.code(), "upload_ended");
}
both!(what_is_not_completed_ends);

async fn an_upload_finds_its_place_as_it_is_then(world: World) {
    let press = folder(&world, "Press", 0).await;
    let bytes = video(10);
    let mut input = announcement("reel.mp4", &bytes);
    input["parent_id"] = json!(press);
    let created = call(&world, "multipart_create", input).await.data();
    let upload = created["upload_id"].as_i64().unwrap();
    let parts = send(&world, upload, &bytes).await;
    call(&world, "delete", json!({ "ids": [press] })).await.data();
    assert_eq!(complete(&world, upload, &parts).await.code(), "folder_deleted");
    call(&world, "restore", json!({ "ids": [press] })).await.data();
    let taken = folder(&world, "Reel.mp4", press).await;
    assert_eq!(complete(&world, upload, &parts).await.code(), "duplicate");
    // The joined object is needed as long as the upload is open.
    for _ in 0..256 {
        sweeping::sweep(&world.platform).await.unwrap();
    }
    call(&world, "delete", json!({ "ids": [taken] })).await.data();
    let item = complete(&world, upload, &parts).await.data();
    assert_eq!(download(&world, id_of(&item), None).await.bytes, bytes);
}
both!(an_upload_finds_its_place_as_it_is_then);

async fn completing_at_once_makes_one_file(world: World) {
    let bytes = video(10);
    let upload = begin(&world, "reel.mp4", &bytes).await;
    let parts = send(&world, upload, &bytes).await;
    let all = (0..8).map(|_| complete(&world, upload, &parts));
    let answers = futures::future::join_all(all).await;
    let mut ids: Vec<_> = answers.into_iter().map(|answer| id_of(&answer.data())).collect();
    ids.dedup();
    assert_eq!((ids.len(), world.objects().await), (1, 1));
    assert_eq!(download(&world, ids[0], None).await.bytes, bytes);
}
both!(completing_at_once_makes_one_file);

/// Sends a part to the bucket's own address, as a client does.
async fn straight(world: &World, upload: i64, number: usize, part: &[u8]) -> Value {
    let signed = sign(world, upload, number).await.data();
    let url = signed["url"].as_str().unwrap();
    assert!(url.contains("X-Amz-Signature="), "{url}");
    let answer = reqwest::Client::new().put(url).body(part.to_vec()).send().await.unwrap();
    assert!(answer.status().is_success());
    json!({ "part_number": number, "etag": answer.headers()["etag"].to_str().unwrap() })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_gets_what_was_announced_or_nothing() {
    let bucket = Bucket::open().await;
    let store = Arc::new(bucket.store());
    let world = World::configured(Engine::Sqlite, |config| config.objects = Some(store)).await;
    let bytes = video(PART + 10);
    let upload = begin(&world, "reel.mp4", &bytes).await;
    let one = straight(&world, upload, 1, &bytes[..PART]).await;
    let zeros = |number: usize| json!({ "part_number": number, "etag": "0".repeat(32) });
    let refused = async |parts: &[Value]| {
        let answer = complete(&world, upload, parts).await;
        assert!(answer.body["errors"]["parts"].is_array(), "{}", answer.body);
        assert_eq!((names(&world, 0).await.len(), world.objects().await), (0, 0));
    };
    refused(&[]).await;
    refused(std::slice::from_ref(&one)).await;
    refused(&[one.clone(), zeros(2)]).await;
    let two = straight(&world, upload, 2, &bytes[PART..]).await;
    refused(&[two.clone(), one.clone()]).await;
    refused(&[one.clone(), zeros(2)]).await;
    let swapped = |number: usize, of: &Value| json!({ "part_number": number, "etag": of["etag"] });
    refused(&[swapped(1, &two), swapped(2, &one)]).await;
    // The parts of one upload complete no other.
    let other = begin(&world, "other.mp4", &bytes).await;
    assert!(complete(&world, other, &[one.clone(), two.clone()]).await.status != 200);
    assert_eq!((names(&world, 0).await.len(), world.objects().await), (0, 0));
    let thief = Principal::Operator {
        id: OperatorId::new(2).unwrap(),
        permissions: vec![Permission::All],
        session: "other".into(),
    };
    let stolen = json!({ "upload_id": upload, "parts": [one, two] });
    let stolen = world.call("admin.content.multipart_complete", &thief, stolen).await;
    assert_eq!(stolen.code(), "not_found");
    let item = complete(&world, upload, &[one, two]).await.data();
    assert_eq!(download(&world, id_of(&item), None).await.bytes, bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_go_straight_to_a_bucket() {
    let bucket = Bucket::open().await;
    let store = Arc::new(bucket.store());
    let world = World::configured(Engine::Sqlite, |config| config.objects = Some(store)).await;
    let bytes = video(PART + 1_000);
    let upload = begin(&world, "reel.mp4", &bytes).await;
    let send = async |number: usize, part: &[u8]| straight(&world, upload, number, part).await;
    let first = send(1, &bytes[..PART]).await;
    // The address of a bucket does not bind the length of a part; completing does.
    let short = send(2, &bytes[PART..PART + 9]).await;
    let wrong = complete(&world, upload, &[first.clone(), short]).await;
    assert!(
        wrong.body["errors"]["parts"][0].as_str().unwrap().contains("add up to"),
        "{}",
        wrong.body
    );
    assert_eq!((names(&world, 0).await.len(), world.objects().await), (0, 0));

    let upload = begin(&world, "reel.mp4", &bytes).await;
    let send = async |number: usize, part: &[u8]| straight(&world, upload, number, part).await;
    let parts = [send(1, &bytes[..PART]).await, send(2, &bytes[PART..]).await];
    let item = complete(&world, upload, &parts).await.data();
    assert_eq!(complete(&world, upload, &parts).await.data(), item);
    assert_eq!(download(&world, id_of(&item), None).await.bytes, bytes);
    let small = a_small_file(&world, "logo.png", 0).await;
    assert_eq!(&*download(&world, small, None).await.bytes, PIXEL);
    call(&world, "delete", json!({ "ids": [small, id_of(&item)] })).await.data();
    world.pass(TimeDelta::days(31));
    round(&world.platform).await.unwrap();
    assert_eq!(world.objects().await, 0);
}
