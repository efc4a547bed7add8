//! The folder of a deal: visibility, adding and removing files, and uploads in three steps.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::worker::round;
use nil_tests::{Answer, Hire, PIXEL, Person, World, a_file, both};
use serde_json::{Value, json};

const ADD: &str = "core.deal_folder.add";
const REMOVE: &str = "core.deal_folder.remove";
const CREATE: &str = "core.deal_folder.create_upload";
const RECEIVE: &str = "core.deal_folder.receive_upload";
const COMPLETE: &str = "core.deal_folder.complete_upload";

fn folder(hire: &Hire) -> Value {
    json!({ "job_id": hire.job, "athlete_id": hire.athlete.id })
}

fn with(mut input: Value, more: &Value) -> Value {
    let fields = input.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    input
}

fn for_folder(hire: &Hire, name: &str) -> Value {
    with(folder(hire), &a_file(name, PIXEL))
}

async fn add(world: &World, hire: &Hire, who: &Person, name: &str) -> Value {
    world.call(ADD, &who.principal, for_folder(hire, name)).await.data()
}

async fn listed(world: &World, hire: &Hire, who: &Person) -> Answer {
    world.call("core.deal_folder.list", &who.principal, folder(hire)).await
}

async fn names(world: &World, hire: &Hire, who: &Person) -> Vec<String> {
    let list = listed(world, hire, who).await.data();
    let files = list.as_array().unwrap().iter();
    files.map(|file| file["file"]["name"].as_str().unwrap().to_owned()).collect()
}

async fn download(world: &World, who: &Person, id: &Value) -> Answer {
    let input = json!({ "id": id, "inline": true });
    world.call("core.deal_folder.download", &who.principal, input).await
}

async fn remove(world: &World, who: &Person, id: &Value) -> Answer {
    world.call(REMOVE, &who.principal, json!({ "id": id })).await
}

fn announcement(hire: &Hire, size: usize) -> Value {
    let file = json!({ "name": "../Shoot 1.PNG", "size": size, "mime": "image/png" });
    with(folder(hire), &file)
}

async fn announce(world: &World, hire: &Hire, who: &Person) -> (Value, String) {
    let input = announcement(hire, PIXEL.len());
    let announced = world.call(CREATE, &who.principal, input).await.data();
    let url = announced["url"].as_str().unwrap();
    let (_, token) = url.split_once("?token=").unwrap();
    (announced["upload_id"].clone(), token.to_owned())
}

async fn hand_over(world: &World, token: &str, content: &[u8]) -> Answer {
    let input = json!({ "token": token, "content": STANDARD.encode(content) });
    world.call(RECEIVE, &Principal::Anonymous, input).await
}

async fn finish(world: &World, who: &Person, upload: &Value) -> Answer {
    let input = json!({ "upload_id": upload });
    world.call(COMPLETE, &who.principal, input).await
}

async fn count(world: &World, what: &str) -> i64 {
    world.id(&format!("SELECT COUNT(*) FROM {what}")).await
}

