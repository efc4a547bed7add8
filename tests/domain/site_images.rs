//! Pictures that are shown to everybody: the site's logo and icon, and photos of profiles. They are
//! drawn anew.

use std::io::Cursor;
use std::time::Instant;

use image::{DynamicImage, GenericImageView as _, ImageFormat, Rgb, RgbImage, RgbaImage};
use nil_core::auth::{Permission, Principal};
use nil_tests::{Answer, World, a_file, both};
use serde_json::{Value, json};

use crate::pictures::{edit, look};

const UPLOAD: &str = "admin.site.upload_image";

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Twice as wide as high, red on the left and blue on the right.
fn red_and_blue(width: u32) -> RgbImage {
    RgbImage::from_fn(width, width / 2, |x, _| {
        if x < width / 2 { Rgb([250, 0, 0]) } else { Rgb([0, 0, 250]) }
    })
}

/// A part of a JPEG that carries metadata.
fn part(content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xff, 0xe1][..], &length, content].concat()
}

/// A photo that was taken with the camera on its side, and says where: its top is on the left of
/// what is stored.
fn a_photo() -> Vec<u8> {
    let stored = encoded(red_and_blue(64), ImageFormat::Jpeg);
    let exif = [
        &b"Exif\0\0II*\0\x08\0\0\0"[..],
        b"\x02\0",
        b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0",
        b"\x25\x88\x04\0\x01\0\0\0\x26\0\0\0",
        b"\0\0\0\0",
        b"\x01\0",
        b"\x1d\0\x02\0\x0b\0\0\0\x38\0\0\0",
        b"\0\0\0\0",
        b"2026:11:20\0",
    ];
    let xmp = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>GPSLatitude 41,52.5N</x:xmpmeta>";
    [&stored[..2], &part(&exif.concat()), &part(xmp), &stored[2..], b"behind the end"].concat()
}

fn contains(bytes: &[u8], what: &str) -> bool {
    bytes.windows(what.len()).any(|window| window == what.as_bytes())
}

/// Asserts that the photo is upright and says nothing about itself.
fn assert_bare(bytes: &[u8]) {
    for metadata in ["Exif", "2026:11:20", "xmp", "GPS", "behind"] {
        assert!(contains(&a_photo(), metadata) && !contains(bytes, metadata), "{metadata}");
    }
    let picture = image::load_from_memory_with_format(bytes, ImageFormat::Jpeg).unwrap();
    assert_eq!(picture.dimensions(), (32, 64));
    let (top, bottom) = (picture.get_pixel(16, 5), picture.get_pixel(16, 58));
    assert!(top[0] > 200 && top[2] < 50, "{top:?}");
    assert!(bottom[2] > 200 && bottom[0] < 50, "{bottom:?}");
}

fn of_kind(kind: &str, name: &str, content: &[u8]) -> Value {
    let mut input = a_file(name, content);
    input["kind"] = json!(kind);
    input
}

async fn upload(world: &World, kind: &str, name: &str, content: &[u8]) -> Answer {
    let operator = world.operator(&[Permission::Site]);
    world.call(UPLOAD, &operator, of_kind(kind, name, content)).await
}

/// The site as clients see it.
async fn site(world: &World) -> Value {
    world.call("core.public.site_config", &Principal::Anonymous, json!({})).await.data()
}

async fn a_logo_is_upright_and_says_nothing_about_itself(world: World) {
    assert_eq!(site(&world).await["logo_url"], Value::Null);
    let saved = upload(&world, "logo", "Photo.JPG", &a_photo()).await.data();
    assert_eq!(
        (&saved["favicon_url"], &saved["name"]),
        (&Value::Null, &site(&world).await["name"])
    );
    let seen = look(&world, &saved["logo_url"]).await;
    assert_eq!((seen.status, &seen.body["data"]), (200, &json!("Photo.jpg")));
    assert_bare(&seen.bytes);
    assert_eq!(site(&world).await["logo_url"], saved["logo_url"]);

    let icon = encoded(RgbaImage::new(300, 300), ImageFormat::WebP);
    let both = upload(&world, "favicon", "icon.webp", &icon).await.data();
    assert_eq!(both["logo_url"], saved["logo_url"]);
    let seen = look(&world, &both["favicon_url"]).await;
    let picture = image::load_from_memory_with_format(&seen.bytes, ImageFormat::Png).unwrap();
    assert_eq!(picture.dimensions(), (256, 256));
    assert_eq!(site(&world).await["favicon_url"], both["favicon_url"]);
    let trail = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'site' \
        AND operation = 'admin.site.upload_image' AND CAST(before AS TEXT) LIKE '%favicon_url%' \
        AND CAST(after AS TEXT) LIKE '%/api/pictures/%'";
    assert_eq!(world.id(trail).await, 2);
}
both!(a_logo_is_upright_and_says_nothing_about_itself);

