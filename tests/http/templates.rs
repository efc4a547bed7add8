//! Templates that are meant to stop a server: each is refused or bounded, while others are answered
//! beside it.

use std::time::{Duration, Instant};

use nil_core::auth::Permission;
use nil_tests::door::{Session, log_in_operator};
use nil_tests::{Got, PASSWORD, Server, every_stack, trust};
use reqwest::Method;
use serde_json::{Value, json};

/// Within this others are answered.
const SOON: Duration = Duration::from_millis(100);
/// How often a probe is repeated: the machine may be busy with other things.
const TRIES: usize = 20;

/// Fifty texts: deep, long, endless, growing, and those that hide it behind a condition.
fn hostile() -> Vec<String> {
    let doubling = |n: usize| "{% set x = [x, x] %}".repeat(n);
    let behind = |text: &str| format!("{{% if first_name != 'Jordan' %}}{text}{{% endif %}}");
    let nested =
        |n: usize, open: &str, close: &str| format!("{}{}", open.repeat(n), close.repeat(n));
    let mut texts = vec![
        format!("{{{{{}1}}}}", "-".repeat(19_900)),
        format!("{{{{ 1{} }}}}", "+1".repeat(9_000)),
        format!("{{{{ {}1{} }}}}", "(".repeat(9_000), ")".repeat(9_000)),
        format!("{{{{ {}1{} }}}}", "[".repeat(9_000), "]".repeat(9_000)),
        format!("{{{{ {}a }}}}", "not ".repeat(4_900)),
        format!("{{{{ a{} }}}}", ".b".repeat(9_000)),
        format!("{{{{ a{} }}}}", "|b".repeat(9_000)),
        format!("{{{{ a{} }}}}", "[0]".repeat(6_000)),
        format!("{{{{ a{} }}}}", "()".repeat(9_000)),
        format!("{{{{ {}a }}}}", "a if b else ".repeat(1_500)),
        format!("{{% if {}first_name %}}x{{% endif %}}", "not ".repeat(4_900)),
        format!("{{% if first_name{} %}}x{{% endif %}}", " and first_name".repeat(1_300)),
        nested(1_000, "{% if url %}", ""),
        nested(800, "{% if url %}", "{% endif %}"),
        nested(9, "{% if url %}", "{% endif %}"),
        nested(400, "{% for a in url %}", "{% endfor %}"),
        format!("{{% if url %}}{}{{% endif %}}", "{% elif url %}x".repeat(1_200)),
        "{{url}}".repeat(2_800),
        "{{url}}".repeat(201),
        "{% else %}".repeat(1_900),
        "{% endif %}".repeat(1_800),
        "{{".repeat(9_900),
        "{%".repeat(9_900),
        "{#".repeat(9_900),
        "{% raw %}".repeat(2_000),
        "{{ url".repeat(3_300),
        "{% if '".repeat(2_800),
        format!("{{{{ '{}' * 1000000000 }}}}", "x".repeat(100)),
        "{{ 'x' * 1000000000 }}".to_owned(),
        "{{ [1] * 1000000000 }}".to_owned(),
        "{{ 9 ** 9 ** 9 }}".to_owned(),
        "{% for a in range(1000000000) %}x{% endfor %}".to_owned(),
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}".to_owned(),
        "{% include 'self' %}".to_owned(),
        "{% extends 'self' %}".to_owned(),
        "{% block a %}{{ self.a() }}{% endblock %}".to_owned(),
        "{% set x = namespace(y=1) %}{% set x.y = x %}{{ x }}".to_owned(),
        "{{ reason.__class__.__mro__ }}".to_owned(),
        "{{ reason|list|join(reason)|length }}".to_owned(),
        "\u{202e}{{ url \u{0} }}".replace('\u{0}', "\u{1}"),
    ];
    for tail in
        ["{{ x == x }}", "{{ x < x }}", "{{ x ~ '' }}", "{{ x }}", "{% if x == x %}y{% endif %}"]
    {
        let growing = format!("{{% set x = 'a' %}}{}{tail}", doubling(40));
        texts.push(behind(&growing));
        texts.push(growing);
    }
    texts
}

