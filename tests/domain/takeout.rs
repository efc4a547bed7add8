//! A person takes a copy of their data along.

use nil_core::auth::Principal;
use nil_tests::{Person, World, both, unpacked};
use serde_json::{Value, json};

use crate::departures::close;

async fn taken(world: &World, operation: &str, who: &Principal) -> Vec<(String, Vec<u8>)> {
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
