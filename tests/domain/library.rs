//! A brand's content library: accepted content, its usage period, and URLs that open it.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_tests::{Answer, Hire, PIXEL, World, a_file, both};
use serde_json::{Value, json};

/// Submits files and gets them accepted.
async fn accepted(world: &World, hire: &Hire, deliverable: i64, files: &[i64]) {
    let work = json!({ "deliverable_id": deliverable, "file_ids": files, "caption": "New vest #ad",
        "post_url": "https://www.instagram.com/p/C8x/" });
    world.call("core.deliverable.submit", &hire.athlete.principal, work).await.data();
    let yes = json!({ "deliverable_id": deliverable, "status": "approved" });
    world.call("core.deliverable.change_status", &hire.partner.principal, yes).await.data();
}

async fn download(world: &World, hire: &Hire, input: Value) -> Answer {
    world.call("core.content_library.download", &hire.partner.principal, input).await
}

async fn open(world: &World, url: &str) -> Answer {
    let (_, token) = url.rsplit_once("?token=").unwrap();
    let token = json!({ "token": token });
    world.call("core.file.open_signed", &Principal::Anonymous, token).await
}

async fn what_was_accepted_is_in_the_library(world: World) {
    let hire = world.active(json!({})).await;
    let proof = world.file(&hire.athlete, "proof.png").await;
    let csv = world
        .call("core.file.upload", &hire.athlete.principal, a_file("reach.csv", b"day,views\n1,9\n"))
        .await
        .data();
    let me = &hire.partner.principal;
    let list = async |input: Value| world.call("core.content_library.list", me, input).await;
    assert_eq!(list(json!({})).await.data(), json!([]));
    accepted(&world, &hire, hire.deliverables[0], &[proof, csv["id"].as_i64().unwrap()]).await;
    // Submitted is not accepted yet.
    world.submit(&hire, hire.deliverables[1]).await;

    let assets = list(json!({})).await.data();
    assert_eq!(assets.as_array().unwrap().len(), 1);
    let asset = &assets[0];
    assert_eq!(
        (&asset["id"], &asset["title"], &asset["platform"]),
        (&json!(hire.deliverables[0]), &json!("Reel"), &json!("instagram"))
    );
    assert_eq!(
        (&asset["athlete_name"], &asset["job_title"]),
        (&json!("Zoe Okafor"), &json!("Winter trail campaign"))
    );
    assert_eq!(asset["files"].as_array().unwrap().len(), 2);
    let rights = &asset["usage_rights"];
    assert_eq!(
        (&rights["starts_at"], &rights["expires_at"]),
        (&json!("2026-11-20T12:00:00Z"), &json!("2027-02-18T12:00:00Z"))
    );
    assert_eq!(
        (&rights["expired"], &rights["perpetual"], &rights["territory"]),
        (&json!(false), &json!(false), &json!("US"))
    );

    world.pass(TimeDelta::days(12));
    let yes = json!({ "deliverable_id": hire.deliverables[1], "status": "approved" });
    world.call("core.deliverable.change_status", me, yes).await.data();
    let titles = async |input: Value| -> Vec<String> {
        let assets = list(input).await.data();
        assets.as_array().unwrap().iter().map(|a| a["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles(json!({})).await, ["Story", "Reel"]);
    assert_eq!(titles(json!({ "per_page": 1, "page": 2 })).await, ["Reel"]);
    assert_eq!(titles(json!({ "to": "2026-11-20" })).await, ["Reel"]);
    assert_eq!(titles(json!({ "from": "2026-11-21", "to": "2026-12-02" })).await, ["Story"]);
    assert!(titles(json!({ "platforms": ["tiktok", "x"] })).await.is_empty());
    assert_eq!(titles(json!({ "platforms": ["instagram"], "job_ids": [hire.job], "athlete_ids": [hire.athlete.id] })).await.len(), 2);
    assert!(titles(json!({ "job_ids": [999] })).await.is_empty());
    assert_eq!(list(json!({ "platforms": ["myspace"] })).await.status, 422);

    let overview = world.call("core.content_library.overview", me, json!({})).await.data();
    assert_eq!((&overview["assets"], &overview["files"]), (&json!(2), &json!(2)));
    assert_eq!(overview["storage_used_bytes"], json!(PIXEL.len() + 14));
    assert_eq!(overview["by_platform"], json!([{ "value": "instagram", "count": 2 }]));
    assert_eq!(
        overview["by_media_kind"],
        json!([{ "value": "reel", "count": 1 }, { "value": "story", "count": 1 }])
    );
    assert_eq!(
        overview["by_month"],
        json!([{ "value": "2026-12", "count": 1 }, { "value": "2026-11", "count": 1 }])
    );
    let other = world.partner("Valley Sports").await;
    let theirs =
        world.call("core.content_library.overview", &other.principal, json!({})).await.data();
    assert_eq!(
        (&theirs["assets"], &theirs["storage_used_bytes"], &theirs["by_month"]),
        (&json!(0), &json!(0), &json!([]))
    );
    let refused = world.call("core.content_library.list", &hire.athlete.principal, json!({})).await;
    assert_eq!(refused.status, 403);
}
both!(what_was_accepted_is_in_the_library);

async fn a_signed_address_opens_one_file_for_a_while(world: World) {
    let hire = world.active(json!({})).await;
    let proof = world.file(&hire.athlete, "proof.png").await;
    let other = world.file(&hire.athlete, "other.png").await;
    accepted(&world, &hire, hire.deliverables[0], &[proof]).await;
    let link = download(&world, &hire, json!({ "id": hire.deliverables[0] })).await.data();
    let url = link["url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:8080/api/files/signed?token="), "{url}");
    assert_eq!(link["expires_at"], "2026-11-20T12:15:00Z");
    let file = open(&world, url).await;
    assert_eq!((file.status, &*file.bytes, &file.body["data"]), (200, PIXEL, &json!("proof.png")));

    // Another file, time or signature: nothing opens.
    let (base, token) = url.rsplit_once("?token=").unwrap();
    let parts: Vec<&str> = token.split('.').collect();
    let [id, expires, signature] = parts[..] else { panic!("{token}") };
    let later = expires.parse::<i64>().unwrap() + 3_600;
    let flipped = signature.replace(|c| c != '0', "0");
    for forged in [
        format!("{other}.{expires}.{signature}"),
        format!("{id}.{later}.{signature}"),
        format!("{id}.{expires}.{flipped}"),
        format!("{id}.{expires}.{}", signature.to_uppercase()),
        format!("{id}.{expires}."),
        format!("+{id}.{expires}.{signature}"),
        format!("{id}.{expires}"),
        signature.to_owned(),
        "..".into(),
    ] {
        let refused = open(&world, &format!("{base}?token={forged}")).await;
        assert_eq!((refused.status, refused.code()), (404, "link_invalid"), "{forged}");
    }
    world.pass(TimeDelta::seconds(899));
    assert_eq!(open(&world, url).await.status, 200);
    world.pass(TimeDelta::seconds(1));
    let late = open(&world, url).await;
    assert_eq!((late.status, late.code()), (404, "link_invalid"));
}
both!(a_signed_address_opens_one_file_for_a_while);

async fn an_asset_is_downloaded_by_whoever_may_use_it(world: World) {
    let hire = world.active(json!({})).await;
    let (first, second) = (hire.deliverables[0], hire.deliverables[1]);
    let files =
        [world.file(&hire.athlete, "1.png").await, world.file(&hire.athlete, "2.png").await];
    let early = download(&world, &hire, json!({ "id": first })).await;
    assert_eq!((early.status, early.code()), (404, "not_found"));
    accepted(&world, &hire, first, &files).await;
    world.approve(&hire, second).await;

    let which = download(&world, &hire, json!({ "id": first })).await;
    assert_eq!(which.status, 422);
    assert!(which.body["errors"].get("file_id").is_some());
    let one =
        download(&world, &hire, json!({ "id": first, "file_id": files[1], "inline": true })).await;
    assert_eq!((one.status, &*one.bytes, &one.body["data"]), (200, PIXEL, &json!("2.png")));
    let link =
        download(&world, &hire, json!({ "id": first, "file_id": files[0], "inline": false })).await;
    assert!(link.data()["url"].is_string());
    let stray = world.file(&hire.athlete, "3.png").await;
    assert_eq!(download(&world, &hire, json!({ "id": first, "file_id": stray })).await.status, 404);
    let links_only = download(&world, &hire, json!({ "id": second })).await;
    assert_eq!((links_only.status, links_only.code()), (409, "no_file"));
    let other = world.partner("Valley Sports").await;
    let theirs =
        world.call("core.content_library.download", &other.principal, json!({ "id": first })).await;
    assert_eq!(theirs.status, 404);

    world.pass(TimeDelta::days(90) - TimeDelta::seconds(1));
    let last = json!({ "id": first, "file_id": files[0] });
    assert_eq!(download(&world, &hire, last.clone()).await.status, 200);
    world.pass(TimeDelta::seconds(1));
    for inline in [true, false] {
        let mut input = last.clone();
        input["inline"] = json!(inline);
        let expired = download(&world, &hire, input).await;
        assert_eq!((expired.status, expired.code()), (409, "usage_rights_expired"));
        assert_eq!(
            expired.body["message"],
            "The right to use this content ended on February 18, 2027."
        );
    }
    let assets =
        world.call("core.content_library.list", &hire.partner.principal, json!({})).await.data();
    assert_eq!(assets[0]["usage_rights"]["expired"], true);
}
both!(an_asset_is_downloaded_by_whoever_may_use_it);
