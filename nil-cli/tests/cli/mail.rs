//! Mails leave by a real mail server, which takes, refuses, stalls and hangs up.

use std::time::Duration;

use nil_core::kernel::OutboxId;
use nil_core::ports::courier::{
    Channel, Courier as _, Letter, Outcome, Security, Smtp, SmtpSettings,
};
use nil_tests::{Engine, MailServer, Protection, World, both};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::nil::{Ended, Nil};
use crate::served::Served;

const LOGIN: &str = "nil:opensesame";

/// Settings for a server that takes mails from anybody.
pub(crate) fn beside(nil: Nil, server: &MailServer) -> Nil {
    nil.with("NIL_MAIL_SERVER", "localhost")
        .with("NIL_MAIL_PORT", &server.port.to_string())
        .with("NIL_MAIL_SECURITY", "none")
        .with("NIL_MAIL_FROM", "NIL at Lakeshore <nil@lakeshore.example>")
        .with("NIL_MAIL_TIMEOUT_SECONDS", "20")
}

/// Settings for a server that wants encryption and a log-in.
fn guarded(server: &MailServer, security: &str, password: &str) -> Nil {
    beside(Nil::alone(), server)
        .with("NIL_MAIL_SECURITY", security)
        .with("NIL_MAIL_USER", "nil")
        .with("NIL_MAIL_PASSWORD", password)
}

fn test_mail(nil: &Nil, address: &str) -> Ended {
    nil.run(&["mail", "test", address])
}

/// Panics unless the test mail failed with all of these words.
#[track_caller]
fn failed(ended: &Ended, words: &[&str]) {
    assert_eq!((ended.code, ended.text().as_str()), (1, ""), "{}", ended.stderr);
    for word in words {
        assert!(ended.stderr.contains(word), "{word}: {}", ended.stderr);
    }
}

const LATER: &str = "would be tried again later";
const NEVER: &str = "would be given up";

#[test]
fn a_test_mail_arrives_with_text_and_html() {
    let server = MailServer::open();
    let nil = beside(Nil::alone(), &server).with("NIL_MAIL_REPLY_TO", "help@lakeshore.example");
    let ended = test_mail(&nil, "Jo@example.com").good();
    let accepted = format!("localhost:{} accepted the test mail to jo@example.com.\n", server.port);
    assert_eq!(ended.text(), accepted);
    assert_eq!(std::fs::read_dir(&nil.folder).unwrap().count(), 0, "no database is needed");
    let mail = server.next("mail");
    assert_eq!(
        (&mail["sender"], &mail["to"]),
        (&json!("nil@lakeshore.example"), &json!(["jo@example.com"]))
    );
    let raw = mail["raw"].as_str().unwrap();
    for line in [
        "From: \"NIL at Lakeshore\" <nil@lakeshore.example>\r\n",
        "To: jo@example.com\r\n",
        "Reply-To: help@lakeshore.example\r\n",
        "Subject: A test mail from nil\r\n",
        "Auto-Submitted: auto-generated\r\n",
        "Content-Type: text/plain; charset=utf-8\r\n",
        "Content-Type: text/html; charset=utf-8\r\n",
        "@lakeshore.example>\r\n",
    ] {
        assert!(raw.contains(line), "{line} is not in {raw}");
    }
    let said = nil.run(&["mail", "test", "jo@example.com", "--json"]).good().json();
    assert_eq!(said["accepted"], true);
    let again = server.next("mail");
    let id = |mail: &Value| {
        let raw = mail["raw"].as_str().unwrap().to_owned();
        raw.lines().find(|line| line.starts_with("Message-ID: ")).map(ToOwned::to_owned)
    };
    assert!(id(&mail).is_some() && id(&mail) != id(&again), "each test mail is another one");
}

