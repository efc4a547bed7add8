//! Every operation of the Compliance interface, with inputs drawn from its schema, as each role:
//! nothing of another institution is ever told, and figures are those of a recount over the list.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use nil_core::auth::{Principal, Role};
use nil_core::catalog::{Entry, Interface, catalog};
use nil_core::kernel::SeededRandom;
use nil_tests::conforming::{document, documented};
use nil_tests::{Draw as _, World, both, or_long, trust, unpacked};
use serde_json::{Map, Value, json};

use crate::figures::{Past, SUMMARY, asks, disclose, paid, pay, totals};

/// An institution with two athletes, payments and disclosed jobs.
struct School {
    college: i64,
    owner: Principal,
    word: &'static str,
    /// The ids of its records, by the names that answers give them.
    ids: BTreeMap<&'static str, BTreeSet<i64>>,
    /// The amounts of its transactions: no other institution has one of these.
    amounts: BTreeSet<i64>,
}

impl School {
    async fn new(world: &World, word: &'static str, random: &SeededRandom, prime: i64) -> Self {
        let college = world.college().await;
        let (owner, _) = world.portal_user(college, "owner").await;
        let mut school =
            Self { college, owner, word, ids: BTreeMap::new(), amounts: BTreeSet::new() };
        for name in ["Reyes", "Stone"] {
            let (athlete, deal) = paid(world, college, &format!("{word} {name}"), prime).await;
            school.amounts.insert(prime);
            for _ in 0..8 {
                let amount = prime * (2 + random.below(400));
                let refunded = if random.below(4) == 0 { amount } else { 0 };
                let start: DateTime<Utc> = "2026-01-05T00:00:00Z".parse().unwrap();
                let past = Past {
                    contract: deal.contract_id,
                    athlete: athlete.id,
                    college,
                    amount,
                    commission: 0,
                    refunded,
                    status: if refunded > 0 { "refunded" } else { "succeeded" },
                    at: start + TimeDelta::hours(random.below(7_000)),
                };
                pay(world, &past).await;
                school.amounts.insert(amount);
            }
            let amount = prime * (500 + random.below(100));
            let over = json!({
                "payer_name": format!("{word} Books"), "title": format!("{word} reading"),
                "amount_cents": amount,
            });
            let disclosed = disclose(world, &athlete, over).await;
            school.amounts.insert(amount);
            school.learn("athlete_id", athlete.id);
            school.learn("contract_id", deal.contract_id);
            school.learn("job_id", deal.job_id);
            school.learn("disclosed_job_id", disclosed);
        }
        for (name, text) in [
            ("payment_id", format!("SELECT MAX(id) FROM payment WHERE college_id = {college}")),
            ("payment_id", format!("SELECT MIN(id) FROM payment WHERE college_id = {college}")),
            (
                "portal_user_id",
                format!("SELECT MAX(id) FROM portal_user WHERE college_id = {college}"),
            ),
            ("clearance_id", format!("SELECT MAX(id) FROM clearance WHERE college_id = {college}")),
        ] {
            let id = world.id(&text).await;
            school.learn(name, id);
        }
        school
    }

    fn learn(&mut self, name: &'static str, id: i64) {
        self.ids.entry(name).or_default().insert(id);
    }

    /// Its portal user with this role and these sports.
    fn as_role(&self, role: Role) -> Principal {
        let Principal::Portal { id, college_id, sports, session, .. } = self.owner.clone() else {
            panic!("a portal user")
        };
        Principal::Portal { id, college_id, role, sports, session }
    }

    /// What an answer tells of it, if it does.
    fn told_in(&self, bytes: &[u8], body: &Value) -> Option<String> {
        let mut text = format!("{body} {}", String::from_utf8_lossy(bytes));
        if bytes.starts_with(b"PK") {
            for (name, file) in unpacked(bytes) {
                text.push_str(&name);
                text.push_str(&String::from_utf8_lossy(&file));
            }
        }
        if text.contains(self.word) {
            return Some(self.word.to_owned());
        }
        self.id_or_amount(body)
    }

