//! The range of compensation: what comparable deals paid, and what it must not give away.

use nil_tests::{Hire, Person, World, both};
use serde_json::{Value, json};

const OWN: &str = "core.compensation.for_athlete";
const PLANNED: &str = "core.compensation.for_brand";
const OF_CONTRACT: &str = "compliance.compensation.of_contract";
const OF_DISCLOSED: &str = "compliance.compensation.of_disclosed_job";

pub(crate) struct Market {
    pub(crate) world: World,
    brands: Vec<Person>,
    hires: Vec<Hire>,
}

impl Market {
    /// Paid deals of 100, 200, … dollars for a reel and a story, of three brands in turn.
    pub(crate) async fn new(world: World, deals: i64) -> Self {
        let mut brands = Vec::new();
        for name in ["Ridge Outfitters", "Valley Sports", "Harbor Books"] {
            brands.push(world.paying_partner(name).await);
        }
        let mut market = Self { world, brands, hires: Vec::new() };
        for place in 1..=deals {
            market.agree(place, place * 10_000).await;
        }
        market
    }

    /// The contract of a deal, counted from 0.
    pub(crate) fn hire_of(&self, place: usize) -> i64 {
        self.hires[place].contract
    }

    pub(crate) async fn agree(&mut self, place: i64, cents: i64) {
        self.sign(place, cents).await;
        self.settle().await;
    }

    /// Does the work of the newest deal and pays for it.
    async fn settle(&self) {
        let hire = self.hires.last().unwrap();
        for deliverable in &hire.deliverables {
            self.world.approve(hire, *deliverable).await;
        }
        let paid = json!({ "athlete_id": hire.athlete.id, "contract_id": hire.contract });
        let pay = "core.payment.pay_with_saved_card";
        self.world.call(pay, &hire.partner.principal, paid).await.data();
    }

    /// Executes a deal that nobody pays.
    async fn sign(&mut self, place: i64, cents: i64) {
        let brand = self.brands[usize::try_from(place).unwrap() % self.brands.len()].clone();
        let athlete = self.world.athlete(&format!("Athlete Number{place}")).await;
        let job = self.world.open_job(&brand, json!({ "amount_cents": cents, "slots": 1 })).await;
        let hire = self.world.hire(&brand, &athlete, job).await;
        let confirm = json!({ "job_id": job });
        let confirmed = "core.contract.confirm_availability";
        self.world.call(confirmed, &athlete.principal, confirm).await.data();
        self.hires.push(hire);
    }
}

fn quartiles(range: &Value) -> [i64; 3] {
    ["p25_cents", "p50_cents", "p75_cents"]
        .map(|name| range["quartiles"][name].as_i64().unwrap_or_else(|| panic!("{name}: {range}")))
}

