//! Brands attest whether they are associated with an athlete's institution.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::disclosures;
use nil_tests::{ATTESTED, Person, World, all_no, both};
use serde_json::{Value, json};

use crate::clearing::{mailed, own, shown};

const LIST: &str = "core.attestation.list";
const GIVE: &str = "core.attestation.give";

/// A contract of this amount that is executed on Friday, 20 November.
async fn sign(world: &World, brand: &Person, athlete: &Person, cents: i64) {
    let job = world.open_job(brand, json!({ "amount_cents": cents, "slots": 1 })).await;
    world.hire(brand, athlete, job).await;
    let confirm = json!({ "job_id": job });
    world.call("core.contract.confirm_availability", &athlete.principal, confirm).await.data();
}

async fn requests(world: &World, brand: &Person) -> Vec<Value> {
    let list = world.call(LIST, &brand.principal, json!({})).await.data();
    list.as_array().unwrap().clone()
}

/// The latest deal's clearance, with all that is known of it.
async fn latest(world: &World, who: &Principal) -> Value {
    let all = own(world, who).await;
    shown(world, who, &all[0]["id"]).await
}

fn yes_to(question: &str) -> Value {
    let mut answers = all_no();
    for one in answers.as_array_mut().unwrap() {
        one["answer"] = json!(one["question"] == question);
    }
    answers
}

fn answer_in(detail: &Value, question: &str) -> (Value, Value) {
    let facts = detail["packet"]["association"].as_array().unwrap();
    let fact = facts.iter().find(|fact| fact["question"] == question).unwrap();
    (fact["answer"].clone(), fact["answered_by"].clone())
}

async fn the_brand_of_a_deal_that_is_due_is_asked_once(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let other = world.partner("Harbor Books").await;
    let athlete = world.athlete("Zoe Okafor").await;
    sign(&world, &brand, &athlete, 50_000).await;
    assert!(requests(&world, &brand).await.is_empty(), "it is not due");
    sign(&world, &brand, &athlete, 10_000).await;
    let asked = requests(&world, &brand).await;
    // Both are due. Five business days without Thanksgiving, until midnight in Chicago.
    assert_eq!(asked.len(), 2);
    for one in &asked {
        assert_eq!(one["due_at"], "2026-12-01T05:59:59Z");
        assert_eq!((&one["attested_at"], &one["late"]), (&Value::Null, &json!(false)));
        assert_eq!(one["athlete_name"], "Zoe Okafor");
        assert_eq!(one["association"].as_array().unwrap().len(), 6);
    }
    assert!(requests(&world, &other).await.is_empty());
    let seen = latest(&world, &athlete.principal).await;
    assert_eq!(seen["payor_attestation"]["due_at"], "2026-12-01T05:59:59Z");
    assert_eq!(seen["payor_attestation"]["associated"], Value::Null);
    assert_eq!(mailed(&world, "association.requested").await, vec![brand.email.clone(); 2]);
    sign(&world, &brand, &athlete, 5_000).await;
    assert_eq!(mailed(&world, "association.requested").await.len(), 3);
}
both!(the_brand_of_a_deal_that_is_due_is_asked_once);

