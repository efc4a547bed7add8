//! The pages of disputes and of differences from the processor's statement.

use nil_core::auth::Permission;
use nil_core::kernel::{Cents, PaymentId, utc_day};
use nil_core::payments::{self, sandbox};
use nil_core::ports::processor::DisputeKind;
use nil_tests::{Fault, Server, World, every_stack};
use serde_json::json;

use crate::console::{Browser, text};

/// A bank disputes a payment's charge; returns the id of the dispute.
pub(crate) async fn disputed(world: &World, payment: i64, kind: DisputeKind) -> i64 {
    let payment = PaymentId::new(payment).expect("a payment");
    let opened = sandbox::dispute(&world.platform, payment, (kind, None)).await.unwrap();
    opened.expect("a dispute").get()
}

/// Somebody charged a card in the processor's own console, and today was compared.
pub(crate) async fn charged_by_hand(world: &World) {
    let platform = &world.platform;
    sandbox::charge_by_hand(platform, Cents(4_200)).await.unwrap();
    let today = utc_day(platform.now());
    let compared = payments::compare(platform, Some(today), Some(today)).await.unwrap();
    assert!(compared.open > 0, "{compared:?}");
}

/// Says which of these texts is missing.
fn has(page: &str, expected: &[&str]) {
    for words in expected {
        assert!(page.contains(words), "`{words}` is not in {page}");
    }
}

async fn operator<'s>(server: &'s Server) -> Browser<'s> {
    let email = server.world.chief_operator().await;
    Browser::sign_in(server, "/console", email).await
}

async fn a_dispute_is_answered_on_its_page(server: Server) {
    let world = &server.world;
    let operator = operator(&server).await;
    world.earner(10_000).await;
    let payment = world.id("SELECT MIN(id) FROM payment").await;
    let id = disputed(world, payment, DisputeKind::Chargeback).await;
    let at = format!("/disputes/{id}");

    let today = text(&operator.get("").await);
    has(&today, &["href=\"/console/disputes\">Disputes to answer", "<span class=\"num\">1</span>"]);
    let list = text(&operator.get("/disputes").await);
    has(
        &list,
        &[
            &format!("href=\"/console{at}\""),
            "The cardholder says that they did not make the payment",
            "Needs response",
            "Chargeback",
            "14 days left",
            "the platform, until it is decided",
            &format!("/console{at}#answer"),
        ],
    );
    assert!(!list.contains(">fraudulent<"), "{list}");
    // The search finds it by its number, by the processor's and by its payment's.
    let finance = world.operator(&[Permission::Finance]);
    let known = world.call("admin.dispute.view", &finance, json!({ "id": id })).await.data();
    for words in [&json!(id.to_string()), &known["processor_dispute_id"], &known["payment_number"]]
    {
        let found = text(&operator.get(&format!("/search?q={}", words.as_str().unwrap())).await);
        has(&found, &["<h2>Disputes</h2>", &format!("href=\"/console{at}\">Cedar Coffee<")]);
    }
    let other = text(&operator.get("/search?q=du_of_nobody").await);
    assert!(!other.contains(&format!("/console{at}\"")), "{other}");
    let none = text(&operator.get("/disputes?status=lost").await);
    assert!(!none.contains(&format!("/console{at}\"")), "{none}");
    let payments = text(&operator.get("/payments").await);
    let to = format!("/console/disputes?payment_id={payment}\">Dispute: Needs response");
    has(&payments, &[&to]);
    has(
        &text(&operator.get(&format!("/disputes?payment_id={payment}")).await),
        &[&format!("href=\"/console{at}\"")],
    );

    let page = text(&operator.get(&at).await);
    has(
        &page,
        &[
            "Hand evidence in by <time",
            "Without evidence the bank decides for the cardholder.",
            &format!("href=\"/console/payments?id={payment}\""),
            "href=\"/console/athletes/1\"",
            "href=\"/console/partners/1\"",
            "href=\"/console/jobs/1\"",
            "NIL-20",
            &format!("href=\"/console/file/dispute.download_evidence?id={id}\""),
            "payees give back $0.00",
            "This cannot be undone.",
        ],
    );
    let evidence = operator.get(&format!("/file/dispute.download_evidence?id={id}")).await;
    assert_eq!((evidence.status, evidence.header("content-type")), (200, "application/pdf"));

    let form = operator.form(&at).await;
    let refused = operator.send(&at, &form, &[("act", "answer"), ("statement", "")]).await;
    assert_eq!(refused.status, 422);
    has(&text(&refused), &["id=\"errors\"", "id=\"answer\""]);
    let form = operator.form(&at).await;
    let answer = [("act", "answer"), ("statement", "It was published & approved.")];
    let sent = operator.send(&at, &form, &answer).await;
    assert_eq!((sent.status, sent.header("location")), (303, &*format!("/console{at}")));
    let page = text(&operator.get(&at).await);
    has(&page, &["Evidence was handed in on", "It was published &amp; approved.", "Under review"]);
    assert!(!page.contains("id=\"answer\"") && !page.contains("id=\"accept\""), "{page}");
    has(&page, &["Handed evidence in against a dispute"]);
}
every_stack!(a_dispute_is_answered_on_its_page);