async fn admin(server: &Server, session: &Session, path: &str, input: &Value) -> Got {
    let request = server
        .request(Method::POST, path)
        .header("cookie", &session.cookie)
        .header("x-csrf-token", &session.csrf)
        .json(input);
    server.send(request).await
}

/// Waits until somebody else is answered soon.
async fn others_are_answered(server: &Server, beside: &str) {
    for _ in 0..TRIES {
        let begun = Instant::now();
        let page = tokio::time::timeout(Duration::from_secs(5), server.get("/api/site_config"));
        let page = page.await.unwrap_or_else(|_| panic!("nobody is answered beside {beside:.60}"));
        assert_eq!(page.status, 200);
        if begun.elapsed() < SOON {
            return;
        }
    }
    panic!("others wait beside {beside:.60}");
}

async fn hostile_templates_are_refused_while_others_are_answered(server: Server) {
    let texts = hostile();
    assert_eq!(texts.len(), 50);
    let world = &server.world;
    world.new_operator("words@nil.example", Permission::Messaging).await;
    let session = log_in_operator(&server, "words@nil.example", PASSWORD).await;
    for text in &texts {
        let preview = json!({ "event": "job.refused", "channel": "email", "body": text });
        let save = json!({ "event": "job.refused", "body": text });
        let (preview, saved, ()) = tokio::join!(
            admin(&server, &session, "/admin/email-templates/preview", &preview),
            admin(&server, &session, "/admin/email-templates/save", &save),
            others_are_answered(&server, text),
        );
        for answer in [preview, saved] {
            assert_eq!(answer.status, 422, "{text:.60}: {}", answer.json());
            let said = answer.json()["errors"]["body"][0].as_str().unwrap_or_default().to_owned();
            assert!(!said.is_empty() && said.len() < 1_000, "{text:.60}: {said}");
        }
    }
    trust::tried("A12", "templates", texts.len());
}
every_stack!(hostile_templates_are_refused_while_others_are_answered);

async fn hostile_templates_that_are_stored_lose_no_message_and_stop_nobody(server: Server) {
    let world = &server.world;
    let brand = world.partner("Cedar Coffee").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let mut last = 0;
    for text in hostile() {
        let store = format!(
            "UPDATE template SET body = '{}' WHERE event = 'job.refused' OR event = 'password.reset'",
            text.replace('\'', "''")
        );
        world.script(&store).await;
        let forgot = json!({ "email": brand.email });
        let anybody = nil_core::auth::Principal::Anonymous;
        let (asked, ()) = tokio::join!(
            world.call("core.auth.forget_password", &anybody, forgot),
            others_are_answered(&server, &text),
        );
        assert_eq!(asked.status, 200, "{}", asked.body);
        let (round, ()) = tokio::join!(
            nil_core::worker::round(&world.platform),
            others_are_answered(&server, &text),
        );
        assert_eq!(round.unwrap().failed, []);
        let newest = "SELECT MAX(id) FROM outbox WHERE event = 'password.reset' \
            AND channel = 'email' AND fell_back IS NOT NULL";
        let newest = world.id(newest).await;
        assert!(newest > last, "{text:.60}: no mail was made");
        last = newest;
        let mail = world.mail(&brand.email, "password.reset").await.expect("a mail");
        assert!(mail.contains("Choose it here") && mail.contains("?token="), "{mail}");
        // Many mails to one address wait for the next day.
        world.pass(chrono::TimeDelta::days(1));
        let log_in = json!({ "email": brand.email, "password": PASSWORD });
        assert_eq!(world.call("core.auth.log_in", &anybody, log_in).await.status, 200);
    }
}
every_stack!(hostile_templates_that_are_stored_lose_no_message_and_stop_nobody);