async fn both_parties_and_the_agent_see_what_each_puts_there(world: World) {
    let hire = world.hired(json!({})).await;
    let agent = world.agent("Lane Agency").await;
    world.represent(&agent, &hire.athlete, 500).await;
    let input = with(for_folder(&hire, "../Brief 1.PNG"), &json!({ "note": " The brief. " }));
    let brief = world.call(ADD, &hire.partner.principal, input).await.data();
    assert_eq!(
        (&brief["file"]["name"], &brief["note"]),
        (&json!("Brief 1.png"), &json!("The brief."))
    );
    assert_eq!(
        (&brief["added_by"], &brief["user_id"]),
        (&json!("partner"), &json!(hire.partner.user_id))
    );
    assert_eq!((&brief["job_id"], &brief["file"]["uses"]), (&json!(hire.job), &json!(1)));
    let shot = add(&world, &hire, &hire.athlete, "shot.png").await;
    let w9 = add(&world, &hire, &agent, "w9.png").await;
    assert_eq!((&shot["added_by"], &w9["added_by"]), (&json!("athlete"), &json!("agent")));
    for who in [&hire.athlete, &hire.partner, &agent] {
        assert_eq!(names(&world, &hire, who).await, ["w9.png", "shot.png", "Brief 1.png"]);
        for file in [&brief, &shot, &w9] {
            let got = download(&world, who, &file["id"]).await;
            assert_eq!((got.status, &*got.bytes), (200, PIXEL));
            let plain = json!({ "id": file["file"]["id"] });
            assert_eq!(world.call("core.file.download", &who.principal, plain).await.status, 200);
        }
    }
    // By default it is a URL that works for a while.
    let which = json!({ "id": shot["id"] });
    let link = world.call("core.deal_folder.download", &hire.partner.principal, which).await.data();
    let (_, token) = link["url"].as_str().unwrap().split_once("token=").unwrap();
    let open =
        || world.call("core.file.open_signed", &Principal::Anonymous, json!({ "token": token }));
    assert_eq!(&*open().await.bytes, PIXEL);
    world.pass(TimeDelta::minutes(15));
    assert_eq!(open().await.code(), "link_invalid");
    let page = with(folder(&hire), &json!({ "page": 2, "per_page": 2 }));
    let page = world.call("core.deal_folder.list", &hire.athlete.principal, page).await;
    assert_eq!(
        page.body["pagination"],
        json!({ "page": 2, "per_page": 2, "total": 3, "pages": 2 })
    );
    assert_eq!(page.body["data"][0]["id"], brief["id"]);
    // It stays as long as it is in the folder, and reads are audited.
    world.pass(TimeDelta::hours(48));
    round(&world.platform).await.unwrap();
    assert_eq!(names(&world, &hire, &hire.athlete).await.len(), 3);
    let behalf = format!(
        "audit_entry WHERE subject_kind = 'athlete' AND action = 'deal_folder_listed' \
            AND on_behalf_of = 'athlete:{}'",
        hire.athlete.id
    );
    assert_eq!(count(&world, &behalf).await, 1);
    assert_eq!(
        count(&world, "audit_entry WHERE subject_kind = 'deal_file' AND action = 'downloaded'")
            .await,
        10
    );
}
both!(both_parties_and_the_agent_see_what_each_puts_there);

async fn to_strangers_there_is_no_folder(world: World) {
    let hire = world.hired(json!({})).await;
    let file = add(&world, &hire, &hire.partner, "brief.png").await;
    // Another deal of the same brand, another brand and agents who do not represent the athlete.
    let applicant = world.athlete("Ida Novak").await;
    world.apply(&applicant, hire.job).await;
    let former = world.agent("Former Agency").await;
    let tie = world.represent(&former, &hire.athlete, 500).await;
    assert_eq!(listed(&world, &hire, &former).await.status, 200);
    let own = add(&world, &hire, &former, "own.png").await;
    let (upload, token) = announce(&world, &hire, &former).await;
    hand_over(&world, &token, PIXEL).await.data();
    let end = json!({ "representation_id": tie });
    world.call("core.athlete.end_representation", &hire.athlete.principal, end).await.data();
    let strangers = [applicant, world.partner("Valley Sports").await, former];
    for who in &strangers {
        let (list, got) =
            (listed(&world, &hire, who).await, download(&world, who, &file["id"]).await);
        assert_eq!(
            (list.status, list.code(), got.status, got.code()),
            (404, "not_found", 404, "not_found")
        );
        for (name, input) in [(ADD, for_folder(&hire, "x.png")), (CREATE, announcement(&hire, 10))]
        {
            assert_eq!(world.call(name, &who.principal, input).await.status, 404, "{name}");
        }
        assert_eq!(remove(&world, who, &file["id"]).await.status, 404);
        let plain = json!({ "id": file["file"]["id"] });
        assert_eq!(world.call("core.file.download", &who.principal, plain).await.status, 404);
    }
    // An agent whose representation ended cannot even reach their own files there.
    let [.., former] = strangers;
    assert_eq!(remove(&world, &former, &own["id"]).await.status, 404);
    assert_eq!(finish(&world, &former, &upload).await.status, 404);
    // An invitation or application alone gives no folder, to either side.
    let open = world.open_job(&hire.partner, json!({})).await;
    world.apply(&hire.athlete, open).await;
    let early = json!({ "job_id": open, "athlete_id": hire.athlete.id });
    for who in [&hire.athlete, &hire.partner] {
        let list = world.call("core.deal_folder.list", &who.principal, early.clone()).await;
        assert_eq!(list.status, 404);
    }
    let college =
        world.deal(&hire.athlete, hire.job).await["athlete"]["university_id"].as_i64().unwrap();
    let officer = world.portal_user(college, "owner").await.0;
    let plain = json!({ "id": file["file"]["id"] });
    assert_eq!(world.call("compliance.file.download", &officer, plain).await.status, 404);
    let fan = world.fan("Robin Hill").await;
    assert_eq!(listed(&world, &hire, &fan).await.status, 403);
    assert_eq!(names(&world, &hire, &hire.athlete).await, ["own.png", "brief.png"]);
}
both!(to_strangers_there_is_no_folder);