    fn id_or_amount(&self, body: &Value) -> Option<String> {
        match body {
            Value::Object(fields) => fields.iter().find_map(|(name, value)| {
                let theirs = self.ids.get(name.as_str());
                let told =
                    value.as_i64().is_some_and(|id| theirs.is_some_and(|ids| ids.contains(&id)));
                let amount = name.ends_with("_cents")
                    && value.as_i64().is_some_and(|cents| self.amounts.contains(&cents));
                if told || amount {
                    Some(format!("{name} {value}"))
                } else {
                    self.id_or_amount(value)
                }
            }),
            Value::Array(items) => items.iter().find_map(|item| self.id_or_amount(item)),
            _ => None,
        }
    }
}

/// Draws inputs.
struct Inputs<'a> {
    random: &'a SeededRandom,
    ids: Vec<i64>,
    /// Words of names; they are sent to searches only, because what is written is read again.
    words: [&'static str; 2],
}

impl Inputs<'_> {
    fn chance(&self, of: i64) -> bool {
        self.random.below(of) == 0
    }

    /// The fields of an operation with their schemas, and whether they are required.
    fn fields(entry: &Entry) -> Vec<(String, Value, bool)> {
        let operation = documented(entry);
        let mut found = Vec::new();
        let named: BTreeMap<&str, String> = entry.path_fields().into_iter().collect();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            let field = match parameter["in"].as_str() {
                Some("path") => named.get(name).expect("the path's field").clone(),
                Some("query") => name.to_owned(),
                _ => continue,
            };
            let required = parameter["required"] == true;
            found.push((field, parameter["schema"].clone(), required));
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let body = resolved(body);
        for (name, schema) in body["properties"].as_object().into_iter().flatten() {
            let required =
                body["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
            found.push((name.clone(), schema.clone(), required));
        }
        found
    }

    fn draw(&self, entry: &Entry) -> Value {
        let mut input = Map::new();
        // Many fields together leave nothing to be shown.
        let one_of = *self.random.one_of(&[3, 15, 1_000]);
        for (name, schema, required) in Self::fields(entry) {
            if required || self.chance(one_of) {
                input.insert(name.clone(), self.value(&name, &schema, 0));
            }
        }
        Value::Object(input)
    }

    fn value(&self, name: &str, schema: &Value, depth: usize) -> Value {
        let schema = resolved(schema);
        if let Some(words) = schema["enum"].as_array() {
            return self.random.one_of(words).clone();
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(first) = schema[choice].as_array().and_then(|all| all.first()) {
                return self.value(name, first, depth);
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.first().and_then(Value::as_str).unwrap_or("string"),
            kind => kind.as_str().unwrap_or("object"),
        };
        match kind {
            "boolean" => json!(self.chance(2)),
            "integer" if name == "id" || name.ends_with("_id") || name.ends_with("_ids") => {
                json!(self.random.one_of(&self.ids))
            }
            "integer" => json!(1 + self.random.below(60_000)),
            "array" if depth < 3 => {
                let many = 1 + self.random.below(2);
                (0..many).map(|_| self.value(name, &schema["items"], depth + 1)).collect()
            }
            "object" if depth < 3 => {
                let fields = schema["properties"].as_object().into_iter().flatten();
                let fields = fields
                    .filter(|_| !self.chance(3))
                    .map(|(name, schema)| (name.clone(), self.value(name, schema, depth + 1)));
                Value::Object(fields.collect())
            }
            "string" => match schema["format"].as_str() {
                Some("date") => {
                    json!(format!("2026-{:02}-10", 1 + self.random.below(12)))
                }
                Some("date-time") => {
                    json!(format!("2026-{:02}-10T00:00:00Z", 1 + self.random.below(12)))
                }
                _ if name == "q" => json!(self.random.one_of(&self.words)),
                _ => json!("Word"),
            },
            _ => Value::Null,
        }
    }
}

/// The schema that a reference names.
fn resolved(schema: &Value) -> Value {
    match schema["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(path) => {
            let found = document(Interface::Compliance).pointer(path);
            resolved(found.unwrap_or_else(|| panic!("{path}")))
        }
        None => schema.clone(),
    }
}

fn rounds() -> usize {
    or_long(4, 40)
}

