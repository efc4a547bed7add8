//! What people do on the pages of the portal and the console: rules, uploads in parts, closing an
//! account, several payouts at once, views with names.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_tests::{Person, Server, World, a_disclosure, every_stack};
use reqwest::Method;
use serde_json::{Value, json};

use crate::console::{Browser, Form, text};

async fn disclose(world: &World, athlete: &Person, title: &str) {
    let deal = a_disclosure(json!({ "title": title, "amount_cents": 20_000 }));
    world.call("core.disclosed_job.save", &athlete.principal, deal).await.data();
}

async fn a_rule_is_looked_at_before_it_is_saved_and_work_is_counted(server: Server) {
    let world = &server.world;
    let college = world.college().await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let (email, _) = world.new_portal_user(college, "owner").await;
    disclose(world, &athlete, "Signing hour").await;
    let owner = Browser::sign_in(&server, "/portal", &email).await;
    let form = owner.form("/rules?rule=approval").await;
    let rule = [
        ("rule", "approval"),
        ("approval.requirement", "all"),
        ("approval.effective_on", "2026-11-20"),
    ];
    let looked = owner.send("/rules", &form, &rule).await;
    let page = text(&looked);
    assert_eq!(looked.status, 200, "{page}");
    assert!(page.contains("Nothing is saved yet") && page.contains("for 1 deal "), "{page}");
    assert!(page.contains("Need a review by an officer"), "{page}");
    assert!(page.contains("Such as") && page.contains(">Signing hour</a>"), "{page}");
    for (name, value) in rule {
        let kept = format!("type=\"hidden\" name=\"{name}\" value=\"{value}\"");
        assert!(page.contains(&kept), "{kept}: {page}");
    }
    let rules = |page: &str| page.matches("All disclosed deals").count();
    assert_eq!(rules(&text(&owner.get("/rules").await)), 0);
    let again = owner.send("/rules", &form, &[&rule[..], &[("act", "edit")]].concat()).await;
    assert!(text(&again).contains("id=\"edit\""));
    // Somebody else's change in between is not overwritten.
    let again = text(&again);
    let (_, after) = again.split_once("name=\"revision\" value=\"").unwrap();
    let (revision, _) = after.split_once('"').unwrap();
    let old: String = revision.chars().map(|one| if one == '0' { '1' } else { '0' }).collect();
    let save = async |revision: &str| {
        let form = owner.form("/rules?rule=approval").await;
        let more = [("act", "save"), ("revision", revision)];
        owner.send("/rules", &form, &[&rule[..], &more].concat()).await
    };
    let refused = save(&old).await;
    assert_eq!(refused.status, 409, "{}", text(&refused));
    let saved = save(revision).await;
    assert_eq!((saved.status, saved.header("location")), (303, "/portal/rules"));
    assert!(rules(&text(&owner.get("/rules").await)) > 0);
    let before = text(&owner.get("/rules?on=2026-11-19").await);
    assert!(before.contains("In force on <time") && rules(&before) == 0, "{before}");
    assert!(before.contains("Default of that day"));

    // Now a deal waits, and every page says so once the numbers of a moment ago are old.
    let waits = "<span class=\"num\">1</span>";
    assert!(!text(&owner.get("/athletes").await).contains(waits));
    disclose(world, &athlete, "Podcast").await;
    world.pass(TimeDelta::seconds(16));
    let page = text(&owner.get("/athletes").await);
    assert!(page.contains(waits), "{page}");
}
every_stack!(a_rule_is_looked_at_before_it_is_saved_and_work_is_counted);

