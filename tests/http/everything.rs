//! Everything real at once: two servers on one PostgreSQL behind `PgBouncer` in transaction mode,
//! with a mail server, a bucket, a payment processor behind HTTP, a Redis, an identity provider and
//! a receiver of webhooks that checks signatures.

use std::sync::Arc;
use std::time::Duration;

use nil_core::auth::{Permission, Principal};
use nil_core::checkup::{self, State};
use nil_core::payments;
use nil_core::ports::courier::{Security, Smtp, SmtpSettings};
use nil_core::storage::Pooling;
use nil_tests::bucket::Bucket;
use nil_tests::identity::{CLIENT, SECRET, providers_nearby};
use nil_tests::ledgered::Ledgered;
use nil_tests::receiver::{Receiver, receivers_nearby};
use nil_tests::{
    Bouncer, Engine, Frontend, MailServer, PASSWORD, RedisServer, Server, StrangersProvider, World,
    is_pixel,
};
use serde_json::{Value, json};

/// Fewer sessions than one server has connections.
const SESSIONS: u32 = 8;

/// What stands beside the servers.
struct Beside {
    mails: MailServer,
    bucket: Bucket,
    redis: RedisServer,
    identity: StrangersProvider,
    ledgered: Ledgered,
    receiver: Receiver,
    bouncer: Bouncer,
}

fn smtp(mails: &MailServer) -> Smtp {
    let mut settings = SmtpSettings::new("127.0.0.1", "Lakeside Deals <nil@lakeside.example>");
    settings.port = Some(mails.port);
    settings.security = Security::None;
    Smtp::new(settings).expect("a mail server")
}

/// A platform that has everything beside it.
async fn with_everything() -> (World, Beside) {
    let mut world = World::in_real_time(Engine::Postgres).await;
    let [(_, direct), ..] = world.environment();
    let beside = Beside {
        mails: MailServer::open(),
        bucket: Bucket::open().await,
        redis: RedisServer::start(),
        identity: StrangersProvider::start(&json!({
            "sub": "id-of-dana", "email": "dana@lakeshore.example", "email_verified": true,
            "name": "Dana Whitfield", "groups": ["nil-officers"],
        })),
        ledgered: Ledgered::start(world.platform.config().clock.clone()).await,
        receiver: Receiver::start().await,
        bouncer: Bouncer::start(&direct, "transaction", SESSIONS),
    };
    world
        .reopen(|config| {
            config.database = beside.bouncer.url.parse().expect("an address");
            let direct = Some(direct.parse().expect("an address"));
            config.pooling = Pooling { direct, ..Pooling::default() };
            config.redis = Some(beside.redis.setting());
            config.objects = Some(Arc::new(beside.bucket.store()));
            config.courier = Some(Arc::new(smtp(&beside.mails)));
            config.processor = Some(Arc::new(beside.ledgered.client()));
            config.processor_deadline = Duration::from_secs(5);
            receivers_nearby(config);
            providers_nearby(config);
        })
        .await;
    (world, beside)
}

async fn logged_in(server: &Server, email: &str) -> String {
    let input = json!({ "email": email, "password": PASSWORD });
    let answer = server.post("/api/login", &input).await.json();
    answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned()
}

async fn posted(server: &Server, path: &str, token: &str, input: &Value) -> Value {
    let request = server.request(reqwest::Method::POST, path).bearer_auth(token).json(input);
    let got = server.send(request).await;
    assert_eq!(got.status, 200, "{path}: {:#}", got.json());
    got.json()["data"].clone()
}