async fn a_dispute_is_accepted_with_what_it_costs_whom(server: Server) {
    let world = &server.world;
    let operator = operator(&server).await;
    let terms = operator.form("/op/dispute.save_terms").await;
    let half = [("payee_basis_points", "50")];
    assert_eq!(operator.send("/do/dispute.save_terms", &terms, &half).await.status, 200);
    world.pass(chrono::TimeDelta::seconds(1));
    world.earner(10_000).await;
    let payment = world.id("SELECT MIN(id) FROM payment").await;
    let id = disputed(world, payment, DisputeKind::Chargeback).await;
    let at = format!("/disputes/{id}");
    has(&text(&operator.get(&at).await), &["payees give back $50.00", "the platform bears $60.00"]);
    let (form, other) = (operator.form(&at).await, operator.form(&at).await);
    let sent = operator.send(&at, &form, &[("act", "accept")]).await;
    assert_eq!(sent.status, 303, "{}", text(&sent));
    let page = text(&operator.get(&at).await);
    has(&page, &["Lost on <time", "payees gave back $50.00, the platform bears $60.00"]);
    let list = text(&operator.get("/disputes?status=lost").await);
    has(&list, &["payees $50.00, the platform $60.00"]);
    // Whoever had the page open as well is told that it is over.
    let again = operator.send(&at, &other, &[("act", "accept")]).await;
    assert_eq!(again.status, 409, "{}", text(&again));
}
every_stack!(a_dispute_is_accepted_with_what_it_costs_whom);

async fn a_warning_leads_to_the_refund(server: Server) {
    let world = &server.world;
    let operator = operator(&server).await;
    world.earner(10_000).await;
    let payment = world.id("SELECT MIN(id) FROM payment").await;
    let id = disputed(world, payment, DisputeKind::EarlyWarning).await;
    let page = text(&operator.get(&format!("/disputes/{id}")).await);
    let refund = format!("href=\"/console/payments/{payment}/refund\"");
    has(&page, &["No money has moved yet", &refund, "Early warning"]);
    assert!(!page.contains("id=\"answer\""), "{page}");
}
every_stack!(a_warning_leads_to_the_refund);

async fn a_difference_is_settled_with_a_note(server: Server) {
    let world = &server.world;
    let operator = operator(&server).await;
    world.earner(10_000).await;
    world.script("UPDATE sandbox_line SET fee_cents = 7 WHERE key LIKE '%:charge:1:1'").await;
    charged_by_hand(world).await;
    let today = text(&operator.get("").await);
    let queue = "href=\"/console/differences\">Differences from the processor&#39;s statement";
    has(&today.replace("'", "&#39;"), &[queue]);
    let list = text(&operator.get("/differences").await);
    has(
        &list,
        &[
            "It moved there, and was not requested here",
            "own console",
            "$42.00",
            "no record here",
            "What the processor kept differs",
            "href=\"/console/payments?id=1\">Charge 1<",
            "$0.07",
        ],
    );
    let id = world.id("SELECT id FROM processor_difference WHERE kind = 'unknown_here'").await;
    let at = format!("/differences/{id}");
    let page = text(&operator.get(&at).await);
    has(&page, &["What to look for", "A charge that was not requested here.", "Settle it"]);
    let form = operator.form(&at).await;
    let refused = operator.send(&at, &form, &[("note", "")]).await;
    assert_eq!(refused.status, 422);
    has(&text(&refused), &["id=\"errors\"", "id=\"settle\""]);
    let form = operator.form(&at).await;
    let sent = operator.send(&at, &form, &[("note", "A <test> of the terminal.")]).await;
    assert_eq!((sent.status, sent.header("location")), (303, &*format!("/console{at}")));
    let page = text(&operator.get(&at).await);
    has(&page, &["A &lt;test&gt; of the terminal.", "by Operator 1", "Settled"]);
    assert!(!page.contains("id=\"settle\""), "{page}");
    let open = text(&operator.get("/differences").await);
    assert!(!open.contains(&format!("/console{at}\"")), "{open}");
    has(&text(&operator.get("/differences?status=settled").await), &[&format!("/console{at}\"")]);
    assert_eq!(operator.get("/differences/999").await.status, 404);

    world.new_operator("few@nil.example", Permission::Content).await;
    let few = Browser::sign_in(&server, "/console", "few@nil.example").await;
    for path in ["/disputes", "/differences", &at] {
        assert_eq!(few.get(path).await.status, 403, "{path}");
    }
}
every_stack!(a_difference_is_settled_with_a_note);