async fn what_a_brand_attests_fills_what_nobody_answered(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "owner").await.0;
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    sign(&world, &brand, &athlete, 90_000).await;
    let id = requests(&world, &brand).await[0]["id"].clone();
    let donor = json!({
        "id": id, "association": [{ "question": "large_donor", "answer": true }],
    });
    world.call("compliance.clearance.answer", &officer, donor).await.data();
    let give = json!({ "id": id, "association": yes_to("insider") });
    let given = world.call(GIVE, &brand.principal, give).await.data();
    assert_eq!(given["attested_at"], "2026-11-20T12:00:00Z");
    let told = given["association"].as_array().unwrap();
    let donor = told.iter().find(|one| one["question"] == "large_donor").unwrap();
    assert_eq!(donor["answer"], false, "its own word, and not the institution's");

    let by_brand = json!(format!("partner:{}", brand.id));
    for (who, detail) in
        [(&athlete.principal, "core.clearance.detail"), (&officer, "compliance.clearance.detail")]
    {
        let seen = world.call(detail, who, json!({ "id": id })).await.data();
        assert_eq!(answer_in(&seen, "insider"), (json!(true), by_brand.clone()));
        let (donor, by) = answer_in(&seen, "large_donor");
        assert_eq!(donor, true);
        assert!(by.as_str().unwrap().starts_with("portal_user:"), "{by}");
        assert_eq!(seen["payor_attestation"]["associated"], true);
        assert_eq!(seen["missing"], json!([]), "{seen:#}");
    }
    // It can take it back; the day of its first word stays.
    world.pass(TimeDelta::days(1));
    let give = json!({ "id": id, "association": all_no() });
    let given = world.call(GIVE, &brand.principal, give).await.data();
    assert_eq!(given["attested_at"], "2026-11-20T12:00:00Z");
    let seen = latest(&world, &athlete.principal).await;
    assert_eq!(answer_in(&seen, "insider").0, false);
    assert_eq!(seen["payor_attestation"]["associated"], false);
    for (open, wanted) in [(true, 0), (false, 1)] {
        let list = world.call(LIST, &brand.principal, json!({ "open": open })).await.data();
        assert_eq!(list.as_array().unwrap().len(), wanted, "{open}");
    }
}
both!(what_a_brand_attests_fills_what_nobody_answered);

async fn an_attestation_is_complete_and_the_brands_own(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let other = world.partner("Harbor Books").await;
    let athlete = world.athlete("Zoe Okafor").await;
    sign(&world, &brand, &athlete, 90_000).await;
    let id = requests(&world, &brand).await[0]["id"].clone();
    let one = json!([{ "question": "insider", "answer": false }]);
    let mut twice = all_no();
    twice[1] = twice[0].clone();
    for wrong in [one, twice] {
        let give = json!({ "id": id, "association": wrong });
        let refused = world.call(GIVE, &brand.principal, give).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body["errors"]["association"].is_array(), "{}", refused.body);
    }
    let give = json!({ "id": id, "association": all_no() });
    assert_eq!(world.call(GIVE, &other.principal, give).await.status, 404);
    assert_eq!(requests(&world, &brand).await[0]["attested_at"], Value::Null);
}
both!(an_attestation_is_complete_and_the_brands_own);

async fn silence_counts_as_association_only_where_the_site_says_so(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    sign(&world, &brand, &athlete, 90_000).await;
    let id = requests(&world, &brand).await[0]["id"].clone();
    let operator = world.operator(&[Permission::Site]);
    let state = async || {
        let seen = latest(&world, &athlete.principal).await["payor_attestation"].clone();
        (seen["late"].clone(), seen["presumed_associated"].clone())
    };
    let presume = async |yes: bool| {
        let input = json!({ "presume_associated": yes });
        world.call("admin.site.save_basic", &operator, input).await.data();
    };
    presume(true).await;
    assert_eq!(state().await, (json!(false), json!(false)), "there is time left");
    world.pass(TimeDelta::days(11));
    assert_eq!(state().await, (json!(true), json!(true)));
    presume(false).await;
    assert_eq!(state().await, (json!(true), json!(false)));
    presume(true).await;
    let give = json!({ "id": id, "association": all_no() });
    world.call(GIVE, &brand.principal, give).await.data();
    assert_eq!(state().await, (json!(true), json!(false)), "it spoke, though late");
}
both!(silence_counts_as_association_only_where_the_site_says_so);

const REMINDER: &str = "association.due_soon";

