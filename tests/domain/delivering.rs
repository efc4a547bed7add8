//! Work is submitted, returned and approved; late work shows as late.

use chrono::TimeDelta;
use nil_tests::{World, both};
use serde_json::json;

async fn work_goes_back_and_forth_until_it_is_right(world: World) {
    let hire = world.active(json!({})).await;
    let first = hire.deliverables[0];
    let work = json!({ "deliverable_id": first, "post_url": "https://www.instagram.com/p/1/",
            "caption": "On the trail" });
    let handed_in =
        world.call("core.deliverable.submit", &hire.athlete.principal, work.clone()).await.data();
    assert_eq!((&handed_in["status"], &handed_in["revision"]), (&json!("submitted"), &json!(0)));
    let check = &handed_in["disclosure_check"];
    assert_eq!((&check["passed"], &check["found"]), (&json!(false), &json!([])));
    assert_eq!(check["missing"], json!(["advertising disclosure", "#trailday"]));
    let twice = world.call("core.deliverable.submit", &hire.athlete.principal, work.clone()).await;
    assert_eq!((twice.status, twice.code()), (409, "illegal_transition"));

    let back = json!({ "milestones_athlete_rel": first, "note": "Please say that it is an ad." });
    let other = world.partner("Valley Sports").await;
    assert_eq!(
        world.call("core.deliverable.deny", &other.principal, back.clone()).await.status,
        404
    );
    let blank = json!({ "milestones_athlete_rel": first, "note": " " });
    assert_eq!(
        world.call("core.deliverable.deny", &hire.partner.principal, blank).await.status,
        422
    );
    let no_reason = json!({ "deliverable_id": first, "status": "denied" });
    let told =
        world.call("core.deliverable.change_status", &hire.partner.principal, no_reason).await;
    assert_eq!(told.status, 422);
    assert!(told.body["errors"]["note"].is_array(), "{}", told.body);
    let denied =
        world.call("core.deliverable.deny", &hire.partner.principal, back.clone()).await.data();
    assert_eq!(
        (&denied["status"], &denied["review_note"]),
        (&json!("denied"), &json!("Please say that it is an ad."))
    );
    assert_eq!(
        world.call("core.deliverable.deny", &hire.partner.principal, back).await.status,
        409
    );

    let again = world.submit(&hire, first).await;
    assert_eq!(
        (&again["revision"], &again["disclosure_check"]["found"]),
        (&json!(1), &json!(["#ad"]))
    );
    let yes = json!({ "deliverable_id": first, "status": "approved" });
    assert_eq!(
        world
            .call("core.deliverable.change_status", &hire.athlete.principal, yes.clone())
            .await
            .status,
        403
    );
    let approved = world
        .call("core.deliverable.change_status", &hire.partner.principal, yes.clone())
        .await
        .data();
    assert_eq!((&approved["status"], &approved["paid_cents"]), (&json!("approved"), &json!(0)));
    assert_eq!(
        world.call("core.deliverable.change_status", &hire.partner.principal, yes).await.status,
        409
    );
    // Owed but not paid: the contract stays open.
    assert_eq!(world.deal(&hire.athlete, hire.job).await["contract"]["status"], "active");
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&hire.athlete.email, "deliverable.denied").await.unwrap();
    assert!(mail.contains("Please say that it is an ad."), "{mail}");
}
both!(work_goes_back_and_forth_until_it_is_right);

async fn only_an_active_contract_takes_work(world: World) {
    let hire = world.hired(json!({})).await;
    let work = json!({ "deliverable_id": hire.deliverables[0], "post_url": "https://www.instagram.com/p/1/" });
    let early = world.call("core.deliverable.submit", &hire.athlete.principal, work.clone()).await;
    assert_eq!((early.status, early.code()), (409, "contract_not_active"));
    let stranger = world.athlete("Ida Novak").await;
    assert_eq!(world.call("core.deliverable.submit", &stranger.principal, work).await.status, 404);
    let nothing = json!({ "deliverable_id": hire.deliverables[0], "caption": "#ad" });
    assert_eq!(
        world.call("core.deliverable.submit", &hire.athlete.principal, nothing).await.status,
        422
    );
}
both!(only_an_active_contract_takes_work);

async fn three_stories_take_three_links(world: World) {
    let hire = world
        .active(json!({ "milestones": [{ "title": "Stories", "quantity": 3,
            "platform": "instagram", "media_kind": "story", "due_on": "2026-12-20" }] }))
        .await;
    let link = |n: u8| format!("https://www.instagram.com/p/{n}/");
    let same = json!({ "deliverable_id": hire.deliverables[0], "post_url": link(1),
            "post_urls": [link(1), link(2)] });
    let same = world.call("core.deliverable.submit", &hire.athlete.principal, same).await;
    assert_eq!(same.status, 422);
    let three = json!({ "deliverable_id": hire.deliverables[0], "post_url": link(1),
            "post_urls": [link(2), link(3)] });
    let three = world.call("core.deliverable.submit", &hire.athlete.principal, three).await.data();
    assert_eq!(three["post_urls"].as_array().unwrap().len(), 3);
    let message = three["disclosure_check"]["message"].as_str().unwrap();
    assert!(message.starts_with("There is no caption"), "{message}");
}
both!(three_stories_take_three_links);

