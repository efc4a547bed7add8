//! Operators act as an account over real sockets: the token ends at once, and the whole catalog
//! keeps to what it may do.

use nil_core::auth::Permission;
use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::throttle::Throttle;
use nil_tests::door::{Session, log_in_operator, request_for};
use nil_tests::{Engine, Frontend, Got, Listening, PASSWORD, Server, World, every_stack};
use reqwest::Method;
use serde_json::{Value, json};

async fn admin(server: &Server, session: &Session, path: &str, input: &Value) -> Got {
    let request = server
        .request(Method::POST, path)
        .header("cookie", &session.cookie)
        .header("x-csrf-token", &session.csrf)
        .json(input);
    server.send(request).await
}

async fn started(server: &Server, session: &Session, whom: Value) -> (Value, String) {
    let mut input = json!({ "purpose": "support", "reason": "Case 4711" });
    input.as_object_mut().unwrap().extend(whom.as_object().unwrap().clone());
    let answer = admin(server, session, "/admin/impersonations/start", &input).await;
    assert_eq!(answer.status, 200, "{:#}", answer.json());
    let data = answer.json()["data"].clone();
    let token = data["access_token"].as_str().unwrap().to_owned();
    (data, token)
}

async fn a_token_ends_with_the_impersonation_and_opens_no_stream(server: Server) {
    let email = server.world.chief_operator().await;
    let session = log_in_operator(&server, email, PASSWORD).await;
    let brand = server.world.partner("Cedar Coffee").await;
    let user = json!({ "user_id": brand.user_id });
    let (began, token) = started(&server, &session, user.clone()).await;
    nil_core::worker::round(&server.world.platform).await.expect("a round");
    let me = |token: &str| server.request(Method::POST, "/api/me").bearer_auth(token);
    let seen = server.send(me(&token)).await.json();
    assert_eq!(seen["data"]["impersonation"]["id"], began["id"]);
    let logged_out = server.request(Method::POST, "/api/logout").bearer_auth(&token);
    assert_eq!(server.send(logged_out).await.code(), "impersonation_reads_only");
    let back_office = server.request(Method::GET, "/admin/impersonations").bearer_auth(&token);
    assert_eq!(server.send(back_office).await.status, 403);

    // The stream shows private messages, also those that were missed: it is the account's own.
    let ticket = server.request(Method::POST, "/api/events/ticket").bearer_auth(&token);
    assert_eq!(server.send(ticket).await.code(), "impersonation_reads_only");
    let missed = server.request(Method::GET, "/api/events").bearer_auth(&token);
    let missed = server.send(missed.header("last-event-id", "0")).await;
    assert_eq!((missed.status, missed.code().as_str()), (403, "impersonation_reads_only"));
    let (mut own, _) = Listening::to(&server, &brand, None).await;
    server.tell(&brand, "one").await;
    let ended = json!({ "id": began["id"] });
    let ended = admin(&server, &session, "/admin/impersonations/end", &ended).await;
    assert_eq!(ended.json()["data"]["running"], false);
    assert_eq!(server.send(me(&token)).await.status, 401);
    assert_eq!(own.next().await.data["title"], "one", "the brand's own stream goes on");

    // The operator logs out: the token ends too.
    let (_, token) = started(&server, &session, user).await;
    let out = server.request(Method::GET, "/admin/logout").header("cookie", &session.cookie);
    assert_eq!(server.send(out).await.status, 200);
    assert_eq!(server.send(me(&token)).await.status, 401);
    assert_eq!(server.send(me(brand.token.as_deref().unwrap())).await.status, 200);
}
every_stack!(a_token_ends_with_the_impersonation_and_opens_no_stream);

/// The writes that operators may do as an account, with the permission that each needs. Decision 26
/// lists them, and decision 52 what they read.
const WRITES: &[(&str, Permission)] = &[
    ("core.agent.edit", Permission::Accounts),
    ("core.athlete.edit", Permission::Accounts),
    ("core.job.close", Permission::Jobs),
    ("core.job.reopen", Permission::Jobs),
    ("core.job.save", Permission::Jobs),
    ("core.partner.edit", Permission::Accounts),
];

