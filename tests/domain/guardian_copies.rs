//! Guardians get copies of the messages a minor sends and receives.

use nil_core::notifications::outbox;
use nil_tests::{World, both};
use serde_json::{Value, json};

/// The guardian's copies, oldest first.
async fn copies(world: &World, address: &str) -> Vec<String> {
    nil_core::worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    let rows = rows.into_iter().rev();
    let own = rows.filter(|row| row.to == address && row.event == "message.copied");
    own.filter_map(|row| row.body).collect()
}

async fn guardian(world: &World) -> String {
    let mut session = world.platform.db().read().await.unwrap();
    let address = nil_core::storage::sql("SELECT email FROM guardian");
    session.value(address).await.unwrap()
}

async fn a_guardian_gets_a_copy_of_every_message(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let minor = world.minor("Zoe Okafor").await;
    let visit = json!({ "milestones": [{
            "title": "Visit", "platform": "in_person", "media_kind": "appearance",
            "due_on": "2026-12-20",
        }] });
    let job = world.open_job(&brand, visit).await;
    // A brand may write to the athlete after the application.
    world.apply(&minor, job).await;
    let guardian = guardian(&world).await;
    let write = async |who: &nil_tests::Person, whom: &nil_tests::Person, text: &str| -> Value {
        let send = json!({ "user_id": whom.user_id, "text": text });
        world.call("core.chat.send", &who.principal, send).await.data()
    };
    write(&brand, &minor, "Will you run for us?").await;
    write(&brand, &minor, "On Sunday.").await;
    write(&minor, &brand, "With pleasure!").await;
    let got = copies(&world, &guardian).await;
    assert_eq!(got.len(), 3, "{got:#?}");
    for (copy, words) in got.iter().zip([
        ["Robin Parent", "Ridge Outfitters wrote to Zoe Okafor", "Will you run for us?"],
        ["Robin Parent", "Ridge Outfitters wrote to Zoe Okafor", "On Sunday."],
        ["Robin Parent", "Zoe Okafor wrote to Ridge Outfitters", "With pleasure!"],
    ]) {
        assert!(words.iter().all(|word| copy.contains(word)), "{copy}");
    }
    let mass = json!({ "user_ids": [minor.user_id], "text": "To all of you." });
    world.call("core.chat.send_mass", &brand.principal, mass).await.data();
    assert_eq!(copies(&world, &guardian).await.len(), 4);

    // Born on 1 June 2009: of age from 1 June 2027.
    world.pass(chrono::TimeDelta::days(192));
    write(&brand, &minor, "The day before.").await;
    let got = copies(&world, &guardian).await;
    // The earlier ones are more than thirty days old and deleted.
    assert_eq!(got.len(), 1, "{got:#?}");
    assert!(got[0].contains("The day before."), "{got:#?}");
    world.pass(chrono::TimeDelta::days(1));
    write(&brand, &minor, "Of age.").await;
    let got = copies(&world, &guardian).await;
    assert_eq!(got.len(), 1, "{got:#?}");
    assert!(got[0].contains("The day before."), "{got:#?}");
}
both!(a_guardian_gets_a_copy_of_every_message);

async fn grown_ups_are_not_copied(world: World) {
    let hire = world.hired(json!({})).await;
    let send = json!({ "user_id": hire.athlete.user_id, "text": "Hello" });
    world.call("core.chat.send", &hire.partner.principal, send).await.data();
    nil_core::worker::round(&world.platform).await.unwrap();
    let rows = outbox::list(&world.platform, 1_000).await.unwrap();
    assert!(rows.iter().all(|row| row.event != "message.copied"));
}
both!(grown_ups_are_not_copied);