async fn what_is_put_there_is_examined_like_any_upload(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete.principal;
    for (file, field) in [
        (a_file("x.png", b"<svg onload='alert(1)'/>"), "content"),
        (a_file("x.zip", b"PK\x03\x04\x14\0\0\0"), "content"),
        (with(a_file("x.png", PIXEL), &json!({ "media_type": "image/jpeg" })), "media_type"),
        (a_file(" ", PIXEL), "name"),
        (with(a_file("x.png", PIXEL), &json!({ "note": "x".repeat(501) })), "note"),
    ] {
        let refused = world.call(ADD, me, with(folder(&hire), &file)).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"].get(field).is_some(), "{}", refused.body);
    }
    assert_eq!((world.objects().await, count(&world, "deal_file").await), (0, 0));
    let input = for_folder(&hire, "a.png");
    let first = world.call_with_key(ADD, me, input.clone(), Some("k")).await;
    let again = world.call_with_key(ADD, me, input, Some("k")).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
    assert_eq!(count(&world, "deal_file").await, 1);
    world
        .id(&format!(
            "UPDATE stored_file SET size = {} WHERE status = 'stored' RETURNING id",
            world.platform.config().file_quota
        ))
        .await;
    for (name, input) in [(ADD, for_folder(&hire, "b.png")), (CREATE, announcement(&hire, 10))] {
        let full = world.call(name, me, input).await;
        assert_eq!((full.status, full.code()), (409, "file_quota_exceeded"));
    }
}
both!(what_is_put_there_is_examined_like_any_upload);

async fn only_who_put_it_there_takes_it_out(world: World) {
    let hire = world.hired(json!({})).await;
    let file = add(&world, &hire, &hire.partner, "brief.png").await;
    let (id, stored) = (&file["id"], json!({ "id": file["file"]["id"] }));
    let refused = remove(&world, &hire.athlete, id).await;
    assert_eq!((refused.status, refused.code()), (404, "not_found"));
    let in_use = world.call("core.file.delete", &hire.partner.principal, stored.clone()).await;
    assert_eq!((in_use.status, in_use.code()), (409, "file_in_use"));
    let (one, other) =
        tokio::join!(remove(&world, &hire.partner, id), remove(&world, &hire.partner, id));
    let mut both = [one.status, other.status];
    both.sort_unstable();
    assert_eq!(both, [200, 404]);
    assert_eq!(names(&world, &hire, &hire.partner).await, Vec::<String>::new());
    for who in [&hire.athlete, &hire.partner] {
        assert_eq!(download(&world, who, id).await.status, 404);
        assert_eq!(
            world.call("core.file.download", &who.principal, stored.clone()).await.status,
            404
        );
    }
    assert_eq!(world.objects().await, 0);
    let sum = file["file"]["sha256"].as_str().unwrap();
    let kept = format!(
        "audit_entry WHERE subject_kind = 'deal_file' AND subject_id = {id} \
            AND action = 'removed' AND CAST(before AS TEXT) LIKE '%{sum}%'"
    );
    assert_eq!(count(&world, &kept).await, 1);
}
both!(only_who_put_it_there_takes_it_out);