async fn a_large_file_goes_in_parts_through_the_library(server: Server) {
    const AT: &str = "/library/parts";
    let email = server.world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", email).await;
    let page = text(&operator.get("/library").await);
    assert!(page.contains("data-parts=\"/console/library/parts\""), "{page}");
    let form = operator.form("/library").await;
    let ask = async |browser: &Browser<'_>, act: &str, fields: &[(&str, &str)]| {
        let own = browser.form("/library").await;
        let own = Form { key: format!("{}{act}", form.key), ..own };
        let got = browser.send(AT, &own, &[&[("act", act)], fields].concat()).await;
        (got.status, got.json())
    };
    let file = b"\0\0\0\x18ftypmp42\0\0\0\0 a reel";
    let size = file.len().to_string();
    let about = [("name", "reel.mp4"), ("size", &size), ("mime", "video/mp4"), ("parent_id", "0")];
    let (status, begun) = ask(&operator, "create", &about).await;
    assert_eq!((status, &begun["data"]["part_count"]), (200, &json!(1)), "{begun}");
    let upload = begun["data"]["upload_id"].to_string();
    let part = [("upload_id", &*upload), ("part_number", "1")];
    let (status, signed) = ask(&operator, "sign", &part).await;
    let address = signed["data"]["url"].as_str().unwrap_or_default();
    assert!(status == 200 && address.starts_with("/admin/content/multipart/part?"), "{signed}");
    let put = server.request(Method::PUT, address).header("sec-fetch-site", "same-origin");
    let put = server.send(put.body(file.to_vec())).await;
    assert_eq!(put.status, 200);

    // Another operator has neither the permission nor the upload.
    server.world.new_operator("finance@operators.example", Permission::Finance).await;
    let other = Browser::sign_in(&server, "/console", "finance@operators.example").await;
    let stranger = Form { key: "a".into(), ..other.form("/payouts?status=paid").await };
    let fields = [&[("act", "create")], &about[..]].concat();
    let refused = other.send(AT, &stranger, &fields).await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"));
    server.world.new_operator("content@operators.example", Permission::Content).await;
    let other = Browser::sign_in(&server, "/console", "content@operators.example").await;
    let (status, refused) = ask(&other, "sign", &part).await;
    assert_eq!((status, refused["code"].as_str()), (404, Some("not_found")), "{refused}");

    let tags = json!([{ "part_number": 1, "etag": put.json()["data"]["etag"] }]).to_string();
    let whole = [("upload_id", &*upload), ("parts", &*tags)];
    let wrong = [("upload_id", &*upload), ("parts", "no JSON")];
    assert_eq!(ask(&operator, "complete", &wrong).await.0, 422);
    let (status, done) = ask(&operator, "complete", &whole).await;
    assert_eq!((status, &done["data"]["name"]), (200, &json!("reel.mp4")), "{done}");
    assert!(text(&operator.get("/library").await).contains("reel.mp4"));
    let (status, _) = ask(&operator, "abort", &part).await;
    assert_eq!(status, 409, "it is a file now");
}
every_stack!(a_large_file_goes_in_parts_through_the_library);

async fn an_account_is_closed_by_whoever_types_its_name(server: Server) {
    let athlete = server.world.athlete("Zoe Okafor").await;
    let email = server.world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", email).await;
    let (page, close) =
        (format!("/athletes/{}", athlete.id), format!("/athletes/{}/close", athlete.id));
    assert!(text(&operator.get(&page).await).contains(&format!("href=\"/console{close}\"")));
    let form = text(&operator.get(&format!("/op/athlete.save?id={}", athlete.id)).await);
    assert!(form.contains("name=\"display_name\" value=\"Zoe Okafor\""), "its profile: {form}");
    let shown = text(&operator.get(&close).await);
    assert!(
        shown.contains("This cannot be undone") && shown.contains("<b>Zoe Okafor</b>"),
        "{shown}"
    );
    let form = operator.form(&close).await;
    let typed = |name: &'static str| [("typed_name", name), ("reason", "Asked for by letter")];
    for name in ["", "Zoe"] {
        let refused = operator.send(&close, &form, &typed(name)).await;
        let shown = text(&refused);
        assert_eq!(refused.status, 422, "{shown}");
        assert!(shown.contains("is not the name of the account"), "{shown}");
        assert!(shown.contains("Asked for by letter"), "what was typed is kept");
    }
    let closed = "SELECT COUNT(*) FROM audit_entry WHERE operation = 'admin.user.close'";
    let before = server.world.id(closed).await;
    let done = operator.send(&close, &form, &typed("zoe  okafor")).await;
    assert_eq!(
        (done.status, done.header("location")),
        (303, "/console/athletes"),
        "{}",
        text(&done)
    );
    assert!(server.world.id(closed).await > before);
}
every_stack!(an_account_is_closed_by_whoever_types_its_name);