#[test]
fn what_a_server_says_is_told_and_decides_whether_to_try_again() {
    let server = MailServer::open();
    let nil = beside(Nil::alone(), &server);
    let at = format!("localhost:{}", server.port);
    let refused =
        format!("error: {at} refused the recipient: 550 5.1.1 <***>: there is no such mailbox. ");
    failed(&test_mail(&nil, "refused@example.com"), &[&refused, NEVER]);
    failed(&test_mail(&nil, "spam@example.com"), &["refused the mail: 554 5.6.0", NEVER]);
    // The operator can mend a relay's rules; the recipient cannot.
    let relay = "refused the recipient: 554 5.7.1 relay access denied";
    failed(&test_mail(&nil, "unknown-relay@example.com"), &[relay, LATER]);
    failed(&test_mail(&nil, "later@example.com"), &["451 4.7.1 greylisted", LATER]);
    failed(&test_mail(&nil, "hangup@example.com"), &[&format!("to {at}: "), LATER]);
    let hasty = beside(Nil::alone(), &server).with("NIL_MAIL_TIMEOUT_SECONDS", "1");
    let stalled = format!("{at} did not take the mail within 1 s");
    failed(&test_mail(&hasty, "stall@example.com"), &[&stalled, LATER]);
    let barred = beside(Nil::alone(), &server).with("NIL_MAIL_FROM", "barred@lakeshore.example");
    failed(&test_mail(&barred, "jo@example.com"), &["refused the sender: 553 5.7.1", LATER]);
    test_mail(&nil, "not an address").misused("ADDRESS must be an e-mail address");
    drop(server);
    failed(&test_mail(&nil, "jo@example.com"), &[&format!("cannot connect to {at}: "), LATER]);
}

#[test]
fn connections_are_encrypted_and_passwords_stay_secret() {
    for (protection, security) in [(Protection::StartTls, "starttls"), (Protection::Tls, "tls")] {
        let server = MailServer::start(protection, Some(LOGIN));
        let authority = server.authority.display().to_string();
        let stranger = guarded(&server, security, "opensesame");
        failed(&test_mail(&stranger, "jo@example.com"), &["UnknownIssuer", LATER]);
        let known = guarded(&server, security, "opensesame").with("NIL_MAIL_CA_FILE", &authority);
        test_mail(&known, "jo@example.com").good();
        assert_eq!(server.next("login")["accepted"], true);
        server.next("mail");
        let elsewhere =
            guarded(&server, security, "opensesame").with("NIL_MAIL_CA_FILE", &authority);
        let elsewhere = elsewhere.with("NIL_MAIL_SERVER", "127.0.0.1");
        failed(&test_mail(&elsewhere, "jo@example.com"), &["certificate", LATER]);

        let mistaken =
            guarded(&server, security, "closesesame").with("NIL_MAIL_CA_FILE", &authority);
        let ended = test_mail(&mistaken, "jo@example.com");
        failed(&ended, &["refused the log-in: 535", LATER]);
        assert!(!ended.stderr.contains("sesame"), "{}", ended.stderr);
        assert_eq!(server.next("login")["accepted"], false);
    }
    // A server that offers no encryption, or somebody in between who hides the offer, gets neither
    // mail nor password.
    let server = MailServer::open();
    let nil = guarded(&server, "starttls", "opensesame");
    failed(&test_mail(&nil, "jo@example.com"), &["cannot encrypt the connection", LATER]);
    assert!(server.all().iter().all(|told| told["event"] == "hello"));
}

#[test]
fn a_password_may_come_from_a_file_and_settings_from_nil_toml() {
    let server = MailServer::start(Protection::StartTls, Some(LOGIN));
    let nil = Nil::alone();
    std::fs::write(nil.path("password"), "opensesame\n").unwrap();
    let (port, authority) = (server.port, server.authority.display());
    let file = format!(
        "[mail]\nserver = 'localhost'\nport = {port}\nuser = 'nil'\npassword_file = 'password'\n\
         from = 'nil@lakeshore.example'\nca_file = '{authority}'\n"
    );
    std::fs::write(nil.path("nil.toml"), &file).unwrap();
    test_mail(&nil, "jo@example.com").good();
    server.next("mail");
    // A password in the environment comes before one in a file.
    let nil = nil.with("NIL_MAIL_PASSWORD", "closesesame");
    failed(&test_mail(&nil, "jo@example.com"), &["535"]);
}

