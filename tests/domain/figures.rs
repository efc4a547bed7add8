//! Transactions in figures: what institutions are told is what a naive recount says.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use nil_core::auth::{PortalUser, Principal, Role};
use nil_core::kernel::{CollegeId, PortalUserId, Random as _, SeededRandom, SportId};
use nil_tests::{Deal, Engine, Person, World, on_both_databases};
use serde_json::{Value, json};

const SUMMARY: &str = "compliance.transaction.summary";
const LIST: &str = "compliance.transaction.list";

/// A portal user who need not exist to look.
fn officer(college: i64, sports: &[i64]) -> Principal {
    let who = PortalUser {
        id: PortalUserId::new(1).unwrap(),
        college_id: CollegeId::new(college).unwrap(),
        role: Role::Owner,
        sports: sports.iter().map(|id| SportId::new(*id).unwrap()).collect(),
        session: "test".into(),
    };
    Principal::Portal {
        id: who.id,
        college_id: who.college_id,
        role: who.role,
        sports: who.sports,
        session: who.session,
    }
}

async fn disclose(world: &World, athlete: &Person, over: Value) -> i64 {
    let mut deal = json!({
        "payer_name": "Harbor Books", "payer_kind": "business", "title": "Reading day",
        "category_id": 9, "amount_cents": 40_000, "compensation": "product", "signed_on": "2026-11-19",
        "description": "Two readings in the shop.",
        "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
            "complete_and_true"],
    });
    for (name, value) in over.as_object().unwrap() {
        deal[name] = value.clone();
    }
    let saved = world
        .call("core.disclosed_job.save", &athlete.principal, deal)
        .await;
    saved.data()["id"].as_i64().unwrap()
}

/// A payment past the operations: what triggers keep must follow whoever writes.
struct Past {
    contract: i64,
    athlete: i64,
    college: i64,
    amount: i64,
    commission: i64,
    refunded: i64,
    status: &'static str,
    at: DateTime<Utc>,
}

async fn pay(world: &World, past: &Past) -> i64 {
    let at = past.at.to_rfc3339();
    let now = format!("'{at}'::timestamptz").replace(
        if world.is_sqlite() {
            "::timestamptz"
        } else {
            "\0"
        },
        "",
    );
    let fee = past.amount / 10;
    let paid = match past.status {
        "pending" | "processing" | "failed" => "NULL".to_owned(),
        _ => now.clone(),
    };
    let number = world.number();
    world
        .id(&format!(
            "INSERT INTO payment (number, charge_id, partner_id, athlete_id, contract_id, college_id, \
             amount_cents, fee_cents, agent_commission_cents, total_cents, refunded_cents, \
             refunded_fee_cents, currency, status, paid_at, created_at, updated_at) \
             SELECT 'PAST-{number}', p.charge_id, p.partner_id, {athlete}, {contract}, {college}, \
             {amount}, {fee}, {commission}, {amount} + {fee}, {refunded}, 0, 'usd', '{status}', {paid}, \
             {now}, {now} FROM payment p ORDER BY p.id LIMIT 1 RETURNING id",
            athlete = past.athlete,
            contract = past.contract,
            college = past.college,
            amount = past.amount,
            commission = past.commission,
            refunded = past.refunded,
            status = past.status,
        ))
        .await
}

/// An athlete with a deal that is paid for, so that there is a charge and a contract.
async fn paid(world: &World, college: i64, name: &str, cents: i64) -> (Person, Deal) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete_of(name, college).await;
    let deal = world.approved_deal(&partner, &athlete, &[cents]).await;
    world.pay(&partner, &athlete, &deal).await;
    (athlete, deal)
}

async fn asks(world: &World, name: &str, who: &Principal, input: Value) -> Value {
    world.call(name, who, input).await.data()
}

