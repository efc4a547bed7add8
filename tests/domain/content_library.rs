//! The site's content: folders, names, versions, moves, the trash.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::worker::round;
use nil_tests::{Answer, Engine, PIXEL, World, a_file, both};
use serde_json::{Value, json};

pub(crate) const PDF: &[u8] = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";

pub(crate) async fn call(world: &World, name: &str, input: Value) -> Answer {
    let operator = world.operator(&[Permission::Content]);
    world.call(&format!("admin.content.{name}"), &operator, input).await
}

pub(crate) async fn folder(world: &World, name: &str, parent: i64) -> i64 {
    let input = json!({ "name": name, "parent_id": parent });
    id_of(&call(world, "save", input).await.data())
}

/// A small file in a folder.
pub(crate) async fn a_small_file(world: &World, name: &str, parent: i64) -> i64 {
    let mut input = a_file(name, PIXEL);
    input["parent_id"] = json!(parent);
    id_of(&call(world, "save", input).await.data())
}

pub(crate) fn id_of(item: &Value) -> i64 {
    item["id"].as_i64().expect("an id")
}

async fn browse(world: &World, parent: i64, more: Value) -> Answer {
    let mut input = json!({ "parent_id": parent });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    call(world, "browse", input).await
}

pub(crate) async fn names(world: &World, parent: i64) -> Vec<String> {
    each(&browse(world, parent, json!({})).await.data())
}

fn each(list: &Value) -> Vec<String> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

async fn move_to(world: &World, ids: &[i64], parent: i64) -> Answer {
    call(world, "move", json!({ "ids": ids, "parent_id": parent })).await
}

async fn delete(world: &World, ids: &[i64]) -> Answer {
    call(world, "delete", json!({ "ids": ids })).await
}

async fn restore(world: &World, ids: &[i64]) -> Answer {
    call(world, "restore", json!({ "ids": ids })).await
}

pub(crate) async fn download(world: &World, id: i64, version: Option<i64>) -> Answer {
    call(world, "download", json!({ "id": id, "version": version })).await
}

async fn a_folder_lists_folders_first_and_says_where_it_is(world: World) {
    let press = folder(&world, "Press", 0).await;
    let kit = folder(&world, "Kit 2026", press).await;
    a_small_file(&world, "b.png", press).await;
    a_small_file(&world, "A.png", press).await;
    folder(&world, "archive", press).await;
    let list = browse(&world, press, json!({})).await;
    assert_eq!(each(&list.body["data"]), ["archive", "Kit 2026", "A.png", "b.png"]);
    assert_eq!(list.body["path"], json!([{ "id": press, "name": "Press" }]));
    let file = &list.body["data"][2];
    assert_eq!((&file["kind"], &file["parent_id"]), (&json!("file"), &json!(press)));
    assert_eq!(
        (&file["file"]["version"], &file["file"]["size"], &file["file"]["media_type"]),
        (&json!(1), &json!(PIXEL.len()), &json!("image/png"))
    );
    let down = browse(&world, press, json!({ "sort": "-name" })).await.data();
    assert_eq!(each(&down), ["Kit 2026", "archive", "b.png", "A.png"]);
    let two = browse(&world, press, json!({ "per_page": 2, "page": 2 })).await;
    assert_eq!(each(&two.body["data"]), ["A.png", "b.png"]);
    assert_eq!(two.body["pagination"]["total"], 4);
    let some = browse(&world, press, json!({ "q": "KIT" })).await.data();
    assert_eq!(each(&some), ["Kit 2026"]);
    for sort in ["created_at", "-created_at", "updated_at", "-updated_at", "size", "-size"] {
        let sorted = browse(&world, press, json!({ "sort": sort })).await.data();
        assert_eq!(sorted.as_array().unwrap().len(), 4, "{sort}");
    }
    let inside = browse(&world, kit, json!({})).await;
    let path = json!([{ "id": press, "name": "Press" }, { "id": kit, "name": "Kit 2026" }]);
    assert_eq!((&inside.body["path"], &inside.body["data"]), (&path, &json!([])));
    assert_eq!(browse(&world, 0, json!({})).await.body["path"], json!([]));
    for nowhere in [id_of(file), 999_999] {
        assert_eq!(browse(&world, nowhere, json!({})).await.code(), "not_found");
    }
}
both!(a_folder_lists_folders_first_and_says_where_it_is);

