//! The links of mails lead to a place that shows what they are about, or the mail says what to do.

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