/// What we know of a transaction.
#[derive(Clone, Debug)]
struct Known {
    athlete: i64,
    sport: i64,
    gender: &'static str,
    category: i64,
    kind: &'static str,
    source: &'static str,
    status: &'static str,
    gross: i64,
    net: i64,
    refunded: i64,
    at: DateTime<Utc>,
}

impl Known {
    fn counts(&self) -> bool {
        ["succeeded", "partially_refunded", "refunded", "approved"].contains(&self.status)
    }
}

struct Laws {
    world: World,
    random: SeededRandom,
    college: i64,
    zone: Tz,
    known: Vec<Known>,
}

const SPORTS: [i64; 3] = [1, 3, 5];
const GENDERS: [&str; 2] = ["female", "male"];

impl Laws {
    fn below(&self, most: i64) -> i64 {
        let mut bytes = [0; 8];
        self.random.fill(&mut bytes);
        i64::try_from(u64::from_be_bytes(bytes) % u64::try_from(most).unwrap()).unwrap()
    }

    fn one_of<T: Copy>(&self, all: &[T]) -> T {
        all[usize::try_from(self.below(i64::try_from(all.len()).unwrap())).unwrap()]
    }

    async fn new(engine: Engine, seed: u64) -> Self {
        let world = World::unthrottled(engine).await;
        let college = world.college().await;
        let mut laws = Self {
            world,
            random: SeededRandom::new(seed),
            college,
            zone: chrono_tz::America::Chicago,
            known: Vec::new(),
        };
        let other = laws.world.college().await;
        for (place, name) in (0_usize..).zip(["Ana Reyes", "Bea Stone", "Cia Wood", "Dot Hill"]) {
            let sport = SPORTS[place % 3];
            let gender = GENDERS[place % 2];
            let cents = 1_000 + laws.below(9_000);
            let (athlete, deal) = paid(&laws.world, college, name, cents).await;
            let mut known = Known {
                athlete: athlete.id,
                sport,
                gender,
                category: 1,
                kind: "cash",
                source: "platform",
                status: "succeeded",
                gross: cents,
                net: cents,
                refunded: 0,
                at: laws.world.platform.now(),
            };
            laws.known.push(known.clone());
            for _ in 0..25 {
                known.gross = 1 + laws.below(200_000);
                let commission = laws.below(known.gross / 5 + 1);
                known.net = known.gross - commission;
                known.status = laws.one_of(&[
                    "succeeded",
                    "succeeded",
                    "succeeded",
                    "failed",
                    "processing",
                    "partially_refunded",
                    "refunded",
                ]);
                known.refunded = match known.status {
                    "refunded" => known.gross,
                    "partially_refunded" => known.gross / 2,
                    _ => 0,
                };
                known.at = laws.moment();
                let past = Past {
                    contract: deal.contract_id,
                    athlete: athlete.id,
                    college,
                    amount: known.gross,
                    commission,
                    refunded: known.refunded,
                    status: known.status,
                    at: known.at,
                };
                pay(&laws.world, &past).await;
                // The same at another institution, which is nobody's business here.
                pay(
                    &laws.world,
                    &Past {
                        college: other,
                        ..past
                    },
                )
                .await;
                laws.known.push(known.clone());
            }
            for _ in 0..4 {
                laws.disclose(&athlete, (sport, gender)).await;
            }
            // Only now: what is kept must follow.
            laws.world
                .script(&format!(
                    "UPDATE athlete SET sport_id = {sport}, gender = '{gender}' WHERE id = {}",
                    athlete.id
                ))
                .await;
        }
        laws.world.figures_are_right().await;
        laws
    }

