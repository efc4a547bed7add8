//! Documents in a deal's folder: versions, approval, edits, voiding, comments, and who is told.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nil_core::auth::{Principal, Role};
use nil_core::notifications::outbox::{self, Channel};
use nil_core::worker::round;
use nil_tests::{Answer, Hire, PIXEL, Person, World, a_file, both};
use serde_json::{Value, json};

async fn folder(world: &World, who: &Principal, name: &str, input: Value) -> Answer {
    let interface = if matches!(who, Principal::Portal { .. }) { "compliance" } else { "core" };
    world.call(&format!("{interface}.deal_folder.{name}"), who, input).await
}

async fn add(world: &World, hire: &Hire, who: &Person, name: &str) -> Value {
    let mut input = a_file(name, PIXEL);
    input["job_id"] = json!(hire.job);
    input["athlete_id"] = json!(hire.athlete.id);
    folder(world, &who.principal, "add", input).await.data()
}

async fn replace(world: &World, who: &Person, version: &Value, name: &str) -> Answer {
    let mut input = a_file(name, PIXEL);
    input["id"] = version["id"].clone();
    folder(world, &who.principal, "replace", input).await
}

async fn approve(world: &World, who: &Person, version: &Value) -> Answer {
    folder(world, &who.principal, "approve", json!({ "id": version["id"] })).await
}

async fn request_edits(world: &World, who: &Person, version: &Value) -> Answer {
    let input = json!({ "id": version["id"], "note": " Larger logo, please. " });
    folder(world, &who.principal, "request_edits", input).await
}

async fn void(world: &World, who: &Person, version: &Value) -> Answer {
    let input = json!({ "id": version["id"], "reason": "The wrong season." });
    folder(world, &who.principal, "void", input).await
}

async fn comment(world: &World, who: &Person, version: &Value, text: &str) -> Answer {
    let input = json!({ "id": version["id"], "text": text });
    folder(world, &who.principal, "comment", input).await
}

async fn list(world: &World, hire: &Hire, who: &Principal) -> Answer {
    let input = json!({ "job_id": hire.job, "athlete_id": hire.athlete.id });
    folder(world, who, "list", input).await
}

async fn versions(world: &World, who: &Principal, document: &Value) -> Answer {
    folder(world, who, "versions", json!({ "document_id": document })).await
}

async fn comments(world: &World, who: &Principal, document: &Value) -> Answer {
    folder(world, who, "comments", json!({ "document_id": document })).await
}

fn refused(answer: &Answer, code: &str) {
    assert_eq!((answer.status, answer.code()), (409, code), "{}", answer.body);
}

/// The keys of those who were told of an event, in order.
async fn told(world: &World, event: &str) -> Vec<String> {
    let rows = outbox::list(&world.platform, 1_000).await.unwrap().into_iter().rev();
    let of = rows.filter(|row| row.channel == Channel::Event && row.event == event);
    of.map(|row| row.to).collect()
}

fn key(who: &Person) -> String {
    format!("user:{}", who.user_id)
}

