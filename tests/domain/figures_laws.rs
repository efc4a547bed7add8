//! Figures: for every filter, institutions get the result of a naive recount.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Tz;
use nil_core::auth::Principal;
use nil_core::kernel::SeededRandom;
use nil_tests::{Draw as _, Engine, Person, World};
use serde_json::{Value, json};

use crate::figures::{LIST, Past, SUMMARY, asks, disclose, officer, paid, pay, totals};

/// A transaction as the test knows it.
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
    fn one_of<T: Copy>(&self, all: &[T]) -> T {
        *self.random.one_of(all)
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
            let cents = 1_000 + laws.random.below(9_000);
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
                known.gross = 1 + laws.random.below(200_000);
                let commission = laws.random.below(known.gross / 5 + 1);
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
                // The same at another institution, which must not show here.
                pay(&laws.world, &Past { college: other, ..past }).await;
                laws.known.push(known.clone());
            }
            for _ in 0..4 {
                laws.disclose(&athlete, (sport, gender)).await;
            }
            // Changed after the fact: the maintained rows must follow.
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

    /// A time within two years, often near a clock change or the end of a month.
    fn moment(&self) -> DateTime<Utc> {
        let near = [
            "2026-03-08T06:00:00Z",
            "2026-03-08T08:00:00Z",
            "2025-11-02T05:00:00Z",
            "2026-11-01T05:00:00Z",
            "2026-03-01T06:00:00Z",
            "2026-01-01T06:00:00Z",
        ];
        if self.random.below(3) == 0 {
            let at: DateTime<Utc> = self.one_of(&near).parse().unwrap();
            return at + TimeDelta::seconds(self.random.below(3) - 1);
        }
        let start: DateTime<Utc> = "2024-11-25T00:00:00Z".parse().unwrap();
        start + TimeDelta::seconds(self.random.below(2 * 360 * 86_400))
    }

    async fn disclose(&mut self, athlete: &Person, (sport, gender): (i64, &'static str)) {
        let signed_on = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();
        let signed_on = signed_on + TimeDelta::days(self.random.below(300));
        let gross = 1 + self.random.below(50_000);
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
        if self.random.below(2) == 0 {
            let from = NaiveDate::from_ymd_opt(2025, 1, 1).unwrap()
                + TimeDelta::days(self.random.below(500));
            let to = from + TimeDelta::days(self.random.below(250));
            input["from"] = json!(from);
            input["to"] = json!(to);
            left.retain(|known| (from..=to).contains(&day(known)));
        }
        if self.random.below(3) == 0 {
            let sport = self.one_of(&SPORTS);
            input["sport_ids"] = json!([sport]);
            left.retain(|known| known.sport == sport);
        }
        if self.random.below(4) == 0 {
            let gender = self.one_of(&GENDERS);
            input["genders"] = json!([gender]);
            left.retain(|known| known.gender == gender);
        }
        if self.random.below(4) == 0 {
            let category = self.one_of(&[1, 2, 9, 4]);
            input["category_ids"] = json!([category]);
            left.retain(|known| known.category == category);
        }
        if self.random.below(4) == 0 {
            let source = self.one_of(&["platform", "disclosed"]);
            input["sources"] = json!([source]);
            left.retain(|known| known.source == source);
        }
        if self.random.below(4) == 0 {
            let least = self.random.below(100_000);
            input["min_cents"] = json!(least);
            left.retain(|known| known.gross >= least);
        }
        if self.random.below(5) == 0 {
            let athlete =
                self.one_of(&self.known.iter().map(|known| known.athlete).collect::<Vec<_>>());
            input["athlete_ids"] = json!([athlete]);
            left.retain(|known| known.athlete == athlete);
        }
        if self.random.below(4) == 0 {
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
        let mut right: BTreeMap<String, Vec<Known>> = BTreeMap::new();
        for known in counted {
            let month = known.at.with_timezone(&self.zone).format("%Y-%m-01");
            right.entry(month.to_string()).or_default().push(known.clone());
        }
        let right: BTreeMap<String, [i64; 7]> =
            right.into_iter().map(|(month, known)| (month, recount(&known))).collect();
        let months = summary["by_month"].as_array().unwrap();
        let told: BTreeMap<String, [i64; 7]> = months
            .iter()
            .map(|month| (month["starts_on"].as_str().unwrap().to_owned(), totals(month)))
            .collect();
        assert_eq!(told.len(), months.len());
        for pair in months.windows(2) {
            let first =
                |month: &Value| month["starts_on"].as_str().unwrap().parse::<NaiveDate>().unwrap();
            let next = first(&pair[0]) + chrono::Months::new(1);
            assert_eq!(next, first(&pair[1]), "{input}: a gap");
        }
        let happened: BTreeMap<_, _> = told.into_iter().filter(|(_, sums)| sums[0] > 0).collect();
        assert_eq!(happened, right, "{input}");
        let sum = |what: &str| -> i64 {
            let sources = summary["by_source"].as_array().unwrap();
            sources.iter().map(|source| source[what].as_i64().unwrap()).sum()
        };
        for what in ["count", "gross_cents", "net_cents", "fee_cents", "refunded_cents"] {
            assert_eq!(sum(what), summary["totals"][what].as_i64().unwrap(), "{input}: {what}");
        }
    }

    async fn groups(&self, who: &Principal, input: &Value, counted: &[Known]) {
        type Key = fn(&Known) -> String;
        let groups: [(&str, &str, Key); 3] = [
            ("compliance.analytics.by_sport", "sport_id", |known| known.sport.to_string()),
            ("compliance.analytics.by_category", "category_id", |known| known.category.to_string()),
            ("compliance.analytics.by_payment_type", "payment_type", |known| {
                format!("{:?}", known.kind)
            }),
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
        let mut right: Vec<_> =
            ranked.into_iter().map(|(id, sums)| (sums.0, sums.1, -id)).collect();
        right.sort_unstable();
        right.reverse();
        let top =
            asks(&self.world, "compliance.transaction.top_athletes", who, input.clone()).await;
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
    let average = if count == 0 { 0 } else { half_even(gross, count) };
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