    /// An instant within two years, often near a change of the clock or the end of a month.
    fn moment(&self) -> DateTime<Utc> {
        let near = [
            "2026-03-08T06:00:00Z",
            "2026-03-08T08:00:00Z",
            "2025-11-02T05:00:00Z",
            "2026-11-01T05:00:00Z",
            "2026-03-01T06:00:00Z",
            "2026-01-01T06:00:00Z",
        ];
        if self.below(3) == 0 {
            let at: DateTime<Utc> = self.one_of(&near).parse().unwrap();
            return at + TimeDelta::seconds(self.below(3) - 1);
        }
        let start: DateTime<Utc> = "2024-11-25T00:00:00Z".parse().unwrap();
        start + TimeDelta::seconds(self.below(2 * 360 * 86_400))
    }

    async fn disclose(&mut self, athlete: &Person, (sport, gender): (i64, &'static str)) {
        let signed_on = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();
        let signed_on = signed_on + TimeDelta::days(self.below(300));
        let gross = 1 + self.below(50_000);
        let category = self.one_of(&[2, 9]);
        let over = json!({
            "signed_on": signed_on, "amount_cents": gross, "category_id": category,
            "title": format!("Deal {}", self.world.number()),
        });
        disclose(&self.world, athlete, over).await;
        self.known.push(Known {
            athlete: athlete.id,
            sport,
            gender,
            category,
            kind: "product",
            source: "disclosed",
            status: "approved",
            gross,
            net: gross,
            refunded: 0,
            at: signed_on.and_hms_opt(12, 0, 0).unwrap().and_utc(),
        });
    }

    /// A filter, and what it leaves.
    fn filter(&self) -> (Value, Vec<Known>) {
        let mut input = json!({});
        let mut left = self.known.clone();
        let day = |known: &Known| known.at.with_timezone(&self.zone).date_naive();
        if self.below(2) == 0 {
            let from =
                NaiveDate::from_ymd_opt(2025, 1, 1).unwrap() + TimeDelta::days(self.below(500));
            let to = from + TimeDelta::days(self.below(250));
            input["from"] = json!(from);
            input["to"] = json!(to);
            left.retain(|known| (from..=to).contains(&day(known)));
        }
        if self.below(3) == 0 {
            let sport = self.one_of(&SPORTS);
            input["sport_ids"] = json!([sport]);
            left.retain(|known| known.sport == sport);
        }
        if self.below(4) == 0 {
            let gender = self.one_of(&GENDERS);
            input["genders"] = json!([gender]);
            left.retain(|known| known.gender == gender);
        }
        if self.below(4) == 0 {
            let category = self.one_of(&[1, 2, 9, 4]);
            input["category_ids"] = json!([category]);
            left.retain(|known| known.category == category);
        }
        if self.below(4) == 0 {
            let source = self.one_of(&["platform", "disclosed"]);
            input["sources"] = json!([source]);
            left.retain(|known| known.source == source);
        }
        if self.below(4) == 0 {
            let least = self.below(100_000);
            input["min_cents"] = json!(least);
            left.retain(|known| known.gross >= least);
        }
        if self.below(5) == 0 {
            let athlete = self.one_of(
                &self
                    .known
                    .iter()
                    .map(|known| known.athlete)
                    .collect::<Vec<_>>(),
            );
            input["athlete_ids"] = json!([athlete]);
            left.retain(|known| known.athlete == athlete);
        }
        if self.below(4) == 0 {
            let status = self.one_of(&["succeeded", "failed", "refunded", "approved"]);
            input["statuses"] = json!([status]);
            left.retain(|known| known.status == status);
        }
        (input, left)
    }

    async fn hold(&self) {
        let who = officer(self.college, &[]);
        for _ in 0..25 {
            let (input, left) = self.filter();
            let listed = self.world.call(LIST, &who, input.clone()).await;
            assert_eq!(listed.body["pagination"]["total"], left.len(), "{input}");
            let counted: Vec<_> = match input["statuses"].as_array() {
                Some(_) => left,
                None => left.into_iter().filter(Known::counts).collect(),
            };
            let summary = asks(&self.world, SUMMARY, &who, input.clone()).await;
            assert_eq!(totals(&summary["totals"]), recount(&counted), "{input}");
            self.months(&summary, &counted, &input);
            self.groups(&who, &input, &counted).await;
        }
    }

    fn months(&self, summary: &Value, counted: &[Known], input: &Value) {
        let mut right: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        for known in counted {
            let month = known.at.with_timezone(&self.zone).format("%Y-%m-01");
            let right = right.entry(month.to_string()).or_default();
            right.0 += 1;
            right.1 += known.gross;
        }
        let months = summary["by_month"].as_array().unwrap();
        let told: BTreeMap<String, (i64, i64)> = months
            .iter()
            .map(|month| {
                let sums = (
                    month["count"].as_i64().unwrap(),
                    month["gross_cents"].as_i64().unwrap(),
                );
                (month["starts_on"].as_str().unwrap().to_owned(), sums)
            })
            .collect();
        assert_eq!(told.len(), months.len());
        for pair in months.windows(2) {
            let first = |month: &Value| {
                month["starts_on"]
                    .as_str()
                    .unwrap()
                    .parse::<NaiveDate>()
                    .unwrap()
            };
            let next = first(&pair[0]) + chrono::Months::new(1);
            assert_eq!(next, first(&pair[1]), "{input}: a gap");
        }
        let happened: BTreeMap<_, _> = told.into_iter().filter(|(_, sums)| sums.0 > 0).collect();
        assert_eq!(happened, right, "{input}");
        let sum = |what: &str| -> i64 {
            let sources = summary["by_source"].as_array().unwrap();
            sources
                .iter()
                .map(|source| source[what].as_i64().unwrap())
                .sum()
        };
        for what in [
            "count",
            "gross_cents",
            "net_cents",
            "fee_cents",
            "refunded_cents",
        ] {
            assert_eq!(
                sum(what),
                summary["totals"][what].as_i64().unwrap(),
                "{input}: {what}"
            );
        }
    }

    async fn groups(&self, who: &Principal, input: &Value, counted: &[Known]) {
        type Key = fn(&Known) -> String;
        let groups: [(&str, &str, Key); 3] = [
            ("compliance.analytics.by_sport", "sport_id", |known| {
                known.sport.to_string()
            }),
            ("compliance.analytics.by_category", "category_id", |known| {
                known.category.to_string()
            }),
            (
                "compliance.analytics.by_payment_type",
                "payment_type",
                |known| format!("{:?}", known.kind),
            ),
        ];
        for (name, column, key) in groups {
            let mut right: BTreeMap<String, (i64, i64, BTreeSet<i64>)> = BTreeMap::new();
            for known in counted {
                let group = right.entry(key(known)).or_default();
                group.0 += 1;
                group.1 += known.net;
                group.2.insert(known.athlete);
            }
            let told = asks(&self.world, name, who, input.clone()).await;
            let told = told.as_array().unwrap();
            for row in told {
                let (count, net, athletes) =
                    right.remove(&row[column].to_string()).unwrap_or_default();
                assert_eq!(row["activity"], count, "{name} {input} {row}");
                assert_eq!(row["earnings_cents"], net, "{name} {input} {row}");
                assert_eq!(row["athletes"], athletes.len(), "{name} {input} {row}");
            }
            assert!(right.is_empty(), "{name} {input}: {right:?}");
        }
        let mut ranked: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        for known in counted {
            let athlete = ranked.entry(known.athlete).or_default();
            *athlete = (athlete.0 + known.gross, athlete.1 + 1);
        }
        let mut right: Vec<_> = ranked
            .into_iter()
            .map(|(id, sums)| (sums.0, sums.1, -id))
            .collect();
        right.sort_unstable();
        right.reverse();
        let top = asks(
            &self.world,
            "compliance.transaction.top_athletes",
            who,
            input.clone(),
        )
        .await;
        let top: Vec<_> = top
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                (
                    row["gross_cents"].as_i64().unwrap(),
                    row["count"].as_i64().unwrap(),
                    -row["athlete_id"].as_i64().unwrap(),
                )
            })
            .collect();
        assert_eq!(top, right, "{input}");
    }
}

