//! Affiliate links: created, followed, and their sales paid once, however the payment is made.

use chrono::TimeDelta;
use nil_core::accounts::suspension;
use nil_core::auth::{Principal, Scope};
use nil_core::kernel::{ApiKeyId, UserId};
use nil_core::payments;
use nil_tests::{DECLINED_CARD, Fault, GOOD_CARD, Hire, World, a_job, both};
use serde_json::{Value, json};

const SAVE: &str = "core.affiliate.save_link";
const LIST: &str = "core.affiliate.links";
const FOLLOW: &str = "core.affiliate.follow";
const REPORT: &str = "core.affiliate.report_sale";
const SALES: &str = "core.affiliate.sales";
pub(crate) const PAY: &str = "core.payment.pay_with_saved_card";
const NOBODY: Principal = Principal::Anonymous;
const PAGE: &str = "https://shop.ridge.example/vests?size=m";

fn shop() -> Principal {
    Principal::Service { id: ApiKeyId::new(1).unwrap(), scopes: vec![Scope::Affiliate] }
}

/// Ten percent of sales, at most 500 dollars in all.
pub(crate) fn commission() -> Value {
    json!({
        "compensation": "commission", "amount_cents": 0, "commission_basis_points": 1_000,
        "product_value_cents": 50_000, "ends_on": "2026-12-31",
    })
}

/// Names the brand's web site, and verifies the brand again: it was verified without one.
pub(crate) async fn name_website(world: &World, hire: &Hire) {
    let website = json!({ "website": "https://www.ridge.example/" });
    world.call("core.partner.edit", &hire.partner.principal, website).await.data();
    world.script("UPDATE partner SET verified_at = '2026-11-20T12:00:00Z'").await;
}

/// An active commission deal whose brand has named its website.
pub(crate) async fn on_commission(world: &World) -> Hire {
    let hire = world.active(commission()).await;
    name_website(world, &hire).await;
    hire
}

pub(crate) async fn link(world: &World, hire: &Hire) -> Value {
    let input = json!({ "job_id": hire.job, "target_url": PAGE });
    world.call(SAVE, &hire.athlete.principal, input).await.data()
}

pub(crate) async fn sale(world: &World, link: &Value, order: &str, cents: i64) -> Value {
    let input = json!({
        "code": link["code"], "order_reference": order, "amount_cents": cents,
    });
    world.call(REPORT, &shop(), input).await.data()
}

pub(crate) fn all_of(hire: &Hire) -> Value {
    json!({ "athlete_id": hire.athlete.id, "contract_id": hire.contract })
}

/// An active commission deal of an unverified brand, and a link of it.
async fn unverified(world: &World) -> (Hire, Value) {
    world.script("UPDATE site SET job_approval = FALSE WHERE id = 1").await;
    let partner = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    let job = a_job(commission());
    let job = world.call("core.job.save", &partner.principal, job).await;
    let job = job.data();
    assert_eq!(job["status"], "open");
    let hire = world.hire(&partner, &athlete, job["id"].as_i64().unwrap()).await;
    let confirm = json!({ "job_id": hire.job });
    let confirm =
        world.call("core.contract.confirm_availability", &hire.athlete.principal, confirm);
    confirm.await.data();
    name_website(world, &hire).await;
    world.script("UPDATE partner SET verified_at = NULL").await;
    let link = link(world, &hire).await;
    (hire, link)
}

async fn an_unverified_brands_links_show_where_they_lead(world: World) {
    let (hire, link) = unverified(&world).await;
    let code = json!({ "code": link["code"] });
    let shown = world.call(FOLLOW, &NOBODY, code.clone()).await;
    assert_eq!(shown.status, 200);
    let page = shown.body["page"].as_str().unwrap();
    assert!(page.contains("This link leads to shop.ridge.example"), "{page}");
    assert!(page.contains("not verified yet"), "{page}");
    let on = format!("href=\"{PAGE}&amp;nil_code={}\"", link["code"].as_str().unwrap());
    assert!(page.contains(&on), "{page}");
    let listed = world.call(LIST, &hire.athlete.principal, json!({})).await.data();
    assert_eq!(listed[0]["clicks"], 1, "counted as it is shown");

    // Posting without approval verifies no brand; an approved job does.
    world.script("UPDATE site SET job_approval = TRUE WHERE id = 1").await;
    world.open_job(&hire.partner, json!({})).await;
    assert_eq!(world.call(FOLLOW, &NOBODY, code).await.status, 302);
}
both!(an_unverified_brands_links_show_where_they_lead);