/// What operators with the permission `accounts` may read as an account, or find on public pages.
const ACCOUNTS: &[&str] = &[
    "compliance.athlete.list",
    "compliance.calendar.show",
    "compliance.college.list",
    "compliance.college.settings",
    "compliance.deadline.list",
    "compliance.disclosure.detail",
    "compliance.disclosure.list",
    "compliance.filter.categories",
    "compliance.filter.dates",
    "compliance.filter.genders",
    "compliance.filter.roles",
    "compliance.filter.sports",
    "compliance.inbox.list",
    "compliance.notification.preferences",
    "compliance.portal_user.list",
    "compliance.squad_list.list",
    "core.agent.athletes",
    "core.agent.filings",
    "core.agent.me",
    "core.athlete.agent_filings",
    "core.athlete.detail",
    "core.athlete.representations",
    "core.athlete.search",
    "core.auth.me",
    "core.calendar.show",
    "core.deal.count",
    "core.deal.list",
    "core.deliverable.outstanding",
    "core.deliverable.overdue",
    "core.fan.me",
    "core.file.picture",
    "core.job.detail",
    "core.job.posted",
    "core.job.search",
    "core.notification.preferences",
    "core.partner.me",
    "core.public.announcements",
    "core.public.athlete_directory",
    "core.public.athlete_profile",
    "core.public.athlete_share_url",
    "core.public.blog",
    "core.public.blog_post",
    "core.public.brand_directory",
    "core.public.colleges",
    "core.public.custom_page",
    "core.public.faq",
    "core.public.legal_terms",
    "core.public.privacy_policy",
    "core.public.search_athletes",
    "core.public.site_config",
    "core.public.testimonials",
    "core.roster.detail",
    "core.roster.list",
    "core.roster.page",
    "core.service_offer.mine",
    "core.service_offer.search",
    "core.subscription.plans",
    "core.tutorial.show",
];

/// What they may read with the permission `jobs`.
const JOBS: &[&str] = &[
    "compliance.clearance.detail",
    "compliance.clearance.download_packet",
    "compliance.clearance.list",
    "compliance.contract.download",
    "compliance.contract.download_amendments",
    "compliance.contract.download_disclosed",
    "compliance.deliverable.post_checks",
    "compliance.disclosed_job.detail",
    "compliance.disclosed_job.list",
    "core.affiliate.links",
    "core.affiliate.sales",
    "core.agent.contracts",
    "core.application.list",
    "core.attestation.list",
    "core.clearance.detail",
    "core.clearance.download_packet",
    "core.clearance.list",
    "core.contract.download",
    "core.contract.download_amendments",
    "core.contract.download_as_agent",
    "core.contract.download_as_athlete",
    "core.deliverable.post_checks",
    "core.deliverable.report",
    "core.disclosed_job.list",
    "core.service_order.list",
];

/// What they may read with the permission `finance`.
const FINANCE: &[&str] = &[
    "compliance.analytics.applications_over_time",
    "compliance.analytics.by_category",
    "compliance.analytics.by_payment_type",
    "compliance.analytics.by_sport",
    "compliance.athlete.export",
    "compliance.transaction.export",
    "compliance.transaction.list",
    "compliance.transaction.summary",
    "compliance.transaction.top_athletes",
    "compliance.transaction.top_teams",
    "core.agent.download_invoice",
    "core.agent.invoices",
    "core.agent.payment_methods",
    "core.partner.download_invoice",
    "core.partner.invoices",
    "core.partner.payment_methods",
    "core.payment.bulk_summary",
    "core.payment.history_of_athlete",
    "core.payment.history_of_partner",
    "core.payment.tax_summary",
    "core.payout_account.status",
    "core.subscription.current",
    "core.subscription.preview_change",
    "core.tax_form.payer",
    "core.tax_form.standing",
    "core.wallet.show",
];

