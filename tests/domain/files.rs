//! Files: accepted types, ownership, visibility, and removal of unused files.

use chrono::TimeDelta;
use nil_core::content::sweeping::{sweep, sweep_shelf};
use nil_core::ports::objects::ObjectKey;
use nil_tests::{PIXEL, Person, World, a_file, both};
use serde_json::{Value, json};

async fn upload(world: &World, who: &Person, input: Value) -> nil_tests::Answer {
    world.call("core.file.upload", &who.principal, input).await
}

async fn status_of_download(world: &World, who: &Person, file: i64) -> u16 {
    let which = json!({ "id": file });
    world.call("core.file.download", &who.principal, which).await.status
}

async fn sweep_everything(world: &World) -> usize {
    let mut relics = 0;
    for number in 0..=u8::MAX {
        relics += sweep_shelf(&world.platform, number).await.unwrap();
    }
    relics
}

fn of_type(start: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = start.to_vec();
    bytes.resize(size, b' ');
    bytes
}

async fn a_file_comes_back_as_it_was_handed_over(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let file = upload(&world, &athlete, a_file("../Reel 1.PNG", PIXEL)).await.data();
    assert_eq!(file["name"], "Reel 1.png");
    assert_eq!(
        (&file["media_type"], &file["size"], &file["uses"]),
        (&json!("image/png"), &json!(PIXEL.len()), &json!(0))
    );
    let sum = file["sha256"].as_str().unwrap();
    assert_eq!(sum.len(), 64);
    assert!(file.get("object_key").is_none() && file.get("user_id").is_none());
    let back =
        world.call("core.file.download", &athlete.principal, json!({ "id": file["id"] })).await;
    assert_eq!((back.status, &*back.bytes, &back.body["data"]), (200, PIXEL, &json!("Reel 1.png")));
    // An unused file is visible to its owner only.
    let id = file["id"].as_i64().unwrap();
    for stranger in [
        world.athlete("Ida Novak").await,
        world.partner("Valley Sports").await,
        world.fan("Robin Hill").await,
    ] {
        assert_eq!(status_of_download(&world, &stranger, id).await, 404);
        let delete = world.call("core.file.delete", &stranger.principal, json!({ "id": id })).await;
        assert_eq!((delete.status, delete.code()), (404, "not_found"));
    }
}
both!(a_file_comes_back_as_it_was_handed_over);

async fn what_is_not_what_it_says_is_refused(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let refused: &[(&str, &[u8], Option<&str>, &str)] = &[
        ("x.svg", b"<svg onload='alert(1)'/>", None, "content"),
        ("x.png", b"<!doctype html><script>", None, "content"),
        ("x.html", b"\n <HTML>", Some("text/plain"), "content"),
        ("x.exe", b"MZ\x90\0\x03\0\0\0", None, "content"),
        ("x.zip", b"PK\x03\x04\x14\0\0\0", None, "content"),
        ("x.heic", b"\0\0\0\x18ftypheic\0\0\0\0", None, "content"),
        ("x.txt", b"bell \x07", None, "content"),
        ("x.png", PIXEL, Some("image/jpeg"), "media_type"),
        ("x.pdf", PIXEL, Some("application/pdf"), "media_type"),
        ("x.csv", PIXEL, Some("text/csv"), "media_type"),
        ("x.png", PIXEL, Some("image/svg+xml"), "media_type"),
        ("x.png", PIXEL, Some("text/html"), "media_type"),
        ("x.png", b"", None, "content"),
        (" ", PIXEL, None, "name"),
    ];
    for (name, content, said, field) in refused {
        let mut input = a_file(name, content);
        if let Some(said) = said {
            input["media_type"] = json!(said);
        }
        let answer = upload(&world, &athlete, input).await;
        assert_eq!(answer.status, 422, "{name}: {}", answer.body);
        assert!(answer.body["errors"].get(field).is_some(), "{name}: {}", answer.body);
    }
    for content in [json!("not base64!"), json!(7), json!(null), json!(["JVBERi0xLjcK"])] {
        let answer = upload(&world, &athlete, json!({ "name": "x.pdf", "content": content })).await;
        assert_eq!(answer.status, 422, "{content}");
    }
    assert_eq!(world.objects().await, 0);
}
both!(what_is_not_what_it_says_is_refused);

async fn names_are_made_safe_and_end_as_their_content(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    for (given, kept) in [
        ("page.html", "page.html.png"),
        ("..\\..\\boot.ini", "boot.ini.png"),
        ("a\r\nSet-Cookie: b.png", "aSet-Cookie_ b.png"),
        ("\u{202e}gnp.exe", "gnp.exe.png"),
        ("....", "file.png"),
        ("con.png", "_con.png"),
    ] {
        let file = upload(&world, &athlete, a_file(given, PIXEL)).await.data();
        assert_eq!(file["name"], kept);
    }
    let table = upload(&world, &athlete, a_file("results.CSV", b"a,b\n1,2\n")).await.data();
    assert_eq!((&table["media_type"], &table["name"]), (&json!("text/csv"), &json!("results.csv")));
    let text = upload(&world, &athlete, a_file("notes", b"a,b\n1,2\n")).await.data();
    assert_eq!((&text["media_type"], &text["name"]), (&json!("text/plain"), &json!("notes.txt")));
}
both!(names_are_made_safe_and_end_as_their_content);