async fn a_first_payment_verifies_a_brand(world: World) {
    let (hire, link) = unverified(&world).await;
    let code = json!({ "code": link["code"] });
    sale(&world, &link, "A-1", 20_000).await;
    world.card(&hire.partner, DECLINED_CARD).await;
    let declined = world.call(PAY, &hire.partner.principal, all_of(&hire)).await;
    assert_eq!(declined.code(), "card_declined");
    assert_eq!(world.call(FOLLOW, &NOBODY, code.clone()).await.status, 200);
    let card = world.card(&hire.partner, GOOD_CARD).await;
    let set = json!({ "payment_method_id": card["id"] });
    world
        .call("core.partner.set_default_payment_method", &hire.partner.principal, set)
        .await
        .data();
    let paid = world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(world.call(FOLLOW, &NOBODY, code).await.status, 302);
}
both!(a_first_payment_verifies_a_brand);

async fn a_link_off_the_brands_website_shows_where_it_leads(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    let code = json!({ "code": made["code"] });
    assert_eq!(world.call(FOLLOW, &NOBODY, code.clone()).await.status, 302);
    // Saved before shared-hosting suffixes were refused.
    world
        .script(
            "UPDATE partner SET website = 'https://co.uk/'; \
             UPDATE affiliate_link SET target_url = 'https://evil.co.uk/win'",
        )
        .await;
    let shown = world.call(FOLLOW, &NOBODY, code.clone()).await;
    assert_eq!(shown.status, 200);
    assert!(shown.body["page"].as_str().unwrap().contains("This link leads to evil.co.uk"));
    let other = json!({ "website": "https://evil.co.uk/" });
    world.call("core.partner.edit", &hire.partner.principal, other).await.data();
    let shown = world.call(FOLLOW, &NOBODY, code).await;
    assert_eq!(shown.status, 200, "nobody has verified the brand with this web site");
}
both!(a_link_off_the_brands_website_shows_where_it_leads);

async fn a_link_leads_to_the_brands_page_and_counts(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    let code = made["code"].as_str().unwrap();
    assert!(made["url"].as_str().unwrap().ends_with(&format!("/api/l/{code}")));
    assert_eq!((&made["clicks"], &made["commission_basis_points"]), (&json!(0), &json!(1_000)));
    for _ in 0..2 {
        let followed = world.call(FOLLOW, &NOBODY, json!({ "code": code })).await;
        assert_eq!(followed.status, 302);
        let to = format!("{PAGE}&nil_code={code}");
        assert_eq!(followed.body["location"], to.as_str());
    }
    let unknown = world.call(FOLLOW, &NOBODY, json!({ "code": "zzzzzzzzzz" })).await;
    assert_eq!((unknown.status, unknown.code()), (404, "not_found"));
    let who = &hire.athlete.principal;
    let listed = world.call(LIST, who, json!({ "job_id": hire.job })).await.data();
    assert_eq!((&listed[0]["clicks"], &listed[0]["conversions"]), (&json!(2), &json!(0)));

    let off = json!({ "id": made["id"], "active": false, "label": "Bio" });
    let off = world.call(SAVE, who, off).await.data();
    assert_eq!(
        (&off["active"], &off["label"], &off["target_url"]),
        (&json!(false), &json!("Bio"), &json!(PAGE))
    );
    let followed = world.call(FOLLOW, &NOBODY, json!({ "code": code })).await;
    assert_eq!((followed.status, followed.body), (404, unknown.body.clone()));
    let on = json!({ "id": made["id"], "active": true, "label": null });
    assert_eq!(world.call(SAVE, who, on).await.data()["label"], Value::Null);
    let brand = UserId::new(hire.partner.user_id).unwrap();
    suspension::suspend(&world.platform, brand).await.unwrap();
    assert_eq!(world.call(FOLLOW, &NOBODY, json!({ "code": code })).await.status, 404);
}
both!(a_link_leads_to_the_brands_page_and_counts);