/// Count, athletes, gross, net, refunded, average, median.
fn totals(told: &Value) -> [i64; 7] {
    [
        "count",
        "athletes",
        "gross_cents",
        "net_cents",
        "refunded_cents",
        "average_cents",
        "median_cents",
    ]
    .map(|name| told[name].as_i64().unwrap())
}

fn recount(counted: &[Known]) -> [i64; 7] {
    let count = i64::try_from(counted.len()).unwrap();
    let sum = |of: fn(&Known) -> i64| counted.iter().map(of).sum::<i64>();
    let athletes: BTreeSet<_> = counted.iter().map(|known| known.athlete).collect();
    let gross = sum(|known| known.gross);
    let mut amounts: Vec<i64> = counted.iter().map(|known| known.gross).collect();
    amounts.sort_unstable();
    let median = match amounts.len() {
        0 => 0,
        size if size % 2 == 1 => amounts[size / 2],
        size => half_even(amounts[size / 2 - 1] + amounts[size / 2], 2),
    };
    let average = if count == 0 {
        0
    } else {
        half_even(gross, count)
    };
    [
        count,
        i64::try_from(athletes.len()).unwrap(),
        gross,
        sum(|known| known.net),
        sum(|known| known.refunded),
        average,
        median,
    ]
}

fn half_even(sum: i64, parts: i64) -> i64 {
    let (whole, rest) = (sum / parts, sum % parts);
    match (rest * 2).cmp(&parts) {
        std::cmp::Ordering::Less => whole,
        std::cmp::Ordering::Greater => whole + 1,
        std::cmp::Ordering::Equal => whole + whole % 2,
    }
}