/// The form for a new version of a file renames it if no file is chosen, unless somebody else has
/// renamed it since the library was shown.
async fn a_folder_is_renamed_from_the_library(server: Server) {
    let world = &server.world;
    let content = world.operator(&[Permission::Content]);
    let rename =
        async |input: Value| world.call("admin.content.save", &content, input).await.data();
    let folder = rename(json!({ "name": "Press" })).await;
    let operator = Browser::sign_in(&server, "/console", world.chief_operator().await).await;
    let page = text(&operator.get("/library").await);
    let (_, rest) = page.split_once("/console/op/content.save?").expect("a link to rename");
    let link = rest.split('"').next().unwrap().replace("&amp;", "&");
    let path = format!("/op/content.save?{link}");
    let page = text(&operator.get(&path).await);
    assert!(page.contains(">Press</textarea>"), "{page}");
    assert!(page.contains("type=\"file\" name=\"content\">"), "a name needs no file: {page}");
    let (_, rest) = page.split_once("name=\"revision\" value=\"").expect("what was seen");
    let seen = rest.split('"').next().unwrap().to_owned();
    let id = folder["id"].to_string();
    let save = async |name: &str| {
        let form = operator.form(&path).await;
        let typed = [("id", &*id), ("name", name), ("revision", &*seen)];
        operator.send("/do/content.save", &form, &typed).await
    };
    rename(json!({ "id": folder["id"], "name": "Media" })).await;
    let refused = save("For the press").await;
    assert_eq!(refused.status, 409, "{}", text(&refused));
    let page = text(&refused);
    assert!(page.contains("Media") && page.contains(">For the press</textarea>"), "{page}");
    rename(json!({ "id": folder["id"], "name": "Press" })).await;
    assert_eq!(save("For the press").await.status, 200);
    assert!(text(&operator.get("/library").await).contains("For the press"));
}
every_stack!(a_folder_is_renamed_from_the_library);

/// What a page shows, a script can read: the token of an impersonation is for programs only.
async fn the_token_of_an_impersonation_is_on_no_page(server: Server) {
    let athlete = server.world.athlete("Zoe Okafor").await;
    let email = server.world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", email).await;
    let form = operator.form("/op/impersonation.start").await;
    let user = athlete.user_id.to_string();
    let asked = [("user_id", &*user), ("purpose", "support"), ("reason", "Case 4711")];
    let done = operator.send("/do/impersonation.start", &form, &asked).await;
    let page = text(&done);
    assert_eq!(done.status, 200, "{page}");
    assert!(page.contains("You act as this account") && page.contains("Case 4711"), "{page}");
    assert!(page.contains("Pages do not show its token"), "{page}");
    for told in ["Bearer", "Access token", "access_token"] {
        assert!(!page.contains(told), "{told}: {page}");
    }
    let running = "SELECT COUNT(*) FROM impersonation WHERE ended_at IS NULL";
    assert_eq!(server.world.id(running).await, 1);
}
every_stack!(the_token_of_an_impersonation_is_on_no_page);