async fn links_lead_to_the_platform_that_was_asked_for(world: World) {
    let hire = world.active(json!({})).await;
    let me = &hire.athlete.principal;
    let good = "https://www.instagram.com/p/1/";
    for stray in [
        "https://www.tiktok.com/@me/video/1",
        "https://instagram.com.evil.example/p/1",
        "https://evil.example/?instagram.com",
        "https://evil.example\\.instagram.com/",
    ] {
        let work = json!({ "deliverable_id": hire.deliverables[0], "post_url": stray });
        let answer = world.call("core.deliverable.submit", me, work).await;
        assert_eq!(answer.status, 422, "{stray}");
        assert_eq!(
            answer.body["errors"]["post_url"][0],
            "must lead to instagram.com or instagr.am"
        );
        let work = json!({ "deliverable_id": hire.deliverables[0], "post_urls": [good, stray] });
        let answer = world.call("core.deliverable.submit", me, work).await;
        assert!(answer.body["errors"].get("post_urls.1").is_some(), "{}", answer.body);
    }
    let anywhere = world
        .active(json!({ "milestones": [{ "title": "Signing", "platform": "in_person",
            "media_kind": "autograph", "activity": "autograph", "due_on": "2026-12-20" }] }))
        .await;
    let work = json!({ "deliverable_id": anywhere.deliverables[0], "post_url": "https://photos.example/1" });
    world.call("core.deliverable.submit", &anywhere.athlete.principal, work).await.data();
}
both!(links_lead_to_the_platform_that_was_asked_for);

async fn three_stories_take_three_files_too(world: World) {
    let hire = world
        .active(json!({ "milestones": [{ "title": "Stories", "quantity": 3,
            "platform": "instagram", "media_kind": "story", "due_on": "2026-12-20" }] }))
        .await;
    let mut files = Vec::new();
    for name in ["1.png", "2.png", "3.png"] {
        files.push(world.file(&hire.athlete, name).await);
    }
    let work = |files: &[i64]| json!({ "deliverable_id": hire.deliverables[0], "file_ids": files });
    let me = &hire.athlete.principal;
    assert_eq!(world.call("core.deliverable.submit", me, work(&files[..2])).await.status, 422);
    let done = world.call("core.deliverable.submit", me, work(&files)).await.data();
    assert_eq!((&done["media"], &done["post_urls"]), (&json!(files), &json!([])));
    let many: Vec<i64> = (1..=101).collect();
    assert_eq!(world.call("core.deliverable.submit", me, work(&many)).await.status, 422);
}
both!(three_stories_take_three_files_too);

async fn without_cash_the_last_approval_completes_everything(world: World) {
    let hire = world
        .active(json!({ "slots": 1, "compensation": "product", "amount_cents": 0,
            "product_description": "A vest", "product_value_cents": 9_000 }))
        .await;
    world.approve(&hire, hire.deliverables[0]).await;
    assert_eq!(world.deal(&hire.athlete, hire.job).await["status"], "confirmed");
    let ask = json!({ "job_id": hire.job });
    world.call("core.contract.not_available", &hire.athlete.principal, ask).await.data();
    world.approve(&hire, hire.deliverables[1]).await;
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(deal["status"], "completed");
    assert_eq!(deal["contract"]["status"], "completed");
    assert_eq!(deal["requests"][0]["status"], "R");
    let job = world.job(&hire.partner, hire.job).await;
    assert_eq!((&job["status"], &job["filled"]), (&json!("completed"), &json!(1)));
    let dismiss = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id });
    let late = world.call("core.contract.dismiss_request", &hire.partner.principal, dismiss).await;
    assert_eq!(late.code(), "no_pending_request");
}
both!(without_cash_the_last_approval_completes_everything);

async fn what_is_late_is_late_at_the_end_of_the_day_at_the_college(world: World) {
    let hire = world.active(json!({})).await;
    let late = async || {
        let me = &hire.athlete.principal;
        let page = world.call("core.deliverable.overdue", me, json!({})).await;
        page.body["pagination"]["total"].as_i64().unwrap()
    };
    // 11 December, 05:00 UTC is 23:00 of the 10th in Chicago.
    world.pass(TimeDelta::hours(20 * 24 + 17));
    assert_eq!(late().await, 0);
    world.pass(TimeDelta::hours(1));
    assert_eq!(late().await, 1);
    let open = json!({ "job_id": hire.job });
    let open =
        world.call("core.deliverable.outstanding", &hire.partner.principal, open).await.data();
    let late_ones: Vec<_> =
        open.as_array().unwrap().iter().map(|d| d["overdue"].as_bool().unwrap()).collect();
    assert_eq!(late_ones, [true, false]);
    world.submit(&hire, hire.deliverables[0]).await;
    assert_eq!(late().await, 0);
    let other = world.partner("Valley Sports").await;
    let theirs = world
        .call("core.deliverable.outstanding", &other.principal, json!({ "job_id": hire.job }))
        .await;
    assert_eq!(theirs.body["pagination"]["total"], 0);
}
both!(what_is_late_is_late_at_the_end_of_the_day_at_the_college);