async fn a_file_that_is_part_of_something_else_stays_there(world: World) {
    let hire = world.active(json!({})).await;
    let file = add(&world, &hire, &hire.athlete, "shot.png").await;
    let work = json!({ "deliverable_id": hire.deliverables[0], "file_ids": [file["file"]["id"]] });
    world.call("core.deliverable.submit", &hire.athlete.principal, work).await.data();
    remove(&world, &hire.athlete, &file["id"]).await.data();
    let stored = json!({ "id": file["file"]["id"] });
    let seen = world.call("core.file.download", &hire.partner.principal, stored).await;
    assert_eq!((seen.status, &*seen.bytes), (200, PIXEL));
}
both!(a_file_that_is_part_of_something_else_stays_there);

async fn an_upload_in_three_steps_ends_in_the_folder(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete;
    let input = with(announcement(&hire, PIXEL.len()), &json!({ "note": "From the shoot." }));
    let announced = world.call(CREATE, &me.principal, input).await.data();
    assert_eq!(announced["expires_at"], "2026-11-20T13:00:00Z");
    let url = announced["url"].as_str().unwrap();
    assert!(url.contains("/api/deal-folder/direct-upload?token=upload."), "{url}");
    let (_, token) = url.split_once("?token=").unwrap();
    let upload = &announced["upload_id"];
    let early = finish(&world, me, upload).await;
    assert_eq!((early.status, early.code()), (409, "illegal_transition"));
    let received = hand_over(&world, token, PIXEL).await.data();
    assert_eq!((&received["upload_id"], &received["size"]), (upload, &json!(PIXEL.len())));
    assert_eq!(names(&world, &hire, &hire.partner).await, Vec::<String>::new());
    // The same content again is accepted; different content is refused.
    assert_eq!(hand_over(&world, token, PIXEL).await.data(), received);
    let mut other = PIXEL.to_vec();
    *other.last_mut().unwrap() = 0;
    let other = hand_over(&world, token, &other).await;
    assert_eq!((other.status, other.code()), (409, "illegal_transition"));

    let sum = |text: &str| json!({ "upload_id": upload, "sha256": text });
    let wrong = world.call(COMPLETE, &me.principal, sum(&"0".repeat(64))).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.body["errors"].get("sha256").is_some(), "{}", wrong.body);
    let stranger = world.call(COMPLETE, &hire.partner.principal, sum(&"0".repeat(64))).await;
    assert_eq!((stranger.status, stranger.code()), (404, "not_found"));
    let right = sum(&received["sha256"].as_str().unwrap().to_uppercase());
    let done = world.call(COMPLETE, &me.principal, right).await;
    assert_eq!(
        (&done.body["data"]["file"]["name"], &done.body["data"]["note"]),
        (&json!("Shoot 1.png"), &json!("From the shoot."))
    );
    let again = finish(&world, me, upload).await;
    assert_eq!((again.status, &again.bytes), (200, &done.bytes));
    assert_eq!(hand_over(&world, token, PIXEL).await.data(), received);
    assert_eq!(names(&world, &hire, &hire.partner).await, ["Shoot 1.png"]);
    assert_eq!(world.objects().await, 1);
    // Neither the worker nor a second completion restores or removes it.
    world.pass(TimeDelta::hours(30));
    assert_eq!(round(&world.platform).await.unwrap().uploads_expired, 0);
    assert_eq!(finish(&world, me, upload).await.bytes, done.bytes);
    remove(&world, me, &done.body["data"]["id"]).await.data();
    assert_eq!(finish(&world, me, upload).await.status, 404);
}
both!(an_upload_in_three_steps_ends_in_the_folder);

