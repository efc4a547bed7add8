//! Brands post jobs, operators decide on them, and brands change, close and cancel them.

use chrono::TimeDelta;
use nil_core::auth::Permission;
use nil_tests::{World, a_job, both};
use serde_json::{Value, json};

/// The usual job, due on other days.
fn on_days(job: i64, reel: &str, story: &str) -> Value {
    let mut milestones = a_job(json!({}))["milestones"].clone();
    milestones[0]["due_on"] = json!(reel);
    milestones[1]["due_on"] = json!(story);
    json!({ "id": job, "milestones": milestones })
}

async fn a_job_waits_for_an_operator_and_goes_public(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let posted = world.call("core.job.save", &partner.principal, a_job(json!({}))).await.data();
    assert_eq!(posted["status"], "pending");
    assert_eq!(posted["kind"], "one_time");
    assert_eq!(posted["usage_rights"]["days"], 90);
    assert_eq!(posted["milestones"][0]["activity"], "social_post");
    assert_eq!(posted["milestones"][0]["hashtags"], json!(["#trailday"]));
    assert_eq!(posted["milestones"][1]["disclosure_required"], true);

    let seen = json!({ "job_id": posted["id"] });
    let early = world.call("core.job.detail", &athlete.principal, seen.clone()).await;
    assert_eq!((early.status, early.code()), (404, "not_found"));
    let search = world.call("core.job.search", &athlete.principal, json!({})).await;
    assert_eq!(search.body["pagination"]["total"], 0);

    let operator = world.operator(&[Permission::Jobs]);
    let open = json!({ "job_id": posted["id"], "status": "open" });
    let decided = world.call("admin.job.decide_pending", &operator, open.clone()).await.data();
    assert_eq!(decided["status"], "open");
    let again = world.call("admin.job.decide_pending", &operator, open).await;
    assert_eq!((again.status, again.code()), (409, "illegal_transition"));

    let found = world.call("core.job.search", &athlete.principal, json!({})).await.data();
    assert_eq!(found[0]["id"], posted["id"]);
    assert_eq!(found[0]["partner"]["company_name"], "Ridge Outfitters");
    assert_eq!(found[0]["milestones"][0]["title"], "Reel");
    let seen = world.call("core.job.detail", &athlete.principal, seen).await.data();
    assert_eq!(seen["application"], json!(null));
}
both!(a_job_waits_for_an_operator_and_goes_public);

async fn what_a_contract_would_lack_is_refused_at_once(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let story = |amount| {
        json!([{
            "title": "Story", "platform": "instagram", "media_kind": "story",
            "due_on": "2026-12-20", "amount_cents": amount,
        }])
    };
    for (field, over) in [
        ("amount_cents", json!({ "amount_cents": null })),
        (
            "amount_cents",
            json!({ "compensation": "product", "product_description": "A vest",
                "product_value_cents": 9_000 }),
        ),
        (
            "product_value_cents",
            json!({ "compensation": "mixed", "product_description": "A vest" }),
        ),
        ("product_description", json!({ "compensation": "mixed", "product_value_cents": 9_000 })),
        ("commission_basis_points", json!({ "compensation": "royalty", "product_value_cents": 9 })),
        ("milestones", json!({ "milestones": [] })),
        ("milestones", json!({ "milestones": story(49_999) })),
        (
            "milestones.0.due_on",
            json!({ "milestones": [{ "title": "Reel",
                "platform": "instagram", "media_kind": "reel", "due_on": "2026-11-18" }] }),
        ),
        ("milestones.0.due_on", json!({ "starts_on": "2026-12-11" })),
        ("milestones.1.due_on", json!({ "ends_on": "2026-12-11" })),
        ("ends_on", json!({ "starts_on": "2026-12-01", "ends_on": "2026-11-30" })),
        ("application_deadline", json!({ "application_deadline": "2026-11-01" })),
        // The last piece is due on 20 December.
        ("application_deadline", json!({ "application_deadline": "2026-12-21" })),
        ("amount_cents", json!({ "amount_cents": 5 })),
        ("usage_rights.days", json!({ "usage_rights": { "perpetual": true, "days": 5 } })),
        ("exclusivity.days", json!({ "exclusivity": { "category_id": 1, "days": 0 } })),
        ("category_id", json!({ "category_id": 9_999 })),
        ("slots", json!({ "slots": 0 })),
        ("title", json!({ "title": null })),
        ("business_purpose", json!({ "business_purpose": " " })),
    ] {
        let answer = world.call("core.job.save", &partner.principal, a_job(over.clone())).await;
        assert_eq!((answer.status, answer.code()), (422, "validation_failed"), "{over}");
        assert!(answer.body["errors"][field].is_array(), "{field}: {}", answer.body);
    }
    let none = world.call("core.job.save", &partner.principal, json!({})).await;
    assert_eq!(none.body["errors"].as_object().unwrap().len(), 7);
    let jobs = world.call("core.job.posted", &partner.principal, json!({})).await;
    assert_eq!(jobs.body["pagination"]["total"], 0);
}
both!(what_a_contract_would_lack_is_refused_at_once);

