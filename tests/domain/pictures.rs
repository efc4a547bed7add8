//! Pictures of athletes and logos of brands: copies of the caller's own files, public while they
//! are part of a profile.

use nil_core::accounts::suspension;
use nil_core::auth::Principal;
use nil_core::kernel::UserId;
use nil_tests::{Answer, Person, World, a_file, both, is_pixel};
use serde_json::{Value, json};

pub(crate) async fn edit(world: &World, who: &Person, input: Value) -> Answer {
    let name = match &who.principal {
        Principal::User { kind, .. } => format!("core.{kind}.edit"),
        _ => panic!("a user"),
    };
    world.call(&name, &who.principal, input).await
}

/// The picture at a URL, as the public gets it.
pub(crate) async fn look(world: &World, url: &Value) -> Answer {
    let (_, token) = url.as_str().unwrap().rsplit_once("/api/pictures/").unwrap();
    let input = json!({ "token": token });
    world.call("core.file.picture", &Principal::Anonymous, input).await
}

/// The file that an address shows: a copy of the uploaded one.
pub(crate) fn of_address(url: &Value) -> i64 {
    let (_, token) = url.as_str().and_then(|url| url.rsplit_once('/')).expect("an address");
    token.split_once('-').and_then(|(id, _)| id.parse().ok()).expect("an id")
}

async fn everybody_sees_the_picture_of_a_profile(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let first = world.file(&athlete, "a.png").await;
    let other = a_file("b.gif", b"GIF89a\x01\0\x01\0\0\0\0;");
    let second = world.call("core.file.upload", &athlete.principal, other).await.data();
    let second = second["id"].as_i64().unwrap();
    let record = edit(&world, &athlete, json!({ "photo_file_id": first })).await.data();
    let url = record["photo_url"].clone();
    let seen = look(&world, &url).await;
    assert!(seen.status == 200 && is_pixel(&seen.bytes), "{}", seen.body);
    // The URL stays the same until the picture changes, whatever else is edited.
    let record = edit(&world, &athlete, json!({ "bio": "Runs." })).await.data();
    assert_eq!(record["photo_url"], url);
    let record = edit(&world, &athlete, json!({ "photo_file_id": first })).await.data();
    assert_eq!(record["photo_url"], url);
    let anybody = Principal::Anonymous;
    let directory = world.call("core.public.athlete_directory", &anybody, json!({})).await.data();
    assert_eq!(directory[0]["photo_url"], url);
    let slug = json!({ "share_slug": record["share_slug"] });
    let page = world.call("core.public.athlete_profile", &anybody, slug).await.data();
    assert_eq!(page["photo_url"], url);

    let record = edit(&world, &athlete, json!({ "photo_file_id": second })).await.data();
    assert_ne!(record["photo_url"], url);
    let old = look(&world, &url).await;
    assert_eq!((old.status, old.code()), (404, "not_found"));
    let url = record["photo_url"].clone();
    assert_eq!(look(&world, &url).await.status, 200);
    // It is part of the profile, and so neither deleted nor swept; the old one and its copy are.
    let delete = |id: i64| world.call("core.file.delete", &athlete.principal, json!({ "id": id }));
    assert_eq!(delete(second).await.code(), "file_in_use");
    world.pass(chrono::TimeDelta::hours(48));
    assert_eq!(nil_core::content::sweeping::sweep(&world.platform).await.unwrap().unused, 2);
    assert_eq!(look(&world, &url).await.status, 200);
    let record = edit(&world, &athlete, json!({ "photo_file_id": null })).await.data();
    assert_eq!(record["photo_url"], Value::Null);
    assert_eq!(look(&world, &url).await.status, 404);
    delete(second).await.data();
    let audited = "SELECT COUNT(*) FROM audit_entry WHERE operation = 'core.athlete.edit' \
             AND CAST(after AS TEXT) LIKE '%photo_url%'";
    assert_eq!(world.id(audited).await, 3);
}
both!(everybody_sees_the_picture_of_a_profile);

async fn a_brand_has_a_logo(world: World) {
    let brand = world.partner("Corner Bakery").await;
    let file = world.file(&brand, "logo.png").await;
    let record = edit(&world, &brand, json!({ "logo_file_id": file })).await.data();
    let url = &record["logo_url"];
    assert!(is_pixel(&look(&world, url).await.bytes));
    let directory =
        world.call("core.public.brand_directory", &Principal::Anonymous, json!({})).await.data();
    assert_eq!(&directory[0]["logo_url"], url);
    edit(&world, &brand, json!({ "logo_file_id": null })).await.data();
    assert_eq!(look(&world, url).await.status, 404);
}
both!(a_brand_has_a_logo);

async fn only_ones_own_pictures_can_be_shown(world: World) {
    let (athlete, brand) =
        (world.athlete("Zoe Okafor").await, world.partner("Corner Bakery").await);
    let stranger = world.athlete("Ida Novak").await;
    let theirs = world.file(&stranger, "theirs.png").await;
    let gone = world.file(&athlete, "gone.png").await;
    world.call("core.file.delete", &athlete.principal, json!({ "id": gone })).await.data();
    for (who, field) in [(&athlete, "photo_file_id"), (&brand, "logo_file_id")] {
        let paper = a_file("x.pdf", b"%PDF-1.7\n");
        let paper = world.call("core.file.upload", &who.principal, paper).await.data();
        let mut answers = Vec::new();
        for wrong in [theirs, gone, 999_999] {
            let refused = edit(&world, who, json!({ field: wrong, "listed": false })).await;
            assert_eq!(refused.status, 422);
            assert!(refused.body["errors"].get(field).is_some(), "{}", refused.body);
            answers.push(refused.body);
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:#?}");
        let refused = edit(&world, who, json!({ field: paper["id"] })).await;
        assert_eq!(refused.body["errors"][field][0], "must be a picture");
        let me = world.call("core.auth.me", &who.principal, json!({})).await.data();
        assert_eq!(me["profile"]["listed"], true, "a refused edit changes nothing");
    }
}
both!(only_ones_own_pictures_can_be_shown);

async fn an_address_shows_one_picture_and_nothing_else(world: World) {
    let minor = world.minor("Robin Young").await;
    let (photo, other) = (world.file(&minor, "a.png").await, world.file(&minor, "b.png").await);
    let url =
        edit(&world, &minor, json!({ "photo_file_id": photo })).await.data()["photo_url"].clone();
    let url = url.as_str().unwrap();
    // Knowing or guessing the id of a file is not enough.
    let shown = of_address(&json!(url));
    let swapped = json!(url.replace(&format!("/{shown}-"), &format!("/{other}-")));
    let bare = json!(url.rsplit_once('-').unwrap().0);
    for wrong in [swapped, bare, json!("/api/pictures/x"), json!(format!("{url}0"))] {
        assert_eq!(look(&world, &wrong).await.status, 404, "{wrong}");
    }
    let brand = world.partner("Corner Bakery").await;
    for id in [photo, shown] {
        let plain = json!({ "id": id });
        assert_eq!(world.call("core.file.download", &brand.principal, plain).await.status, 404);
    }
    // A suspended account's picture is hidden until it is restored.
    let (world, url) = (&world, json!(url));
    let seen = async || look(world, &url).await.status;
    assert_eq!(seen().await, 200);
    let user = UserId::new(minor.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.unwrap();
    assert_eq!(seen().await, 404);
    suspension::restore(&world.platform, user).await.unwrap();
    assert_eq!(seen().await, 200);
}
both!(an_address_shows_one_picture_and_nothing_else);