async fn a_name_is_there_once_in_a_folder(world: World) {
    let press = folder(&world, "Press", 0).await;
    let taken = call(&world, "save", json!({ "name": "PRESS" })).await;
    assert_eq!((taken.status, taken.code()), (409, "duplicate"));
    let inner = folder(&world, "Press", press).await;
    let logo = a_small_file(&world, "Logo.PNG", press).await;
    let mut again = a_file("logo.png", PIXEL);
    again["parent_id"] = json!(press);
    assert_eq!(call(&world, "save", again.clone()).await.code(), "duplicate");
    assert_eq!(world.objects().await, 1, "nothing is written for a name that is taken");
    let rename = |id: i64, name: &str| call(&world, "save", json!({ "id": id, "name": name }));
    assert_eq!(rename(inner, "LOGO.png").await.code(), "duplicate");
    // Another case of its own letters is no other name.
    assert_eq!(rename(press, "PRESS").await.data()["name"], "PRESS");
    // A renamed file keeps an ending that fits its content.
    assert_eq!(rename(logo, "../Wordmark.exe").await.data()["name"], "Wordmark.exe.png");
    call(&world, "save", again).await.data();
    assert_eq!(rename(999_999, "x").await.code(), "not_found");
    let moved = json!({ "id": logo, "name": "x", "parent_id": 0 });
    assert!(call(&world, "save", moved).await.body["errors"]["parent_id"].is_array());
    for (parent, name) in [(999_999, "x"), (-1, "x"), (logo, "x"), (press, ".."), (press, "a/")] {
        let wrong = call(&world, "save", json!({ "name": name, "parent_id": parent })).await;
        assert_eq!((wrong.status, wrong.code()), (422, "validation_failed"), "{parent} {name}");
    }
    // Everything that is wrong is said at once.
    let both = call(&world, "save", json!({ "name": "..", "parent_id": 999_999 })).await;
    assert!(both.body["errors"]["name"].is_array() && both.body["errors"]["parent_id"].is_array());
    let text = json!({ "name": "a.png", "media_type": "image/png", "content": "aGVsbG8=" });
    assert!(call(&world, "save", text).await.body["errors"]["media_type"].is_array());
}
both!(a_name_is_there_once_in_a_folder);

