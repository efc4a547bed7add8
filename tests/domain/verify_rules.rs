//! What `verify` finds: each wrong thing is written by hand into sound books, and named by a rule.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal, Scope};
use nil_core::kernel::{ApiKeyId, DisputeId, PaymentId, PayoutId, SubscriptionRefundId};
use nil_core::payments::{self, sandbox};
use nil_core::ports::processor::{DisputeKind, DisputeState};
use nil_tests::{Fault, GOOD_CARD, Person, World, both};
use serde_json::{Value, json};

const PAYMENT: &str = "every payment's entries match its status";
const PARTIES: &str = "every payment is that of its contract's parties and institution";
const WORK: &str = "every payment pays for work under its own contract";
const DATED: &str = "every payment is dated as it was booked";
const CARDS: &str = "every charge is made to a card of who owes it";
const REFUND: &str = "every refund's entries match its status";
const PAYOUT: &str = "every payout's entries match its status";
const WITHHELD: &str = "every payment's withheld tax matches its entries";
const TAXED: &str = "what is withheld from a payment is taken from its own payees";
const COUNTED: &str = "every payment counts for its payees, from its payer, when it was paid";
const WALLET: &str = "every payout is from its owner's wallet, also one that is tried again";
const PERIOD: &str =
    "every period of a subscription is charged at most once and matches its entries and invoice";
const CHANGE: &str =
    "every change of plan is charged at most once and matches its entries, invoice and status";
const GIVEN_BACK: &str =
    "no charge of a subscription is refunded beyond its total, and refunds match their entries";
const NOTES: &str = "every credit note is of a refund that succeeded, or was taken back once";
const DAYS: &str = "each day of a subscription is credited or given back once";
const INVOICE: &str = "every invoice bills its own customer";
const WAIVED: &str = "a waived commission is kept by no agent";
const SALES: &str = "every contract's commission is its rate of all its sales";
const PROCESSOR: &str = "the processor's log matches our records";
const REQUESTED: &str = "every movement was requested, for its own amount";
const ASKED: &str = "every movement without an outcome is asked about";
const COST: &str = "the processor's cost is that of a charge that succeeded";
const DISPUTE: &str = "every dispute's entries match its status";
const DIVIDED: &str = "every dispute is of a charge of its payer, and divided over its payments";
const BORNE: &str = "payees bear of lost disputes what the terms of their payments say";
const LATEST: &str = "every payment shows its latest dispute";
const SEEN: &str = "what institutions see of a deal is what its record says";
const CLEARANCE: &str = "every clearance is of the deal that it names";
const TOTALS: &str = "an institution's totals are the sums of its transactions";
const AMOUNTS: &str = "an institution's counts of amounts are those of its transactions";

/// Two brands with money of every kind, so that everything has something else to be mistaken for.
struct Books {
    world: World,
    brands: [Person; 2],
    athletes: [Person; 2],
    payouts: [i64; 2],
    /// A payment from which tax was withheld.
    taxed: i64,
}

async fn finance(world: &World, operation: &str, input: Value) -> Value {
    world.call(operation, &world.operator(&[Permission::Finance]), input).await.data()
}

async fn refund(world: &World, payment: &Value, cents: i64) {
    let input = json!({ "payment_id": payment["id"], "amount_cents": cents, "reason": "Late." });
    finance(world, "admin.payment.refund", input).await;
}

/// A sale of a commission deal of the brand.
async fn sell(world: &World, brand: &Person, athlete: &Person) {
    let over = json!({
        "compensation": "commission", "amount_cents": 0, "commission_basis_points": 1_000,
        "product_value_cents": 50_000, "ends_on": "2026-12-31",
    });
    let job = world.open_job(brand, over).await;
    let hire = world.hire(brand, athlete, job).await;
    let confirm = json!({ "job_id": job });
    let confirm = world.call("core.contract.confirm_availability", &athlete.principal, confirm);
    confirm.await.data();
    let website = json!({ "website": "https://www.ridge.example/" });
    world.call("core.partner.edit", &brand.principal, website).await.data();
    let link = json!({ "job_id": hire.job, "target_url": "https://ridge.example/" });
    let link = world.call("core.affiliate.save_link", &athlete.principal, link).await.data();
    let shop = Principal::Service { id: ApiKeyId::new(1).unwrap(), scopes: vec![Scope::Affiliate] };
    for order in ["1", "2"] {
        let sale = json!({ "code": link["code"], "order_reference": order, "amount_cents": 2_345 });
        world.call("core.affiliate.report_sale", &shop, sale).await.data();
    }
}