async fn a_document_goes_back_and_forth_until_both_sides_agree(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let first = add(&world, &hire, brand, "brief.png").await;
    assert_eq!(
        (&first["document_id"], &first["version"], &first["status"]),
        (&first["id"], &json!(1), &json!("open"))
    );
    refused(&approve(&world, brand, &first).await, "own_version");
    refused(&request_edits(&world, brand, &first).await, "own_version");
    refused(&void(&world, athlete, &first).await, "others_version");
    let edits = request_edits(&world, athlete, &first).await.data();
    assert_eq!(
        (&edits["status"], &edits["decision_note"], &edits["decided_by"]),
        (&json!("edits_requested"), &json!("Larger logo, please."), &json!(athlete.user_id))
    );
    refused(&request_edits(&world, athlete, &first).await, "illegal_transition");
    let second = replace(&world, brand, &first, "brief 2.png").await.data();
    assert_eq!(
        (&second["document_id"], &second["version"], &second["status"]),
        (&first["id"], &json!(2), &json!("open"))
    );
    refused(&approve(&world, athlete, &first).await, "illegal_transition");
    refused(&replace(&world, brand, &first, "x.png").await, "illegal_transition");
    // The athlete may answer with a version too; then the brand decides.
    let third = replace(&world, athlete, &second, "signed.png").await.data();
    refused(&approve(&world, athlete, &third).await, "own_version");
    let done = approve(&world, brand, &third).await.data();
    assert_eq!((&done["status"], &done["version"]), (&json!("approved"), &json!(3)));
    // What both sides agreed to is final.
    refused(&replace(&world, brand, &third, "x.png").await, "illegal_transition");
    refused(&void(&world, athlete, &third).await, "illegal_transition");
    refused(&approve(&world, brand, &third).await, "illegal_transition");
    for who in [athlete, brand] {
        let newest = list(&world, &hire, &who.principal).await.data();
        assert_eq!((newest.as_array().unwrap().len(), &newest[0]["id"]), (1, &third["id"]));
        let all = versions(&world, &who.principal, &first["id"]).await.data();
        let states: Vec<&Value> = all.as_array().unwrap().iter().map(|v| &v["status"]).collect();
        assert_eq!(states, ["approved", "replaced", "replaced"]);
        // What was asked of a version stays on it.
        assert_eq!(all[2]["decision_note"], "Larger logo, please.");
        for version in all.as_array().unwrap() {
            let input = json!({ "id": version["id"], "inline": true });
            let got = folder(&world, &who.principal, "download", input).await;
            assert_eq!((got.status, &*got.bytes), (200, PIXEL));
        }
    }
    for (event, whom) in [
        ("deal_file.added", vec![key(athlete)]),
        ("deal_file.edits_requested", vec![key(brand)]),
        ("deal_file.replaced", vec![key(athlete), key(brand)]),
        ("deal_file.approved", vec![key(athlete)]),
    ] {
        assert_eq!(told(&world, event).await, whom, "{event}");
    }
    for (action, times) in [("added", 3), ("replaced", 2), ("edits_requested", 1), ("approved", 1)]
    {
        let rows = format!(
            "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'deal_file' \
             AND action = '{action}'"
        );
        assert_eq!(world.id(&rows).await, times, "{action}");
    }
}
both!(a_document_goes_back_and_forth_until_both_sides_agree);

async fn a_document_is_voided_with_its_reason_and_stays_readable(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let draft = add(&world, &hire, athlete, "draft.png").await;
    request_edits(&world, brand, &draft).await.data();
    let gone = void(&world, athlete, &draft).await.data();
    assert_eq!(
        (&gone["status"], &gone["decision_note"]),
        (&json!("void"), &json!("The wrong season."))
    );
    refused(&approve(&world, brand, &draft).await, "illegal_transition");
    refused(&replace(&world, brand, &draft, "x.png").await, "illegal_transition");
    let remove = json!({ "id": draft["id"] });
    let kept = folder(&world, &athlete.principal, "remove", remove).await;
    refused(&kept, "document_discussed");
    assert_eq!(list(&world, &hire, &brand.principal).await.data()[0]["status"], "void");
    assert_eq!(told(&world, "deal_file.voided").await, [key(brand)]);
    let entry = "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'deal_file' \
        AND action = 'void' AND CAST(after AS TEXT) LIKE '%The wrong season.%'";
    assert_eq!(world.id(entry).await, 1);
}
both!(a_document_is_voided_with_its_reason_and_stays_readable);