async fn a_request_without_an_outcome_is_decided_on_its_page(server: Server) {
    let world = &server.world;
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[10_000]).await;
    world.processor.next(&[Fault::Unanswered]);
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "processing");
    // It knows another movement under the key, which settles nothing.
    world
        .script(
            "UPDATE sandbox_object SET amount_cents = 1 WHERE idempotency_key LIKE '%:charge:1:1'",
        )
        .await;

    let email = world.chief_operator().await;
    let early = Browser::sign_in(&server, "/console", email).await;
    let list = text(&early.get("/requests").await);
    let to = "href=\"/console";
    let at = list.split(to).find(|it| it.starts_with("/requests/decide?")).expect("a request");
    let at = at.split('"').next().unwrap().to_owned();
    let charge = format!("{to}{at}\">Charge 1<");
    has(&list, &[&charge, "$110.00", "attempt 1", "href=\"/console/payments?id=1\">Charge 1<"]);
    assert!(!text(&early.get("/requests?q=:refund:").await).contains(&charge));
    let decided =
        [("outcome", "succeeded"), ("processor_reference", "pi_7"), ("note", "They say so.")];
    let form = early.form(&at).await;
    let refused = early.send(&at, &form, &decided).await;
    assert_eq!(refused.status, 409, "the processor is still asked");
    has(&text(&refused), &["younger than a day", "They say so.", "value=\"pi_7\""]);

    world.pass(chrono::TimeDelta::hours(25));
    let operator = Browser::sign_in(&server, "/console", email).await;
    let today = text(&operator.get("").await);
    has(&today, &["href=\"/console/requests\">Charges unanswered"]);
    let page = text(&operator.get(&at).await);
    has(
        &page,
        &[
            "The processor has not said",
            "The money has moved",
            "money is booked that has not moved",
        ],
    );
    let form = operator.form(&at).await;
    let refused = operator.send(&at, &form, &[("outcome", "succeeded"), ("note", "?")]).await;
    assert_eq!(refused.status, 422);
    has(
        &text(&refused),
        &["id=\"errors\"", "id=\"decide\"", "value=\"succeeded\" required checked"],
    );
    let (form, other) = (operator.form(&at).await, operator.form(&at).await);
    let sent = operator.send(&at, &form, &decided).await;
    assert_eq!(
        (sent.status, sent.header("location")),
        (303, "/console/requests"),
        "{}",
        text(&sent)
    );
    assert!(!text(&operator.get("/requests").await).contains(&charge));
    assert_eq!(world.balance(&athlete).await, 10_000);
    // Whoever had the page open as well is told that it is over.
    assert_eq!(operator.send(&at, &other, &decided).await.status, 409);
    assert_eq!(operator.get(&at).await.status, 404);
    let list = operator.get("/requests/decide").await;
    assert_eq!((list.status, list.header("location")), (303, "/console/requests"));

    world.new_operator("few@nil.example", Permission::Content).await;
    let few = Browser::sign_in(&server, "/console", "few@nil.example").await;
    for path in ["/requests", &at] {
        assert_eq!(few.get(path).await.status, 403, "{path}");
    }
}
every_stack!(a_request_without_an_outcome_is_decided_on_its_page);

async fn money_pages_are_in_spanish(server: Server) {
    let world = &server.world;
    let operator = operator(&server).await;
    world.earner(10_000).await;
    let payment = world.id("SELECT MIN(id) FROM payment").await;
    let id = disputed(world, payment, DisputeKind::Chargeback).await;
    charged_by_hand(world).await;
    let difference = world.id("SELECT MIN(id) FROM processor_difference").await;
    for (path, expected) in [
        ("/disputes".to_owned(), ["<html lang=\"es\"", "Requiere respuesta", "no hizo el pago"]),
        (format!("/disputes/{id}"), ["Disputa de $110.00", "Entregarlas", "la plataforma asume"]),
        ("/differences".to_owned(), ["Se movió allí, y aquí no se solicitó", "Lo suyo", "Abierta"]),
        (format!("/differences/{difference}"), ["Qué buscar", "Resolverla", "Ambos lados"]),
        (
            "/requests".to_owned(),
            ["Solicitudes sin resultado", "0 solicitudes", "no ha dicho qué fue"],
        ),
    ] {
        has(&operator.get_in("es", &path).await, &expected);
    }
}
every_stack!(money_pages_are_in_spanish);