impl Books {
    async fn new(world: World) -> Self {
        let brands = [world.partner("Cedar Coffee").await, world.partner("Harbor Books").await];
        let athletes = [world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await];
        let agents = [world.agent("North Agency").await, world.agent("East Agency").await];
        let plans = [4_900, 9_900].map(|cents| json!({ "price_cents": cents }));
        let plans = [world.plan(plans[0].clone()).await, world.plan(plans[1].clone()).await];
        let mut payouts = [0; 2];
        for at in 0..2 {
            let (brand, athlete) = (&brands[at], &athletes[at]);
            world.card(brand, GOOD_CARD).await;
            world.can_receive(athlete).await;
            let through = Some((&agents[at], 2_000));
            let deal = world.approved_deal_through(brand, athlete, through, &[10_000]).await;
            let payment = world.pay(brand, athlete, &deal).await;
            refund(&world, &payment, 3_000).await;
            let notice = json!({
                "athlete_id": athlete.id, "active": true, "notice": "c_notice", "reason": "Line 7",
            });
            finance(&world, "admin.tax.set_withholding", notice).await;
            world.processor.next(&[Fault::Refused]);
            let trigger = json!({ "id": athlete.id });
            let failed = finance(&world, "admin.payout.trigger", trigger).await;
            let again = json!({ "id": failed["id"] });
            let sent = finance(&world, "admin.payout.retry", again).await;
            payouts[at] = sent["id"].as_i64().unwrap();
            let arrives = PayoutId::new(payouts[at]).unwrap();
            assert!(sandbox::let_arrive(&world.platform, arrives).await.unwrap());
            sell(&world, brand, athlete).await;
            world.subscribe(brand, &plans[0]).await.data();
            world.pass(TimeDelta::days(3));
            world.change_plan(brand, &plans[1]).await.data();
            let invoice = world.invoices(brand).await[1]["id"].clone();
            let input = json!({ "invoice_id": invoice, "rule": "full", "reason": "Asked." });
            finance(&world, "admin.subscription.refund", input).await;
        }
        // A payment above the line, so that tax is withheld from it.
        let deal = world.approved_deal(&brands[0], &athletes[0], &[300_001]).await;
        let taxed = world.pay(&brands[0], &athletes[0], &deal).await["id"].as_i64().unwrap();
        world.books_are_right().await;
        Self { world, brands, athletes, payouts, taxed }
    }

    /// Writes a wrong value, checks that the rule finds it, and puts the right one back.
    async fn finds(&self, rule: &str, (table, column): (&str, &str), at: &str, wrong: &str) {
        let world = &self.world;
        let place = format!("{table}.{column} where {at}");
        let before = world.text(column, &format!("{table} WHERE {at}")).await;
        world.script(&format!("UPDATE {table} SET {column} = {wrong} WHERE {at}")).await;
        let found = payments::verify(&world.platform).await.unwrap().problems();
        let named = found.iter().any(|problem| problem.starts_with(rule));
        assert!(named, "{place} = {wrong} is not found by `{rule}`, but: {found:#?}");
        let before = before.map_or("NULL".into(), |before| format!("'{before}'"));
        world.script(&format!("UPDATE {table} SET {column} = {before} WHERE {at}")).await;
        // This also adds the changes that triggers noted to the totals.
        world.books_are_right().await;
    }
}

/// The entry of an account in the transfer of a record.
fn entry(account: &str, reason: &str, record: &str) -> String {
    format!(
        "id = (SELECT MIN(e.id) FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id \
         WHERE e.account = '{account}' AND t.reason = '{reason}' AND t.refers_to = '{record}')"
    )
}