async fn a_new_picture_replaces_the_old_one(world: World) {
    let first = encoded(red_and_blue(40), ImageFormat::Png);
    let old = upload(&world, "logo", "a.png", &first).await.data()["logo_url"].clone();
    assert_eq!(look(&world, &old).await.status, 200);
    let second = encoded(red_and_blue(2_000), ImageFormat::Png);
    let new = upload(&world, "logo", "b.png", &second).await.data()["logo_url"].clone();
    assert_ne!(new, old);
    assert_eq!((look(&world, &old).await.code(), world.objects().await), ("not_found", 1));
    let seen = look(&world, &new).await;
    assert_eq!(image::load_from_memory(&seen.bytes).unwrap().dimensions(), (1024, 512));
    // It is part of the site, and so it is never swept.
    world.pass(chrono::TimeDelta::hours(48));
    nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!((look(&world, &new).await.status, world.objects().await), (200, 1));
    let kept = "SELECT COUNT(*) FROM stored_file WHERE status = 'stored' \
        AND user_id IS NULL AND college_id IS NULL AND uses = 1";
    assert_eq!(world.id(kept).await, 1);
    // The file of a site is nobody's: no user opens it by its id.
    let id = world.id("SELECT MAX(id) FROM stored_file").await;
    let brand = world.partner("Corner Bakery").await;
    let read = world.call("core.file.download", &brand.principal, json!({ "id": id })).await;
    assert_eq!(read.status, 404);
}
both!(a_new_picture_replaces_the_old_one);