async fn a_draft_is_kept_until_it_is_handed_in(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let me = &partner.principal;
    let draft = a_job(json!({ "draft": true }));
    let draft = world.call("core.job.save", me, draft).await.data();
    assert_eq!(draft["status"], "draft");
    let id = &draft["id"];
    let kept = json!({ "id": id, "title": "Another title", "draft": true });
    let kept = world.call("core.job.save", me, kept).await.data();
    assert_eq!((&kept["status"], &kept["title"]), (&json!("draft"), &json!("Another title")));
    assert_eq!(kept["milestones"], draft["milestones"]);
    let handed_in = world.call("core.job.save", me, json!({ "id": id })).await.data();
    assert_eq!(handed_in["status"], "pending");

    let operator = world.operator(&[Permission::Jobs]);
    let ask = json!({ "job_id": id, "status": "changes_requested" });
    let no_reason = world.call("admin.job.decide_pending", &operator, ask).await;
    assert_eq!(no_reason.status, 422);
    let ask = json!({ "job_id": id, "status": "changes_requested", "reason": "Say where." });
    let asked = world.call("admin.job.decide_pending", &operator, ask).await.data();
    assert_eq!(asked["decision_reason"], "Say where.");
    let changed = json!({ "id": id, "description": "In Chicago." });
    let changed = world.call("core.job.save", me, changed).await.data();
    assert_eq!(changed["status"], "pending");
}
both!(a_draft_is_kept_until_it_is_handed_in);

async fn a_change_that_matters_is_approved_again(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let me = &partner.principal;
    let job = world.open_job(&partner, json!({})).await;
    let more = json!({ "id": job, "slots": 3, "application_deadline": "2026-12-01" });
    let more = world.call("core.job.save", me, more).await.data();
    assert_eq!((&more["status"], &more["slots"]), (&json!("open"), &json!(3)));
    let other = json!({ "id": job, "amount_cents": 40_000 });
    let other = world.call("core.job.save", me, other).await.data();
    assert_eq!(other["status"], "pending");

    let stranger = world.partner("Valley Sports").await;
    let theirs = json!({ "id": job, "slots": 9 });
    assert_eq!(world.call("core.job.save", &stranger.principal, theirs).await.status, 404);
}
both!(a_change_that_matters_is_approved_again);

async fn with_hires_only_additions_are_possible(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.partner.principal;
    let less = json!({ "id": hire.job, "amount_cents": 1_000 });
    let less = world.call("core.job.save", me, less).await;
    assert_eq!((less.status, less.code()), (409, "job_has_hires"));
    assert!(less.body["message"].as_str().unwrap().contains("amount_cents"));
    let fewer = json!({ "id": hire.job, "slots": 1 });
    assert_eq!(world.call("core.job.save", me, fewer).await.code(), "job_has_hires");
    let more = json!({ "id": hire.job, "slots": 5 });
    assert_eq!(world.call("core.job.save", me, more).await.data()["status"], "open");
}
both!(with_hires_only_additions_are_possible);

async fn the_deadline_closes_a_job_but_not_hiring(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let late = world.athlete("Ida Novak").await;
    let until = json!({ "application_deadline": "2026-11-25T00:00:00Z" });
    let job = world.open_job(&partner, until).await;
    let application = world.apply(&athlete, job).await;
    assert_eq!(nil_core::jobs::close_expired(&world.platform).await.unwrap(), 0);
    world.pass(TimeDelta::days(5));
    let applying = json!({ "job_id": job });
    let too_late = world.call("core.application.apply", &late.principal, applying).await;
    assert_eq!((too_late.status, too_late.code()), (409, "job_closed"));
    assert_eq!(nil_core::jobs::close_expired(&world.platform).await.unwrap(), 1);
    assert_eq!(nil_core::jobs::close_expired(&world.platform).await.unwrap(), 0);
    let closed = world.job(&partner, job).await;
    assert_eq!(
        (&closed["status"], &closed["close_reason"]),
        (&json!("closed"), &json!("deadline"))
    );
    let reopen = json!({ "job_id": job });
    let reopened = world.call("core.job.reopen", &partner.principal, reopen).await;
    assert_eq!((reopened.status, reopened.code()), (409, "job_closed"));
    let hire = json!({ "id": application });
    let hired = world.call("core.application.hire", &partner.principal, hire).await.data();
    assert_eq!(hired["contract"]["status"], "generated");
}
both!(the_deadline_closes_a_job_but_not_hiring);

