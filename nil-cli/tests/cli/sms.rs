//! Text messages leave by a provider, which takes, refuses, stalls and hangs up.

use nil_tests::{Engine, MailServer, SmsFate, SmsProvider, World, both};
use serde_json::{Value, json};

use crate::nil::{Ended, Nil};
use crate::served::Served;

pub(crate) const NUMBER: &str = "+12175550123";
const SECRET: &str = "opensesame";

/// With the settings for this provider.
pub(crate) fn beside(mut nil: Nil, provider: &SmsProvider) -> Nil {
    for (name, value) in provider.environment() {
        nil = nil.with(name, &value);
    }
    nil
}

fn test_text(nil: &Nil, number: &str) -> Ended {
    let ended = nil.run(&["sms", "test", number]);
    assert!(!ended.stderr.contains(SECRET), "{}", ended.stderr);
    ended
}

/// Panics unless the test message failed with all of these words, and without the number.
#[track_caller]
fn failed(ended: &Ended, words: &[&str]) {
    assert_eq!((ended.code, ended.text().as_str()), (1, ""), "{}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "{word}: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains(NUMBER), "{}", ended.stderr);
}

const LATER: &str = "would be tried again later";
const NEVER: &str = "would be given up";
const MAYBE: &str = "The message may have been sent";

#[test]
fn a_test_message_arrives() {
    let provider = SmsProvider::start();
    let nil = beside(Nil::alone(), &provider);
    let ended = test_text(&nil, "(217) 555-0123").good();
    let accepted = format!("{} accepted the test message to {NUMBER}.\n", provider.server());
    assert_eq!(ended.text(), accepted);
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0, "no database is needed");
    let text = provider.text();
    assert_eq!((text.to(), text.login.as_str()), (NUMBER, "AC0123:opensesame"));
    assert!(text.body().starts_with("A test message from nil"), "{text:?}");
    let said = nil.run(&["sms", "test", NUMBER, "--json"]).good().json();
    assert_eq!((&said["accepted"], &said["to"]), (&json!(true), &json!(NUMBER)));

    // A key of the account, and one of the numbers of a service.
    let nil = nil
        .with("NIL_SMS_KEY", "SK0123")
        .with("NIL_SMS_FROM", "")
        .with("NIL_SMS_MESSAGING_SERVICE", "MG0123");
    provider.texts();
    test_text(&nil, NUMBER).good();
    let text = provider.text();
    assert_eq!(text.path, "/2010-04-01/Accounts/AC0123/Messages.json");
    assert_eq!(text.login, "SK0123:opensesame");
    assert_eq!((text.form["MessagingServiceSid"].as_str(), text.form.len()), ("MG0123", 3));
}

#[test]
fn what_a_provider_says_is_told_and_decides_whether_to_try_again() {
    let provider = SmsProvider::start();
    let nil = beside(Nil::alone(), &provider);
    for (fate, words) in [
        (SmsFate::Refused(401, 20_003), ["its secret or what it may do: 401, error 20003", LATER]),
        (SmsFate::Refused(429, 20_429), ["takes no more now: 429", LATER]),
        (SmsFate::Refused(500, 20_500), ["has a fault of its own: 500", LATER]),
        (SmsFate::Refused(400, 21_606), ["refused the message: 400, error 21606", LATER]),
        (SmsFate::Refused(400, 21_610), ["the recipient has opted out (400, error 21610)", NEVER]),
        (SmsFate::Refused(400, 21_211), ["there is no such number (400, error 21211)", NEVER]),
        (SmsFate::Page, ["answered 200, which no provider", LATER]),
        (SmsFate::Redirect, ["answered 307, which no provider", LATER]),
        (SmsFate::HangsUp, ["did not answer: ", MAYBE]),
        (SmsFate::Flood, ["answered 201 without a message", MAYBE]),
    ] {
        provider.next([fate]);
        failed(&test_text(&nil, NUMBER), &words);
    }
    let hasty = beside(Nil::alone(), &provider).with("NIL_SMS_TIMEOUT_SECONDS", "1");
    provider.next([SmsFate::Silence]);
    failed(&test_text(&hasty, NUMBER), &["did not answer within 1 s", MAYBE]);
    test_text(&nil, "not a number").misused("NUMBER must be a phone number");
    let at = format!("cannot connect to {}: ", provider.server());
    drop(provider);
    failed(&test_text(&nil, NUMBER), &[&at, LATER]);
}

#[test]
fn a_secret_may_come_from_a_file_and_settings_from_nil_toml() {
    let provider = SmsProvider::start();
    let nil = Nil::alone();
    std::fs::write(nil.path("secret"), "closesesame\n").unwrap();
    let file = format!(
        "[sms]\nurl = '{}'\naccount = 'AC0123'\nsecret_file = 'secret'\nfrom = 'Lakeshore'\n\
         timeout_seconds = 30\n",
        provider.url()
    );
    std::fs::write(nil.path("nil.toml"), &file).unwrap();
    test_text(&nil, NUMBER).good();
    let text = provider.text();
    assert_eq!(
        (text.login.as_str(), text.form["From"].as_str()),
        ("AC0123:closesesame", "Lakeshore")
    );
    // A secret in the environment comes before one in a file.
    let nil = nil.with("NIL_SMS_SECRET", SECRET);
    test_text(&nil, NUMBER).good();
    assert_eq!(provider.text().login, "AC0123:opensesame");
}