async fn what_belongs_to_another_is_found(world: World) {
    let books = Books::new(world).await;
    let [one, other] = [0, 1].map(|at: usize| books.athletes[at].id);
    let [brand, rival] = [0, 1].map(|at: usize| books.brands[at].id);
    let [sent, unsent] = books.payouts;
    let account = |rule, of: &str, (reason, record): (&str, &str), wrong: String| {
        (rule, entry(of, reason, record), wrong)
    };
    let (payout, taxed) = (format!("payout:{sent}"), format!("payment:{}", books.taxed));
    let wallet = |who: i64| format!("athlete:{who}:wallet");
    let card = |who: i64| format!("partner:{who}:card");
    let entries = [
        account(
            PAYOUT,
            &format!("athlete:{one}:bank"),
            ("payout_arrived", &payout),
            format!("athlete:{other}:bank"),
        ),
        account(PAYOUT, &wallet(one), ("payout", &payout), wallet(other)),
        account(
            WITHHELD,
            &format!("athlete:{one}:withheld"),
            ("payment_withheld", &taxed),
            format!("athlete:{other}:withheld"),
        ),
        account(TAXED, &wallet(one), ("payment_withheld", &taxed), wallet(other)),
        account(REFUND, &wallet(one), ("refund", "refund:1"), wallet(other)),
        account(REFUND, "agent:1:wallet", ("refund", "refund:1"), "agent:2:wallet".into()),
        account(REFUND, &card(brand), ("refund_succeeded", "refund:1"), card(rival)),
        account(PAYMENT, &card(brand), ("payment", "payment:1"), card(rival)),
        account(PAYMENT, &wallet(one), ("payment", "payment:1"), wallet(other)),
        account(PAYMENT, "agent:1:wallet", ("payment", "payment:1"), "agent:2:wallet".into()),
        account(
            GIVEN_BACK,
            &card(brand),
            ("refund_succeeded", "subscription_refund:1"),
            card(rival),
        ),
    ];
    for (rule, at, wrong) in entries {
        let id = books.world.text("id", &format!("ledger_entry WHERE {at}")).await.unwrap();
        let wrong = format!("'{wrong}'");
        books.finds(rule, ("ledger_entry", "account"), &format!("id = {id}"), &wrong).await;
    }
    for (rule, join) in [(PERIOD, "subscription_period"), (CHANGE, "subscription_change")] {
        let id = format!(
            "ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id \
             WHERE e.account = '{}' AND t.reason = 'subscription' AND t.refers_to = 'invoice:' || \
             (SELECT MIN(invoice_id) FROM {join})",
            card(brand)
        );
        let id = books.world.text("MIN(e.id)", &id).await.unwrap();
        let wrong = format!("'{}'", card(rival));
        books.finds(rule, ("ledger_entry", "account"), &format!("id = {id}"), &wrong).await;
    }
    let other_card =
        format!("(SELECT MAX(id) FROM payment_method WHERE owner = 'partner:{rival}')");
    let sent_row = format!("id = {sent}");
    let last = format!("(SELECT wallet FROM payout WHERE id = {unsent})");
    let payees = [1, books.taxed]
        .map(|payment| format!("payment_id = {payment} AND owner = 'athlete:{one}'"));
    let one_transfer = format!("idempotency_key LIKE '%:payout:{sent}:1'");
    let costly = "id = (SELECT MIN(id) FROM ledger_transfer WHERE reason = 'processor_cost')";
    let fields = [
        (WALLET, ("payout", "wallet"), sent_row.as_str(), last.as_str()),
        (WALLET, ("payout", "athlete_id"), &sent_row, &other.to_string()),
        (WALLET, ("payout", "retry_of"), &sent_row, &format!("{sent}")),
        (COUNTED, ("payment_payee", "partner_id"), payees[0].as_str(), &rival.to_string()),
        (WITHHELD, ("payment_payee", "withheld_cents"), payees[1].as_str(), "withheld_cents - 1"),
        (CARDS, ("charge", "payment_method_id"), "id = 1", &other_card),
        (CARDS, ("subscription_charge", "payment_method_id"), "id = 1", &other_card),
        (PARTIES, ("payment", "athlete_id"), "id = 1", &other.to_string()),
        (PARTIES, ("payment", "partner_id"), "id = 1", &rival.to_string()),
        (PARTIES, ("payment", "agent_id"), "id = 1", "2"),
        (PARTIES, ("charge", "partner_id"), "id = 1", &rival.to_string()),
        (
            WORK,
            ("payment_share", "deliverable_id"),
            "payment_id = 1",
            "(SELECT MAX(id) FROM deliverable)",
        ),
        (
            INVOICE,
            ("invoice", "owner"),
            "kind = 'subscription' AND id = 1",
            &format!("'partner:{rival}'"),
        ),
        (PROCESSOR, ("charge", "processor_charge_id"), "id = 1", "'ch_another'"),
        (PROCESSOR, ("payout", "processor_transfer_id"), &sent_row, "'tr_another'"),
        (
            PROCESSOR,
            ("sandbox_object", "reference"),
            "idempotency_key LIKE '%:charge:1:1'",
            "'card_another'",
        ),
        (
            PROCESSOR,
            ("sandbox_object", "reference"),
            "idempotency_key LIKE '%:refund:1:1'",
            "'ch_another'",
        ),
        (
            PROCESSOR,
            ("sandbox_object", "reference"),
            "idempotency_key LIKE '%:subscription_refund:1:1'",
            "'ch_another'",
        ),
        (PROCESSOR, ("sandbox_object", "reference"), &one_transfer, "'acct_another'"),
        (PROCESSOR, ("sandbox_object", "amount_cents"), &one_transfer, "1"),
        (REQUESTED, ("movement", "amount_cents"), "kind = 'charge' AND record_id = 1", "1"),
        (REQUESTED, ("movement", "record_id"), "key LIKE '%:refund:1:1'", "900"),
        (ASKED, ("movement", "next_look_at"), "kind = 'charge' AND record_id = 1", "looked_at"),
        (COST, ("ledger_transfer", "refers_to"), costly, "'charge:900'"),
    ];
    for (rule, field, at, wrong) in fields {
        books.finds(rule, field, at, wrong).await;
    }
}
both!(what_belongs_to_another_is_found);