async fn a_job_closes_with_its_last_due_date(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let me = &partner.principal;
    let (early, late) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let job = world.open_job(&partner, json!({})).await;
    let posted = world.job(&partner, job).await;
    // The twentieth ends last in Hawaii.
    assert_eq!(posted["closes_at"], "2026-12-21T09:59:59Z");
    assert_eq!(posted["application_deadline"], json!(null));
    let application = world.apply(&early, job).await;
    world.pass(TimeDelta::days(29));
    assert_eq!(nil_core::jobs::close_expired(&world.platform).await.unwrap(), 0);
    world.pass(TimeDelta::days(4));
    let found = world.call("core.job.search", &late.principal, json!({})).await.data();
    assert_eq!(found, json!([]));
    let applying =
        world.call("core.application.apply", &late.principal, json!({ "job_id": job })).await;
    assert_eq!((applying.status, applying.code()), (409, "job_closed"));
    assert_eq!(nil_core::jobs::close_expired(&world.platform).await.unwrap(), 1);
    let closed = world.job(&partner, job).await;
    assert_eq!(
        (&closed["status"], &closed["close_reason"]),
        (&json!("closed"), &json!("deadline"))
    );

    let hire = json!({ "id": application });
    let hiring = world.call("core.application.hire", me, hire.clone()).await;
    assert_eq!((hiring.status, hiring.code()), (409, "due_date_passed"));
    let why = hiring.body["message"].as_str().unwrap();
    assert!(why.contains("Reel") && why.contains("December 10, 2026"), "{why}");
    let bulk = json!({ "job_id": job, "application_ids": [application] });
    let bulk = world.call("core.application.hire_bulk", me, bulk).await.data();
    assert_eq!(bulk["refused"][0]["code"], "due_date_passed");
    let reopen = json!({ "job_id": job });
    let reopening = world.call("core.job.reopen", me, reopen.clone()).await;
    assert_eq!((reopening.status, reopening.code()), (409, "job_closed"));
    assert!(reopening.body["message"].as_str().unwrap().contains("due date"));

    let moved =
        world.call("core.job.save", me, on_days(job, "2027-01-10", "2027-01-20")).await.data();
    assert_eq!(
        (&moved["status"], &moved["closes_at"]),
        (&json!("closed"), &json!("2027-01-21T09:59:59Z"))
    );
    let due: Vec<_> = [0, 1].iter().map(|at| &moved["milestones"][at]["due_on"]).collect();
    assert_eq!(due, ["2027-01-10", "2027-01-20"]);
    assert_eq!(moved["milestones"][0]["id"], posted["milestones"][0]["id"]);
    let reopened = world.call("core.job.reopen", me, reopen).await.data();
    assert_eq!(reopened["status"], "open");
    world.apply(&late, job).await;
    let hired = world.call("core.application.hire", me, hire).await.data();
    assert_eq!(hired["contract"]["status"], "generated");
}
both!(a_job_closes_with_its_last_due_date);

async fn an_earlier_deadline_closes_a_job_before_its_due_dates(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let until = json!({ "application_deadline": "2026-11-25T00:00:00Z" });
    let job = world.open_job(&partner, until).await;
    assert_eq!(world.job(&partner, job).await["closes_at"], "2026-11-25T00:00:00Z");
    let later = json!({ "id": job, "application_deadline": "2026-12-20" });
    let later = world.call("core.job.save", &partner.principal, later).await.data();
    assert_eq!(later["closes_at"], "2026-12-21T09:59:59Z");
}
both!(an_earlier_deadline_closes_a_job_before_its_due_dates);