#[test]
fn nonsense_is_refused_by_its_name() {
    let mail = || {
        let nil = Nil::alone().with("NIL_MAIL_SERVER", "mail.example");
        nil.with("NIL_MAIL_FROM", "nil@lakeshore.example")
    };
    test_mail(&Nil::alone(), "jo@example.com").misused("mail.server: no mail server is configured");
    let lone = Nil::alone().with("NIL_MAIL_SERVER", "mail.example");
    test_mail(&lone, "jo@example.com").misused("mail.from: is missing");
    let lone = Nil::alone().with("NIL_MAIL_FROM", "nil@lakeshore.example");
    lone.run(&["migrate"]).misused("mail.server: is missing");
    for (name, value, words) in [
        ("NIL_MAIL_SERVER", "https://mail.example", "mail.server: `https://mail.example`"),
        ("NIL_MAIL_PORT", "70000", "NIL_MAIL_PORT: `70000`"),
        ("NIL_MAIL_SECURITY", "ssl", "mail.security: `ssl` must be one of: starttls, tls, none"),
        ("NIL_MAIL_SECURITY", "none", "mail.security: `none` would send mails to mail.example"),
        ("NIL_MAIL_FROM", "Lakeshore", "mail.from: `Lakeshore`"),
        ("NIL_MAIL_FROM", "a@b.example\r\nBcc: c@d.example", "mail.from: "),
        ("NIL_MAIL_REPLY_TO", "help", "mail.reply_to: `help`"),
        ("NIL_MAIL_USER", "nil", "mail.password: is missing"),
        ("NIL_MAIL_PASSWORD", "opensesame", "mail.user: is missing"),
        ("NIL_MAIL_PASSWORD_FILE", "nowhere", "mail.password_file: nowhere: "),
        ("NIL_MAIL_TIMEOUT_SECONDS", "90", "mail.timeout_seconds: "),
        ("NIL_MAIL_CONNECTIONS", "0", "mail.connections: "),
        ("NIL_MAIL_CA_FILE", "nowhere.pem", "mail.ca_file: nowhere.pem: "),
    ] {
        let ended = mail().with(name, value).run(&["serve"]);
        assert!(!ended.stderr.contains("opensesame"), "{}", ended.stderr);
        ended.misused(words);
    }
}

fn letter(number: i64, to: &str) -> Letter {
    Letter {
        id: OutboxId::new(number).unwrap(),
        channel: Channel::Email,
        to: to.into(),
        event: "announcement.published".into(),
        subject: Some("Grüße – 你好".into()),
        body: "Hi <Zoë> & co,\n\n.\n.dots\n\nhttps://nil.example/a?b=c&d=e.".into(),
        from: None,
        unsubscribe: None,
    }
}

/// The next mail would otherwise get the late answer to the one before.
#[tokio::test]
async fn a_connection_cut_short_is_never_used_again() {
    let server = MailServer::open();
    let mut settings = SmtpSettings::new("localhost", "nil@lakeshore.example");
    settings.port = Some(server.port);
    settings.security = Security::None;
    settings.connections = 1;
    settings.timeout = Duration::from_secs(2);
    let hasty = Smtp::new(settings.clone()).unwrap();
    let stalled = hasty.hand_over(&letter(1, "stall@example.com")).await;
    assert!(
        matches!(&stalled, Outcome::TryAgain(why) if why.contains("within 2 s")),
        "{stalled:?}"
    );
    let refused = hasty.hand_over(&letter(2, "refused@example.com")).await;
    assert!(matches!(refused, Outcome::Never(_)), "{refused:?}");
    settings.timeout = Duration::from_secs(20);
    let smtp = Smtp::new(settings).unwrap();
    server.all();
    // Each of these ends its connection, and the mail after it gets another one.
    let hung_up = smtp.hand_over(&letter(2, "hangup@example.com")).await;
    assert!(matches!(hung_up, Outcome::TryAgain(_)), "{hung_up:?}");
    assert_eq!(smtp.hand_over(&letter(3, "last@example.com")).await, Outcome::Sent);
    server.next("left");
    let refused = smtp.hand_over(&letter(4, "refused@example.com")).await;
    assert!(matches!(refused, Outcome::Never(_)), "{refused:?}");
    server.all();
    // A refusal does not.
    assert_eq!(smtp.hand_over(&letter(5, "jo@example.com")).await, Outcome::Sent);
    let told = server.all();
    assert!(told.iter().all(|one| one["event"] != "hello"), "{told:?}");
    let mail = told.iter().find(|one| one["event"] == "mail").unwrap();
    let sent = letter(5, "jo@example.com");
    assert_eq!(mail["subject"].as_str(), sent.subject.as_deref());
    assert_eq!(mail["text"].as_str().unwrap().replace("\r\n", "\n").trim_end(), sent.body);
    let html = mail["html"].as_str().unwrap();
    let link = "https://nil.example/a?b=c&amp;d=e";
    assert!(html.contains("<p>Hi &lt;Zoë&gt; &amp; co,</p>"), "{html}");
    assert!(html.contains(&format!("<a href=\"{link}\">{link}</a>.")), "{html}");
}

