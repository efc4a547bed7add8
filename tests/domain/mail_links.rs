//! The links of mails lead to a place that shows what they are about, or the mail says what to do.

use nil_core::auth::Permission;
use nil_core::worker;
use nil_tests::{World, both};
use serde_json::json;

async fn a_mail_leads_to_the_sites_front_end_or_says_what_to_do(mut world: World) {
    let server = world.platform.config().public_url.clone();
    let hire = world.hired(json!({})).await;
    let say = json!({ "user_id": hire.partner.user_id, "text": "When do we begin?" });
    world.call("core.chat.send", &hire.athlete.principal, say).await.data();
    worker::round(&world.platform).await.unwrap();
    for (who, event) in [
        (&hire.athlete, "athlete.hired"),
        (&hire.partner, "contract.generated"),
        (&hire.partner, "message.received"),
    ] {
        let mail = world.mail(&who.email, event).await.expect("a mail");
        assert!(mail.contains("Sign in to Lakeside Deals."), "{event}: {mail}");
        assert!(!mail.contains(&server), "{event}: {mail}");
    }
    world.reopen(|config| config.portal_url = Some("https://app.example/".into())).await;
    let hire = world.hired(json!({})).await;
    let say = json!({ "user_id": hire.partner.user_id, "text": "When do we begin?" });
    world.call("core.chat.send", &hire.athlete.principal, say).await.data();
    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&hire.athlete.email, "athlete.hired").await.expect("a mail");
    assert!(mail.contains("https://app.example\n"), "{mail}");
    let mail = world.mail(&hire.partner.email, "message.received").await.expect("a mail");
    assert!(mail.contains("https://app.example/messages?conversation_id="), "{mail}");
}
both!(a_mail_leads_to_the_sites_front_end_or_says_what_to_do);

async fn an_officers_mail_leads_to_the_officers_front_end(mut world: World) {
    let apart = |config: &mut nil_core::Config| {
        config.portal_url = Some("https://app.example/".into());
        config.console_url = Some("https://console.example/".into());
    };
    let college = world.college().await;
    let (_, officer) = officer_of(&world, college).await;
    // Where there is no front end, the mail says what to do.
    let mail = disclosed_to(&world, college, &officer).await;
    assert!(mail.contains("Sign in to Lakeside Deals."), "{mail}");
    assert!(!mail.contains("http"), "{mail}");
    // A front end for everybody is the officers' too.
    world.reopen(|config| config.portal_url = Some("https://app.example/".into())).await;
    let mail = disclosed_to(&world, college, &officer).await;
    assert!(mail.contains("https://app.example\n"), "{mail}");
    world.reopen(apart).await;
    let mail = disclosed_to(&world, college, &officer).await;
    assert!(mail.contains("https://console.example\n"), "{mail}");
    assert!(!mail.contains("app.example"), "{mail}");
    // Users still get to their own, and links with a secret lead to the pages of their readers.
    let hire = world.hired(json!({})).await;
    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&hire.athlete.email, "athlete.hired").await.expect("a mail");
    assert!(mail.contains("https://app.example\n"), "{mail}");
    let (_, invited) = invited(&world, college).await;
    let mail = world.mail(&invited, "portal_user.invited").await.expect("a mail");
    assert!(mail.contains("https://console.example/compliance/set-password?token="), "{mail}");
}
both!(an_officers_mail_leads_to_the_officers_front_end);

/// An invitation to the portal.
async fn invited(world: &World, college: i64) -> (i64, String) {
    let email = format!("reader-{}@portal.example", world.platform.now().timestamp());
    let operator = world.operator(&[Permission::Accounts]);
    let invitation = json!({
        "college_id": college, "email": email, "name": "Kim Osei", "role": "officer",
    });
    world.call("admin.university_admin.save", &operator, invitation).await.data();
    worker::round(&world.platform).await.unwrap();
    (college, email)
}

/// An officer who has accepted an invitation, and their address.
async fn officer_of(world: &World, college: i64) -> (nil_core::auth::Principal, String) {
    let officer = world.portal_user(college, "officer").await.0;
    let address = world.text("email", "portal_user WHERE role = 'officer'").await;
    (officer, address.expect("an address"))
}

/// The mail about another deal that an athlete disclosed.
async fn disclosed_to(world: &World, college: i64, officer: &str) -> String {
    world.script("DELETE FROM outbox WHERE event = 'disclosure.submitted'").await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let disclosed = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading", "category_id": 9,
        "amount_cents": 40_000, "compensation": "cash", "signed_on": "2026-11-19",
        "description": "Two readings.", "attestations": nil_tests::ATTESTED,
    });
    world.call("core.disclosed_job.save", &athlete.principal, disclosed).await.data();
    worker::round(&world.platform).await.unwrap();
    world.mail(officer, "disclosure.submitted").await.expect("a mail")
}