async fn a_link_is_no_open_door(world: World) {
    let hire = world.active(commission()).await;
    let who = &hire.athlete.principal;
    let to = |target: &str| json!({ "job_id": hire.job, "target_url": target });
    let unnamed = world.call(SAVE, who, to(PAGE)).await;
    assert!(unnamed.body["errors"]["target_url"][0].as_str().unwrap().contains("website"));
    name_website(&world, &hire).await;
    for wrong in ["http://ridge.example/", "https://evil.example/", "https://ridge.example:444/"] {
        let refused = world.call(SAVE, who, to(wrong)).await;
        assert_eq!(refused.status, 422, "{wrong}");
        assert!(refused.body["errors"]["target_url"].is_array());
    }
    let made = link(&world, &hire).await;
    let moved = json!({ "id": made["id"], "target_url": "https://evil.example/" });
    assert_eq!(world.call(SAVE, who, moved).await.status, 422);
    let elsewhere = json!({ "id": made["id"], "job_id": hire.job + 100 });
    assert_eq!(world.call(SAVE, who, elsewhere).await.status, 422);
    for missing in ["job_id", "target_url"] {
        let mut input = to(PAGE);
        input.as_object_mut().unwrap().remove(missing);
        let refused = world.call(SAVE, who, input).await;
        assert!(refused.body["errors"][missing].is_array(), "{}", refused.body);
    }
    let other = on_commission(&world).await;
    let theirs = world.call(SAVE, &other.athlete.principal, to(PAGE)).await;
    assert_eq!((theirs.status, theirs.code()), (404, "not_found"));
    let brand = world.call(SAVE, &hire.partner.principal, to(PAGE)).await;
    assert_eq!(brand.status, 403);
}
both!(a_link_is_no_open_door);

async fn only_a_commission_contract_that_runs_has_links(world: World) {
    let cash = world.active(json!({})).await;
    let input = |hire: &Hire| json!({ "job_id": hire.job, "target_url": PAGE });
    let refused = world.call(SAVE, &cash.athlete.principal, input(&cash)).await;
    assert_eq!((refused.status, refused.code()), (409, "not_on_commission"));
    let hired = world.hired(commission()).await;
    name_website(&world, &hired).await;
    let refused = world.call(SAVE, &hired.athlete.principal, input(&hired)).await;
    assert_eq!((refused.status, refused.code()), (409, "contract_not_active"));
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    world.pass(TimeDelta::days(42));
    let late = world.call(SAVE, &hire.athlete.principal, input(&hire)).await;
    assert_eq!((late.status, late.code()), (409, "commission_ended"));
    let late = json!({ "code": made["code"], "order_reference": "9", "amount_cents": 100 });
    let late = world.call(REPORT, &shop(), late).await;
    assert_eq!((late.status, late.code()), (409, "commission_ended"));
}
both!(only_a_commission_contract_that_runs_has_links);

async fn a_contract_has_fifty_links_at_most(world: World) {
    let hire = on_commission(&world).await;
    for _ in 0..50 {
        link(&world, &hire).await;
    }
    let input = json!({ "job_id": hire.job, "target_url": PAGE });
    let refused = world.call(SAVE, &hire.athlete.principal, input).await;
    assert_eq!((refused.status, refused.code()), (409, "link_limit"));
}
both!(a_contract_has_fifty_links_at_most);

async fn only_a_key_for_it_reports_sales(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    let input = || json!({ "code": made["code"], "order_reference": "1", "amount_cents": 100 });
    let other = Principal::Service {
        id: ApiKeyId::new(1).unwrap(),
        scopes: vec![Scope::Internal, Scope::AiTools],
    };
    assert_eq!(world.call(REPORT, &other, input()).await.status, 403);
    assert_eq!(world.call(REPORT, &hire.athlete.principal, input()).await.status, 403);
    assert_eq!(world.call(REPORT, &NOBODY, input()).await.status, 401);
    for wrong in [json!({ "code": "zzz", "order_reference": "1", "amount_cents": 100 })] {
        assert_eq!(world.call(REPORT, &shop(), wrong).await.code(), "not_found");
    }
    let mut nothing = input();
    nothing["amount_cents"] = json!(0);
    assert_eq!(world.call(REPORT, &shop(), nothing).await.status, 422);
    let mut more = input();
    more["commission_cents"] = json!(9);
    assert_eq!(world.call(REPORT, &shop(), more).await.code(), "unknown_field");
}
both!(only_a_key_for_it_reports_sales);