async fn days_move_while_nobody_is_hired(world: World) {
    let hire = world.hired(json!({})).await;
    let me = &hire.partner.principal;
    let later = on_days(hire.job, "2027-01-10", "2027-01-20");
    let moving = world.call("core.job.save", me, later.clone()).await;
    assert_eq!((moving.status, moving.code()), (409, "job_has_hires"));
    world.call("core.job.close", me, json!({ "job_id": hire.job })).await.data();
    assert_eq!(world.call("core.job.save", me, later.clone()).await.code(), "job_has_hires");

    // Hired, unconfirmed athletes lose their places; the record stays.
    world.pass(TimeDelta::hours(73));
    nil_core::worker::round(&world.platform).await.unwrap();
    let before = world.deal(&hire.athlete, hire.job).await;
    let past = on_days(hire.job, "2026-11-01", "2027-01-20");
    assert_eq!(world.call("core.job.save", me, past).await.status, 422);
    let moved = world.call("core.job.save", me, later).await.data();
    assert_eq!(moved["milestones"][1]["due_on"], "2027-01-20");
    let after = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(after["deliverables"], before["deliverables"]);

    let other = json!({ "id": hire.job, "milestones": [{ "title": "Another", "platform": "instagram",
            "media_kind": "reel", "due_on": "2027-01-20" }] });
    let other = world.call("core.job.save", me, other).await;
    assert_eq!((other.status, other.code()), (409, "job_not_open"));
}
both!(days_move_while_nobody_is_hired);

async fn days_of_an_open_job_move_without_another_approval(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({ "ends_on": "2026-12-31" })).await;
    world.apply(&athlete, job).await;
    let mut later = on_days(job, "2027-01-10", "2027-01-20");
    let moving = world.call("core.job.save", &partner.principal, later.clone()).await;
    assert_eq!(moving.status, 422, "after the last day of the term");
    later["ends_on"] = json!("2027-01-31");
    let moved = world.call("core.job.save", &partner.principal, later).await.data();
    assert_eq!((&moved["status"], &moved["ends_on"]), (&json!("open"), &json!("2027-01-31")));
}
both!(days_of_an_open_job_move_without_another_approval);

async fn a_brand_closes_reopens_and_calls_off(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let me = &partner.principal;
    let athlete = world.athlete("Zoe Okafor").await;
    let guest = world.athlete("Ida Novak").await;
    let job = world.open_job(&partner, json!({})).await;
    let id = json!({ "job_id": job });
    world.apply(&athlete, job).await;
    let invite = json!({ "job_id": job, "athlete_ids": [guest.id] });
    world.call("core.application.invite_bulk", me, invite).await.data();

    let closed = world.call("core.job.close", me, id.clone()).await.data();
    assert_eq!(closed["close_reason"], "partner");
    assert_eq!(world.call("core.job.close", me, id.clone()).await.status, 409);
    let opened = world.call("core.job.reopen", me, id.clone()).await.data();
    assert_eq!((&opened["status"], &opened["close_reason"]), (&json!("open"), &json!(null)));

    let stranger = world.partner("Valley Sports").await;
    let theirs = world.call("core.job.cancel", &stranger.principal, id.clone()).await;
    assert_eq!(theirs.status, 404);
    let cancelled = world.call("core.job.cancel", me, id.clone()).await.data();
    assert_eq!(cancelled["status"], "cancelled");
    let gone = world.deal(&athlete, job).await;
    assert_eq!((&gone["status"], &gone["reason"]), (&json!("rejected"), &json!("job_cancelled")));
    assert_eq!(world.deal(&guest, job).await["status"], "expired");
    let over = world.call("core.job.reopen", me, id).await;
    assert_eq!((over.status, over.code()), (409, "illegal_transition"));
}
both!(a_brand_closes_reopens_and_calls_off);

async fn a_job_with_contracts_under_way_cannot_be_called_off(world: World) {
    let hire = world.hired(json!({})).await;
    let id = json!({ "job_id": hire.job });
    let refused = world.call("core.job.cancel", &hire.partner.principal, id).await;
    assert_eq!((refused.status, refused.code()), (409, "job_has_contracts"));
}
both!(a_job_with_contracts_under_way_cannot_be_called_off);