async fn a_file_keeps_its_versions(world: World) {
    let id = a_small_file(&world, "Logo.png", 0).await;
    let mut new = a_file("other name.pdf", PDF);
    new["id"] = json!(id);
    let changed = call(&world, "save", new).await.data();
    assert_eq!((&changed["id"], &changed["name"]), (&json!(id), &json!("Logo.png.pdf")));
    assert_eq!(changed["file"]["version"], 2);
    assert_eq!(&*download(&world, id, None).await.bytes, PDF);
    assert_eq!(&*download(&world, id, Some(2)).await.bytes, PDF);
    assert_eq!(&*download(&world, id, Some(1)).await.bytes, PIXEL);
    assert_eq!(download(&world, id, Some(3)).await.code(), "not_found");
    let versions = call(&world, "versions", json!({ "id": id })).await.data();
    let numbers: Vec<_> = versions.as_array().unwrap().iter().map(|one| &one["number"]).collect();
    assert_eq!(numbers, [2, 1]);
    assert_eq!(versions[0]["name"], "other name.pdf");
    assert_eq!(versions[1]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(versions[1].get("object_key"), None);
    // A folder has neither content nor versions.
    let press = folder(&world, "Press", 0).await;
    for name in ["versions", "download", "preview_url"] {
        assert_eq!(call(&world, name, json!({ "id": press })).await.code(), "not_found");
    }
    let mut into = a_file("a.png", PIXEL);
    into["id"] = json!(press);
    assert_eq!(call(&world, "save", into).await.code(), "not_found");
    assert_eq!(world.id("SELECT COUNT(*) FROM multipart_upload WHERE status = 'created'").await, 0);
    let notes = "SELECT COUNT(*) FROM audit_entry WHERE action IN ('uploaded', 'downloaded')";
    assert!(world.id(notes).await >= 5);
}
both!(a_file_keeps_its_versions);

async fn nothing_moves_into_itself(world: World) {
    let a = folder(&world, "a", 0).await;
    let b = folder(&world, "b", a).await;
    let c = folder(&world, "c", b).await;
    let file = a_small_file(&world, "x.png", c).await;
    for (what, to) in [(a, a), (a, b), (a, c), (b, c)] {
        let refused = move_to(&world, &[what], to).await;
        assert!(refused.body["errors"]["parent_id"].is_array(), "{what} to {to}");
    }
    // All or none of them.
    assert_eq!(move_to(&world, &[file, a], b).await.status, 422);
    assert_eq!(names(&world, c).await, ["x.png"]);
    move_to(&world, &[c, file], 0).await.data();
    assert_eq!(names(&world, 0).await, ["a", "c", "x.png"]);
    move_to(&world, &[a], c).await.data();
    assert_eq!(move_to(&world, &[c], b).await.status, 422);
    assert_eq!(browse(&world, b, json!({})).await.body["path"].as_array().unwrap().len(), 3);
    folder(&world, "X.PNG", a).await;
    assert_eq!(move_to(&world, &[file], a).await.code(), "duplicate");
    for (ids, to, code) in [
        (&[999_999][..], 0, "not_found"),
        (&[file], file, "validation_failed"),
        (&[file], 999_999, "validation_failed"),
        (&[], 0, "validation_failed"),
    ] {
        assert_eq!(move_to(&world, ids, to).await.code(), code, "{ids:?} to {to}");
    }
}
both!(nothing_moves_into_itself);

/// Two moves that are fine one after the other, and a circle together.
async fn two_moves_at_once_make_no_circle(world: World) {
    for round in 0..12 {
        let a = folder(&world, &format!("a{round}"), 0).await;
        let b = folder(&world, &format!("b{round}"), 0).await;
        let (one, two) = (&[a], &[b]);
        let (there, back) = tokio::join!(move_to(&world, one, b), move_to(&world, two, a));
        let statuses = [there.status, back.status];
        assert!(statuses == [200, 422] || statuses == [422, 200], "{statuses:?}");
        // Whoever moved is found from the top.
        let below = if there.status == 200 { a } else { b };
        assert_eq!(
            browse(&world, below, json!({})).await.body["path"].as_array().unwrap().len(),
            2
        );
    }
}
both!(two_moves_at_once_make_no_circle);

async fn folders_are_at_most_32_deep(world: World) {
    let mut deepest = 0;
    for level in 0..32 {
        deepest = folder(&world, &format!("level {level}"), deepest).await;
    }
    let deeper = call(&world, "save", json!({ "name": "x", "parent_id": deepest })).await;
    assert!(deeper.body["errors"]["parent_id"][0].as_str().unwrap().contains("32"));
    a_small_file(&world, "a.png", deepest).await;
    let pair = folder(&world, "pair", 0).await;
    let inner = folder(&world, "inner", pair).await;
    let above = browse(&world, deepest, json!({})).await.body["path"][30]["id"].clone();
    let above = above.as_i64().unwrap();
    assert_eq!(move_to(&world, &[pair], above).await.status, 422);
    move_to(&world, &[inner], above).await.data();
}
both!(folders_are_at_most_32_deep);

async fn what_is_deleted_comes_back_for_30_days(world: World) {
    let press = folder(&world, "Press", 0).await;
    let kit = folder(&world, "Kit", press).await;
    let logo = a_small_file(&world, "logo.png", kit).await;
    let old = a_small_file(&world, "old.png", press).await;
    assert_eq!(delete(&world, &[old]).await.data()["deleted"], 1);
    let gone = delete(&world, &[press]).await.data();
    assert_eq!(
        (&gone["deleted"], &gone["restorable_until"]),
        (&json!(3), &json!("2026-12-20T12:00:00Z"))
    );
    assert_eq!(names(&world, 0).await, [""; 0]);
    for id in [press, kit] {
        assert_eq!(browse(&world, id, json!({})).await.code(), "not_found");
    }
    for id in [logo, old] {
        assert_eq!(download(&world, id, None).await.code(), "not_found");
    }
    assert_eq!(delete(&world, &[press]).await.code(), "not_found");
    assert_eq!(move_to(&world, &[logo], 0).await.code(), "not_found");
    let trash = browse(&world, 0, json!({ "deleted": true })).await.data();
    assert_eq!(each(&trash), ["Press", "old.png"], "as they were deleted");
    assert!(trash[0]["deleted_at"].is_string());

    // What went with a folder comes back with it; what was in a deleted folder needs that one
    // first.
    let part = restore(&world, &[kit]).await;
    assert_eq!(part.code(), "folder_deleted");
    assert!(part.body["message"].as_str().unwrap().contains(&press.to_string()), "{}", part.body);
    assert_eq!(restore(&world, &[old]).await.code(), "folder_deleted");
    // The name is taken meanwhile.
    let other = folder(&world, "press", 0).await;
    assert_eq!(restore(&world, &[press]).await.code(), "duplicate");
    call(&world, "save", json!({ "id": other, "name": "Press 2" })).await.data();
    restore(&world, &[press]).await.data();
    assert_eq!(names(&world, press).await, ["Kit"]);
    assert_eq!(&*download(&world, logo, None).await.bytes, PIXEL);
    let there = browse(&world, press, json!({ "deleted": true })).await.data();
    assert_eq!(each(&there), ["old.png"]);
    // To another folder, too.
    let input = json!({ "ids": [old], "parent_id": other });
    call(&world, "restore", input).await.data();
    assert_eq!(names(&world, other).await, ["old.png"]);
    assert_eq!(restore(&world, &[old]).await.code(), "not_found");

    delete(&world, &[press, kit, logo]).await.data();
    world.pass(TimeDelta::days(30));
    round(&world.platform).await.unwrap();
    assert_eq!(
        (world.objects().await, each(&browse(&world, 0, json!({ "deleted": true })).await.data())),
        (2, vec!["Press".to_owned()])
    );
    world.pass(TimeDelta::hours(1));
    let done = round(&world.platform).await.unwrap();
    assert_eq!((done.content_removed, world.objects().await), (3, 1));
    assert_eq!(restore(&world, &[press]).await.code(), "not_found");
    assert_eq!(world.id("SELECT COUNT(*) FROM content_version").await, 1);
    // The worker looks at every shelf, and finds that what is left is needed.
    for _ in 0..256 {
        nil_core::content::sweeping::sweep(&world.platform).await.unwrap();
    }
    assert_eq!(&*download(&world, old, None).await.bytes, PIXEL);
}
both!(what_is_deleted_comes_back_for_30_days);

async fn a_preview_is_an_address_for_a_while(world: World) {
    let id = a_small_file(&world, "logo.png", 0).await;
    let link = call(&world, "preview_url", json!({ "id": id })).await.data();
    assert_eq!(link["expires_at"], "2026-11-20T12:15:00Z");
    let url = link["url"].as_str().unwrap();
    let (at, token) = url.split_once("?token=").unwrap();
    assert!(at.ends_with("/admin/content/preview"), "{at}");
    let open = async |token: &str| {
        world.call("admin.content.preview", &Principal::Anonymous, json!({ "token": token })).await
    };
    assert_eq!(&*open(token).await.bytes, PIXEL);
    // It is for this version, and nothing else.
    let mut new = a_file("logo.png", &PIXEL.repeat(2));
    new["id"] = json!(id);
    call(&world, "save", new).await.data();
    assert_eq!(&*open(token).await.bytes, PIXEL);
    let (promise, signature) = token.rsplit_once('.').unwrap();
    let other = promise.replacen(&format!("preview.{id}.1"), &format!("preview.{id}.2"), 1);
    assert_ne!(other, promise);
    let part = promise.replacen("preview", "part", 1);
    for wrong in [
        format!("{other}.{signature}"),
        format!("{part}.{signature}"),
        format!("{token}0"),
        "x".into(),
    ] {
        assert_eq!(open(&wrong).await.code(), "link_invalid", "{wrong}");
    }
    delete(&world, &[id]).await.data();
    assert_eq!(open(token).await.code(), "link_invalid");
    restore(&world, &[id]).await.data();
    assert_eq!(open(token).await.status, 200);
    world.pass(TimeDelta::minutes(15));
    assert_eq!(open(token).await.code(), "link_invalid");
    // Browsers do not show tables.
    let table = a_file("t.csv", b"a,b\n1,2\n");
    let table = id_of(&call(&world, "save", table).await.data());
    let refused = call(&world, "preview_url", json!({ "id": table })).await;
    assert_eq!((refused.status, refused.code()), (409, "no_preview"));
}
both!(a_preview_is_an_address_for_a_while);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_operators_for_content_use_it() {
    let world = World::on(Engine::Sqlite).await;
    for permission in [Permission::Site, Permission::Jobs, Permission::Reports] {
        let operator = world.operator(&[permission]);
        let answer = world.call("admin.content.browse", &operator, json!({ "parent_id": 0 })).await;
        assert_eq!(answer.status, 403);
    }
}

async fn the_folder_that_an_item_is_in_may_be_named_again(world: World) {
    let (press, other) = (folder(&world, "Press", 0).await, folder(&world, "Other", 0).await);
    let inner = a_small_file(&world, "logo.png", press).await;
    let top = a_small_file(&world, "top.png", 0).await;
    for (id, own, elsewhere) in [(inner, press, other), (inner, press, 0), (top, 0, press)] {
        let save = |parent: i64| json!({ "id": id, "name": "kept.png", "parent_id": parent });
        let saved = call(&world, "save", save(own)).await.data();
        assert_eq!((&saved["id"], &saved["name"]), (&json!(id), &json!("kept.png")));
        let moved = call(&world, "save", save(elsewhere)).await;
        assert_eq!(moved.status, 422);
        assert!(moved.body["errors"]["parent_id"].is_array(), "{}", moved.body);
        // A new version of a file, too.
        let mut version = a_file("kept.png", PIXEL);
        version["id"] = json!(id);
        version["parent_id"] = json!(own);
        call(&world, "save", version).await.data();
    }
    assert_eq!(names(&world, press).await, ["kept.png"]);
    // An upload in parts takes the same.
    for (parent, status) in [(press, 200), (other, 422), (0, 422), (-1, 422)] {
        let begun = json!({ "id": inner, "name": "kept.png", "parent_id": parent,
            "size": 6_000_000, "mime": "image/png" });
        assert_eq!(call(&world, "multipart_create", begun).await.status, status, "{parent}");
    }
    let gone = json!({ "id": 999_999, "name": "x", "parent_id": 0 });
    assert_eq!(call(&world, "save", gone).await.status, 404);
}
both!(the_folder_that_an_item_is_in_may_be_named_again);