async fn what_comes_has_to_be_what_was_announced(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete.principal;
    for (over, field) in [
        (json!({ "size": 0 }), "size"),
        (json!({ "size": -1 }), "size"),
        (json!({ "size": 10 * 1024 * 1024 + 1 }), "size"),
        (json!({ "mime": "image/svg+xml" }), "mime"),
        (json!({ "name": "" }), "name"),
    ] {
        let refused = world.call(CREATE, me, with(announcement(&hire, 10), &over)).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"].get(field).is_some(), "{}", refused.body);
    }
    let (upload, token) = announce(&world, &hire, &hire.athlete).await;
    let more = [PIXEL, b"x"].concat();
    let large = hand_over(&world, &token, &more).await;
    assert_eq!((large.status, large.code()), (413, "body_too_large"));
    let text = vec![b'x'; PIXEL.len()];
    for wrong in [&PIXEL[1..], &PIXEL[..PIXEL.len() - 1], &text, b""] {
        let refused = hand_over(&world, &token, wrong).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"].get("content").is_some(), "{}", refused.body);
    }
    // A URL works for one upload only.
    let (promise, signature) = token.rsplit_once('.').unwrap();
    let other = promise.replace(&format!(".{upload}."), ".999999.");
    let larger = promise.replace(&format!(".{}.", PIXEL.len()), ".9999.");
    for wrong in [
        "",
        "x",
        promise,
        signature,
        &format!("{other}.{signature}"),
        &format!("{larger}.{signature}"),
        &format!("{promise}.{}", "0".repeat(64)),
    ] {
        let refused = hand_over(&world, wrong, PIXEL).await;
        assert!(
            matches!(refused.code(), "link_invalid" | "validation_failed"),
            "{wrong}: {}",
            refused.body
        );
    }
    let open = json!({ "token": token });
    assert_eq!(
        world.call("core.file.open_signed", &Principal::Anonymous, open).await.code(),
        "link_invalid"
    );
    let file = world.file(&hire.athlete, "mine.png").await;
    let link = nil_core::content::signing::link(
        &world.platform,
        nil_core::kernel::FileId::new(file).unwrap(),
        world.platform.now(),
    );
    let (_, download) = link.url.split_once("token=").unwrap();
    assert_eq!(hand_over(&world, download, PIXEL).await.code(), "link_invalid");
    assert_eq!(world.objects().await, 1);
    assert_eq!(hand_over(&world, &token, PIXEL).await.status, 200);
}
both!(what_comes_has_to_be_what_was_announced);

async fn what_is_not_completed_in_time_is_swept(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete;
    let (silent, unused) = announce(&world, &hire, me).await;
    let (received, token) = announce(&world, &hire, me).await;
    hand_over(&world, &token, PIXEL).await.data();
    world.pass(TimeDelta::minutes(59));
    assert_eq!(round(&world.platform).await.unwrap().uploads_expired, 0);
    world.pass(TimeDelta::minutes(1));
    let late = hand_over(&world, &unused, PIXEL).await;
    assert_eq!((late.status, late.code()), (404, "link_invalid"));
    // Before and after the worker has run.
    for _ in 0..2 {
        for upload in [&silent, &received] {
            let late = finish(&world, me, upload).await;
            assert_eq!((late.status, late.code()), (409, "upload_expired"));
        }
        round(&world.platform).await.unwrap();
    }
    assert_eq!(count(&world, "direct_upload WHERE status = 'expired'").await, 2);
    assert_eq!(count(&world, "stored_file WHERE status <> 'deleted'").await, 0);
    assert_eq!((world.objects().await, count(&world, "deal_file").await), (0, 0));
    // So is an upload that its owner deleted before completing it.
    let (upload, token) = announce(&world, &hire, me).await;
    hand_over(&world, &token, PIXEL).await.data();
    let file = world.id("SELECT id FROM stored_file WHERE status = 'stored'").await;
    world.call("core.file.delete", &me.principal, json!({ "id": file })).await.data();
    assert_eq!(finish(&world, me, &upload).await.code(), "upload_expired");
}
both!(what_is_not_completed_in_time_is_swept);

async fn at_once_each_step_happens_once(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.athlete;
    let (upload, token) = announce(&world, &hire, me).await;
    let sent = futures::future::join_all((0..4).map(|_| hand_over(&world, &token, PIXEL))).await;
    assert!(sent.iter().any(|answer| answer.status == 200));
    for answer in &sent {
        assert!(answer.status == 200 || answer.code() == "illegal_transition", "{}", answer.body);
    }
    let done = futures::future::join_all((0..4).map(|_| finish(&world, me, &upload))).await;
    for answer in &done {
        assert_eq!((answer.status, &answer.bytes), (200, &done[0].bytes));
    }
    assert_eq!(names(&world, &hire, me).await, ["Shoot 1.png"]);
    // The objects of the others are removed.
    world.pass(TimeDelta::hours(25));
    round(&world.platform).await.unwrap();
    assert_eq!(world.objects().await, 1);
}
both!(at_once_each_step_happens_once);