async fn all_sides_comment_and_the_others_are_told(world: World) {
    let hire = world.active(json!({})).await;
    let agent = world.agent("Lane Agency").await;
    world.represent(&agent, &hire.athlete, 500).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let first = add(&world, &hire, brand, "brief.png").await;
    assert_eq!(told(&world, "deal_file.added").await, [key(athlete), key(&agent)]);
    let said = comment(&world, athlete, &first, " May I wear red? ").await.data();
    assert_eq!(
        (&said["text"], &said["version"], &said["written_by"]),
        (&json!("May I wear red?"), &json!(1), &json!("athlete"))
    );
    let second = replace(&world, brand, &first, "brief 2.png").await.data();
    comment(&world, brand, &second, "Yes.").await.data();
    comment(&world, &agent, &second, "Then we agree.").await.data();
    // The agent is on the athlete's side.
    refused(&void(&world, &agent, &second).await, "others_version");
    assert_eq!(approve(&world, &agent, &second).await.data()["status"], "approved");
    comment(&world, athlete, &second, "Thank you!").await.data();
    for who in [athlete, brand, &agent] {
        let all = comments(&world, &who.principal, &first["id"]).await.data();
        let all = all.as_array().unwrap().iter();
        let all: Vec<_> = all.map(|one| (one["version"].clone(), one["text"].clone())).collect();
        assert_eq!(
            all,
            [
                (json!(1), json!("May I wear red?")),
                (json!(2), json!("Yes.")),
                (json!(2), json!("Then we agree.")),
                (json!(2), json!("Thank you!")),
            ]
        );
    }
    assert_eq!(
        told(&world, "deal_file.commented").await,
        [key(brand), key(athlete), key(&agent), key(brand), key(athlete), key(brand)]
    );
    assert_eq!(told(&world, "deal_file.approved").await, [key(brand), key(athlete)]);
    let behalf = format!(
        "SELECT COUNT(*) FROM audit_entry WHERE action = 'approved' \
         AND subject_kind = 'deal_file' AND on_behalf_of = 'athlete:{}'",
        athlete.id
    );
    assert_eq!(world.id(&behalf).await, 1);
    let long = comment(&world, brand, &second, &"x".repeat(2001)).await;
    assert_eq!(long.status, 422);
    assert!(long.body["errors"].get("text").is_some(), "{}", long.body);
}
both!(all_sides_comment_and_the_others_are_told);

async fn versions_and_comments_are_bounded(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let first = add(&world, &hire, brand, "brief.png").await;
    let second = replace(&world, brand, &first, "brief.png").await.data();
    let numbered = format!("UPDATE deal_file SET number = 100 WHERE id = {}", second["id"]);
    world.script(&numbered).await;
    refused(&replace(&world, brand, &second, "x.png").await, "too_many_versions");
    world
        .script(&format!(
            "INSERT INTO deal_file_comment (document_id, deal_file_id, user_id, text, created_at) \
             WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) \
             SELECT {}, {}, {}, 'x', created_at FROM n, deal_file WHERE deal_file.id = {}",
            first["id"], second["id"], brand.user_id, second["id"]
        ))
        .await;
    refused(&comment(&world, athlete, &second, "One more").await, "too_many_comments");
    let page = comments(&world, &athlete.principal, &first["id"]).await;
    assert_eq!(page.body["pagination"]["total"], 500);
}
both!(versions_and_comments_are_bounded);

async fn a_text_that_reaches_a_minor_is_copied_to_the_guardian(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let minor = world.minor("Zoe Okafor").await;
    let visit = json!({ "milestones": [{
        "title": "Visit", "platform": "in_person", "media_kind": "appearance",
        "due_on": "2026-12-20",
    }] });
    let job = world.open_job(&brand, visit).await;
    let consent = "UPDATE guardian SET consented_at = '2026-11-20T12:00:00Z'";
    world.script(consent).await;
    let hire = world.hire(&brand, &minor, job).await;
    let draft = add(&world, &hire, &minor, "draft.png").await;
    request_edits(&world, &brand, &draft).await.data();
    comment(&world, &minor, &draft, "I will.").await.data();
    round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap().into_iter().rev();
    let copies = rows.filter(|row| row.event == "message.copied" && row.channel == Channel::Email);
    let copies: Vec<String> = copies.filter_map(|row| row.body).collect();
    assert_eq!(copies.len(), 2, "{copies:#?}");
    for (copy, words) in copies.iter().zip([
        ["Ridge Outfitters wrote to Zoe Okafor", "Larger logo, please."],
        ["Zoe Okafor wrote to Ridge Outfitters", "I will."],
    ]) {
        assert!(words.iter().all(|word| copy.contains(word)), "{copy}");
    }
}
both!(a_text_that_reaches_a_minor_is_copied_to_the_guardian);

/// Announces and sends an upload that replaces a version; returns the upload.
async fn announce(world: &World, hire: &Hire, who: &Person, version: &Value) -> Value {
    let input = json!({
        "job_id": hire.job, "athlete_id": hire.athlete.id, "name": "shot 2.png",
        "size": PIXEL.len(), "mime": "image/png", "replaces_id": version["id"],
    });
    folder(world, &who.principal, "create_upload", input).await.data()
}