/// Signs an officer of an institution on, whose owner has named the provider; returns the token.
async fn sign_on(
    [first, second]: [&Server; 2],
    provider: &StrangersProvider,
    (college, owner): (i64, &Principal),
) -> String {
    let world = &first.world;
    world.give_domains(college, json!(["lakeshore.example"])).await;
    let input = json!({
        "issuer": provider.issuer, "client_id": CLIENT, "client_secret": SECRET,
        "role_claim": "groups", "roles": [{ "value": "nil-officers", "role": "officer" }],
    });
    world.call("compliance.sign_on.save", owner, input).await.data();
    let start = json!({ "email": "dana@lakeshore.example", "return_to": "pages" });
    let started = first.post("/api/compliance/sign-on/start", &start).await.json();
    let to = started["data"]["authorization_url"].as_str().expect("an address");
    let mut back = provider.sign_on(to, "id-of-dana").await;
    back.insert("secret".into(), started["data"]["secret"].clone());
    let came = second.post("/api/compliance/sign-on/finish", &back.into()).await.json();
    came["token"].as_str().unwrap_or_else(|| panic!("{came:#}")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deal_with_everything_real_postgres() {
    let (world, beside) = with_everything().await;
    let second = Server::start(world.replica().await, Frontend::Poem).await;
    let first = Server::start(world, Frontend::Warp).await;
    let world = &first.world;

    // A code leaves by the mail server.
    let (_, email) = world.awaiting_code().await;
    nil_core::worker::round(&world.platform).await.expect("a round");
    let mail = beside.mails.next("mail");
    assert!(mail.to_string().contains(&email), "{mail}");

    // The brand hears of what happens at a receiver of its own; the servers count together.
    let brand = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let at_first = logged_in(&first, &brand.email).await;
    let at_second = logged_in(&second, &brand.email).await;
    let endpoint = json!({
        "url": beside.receiver.address(), "events": ["payment.succeeded", "payment.failed"],
    });
    let endpoint = posted(&second, "/api/webhooks", &at_second, &endpoint).await;
    let secret = endpoint["secret"].as_str().expect("shown once").to_owned();
    assert!(!beside.redis.keys().is_empty());

    // A file goes to the bucket by one server, and comes back by the other.
    let file = world.file(&brand, "pixel.png").await;
    let bytes =
        second.world.call("core.file.download", &brand.principal, json!({ "id": file })).await;
    assert!(is_pixel(&bytes.bytes));
    assert!(second.world.objects().await >= 1);

    // A payment goes through the processor, and a payout.
    let deal = world.approved_deal(&brand, &athlete, &[125_000]).await;
    let pay = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
    let payment = posted(&first, "/api/submitProcessorPaymentsaved", &at_first, &pay).await;
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(beside.ledgered.moved("pi").len(), 1);
    let opened = world.call("core.payout_account.create", &athlete.principal, json!({})).await;
    let account = opened.data()["processor_account_id"].as_str().expect("an account").to_owned();
    beside.ledgered.onboard(&account);
    world.call("core.payout_account.status", &athlete.principal, json!({})).await.data();
    let finance = world.operator(&[Permission::Finance]);
    let trigger = json!({ "id": athlete.id });
    let payout = second.world.call("admin.payout.trigger", &finance, trigger).await.data();
    assert_eq!(payout["status"], "in_transit");
    assert_eq!(beside.ledgered.moved("tr").len(), 1);

    // The receiver heard of the payment, signed.
    nil_core::worker::round(&second.world.platform).await.expect("a round");
    let heard = beside.receiver.hears(1).await;
    assert_eq!(heard[0].event(), "payment.succeeded");
    assert!(heard[0].is_signed_with(&secret));
    assert_eq!(heard[0].json()["data"]["payment_id"], payment["id"]);

    // An officer signs on at one server, comes back at the other, and sees the athlete.
    let college = format!("SELECT university_id FROM athlete WHERE id = {}", athlete.id);
    let college = world.id(&college).await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let officer = sign_on([&first, &second], &beside.identity, (college, &owner)).await;
    let path = "/api/compliance/athletes/getAthlete";
    let seen = first.request(reqwest::Method::GET, path).bearer_auth(officer);
    let seen = first.send(seen).await.json();
    assert!(seen.to_string().contains("Jordan Lake"), "{seen:#}");

    // Everything is as it should be, also to whoever asks.
    for server in [&first, &second] {
        let report = payments::verify(&server.world.platform).await.expect("a report");
        assert!(report.sound(), "{:#?}", report.problems());
        payments::note_verified(&server.world.platform).await.expect("a note");
        for finding in checkup::check(&server.world.platform).await {
            assert_eq!(finding.state, State::Good, "{finding:?}");
        }
    }
}