async fn several_payouts_are_asked_about_and_told_line_by_line(server: Server) {
    let world = &server.world;
    let athlete = world.earner(5_000).await;
    let finance = world.operator(&[Permission::Finance]);
    let held = world.call("admin.payout.trigger", &finance, json!({ "id": athlete.id })).await;
    let held: Value = held.data();
    assert_eq!(held["status"], "on_hold");
    let id = held["id"].to_string();
    let email = world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", email).await;
    let view = "/payouts?status=on_hold";
    let form = operator.form(view).await;
    let nothing = text(&operator.send(view, &form, &[("act", "cancel")]).await);
    assert!(nothing.contains("Nothing is selected"), "{nothing}");
    let chosen = [("act", "cancel"), ("ids", &*id)];
    let asked = text(&operator.send(view, &form, &chosen).await);
    assert!(asked.contains("The payout fails as cancelled"), "{asked}");
    assert!(asked.contains("Cancel, 1 payout") && asked.contains("name=\"sure\""), "{asked}");
    let status = async || {
        let list = world.call("admin.payout.list", &finance, json!({ "status": "all" })).await;
        list.data().as_array().unwrap().iter().map(|row| row["status"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(status().await, ["on_hold"]);
    let sure = [&chosen[..], &[("sure", "true")]].concat();
    let done = text(&operator.send(view, &form, &sure).await);
    assert!(done.contains("Cancelled: 1 of 1"), "{done}");
    assert_eq!(status().await, ["failed"]);
    // What cannot be done is said of its line.
    let form = operator.form("/payouts").await;
    let refused = text(&operator.send("/payouts", &form, &sure).await);
    assert!(refused.contains("Cancelled: 0 of 1") && refused.contains("Refused"), "{refused}");
    let pay = [("act", "pay"), ("ids", &*id), ("sure", "true")];
    let paid = text(&operator.send("/payouts", &form, &pay).await);
    assert!(paid.contains("Payout made: 1 of 1"), "{paid}");
    let mut after = status().await;
    after.sort_unstable_by_key(Value::to_string);
    assert_eq!(after, ["failed", "on_hold"]);
}
every_stack!(several_payouts_are_asked_about_and_told_line_by_line);

async fn a_view_is_named_kept_for_its_person_and_removed(server: Server) {
    let world = &server.world;
    let college = world.college().await;
    let (email, _) = world.new_portal_user(college, "officer").await;
    let mut officer = Browser::sign_in(&server, "/portal", &email).await;
    let session = officer.cookie.clone();
    assert!(!text(&officer.get("/athletes").await).contains("Save this view"));
    let view = "/athletes?q=lake";
    let form = officer.form(view).await;
    assert!(text(&officer.get(view).await).contains("Save this view"));
    let named = [("to", view), ("view", "By the lake"), ("act", "save")];
    let saved = officer.send("/views", &form, &named).await;
    assert_eq!((saved.status, saved.header("location")), (303, "/portal/athletes?q=lake"));
    let cookie = saved.header("set-cookie");
    assert!(cookie.starts_with("nil_portal_views=") && cookie.contains("; HttpOnly;"), "{cookie}");
    let views = cookie.split(';').next().unwrap().to_owned();
    officer.cookie = format!("{session}; {views}");
    let link = ">By the lake</a>";
    assert!(text(&officer.get("/athletes").await).contains(link));
    assert!(!text(&officer.get("/deals").await).contains(link));
    // A name too many letters long, and a place elsewhere.
    let long = "x".repeat(41);
    for wrong in [("view", &*long), ("to", "//elsewhere.example")] {
        let refused = officer.send("/views", &form, &[&[wrong], &named[..]].concat()).await;
        assert_eq!(refused.status, 422);
    }
    // Whoever signs in next in this browser does not see it.
    let (other, _) = world.new_portal_user(college, "officer").await;
    let mut other = Browser::sign_in(&server, "/portal", &other).await;
    other.cookie = format!("{}; {views}", other.cookie);
    assert!(!text(&other.get("/athletes").await).contains(link));
    let gone = officer.send("/views", &form, &[("to", view), ("remove", "By the lake")]).await;
    let views = gone.header("set-cookie").split(';').next().unwrap().to_owned();
    officer.cookie = format!("{session}; {views}");
    assert!(!text(&officer.get("/athletes").await).contains(link));
}
every_stack!(a_view_is_named_kept_for_its_person_and_removed);
