//! Athletes apply, are invited, are rejected, and withdraw.

use nil_tests::{World, both};
use serde_json::json;

async fn an_athlete_applies_once(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    let apply = json!({ "job_id": job, "pitch": " I run. ", "proposed_amount_cents": 60_000 });
    let first = world
        .call_with_key("core.application.apply", &athlete.principal, apply.clone(), Some("k"))
        .await;
    let again = world
        .call_with_key("core.application.apply", &athlete.principal, apply.clone(), Some("k"))
        .await;
    assert_eq!(first.bytes, again.bytes);
    let application = first.data();
    assert_eq!(
        (&application["status"], &application["pitch"]),
        (&json!("applicant"), &json!("I run."))
    );
    let second = world.call("core.application.apply", &athlete.principal, apply).await;
    assert_eq!((second.status, second.code()), (409, "already_applied"));

    let list = json!({ "job_id": job, "statuses": ["applicant"] });
    let list = world.call("core.application.list", &partner.principal, list).await.data();
    assert_eq!(list[0]["id"], application["id"]);
    assert_eq!(list[0]["athlete"]["followers"], 12_000);
    let stranger = world.partner("Valley Sports").await;
    let theirs =
        world.call("core.application.list", &stranger.principal, json!({ "job_id": job })).await;
    assert_eq!(theirs.status, 404);
    let mail = nil_core::worker::round(&world.platform).await.unwrap();
    assert!(mail.messages > 0);
    assert!(
        world.mail(&partner.email, "application.received").await.unwrap().contains("Winter trail")
    );
}
both!(an_athlete_applies_once);

async fn forty_taps_make_one_application(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = world.open_job(&partner, json!({})).await;
    let world = std::sync::Arc::new(world);
    let taps: Vec<_> = (0..40)
        .map(|_| {
            let (world, who) = (world.clone(), athlete.principal.clone());
            tokio::spawn(async move {
                world.call("core.application.apply", &who, json!({ "job_id": job })).await.status
            })
        })
        .collect();
    let mut good = 0;
    for tap in taps {
        match tap.await.unwrap() {
            200 => good += 1,
            409 => {}
            other => panic!("{other}"),
        }
    }
    assert_eq!(good, 1);
}
both!(forty_taps_make_one_application);

async fn who_does_not_fit_is_told_why(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let wanted = json!({ "eligibility": {
            "sport_ids": [7], "states": ["tx"], "min_followers": 1_000_000, "genders": ["male"],
        } });
    let job = world.open_job(&partner, wanted).await;
    let refused =
        world.call("core.application.apply", &athlete.principal, json!({ "job_id": job })).await;
    assert_eq!((refused.status, refused.code()), (409, "not_eligible"));
    let message = refused.body["message"].as_str().unwrap();
    for word in ["sport_ids", "states", "min_followers", "genders"] {
        assert!(message.contains(word), "{message}");
    }
    let tiktok = json!({ "milestones": [{ "title": "Clip", "platform": "tiktok",
            "media_kind": "video", "due_on": "2026-12-20" }] });
    let job = world.open_job(&partner, tiktok).await;
    let refused =
        world.call("core.application.apply", &athlete.principal, json!({ "job_id": job })).await;
    assert_eq!((refused.status, refused.code()), (409, "athlete_not_ready"));
    assert!(refused.body["message"].as_str().unwrap().contains("tiktok_account"));

    let goods = json!({ "compensation": "product", "amount_cents": 0,
            "product_description": "A vest", "product_value_cents": 9_000 });
    let job = world.open_job(&partner, goods).await;
    let ask = json!({ "job_id": job, "proposed_amount_cents": 5 });
    assert_eq!(world.call("core.application.apply", &athlete.principal, ask).await.status, 422);
    let unknown =
        world.call("core.application.apply", &athlete.principal, json!({ "job_id": 999 })).await;
    assert_eq!((unknown.status, unknown.code()), (404, "not_found"));
    let wrong_kind =
        world.call("core.application.apply", &partner.principal, json!({ "job_id": job })).await;
    assert_eq!(wrong_kind.status, 403);
}
both!(who_does_not_fit_is_told_why);