#[tokio::test]
async fn figures_are_what_a_recount_says_sqlite() {
    Laws::new(Engine::Sqlite, 7).await.hold().await;
}

#[tokio::test]
async fn figures_are_what_a_recount_says_postgres() {
    Laws::new(Engine::Postgres, 7).await.hold().await;
}

on_both_databases! {
    async fn payments_and_disclosed_jobs_stand_in_one_list(world) {
        let college = world.college().await;
        let (athlete, deal) = paid(&world, college, "Jordan Lake", 5_000).await;
        let disclosed = disclose(&world, &athlete, json!({})).await;
        disclose(&world, &athlete, json!({ "title": "Draft", "draft": true })).await;
        let who = officer(college, &[]);
        let rows = asks(&world, LIST, &who, json!({})).await;
        let rows = rows.as_array().unwrap();
        assert_eq!(rows.len(), 2, "a draft is the athlete's own");
        assert_eq!(rows[0]["source"], "platform");
        assert_eq!(rows[0]["contract_id"], deal.contract_id);
        assert_eq!(rows[0]["job_id"], deal.job_id);
        assert_eq!(rows[0]["disclosed_job_id"], Value::Null);
        let row = &rows[1];
        assert_eq!((&row["source"], &row["number"]), (&json!("disclosed"), &json!(format!("DISCLOSED-{disclosed}"))));
        assert_eq!((&row["payer"], &row["payment_type"]), (&json!("Harbor Books"), &json!("product")));
        assert_eq!((&row["gross_cents"], &row["fee_cents"], &row["net_cents"]), (&json!(40_000), &json!(0), &json!(40_000)));
        assert_eq!((&row["status"], &row["occurred_at"]), (&json!("approved"), &json!("2026-11-19T12:00:00Z")));
        assert_eq!(row["disclosed_job_id"], disclosed);
        for (input, found) in [
            (json!({ "sources": ["disclosed"] }), 1),
            (json!({ "statuses": ["approved"] }), 1),
            (json!({ "statuses": ["succeeded", "approved"] }), 2),
            (json!({ "category_ids": [9] }), 1),
            (json!({ "from": "2026-11-19", "to": "2026-11-19" }), 1),
            (json!({ "preset": "last_month" }), 0),
            (json!({ "preset": "this_month" }), 2),
            (json!({ "preset": "today" }), 1),
            (json!({ "max_cents": 5_000 }), 1),
            (json!({ "q": "harbor" }), 1),
            (json!({ "q": "disclosed-" }), 1),
            (json!({ "q": "jordan" }), 2),
            (json!({ "flags": ["late"] }), 0),
        ] {
            let answer = world.call(LIST, &who, input.clone()).await;
            assert_eq!(answer.body["pagination"]["total"], found, "{input}");
            assert_eq!(answer.data().as_array().unwrap().len(), found, "{input}");
        }
        let greatest = asks(&world, LIST, &who, json!({ "sort": "-gross_cents" })).await;
        assert_eq!(greatest[0]["source"], "disclosed");
        let oldest = asks(&world, LIST, &who, json!({ "sort": "occurred_at" })).await;
        assert_eq!(oldest[0]["source"], "disclosed");
        for wrong in [
            json!({ "from": "2026-11-20", "to": "2026-11-19" }),
            json!({ "preset": "today", "from": "2026-11-20" }),
            json!({ "preset": "someday" }),
            json!({ "genders": ["unknown"] }),
            json!({ "statuses": ["draft"] }),
            json!({ "sort": "athlete" }),
        ] {
            assert_eq!(world.call(LIST, &who, wrong.clone()).await.status, 422, "{wrong}");
        }
        world.books_are_right().await;
    }

    async fn flags_follow_the_clock_and_the_clearinghouse(world) {
        let college = world.college().await;
        let who = officer(college, &[]);
        let (athlete, _) = paid(&world, college, "Jordan Lake", 70_000).await;
        let flags = async |input: Value| -> Vec<Value> {
            let rows = asks(&world, LIST, &who, input).await;
            rows.as_array().unwrap().iter().map(|row| row["flags"].clone()).collect()
        };
        // More than 600 dollars of one payor: due at the clearinghouse.
        assert_eq!(flags(json!({})).await, [json!(["over_threshold"])]);
        assert!(flags(json!({ "flags": ["late"] })).await.is_empty());
        world.pass(TimeDelta::days(30));
        assert_eq!(flags(json!({ "flags": ["late"] })).await, [json!(["late", "over_threshold"])]);
        let clearances = asks(&world, "compliance.clearance.list", &who, json!({})).await;
        let handed_in = json!({ "id": clearances[0]["id"], "status": "submitted" });
        asks(&world, "compliance.clearance.record", &who, handed_in).await;
        // It was late when it was handed in, and stays so.
        assert_eq!(flags(json!({ "flags": ["late"] })).await.len(), 1);
        let minor = format!("UPDATE athlete SET date_of_birth = '2008-11-21' WHERE id = {}", athlete.id);
        world.script(&minor).await;
        assert_eq!(flags(json!({ "flags": ["minor"] })).await.len(), 1);
        let of_age = format!("UPDATE athlete SET date_of_birth = '2008-11-20' WHERE id = {}", athlete.id);
        world.script(&of_age).await;
        assert!(flags(json!({ "flags": ["minor"] })).await.is_empty());
        disclose(&world, &athlete, json!({ "signed_on": "2026-10-01", "associated_entity": true })).await;
        let disclosed = flags(json!({ "sources": ["disclosed"] })).await;
        assert!(disclosed[0].as_array().unwrap().contains(&json!("late")), "{disclosed:?}");
        assert!(disclosed[0].as_array().unwrap().contains(&json!("associated_entity")), "{disclosed:?}");
        let list = asks(&world, "compliance.athlete.list", &who, json!({ "flags": ["associated_entity"] })).await;
        assert_eq!(list[0]["totals"]["count"], 1);
        assert!(list[0]["flags"].as_array().unwrap().contains(&json!("late")));
        world.books_are_right().await;
    }

    async fn a_summary_compares_with_the_period_before(world) {
        let college = world.college().await;
        let who = officer(college, &[]);
        let none = asks(&world, SUMMARY, &who, json!({})).await;
        assert_eq!((totals(&none["totals"]), &none["by_month"]), ([0; 7], &json!([])));
        assert_eq!(none["previous"], Value::Null);
        let (athlete, deal) = paid(&world, college, "Jordan Lake", 101).await;
        for (amount, at) in [(200, "2026-11-19T12:00:00Z"), (400, "2026-11-15T05:59:59Z"), (800, "2026-11-08T06:00:00Z")] {
            let past = Past {
                contract: deal.contract_id, athlete: athlete.id, college, amount, commission: 0,
                refunded: 0, status: "succeeded", at: at.parse().unwrap(),
            };
            pay(&world, &past).await;
        }
        let week = json!({ "from": "2026-11-15", "to": "2026-11-21" });
        let week = asks(&world, SUMMARY, &who, week).await;
        // 301 cents of two: the average is 150.5, which goes to the even cent.
        assert_eq!(totals(&week["totals"]), [2, 1, 301, 301, 0, 150, 150]);
        let before = &week["previous"];
        assert_eq!((&before["from"], &before["to"]), (&json!("2026-11-08"), &json!("2026-11-14")));
        assert_eq!(totals(before), [2, 1, 1_200, 1_200, 0, 600, 600]);
        assert_eq!(before["gross_growth_basis_points"], -7_492);
        assert_eq!(before["count_growth_basis_points"], 0);
        let empty = json!({ "from": "2026-01-31", "to": "2026-03-01" });
        let empty = asks(&world, SUMMARY, &who, empty).await;
        let months: Vec<_> = empty["by_month"].as_array().unwrap().iter().map(|m| m["starts_on"].as_str().unwrap()).collect();
        assert_eq!(months, ["2026-01-01", "2026-02-01", "2026-03-01"]);
        assert_eq!(empty["previous"]["gross_growth_basis_points"], Value::Null);
        assert_eq!((&empty["time_zone"], &empty["currency"]), (&json!("America/Chicago"), &json!("usd")));
        let teams = asks(&world, "compliance.transaction.top_teams", &who, json!({ "limit": 1 })).await;
        assert_eq!(teams.as_array().unwrap().len(), 1);
        assert_eq!((&teams[0]["team"], &teams[0]["share_basis_points"]), (&json!("Baseball"), &json!(10_000)));
        assert_eq!((&teams[0]["rank"], &teams[0]["count"]), (&json!(1), &json!(4)));
    }

    async fn applications_are_counted_in_the_institutions_own_days(world) {
        let college = world.college().await;
        let who = officer(college, &[]);
        let name = "compliance.analytics.applications_over_time";
        let partner = world.partner("Ridge Outfitters").await;
        let job = world.open_job(&partner, json!({ "slots": 4 })).await;
        let other = world.open_job(&partner, json!({ "title": "Another", "slots": 4 })).await;
        let first = world.athlete_of("Ana Reyes", college).await;
        let second = world.athlete_of("Bea Stone", college).await;
        let invited = world.athlete_of("Cia Wood", college).await;
        let stranger = world.athlete("Dot Hill").await;
        let invite = json!({ "job_id": job, "athlete_ids": [invited.id] });
        world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
        // 20 November, noon UTC: six in the morning in Chicago.
        world.hire(&partner, &first, job).await;
        world.apply(&first, other).await;
        world.apply(&stranger, job).await;
        world.pass(TimeDelta::hours(18) - TimeDelta::seconds(1));
        world.apply(&second, job).await;
        let point = |starts_on: &str, counts: [i64; 3]| json!({
            "starts_on": starts_on, "athletes": counts[0], "applications": counts[1], "hires": counts[2],
        });
        let days = json!({ "interval": "day", "from": "2026-11-19", "to": "2026-11-21" });
        let series = asks(&world, name, &who, days.clone()).await;
        assert_eq!(series["points"], json!([
            point("2026-11-19", [0, 0, 0]), point("2026-11-20", [2, 3, 1]), point("2026-11-21", [0, 0, 0]),
        ]));
        world.pass(TimeDelta::seconds(1));
        world.apply(&second, other).await;
        // An invitation that is taken up counts on the day it was made.
        let accept = json!({ "job_id": job, "accept": true });
        world.call("core.application.respond_invitation", &invited.principal, accept).await.data();
        let series = asks(&world, name, &who, days).await;
        assert_eq!(series["points"][1], point("2026-11-20", [3, 4, 1]));
        assert_eq!(series["points"][2], point("2026-11-21", [1, 1, 0]));
        let weeks = asks(&world, name, &who, json!({ "interval": "week" })).await;
        assert_eq!(weeks["points"].as_array().unwrap().len(), 12);
        assert_eq!(weeks["points"][11], point("2026-11-16", [3, 5, 1]));
        let months = asks(&world, name, &who, json!({})).await;
        assert_eq!((months["points"].as_array().unwrap().len(), &months["from"]), (12, &json!("2025-12-01")));
        assert_eq!(months["points"][11], point("2026-11-01", [3, 5, 1]));
        for (narrowed, right) in [
            (json!({ "sources": ["disclosed"] }), [0, 0, 0]),
            (json!({ "athlete_ids": [first.id] }), [1, 2, 1]),
            (json!({ "category_ids": [2] }), [0, 0, 0]),
            (json!({ "sport_ids": [2] }), [0, 0, 0]),
            (json!({ "min_cents": 50_001 }), [0, 0, 0]),
        ] {
            let series = asks(&world, name, &who, narrowed.clone()).await;
            assert_eq!(series["points"][11], point("2026-11-01", right), "{narrowed}");
        }
        let long = json!({ "interval": "day", "from": "2020-01-01", "to": "2026-01-01" });
        let long = world.call(name, &who, long).await;
        assert!(long.body["errors"]["interval"].is_array(), "{}", long.body);
        let future = json!({ "from": "2027-01-01" });
        assert!(world.call(name, &who, future).await.body["errors"]["from"].is_array());
    }

    async fn what_the_filters_can_be_set_to(world) {
        let college = world.college().await;
        let (who, limited) = (officer(college, &[]), officer(college, &[1]));
        let dates = asks(&world, "compliance.filter.dates", &who, json!({})).await;
        let of = |value: &str| dates.as_array().unwrap().iter().find(|one| one["value"] == value).unwrap().clone();
        assert_eq!(of("this_month"), json!({
            "value": "this_month", "label": "This month", "from": "2026-11-01", "to": "2026-11-20",
        }));
        assert_eq!(of("all_time")["from"], Value::Null);
        let sports = asks(&world, "compliance.filter.sports", &who, json!({})).await;
        assert!(sports.as_array().unwrap().len() > 20);
        let own = asks(&world, "compliance.filter.sports", &limited, json!({})).await;
        assert_eq!(own, json!([{ "value": 1, "label": "Baseball" }]));
        let genders = asks(&world, "compliance.filter.genders", &who, json!({})).await;
        assert_eq!(genders[2], json!({ "value": "non_binary", "label": "Non-binary" }));
        let roles = asks(&world, "compliance.filter.roles", &Principal::Anonymous, json!({})).await;
        let words: Vec<_> = roles.as_array().unwrap().iter().map(|role| role["value"].as_str().unwrap()).collect();
        assert_eq!(words, ["viewer", "finance", "officer", "owner"]);
    }
}