async fn a_sale_counts_once_and_is_owed_until_it_is_paid(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    let first = sale(&world, &made, "A-1", 12_345).await;
    // 1,234.5 cents: half to even.
    assert_eq!(first["commission_cents"], 1_234);
    assert_eq!(sale(&world, &made, "A-1", 12_345).await, first);
    let changed = json!({ "code": made["code"], "order_reference": "A-1", "amount_cents": 1 });
    let changed = world.call(REPORT, &shop(), changed).await;
    assert_eq!((changed.status, changed.code()), (409, "duplicate"));
    sale(&world, &made, "A-2", 1_000).await;
    assert_eq!(world.balance(&hire.athlete).await, 0, "nobody has paid yet");

    let who = &hire.partner.principal;
    let refused = world.call(PAY, who, all_of(&hire)).await;
    assert_eq!(refused.code(), "no_payment_method");
    world.card(&hire.partner, GOOD_CARD).await;
    let preview = json!({ "payments": [all_of(&hire)] });
    let summary = world.call("core.payment.bulk_summary", who, preview).await.data();
    assert_eq!(summary["amount_cents"], 1_334);
    assert_eq!(summary["lines"][0]["conversion_ids"].as_array().unwrap().len(), 2);
    let mut part = all_of(&hire);
    part["amount_cents"] = json!(1_300);
    let paid = world.call(PAY, who, part).await.data();
    assert_eq!((&paid["amount_cents"], &paid["fee_cents"]), (&json!(1_300), &json!(130)));
    assert_eq!(paid["conversion_ids"].as_array().unwrap().len(), 2);
    assert_eq!(paid["deliverable_ids"], json!([]));
    let rest = world.call(PAY, who, all_of(&hire)).await.data();
    assert_eq!(rest["amount_cents"], 34);
    assert_eq!(world.call(PAY, who, all_of(&hire)).await.code(), "nothing_owed");
    assert_eq!(world.balance(&hire.athlete).await, 1_334);
    for party in [&hire.athlete.principal, who] {
        let listed = world.call(LIST, party, json!({})).await.data();
        assert_eq!(
            (&listed[0]["conversions"], &listed[0]["earned_cents"], &listed[0]["paid_cents"]),
            (&json!(2), &json!(1_334), &json!(1_334))
        );
        let sales = world.call(SALES, party, json!({ "link_id": made["id"] })).await.data();
        assert_eq!(
            (&sales[0]["order_reference"], &sales[1]["paid_cents"]),
            (&json!("A-2"), &json!(1_234))
        );
    }
    let stranger = world.athlete("Sam Hill").await;
    for list in [LIST, SALES] {
        assert_eq!(world.call(list, &stranger.principal, json!({})).await.data(), json!([]));
    }
    world.books_are_right().await;
}
both!(a_sale_counts_once_and_is_owed_until_it_is_paid);

async fn commission_stays_below_the_contracts_maximum(world: World) {
    let hire = on_commission(&world).await;
    let (one, other) = (link(&world, &hire).await, link(&world, &hire).await);
    assert_eq!(sale(&world, &one, "1", 450_000).await["commission_cents"], 45_000);
    assert_eq!(sale(&world, &other, "1", 100_000).await["commission_cents"], 5_000);
    assert_eq!(sale(&world, &one, "2", 100_000).await["commission_cents"], 0);
    world.card(&hire.partner, GOOD_CARD).await;
    let paid = world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!(paid["amount_cents"], 50_000);
    world.books_are_right().await;
}
both!(commission_stays_below_the_contracts_maximum);

async fn reports_at_once_count_once_and_stay_below_the_maximum(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    let calls = (0..12).map(|at| sale(&world, &made, ["1", "2", "3"][at % 3], 200_000));
    let mut sales = futures::future::join_all(calls).await;
    sales.sort_by_key(|sale| sale["id"].as_i64());
    sales.dedup();
    assert_eq!(sales.len(), 3);
    let sum: i64 = sales.iter().map(|sale| sale["commission_cents"].as_i64().unwrap()).sum();
    assert_eq!(sum, 50_000);
    world.books_are_right().await;
}
both!(reports_at_once_count_once_and_stay_below_the_maximum);

async fn settled_commission_bears_the_fee_of_all_that_was_paid(world: World) {
    let hire = on_commission(&world).await;
    world.card(&hire.partner, GOOD_CARD).await;
    let made = link(&world, &hire).await;
    // Fees of 10.5, 21 and 31.5 cents in all, half to even.
    for (order, fee) in [("1", 10), ("2", 11), ("3", 11)] {
        sale(&world, &made, order, 1_050).await;
        world.pass(TimeDelta::days(1));
        assert_eq!(payments::settle_commission(&world.platform).await.unwrap(), 1);
        let last = "SELECT fee_cents FROM payment ORDER BY id DESC LIMIT 1";
        assert_eq!(world.id(last).await, fee);
    }
    world.books_are_right().await;
}
both!(settled_commission_bears_the_fee_of_all_that_was_paid);