async fn what_is_counted_wrongly_or_elsewhere_is_found(world: World) {
    let books = Books::new(world).await;
    let later = if books.world.is_sqlite() {
        "replace(paid_at, '2026', '2027')"
    } else {
        "paid_at + INTERVAL '1 year'"
    };
    let some_total =
        "dimension = 'source' AND college_id = (SELECT MIN(college_id) FROM college_total)";
    let kept = "dimension = 'all' AND college_id = (SELECT MIN(college_id) FROM college_total)";
    let amount = "grain = 'fine' AND month = 0 AND college_id = (SELECT MIN(college_id) \
        FROM college_amount) AND amount = (SELECT MIN(amount) FROM college_amount \
        WHERE grain = 'fine')";
    let monthly = "grain = 'coarse' AND month > 0 AND college_id = (SELECT MIN(college_id) \
        FROM college_amount) AND amount = (SELECT MIN(amount) FROM college_amount \
        WHERE grain = 'coarse')";
    let seen = "source = 'platform' AND record_id = 1";
    for (rule, field, at, wrong) in [
        (DATED, ("payment", "paid_at"), "id = 1", later),
        (DATED, ("payment", "paid_at"), "id = 1", "NULL"),
        (PARTIES, ("payment", "college_id"), "id = 1", "NULL"),
        (REFUND, ("refund", "commission_cents"), "id = 1", "commission_cents + 100"),
        (WAIVED, ("contract", "commission_waived_at"), "id = 1", "updated_at"),
        (DAYS, ("subscription_refund", "rule"), "id = 1", "'unused'"),
        (DAYS, ("subscription_change", "credited_price_cents"), "id = 1", "0"),
        (DAYS, ("subscription_change", "credited_price_cents"), "id = 1", "4901"),
        (SALES, ("affiliate_conversion", "commission_cents"), "id = 1", "commission_cents + 1"),
        (SALES, ("affiliate_conversion", "commission_cents"), "id = 2", "0"),
        (SEEN, ("college_transaction", "net_cents"), seen, "net_cents + 1"),
        (SEEN, ("college_transaction", "status"), seen, "'succeeded'"),
        (SEEN, ("college_transaction", "minor"), seen, "NOT minor"),
        (
            CLEARANCE,
            ("clearance", "athlete_id"),
            "contract_id = 1",
            "(SELECT MAX(id) FROM athlete)",
        ),
        (CLEARANCE, ("clearance", "amount_cents"), "contract_id = 1", "9999"),
        (TOTALS, ("college_total", "gross_cents"), some_total, "gross_cents + 1"),
        (TOTALS, ("college_total", "count"), some_total, "count + 1"),
        (TOTALS, ("college_total", "month"), kept, "month + 1"),
        (AMOUNTS, ("college_amount", "count"), amount, "count + 1"),
        (AMOUNTS, ("college_amount", "count"), monthly, "count - 1"),
    ] {
        books.finds(rule, field, at, wrong).await;
    }
}
both!(what_is_counted_wrongly_or_elsewhere_is_found);