/// The beginning of a PNG that declares this size.
fn declaring(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = encoded(RgbImage::new(1, 1), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc32(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&sum);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

async fn what_is_no_picture_or_too_large_is_refused_and_nothing_is_stored(world: World) {
    let whole = encoded(red_and_blue(400), ImageFormat::Png);
    let photo = a_photo();
    let began = Instant::now();
    for (name, content) in [
        ("bomb.png", declaring(50_000, 50_000)),
        ("wide.png", declaring(4_097, 10)),
        ("text.png", b"just a text".to_vec()),
        ("logo.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
        ("paper.pdf", b"%PDF-1.7\n".to_vec()),
        ("dance.gif", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec()),
        ("cut.png", whole[..whole.len() / 2].to_vec()),
        ("cut.jpg", photo[..150].to_vec()),
        ("cut.webp", b"RIFF\x24\0\0\0WEBPVP8L\xff\xff\xff\xff".to_vec()),
    ] {
        let refused = upload(&world, "logo", name, &content).await;
        assert_eq!(refused.status, 422, "{name}: {}", refused.body);
        assert!(refused.body["errors"]["content"].is_array(), "{name}: {}", refused.body);
    }
    // The bomb would take minutes and ten gigabytes.
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    let wide = upload(&world, "favicon", "wide.png", &whole).await;
    assert!(wide.body["errors"]["content"][0].as_str().unwrap().ends_with("must be about square"));
    let mut input = of_kind("logo", "a.png", &whole);
    input["media_type"] = json!("image/jpeg");
    let operator = world.operator(&[Permission::Site]);
    let lie = world.call(UPLOAD, &operator, input).await;
    assert!(lie.body["errors"]["media_type"].is_array(), "{}", lie.body);
    let other = upload(&world, "banner", "a.png", &whole).await;
    assert!(other.body["errors"]["kind"].is_array(), "{}", other.body);
    let files = world.id("SELECT COUNT(*) FROM stored_file").await;
    assert_eq!((files, world.objects().await), (0, 0));
    assert_eq!(site(&world).await["logo_url"], Value::Null);
}
both!(what_is_no_picture_or_too_large_is_refused_and_nothing_is_stored);

async fn only_operators_of_the_site_upload_its_pictures(world: World) {
    let picture = of_kind("logo", "a.png", &encoded(red_and_blue(40), ImageFormat::Png));
    let stranger = world.operator(&[Permission::Content, Permission::Finance]);
    let refused = world.call(UPLOAD, &stranger, picture.clone()).await;
    assert_eq!((refused.status, world.objects().await), (403, 0));
    let brand = world.partner("Corner Bakery").await;
    assert_eq!(world.call(UPLOAD, &brand.principal, picture.clone()).await.status, 403);
    assert_eq!(world.call(UPLOAD, &Principal::Anonymous, picture).await.status, 401);
}
both!(only_operators_of_the_site_upload_its_pictures);

async fn uploads_at_once_leave_one_picture(world: World) {
    let pictures: Vec<Vec<u8>> =
        (0..6).map(|at| encoded(red_and_blue(40 + 2 * at), ImageFormat::Png)).collect();
    let uploads = pictures.iter().map(|picture| upload(&world, "logo", "a.png", picture));
    for answer in futures::future::join_all(uploads).await {
        answer.data();
    }
    assert_eq!(world.objects().await, 1);
    assert_eq!(look(&world, &site(&world).await["logo_url"]).await.status, 200);
}
both!(uploads_at_once_leave_one_picture);

async fn a_photo_of_a_profile_says_nothing_about_itself(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let brand = world.partner("Corner Bakery").await;
    for (who, fields) in
        [(&athlete, ["photo_file_id", "photo_url"]), (&brand, ["logo_file_id", "logo_url"])]
    {
        let [field, url] = fields;
        let photo = a_file("me.jpg", &a_photo());
        let file = world.call("core.file.upload", &who.principal, photo).await.data();
        let record = edit(&world, who, json!({ field: file["id"] })).await.data();
        assert_bare(&look(&world, &record[url]).await.bytes);
        // What was uploaded is as it was: it may prove a deliverable.
        let own = json!({ "id": file["id"] });
        let own = world.call("core.file.download", &who.principal, own).await;
        assert_eq!(own.bytes, a_photo());
        let again = edit(&world, who, json!({ field: file["id"] })).await.data();
        assert_eq!(again[url], record[url]);
    }
    let files = "SELECT COUNT(*) FROM stored_file WHERE status <> 'deleted'";
    assert_eq!((world.id(files).await, world.objects().await), (4, 4));
}
both!(a_photo_of_a_profile_says_nothing_about_itself);

async fn an_operator_sets_a_photo_that_says_nothing_about_itself(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let photo = a_file("me.jpg", &a_photo());
    let file = world.call("core.file.upload", &athlete.principal, photo).await.data();
    let operator = world.operator(&[Permission::Accounts]);
    let save = async |input: Value| world.call("admin.athlete.save", &operator, input).await;
    save(json!({ "id": athlete.id, "photo_file_id": file["id"] })).await.data();
    let me = world.call("core.auth.me", &athlete.principal, json!({})).await.data();
    assert_bare(&look(&world, &me["profile"]["photo_url"]).await.bytes);
    let missing = save(json!({ "id": 999_999, "photo_file_id": file["id"] })).await;
    assert_eq!(missing.status, 404);
    let new = json!({
        "photo_file_id": file["id"], "first_name": "Ida", "last_name": "Novak",
        "email": "ida@example.com", "phone": "+12175550100", "date_of_birth": "2004-05-06",
        "university_id": world.college().await, "sport_id": 1,
    });
    let new = save(new).await;
    assert!(new.body["errors"]["photo_file_id"].is_array(), "{}", new.body);
}
both!(an_operator_sets_a_photo_that_says_nothing_about_itself);

async fn a_photo_that_cannot_be_drawn_changes_nothing(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    let cut = encoded(red_and_blue(400), ImageFormat::Png);
    for content in [declaring(50_000, 50_000), cut[..cut.len() / 2].to_vec()] {
        let file = a_file("a.png", &content);
        let file = world.call("core.file.upload", &athlete.principal, file).await.data();
        let refused = edit(&world, &athlete, json!({ "photo_file_id": file["id"] })).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["errors"]["photo_file_id"].is_array(), "{}", refused.body);
    }
    let me = world.call("core.auth.me", &athlete.principal, json!({})).await.data();
    assert_eq!((&me["profile"]["photo_url"], world.objects().await), (&Value::Null, 2));
}
both!(a_photo_that_cannot_be_drawn_changes_nothing);