async fn each_type_has_its_largest_size(world: World) {
    const MIB: usize = 1024 * 1024;
    let athlete = world.athlete("Zoe Okafor").await;
    let fine = of_type(b"plain text", 5 * MIB);
    assert_eq!(upload(&world, &athlete, a_file("x.txt", &fine)).await.status, 200);
    let over = of_type(b"plain text", 5 * MIB + 1);
    let over = upload(&world, &athlete, a_file("x.txt", &over)).await;
    assert_eq!(over.status, 422);
    assert_eq!(over.body["errors"]["content"][0], "must be at most 5 MiB large");
    let fine = of_type(PIXEL, 10 * MIB);
    assert_eq!(upload(&world, &athlete, a_file("x.png", &fine)).await.status, 200);
    // Larger files need a form.
    let over = of_type(b"%PDF-1.7\n", 10 * MIB + 3);
    assert_eq!(upload(&world, &athlete, a_file("x.pdf", &over)).await.status, 422);
}
both!(each_type_has_its_largest_size);

async fn nobody_keeps_more_than_their_quota(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let quota = world.platform.config().file_quota;
    let almost = quota - i64::try_from(PIXEL.len()).unwrap();
    let now = "'2026-11-20T12:00:00+00:00'";
    let kept = world
        .id(&format!(
            "INSERT INTO stored_file (user_id, name, media_type, size, sha256, object_key, status, \
             uses, created_at, updated_at) VALUES ({}, 'x', 'video/mp4', {almost}, '', 'k', \
             'stored', 0, {now}, {now}) RETURNING id",
            athlete.user_id
        ))
        .await;
    // Two concurrent uploads compete for the last free space.
    let (one, other) = tokio::join!(
        upload(&world, &athlete, a_file("a.png", PIXEL)),
        upload(&world, &athlete, a_file("b.png", PIXEL)),
    );
    let mut both = [one.status, other.status];
    both.sort_unstable();
    assert_eq!(both, [200, 409]);
    let full = upload(&world, &athlete, a_file("c.png", PIXEL)).await;
    assert_eq!((full.status, full.code()), (409, "file_quota_exceeded"));
    assert_eq!(world.objects().await, 1);
    let stranger = world.athlete("Ida Novak").await;
    assert_eq!(upload(&world, &stranger, a_file("c.png", PIXEL)).await.status, 200);
    world.call("core.file.delete", &athlete.principal, json!({ "id": kept })).await.data();
    assert_eq!(upload(&world, &athlete, a_file("c.png", PIXEL)).await.status, 200);
}
both!(nobody_keeps_more_than_their_quota);

async fn the_same_key_uploads_once(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let me = &athlete.principal;
    let input = a_file("a.png", PIXEL);
    let first = world.call_with_key("core.file.upload", me, input.clone(), Some("k")).await;
    let again = world.call_with_key("core.file.upload", me, input, Some("k")).await;
    assert_eq!((first.status, &first.bytes), (200, &again.bytes));
    let other = a_file("a.png", &[PIXEL, b"x"].concat());
    let other = world.call_with_key("core.file.upload", me, other, Some("k")).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
    // Objects of failed attempts are removed.
    world.pass(TimeDelta::hours(25));
    sweep(&world.platform).await.unwrap();
    assert_eq!(world.objects().await, 0);
}
both!(the_same_key_uploads_once);