async fn wrong_disputes_are_found(world: World) {
    let terms = json!({ "payee_basis_points": 5_000 });
    finance(&world, "admin.dispute.save_terms", terms).await;
    world.pass(TimeDelta::seconds(1));
    let books = Books::new(world).await;
    let world = &books.world;
    let (brand, athlete) = (&books.brands[1], &books.athletes[1]);
    let deal = world.approved_deal(brand, athlete, &[20_001]).await;
    let other = world.pay(brand, athlete, &deal).await["id"].as_i64().unwrap();
    for payment in [books.taxed, other] {
        let payment = PaymentId::new(payment).unwrap();
        let what = (DisputeKind::Chargeback, None);
        sandbox::dispute(&world.platform, payment, what).await.unwrap().unwrap();
    }
    let lost = DisputeId::new(2).unwrap();
    let to = DisputeState::Lost;
    assert!(sandbox::turn_dispute(&world.platform, lost, to).await.unwrap());
    world.books_are_right().await;
    let entry = async |reason: &str, account: &str| {
        let id = format!(
            "SELECT e.id FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id \
             WHERE t.reason = '{reason}' AND t.refers_to = 'dispute:2' AND e.account = '{account}'"
        );
        format!("id = {}", world.id(&id).await)
    };
    let opened = entry("dispute_opened", "processor:disputed").await;
    let card = world.text("partner_id", "dispute WHERE id = 2").await.unwrap();
    let lost = entry("dispute_lost", &format!("partner:{card}:card")).await;
    let taxed = format!("id = {}", books.taxed);
    let taken = world.id("SELECT id FROM refund WHERE dispute_id = 2").await;
    let taken = format!("id = {taken}");
    for (rule, field, at, wrong) in [
        (DISPUTE, ("dispute", "status"), "id = 1", "'won'"),
        (DISPUTE, ("dispute", "status"), "id = 2", "'under_review'"),
        (DISPUTE, ("dispute", "fee_cents"), "id = 1", "1499"),
        (DISPUTE, ("dispute", "amount_cents"), "id = 2", "amount_cents - 1"),
        (DISPUTE, ("ledger_entry", "account"), &opened, "'processor:clearing'"),
        (DISPUTE, ("ledger_entry", "account"), &lost, "'platform:dispute_costs'"),
        (DIVIDED, ("dispute_share", "amount_cents"), "dispute_id = 1", "amount_cents + 1"),
        (DIVIDED, ("dispute_share", "fee_cents"), "dispute_id = 2", "fee_cents + 1"),
        (DIVIDED, ("dispute_share", "payment_id"), "dispute_id = 1", "1"),
        (DIVIDED, ("dispute_share", "athlete_waits_cents"), "dispute_id = 1", "999999999"),
        (BORNE, ("refund", "amount_cents"), &taken, "amount_cents - 1"),
        (BORNE, ("refund", "dispute_id"), &taken, "1"),
        (BORNE, ("dispute_terms", "payee_basis_points"), "id = 1", "5001"),
        (LATEST, ("payment", "dispute_status"), &taxed, "NULL"),
        (LATEST, ("payment", "dispute_status"), "id = 1", "'lost'"),
    ] {
        books.finds(rule, field, at, wrong).await;
    }
}
both!(wrong_disputes_are_found);

async fn the_table_of_rules_names_each(world: World) {
    let table = include_str!("../../docs/verify.md");
    let report = payments::verify(&world.platform).await.unwrap();
    for check in &report.checks {
        assert!(table.contains(&check.name), "docs/verify.md lacks `{}`", check.name);
    }
    let rules = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| rule"));
    let names: Vec<&str> = rules.filter_map(|line| line.split(" | ").next()).collect();
    assert!(names.len() >= 40, "{}", names.len());
    for name in names {
        let name = name.trim_start_matches("| ");
        assert!(report.checks.iter().any(|check| check.name == name), "there is no rule `{name}`");
    }
}
both!(the_table_of_rules_names_each);

async fn credit_notes_that_are_not_taken_back_are_found(world: World) {
    let books = Books::new(world).await;
    let world = &books.world;
    let id = SubscriptionRefundId::new(1).unwrap();
    assert!(sandbox::fail_subscription_refund(&world.platform, id).await.unwrap());
    world.books_are_right().await;
    let invoice = "id = (SELECT taken_back_by_id FROM subscription_refund WHERE id = 1)";
    let rival = format!("'partner:{}'", books.brands[1].id);
    let last = "id = (SELECT MAX(id) FROM ledger_transfer \
        WHERE refers_to = 'subscription_refund:1')";
    let kept = "id = (SELECT credit_note_id FROM subscription_refund WHERE id = 2)";
    let other = "(SELECT credit_note_id FROM subscription_refund WHERE id = 2)";
    for (field, at, wrong) in [
        (("invoice", "total_cents"), invoice, "total_cents - 1"),
        (("invoice", "owner"), invoice, &rival),
        (("invoice", "status"), invoice, "'void'"),
        (("invoice", "status"), kept, "'void'"),
        (("ledger_transfer", "reason"), last, "'refund_failed'"),
        (("subscription_refund", "taken_back_note_id"), "id = 1", other),
        (("subscription_refund", "taken_back_by_id"), "id = 1", other),
    ] {
        books.finds(NOTES, field, at, wrong).await;
    }
    world.books_are_right().await;
}
both!(credit_notes_that_are_not_taken_back_are_found);