/// Somebody in between could put in an answer too many; then none belongs to its command.
#[tokio::test]
async fn an_answer_out_of_step_is_no_acceptance() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut settings = SmtpSettings::new("127.0.0.1", "nil@lakeshore.example");
    settings.port = Some(listener.local_addr().unwrap().port());
    settings.security = Security::None;
    let shifted = tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        // One answer too many to EHLO: each command gets the answer to the one before.
        for answer in ["220 mail.test", "250 mail.test\r\n250 OK", "250 OK", "250 OK", "354 go on"]
        {
            client.write_all(format!("{answer}\r\n").as_bytes()).await.unwrap();
            let mut heard = [0; 4_096];
            let _ = client.read(&mut heard).await;
        }
    });
    let smtp = Smtp::new(settings).unwrap();
    let outcome = smtp.hand_over(&letter(1, "jo@example.com")).await;
    let told = "the answer belongs to another command";
    assert!(matches!(&outcome, Outcome::TryAgain(why) if why.contains(told)), "{outcome:?}");
    shifted.abort();
}

/// The rows of the outbox for this address.
fn outbox(nil: &Nil, to: &str) -> Vec<Value> {
    let rows = nil.run(&["outbox", "list", "--json"]).good().json();
    let rows = rows.as_array().unwrap().iter();
    rows.filter(|row| row["to"] == to && row["channel"] != "event").cloned().collect()
}

async fn mails_leave_when_somebody_asks_for_one(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let server = MailServer::open();
    let nil = beside(Nil::beside(&world), &server).with("NIL_DRAIN_SECONDS", "0");
    let mut running = Served::start(&nil, &[]);
    let announced = format!("Mail leaves by localhost:{} (not encrypted)\n", server.port);
    assert!(running.printed.contains(&announced), "{}", running.printed);
    assert!(
        running.printed.contains("Simulated: text messages are not sent"),
        "{}",
        running.printed
    );
    // The code of the registration has waited.
    let code = server.next("mail");
    assert_eq!(code["to"], json!([brand.email]));
    let forgot = running.post("/api/forget-password", "").json(&json!({ "email": brand.email }));
    assert_eq!(forgot.send().await.unwrap().status(), 200);
    let mail = loop {
        let mail = server.next("mail");
        if mail["text"].as_str().unwrap().contains("reset-password") {
            break mail;
        }
    };
    let text = mail["text"].as_str().unwrap();
    let link =
        text.lines().find(|line| line.starts_with("http")).expect("a link on a line of its own");
    let html = mail["html"].as_str().unwrap();
    assert!(html.contains(&format!("<a href=\"{link}\">{link}</a>")), "{html}");
    assert!(html.contains("<html lang=\"en\">"), "{html}");

    let gone = "refused@example.com";
    let moved = format!("UPDATE app_user SET email = '{gone}' WHERE email = '{}'", brand.email);
    world.script(&moved).await;
    let forgot = running.post("/api/forget-password", "").json(&json!({ "email": gone }));
    assert_eq!(forgot.send().await.unwrap().status(), 200);
    running.logged("there is no such mailbox").await;
    assert!(!running.log().contains(gone), "a log holds nobody's address: {}", running.log());
    running.process.terminate();
    assert!(running.process.ended().success());
    let sent = outbox(&nil, &brand.email);
    let sent = sent.iter().find(|row| row["event"] == "password.reset").unwrap();
    assert_eq!((&sent["status"], &sent["attempts"]), (&json!("sent"), &json!(1)));
    let id = format!("Message-ID: <outbox.{}@lakeshore.example>\r\n", sent["id"]);
    assert!(mail["raw"].as_str().unwrap().contains(&id), "{id} is not in {mail}");
}
both!(mails_leave_when_somebody_asks_for_one);