async fn send(world: &World, announced: &Value) -> Answer {
    let (_, token) = announced["url"].as_str().unwrap().split_once("?token=").unwrap();
    let bytes = json!({ "token": token, "content": STANDARD.encode(PIXEL) });
    folder(world, &Principal::Anonymous, "receive_upload", bytes).await
}

async fn upload(world: &World, hire: &Hire, who: &Person, version: &Value) -> Value {
    let announced = announce(world, hire, who, version).await;
    send(world, &announced).await.data();
    announced["upload_id"].clone()
}

async fn complete(world: &World, who: &Person, upload: &Value) -> Answer {
    folder(world, &who.principal, "complete_upload", json!({ "upload_id": upload })).await
}

async fn a_phone_uploads_a_new_version_directly(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let first = add(&world, &hire, athlete, "shot.png").await;
    request_edits(&world, brand, &first).await.data();
    let number = upload(&world, &hire, athlete, &first).await;
    let late = upload(&world, &hire, athlete, &first).await;
    let second = complete(&world, athlete, &number).await;
    let again = complete(&world, athlete, &number).await;
    assert_eq!((second.status, &second.bytes), (200, &again.bytes));
    let second = second.data();
    assert_eq!(
        (&second["document_id"], &second["version"], &second["file"]["name"]),
        (&first["id"], &json!(2), &json!("shot 2.png"))
    );
    // The other upload wanted to replace the same version.
    refused(&complete(&world, athlete, &late).await, "illegal_transition");
    approve(&world, brand, &second).await.data();
    let input = json!({
        "job_id": hire.job, "athlete_id": hire.athlete.id, "name": "x.png", "size": 10,
        "mime": "image/png", "replaces_id": second["id"],
    });
    let early = folder(&world, &athlete.principal, "create_upload", input).await;
    refused(&early, "illegal_transition");
    // A version of another deal is not found.
    let other = world.active(json!({})).await;
    let theirs = add(&world, &other, &other.partner, "theirs.png").await;
    let input = json!({
        "job_id": hire.job, "athlete_id": hire.athlete.id, "name": "x.png", "size": 10,
        "mime": "image/png", "replaces_id": theirs["id"],
    });
    let strange = folder(&world, &athlete.principal, "create_upload", input).await;
    assert_eq!((strange.status, strange.code()), (404, "not_found"));
    // An upload whose version was removed becomes a document of its own.
    let own = add(&world, &hire, athlete, "own.png").await;
    let number = upload(&world, &hire, athlete, &own).await;
    folder(&world, &athlete.principal, "remove", json!({ "id": own["id"] })).await.data();
    let alone = complete(&world, athlete, &number).await.data();
    assert_eq!((&alone["version"], &alone["document_id"]), (&json!(1), &alone["id"]));
}
both!(a_phone_uploads_a_new_version_directly);

async fn after_the_deal_the_folder_can_only_be_read(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let first = add(&world, &hire, brand, "brief.png").await;
    let own = add(&world, &hire, brand, "own.png").await;
    let number = upload(&world, &hire, athlete, &first).await;
    let announced = announce(&world, &hire, athlete, &first).await;
    let contract = world.deal(athlete, hire.job).await["contract"]["id"].clone();
    let operator = world.operator(&[nil_core::auth::Permission::Jobs]);
    let end = json!({ "contract_id": contract, "reason": "The season is off." });
    world.call("admin.job.cancel_contract", &operator, end).await.data();
    for answer in [
        approve(&world, athlete, &first).await,
        request_edits(&world, athlete, &first).await,
        void(&world, brand, &first).await,
        replace(&world, brand, &first, "x.png").await,
        comment(&world, athlete, &first, "Too late?").await,
        complete(&world, athlete, &number).await,
        folder(&world, &brand.principal, "remove", json!({ "id": own["id"] })).await,
    ] {
        refused(&answer, "deal_ended");
    }
    let objects = world.objects().await;
    let late = replace(&world, brand, &first, "late.png").await;
    refused(&late, "deal_ended");
    refused(&send(&world, &announced).await, "deal_ended");
    let mut more = a_file("more.png", PIXEL);
    more["job_id"] = json!(hire.job);
    more["athlete_id"] = json!(athlete.id);
    refused(&folder(&world, &brand.principal, "add", more).await, "deal_ended");
    assert_eq!(world.objects().await, objects, "nothing was written");
    for who in [athlete, brand] {
        assert_eq!(list(&world, &hire, &who.principal).await.data().as_array().unwrap().len(), 2);
        let input = json!({ "id": first["id"], "inline": true });
        assert_eq!(folder(&world, &who.principal, "download", input).await.status, 200);
    }
}
both!(after_the_deal_the_folder_can_only_be_read);