async fn turned_down_is_for_good_and_stepping_back_is_not(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let stranger = world.athlete("Ida Novak").await;
    let job = world.open_job(&partner, json!({})).await;
    let application = world.apply(&athlete, job).await;
    let id = json!({ "id": application });
    let theirs = world.call("core.application.withdraw", &stranger.principal, id.clone()).await;
    assert_eq!((theirs.status, theirs.code()), (404, "not_found"));
    let back = world.call("core.application.withdraw", &athlete.principal, id.clone()).await.data();
    assert_eq!(back["status"], "withdrawn");
    let again = world.call("core.application.withdraw", &athlete.principal, id).await;
    assert_eq!(again.code(), "illegal_transition");

    let application = world.apply(&athlete, job).await;
    let reject = json!({ "id": application, "reason": "We need sprinters." });
    let other = world.partner("Valley Sports").await;
    assert_eq!(
        world.call("core.application.reject", &other.principal, reject.clone()).await.status,
        404
    );
    let rejected =
        world.call("core.application.reject", &partner.principal, reject.clone()).await.data();
    assert_eq!(rejected["reason"], "We need sprinters.");
    assert_eq!(world.call("core.application.reject", &partner.principal, reject).await.status, 409);
    let anew =
        world.call("core.application.apply", &athlete.principal, json!({ "job_id": job })).await;
    assert_eq!((anew.status, anew.code()), (409, "rejected_before"));
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&athlete.email, "application.rejected").await.unwrap();
    assert!(mail.contains("We need sprinters."), "{mail}");
}
both!(turned_down_is_for_good_and_stepping_back_is_not);

async fn invitations_are_accepted_or_declined(world: World) {
    let partner = world.partner("Ridge Outfitters").await;
    let (zoe, ida) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let kim = world.athlete("Kim Park").await;
    let job = world.open_job(&partner, json!({ "visibility": "invite_only" })).await;
    let hidden =
        world.call("core.application.apply", &kim.principal, json!({ "job_id": job })).await;
    assert_eq!(hidden.status, 404);
    let none = json!({ "job_id": job, "accept": true });
    assert_eq!(
        world.call("core.application.respond_invitation", &zoe.principal, none).await.status,
        404
    );

    let words = "We saw your reel about the lake.\nCome and see us.";
    let invite = json!({ "job_id": job, "athlete_ids": [zoe.id, ida.id, zoe.id, 9_999],
        "message": words });
    let answer =
        world.call("core.application.invite_bulk", &partner.principal, invite.clone()).await.data();
    assert_eq!(answer["invited"].as_array().unwrap().len(), 2);
    nil_core::worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&zoe.email, "invitation.received").await.unwrap();
    assert!(mail.contains("writes:") && mail.contains(words), "{mail}");
    let shown = world.call("core.notification.list", &zoe.principal, json!({})).await.data();
    assert!(shown[0]["body"].as_str().unwrap().contains("We saw your reel"), "{shown}");
    assert_eq!(
        answer["refused"],
        json!([{ "id": 9_999, "code": "not_found",
            "message": "There is no athlete 9999 that you may see." }])
    );
    let answer =
        world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    assert_eq!(answer["refused"][0]["code"], "already_applied");

    let yes = json!({ "job_id": job, "accept": true });
    let accepted =
        world.call("core.application.respond_invitation", &zoe.principal, yes.clone()).await.data();
    assert_eq!(
        (&accepted["status"], &accepted["source"]),
        (&json!("applicant"), &json!("invited"))
    );
    let twice = world.call("core.application.respond_invitation", &zoe.principal, yes).await;
    assert_eq!(twice.code(), "illegal_transition");
    let no = json!({ "job_id": job, "accept": false });
    let declined =
        world.call("core.application.respond_invitation", &ida.principal, no).await.data();
    assert_eq!(declined["status"], "declined");
    let other = world.partner("Valley Sports").await;
    let theirs = json!({ "job_id": job, "athlete_ids": [kim.id] });
    assert_eq!(
        world.call("core.application.invite_bulk", &other.principal, theirs).await.status,
        404
    );
}
both!(invitations_are_accepted_or_declined);