async fn a_brand_is_reminded_once_before_its_deadline(world: World) {
    let college = world.college().await;
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    sign(&world, &brand, &athlete, 90_000).await;
    // Until the end of 30 November in Chicago.
    world.pass(TimeDelta::days(7));
    assert!(mailed(&world, REMINDER).await.is_empty(), "three days and a half are not soon");
    for hours in [24, 1, 72] {
        world.pass(TimeDelta::hours(hours));
        assert_eq!(mailed(&world, REMINDER).await, std::slice::from_ref(&brand.email), "{hours}");
    }
    let mail = world.mail(&brand.email, REMINDER).await.unwrap();
    let institution = world.text("name", &format!("college WHERE id = {college}")).await.unwrap();
    for said in [
        "Ridge Outfitters",
        "Zoe Okafor",
        institution.as_str(),
        "November 30, 2026, 11:59 pm Central",
        "\nSign in to Lakeside Deals.\n",
    ] {
        assert!(mail.contains(said), "{said}: {mail}");
    }
    let feed = world.call("core.notification.list", &brand.principal, json!({})).await.data();
    let own = feed.as_array().unwrap().iter().filter(|one| one["event"] == REMINDER).count();
    assert_eq!(own, 1, "{feed}");
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'association.due_soon'";
    assert_eq!(world.id(noted).await, 1);
}
both!(a_brand_is_reminded_once_before_its_deadline);

async fn brands_are_reminded_only_of_what_is_open_and_due(world: World) {
    let athletes = [
        world.athlete("Zoe Okafor").await,
        world.athlete("Ida Novak").await,
        world.athlete("Kim Park").await,
        world.athlete("Pat Rowe").await,
    ];
    let mut brands = Vec::new();
    for (athlete, company) in
        athletes.iter().zip(["Ridge Outfitters", "Harbor Books", "North Cafe", "Cedar Coffee"])
    {
        let brand = world.partner(company).await;
        sign(&world, &brand, athlete, 90_000).await;
        brands.push(brand);
    }
    let [attested, submitted, freed, _] = &athletes;
    let id = requests(&world, &brands[0]).await[0]["id"].clone();
    let give = json!({ "id": id, "association": all_no() });
    world.call(GIVE, &brands[0].principal, give).await.data();
    // Its packet is still to be submitted.
    assert_eq!(own(&world, &attested.principal).await[0]["status"], "due");

    let id = own(&world, &submitted.principal).await[0]["id"].clone();
    let packet = json!({ "id": id, "association": all_no() });
    world.call("core.clearance.save_packet", &submitted.principal, packet).await.data();
    let submit = json!({ "id": id, "attestations": ATTESTED });
    world.call("core.clearance.submit", &submitted.principal, submit).await.data();

    let contract = requests(&world, &brands[2]).await[0]["contract_id"].clone();
    let college = format!("SELECT college_id FROM clearance WHERE contract_id = {contract}");
    let college = world.id(&college).await;
    let operator = world.operator(&[Permission::Accounts]);
    let away = json!({
        "id": college, "name": "River College", "division": "D1", "state": "IL",
        "time_zone": "America/Chicago",
        "participation": [{ "from": "2025-07-01", "takes_part": false }],
    });
    world.call("admin.college.save", &operator, away).await.data();
    disclosures::weigh_again(&world.platform).await.unwrap();
    assert_eq!(own(&world, &freed.principal).await[0]["status"], "not_required");

    world.pass(TimeDelta::days(8));
    assert_eq!(mailed(&world, REMINDER).await, std::slice::from_ref(&brands[3].email));
    world.pass(TimeDelta::days(4));
    assert_eq!(mailed(&world, REMINDER).await.len(), 1, "nobody is reminded afterwards");
}
both!(brands_are_reminded_only_of_what_is_open_and_due);

async fn workers_at_once_remind_a_brand_once(world: World) {
    let brand = world.partner("Ridge Outfitters").await;
    let athlete = world.athlete("Zoe Okafor").await;
    sign(&world, &brand, &athlete, 90_000).await;
    world.pass(TimeDelta::days(8));
    let mut workers = Vec::new();
    for _ in 0..4 {
        let platform = world.replica().await.platform;
        workers.push(tokio::spawn(async move {
            disclosures::remind_due_soon(&platform).await.expect("reminders")
        }));
    }
    let mut told = 0;
    for worker in workers {
        told += worker.await.unwrap();
    }
    assert_eq!(told, 2, "of the clearance and of the attestation");
    assert_eq!(mailed(&world, REMINDER).await, [brand.email]);
}
both!(workers_at_once_remind_a_brand_once);