#[test]
fn nonsense_is_refused_by_its_name() {
    let sms = || {
        Nil::alone()
            .with("NIL_SMS_URL", "https://sms.example/2010-04-01")
            .with("NIL_SMS_ACCOUNT", "AC0123")
            .with("NIL_SMS_SECRET", SECRET)
            .with("NIL_SMS_FROM", "+12175550100")
    };
    test_text(&Nil::alone(), NUMBER).misused("sms.url: no provider of text messages is configured");
    let lone = Nil::alone().with("NIL_SMS_FROM", "+12175550100");
    lone.run(&["migrate"]).misused("sms.url: is missing");
    for (name, value, words) in [
        ("NIL_SMS_URL", "sms.example", "sms.url: must be an address"),
        ("NIL_SMS_URL", "http://sms.example", "sms.url: `http` would send texts"),
        ("NIL_SMS_ACCOUNT", "", "sms.account: is missing"),
        ("NIL_SMS_ACCOUNT", "AC1/../AC2", "sms.account: must be letters and digits"),
        ("NIL_SMS_KEY", "SK 1", "sms.key: must be letters and digits"),
        ("NIL_SMS_SECRET", "", "sms.secret: is missing"),
        ("NIL_SMS_SECRET_FILE", "nowhere", "sms.secret_file: nowhere: "),
        ("NIL_SMS_FROM", "", "sms.from: is missing"),
        ("NIL_SMS_FROM", "a&To=b", "sms.from: must be a phone number"),
        ("NIL_SMS_MESSAGING_SERVICE", "MG1", "sms.from: is the sender, and so is"),
        ("NIL_SMS_TIMEOUT_SECONDS", "90", "sms.timeout_seconds: must be from 1 to 50"),
        ("NIL_SMS_TIMEOUT_SECONDS", "soon", "NIL_SMS_TIMEOUT_SECONDS: `soon`"),
    ] {
        let mut nil = sms();
        if name == "NIL_SMS_SECRET_FILE" {
            nil = nil.with("NIL_SMS_SECRET", "");
        }
        let ended = nil.with(name, value).run(&["serve"]);
        assert!(!ended.stderr.contains(SECRET), "{}", ended.stderr);
        ended.misused(words);
    }
}

/// The text messages in the outbox.
pub(crate) fn outbox(nil: &Nil) -> Vec<Value> {
    let rows = nil.run(&["outbox", "list", "--json"]).good().json();
    let rows = rows.as_array().unwrap().iter();
    rows.filter(|row| row["channel"] == "sms").cloned().collect()
}

/// Makes the mails that wait text messages to the number.
pub(crate) async fn as_texts(world: &World) {
    let texted = format!(
        "UPDATE outbox SET channel = 'sms', address = '{NUMBER}' \
         WHERE channel = 'email' AND status = 'pending' AND event = 'announcement.published'"
    );
    world.script(&texted).await;
}

async fn mails_and_text_messages_leave_side_by_side(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let (server, provider) = (MailServer::open(), SmsProvider::start());
    let nil = beside(Nil::beside(&world), &provider)
        .with("NIL_MAIL_SERVER", "localhost")
        .with("NIL_MAIL_PORT", &server.port.to_string())
        .with("NIL_MAIL_SECURITY", "none")
        .with("NIL_MAIL_FROM", "nil@lakeshore.example");
    world.tell(&brand, "By text").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    as_texts(&world).await;
    provider.next([SmsFate::Refused(400, 21_610)]);

    let mut running = Served::start(&nil, &[]);
    let announced = format!("Text messages leave by {}\n", provider.server());
    assert!(running.printed.contains(&announced), "{}", running.printed);
    assert!(running.printed.contains("Mail leaves by localhost:"), "{}", running.printed);
    assert!(!running.printed.contains("not sent"), "{}", running.printed);
    let (text, mail) = (provider.text(), server.next("mail"));
    assert_eq!(text.to(), NUMBER);
    assert_eq!(mail["to"], json!([brand.email]));
    running.logged("the recipient has opted out").await;
    assert!(!running.log().contains(NUMBER), "a log holds nobody's number: {}", running.log());
    running.process.terminate();
    assert!(running.process.ended().success());
    let refused = &outbox(&nil)[0];
    assert_eq!((&refused["status"], &refused["attempts"]), (&json!("dead"), &json!(1)));

    let id = refused["id"].to_string();
    nil.run(&["outbox", "retry", &id]).good();
    nil.run(&["worker", "--once"]).good();
    assert_eq!(provider.text().to(), NUMBER);
    assert_eq!(outbox(&nil)[0]["status"], "sent");
}
both!(mails_and_text_messages_leave_side_by_side);