async fn officers_read_the_folder_of_an_executed_contract(world: World) {
    let hire = world.hired(json!({})).await;
    let first = add(&world, &hire, &hire.partner, "brief.png").await;
    comment(&world, &hire.athlete, &first, "Understood.").await.data();
    let deal = world.deal(&hire.athlete, hire.job).await;
    let college = deal["athlete"]["university_id"].as_i64().unwrap();
    let (officer, _) = world.portal_user(college, Role::Viewer.as_str()).await;
    let elsewhere = world.college().await;
    let (stranger, _) = world.portal_user(elsewhere, Role::Owner.as_str()).await;
    let plain = json!({ "id": first["file"]["id"] });
    assert_eq!(list(&world, &hire, &officer).await.status, 404);
    assert_eq!(world.call("compliance.file.download", &officer, plain.clone()).await.status, 404);
    let confirm = json!({ "job_id": hire.job });
    let name = "core.contract.confirm_availability";
    world.call(name, &hire.athlete.principal, confirm).await.data();
    assert_eq!(list(&world, &hire, &officer).await.data()[0]["id"], first["id"]);
    assert_eq!(versions(&world, &officer, &first["id"]).await.data()[0]["id"], first["id"]);
    let said = comments(&world, &officer, &first["id"]).await.data();
    assert_eq!(said[0]["text"], "Understood.");
    let input = json!({ "id": first["id"], "inline": true });
    let got = folder(&world, &officer, "download", input.clone()).await;
    assert_eq!((got.status, &*got.bytes), (200, PIXEL));
    assert_eq!(world.call("compliance.file.download", &officer, plain.clone()).await.status, 200);
    for answer in [
        list(&world, &hire, &stranger).await,
        versions(&world, &stranger, &first["id"]).await,
        comments(&world, &stranger, &first["id"]).await,
        folder(&world, &stranger, "download", input).await,
        world.call("compliance.file.download", &stranger, plain).await,
    ] {
        assert_eq!((answer.status, answer.code()), (404, "not_found"));
    }
}
both!(officers_read_the_folder_of_an_executed_contract);

async fn at_once_a_version_is_answered_once(world: World) {
    let hire = world.active(json!({})).await;
    let (athlete, brand) = (&hire.athlete, &hire.partner);
    let first = add(&world, &hire, brand, "brief.png").await;
    let (one, other, third) = tokio::join!(
        approve(&world, athlete, &first),
        replace(&world, brand, &first, "brief 2.png"),
        void(&world, brand, &first)
    );
    let answers = [&one, &other, &third];
    let taken = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(taken, 1, "{:?}", answers.map(|answer| answer.body.to_string()));
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        refused(answer, "illegal_transition");
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM stored_file WHERE status = 'stored'").await, {
        if other.status == 200 { 2 } else { 1 }
    });
}
both!(at_once_a_version_is_answered_once);

async fn an_answer_and_the_end_of_the_deal_do_not_pass_each_other(world: World) {
    let hire = world.active(json!({})).await;
    let first = add(&world, &hire, &hire.partner, "brief.png").await;
    let contract = world.deal(&hire.athlete, hire.job).await["contract"]["id"].clone();
    let operator = world.operator(&[nil_core::auth::Permission::Jobs]);
    let end = json!({ "contract_id": contract, "reason": "The season is off." });
    let (answer, ended) = tokio::join!(
        approve(&world, &hire.athlete, &first),
        world.call("admin.job.cancel_contract", &operator, end)
    );
    assert_eq!(ended.status, 200, "{}", ended.body);
    if answer.status != 200 {
        refused(&answer, "deal_ended");
    }
    refused(&comment(&world, &hire.athlete, &first, "Late").await, "deal_ended");
}
both!(an_answer_and_the_end_of_the_deal_do_not_pass_each_other);