async fn what_is_left_is_charged_the_next_day_and_once(world: World) {
    let hire = on_commission(&world).await;
    world.card(&hire.partner, GOOD_CARD).await;
    let made = link(&world, &hire).await;
    sale(&world, &made, "1", 20_000).await;
    let settle = async || payments::settle_commission(&world.platform).await.unwrap();
    assert_eq!(settle().await, 0, "today's sales wait for tomorrow");
    world.pass(TimeDelta::days(1));
    sale(&world, &made, "2", 5_000).await;
    let both = futures::future::join_all((0..3).map(|_| settle())).await;
    assert_eq!(both.into_iter().sum::<usize>(), 1);
    assert_eq!(world.balance(&hire.athlete).await, 2_000);
    assert_eq!(settle().await, 0);
    world.pass(TimeDelta::days(1));
    let round = nil_core::worker::round(&world.platform).await.unwrap();
    assert_eq!(round.commission_settled, 1);
    assert_eq!(world.balance(&hire.athlete).await, 2_500);
    world.pass(TimeDelta::days(1));
    sale(&world, &made, "3", 500).await;
    world.pass(TimeDelta::days(1));
    assert_eq!(settle().await, 0, "fifty cents wait for more");
    world.books_are_right().await;
}
both!(what_is_left_is_charged_the_next_day_and_once);

async fn a_declined_card_is_tried_again_the_next_day(world: World) {
    let hire = on_commission(&world).await;
    let made = link(&world, &hire).await;
    sale(&world, &made, "1", 20_000).await;
    let settle = async || payments::settle_commission(&world.platform).await.unwrap();
    world.pass(TimeDelta::days(1));
    assert_eq!(settle().await, 0, "there is no card");
    world.card(&hire.partner, DECLINED_CARD).await;
    assert_eq!((settle().await, settle().await), (0, 0));
    let history = world.call("core.payment.history_of_partner", &hire.partner.principal, json!({}));
    let history = history.await.data();
    assert_eq!((history.as_array().unwrap().len(), &history[0]["status"]), (1, &json!("failed")));
    assert_eq!(world.balance(&hire.athlete).await, 0);
    let good = world.card(&hire.partner, GOOD_CARD).await;
    let default = json!({ "payment_method_id": good["id"] });
    let default =
        world.call("core.partner.set_default_payment_method", &hire.partner.principal, default);
    default.await.data();
    assert_eq!(settle().await, 0, "once a day");
    world.pass(TimeDelta::days(1));
    assert_eq!(settle().await, 1);
    assert_eq!(world.balance(&hire.athlete).await, 2_000);
    world.books_are_right().await;
}
both!(a_declined_card_is_tried_again_the_next_day);

async fn a_crash_while_settling_loses_and_doubles_nothing(world: World) {
    let hire = on_commission(&world).await;
    world.card(&hire.partner, GOOD_CARD).await;
    let made = link(&world, &hire).await;
    for (at, fault) in [Fault::DiesAfter, Fault::Unanswered, Fault::Lost].into_iter().enumerate() {
        sale(&world, &made, &at.to_string(), 20_000).await;
        world.pass(TimeDelta::days(1));
        world.processor.next(&[fault]);
        let settling = payments::settle_commission(&world.platform);
        // A process that dies takes its task with it.
        let _ = futures::FutureExt::catch_unwind(std::panic::AssertUnwindSafe(settling)).await;
        let nothing = world.call(PAY, &hire.partner.principal, all_of(&hire)).await;
        assert_eq!(nothing.code(), "nothing_owed", "what is being paid is not owed");
        world.pass(TimeDelta::seconds(11));
        payments::reconcile(&world.platform).await.unwrap();
        let so_far = 2_000 * i64::try_from(at + 1).unwrap();
        assert_eq!(world.balance(&hire.athlete).await, so_far);
        world.books_are_right().await;
    }
}
both!(a_crash_while_settling_loses_and_doubles_nothing);

async fn commission_outlives_the_work_and_the_contract(world: World) {
    let hire = on_commission(&world).await;
    world.card(&hire.partner, GOOD_CARD).await;
    let made = link(&world, &hire).await;
    for deliverable in &hire.deliverables {
        world.approve(&hire, *deliverable).await;
    }
    let deal = world.deal(&hire.athlete, hire.job).await;
    assert_eq!(deal["contract"]["status"], "completed");
    sale(&world, &made, "1", 20_000).await;
    let paid = world.call(PAY, &hire.partner.principal, all_of(&hire)).await.data();
    assert_eq!(paid["status"], "succeeded");
    let operator = world.operator(&[nil_core::auth::Permission::Finance]);
    let refund = json!({ "payment_id": paid["id"], "reason": "Returned." });
    world.call("admin.payment.refund", &operator, refund).await.data();
    assert_eq!(world.balance(&hire.athlete).await, 0);
    let again = world.call(PAY, &hire.partner.principal, all_of(&hire)).await;
    assert_eq!(again.code(), "nothing_owed", "a refund does not reopen it");
    world.books_are_right().await;
}
both!(commission_outlives_the_work_and_the_contract);