async fn nothing_of_another_institution_is_told_by_any_operation(world: World) {
    let random = SeededRandom::new(3);
    let ours = School::new(&world, "Zorblatt", &random, 7_919).await;
    let theirs = School::new(&world, "Quixley", &random, 6_991).await;
    let all: BTreeSet<i64> =
        [&ours, &theirs].iter().flat_map(|school| school.ids.values().flatten().copied()).collect();
    let inputs = Inputs {
        random: &random,
        ids: all.into_iter().chain([ours.college, theirs.college, 1, 2, 9]).collect(),
        words: ["Quixley", "Zorblatt"],
    };
    let entries: Vec<&Entry> = catalog()
        .of(Interface::Compliance)
        .filter(|entry| entry.callers == ["portal_user"])
        .collect();
    assert!(entries.len() > 40, "{}", entries.len());
    let mut answered = BTreeSet::new();
    let mut showed = BTreeSet::new();
    for entry in entries {
        for role in Role::ALL {
            for _ in 0..rounds() {
                let input = inputs.draw(entry);
                let answer = world.call(entry.name, &ours.as_role(*role), input.clone()).await;
                assert!(answer.status < 500, "{} {input}: {}", entry.name, answer.body);
                if let Some(told) = theirs.told_in(&answer.bytes, &answer.body) {
                    panic!("{} as {role} with {input} tells {told}: {}", entry.name, answer.body);
                }
                if answer.status < 300 {
                    answered.insert(entry.name);
                }
                if ours.told_in(&answer.bytes, &answer.body).is_some() {
                    showed.insert(entry.name);
                }
            }
        }
    }
    // The check is meaningful only if operations answer, and show what is ours.
    assert!(answered.len() > 25, "{answered:?}");
    for name in ["compliance.transaction.list", "compliance.athlete.list"] {
        assert!(showed.contains(name), "{name}: {showed:?}");
    }
    trust::tried("A18", "operations", answered.len());
}
both!(nothing_of_another_institution_is_told_by_any_operation);

/// The statuses that are money, where a filter names none.
const COUNTED: [&str; 7] = [
    "succeeded",
    "partially_refunded",
    "refunded",
    "submitted",
    "under_review",
    "info_requested",
    "approved",
];

async fn figures_are_a_recount_over_the_list(world: World) {
    let random = SeededRandom::new(8);
    let schools = [
        School::new(&world, "Zorblatt", &random, 7_919).await,
        School::new(&world, "Quixley", &random, 6_991).await,
    ];
    let list = catalog().named("compliance.analytics.by_sport").unwrap();
    let ids = schools.iter().flat_map(|school| school.ids["athlete_id"].iter().copied());
    let inputs = Inputs {
        random: &random,
        ids: ids.chain([1, 2, 3, 9]).collect(),
        words: ["Quixley", "Zorblatt"],
    };
    let (mut tried, mut found) = (0, 0);
    for round in 0..60 * rounds() {
        let school = &schools[round % 2];
        let input = inputs.draw(list);
        let mut listed = input.clone();
        listed["per_page"] = json!(100);
        let rows = world.call(crate::figures::LIST, &school.owner, listed).await;
        let summary = world.call(SUMMARY, &school.owner, input.clone()).await;
        assert_eq!(rows.status, summary.status, "{input}: {} {}", rows.body, summary.body);
        if rows.status != 200 {
            continue;
        }
        let rows = rows.data();
        let counted: Vec<&Value> = rows
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| {
                !input["statuses"].is_null() || COUNTED.contains(&row["status"].as_str().unwrap())
            })
            .collect();
        let athletes: BTreeSet<i64> =
            counted.iter().map(|row| row["athlete_id"].as_i64().unwrap()).collect();
        assert!(athletes.is_subset(&school.ids["athlete_id"]), "{input}");
        let sum = |name: &str| counted.iter().map(|row| row[name].as_i64().unwrap()).sum::<i64>();
        let right = [
            i64::try_from(counted.len()).unwrap(),
            i64::try_from(athletes.len()).unwrap(),
            sum("gross_cents"),
            sum("net_cents"),
            sum("refunded_cents"),
        ];
        assert_eq!(totals(&summary.data()["totals"])[..5], right, "{input}");
        let by_sport = asks(&world, "compliance.analytics.by_sport", &school.owner, input).await;
        let shown = by_sport.as_array().unwrap().iter();
        let gross = shown.map(|row| row["gross_cents"].as_i64().unwrap()).sum::<i64>();
        assert_eq!(gross, sum("gross_cents"));
        tried += 1;
        found += usize::from(!counted.is_empty());
    }
    assert!(tried > 50 && found > 10, "{tried} {found}");
}
both!(figures_are_a_recount_over_the_list);