async fn an_athlete_compares_a_job_that_is_offered(world: World) {
    let mut market = Market::new(world, 4).await;
    let brand = market.world.partner("North Cafe").await;
    let athlete = market.world.athlete("Zoe Okafor").await;
    let job = market.world.open_job(&brand, json!({ "amount_cents": 20_000 })).await;
    let ask = json!({ "job_id": job });
    let few = market.world.call(OWN, &athlete.principal, ask.clone()).await.data();
    assert_eq!(
        (&few["n"], &few["quartiles"], &few["standing"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    market.agree(5, 50_000).await;
    let range = market.world.call(OWN, &athlete.principal, ask.clone()).await.data();
    assert_eq!(range["n"], 5, "{range}");
    assert_eq!(quartiles(&range), [20_000, 30_000, 40_000]);
    assert_eq!(
        (&range["amount_cents"], &range["standing"]),
        (&json!(20_000), &json!("p25_to_p50"))
    );
    assert_eq!(range["compared"]["platform"], "instagram");
    assert_eq!(range["compared"]["deliverables"], "2_to_3");
    assert_eq!(range["compared"]["months"], 12);
    assert!(range["explanation"].as_str().unwrap().contains("$200.00 to $400.00"), "{range}");
    // An offer that is no job, at another price.
    let offer = json!({
        "category_id": 1, "platform": "instagram", "deliverables": 2, "amount_cents": 60_000,
    });
    let offered = market.world.call(OWN, &athlete.principal, offer).await.data();
    assert_eq!((&offered["n"], &offered["standing"]), (&json!(5), &json!("above_p75")));
    // Another platform is dropped last, and the answer says so.
    let wider = json!({ "category_id": 1, "platform": "twitch" });
    let wider = market.world.call(OWN, &athlete.principal, wider).await.data();
    assert_eq!(wider["n"], 5);
    let dropped = wider["dropped"].as_array().unwrap();
    assert_eq!(dropped.last().unwrap(), "platform", "{wider}");
    assert_eq!(wider["compared"]["platform"], Value::Null);
    // Their own deal is no news to who has it.
    let known = json!({ "category_id": 1 });
    let own = market.hires[0].athlete.principal.clone();
    assert_eq!(market.world.call(OWN, &own, known.clone()).await.data()["n"], Value::Null);
    // A cancelled contract is no example.
    let contract = market.hires[2].contract;
    market
        .world
        .script(&format!(
            "UPDATE contract SET status = 'cancelled', cancelled_at = executed_at, \
             completed_at = NULL WHERE id = {contract}"
        ))
        .await;
    let less = market.world.call(OWN, &athlete.principal, ask).await.data();
    assert_eq!(less["n"], Value::Null);
    let hidden = json!({ "visibility": "invite_only" });
    let hidden = market.world.open_job(&brand, hidden).await;
    let refused = market.world.call(OWN, &athlete.principal, json!({ "job_id": hidden })).await;
    assert_eq!(refused.status, 404);
    for wrong in [
        json!({}),
        json!({ "job_id": job, "category_id": 1 }),
        json!({ "job_id": job, "platform": "x" }),
        json!({ "category_id": 1, "deliverables": 0 }),
        json!({ "category_id": 1, "amount_cents": 0 }),
    ] {
        let answer = market.world.call(OWN, &athlete.principal, wrong.clone()).await;
        assert_eq!(answer.status, 422, "{wrong}");
    }
    let unknown = market.world.call(OWN, &athlete.principal, json!({ "category_id": 9_999 })).await;
    assert_eq!(unknown.status, 404);
}
both!(an_athlete_compares_a_job_that_is_offered);

async fn an_agent_asks_for_whom_they_represent(world: World) {
    let market = Market::new(world, 6).await;
    let agent = market.world.agent("North Agency").await;
    let client = market.hires[0].athlete.clone();
    let ask = json!({ "athlete_id": client.id, "category_id": 1 });
    let stranger = market.world.call(OWN, &agent.principal, ask.clone()).await;
    assert_eq!(stranger.status, 404);
    market.world.represent(&agent, &client, 1_000).await;
    let range = market.world.call(OWN, &agent.principal, ask).await.data();
    assert_eq!((&range["n"], quartiles(&range)), (&json!(5), [30_000, 40_000, 50_000]));
    let whose = market.world.call(OWN, &agent.principal, json!({ "category_id": 1 })).await;
    assert_eq!(whose.status, 422);
    let other = json!({ "athlete_id": client.id, "category_id": 1 });
    let athlete = &market.hires[1].athlete;
    assert_eq!(market.world.call(OWN, &athlete.principal, other).await.status, 404);
}
both!(an_agent_asks_for_whom_they_represent);

async fn a_brand_sees_what_others_pay(world: World) {
    let market = Market::new(world, 6).await;
    let newcomer = market.world.partner("North Cafe").await;
    let plan = json!({ "category_id": 1, "platform": "instagram", "amount_cents": 5_000 });
    let range = market.world.call(PLANNED, &newcomer.principal, plan.clone()).await.data();
    assert_eq!((&range["n"], &range["standing"]), (&json!(6), &json!("below_p25")));
    // Without its own two deals there are four.
    let known = market.world.call(PLANNED, &market.brands[0].principal, plan).await.data();
    assert_eq!(known["n"], Value::Null);
    for wrong in [
        json!({ "category_id": 1, "deliverables": 0 }),
        json!({ "category_id": 1, "followers": -1 }),
    ] {
        let answer = market.world.call(PLANNED, &newcomer.principal, wrong.clone()).await;
        assert_eq!(answer.status, 422, "{wrong}");
    }
}
both!(a_brand_sees_what_others_pay);

async fn an_officer_compares_a_deal_of_the_institution(world: World) {
    let market = Market::new(world, 6).await;
    let world = &market.world;
    let contract = market.hires[5].contract;
    let college = world.id(&format!("SELECT college_id FROM contract WHERE id = {contract}")).await;
    let officer = world.portal_user(college, "officer").await.0;
    let of_contract = json!({ "contract_id": contract });
    let range = world.call(OF_CONTRACT, &officer, of_contract.clone()).await.data();
    assert_eq!((&range["n"], quartiles(&range)), (&json!(5), [20_000, 30_000, 40_000]));
    assert_eq!((&range["amount_cents"], &range["standing"]), (&json!(60_000), &json!("above_p75")));
    let disclosed = json!({
        "payer_name": "Valley Books", "payer_kind": "business", "title": "A reading",
        "category_id": 1, "amount_cents": 25_000, "compensation": "cash",
        "signed_on": "2026-11-18", "description": "Two readings.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
            "complete_and_true"],
    });
    let save = "core.disclosed_job.save";
    let disclosed = world.call(save, &market.hires[5].athlete.principal, disclosed).await.data();
    let of_disclosed = json!({ "id": disclosed["id"] });
    let range = world.call(OF_DISCLOSED, &officer, of_disclosed.clone()).await.data();
    assert_eq!((&range["n"], &range["standing"]), (&json!(6), &json!("p25_to_p50")));
    let elsewhere = world.college().await;
    let stranger = world.portal_user(elsewhere, "officer").await.0;
    for (name, theirs) in [(OF_CONTRACT, of_contract.clone()), (OF_DISCLOSED, of_disclosed)] {
        assert_eq!(world.call(name, &stranger, theirs).await.status, 404);
    }
    let viewer = world.portal_user(college, "viewer").await.0;
    let refused = world.call(OF_CONTRACT, &viewer, of_contract).await;
    assert_eq!(refused.status, 403);
}
both!(an_officer_compares_a_deal_of_the_institution);

/// The number of comparable deals that a newcomer is told.
async fn told(market: &Market, who: &Person) -> Value {
    let ask = json!({ "category_id": 1 });
    market.world.call(OWN, &who.principal, ask).await.data()["n"].clone()
}

/// Four orders that nobody pays for, agreed on around one deal, would make that deal the median.
async fn what_nobody_paid_for_is_no_example(world: World) {
    let mut market = Market::new(world, 1).await;
    let curious = market.world.athlete("Zoe Okafor").await;
    for place in 2..=5 {
        market.sign(place, place * 10_000).await;
    }
    assert_eq!(told(&market, &curious).await, Value::Null);
    for place in 8..=11 {
        market.agree(place, place * 10_000).await;
    }
    assert_eq!(told(&market, &curious).await, 5);
    // What was given back is no longer paid.
    let contract = market.hires[0].contract;
    let payment =
        market.world.id(&format!("SELECT id FROM payment WHERE contract_id = {contract}")).await;
    let finance = market.world.operator(&[nil_core::auth::Permission::Finance]);
    let refund =
        json!({ "payment_id": payment, "amount_cents": 1_000, "reason": "Half was missing." });
    market.world.call("admin.payment.refund", &finance, refund).await.data();
    assert_eq!(told(&market, &curious).await, Value::Null);
}
both!(what_nobody_paid_for_is_no_example);

async fn deals_of_unverified_brands_are_no_examples(world: World) {
    let market = Market::new(world, 6).await;
    let curious = market.world.athlete("Zoe Okafor").await;
    assert_eq!(told(&market, &curious).await, 6);
    let brand = market.brands[0].id;
    let unverify = format!("UPDATE partner SET verified_at = NULL WHERE id = {brand}");
    market.world.script(&unverify).await;
    assert_eq!(told(&market, &curious).await, Value::Null);
}
both!(deals_of_unverified_brands_are_no_examples);

/// What goods are worth is said by the two who agree, and costs nothing to say.
async fn goods_are_no_money(world: World) {
    let mut market = Market::new(world, 5).await;
    let curious = market.world.athlete("Zoe Okafor").await;
    let goods = json!({
        "compensation": "mixed", "amount_cents": 5_000, "product_description": "Two vests",
        "product_value_cents": 400_000, "slots": 1,
    });
    let brand = market.brands[0].clone();
    let athlete = market.world.athlete("Ida Novak").await;
    let job = market.world.open_job(&brand, goods).await;
    let hire = market.world.hire(&brand, &athlete, job).await;
    let confirm = "core.contract.confirm_availability";
    market.world.call(confirm, &athlete.principal, json!({ "job_id": job })).await.data();
    market.hires.push(hire);
    market.settle().await;
    assert_eq!(told(&market, &curious).await, 5);
}
both!(goods_are_no_money);

/// A bounded number of rows, whatever the number of deals.
async fn the_deals_of_a_category_are_found_by_an_index(world: World) {
    let brand = world.partner("North Cafe").await;
    let ask = json!({ "category_id": 1 });
    let call = world.call(PLANNED, &brand.principal, ask);
    let (_, watched) = world.platform.db().watched(call).await.unwrap();
    let plans: Vec<_> =
        watched.plans.iter().filter(|(text, _)| text.contains("FROM comparable_deal")).collect();
    let [(text, plan)] = plans.as_slice() else { panic!("{plans:?}") };
    assert!(text.contains("LIMIT"), "{text}");
    assert!(plan.contains("comparable_deal_by_category"), "{plan}");
    assert!(!plan.contains("SCAN d") && !plan.contains("Seq Scan on comparable_deal"), "{plan}");
}
both!(the_deals_of_a_category_are_found_by_an_index);

/// The rows that triggers keep are those of the view that says what they are.
async fn rows_are_kept_with_the_contracts(world: World) {
    let market = Market::new(world, 2).await;
    let world = &market.world;
    let columns = "contract_id, category_id, agreed_at, amount_cents, athlete_id, partner_id, agent_id, \
        college_id, division, sport_id, followers, platform, pieces, paid_cents";
    for (these, those) in
        [("comparable_deal", "comparable_deal_seen"), ("comparable_deal_seen", "comparable_deal")]
    {
        let differ = format!(
            "SELECT COUNT(*) FROM (SELECT {columns} FROM {these} EXCEPT SELECT {columns} FROM {those}) AS x"
        );
        assert_eq!(world.id(&differ).await, 0, "{these}");
    }
    assert_eq!(world.id("SELECT COUNT(*) FROM comparable_deal").await, 2);
}
both!(rows_are_kept_with_the_contracts);