/// Whether a call with a token of an account is a call of that account: logging in and the like
/// ignore it.
fn heeds_tokens(entry: &Entry) -> bool {
    let ignored = [Throttle::Login, Throttle::Registration, Throttle::Recovery];
    let is_for_services = ["service", "model_host", "registrant"].contains(&entry.callers[0]);
    let is_ignored = entry.is_open() && ignored.contains(&entry.throttle);
    !is_for_services && !is_ignored
}

async fn every_row_is_named_or_refused(frontend: Frontend, engine: Engine) {
    let server = Server::start(World::unthrottled(engine).await, frontend).await;
    let world = &server.world;
    world.new_operator("chief@nil.example", Permission::All).await;
    let hire = world.active(json!({})).await;
    let agent = world.agent("North Agency").await;
    let fan = world.fan("Casey Field").await;
    world.portal_user(1, "owner").await;
    let users = [("athlete", &hire.athlete), ("partner", &hire.partner), ("agent", &agent)];
    let users = users.into_iter().chain([("fan", &fan)]);
    let mut accounts: Vec<_> = users
        .map(|(kind, person)| (kind, Interface::Core, json!({ "user_id": person.user_id })))
        .collect();
    let owner = json!({ "portal_user_id": 1 });
    accounts.push(("portal_user", Interface::Compliance, owner));
    let (mut refused, mut allowed, mut wrong) = (0, Vec::new(), Vec::new());
    for (kind, interface, whom) in accounts {
        // One impersonation at a time: the one before ends.
        let session = log_in_operator(&server, "chief@nil.example", PASSWORD).await;
        let (_, token) = started(&server, &session, whom).await;
        let before = world.contents().await;
        for entry in catalog().of(interface) {
            let is_theirs = entry.is_open() || entry.callers.contains(&kind);
            if !is_theirs || !heeds_tokens(entry) {
                continue;
            }
            if let Some(permission) = entry.impersonators {
                allowed.push((entry.name, permission));
                continue;
            }
            // A body that no operation could read is not read either.
            let mut request = request_for(&server, entry, json!({})).bearer_auth(&token);
            if entry.method.has_body() && !entry.takes_bytes() {
                request = request.header("content-type", "application/json").body("{ not JSON");
            }
            let got = server.send(request).await;
            refused += 1;
            if (got.status, got.code().as_str()) != (403, "impersonation_reads_only") {
                wrong.push(format!("{} as {kind}: {} {}", entry.name, got.status, got.code()));
            }
        }
        assert_eq!(world.contents().await, before, "nothing was written as {kind}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 150, "only {refused} were refused");
    let of = |names: &'static [&str], permission| names.iter().map(move |name| (*name, permission));
    let mut named: Vec<_> = WRITES.to_vec();
    named.extend(of(ACCOUNTS, Permission::Accounts));
    named.extend(of(JOBS, Permission::Jobs));
    named.extend(of(FINANCE, Permission::Finance));
    named.sort_unstable_by_key(|(name, _)| *name);
    allowed.sort_unstable_by_key(|(name, _)| *name);
    allowed.dedup();
    assert_eq!(allowed, named);
}

mod every_row {
    use nil_tests::{Engine, Frontend};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn warp_sqlite() {
        super::every_row_is_named_or_refused(Frontend::Warp, Engine::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn poem_postgres() {
        super::every_row_is_named_or_refused(Frontend::Poem, Engine::Postgres).await;
    }
}

/// What nobody reads who acts as somebody: private words, streams, copies of everything, files by
/// their number, and what is done in the caller's name.
#[test]
fn private_words_and_copies_are_named_by_no_row() {
    let private = [
        ".chat.",
        ".assistant.",
        ".events.",
        ".takeout",
        "notification.list",
        "records_request",
        "deal_folder",
        ".file.download",
        ".device.",
        ".ai_tools.",
        "statistics.",
    ];
    for entry in catalog().iter().filter(|entry| entry.impersonators.is_some()) {
        let is_private = private.iter().any(|part| entry.name.contains(part));
        assert!(!is_private && !entry.credentials, "{}", entry.name);
        let only = (entry.writes(), WRITES.iter().any(|(name, _)| *name == entry.name));
        assert!(only == (true, true) || only == (false, false), "{}", entry.name);
    }
}