async fn searches_find_what_fits(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let me = &athlete.principal;
    let vest = world.open_job(&partner, json!({})).await;
    let elsewhere = json!({ "title": "Podcast", "eligibility": { "sport_ids": [2] },
            "amount_cents": 90_000, "milestones": [{ "title": "Talk", "platform": "podcast",
            "media_kind": "other", "due_on": "2026-12-20" }] });
    let podcast = world.open_job(&partner, elsewhere).await;
    let famous = json!({ "title": "Famous only", "eligibility": { "min_followers": 50_000 } });
    let famous = world.open_job(&partner, famous).await;
    let hidden = json!({ "title": "Secret", "visibility": "invite_only" });
    let hidden = world.open_job(&partner, hidden).await;

    let mut found = Vec::new();
    for (wanted, expected) in [
        (json!({}), vec![famous, podcast, vest]),
        (json!({ "sort": "-amount_cents" }), vec![podcast, famous, vest]),
        (json!({ "q": "PODCAST" }), vec![podcast]),
        (json!({ "platforms": ["podcast"] }), vec![podcast]),
        (json!({ "sport_ids": [1] }), vec![famous, vest]),
        (json!({ "sport_ids": [2, 3] }), vec![famous, podcast, vest]),
        (json!({ "min_amount_cents": 60_000 }), vec![podcast]),
        (json!({ "is_eligible": true }), vec![vest]),
        (json!({ "compensation": ["product"] }), vec![]),
        (
            json!({ "kinds": ["one_time"], "category_ids": [1], "per_page": 1, "page": 2 }),
            vec![podcast],
        ),
    ] {
        let page = world.call("core.job.search", me, wanted.clone()).await.data();
        let ids: Vec<_> =
            page.as_array().unwrap().iter().map(|j| j["id"].as_i64().unwrap()).collect();
        assert_eq!(ids, expected, "{wanted}");
        found.push(ids);
    }
    let detail = json!({ "job_id": hidden });
    assert_eq!(world.call("core.job.detail", me, detail.clone()).await.status, 404);
    let invite = json!({ "job_id": hidden, "athlete_ids": [athlete.id] });
    world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    let page = world.call("core.job.search", me, json!({ "q": "secret" })).await.data();
    assert_eq!(page[0]["application_status"], "invited");
    let seen = world.call("core.job.detail", me, detail).await.data();
    assert_eq!(seen["application"]["status"], "invited");
    assert_eq!(seen["fee_basis_points"], json!(null));
    let wrong =
        world.call("core.job.search", &partner.principal, json!({ "is_eligible": true })).await;
    assert_eq!(wrong.status, 422);
}
both!(searches_find_what_fits);

async fn operators_list_view_and_set_fees(world: World) {
    let hire = world.active(json!({})).await;
    let operator = world.operator(&[Permission::Jobs]);
    let list = |status: &str| json!({ "status": status, "id": 0 });
    let all = world.call("admin.job.list", &operator, list("all")).await.data();
    assert_eq!((&all[0]["id"], &all[0]["hired"]), (&json!(hire.job), &json!(1)));
    let none = world.call("admin.job.list", &operator, list("draft")).await;
    assert_eq!(none.body["pagination"]["total"], 0);
    let wrong = world.call("admin.job.list", &operator, list("nonsense")).await;
    assert_eq!(wrong.status, 422);
    let view = world.call("admin.job.view", &operator, json!({ "id": hire.job })).await.data();
    assert_eq!(view["deals"][0]["contract"]["id"], json!(hire.contract));
    assert_eq!(view["partner"]["company_name"], "Ridge Outfitters");

    let finance = world.operator(&[Permission::Finance]);
    let waive = json!({ "job_id": hire.job, "waive": true });
    assert_eq!(world.call("admin.job.update_fee", &operator, waive.clone()).await.status, 403);
    let waived = world.call("admin.job.update_fee", &finance, waive).await.data();
    assert_eq!(waived["fee_basis_points"], 0);
    let other = world.athlete("Ida Novak").await;
    let second = world.hire(&hire.partner, &other, hire.job).await;
    assert_eq!(world.deal(&other, hire.job).await["contract"]["fee_basis_points"], 0);
    assert_eq!(world.deal(&hire.athlete, hire.job).await["contract"]["fee_basis_points"], 1_000);

    let cancel = json!({ "contract_id": second.contract, "reason": "Asked by both" });
    let cancelled = world.call("admin.job.cancel_contract", &operator, cancel.clone()).await.data();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(world.call("admin.job.cancel_contract", &operator, cancel).await.status, 409);
    let after = world.job(&hire.partner, hire.job).await;
    assert_eq!((&after["status"], &after["filled"]), (&json!("open"), &json!(1)));
    let removed = json!({ "application_id": hire.application, "reason": "Injured" });
    let removed = world.call("admin.job.remove_athlete", &operator, removed).await.data();
    assert_eq!((&removed["status"], &removed["reason"]), (&json!("cancelled"), &json!("Injured")));
}
both!(operators_list_view_and_set_fees);