async fn what_is_part_of_a_record_is_seen_with_it_and_stays(world: World) {
    let hire = world.active(json!({})).await;
    let proof = world.file(&hire.athlete, "proof.png").await;
    let spare = world.file(&hire.athlete, "spare.png").await;
    assert_eq!(status_of_download(&world, &hire.partner, proof).await, 404);
    let first = hire.deliverables[0];
    let work = json!({ "deliverable_id": first, "file_ids": [proof, proof, spare] });
    let handed_in =
        world.call("core.deliverable.submit", &hire.athlete.principal, work).await.data();
    assert_eq!(handed_in["media"], json!([proof, spare]));

    let college =
        world.deal(&hire.athlete, hire.job).await["athlete"]["university_id"].as_i64().unwrap();
    let (officer, _) = world.portal_user(college, "viewer").await;
    let (elsewhere, _) = world.portal_user(world.college().await, "owner").await;
    let which = || json!({ "id": proof });
    let seen = world.call("compliance.file.download", &officer, which()).await;
    assert_eq!((seen.status, &*seen.bytes), (200, PIXEL));
    assert_eq!(world.call("compliance.file.download", &elsewhere, which()).await.status, 404);
    assert_eq!(status_of_download(&world, &hire.partner, proof).await, 200);
    let others = [
        world.partner("Valley Sports").await,
        world.agent("Lane Agency").await,
        world.fan("Robin Hill").await,
    ];
    for stranger in &others {
        assert_eq!(status_of_download(&world, stranger, proof).await, 404);
    }
    let kept = world.call("core.file.delete", &hire.athlete.principal, which()).await;
    assert_eq!((kept.status, kept.code()), (409, "file_in_use"));
    world.pass(TimeDelta::hours(48));
    assert_eq!(sweep(&world.platform).await.unwrap().unused, 0);

    // Submitted again without the spare file, which only its owner sees now.
    let no = json!({ "milestones_athlete_rel": first, "note": "Too dark." });
    world.call("core.deliverable.deny", &hire.partner.principal, no).await.data();
    let again = json!({ "deliverable_id": first, "file_ids": [proof] });
    world.call("core.deliverable.submit", &hire.athlete.principal, again).await.data();
    assert_eq!(status_of_download(&world, &hire.partner, proof).await, 200);
    assert_eq!(status_of_download(&world, &hire.partner, spare).await, 404);
    world.call("core.file.delete", &hire.athlete.principal, json!({ "id": spare })).await.data();
    assert_eq!(status_of_download(&world, &hire.athlete, spare).await, 404);
    assert_eq!(world.objects().await, 1);
}
both!(what_is_part_of_a_record_is_seen_with_it_and_stays);

async fn only_ones_own_files_can_be_handed_in(world: World) {
    let hire = world.active(json!({})).await;
    let stranger = world.athlete("Ida Novak").await;
    let theirs = world.file(&stranger, "theirs.png").await;
    let mine = world.file(&hire.athlete, "mine.png").await;
    let gone = world.file(&hire.athlete, "gone.png").await;
    world.call("core.file.delete", &hire.athlete.principal, json!({ "id": gone })).await.data();
    let mut answers = Vec::new();
    for wrong in [theirs, gone, 999_999] {
        let work = json!({ "deliverable_id": hire.deliverables[0], "file_ids": [mine, wrong] });
        let answer = world.call("core.deliverable.submit", &hire.athlete.principal, work).await;
        assert_eq!(answer.status, 422);
        assert!(answer.body["errors"].get("file_ids").is_some(), "{}", answer.body);
        answers.push(answer.body);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:#?}");
    let file = world.call("core.file.delete", &hire.athlete.principal, json!({ "id": mine })).await;
    assert_eq!(file.status, 200, "a refused submission makes use of nothing: {}", file.body);
}
both!(only_ones_own_files_can_be_handed_in);

async fn what_nobody_makes_use_of_goes_after_a_day(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let file = world.file(&athlete, "a.png").await;
    world.pass(TimeDelta::hours(23));
    assert_eq!(sweep(&world.platform).await.unwrap().unused, 0);
    world.pass(TimeDelta::hours(2));
    assert_eq!(sweep(&world.platform).await.unwrap().unused, 1);
    assert_eq!(sweep(&world.platform).await.unwrap().unused, 0);
    assert_eq!((status_of_download(&world, &athlete, file).await, world.objects().await), (404, 0));
}
both!(what_nobody_makes_use_of_goes_after_a_day);

async fn an_object_without_a_file_is_set_aside(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let file = world.file(&athlete, "a.png").await;
    let relic = ObjectKey::draw(world.platform.random());
    world.platform.objects().put(&relic, b"relic"[..].into()).await.unwrap();
    assert_eq!(sweep_everything(&world).await, 1);
    assert_eq!(sweep_everything(&world).await, 0);
    assert!(world.platform.objects().get(&relic).await.unwrap().is_none());
    assert_eq!(status_of_download(&world, &athlete, file).await, 200);
}
both!(an_object_without_a_file_is_set_aside);

async fn using_and_deleting_at_once_leaves_no_hole(world: World) {
    let hire = world.active(json!({})).await;
    let proof = world.file(&hire.athlete, "proof.png").await;
    let me = &hire.athlete.principal;
    let work = json!({ "deliverable_id": hire.deliverables[0], "file_ids": [proof] });
    let (submitted, deleted) = tokio::join!(
        world.call("core.deliverable.submit", me, work),
        world.call("core.file.delete", me, json!({ "id": proof })),
    );
    assert_ne!(
        submitted.status == 200,
        deleted.status == 200,
        "{} {}",
        submitted.body,
        deleted.body
    );
    let seen = status_of_download(&world, &hire.partner, proof).await;
    assert_eq!(seen == 200, submitted.status == 200);
}
both!(using_and_deleting_at_once_leaves_no_hole);
