//! The files an agent can open: those of the athletes they currently represent, in every use of a
//! file.

use nil_core::auth::Permission;
use nil_core::content::FileUse;
use nil_tests::{Hire, PIXEL, Person, World, a_file, a_filing, both};
use serde_json::{Value, json};

use crate::pictures::of_address;

async fn do_as(world: &World, who: &Person, operation: &str, input: Value) -> Value {
    world.call(operation, &who.principal, input).await.data()
}

/// A conversation of two users.
async fn talk(world: &World, from: &Person, to: &Person) -> Value {
    let with = json!({ "user_id": to.user_id });
    do_as(world, from, "core.chat.start", with).await["id"].clone()
}

/// A file of the athlete (or of its required owner) in a new record of this kind; the conversation
/// is one of the athlete and the brand.
async fn part_of(world: &World, hire: &Hire, kind: FileUse, deliverable: usize) -> i64 {
    let (athlete, partner) = (&hire.athlete, &hire.partner);
    let name = format!("{kind}-{deliverable}.png");
    match kind {
        FileUse::Deliverable => {
            let file = world.file(athlete, &name).await;
            let work = json!({
                "deliverable_id": hire.deliverables[deliverable], "file_ids": [file],
            });
            do_as(world, athlete, "core.deliverable.submit", work).await;
            file
        }
        FileUse::DisclosedJob => {
            let file = world.file(athlete, &name).await;
            let deal = json!({
                "payer_name": "Valley Sports", "payer_kind": "business", "title": "Signing hour",
                "category_id": 1, "amount_cents": 20_000, "compensation": "cash",
                "signed_on": "2026-11-20", "description": "An hour in the shop.",
                "documents": [file], "draft": true,
            });
            do_as(world, athlete, "core.disclosed_job.save", deal).await;
            file
        }
        FileUse::Message => {
            let file = world.file(athlete, &name).await;
            let conversation = talk(world, athlete, partner).await;
            let text =
                json!({ "conversation_id": conversation, "text": "See.", "file_ids": [file] });
            do_as(world, athlete, "core.chat.send", text).await;
            file
        }
        FileUse::DealFile => {
            let mut input = a_file(&name, PIXEL);
            input["job_id"] = json!(hire.job);
            input["athlete_id"] = json!(athlete.id);
            let added = do_as(world, athlete, "core.deal_folder.add", input).await;
            added["file"]["id"].as_i64().expect("an id")
        }
        FileUse::Photo => {
            let file = world.file(athlete, &name).await;
            let edit = json!({ "photo_file_id": file });
            of_address(&do_as(world, athlete, "core.athlete.edit", edit).await["photo_url"])
        }
        FileUse::Logo => {
            let file = world.file(partner, &name).await;
            let edit = json!({ "logo_file_id": file });
            of_address(&do_as(world, partner, "core.partner.edit", edit).await["logo_url"])
        }
        FileUse::SiteLogo => site_image(world, "logo").await,
        FileUse::SiteFavicon => site_image(world, "favicon").await,
        FileUse::Filing => {
            let deal = world.deal(athlete, hire.job).await;
            let college = deal["athlete"]["university_id"].as_i64().expect("an id");
            let (officer, _) = world.portal_user(college, "owner").await;
            let documents = json!({ "documents": [a_file(&name, PIXEL)] });
            let filing = a_filing(athlete.id, documents);
            let filed = world.call("compliance.disclosure.submit", &officer, filing);
            filed.await.data()["documents"][0]["id"].as_i64().expect("an id")
        }
    }
}

async fn site_image(world: &World, kind: &str) -> i64 {
    let mut input = a_file("a.png", PIXEL);
    input["kind"] = json!(kind);
    let operator = world.operator(&[Permission::Site]);
    let site = world.call("admin.site.upload_image", &operator, input).await.data();
    of_address(&site[format!("{kind}_url")])
}

/// A record of every kind with a separate file.
async fn part_of_each(world: &World, hire: &Hire, deliverable: usize) -> Vec<(FileUse, i64)> {
    let mut files = Vec::new();
    for kind in FileUse::ALL {
        files.push((*kind, part_of(world, hire, *kind, deliverable).await));
    }
    files
}

/// The uses in which a caller can open these files.
async fn opened(world: &World, who: &Person, files: &[(FileUse, i64)]) -> Vec<FileUse> {
    let mut found = Vec::new();
    for (kind, file) in files {
        let which = json!({ "id": file });
        let answer = world.call("core.file.download", &who.principal, which).await;
        match answer.status {
            200 => found.push(*kind),
            status => assert_eq!((status, answer.code()), (404, "not_found"), "{kind}"),
        }
    }
    found
}

async fn an_agent_opens_files_of_the_athletes_they_represent_now(world: World) {
    // One address is invited more often here than the limit allows.
    let mut world = world;
    world.reopen(|config| config.throttle.off = true).await;
    const THEIRS: [FileUse; 3] = [FileUse::Deliverable, FileUse::DisclosedJob, FileUse::DealFile];
    let (partner, athlete) =
        (world.partner("Cedar Coffee").await, world.athlete("Zoe Okafor").await);
    let (former, next) = (world.agent("North Agency").await, world.agent("South Agency").await);
    let other = world.agent("East Agency").await;
    let representation = world.represent(&former, &athlete, 1_000).await;
    let job = world.open_job(&partner, json!({})).await;
    let hire = world.hire(&partner, &athlete, job).await;
    do_as(&world, &athlete, "core.contract.confirm_availability", json!({ "job_id": job })).await;
    let written = world.file(&hire.athlete, "written.png").await;
    let conversation = talk(&world, &former, &hire.athlete).await;
    let text = json!({ "conversation_id": conversation, "text": "See.", "file_ids": [written] });
    do_as(&world, &hire.athlete, "core.chat.send", text).await;
    let before = part_of_each(&world, &hire, 0).await;
    assert_eq!(opened(&world, &former, &before).await, THEIRS);
    assert_eq!(opened(&world, &next, &before).await, []);

    let which = json!({ "representation_id": representation });
    do_as(&world, &hire.athlete, "core.athlete.end_representation", which).await;
    let after = part_of_each(&world, &hire, 1).await;
    for files in [&before, &after] {
        assert_eq!(opened(&world, &former, files).await, [], "after the end");
    }
    // Files sent to the agent in a chat are readable, like the message.
    let sent = [(FileUse::Message, written)];
    assert_eq!(opened(&world, &former, &sent).await, [FileUse::Message]);

    world.represent(&next, &hire.athlete, 500).await;
    world.invite(&other, &hire.athlete, 500).await;
    for files in [&before, &after] {
        assert_eq!(opened(&world, &next, files).await, THEIRS, "of the next agent");
        assert_eq!(opened(&world, &former, files).await, [], "of the former agent");
        assert_eq!(opened(&world, &other, files).await, [], "of one who is only invited");
    }
    assert_eq!(opened(&world, &next, &sent).await, []);
}
both!(an_agent_opens_files_of_the_athletes_they_represent_now);