async fn a_worker_uses_a_connection_for_many_mails_and_ends_only_those_that_never_arrive(
    engine: Engine,
) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let server = MailServer::open();
    let nil = beside(Nil::beside(&world), &server).with("NIL_MAIL_CONNECTIONS", "1");
    nil.run(&["worker", "--once"]).good();
    server.all();
    let addresses =
        ["jo@example.com", "refused@example.com", "later@example.com", "ann@example.com"];
    for (number, address) in addresses.iter().enumerate() {
        world.tell(&brand, &format!("News {number}")).await;
        nil_core::worker::round(&world.platform).await.unwrap();
        let moved = format!(
            "UPDATE outbox SET address = '{address}' \
             WHERE channel = 'email' AND status = 'pending' AND subject = 'News {number}'"
        );
        world.script(&moved).await;
    }
    world.tell(&brand, "By text").await;
    nil_core::worker::round(&world.platform).await.unwrap();
    let texted = "UPDATE outbox SET channel = 'sms', address = '+12175550100' \
                  WHERE channel = 'email' AND status = 'pending' AND subject = 'By text'";
    world.script(texted).await;

    nil.run(&["worker", "--once"]).good();
    let status = |to: &str| {
        let rows = outbox(&nil, to);
        assert_eq!(rows.len(), 1, "{rows:?}");
        let why = rows[0]["why"].as_str().unwrap_or_default().to_owned();
        (rows[0]["status"].as_str().unwrap().to_owned(), why)
    };
    for taken in ["jo@example.com", "ann@example.com"] {
        assert_eq!(status(taken), ("sent".into(), String::new()));
    }
    let (refused, why) = status("refused@example.com");
    assert_eq!(refused, "dead");
    assert!(why.contains("550 5.1.1 <***>: there is no such mailbox"), "{why}");
    let (later, why) = status("later@example.com");
    assert_eq!(later, "pending");
    assert!(why.contains("451 4.7.1 greylisted"), "{why}");
    let (text, why) = status("+12175550100");
    assert_eq!(
        (text.as_str(), why.as_str()),
        ("pending", "it waits: no courier for text messages is configured")
    );
    let told = server.all();
    let count = |event: &str| told.iter().filter(|one| one["event"] == event).count();
    assert_eq!((count("hello"), count("recipient"), count("mail")), (1, 4, 2), "{told:?}");
}
both!(a_worker_uses_a_connection_for_many_mails_and_ends_only_those_that_never_arrive);

async fn a_wrong_password_ends_no_message(engine: Engine) {
    let world = World::in_real_time(engine).await;
    let brand = world.partner("Cedar Coffee").await;
    let server = MailServer::start(Protection::StartTls, Some(LOGIN));
    let authority = server.authority.display().to_string();
    let settings = |password: &str| {
        beside(Nil::beside(&world), &server)
            .with("NIL_MAIL_SECURITY", "starttls")
            .with("NIL_MAIL_USER", "nil")
            .with("NIL_MAIL_PASSWORD", password)
            .with("NIL_MAIL_CA_FILE", &authority)
    };
    let mistaken = settings("closesesame");
    mistaken.run(&["worker", "--once"]).good();
    let waiting = outbox(&mistaken, &brand.email);
    assert!(!waiting.is_empty());
    for row in &waiting {
        assert_eq!(row["status"], "pending", "{row}");
        assert!(row["why"].as_str().unwrap().contains("refused the log-in: 535"), "{row}");
    }
    world.script("UPDATE outbox SET next_at = created_at WHERE status = 'pending'").await;
    let corrected = settings("opensesame");
    corrected.run(&["worker", "--once"]).good();
    assert!(outbox(&corrected, &brand.email).iter().all(|row| row["status"] == "sent"));
    server.next("mail");
}
both!(a_wrong_password_ends_no_message);
