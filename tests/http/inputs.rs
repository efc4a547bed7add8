//! Where an input may stand: in the query beside a body, and in forms as lists of objects.

use nil_tests::door::log_in_operator;
use nil_tests::{PASSWORD, Server, every_stack, is_pixel};
use reqwest::Method;
use serde_json::{Value, json};

async fn an_address_may_hold_fields_beside_a_body(server: Server) {
    // As the contract writes it: `?page=…` on a POST.
    let colleges = |query: &str, body: Value| {
        let path = format!("/api/listColleges{query}");
        let request = server.request(Method::POST, &path).json(&body);
        server.send(request)
    };
    let paged = colleges("?per_page=7&page=2", json!({})).await;
    let page = paged.json()["pagination"].clone();
    assert_eq!((&page["per_page"], &page["page"]), (&json!(7), &json!(2)));
    let body_first = colleges("?per_page=7&page=2", json!({ "per_page": 9 })).await;
    assert_eq!(body_first.json()["pagination"]["per_page"], 9);
    assert_eq!(colleges("?per_page=many", json!({})).await.status, 422);
    let unknown = colleges("?colour=red", json!({})).await;
    assert_eq!((unknown.status, unknown.header("x-ignored-fields")), (200, "colour"));
    // A token in an address is none: addresses are logged.
    let world = &server.world;
    let session = log_in_operator(&server, world.chief_operator().await, PASSWORD).await;
    let path = format!("/admin/sport-category/save?_token={}", session.csrf);
    let request = server.request(Method::POST, &path).header("cookie", &session.cookie);
    let refused = server.send(request.json(&json!({ "name": "Quidditch" }))).await;
    assert_eq!(refused.code(), "csrf_invalid");
    // Nor does a password stand there, beside a body that is right or wrong.
    let brand = world.partner("Cedar Coffee").await;
    for body in [json!({ "email": brand.email }), json!({ "email": brand.email, "password": "x" })]
    {
        let path = format!("/api/login?password={}", PASSWORD.replace(' ', "+"));
        let refused = server.send(server.request(Method::POST, &path).json(&body)).await;
        let told = json!(["must stand in the body: addresses are logged"]);
        assert_eq!((refused.status, &refused.json()["errors"]["password"]), (422, &told));
    }
}
every_stack!(an_address_may_hold_fields_beside_a_body);

async fn an_asset_comes_inline_where_the_address_says_so(server: Server) {
    let world = &server.world;
    let hire = world.active(json!({})).await;
    let proof = world.file(&hire.athlete, "proof.png").await;
    let asset = hire.deliverables[0];
    let work = json!({ "deliverable_id": asset, "file_ids": [proof], "caption": "Vest #ad",
        "post_url": "https://www.instagram.com/p/C8x/" });
    world.call("core.deliverable.submit", &hire.athlete.principal, work).await.data();
    let yes = json!({ "deliverable_id": asset, "status": "approved" });
    world.call("core.deliverable.change_status", &hire.partner.principal, yes).await.data();
    let token = hire.partner.token.as_deref().expect("a token");
    let path = |query: &str| format!("/api/partner/content/assets/{asset}/download{query}");
    let ask =
        |query: &str| server.send(server.request(Method::POST, &path(query)).bearer_auth(token));
    assert!(ask("").await.json()["data"]["url"].is_string());
    assert!(is_pixel(&ask("?inline=true").await.bytes));
}
every_stack!(an_asset_comes_inline_where_the_address_says_so);

async fn a_form_carries_a_list_of_objects(server: Server) {
    let world = &server.world;
    let brand = world.partner("Cedar Coffee").await;
    let session = log_in_operator(&server, world.chief_operator().await, PASSWORD).await;
    let text = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut form = vec![
        text("partner_id", &brand.id.to_string()),
        text("title", "Winter campaign"),
        text("description", "Show our new vest."),
        text("category_id", "1"),
        text("compensation", "cash"),
        text("amount_cents", "50000"),
        text("slots", "1"),
        text("business_purpose", "introducing a vest"),
        text("_token", &session.csrf),
    ];
    for (place, title) in ["Reel", "Story"].into_iter().enumerate() {
        for (field, value) in [
            ("[title]", title),
            ("[platform]", "instagram"),
            ("[media_kind]", "reel"),
            ("[due_on]", "2026-12-10"),
            ("[hashtags][]", "trailday"),
        ] {
            form.push(text(&format!("milestones[{place}]{field}"), value));
        }
    }
    let send = |form: &[(String, String)]| {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(form);
        let request = server
            .request(Method::POST, "/admin/job/save")
            .header("cookie", &session.cookie)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body.finish());
        server.send(request)
    };
    let saved = send(&form).await;
    assert_eq!(saved.status, 200, "{}", saved.json());
    let milestones = saved.json()["data"]["milestones"].clone();
    let titles: Vec<_> = milestones.as_array().unwrap().iter().map(|one| &one["title"]).collect();
    assert_eq!(titles, ["Reel", "Story"]);
    assert_eq!(milestones[1]["hashtags"], json!(["#trailday"]));
    // What is wrong with one is told at its place.
    form.retain(|(name, _)| name != "milestones[1][due_on]");
    let refused = send(&form).await;
    assert_eq!(refused.status, 422);
    let errors = refused.json()["errors"].clone();
    assert!(errors["milestones.1.due_on"].is_array(), "{errors}");
}
every_stack!(a_form_carries_a_list_of_objects);
